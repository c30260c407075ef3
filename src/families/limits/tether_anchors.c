/* tether_anchors.c - which anchors a vertex hangs on, and how far along the mesh they are.
 *
 * Dijkstra's search from all anchors at once, in double precision: every vertex settles up to
 * TETHERS_MOST anchors, nearest first. The way to an anchor that is among a vertex's nearest leads
 * only through vertices that have it among theirs, so what is dropped is never missed. Equal
 * distances go by the numbers of vertices and anchors: the same tethers everywhere.
 *
 * Ways lead along edges, and straight across the edge of a bend, its two triangles laid flat, where
 * the line crosses the edge: of a regular grid's directions that leaves at most 8.3 % too much,
 * where edges alone leave up to 41 %.
 */
#include "families/limits/tethers.h"

#include "compile/mesh_limits.h"

#include <math.h>
#include <string.h>

struct work {
    uint32_t *heap, *place; /* vertices by the distance of their next tether; where each stands */
    unsigned char *settled; /* per vertex: tethers that are final */
};

/* A search under way. */
struct search {
    const struct piola_plan *plan;
    const struct tether_plan *kept;
    const piola_mesh_desc *mesh;
    const struct work *work;
    uint32_t count; /* vertices in the heap */
};

static struct work take_work(const piola_mesh_desc *mesh, struct arena *arena)
{
    const uint64_t count = mesh->tether_anchor_count > 0 ? mesh->vertex_count : 0;
    return (struct work){.heap = arena_take(arena, count, sizeof(uint32_t)),
                         .place = arena_take(arena, count, sizeof(uint32_t)),
                         .settled = arena_take(arena, count, 1)};
}

void tether_work(const piola_mesh_desc *mesh, struct arena *arena)
{
    (void)take_work(mesh, arena);
}

void *tether_take(const piola_mesh_desc *mesh, struct arena *arena)
{
    const uint64_t count = mesh->tether_anchor_count > 0 ? mesh->vertex_count : 0;
    struct tether_plan *kept = arena_take(arena, 1, sizeof *kept);
    const struct tether_plan made = {
        .anchor = arena_take(arena, TETHERS_MOST * count, sizeof(uint32_t)),
        .length = arena_take(arena, TETHERS_MOST * count, sizeof(double))};
    if (kept != NULL)
        *kept = made;
    return kept;
}

static size_t next_slot(const struct search *s, uint32_t vertex)
{
    return (size_t)TETHERS_MOST * vertex + s->work->settled[vertex];
}

/* True when a's next tether comes before b's. */
static bool before(const struct search *s, uint32_t a, uint32_t b)
{
    const double x = s->kept->length[next_slot(s, a)];
    const double y = s->kept->length[next_slot(s, b)];
    return x < y || (x == y && a < b);
}

static void put(const struct search *s, uint32_t at, uint32_t vertex)
{
    s->work->heap[at] = vertex;
    s->work->place[vertex] = at;
}

static void rise(const struct search *s, uint32_t at)
{
    const uint32_t vertex = s->work->heap[at];
    for (; at > 0 && before(s, vertex, s->work->heap[(at - 1) / 2]); at = (at - 1) / 2)
        put(s, at, s->work->heap[(at - 1) / 2]);
    put(s, at, vertex);
}

static void sink(const struct search *s, uint32_t at)
{
    const uint32_t *heap = s->work->heap;
    const uint32_t vertex = heap[at];
    for (uint32_t child = 2 * at + 1; child < s->count; child = 2 * at + 1) {
        child += child + 1 < s->count && before(s, heap[child + 1], heap[child]);
        if (!before(s, heap[child], vertex))
            break;
        put(s, at, heap[child]);
        at = child;
    }
    put(s, at, vertex);
}

/* Offers a vertex a tether; it keeps the nearest. */
static void offer(struct search *s, uint32_t vertex, uint32_t anchor, double length)
{
    uint32_t *anchors = s->kept->anchor + (size_t)TETHERS_MOST * vertex;
    double *lengths = s->kept->length + (size_t)TETHERS_MOST * vertex;
    const uint32_t settled = s->work->settled[vertex];
    uint32_t at = 0;
    while (at < TETHERS_MOST && anchors[at] != anchor && anchors[at] != PLAN_NONE)
        at++;
    at = at < TETHERS_MOST ? at : TETHERS_MOST - 1; /* all are taken: the farthest may go */
    if (at < settled || (anchors[at] != PLAN_NONE && !(length < lengths[at])))
        return;
    for (; at > settled &&
           (length < lengths[at - 1] || (length == lengths[at - 1] && anchor < anchors[at - 1]));
         at--) {
        anchors[at] = anchors[at - 1];
        lengths[at] = lengths[at - 1];
    }
    anchors[at] = anchor;
    lengths[at] = length;
    if (s->work->place[vertex] == PLAN_NONE)
        put(s, s->count++, vertex);
    rise(s, s->work->place[vertex]);
}

static double distance(const piola_mesh_desc *mesh, uint32_t a, uint32_t b)
{
    const struct vec3 d = vec3_sub(mesh_vertex(mesh, a), mesh_vertex(mesh, b));
    return sqrt(vec3_dot(d, d));
}

/* The straight way between the opposite vertices of a bend laid flat, or -1 when it misses the edge
 * between them. */
