/* curve_order.c - where things stand: elements along a Hilbert curve, particles by first touch.
 *
 * Neighbours on the curve are neighbours in space, so a run of elements touches few particles, and
 * particles numbered as that run first touches them stand close in memory.
 */
#include "base/sort.h"
#include "compile/plan.h"

#include <string.h>

#define CURVE_BITS 21u /* of each axis: three make a key of 63 bits */

void order_take(const piola_mesh_desc *mesh, struct arena *arena, struct order_work *work)
{
    const uint32_t count = mesh_elements(mesh);
    work->keys = arena_take(arena, count, sizeof(uint64_t));
    work->keys_work = arena_take(arena, count, sizeof(uint64_t));
    work->items_work = arena_take(arena, count, sizeof(uint32_t));
}

/* Distance along the Hilbert curve through a cube of 2^21 cells a side (Skilling's transform: undo
 * the rotations from the coarsest level down, then Gray-code, then interleave the axes' bits). */
static uint64_t hilbert(uint32_t x[3])
{
    for (uint32_t bit = 1u << (CURVE_BITS - 1); bit > 1; bit >>= 1) {
        const uint32_t below = bit - 1;
        for (unsigned i = 0; i < 3; i++) {
            if (x[i] & bit) {
                x[0] ^= below;
            } else {
                const uint32_t change = (x[0] ^ x[i]) & below;
                x[0] ^= change;
                x[i] ^= change;
            }
        }
    }
    x[1] ^= x[0];
    x[2] ^= x[1];
    uint32_t flips = 0;
    for (uint32_t bit = 1u << (CURVE_BITS - 1); bit > 1; bit >>= 1)
        if (x[2] & bit)
            flips ^= bit - 1;
    uint64_t key = 0;
    for (unsigned bit = CURVE_BITS; bit-- > 0;)
        for (unsigned i = 0; i < 3; i++)
            key = key << 1 | (((x[i] ^ flips) >> bit) & 1u);
    return key;
}

struct box {
    double low[3], size;
};

static struct box bounds(const piola_mesh_desc *mesh)
{
    struct box box = {{0, 0, 0}, 0};
    for (unsigned axis = 0; axis < 3; axis++) {
        double low = mesh->vertices[axis], high = low;
        for (size_t i = 1; i < mesh->vertex_count; i++) {
            const double value = mesh->vertices[3 * i + axis];
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        box.low[axis] = low;
        box.size = high - low > box.size ? high - low : box.size;
    }
    return box;
}

static uint64_t curve_key(const piola_mesh_desc *mesh, uint32_t id, const struct box *box)
{
    const unsigned corners = mesh_corners(mesh_kind(mesh, id));
    const uint32_t *v = mesh_element(mesh, id);
    const double cells = (double)(1u << CURVE_BITS) - 1;
    uint32_t cell[3];
    for (unsigned axis = 0; axis < 3; axis++) {
        double sum = 0;
        for (unsigned c = 0; c < corners; c++)
            sum += mesh->vertices[3 * (size_t)v[c] + axis] - box->low[axis];
        const double share = box->size > 0 ? sum / (corners * box->size) : 0;
        cell[axis] = (uint32_t)((share < 1 ? share : 1) * cells);
    }
    return hilbert(cell);
}

void order_elements(struct piola_plan *plan, const piola_mesh_desc *mesh,
                    const struct order_work *work)
{
    const struct box box = bounds(mesh);
    for (uint32_t id = 0; id < plan->elements; id++) {
        work->keys[id] = curve_key(mesh, id, &box);
        plan->order[id] = id;
    }
    sort_keys(work->keys, plan->order, work->keys_work, work->items_work, plan->elements);
}

void order_particles(struct piola_plan *plan, const piola_mesh_desc *mesh)
{
    memset(plan->particle_of_vertex, 0xff, plan->vertices * sizeof *plan->particle_of_vertex);
    uint32_t next = 0;
    for (uint32_t i = 0; i < plan->elements; i++) {
        const uint32_t id = plan->order[i];
        const unsigned corners = mesh_corners(mesh_kind(mesh, id));
        const uint32_t *v = mesh_element(mesh, id);
        for (unsigned c = 0; c < corners; c++) {
            if (plan->particle_of_vertex[v[c]] == PLAN_NONE) {
                plan->particle_of_vertex[v[c]] = next;
                plan->vertex_of_particle[next++] = v[c];
            }
        }
    }
    for (uint32_t i = 0; i < 2 * mesh->segment_count; i++) {
        if (plan->particle_of_vertex[mesh->segments[i]] == PLAN_NONE) {
            plan->particle_of_vertex[mesh->segments[i]] = next;
            plan->vertex_of_particle[next++] = mesh->segments[i];
        }
    }
}

void order_incidence(struct piola_plan *plan, const piola_mesh_desc *mesh, unsigned kind)
{
    const unsigned corners = mesh_corners(kind);
    uint32_t *first = plan->incidence[kind].first;
    memset(first, 0, ((size_t)plan->vertices + 1) * sizeof *first);
    for (uint32_t i = 0; i < plan->kind_count[kind]; i++) {
        const uint32_t *v = mesh_element(mesh, mesh_kind_first(mesh, kind) + i);
        for (unsigned c = 0; c < corners; c++)
            first[v[c] + 1]++;
    }
    for (uint32_t i = 0; i < plan->vertices; i++)
        first[i + 1] += first[i];
    /* One place on: while a list is filled its end is counted where its successor begins. */
    for (uint32_t i = plan->vertices; i > 0; i--)
        first[i] = first[i - 1];
    for (uint32_t i = 0; i < plan->elements; i++) {
        const uint32_t id = plan->order[i];
        if (mesh_kind(mesh, id) != kind)
            continue;
        const uint32_t *v = mesh_element(mesh, id);
        for (unsigned c = 0; c < corners; c++)
            plan->incidence[kind].item[first[v[c] + 1]++] = id;
    }
}
