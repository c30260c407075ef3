/* test_bending.c - bending edges: the list of them, the isometric energy and its gradient, the
 * projections, what a cylinder costs. Elastica and drapes: test_elastica.c. */
#include "asset.h"
#include "fixture.h"
#include "kernels.h"
#include "unity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static uint64_t seed;
static struct pk_solve solve;

void setUp(void)
{
    solve = (struct pk_solve){.dt = 0.01f, .inertia = 1e4f, .relaxation = 1};
}

void tearDown(void)
{
    fixture_clean();
}

static double uniform(double low, double high)
{
    return low + (high - low) * fixture_uniform(&seed);
}

/* A triangle mesh with its bends. */
struct sheet {
    uint32_t vertices, triangles;
    double *x;
    uint32_t *t;
    piola_bends bends;
};

static struct sheet sheet_of(uint32_t vertices, uint32_t triangles)
{
    return (struct sheet){.vertices = vertices,
                          .triangles = triangles,
                          .x = fixture_memory(3 * vertices * sizeof(double)),
                          .t = fixture_memory(3 * triangles * sizeof(uint32_t))};
}

static void find_bends(struct sheet *s)
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
static struct sheet grid(uint32_t nx, uint32_t ny, bool closed)
{
    const uint32_t columns = closed ? nx : nx + 1;
    struct sheet s = sheet_of(columns * (ny + 1), 2 * nx * ny);
    for (uint32_t j = 0; j < ny; j++) {
        for (uint32_t i = 0; i < nx; i++) {
            const uint32_t next = (i + 1) % columns;
            const uint32_t v[4] = {i + columns * j, next + columns * j, i + columns * (j + 1),
                                   next + columns * (j + 1)};
            put_cell(s.t + 6 * (i + (size_t)nx * j), v, fixture_random(&seed) % 2 != 0);
        }
    }
    for (uint32_t i = 0; i < s.vertices; i++) {
        s.x[3 * i] = i % columns;
        s.x[3 * i + 1] = i / columns;
    }
    find_bends(&s);
    return s;
}

static void shake(struct sheet *s, double x, double y, double z)
{
    const double size[3] = {x, y, z};
    for (uint32_t i = 0; i < 3 * s->vertices; i++)
        s->x[i] += size[i % 3] * uniform(-1, 1);
}

static const piola_asset *compile(const struct sheet *s, const piola_material *material)
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

static piola_material plate(double stiffness)
{
    piola_material m = piola_material_default();
    m.model = PIOLA_MODEL_STVK;
    m.young = (float)stiffness;
    return m;
}

/* ---- the energy in double precision, from the mesh ---- */

static double cot(const double *a, const double *b)
{
    const double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0]};
    return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) /
           sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

static void side(const double *x, uint32_t a, uint32_t b, double out[3])
{
    for (unsigned i = 0; i < 3; i++)
        out[i] = x[3 * b + i] - x[3 * a + i];
}

static double area_of(const double *x, const uint32_t *v)
{
    double e[3], f[3];
    side(x, v[0], v[1], e);
    side(x, v[0], v[2], f);
    const double c = cot(e, f);
    const double ef = e[0] * f[0] + e[1] * f[1] + e[2] * f[2];
    return isfinite(c) && fabs(c) > 1e-9 ? 0.5 * fabs(ef / c)
                                         : 0.5 * sqrt((e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) *
                                                      (f[0] * f[0] + f[1] * f[1] + f[2] * f[2]));
}

