/* test_rest.c - rest data of packs and visits against plain double-precision formulas.
 *
 * covers: src/compile/rest_shape.c
 */
#include "any_mesh.h"
#include "asset/asset.h"
#include "unity.h"

#include <math.h>
#include <string.h>

void setUp(void)
{
    any_mesh_begin();
}

void tearDown(void)
{
    any_mesh_end();
    fixture_clean();
}

struct vec {
    double x[3];
};

static struct vec rest_of(const piola_asset *asset, uint32_t particle)
{
    const struct pk_quad *q = &asset_rest(asset)[particle];
    return (struct vec){{(double)q->x, (double)q->y, (double)q->z}};
}

static double det_of(const struct vec d[3])
{
    return d[0].x[0] * (d[1].x[1] * d[2].x[2] - d[1].x[2] * d[2].x[1]) -
           d[0].x[1] * (d[1].x[0] * d[2].x[2] - d[1].x[2] * d[2].x[0]) +
           d[0].x[2] * (d[1].x[0] * d[2].x[1] - d[1].x[1] * d[2].x[0]);
}

/* F = sum (x_i - xa) r_i^T of a visit or pack lane, rows r as stored. */
static void gradient_of(const struct vec *x, const struct vec *xa, const double r[9], double f[9])
{
    for (unsigned row = 0; row < 3; row++) {
        for (unsigned column = 0; column < 3; column++) {
            f[3 * row + column] = 0;
            for (unsigned i = 0; i < 3; i++) {
                f[3 * row + column] += (x[i].x[row] - xa->x[row]) * r[3 * i + column];
            }
        }
    }
}

/* Stable Neo-Hookean energy density, design section 6. */
static double snh_density(const double f[9], double mu, double lambda)
{
    double squares = 0;
    for (unsigned i = 0; i < 9; i++) {
        squares += f[i] * f[i];
    }
    const struct vec rows[3] = {{{f[0], f[1], f[2]}}, {{f[3], f[4], f[5]}}, {{f[6], f[7], f[8]}}};
    const double j = det_of(rows);
    return mu / 2 * (squares - 3) - mu * (j - 1) + (lambda + mu) / 2 * (j - 1) * (j - 1);
}

/* Volumes are those of the positions that a body gets, which are in single precision. */
static void rest_shapes_are_those_of_rounded_positions(void)
{
    uint64_t seed = fixture_seed();
    any_mesh_box();
    any_mesh_disturb(&seed, 0.05);
    const piola_mesh_desc desc = any_mesh_describe();
    const piola_asset *asset = fixture_compile(&desc);
    double volume = 0;
    for (uint32_t p = 0; p < asset->at.tet_packs.count; p++) {
        const struct pk_tet_pack *pack = &asset_tet_packs(asset)[p];
        for (unsigned lane = 0; lane < PK_LANES; lane++) {
            struct vec x[4];
            for (unsigned i = 0; i < 4; i++) {
                x[i] = rest_of(asset, pack->index[i][lane]);
            }
            for (unsigned i = 0; i < 3; i++) {
                for (unsigned axis = 0; axis < 3; axis++) {
                    x[i].x[axis] -= x[3].x[axis];
                }
            }
            const bool used = pack->index[0][lane] < asset->stats.vertices;
            volume += used ? det_of(x) / 6 : 0;
        }
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, volume, asset->stats.volume);
}

