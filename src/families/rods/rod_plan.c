/* rod_plan.c - from the segments of a mesh to the order in which its nodes are eliminated.
 *
 * Breadth first from an end of each piece; the order of elimination is the reverse. Of a chain or a
 * tree each vertex then comes before the segment that leads on, and that before what lies beyond:
 * no block is filled that the rods have not. Where a ring closes, both its halves fill blocks with
 * each other. Segments at a vertex are clamped to that which was met first.
 */
#include "families/rods/rod_assets.h"
#include "families/rods/rod_turn.h"

void *rod_take(const piola_mesh_desc *mesh, struct arena *arena)
{
    const uint64_t segments = mesh->segment_count, vertices = segments > 0 ? mesh->vertex_count : 0;
    const uint64_t nodes = vertices + segments;
    struct rod_plan *kept = arena_take(arena, 1, sizeof *kept);
    const struct rod_plan made = {
        .nodes = (uint32_t)nodes,
        .first = arena_take(arena, vertices + 1, sizeof(uint32_t)),
        .at_vertex = arena_take(arena, 2 * segments, sizeof(uint32_t)),
        .node_of_place = arena_take(arena, nodes, sizeof(uint32_t)),
        .place_of = arena_take(arena, nodes, sizeof(uint32_t)),
        .block_first = arena_take(arena, nodes + 1, sizeof(uint32_t)),
        .later = arena_take(arena, ROD_BLOCKS * vertices, sizeof(uint32_t)),
        .centre = arena_take(arena, vertices, sizeof(uint32_t)),
        .mark = arena_take(arena, nodes, sizeof(uint32_t)),
        .child = arena_take(arena, nodes, sizeof(uint32_t)),
        .next = arena_take(arena, nodes, sizeof(uint32_t)),
        .turn = arena_take(arena, 4 * segments, sizeof(double)),
    };
    if (kept != NULL)
        *kept = made;
    return kept;
}

double rod_length(const piola_mesh_desc *mesh, uint32_t segment, double along[3])
{
    const uint32_t *v = mesh->segments + 2 * (size_t)segment;
    const struct vec3 d = vec3_sub(mesh_vertex(mesh, v[1]), mesh_vertex(mesh, v[0]));
    const double length = sqrt(vec3_dot(d, d));
    along[0] = d.x / length;
    along[1] = d.y / length;
    along[2] = d.z / length;
    return length;
}

static void list_segments(const piola_mesh_desc *mesh, struct rod_plan *rods)
{
    uint32_t *first = rods->first;
    memset(first, 0, ((size_t)mesh->vertex_count + 1) * sizeof *first);
    for (uint32_t i = 0; i < 2 * mesh->segment_count; i++)
        first[mesh->segments[i] + 1]++;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        first[v + 1] += first[v];
    for (uint32_t v = mesh->vertex_count; v > 0; v--)
        first[v] = first[v - 1];
    for (uint32_t i = 0; i < 2 * mesh->segment_count; i++)
        rods->at_vertex[first[mesh->segments[i] + 1]++] = i / 2;
    first[0] = 0;
}

static void place(struct rod_plan *rods, uint32_t node, uint32_t *end)
{
    rods->place_of[node] = --*end;
    rods->node_of_place[*end] = node;
}

/* Fills places from the back with all that hangs together with a vertex. */
static void spread(const piola_mesh_desc *mesh, struct rod_plan *rods, uint32_t from, uint32_t *end)
{
    uint32_t at = *end;
    place(rods, from, end);
    while (at-- > *end) {
        const uint32_t v = rods->node_of_place[at];
        if (v >= mesh->vertex_count)
            continue;
        for (uint32_t i = rods->first[v]; i < rods->first[v + 1]; i++) {
            const uint32_t s = rods->at_vertex[i];
            const uint32_t *ends = mesh->segments + 2 * (size_t)s;
            const uint32_t to = ends[0] == v ? ends[1] : ends[0];
            if (rods->place_of[mesh->vertex_count + s] != PLAN_NONE)
                continue;
            place(rods, mesh->vertex_count + s, end);
            if (rods->place_of[to] == PLAN_NONE)
                place(rods, to, end);
        }
    }
}