/* Paper section 4.3: K and 3 / (A0 + A1) of a stencil. */
static double stencil(const double *rest, const uint32_t *v, double k[4])
{
    double e0[3], e1[3], e2[3], e3[3], e4[3], back[3];
    side(rest, v[0], v[1], e0);
    side(rest, v[1], v[0], back);
    side(rest, v[1], v[2], e1);
    side(rest, v[0], v[2], e2);
    side(rest, v[0], v[3], e3);
    side(rest, v[1], v[3], e4);
    const double c01 = cot(back, e1), c02 = cot(e0, e2), c03 = cot(e0, e3), c04 = cot(back, e4);
    k[0] = c01 + c04;
    k[1] = c02 + c03;
    k[2] = -c01 - c02;
    k[3] = -c03 - c04;
    const uint32_t second[3] = {v[0], v[1], v[3]};
    return 3 / (area_of(rest, v) + area_of(rest, second));
}

static double energy(const struct sheet *s, const double *x, double q)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->bends.count; i++) {
        const uint32_t *v = s->bends.bends + 4 * (size_t)i;
        double k[4], l[3] = {0};
        const double scale = stencil(s->x, v, k);
        for (unsigned c = 0; c < 4; c++)
            for (unsigned axis = 0; axis < 3; axis++)
                l[axis] += k[c] * x[3 * v[c] + axis];
        sum += 0.5 * q * scale * (l[0] * l[0] + l[1] * l[1] + l[2] * l[2]);
    }
    return sum;
}

/* ---- the kernels on an asset ---- */

static const struct kernels *kernels(void)
{
    return kernels_for(PIOLA_ISA_AUTO);
}

/* The body's particles with its vertices at x. */
static struct pk_quad *particles(const piola_asset *asset, const double *x)
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

static const struct pk_material *bend_material(const piola_asset *asset)
{
    return asset_materials(asset) + asset_bend_pack_materials(asset)[0];
}

static double measure(const piola_asset *asset, const struct pk_quad *x, struct pk_quad *force)
{
    struct pk_measure *sum = fixture_memory(sizeof *sum);
    kernels()->measure_bends(x, asset_bend_packs(asset), (uint32_t)asset->at.bend_packs.count,
                             bend_material(asset), force, sum);
    kernels()->measure_total(sum);
    return sum->elastic[0];
}

static void forces_are_the_gradient(void)
{
    for (int round = 0; round < fixture_count(20, 2); round++) {
        struct sheet s = grid(6, 5, false);
        shake(&s, 0.2, 0.2, 0.1);
        const double stiffness = pow(10, uniform(-5, 3));
        const piola_material m = plate(stiffness);
        const piola_asset *asset = compile(&s, &m);
        double *x = fixture_memory(3 * s.vertices * sizeof *x);
        double size = 0;
        for (uint32_t i = 0; i < 3 * s.vertices; i++)
            x[i] = (double)(float)(s.x[i] + uniform(-0.5, 0.5));
        struct pk_quad *force = fixture_memory(asset->stats.particles * sizeof *force);
        const double want = energy(&s, x, stiffness / 3);
        TEST_ASSERT_DOUBLE_WITHIN(1e-5 * want, want, measure(asset, particles(asset, x), force));
        for (uint32_t i = 0; i < asset->stats.particles; i++)
            size = fmax(size, fabs((double)force[i].z));
        for (uint32_t v = 0; v < s.vertices; v++) {
            const struct pk_quad *f = &force[asset_particle_of_vertex(asset)[v]];
            const float got[3] = {f->x, f->y, f->z};
            for (unsigned axis = 0; axis < 3; axis++) {
                const double h = 1e-3, at = x[3 * v + axis];
                x[3 * v + axis] = at + h;
                const double more = energy(&s, x, stiffness / 3);
                x[3 * v + axis] = at - h;
                const double less = energy(&s, x, stiffness / 3);
                x[3 * v + axis] = at;
                TEST_ASSERT_DOUBLE_WITHIN(2e-5 * size, (more - less) / (2 * h), (double)got[axis]);
            }
        }
    }
}

