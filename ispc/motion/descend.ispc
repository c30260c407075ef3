// descend.ispc - vertex descent for any materials and elements, mixed, damped and plastic ones too.
//
// Lives here: the loop over vertices. What a pack's elements are alike in is found once a pack; the loops over its
// visits are made for that (descend_tets.isph, descend_sheets.isph). The step itself: descend_any.isph.
#include "motion/descend_any.isph"

static inline void descend(const uniform bool sheets, const uniform bool asked, const uniform struct pk_descent_job &job)
{
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_vertex_pack &pack = job.packs[p];
        const uniform struct tets_kind kind = kind_of(job, pack);
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct point self = load_points(job.x, &pack.self[lane]);
            if (asked) {
                struct sym3 resists = {0, 0, 0, 0, 0, 0};
                const struct vec3 g = vertex_gradient(true, sheets, kind, job, pack, lane, self, resists);
                tell_gradient(job, &pack.self[lane], lane, self, g, resists);
            } else {
                move_point(job.x, &pack.self[lane], self,
                           vertex_step(true, sheets, kind, job, pack, lane, self, true));
            }
        }
    }
}

PK_EXPORT void PK(pk_descend)(const uniform struct pk_descent_job *uniform given)
{
    // A copy, since the compiler must think that what a kernel stores may change the caller's.
    const uniform struct pk_descent_job job = *given;
    const uniform bool sheets = job.triangles != NULL;
    if (moves(job)) {
        if (sheets)
            descend(true, false, job);
        else
            descend(false, false, job);
    } else if (sheets) {
        descend(true, true, job);
    } else {
        descend(false, true, job);
    }
}
