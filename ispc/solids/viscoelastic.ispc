// viscoelastic.ispc - relaxation: the branches of a material move on, before and after each substep's solve.
//
// Lives here: one dashpot's strain D a branch. Where E goes evenly from E0 to E1 in the substep, the branch's
// stretch q = E - D ends at keep q0 + follow (E1 - E0), exactly (Taylor et al. 1970). docs/method/viscoelastic.md.
#include "solids/viscoelastic.isph"

static inline void store(uniform struct pk_plastic &cell, uniform int lane, struct sym3 e)
{
    const int i = lane + programIndex;
    cell.e[0][i] = e.xx;
    cell.e[1][i] = e.yy;
    cell.e[2][i] = e.zz;
    cell.e[3][i] = e.yz;
    cell.e[4][i] = e.xz;
    cell.e[5][i] = e.xy;
}

static inline struct sym3 strain_of(const uniform struct pk_quad x[], const uniform struct pk_tet_pack &pack,
                                    uniform int lane)
{
    return green(deformation(load_corners(x, pack, lane), pack, lane));
}

// The substep's potential: rate/2 (E - from) : C : (E - from) has the stress of all branches at the substep's end,
// and that of damping, for rate (E - from) = sum share (keep q0 + follow (E - E0)) + damping (E - E0) / dt.
PK_EXPORT void PK(pk_relax_begin)(const uniform struct pk_element_job *uniform given)
{
    const uniform struct pk_element_job job = *given;
    const uniform struct pk_relaxing step = *job.relaxing;
    const uniform pk_u32 branches = job.material->branches;
    const uniform float per_rate = 1 / step.rate;
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        if (job.cells[p] == PK_NO_CELL)
            continue;
        uniform struct pk_plastic *uniform cells = job.plastic + job.cells[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int i = lane + programIndex;
            const struct sym3 e = strain_of(job.start, job.tets[p], lane);
            struct sym3 held = no_strain();
            for (uniform pk_u32 b = 0; b < branches; b++) {
                const struct sym3 q = e - load_plastic(cells[PK_RELAXING_BRANCHES + b], lane);
                held = held + (step.share[b] * step.keep[b]) * q;
                cells[PK_RELAXING_RATES].e[1 + b][i] = step.share[b];
            }
            cells[PK_RELAXING_RATES].e[0][i] = step.rate;
            store(cells[PK_RELAXING_FROM], lane, e - per_rate * held);
        }
    }
}

// What is not finite does not move on: a body that breaks keeps its last good history.
PK_EXPORT void PK(pk_relax_end)(const uniform struct pk_element_job *uniform given)
{
    const uniform struct pk_element_job job = *given;
    const uniform struct pk_relaxing step = *job.relaxing;
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        if (job.cells[p] == PK_NO_CELL)
            continue;
        uniform struct pk_plastic *uniform cells = job.plastic + job.cells[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct sym3 e0 = strain_of(job.start, job.tets[p], lane), e = strain_of(job.x, job.tets[p], lane);
            for (uniform pk_u32 b = 0; b < job.material->branches; b++) {
                uniform struct pk_plastic &cell = cells[PK_RELAXING_BRANCHES + b];
                const struct sym3 d = load_plastic(cell, lane);
                const struct sym3 q = step.keep[b] * (e0 - d) + step.follow[b] * (e - e0);
                const struct sym3 next = e - q;
                const float size = inner(next, next);
                store(cell, lane, choose(size - size == 0, next, d));
            }
        }
    }
}
