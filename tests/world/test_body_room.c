/* Room for bodies: what is counted one by one is what counting anew gives, whatever comes and goes;
 * bodies lie where a plain search would put them; making one costs the same among few and many;
 * holes are told, closed, and closing them changes no bits of any body.
 * covers: src/world/body_room.c */
#define _POSIX_C_SOURCE 200809L

#include "fixture.h"
#include "unity.h"
#include "world/world.h"

#include <string.h>
#include <time.h>

enum { KINDS = 4, MOST = 48 };

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* Cubes and beams, elastic and plastic. */
static void make_assets(const piola_asset *assets[KINDS])
{
    piola_material plastic = piola_material_default();
    plastic.plastic_yield = 0.02f;
    plastic.plastic_creep = 10;
    plastic.model = PIOLA_MODEL_STVK;
    plastic.plastic_max = 0.3f;
    assets[0] = fixture_beam(1, 1, 1, 0.1);
    assets[1] = fixture_beam(3, 1, 1, 0.1);
    assets[2] = fixture_beam_of(2, 2, 1, 0.1, &plastic, 0);
    assets[3] = fixture_beam_of(3, 2, 2, 0.1, &plastic, 0);
}

static piola_world_desc crowded(piola_solver solver)
{
    piola_world_desc d = piola_world_desc_default();
    d.solver = solver;
    d.max_bodies = MOST;
    d.max_particles = 1024;
    d.max_plastic_packs = 64;
    d.max_packs = 256;
    d.max_colliders = 2;
    d.max_contacts = 20000;
    d.max_contact_faces = 4096;
    d.max_contact_events = 64;
    d.air_density = 1.2f;
    d.integrator = solver == PIOLA_SOLVER_DESCENT ? PIOLA_INTEGRATOR_BDF2 : PIOLA_INTEGRATOR_EULER;
    return d;
}

/* Everything but bodies' places is drawn. */
static piola_body_desc any_body(uint64_t *random, const piola_asset *const assets[KINDS])
{
    piola_body_desc d = piola_body_desc_default();
    d.asset = assets[fixture_random(random) % KINDS];
    for (int k = 0; k < 3; ++k) {
        d.position[k] = (float)(2 * fixture_uniform(random)) + (k == 1 ? 0.2f : 0);
        d.velocity[k] = (float)fixture_uniform(random) - 0.5f;
    }
    if (fixture_random(random) % 4 == 0)
        d.user_data = fixture_random(random);
    if (fixture_random(random) % 4 == 0)
        d.friction_static = d.friction_kinetic = 0.3f;
    if (fixture_random(random) % 4 == 0)
        d.drag = 0.5f;
    return d;
}

static piola_world *copy_of(const piola_world *world)
{
    piola_world *copy = NULL;
    fixture_ok(piola_world_move(world, fixture_memory(world->bytes), world->bytes, &copy), NULL);
    return copy;
}

static void expect_counts_of_a_recount(const piola_world *world)
{
    piola_world *anew = copy_of(world);
    bodies_recount(anew);
    for (int i = 0; i < DIMENSION_COUNT; ++i) {
        char text[32];
        snprintf(text, sizeof text, "dimension %d", i);
        TEST_ASSERT_EQUAL_UINT64_MESSAGE(anew->dim[i].used, world->dim[i].used, text);
    }
    TEST_ASSERT_EQUAL_MEMORY(anew->taken, world->taken, sizeof world->taken);
    TEST_ASSERT_EQUAL_UINT64(anew->surface_triangles, world->surface_triangles);
    TEST_ASSERT_EQUAL_UINT32(anew->loaded_bodies, world->loaded_bodies);
    TEST_ASSERT_EQUAL_UINT64(piola_world_hash(anew), piola_world_hash(world));
    for (int f = 0; f < FIELD_COUNT; ++f)
        if (world->dim[world_fields[f].dimension].capacity == 0)
            continue;
        else if (strstr(world_fields[f].name, "_gaps") || strstr(world_fields[f].name, "_marks") ||
                 strcmp(world_fields[f].name, "assets") == 0)
            TEST_ASSERT_EQUAL_MEMORY_MESSAGE(
                (char *)anew + anew->offset[f], (const char *)world + world->offset[f],
                world->dim[world_fields[f].dimension].capacity * world_fields[f].element,
                world_fields[f].name);
}