/* A turned and moved flat sheet has no energy, and no state of it feels a net force or torque. */
static void rigid_motions_cost_nothing(void)
{
    struct sheet s = grid(7, 4, false);
    shake(&s, 0.25, 0.25, 0);
    const piola_material m = plate(1);
    const piola_asset *asset = compile(&s, &m);
    double *x = fixture_memory(3 * s.vertices * sizeof *x);
    const double angle = uniform(0, 2 * PI), c = cos(angle), d = sin(angle);
    for (uint32_t v = 0; v < s.vertices; v++) {
        const double *r = s.x + 3 * v;
        x[3 * v] = c * r[0] - d * r[2] + 3;
        x[3 * v + 1] = r[1] - 2;
        x[3 * v + 2] = d * r[0] + c * r[2] + 5;
    }
    /* Per bend some (3 / A) (1e-6 m)^2, against 1 for a fold. */
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, measure(asset, particles(asset, x), NULL));
    for (uint32_t i = 0; i < 3 * s.vertices; i++)
        x[i] += uniform(-0.5, 0.5);
    struct pk_quad *force = fixture_memory(asset->stats.particles * sizeof *force);
    struct pk_quad *q = particles(asset, x);
    measure(asset, q, force);
    double sum[3] = {0}, torque[3] = {0}, size = 0;
    for (uint32_t i = 0; i < asset->stats.particles; i++) {
        const double f[3] = {(double)force[i].x, (double)force[i].y, (double)force[i].z};
        const double r[3] = {(double)q[i].x, (double)q[i].y, (double)q[i].z};
        for (unsigned a = 0; a < 3; a++) {
            sum[a] += f[a];
            torque[a] += r[(a + 1) % 3] * f[(a + 2) % 3] - r[(a + 2) % 3] * f[(a + 1) % 3];
            size += fabs(f[a]);
        }
    }
    for (unsigned a = 0; a < 3; a++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-6 * size, 0, sum[a]);
        TEST_ASSERT_DOUBLE_WITHIN(2e-5 * size, 0, torque[a]);
    }
}

/* A flat strip rolled up into a tube, its length along the axis; energy per area times 2 R^2 / B.
 */
static double tube(uint32_t around, double stiffness)
{
    const uint32_t along = around / 4;
    const double radius = 0.5, step = 2 * PI * radius / around;
    struct sheet flat = grid(around, along, false);
    for (uint32_t i = 0; i < 3 * flat.vertices; i++)
        flat.x[i] *= step;
    const piola_material m = plate(stiffness);
    const piola_asset *asset = compile(&flat, &m);
    double *x = fixture_memory(3 * flat.vertices * sizeof *x);
    for (uint32_t v = 0; v < flat.vertices; v++) {
        x[3 * v] = radius * sin(flat.x[3 * v] / radius);
        x[3 * v + 1] = flat.x[3 * v + 1];
        x[3 * v + 2] = radius * cos(flat.x[3 * v] / radius);
    }
    const double area = (around - 1) * step * along * step; /* of the strips between folds */
    return measure(asset, particles(asset, x), NULL) / area * 2 * radius * radius / stiffness;
}

static void cylinders_cost_what_plates_do(void)
{
    double before = 1;
    for (uint32_t around = 8; around <= 64; around *= 2) {
        const double error = fabs(tube(around, 0.02) - 1);
        TEST_ASSERT_TRUE(error < 0.3 * before);
        before = error;
    }
    TEST_ASSERT_DOUBLE_WITHIN(2e-3, 0, before);
}

/* ---- projections: one hinge ---- */

static const piola_asset *hinge(struct sheet *s, const piola_material *m)
{
    *s = sheet_of(4, 2);
    const double x[12] = {0, 0, 0, 1, 0, 0, 0.3, 1, 0, 0.6, -0.9, 0};
    const uint32_t t[6] = {0, 1, 2, 1, 0, 3};
    memcpy(s->x, x, sizeof x);
    memcpy(s->t, t, sizeof t);
    find_bends(s);
    return compile(s, m);
}

