#include "rod_fixture.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static struct rod_mesh *describe(uint32_t vertices, uint32_t segments, const piola_rod *rod)
{
    struct rod_mesh *mesh = fixture_memory(sizeof *mesh);
    mesh->desc = piola_mesh_desc_default();
    mesh->desc.vertices = mesh->vertices;
    mesh->desc.vertex_count = vertices;
    mesh->desc.segments = mesh->segments;
    mesh->desc.segment_count = segments;
    mesh->desc.segment_directions = mesh->directions;
    mesh->desc.rods = rod;
    mesh->desc.rod_count = 1;
    for (uint32_t i = 0; i < segments; i++) {
        mesh->segments[2 * i] = i;
        mesh->segments[2 * i + 1] = (i + 1) % vertices;
    }
    return mesh;
}

const struct rod_mesh *rod_line(uint32_t segments, double length, const piola_rod *rod)
{
    struct rod_mesh *mesh = describe(segments + 1, segments, rod);
    for (uint32_t i = 0; i <= segments; i++)
        mesh->vertices[3 * (size_t)i] = length * i / segments;
    for (uint32_t i = 0; i < segments; i++)
        mesh->directions[3 * (size_t)i + 1] = 1;
    return mesh;
}

const struct rod_mesh *rod_ring(uint32_t segments, double length, const piola_rod *rod)
{
    struct rod_mesh *mesh = describe(segments, segments, rod);
    const double around = 2 * acos(-1), radius = length / around;
    for (uint32_t i = 0; i < segments; i++) {
        mesh->vertices[3 * (size_t)i] = radius * cos(around * i / segments);
        mesh->vertices[3 * (size_t)i + 1] = radius * sin(around * i / segments);
        mesh->directions[3 * (size_t)i + 2] = 1;
    }
    return mesh;
}

piola_world_desc rod_world_desc(float dt)
{
    piola_world_desc desc = piola_world_desc_default();
    memset(desc.gravity, 0, sizeof desc.gravity);
    desc.dt = dt;
    return desc;
}

piola_world *rod_world(const struct rod_mesh *mesh, const piola_world_desc *desc, piola_body *body)
{
    const piola_asset *asset = fixture_compile(&mesh->desc);
    piola_world_desc fit = *desc;
    fixture_ok(piola_world_desc_fit(&fit, &asset, NULL, 1, NULL), NULL);
    piola_world *world = fixture_world(&fit);
    *body = fixture_body(world, asset, 0, 0, 0);
    return world;
}

void rod_hold(piola_world *world, piola_body body, const struct rod_mesh *mesh, uint32_t vertex)
{
    const double *at = mesh->vertices + 3 * (size_t)vertex;
    const float to[3] = {(float)at[0], (float)at[1], (float)at[2]};
    const float turn[4] = {0, 0, 0, 1};
    fixture_ok(piola_body_pin(world, body, vertex, to), NULL);
    fixture_ok(piola_body_clamp(world, body, vertex, turn), NULL);
}

void rod_step(piola_world *world, int steps)
{
    fixture_steps(world, NULL, steps);
}
