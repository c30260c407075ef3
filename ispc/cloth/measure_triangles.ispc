// measure_triangles.ispc - what triangles add to a step's report, and the flow of their plastic strain.
//
// Lives here: as measure.ispc and plastic.ispc for tetrahedra: energy lane by lane in double, forces at the
// corners, stretch. A sheet cannot be inverted. The rule of flow is that of plastic.ispc in the plane.
#include "base/add_force.isph"
#include "cloth/membrane_crushed.isph"
#include "cloth/triangles.isph"

// The larger root of the characteristic polynomial of c.
static inline float largest_eigenvalue(struct sym2 c)
{
    const float d = 0.5f * (c.xx - c.yy);
    return 0.5f * trace(c) + sqrt(d * d + c.xy * c.xy);
}

PK_EXPORT void PK(pk_measure_triangles)(const uniform struct pk_element_job *uniform given)
{
    const uniform struct pk_element_job job = *given;
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_triangle_pack &pack = job.triangles[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int i = lane + programIndex;
            const struct triangle_corners t = load_corners(job.x, pack, lane);
            const struct mat32 f = deformation(t, pack, lane);
            struct sym2 strain = no_sheet_strain();
            if (job.cells != NULL && job.cells[p] != PK_NO_CELL)
                strain = load_sheet_plastic(job.plastic[job.cells[p]], lane);
            struct sheet_response r = evaluate_any(job.material, f, strain);
            if (job.material->damping > 0) {
                const struct sheet_response v =
                    viscous(job.material, job.solve->dt, f,
                            deformation(load_corners(job.start, pack, lane), pack, lane));
                r.psi += v.psi;
                r.p = r.p + v.p;
            }
            const float area = pack.area[i];
            job.measure->elastic[i] += (double)area * (double)r.psi;
            if (job.force == NULL)
                continue;
            const struct triangle_gradients g = corner_gradients(area * r.p, pack, lane);
            add_force(job.force, &pack.index[0][lane], g.a);
            add_force(job.force, &pack.index[1][lane], g.b);
            add_force(job.force, &pack.index[2][lane], g.c);
            job.measure->stretch[i] =
                larger(job.measure->stretch[i], sqrt(largest_eigenvalue(gram(f))));
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

PK_EXPORT void PK(pk_plastic_flow_triangles)(const uniform struct pk_element_job *uniform given)
{
    const uniform struct pk_element_job job = *given;
    const uniform float rate = job.solve->dt * job.material->creep;
    const uniform float share = rate < 1 ? rate : 1;
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        if (job.cells[p] == PK_NO_CELL)
            continue;
        uniform struct pk_plastic &cell = job.plastic[job.cells[p]];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct triangle_corners t = load_corners(job.x, job.triangles[p], lane);
            const struct sym2 total = green(deformation(t, job.triangles[p], lane));
            store_plastic(cell, lane,
                          flow(job.material, share, total, load_sheet_plastic(cell, lane)));
        }
    }
}
