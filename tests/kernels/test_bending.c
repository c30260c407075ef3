/* test_bending.c - isometric bends: energy and gradient, the projections, what a cylinder costs,
 * rows and steps of descent. The dihedral model: test_folds.c.
 *
 * covers: ispc/cloth/
 */
#include "bend_fixture.h"
#include "io/mesh/meshgen.h"
#include "unity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* ---- the energy in double precision, from the mesh ---- */

static double energy(const struct sheet *s, const double *x, double q)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->bends.count; i++) {
        const uint32_t *v = s->bends.bends + 4 * (size_t)i;
        double k[4], l[3] = {0};
        const double scale = bend_stencil(s->x, v, k);
        for (unsigned c = 0; c < 4; c++)
            for (unsigned axis = 0; axis < 3; axis++)
                l[axis] += k[c] * x[3 * v[c] + axis];
        sum += 0.5 * q * scale * (l[0] * l[0] + l[1] * l[1] + l[2] * l[2]);
    }
    return sum;
}

static void forces_are_the_gradient(void)
{
    for (int round = 0; round < fixture_count(20, 2); round++) {
        struct sheet s = bend_grid(6, 5, false);
        bend_shake(&s, 0.2, 0.2, 0.1);
        const double stiffness = pow(10, bend_uniform(-5, 3));
        const piola_material m = bend_plate(stiffness);
        const piola_asset *asset = bend_compile(&s, &m);
        double *x = fixture_memory(3 * s.vertices * sizeof *x);
        double size = 0;
        for (uint32_t i = 0; i < 3 * s.vertices; i++)
            x[i] = (double)(float)(s.x[i] + bend_uniform(-0.5, 0.5));
        struct pk_quad *force = fixture_memory(asset->stats.particles * sizeof *force);
        const double want = energy(&s, x, stiffness / 3);
        TEST_ASSERT_DOUBLE_WITHIN(1e-5 * want, want,
                                  bend_measure(asset, bend_particles(asset, x), force));
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
    struct sheet s = bend_grid(7, 4, false);
    bend_shake(&s, 0.25, 0.25, 0);
    const piola_material m = bend_plate(1);
    const piola_asset *asset = bend_compile(&s, &m);
    double *x = fixture_memory(3 * s.vertices * sizeof *x);
    const double angle = bend_uniform(0, 2 * PI), c = cos(angle), d = sin(angle);
    for (uint32_t v = 0; v < s.vertices; v++) {
        const double *r = s.x + 3 * v;
        x[3 * v] = c * r[0] - d * r[2] + 3;
        x[3 * v + 1] = r[1] - 2;
        x[3 * v + 2] = d * r[0] + c * r[2] + 5;
    }
    /* Per bend some (3 / A) (1e-6 m)^2, against 1 for a fold. */
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, bend_measure(asset, bend_particles(asset, x), NULL));
    for (uint32_t i = 0; i < 3 * s.vertices; i++)
        x[i] += bend_uniform(-0.5, 0.5);
    struct pk_quad *force = fixture_memory(asset->stats.particles * sizeof *force);
    struct pk_quad *q = bend_particles(asset, x);
    bend_measure(asset, q, force);
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
    struct sheet flat = bend_grid(around, along, false);
    for (uint32_t i = 0; i < 3 * flat.vertices; i++)
        flat.x[i] *= step;
    const piola_material m = bend_plate(stiffness);
    const piola_asset *asset = bend_compile(&flat, &m);
    double *x = fixture_memory(3 * flat.vertices * sizeof *x);
    for (uint32_t v = 0; v < flat.vertices; v++) {
        x[3 * v] = radius * sin(flat.x[3 * v] / radius);
        x[3 * v + 1] = flat.x[3 * v + 1];
        x[3 * v + 2] = radius * cos(flat.x[3 * v] / radius);
    }
    const double area = (around - 1) * step * along * step; /* of the strips between folds */
    return bend_measure(asset, bend_particles(asset, x), NULL) / area * 2 * radius * radius /
           stiffness;
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

/* Eq. (3) with C = E quadratic halves L and quarters the energy; XPBD converges to the minimum of
 * inertia/2 |x - y|^2_M + E; EXPLICIT moves by -dt^2 w force. */
static void projections_do_what_they_say(void)
{
    struct sheet s;
    piola_material m = bend_plate(bend_uniform(0.1, 10));
    m.density = 0.01f; /* light, so that a step moves it far beyond rounding */
    const piola_asset *asset = bend_hinge(&s, &m);
    double x[12];
    for (unsigned i = 0; i < 12; i++)
        x[i] = s.x[i] + bend_uniform(-0.3, 0.3);
    struct pk_quad *q = bend_particles(asset, x), *start = bend_particles(asset, x);
    const double before = bend_measure(asset, q, NULL);
    bend_project(asset, PIOLA_SOLVER_ENERGY, q, NULL);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5 * before, 0.25 * before, bend_measure(asset, q, NULL));

    struct pk_quad *force = fixture_memory(asset->stats.particles * sizeof *force);
    float *multipliers = fixture_memory(PK_LANES * sizeof *multipliers);
    memcpy(q, start, asset->stats.particles * sizeof *q);
    for (unsigned i = 0; i < 100; i++)
        bend_project(asset, PIOLA_SOLVER_COMPLIANT, q, multipliers);
    bend_measure(asset, q, force);
    for (unsigned i = 0; i < 4; i++) {
        const double mass = (double)asset_mass(asset)[i], inertia = (double)bend_solve.inertia;
        const double pull = mass * inertia * (double)(q[i].z - start[i].z);
        TEST_ASSERT_DOUBLE_WITHIN(1e-4 * (fabs(pull) + 0.01), -pull, (double)force[i].z);
    }

    memcpy(q, start, asset->stats.particles * sizeof *q);
    memset(force, 0, asset->stats.particles * sizeof *force);
    bend_measure(asset, q, force);
    bend_project(asset, PIOLA_SOLVER_EXPLICIT, q, NULL);
    for (unsigned i = 0; i < 4; i++) {
        const double want = -(double)force[i].z * (double)q[i].w / (double)bend_solve.inertia;
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, want, (double)(q[i].z - start[i].z));
    }
}

