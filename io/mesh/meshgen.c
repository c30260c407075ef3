/* meshgen.c - see meshgen.h. */
#include "io/mesh/meshgen.h"
#include "io/base/memory.h"

#include <math.h>
#include <string.h>

#define PI          3.14159265358979323846
#define ITEMS_LIMIT (1u << 26) /* of piola.h, vertices and elements of a kind */

void meshgen_free(struct meshgen *mesh)
{
    memory_give(mesh->vertices);
    memory_give(mesh->tetrahedra);
    memory_give(mesh->triangles);
    memory_give(mesh->bends);
    memory_give(mesh->links);
    memory_give(mesh->regions);
    memory_give(mesh->patterns);
    memory_give(mesh->texture);
    memory_give(mesh->texture_of);
    memset(mesh, 0, sizeof *mesh);
}

piola_mesh_desc meshgen_desc(const struct meshgen *mesh)
{
    piola_mesh_desc desc = piola_mesh_desc_default();
    desc.vertices = mesh->vertices;
    desc.vertex_count = mesh->vertex_count;
    desc.tetrahedra = mesh->tetrahedra;
    desc.tetrahedron_count = mesh->tetrahedron_count;
    desc.triangles = mesh->triangles;
    desc.triangle_count = mesh->triangle_count;
    desc.triangle_patterns = mesh->patterns;
    desc.bends = mesh->bends;
    desc.bend_count = mesh->bend_count;
    return desc;
}

/* Memory for at most this many items of each kind; the counts of elements start at zero. */
static bool allocate(struct meshgen *mesh, uint64_t vertices, uint64_t tetrahedra,
                     uint64_t triangles, uint64_t bends)
{
    memset(mesh, 0, sizeof *mesh);
    if (vertices > ITEMS_LIMIT || tetrahedra > ITEMS_LIMIT || triangles > ITEMS_LIMIT ||
        bends > ITEMS_LIMIT) {
        return false;
    }
    mesh->vertex_count = (uint32_t)vertices;
    mesh->vertices = memory_zero(vertices + 1, 3 * sizeof(double));
    mesh->tetrahedra = memory_zero(tetrahedra + 1, 4 * sizeof(uint32_t));
    mesh->triangles = memory_zero(triangles + 1, 3 * sizeof(uint32_t));
    mesh->bends = memory_zero(bends + 1, 4 * sizeof(uint32_t));
    if (!mesh->vertices || !mesh->tetrahedra || !mesh->triangles || !mesh->bends) {
        meshgen_free(mesh);
        return false;
    }
    return true;
}

static void add_tet(struct meshgen *mesh, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32_t *to = mesh->tetrahedra + 4 * (size_t)mesh->tetrahedron_count++;
    to[0] = a;
    to[1] = b;
    to[2] = c;
    to[3] = d;
}

static void put(struct meshgen *mesh, uint32_t vertex, double x, double y, double z)
{
    double *to = mesh->vertices + 3 * (size_t)vertex;
    to[0] = x;
    to[1] = y;
    to[2] = z;
}

/* Swaps two vertices of every tetrahedron that is left-handed. */
static void orient(struct meshgen *mesh)
{
    for (uint32_t t = 0; t < mesh->tetrahedron_count; t++) {
        uint32_t *v = mesh->tetrahedra + 4 * (size_t)t;
        double d[3][3];
        for (unsigned i = 0; i < 3; i++) {
            for (unsigned axis = 0; axis < 3; axis++) {
                d[i][axis] = mesh->vertices[3 * (size_t)v[i] + axis] -
                             mesh->vertices[3 * (size_t)v[3] + axis];
            }
        }
        const double det = d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
                           d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                           d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
        if (det < 0) {
            const uint32_t swap = v[0];
            v[0] = v[1];
            v[1] = swap;
        }
    }
}

/* ---- boxes ---- */

