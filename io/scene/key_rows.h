/* key_rows.h - short ways to write a row of a table of keys. For the files that hold such tables.
 */
#ifndef APP_KEY_ROWS_H
#define APP_KEY_ROWS_H

#include "io/scene/keys.h"

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))
#define FAR          1e6 /* m, m/s, ...: beyond it single precision is no use */

/* A key with its member's name, or with a name of its own; other fields follow. */
#define KEY(type, member, kind_, what_) NAMED(#member, type, member, kind_, what_)
#define NAMED(name_, type, member, kind_, what_)                                                   \
    .name = (name_), .what = (what_), .offset = offsetof(struct type, member), .kind = (kind_)
#define RANGE(least_, most_) .least = (least_), .most = (most_)
#define ABOVE(least_, most_) .least = (least_), .most = (most_), .above_least = true
#define VECTOR(length_)      .least = -FAR, .most = FAR, .length = (length_)
#define CHOICES(names)       .choices = (names), .length = COUNT(names)

#define TABLE(title_, type, keys_, what_)                                                          \
    .title = (title_), .what = (what_), .keys = (keys_), .count = COUNT(keys_),                    \
    .bytes = sizeof(struct type), .given = offsetof(struct type, given)

#endif
