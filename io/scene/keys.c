/* keys.c - reading JSON by tables. Recursion is as deep as the tables are nested, whatever the
 * document does. */
#include "io/scene/keys.h"

#include "io/base/words.h"

#include <string.h>

bool trail_problem(const struct trail *trail, struct problem *problem, const char *format, ...)
{
    char text[700];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return problem_set(problem, EXIT_SCENE, "%s: %s%s%s", trail->file, trail->text,
                       trail->used ? ": " : "", text);
}

/* Appends to the trail; trail_back undoes it. Names longer than the text are cut. */
static size_t trail_enter(struct trail *trail, const char *format, const char *name, size_t index)
{
    const size_t before = trail->used;
    const size_t room = sizeof trail->text - before;
    const int n = name ? snprintf(trail->text + before, room, format, name)
                       : snprintf(trail->text + before, room, "[%zu]", index);
    const size_t written = n < 0 ? 0 : (size_t)n;
    trail->used = before + (written < room ? written : room - 1);
    return before;
}

static void trail_back(struct trail *trail, size_t before)
{
    trail->used = before;
    trail->text[before] = 0;
}

static const char *type_name(json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "a list";
    case JSON_STRING:
        return "a text";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    default:
        return "null";
    }
}

static bool wrong_type(const struct trail *trail, const char *wanted, json_t *value,
                       struct problem *problem)
{
    return trail_problem(trail, problem, "must be %s, and is %s", wanted, type_name(value));
}

static bool read_number(const struct key *key, json_t *value, const struct trail *trail,
                        double *number, struct problem *problem)
{
    if (!json_is_number(value))
        return wrong_type(trail, "a number", value, problem);
    *number = json_number_value(value);
    if (*number < key->least || *number > key->most || (key->above_least && *number <= key->least))
        return trail_problem(trail, problem, "%g is outside of %s%g to %g", *number,
                             key->above_least ? "(more than) " : "", key->least, key->most);
    return true;
}

static bool read_count(const struct key *key, json_t *value, const struct trail *trail,
                       uint32_t *number, struct problem *problem)
{
    if (!json_is_integer(value))
        return wrong_type(trail, "a whole number", value, problem);
    const json_int_t n = json_integer_value(value);
    if ((double)n < key->least || (double)n > key->most)
        return trail_problem(trail, problem, "%lld is outside of %.0f to %.0f", (long long)n,
                             key->least, key->most);
    *number = (uint32_t)n;
    return true;
}

static bool read_choice(const struct key *key, json_t *value, const struct trail *trail,
                        uint32_t *choice, struct problem *problem)
{
    char known[300];
    words_join(known, sizeof known, key->choices, key->length, "\"");
    const char *text = json_string_value(value);
    if (!text)
        return wrong_type(trail, known, value, problem);
    for (uint32_t i = 0; i < key->length; ++i)
        if (strcmp(text, key->choices[i]) == 0) {
            *choice = i;
            return true;
        }
    const int closest = words_closest(text, key->choices, key->length);
    if (closest >= 0)
        return trail_problem(trail, problem, "\"%.60s\" is not known; did you mean \"%s\"?", text,
                             key->choices[closest]);
    return trail_problem(trail, problem, "\"%.60s\" is not known; it can be %s", text, known);
}

static bool read_element(const struct key *key, json_t *value, void *at, size_t index,
                         const struct trail *trail, struct problem *problem)
{
    double number = 0;
    if (key->kind == KEY_COUNTS || key->kind == KEY_NUMBERS)
        return read_count(key, value, trail, (uint32_t *)at + index, problem);
    if (!read_number(key, value, trail, &number, problem))
        return false;
    if (key->kind == KEY_FLOATS || key->kind == KEY_REALS)
        ((float *)at)[index] = (float)number;
    else
        ((double *)at)[index] = number;
    return true;
}

static bool read_elements(const struct key *key, json_t *value, void *at, struct trail *trail,
                          struct problem *problem)
{
    for (size_t i = 0; i < json_array_size(value); ++i) {
        const size_t before = trail_enter(trail, NULL, NULL, i);
        if (!read_element(key, json_array_get(value, i), at, i, trail, problem))
            return false;
        trail_back(trail, before);
    }
    return true;
}