static bool sizes_positive(const double *size, const uint32_t *cells, unsigned axes)
{
    for (unsigned axis = 0; axis < axes; axis++) {
        if (!(size[axis] > 0) || cells[axis] == 0 || cells[axis] > ITEMS_LIMIT) {
            return false;
        }
    }
    return true;
}

static uint32_t grid_vertex(const uint32_t cells[3], uint32_t x, uint32_t y, uint32_t z)
{
    return x + (cells[0] + 1) * (y + (cells[1] + 1) * z);
}

typedef void cell_cut(struct meshgen *mesh, const uint32_t corner[8], bool odd);

/* Corner i of a cell is at (i & 1, i >> 1 & 1, i >> 2). */
static void cut_five(struct meshgen *mesh, const uint32_t corner[8], bool odd)
{
    static const unsigned char parts[2][5][4] = {
        {{1, 2, 4, 7}, {0, 1, 2, 4}, {3, 1, 2, 7}, {5, 1, 4, 7}, {6, 2, 4, 7}},
        {{0, 3, 5, 6}, {1, 0, 3, 5}, {2, 0, 3, 6}, {4, 0, 5, 6}, {7, 3, 5, 6}}};
    for (unsigned i = 0; i < 5; i++) {
        const unsigned char *part = parts[odd][i];
        add_tet(mesh, corner[part[0]], corner[part[1]], corner[part[2]], corner[part[3]]);
    }
}

static void cut_kuhn(struct meshgen *mesh, const uint32_t corner[8], bool odd)
{
    static const unsigned char middle[6][2] = {{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}};
    (void)odd;
    for (unsigned i = 0; i < 6; i++) {
        add_tet(mesh, corner[0], corner[middle[i][0]], corner[middle[i][1]], corner[7]);
    }
}

static bool box(struct meshgen *mesh, const double size[3], const uint32_t cells[3],
                unsigned per_cell, cell_cut *cut)
{
    memset(mesh, 0, sizeof *mesh);
    if (!sizes_positive(size, cells, 3)) {
        return false;
    }
    /* Each factor is at most 2^26 + 1, so two of them fit; a third could wrap around. */
    const uint64_t layer = ((uint64_t)cells[0] + 1) * ((uint64_t)cells[1] + 1);
    if (layer > ITEMS_LIMIT ||
        !allocate(mesh, layer * ((uint64_t)cells[2] + 1),
                  (uint64_t)cells[0] * cells[1] * cells[2] * per_cell, 0, 0)) {
        return false;
    }
    for (uint32_t z = 0; z <= cells[2]; z++) {
        for (uint32_t y = 0; y <= cells[1]; y++) {
            for (uint32_t x = 0; x <= cells[0]; x++) {
                put(mesh, grid_vertex(cells, x, y, z), size[0] * x / cells[0],
                    size[1] * y / cells[1], size[2] * z / cells[2]);
                if (x == cells[0] || y == cells[1] || z == cells[2]) {
                    continue;
                }
                uint32_t corner[8];
                for (uint32_t i = 0; i < 8; i++) {
                    corner[i] = grid_vertex(cells, x + (i & 1), y + (i >> 1 & 1), z + (i >> 2));
                }
                cut(mesh, corner, ((x + y + z) & 1) != 0);
            }
        }
    }
    orient(mesh);
    return true;
}

bool meshgen_box(struct meshgen *mesh, const double size[3], const uint32_t cells[3])
{
    return box(mesh, size, cells, 5, cut_five);
}

bool meshgen_box_kuhn(struct meshgen *mesh, const double size[3], const uint32_t cells[3])
{
    return box(mesh, size, cells, 6, cut_kuhn);
}

static uint32_t at_least(double value, uint32_t least)
{
    const double whole = floor(value + 0.5);
    return whole < least ? least : whole > 4096 ? 4096u : (uint32_t)whole;
}

bool meshgen_beam(struct meshgen *mesh, uint32_t tetrahedra)
{
    const uint32_t n = at_least(cbrt(tetrahedra / 20.0), 1);
    return meshgen_box(mesh, (const double[3]){1, 0.25, 0.25}, (const uint32_t[3]){4 * n, n, n});
}

