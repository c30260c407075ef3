/* Friction of each pair of kinds: a body, a collider, a rigid body, a body itself; with none, one
 * and two frictions given. covers: src/world/friction.h
 */
#include "collider_fixture.h"
#include "contact_fixture.h"
#include "families/collide/collide.h"
#include "families/rigid/rigid.h"
#include "families/surface/surface.h"
#include "ref_mesh.h"
#include "unity.h"
#include "world/friction.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CELL   0.05
#define WORLDS 0.3f

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* A friction at rest and sliding, of the lower and of the upper one, and what counts of them. */
static const struct row {
    float lower[2], upper[2];
    double rest, slides;
} rows[] = {
    {{-1, -1}, {-1, -1}, 0.3, 0.3},     {{0.5f, 0.4f}, {-1, -1}, 0.5, 0.4},
    {{-1, -1}, {0.2f, 0.1f}, 0.2, 0.1}, {{0.8f, 0.5f}, {0.2f, 0.2f}, 0.4, 0.31622777},
    {{0, 0}, {0.6f, 0.5f}, 0, 0},
};
#define ROWS (sizeof rows / sizeof *rows)

static void test_the_rule(void)
{
    for (size_t k = 0; k < ROWS; ++k)
        for (int swap = 0; swap < 2; ++swap) {
            const float *a = swap ? rows[k].upper : rows[k].lower;
            const float *b = swap ? rows[k].lower : rows[k].upper;
            float f[2];
            friction_between(friction_made(a[0], a[1]), friction_made(b[0], b[1]), WORLDS, f);
            TEST_ASSERT_DOUBLE_WITHIN(1e-7, rows[k].rest, f[0]);
            TEST_ASSERT_DOUBLE_WITHIN(1e-7, rows[k].slides, f[1]);
        }
}

enum kind {
    BODY_ON_COLLIDER,
    BODY_ON_RIGID,
    RIGID_ON_COLLIDER,
    BODY_ON_BODY,
    BODY_ON_ITSELF,
    KINDS
};
static const char *const kinds[KINDS] = {"body on collider", "body on rigid body",
                                         "rigid body on collider", "body on body",
                                         "body on itself"};

/* Something on top of something larger that does not move. */
struct couple {
    piola_world *world;
    piola_body body; /* the upper one, whose last vertices it is; or */
    piola_rigid rigid;
    uint32_t first, count;
};

/* A wide slab, and above it a cube of two cells, in one mesh. */
static const piola_asset *slab_and_cube(uint32_t *first, uint32_t *count)
{
    static const int slab[3] = {8, 1, 4}, cube[3] = {2, 2, 2};
    const double large[3] = {8 * CELL, CELL, 4 * CELL}, small[3] = {CELL, CELL, CELL};
    ref_mesh low, high, both;
    piola_material m = piola_material_default();
    TEST_ASSERT_TRUE(ref_mesh_beam(&low, slab, large, 5) && ref_mesh_beam(&high, cube, small, 5));
    both.vertices = low.vertices + high.vertices;
    both.tets = low.tets + high.tets;
    both.x = fixture_memory(3 * (size_t)both.vertices * sizeof *both.x);
    both.tet = fixture_memory(4 * (size_t)both.tets * sizeof *both.tet);
    memcpy(both.x, low.x, 3 * (size_t)low.vertices * sizeof *both.x);
    memcpy(both.tet, low.tet, 4 * (size_t)low.tets * sizeof *both.tet);
    for (int i = 0; i < 3 * high.vertices; ++i)
        both.x[3 * low.vertices + i] = high.x[i] + (i % 3 == 1   ? CELL + 0.002
                                                    : i % 3 == 0 ? CELL
                                                                 : 1.5 * CELL);
    for (int i = 0; i < 4 * high.tets; ++i)
        both.tet[4 * low.tets + i] = high.tet[i] + low.vertices;
    *first = (uint32_t)low.vertices;
    *count = (uint32_t)high.vertices;
    m.young = 1e5f;
    const piola_mesh_desc desc = fixture_mesh(&both, &m);
    ref_mesh_free(&low);
    ref_mesh_free(&high);
    return fixture_compile(&desc);
}

static void put_floor(struct couple *c, const float friction[2])
{
    piola_collider_desc d = piola_collider_desc_default();
    piola_collider collider;
    d.friction_static = friction[0];
    d.friction_kinetic = friction[1];
    fixture_ok(piola_collider_create(c->world, &d, &collider, NULL), NULL);
}

