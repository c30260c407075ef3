// descend.ispc - vertex descent for any materials, mixed, damped and plastic ones too.
//
// Lives here: the sums over a vertex's elements, the Newton step on its own three coordinates, and the
// safeguard that keeps the local objective (its elements and its inertia) from rising. A body of one
// elastic model gets a loop of its own; all others share one that looks up each lane's material.
#include "descend.isph"
#include "extra.isph"
#include "material_block.isph"

// A model per lane, found at run time.
#define MIXED -1

// Halvings of a step that would raise the objective; after them the vertex stays where it is.
#define HALVINGS 6

struct descent {
    uniform struct pk_quad *uniform x;
    const uniform struct pk_quad *uniform target;
    const uniform struct pk_quad *uniform start;
    const uniform struct pk_vertex_pack *uniform packs;
    const uniform struct pk_visit *uniform visits;
    const uniform pk_u32 *uniform visit_plastic;
    const uniform struct pk_plastic *uniform plastic;
    const uniform struct pk_material *uniform materials;
    uniform pk_u32 material_count;
    const uniform struct pk_quad *uniform extra;
    uniform pk_u32 extra_stride;
    const uniform struct pk_solve *uniform solve;
};

// A vertex's view of one element; b = dF/dx of the vertex.
struct element {
    struct mat3 f;
    struct vec3 b;
    float volume;
};

static inline struct element view(const uniform struct pk_quad x[], struct point self,
                                  const uniform struct pk_visit &visit, uniform int lane)
{
    const int i = lane + programIndex;
    const struct vec3 e1 = edge(load_points(x, &visit.other[0][lane]), self);
    const struct vec3 e2 = edge(load_points(x, &visit.other[1][lane]), self);
    const struct vec3 e3 = edge(load_points(x, &visit.other[2][lane]), self);
    const struct mat3 d = columns(e1, e2, e3);
    const struct vec3 ra = vector(visit.r[0][i], visit.r[3][i], visit.r[6][i]);
    const struct vec3 rb = vector(visit.r[1][i], visit.r[4][i], visit.r[7][i]);
    const struct vec3 rc = vector(visit.r[2][i], visit.r[5][i], visit.r[8][i]);
    struct element t;
    t.f = columns(mul(d, ra), mul(d, rb), mul(d, rc));
    t.b = -1 * vector(ra.x + ra.y + ra.z, rb.x + rb.y + rb.z, rc.x + rc.y + rc.z);
    t.volume = visit.volume[i];
    // A visit without weight counts for nothing: keep it off the crushed path.
    const bool real = t.volume > 0;
    t.f.a.x = real ? t.f.a.x : 1.0f;
    t.f.b.y = real ? t.f.b.y : 1.0f;
    t.f.c.z = real ? t.f.c.z : 1.0f;
    return t;
}

static inline struct sym3 lane_plastic(const uniform struct descent &scene, uniform pk_u32 visit,
                                       uniform int lane)
{
    struct sym3 e = no_strain();
    if (scene.visit_plastic == NULL)
        return e;
    const pk_u32 cell = scene.visit_plastic[PK_LANES * visit + lane + programIndex];
    if (cell != PK_NO_CELL) {
        const uniform float *uniform base = (const uniform float *uniform)scene.plastic;
        // cell / 16 packs of 6 x 16 floats, then lane cell % 16
        const pk_u32 at = (cell >> 4) * (6 * PK_LANES) + (cell & (PK_LANES - 1));
#pragma ignore warning(perf)
        e.xx = base[at];
#pragma ignore warning(perf)
        e.yy = base[at + PK_LANES];
#pragma ignore warning(perf)
        e.zz = base[at + 2 * PK_LANES];
#pragma ignore warning(perf)
        e.yz = base[at + 3 * PK_LANES];
#pragma ignore warning(perf)
        e.xz = base[at + 4 * PK_LANES];
#pragma ignore warning(perf)
        e.xy = base[at + 5 * PK_LANES];
    }
    return e;
}

// The deformation gradient when the substep began.
static inline struct mat3 start_view(const uniform struct descent &scene,
                                     const uniform struct pk_visit &visit, uniform int lane,
                                     const uniform pk_u32 index[])
{
    const struct element t0 = view(scene.start, load_points(scene.start, index), visit, lane);
    return t0.f;
}

// Any material in any lane; and of those, the energy alone.
static inline struct vertex_response
respond_material(const uniform struct descent &scene, const uniform struct pk_material *uniform m,
                 const uniform struct pk_visit &visit, uniform int lane,
                 const uniform pk_u32 index[], struct element t, struct sym3 plastic)
{
    struct vertex_response r = respond_any(m, t.f, plastic, t.b);
    if (m->damping > 0)
        respond_viscous(m, scene.solve->dt, t.f, start_view(scene, visit, lane, index), t.b, r);
    return r;
}

