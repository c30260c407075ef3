/* bend_fixture.c - see bend_fixture.h. */
#include "bend_fixture.h"

#include "unity.h"

#include <math.h>
#include <string.h>

uint64_t bend_seed;
struct pk_solve bend_solve = {.dt = 0.01f, .inertia = 1e4f, .relaxation = 1};

double bend_uniform(double low, double high)
{
    return low + (high - low) * fixture_uniform(&bend_seed);
}

struct sheet bend_sheet(uint32_t vertices, uint32_t triangles)
{
    return (struct sheet){.vertices = vertices,
                          .triangles = triangles,
                          .x = fixture_memory(3 * vertices * sizeof(double)),
                          .t = fixture_memory(3 * triangles * sizeof(uint32_t))};
}

void bend_find(struct sheet *s)
{
    const size_t bytes = piola_mesh_bends_size(s->triangles);
    piola_error error;
    fixture_ok(
        piola_mesh_bends(s->t, s->triangles, fixture_memory(bytes), bytes, &s->bends, &error),
        &error);
}

static void put_cell(uint32_t *t, const uint32_t v[4], bool diagonal)
{
    const uint32_t order[2][6] = {{v[0], v[1], v[2], v[1], v[3], v[2]},
                                  {v[0], v[1], v[3], v[0], v[3], v[2]}};
    memcpy(t, order[diagonal], sizeof order[0]);
}

/* A grid of nx x ny cells with random diagonals; `closed`: the last column is the first. */
struct sheet bend_grid(uint32_t nx, uint32_t ny, bool closed)
{
    const uint32_t columns = closed ? nx : nx + 1;
    struct sheet s = bend_sheet(columns * (ny + 1), 2 * nx * ny);
    for (uint32_t j = 0; j < ny; j++) {
        for (uint32_t i = 0; i < nx; i++) {
            const uint32_t next = (i + 1) % columns;
            const uint32_t v[4] = {i + columns * j, next + columns * j, i + columns * (j + 1),
                                   next + columns * (j + 1)};
            put_cell(s.t + 6 * (i + (size_t)nx * j), v, fixture_random(&bend_seed) % 2 != 0);
        }
    }
    for (uint32_t i = 0; i < s.vertices; i++) {
        const uint32_t row = i / columns;
        s.x[3 * i] = i % columns;
        s.x[3 * i + 1] = row;
    }
    bend_find(&s);
    return s;
}

void bend_shake(struct sheet *s, double x, double y, double z)
{
    const double size[3] = {x, y, z};
    for (uint32_t i = 0; i < 3 * s->vertices; i++)
        s->x[i] += size[i % 3] * bend_uniform(-1, 1);
}

const piola_asset *bend_compile(const struct sheet *s, const piola_material *material)
{
    piola_mesh_desc desc = piola_mesh_desc_default();
    desc.vertices = s->x;
    desc.vertex_count = s->vertices;
    desc.triangles = s->t;
    desc.triangle_count = s->triangles;
    desc.bends = s->bends.bends;
    desc.bend_count = s->bends.count;
    desc.materials = material;
    desc.material_count = 1;
    return fixture_compile(&desc);
}

piola_material bend_plate(double stiffness)
{
    piola_material m = piola_material_default();
    m.model = PIOLA_MODEL_STVK;
    m.young = m.bend = (float)stiffness;
    return m;
}

static double cot(const double *a, const double *b)
{
    const double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0]};
    return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) /
           sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

void bend_side(const double *x, uint32_t a, uint32_t b, double out[3])
{
    for (unsigned i = 0; i < 3; i++)
        out[i] = x[3 * b + i] - x[3 * a + i];
}

double bend_area(const double *x, const uint32_t *v)
{
    double e[3], f[3];
    bend_side(x, v[0], v[1], e);
    bend_side(x, v[0], v[2], f);
    const double c = cot(e, f);
    const double ef = e[0] * f[0] + e[1] * f[1] + e[2] * f[2];
    return isfinite(c) && fabs(c) > 1e-9 ? 0.5 * fabs(ef / c)
                                         : 0.5 * sqrt((e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) *
                                                      (f[0] * f[0] + f[1] * f[1] + f[2] * f[2]));
}

