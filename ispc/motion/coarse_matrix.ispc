// coarse_matrix.ispc - the coarse matrix: rotations of the groups, assembly, factor, solution.
//
// Lives here: linear algebra in double, for the coarse matrix of a stiff body has a wide spectrum. Every entry's
// sum has one order, whatever the width of registers: columns lie beside each other, pivots follow each other.
#include "kernels/kernels_coarse.h"
#include "base/svd3.isph"
#include "solids/tets.isph"

// Corners of a group's frame. In a sheet corners 2 and 3 are one particle, and the third edge is the unit normal.
static inline struct corners load_frame(const uniform struct pk_quad x[], const uniform struct pk_tet_pack &pack,
                                        uniform int lane)
{
    const int i = lane + programIndex;
    struct corners t = load_corners(x, pack, lane);
    const bool flat = pack.index[2][i] == pack.index[3][i];
    const struct vec3 n = cross(edge(t.a, t.d), edge(t.b, t.d));
    const float square = inner(n, n);
    const float inverse = square > 0 ? 1 / sqrt(square) : 0.0f;
    t.c.x = flat ? t.d.x + inverse * n.x : t.c.x;
    t.c.y = flat ? t.d.y + inverse * n.y : t.c.y;
    t.c.z = flat ? t.d.z + inverse * n.z : t.c.z;
    return t;
}

// How a group is turned. That of a sheet is stretched, too: where it is folded up, what it resists in one direction
// more than in others is less.
static inline struct mat3 turn_of(const uniform struct pk_quad x[], const uniform struct pk_tet_pack &frames,
                                  uniform int lane)
{
    const int i = lane + programIndex;
    const struct mat3 f = deformation(load_frame(x, frames, lane), frames, lane);
    const bool flat = frames.index[2][i] == frames.index[3][i];
    if (all(flat))
        return f;
    return compose(decompose(f), vector(1, 1, 1));
}

// The largest entry of a - r.
static inline float difference(struct mat3 a, const uniform struct pk_coarse_turns &r, int i)
{
    const float off[9] = {a.a.x - r.r[0][i], a.b.x - r.r[1][i], a.c.x - r.r[2][i], a.a.y - r.r[3][i], a.b.y - r.r[4][i],
                          a.c.y - r.r[5][i], a.a.z - r.r[6][i], a.b.z - r.r[7][i], a.c.z - r.r[8][i]};
    float most = 0;
    for (uniform int k = 0; k < 9; k++)
        most = larger(most, abs(off[k]));
    return most;
}

PK_EXPORT uniform float PK(pk_coarse_turned)(const uniform struct pk_quad x[], const uniform struct pk_tet_pack frames[],
                                             uniform pk_u32 count, const uniform struct pk_coarse_turns turns[])
{
    float most = 0;
    for (uniform pk_u32 p = 0; p < count; p++)
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount)
            most = larger(most, difference(turn_of(x, frames[p], lane), turns[p], lane + programIndex));
    return reduce_max(most);
}

PK_EXPORT void PK(pk_coarse_turn)(const uniform struct pk_quad x[], const uniform struct pk_tet_pack frames[],
                                  uniform pk_u32 count, uniform struct pk_coarse_turns turns[])
{
    for (uniform pk_u32 p = 0; p < count; p++) {
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int i = lane + programIndex;
            const struct mat3 r = turn_of(x, frames[p], lane);
            uniform struct pk_coarse_turns &to = turns[p];
            to.r[0][i] = r.a.x;
            to.r[1][i] = r.b.x;
            to.r[2][i] = r.c.x;
            to.r[3][i] = r.a.y;
            to.r[4][i] = r.b.y;
            to.r[5][i] = r.c.y;
            to.r[6][i] = r.a.z;
            to.r[7][i] = r.b.z;
            to.r[8][i] = r.c.z;
        }
    }
}

PK_EXPORT uniform float PK(pk_coarse_strain)(const uniform struct pk_quad x[], const uniform struct pk_tet_pack frames[],
                                             uniform pk_u32 count, const uniform struct pk_coarse_turns turns[])
{
    float most = 0;
    for (uniform pk_u32 p = 0; p < count; p++) {
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct mat3 f = deformation(load_corners(x, frames[p], lane), frames[p], lane);
            most = larger(most, difference(f, turns[p], lane + programIndex));
        }
    }
    return reduce_max(most);
}

static inline float entry(const uniform struct pk_coarse_turns turns[], pk_u32 group, uniform int row)
{
    const uniform float *uniform base = (const uniform float *uniform)turns;
    const pk_u32 at = (group >> 4) * (9 * PK_LANES) + (group & (PK_LANES - 1));
#pragma ignore warning(perf)
    return base[at + row * PK_LANES];
}

