/* fixture.c - see fixture.h. */
#include "fixture.h"

#include "unity.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void **owned;
static size_t owned_count;

void *fixture_memory(size_t bytes)
{
    const size_t rounded = (bytes / PIOLA_ALIGNMENT + 1) * PIOLA_ALIGNMENT;
    void *memory = aligned_alloc(PIOLA_ALIGNMENT, rounded);
    void **list = realloc(owned, (owned_count + 1) * sizeof *owned);
    if (!memory || !list) {
        free(memory);
        TEST_FAIL_MESSAGE("the test machine has no memory left");
    }
    owned = list;
    owned[owned_count++] = memory;
    memset(memory, 0, rounded);
    return memory;
}

void fixture_clean(void)
{
    while (owned_count > 0)
        free(owned[--owned_count]);
    free(owned);
    owned = NULL;
}

void fixture_ok(piola_status status, const piola_error *error)
{
    char text[256] = "";
    if (status == PIOLA_OK)
        return;
    if (error && error->status == status)
        piola_error_format(error, text, sizeof text);
    else
        snprintf(text, sizeof text, "%s", piola_status_text(status));
    TEST_FAIL_MESSAGE(text);
}

/* The reference numbers corners the other way round than piola.h: swap two of each. */
piola_mesh_desc fixture_mesh(const ref_mesh *mesh, const piola_material *material)
{
    const size_t vertices = (size_t)mesh->vertices, tets = (size_t)mesh->tets;
    double *x = fixture_memory(vertices * 3 * sizeof *x);
    uint32_t *tet = fixture_memory(tets * 4 * sizeof *tet);
    piola_material *own = fixture_memory(sizeof *own);
    memcpy(x, mesh->x, vertices * 3 * sizeof *x);
    for (size_t i = 0; i < tets; ++i) {
        const bool reversed = ref_mesh_volume(mesh, mesh->x, (int)i) > 0;
        for (size_t k = 0; k < 4; ++k)
            tet[4 * i + k] = (uint32_t)mesh->tet[4 * i + (reversed && k < 2 ? 1 - k : k)];
    }
    *own = material ? *material : piola_material_default();
    piola_mesh_desc desc = piola_mesh_desc_default();
    desc.vertices = x;
    desc.vertex_count = (uint32_t)vertices;
    desc.tetrahedra = tet;
    desc.tetrahedron_count = (uint32_t)tets;
    desc.materials = own;
    desc.material_count = 1;
    return desc;
}

const piola_asset *fixture_compile(const piola_mesh_desc *mesh)
{
    piola_error error = {0};
    size_t bytes = 0;
    fixture_ok(piola_plan_size(mesh, &bytes, &error), &error);
    piola_plan *plan = NULL;
    fixture_ok(piola_asset_plan(mesh, fixture_memory(bytes), bytes, &plan, &error), &error);
    bytes = piola_plan_asset_size(plan);
    const piola_asset *asset = NULL;
    fixture_ok(piola_asset_build(plan, mesh, fixture_memory(bytes), bytes, &asset, &error), &error);
    return asset;
}

const piola_asset *fixture_beam_of(int nx, int ny, int nz, double cell,
                                   const piola_material *material, uint32_t cluster)
{
    ref_mesh mesh;
    const int cells[3] = {nx, ny, nz};
    const double size[3] = {nx * cell, ny * cell, nz * cell};
    TEST_ASSERT_TRUE(ref_mesh_beam(&mesh, cells, size, 5));
    piola_mesh_desc desc = fixture_mesh(&mesh, material);
    ref_mesh_free(&mesh);
    if (cluster) {
        desc.cluster_limit = cluster;
        desc.cluster_size = cluster;
    }
    return fixture_compile(&desc);
}

const piola_asset *fixture_beam(int nx, int ny, int nz, double cell)
{
    return fixture_beam_of(nx, ny, nz, cell, NULL, 0);
}

piola_world *fixture_world(const piola_world_desc *desc)
{
    piola_error error = {0};
    size_t bytes = 0;
    piola_world *world = NULL;
    fixture_ok(piola_world_size(desc, &bytes, &error), &error);
    fixture_ok(piola_world_create(desc, fixture_memory(bytes), bytes, &world, &error), &error);
    world->helped_from = 0; /* helpers are called for the smallest step, too */
    return world;
}