/* Paper section 4.3: K and 3 / (A0 + A1) of a stencil. */
double bend_stencil(const double *rest, const uint32_t *v, double k[4])
{
    double e0[3], e1[3], e2[3], e3[3], e4[3], back[3];
    bend_side(rest, v[0], v[1], e0);
    bend_side(rest, v[1], v[0], back);
    bend_side(rest, v[1], v[2], e1);
    bend_side(rest, v[0], v[2], e2);
    bend_side(rest, v[0], v[3], e3);
    bend_side(rest, v[1], v[3], e4);
    const double c01 = cot(back, e1), c02 = cot(e0, e2), c03 = cot(e0, e3), c04 = cot(back, e4);
    k[0] = c01 + c04;
    k[1] = c02 + c03;
    k[2] = -c01 - c02;
    k[3] = -c03 - c04;
    const uint32_t second[3] = {v[0], v[1], v[3]};
    return 3 / (bend_area(rest, v) + bend_area(rest, second));
}

const struct kernels *bend_kernels(void)
{
    return kernels_for(PIOLA_ISA_AUTO);
}

/* The body's particles with its vertices at x. */
struct pk_quad *bend_particles(const piola_asset *asset, const double *x)
{
    struct pk_quad *q = fixture_memory(asset->stats.particles * sizeof *q);
    memcpy(q, asset_rest(asset), asset->stats.particles * sizeof *q);
    for (uint32_t v = 0; v < asset->stats.vertices; v++) {
        struct pk_quad *p = &q[asset_particle_of_vertex(asset)[v]];
        p->x = (float)x[3 * v];
        p->y = (float)x[3 * v + 1];
        p->z = (float)x[3 * v + 2];
    }
    return q;
}

const struct pk_material *bend_constants(const piola_asset *asset)
{
    return asset_materials(asset) + asset_bend_pack_materials(asset)[0];
}

double bend_measure(const piola_asset *asset, const struct pk_quad *x, struct pk_quad *force)
{
    struct pk_measure *sum = fixture_memory(sizeof *sum);
    const struct pk_element_job job = {
        .x = (struct pk_quad *)(uintptr_t)x, /* which measuring does not write */
        .bends = asset_bend_packs(asset),
        .material = bend_constants(asset),
        .force = force,
        .measure = sum,
        .count = (uint32_t)asset->at.bend_packs.count,
    };
    bend_kernels()->measure_bends(&job);
    bend_kernels()->measure_total(sum);
    return sum->elastic[0];
}

const piola_asset *bend_hinge(struct sheet *s, const piola_material *m)
{
    *s = bend_sheet(4, 2);
    const double x[12] = {0, 0, 0, 1, 0, 0, 0.3, 1, 0, 0.6, -0.9, 0};
    const uint32_t t[6] = {0, 1, 2, 1, 0, 3};
    memcpy(s->x, x, sizeof x);
    memcpy(s->t, t, sizeof t);
    bend_find(s);
    return bend_compile(s, m);
}

void bend_project(const piola_asset *asset, piola_solver solver, struct pk_quad *x,
                  float *multipliers)
{
    const struct pk_element_job job = {
        .x = x,
        .bends = asset_bend_packs(asset),
        .multipliers = multipliers,
        .material = bend_constants(asset),
        .solve = &bend_solve,
        .count = 1,
    };
    if (solver == PIOLA_SOLVER_ENERGY)
        bend_kernels()->project_bends_energy(&job);
    else if (solver == PIOLA_SOLVER_COMPLIANT)
        bend_kernels()->project_bends_compliant(&job);
    else
        bend_kernels()->project_bends_explicit(&job);
}

/* A cloth in any state after some iterations of plain descent, or of the kernel for everything. */
struct pk_quad *bend_descend(const piola_asset *asset, const double *x, bool plain,
                             uint32_t iterations)
{
    struct pk_quad *q = bend_particles(asset, x), *target = bend_particles(asset, x);
    for (uint32_t i = 0; i < asset->stats.particles; i++) {
        target[i].w = asset_mass(asset)[i];
        target[i].z += 0.01f;
    }
    const struct pk_descent_job job = {
        .x = q,
        .target = target,
        .start = q,
        .packs = asset_vertex_packs(asset),
        .visits = asset_visits(asset),
        .triangles = asset_triangle_visits(asset),
        .rows = asset_bend_rows(asset),
        .folds = asset_fold_visits(asset),
        .materials = asset_materials(asset),
        .solve = &bend_solve,
        .count = (uint32_t)asset->at.vertex_packs.count,
        .material_count = (uint32_t)asset->at.materials.count,
        .sheet_material = asset->sheet_material,
    };
    for (uint32_t i = 0; i < iterations; i++) {
        if (plain)
            bend_kernels()->descend_cloth(&job);
        else
            bend_kernels()->descend(&job);
    }
    return q;
}