static inline struct mat3 turned(const uniform struct pk_coarse_turns turns[],
                                 const uniform struct pk_coarse_block &block, uniform int lane)
{
    const int i = lane + programIndex;
    const pk_u32 g = block.group[i];
    const struct mat3 r = columns(vector(entry(turns, g, 0), entry(turns, g, 3), entry(turns, g, 6)),
                                  vector(entry(turns, g, 1), entry(turns, g, 4), entry(turns, g, 7)),
                                  vector(entry(turns, g, 2), entry(turns, g, 5), entry(turns, g, 8)));
    const struct mat3 k = columns(vector(block.k[0][i], block.k[3][i], block.k[6][i]),
                                  vector(block.k[1][i], block.k[4][i], block.k[7][i]),
                                  vector(block.k[2][i], block.k[5][i], block.k[8][i]));
    return mul(mul(r, k), transpose(r));
}

static inline uniform double *uniform row_at(uniform double matrix[], const uniform struct pk_coarse_node nodes[],
                                             uniform pk_u32 node, uniform pk_u32 row, uniform pk_u32 column)
{
    return matrix + (nodes[node].offset + row * nodes[node].width + column - ((3 * node) & ~15u));
}

// A rigid shift must cost nothing, so a diagonal block is what the blocks beside it lack to zero.
static inline void add_pair(uniform double matrix[], const uniform struct pk_coarse_node nodes[],
                            uniform pk_u32 i, uniform pk_u32 j, const uniform float sum[][PK_LANES],
                            uniform int lane, uniform double mass)
{
    for (uniform pk_u32 a = 0; a < 3; a++) {
        uniform double *uniform side = row_at(matrix, nodes, i, a, 3 * j);
        uniform double *uniform mine = row_at(matrix, nodes, i, a, 3 * i);
        uniform double *uniform other = row_at(matrix, nodes, j, a, 3 * j);
        for (uniform pk_u32 b = 0; b < 3; b++) {
            const uniform double k = (uniform double)sum[3 * a + b][lane];
            side[b] = a == b ? k + mass : k;
            mine[b] -= k;
            other[b] -= (uniform double)sum[3 * b + a][lane];
        }
    }
}

// Where a 3 x 3 block, row by row, finds its entries among xx yy zz yz xz xy.
static const uniform int entry_of[9] = {0, 5, 4, 5, 1, 3, 4, 3, 2};

PK_EXPORT void PK(pk_coarse_assemble)(const uniform struct pk_assemble_job *uniform given)
{
    const uniform struct pk_assemble_job job = *given;
    const uniform struct pk_coarse_node *uniform nodes = job.nodes;
    uniform double *uniform matrix = job.matrix;
    const uniform double *uniform resists = job.resists;
    const uniform float inertia = job.inertia;
    for (uniform pk_u32 n = 0; n < job.node_count; n++) {
        uniform double *uniform row = matrix + nodes[n].offset;
        for (uniform pk_u32 at = 0; at < 3 * nodes[n].width; at += programCount)
            row[at + programIndex] = 0;
        for (uniform pk_u32 a = 0; a < 3; a++)
            *row_at(matrix, nodes, n, a, 3 * n + a) = (uniform double)inertia * (uniform double)nodes[n].mass;
    }
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_coarse_pairs &pack = job.pairs[p];
        uniform float sum[9][PK_LANES];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int i = lane + programIndex;
            const struct vec3 zero = vector(0, 0, 0);
            struct mat3 s = columns(zero, zero, zero);
            for (uniform pk_u32 b = 0; b < pack.count; b++)
                s = s + turned(job.turns, job.blocks[pack.first + b], lane);
            const float even = job.scale * pack.bend[i];
            s = job.scale * s;
            s.a.x += even;
            s.b.y += even;
            s.c.z += even;
            sum[0][i] = s.a.x;
            sum[1][i] = s.b.x;
            sum[2][i] = s.c.x;
            sum[3][i] = s.a.y;
            sum[4][i] = s.b.y;
            sum[5][i] = s.c.y;
            sum[6][i] = s.a.z;
            sum[7][i] = s.b.z;
            sum[8][i] = s.c.z;
        }
        for (uniform pk_u32 lane = 0; lane < pack.used; lane++) {
            const uniform pk_u32 row = pack.row[lane], column = pack.column[lane];
            for (uniform int k = 0; resists != NULL && k < 9; k++) {
                const uniform double *uniform of = resists + entry_of[k] * job.node_count;
                sum[k][lane] += (uniform float)(0.5d * (of[row] + of[column])) * pack.string[lane];
            }
            add_pair(matrix, nodes, row, column, sum, lane, (uniform double)inertia * (uniform double)pack.mass[lane]);
        }
    }
}

static inline uniform double inverse_of(uniform double pivot)
{
    return pivot > 0 ? 1 / pivot : 0;
}

