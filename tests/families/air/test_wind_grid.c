/* Wind that differs from place to place: what a triangle feels where, against closed forms; state,
 * commands, refusals, bits.
 *
 * covers: src/families/air/wind_grid.c
 */
#include "any_mesh.h"
#include "unity.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

#define AIR 1.2 /* kg/m^3 */

void setUp(void)
{
    any_mesh_begin();
}

void tearDown(void)
{
    any_mesh_end();
    fixture_clean();
}

/* ---- worlds, grids and bodies ---- */

static piola_world_desc airy(uint32_t nodes)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.iterations = 0;
    desc.max_bodies = 1;
    desc.max_particles = 1024;
    desc.air_density = (float)AIR;
    desc.max_wind_nodes = nodes;
    desc.gravity[1] = 0;
    return desc;
}

/* A grid whose nodes are to be filled. */
static piola_wind_grid_desc grid_of(uint32_t x, uint32_t y, uint32_t z, float **nodes)
{
    piola_wind_grid_desc desc = piola_wind_grid_desc_default();
    desc.count[0] = x;
    desc.count[1] = y;
    desc.count[2] = z;
    desc.nodes = *nodes = fixture_memory((size_t)3 * x * y * z * sizeof **nodes);
    return desc;
}

static void set(piola_world *world, const piola_wind_grid_desc *desc)
{
    piola_error error = {0};
    fixture_ok(piola_world_set_wind_grid(world, desc, &error), &error);
}

/* Cloth of so many kg/m^2, cut into clusters of some `cluster` triangles. */
static const piola_asset *compile(piola_mesh_desc *desc, double density, uint32_t cluster)
{
    any_materials[0].model = PIOLA_MODEL_STVK;
    any_materials[0].young = 1000;
    any_materials[0].poisson = 0.3f;
    any_materials[0].density = (float)density;
    desc->materials = any_materials;
    desc->material_count = 1;
    if (cluster)
        desc->cluster_limit = desc->cluster_size = cluster;
    return fixture_compile(desc);
}

static const piola_asset *sheet(uint32_t cells, uint32_t cluster)
{
    TEST_ASSERT_TRUE(meshgen_cloth(&any_mesh, (const double[2]){1, 1},
                                   (const uint32_t[2]){cells, cells}, false));
    piola_mesh_desc desc = any_mesh_describe();
    const piola_asset *asset = compile(&desc, 0.2, cluster);
    meshgen_free(&any_mesh);
    return asset;
}

static piola_body fly(piola_world *world, const piola_asset *asset, double drag, double lift)
{
    piola_body body;
    piola_error error = {0};
    piola_body_desc desc = piola_body_desc_default();
    desc.asset = asset;
    desc.drag = (float)drag;
    desc.lift = (float)lift;
    fixture_ok(piola_body_create(world, &desc, &body, &error), &error);
    return body;
}

static piola_body_info info_of(const piola_world *world, piola_body body)
{
    piola_body_info info;
    fixture_ok(piola_body_inspect(world, body, &info), NULL);
    return info;
}

static double between(uint64_t *seed, double low, double high)
{
    return low + (high - low) * fixture_uniform(seed);
}

static void toss(piola_world *world, piola_body body, uint64_t *seed)
{
    const uint32_t vertices = info_of(world, body).vertices;
    float *values = fixture_memory(vertices * 3 * sizeof *values);
    for (uint32_t i = 0; i < 3 * vertices; ++i)
        values[i] = (float)between(seed, -1, 2);
    fixture_ok(piola_body_set_positions(world, body, 0, vertices, values, NULL), NULL);
    for (uint32_t i = 0; i < 3 * vertices; ++i)
        values[i] = (float)between(seed, -1, 1);
    fixture_ok(piola_body_set_velocities(world, body, 0, vertices, values, NULL), NULL);
}

/* ---- what a triangle feels ---- */

