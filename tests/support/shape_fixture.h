/* shape_fixture.h - compiled shapes for tests, and their distances by brute force in double. */
#ifndef PIOLA_SHAPE_FIXTURE_H
#define PIOLA_SHAPE_FIXTURE_H

#include "fixture.h"

#define SHAPE_TRIANGLES 4096
struct shape_tris {
    double v[3 * SHAPE_TRIANGLES];
    uint32_t t[3 * SHAPE_TRIANGLES];
    uint32_t vertices, triangles;
};

/* Compiles; fails the test with the engine's message. */
const piola_shape_data *shape_fixture_compile(const piola_shape_desc *desc);
piola_status shape_fixture_try(const piola_shape_desc *desc, const piola_shape_data **shape,
                               piola_error *error);
piola_shape_desc shape_fixture_desc(const struct shape_tris *tris, piola_shape_kind kind);

/* Closed surfaces: a torus about y of so many segments, whose thickness waves; a box. */
void shape_fixture_torus(struct shape_tris *tris, uint32_t around, uint32_t across, double radius,
                         double thickness, double wave);
void shape_fixture_box(struct shape_tris *tris, const double low[3], const double high[3]);
/* A cube whose faces are pyramids down to (or up to) `dent` from its middle; without libm. */
void shape_fixture_star(struct shape_tris *tris, double half, double dent);
/* What a height field encloses down to `bottom`, as closed triangles. */
void shape_fixture_heights(struct shape_tris *tris, const piola_shape_desc *desc, double bottom);
/* A field of so many samples each way over 2 m, centred, whose heights wave by `wave` m. */
piola_shape_desc shape_fixture_field(uint32_t samples, double wave);

/* Distance from all triangles, and whether their winding number says inside. */
double shape_fixture_distance(const struct shape_tris *tris, const double p[3]);
bool shape_fixture_inside(const struct shape_tris *tris, const double p[3]);

#endif