static void project(const piola_asset *asset, piola_solver solver, struct pk_quad *x,
                    float *multipliers)
{
    const struct pk_bend_pack *packs = asset_bend_packs(asset);
    const struct pk_material *m = bend_material(asset);
    if (solver == PIOLA_SOLVER_ENERGY)
        kernels()->project_bends_energy(x, packs, 1, m, &solve);
    else if (solver == PIOLA_SOLVER_COMPLIANT)
        kernels()->project_bends_compliant(x, packs, multipliers, 1, m, &solve);
    else
        kernels()->project_bends_explicit(x, packs, 1, m, &solve);
}

/* Eq. (3) with C = E quadratic halves L and quarters the energy; XPBD converges to the minimum of
 * inertia/2 |x - y|^2_M + E; EXPLICIT moves by -dt^2 w force. */
static void projections_do_what_they_say(void)
{
    struct sheet s;
    piola_material m = plate(uniform(0.1, 10));
    m.density = 0.01f; /* light, so that a step moves it far beyond rounding */
    const piola_asset *asset = hinge(&s, &m);
    double x[12];
    for (unsigned i = 0; i < 12; i++)
        x[i] = s.x[i] + uniform(-0.3, 0.3);
    struct pk_quad *q = particles(asset, x), *start = particles(asset, x);
    const double before = measure(asset, q, NULL);
    project(asset, PIOLA_SOLVER_ENERGY, q, NULL);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5 * before, 0.25 * before, measure(asset, q, NULL));

    struct pk_quad *force = fixture_memory(asset->stats.particles * sizeof *force);
    float *multipliers = fixture_memory(PK_LANES * sizeof *multipliers);
    memcpy(q, start, asset->stats.particles * sizeof *q);
    for (unsigned i = 0; i < 100; i++)
        project(asset, PIOLA_SOLVER_COMPLIANT, q, multipliers);
    measure(asset, q, force);
    for (unsigned i = 0; i < 4; i++) {
        const double mass = (double)asset_mass(asset)[i], inertia = (double)solve.inertia;
        const double pull = mass * inertia * (double)(q[i].z - start[i].z);
        TEST_ASSERT_DOUBLE_WITHIN(1e-4 * (fabs(pull) + 0.01), -pull, (double)force[i].z);
    }

    memcpy(q, start, asset->stats.particles * sizeof *q);
    memset(force, 0, asset->stats.particles * sizeof *force);
    measure(asset, q, force);
    project(asset, PIOLA_SOLVER_EXPLICIT, q, NULL);
    for (unsigned i = 0; i < 4; i++) {
        const double want = -(double)force[i].z * (double)q[i].w / (double)solve.inertia;
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, want, (double)(q[i].z - start[i].z));
    }
}

/* ---- descent ---- */