/* At rest in its frame every element has F = R, and Dm is that of the rest positions. */
static void packs_hold_the_rest_shape(void)
{
    any_mesh_box();
    piola_mesh_desc desc = any_mesh_describe();
    any_materials[0].model = PIOLA_MODEL_STVK_ORTHOTROPIC;
    for (unsigned i = 0; i < 3; i++) {
        any_materials[0].young_axis[i] = 1e5f * (float)(i + 1);
        any_materials[0].shear_axis[i] = 3e4f;
    }
    /* First axis y, second z (given slanted), so R = (y z x). */
    float *frames = fixture_memory(any_mesh.tetrahedron_count * 6 * sizeof *frames);
    for (uint32_t i = 0; i < any_mesh.tetrahedron_count; i++) {
        frames[6 * i + 1] = 3;
        frames[6 * i + 4] = 1;
        frames[6 * i + 5] = 0.5f;
    }
    desc.tetrahedron_frames = frames;
    const piola_asset *asset = fixture_compile(&desc);
    const double expected[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    double volume = 0;
    for (uint32_t p = 0; p < asset->at.tet_packs.count; p++) {
        const struct pk_tet_pack *pack = &asset_tet_packs(asset)[p];
        for (unsigned lane = 0; lane < PK_LANES; lane++) {
            struct vec x[4];
            double r[9], f[9];
            for (unsigned i = 0; i < 4; i++) {
                x[i] = rest_of(asset, pack->index[i][lane]);
            }
            for (unsigned i = 0; i < 9; i++) {
                r[i] = (double)pack->dm_inverse[i][lane];
            }
            gradient_of(x, &x[3], r, f);
            volume += (double)pack->volume[lane];
            const bool used = pack->index[0][lane] < asset->stats.vertices;
            for (unsigned i = 0; i < 9; i++) {
                TEST_ASSERT_DOUBLE_WITHIN(1e-5, used ? expected[i] : (double)(i % 4 == 0), f[i]);
            }
        }
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1, volume);
    for (uint32_t s = 0; s < asset->at.visits.count; s++) {
        /* No lane of a slot is without weight and finite numbers at once in a solid. */
        const struct pk_visit *v = &asset_visits(asset)[s];
        for (unsigned lane = 0; lane < PK_LANES; lane++) {
            TEST_ASSERT_TRUE(isfinite((double)v->volume[lane]));
        }
    }
}

/* Each visit's F at rest is the frame too, whichever the corner. */
static void visits_hold_the_rest_shape(void)
{
    any_mesh_box();
    piola_mesh_desc desc = any_mesh_describe();
    any_materials[0].model = PIOLA_MODEL_STVK;
    const piola_asset *asset = fixture_compile(&desc);
    for (uint32_t p = 0; p < asset->at.vertex_packs.count; p++) {
        const struct pk_vertex_pack *pack = &asset_vertex_packs(asset)[p];
        for (uint32_t s = 0; s < pack->visits[PK_VISIT_TET].count * PK_LANES; s++) {
            const struct pk_visit *v =
                &asset_visits(asset)[pack->visits[PK_VISIT_TET].first + s / PK_LANES];
            const unsigned lane = s % PK_LANES;
            struct vec x[3], xa = rest_of(asset, pack->self[lane]);
            double r[9], f[9];
            for (unsigned i = 0; i < 3; i++) {
                x[i] = rest_of(asset, v->other[i][lane]);
            }
            for (unsigned i = 0; i < 9; i++) {
                r[i] = (double)v->r[i][lane];
            }
            gradient_of(x, &xa, r, f);
            for (unsigned i = 0; i < 9; i++) {
                TEST_ASSERT_DOUBLE_WITHIN(1e-5, (double)(i % 4 == 0), f[i]);
            }
        }
    }
}

/* Energy of the visited elements of one lane, from rest and deformed positions of a body. */
static double lane_energy(const piola_asset *asset, const struct pk_vertex_pack *pack,
                          unsigned lane, const struct vec *x, const struct vec *xa)
{
    const struct pk_material *m = asset_materials(asset);
    double energy = 0;
    for (uint32_t s = 0; s < pack->visits[PK_VISIT_TET].count; s++) {
        const struct pk_visit_snh *v =
            &asset_visits_snh(asset)[pack->visits[PK_VISIT_TET].first + s];
        if (v->beta[lane] > 0) {
            struct vec d[3], now[3];
            const struct vec at = rest_of(asset, pack->self[lane]);
            double r[9], f[9];
            for (unsigned i = 0; i < 3; i++) {
                const struct vec other = rest_of(asset, v->other[i][lane]);
                now[i] = x[v->other[i][lane]];
                for (unsigned axis = 0; axis < 3; axis++) {
                    d[i].x[axis] = other.x[axis] - at.x[axis];
                }
            }
            const double det = det_of(d);
            TEST_ASSERT_TRUE(det > 0);
            for (unsigned i = 0; i < 3; i++) {
                const double *a = d[(i + 1) % 3].x, *b = d[(i + 2) % 3].x;
                for (unsigned axis = 0; axis < 3; axis++) {
                    const unsigned j = (axis + 1) % 3, k = (axis + 2) % 3;
                    r[3 * i + axis] = (a[j] * b[k] - a[k] * b[j]) / det;
                }
            }
            gradient_of(now, xa, r, f);
            energy += det / 6 * snh_density(f, (double)m->mu, (double)m->lambda);
        }
    }
    return energy;
}

/* The folded form's gradient, as packs.h states it. */
static struct vec lane_gradient(const piola_asset *asset, const struct pk_vertex_pack *pack,
                                unsigned lane, const struct vec *x, const struct vec *xa,
                                double hessian[9])
{
    struct vec g = {{0, 0, 0}};
    for (unsigned i = 0; i < 9; i++) {
        hessian[i] = i % 4 == 0 ? (double)pack->laplacian[lane] : 0;
    }
    for (uint32_t s = 0; s < pack->visits[PK_VISIT_TET].count; s++) {
        const struct pk_visit_snh *v =
            &asset_visits_snh(asset)[pack->visits[PK_VISIT_TET].first + s];
        double e[2][3], n[3], nd = 0;
        for (unsigned axis = 0; axis < 3; axis++) {
            for (unsigned i = 0; i < 2; i++) {
                e[i][axis] = x[v->other[i + 1][lane]].x[axis] - x[v->other[0][lane]].x[axis];
            }
        }
        for (unsigned axis = 0; axis < 3; axis++) {
            const unsigned j = (axis + 1) % 3, k = (axis + 2) % 3;
            n[axis] = e[0][j] * e[1][k] - e[0][k] * e[1][j];
            nd += n[axis] * (xa->x[axis] - x[v->other[0][lane]].x[axis]);
        }
        for (unsigned axis = 0; axis < 3; axis++) {
            for (unsigned i = 0; i < 3; i++) {
                g.x[axis] += (double)v->k[i][lane] * (x[v->other[i][lane]].x[axis] - xa->x[axis]);
                hessian[3 * axis + i] += (double)v->beta[lane] * n[axis] * n[i];
            }
            g.x[axis] += n[axis] * ((double)v->alpha[lane] + (double)v->beta[lane] * nd);
        }
    }
    return g;
}

/* Gradient and Hessian of the folded visits against differences of the energy, in random states,
 * inverted ones among them. */
static void folded_visits_are_the_energy(void)
{
    uint64_t seed = fixture_seed();
    TEST_ASSERT_TRUE(
        meshgen_box_kuhn(&any_mesh, (const double[3]){1, 1, 1}, (const uint32_t[3]){3, 2, 2}));
    any_mesh_disturb(&seed, 0.05);
    any_materials[0].poisson = 0.4f;
    const piola_mesh_desc desc = any_mesh_describe();
    const piola_asset *asset = fixture_compile(&desc);
    struct vec *x = fixture_memory(asset->stats.particles * sizeof *x);
    for (uint32_t i = 0; i < asset->stats.particles; i++) {
        x[i] = rest_of(asset, i);
        for (unsigned axis = 0; axis < 3; axis++) {
            x[i].x[axis] += 0.5 * (fixture_uniform(&seed) - 0.5);
        }
    }
    for (uint32_t p = 0; p < asset->at.vertex_packs.count; p++) {
        const struct pk_vertex_pack *pack = &asset_vertex_packs(asset)[p];
        for (unsigned lane = 0; lane < PK_LANES; lane++) {
            if (pack->self[lane] >= asset->stats.vertices) {
                continue;
            }
            const struct vec at = x[pack->self[lane]];
            double hessian[9];
            const struct vec g = lane_gradient(asset, pack, lane, x, &at, hessian);
            double scale = 0;
            for (unsigned i = 0; i < 9; i++) {
                scale = fmax(scale, fabs(hessian[i]));
            }
            const double step = 1e-4;
            for (unsigned axis = 0; axis < 3; axis++) {
                struct vec up = at, down = at;
                double ignore[9];
                up.x[axis] += step;
                down.x[axis] -= step;
                /* The energy is quadratic in one vertex: central differences are exact. */
                const double slope = (lane_energy(asset, pack, lane, x, &up) -
                                      lane_energy(asset, pack, lane, x, &down)) /
                                     (2 * step);
                TEST_ASSERT_DOUBLE_WITHIN(1e-5 * scale, slope, g.x[axis]);
                const struct vec high = lane_gradient(asset, pack, lane, x, &up, ignore);
                const struct vec low = lane_gradient(asset, pack, lane, x, &down, ignore);
                for (unsigned i = 0; i < 3; i++) {
                    TEST_ASSERT_DOUBLE_WITHIN(1e-5 * scale, (high.x[i] - low.x[i]) / (2 * step),
                                              hessian[3 * axis + i]);
                }
            }
        }
    }
}

/* Triangles: F is 3x2 with orthonormal columns at rest, the first along the warp. */
static void triangles_hold_the_rest_shape(void)
{
    any_mesh_cloth();
    piola_mesh_desc desc = any_mesh_describe();
    float *warp = fixture_memory(any_mesh.triangle_count * 3 * sizeof *warp);
    for (uint32_t i = 0; i < any_mesh.triangle_count; i++) {
        warp[3 * i] = 3; /* the part across the sheet must not matter */
        warp[3 * i + 1] = 1;
        warp[3 * i + 2] = 4;
    }
    desc.triangle_directions = warp;
    const piola_asset *asset = fixture_compile(&desc);
    double area = 0;
    for (uint32_t p = 0; p < asset->at.triangle_packs.count; p++) {
        const struct pk_triangle_pack *pack = &asset_triangle_packs(asset)[p];
        for (unsigned lane = 0; lane < PK_LANES; lane++) {
            if (pack->index[0][lane] >= asset->stats.vertices) {
                continue;
            }
            const struct vec x[3] = {rest_of(asset, pack->index[0][lane]),
                                     rest_of(asset, pack->index[1][lane]),
                                     rest_of(asset, pack->index[2][lane])};
            /* Sheets lie in xz; the warp's direction in it is (3, 4) / 5; the normal is +y, so the
             * weft is y cross warp. */
            const double expected[3][2] = {{0.6, 0.8}, {0, 0}, {0.8, -0.6}};
            for (unsigned row = 0; row < 3; row++) {
                for (unsigned column = 0; column < 2; column++) {
                    double f = 0;
                    for (unsigned i = 0; i < 2; i++) {
                        f += (x[i].x[row] - x[2].x[row]) *
                             (double)pack->dm_inverse[2 * i + column][lane];
                    }
                    TEST_ASSERT_DOUBLE_WITHIN(1e-5, expected[row][column], f);
                }
            }
            area += (double)pack->area[lane];
        }
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1, area);
}

/* A hinge of two triangles, the second turned up by `angle`. */
static const piola_asset *hinge(double angle, double stiffness)
{
    const double x[12] = {0, 0, 0, 1, 0, 0, 0.3, 1, 0, 0.6, -cos(angle), sin(angle)};
    const uint32_t faces[6] = {0, 1, 2, 0, 3, 1};
    const uint32_t bend[4] = {0, 1, 2, 3};
    piola_mesh_desc desc = piola_mesh_desc_default();
    desc.vertices = x;
    desc.vertex_count = 4;
    desc.triangles = faces;
    desc.triangle_count = 2;
    desc.bends = bend;
    desc.bend_count = 1;
    any_materials[0].bend = (float)stiffness;
    desc.materials = any_materials;
    desc.material_count = 1;
    return fixture_compile(&desc);
}

static void bends_measure_the_angle(void)
{
    for (double angle = -3.1; angle <= 3.1; angle += 0.1) {
        const piola_asset *asset = hinge(angle, 1);
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, angle, (double)asset_bend_packs(asset)->rest_angle[0]);
    }
    const piola_asset *flat = hinge(0, 2);
    const struct pk_bend_pack *b = asset_bend_packs(flat);
    TEST_ASSERT_EQUAL_FLOAT(0, b->rest_angle[0]);
    TEST_ASSERT_EQUAL_FLOAT(3.0f, b->scale[0]); /* 3 / (A0 + A1), each half a square metre */
    for (unsigned axis = 0; axis < 3; axis++) {
        double sum = 0, weights = 0;
        for (unsigned i = 0; i < 4; i++) {
            sum += (double)b->k[i][0] * rest_of(flat, b->index[i][0]).x[axis];
            weights += (double)b->k[i][0];
        }
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, sum); /* a flat rest shape has no energy */
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, weights);
    }
}

