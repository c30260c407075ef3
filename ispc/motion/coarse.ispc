// coarse.ispc - the coarse level of descent on elements and particles: the gradient, and the way between a
// body's vertices and the nodes of its cage.
//
// Lives here: what is done for every element and every vertex. The coarse matrix: coarse_matrix.ispc. The
// kernels are described in src/kernels/kernels_coarse.h.
#include "kernels/kernels_coarse.h"
#include "motion/external_quadratic.isph"
#include "base/add_force.isph"
#include "solids/viscoelastic.isph"

static inline struct mat3 stress(const uniform int model, const uniform struct pk_quad start[],
                                 const uniform struct pk_tet_pack &pack, const uniform struct pk_plastic plastic[],
                                 uniform pk_u32 cell, const uniform struct pk_material *uniform material,
                                 const uniform struct pk_solve *uniform solve, struct mat3 f, uniform int lane)
{
    if (model == PK_MODEL_DEFAULT) {
        const struct response r = evaluate(PK_MODEL_DEFAULT, false, material, f, no_strain());
        return r.p;
    }
    struct sym3 strain = no_strain();
    if (cell != PK_NO_CELL)
        strain = load_plastic(plastic[cell], lane);
    const struct response r = evaluate_any(material, f, strain);
    struct mat3 p = r.p;
    if (is_viscous(material)) {
        const struct response v = viscous_part(material, start, pack, plastic, cell, solve->dt, lane, f);
        p = p + v.p;
    }
    return p;
}

static inline const uniform bool plain(const uniform struct pk_material *uniform material)
{
    return material->model == PK_MODEL_DEFAULT && !is_viscous(material);
}

static inline void forces(const uniform int model, const uniform struct pk_element_job &job)
{
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_tet_pack &pack = job.tets[p];
        const uniform pk_u32 cell = job.cells != NULL ? job.cells[p] : PK_NO_CELL;
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct mat3 f = deformation(load_corners(job.x, pack, lane), pack, lane);
            const struct mat3 s = stress(model, job.start, pack, job.plastic, cell, job.material, job.solve, f, lane);
            const struct gradients g = corner_gradients(pack.volume[lane + programIndex] * s, pack, lane);
            add_force(job.force, &pack.index[0][lane], g.a);
            add_force(job.force, &pack.index[1][lane], g.b);
            add_force(job.force, &pack.index[2][lane], g.c);
            add_force(job.force, &pack.index[3][lane], g.d);
        }
    }
}

PK_EXPORT void PK(pk_coarse_forces)(const uniform struct pk_element_job *uniform given)
{
    const uniform struct pk_element_job job = *given;
    if (plain(job.material))
        forces(PK_MODEL_DEFAULT, job);
    else
        forces(-1, job);
}

static inline struct point read(const uniform struct pk_quad stream[], uniform pk_u32 at)
{
    struct point p;
    aos_to_soa4((uniform float *uniform) & stream[at], &p.x, &p.y, &p.z, &p.w);
    return p;
}

static inline void write(uniform struct pk_quad stream[], uniform pk_u32 at, struct point p)
{
    soa_to_aos4(p.x, p.y, p.z, p.w, (uniform float *uniform) & stream[at]);
}

// Inertia and what acts from outside, as measure_particles has them.
static inline struct vec3 outer_gradient(const uniform struct pk_quad target[], const uniform struct pk_quad extra[],
                                         uniform pk_u32 stride, uniform pk_u32 at,
                                         const uniform struct pk_solve *uniform solve, struct point p)
{
    const struct point y = read(target, at);
    const struct vec3 away = edge(p, y);
    struct vec3 g = (solve->inertia * y.w) * away;
    if (extra != NULL)
        g = g + extra_gradient(read_extra(extra + at, stride), away);
    return g;
}

PK_EXPORT void PK(pk_coarse_balance)(const uniform struct pk_balance_job *uniform given)
{
    const uniform struct pk_balance_job job = *given;
    for (uniform pk_u32 at = 0; at < job.count; at += programCount) {
        const struct point p = read(job.x, at);
        const struct vec3 g = outer_gradient(job.target, job.external, job.stride, at, job.solve, p);
        struct point f = read(job.force, at);
        const bool free = p.w > 0;
        f.x = free ? f.x + g.x : 0;
        f.y = free ? f.y + g.y : 0;
        f.z = free ? f.z + g.z : 0;
        write(job.force, at, f);
    }
}

// ---- between vertices and nodes ----

struct weights {
    float w[PK_CORNERS];
};

static inline struct weights weights_of(const uniform struct pk_cage_pack &pack, uniform int lane)
{
    const int i = lane + programIndex;
    const float x = pack.local[0][i], y = pack.local[1][i], z = pack.local[2][i];
    const float x0 = 1 - x, y0 = 1 - y, z0 = 1 - z;
    const float a = x0 * y0, b = x * y0, c = x0 * y, d = x * y;
    struct weights r;
    r.w[0] = a * z0;
    r.w[1] = b * z0;
    r.w[2] = c * z0;
    r.w[3] = d * z0;
    r.w[4] = a * z;
    r.w[5] = b * z;
    r.w[6] = c * z;
    r.w[7] = d * z;
    return r;
}

// Of 16 lanes, in a fixed tree.
static inline uniform double total(uniform float lane[])
{
    for (uniform int half = PK_LANES / 2; half > 0; half /= 2)
        for (uniform int i = 0; i < half; i++)
            lane[i] += lane[i + half];
    return (uniform double)lane[0];
}