/* The rows give each vertex the gradient that the stencils add up to. */
static void rows_are_the_sum_of_stencils(void)
{
    struct sheet s = grid(8, 7, fixture_random(&seed) % 2 != 0);
    shake(&s, 0.2, 0.2, 0.3);
    const piola_material m = plate(uniform(0.1, 10));
    const piola_asset *asset = compile(&s, &m);
    double *x = fixture_memory(3 * s.vertices * sizeof *x);
    for (uint32_t i = 0; i < 3 * s.vertices; i++)
        x[i] = s.x[i] + uniform(-0.5, 0.5);
    struct pk_quad *q = particles(asset, x);
    struct pk_quad *force = fixture_memory(asset->stats.particles * sizeof *force);
    measure(asset, q, force);
    uint32_t vertices = 0;
    for (uint32_t p = 0; p < asset->at.vertex_packs.count; p++) {
        const struct pk_vertex_pack *pack = &asset_vertex_packs(asset)[p];
        for (unsigned lane = 0; lane < PK_LANES; lane++) {
            double sum[3] = {0}, weights = 0, size = 0;
            const struct pk_quad *self = &q[pack->self[lane]];
            for (uint32_t i = 0; i < pack->bend_count; i++) {
                const struct pk_bend_row *row = &asset_bend_rows(asset)[pack->bend_first + i];
                const struct pk_quad *other = &q[row->other[lane]];
                const double w = (double)row->weight[lane];
                sum[0] += w * (double)(other->x - self->x);
                sum[1] += w * (double)(other->y - self->y);
                sum[2] += w * (double)(other->z - self->z);
                weights += w;
                size += fabs(w);
            }
            const struct pk_quad *f = &force[pack->self[lane]];
            TEST_ASSERT_DOUBLE_WITHIN(1e-5 * size, (double)f->x, sum[0]);
            TEST_ASSERT_DOUBLE_WITHIN(1e-5 * size, (double)f->y, sum[1]);
            TEST_ASSERT_DOUBLE_WITHIN(1e-5 * size, (double)f->z, sum[2]);
            TEST_ASSERT_DOUBLE_WITHIN(1e-5 * size, -weights, (double)pack->bending[lane]);
            vertices += pack->self[lane] < s.vertices;
        }
    }
    TEST_ASSERT_EQUAL_UINT32(s.vertices, vertices);
}

/* A cloth in any state after some iterations of plain descent, or of the kernel for everything. */
static struct pk_quad *descend(const piola_asset *asset, const double *x, bool plain,
                               uint32_t iterations)
{
    struct pk_quad *q = particles(asset, x), *target = particles(asset, x);
    for (uint32_t i = 0; i < asset->stats.particles; i++) {
        target[i].w = asset_mass(asset)[i];
        target[i].z += 0.01f;
    }
    const uint32_t packs = (uint32_t)asset->at.vertex_packs.count;
    const uint32_t materials = (uint32_t)asset->at.materials.count;
    for (uint32_t i = 0; i < iterations; i++) {
        if (plain)
            kernels()->descend_cloth(q, target, asset_vertex_packs(asset),
                                     asset_triangle_visits(asset), asset_bend_rows(asset), packs,
                                     asset_materials(asset), materials, asset->sheet_material, NULL,
                                     0, &solve);
        else
            kernels()->descend(q, target, q, asset_vertex_packs(asset), asset_visits(asset), NULL,
                               asset_triangle_visits(asset), NULL, asset_bend_rows(asset),
                               asset_fold_visits(asset), NULL, packs, asset_materials(asset),
                               materials, NULL, 0, &solve);
    }
    return q;
}