/* ---- body-centred lattices, mapped ---- */

struct lattice {
    uint32_t cells[3];
    bool closed; /* the first axis joins its own end */
};

static uint32_t lattice_corner(const struct lattice *l, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t along = l->closed ? l->cells[0] : l->cells[0] + 1;
    return (l->closed ? x % l->cells[0] : x) + along * (y + (l->cells[1] + 1) * z);
}

static uint32_t lattice_centre(const struct lattice *l, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t along = l->closed ? l->cells[0] : l->cells[0] + 1;
    const uint32_t corners = along * (l->cells[1] + 1) * (l->cells[2] + 1);
    return corners + x % l->cells[0] + l->cells[0] * (y + l->cells[1] * z);
}

/* The tetrahedra over one face of a cell: four around the line to the next cell's centre, or two
 * when there is none. `side` 0 is the cell's lower face along the axis. */
static void lattice_face(struct meshgen *mesh, const struct lattice *l, const uint32_t at[3],
                         unsigned axis, uint32_t side)
{
    static const unsigned char around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const bool outer = !(l->closed && axis == 0) && at[axis] + side == (side ? l->cells[axis] : 0);
    if (!outer && side == 0) {
        return; /* the neighbour's upper face */
    }
    uint32_t ring[4];
    for (unsigned i = 0; i < 4; i++) {
        uint32_t p[3] = {at[0], at[1], at[2]};
        p[axis] += side;
        p[(axis + 1) % 3] += around[i][0];
        p[(axis + 2) % 3] += around[i][1];
        ring[i] = lattice_corner(l, p[0], p[1], p[2]);
    }
    const uint32_t centre = lattice_centre(l, at[0], at[1], at[2]);
    if (outer) {
        add_tet(mesh, centre, ring[0], ring[1], ring[2]);
        add_tet(mesh, centre, ring[0], ring[2], ring[3]);
        return;
    }
    uint32_t next[3] = {at[0], at[1], at[2]};
    next[axis]++;
    for (unsigned i = 0; i < 4; i++) {
        add_tet(mesh, centre, lattice_centre(l, next[0], next[1], next[2]), ring[i],
                ring[(i + 1) % 4]);
    }
}

/* Twelve tetrahedra a cell; vertices are left in lattice coordinates, -1 to 1 along each axis (0 to
 * 1 along a closed one). */
static bool lattice_make(struct meshgen *mesh, const struct lattice *l)
{
    const uint64_t inside = (uint64_t)l->cells[0] * l->cells[1] * l->cells[2];
    const uint64_t corners =
        ((uint64_t)l->cells[0] + !l->closed) * (l->cells[1] + 1) * ((uint64_t)l->cells[2] + 1);
    if (!allocate(mesh, corners + inside, 12 * inside, 0, 0)) {
        return false;
    }
    for (uint32_t z = 0; z <= l->cells[2]; z++) {
        for (uint32_t y = 0; y <= l->cells[1]; y++) {
            for (uint32_t x = 0; x < l->cells[0] + !l->closed; x++) {
                const double first =
                    l->closed ? (double)x / l->cells[0] : 2.0 * x / l->cells[0] - 1;
                const double half = (l->closed ? 0.5 : 1.0) / l->cells[0];
                const double dy = 1.0 / l->cells[1], dz = 1.0 / l->cells[2];
                put(mesh, lattice_corner(l, x, y, z), first, 2 * y * dy - 1, 2 * z * dz - 1);
                if (x == l->cells[0] || y == l->cells[1] || z == l->cells[2]) {
                    continue;
                }
                put(mesh, lattice_centre(l, x, y, z), first + half, (2 * y + 1) * dy - 1,
                    (2 * z + 1) * dz - 1);
                const uint32_t at[3] = {x, y, z};
                for (unsigned face = 0; face < 6; face++) {
                    lattice_face(mesh, l, at, face / 2, face % 2);
                }
            }
        }
    }
    return true;
}

