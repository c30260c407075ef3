// probe_solid.ispc - energy, stress, gradient and block of given deformation gradients, for tests.
//
// Lives here: calls of the functions that the kernels call, and nothing of their maths.
#include "motion/descend_quartic.isph"
#include "solids/material_block.isph"
#include "base/pk.isph"
#include "probe_solid.h"

static inline struct mat3 load_matrix(const uniform float m[][PK_LANES], uniform int lane)
{
    const int i = lane + programIndex;
    return columns(vector(m[0][i], m[3][i], m[6][i]), vector(m[1][i], m[4][i], m[7][i]),
                   vector(m[2][i], m[5][i], m[8][i]));
}

static inline void store_matrix(uniform float m[][PK_LANES], uniform int lane, struct mat3 v)
{
    const int i = lane + programIndex;
    m[0][i] = v.a.x;
    m[3][i] = v.a.y;
    m[6][i] = v.a.z;
    m[1][i] = v.b.x;
    m[4][i] = v.b.y;
    m[7][i] = v.b.z;
    m[2][i] = v.c.x;
    m[5][i] = v.c.y;
    m[8][i] = v.c.z;
}

PK_EXPORT void pk_probe_solid(uniform struct pk_probe probes[], uniform pk_u32 count,
                              const uniform struct pk_material *uniform material, uniform float dt)
{
    for (uniform pk_u32 n = 0; n < count; n++) {
        uniform struct pk_probe &q = probes[n];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int i = lane + programIndex;
            const struct mat3 f = load_matrix(q.f, lane), f0 = load_matrix(q.f0, lane);
            const struct vec3 b = vector(q.b[0][i], q.b[1][i], q.b[2][i]);
            const struct sym3 plastic = symmetric(q.plastic[0][i], q.plastic[1][i], q.plastic[2][i],
                                                  q.plastic[3][i], q.plastic[4][i], q.plastic[5][i]);
            struct response r = evaluate_any(material, f, plastic);
            struct vertex_response v = respond_any(material, f, plastic, b);
            if (material->damping > 0) {
                const struct response more = viscous(material, dt, f, f0);
                r.psi += more.psi;
                r.p = r.p + more.p;
                respond_viscous(material, dt, f, f0, b, v);
            }
            q.psi[i] = r.psi;
            store_matrix(q.p, lane, r.p);
            q.vertex_psi[i] = v.psi;
            q.gradient[0][i] = v.gradient.x;
            q.gradient[1][i] = v.gradient.y;
            q.gradient[2][i] = v.gradient.z;
            q.block[0][i] = v.block.xx;
            q.block[1][i] = v.block.yy;
            q.block[2][i] = v.block.zz;
            q.block[3][i] = v.block.yz;
            q.block[4][i] = v.block.xz;
            q.block[5][i] = v.block.xy;
            q.bend[i] = v.bend;
        }
    }
}

static inline void probe_step(const uniform int model, uniform struct pk_probe_step &q, uniform int lane,
                              const uniform struct pk_material *uniform material, uniform float dt)
{
    const int i = lane + programIndex;
    const struct mat3 f = load_matrix(q.f, lane), f0 = load_matrix(q.f0, lane);
    const struct vec3 b = vector(q.b[0][i], q.b[1][i], q.b[2][i]);
    const struct vec3 step = vector(q.step[0][i], q.step[1][i], q.step[2][i]);
    struct vertex_response v = respond(model, false, material, f, no_strain(), b);
    add_viscous(model, material, material->damping / dt, green(f0), f, b, v);
    struct step_terms beyond = {{0, 0, 0}, 0, 1, 0, 0};
    add_quartic(model, material, material->damping / dt, 1, f, b, beyond);
    add_limit(beyond, 1, v.slack, b);
    if (model_quadratic(model))
        beyond.spare = material->mu * inner(b, b);
    struct ascent along = rise_along(beyond, v.gradient, add_diagonal(v.block, v.bend), step);
    float more = 0;
    if (model_swells(model)) {
        const float u = inner(v.grows.way, step);
        along.c2 -= 0.5f * v.grows.along * (u * u);
        more = rise_of_swell(material->mu, material->lambda, v.grows.log, u);
    }
    q.rise[i] = rise_at(along, 1) + more;
    q.holds[i] = holds(least_square(model), beyond, step) ? 1 : 0;
}

PK_EXPORT void pk_probe_steps(uniform struct pk_probe_step probes[], uniform pk_u32 count,
                              const uniform struct pk_material *uniform material, uniform float dt)
{
    for (uniform pk_u32 n = 0; n < count; n++) {
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
#define X(NAME, name, ...)                                                                         \
    if (material->model == PK_MODEL_##NAME)                                                        \
        probe_step(PK_MODEL_##NAME, probes[n], lane, material, dt);
            MODELS(X)
#undef X
        }
    }
}
