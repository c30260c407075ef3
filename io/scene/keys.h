/* keys.h - a JSON object described by a table: the one place its keys are written down.
 *
 * Lives here: tables, reading JSON values into C structs by them, and printing them as a JSON
 * Schema. So reading, errors, suggestions, defaults and docs/scene.schema.json cannot drift apart.
 * What must not live here: any particular key.
 */
#ifndef APP_KEYS_H
#define APP_KEYS_H

#include "io/base/pool.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum key_kind {
    KEY_FLOAT,   /* float */
    KEY_DOUBLE,  /* double */
    KEY_COUNT,   /* uint32_t, a whole number */
    KEY_FLAG,    /* bool */
    KEY_TEXT,    /* const char * */
    KEY_CHOICE,  /* uint32_t: index into `choices` */
    KEY_FLOATS,  /* float[length] */
    KEY_DOUBLES, /* double[length] */
    KEY_COUNTS,  /* uint32_t[length] */
    KEY_NUMBERS, /* struct list of uint32_t, any length */
    KEY_REALS,   /* struct list of float, any length */
    KEY_OBJECT,  /* pointer to a struct of `table`, null when not given */
    KEY_LIST,    /* struct list of structs of `table` */
    KEY_MAP      /* the same, written as an object; the struct's first member is const char *name */
};

struct list {
    void *items;
    uint32_t count;
};

struct key {
    const char *name;
    const char *what; /* with the unit */
    size_t offset;    /* in the struct */
    double least, most;
    const char *const *choices; /* KEY_CHOICE */
    const struct table *table;  /* KEY_OBJECT, KEY_LIST, KEY_MAP */
    enum key_kind kind;
    uint32_t length;  /* of arrays; number of choices; for lists the most items (0: no bound but
                         KEYS_ITEMS_MAX) */
    bool above_least; /* `least` itself is not allowed */
    bool required;
};

#define KEYS_ITEMS_MAX (1u << 24)

/* Every struct of a table begins with the keys that were given, bit i for key i; only structs of a
 * KEY_MAP have their name before it. */
struct trail;

struct table {
    const char *title;
    const char *what;
    const struct key *keys;
    uint32_t count;
    size_t bytes;                 /* of the struct */
    size_t given;                 /* offset of its uint64_t of given keys */
    void (*defaults)(void *item); /* may be null: all zero */
    /* What single keys cannot say; may be null. Uses trail_problem. */
    bool (*check)(const void *item, const struct trail *trail, struct problem *problem);
    uint32_t one_of; /* exactly one of the first so many keys must be given; 0: no such rule */
};

/* Where in the document reading is: "bodies[2].pins[0].release". */
struct trail {
    const char *file;
    size_t used;
    char text[400];
};

bool trail_problem(const struct trail *trail, struct problem *problem, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fills `item`, whose defaults are set first. What it points to comes from the pool. */
bool keys_read(const struct table *table, json_t *object, void *item, struct trail *trail,
               struct pool *pool, struct problem *problem);

/* True when the document gave the key `name` of this struct. */
bool keys_given(const struct table *table, const void *item, const char *name);

/* A JSON Schema (2020-12) of the table and all tables below it. */
json_t *keys_schema(const struct table *table);

#endif
