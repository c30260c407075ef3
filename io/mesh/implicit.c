/* implicit.c - solids whose surface is where a function of space is zero: capsule and organ.
 *
 * The tetrahedra of a body-centred lattice whose middle is inside are taken; then, a few times
 * over, the vertices of their surface go towards the true one, and all towards the middle of their
 * neighbours, as far as the elements around them stay good. What must not live here: shapes that a
 * mapped box gives (meshgen.c).
 */
#include "io/mesh/implicit.h"
#include "io/base/memory.h"
#include "io/mesh/shape.h"

#include <math.h>
#include <string.h>

#define ROUNDS       12
#define QUALITY_KEPT 0.25 /* a move may not make an element worse than this */
#define VOLUME_KEPT  0.1  /* nor smaller than this share of one of the lattice */

/* ---- the lattice ---- */

struct lattice {
    struct meshgen *mesh;
    const struct implicit *solid;
    double h, origin[3];
    uint32_t cells[3];
    uint32_t *numbers; /* of corners, then of centres: vertex + 1, or 0 */
    uint32_t vertex_room, tetrahedron_room;
};

static uint64_t lattice_points(const struct lattice *l)
{
    const uint64_t x = l->cells[0], y = l->cells[1], z = l->cells[2];
    return (x + 1) * (y + 1) * (z + 1) + x * y * z;
}

/* Point number of a corner, or of the centre of a cell. */
static size_t point_of(const struct lattice *l, bool centre, const uint32_t at[3])
{
    const size_t x = l->cells[0], y = l->cells[1];
    if (!centre)
        return at[0] + (x + 1) * (at[1] + (y + 1) * at[2]);
    return (x + 1) * (y + 1) * (l->cells[2] + (size_t)1) + at[0] + x * (at[1] + y * at[2]);
}

static void place_of(const struct lattice *l, bool centre, const uint32_t at[3], double p[3])
{
    for (int k = 0; k < 3; ++k)
        p[k] = l->origin[k] + l->h * (at[k] + (centre ? 0.5 : 0));
}

static bool grow(void **array, uint32_t *room, size_t bytes)
{
    const uint32_t more = *room ? 2 * *room : 4096;
    void *larger = more > *room ? memory_take(more * bytes) : NULL;
    if (!larger)
        return false;
    if (*array)
        memcpy(larger, *array, *room * bytes);
    memory_give(*array);
    *array = larger;
    *room = more;
    return true;
}

static bool take_vertex(struct lattice *l, bool centre, const uint32_t at[3], uint32_t *vertex)
{
    uint32_t *number = &l->numbers[point_of(l, centre, at)];
    struct meshgen *mesh = l->mesh;
    if (*number == 0) {
        void *vertices = mesh->vertices;
        if (mesh->vertex_count == l->vertex_room &&
            !grow(&vertices, &l->vertex_room, 3 * sizeof(double)))
            return false;
        mesh->vertices = vertices;
        place_of(l, centre, at, mesh->vertices + 3 * (size_t)mesh->vertex_count);
        *number = ++mesh->vertex_count;
    }
    *vertex = *number - 1;
    return true;
}

/* Two centres and two corners of the face between them; turned right-handed. */
struct corner {
    bool centre;
    uint32_t at[3];
};

static bool add_tetrahedron(struct lattice *l, const struct corner corners[4])
{
    double middle[3] = {0};
    for (int c = 0; c < 4; ++c) {
        double p[3];
        place_of(l, corners[c].centre, corners[c].at, p);
        for (int k = 0; k < 3; ++k)
            middle[k] += p[k] / 4;
    }
    if (l->solid->value(middle, l->solid->settings) >= 0)
        return true;
    struct meshgen *mesh = l->mesh;
    void *tetrahedra = mesh->tetrahedra;
    if (mesh->tetrahedron_count == l->tetrahedron_room &&
        !grow(&tetrahedra, &l->tetrahedron_room, 4 * sizeof(uint32_t)))
        return false;
    mesh->tetrahedra = tetrahedra;
    uint32_t *v = mesh->tetrahedra + 4 * (size_t)mesh->tetrahedron_count;
    for (int c = 0; c < 4; ++c)
        if (!take_vertex(l, corners[c].centre, corners[c].at, &v[c]))
            return false;
    if (shape_quality(mesh, mesh->tetrahedron_count) < 0) {
        const uint32_t t = v[2];
        v[2] = v[3];
        v[3] = t;
    }
    ++mesh->tetrahedron_count;
    return true;
}