static void find_order(const piola_mesh_desc *mesh, struct rod_plan *rods)
{
    uint32_t end = rods->nodes;
    memset(rods->place_of, 0xff, rods->nodes * sizeof *rods->place_of);
    for (unsigned pass = 0; pass < 2; pass++)
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            if (rods->place_of[v] == PLAN_NONE &&
                (pass == 1 || rods->first[v + 1] - rods->first[v] == 1))
                spread(mesh, rods, v, &end);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        rods->centre[v] = rods->at_vertex[rods->first[v]];
        for (uint32_t i = rods->first[v]; i < rods->first[v + 1]; i++) {
            const uint32_t s = rods->at_vertex[i], *best = &rods->centre[v];
            if (rods->place_of[mesh->vertex_count + s] > rods->place_of[mesh->vertex_count + *best])
                rods->centre[v] = s;
        }
    }
}

/* ---- axes ---- */

static void turn_of_axes(const double d1[3], const double d3[3], double q[4])
{
    double d2[3];
    cross3(d3, d1, d2);
    const double m[3][3] = {{d1[0], d2[0], d3[0]}, {d1[1], d2[1], d3[1]}, {d1[2], d2[2], d3[2]}};
    int i = 0;
    for (int k = 1; k < 3; k++)
        i = m[k][k] > m[i][i] ? k : i;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double trace = m[0][0] + m[1][1] + m[2][2];
    if (trace > m[i][i]) {
        q[3] = 1 + trace;
        for (int a = 0; a < 3; a++)
            q[a] = m[(a + 2) % 3][(a + 1) % 3] - m[(a + 1) % 3][(a + 2) % 3];
    } else {
        q[i] = 1 + m[i][i] - m[j][j] - m[k][k];
        q[j] = m[j][i] + m[i][j];
        q[k] = m[k][i] + m[i][k];
        q[3] = m[k][j] - m[j][k];
    }
    rotation_unit(q);
}

/* The part of v across a unit vector, as one; false when there is none. */
static bool across(const double v[3], const double along[3], double out[3])
{
    const double part = dot3(v, along);
    for (unsigned k = 0; k < 3; k++)
        out[k] = v[k] - part * along[k];
    const double size = sqrt(dot3(out, out));
    for (unsigned k = 0; k < 3 && size > 0; k++)
        out[k] /= size;
    return size > 1e-6;
}

/* d1 of the segment before, carried along by the smallest turn that takes its way to this one's. */
static void carry(const double from[3], const double to[3], double d1[3])
{
    double axis[3], turned[3], beside[3];
    const double cosine = dot3(from, to);
    cross3(from, to, axis);
    cross3(axis, d1, turned);
    cross3(axis, turned, beside);
    for (unsigned k = 0; k < 3 && cosine > -0.999999; k++)
        d1[k] += turned[k] + beside[k] / (1 + cosine);
}

static void find_turn(const piola_mesh_desc *mesh, struct rod_plan *rods, uint32_t segment)
{
    const uint32_t *ends = mesh->segments + 2 * (size_t)segment;
    const unsigned from =
        rods->place_of[ends[1]] > rods->place_of[ends[0]]; /* the end that was met first */
    const uint32_t before = rods->centre[ends[from]];
    double along[3], d1[3] = {0, 0, 0}, way[3], old[3], q[4];
    (void)rod_length(mesh, segment, along);
    for (unsigned k = 0; k < 3; k++)
        way[k] = from ? -along[k] : along[k];
    if (mesh->segment_directions != NULL) {
        for (unsigned k = 0; k < 3; k++)
            d1[k] = (double)mesh->segment_directions[3 * (size_t)segment + k];
    } else if (before != segment) {
        double m[3][3];
        turn_matrix(rods->turn + 4 * (size_t)before, m);
        const bool leads = mesh->segments[2 * (size_t)before + 1] == ends[from];
        for (unsigned k = 0; k < 3; k++) {
            d1[k] = m[k][0];
            old[k] = leads ? m[k][2] : -m[k][2];
        }
        carry(old, way, d1);
    }
    double unit[3];
    for (unsigned k = 0; k < 3 && !across(d1, along, unit); k++)
        for (unsigned i = 0; i < 3; i++)
            d1[i] = i == k;
    (void)across(d1, along, unit);
    turn_of_axes(unit, along, q);
    memcpy(rods->turn + 4 * (size_t)segment, q, sizeof q);
}