/* A bend alone: the rows are those of stiffness Q. */
static void bend_rows_are_those_of_q(void)
{
    const double stiffness = 0.25; /* of Q: a third of the plate's */
    const piola_asset *asset = hinge(0.4, 3 * stiffness);
    const struct pk_bend_pack *b = asset_bend_packs(asset);
    for (uint32_t p = 0; p < asset->at.vertex_packs.count; p++) {
        const struct pk_vertex_pack *pack = &asset_vertex_packs(asset)[p];
        TEST_ASSERT_EQUAL_UINT32(3, pack->visits[PK_VISIT_BEND].count);
        const struct pk_bend_row *row = &asset_bend_rows(asset)[pack->visits[PK_VISIT_BEND].first];
        double k[4] = {0};
        for (unsigned i = 0; i < 4; i++) {
            k[b->index[i][0]] = (double)b->k[i][0];
        }
        const double own = stiffness * (double)b->scale[0] * k[pack->self[0]];
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, own * k[pack->self[0]], (double)pack->bending[0]);
        for (unsigned i = 0; i < 3; i++) {
            TEST_ASSERT_DOUBLE_WITHIN(1e-6, own * k[row[i].other[0]], (double)row[i].weight[0]);
        }
        for (unsigned lane = 1; lane < PK_LANES; lane++) {
            TEST_ASSERT_EQUAL_FLOAT(0, pack->bending[lane]);
            TEST_ASSERT_EQUAL_FLOAT(0, row[0].weight[lane]);
        }
    }
}