static double farthest(const piola_asset *asset, const struct pk_quad *a, const struct pk_quad *b)
{
    double most = 0;
    for (uint32_t i = 0; i < asset->stats.vertices; i++) {
        const double d[3] = {(double)(a[i].x - b[i].x), (double)(a[i].y - b[i].y),
                             (double)(a[i].z - b[i].z)};
        most = fmax(most, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    }
    return most;
}

/* Both kernels minimise the same energy: near rest they take the same steps, and from any state
 * they come to the same end. */
static void plain_descent_is_descent(void)
{
    const piola_model models[3] = {PIOLA_MODEL_STVK, PIOLA_MODEL_STVK_ORTHOTROPIC,
                                   PIOLA_MODEL_STVK_GENERAL};
    for (unsigned k = 0; k < 3; k++) {
        struct sheet s = grid(6, 6, false);
        shake(&s, 0.15, 0.15, 0);
        piola_material m = plate(2);
        m.density = 0.01f;
        m.model = models[k];
        m.poisson = 0.2f;
        m.young_axis[0] = 3;
        m.young_axis[1] = 1;
        m.shear_axis[0] = 1;
        m.poisson_axis[0] = 0.3f;
        const float stiffness[21] = {3, 1, 0, 0, 0, 0.3f, 2, 0, 0, 0, 0.2f,
                                     1, 0, 0, 0, 1, 0,    0, 1, 0, 1};
        memcpy(m.stiffness, stiffness, sizeof stiffness);
        const piola_asset *asset = compile(&s, &m);
        TEST_ASSERT_NOT_EQUAL_UINT32(UINT32_MAX, asset->sheet_material);
        double *x = fixture_memory(3 * s.vertices * sizeof *x);
        for (uint32_t i = 0; i < 3 * s.vertices; i++)
            x[i] = s.x[i] + uniform(-0.02, 0.02);
        TEST_ASSERT_DOUBLE_WITHIN(
            1e-6, 0, farthest(asset, descend(asset, x, true, 1), descend(asset, x, false, 1)));
        for (uint32_t i = 0; i < 3 * s.vertices; i++)
            x[i] = 0.7 * s.x[i] + uniform(-0.3, 0.3); /* here and there crushed */
        TEST_ASSERT_DOUBLE_WITHIN(
            1e-4, 0, farthest(asset, descend(asset, x, true, 400), descend(asset, x, false, 400)));
    }
}

/* ---- the dihedral model ---- */

static double angle_of(const double *x, const uint32_t *v)
{
    double e[3], c[3], d[3], m[3], n[3];
    side(x, v[0], v[1], e);
    side(x, v[0], v[2], c);
    side(x, v[0], v[3], d);
    for (unsigned i = 0; i < 3; i++) {
        const unsigned j = (i + 1) % 3, k = (i + 2) % 3;
        m[i] = e[j] * c[k] - e[k] * c[j];
        n[i] = d[j] * e[k] - d[k] * e[j];
    }
    const double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    return atan2(length * (m[0] * d[0] + m[1] * d[1] + m[2] * d[2]),
                 m[0] * n[0] + m[1] * n[1] + m[2] * n[2]);
}

static double fold_energy(const struct sheet *s, const double *x, double q)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->bends.count; i++) {
        const uint32_t *v = s->bends.bends + 4 * (size_t)i;
        double k[4], e[3];
        const double scale = stencil(s->x, v, k);
        side(s->x, v[0], v[1], e);
        const double by = remainder(angle_of(x, v) - angle_of(s->x, v), 2 * PI);
        sum += 0.5 * q * scale * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) * by * by;
    }
    return sum;
}

/* One hinge, curved at rest, in any state: forces of the measure, and for each vertex what a step
 * of descent with nothing but the hinge and inertia looks for. */
static void folds_are_potentials(void)
{
    for (int round = 0; round < fixture_count(2000, 50); round++) {
        struct sheet s;
        piola_material m = plate(uniform(0.1, 10));
        hinge(&s, &m);
        shake(&s, 0.2, 0.2, 0.5);
        m.bend_model = PIOLA_BEND_DIHEDRAL;
        const piola_asset *asset = compile(&s, &m);
        TEST_ASSERT_EQUAL_UINT32(UINT32_MAX, asset->sheet_material);
        double x[12], size = 0;
        for (unsigned i = 0; i < 12; i++)
            x[i] = (double)(float)(s.x[i] + uniform(-0.5, 0.5));
        const double q = (double)m.young / 3,
                     by = fabs(angle_of(x, s.bends.bends) - angle_of(s.x, s.bends.bends));
        if (area_of(x, s.t) < 0.1 || area_of(x, s.t + 3) < 0.1 || fabs(by - PI) < 0.1 ||
            fabs(fabs(angle_of(x, s.bends.bends)) - PI) < 0.02)
            continue; /* where it is smooth */
        struct pk_quad *force = fixture_memory(asset->stats.particles * sizeof *force);
        const double want = fold_energy(&s, x, q);
        TEST_ASSERT_DOUBLE_WITHIN(1e-4 * want + 1e-5 * q, want,
                                  measure(asset, particles(asset, x), force));
        for (unsigned i = 0; i < 4; i++)
            size = fmax(size, fabs((double)force[i].x) + fabs((double)force[i].y) +
                                  fabs((double)force[i].z));
        for (unsigned i = 0; i < 12; i++) {
            const struct pk_quad *f = &force[asset_particle_of_vertex(asset)[i / 3]];
            const float got[3] = {f->x, f->y, f->z};
            const double h = 1e-5, at = x[i];
            x[i] = at + h;
            const double more = fold_energy(&s, x, q);
            x[i] = at - h;
            const double less = fold_energy(&s, x, q);
            x[i] = at;
            TEST_ASSERT_DOUBLE_WITHIN(1e-3 * size + 1e-4 * q, (more - less) / (2 * h),
                                      (double)got[i % 3]);
        }
        fixture_clean();
    }
}

