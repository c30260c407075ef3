// project.ispc - the projection solvers on tetrahedra: one correction per element per iteration.
//
// Lives here: ENERGY (the paper's eqs. 2-3 with C = E), COMPLIANT (XPBD on C = sqrt(2 E)), EXPLICIT
// (lambda = -dt^2, the paper's Appendix A). All move a corner by w_j scale grad_j and differ in the
// scale only. An elastic material gets a loop of its own; damping and plasticity share one.
#include "solids/material_solid.isph"
#include "motion/project.isph"
#include "solids/tets.isph"

// Where an energy is not zero but its gradient (nearly) is, as in an element crushed to a point, eq. (3)
// asks for a step without bound; XPBD's multipliers can ask for one too. No corner moves farther than
// four times the element's rest size, of which 3 / |Dm^-1|^2 is the square.
static inline float bounded_scale(struct corners t, struct gradients g,
                                  const uniform struct pk_tet_pack &pack, uniform int lane,
                                  float scale)
{
    const struct vec3 r1 = rest_row(pack, lane, 0), r2 = rest_row(pack, lane, 1),
                      r3 = rest_row(pack, lane, 2);
    const float inverse = inner(r1, r1) + inner(r2, r2) + inner(r3, r3);
    const float a = t.a.w * t.a.w * inner(g.a, g.a), b = t.b.w * t.b.w * inner(g.b, g.b);
    const float c = t.c.w * t.c.w * inner(g.c, g.c), d = t.d.w * t.d.w * inner(g.d, g.d);
    return bounded(scale, scale * scale * larger(larger(a, b), larger(c, d)), inverse, 48);
}

static inline float rest_content(const uniform struct pk_tet_pack &pack, uniform int lane)
{
    return pack.volume[lane + programIndex];
}

typedef struct corners element_corners;
typedef struct gradients element_gradients;
typedef struct pk_tet_pack element_pack;
typedef struct mat3 element_stress;
typedef struct response element_response;
#include "motion/project_damp.isph"

// Eq. (3) has no meaning where held corners strain an element for good: E cannot become 0, its gradient by the
// free corners does, and the step grows without bound. So for elements with held corners sum w |grad|^2 is not
// taken for less than the heaviest weight times a hundredth of what all four corners are pulled by, which a
// strain that the free corners could undo does not come near.
static inline float square_of(struct corners t, struct gradients g)
{
    const float square = weighted_square(t, g);
    const float ab = t.a.w * t.b.w, cd = t.c.w * t.d.w;
    const bool held = (ab < cd ? ab : cd) == 0;
    if (none(held))
        return square;
    const float all = (inner(g.a, g.a) + inner(g.b, g.b)) + (inner(g.c, g.c) + inner(g.d, g.d));
    const float most = larger(larger(t.a.w, t.b.w), larger(t.c.w, t.d.w));
    return held ? larger(square, 0.01f * most * all) : square;
}

static inline float scale_of(const uniform int solver, const uniform struct pk_element_job &job,
                             uniform pk_u32 p, uniform int lane, float psi, float square)
{
    const uniform float relaxation = job.solve->relaxation;
    if (solver == ENERGY)
        return relaxation * energy_scale(psi, square);
    const float volume = job.tets[p].volume[lane + programIndex];
    if (solver == EXPLICIT)
        return (-relaxation / job.solve->inertia) * volume;
    float multiplier = job.multipliers[PK_LANES * p + lane + programIndex];
    const float scale =
        compliant_scale(job.solve->inertia, volume, psi, square, relaxation, multiplier);
    job.multipliers[PK_LANES * p + lane + programIndex] = multiplier;
    return scale;
}

static inline void project(const uniform int solver, const uniform int model,
                           const uniform struct pk_element_job &job)
{
    const uniform float wild = wild_energy(job.material);
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_tet_pack &pack = job.tets[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            struct corners t = load_corners(job.x, pack, lane);
            const struct mat3 f = deformation(t, pack, lane);
            const struct response r = evaluate(model, false, job.material, f, no_strain());
            const struct gradients g = corner_gradients(r.p, pack, lane);
            float square = 0;
            if (solver != EXPLICIT)
                square = solver == ENERGY ? square_of(t, g) : weighted_square(t, g);
            float scale = scale_of(solver, job, p, lane, r.psi, square);
            if (solver != EXPLICIT)
                scale = bounded_where(r.psi > wild, t, g, pack, lane, scale);
            correct(t, scale, g);
            store_corners(job.x, pack, lane, t);
        }
    }
}

// Damped and plastic materials. EXPLICIT adds the two forces. ENERGY and COMPLIANT have no meaning for a
// potential whose minimum is not zero, as that of the sum is not: ENERGY projects the elastic energy alone
// and then takes a compliant step on the viscous potential, with the gradients of where the element stood.
static inline void project_everything(const uniform int solver, const uniform struct pk_element_job &job)
{
    const uniform bool damped = job.material->damping > 0;
    const uniform float wild = wild_energy(job.material);
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_tet_pack &pack = job.tets[p];
        const uniform bool plastic = job.cells != NULL && job.cells[p] != PK_NO_CELL;
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            struct corners t = load_corners(job.x, pack, lane);
            if (solver == COMPLIANT && damped)
                damp_first(job, pack, p, lane, t);
            const struct mat3 f = deformation(t, pack, lane);
            struct sym3 strain = no_strain();
            if (plastic)
                strain = load_plastic(job.plastic[job.cells[p]], lane);
            struct response r = evaluate_any(job.material, f, strain);
            struct response v = {0, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
            if (damped && solver != COMPLIANT)
                v = viscous(job.material, job.solve->dt, f,
                            deformation(load_corners(job.start, pack, lane), pack, lane));
            if (solver == EXPLICIT)
                r.p = r.p + v.p;
            const struct gradients g = corner_gradients(r.p, pack, lane);
            const float square = solver == ENERGY ? square_of(t, g) : weighted_square(t, g);
            float scale = scale_of(solver, job, p, lane, r.psi, square);
            if (solver != EXPLICIT)
                scale = bounded_where(r.psi > wild, t, g, pack, lane, scale);
            correct(t, scale, g);
            if (solver == ENERGY && damped)
                damp(job, pack, lane, true, v.psi, v.p, t);
            store_corners(job.x, pack, lane, t);
        }
    }
}

// A copy of the job, since the compiler must think that what a kernel stores may change the caller's.
static inline void project_run(const uniform int solver, const uniform struct pk_element_job &given)
{
    const uniform struct pk_element_job job = given;
    const uniform int model = job.material->model;
    const uniform bool plain = !(job.material->damping > 0 || job.material->yield > 0);
    uniform bool own = false;
#define X(NAME, ...)                                                                               \
    if (!model_anisotropic(PK_MODEL_##NAME) && plain && model == PK_MODEL_##NAME) {                \
        project(solver, PK_MODEL_##NAME, job);                                                     \
        own = true;                                                                                \
    }
    MODELS(X)
#undef X
    if (!own)
        project_everything(solver, job);
}

PK_EXPORT void PK(pk_project_energy)(const uniform struct pk_element_job *uniform job)
{
    project_run(ENERGY, *job);
}

PK_EXPORT void PK(pk_project_compliant)(const uniform struct pk_element_job *uniform job)
{
    project_run(COMPLIANT, *job);
}

PK_EXPORT void PK(pk_project_explicit)(const uniform struct pk_element_job *uniform job)
{
    project_run(EXPLICIT, *job);
}
