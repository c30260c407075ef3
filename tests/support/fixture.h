/* fixture.h - worlds and assets for tests: memory, meshes from the reference's generators, seeds.
 *
 * Everything made here is freed by fixture_clean(), which every test file calls from tearDown().
 * A failure to make something fails the test with the engine's own message.
 */
#ifndef PIOLA_FIXTURE_H
#define PIOLA_FIXTURE_H

#include "piola/piola.h"
#include "ref_mesh.h"

/* Aligned, zeroed, freed by fixture_clean(). */
void *fixture_memory(size_t bytes);
void fixture_clean(void);

/* Fails the test, naming the field and item, unless the status is PIOLA_OK. */
void fixture_ok(piola_status status, const piola_error *error);

/* A description of the mesh with one material; change what you like, then compile. The arrays live
 * until fixture_clean(). */
piola_mesh_desc fixture_mesh(const ref_mesh *mesh, const piola_material *material);
const piola_asset *fixture_compile(const piola_mesh_desc *mesh);
/* A box of nx x ny x nz cells of 5 tetrahedra, `cell` metres each, of the default material. */
const piola_asset *fixture_beam(int nx, int ny, int nz, double cell);
/* The same from a material, cut into clusters of some `cluster` elements when that is not 0. */
const piola_asset *fixture_beam_of(int nx, int ny, int nz, double cell,
                                   const piola_material *material, uint32_t cluster);

piola_world *fixture_world(const piola_world_desc *desc);
/* A body of the asset at a position, with the default description otherwise. */
piola_body fixture_body(piola_world *world, const piola_asset *asset, float x, float y, float z);
/* A command from numbers: `body` is the handle of whatever it is for, x, y, z its numbers or the
 * first three of a turn's quaternion. */
piola_command fixture_command(uint32_t kind, piola_body body, uint32_t vertex, float x, float y,
                              float z);
void fixture_push(piola_world *world, uint32_t kind, piola_body body, uint32_t vertex, float x,
                  float y, float z);
void fixture_steps(piola_world *world, const piola_tasks *tasks, int steps);

/* A new seed each run, printed; PIOLA_SEED in the environment sets it. */
uint64_t fixture_seed(void);
/* Uniform numbers: all bits, and 0 to 1. */
uint64_t fixture_random(uint64_t *state);
double fixture_uniform(uint64_t *state);

/* `full`, scaled down by PIOLA_TEST_SCALE (slow machines), at least `least`. */
int fixture_count(int full, int least);

#endif
