// project_bends.ispc - the projection solvers on bending edges: one correction per edge per iteration.
//
// Lives here: the loops over packs. The energies are in bend.isph, the scales in project.isph.
#include "kernels/kernels_bends.h"
#include "base/prefetch.isph"
#include "cloth/bend.isph"
#include "motion/project.isph"

static inline float weighted(struct corners t, struct stencil k)
{
    return (t.a.w * (k.a * k.a) + t.b.w * (k.b * k.b)) +
           (t.c.w * (k.c * k.c) + t.d.w * (k.d * k.d));
}

// The factor s of x_j += w_j s k_j L. Eq. (3) with E = 1/2 q |L|^2, grad_j = q k_j L gives
// s = -1/2 / sum w k^2, whatever q and however small L.
static inline float isometric_factor(const uniform int solver, const uniform struct pk_element_job &job,
                                     uniform pk_u32 p, uniform int lane, struct corners t,
                                     struct stencil k, struct vec3 l)
{
    const uniform float relaxation = job.solve->relaxation;
    const int i = lane + programIndex;
    const float inverse_mass = weighted(t, k);
    if (solver == ENERGY) {
        const bool moves = inverse_mass > 0;
        return moves ? (-0.5f * relaxation) / (moves ? inverse_mass : 1.0f) : 0.0f;
    }
    const float q = job.material->mu * job.bends[p].scale[i];
    if (solver == EXPLICIT)
        return (-relaxation / job.solve->inertia) * q;
    const float l2 = inner(l, l);
    float multiplier = job.multipliers[PK_LANES * p + i];
    const float scale = compliant_scale(job.solve->inertia, 1, 0.5f * q * l2,
                                        q * q * l2 * inverse_mass, relaxation, multiplier);
    job.multipliers[PK_LANES * p + i] = multiplier;
    return scale * q;
}

static inline void project_isometric(const uniform int solver, const uniform struct pk_element_job &job)
{
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_bend_pack &pack = job.bends[p];
        if (job.solve->ahead) { // the corners, and all that stencil_of reads
            fetch_ahead(&job.bends[p + PACKS_AHEAD], 4);
            fetch_ahead(&job.bends[p + PACKS_AHEAD].k[1], 3);
        }
        if (job.solve->next != NULL)
            fetch_next(job.x, job.solve->next, p);
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            struct corners t = load_bend(job.x, pack, lane);
            const struct stencil k = stencil_of(pack, lane);
            const struct vec3 l = bend_vector(k, t);
            const struct vec3 move = isometric_factor(solver, job, p, lane, t, k, l) * l;
            add_scaled(t.a, k.a, move);
            add_scaled(t.b, k.b, move);
            add_scaled(t.c, k.c, move);
            add_scaled(t.d, k.d, move);
            store_bend(job.x, pack, lane, t);
        }
    }
}

// A hinge's angle is no linear function: a correction is one only while it turns the hinge a little, and on
// crumpled sheets long ones would feed each other. No correction turns its hinge farther than this, rad.
#define MOST_TURN 0.25f

static inline float bounded_turn(float factor, float square)
{
    const bool far = abs(factor) * square > MOST_TURN;
    const float most = MOST_TURN / (far ? square : 1.0f);
    return far ? (factor < 0 ? -most : most) : factor;
}

// The same for the angle: E = 1/2 q by^2, grad_j = q by g_j, so eq. (3) gives -1/2 by / sum w |g|^2.
static inline float dihedral_factor(const uniform int solver, const uniform struct pk_element_job &job,
                                    uniform pk_u32 p, uniform int lane, struct corners t,
                                    struct gradients g, float by)
{
    const uniform float relaxation = job.solve->relaxation;
    const int i = lane + programIndex;
    const float square = weighted_square(t, g);
    if (solver == ENERGY) {
        const bool moves = square > 0;
        return bounded_turn(moves ? (-0.5f * relaxation) * by / (moves ? square : 1.0f) : 0.0f,
                            square);
    }
    const float q = job.material->mu * job.bends[p].scale[i];
    if (solver == EXPLICIT)
        return (-relaxation / job.solve->inertia) * q * by;
    float multiplier = job.multipliers[PK_LANES * p + i];
    const float scale = compliant_scale(job.solve->inertia, 1, 0.5f * q * (by * by),
                                        q * q * (by * by) * square, relaxation, multiplier);
    job.multipliers[PK_LANES * p + i] = multiplier;
    return bounded_turn(scale * q * by, square);
}