/* In double precision: trilinear between nodes, the nearest place's outside. */
static void sample(const piola_wind_grid_desc *grid, const double place[3], double velocity[3])
{
    size_t cell[3], next[3];
    double in[3];
    for (int k = 0; k < 3; ++k) {
        const double last = grid->count[k] - 1;
        const double at = (place[k] - (double)grid->origin[k]) / (double)grid->spacing[k];
        const double held = at < 0 ? 0 : at > last ? last : at;
        cell[k] = (size_t)held;
        next[k] = cell[k] + 1 < grid->count[k] ? cell[k] + 1 : cell[k];
        in[k] = held - (double)cell[k];
    }
    for (size_t c = 0; c < 3; ++c)
        velocity[c] = 0;
    for (unsigned corner = 0; corner < 8; ++corner) {
        size_t at[3];
        double weight = (double)grid->strength;
        for (unsigned k = 0; k < 3; ++k) {
            const bool far = corner >> k & 1;
            at[k] = far ? next[k] : cell[k];
            weight *= far ? in[k] : 1 - in[k];
        }
        const size_t node = at[0] + grid->count[0] * (at[1] + grid->count[1] * at[2]);
        for (size_t c = 0; c < 3; ++c)
            velocity[c] += weight * (double)grid->nodes[3 * node + c];
    }
}

/* A triangle's area and normal. */
static double area_of(const double corner[9], double normal[3])
{
    double a[3], b[3], square = 0;
    for (int k = 0; k < 3; ++k) {
        a[k] = corner[3 + k] - corner[k];
        b[k] = corner[6 + k] - corner[k];
    }
    for (int k = 0; k < 3; ++k) {
        normal[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
        square += normal[k] * normal[k];
    }
    for (int k = 0; k < 3; ++k)
        normal[k] /= sqrt(square);
    return sqrt(square) / 2;
}

/* -r A (n.u) (drag u + lift (n |u|^2 - u (n.u)) / |u|), of a triangle at rest in this air. */
static void force_on(const double corner[9], const double air[3], double drag, double lift,
                     double force[3])
{
    double n[3], side = 0, square = 0;
    const double area = area_of(corner, n);
    for (int k = 0; k < 3; ++k) {
        side -= n[k] * air[k];
        square += air[k] * air[k];
    }
    const double across = fabs(side), speed = sqrt(square);
    for (int k = 0; k < 3; ++k) {
        const double u = -air[k], to = side < 0 ? -n[k] : n[k];
        force[k] =
            -0.5 * AIR * area * across * (drag * u + lift * (to * square - u * across) / speed);
    }
}

/* Cloth so heavy that a step of a microsecond is the force, to rounding. */
static const piola_asset *heavy_triangles(const double *corners, uint32_t count)
{
    static const uint32_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    TEST_ASSERT_TRUE(3 * count <= 12);
    piola_mesh_desc desc = piola_mesh_desc_default();
    desc.vertices = corners;
    desc.vertex_count = 3 * count;
    desc.triangles = numbers;
    desc.triangle_count = count;
    return compile(&desc, 1000, 0);
}

/* A random triangle of about 2 cm whose middle is near a place, and where that is to the bit. */
static void triangle_at(uint64_t *seed, const double place[3], double corner[9], double middle[3])
{
    double twice = 0;
    while (!(twice > 1e-4)) {
        double a[3], b[3];
        for (int k = 0; k < 3; ++k) {
            a[k] = between(seed, -0.02, 0.02);
            b[k] = between(seed, -0.02, 0.02);
            corner[k] = place[k] + a[k];
            corner[3 + k] = place[k] + b[k];
            corner[6 + k] = place[k] - a[k] - b[k];
        }
        const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2],
                     z = a[0] * b[1] - a[1] * b[0];
        twice = 3 * sqrt(x * x + y * y + z * z);
    }
    for (int i = 0; i < 9; ++i)
        corner[i] = (double)(float)corner[i];
    for (int k = 0; k < 3; ++k)
        middle[k] = (corner[k] + corner[3 + k] + corner[6 + k]) / 3;
}