static bool read_array(const struct key *key, json_t *value, void *at, struct trail *trail,
                       struct problem *problem)
{
    if (!json_is_array(value))
        return wrong_type(trail, "a list of numbers", value, problem);
    if (json_array_size(value) != key->length)
        return trail_problem(trail, problem, "must have %u numbers, and has %zu", key->length,
                             json_array_size(value));
    return read_elements(key, value, at, trail, problem);
}

static bool list_take(const struct key *key, size_t count, size_t bytes, struct list *list,
                      const struct trail *trail, struct pool *pool, struct problem *problem)
{
    const size_t most = key->length ? key->length : KEYS_ITEMS_MAX;
    if (count > most)
        return trail_problem(trail, problem, "has %zu items, more than %zu", count, most);
    list->count = (uint32_t)count;
    list->items = pool_take(pool, count, bytes, key->name, problem);
    return list->items != NULL;
}

static bool read_list(const struct key *key, json_t *value, struct list *list, struct trail *trail,
                      struct pool *pool, struct problem *problem)
{
    const struct table *table = key->table;
    if (!json_is_array(value))
        return wrong_type(trail, "a list", value, problem);
    if (!list_take(key, json_array_size(value), table->bytes, list, trail, pool, problem))
        return false;
    for (size_t i = 0; i < list->count; ++i) {
        const size_t before = trail_enter(trail, NULL, NULL, i);
        if (!keys_read(table, json_array_get(value, i), (char *)list->items + i * table->bytes,
                       trail, pool, problem))
            return false;
        trail_back(trail, before);
    }
    return true;
}

static bool read_map(const struct key *key, json_t *value, struct list *list, struct trail *trail,
                     struct pool *pool, struct problem *problem)
{
    const struct table *table = key->table;
    if (!json_is_object(value))
        return wrong_type(trail, "an object", value, problem);
    if (!list_take(key, json_object_size(value), table->bytes, list, trail, pool, problem))
        return false;
    char *item = list->items;
    for (void *i = json_object_iter(value); i;
         i = json_object_iter_next(value, i), item += table->bytes) {
        const char *name = pool_text(pool, json_object_iter_key(i), problem);
        if (!name)
            return false;
        const size_t before = trail_enter(trail, trail->used ? ".%s" : "%s", name, 0);
        if (!keys_read(table, json_object_iter_value(i), item, trail, pool, problem))
            return false;
        memcpy(item, &name, sizeof name);
        trail_back(trail, before);
    }
    return true;
}

static bool read_object(const struct key *key, json_t *value, void *at, struct trail *trail,
                        struct pool *pool, struct problem *problem)
{
    void *item = pool_take(pool, 1, key->table->bytes, key->name, problem);
    if (!item || !keys_read(key->table, value, item, trail, pool, problem))
        return false;
    memcpy(at, &item, sizeof item);
    return true;
}

static bool read_text(json_t *value, void *at, const struct trail *trail, struct pool *pool,
                      struct problem *problem)
{
    if (!json_is_string(value))
        return wrong_type(trail, "a text", value, problem);
    const char *text = pool_text(pool, json_string_value(value), problem);
    memcpy(at, &text, sizeof text);
    return text != NULL;
}

static bool read_scalar(const struct key *key, json_t *value, void *at, const struct trail *trail,
                        struct problem *problem)
{
    double number = 0;
    switch (key->kind) {
    case KEY_COUNT:
        return read_count(key, value, trail, at, problem);
    case KEY_CHOICE:
        return read_choice(key, value, trail, at, problem);
    case KEY_FLAG:
        if (!json_is_boolean(value))
            return wrong_type(trail, "true or false", value, problem);
        *(bool *)at = json_is_true(value);
        return true;
    default:
        if (!read_number(key, value, trail, &number, problem))
            return false;
        if (key->kind == KEY_FLOAT)
            *(float *)at = (float)number;
        else
            *(double *)at = number;
        return true;
    }
}

