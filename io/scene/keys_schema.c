/* keys_schema.c - tables as a JSON Schema (2020-12). Defaults are read out of a struct that the
 * table's own function has filled. */
#include "io/scene/keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRAFT "https://json-schema.org/draft/2020-12/schema"

static void put(json_t *object, const char *name, json_t *value)
{
    (void)json_object_set_new(object, name, value);
}

/* Whole numbers without a point, so that the file reads as a person would write it. */
static json_t *number(double value)
{
    return value == floor(value) && fabs(value) < 1e15 ? json_integer((json_int_t)value)
                                                       : json_real(value);
}

/* The shortest decimal that is still this float: 0.005, not 0.004999999888. */
static double tidy(float value)
{
    for (int digits = 1; digits < 9; ++digits) {
        char text[32];
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        const double back = strtod(text, NULL);
        if ((float)back == value)
            return back;
    }
    return (double)value;
}

static json_t *array_default(const struct key *key, const char *at)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < key->length; ++i) {
        double value;
        if (key->kind == KEY_FLOATS)
            value = tidy(((const float *)(const void *)at)[i]);
        else if (key->kind == KEY_DOUBLES)
            value = ((const double *)(const void *)at)[i];
        else
            value = ((const uint32_t *)(const void *)at)[i];
        (void)json_array_append_new(list, number(value));
    }
    return list;
}

/* Null where there is none: texts, lists, objects, and numbers that stand for "not given". */
static json_t *default_value(const struct key *key, const char *item)
{
    const char *at = item + key->offset;
    float f;
    double d;
    uint32_t n;
    switch (key->kind) {
    case KEY_FLOAT:
        memcpy(&f, at, sizeof f);
        return isfinite(f) ? number(tidy(f)) : NULL;
    case KEY_DOUBLE:
        memcpy(&d, at, sizeof d);
        return isfinite(d) ? number(d) : NULL;
    case KEY_COUNT:
        memcpy(&n, at, sizeof n);
        return (double)n <= key->most ? json_integer(n) : NULL;
    case KEY_CHOICE:
        memcpy(&n, at, sizeof n);
        return n < key->length ? json_string(key->choices[n]) : NULL;
    case KEY_FLAG:
        return json_boolean(*(const bool *)at);
    case KEY_FLOATS:
    case KEY_DOUBLES:
    case KEY_COUNTS:
        return array_default(key, at);
    default:
        return NULL;
    }
}

static void put_range(json_t *schema, const struct key *key)
{
    put(schema, key->above_least ? "exclusiveMinimum" : "minimum", number(key->least));
    put(schema, "maximum", number(key->most));
}

static json_t *array_schema(const struct key *key)
{
    json_t *schema = json_object(), *item = json_object();
    const bool whole = key->kind == KEY_COUNTS || key->kind == KEY_NUMBERS;
    put(schema, "type", json_string("array"));
    put(item, "type", json_string(whole ? "integer" : "number"));
    put_range(item, key);
    put(schema, "items", item);
    if (key->kind != KEY_NUMBERS && key->kind != KEY_REALS) {
        put(schema, "minItems", json_integer(key->length));
        put(schema, "maxItems", json_integer(key->length));
    }
    return schema;
}

static json_t *table_schema(const struct table *table);

static json_t *nested_schema(const struct key *key)
{
    json_t *inner = table_schema(key->table);
    if (key->kind == KEY_OBJECT)
        return inner;
    json_t *schema = json_object();
    const bool list = key->kind == KEY_LIST;
    put(schema, "type", json_string(list ? "array" : "object"));
    put(schema, list ? "items" : "additionalProperties", inner);
    if (key->length)
        put(schema, list ? "maxItems" : "maxProperties", json_integer(key->length));
    return schema;
}

static json_t *key_schema(const struct key *key)
{
    json_t *schema;
    switch (key->kind) {
    case KEY_FLAG:
    case KEY_TEXT:
        schema = json_object();
        put(schema, "type", json_string(key->kind == KEY_FLAG ? "boolean" : "string"));
        return schema;
    case KEY_CHOICE:
        schema = json_object();
        put(schema, "enum", json_array());
        for (uint32_t i = 0; i < key->length; ++i)
            (void)json_array_append_new(json_object_get(schema, "enum"),
                                        json_string(key->choices[i]));
        return schema;
    case KEY_FLOATS:
    case KEY_DOUBLES:
    case KEY_COUNTS:
    case KEY_NUMBERS:
    case KEY_REALS:
        return array_schema(key);
    case KEY_OBJECT:
    case KEY_LIST:
    case KEY_MAP:
        return nested_schema(key);
    default:
        schema = json_object();
        put(schema, "type", json_string(key->kind == KEY_COUNT ? "integer" : "number"));
        put_range(schema, key);
        return schema;
    }
}

static json_t *names_of(const struct table *table, bool required)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < table->count; ++i) {
        json_t *name = json_string(table->keys[i].name);
        if (required && table->keys[i].required) {
            (void)json_array_append_new(list, name);
        } else if (!required && i < table->one_of) {
            json_t *rule = json_object();
            put(rule, "required", json_pack("[o]", name));
            (void)json_array_append_new(list, rule);
        } else {
            json_decref(name);
        }
    }
    return list;
}

static json_t *table_schema(const struct table *table)
{
    _Alignas(PIOLA_ALIGNMENT) char item[2048] = {0};
    json_t *schema = json_object(), *properties = json_object();
    put(schema, "description", json_string(table->what));
    put(schema, "type", json_string("object"));
    if (table->defaults && table->bytes <= sizeof item)
        table->defaults(item);
    for (uint32_t i = 0; i < table->count; ++i) {
        const struct key *key = &table->keys[i];
        json_t *property = key_schema(key);
        put(property, "description", json_string(key->what));
        json_t *value = key->required || i < table->one_of ? NULL : default_value(key, item);
        if (value)
            put(property, "default", value);
        put(properties, key->name, property);
    }
    put(schema, "properties", properties);
    json_t *required = names_of(table, true), *one_of = names_of(table, false);
    if (json_array_size(required))
        put(schema, "required", json_incref(required));
    if (json_array_size(one_of))
        put(schema, "oneOf", json_incref(one_of));
    json_decref(required);
    json_decref(one_of);
    put(schema, "additionalProperties", json_false());
    return schema;
}

json_t *keys_schema(const struct table *table)
{
    json_t *schema = json_object(), *body = table_schema(table);
    put(schema, "$schema", json_string(DRAFT));
    put(schema, "title", json_string(table->title));
    (void)json_object_update(schema, body);
    json_decref(body);
    return schema;
}
