/* names.h - generations: what makes a handle name one thing for ever.
 *
 * State holds the generation of what is in a slot, so a handle made before a snapshot is good again
 * after it is restored. Beside it, an array of NAMES for each kind of handle holds the last
 * generation that a slot was ever given; it never goes back, so what was made after the snapshot
 * stays stale. Which generations there are says nothing of what will happen: hashes and comparisons
 * take all as the first.
 */
#ifndef PIOLA_NAMES_H
#define PIOLA_NAMES_H

#include "world/world.h"

/* The generation of what comes into a slot, where `last` is that of what was there before. */
uint32_t names_give(piola_world *world, enum field names, uint32_t slot, uint32_t last);
/* Brings in the names of a snapshot: of both, those that were given later. */
void names_join(piola_world *world, enum field names, const unsigned char *stored, uint64_t count);

/* Of a thing that a record makes once more: its slot gives the generation that it had, next.
 * `given` is what it had given until now, for names_at_least behind it. False: there is no such
 * slot. */
bool names_again(piola_world *world, enum field names, uint32_t slot, uint32_t generation,
                 uint32_t *given);
void names_at_least(piola_world *world, enum field names, uint32_t slot, uint32_t given);

/* A generation in the elements of a field: rows GENERATION(field, type, member). */
struct generation {
    enum field field;
    size_t offset;
};
#define GENERATION(field, type, member) +1
enum {
    GENERATIONS = 0
#include "families/families.def"
};
extern const struct generation world_generations[GENERATIONS];
/* No element with a generation has more bytes. */
#define NAMED_BYTES 256

bool names_in(enum field field);
/* Copies an element of a field that has generations; they become 1, or stay 0. */
void names_blank(enum field field, const void *element, unsigned char blank[NAMED_BYTES]);
/* Whether two elements of a field are the same but for generations. */
bool names_same(enum field field, const void *a, const void *b);
/* A number of all handles that are good now. */
uint64_t names_hash(const piola_world *world);

#endif