static bool taken(const piola_world *world, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i) {
        const struct body *b = &world_bodies(world)[i];
        if ((b->flags & BODY_ALIVE) && b->first < first + count && first < b->first + b->count)
            return true;
    }
    return false;
}

/* Where a plain search puts a body: behind all, else in the first gap; max_particles for nowhere.
 */
static uint32_t place_for(const piola_world *world, uint32_t count)
{
    const uint32_t most = world->desc.max_particles;
    uint32_t at = (uint32_t)world->dim[DIM_particles].used;
    if (at + count > most)
        for (at = 0; at + count <= most && taken(world, at, count);)
            at += PK_LANES;
    return at + count <= most ? at : most;
}

static void test_counting_one_by_one_is_counting_anew(void)
{
    uint64_t random = fixture_seed();
    const piola_asset *assets[KINDS];
    const piola_solver solvers[] = {PIOLA_SOLVER_DESCENT, PIOLA_SOLVER_COMPLIANT};
    make_assets(assets);
    for (int s = 0; s < 2; ++s) {
        const piola_world_desc desc = crowded(solvers[s]);
        piola_world *world = fixture_world(&desc);
        piola_body bodies[MOST] = {{0, 0}};
        for (int round = 0; round < fixture_count(600, 60); ++round) {
            piola_body *slot = &bodies[fixture_random(&random) % MOST];
            const piola_body_desc d = any_body(&random, assets);
            if (piola_body_alive(world, *slot)) {
                fixture_ok(piola_body_destroy(world, *slot), NULL);
            } else {
                piola_asset_stats stats;
                fixture_ok(piola_asset_inspect(d.asset, &stats), NULL);
                const uint32_t place = place_for(world, stats.particles);
                const piola_status status = piola_body_create(world, &d, slot, NULL);
                if (status == PIOLA_OK) {
                    TEST_ASSERT_EQUAL_UINT32(place, body_find(world, *slot)->first);
                    if (fixture_random(&random) % 4 == 0)
                        piola_body_set_force(world, *slot, 0, (float[3]){0, 1, 0});
                }
                if (status == PIOLA_ERROR_HOLES) {
                    fixture_ok(piola_world_compact(world), NULL);
                    TEST_ASSERT_NOT_EQUAL(PIOLA_ERROR_HOLES,
                                          piola_body_create(world, &d, slot, NULL));
                } else if (status == PIOLA_ERROR_PARTICLES_FULL) {
                    TEST_ASSERT_GREATER_THAN_UINT64(desc.max_particles,
                                                    world->taken[SPAN_PARTICLES] + stats.particles);
                }
            }
            if (round % 16 == 0)
                fixture_steps(world, NULL, 1);
            expect_counts_of_a_recount(world);
        }
    }
}

/* Half of the particles free, in holes. */
static uint32_t fill_with_holes(piola_world *world, const piola_asset *asset, piola_body *bodies)
{
    uint32_t n = 0;
    piola_body_desc d = piola_body_desc_default();
    d.asset = asset;
    d.position[1] = 0.2f;
    for (; piola_body_create(world, &d, &bodies[n], NULL) == PIOLA_OK; ++n)
        d.position[0] = 0.3f * (float)(n + 1);
    for (uint32_t i = 0; i < n; i += 2)
        fixture_ok(piola_body_destroy(world, bodies[i]), NULL);
    return n;
}

