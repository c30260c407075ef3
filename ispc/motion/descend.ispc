// descend.ispc - vertex descent for any materials and elements, mixed, damped and plastic ones too.
//
// Lives here: the loops over vertices. Packs of tetrahedra of one material have a loop made for its model and what
// else it is; all others share one that looks up each lane's material. The step itself: descend_any.isph.
#include "motion/descend_any.isph"

static inline void descend(const uniform int model, const uniform int traits, const uniform bool asked,
                           const uniform struct pk_descent_job &job)
{
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_vertex_pack &pack = job.packs[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct point self = load_points(job.x, &pack.self[lane]);
            if (asked) {
                float tension;
                const struct vec3 g = vertex_gradient(model, traits, job, pack, lane, self, tension);
                tell_gradient(job, &pack.self[lane], lane, self, g, tension);
            } else {
                move_point(job.x, &pack.self[lane], self,
                       vertex_step(model, traits, job, pack, lane, self, true));
            }
        }
    }
}

// The loop of a model with these traits. Each is a function of its own, so that it has its own registers.
#define PK_LOOP(name, model, traits)                                                               \
    static unmasked noinline void name(const uniform struct pk_descent_job &given)                 \
    {                                                                                              \
        /* A copy, since the compiler must think that what a kernel stores may change the          \
           caller's. */                                                                            \
        const uniform struct pk_descent_job job = given;                                           \
        if (moves(job))                                                                            \
            descend(model, traits, false, job);                                                    \
        else                                                                                       \
            descend(model, traits, true, job);                                                     \
    }

PK_LOOP(descend_mixed, MIXED, 0)
#define X(NAME, name, ...)                                                                         \
    PK_LOOP(descend_plain_##name, PK_MODEL_##NAME, 0)                                              \
    PK_LOOP(descend_damped_##name, PK_MODEL_##NAME, IS_DAMPED)                                     \
    PK_LOOP(descend_plastic_##name, PK_MODEL_##NAME, IS_PLASTIC)                                   \
    PK_LOOP(descend_damped_plastic_##name, PK_MODEL_##NAME, IS_DAMPED | IS_PLASTIC)                \
    PK_LOOP(descend_relaxing_##name, PK_MODEL_##NAME, IS_RELAXING)
MODELS(X)
#undef X

// What the compiler need not make where a model cannot have it.
static inline const uniform bool has_loop(const uniform int model, const uniform int traits)
{
    return (!is_plastic(traits) || model_strain(model)) && (!is_relaxing(traits) || !model_anisotropic(model));
}

static inline uniform int traits_of(const uniform struct pk_material &m)
{
    if (m.branches > 0)
        return m.yield > 0 ? -1 : IS_RELAXING;
    return (m.damping > 0 ? IS_DAMPED : 0) | (m.yield > 0 ? IS_PLASTIC : 0);
}

// The one material of all visits of a pack, or MIXED.
static inline uniform int material_of(const uniform struct pk_descent_job &job, const uniform struct pk_vertex_pack &pack)
{
    const uniform struct pk_run run = pack.visits[PK_VISIT_TET];
    if (job.material_count == 1)
        return 0;
    if (run.count == 0)
        return MIXED;
    const uniform pk_u32 first = job.visits[run.first].material[0];
    bool others = false;
    for (uniform pk_u32 v = run.first; v < run.first + run.count; v++)
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount)
            others = others || job.visits[v].material[lane + programIndex] != first;
    return any(others) ? MIXED : (uniform int)first;
}

// Packs whose visits are all of one material, or all not.
static inline void descend_run(const uniform struct pk_descent_job &job, uniform int material)
{
    if (material == MIXED) {
        descend_mixed(job);
        return;
    }
    uniform struct pk_descent_job run = job;
    run.materials = &job.materials[material];
    const uniform struct pk_material &m = job.materials[material];
    const uniform int traits = traits_of(m);
#define LOOP(name, number, wanted)                                                                 \
    if (has_loop(number, wanted) && m.model == number && traits == (wanted)) {                     \
        name(run);                                                                                 \
        return;                                                                                    \
    }
#define X(NAME, name, ...)                                                                         \
    LOOP(descend_plain_##name, PK_MODEL_##NAME, 0)                                                 \
    LOOP(descend_damped_##name, PK_MODEL_##NAME, IS_DAMPED)                                        \
    LOOP(descend_plastic_##name, PK_MODEL_##NAME, IS_PLASTIC)                                      \
    LOOP(descend_damped_plastic_##name, PK_MODEL_##NAME, IS_DAMPED | IS_PLASTIC)                   \
    LOOP(descend_relaxing_##name, PK_MODEL_##NAME, IS_RELAXING)
    MODELS(X)
#undef X
#undef LOOP
    descend_mixed(job);
}

PK_EXPORT void PK(pk_descend)(const uniform struct pk_descent_job *uniform given)
{
    uniform struct pk_descent_job job = *given;
    const uniform pk_u32 end = job.count;
    if (job.triangles != NULL) {
        descend_mixed(job);
        return;
    }
    uniform pk_u32 first = 0;
    while (first < end) {
        const uniform int material = material_of(job, given->packs[first]);
        uniform pk_u32 last = first + 1;
        if (job.material_count == 1)
            last = end;
        while (last < end && material_of(job, given->packs[last]) == material)
            last++;
        job.packs = given->packs + first;
        job.count = last - first;
        descend_run(job, material);
        first = last;
    }
}
