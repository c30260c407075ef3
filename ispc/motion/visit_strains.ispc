// visit_strains.ispc - strains that vertex descent needs in each iteration, and that stay as they are in a substep.
//
// Lives here: their arrays, a strain for each lane of each visit. What they are is in descend_element.isph.
#include "base/pk.isph"
#include "motion/descend_element.isph"

PK_EXPORT void PK(pk_visit_strains)(const uniform struct pk_descent_job *uniform given)
{
    const uniform struct pk_descent_job job = *given;
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_vertex_pack &pack = job.packs[p];
        const uniform pk_u32 end = pack.visits[PK_VISIT_TET].first + pack.visits[PK_VISIT_TET].count;
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct point self = load_points(job.start, &pack.self[lane]);
            for (uniform pk_u32 v = pack.visits[PK_VISIT_TET].first; v < end; v++) {
                if (job.began != NULL)
                    store_strain(job.began[v], lane, strain_at_start(job, v, lane, self));
                if (job.held != NULL)
                    store_strain(job.held[v], lane, lane_plastic(job, v, lane));
            }
        }
    }
}