static inline void give(const uniform struct pk_cage_pack &pack, uniform float sums[][3][PK_LANES],
                        uniform double b[])
{
    for (uniform int c = 0; c < PK_CORNERS; c++)
        for (uniform int k = 0; k < 3; k++)
            b[3 * pack.node[c] + k] += total(sums[c][k]);
}

// Packs of one cell follow each other: their lanes are summed first.
PK_EXPORT void PK(pk_coarse_restrict)(const uniform struct pk_quad force[],
                                      const uniform struct pk_cage_pack packs[], uniform pk_u32 count,
                                      uniform double b[])
{
    uniform float sums[PK_CORNERS][3][PK_LANES];
    for (uniform pk_u32 p = 0; p < count; p++) {
        const uniform struct pk_cage_pack &pack = packs[p];
        const uniform bool begins = p == 0 || packs[p - 1].ends != 0;
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int i = lane + programIndex;
            const struct point f = load_points(force, &pack.index[lane]);
            const bool used = (pk_u32)i < pack.count;
            const float x = used ? f.x : 0, y = used ? f.y : 0, z = used ? f.z : 0;
            const struct weights w = weights_of(pack, lane);
#pragma unroll
            for (uniform int c = 0; c < PK_CORNERS; c++) {
                sums[c][0][i] = (begins ? 0 : sums[c][0][i]) + w.w[c] * x;
                sums[c][1][i] = (begins ? 0 : sums[c][1][i]) + w.w[c] * y;
                sums[c][2][i] = (begins ? 0 : sums[c][2][i]) + w.w[c] * z;
            }
        }
        if (pack.ends != 0)
            give(pack, sums, b);
    }
}

PK_EXPORT void PK(pk_coarse_gather)(const uniform float value[], const uniform struct pk_cage_pack packs[],
                                     uniform pk_u32 count, uniform double nodes[])
{
    uniform float sums[PK_CORNERS][PK_LANES];
    for (uniform pk_u32 p = 0; p < count; p++) {
        const uniform struct pk_cage_pack &pack = packs[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int i = lane + programIndex;
            const pk_u32 at = pack.index[i];
#pragma ignore warning(perf)
            const float mine = (pk_u32)i < pack.count ? value[at] : 0.0f;
            const struct weights w = weights_of(pack, lane);
#pragma unroll
            for (uniform int c = 0; c < PK_CORNERS; c++)
                sums[c][i] = w.w[c] * mine;
        }
        for (uniform int c = 0; c < PK_CORNERS; c++)
            nodes[pack.node[c]] += total(sums[c]);
    }
}

PK_EXPORT void PK(pk_coarse_prolong)(uniform struct pk_quad x[], uniform struct pk_quad step[],
                                     const uniform struct pk_cage_pack packs[], uniform pk_u32 count,
                                     const uniform double u[])
{
    for (uniform pk_u32 p = 0; p < count; p++) {
        const uniform struct pk_cage_pack &pack = packs[p];
        uniform float value[3][PK_CORNERS];
        for (uniform int c = 0; c < PK_CORNERS; c++)
            for (uniform int k = 0; k < 3; k++)
                value[k][c] = (float)u[3 * pack.node[c] + k];
        // Lanes beyond move nothing twice: within a gang they write what the last one writes.
        for (uniform pk_u32 lane = 0; lane < pack.count; lane += programCount) {
            const struct weights w = weights_of(pack, lane);
            struct vec3 d = {0, 0, 0};
#pragma unroll
            for (uniform int c = 0; c < PK_CORNERS; c++)
                d = d + w.w[c] * vector(value[0][c], value[1][c], value[2][c]);
            struct point q = load_points(x, &pack.index[lane]);
            const bool free = q.w > 0;
            d = choose(free, d, vector(0, 0, 0));
            q.x += d.x;
            q.y += d.y;
            q.z += d.z;
            const struct point old = load_points(step, &pack.index[lane]);
            const struct point s = {d.x, d.y, d.z, old.w};
            store_points(step, &pack.index[lane], s);
            store_points(x, &pack.index[lane], q);
        }
    }
}

PK_EXPORT void PK(pk_coarse_move)(uniform struct pk_quad x[], const uniform struct pk_quad step[],
                                  uniform pk_u32 count, uniform float factor)
{
    for (uniform pk_u32 at = 0; at < count; at += programCount) {
        struct point p = read(x, at);
        const struct point d = read(step, at);
        const bool free = p.w > 0;
        p.x = free ? p.x + factor * d.x : p.x;
        p.y = free ? p.y + factor * d.y : p.y;
        p.z = free ? p.z + factor * d.z : p.z;
        write(x, at, p);
    }
}

PK_EXPORT void PK(pk_coarse_begin)(uniform struct pk_quad x[], const uniform struct pk_quad start[],
                                   const uniform struct pk_quad v[], uniform pk_u32 count, uniform float dt)
{
    for (uniform pk_u32 at = 0; at < count; at += programCount) {
        struct point p = read(x, at);
        const struct point s = read(start, at), u = read(v, at);
        const bool free = p.w > 0;
        p.x = free ? s.x + dt * u.x : p.x;
        p.y = free ? s.y + dt * u.y : p.y;
        p.z = free ? s.z + dt * u.z : p.z;
        write(x, at, p);
    }
}