static inline void project_dihedral(const uniform int solver, const uniform struct pk_element_job &job)
{
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_bend_pack &pack = job.bends[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            struct corners t = load_bend(job.x, pack, lane);
            struct gradients g;
            const float by = turned(dihedral_angle(t, g),
                                    rest_of(pack, lane, job.cells, job.plastic, p));
            correct(t, dihedral_factor(solver, job, p, lane, t, g, by), g);
            store_bend(job.x, pack, lane, t);
        }
    }
}

// Damping of a pack, as project_damp.isph has it for elements: EXPLICIT adds the force, ENERGY and COMPLIANT take a
// compliant step on the viscous potential, ENERGY after each elastic correction, COMPLIANT before its first one.
static inline void damp(const uniform int solver, const uniform struct pk_element_job &job, uniform pk_u32 p)
{
    const uniform struct pk_bend_pack &pack = job.bends[p];
    for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
        struct corners t = load_bend(job.x, pack, lane);
        const struct bend_response v = viscous_bend(job, p, lane, t);
        const float square = weighted_square(t, v.g);
        float fresh = 0, scale = -1 / job.solve->inertia;
        if (solver != EXPLICIT) {
            scale = compliant_scale(job.solve->inertia, 1, v.psi, square, 1, fresh);
            // It takes back no more than what the hinge has turned: psi is weight turn^2 / 2.
            const float weight = viscous_weight(job, pack, lane);
            const float turn = sqrt(2 * v.psi / (weight > 0 ? weight : 1.0f));
            scale = turn > MOST_TURN ? scale * (MOST_TURN / turn) : scale;
        }
        const bool wanted = solver != COMPLIANT || job.multipliers[PK_LANES * p + lane + programIndex] == 0;
        correct(t, wanted ? scale : 0.0f, v.g);
        store_bend(job.x, pack, lane, t);
    }
}

static inline void project_damped(const uniform int solver, const uniform struct pk_element_job &job)
{
    uniform struct pk_element_job one = job;
    one.count = 1;
    one.cells = NULL;
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        one.bends = job.bends + p;
        if (job.cells != NULL)
            one.cells = job.cells + p;
        if (solver == COMPLIANT) {
            one.multipliers = job.multipliers + PK_LANES * p;
            damp(solver, one, 0);
        }
        if (job.material->model == PK_BEND_DIHEDRAL)
            project_dihedral(solver, one);
        else
            project_isometric(solver, one);
        if (solver != COMPLIANT)
            damp(solver, one, 0);
    }
}

// A copy of the job, since the compiler must think that what a kernel stores may change the caller's.
static inline void project_run(const uniform int solver, const uniform struct pk_element_job &given)
{
    const uniform struct pk_element_job job = given;
    if (job.material->damping > 0)
        project_damped(solver, job);
    else if (job.material->model == PK_BEND_DIHEDRAL)
        project_dihedral(solver, job);
    else
        project_isometric(solver, job);
}

PK_EXPORT void PK(pk_project_bends_energy)(const uniform struct pk_element_job *uniform job)
{
    project_run(ENERGY, *job);
}

PK_EXPORT void PK(pk_project_bends_compliant)(const uniform struct pk_element_job *uniform job)
{
    project_run(COMPLIANT, *job);
}

PK_EXPORT void PK(pk_project_bends_explicit)(const uniform struct pk_element_job *uniform job)
{
    project_run(EXPLICIT, *job);
}
