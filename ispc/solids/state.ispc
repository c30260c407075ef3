// state.ispc - what tetrahedra are in: deformation, elastic stress and energy, for whoever asks.
#include "kernels/kernels_state.h"
#include "solids/viscoelastic.isph"

PK_EXPORT void PK(pk_state_tets)(const uniform struct pk_state_job *uniform given)
{
    const uniform struct pk_state_job job = *given;
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_tet_pack &pack = job.tets[p];
        uniform struct pk_element_state &state = job.states[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int i = lane + programIndex;
            const struct mat3 f = deformation(load_corners(job.x, pack, lane), pack, lane);
            struct sym3 strain = no_strain();
            if (job.cells != NULL && job.cells[p] != PK_NO_CELL)
                strain = load_plastic(job.plastic[job.cells[p]], lane);
            struct response r = evaluate_any(job.material, f, strain);
            if (job.material->branches > 0 && job.cells != NULL && job.cells[p] != PK_NO_CELL) {
                const struct response held = relaxing_held(job.material, job.plastic + job.cells[p], lane, f);
                r.psi += held.psi;
                r.p = r.p + held.p;
            }
            state.psi[i] = r.psi;
            state.f[0][i] = f.a.x, state.f[1][i] = f.b.x, state.f[2][i] = f.c.x;
            state.f[3][i] = f.a.y, state.f[4][i] = f.b.y, state.f[5][i] = f.c.y;
            state.f[6][i] = f.a.z, state.f[7][i] = f.b.z, state.f[8][i] = f.c.z;
            state.p[0][i] = r.p.a.x, state.p[1][i] = r.p.b.x, state.p[2][i] = r.p.c.x;
            state.p[3][i] = r.p.a.y, state.p[4][i] = r.p.b.y, state.p[5][i] = r.p.c.y;
            state.p[6][i] = r.p.a.z, state.p[7][i] = r.p.b.z, state.p[8][i] = r.p.c.z;
        }
    }
}