/* `steepest`: how fast velocities change at most, 1/s. The kernel knows places of a few metres to
 * 5e-7 m, and all else to rounding. */
static void check_triangle(uint64_t *seed, const piola_wind_grid_desc *grid, const double corner[9],
                           const double air[3], double steepest)
{
    double force[3], flat[3];
    const double drag = between(seed, 0.1, 2), lift = between(seed, 0, 2);
    piola_world_desc desc = airy(grid->count[0] * grid->count[1] * grid->count[2]);
    desc.dt = 1e-6f;
    desc.wind[0] = 0.5f;
    desc.wind[2] = -0.25f;
    const double sum[3] = {air[0] + 0.5, air[1], air[2] - 0.25};
    piola_world *world = fixture_world(&desc);
    set(world, grid);
    const piola_body body = fly(world, heavy_triangles(corner, 1), drag, lift);
    fixture_steps(world, NULL, 1);
    force_on(corner, sum, (double)(float)drag, (double)(float)lift, force);
    const double speed = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    const double most = 0.5 * AIR * area_of(corner, flat) * (drag + lift) * speed;
    for (int k = 0; k < 3; ++k)
        TEST_ASSERT_DOUBLE_WITHIN(most * (1e-5 * speed + 2 * 5e-7 * steepest), force[k],
                                  info_of(world, body).momentum[k] / (double)desc.dt);
}

/* Inside, at a node, on the border, outside; of flat grids too. */
static void place_of(uint64_t *seed, const piola_wind_grid_desc *grid, int kind, double place[3])
{
    for (int k = 0; k < 3; ++k) {
        const double cells = grid->count[k] - 1;
        double at = between(seed, 0, cells);
        if (kind == 1)
            at = floor(between(seed, 0, cells + 1));
        if (kind == 2 && k == (int)(fixture_random(seed) % 3))
            at = fixture_random(seed) % 2 ? 0 : cells;
        if (kind == 3)
            at = fixture_random(seed) % 2 ? -between(seed, 0, 5) : cells + between(seed, 0, 5);
        place[k] = (double)grid->origin[k] + at * (double)grid->spacing[k];
    }
}

static piola_wind_grid_desc random_grid(uint64_t *seed, float **nodes)
{
    uint32_t count[3];
    for (int k = 0; k < 3; ++k)
        count[k] = 1 + (uint32_t)(fixture_random(seed) % 5);
    piola_wind_grid_desc grid = grid_of(count[0], count[1], count[2], nodes);
    for (int k = 0; k < 3; ++k) {
        grid.spacing[k] = (float)between(seed, 0.1, 0.8);
        grid.origin[k] = (float)between(seed, -2, 1);
    }
    grid.strength = (float)between(seed, -2, 2);
    return grid;
}

static void test_a_triangle_feels_what_lies_between_the_nodes(void)
{
    uint64_t seed = fixture_seed();
    for (int round = 0; round < fixture_count(200, 40); ++round) {
        float *nodes;
        double place[3], corner[9], middle[3], air[3];
        const piola_wind_grid_desc grid = random_grid(&seed, &nodes);
        for (uint32_t i = 0; i < 3 * grid.count[0] * grid.count[1] * grid.count[2]; ++i)
            nodes[i] = (float)between(&seed, -10, 10);
        place_of(&seed, &grid, round % 4, place);
        triangle_at(&seed, place, corner, middle);
        sample(&grid, middle, air);
        check_triangle(&seed, &grid, corner, air, 3 * 2 * 20 / 0.1);
        any_mesh_end();
        fixture_clean();
    }
}

