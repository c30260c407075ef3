/* solid_fixture.h - colliders and rigid bodies by one description, for tests that try both: with a
 * mass it is a rigid body, without one a collider. */
#ifndef PIOLA_SOLID_FIXTURE_H
#define PIOLA_SOLID_FIXTURE_H

#include "collider_fixture.h"

struct solid_desc {
    piola_shape shape;
    float position[3], rotation[4], velocity[3], angular_velocity[3];
    float margin, friction_static, friction_kinetic, restitution;
    uint64_t category, mask, user_data;
    bool sensor;
    float mass, inertia[3], gravity_scale, damping;
};

/* A handle of either. */
struct solid {
    uint32_t index, generation;
    bool rigid;
};

/* A collider as the engine's default describes it. */
struct solid_desc solid_desc_default(void);
piola_status solid_create(piola_world *world, const struct solid_desc *desc, struct solid *solid,
                          piola_error *error);
/* Fails the test when it is refused. */
struct solid solid_enter(piola_world *world, const struct solid_desc *desc);
piola_status solid_destroy(piola_world *world, struct solid solid);
/* Of a rigid body, too, in a collider's words. */
piola_status solid_inspect(const piola_world *world, struct solid solid, piola_collider_info *info);

#endif
