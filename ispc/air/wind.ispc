// wind.ispc - what the air does to cloth: drag and lift of each triangle, as loads on its corners.
//
// Lives here: the aerodynamic force on a triangle, and how far the objective may count on it. With u the velocity
// through the air (that of the particle minus the wind) and n the side that the triangle turns to its mean u
// (n.u > 0, |n| = 1), A its area and r the density of the air / 2, a triangle feels
//     F = -r A (n.u) (drag u + lift (n |u|^2 - u (n.u)) / |u|):
// drag along u, r A drag |u|^2 on a plate that meets the air squarely, and lift across it, which does no work.
// As a matrix on u that is d I + l [. x c], c = n x u, d = r A drag (n.u), l = r A lift (n.u) / |u|; each corner
// takes a third of it, on its own velocity. It is a load of the substep, beside gravity: what is held feels the
// force of the wind upon what stands still, whatever dt, iterations or mass.
//   Drag falls as cloth is carried along: the load comes with a resistance R = d (1 + s), with s of s (1 + h d s) = 1
// and h = dt / m, m the triangle's own mass. A triangle that nothing holds then ends the substep at s u, drag's
// exact implicit step. Projections have no place for a resistance; they take d s^2 instead of d, and what they
// hold feels that much less.
//   Lift turns velocities, so it is taken after one implicit step of its own, u' = (u - b u x c + b^2 (c.u) c) /
// (1 + b^2 |c|^2), b = h l.
//   Corners are heavier than the thirds of their triangles, so a corner's new velocity through the air is a mean of
// its old one, of none and of u' of its triangles: in still air no kinetic energy comes from nothing.
// Where there is a grid of winds it is sampled at the triangle's middle, where that is when the substep begins.
#include "kernels/kernels_forces.h"
#include "base/quads.isph"

// s with s (1 + q s) = 1: |u'| / |u| of quadratic drag, solved implicitly.
static inline float slowed(float q)
{
    return 2 / (1 + sqrt(1 + 4 * q));
}

// What the air does to a triangle: F = -(drag u + lift u' x turn).
struct airflow {
    float drag, lift;  // kg/s, kg/m
    float resistance;  // kg/s
    float turned;      // m/kg: b
    float scale;       // 1 / (1 + b^2 |c|^2)
    struct vec3 turn;  // m/s: c
};

static inline struct airflow flow_around(struct point a, struct point b, struct point c, struct vec3 u, float area,
                                         const uniform struct pk_air *uniform air)
{
    const struct vec3 areas = cross(edge(b, a), edge(c, a)); // twice the area, along the normal
    const float double_area = sqrt(inner(areas, areas)), speed = sqrt(inner(u, u));
    const bool blows = double_area > 0 && speed > 0;
    const float across = blows ? abs(inner(areas, u)) : 0.0f; // 2 A (n.u)
    const float side = inner(areas, u) < 0 ? -1.0f : 1.0f;
    const float h = area > 0 ? air->dt / (air->mass * area) : 0.0f;
    const float d = 0.5f * air->drag * across, l = 0.5f * air->lift * across / (blows ? speed : 1.0f);
    const float s = slowed(h * d);
    const uniform bool objective = air->objective != 0;
    struct airflow f;
    f.turn = cross((side / (blows ? double_area : 1.0f)) * areas, u);
    f.drag = objective ? d : d * s * s;
    f.resistance = objective ? d * (1 + s) : 0.0f;
    f.turned = h * l;
    f.scale = 1 / (1 + f.turned * f.turned * inner(f.turn, f.turn));
    f.lift = objective ? l : l * s;
    return f;
}

// Adds a third of the force, for a corner that moves through the air with u.
static inline void push_corner(uniform struct pk_quad force[], const uniform pk_u32 index[], struct vec3 u,
                               struct airflow f)
{
    const float b = f.turned;
    const struct vec3 after =
        f.scale * (u - b * cross(u, f.turn) + (b * b * inner(f.turn, u)) * f.turn);
    const struct vec3 whole = f.drag * u + f.lift * cross(after, f.turn);
    struct point p = load_points(force, index);
    p.x -= whole.x / 3;
    p.y -= whole.y / 3;
    p.z -= whole.z / 3;
    p.w += f.resistance / 3;
    store_points(force, index, p);
}