static void test_holes_are_told_and_closed(void)
{
    const piola_asset *small = fixture_beam(1, 1, 1, 0.1), *large = fixture_beam(6, 3, 3, 0.1);
    piola_asset_stats each, one;
    piola_world_desc desc = crowded(PIOLA_SOLVER_DESCENT);
    piola_body bodies[MOST], made;
    piola_error error;
    fixture_ok(piola_asset_inspect(small, &each), NULL);
    fixture_ok(piola_asset_inspect(large, &one), NULL);
    desc.max_particles = 40 * each.particles;
    piola_world *world = fixture_world(&desc);
    const uint32_t n = fill_with_holes(world, small, bodies);
    TEST_ASSERT_EQUAL_UINT32(40, n);
    TEST_ASSERT_LESS_THAN_UINT32(n / 2 * each.particles, one.particles);
    TEST_ASSERT_GREATER_THAN_UINT32(n / 6 * each.particles, one.particles);
    piola_body_desc d = piola_body_desc_default();
    d.asset = large;
    const uint64_t before = piola_world_hash(world);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_HOLES, piola_body_create(world, &d, &made, &error));
    TEST_ASSERT_EQUAL_STRING("piola_world_desc.max_particles", error.field);
    TEST_ASSERT_NOT_NULL(strstr(piola_status_text(error.status), "piola_world_compact"));
    TEST_ASSERT_EQUAL_UINT64(before, piola_world_hash(world));
    fixture_ok(piola_world_compact(world), NULL);
    TEST_ASSERT_EQUAL_UINT64(n / 2 * each.particles, world->dim[DIM_particles].used);
    fixture_ok(piola_body_create(world, &d, &made, &error), &error);
    for (uint32_t i = 0; i < n; ++i)
        TEST_ASSERT_EQUAL(i % 2 != 0, piola_body_alive(world, bodies[i]));
    d.asset = small;
    while (piola_body_create(world, &d, &made, &error) == PIOLA_OK)
        ;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_PARTICLES_FULL, error.status);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_world_compact(NULL));
}

static void expect_same_bodies(const piola_world *a, const piola_world *b)
{
    for (uint32_t i = 0; i < a->desc.max_bodies; ++i) {
        const struct body *one = &world_bodies(a)[i], *two = &world_bodies(b)[i];
        TEST_ASSERT_EQUAL_UINT32(one->flags, two->flags);
        TEST_ASSERT_EQUAL_UINT32(one->generation, two->generation);
        if (!(one->flags & BODY_ALIVE))
            continue;
        const size_t bytes = one->count * sizeof(struct pk_quad);
        TEST_ASSERT_EQUAL_MEMORY(world_position(a) + one->first, world_position(b) + two->first,
                                 bytes);
        TEST_ASSERT_EQUAL_MEMORY(world_velocity(a) + one->first, world_velocity(b) + two->first,
                                 bytes);
        if (a->dim[DIM_memory].capacity)
            TEST_ASSERT_EQUAL_MEMORY(world_older_velocity(a) + one->first,
                                     world_older_velocity(b) + two->first, bytes);
        if (one->plastic_count > 0)
            TEST_ASSERT_EQUAL_MEMORY(world_plastic(a) + one->plastic_first,
                                     world_plastic(b) + two->plastic_first,
                                     one->plastic_count * sizeof(struct pk_plastic));
    }
}

/* A heap on a floor, some of it attached and pulled at, with holes: one world closes them, its copy
 * does not, and both go on; bodies that come later too. */
static void test_closing_holes_changes_no_bits_of_bodies(void)
{
    uint64_t random = fixture_seed();
    const piola_asset *assets[KINDS];
    const piola_solver solvers[] = {PIOLA_SOLVER_DESCENT, PIOLA_SOLVER_COMPLIANT,
                                    PIOLA_SOLVER_ENERGY};
    make_assets(assets);
    for (int s = 0; s < 3; ++s) {
        piola_world_desc desc = crowded(solvers[s]);
        desc.max_particles = 4096;
        desc.max_packs = desc.max_plastic_packs = 1024;
        piola_world *world = fixture_world(&desc);
        piola_body bodies[16];
        piola_collider floor;
        piola_collider_desc plane = piola_collider_desc_default();
        fixture_ok(piola_collider_create(world, &plane, &floor, NULL), NULL);
        for (int i = 0; i < 16; ++i) {
            piola_body_desc d = any_body(&random, assets);
            d.position[0] = 0.25f * (float)(i % 4) * (1 + 0.5f * (float)fixture_uniform(&random));
            const int row = i / 4;
            d.position[1] = 0.05f + 0.25f * (float)row;
            d.position[2] = 0.02f * (float)fixture_uniform(&random);
            fixture_ok(piola_body_create(world, &d, &bodies[i], NULL), NULL);
        }
        piola_attachment_desc hold = piola_attachment_desc_default();
        piola_attachment held;
        hold.point = (piola_attachment_point){bodies[13], 1, {0}, {1}};
        hold.other = (piola_attachment_point){bodies[15], 1, {1}, {1}};
        fixture_ok(piola_attachment_create(world, &hold, &held, NULL), NULL);
        fixture_ok(piola_body_set_force(world, bodies[9], 2, (float[3]){0, 20, 0}), NULL);
        fixture_steps(world, NULL, fixture_count(40, 10));
        for (int i = 0; i < 12; i += 1 + (int)(fixture_random(&random) % 3))
            fixture_ok(piola_body_destroy(world, bodies[i]), NULL);
        piola_world *other = copy_of(world);
        fixture_ok(piola_world_compact(world), NULL);
        expect_counts_of_a_recount(world);
        expect_same_bodies(world, other);
        for (int i = 0; i < fixture_count(40, 10); ++i) {
            piola_report a, b;
            fixture_ok(piola_world_step(world, NULL, &a), NULL);
            fixture_ok(piola_world_step(other, NULL, &b), NULL);
            expect_same_bodies(world, other);
            TEST_ASSERT_EQUAL_UINT32(a.contacts, b.contacts);
            TEST_ASSERT_EQUAL_UINT32(a.contact_events, b.contact_events);
            if (i == 10)
                for (int k = 0; k < 2; ++k)
                    fixture_body(k ? other : world, assets[1], 0, 2, 0);
        }
        TEST_ASSERT_TRUE(world->dim[DIM_contact_events].used > 0);
        TEST_ASSERT_TRUE(piola_attachment_alive(world, held));
        /* Twice is once. */
        fixture_ok(piola_world_compact(world), NULL);
        const uint64_t hash = piola_world_hash(world);
        fixture_ok(piola_world_compact(world), NULL);
        TEST_ASSERT_EQUAL_UINT64(hash, piola_world_hash(world));
    }
}