/* Flat, in a line, in a point, folded onto itself: all finite, in every solver. */
static void folds_stay_finite(void)
{
    struct sheet s;
    piola_material m = plate(1);
    m.density = 0.01f;
    m.bend_model = PIOLA_BEND_DIHEDRAL;
    const piola_asset *asset = hinge(&s, &m);
    for (int shape = 0; shape < 6; shape++) {
        double x[12];
        for (unsigned i = 0; i < 12; i++)
            x[i] = shape == 0 ? 0 : shape == 1 ? (i % 3 == 0 ? i : 0) : s.x[i];
        if (shape == 2)
            memcpy(x + 9, x + 6, 3 * sizeof *x); /* one wing on the other */
        if (shape == 3)
            memcpy(x + 3, x, 3 * sizeof *x); /* no edge */
        if (shape == 4)
            memcpy(x + 6, x, 3 * sizeof *x); /* one wing is a line */
        for (int solver = 0; solver < 4; solver++) {
            struct pk_quad *q = particles(asset, x), *force = particles(asset, x);
            float *multipliers = fixture_memory(PK_LANES * sizeof *multipliers);
            if (solver < 3)
                project(asset,
                        (const piola_solver[3]){PIOLA_SOLVER_ENERGY, PIOLA_SOLVER_COMPLIANT,
                                                PIOLA_SOLVER_EXPLICIT}[solver],
                        q, multipliers);
            else
                q = descend(asset, x, false, 3);
            TEST_ASSERT_TRUE(isfinite(measure(asset, q, force)));
            for (unsigned i = 0; i < 4; i++)
                TEST_ASSERT_TRUE(isfinite(q[i].x + q[i].y + q[i].z) &&
                                 isfinite(force[i].x + force[i].y + force[i].z));
        }
    }
}

/* A hinge bent out of its curved rest shape comes back to it, by descent and by ENERGY. */
static void folds_come_back(void)
{
    struct sheet s;
    piola_material m = plate(1);
    m.bend_model = PIOLA_BEND_DIHEDRAL;
    hinge(&s, &m);
    s.x[11] = uniform(-1, 1);
    m.density = 1e-6f;
    const piola_asset *asset = compile(&s, &m);
    double x[12];
    memcpy(x, s.x, sizeof x);
    x[8] += 0.5;
    x[11] += 0.5;
    const double before = measure(asset, particles(asset, x), NULL);
    TEST_ASSERT_TRUE(before > 0.01);
    TEST_ASSERT_TRUE(measure(asset, descend(asset, x, false, 300), NULL) < 1e-3 * before);
    struct pk_quad *q = particles(asset, x);
    for (unsigned i = 0; i < 40; i++)
        project(asset, PIOLA_SOLVER_ENERGY, q, NULL);
    TEST_ASSERT_TRUE(measure(asset, q, NULL) < 1e-3 * before);
}

/* ---- piola_mesh_bends ---- */

