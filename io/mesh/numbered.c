/* numbered.c - see numbered.h. */
#include "io/mesh/numbered.h"

#include "io/base/memory.h"

#include <stdlib.h>
#include <string.h>

struct numbered_vertex {
    uint64_t number;
    uint32_t vertex;
};

bool numbered_keep(struct numbered *numbered, struct scan *scan, uint64_t number, uint32_t vertex)
{
    if (numbered->count == numbered->room) {
        const uint32_t more = numbered->room ? 2 * numbered->room : 16;
        struct numbered_vertex *larger =
            more > 1u << 28 ? NULL : memory_take(more * sizeof *larger);
        if (!larger)
            return problem_memory(scan->problem, "nodes", more * sizeof *larger);
        if (numbered->items)
            memcpy(larger, numbered->items, numbered->count * sizeof *larger);
        memory_give(numbered->items);
        numbered->items = larger;
        numbered->room = more;
    }
    numbered->items[numbered->count++] = (struct numbered_vertex){number, vertex};
    numbered->sorted = false;
    return true;
}

/* Of one number given twice the first vertex comes first, whatever qsort does. */
static int compare(const void *a, const void *b)
{
    const struct numbered_vertex *p = a, *q = b;
    if (p->number != q->number)
        return p->number < q->number ? -1 : 1;
    return p->vertex < q->vertex ? -1 : p->vertex > q->vertex;
}

bool numbered_find(struct numbered *numbered, struct scan *scan, uint64_t number, uint32_t *vertex)
{
    if (!numbered->sorted && numbered->count > 0)
        qsort(numbered->items, numbered->count, sizeof *numbered->items, compare);
    numbered->sorted = true;
    uint32_t low = 0, high = numbered->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (numbered->items[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == numbered->count || numbered->items[low].number != number)
        return scan_fail(scan, "names node %llu, which does not exist", (unsigned long long)number);
    *vertex = numbered->items[low].vertex;
    return true;
}

void numbered_free(struct numbered *numbered)
{
    memory_give(numbered->items);
    memset(numbered, 0, sizeof *numbered);
}
