// measure_triangles.ispc - what triangles add to a step's report, and the flow of their plastic strain.
//
// Lives here: as measure.ispc and plastic.ispc for tetrahedra: energy lane by lane in double, forces at the
// corners, stretch. A sheet cannot be inverted. The rule of flow is that of plastic.ispc in the plane.
#include "force.isph"
#include "membrane_crushed.isph"
#include "triangles.isph"

// The larger root of the characteristic polynomial of c.
static inline float largest_eigenvalue(struct sym2 c)
{
    const float d = 0.5f * (c.xx - c.yy);
    return 0.5f * trace(c) + sqrt(d * d + c.xy * c.xy);
}

PK_EXPORT void PK(pk_measure_triangles)(const uniform struct pk_quad x[],
                                        const uniform struct pk_quad start[],
                                        const uniform struct pk_triangle_pack packs[],
                                        const uniform pk_u32 cells[],
                                        const uniform struct pk_plastic plastic[],
                                        uniform pk_u32 count,
                                        const uniform struct pk_material *uniform material,
                                        const uniform struct pk_solve *uniform solve,
                                        uniform struct pk_quad force[],
                                        uniform struct pk_measure *uniform measure)
{
    for (uniform pk_u32 p = 0; p < count; p++) {
        const uniform struct pk_triangle_pack &pack = packs[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int i = lane + programIndex;
            const struct triangle_corners t = load_corners(x, pack, lane);
            const struct mat32 f = deformation(t, pack, lane);
            struct sym2 strain = no_sheet_strain();
            if (cells != NULL && cells[p] != PK_NO_CELL)
                strain = load_sheet_plastic(plastic[cells[p]], lane);
            struct sheet_response r = evaluate_any(material, f, strain);
            if (material->damping > 0) {
                const struct sheet_response v =
                    viscous(material, solve->dt, f,
                            deformation(load_corners(start, pack, lane), pack, lane));
                r.psi += v.psi;
                r.p = r.p + v.p;
            }
            const float area = pack.area[i];
            measure->elastic[i] += (double)area * (double)r.psi;
            if (force == NULL)
                continue;
            const struct triangle_gradients g = corner_gradients(area * r.p, pack, lane);
            add_force(force, &pack.index[0][lane], g.a);
            add_force(force, &pack.index[1][lane], g.b);
            add_force(force, &pack.index[2][lane], g.c);
            measure->stretch[i] =
                larger(measure->stretch[i], sqrt(largest_eigenvalue(gram(f))));
        }
    }
}

static inline void store_plastic(uniform struct pk_plastic &cell, uniform int lane, struct sym2 e)
{
    const int i = lane + programIndex;
    cell.e[0][i] = e.xx;
    cell.e[1][i] = e.yy;
    cell.e[5][i] = e.xy;
}

// `share` of the elastic deviator, that of the plane, is absorbed where it has reached the yield point; the
// plastic strain stays a little inside its bound, so that rounding cannot pass it. What is not finite does
// not flow.
static inline struct sym2 flow(const uniform struct pk_material *uniform material,
                               uniform float share, struct sym2 total, struct sym2 plastic)
{
    const struct sym2 elastic = total - plastic;
    const struct sym2 deviator = add_diagonal(elastic, -0.5f * trace(elastic));
    const bool yields = sqrt(inner(deviator, deviator)) > material->yield;
    const struct sym2 flown = choose(yields, plastic + share * deviator, plastic);
    const float size = sqrt(inner(flown, flown)), most = material->max * 0.9999995f;
    const bool over = size > most;
    return choose(size - size == 0, choose(over, (most / (over ? size : 1.0f)) * flown, flown), plastic);
}

PK_EXPORT void PK(pk_plastic_flow_triangles)(const uniform struct pk_quad x[],
                                             const uniform struct pk_triangle_pack packs[],
                                             const uniform pk_u32 cells[],
                                             uniform struct pk_plastic plastic[],
                                             uniform pk_u32 count,
                                             const uniform struct pk_material *uniform material,
                                             const uniform struct pk_solve *uniform solve)
{
    const uniform float rate = solve->dt * material->creep;
    const uniform float share = rate < 1 ? rate : 1;
    for (uniform pk_u32 p = 0; p < count; p++) {
        if (cells[p] == PK_NO_CELL)
            continue;
        uniform struct pk_plastic &cell = plastic[cells[p]];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct triangle_corners t = load_corners(x, packs[p], lane);
            const struct sym2 total = green(deformation(t, packs[p], lane));
            store_plastic(cell, lane,
                          flow(material, share, total, load_sheet_plastic(cell, lane)));
        }
    }
}