/* Moves a point of the cube (square) onto the ball (disc) of radius 1 along its ray, leaving the
 * middle nearly as it is. */
static void round_off(double *p, unsigned axes)
{
    double most = 0, square = 0;
    for (unsigned i = 0; i < axes; i++) {
        most = fmax(most, fabs(p[i]));
        square += p[i] * p[i];
    }
    const double share = sqrt(most); /* the power with the best of the worst tetrahedra */
    const double factor = square > 0 ? 1 - share + share * most / sqrt(square) : 1;
    for (unsigned i = 0; i < axes; i++) {
        p[i] *= factor;
    }
}

bool meshgen_ball(struct meshgen *mesh, double radius, uint32_t tetrahedra)
{
    memset(mesh, 0, sizeof *mesh);
    const uint32_t n = at_least(cbrt(tetrahedra / 12.0), 2);
    const struct lattice l = {{n, n, n}, false};
    if (!(radius > 0) || !lattice_make(mesh, &l)) {
        return false;
    }
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        double *p = mesh->vertices + 3 * i;
        round_off(p, 3);
        put(mesh, (uint32_t)i, radius * p[0], radius * p[1], radius * p[2]);
    }
    orient(mesh);
    return true;
}

bool meshgen_torus(struct meshgen *mesh, double ring, double tube, uint32_t tetrahedra)
{
    memset(mesh, 0, sizeof *mesh);
    if (!(tube > 0) || !(ring > tube)) {
        return false;
    }
    /* Cells as long as wide: along the ring there are `turns` times as many as across the tube. */
    const double turns = 2 * PI * ring / (1.8 * tube);
    const uint32_t n = at_least(cbrt(tetrahedra / (12.0 * turns)), 2);
    const struct lattice l = {{at_least(n * turns, 3), n, n}, true};
    if (!lattice_make(mesh, &l)) {
        return false;
    }
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        double *p = mesh->vertices + 3 * i;
        round_off(p + 1, 2);
        const double angle = 2 * PI * p[0], out = ring + tube * p[1];
        put(mesh, (uint32_t)i, out * cos(angle), tube * p[2], out * sin(angle));
    }
    orient(mesh);
    return true;
}

/* ---- cloth and rope ---- */

static void add_bend(struct meshgen *mesh, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32_t *to = mesh->bends + 4 * (size_t)mesh->bend_count++;
    to[0] = a;
    to[1] = b;
    to[2] = c;
    to[3] = d;
}

/* A cell's diagonal runs from (0,0) to (1,1) when x + z is even, else from (1,0) to (0,1); so a
 * cell and its neighbour have one vertex of their common edge as the foot of both diagonals. */
static void cloth_cell(struct meshgen *mesh, const uint32_t v[4], bool even, bool bends)
{
    static const unsigned char parts[2][4] = {{1, 2, 0, 3}, {0, 3, 1, 2}}; /* edge, then opposite */
    const unsigned char *p = parts[even];
    uint32_t *to = mesh->triangles + 3 * (size_t)mesh->triangle_count;
    mesh->triangle_count += 2;
    /* Counter-clockwise seen from +y: corner i stands at x = i & 1, z = i >> 1. */
    const uint32_t order[2][6] = {{v[0], v[2], v[1], v[1], v[2], v[3]},
                                  {v[0], v[3], v[1], v[0], v[2], v[3]}};
    memcpy(to, order[even], sizeof order[even]);
    if (bends) {
        add_bend(mesh, v[p[0]], v[p[1]], v[p[2]], v[p[3]]);
    }
}

/* The vertex of cell (x, z) that makes a triangle with its edge from a to b. */
static uint32_t opposite(const uint32_t v[4], bool even, unsigned a, unsigned b)
{
    const unsigned foot = even ? (a == 0 || a == 3 ? a : b) : (a == 1 || a == 2 ? a : b);
    return v[3 - foot];
}