static void put_rigid(struct couple *c, bool upper, const float friction[2])
{
    piola_rigid_desc d = piola_rigid_desc_default();
    const float half = upper ? 0.025f : 0.2f;
    d.shape = piola_shape_box((float[]){half, half, half}, 0);
    d.position[1] = upper ? half : -half;
    d.mass = upper ? 1 : 1e4f;
    d.gravity_scale = upper ? 1 : 0;
    d.friction_static = friction[0];
    d.friction_kinetic = friction[1];
    fixture_ok(piola_rigid_create(c->world, &d, &c->rigid, NULL), NULL);
}

static void put_body(struct couple *c, const piola_asset *asset, double x, double y,
                     const float friction[2])
{
    piola_body_desc d = piola_body_desc_default();
    d.asset = asset;
    d.position[0] = (float)x;
    d.position[1] = (float)y;
    d.position[2] = (float)(1.5 * CELL);
    d.friction_static = friction[0];
    d.friction_kinetic = friction[1];
    fixture_ok(piola_body_create(c->world, &d, &c->body, NULL), NULL);
}

static struct couple couple_of(enum kind kind, piola_solver solver, const struct row *row,
                               int settle)
{
    static const float holds[2] = {10, 10};
    const float *lower = row->lower, *upper = row->upper;
    piola_world_desc d = scene_desc(solver);
    struct couple c = {0};
    d.substeps = 2;
    d.iterations = 20;
    d.contact_friction = WORLDS;
    c.world = fixture_world(&d);
    c.count = 27;
    if (kind == BODY_ON_COLLIDER || kind == RIGID_ON_COLLIDER)
        put_floor(&c, lower);
    if (kind == RIGID_ON_COLLIDER || kind == BODY_ON_RIGID)
        put_rigid(&c, kind == RIGID_ON_COLLIDER, kind == RIGID_ON_COLLIDER ? upper : lower);
    if (kind == BODY_ON_BODY || kind == BODY_ON_ITSELF) {
        /* Pinned from below, so that nothing of the slab moves. */
        const piola_asset *slab = kind == BODY_ON_BODY ? fixture_beam_of(8, 1, 4, CELL, NULL, 0)
                                                       : slab_and_cube(&c.first, &c.count);
        put_floor(&c, holds);
        put_body(&c, slab, 0, 0, kind == BODY_ON_BODY ? lower : upper);
        for (uint32_t i = 0; i < 9 * 2 * 5; ++i) {
            float x[3];
            fixture_ok(piola_body_positions(c.world, c.body, i, 1, x), NULL);
            fixture_ok(piola_body_pin(c.world, c.body, i, x), NULL);
        }
    }
    if (kind == BODY_ON_COLLIDER || kind == BODY_ON_RIGID || kind == BODY_ON_BODY)
        put_body(&c, fixture_beam_of(2, 2, 2, CELL / 2, NULL, 0), kind == BODY_ON_BODY ? CELL : 0,
                 kind == BODY_ON_BODY ? CELL + 0.002 : 0, upper);
    fixture_steps(c.world, NULL, settle);
    return c;
}

/* Mean place (m) or velocity (m/s) along x of the upper one. */
static double along(const struct couple *c, bool speed)
{
    if (c->body.index == 0) {
        piola_rigid_info info;
        fixture_ok(piola_rigid_inspect(c->world, c->rigid, &info), NULL);
        return (double)(speed ? info.velocity[0] : info.position[0]);
    }
    float x[3 * 27];
    double sum = 0;
    TEST_ASSERT_TRUE(c->count <= 27);
    fixture_ok((speed ? piola_body_velocities : piola_body_positions)(c->world, c->body, c->first,
                                                                      c->count, x),
               NULL);
    for (uint32_t i = 0; i < c->count; ++i)
        sum += (double)x[3 * i];
    return sum / c->count;
}

static void launch(const struct couple *c, float speed)
{
    const float v[3] = {speed, 0, 0};
    if (c->body.index == 0) {
        fixture_ok(piola_rigid_set_velocity(c->world, c->rigid, v), NULL);
        return;
    }
    for (uint32_t i = 0; i < c->count; ++i)
        fixture_ok(piola_body_set_velocities(c->world, c->body, c->first + i, 1, v, NULL), NULL);
}

