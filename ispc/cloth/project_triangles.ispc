// project_triangles.ispc - the projection solvers on triangles: one correction per triangle per iteration.
//
// Lives here: what project.ispc is for tetrahedra. An elastic material gets a loop of its own; damping,
// plasticity and the models seldom used share one.
#include "base/prefetch.isph"
#include "cloth/membrane_crushed.isph"
#include "motion/project.isph"
#include "cloth/triangles.isph"

// As for tetrahedra: no corner moves farther than four times the triangle's rest size, of which
// 2 / |Dm^-1|^2 is the square. In the lanes that are strained enough to ask for it, and only there.
static noinline float bounded_scale(struct triangle_corners t, struct triangle_gradients g,
                                    const uniform struct pk_triangle_pack &pack, uniform int lane,
                                    float scale)
{
    const struct vec2 r1 = rest_row(pack, lane, 0), r2 = rest_row(pack, lane, 1);
    const float inverse = inner(r1, r1) + inner(r2, r2);
    const float a = t.a.w * t.a.w * inner(g.a, g.a), b = t.b.w * t.b.w * inner(g.b, g.b);
    const float c = t.c.w * t.c.w * inner(g.c, g.c);
    return bounded(scale, scale * scale * larger(larger(a, b), c), inverse, 32);
}

static inline float rest_content(const uniform struct pk_triangle_pack &pack, uniform int lane)
{
    return pack.area[lane + programIndex];
}

typedef struct triangle_corners element_corners;
typedef struct triangle_gradients element_gradients;
typedef struct pk_triangle_pack element_pack;
typedef struct mat32 element_stress;
typedef struct sheet_response element_response;
#include "motion/project_damp.isph"

// As for tetrahedra: an element that held corners strain for good has no E = 0 to go to.
static inline float square_of(struct triangle_corners t, struct triangle_gradients g)
{
    const float square = weighted_square(t, g);
    const bool held = t.a.w * t.b.w * t.c.w == 0;
    if (none(held))
        return square;
    const float all = inner(g.a, g.a) + inner(g.b, g.b) + inner(g.c, g.c);
    const float most = larger(larger(t.a.w, t.b.w), t.c.w);
    return held ? larger(square, 0.01f * most * all) : square;
}

static inline float scale_of(const uniform int solver, const uniform struct pk_element_job &job,
                             uniform pk_u32 p, uniform int lane, float psi, float square)
{
    const uniform float relaxation = job.solve->relaxation;
    if (solver == ENERGY)
        return relaxation * energy_scale(psi, square);
    const float area = job.triangles[p].area[lane + programIndex];
    if (solver == EXPLICIT)
        return (-relaxation / job.solve->inertia) * area;
    float multiplier = job.multipliers[PK_LANES * p + lane + programIndex];
    const float scale =
        compliant_scale(job.solve->inertia, area, psi, square, relaxation, multiplier);
    job.multipliers[PK_LANES * p + lane + programIndex] = multiplier;
    return scale;
}

// Energy and gradients at the corners: evaluate() without P where no lane is crushed.
static inline float strain_energy(const uniform int model,
                                  const uniform struct pk_material *uniform material,
                                  struct mat32 f, const uniform struct pk_triangle_pack &pack,
                                  uniform int lane, struct triangle_gradients &g)
{
    const struct sym2 e = green(f);
    const struct sheet_law law = sheet_law_of(model, false, material, f, e, no_sheet_strain());
    float psi = law.psi;
    if (least_square(model) == 0) {
        g = corner_gradients(law.p, pack, lane);
        return psi;
    }
    g = corner_gradients(f, law.s, pack, lane);
    const bool sure = sheet_sure(model, e);
    if (any(!sure)) {
        if (!sure && !sheet_above(e, least_square(model))) {
            struct sheet_response r;
            crushed(model, false, material, f, e, no_sheet_strain(), r);
            psi = r.psi;
            g = corner_gradients(r.p, pack, lane);
        }
    }
    return psi;
}

static inline void project(const uniform int solver, const uniform int model,
                           const uniform struct pk_element_job &job)
{
    const uniform float wild = wild_energy(job.material);
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_triangle_pack &pack = job.triangles[p];
        if (job.solve->ahead)
            fetch_ahead(&job.triangles[p + PACKS_AHEAD], 8);
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            struct triangle_corners t = load_corners(job.x, pack, lane);
            const struct mat32 f = deformation(t, pack, lane);
            struct triangle_gradients g;
            const float psi = strain_energy(model, job.material, f, pack, lane, g);
            const float square = solver == EXPLICIT ? 0.0f : solver == ENERGY ? square_of(t, g) : weighted_square(t, g);
            float scale = scale_of(solver, job, p, lane, psi, square);
            if (solver != EXPLICIT)
                scale = bounded_where(psi > wild, t, g, pack, lane, scale);
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
        const uniform struct pk_triangle_pack &pack = job.triangles[p];
        const uniform bool plastic = job.cells != NULL && job.cells[p] != PK_NO_CELL;
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            struct triangle_corners t = load_corners(job.x, pack, lane);
            if (solver == COMPLIANT && damped)
                damp_first(job, pack, p, lane, t);
            const struct mat32 f = deformation(t, pack, lane);
            struct sym2 strain = no_sheet_strain();
            if (plastic)
                strain = load_sheet_plastic(job.plastic[job.cells[p]], lane);
            struct sheet_response r = evaluate_any(job.material, f, strain);
            struct sheet_response v = {0, {{0, 0, 0}, {0, 0, 0}}};
            if (damped && solver != COMPLIANT)
                v = viscous(job.material, job.solve->dt, f,
                            deformation(load_corners(job.start, pack, lane), pack, lane));
            if (solver == EXPLICIT)
                r.p = r.p + v.p;
            const struct triangle_gradients g = corner_gradients(r.p, pack, lane);
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
#define X(NAME, name, law, strain, quadratic, sheet_loop)                                          \
    if (sheet_loop && plain && model == PK_MODEL_##NAME) {                                         \
        project(solver, PK_MODEL_##NAME, job);                                                     \
        own = true;                                                                                \
    }
    MODELS(X)
#undef X
    if (!own)
        project_everything(solver, job);
}

PK_EXPORT void PK(pk_project_triangles_energy)(const uniform struct pk_element_job *uniform job)
{
    project_run(ENERGY, *job);
}

PK_EXPORT void PK(pk_project_triangles_compliant)(const uniform struct pk_element_job *uniform job)
{
    project_run(COMPLIANT, *job);
}

PK_EXPORT void PK(pk_project_triangles_explicit)(const uniform struct pk_element_job *uniform job)
{
    project_run(EXPLICIT, *job);
}
