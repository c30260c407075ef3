/* operations.c - see operations.h. */
#include "operations.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct number {
    const char *name;
    size_t at;
} numbers[] = {{"searches", offsetof(piola_contact_work, searches)},
               {"tests", offsetof(piola_contact_work, tests)},
               {"rounds", offsetof(piola_contact_work, rounds)},
               {"proofs", offsetof(piola_contact_work, proofs)},
               {"pushes", offsetof(piola_contact_work, pushes)},
               {"face_looks", offsetof(piola_contact_work, face_looks)},
               {"face_pushes", offsetof(piola_contact_work, face_pushes)}};
_Static_assert(sizeof numbers / sizeof numbers[0] * sizeof(uint64_t) == sizeof(piola_contact_work),
               "every number has a name");

bool operations_add(struct operations *all, const piola_contact_work *work, struct problem *problem)
{
    if (all->count == all->room) {
        const uint64_t room = all->room ? 2 * all->room : 1024;
        piola_contact_work *steps = realloc(all->steps, (size_t)room * sizeof *steps);
        if (!steps)
            return problem_memory(problem, "the steps' work", (size_t)room * sizeof *steps);
        all->steps = steps;
        all->room = room;
    }
    all->steps[all->count++] = *work;
    return true;
}

static uint64_t number_of(const piola_contact_work *work, const struct number *number)
{
    uint64_t value;
    memcpy(&value, (const char *)work + number->at, sizeof value);
    return value;
}

static int compare(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static json_t *number_json(uint64_t bound, const uint64_t *sorted, uint64_t count)
{
    json_t *object = json_object();
    json_object_set_new(object, "bound",
                        bound < UINT64_MAX ? json_integer((json_int_t)bound) : json_null());
    json_object_set_new(object, "most", json_integer((json_int_t)sorted[count - 1]));
    json_object_set_new(object, "median", json_integer((json_int_t)sorted[count / 2]));
    return object;
}

json_t *operations_json(const struct operations *all, const piola_world_desc *desc)
{
    piola_contact_work bound;
    uint64_t *sorted = malloc((size_t)(all->count + 1) * sizeof *sorted);
    if (!sorted || piola_world_bound(desc, &bound, NULL) != PIOLA_OK) {
        free(sorted);
        return NULL;
    }
    json_t *object = json_object();
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0] && all->count > 0; ++n) {
        for (uint64_t i = 0; i < all->count; ++i)
            sorted[i] = number_of(&all->steps[i], &numbers[n]);
        qsort(sorted, (size_t)all->count, sizeof *sorted, compare);
        json_object_set_new(object, numbers[n].name,
                            number_json(number_of(&bound, &numbers[n]), sorted, all->count));
    }
    free(sorted);
    return object;
}

void operations_close(struct operations *operations)
{
    free(operations->steps);
    *operations = (struct operations){NULL, 0, 0};
}
