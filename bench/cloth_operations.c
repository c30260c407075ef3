/* cloth_operations.c - see cloth_operations.h.
 *
 * An operation is one addition, subtraction, multiplication, division or square root of one lane,
 * as in the bench `limits`, whose peak counts the first three. Comparisons, selections, changes of
 * sign, moves and whatever is done once for all lanes are none. Counted from the kernels' source,
 * on the way of elements that are not crushed, a product that stands twice once:
 *
 *   project_triangles.ispc, `project`      ENERGY  COMPLIANT
 *     F: two edges, two products               24         24
 *     E: F^T F, - I, halved                    20         20
 *     S: 2 mu E + lambda tr E I                 7          7
 *     psi: mu E:E + lambda/2 tr^2 E            10         10
 *     gradients: F S by rows of Dm^-1          33         33
 *     sum w |grad|^2                           20         20
 *     scale: a quotient; XPBD's                 2         17
 *     x += w scale grad                        21         21
 *     a triangle                              137        152
 *
 *   project_bends.ispc, `project_isometric`
 *     K's first entry, L = sum k x             26         26
 *     sum w k^2                                11         11
 *     factor: a quotient; XPBD's                1         25
 *     x += w k (factor L)                      31         31
 *     a bend                                   69         93
 *
 *   descend_cloth.ispc, `descend_plain`
 *     F and b                                  26
 *     E, S, S b, b.b                           36   20 + 7 + 6 + 3
 *     force, b.S b                             20   15 + 5
 *     block                                    58   64 less 6 squares that E has
 *     cubic, quartic                           12   3 + 6 + 3
 *     near being crushed?                       8
 *     a visit of a vertex to a triangle       160
 *     an entry of a row of bends                9
 *     inertia, goal, bends                     11
 *     L D L^T and its solution                 35   20 + 15
 *     how far, what share, move                51   6 + 42 + 3
 *     a vertex                                 97
 *
 * Checked: valgrind's callgrind counted the vaddps, vsubps, vmulps, vdivps and vsqrtps that the
 * AVX2 kernels executed in a step of 60 x 60 cells of this cloth, of 8 lanes each, padding too. A
 * lane of the projections had 136.98 and 68.98 (ENERGY; what is padding divides nothing), 152.00
 * and 93.00 (COMPLIANT). Of DESCENT a visit had 159, an entry 9, a vertex 102 (the compiler shares
 * and repeats): together 4,222,368 an iteration, and by this table with the same padding 4,225,728.
 * The prediction and the update of velocities, some 40 operations a particle and step, are left
 * out.
 */
#include "cloth_operations.h"

#include "asset/asset.h"

enum { TRIANGLE_ENERGY = 137, TRIANGLE_COMPLIANT = 152, BEND_ENERGY = 69, BEND_COMPLIANT = 93 };
enum { VISIT = 160, ENTRY = 9, VERTEX = 97 };

static double of_descent(const struct piola_asset *asset)
{
    uint64_t visits = 0, entries = 0;
    for (uint64_t i = 0; i < asset->at.triangle_visits.count; i++)
        for (int lane = 0; lane < PK_LANES; lane++)
            visits += asset_triangle_visits(asset)[i].area[lane] > 0;
    for (uint64_t i = 0; i < asset->at.bend_rows.count; i++)
        for (int lane = 0; lane < PK_LANES; lane++)
            entries += asset_bend_rows(asset)[i].weight[lane] != 0;
    return (double)(VISIT * visits + ENTRY * entries) + (double)VERTEX * asset->stats.vertices;
}

double cloth_operations(const struct bench_asset *compiled, piola_solver solver)
{
    const double triangles = compiled->stats.triangles, bends = compiled->stats.bends;
    if (solver == PIOLA_SOLVER_DESCENT)
        return of_descent(compiled->asset);
    return solver == PIOLA_SOLVER_COMPLIANT
               ? TRIANGLE_COMPLIANT * triangles + BEND_COMPLIANT * bends
               : TRIANGLE_ENERGY * triangles + BEND_ENERGY * bends;
}
