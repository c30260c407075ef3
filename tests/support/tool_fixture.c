/* tool_fixture.c - see tool_fixture.h. */
#include "tool_fixture.h"

#include <string.h>

struct bench_block bench_block_default(void)
{
    return (struct bench_block){
        .young = 1e4,
        .poisson = 0.45,
        .cell = 0.0125,
        .damping = 0.01,
        .across = 8,
        .high = 4,
        .radius = 0.02,
        .mass = 0.05,
        .dt = 0.005,
        .substeps = 1,
        .iterations = 5,
        .tool = piola_tool_desc_default(),
    };
}

static piola_body held_block(piola_world *world, const struct bench_block *how)
{
    piola_material m = piola_material_default();
    const uint32_t n = (uint32_t)how->across + 1, vertices = n * n * ((uint32_t)how->high + 1);
    float *x = fixture_memory(3 * (size_t)vertices * sizeof *x);
    m.young = (float)how->young;
    m.poisson = (float)how->poisson;
    m.damping = (float)how->damping;
    const piola_body block = fixture_body(
        world, fixture_beam_of(how->across, how->high, how->across, how->cell, &m, 0), 0, 0, 0);
    fixture_ok(piola_body_positions(world, block, 0, vertices, x), NULL);
    for (uint32_t i = 0; i < vertices; ++i)
        if (!how->free && x[3 * i + 1] < 1e-4f)
            fixture_ok(piola_body_pin(world, block, i, &x[3 * (size_t)i]), NULL);
    return block;
}

struct bench bench_of(const struct bench_block *how, double above)
{
    piola_world_desc d = piola_world_desc_default();
    piola_rigid_desc ball = piola_rigid_desc_default();
    piola_tool_desc tool = how->tool;
    struct bench b = {.radius = how->radius};
    piola_error error;
    d.max_rigids = d.max_tools = 2;
    d.max_tool_holds = 256;
    d.max_colliders = 2;
    d.max_commands = 1024;
    d.max_face_contacts = 4096;
    d.dt = (float)how->dt;
    d.substeps = how->substeps;
    d.iterations = how->iterations;
    d.report_physics = how->report;
    memset(d.gravity, 0, sizeof d.gravity);
    b.world = fixture_world(&d);
    b.block = held_block(b.world, how);
    for (int k = 0; k < 3; ++k)
        b.top[k] = (k == 1 ? how->high : 0.5 * how->across) * how->cell;
    ball.shape = piola_shape_sphere((float)how->radius);
    ball.mass = (float)how->mass;
    ball.gravity_scale = 0;
    for (int k = 0; k < 3; ++k)
        ball.position[k] = tool.position[k] =
            (float)(b.top[k] + (k == 1 ? how->radius + above : 0));
    fixture_ok(piola_rigid_create(b.world, &ball, &b.ball, &error), &error);
    tool.rigid = b.ball;
    fixture_ok(piola_tool_create(b.world, &tool, &b.tool, &error), &error);
    return b;
}

void bench_send(const struct bench *b, double x, double y, double z, int steps)
{
    const piola_tool_info from = bench_tool(b);
    const double to[3] = {b->top[0] + x, b->top[1] + b->radius + y, b->top[2] + z};
    for (int i = 1; i <= steps; ++i) {
        float at[3];
        for (int k = 0; k < 3; ++k)
            at[k] =
                (float)((double)from.position[k] + (to[k] - (double)from.position[k]) * i / steps);
        fixture_ok(piola_tool_move(b->world, b->tool, at), NULL);
        fixture_steps(b->world, NULL, 1);
    }
}

piola_tool_info bench_tool(const struct bench *b)
{
    piola_tool_info info;
    fixture_ok(piola_tool_inspect(b->world, b->tool, &info), NULL);
    return info;
}

piola_rigid_info bench_ball(const struct bench *b)
{
    piola_rigid_info info;
    fixture_ok(piola_rigid_inspect(b->world, b->ball, &info), NULL);
    return info;
}
