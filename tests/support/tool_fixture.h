/* tool_fixture.h - a block whose bottom is held, and a ball above it that a hand holds. */
#ifndef PIOLA_TEST_TOOL_FIXTURE_H
#define PIOLA_TEST_TOOL_FIXTURE_H

#include "fixture.h"

struct bench_block {
    double young, poisson, cell, damping; /* Pa, -, m, s */
    int across, high;                     /* cells */
    double radius, mass;                  /* of the ball, m, kg */
    double dt;                            /* s */
    uint32_t substeps, iterations;
    bool free, report;    /* nothing holds the block; report_physics */
    piola_tool_desc tool; /* without a rigid body and a place */
};

/* 10 kPa, nu 0.45, 8 x 4 x 8 cells of 12.5 mm, a ball of 20 mm and 50 g, 5 ms, a tool as by
 * default. */
struct bench_block bench_block_default(void);

struct bench {
    piola_world *world;
    piola_body block;
    piola_rigid ball;
    piola_tool tool;
    double top[3]; /* m: the middle of its upper side */
    double radius;
};

/* The device holds the ball `above` m above the block. */
struct bench bench_of(const struct bench_block *how, double above);
/* The device goes there, from the top's middle on, while the world steps. */
void bench_send(const struct bench *b, double x, double y, double z, int steps);
piola_tool_info bench_tool(const struct bench *b);
piola_rigid_info bench_ball(const struct bench *b);

#endif
