/* numbered.h - vertices that a file names by numbers in any order, with holes.
 *
 * Lives here: from such a number to a vertex. What must not live here: any format.
 */
#ifndef PIOLA_IO_NUMBERED_H
#define PIOLA_IO_NUMBERED_H

#include "io/mesh/scan.h"

struct numbered {
    struct numbered_vertex *items;
    uint32_t count, room;
    bool sorted;
};

/* False with a problem when memory is short. */
bool numbered_keep(struct numbered *numbered, struct scan *scan, uint64_t number, uint32_t vertex);
/* False with a problem when no vertex has the number. */
bool numbered_find(struct numbered *numbered, struct scan *scan, uint64_t number, uint32_t *vertex);
/* Forgets all, and gives the memory back. */
void numbered_free(struct numbered *numbered);

#endif