// Where along an axis: the cell, and the share of it that lies before the place. The border's values go on outside.
static inline pk_u32 find_cell(float place, const uniform struct pk_wind_grid *uniform grid, const uniform int axis,
                               float &share)
{
    const float at = (place - grid->origin[axis]) * grid->per_metre[axis];
    // In this order a place that is not a number is in the first cell.
    const float held = at > 0 ? (at < grid->end[axis] ? at : grid->end[axis]) : 0.0f;
    const uniform int last = (uniform int)grid->last[axis];
    const int cell = min((int)held, last);
    share = held - (float)cell;
    return (pk_u32)cell;
}

static inline struct vec3 node_at(const uniform struct pk_quad nodes[], pk_u32 node)
{
    uniform pk_u32 index[programCount];
    index[programIndex] = node;
    const struct point p = load_points(nodes, index);
    return vector(p.x, p.y, p.z);
}

// a where the share is 0. Of equal values it is that value, to the bit.
static inline struct vec3 mix(struct vec3 a, struct vec3 b, float share)
{
    return a + share * (b - a);
}

// m/s, what the grid adds to the wind at a place.
static inline struct vec3 wind_at(struct vec3 place, const uniform struct pk_wind_grid *uniform grid,
                                  const uniform struct pk_quad nodes[])
{
    float in_x, in_y, in_z;
    const pk_u32 x = find_cell(place.x, grid, 0, in_x);
    const pk_u32 y = find_cell(place.y, grid, 1, in_y);
    const pk_u32 z = find_cell(place.z, grid, 2, in_z);
    const uniform pk_u32 right = grid->next[0], up = grid->next[1], on = grid->next[2];
    const pk_u32 node = x * right + y * up + z * on;
    const struct vec3 low = mix(mix(node_at(nodes, node), node_at(nodes, node + right), in_x),
                                mix(node_at(nodes, node + up), node_at(nodes, node + up + right), in_x), in_y);
    const struct vec3 high =
        mix(mix(node_at(nodes, node + on), node_at(nodes, node + on + right), in_x),
            mix(node_at(nodes, node + on + up), node_at(nodes, node + on + up + right), in_x), in_y);
    return grid->strength * mix(low, high, in_z);
}

// A loop of its own for each, so that worlds without a grid pay nothing.
static inline void blow(const uniform bool gridded, const uniform struct pk_wind_job &job)
{
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_triangle_pack &pack = job.packs[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct point a = load_points(job.x, &pack.index[0][lane]);
            const struct point b = load_points(job.x, &pack.index[1][lane]);
            const struct point c = load_points(job.x, &pack.index[2][lane]);
            const struct point va = load_points(job.v, &pack.index[0][lane]);
            const struct point vb = load_points(job.v, &pack.index[1][lane]);
            const struct point vc = load_points(job.v, &pack.index[2][lane]);
            struct vec3 wind = vector(job.air->wind[0], job.air->wind[1], job.air->wind[2]);
            if (gridded)
                wind = wind + wind_at(vector((a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3, (a.z + b.z + c.z) / 3),
                                      job.grid, job.nodes);
            const struct vec3 ua = vector(va.x, va.y, va.z) - wind, ub = vector(vb.x, vb.y, vb.z) - wind;
            const struct vec3 uc = vector(vc.x, vc.y, vc.z) - wind;
            const struct vec3 mean = vector((ua.x + ub.x + uc.x) / 3, (ua.y + ub.y + uc.y) / 3,
                                            (ua.z + ub.z + uc.z) / 3);
            const struct airflow f = flow_around(a, b, c, mean, pack.area[lane + programIndex], job.air);
            push_corner(job.force, &pack.index[0][lane], ua, f);
            push_corner(job.force, &pack.index[1][lane], ub, f);
            push_corner(job.force, &pack.index[2][lane], uc, f);
        }
    }
}

PK_EXPORT void PK(pk_wind)(const uniform struct pk_wind_job *uniform given)
{
    const uniform struct pk_wind_job job = *given;
    if (job.grid == NULL)
        blow(false, job);
    else
        blow(true, job);
}