static inline float energy_material(const uniform struct descent &scene,
                                    const uniform struct pk_material *uniform m,
                                    const uniform struct pk_visit &visit, uniform int lane,
                                    const uniform pk_u32 index[], struct element t,
                                    struct sym3 plastic)
{
    const struct response r = evaluate_any(m, t.f, plastic);
    float psi = r.psi;
    if (m->damping > 0) {
        const struct response v =
            viscous(m, scene.solve->dt, t.f, start_view(scene, visit, lane, index));
        psi += v.psi;
    }
    return psi;
}

static noinline struct vertex_response respond_mixed(const uniform struct descent &scene,
                                                     uniform pk_u32 visit, uniform int lane,
                                                     const uniform pk_u32 index[], struct element t)
{
    const uniform struct pk_visit &v = scene.visits[visit];
    const struct sym3 plastic = lane_plastic(scene, visit, lane);
    if (scene.material_count == 1)
        return respond_material(scene, scene.materials, v, lane, index, t, plastic);
    struct vertex_response r;
    foreach_unique(m in v.material[lane + programIndex])
        r = respond_material(scene, &scene.materials[m], v, lane, index, t, plastic);
    return r;
}

static noinline float energy_mixed(const uniform struct descent &scene, uniform pk_u32 visit,
                                   uniform int lane, const uniform pk_u32 index[],
                                   struct element t)
{
    const uniform struct pk_visit &v = scene.visits[visit];
    const struct sym3 plastic = lane_plastic(scene, visit, lane);
    if (scene.material_count == 1)
        return energy_material(scene, scene.materials, v, lane, index, t, plastic);
    float psi = 0;
    foreach_unique(m in v.material[lane + programIndex])
        psi = energy_material(scene, &scene.materials[m], v, lane, index, t, plastic);
    return psi;
}

static inline struct vertex_response respond_visit(const uniform int model,
                                                   const uniform struct descent &scene,
                                                   uniform pk_u32 visit, uniform int lane,
                                                   const uniform pk_u32 index[], struct element t)
{
    if (model == MIXED)
        return respond_mixed(scene, visit, lane, index, t);
    return respond(model, false, scene.materials, t.f, no_strain(), t.b);
}

// The local objective around the vertex, J, without its inertia.
struct local_objective {
    float energy;
    struct vec3 gradient;
    struct sym3 block;
    float bend;    // N/m: a multiple of the identity that may be negative
    float modulus; // J: a scale of the elements' stiffness, for what rounding may do to `energy`
};

static inline struct local_objective gather(const uniform int model,
                                            const uniform struct descent &scene,
                                            const uniform struct pk_vertex_pack &pack,
                                            uniform int lane, struct point self)
{
    struct local_objective q = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}, 0, 0};
    const uniform pk_u32 end = pack.visit_first + pack.visit_count;
    for (uniform pk_u32 v = pack.visit_first; v < end; v++) {
        const struct element t = view(scene.x, self, scene.visits[v], lane);
        const struct vertex_response r =
            respond_visit(model, scene, v, lane, &pack.self[lane], t);
        const float volume = t.volume, b2 = inner(t.b, t.b);
        q.energy += volume * r.psi;
        q.gradient = q.gradient + volume * r.gradient;
        q.block = q.block + volume * r.block;
        q.bend += volume * r.bend;
        q.modulus += volume * trace(r.block) / larger(b2, 1e-30f);
    }
    return q;
}

static inline float energy(const uniform int model, const uniform struct descent &scene,
                           const uniform struct pk_vertex_pack &pack, uniform int lane,
                           struct point self)
{
    float sum = 0;
    const uniform pk_u32 end = pack.visit_first + pack.visit_count;
    for (uniform pk_u32 v = pack.visit_first; v < end; v++) {
        const struct element t = view(scene.x, self, scene.visits[v], lane);
        if (model == MIXED) {
            sum += t.volume * energy_mixed(scene, v, lane, &pack.self[lane], t);
        } else {
            const struct response r = evaluate(model, false, scene.materials, t.f, no_strain());
            sum += t.volume * r.psi;
        }
    }
    return sum;
}

static inline bool positive(struct ldl3 f)
{
    return f.d0 > 0 && f.d1 > 0 && f.d2 > 0;
}

// -H^-1 g with the part of H that may be negative where H stays positive, else without it.
static inline struct vec3 newton(struct sym3 block, float bend, struct vec3 gradient)
{
    const struct ldl3 full = factorise(add_diagonal(block, bend));
    struct vec3 step = solve_ldl(full, gradient);
    // A pivot far below its diagonal is mostly rounding.
    const bool good = positive(full) && full.d1 > 1e-3f * block.yy && full.d2 > 1e-3f * block.zz &&
                      full.d0 > 1e-3f * block.xx;
    if (any(!good)) {
        const struct ldl3 safe = factorise(add_diagonal(block, larger(bend, 0.0f)));
        step = choose(good, step, solve_ldl(safe, gradient));
    }
    return -1 * step;
}

