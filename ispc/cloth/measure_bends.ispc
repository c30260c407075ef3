// measure_bends.ispc - what bending edges add to the objective and to the particles' forces, and how their
// creases flow.
//
// Lives here: the loops over packs; measure.ispc says how sums keep their bits.
#include "kernels/kernels_bends.h"
#include "cloth/bend.isph"
#include "base/add_force.isph"

PK_EXPORT void PK(pk_measure_bends)(const uniform struct pk_element_job *uniform given)
{
    const uniform struct pk_element_job job = *given;
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_bend_pack &pack = job.bends[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int i = lane + programIndex;
            const float stiffness = job.material->mu * pack.scale[i];
            const struct corners t = load_bend(job.x, pack, lane);
            struct bend_response r;
            if (job.material->model == PK_BEND_DIHEDRAL)
                r = dihedral_bend(stiffness, rest_of(pack, lane, job.cells, job.plastic, p), t);
            else
                r = isometric_bend(stiffness, stencil_of(pack, lane), t);
            if (job.material->damping > 0) {
                const struct bend_response v = viscous_bend(job, p, lane, t);
                r.psi += v.psi;
                r.g.a = r.g.a + v.g.a;
                r.g.b = r.g.b + v.g.b;
                r.g.c = r.g.c + v.g.c;
                r.g.d = r.g.d + v.g.d;
            }
            job.measure->elastic[i] += (double)r.psi;
            if (job.force == NULL)
                continue;
            add_force(job.force, &pack.index[0][lane], r.g.a);
            add_force(job.force, &pack.index[1][lane], r.g.b);
            add_force(job.force, &pack.index[2][lane], r.g.c);
            add_force(job.force, &pack.index[3][lane], r.g.d);
        }
    }
}

// The rule of plastic.ispc for one number, the crease: `share` of the elastic angle is absorbed where that
// has reached the yield point. A little inside the bound, so that rounding cannot pass it. What is not
// finite does not flow.
static inline float flow(const uniform struct pk_material *uniform material, uniform float share,
                         float elastic, float crease)
{
    const bool yields = abs(elastic) > material->yield;
    const float flown = yields ? crease + share * elastic : crease;
    const float most = material->max * 0.9999995f;
    const float kept = abs(flown) > most ? (flown < 0 ? -most : most) : flown;
    return flown - flown == 0 ? kept : crease;
}

PK_EXPORT void PK(pk_plastic_flow_bends)(const uniform struct pk_element_job *uniform given)
{
    const uniform struct pk_element_job job = *given;
    const uniform float rate = job.solve->dt * job.material->creep;
    const uniform float share = rate < 1 ? rate : 1;
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        if (job.cells[p] == PK_NO_CELL)
            continue;
        uniform struct pk_plastic &cell = job.plastic[job.cells[p]];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int i = lane + programIndex;
            struct gradients g;
            const float angle = dihedral_angle(load_bend(job.x, job.bends[p], lane), g);
            const float elastic = turned(angle, job.bends[p].rest_angle[i] + cell.e[0][i]);
            // Unused lanes have no scale; a crease there would be no one's.
            cell.e[0][i] = job.bends[p].scale[i] > 0 ? flow(job.material, share, elastic, cell.e[0][i])
                                                 : 0.0f;
        }
    }
}
