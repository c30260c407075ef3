// descend_snh.ispc - vertex descent for bodies made of stable Neo-Hookean materials only.
//
// Lives here: the one kernel that is nearly all of a default scene's time. In one vertex this energy
// is exactly quadratic, so one Newton step is the exact minimum and needs no safeguard. The constants
// of stiffness and rest shape are folded into pk_visit_snh; docs/method/kernels.md derives them.
#include "motion/descend.isph"
#include "motion/external_quadratic.isph"
#include "motion/guide.isph"
#include "solids/material.isph"
#include "collide/planes.isph"

struct local_quadratic {
    struct vec3 gradient;
    struct sym3 block;
};

// The term of collapsed elements (material.isph), for lanes near enough to need it: |F| < 1 implies
// |det F| < 0.193. Rest shape and stiffness are not at hand, but can be had from the rest stream and
// from k_i = mu V r_i.b. The block needs nothing: what it has already, mu V |b|^2, bounds this term's
// curvature from above, so the step still never raises the objective.
static unmasked noinline void add_collapse(struct local_quadratic &q, bool flat, struct point self,
                                           struct point x1, struct point x2, struct point x3,
                                           const uniform struct pk_quad rest[],
                                           const uniform pk_u32 index[],
                                           const uniform struct pk_visit_snh &visit, uniform int lane)
{
    const int i = lane + programIndex;
    const struct point r0 = load_points(rest, index);
    const struct vec3 d1 = edge(load_points(rest, &visit.other[0][lane]), r0);
    const struct vec3 d2 = edge(load_points(rest, &visit.other[1][lane]), r0);
    const struct vec3 d3 = edge(load_points(rest, &visit.other[2][lane]), r0);
    const struct mat3 cof = cofactor(columns(d1, d2, d3));
    const float inverse = 1 / inner(d1, cof.a);
    const struct vec3 n1 = inverse * cof.a, n2 = inverse * cof.b, n3 = inverse * cof.c;
    const struct vec3 b = -1 * (n1 + n2 + n3);
    const struct vec3 e1 = edge(x1, self), e2 = edge(x2, self), e3 = edge(x3, self);
    const struct mat3 f = columns(n1.x * e1 + n2.x * e2 + n3.x * e3,
                                  n1.y * e1 + n2.y * e2 + n3.y * e3,
                                  n1.z * e1 + n2.z * e2 + n3.z * e3);
    struct mat3 direction;
    const float gap = collapse(f, direction);
    const float stiffness = -(visit.k[0][i] + visit.k[1][i] + visit.k[2][i]) / inner(b, b);
    q.gradient = choose(flat, q.gradient - (stiffness * gap) * mul(direction, b), q.gradient);
}

// Adds one element. `d` runs from its first other corner to the vertex; n is twice the area vector of
// the opposite face, so n.d is six times the volume.
static inline void add_visit(const uniform bool block, struct local_quadratic &q, struct point self,
                             const uniform struct pk_quad x[], const uniform struct pk_quad rest[],
                             const uniform pk_u32 index[],
                             const uniform struct pk_visit_snh &visit, uniform int lane)
{
    const int i = lane + programIndex;
    const struct point x1 = load_points(x, &visit.other[0][lane]);
    const struct point x2 = load_points(x, &visit.other[1][lane]);
    const struct point x3 = load_points(x, &visit.other[2][lane]);
    const float k1 = visit.k[0][i], k2 = visit.k[1][i], k3 = visit.k[2][i];
    const float alpha = visit.alpha[i], beta = visit.beta[i];

    const struct vec3 e2 = edge(x2, x1), e3 = edge(x3, x1), d = edge(self, x1);
    const struct vec3 n = cross(e2, e3);
    const float swell = beta * inner(n, d), pressure = alpha + beta * inner(n, d);
    // sum_i k_i (x_i - self), from edges that start at x1
    const float k = k1 + k2 + k3;
    q.gradient = q.gradient + (k2 * e2 + k3 * e3 - k * d + pressure * n);

    if (block) {
        const struct vec3 m = beta * n;
        q.block.xx += m.x * n.x;
        q.block.yy += m.y * n.y;
        q.block.zz += m.z * n.z;
        q.block.yz += m.y * n.z;
        q.block.xz += m.x * n.z;
        q.block.xy += m.x * n.y;
    }

    const bool flat = abs(swell) < 0.2f * alpha;
    if (any(flat)) {
        add_collapse(q, flat, self, x1, x2, x3, rest, index, visit, lane);
    }
}

static inline void tell_gradients(const uniform struct pk_descent_job &job)
{
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_vertex_pack &pack = job.packs[p];
        const uniform pk_u32 end = pack.visits[PK_VISIT_TET].first + pack.visits[PK_VISIT_TET].count;
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct point self = load_points(job.x, &pack.self[lane]);
            struct local_quadratic q;
            q.gradient = outer_gradient(job, &pack.self[lane], self);
            for (uniform pk_u32 v = pack.visits[PK_VISIT_TET].first; v < end; v++)
                add_visit(false, q, self, job.x, job.rest, &pack.self[lane], job.visits_snh[v], lane);
            const struct sym3 nothing = {0, 0, 0, 0, 0, 0};
            tell_gradient(job, &pack.self[lane], lane, self, q.gradient, nothing);
        }
    }
}

static inline void descend(const uniform struct pk_descent_job &job)
{
    const uniform float inertia = job.solve->inertia;
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_vertex_pack &pack = job.packs[p];
        const uniform pk_u32 end = pack.visits[PK_VISIT_TET].first + pack.visits[PK_VISIT_TET].count;
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct point self = load_points(job.x, &pack.self[lane]);
            const struct point goal = load_points(job.target, &pack.self[lane]);
            const float weight = inertia * goal.w;
            const float diagonal = weight + pack.laplacian[lane + programIndex];
            struct local_quadratic q;
            q.gradient = weight * edge(self, goal);
            q.block = symmetric(diagonal, diagonal, diagonal, 0, 0, 0);
            if (job.external != NULL) {
                const struct outside e = load_extra(job.external, job.stride, &pack.self[lane]);
                q.gradient = q.gradient + extra_gradient(e, edge(self, goal));
                q.block = q.block + e.k;
            }
            for (uniform pk_u32 v = pack.visits[PK_VISIT_TET].first; v < end; v++)
                add_visit(true, q, self, job.x, job.rest, &pack.self[lane], job.visits_snh[v], lane);
            if (job.guides != NULL) {
                const struct point guide = load_points(job.guides, &pack.self[lane]);
                q.gradient = guided(guide, q.gradient);
                q.block = guided_block(guide, q.block, 0);
            }
            const struct local_problem v = {self, q.block, factorise(q.block), q.gradient};
            struct vec3 push;
            struct vec3 step =
                with_touches(v, -job.solve->relaxation * solve_ldl(v.factors, v.gradient), &pack.self[lane], job.solve, true, push);
            if (job.guides != NULL)
                step = guided(load_points(job.guides, &pack.self[lane]), step);
            move_point(job.x, &pack.self[lane], self, step);
        }
    }
}

PK_EXPORT void PK(pk_descend_snh)(const uniform struct pk_descent_job *uniform given)
{
    const uniform struct pk_descent_job job = *given;
    if (moves(job))
        descend(job);
    else
        tell_gradients(job);
}