/* A field that is linear in the place comes out as it is, whatever the cells. */
static void test_a_linear_field_is_that_field(void)
{
    uint64_t seed = fixture_seed();
    for (int round = 0; round < fixture_count(100, 20); ++round) {
        float *nodes;
        double slope[9], place[3], corner[9], middle[3], air[3];
        piola_wind_grid_desc grid = random_grid(&seed, &nodes);
        grid.strength = 1;
        for (int i = 0; i < 9; ++i)
            slope[i] = between(&seed, -5, 5);
        for (uint32_t node = 0; node < grid.count[0] * grid.count[1] * grid.count[2]; ++node) {
            const uint32_t at[3] = {node % grid.count[0], node / grid.count[0] % grid.count[1],
                                    node / grid.count[0] / grid.count[1]};
            for (uint32_t c = 0; c < 3; ++c) {
                double sum = c;
                for (uint32_t k = 0; k < 3; ++k)
                    sum += slope[3 * c + k] *
                           ((double)grid.origin[k] + at[k] * (double)grid.spacing[k]);
                nodes[3 * node + c] = (float)sum;
            }
        }
        place_of(&seed, &grid, round % 3, place);
        triangle_at(&seed, place, corner, middle);
        for (int c = 0; c < 3; ++c) {
            air[c] = c;
            for (int k = 0; k < 3; ++k)
                air[c] +=
                    slope[3 * c + k] * (grid.count[k] > 1 ? middle[k] : (double)grid.origin[k]);
        }
        check_triangle(&seed, &grid, corner, air, 3 * 5);
        any_mesh_end();
        fixture_clean();
    }
}

/* One vector everywhere is the uniform wind, to the bit. */
static void test_a_constant_grid_is_the_uniform_wind(void)
{
    uint64_t seed = fixture_seed();
    for (int round = 0; round < 4; ++round) {
        const float wind[3] = {3.1f, -0.7f, 1.9f};
        const uint64_t start = seed;
        float *nodes, *found[2][2];
        const piola_wind_grid_desc grid = grid_of(4, 3, 5, &nodes);
        for (uint32_t i = 0; i < 3 * 60; ++i)
            nodes[i] = wind[i % 3];
        for (int gridded = 0; gridded < 2; ++gridded) {
            piola_world_desc desc = airy(gridded ? 60 : 0);
            desc.integrator = round % 2 ? PIOLA_INTEGRATOR_BDF2 : PIOLA_INTEGRATOR_EULER;
            desc.substeps = 2;
            if (!gridded)
                memcpy(desc.wind, wind, sizeof wind);
            piola_world *world = fixture_world(&desc);
            if (gridded)
                set(world, &grid);
            const piola_body body = fly(world, sheet(7, round / 2 ? 64 : 0), 1.1, 0.6);
            seed = start;
            toss(world, body, &seed);
            fixture_steps(world, NULL, 10);
            for (int i = 0; i < 2; ++i)
                found[gridded][i] = fixture_memory(3 * 64 * sizeof(float));
            fixture_ok(piola_body_positions(world, body, 0, 64, found[gridded][0]), NULL);
            fixture_ok(piola_body_velocities(world, body, 0, 64, found[gridded][1]), NULL);
        }
        for (int i = 0; i < 2; ++i)
            TEST_ASSERT_EQUAL_MEMORY(found[0][i], found[1][i], 3 * 64 * sizeof(float));
        any_mesh_end();
        fixture_clean();
    }
}

/* ---- whirls and updraughts ---- */

/* Air that turns about the y axis with one angular velocity: linear in the place. */
static piola_wind_grid_desc whirl(double spin, float **nodes)
{
    piola_wind_grid_desc grid = grid_of(5, 1, 5, nodes);
    grid.origin[0] = grid.origin[2] = -1;
    grid.spacing[0] = grid.spacing[2] = 0.5f;
    for (uint32_t node = 0; node < 25; ++node) {
        const uint32_t column = node % 5, row = node / 5;
        const double x = -1 + 0.5 * column, z = -1 + 0.5 * row;
        (*nodes)[3 * node] = (float)(spin * z);
        (*nodes)[3 * node + 2] = (float)(-spin * x);
    }
    return grid;
}