/* The four tetrahedra between the cell at `at` and its neighbour along an axis. */
static bool add_face(struct lattice *l, const uint32_t at[3], int axis)
{
    static const unsigned char around[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    struct corner corners[4] = {{.centre = true}, {.centre = true}};
    memcpy(corners[0].at, at, sizeof corners[0].at);
    memcpy(corners[1].at, at, sizeof corners[1].at);
    ++corners[1].at[axis];
    for (int edge = 0; edge < 4; ++edge) {
        for (int end = 0; end < 2; ++end) {
            uint32_t *corner = corners[2 + end].at;
            corner[axis] = at[axis] + 1;
            corner[i] = at[i] + around[edge + end][0];
            corner[j] = at[j] + around[edge + end][1];
        }
        if (!add_tetrahedron(l, corners))
            return false;
    }
    return true;
}

static bool fill(struct lattice *l)
{
    uint32_t at[3];
    for (at[2] = 0; at[2] < l->cells[2]; ++at[2])
        for (at[1] = 0; at[1] < l->cells[1]; ++at[1])
            for (at[0] = 0; at[0] < l->cells[0]; ++at[0])
                for (int axis = 0; axis < 3; ++axis)
                    if (at[axis] + 1 < l->cells[axis] && !add_face(l, at, axis))
                        return false;
    return true;
}

double implicit_volume(const struct implicit *solid, int cuts)
{
    uint32_t inside = 0;
    double box = 1;
    for (int k = 0; k < 3; ++k)
        box *= solid->high[k] - solid->low[k];
    for (int n = 0; n < cuts * cuts * cuts; ++n) {
        const int at[3] = {n % cuts, n / cuts % cuts, n / cuts / cuts};
        double p[3];
        for (int k = 0; k < 3; ++k)
            p[k] = solid->low[k] + (solid->high[k] - solid->low[k]) * (at[k] + 0.5) / (double)cuts;
        inside += solid->value(p, solid->settings) < 0;
    }
    return box * inside / ((double)cuts * cuts * cuts);
}

/* ---- towards the surface ---- */

struct around {
    uint32_t *first;    /* of a vertex in `elements`; one more at the end */
    uint32_t *elements; /* tetrahedra of each vertex */
    bool *on_surface;
    double *targets; /* 3 a vertex: sum of its neighbours */
    uint32_t *counts;
};

static bool around_make(struct around *a, const struct meshgen *mesh)
{
    const size_t vertices = mesh->vertex_count, corners = 4 * (size_t)mesh->tetrahedron_count;
    a->first = memory_zero(vertices + 2, sizeof *a->first);
    a->elements = memory_take((corners + 1) * sizeof *a->elements);
    a->on_surface = memory_zero(vertices + 1, sizeof *a->on_surface);
    a->targets = memory_take((vertices + 1) * 3 * sizeof *a->targets);
    a->counts = memory_take((vertices + 1) * sizeof *a->counts);
    if (!a->first || !a->elements || !a->on_surface || !a->targets || !a->counts)
        return false;
    for (size_t i = 0; i < corners; ++i)
        ++a->first[mesh->tetrahedra[i] + 2];
    for (size_t v = 1; v <= vertices; ++v)
        a->first[v + 1] += a->first[v];
    for (size_t i = 0; i < corners; ++i)
        a->elements[a->first[mesh->tetrahedra[i] + 1]++] = (uint32_t)(i / 4);
    return true;
}

static void around_free(struct around *a)
{
    memory_give(a->first);
    memory_give(a->elements);
    memory_give(a->on_surface);
    memory_give(a->targets);
    memory_give(a->counts);
}

/* Sums of neighbours: on the surface those along it, inside all. */
static void sum_neighbours(struct around *a, const struct meshgen *mesh, const uint32_t *elements,
                           size_t count, unsigned corners, bool surface)
{
    for (size_t e = 0; e < count; ++e)
        for (unsigned i = 0; i < corners; ++i) {
            const uint32_t v = elements[e * corners + i];
            if (a->on_surface[v] != surface)
                continue;
            for (unsigned j = 0; j < corners; ++j) {
                const double *p = mesh->vertices + 3 * (size_t)elements[e * corners + j];
                for (size_t k = 0; k < 3 && j != i; ++k)
                    a->targets[3 * (size_t)v + k] += p[k];
            }
            a->counts[v] += corners - 1;
        }
}

/* The least quality around a vertex. An element that keeps its shape but shrinks counts as worse:
 * where the surface folds, one of a thousandth of its neighbours' width would be too light and too
 * stiff to simulate, in the end too small for the engine. */
static double worst_around(const struct around *a, const struct meshgen *mesh, double h,
                           uint32_t vertex)
{
    const double least = VOLUME_KEPT * h * h * h / 12;
    double worst = 1;
    for (uint32_t i = a->first[vertex]; i < a->first[vertex + 1]; ++i) {
        const double size = shape_volume(mesh, a->elements[i]) / least * QUALITY_KEPT;
        worst = fmin(worst, fmin(size, shape_quality(mesh, a->elements[i])));
    }
    return worst;
}

/* A few Newton steps along the gradient. */
static void project(const struct implicit *solid, double h, double p[3])
{
    for (int round = 0; round < 4; ++round) {
        const double value = solid->value(p, solid->settings);
        double gradient[3], square = 0;
        for (int k = 0; k < 3; ++k) {
            double q[3] = {p[0], p[1], p[2]};
            q[k] += 1e-4 * h;
            gradient[k] = (solid->value(q, solid->settings) - value) / (1e-4 * h);
            square += gradient[k] * gradient[k];
        }
        if (square < 1e-6)
            return;
        for (int k = 0; k < 3; ++k)
            p[k] -= value * gradient[k] / square;
    }
}

static void move_vertex(const struct around *a, struct meshgen *mesh, const struct implicit *solid,
                        double h, uint32_t v)
{
    double *p = mesh->vertices + 3 * (size_t)v;
    const double old[3] = {p[0], p[1], p[2]};
    double target[3];
    for (size_t k = 0; k < 3; ++k)
        target[k] = (p[k] + a->targets[3 * (size_t)v + k] / a->counts[v]) / 2;
    if (a->on_surface[v] && solid->project)
        solid->project(target, solid->settings);
    else if (a->on_surface[v])
        project(solid, h, target);
    const double kept = fmin(QUALITY_KEPT, worst_around(a, mesh, h, v));
    for (double share = 1; share > 0.1; share /= 2) {
        for (int k = 0; k < 3; ++k)
            p[k] = old[k] + share * (target[k] - old[k]);
        if (worst_around(a, mesh, h, v) >= kept)
            return;
    }
    memcpy(p, old, sizeof old);
}

static bool fit(struct meshgen *mesh, const struct implicit *solid, double h)
{
    struct around a = {0};
    uint32_t triangles = 0;
    uint32_t *surface = shape_surface(mesh, &triangles);
    const bool good = surface && around_make(&a, mesh);
    for (size_t i = 0; good && i < 3 * (size_t)triangles; ++i)
        a.on_surface[surface[i]] = true;
    for (int round = 0; good && round < ROUNDS; ++round) {
        memset(a.targets, 0, 3 * sizeof *a.targets * mesh->vertex_count);
        memset(a.counts, 0, sizeof *a.counts * mesh->vertex_count);
        sum_neighbours(&a, mesh, surface, triangles, 3, true);
        sum_neighbours(&a, mesh, mesh->tetrahedra, mesh->tetrahedron_count, 4, false);
        for (uint32_t v = 0; v < mesh->vertex_count; ++v)
            move_vertex(&a, mesh, solid, h, v);
    }
    around_free(&a);
    memory_give(surface);
    return good;
}

bool implicit_fill(struct meshgen *mesh, const struct implicit *solid, double h, bool *empty)
{
    struct lattice l = {.mesh = mesh, .solid = solid, .h = h};
    memset(mesh, 0, sizeof *mesh);
    *empty = false;
    for (int k = 0; k < 3; ++k) {
        const double cells = ceil((solid->high[k] - solid->low[k]) / l.h) + 2;
        if (!(cells < 4000))
            return false;
        l.cells[k] = (uint32_t)cells;
        l.origin[k] = (solid->low[k] + solid->high[k] - cells * l.h) / 2;
    }
    if (lattice_points(&l) > UINT32_MAX / 2)
        return false;
    l.numbers = memory_zero((size_t)lattice_points(&l), sizeof *l.numbers);
    const bool filled = l.numbers && fill(&l);
    *empty = filled && mesh->tetrahedron_count == 0;
    const bool good = filled && !*empty && fit(mesh, solid, l.h);
    memory_give(l.numbers);
    if (!good)
        meshgen_free(mesh);
    return good;
}

/* A cell of h^3 holds 12 tetrahedra. */
static bool make(struct meshgen *mesh, const struct implicit *solid, uint32_t tetrahedra)
{
    bool empty;
    return implicit_fill(mesh, solid, cbrt(12 * implicit_volume(solid, 48) / tetrahedra), &empty);
}

/* ---- the shapes ---- */

struct capsule {
    double length, radius; /* m */
};

static double capsule_value(const double p[3], const void *settings)
{
    const struct capsule *s = settings;
    const double half = s->length / 2;
    const double x = p[0] - fmin(half, fmax(-half, p[0]));
    return sqrt(x * x + p[1] * p[1] + p[2] * p[2]) - s->radius;
}

bool meshgen_capsule(struct meshgen *mesh, double length, double radius, uint32_t tetrahedra)
{
    const struct capsule capsule = {length, radius};
    const double x = length / 2 + radius, r = radius;
    const struct implicit solid = {capsule_value, NULL, &capsule, {-x, -r, -r}, {x, r, r}};
    return make(mesh, &solid, tetrahedra);
}

static double ellipsoid(const double p[3], const double centre[3], const double radii[3])
{
    double one = 0, two = 0;
    for (int k = 0; k < 3; ++k) {
        const double d = (p[k] - centre[k]) / radii[k];
        one += d * d;
        two += d * d / (radii[k] * radii[k]);
    }
    return two > 0 ? sqrt(one) * (sqrt(one) - 1) / sqrt(two) : -radii[1];
}

/* The smaller of two, rounded where they cross over the width k. */
static double smooth_least(double a, double b, double k)
{
    const double h = fmax(k - fabs(a - b), 0) / k;
    return fmin(a, b) - h * h * k / 4;
}

static double organ_value(const double p[3], const void *settings)
{
    static const double centres[2][3] = {{-0.17, 0, 0}, {0.21, 0.02, 0.03}};
    static const double radii[2][3] = {{0.33, 0.22, 0.26}, {0.29, 0.13, 0.18}};
    const double size = *(const double *)settings;
    const double q[3] = {p[0] / size, p[1] / size, p[2] / size};
    const double lobes =
        smooth_least(ellipsoid(q, centres[0], radii[0]), ellipsoid(q, centres[1], radii[1]), 0.12);
    return size * -smooth_least(-lobes, q[1] + 0.1 - 0.15 * q[0], 0.06);
}

bool meshgen_organ(struct meshgen *mesh, double size, uint32_t tetrahedra)
{
    const double a = size;
    const struct implicit solid = {organ_value,
                                   NULL,
                                   &size,
                                   {-0.52 * a, -0.25 * a, -0.28 * a},
                                   {0.52 * a, 0.25 * a, 0.28 * a}};
    return make(mesh, &solid, tetrahedra);
}
