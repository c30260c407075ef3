// descend_cloth.ispc - vertex descent for plain cloth: triangles of one elastic St Venant-Kirchhoff
// material, isometric bends, nothing else.
//
// Lives here: the kernel of nearly every garment. In one vertex this energy is a polynomial of fourth
// degree whose coefficients come with the force and the Hessian block, so the safeguard knows the
// objective anywhere along the step and looks at no element twice (docs/method/cloth.md derives it):
//     F = F0 + s b^T   E = E0 + sym(F0^T s b^T) + |s|^2/2 b b^T   psi = 1/2 E : C : E
//     psi(s) - psi(0) = g.s + 1/2 s.H s + |s|^2 c.s + q |s|^4,   c = F0 h / 2, q = b.h / 8, h = (C : b b^T) b
// That holds while no triangle is crushed. A vertex near one, or whose step could crush one, is done
// again by descend_any.isph, which knows all continuations.
#include "motion/descend_any.isph"

// Principal stretches above 3/4 stay above the 1/sqrt(3) where the continuation begins if the step
// changes no F by more than their distance: |s b| bounds the change of every stretch.
#define PLAIN_LEAST2 0.5625f
#define PLAIN_REACH2 0.0289f // 0.17^2

// Some six visits are a pack's.
#define VISITS_AHEAD 8

struct local_quartic {
    struct vec3 gradient;
    struct sym3 block;
    float bend; // N/m: a multiple of the identity that may be negative
    struct vec3 cubic;
    float quartic;
    float reach2; // 1/m^2, largest |b|^2
    bool plain;   // no triangle is near being crushed
};

static inline void add_triangle(const uniform int model,
                                const uniform struct pk_material *uniform material,
                                struct local_quartic &q, struct sheet t)
{
    const struct sym2 e = green(t.f);
    const struct vec2 sb = mul(hooke(model, material, e), t.b);
    const float b2 = inner(t.b, t.b);
    q.gradient = q.gradient + t.area * mul(t.f, sb);
    q.bend += t.area * inner(t.b, sb);
    q.block = q.block + t.area * hooke_block(model, material, t.f, t.b);
    if (!model_anisotropic(model)) {
        const float h = (0.5f * t.area) * ((2 * material->mu + material->lambda) * b2);
        q.cubic = q.cubic + h * mul(t.f, t.b);
        q.quartic += 0.25f * h * b2;
    } else {
        const struct sym2 bb = symmetric(t.b.x * t.b.x, t.b.y * t.b.y, t.b.x * t.b.y);
        const struct vec2 h = mul(hooke(model, material, bb), t.b);
        q.cubic = q.cubic + (0.5f * t.area) * mul(t.f, h);
        q.quartic += 0.125f * t.area * inner(t.b, h);
    }
    q.reach2 = larger(q.reach2, t.area > 0 ? b2 : 0.0f);
    q.plain = q.plain && (sheet_above(e, PLAIN_LEAST2) || !(t.area > 0));
}

// A visit without weight may have any F: it adds nothing.
static inline struct sheet plain_view(const uniform struct pk_quad x[], struct point self,
                                      const uniform struct pk_triangle_visit &visit,
                                      uniform int lane)
{
    const int i = lane + programIndex;
    const struct vec3 e1 = edge(load_points(x, &visit.other[0][lane]), self);
    const struct vec3 e2 = edge(load_points(x, &visit.other[1][lane]), self);
    const float r0 = visit.r[0][i], r1 = visit.r[1][i], r2 = visit.r[2][i], r3 = visit.r[3][i];
    struct sheet t;
    t.f = columns(r0 * e1 + r2 * e2, r1 * e1 + r3 * e2);
    t.b = vector(-(r0 + r2), -(r1 + r3));
    t.area = visit.area[i];
    return t;
}

// The largest share 1, 1/2, 1/4 ... of the step that does not raise the objective, or 0.
static inline float plain_share(struct local_quartic q, struct vec3 step)
{
    const float s2 = inner(step, step);
    const float a1 = inner(q.gradient, step);
    const float a2 = 0.5f * (inner(mul(q.block, step), step) + q.bend * s2);
    const float a3 = s2 * inner(q.cubic, step);
    const float a4 = s2 * s2 * q.quartic;
    float share = 1;
    for (uniform int k = 0; k < HALVINGS; k++) {
        const bool bad = !(a1 + share * (a2 + share * (a3 + share * a4)) <= 0);
        if (none(bad))
            return share;
        share = bad ? 0.5f * share : share;
    }
    return a1 + share * (a2 + share * (a3 + share * a4)) <= 0 ? share : 0.0f;
}

// What is quadratic in the vertex: inertia, bends, and what acts from outside.
static inline struct local_quartic begin(const uniform struct pk_descent_job &job,
                                         const uniform struct pk_vertex_pack &pack,
                                         uniform int lane, struct point self)
{
    const struct point goal = load_points(job.target, &pack.self[lane]);
    const float weight = job.solve->inertia * goal.w;
    const struct vec3 away = edge(self, goal);
    struct local_quartic q;
    q.gradient =
        weight * away + bend_gradient(job.x, job.rows, pack, lane, self);
    // Lanes without mass do not move; 1 keeps their system regular.
    const float diagonal = (self.w > 0 ? weight : 1.0f) + pack.bending[lane + programIndex];
    q.block = symmetric(diagonal, diagonal, diagonal, 0, 0, 0);
    q.cubic = vector(0, 0, 0);
    q.bend = q.quartic = q.reach2 = 0;
    q.plain = true;
    if (job.external != NULL) {
        const struct outside e = load_extra(job.external, job.stride, &pack.self[lane]);
        q.block = q.block + e.k;
        q.gradient = q.gradient + extra_gradient(e, away);
    }
    return q;
}