static void bends_are_the_shared_edges(void)
{
    const struct sheet s = grid(5, 3, false);
    TEST_ASSERT_EQUAL_UINT32(3 * 15 - 5 - 3, s.bends.count);
    TEST_ASSERT_EQUAL_UINT32(16, s.bends.boundary_edges);
    TEST_ASSERT_EQUAL_UINT32(0, s.bends.crowded_edges);
    for (uint32_t i = 0; i < s.bends.count; i++) {
        const uint32_t *v = s.bends.bends + 4 * (size_t)i;
        unsigned found = 0;
        for (uint32_t t = 0; t < 3 * s.triangles; t++) {
            const uint32_t *w = s.t + t / 3 * 3;
            const uint32_t a = w[t % 3], b = w[(t + 1) % 3], c = w[(t + 2) % 3];
            found += a == v[0] && b == v[1] && c == v[2];
            found += a == v[1] && b == v[0] && c == v[3];
        }
        TEST_ASSERT_EQUAL_UINT(2, found); /* both windings agree with the mesh's */
    }
    const struct sheet closed = grid(5, 3, true);
    TEST_ASSERT_EQUAL_UINT32(10, closed.bends.boundary_edges);
    TEST_ASSERT_EQUAL_UINT32(3 * 15 - 5, closed.bends.count);
}

/* Three sheets sewn together along one edge. */
static void crowded_edges_are_told(void)
{
    struct sheet s = sheet_of(5, 3);
    const uint32_t t[9] = {7, 9, 2, 9, 7, 3, 7, 9, 4};
    memcpy(s.t, t, sizeof t);
    find_bends(&s);
    TEST_ASSERT_EQUAL_UINT32(0, s.bends.count);
    TEST_ASSERT_EQUAL_UINT32(1, s.bends.crowded_edges);
    TEST_ASSERT_EQUAL_UINT32(7, s.bends.crowded[0]);
    TEST_ASSERT_EQUAL_UINT32(9, s.bends.crowded[1]);
    TEST_ASSERT_EQUAL_UINT32(6, s.bends.boundary_edges);
}

static void bad_lists_are_refused(void)
{
    const uint32_t repeated[6] = {0, 1, 2, 1, 1, 3}, again[6] = {0, 1, 2, 2, 1, 0};
    uint32_t memory[36];
    piola_bends bends;
    piola_error error;
    TEST_ASSERT_EQUAL_size_t(sizeof memory, piola_mesh_bends_size(2));
    TEST_ASSERT_EQUAL_size_t(0, piola_mesh_bends_size(0));
    TEST_ASSERT_EQUAL_size_t(0, piola_mesh_bends_size(UINT32_MAX));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_MESH_REPEATED,
                      piola_mesh_bends(repeated, 2, memory, sizeof memory, &bends, &error));
    TEST_ASSERT_EQUAL_UINT64(1, error.item);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_MESH_DUPLICATE,
                      piola_mesh_bends(again, 2, memory, sizeof memory, &bends, &error));
    TEST_ASSERT_EQUAL_UINT64(1, error.item);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_MEMORY,
                      piola_mesh_bends(again, 2, memory, sizeof memory - 1, &bends, &error));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE,
                      piola_mesh_bends(again, 0, memory, sizeof memory, &bends, &error));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_mesh_bends(NULL, 2, memory, 1, &bends, NULL));
}

int main(void)
{
    seed = fixture_seed();
    UNITY_BEGIN();
    RUN_TEST(forces_are_the_gradient);
    RUN_TEST(rigid_motions_cost_nothing);
    RUN_TEST(cylinders_cost_what_plates_do);
    RUN_TEST(projections_do_what_they_say);
    RUN_TEST(rows_are_the_sum_of_stencils);
    RUN_TEST(plain_descent_is_descent);
    RUN_TEST(folds_are_potentials);
    RUN_TEST(folds_stay_finite);
    RUN_TEST(folds_come_back);
    RUN_TEST(bends_are_the_shared_edges);
    RUN_TEST(crowded_edges_are_told);
    RUN_TEST(bad_lists_are_refused);
    return UNITY_END();
}
