/* stage_guides.c - pins that hold some directions only: rollers, symmetry planes, single axes.
 *
 * Where pins that stay share a vertex, it is held along all of their directions: a vertex in two
 * symmetry planes moves along their line, one in three stands. The engine keeps one guide a vertex,
 * so that is found out here, once.
 */
#include "io/scene/stage.h"

#include <math.h>
#include <string.h>

#define GUIDES_MAX (1u << 20) /* of a world */

/* Directions that differ by less (rad) are one. */
#define ALIKE 1e-6

/* Orthogonal unit vectors along which a vertex is held. */
struct held {
    double way[3][3];
    unsigned count;
};

bool stage_pin_guides(const struct scene_pin *pin)
{
    return pin->axes || keys_given(&scene_pin_table, pin, "normal") ||
           keys_given(&scene_pin_table, pin, "direction");
}

static void add(struct held *h, const double direction[3])
{
    double rest[3], square = 0, whole = 0;
    memcpy(rest, direction, sizeof rest);
    /* Twice, since one pass leaves rounding where little remains. */
    for (unsigned i = 0; i < 2 * h->count; ++i) {
        const double *w = h->way[i % h->count];
        const double along = w[0] * rest[0] + w[1] * rest[1] + w[2] * rest[2];
        for (int k = 0; k < 3; ++k)
            rest[k] -= along * w[k];
    }
    for (int k = 0; k < 3; ++k) {
        square += rest[k] * rest[k];
        whole += direction[k] * direction[k];
    }
    if (h->count == 3 || !(square > ALIKE * ALIKE * whole))
        return;
    for (int k = 0; k < 3; ++k)
        h->way[h->count][k] = rest[k] / sqrt(square);
    ++h->count;
}

/* All but one direction. */
static void add_across(struct held *h, const double direction[3])
{
    double square = 0;
    for (int k = 0; k < 3; ++k)
        square += direction[k] * direction[k];
    for (int axis = 0; axis < 3; ++axis) {
        double across[3];
        for (int k = 0; k < 3; ++k)
            across[k] = (k == axis ? 1 : 0) - direction[axis] * direction[k] / square;
        add(h, across);
    }
}

static void add_pin(struct held *h, const struct scene_pin *pin)
{
    for (int axis = 0; axis < 3; ++axis) {
        double unit[3] = {0, 0, 0};
        unit[axis] = 1;
        if (!stage_pin_guides(pin) || (pin->axes && strchr(pin->axes, "xyz"[axis])))
            add(h, unit);
    }
    if (keys_given(&scene_pin_table, pin, "normal"))
        add(h, pin->normal);
    if (keys_given(&scene_pin_table, pin, "direction"))
        add_across(h, pin->direction);
}

static struct stage_guide guide_of(const struct held *h)
{
    struct stage_guide g = {.held = h->count};
    const double *a = h->way[0], *b = h->way[1];
    for (int k = 0; k < 3; ++k)
        g.way[k] = h->count == 2 ? a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]
                                 : a[k];
    return g;
}

static bool stays(const struct scene_pin *pin)
{
    return !pin->motion && isinf(pin->release);
}

/* The guides of one body's pins; `held` has room for its vertices. */
static void find_guides(const struct stage *stage, uint32_t body, struct held *held)
{
    memset(held, 0, stage->bodies[body].asset->mesh->vertex_count * sizeof *held);
    for (uint32_t p = 0; p < stage->pin_count; ++p) {
        const struct stage_pin *pin = &stage->pins[p];
        for (uint32_t i = 0; pin->body == body && stays(pin->scene) && i < pin->count; ++i)
            add_pin(&held[pin->vertices[i]], pin->scene);
    }
    for (uint32_t p = 0; p < stage->pin_count; ++p) {
        const struct stage_pin *pin = &stage->pins[p];
        struct held own = {.count = 0};
        add_pin(&own, pin->scene);
        for (uint32_t i = 0; pin->body == body && pin->guides && i < pin->count; ++i)
            pin->guides[i] = guide_of(stays(pin->scene) ? &held[pin->vertices[i]] : &own);
    }
}

bool stage_guides_make(struct stage *stage, struct problem *problem)
{
    struct pool pool = {0};
    uint64_t guides = 0;
    uint32_t most = 0;
    for (uint32_t p = 0; p < stage->pin_count; ++p) {
        struct stage_pin *pin = &stage->pins[p];
        const uint32_t vertices = stage->bodies[pin->body].asset->mesh->vertex_count;
        if (!stage_pin_guides(pin->scene))
            continue;
        guides += pin->count;
        most = vertices > most ? vertices : most;
        pin->guides =
            pool_take(&stage->pool, pin->count, sizeof *pin->guides, "guided vertices", problem);
        if (!pin->guides)
            return false;
    }
    if (guides == 0)
        return true;
    if (guides > GUIDES_MAX)
        return problem_set(problem, EXIT_SCENE,
                           "%s: %llu vertices are held along some directions, more than the engine "
                           "takes (1048576)",
                           stage->path, (unsigned long long)guides);
    struct held *held = pool_take(&pool, most, sizeof *held, "guided vertices", problem);
    for (uint32_t b = 0; held && b < stage->body_count; ++b)
        find_guides(stage, b, held);
    pool_free(&pool);
    stage->desc.max_guides = (uint32_t)guides;
    return held != NULL;
}