static bool read_value(const struct key *key, json_t *value, void *at, struct trail *trail,
                       struct pool *pool, struct problem *problem)
{
    switch (key->kind) {
    case KEY_TEXT:
        return read_text(value, at, trail, pool, problem);
    case KEY_FLOATS:
    case KEY_DOUBLES:
    case KEY_COUNTS:
        return read_array(key, value, at, trail, problem);
    case KEY_NUMBERS:
    case KEY_REALS:
        if (!json_is_array(value))
            return wrong_type(trail, "a list", value, problem);
        _Static_assert(sizeof(uint32_t) == sizeof(float), "either kind's item");
        return list_take(key, json_array_size(value), sizeof(float), at, trail, pool, problem) &&
               read_elements(key, value, ((struct list *)at)->items, trail, problem);
    case KEY_OBJECT:
        return read_object(key, value, at, trail, pool, problem);
    case KEY_LIST:
        return read_list(key, value, at, trail, pool, problem);
    case KEY_MAP:
        return read_map(key, value, at, trail, pool, problem);
    default:
        return read_scalar(key, value, at, trail, problem);
    }
}

static bool unknown_key(const struct table *table, const char *name, const struct trail *trail,
                        struct problem *problem)
{
    const char *names[64] = {NULL};
    for (uint32_t i = 0; i < table->count; ++i)
        names[i] = table->keys[i].name;
    const int closest = words_closest(name, names, table->count);
    if (closest >= 0)
        return trail_problem(trail, problem, "unknown key \"%.60s\"; did you mean \"%s\"?", name,
                             names[closest]);
    char known[500];
    return trail_problem(trail, problem, "unknown key \"%.60s\"; %s has the keys %s", name,
                         table->title, words_join(known, sizeof known, names, table->count, "\""));
}

/* Required keys, and the rule that exactly one of several must be there. */
static bool check_given(const struct table *table, uint64_t given, const struct trail *trail,
                        struct problem *problem)
{
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < table->count; ++i) {
        const bool is_given = given >> i & 1;
        chosen += i < table->one_of && is_given;
        if (table->keys[i].required && !is_given)
            return trail_problem(trail, problem, "the key \"%s\" is missing", table->keys[i].name);
    }
    if (table->one_of == 0 || chosen == 1)
        return true;
    const char *names[64];
    char list[400];
    for (uint32_t i = 0; i < table->one_of; ++i)
        names[i] = table->keys[i].name;
    return trail_problem(trail, problem, "needs exactly one of %s, and has %u",
                         words_join(list, sizeof list, names, table->one_of, "\""), chosen);
}

bool keys_read(const struct table *table, json_t *object, void *item, struct trail *trail,
               struct pool *pool, struct problem *problem)
{
    if (!json_is_object(object))
        return wrong_type(trail, table->title, object, problem);
    if (table->defaults)
        table->defaults(item);
    uint64_t given = 0;
    for (void *i = json_object_iter(object); i; i = json_object_iter_next(object, i)) {
        const char *name = json_object_iter_key(i);
        uint32_t k = 0;
        while (k < table->count && strcmp(table->keys[k].name, name) != 0)
            ++k;
        if (k == table->count)
            return unknown_key(table, name, trail, problem);
        const size_t before = trail_enter(trail, trail->used ? ".%s" : "%s", name, 0);
        if (!read_value(&table->keys[k], json_object_iter_value(i),
                        (char *)item + table->keys[k].offset, trail, pool, problem))
            return false;
        trail_back(trail, before);
        given |= UINT64_C(1) << k;
    }
    memcpy((char *)item + table->given, &given, sizeof given);
    return check_given(table, given, trail, problem) &&
           (!table->check || table->check(item, trail, problem));
}

bool keys_given(const struct table *table, const void *item, const char *name)
{
    uint64_t given;
    memcpy(&given, (const char *)item + table->given, sizeof given);
    for (uint32_t i = 0; i < table->count; ++i)
        if (strcmp(table->keys[i].name, name) == 0)
            return given >> i & 1;
    return false;
}
