// measure_bends.ispc - what bending edges add to the objective and to the particles' forces.
//
// Lives here: the loop over packs; measure.ispc says how sums keep their bits.
#include "../src/kernels_bends.h"
#include "bend.isph"
#include "force.isph"

PK_EXPORT void PK(pk_measure_bends)(const uniform struct pk_quad x[],
                                    const uniform struct pk_bend_pack packs[],
                                    uniform pk_u32 count,
                                    const uniform struct pk_material *uniform material,
                                    uniform struct pk_quad force[],
                                    uniform struct pk_measure *uniform measure)
{
    for (uniform pk_u32 p = 0; p < count; p++) {
        const uniform struct pk_bend_pack &pack = packs[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int i = lane + programIndex;
            const float stiffness = material->mu * pack.scale[i];
            const struct corners t = load_bend(x, pack, lane);
            struct bend_response r;
            if (material->model == PK_BEND_DIHEDRAL)
                r = dihedral_bend(stiffness, pack.rest_angle[i], t);
            else
                r = isometric_bend(stiffness, stencil_of(pack, lane), t);
            measure->elastic[i] += (double)r.psi;
            if (force == NULL)
                continue;
            add_force(force, &pack.index[0][lane], r.g.a);
            add_force(force, &pack.index[1][lane], r.g.b);
            add_force(force, &pack.index[2][lane], r.g.c);
            add_force(force, &pack.index[3][lane], r.g.d);
        }
    }
}
