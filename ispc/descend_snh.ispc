// descend_snh.ispc - vertex descent for bodies made of stable Neo-Hookean materials only.
//
// Lives here: the one kernel that is nearly all of a default scene's time. In one vertex this energy
// is exactly quadratic, so one Newton step is the exact minimum and needs no safeguard. The constants
// of stiffness and rest shape are folded into pk_visit_snh; docs/kernels.md derives them.
#include "descend.isph"

struct local_quadratic {
    struct vec3 gradient;
    struct sym3 block;
};

// Adds one element. `d` runs from its first other corner to the vertex; n is twice the area vector of
// the opposite face, so n.d is six times the volume.
static inline void add_visit(struct local_quadratic &q, struct vec3 self,
                             const uniform struct pk_quad x[],
                             const uniform struct pk_visit_snh &visit, uniform int lane)
{
    const int i = lane + programIndex;
    const struct point x1 = load_points(x, &visit.other[0][lane]);
    const struct point x2 = load_points(x, &visit.other[1][lane]);
    const struct point x3 = load_points(x, &visit.other[2][lane]);
    const float k1 = visit.k[0][i], k2 = visit.k[1][i], k3 = visit.k[2][i];
    const float alpha = visit.alpha[i], beta = visit.beta[i];

    const struct vec3 e2 = vector(x2.x - x1.x, x2.y - x1.y, x2.z - x1.z);
    const struct vec3 e3 = vector(x3.x - x1.x, x3.y - x1.y, x3.z - x1.z);
    const struct vec3 d = vector(self.x - x1.x, self.y - x1.y, self.z - x1.z);
    const struct vec3 n = cross(e2, e3);
    const float pressure = alpha + beta * inner(n, d);
    // sum_i k_i (x_i - self), from edges that start at x1
    const float k = k1 + k2 + k3;
    q.gradient = q.gradient + (k2 * e2 + k3 * e3 - k * d + pressure * n);

    const struct vec3 m = beta * n;
    q.block.xx += m.x * n.x;
    q.block.yy += m.y * n.y;
    q.block.zz += m.z * n.z;
    q.block.yz += m.y * n.z;
    q.block.xz += m.x * n.z;
    q.block.xy += m.x * n.y;
}

PK_EXPORT void PK(pk_descend_snh)(uniform struct pk_quad x[],
                                  const uniform struct pk_quad target[],
                                  const uniform struct pk_vertex_pack packs[],
                                  const uniform struct pk_visit_snh visits[], uniform pk_u32 count,
                                  const uniform struct pk_solve *uniform solve)
{
    const uniform float inertia = solve->inertia;
    for (uniform pk_u32 p = 0; p < count; p++) {
        const uniform struct pk_vertex_pack &pack = packs[p];
        const uniform pk_u32 end = pack.visit_first + pack.visit_count;
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct point self = load_points(x, &pack.self[lane]);
            const struct point goal = load_points(target, &pack.self[lane]);
            const float weight = inertia * goal.w;
            const float diagonal = weight + pack.laplacian[lane + programIndex];
            const struct vec3 at = position(self);
            struct local_quadratic q;
            q.gradient = weight * (at - position(goal));
            q.block = symmetric(diagonal, diagonal, diagonal, 0, 0, 0);
            for (uniform pk_u32 v = pack.visit_first; v < end; v++)
                add_visit(q, at, x, visits[v], lane);
            move_point(x, &pack.self[lane], self, -1 * solve_ldl(factorise(q.block), q.gradient));
        }
    }
}