static void test_each_pair_slides_by_the_rule(void)
{
    for (int kind = 0; kind < KINDS; ++kind)
        for (int which = 0; which < (kind < BODY_ON_BODY ? 2 : 1); ++which)
            for (size_t k = 0; k < ROWS; k += which ? 3 : 1) {
                const struct row *row = &rows[k];
                struct couple c = couple_of((enum kind)kind, (piola_solver)which, row, 40);
                launch(&c, 1);
                fixture_steps(c.world, NULL, 8);
                const double before = along(&c, true);
                fixture_steps(c.world, NULL, 16);
                const double slowed = (before - along(&c, true)) / 0.08;
                double mu = row->slides;
                if (kind == BODY_ON_ITSELF) /* both are the upper one */
                    mu = row->upper[1] >= 0 ? (double)row->upper[1] : (double)WORLDS;
                printf("%s, solver %d, row %d: %.4f of %.4f m/s2\n", kinds[kind], which, (int)k,
                       slowed, 9.81 * mu);
                TEST_ASSERT_DOUBLE_WITHIN(0.04 * 9.81 * mu + 0.02, 9.81 * mu, slowed);
                fixture_clean();
            }
}

/* The coefficients with which the last substep solved, of any one contact of the pair. */
static void solved_with(const struct couple *c, enum kind kind, float friction[2])
{
    const piola_world *w = c->world;
    friction[0] = friction[1] = -1;
    if (kind == RIGID_ON_COLLIDER) {
        const struct rigid_now *now = &world_rigid_now(w)[c->rigid.index - 1];
        TEST_ASSERT_TRUE(now->points > 0);
        friction[0] = (float)now->point[0].friction_static;
        friction[1] = (float)now->point[0].friction_kinetic;
    } else if (kind < BODY_ON_BODY) {
        for (uint32_t i = 0; i < w->dim[DIM_particles].used; ++i)
            if (world_touching(w)[i] > 0) {
                friction[0] = world_touches(w)[i].plane[0].friction_static;
                friction[1] = world_touches(w)[i].plane[0].friction_kinetic;
            }
    } else {
        const bool mixed = w->dim[DIM_body_frictions].used > 0;
        TEST_ASSERT_TRUE(world_surface_now(w)->pair_pack_end > 0);
        friction[1] = mixed ? world_pushes(w)[0].friction[1][0] : WORLDS;
        /* A pair that has slipped slides on. */
        for (int i = 0; i < PK_LANES; ++i)
            friction[0] = fmaxf(friction[0], mixed ? world_pushes(w)[0].friction[0][i] : WORLDS);
    }
}

/* At rest, too: what holds more than what slides is measured in test_collide and
 * test_surface_settings; here, that each kind of contact is solved with what the rule says. */
static void test_each_pair_rests_by_the_rule(void)
{
    for (int kind = 0; kind < KINDS; ++kind)
        for (size_t k = 0; k < ROWS; ++k) {
            const struct couple c = couple_of((enum kind)kind, PIOLA_SOLVER_DESCENT, &rows[k],
                                              kind < BODY_ON_BODY ? 8 : 40);
            const bool own = kind == BODY_ON_ITSELF, given = rows[k].upper[0] >= 0;
            const float *upper = rows[k].upper;
            float friction[2];
            solved_with(&c, (enum kind)kind, friction);
            TEST_ASSERT_DOUBLE_WITHIN(
                1e-6, own ? (double)(given ? upper[0] : WORLDS) : rows[k].rest, friction[0]);
            TEST_ASSERT_DOUBLE_WITHIN(
                1e-6, own ? (double)(given ? upper[1] : WORLDS) : rows[k].slides, friction[1]);
            fixture_clean();
        }
}

/* Frictions are state of bodies, also where surfaces do not meet, and are told as they were given.
 */