/* Turns every tetrahedron's corners at random, keeping its hand, so that each of its faces gets to
 * be the outer one. */
static void turn_corners(uint64_t *seed)
{
    for (uint32_t i = 0; i < any_mesh.tetrahedron_count; i++) {
        uint32_t *v = any_mesh.tetrahedra + 4 * (size_t)i;
        for (uint64_t n = fixture_random(seed) % 3; n > 0; n--) {
            const uint32_t turned[4] = {v[1], v[2], v[0], v[3]};
            memcpy(v, turned, sizeof turned);
        }
        if (fixture_random(seed) % 2) {
            const uint32_t turned[4] = {v[3], v[2], v[1], v[0]};
            memcpy(v, turned, sizeof turned);
        }
    }
}

/* The surface is closed and looks outward: it encloses the volume of the tetrahedra. */
static void surfaces_enclose_the_volume(void)
{
    uint64_t seed = fixture_seed();
    TEST_ASSERT_TRUE(meshgen_torus(&any_mesh, 1, 0.4, 2000));
    turn_corners(&seed);
    const piola_mesh_desc desc = any_mesh_describe();
    const piola_asset *asset = fixture_compile(&desc);
    uint32_t count = 0;
    const uint32_t *v = piola_asset_surface(asset, &count);
    double volume = 0;
    uint64_t balance = 0;
    for (uint32_t i = 0; i < count; i++, v += 3) {
        struct vec x[3];
        for (unsigned k = 0; k < 3; k++) {
            const uint64_t a = v[k], b = v[(k + 1) % 3];
            memcpy(x[k].x, any_mesh.vertices + 3 * (size_t)a, sizeof x[k].x);
            /* Each edge is walked once each way, so these numbers cancel. */
            balance += (a * a * b - b * b * a) * (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
        }
        volume += det_of(x) / 6;
    }
    TEST_ASSERT_EQUAL_UINT64(0, balance);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5 * asset->stats.volume, asset->stats.volume, volume);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(rest_shapes_are_those_of_rounded_positions);
    RUN_TEST(packs_hold_the_rest_shape);
    RUN_TEST(visits_hold_the_rest_shape);
    RUN_TEST(folded_visits_are_the_energy);
    RUN_TEST(triangles_hold_the_rest_shape);
    RUN_TEST(bends_measure_the_angle);
    RUN_TEST(bend_rows_are_those_of_q);
    RUN_TEST(surfaces_enclose_the_volume);
    return UNITY_END();
}