/* Four upright blades about the y axis, each a triangle. */
static const double pinwheel[4 * 9] = {
    0.05,  0, 0, 0.8,  0, 0.1,  0.6,  0.5, 0, 0, 0, -0.05, 0.1,  0, -0.8, 0, 0.5, -0.6,
    -0.05, 0, 0, -0.8, 0, -0.1, -0.6, 0.5, 0, 0, 0, 0.05,  -0.1, 0, 0.8,  0, 0.5, 0.6,
};

static void test_a_whirl_gives_the_torque_of_the_sum_over_triangles(void)
{
    for (int way = -1; way <= 1; way += 2) {
        const double spin = 6 * way, drag = 1.2, lift = 0.4;
        double torque[3] = {0, 0, 0}, size = 0;
        float *nodes;
        piola_world_desc desc = airy(25);
        desc.dt = 1e-6f;
        piola_world *world = fixture_world(&desc);
        const piola_wind_grid_desc grid = whirl(spin, &nodes);
        set(world, &grid);
        const piola_body body = fly(world, heavy_triangles(pinwheel, 4), drag, lift);
        fixture_steps(world, NULL, 1);
        for (int t = 0; t < 4; ++t) {
            double middle[3], force[3];
            const double *corner = pinwheel + 9 * (size_t)t;
            for (int k = 0; k < 3; ++k)
                middle[k] = (corner[k] + corner[3 + k] + corner[6 + k]) / 3;
            const double air[3] = {spin * middle[2], 0, -spin * middle[0]};
            force_on(corner, air, (double)(float)drag, (double)(float)lift, force);
            for (int k = 0; k < 3; ++k) {
                const int i = (k + 1) % 3, j = (k + 2) % 3;
                torque[k] += middle[i] * force[j] - middle[j] * force[i];
                size += fabs(middle[i] * force[j]);
            }
        }
        TEST_ASSERT_TRUE(torque[1] * way > 0.5 * size);
        for (int k = 0; k < 3; ++k)
            TEST_ASSERT_DOUBLE_WITHIN(1e-5 * size, torque[k],
                                      info_of(world, body).angular_momentum[k] / (double)desc.dt);
    }
}

/* A free sheet across the axis of a whirl, a blade of two wings, is carried round by it, and never
 * faster than it. */
static void test_a_sheet_spins_with_the_whirl(void)
{
    for (int way = -1; way <= 1; way += 2) {
        float *nodes;
        piola_world_desc desc = airy(25);
        desc.iterations = 5;
        piola_world *world = fixture_world(&desc);
        const piola_wind_grid_desc grid = whirl(3, &nodes);
        set(world, &grid);
        fixture_push(world, PIOLA_COMMAND_WORLD_WIND_STRENGTH, (piola_body){0, 0}, 0, (float)way, 0,
                     0);
        piola_body body;
        piola_body_desc cloth = piola_body_desc_default();
        cloth.asset = sheet(4, 0);
        cloth.drag = 1.2f;
        cloth.rotation[0] = -0.70710678f; /* upright, */
        cloth.rotation[3] = 0.70710678f;
        cloth.position[0] = -0.5f; /* its middle over the axis */
        fixture_ok(piola_body_create(world, &cloth, &body, NULL), NULL);
        double before = 0;
        /* About the axis a sheet of mass m that is 1 m long has m / 12; it bends and so spreads
         * less. */
        const double whole = 3 * info_of(world, body).mass / 12;
        for (int step = 0; step < 10; ++step) {
            fixture_steps(world, NULL, 10);
            const double now = way * info_of(world, body).angular_momentum[1];
            TEST_ASSERT_TRUE(now > before && now < whole);
            before = now;
        }
        TEST_ASSERT_TRUE(before > 0.5 * whole);
    }
}