/* ---- descent ---- */

/* The rows give each vertex the gradient that the stencils add up to. */
static void rows_are_the_sum_of_stencils(void)
{
    struct sheet s = bend_grid(8, 7, fixture_random(&bend_seed) % 2 != 0);
    bend_shake(&s, 0.2, 0.2, 0.3);
    const piola_material m = bend_plate(bend_uniform(0.1, 10));
    const piola_asset *asset = bend_compile(&s, &m);
    double *x = fixture_memory(3 * s.vertices * sizeof *x);
    for (uint32_t i = 0; i < 3 * s.vertices; i++)
        x[i] = s.x[i] + bend_uniform(-0.5, 0.5);
    struct pk_quad *q = bend_particles(asset, x);
    struct pk_quad *force = fixture_memory(asset->stats.particles * sizeof *force);
    bend_measure(asset, q, force);
    uint32_t vertices = 0;
    for (uint32_t p = 0; p < asset->at.vertex_packs.count; p++) {
        const struct pk_vertex_pack *pack = &asset_vertex_packs(asset)[p];
        for (unsigned lane = 0; lane < PK_LANES; lane++) {
            double sum[3] = {0}, weights = 0, size = 0;
            const struct pk_quad *self = &q[pack->self[lane]];
            for (uint32_t i = 0; i < pack->visits[PK_VISIT_BEND].count; i++) {
                const struct pk_bend_row *row =
                    &asset_bend_rows(asset)[pack->visits[PK_VISIT_BEND].first + i];
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
        struct sheet s = bend_grid(6, 6, false);
        bend_shake(&s, 0.15, 0.15, 0);
        piola_material m = bend_plate(2);
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
        const piola_asset *asset = bend_compile(&s, &m);
        TEST_ASSERT_NOT_EQUAL_UINT32(UINT32_MAX, asset->sheet_material);
        double *x = fixture_memory(3 * s.vertices * sizeof *x);
        for (uint32_t i = 0; i < 3 * s.vertices; i++)
            x[i] = s.x[i] + bend_uniform(-0.02, 0.02);
        TEST_ASSERT_DOUBLE_WITHIN(
            1e-6, 0,
            farthest(asset, bend_descend(asset, x, true, 1), bend_descend(asset, x, false, 1)));
        for (uint32_t i = 0; i < 3 * s.vertices; i++)
            x[i] = 0.7 * s.x[i] + bend_uniform(-0.3, 0.3); /* here and there crushed */
        TEST_ASSERT_DOUBLE_WITHIN(
            1e-4, 0,
            farthest(asset, bend_descend(asset, x, true, 400), bend_descend(asset, x, false, 400)));
    }
}

/* What a sweep of descent lowers, in J. */
static double objective(const piola_asset *asset, const struct pk_quad *x,
                        const struct pk_quad *target)
{
    struct pk_measure *sum = fixture_memory(sizeof *sum);
    const struct pk_element_job job = {
        .x = (struct pk_quad *)(uintptr_t)x, /* which measuring does not write */
        .start = x,
        .triangles = asset_triangle_packs(asset),
        .material = asset_materials(asset) + asset->sheet_material,
        .solve = &bend_solve,
        .measure = sum,
        .count = (uint32_t)asset->at.triangle_packs.count,
    };
    bend_kernels()->measure_triangles(&job);
    bend_kernels()->measure_total(sum);
    double inertia = 0;
    for (uint32_t i = 0; i < asset->stats.vertices; i++) {
        const double d[3] = {(double)(x[i].x - target[i].x), (double)(x[i].y - target[i].y),
                             (double)(x[i].z - target[i].z)};
        inertia += (double)asset_mass(asset)[i] * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
    return sum->elastic[0] + bend_measure(asset, x, NULL) +
           0.5 * (double)bend_solve.inertia * inertia;
}

/* From states stretched, sheared and folded by anything, some of them crushed: the safeguard knows
 * what each step does. */
static void plain_descent_never_rises(void)
{
    for (int round = 0; round < fixture_count(200, 10); round++) {
        struct sheet s = bend_grid(5, 5, false);
        bend_shake(&s, 0.2, 0.2, 0);
        piola_material m = bend_plate(bend_uniform(0.1, 10));
        m.density = 1e-4f;
        const piola_asset *asset = bend_compile(&s, &m);
        double *x = fixture_memory(3 * s.vertices * sizeof *x);
        const double stretch = bend_uniform(0.8, 3), wild = bend_uniform(0, 1);
        for (uint32_t i = 0; i < 3 * s.vertices; i++)
            x[i] = stretch * s.x[i] + wild * bend_uniform(-1, 1);
        struct pk_quad *target = bend_particles(asset, x);
        for (uint32_t i = 0; i < asset->stats.vertices; i++)
            target[i].z += 0.01f; /* as bend_descend has it */
        double last = objective(asset, bend_particles(asset, x), target);
        for (uint32_t sweeps = 1; sweeps <= 4; sweeps++) {
            const double now = objective(asset, bend_descend(asset, x, true, sweeps), target);
            TEST_ASSERT_TRUE(now <= last * (1 + 1e-5));
            last = now;
        }
        fixture_clean();
    }
}

/* A soft box in a skin of stiff cloth with bends of either model, let go from a crooked shape: no
 * step of descent raises the objective, and enough iterations bring its gradient to nothing. */
static void skins_descend(void)
{
    for (int model = 0; model < PIOLA_BEND_MODEL_COUNT; model++) {
        struct meshgen box = {0};
        const uint32_t n = (uint32_t)fixture_count(3, 2), cells[3] = {n, n, n};
        TEST_ASSERT_TRUE(meshgen_box(&box, (const double[3]){1, 1, 1}, cells));
        piola_material m[3] = {piola_material_default(), bend_plate(500), bend_plate(5)};
        m[0].young = 1000;
        m[1].density = 1;
        m[2].bend_model = (piola_bend_model)model;
        piola_mesh_desc desc = meshgen_desc(&box);
        desc.materials = m;
        desc.material_count = 3;
        struct sheet skin = {0};
        const uint32_t *faces = piola_asset_surface(fixture_compile(&desc), &skin.triangles);
        skin.t = fixture_memory(3 * skin.triangles * sizeof *skin.t);
        memcpy(skin.t, faces, 3 * skin.triangles * sizeof *skin.t);
        bend_find(&skin);
        TEST_ASSERT_EQUAL_UINT32(0, skin.bends.boundary_edges);
        uint32_t *of = fixture_memory(2 * skin.bends.count * sizeof *of);
        for (uint32_t i = 0; i < 2 * skin.bends.count; i++)
            of[i] = 1 + i / skin.bends.count;
        desc.triangles = skin.t;
        desc.triangle_count = skin.triangles;
        desc.triangle_materials = of;
        desc.bends = skin.bends.bends;
        desc.bend_count = skin.bends.count;
        desc.bend_materials = of + skin.bends.count;
        const piola_asset *asset = fixture_compile(&desc);
        piola_world_desc wd = piola_world_desc_default();
        wd.report_physics = true;
        wd.gravity[1] = 0;
        wd.iterations = 200;
        piola_world *world = fixture_world(&wd);
        const piola_body body = fixture_body(world, asset, 0, 0, 0);
        float *x = fixture_memory(3 * box.vertex_count * sizeof *x);
        for (uint32_t i = 0; i < 3 * box.vertex_count; i++)
            x[i] = (float)(box.vertices[i] + bend_uniform(-0.1, 0.1));
        fixture_ok(piola_body_set_positions(world, body, 0, box.vertex_count, x, NULL), NULL);
        meshgen_free(&box);
        piola_report report;
        for (int step = 0; step < 5; step++) {
            fixture_ok(piola_world_step(world, NULL, &report), NULL);
            TEST_ASSERT_EQUAL_UINT32(0, report.frozen);
            TEST_ASSERT_TRUE(report.objective <= report.objective_before * (1 + 1e-6));
            TEST_ASSERT_TRUE(report.residual < 1); /* N, of forces of hundreds */
        }
        fixture_clean();
    }
}

int main(void)
{
    bend_seed = fixture_seed();
    UNITY_BEGIN();
    RUN_TEST(forces_are_the_gradient);
    RUN_TEST(rigid_motions_cost_nothing);
    RUN_TEST(cylinders_cost_what_plates_do);
    RUN_TEST(projections_do_what_they_say);
    RUN_TEST(rows_are_the_sum_of_stencils);
    RUN_TEST(plain_descent_is_descent);
    RUN_TEST(plain_descent_never_rises);
    RUN_TEST(skins_descend);
    return UNITY_END();
}