/* ---- blocks ---- */

/* Adds a place to those behind `at`, once. */
static void add_later(struct rod_plan *rods, uint32_t at, uint32_t later, uint32_t most)
{
    if (later <= at || rods->mark[later] == at || rods->full)
        return;
    rods->full = rods->blocks == most;
    if (rods->full)
        return;
    rods->mark[later] = at;
    uint32_t i = rods->blocks++;
    for (; i > rods->block_first[at] && rods->later[i - 1] > later; i--)
        rods->later[i] = rods->later[i - 1];
    rods->later[i] = later;
}

/* Those that the node at a place shares energy with. */
static void add_own(const piola_mesh_desc *mesh, struct rod_plan *rods, uint32_t at, uint32_t most)
{
    const uint32_t node = rods->node_of_place[at], vertices = mesh->vertex_count;
    if (node < vertices) {
        for (uint32_t i = rods->first[node]; i < rods->first[node + 1]; i++) {
            const uint32_t s = rods->at_vertex[i];
            add_later(rods, at, rods->place_of[vertices + s], most);
            add_later(rods, at, rods->place_of[mesh->segments[2 * (size_t)s]], most);
            add_later(rods, at, rods->place_of[mesh->segments[2 * (size_t)s + 1]], most);
        }
        return;
    }
    for (unsigned end = 0; end < 2; end++) {
        const uint32_t v = mesh->segments[2 * (size_t)(node - vertices) + end];
        const bool centre = rods->centre[v] == node - vertices;
        add_later(rods, at, rods->place_of[v], most);
        add_later(rods, at, rods->place_of[vertices + rods->centre[v]], most);
        for (uint32_t i = rods->first[v]; centre && i < rods->first[v + 1]; i++)
            add_later(rods, at, rods->place_of[vertices + rods->at_vertex[i]], most);
    }
}

static void find_blocks(const piola_mesh_desc *mesh, struct rod_plan *rods)
{
    const uint32_t most = ROD_BLOCKS * mesh->vertex_count;
    memset(rods->mark, 0xff, rods->nodes * sizeof *rods->mark);
    memset(rods->child, 0xff, rods->nodes * sizeof *rods->child);
    for (uint32_t at = 0; at < rods->nodes; at++) {
        rods->block_first[at] = rods->blocks;
        add_own(mesh, rods, at, most);
        for (uint32_t c = rods->child[at]; c != PLAN_NONE; c = rods->next[c])
            for (uint32_t i = rods->block_first[c]; i < rods->block_first[c + 1]; i++)
                add_later(rods, at, rods->later[i], most);
        rods->block_first[at + 1] = rods->blocks;
        if (rods->blocks == rods->block_first[at])
            continue;
        const uint32_t parent = rods->later[rods->block_first[at]];
        rods->next[at] = rods->child[parent];
        rods->child[parent] = at;
    }
}

void rod_find(struct piola_plan *plan, const piola_mesh_desc *mesh, struct arena *arena)
{
    struct rod_plan *rods = rod_plan(plan);
    (void)arena;
    plan->stats.segments = mesh->segment_count;
    rods->blocks = rods->joints = 0;
    rods->full = false;
    if (mesh->segment_count == 0)
        return;
    list_segments(mesh, rods);
    find_order(mesh, rods);
    for (uint32_t at = rods->nodes; at-- > 0;)
        if (rods->node_of_place[at] >= mesh->vertex_count)
            find_turn(mesh, rods, rods->node_of_place[at] - mesh->vertex_count);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        rods->joints += rods->first[v + 1] - rods->first[v] - 1;
    find_blocks(mesh, rods);
}
