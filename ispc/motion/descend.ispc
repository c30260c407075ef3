// descend.ispc - vertex descent for any materials and elements, mixed, damped and plastic ones too.
//
// Lives here: the loop over vertices. A body of tetrahedra of one material that neither flows nor relaxes has a
// loop made for its model, damped or not; all others share one that looks up each lane's material. The step itself: descend_any.isph.
#include "motion/descend_any.isph"

static inline void descend(const uniform int model, const uniform bool damped, const uniform bool asked,
                           const uniform struct pk_descent_job &job)
{
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_vertex_pack &pack = job.packs[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct point self = load_points(job.x, &pack.self[lane]);
            if (asked) {
                float tension;
                const struct vec3 g = vertex_gradient(model, damped, job, pack, lane, self, tension);
                tell_gradient(job, &pack.self[lane], lane, self, g, tension);
            } else {
                move_point(job.x, &pack.self[lane], self,
                       vertex_step(model, damped, job, pack, lane, self, true));
            }
        }
    }
}

static inline void descend(const uniform int model, const uniform bool damped, const uniform struct pk_descent_job &job)
{
    if (moves(job))
        descend(model, damped, false, job);
    else
        descend(model, damped, true, job);
}

// Which loop a body takes: one material without history has its model's own.
static inline uniform int model_of(const uniform struct pk_descent_job &job)
{
    const uniform struct pk_material &m = job.materials[0];
    const uniform bool plain = job.triangles == NULL && job.material_count == 1 && !(m.yield > 0) &&
                               m.branches == 0;
    return plain ? (uniform int)m.model : MIXED;
}

PK_EXPORT void PK(pk_descend)(const uniform struct pk_descent_job *uniform given)
{
    // A copy, since the compiler must think that what a kernel stores may change the caller's.
    const uniform struct pk_descent_job job = *given;
    const uniform int model = model_of(job);
    const uniform bool damped = job.materials->damping > 0;
#define X(NAME, ...)                                                                               \
    if (model == PK_MODEL_##NAME) {                                                                \
        if (damped)                                                                                \
            descend(PK_MODEL_##NAME, true, job);                                                   \
        else                                                                                       \
            descend(PK_MODEL_##NAME, false, job);                                                  \
    }
    MODELS(X)
#undef X
    if (model == MIXED)
        descend(MIXED, false, job);
}
