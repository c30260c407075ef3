// plastic.ispc - the flow of plastic strain, once after each substep's solve.
//
// Lives here: the paper's plastic deformation (section 4.2): additive Green strain, von Mises' yield
// criterion on the elastic deviator, creep, and a bound. The bound is on the norm of the plastic strain
// itself, as in the rule the paper cites; docs/method/solids.md says why its own condition cannot bound.
#include "solids/material_solid.isph"
#include "solids/tets.isph"

static inline void store_plastic(uniform struct pk_plastic &cell, uniform int lane, struct sym3 e)
{
    const int i = lane + programIndex;
    cell.e[0][i] = e.xx;
    cell.e[1][i] = e.yy;
    cell.e[2][i] = e.zz;
    cell.e[3][i] = e.yz;
    cell.e[4][i] = e.xz;
    cell.e[5][i] = e.xy;
}

// `share` of the elastic deviator is absorbed where it has reached the yield point.
static inline struct sym3 flow(const uniform struct pk_material *uniform material,
                               uniform float share, struct sym3 total, struct sym3 plastic)
{
    const struct sym3 elastic = total - plastic;
    const struct sym3 deviator = add_diagonal(elastic, -0.33333333333f * trace(elastic));
    const bool yields = sqrt(inner(deviator, deviator)) > material->yield;
    const struct sym3 flown = choose(yields, plastic + share * deviator, plastic);
    // A little inside the bound, so that rounding cannot pass it.
    const float size = sqrt(inner(flown, flown)), most = material->max * 0.9999995f;
    const bool over = size > most;
    // What cannot be said in numbers does not flow: a body that breaks keeps its last good strain.
    return choose(size - size == 0, choose(over, (most / (over ? size : 1.0f)) * flown, flown), plastic);
}

PK_EXPORT void PK(pk_plastic_flow)(const uniform struct pk_element_job *uniform given)
{
    const uniform struct pk_element_job job = *given;
    const uniform float rate = job.solve->dt * job.material->creep;
    const uniform float share = rate < 1 ? rate : 1;
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        if (job.cells[p] == PK_NO_CELL)
            continue;
        uniform struct pk_plastic &cell = job.plastic[job.cells[p]];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct corners t = load_corners(job.x, job.tets[p], lane);
            const struct sym3 total = green(deformation(t, job.tets[p], lane));
            store_plastic(cell, lane, flow(job.material, share, total, load_plastic(cell, lane)));
        }
    }
}