piola_body fixture_body(piola_world *world, const piola_asset *asset, float x, float y, float z)
{
    piola_error error = {0};
    piola_body body = {0, 0};
    piola_body_desc desc = piola_body_desc_default();
    desc.asset = asset;
    desc.position[0] = x;
    desc.position[1] = y;
    desc.position[2] = z;
    fixture_ok(piola_body_create(world, &desc, &body, &error), &error);
    return body;
}

piola_command fixture_command(uint32_t kind, piola_body body, uint32_t vertex, float x, float y,
                              float z)
{
    piola_command c = {.kind = kind};
    const float square = x * x + y * y + z * z;
    switch (kind) {
    case PIOLA_COMMAND_BODY_PIN:
    case PIOLA_COMMAND_BODY_UNPIN:
    case PIOLA_COMMAND_BODY_IMPULSE:
    case PIOLA_COMMAND_BODY_FORCE:
        memcpy(&c.as.pin.body, &body, sizeof body);
        c.as.pin.vertex = vertex;
        memcpy(c.as.pin.position, (float[]){x, y, z}, sizeof c.as.pin.position);
        break;
    case PIOLA_COMMAND_BODY_PIN_PLANE:
    case PIOLA_COMMAND_BODY_PIN_LINE:
        c.as.guide.body = body;
        c.as.guide.vertex = vertex;
        memcpy(c.as.guide.point, (float[]){x, y, z}, sizeof c.as.guide.point);
        c.as.guide.direction[1] = 1;
        break;
    case PIOLA_COMMAND_WORLD_GRAVITY:
    case PIOLA_COMMAND_WORLD_WIND:
    case PIOLA_COMMAND_WORLD_WIND_ORIGIN:
    case PIOLA_COMMAND_WORLD_WIND_STRENGTH:
        memcpy(c.as.gravity.acceleration, (float[]){x, y, z}, sizeof c.as.gravity);
        break;
    case PIOLA_COMMAND_BODY_CLAMP:
        c.as.body_turn.body = body;
        c.as.body_turn.vertex = vertex;
        memcpy(c.as.body_turn.rotation, (float[]){x, y, z}, 3 * sizeof(float));
        c.as.body_turn.rotation[3] = square < 1 ? sqrtf(1 - square) : 0;
        break;
    default:
        memcpy(&c.as.body_velocity.body, &body, sizeof body);
        memcpy(c.as.body_velocity.velocity, (float[]){x, y, z}, 3 * sizeof(float));
        if (kind == PIOLA_COMMAND_COLLIDER_TURN || kind == PIOLA_COMMAND_RIGID_TURN)
            c.as.collider_turn.rotation[3] = square < 1 ? sqrtf(1 - square) : 0;
    }
    return c;
}

void fixture_push(piola_world *world, uint32_t kind, piola_body body, uint32_t vertex, float x,
                  float y, float z)
{
    const piola_command command = fixture_command(kind, body, vertex, x, y, z);
    fixture_ok(piola_world_push(world, &command), NULL);
}

void fixture_steps(piola_world *world, const piola_tasks *tasks, int steps)
{
    for (int i = 0; i < steps; ++i)
        fixture_ok(piola_world_step(world, tasks, NULL), NULL);
}

uint64_t fixture_seed(void)
{
    const char *given = getenv("PIOLA_SEED");
    struct timespec now = {0, 0};
    timespec_get(&now, TIME_UTC);
    const uint64_t seed =
        given ? strtoull(given, NULL, 0) : (uint64_t)now.tv_sec * 1000003u ^ (uint64_t)now.tv_nsec;
    printf("PIOLA_SEED=%llu\n", (unsigned long long)seed);
    return seed;
}

/* SplitMix64 (public domain, S. Vigna). */
uint64_t fixture_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

double fixture_uniform(uint64_t *state)
{
    return (double)(fixture_random(state) >> 11) * 0x1p-53;
}

int fixture_count(int full, int least)
{
    const char *scale = getenv("PIOLA_TEST_SCALE");
    const int scaled = (int)(full * (scale ? strtod(scale, NULL) : 1));
    return scaled < least ? least : scaled;
}
