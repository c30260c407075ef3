/* operations.h - what contact takes of the steps of a run, in operations: piola_contact_work.
 *
 * Not here: what the numbers mean (piola/world.h).
 */
#ifndef APP_OPERATIONS_H
#define APP_OPERATIONS_H

#include "io/base/problem.h"

#include <jansson.h>
#include <piola/piola.h>

/* The work of each step. All 0: of none. */
struct operations {
    piola_contact_work *steps;
    uint64_t count, room;
};

bool operations_add(struct operations *operations, const piola_contact_work *work,
                    struct problem *problem);
/* Of each number its bound for worlds of this description (null where there is none), the most and
 * the median; the caller's. Null without memory. */
json_t *operations_json(const struct operations *operations, const piola_world_desc *desc);
void operations_close(struct operations *operations);

#endif
