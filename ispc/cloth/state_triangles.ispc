// state_triangles.ispc - what triangles are in: as state.ispc of tetrahedra.
#include "kernels/kernels_state.h"
#include "cloth/membrane_crushed.isph"
#include "cloth/triangles.isph"

PK_EXPORT void PK(pk_state_triangles)(const uniform struct pk_state_job *uniform given)
{
    const uniform struct pk_state_job job = *given;
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_triangle_pack &pack = job.triangles[p];
        uniform struct pk_element_state &state = job.states[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int i = lane + programIndex;
            const struct mat32 f = deformation(load_corners(job.x, pack, lane), pack, lane);
            struct sym2 strain = no_sheet_strain();
            if (job.cells != NULL && job.cells[p] != PK_NO_CELL)
                strain = load_sheet_plastic(job.plastic[job.cells[p]], lane);
            const struct sheet_response r = evaluate_any(job.material, f, strain);
            state.psi[i] = r.psi;
            state.f[0][i] = f.a.x, state.f[1][i] = f.b.x, state.f[2][i] = 0;
            state.f[3][i] = f.a.y, state.f[4][i] = f.b.y, state.f[5][i] = 0;
            state.f[6][i] = f.a.z, state.f[7][i] = f.b.z, state.f[8][i] = 0;
            state.p[0][i] = r.p.a.x, state.p[1][i] = r.p.b.x, state.p[2][i] = 0;
            state.p[3][i] = r.p.a.y, state.p[4][i] = r.p.b.y, state.p[5][i] = 0;
            state.p[6][i] = r.p.a.z, state.p[7][i] = r.p.b.z, state.p[8][i] = 0;
        }
    }
}