static void test_they_are_kept(void)
{
    const piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 1);
    piola_world *w = fixture_world(&d), *v = fixture_world(&d);
    const piola_asset *cube = fixture_beam(1, 1, 1, 0.1);
    const piola_body body = fixture_body(w, cube, 0, 0, 0);
    const piola_collider_desc floor = piola_collider_desc_default(); /* without any of its own */
    piola_collider collider;
    fixture_ok(piola_collider_create(w, &floor, &collider, NULL), NULL);
    const size_t plain = piola_snapshot_size(w);
    piola_body_info info;
    fixture_ok(piola_body_inspect(w, body, &info), NULL);
    TEST_ASSERT_EQUAL_FLOAT(-1, info.friction_static);
    fixture_ok(piola_body_set_friction(w, body, 0.7f, 0), NULL);
    fixture_steps(w, NULL, 1);
    fixture_ok(piola_body_inspect(w, body, &info), NULL);
    TEST_ASSERT_EQUAL_FLOAT(0.7f, info.friction_static);
    TEST_ASSERT_EQUAL_FLOAT(0, info.friction_kinetic);
    const size_t bytes = piola_snapshot_size(w);
    TEST_ASSERT_TRUE(bytes > plain);
    void *memory = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(w, memory, bytes), NULL);
    fixture_ok(piola_world_add_asset(v, cube), NULL);
    fixture_ok(piola_snapshot_restore(v, memory, bytes), NULL);
    TEST_ASSERT_EQUAL_UINT64(piola_world_hash(w), piola_world_hash(v));
    fixture_ok(piola_body_set_friction(w, body, -1, -1), NULL);
    fixture_steps(w, NULL, 1);
    TEST_ASSERT_EQUAL_UINT64(plain, piola_snapshot_size(w));
}

/* One of the two alone stands for both. */
static void test_half_of_it_is_enough(void)
{
    const piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 1);
    piola_world *w = fixture_world(&d);
    const piola_body body = fixture_body(w, fixture_beam(1, 1, 1, 0.1), 0, 0, 0);
    for (int k = 0; k < 2; ++k) {
        piola_collider_desc c = piola_collider_desc_default();
        piola_collider collider;
        piola_collider_info solid;
        piola_body_info info;
        *(k ? &c.friction_static : &c.friction_kinetic) = 0.4f;
        fixture_ok(piola_collider_create(w, &c, &collider, NULL), NULL);
        fixture_ok(piola_collider_inspect(w, collider, &solid), NULL);
        fixture_ok(piola_body_set_friction(w, body, k ? 0.4f : -1, k ? -1 : 0.4f), NULL);
        fixture_steps(w, NULL, 1);
        fixture_ok(piola_body_inspect(w, body, &info), NULL);
        TEST_ASSERT_EQUAL_FLOAT(0.4f, solid.friction_static);
        TEST_ASSERT_EQUAL_FLOAT(0.4f, solid.friction_kinetic);
        TEST_ASSERT_EQUAL_FLOAT(0.4f, info.friction_static);
        TEST_ASSERT_EQUAL_FLOAT(0.4f, info.friction_kinetic);
        fixture_ok(piola_collider_destroy(w, collider), NULL);
    }
}

static void test_refusals(void)
{
    static const struct {
        float at_rest, sliding;
        piola_status status;
    } bad[] = {{-1, 11, PIOLA_ERROR_RANGE},           {11, -1, PIOLA_ERROR_RANGE},
               {0.2f, 0.3f, PIOLA_ERROR_RANGE},       {11, 1, PIOLA_ERROR_RANGE},
               {INFINITY, 1, PIOLA_ERROR_NOT_FINITE}, {1, NAN, PIOLA_ERROR_NOT_FINITE}};
    const piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 1);
    piola_world *w = fixture_world(&d);
    for (int k = 0; k < 6; ++k) {
        piola_collider_desc c = piola_collider_desc_default();
        piola_rigid_desc r = piola_rigid_desc_default();
        piola_collider collider;
        piola_rigid rigid;
        piola_error error = {0};
        c.friction_static = r.friction_static = bad[k].at_rest;
        c.friction_kinetic = r.friction_kinetic = bad[k].sliding;
        TEST_ASSERT_EQUAL(bad[k].status, piola_collider_create(w, &c, &collider, &error));
        TEST_ASSERT_NOT_NULL(strstr(error.field, "piola_collider_desc.friction"));
        TEST_ASSERT_EQUAL(bad[k].status, piola_rigid_create(w, &r, &rigid, &error));
        TEST_ASSERT_NOT_NULL(strstr(error.field, "piola_rigid_desc.friction"));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_rule);
    RUN_TEST(test_each_pair_slides_by_the_rule);
    RUN_TEST(test_each_pair_rests_by_the_rule);
    RUN_TEST(test_they_are_kept);
    RUN_TEST(test_half_of_it_is_enough);
    RUN_TEST(test_refusals);
    return UNITY_END();
}