// Whether no triangle is crushed, or can be along the step.
static inline bool stays_plain(struct local_quartic q, struct vec3 step)
{
    return q.plain && inner(step, step) * q.reach2 < PLAIN_REACH2;
}

static noinline struct vec3 crushed_step(const uniform struct pk_descent_job &job,
                                         const uniform struct pk_vertex_pack &pack,
                                         uniform int lane, struct point self, bool wanted)
{
    const uniform struct tets_kind none_at_all = {MIXED, 0, NULL};
    return vertex_step(false, true, none_at_all, job, pack, lane, self, wanted);
}

static inline void descend_plain(const uniform int model, const uniform struct pk_descent_job &job,
                                 const uniform struct pk_material *uniform material)
{
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_vertex_pack &pack = job.packs[p];
        const uniform pk_u32 end = pack.visits[PK_VISIT_TRIANGLE].first + pack.visits[PK_VISIT_TRIANGLE].count;
        fetch_ahead(&job.packs[p + 2], 4);
        fetch_next_vertices(job.x, job.target, job.solve, p);
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct point self = load_points(job.x, &pack.self[lane]);
            struct local_quartic q = begin(job, pack, lane, self);
            for (uniform pk_u32 v = pack.visits[PK_VISIT_TRIANGLE].first; v < end; v++) {
                if (lane == 0)
                    fetch_ahead(&job.triangles[v + VISITS_AHEAD], 7); // not the material
                add_triangle(model, material, q,
                             plain_view(job.x, self, job.triangles[v], lane));
            }
            if (job.guides != NULL) {
                const struct point guide = load_points(job.guides, &pack.self[lane]);
                q.gradient = guided(guide, q.gradient);
                q.block = guided_block(guide, q.block, q.bend);
            }
            const struct local_problem v = newton(self, q.block, q.bend, q.gradient);
            struct vec3 push, step = newton_step(v);
            const bool good = stays_plain(q, step);
            step = with_touches(v, step, &pack.self[lane], job.solve, good, push);
            if (job.guides != NULL)
                step = guided(load_points(job.guides, &pack.self[lane]), step);
            q.gradient = q.gradient - push;
            const float share = plain_share(q, step);
            const bool crushed = self.w > 0 && !(good && stays_plain(q, step));
            ease_touches(&pack.self[lane], job.solve, share, self.w > 0 && !crushed);
            step = share * step;
            if (any(crushed))
                step = choose(crushed, crushed_step(job, pack, lane, self, crushed), step);
            move_point(job.x, &pack.self[lane], self, step);
        }
    }
}

static noinline struct vec3 crushed_gradient(const uniform struct pk_descent_job &job,
                                             const uniform struct pk_vertex_pack &pack, uniform int lane,
                                             struct point self)
{
    struct sym3 unused;
    const uniform struct tets_kind none_at_all = {MIXED, 0, NULL};
    return vertex_gradient(false, true, none_at_all, job, pack, lane, self, unused);
}

static inline void tell_gradients(const uniform int model, const uniform struct pk_descent_job &job,
                                  const uniform struct pk_material *uniform material)
{
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_vertex_pack &pack = job.packs[p];
        const uniform pk_u32 end = pack.visits[PK_VISIT_TRIANGLE].first + pack.visits[PK_VISIT_TRIANGLE].count;
        fetch_ahead(&job.packs[p + 2], 4);
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct point self = load_points(job.x, &pack.self[lane]);
            struct local_quartic q = begin(job, pack, lane, self);
            q.block = symmetric(0, 0, 0, 0, 0, 0);
            for (uniform pk_u32 v = pack.visits[PK_VISIT_TRIANGLE].first; v < end; v++) {
                if (lane == 0)
                    fetch_ahead(&job.triangles[v + VISITS_AHEAD], 7); // not the material
                add_triangle(model, material, q, plain_view(job.x, self, job.triangles[v], lane));
            }
            if (any(self.w > 0 && !q.plain))
                q.gradient = choose(q.plain, q.gradient, crushed_gradient(job, pack, lane, self));
            tell_gradient(job, &pack.self[lane], lane, self, q.gradient,
                          add_diagonal(q.block, larger(q.bend, 0.0f)));
        }
    }
}

static inline void descend(const uniform int model, const uniform struct pk_descent_job &job,
                           const uniform struct pk_material *uniform material)
{
    if (moves(job))
        descend_plain(model, job, material);
    else
        tell_gradients(model, job, material);
}

PK_EXPORT void PK(pk_descend_cloth)(const uniform struct pk_descent_job *uniform given)
{
    const uniform struct pk_descent_job job = *given;
    const uniform struct pk_material *uniform m = &job.materials[job.sheet_material];
#define X(NAME, name, law, strain, ...)                                                             \
    if (strain && m->model == PK_MODEL_##NAME)                                                     \
        descend(PK_MODEL_##NAME, job, m);
    MODELS(X)
#undef X
}