/* A snapshot from before brings bodies back to where they were. */
static void test_snapshots_outlive_closing(void)
{
    const piola_asset *asset = fixture_beam(1, 1, 1, 0.1);
    const piola_world_desc desc = crowded(PIOLA_SOLVER_DESCENT);
    piola_world *world = fixture_world(&desc);
    piola_body bodies[MOST];
    fill_with_holes(world, asset, bodies);
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
    const uint64_t hash = piola_world_hash(world);
    fixture_ok(piola_world_compact(world), NULL);
    TEST_ASSERT_NOT_EQUAL_UINT64(hash, piola_world_hash(world));
    fixture_steps(world, NULL, 2);
    fixture_ok(piola_snapshot_restore(world, snapshot, bytes), NULL);
    TEST_ASSERT_EQUAL_UINT64(hash, piola_world_hash(world));
    expect_counts_of_a_recount(world);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Least seconds in which a body came and went among so many others, in a world of one size. */
static double cost_among(uint32_t others)
{
    const piola_asset *asset = fixture_beam(1, 1, 1, 0.1);
    piola_world_desc desc = piola_world_desc_default();
    desc.max_bodies = 8192;
    desc.max_particles = 32 * 8192;
    desc.max_colliders = 1;
    piola_world *world = fixture_world(&desc);
    piola_body_desc d = piola_body_desc_default();
    d.asset = asset;
    d.user_data = 1;
    for (uint32_t i = 0; i < others; ++i)
        fixture_body(world, asset, 0, 0, 0);
    double least = 1;
    for (int round = 0; round < 200; ++round) {
        piola_body body;
        const double begin = now();
        fixture_ok(piola_body_create(world, &d, &body, NULL), NULL);
        fixture_ok(piola_body_destroy(world, body), NULL);
        const double end = now();
        least = end - begin < least ? end - begin : least;
    }
    return least;
}

/* Looking at all others, as until 0.1, would make it a hundred times as long. */
static void test_a_body_costs_the_same_among_few_and_many(void)
{
    const double few = cost_among(8), many = cost_among(8000);
    char text[96];
    snprintf(text, sizeof text, "%.2f us among 8, %.2f us among 8000", 1e6 * few, 1e6 * many);
    TEST_MESSAGE(text);
    TEST_ASSERT_TRUE_MESSAGE(many < 8 * few, text);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_counting_one_by_one_is_counting_anew);
    RUN_TEST(test_holes_are_told_and_closed);
    RUN_TEST(test_closing_holes_changes_no_bits_of_bodies);
    RUN_TEST(test_snapshots_outlive_closing);
    RUN_TEST(test_a_body_costs_the_same_among_few_and_many);
    return UNITY_END();
}
