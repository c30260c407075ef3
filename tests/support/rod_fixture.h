/* rod_fixture.h - rods for tests: straight ones along x, rings, and what is asked of them. */
#ifndef PIOLA_TEST_ROD_FIXTURE_H
#define PIOLA_TEST_ROD_FIXTURE_H

#include "fixture.h"

enum { ROD_MOST = 257 }; /* vertices */

struct rod_mesh {
    double vertices[3 * ROD_MOST];
    uint32_t segments[2 * ROD_MOST];
    float directions[3 * ROD_MOST];
    piola_mesh_desc desc;
};

/* So many segments from the origin along x, `length` in all, d1 along y; a closed ring around the
 * origin in the plane of x and y, d1 along z. */
const struct rod_mesh *rod_line(uint32_t segments, double length, const piola_rod *rod);
const struct rod_mesh *rod_ring(uint32_t segments, double length, const piola_rod *rod);
/* A world without gravity with one such body, with room for no more. */
piola_world *rod_world(const struct rod_mesh *mesh, const piola_world_desc *desc, piola_body *body);
/* Without gravity. */
piola_world_desc rod_world_desc(float dt);
/* Builds a vertex in where it is in the mesh. */
void rod_hold(piola_world *world, piola_body body, const struct rod_mesh *mesh, uint32_t vertex);
void rod_step(piola_world *world, int steps);

#endif