// Row `to` less `share` of the pivot row.
static inline void take(uniform double to[], const uniform double pivot[], uniform double share,
                        uniform pk_u32 width)
{
    for (uniform pk_u32 c = 0; c < width; c += programCount)
        to[c + programIndex] -= share * pivot[c + programIndex];
}

// Makes a node's three rows pivots; what stands left of and on the diagonal is of no more use.
static inline void take_pivots(uniform double p0[], uniform double inverse[], uniform pk_u32 at,
                               uniform pk_u32 width)
{
    uniform double *uniform p1 = p0 + width;
    uniform double *uniform p2 = p1 + width;
    inverse[0] = inverse_of(p0[at]);
    take(p1, p0, p0[at + 1] * inverse[0], width);
    take(p2, p0, p0[at + 2] * inverse[0], width);
    inverse[1] = inverse_of(p1[at + 1]);
    take(p2, p1, p1[at + 2] * inverse[1], width);
    inverse[2] = inverse_of(p2[at + 2]);
    for (uniform pk_u32 c = 0; c <= at + 2; c++) {
        p0[c] = c <= at ? 0.0d : p0[c];
        p1[c] = c <= at + 1 ? 0.0d : p1[c];
        p2[c] = 0;
    }
}

PK_EXPORT void PK(pk_coarse_factor)(uniform double matrix[], const uniform struct pk_coarse_node nodes[],
                                    uniform pk_u32 count, uniform double inverse[])
{
    for (uniform pk_u32 k = 0; k < count; k++) {
        const uniform pk_u32 width = nodes[k].width, first = (3 * k) & ~15u;
        uniform double *uniform p0 = matrix + nodes[k].offset;
        take_pivots(p0, inverse + 3 * k, 3 * k - first, width);
        for (uniform pk_u32 m = k + 1; m <= nodes[k].reach; m++) {
            const uniform pk_u32 column = 3 * m, skip = ((3 * m) & ~15u) - first;
            const uniform double *uniform q0 = p0 + skip;
            const uniform double *uniform q1 = q0 + width;
            const uniform double *uniform q2 = q1 + width;
            uniform double f[3][3];
            for (uniform pk_u32 a = 0; a < 3; a++)
                for (uniform pk_u32 b = 0; b < 3; b++)
                    f[a][b] = p0[a * width + column - first + b] * inverse[3 * k + a];
            uniform double *uniform t0 = matrix + nodes[m].offset;
            uniform double *uniform t1 = t0 + nodes[m].width;
            uniform double *uniform t2 = t1 + nodes[m].width;
            for (uniform pk_u32 c = 0; c < width - skip; c += programCount) {
                const double x0 = q0[c + programIndex], x1 = q1[c + programIndex], x2 = q2[c + programIndex];
                t0[c + programIndex] = ((t0[c + programIndex] - f[0][0] * x0) - f[1][0] * x1) - f[2][0] * x2;
                t1[c + programIndex] = ((t1[c + programIndex] - f[0][1] * x0) - f[1][1] * x1) - f[2][1] * x2;
                t2[c + programIndex] = ((t2[c + programIndex] - f[0][2] * x0) - f[1][2] * x1) - f[2][2] * x2;
            }
        }
    }
}

// Of a row and the solution: 16 lanes and a fixed tree.
static inline uniform double dot(const uniform double row[], const uniform double u[], uniform pk_u32 width)
{
    uniform double sum[PK_LANES];
    for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
        double s = 0;
        for (uniform pk_u32 c = 0; c < width; c += PK_LANES)
            s += row[c + lane + programIndex] * u[c + lane + programIndex];
        sum[lane + programIndex] = s;
    }
    for (uniform int half = PK_LANES / 2; half > 0; half /= 2)
        for (uniform int i = 0; i < half; i++)
            sum[i] += sum[i + half];
    return sum[0];
}

PK_EXPORT void PK(pk_coarse_solve)(const uniform double matrix[], const uniform double inverse[],
                                   const uniform struct pk_coarse_node nodes[], uniform pk_u32 count,
                                   uniform double b[])
{
    for (uniform pk_u32 k = 0; k < count; k++) {
        const uniform pk_u32 width = nodes[k].width, first = (3 * k) & ~15u;
        for (uniform pk_u32 a = 0; a < 3; a++) {
            const uniform double *uniform row = matrix + (nodes[k].offset + a * width);
            take(b + first, row, b[3 * k + a] * inverse[3 * k + a], width);
        }
    }
    for (uniform pk_u32 left = count; left > 0; left--) {
        const uniform pk_u32 k = left - 1;
        const uniform pk_u32 width = nodes[k].width, first = (3 * k) & ~15u;
        for (uniform pk_u32 a = 3; a > 0; a--) {
            const uniform double *uniform row = matrix + (nodes[k].offset + (a - 1) * width);
            const uniform double rest = b[3 * k + a - 1] - dot(row, b + first, width);
            b[3 * k + a - 1] = rest * inverse[3 * k + a - 1];
        }
    }
}