static inline struct point moved(struct point p, float share, struct vec3 step)
{
    p.x += share * step.x;
    p.y += share * step.y;
    p.z += share * step.z;
    return p;
}

// What inertia and `extra` add to the objective along a step: share * (slope + share * curve).
struct outer_rise {
    float slope, curve;
};

// The largest share 1, 1/2, 1/4 ... of the step that does not raise the local objective, or 0.
static inline float safe_share(const uniform int model, const uniform struct descent &scene,
                               const uniform struct pk_vertex_pack &pack, uniform int lane,
                               struct point self, struct local_objective q, struct outer_rise other,
                               struct vec3 step)
{
    // Energies are known to about this: a part of themselves, and strains to some 1e-7.
    const float size = abs(q.energy), stiff = abs(q.modulus);
    const float noise = 1e-6f * size + 1e-6f * sqrt(size * stiff) + 1e-12f * stiff;
    float share = 1;
    for (uniform int k = 0; k < HALVINGS; k++) {
        const float after = energy(model, scene, pack, lane, moved(self, share, step));
        const float rise = (after - q.energy) + share * (other.slope + share * other.curve);
        const bool bad = self.w > 0 && !(rise <= noise);
        if (none(bad))
            return share;
        share = bad ? 0.5f * share : share;
    }
    const float after = energy(model, scene, pack, lane, moved(self, share, step));
    const float rise = (after - q.energy) + share * (other.slope + share * other.curve);
    return rise <= noise ? share : 0.0f;
}

static inline void descend(const uniform int model, const uniform struct descent &scene,
                           uniform pk_u32 count)
{
    for (uniform pk_u32 p = 0; p < count; p++) {
        const uniform struct pk_vertex_pack &pack = scene.packs[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct point self = load_points(scene.x, &pack.self[lane]);
            const struct point goal = load_points(scene.target, &pack.self[lane]);
            const float weight = scene.solve->inertia * goal.w;
            const struct vec3 away = edge(self, goal);
            const struct local_objective q = gather(model, scene, pack, lane, self);
            // Lanes without mass do not move; 1 keeps their system regular.
            const bool free = self.w > 0;
            const struct vec3 zero = vector(0, 0, 0);
            struct sym3 block = add_diagonal(q.block, free ? weight : 1.0f);
            struct vec3 gradient = q.gradient + weight * away;
            struct outside e = {{0, 0, 0}, {0, 0, 0, 0, 0, 0}};
            if (scene.extra != NULL) {
                e = load_extra(scene.extra, scene.extra_stride, &pack.self[lane]);
                block = block + e.k;
                gradient = gradient + extra_gradient(e, away);
            }
            struct vec3 step = choose(free, newton(block, q.bend, gradient), zero);
            if (model != PK_SNH) {
                struct outer_rise other = {weight * inner(away, step),
                                     0.5f * weight * inner(step, step)};
                if (scene.extra != NULL) {
                    other.slope += inner(extra_gradient(e, away), step);
                    other.curve += 0.5f * inner(mul(e.k, step), step);
                }
                step = safe_share(model, scene, pack, lane, self, q, other, step) * step;
            }
            move_point(scene.x, &pack.self[lane], self, step);
        }
    }
}

// One elastic model for the whole body; anisotropic ones are rare enough to share the mixed loop.
static inline uniform int model_of(const uniform struct pk_material materials[],
                                   uniform pk_u32 count)
{
    const uniform struct pk_material &m = materials[0];
    const uniform bool plain = count == 1 && !(m.damping > 0) && !(m.yield > 0) &&
                               (m.model == PK_SNH || m.model == PK_STVK ||
                                m.model == PK_NEO_HOOKEAN);
    return plain ? (uniform int)m.model : MIXED;
}

PK_EXPORT void PK(pk_descend)(uniform struct pk_quad x[], const uniform struct pk_quad target[],
                              const uniform struct pk_quad start[],
                              const uniform struct pk_vertex_pack packs[],
                              const uniform struct pk_visit visits[],
                              const uniform pk_u32 visit_plastic[],
                              const uniform struct pk_plastic plastic[], uniform pk_u32 count,
                              const uniform struct pk_material materials[],
                              uniform pk_u32 material_count,
                              const uniform struct pk_quad extra[], uniform pk_u32 stride,
                              const uniform struct pk_solve *uniform solve)
{
    uniform struct descent scene = {x,       target,    start,          packs, visits, visit_plastic,
                                    plastic, materials, material_count, extra, stride, solve};
    const uniform int model = model_of(materials, material_count);
    if (model == PK_SNH)
        descend(PK_SNH, scene, count);
    else if (model == PK_STVK)
        descend(PK_STVK, scene, count);
    else if (model == PK_NEO_HOOKEAN)
        descend(PK_NEO_HOOKEAN, scene, count);
    else
        descend(MIXED, scene, count);
}