static double across(const piola_mesh_desc *mesh, const uint32_t v[4])
{
    const struct vec3 origin = mesh_vertex(mesh, v[0]);
    const struct vec3 edge = vec3_sub(mesh_vertex(mesh, v[1]), origin);
    const double length = sqrt(vec3_dot(edge, edge));
    double along[2], away[2];
    for (unsigned i = 0; i < 2; i++) {
        const struct vec3 to = vec3_sub(mesh_vertex(mesh, v[2 + i]), origin);
        const struct vec3 normal = vec3_cross(edge, to);
        along[i] = vec3_dot(edge, to) / length;
        away[i] = sqrt(vec3_dot(normal, normal)) / length;
    }
    const double step = along[1] - along[0], width = away[0] + away[1];
    const double crossing = along[0] + step * away[0] / width;
    return crossing >= 0 && crossing <= length ? sqrt(step * step + width * width) : -1;
}

/* Offers a settled tether of `vertex` to the other corners of one of its elements. */
static void pass_on(struct search *s, uint32_t vertex, uint32_t id, uint32_t anchor, double length)
{
    const unsigned kind = mesh_kind(s->mesh, id);
    const uint32_t *v = mesh_element(s->mesh, id);
    if (kind == KIND_BEND) {
        const double way = vertex == v[2] || vertex == v[3] ? across(s->mesh, v) : -1;
        if (way >= 0)
            offer(s, vertex == v[2] ? v[3] : v[2], anchor, length + way);
        return;
    }
    for (unsigned c = 0; c < mesh_corners(kind); c++) {
        if (v[c] != vertex) {
            const uint32_t link = id - mesh_kind_first(s->mesh, KIND_LINK);
            offer(s, v[c], anchor,
                  length + (kind == KIND_LINK ? (double)limits_link_range(s->mesh, link).most
                                              : distance(s->mesh, v[c], vertex)));
        }
    }
}

static void settle_first(struct search *s)
{
    const uint32_t vertex = s->work->heap[0];
    const size_t slot = next_slot(s, vertex);
    const uint32_t anchor = s->kept->anchor[slot];
    const double length = s->kept->length[slot];
    const bool more =
        ++s->work->settled[vertex] < TETHERS_MOST && s->kept->anchor[slot + 1] != PLAN_NONE;
    if (!more) {
        s->work->place[vertex] = PLAN_NONE;
        put(s, 0, s->work->heap[--s->count]);
        s->work->place[vertex] = PLAN_NONE;
    }
    if (s->count > 0)
        sink(s, 0);
    for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
        const struct plan_incidence *in = &s->plan->incidence[kind];
        for (uint32_t i = in->first[vertex]; i < in->first[vertex + 1]; i++)
            pass_on(s, vertex, in->item[i], anchor, length);
    }
}

/* An anchor is no tether of its own. Straight lengths replace those along the mesh. */
static void finish(const struct search *s, uint32_t vertex)
{
    uint32_t *anchors = s->kept->anchor + (size_t)TETHERS_MOST * vertex;
    double *lengths = s->kept->length + (size_t)TETHERS_MOST * vertex;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < TETHERS_MOST && anchors[i] != PLAN_NONE; i++) {
        if (anchors[i] != vertex) {
            lengths[kept] = s->mesh->tether_mode == PIOLA_TETHER_EUCLIDEAN
                                ? distance(s->mesh, anchors[i], vertex)
                                : lengths[i];
            anchors[kept++] = anchors[i];
        }
    }
    for (uint32_t i = kept; i < TETHERS_MOST; i++)
        anchors[i] = PLAN_NONE;
}

/* Packs of each 16 particles: as many as the most tethers of one of them. */
static void count_packs(struct piola_plan *plan)
{
    struct tether_plan *kept = tether_plan(plan);
    uint32_t most = 0;
    for (uint32_t particle = 0; particle < plan->vertices; particle++) {
        const uint32_t vertex = plan->vertex_of_particle[particle];
        uint32_t here = 0;
        while (here < TETHERS_MOST &&
               kept->anchor[(size_t)TETHERS_MOST * vertex + here] != PLAN_NONE)
            here++;
        plan->stats.tethers += here;
        most = particle % PK_LANES == 0 || here > most ? here : most;
        if (particle % PK_LANES == PK_LANES - 1 || particle + 1 == plan->vertices)
            kept->packs += most;
    }
}

void tether_find(struct piola_plan *plan, const piola_mesh_desc *mesh, struct arena *arena)
{
    if (mesh->tether_anchor_count == 0)
        return;
    const struct tether_plan *kept = tether_plan(plan);
    const struct work work = take_work(mesh, arena);
    struct search s = {plan, kept, mesh, &work, 0};
    if (work.place == NULL || work.settled == NULL)
        return; /* an arena that only counts */
    memset(kept->anchor, 0xff, (size_t)TETHERS_MOST * plan->vertices * sizeof *kept->anchor);
    memset(work.place, 0xff, plan->vertices * sizeof *work.place);
    memset(work.settled, 0, plan->vertices);
    for (uint32_t i = 0; i < mesh->tether_anchor_count; i++)
        offer(&s, mesh->tether_anchors[i], mesh->tether_anchors[i], 0);
    while (s.count > 0)
        settle_first(&s);
    for (uint32_t vertex = 0; vertex < plan->vertices; vertex++)
        finish(&s, vertex);
    count_packs(plan);
}