/* Cloth hangs in rising air where that is as fast as it falls. */
static void test_a_sheet_settles_where_an_updraught_carries_it(void)
{
    for (int integrator = 0; integrator < PIOLA_INTEGRATOR_COUNT; ++integrator) {
        const double drag = 1.3, fall = sqrt(2 * 0.2 * 9.81 / (AIR * drag));
        float *nodes;
        piola_world_desc desc = airy(9);
        desc.integrator = (piola_integrator)integrator;
        desc.gravity[1] = -9.81f;
        desc.dt = 0.02f;
        piola_world *world = fixture_world(&desc);
        /* From 4 m/s at the ground to nothing 8 m above. */
        piola_wind_grid_desc grid = grid_of(1, 9, 1, &nodes);
        for (uint32_t y = 0; y < 9; ++y)
            nodes[3 * y + 1] = 4 - 0.5f * (float)y;
        set(world, &grid);
        const piola_body body = fly(world, sheet(4, 0), drag, 0);
        /* It nears that height by exp(-0.5 t). */
        fixture_steps(world, NULL, 1500);
        TEST_ASSERT_DOUBLE_WITHIN(1e-4, (4 - fall) / 0.5, info_of(world, body).centre[1]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0,
                                  info_of(world, body).momentum[1] / info_of(world, body).mass);
    }
}

/* ---- commands ---- */

/* A grid that is carried, and made stronger, is the grid that was described so. */
static void test_commands_carry_the_grid_and_make_it_stronger(void)
{
    uint64_t hash[2], seed = fixture_seed();
    const uint64_t start = seed;
    for (int carried = 0; carried < 2; ++carried) {
        float *nodes;
        piola_world_desc desc = airy(125);
        piola_world *world = fixture_world(&desc);
        piola_wind_grid_desc grid = grid_of(5, 5, 5, &nodes);
        const float place[3] = {0.5f, -1.25f, 2};
        seed = start;
        for (uint32_t i = 0; i < 3 * 125; ++i)
            nodes[i] = (float)between(&seed, -3, 3);
        if (!carried) {
            memcpy(grid.origin, place, sizeof place);
            grid.strength = 1.5f;
        }
        set(world, &grid);
        const piola_body body = fly(world, sheet(7, 0), 1.1, 0.6);
        toss(world, body, &seed);
        if (carried) {
            fixture_push(world, PIOLA_COMMAND_WORLD_WIND_ORIGIN, body, 0, place[0], place[1],
                         place[2]);
            fixture_push(world, PIOLA_COMMAND_WORLD_WIND_STRENGTH, body, 0, 1.5f, 7, 7);
        }
        fixture_steps(world, NULL, 5);
        hash[carried] = piola_world_hash(world);
    }
    TEST_ASSERT_EQUAL_HEX64(hash[0], hash[1]);
}

static void test_commands_without_a_grid_are_refused(void)
{
    piola_world_desc desc = airy(8);
    piola_world *world = fixture_world(&desc);
    piola_report report;
    fixture_push(world, PIOLA_COMMAND_WORLD_WIND_ORIGIN, (piola_body){0, 0}, 0, 1, 2, 3);
    fixture_push(world, PIOLA_COMMAND_WORLD_WIND_STRENGTH, (piola_body){0, 0}, 0, 1, 0, 0);
    fixture_ok(piola_world_step(world, NULL, &report), NULL);
    TEST_ASSERT_EQUAL_UINT32(2, report.commands_refused);
    const float endless[3] = {0, INFINITY, 0};
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NOT_FINITE, piola_world_set_wind_origin(world, endless));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_triangle_feels_what_lies_between_the_nodes);
    RUN_TEST(test_a_linear_field_is_that_field);
    RUN_TEST(test_a_constant_grid_is_the_uniform_wind);
    RUN_TEST(test_a_whirl_gives_the_torque_of_the_sum_over_triangles);
    RUN_TEST(test_a_sheet_spins_with_the_whirl);
    RUN_TEST(test_a_sheet_settles_where_an_updraught_carries_it);
    RUN_TEST(test_commands_carry_the_grid_and_make_it_stronger);
    RUN_TEST(test_commands_without_a_grid_are_refused);
    return UNITY_END();
}
