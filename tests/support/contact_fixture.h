/* contact_fixture.h - scenes of bodies whose surfaces meet, and the proof that none of them cross.
 *
 * Not here: what a scene must show besides (its test).
 */
#ifndef PIOLA_CONTACT_FIXTURE_H
#define PIOLA_CONTACT_FIXTURE_H

#include "fixture.h"

#include <stdbool.h>

#define SCENE_BODIES 128

/* Those that are tried: descent, compliant, energy. */
#define SCENE_SOLVERS 3
extern const struct scene_solver {
    piola_solver solver;
    const char *name;
} scene_solvers[SCENE_SOLVERS];

/* All bodies of a test, and their surfaces as one list of triangles. */
struct scene {
    piola_world *world;
    piola_body body[SCENE_BODIES];
    const piola_asset *asset[SCENE_BODIES];
    int bodies;
    float *x; /* 3 a vertex, of all bodies one after the other, when last collected */
    double *exact;
    uint32_t *faces, face_count, vertex_count;
    int steps;              /* since scene_play began, or ever */
    uint32_t most, dropped; /* pairs, in these steps */
    piola_report report;    /* of the last one */
};

/* Room for some thousand particles and 100,000 pairs, two colliders; 5 ms, 5 iterations. */
piola_world_desc scene_desc(piola_solver solver);
struct scene scene_of(const piola_world_desc *desc);
/* All bodies enter before the first scene_collect. */
piola_body scene_enter(struct scene *s, const piola_asset *asset, const piola_body_desc *desc);
/* A plane at y = 0. */
piola_collider scene_floor(struct scene *s, float friction);
void scene_collect(struct scene *s);
/* Where the vertices of a body begin in `x`. */
uint32_t scene_first(const struct scene *s, int body);
/* Pairs of triangles without a common vertex that cross, told exactly; fails unless all is finite.
 */
uint64_t scene_crossings(struct scene *s);
/* One step, followed by that test. */
void scene_step(struct scene *s, const char *what);
/* Prints how many steps there were and how full the room for pairs was. */
void scene_tell(const struct scene *s, const char *what);
/* Steps, and what there is to tell of them. */
void scene_play(struct scene *s, int steps, const char *what);
/* Sums over all bodies: momentum (3), angular momentum about the origin (3). */
void scene_momentum(const struct scene *s, double momentum[6]);
double scene_energy(const struct scene *s);
double scene_mass(const struct scene *s);

/* Steps of a long proof: `full` when PIOLA_PROOFS is set in the environment, else `brief`, scaled
 * as fixture_count does. */
int scene_steps(int brief, int full);

/* A flat sheet from the origin along x and z: membrane (N/m) with hinges that hardly bend. */
const piola_asset *scene_sheet(double width, double length, uint32_t across, uint32_t along,
                               double stiffness);
/* The same without hinges. (With ENERGY hinges are stiff whatever their modulus.) */
const piola_asset *scene_limp_sheet(double width, double length, uint32_t across, uint32_t along,
                                    double stiffness);
/* Folds a scene's only body, a sheet, like a fan at a place: layers of 0.04 m, 4 mm apart. */
void scene_fold(struct scene *s, const float at[3]);
/* The Armadillo made this long, or, where its files are not, a ring of as many tetrahedra; says
 * which. */
const piola_asset *scene_statue(double length, const char **name);

#endif
