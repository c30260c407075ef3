/* guides.c - the list of guided vertices, and what a guide does to a vector and to a place: see
 * guides.h. What a substep does with them: families/guides/.
 *
 * A plane takes the part along its normal, a line the parts across its direction. Sums are in
 * double, so that what lies in a plane of the axes stays there to the last bit.
 */
#include "world/guides.h"

#include <math.h>

/* Directions that differ by less (rad) are one. */
#define ALIKE 1e-4

static int compare(const struct guide *g, uint32_t body, uint32_t particle)
{
    if (g->body != body)
        return g->body < body ? -1 : 1;
    return g->particle < particle ? -1 : g->particle > particle;
}

/* The first of the list that is not before this one. */
static uint64_t find(const piola_world *world, uint32_t body, uint32_t particle)
{
    const struct guide *list = world_guides(world);
    uint64_t low = 0, high = world->dim[DIM_guides].used;
    while (low < high) {
        const uint64_t middle = (low + high) / 2;
        if (compare(&list[middle], body, particle) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t index_of(const piola_world *world, const struct body *body)
{
    return (uint32_t)(body - world_bodies(world));
}

struct guide *guides_of(const piola_world *world, const struct body *body, uint32_t *count)
{
    *count = 0;
    if (!(body->flags & BODY_GUIDED))
        return NULL;
    const uint32_t index = index_of(world, body);
    const uint64_t first = find(world, index, 0), end = find(world, index + 1, 0);
    *count = (uint32_t)(end - first);
    return world_guides(world) + first;
}

const struct pk_quad *guides_ways(const piola_world *world, const struct body *body)
{
    return body->flags & BODY_GUIDED ? world_guide_way(world) + body->first : NULL;
}

static struct pk_quad way_of(const struct guide *g)
{
    return (struct pk_quad){g->way[0], g->way[1], g->way[2], (float)g->kind};
}

/* Opens a gap in the list; false when it is full. */
static bool insert(piola_world *world, uint64_t at)
{
    const uint64_t used = world->dim[DIM_guides].used;
    struct guide *list = world_guides(world);
    world->dim[DIM_guides].dropped += used == world->dim[DIM_guides].capacity;
    if (used == world->dim[DIM_guides].capacity)
        return false;
    memmove(list + at + 1, list + at, (used - at) * sizeof *list);
    dimension_use(world, DIM_guides, used + 1);
    return true;
}

static void erase(piola_world *world, struct body *body, uint64_t first, uint64_t end)
{
    const uint64_t used = world->dim[DIM_guides].used;
    struct guide *list = world_guides(world);
    for (uint64_t i = first; i < end; ++i)
        world_guide_way(world)[body->first + list[i].particle] = (struct pk_quad){0, 0, 0, 0};
    memmove(list + first, list + end, (used - end) * sizeof *list);
    memset(list + used - (end - first), 0, (end - first) * sizeof *list);
    dimension_use(world, DIM_guides, used - (end - first));
    const uint32_t index = index_of(world, body);
    if (find(world, index, 0) == find(world, index + 1, 0))
        body->flags &= ~(uint32_t)BODY_GUIDED;
}

void guides_end(piola_world *world, struct body *body, uint32_t particle)
{
    const uint64_t at = find(world, index_of(world, body), particle);
    if (at < world->dim[DIM_guides].used &&
        compare(&world_guides(world)[at], index_of(world, body), particle) == 0)
        erase(world, body, at, at + 1);
}

void guides_end_with(piola_world *world, struct body *body)
{
    uint32_t count;
    const struct guide *first = guides_of(world, body, &count);
    if (count > 0) {
        const uint64_t at = (uint64_t)(first - world_guides(world));
        erase(world, body, at, at + count);
    }
}

void guides_recount(piola_world *world)
{
    const uint64_t capacity = world->dim[DIM_guides].capacity;
    const struct guide *list = world_guides(world);
    uint64_t used = 0;
    if (capacity == 0)
        return;
    memset(world_guide_way(world), 0, world->dim[DIM_guided].capacity * sizeof(struct pk_quad));
    for (; used < capacity && list[used].kind != 0; ++used)
        world_guide_way(world)[world_bodies(world)[list[used].body].first + list[used].particle] =
            way_of(&list[used]);
    dimension_use(world, DIM_guides, used);
}

/* ---- one guide ---- */

void guide_leaves(const struct pk_quad *way, const double v[3], double left[3])
{
    const double n[3] = {(double)way->x, (double)way->y, (double)way->z};
    const double along = n[0] * v[0] + n[1] * v[1] + n[2] * v[2];
    for (int k = 0; k < 3; ++k)
        left[k] = way->w == GUIDE_LINE    ? along * n[k]
                  : way->w == GUIDE_PLANE ? v[k] - along * n[k]
                                          : v[k];
}

/* The nearest point that it allows. */
static void guide_place(const struct guide *guide, struct pk_quad *x)
{
    const struct pk_quad way = way_of(guide);
    const double p[3] = {(double)guide->point[0], (double)guide->point[1], (double)guide->point[2]};
    const double off[3] = {(double)x->x - p[0], (double)x->y - p[1], (double)x->z - p[2]};
    double left[3];
    guide_leaves(&way, off, left);
    x->x = (float)(p[0] + left[0]);
    x->y = (float)(p[1] + left[1]);
    x->z = (float)(p[2] + left[2]);
}

/* A new goal that the vertex need not move along its guide for. */
static void aim(struct guide *g, const struct pk_quad *x, const float goal[3])
{
    const struct pk_quad way = way_of(g);
    const float at[3] = {x->x, x->y, x->z};
    double off[3], left[3];
    for (int k = 0; k < 3; ++k)
        off[k] = (double)goal[k] - (double)at[k];
    guide_leaves(&way, off, left);
    for (int k = 0; k < 3; ++k) {
        g->point[k] = at[k];
        g->goal[k] = (float)((double)goal[k] - left[k]);
    }
}

bool guides_apply_command(piola_world *world, struct body *body, const piola_command *command)
{
    const uint32_t vertex = command->as.guide.vertex, index = index_of(world, body);
    const piola_asset *asset = body_asset(world, body);
    if (vertex >= asset->stats.vertices)
        return false;
    const uint32_t particle = asset_particle_of_vertex(asset)[vertex];
    const uint64_t at = find(world, index, particle);
    struct guide *g = world_guides(world) + at;
    const bool known = at < world->dim[DIM_guides].used && compare(g, index, particle) == 0;
    if (!known && !insert(world, at))
        return false;
    const float *d = command->as.guide.direction;
    const double size = sqrt((double)d[0] * (double)d[0] + (double)d[1] * (double)d[1] +
                             (double)d[2] * (double)d[2]);
    *g = (struct guide){.body = index, .particle = particle};
    g->kind = command->kind == PIOLA_COMMAND_BODY_PIN_PLANE ? GUIDE_PLANE : GUIDE_LINE;
    for (int k = 0; k < 3; ++k)
        g->way[k] = (float)((double)d[k] / size);
    aim(g, &world_position(world)[body->first + particle], command->as.guide.point);
    world_guide_way(world)[body->first + particle] = way_of(g);
    body->flags |= BODY_GUIDED;
    return true;
}

/* ---- all of a body ---- */

void guides_confine(const piola_world *world, const struct body *body, struct pk_quad *vectors)
{
    uint32_t count;
    const struct guide *list = guides_of(world, body, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const struct pk_quad way = way_of(&list[i]);
        struct pk_quad *v = &vectors[list[i].particle];
        const double all[3] = {(double)v->x, (double)v->y, (double)v->z};
        double left[3];
        guide_leaves(&way, all, left);
        *v = (struct pk_quad){(float)left[0], (float)left[1], (float)left[2], v->w};
    }
}

void guides_place(const piola_world *world, const struct body *body)
{
    uint32_t count;
    const struct guide *list = guides_of(world, body, &count);
    for (uint32_t i = 0; i < count; ++i)
        guide_place(&list[i], &world_position(world)[body->first + list[i].particle]);
}

/* Adds what is new of a direction to the orthogonal ones. */
static void add_held(double held[3][3], int *count, const double direction[3])
{
    double rest[3] = {direction[0], direction[1], direction[2]}, square = 0;
    /* Twice, since one pass leaves rounding where little remains. */
    for (int i = 0; i < 2 * *count; ++i) {
        const double *h = held[i % *count];
        const double along = h[0] * rest[0] + h[1] * rest[1] + h[2] * rest[2];
        for (int k = 0; k < 3; ++k)
            rest[k] -= along * h[k];
    }
    for (int k = 0; k < 3; ++k)
        square += rest[k] * rest[k];
    if (!(square > ALIKE * ALIKE) || *count == 3)
        return;
    for (int k = 0; k < 3; ++k)
        held[*count][k] = rest[k] / sqrt(square);
    ++*count;
}

bool guides_freedom(const piola_world *world, const struct body *body, double held[3][3],
                    int *count)
{
    uint32_t guides;
    const struct guide *list = guides_of(world, body, &guides);
    *count = 0;
    for (uint32_t i = 0; i < guides && *count < 3; ++i) {
        const double n[3] = {(double)list[i].way[0], (double)list[i].way[1],
                             (double)list[i].way[2]};
        if (list[i].kind == GUIDE_PLANE)
            add_held(held, count, n);
        /* Across a line: what is left of the axes. */
        for (int axis = 0; axis < 3 && list[i].kind == GUIDE_LINE; ++axis) {
            double across[3];
            for (int k = 0; k < 3; ++k)
                across[k] = (k == axis ? 1 : 0) - n[axis] * n[k];
            add_held(held, count, across);
        }
    }
    return *count < 3;
}

/* ---- stored state ---- */

static bool guide_valid(const struct guide *g)
{
    double square = 0;
    bool sane = (g->kind == GUIDE_PLANE || g->kind == GUIDE_LINE);
    for (int k = 0; k < 3; ++k) {
        square += (double)g->way[k] * (double)g->way[k];
        sane = sane && g->point[k] - g->point[k] == 0 && g->goal[k] - g->goal[k] == 0 &&
               g->speed[k] - g->speed[k] == 0;
    }
    return sane && square > 0.9999 && square < 1.0001;
}

/* Sorted, of vertices that exist and are not pinned; and bodies say that they are guided when, and
 * only when, they are. */
bool guides_valid(const struct stored *stored, enum field field)
{
    const uint64_t count = stored->dim[DIM_guides].used;
    const uint32_t bodies = stored->world->desc.max_bodies;
    uint64_t i = 0;
    (void)field;
    for (uint32_t b = 0; b < bodies; ++b) {
        const struct body body = stored_bodies(stored, b);
        const uint64_t first = i;
        for (; i < count; ++i) {
            const struct guide g = stored_guides(stored, i);
            if (g.body != b)
                break;
            const struct guide before = i > first ? stored_guides(stored, i - 1) : g;
            if (!guide_valid(&g) || !(body.flags & BODY_ALIVE) ||
                (i > first && before.particle >= g.particle) ||
                g.particle >= world_assets(stored->world)[body.asset].asset->stats.vertices ||
                !(stored_position(stored, (uint64_t)body.first + g.particle).w > 0))
                return false;
        }
        if ((i > first) != ((body.flags & BODY_GUIDED) != 0))
            return false;
    }
    return i == count;
}
