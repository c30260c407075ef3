// wind.ispc - what the air does to cloth: drag and lift of each triangle, as a change of velocities.
//
// Lives here: one implicit step of the aerodynamic force on a triangle, as if it were a piece of cloth of its own.
// A triangle that moves through the air with u (mean of its corners, minus the wind) and turns the side n
// (n.u > 0, |n| = 1) of area A to it feels, with the dynamic pressure's factor r = density of the air / 2,
//     F = -r A (n.u) (drag u + lift (n |u|^2 - u (n.u)) / |u|):
// drag along u, r A drag |u|^2 on a plate that meets the air squarely, and lift across it, which does no work.
// As a matrix on u that is d I + l [. x c], c = n x u, d = r A drag (n.u), l = r A lift (n.u) / |u|. The step
// takes both at the strength that the end of the step has and the matrix implicitly,
//     u' = (a u - b u x c) / (a^2 + b^2 |c|^2),  a = 1 + h d, b = h l,  h = dt / m,
// m the triangle's own mass. So |u'| <= |u|, and without lift u' is along u, for any dt. All triangles see the
// velocities from before; a corner takes of each the share m / 3 over its mass. These shares sum to at most one,
// so by convexity the kinetic energy in still air cannot grow and no corner's motion through the air turns round.
// Where there is a grid of winds it is sampled at the triangle's middle, where that is when the substep begins.
#include "../src/kernels_forces.h"
#include "quads.isph"

// s with s (1 + q s) = 1: |u'| / |u| of quadratic drag, solved implicitly.
static inline float slowed(float q)
{
    return 2 / (1 + sqrt(1 + 4 * q));
}

// N s, on a triangle of rest area `area`.
static inline struct vec3 wind_impulse(struct point a, struct point b, struct point c, struct vec3 u, float area,
                                       const uniform struct pk_air *uniform air)
{
    const struct vec3 areas = cross(edge(b, a), edge(c, a)); // twice the area, along the normal
    const float double_area = sqrt(inner(areas, areas)), speed = sqrt(inner(u, u));
    const bool blows = double_area > 0 && speed > 0;
    const float across = abs(inner(areas, u)); // 2 A (n.u)
    const float side = inner(areas, u) < 0 ? -1.0f : 1.0f;
    const struct vec3 n = (side / (blows ? double_area : 1.0f)) * areas;
    const struct vec3 turn = cross(n, u);
    const float h = area > 0 ? air->dt / (air->mass * area) : 0.0f;
    const float d = 0.5f * air->drag * across;
    const float l = 0.5f * air->lift * across / (blows ? speed : 1.0f);
    const float lifted = l * l * inner(turn, turn);
    const float s = slowed(h * sqrt(d * d + lifted));
    const float alpha = 1 + h * s * d, beta = h * s * l;
    const float scale = 1 / (alpha * alpha + h * h * s * s * lifted);
    const struct vec3 after = scale * (alpha * u - beta * cross(u, turn));
    const struct vec3 j = (-air->dt * s) * (d * after + l * cross(after, turn));
    return choose(blows, j, vector(0, 0, 0));
}

static inline void push_corner(uniform struct pk_quad v[], const uniform pk_u32 index[], struct point p,
                               uniform float share, struct vec3 j)
{
    const float s = p.w * share / 3;
    struct point u = load_points(v, index);
    u.x += s * j.x;
    u.y += s * j.y;
    u.z += s * j.z;
    store_points(v, index, u);
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
static inline void blow(const uniform bool gridded, const uniform struct pk_quad x[],
                        const uniform struct pk_quad before[], uniform struct pk_quad v[],
                        const uniform struct pk_triangle_pack packs[], uniform pk_u32 count,
                        const uniform struct pk_air *uniform air, const uniform struct pk_wind_grid *uniform grid,
                        const uniform struct pk_quad nodes[])
{
    const uniform float *uniform g = air->relative;
    for (uniform pk_u32 p = 0; p < count; p++) {
        const uniform struct pk_triangle_pack &pack = packs[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct point a = load_points(x, &pack.index[0][lane]);
            const struct point b = load_points(x, &pack.index[1][lane]);
            const struct point c = load_points(x, &pack.index[2][lane]);
            const struct point ua = load_points(before, &pack.index[0][lane]);
            const struct point ub = load_points(before, &pack.index[1][lane]);
            const struct point uc = load_points(before, &pack.index[2][lane]);
            struct vec3 r = vector(g[0], g[1], g[2]);
            if (gridded)
                r = r - wind_at(vector((a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3, (a.z + b.z + c.z) / 3), grid,
                                nodes);
            const struct vec3 u = vector((ua.x + ub.x + uc.x) / 3 + r.x, (ua.y + ub.y + uc.y) / 3 + r.y,
                                         (ua.z + ub.z + uc.z) / 3 + r.z);
            const struct vec3 j = wind_impulse(a, b, c, u, pack.area[lane + programIndex], air);
            push_corner(v, &pack.index[0][lane], a, air->share, j);
            push_corner(v, &pack.index[1][lane], b, air->share, j);
            push_corner(v, &pack.index[2][lane], c, air->share, j);
        }
    }
}

// `before` are the velocities that all triangles see, `v` those that they change.
PK_EXPORT void PK(pk_wind)(const uniform struct pk_quad x[], const uniform struct pk_quad before[],
                           uniform struct pk_quad v[], const uniform struct pk_triangle_pack packs[],
                           uniform pk_u32 count, const uniform struct pk_air *uniform air,
                           const uniform struct pk_wind_grid *uniform grid, const uniform struct pk_quad nodes[])
{
    if (grid == NULL)
        blow(false, x, before, v, packs, count, air, grid, nodes);
    else
        blow(true, x, before, v, packs, count, air, grid, nodes);
}