static void cloth_corners(const uint32_t cells[2], uint32_t x, uint32_t z, uint32_t v[4])
{
    for (uint32_t i = 0; i < 4; i++) {
        v[i] = x + (i & 1) + (cells[0] + 1) * (z + (i >> 1));
    }
}

/* Bends over the edges that a cell shares with the next ones along x and z. */
static void cloth_seams(struct meshgen *mesh, const uint32_t cells[2], uint32_t x, uint32_t z)
{
    const bool even = ((x + z) & 1) == 0;
    uint32_t v[4], next[4];
    cloth_corners(cells, x, z, v);
    if (x + 1 < cells[0]) {
        cloth_corners(cells, x + 1, z, next);
        add_bend(mesh, v[1], v[3], opposite(v, even, 1, 3), opposite(next, !even, 0, 2));
    }
    if (z + 1 < cells[1]) {
        cloth_corners(cells, x, z + 1, next);
        add_bend(mesh, v[2], v[3], opposite(v, even, 2, 3), opposite(next, !even, 0, 1));
    }
}

bool meshgen_cloth(struct meshgen *mesh, const double size[2], const uint32_t cells[2], bool bends)
{
    memset(mesh, 0, sizeof *mesh);
    if (!sizes_positive(size, cells, 2)) {
        return false;
    }
    const uint64_t inside = (uint64_t)cells[0] * cells[1];
    if (!allocate(mesh, ((uint64_t)cells[0] + 1) * ((uint64_t)cells[1] + 1), 0, 2 * inside,
                  bends ? 3 * inside : 0)) {
        return false;
    }
    for (uint32_t z = 0; z <= cells[1]; z++) {
        for (uint32_t x = 0; x <= cells[0]; x++) {
            put(mesh, x + (cells[0] + 1) * z, size[0] * x / cells[0], 0, size[1] * z / cells[1]);
            if (x == cells[0] || z == cells[1]) {
                continue;
            }
            uint32_t v[4];
            cloth_corners(cells, x, z, v);
            cloth_cell(mesh, v, ((x + z) & 1) == 0, bends);
            if (bends) {
                cloth_seams(mesh, cells, x, z);
            }
        }
    }
    return true;
}

bool meshgen_chain(struct meshgen *mesh, double length, uint32_t links)
{
    memset(mesh, 0, sizeof *mesh);
    if (!(length > 0) || links == 0 || !allocate(mesh, (uint64_t)links + 1, 0, 0, 0)) {
        return false;
    }
    mesh->links = memory_zero(links, 2 * sizeof *mesh->links);
    if (!mesh->links) {
        meshgen_free(mesh);
        return false;
    }
    mesh->link_count = links;
    for (uint32_t i = 0; i <= links; i++) {
        put(mesh, i, length * i / links, 0, 0);
    }
    for (uint32_t i = 0; i < 2 * links; i++) {
        mesh->links[i] = (i + 1) / 2;
    }
    return true;
}

bool meshgen_rope(struct meshgen *mesh, double length, double radius, uint32_t segments)
{
    memset(mesh, 0, sizeof *mesh);
    if (!(length > 0) || !(radius > 0) || segments == 0 ||
        !allocate(mesh, 3 * ((uint64_t)segments + 1), 3 * (uint64_t)segments, 0, 0)) {
        return false;
    }
    for (uint32_t i = 0; i <= segments; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            const double angle = 2 * PI * k / 3;
            put(mesh, 3 * i + k, length * i / segments, radius * cos(angle), radius * sin(angle));
        }
        if (i < segments) {
            const uint32_t a = 3 * i, b = a + 3;
            add_tet(mesh, a, a + 1, a + 2, b);
            add_tet(mesh, a + 1, a + 2, b, b + 1);
            add_tet(mesh, a + 2, b, b + 1, b + 2);
        }
    }
    orient(mesh);
    return true;
}
