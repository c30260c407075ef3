/* joint_fixture.h - worlds of rigid bodies and joints for tests. Memory: fixture.h. */
#ifndef PIOLA_TEST_JOINTS_H
#define PIOLA_TEST_JOINTS_H

#include "fixture.h"

/* A world with room for rigid bodies, joints and a few colliders, whose gravity points down y. */
piola_world_desc joint_world(uint32_t rigids, float gravity);
/* A box with half edges, at a place. */
piola_rigid joint_box(piola_world *world, const float at[3], const float half[3], float mass);
/* A joint of this description between two, of which the first may be none: the world. */
piola_joint joint_made(piola_world *world, piola_joint_desc desc, piola_rigid base,
                       piola_rigid moved, const float point[3], const float axis[3]);
piola_joint_info joint_info(const piola_world *world, piola_joint joint);
piola_rigid_info joint_rigid(const piola_world *world, piola_rigid rigid);

/* A chain of boxes of 0.1 m and 0.1 kg along x from `at`, by ball joints, the first held by the
 * world if `held`; the last one has `load` times the mass. */
#define JOINT_LINKS 50
struct joint_chain {
    piola_rigid link[JOINT_LINKS];
    piola_joint joint[JOINT_LINKS];
    uint32_t links, joints;
};
struct joint_chain joint_chain_of(piola_world *world, uint32_t links, bool held, float load,
                                  const float at[3]);
/* The widest gap of its joints, m; kinetic energy and that of gravity, J; momenta about the world's
 * origin. */
double joint_gap(const piola_world *world, const struct joint_chain *chain);
double joint_energy(const piola_world *world, const struct joint_chain *chain, double gravity);
void joint_momenta(const piola_world *world, const struct joint_chain *chain, double out[6]);

#endif
