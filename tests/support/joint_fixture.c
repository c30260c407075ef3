/* See joint_fixture.h. */
#include "joint_fixture.h"

#include "unity.h"

#include <math.h>
#include <string.h>

piola_world_desc joint_world(uint32_t rigids, float gravity)
{
    piola_world_desc d = piola_world_desc_default();
    d.max_bodies = 1;
    d.max_particles = 64;
    d.max_rigids = rigids;
    d.max_joints = 2 * rigids;
    d.max_colliders = 4;
    d.substeps = 1;
    d.iterations = 5;
    d.dt = 0.005f;
    d.gravity[0] = d.gravity[2] = 0;
    d.gravity[1] = -gravity;
    return d;
}

piola_rigid joint_box(piola_world *world, const float at[3], const float half[3], float mass)
{
    piola_rigid_desc d = piola_rigid_desc_default();
    piola_rigid rigid = {0, 0};
    piola_error error = {0};
    d.shape = piola_shape_box(half, 0);
    d.mass = mass;
    memcpy(d.position, at, sizeof d.position);
    fixture_ok(piola_rigid_create(world, &d, &rigid, &error), &error);
    return rigid;
}

piola_joint joint_made(piola_world *world, piola_joint_desc desc, piola_rigid base,
                       piola_rigid moved, const float point[3], const float axis[3])
{
    piola_joint joint = {0, 0};
    piola_error error = {0};
    desc.base.rigid = base;
    desc.moved.rigid = moved;
    fixture_ok(piola_joint_place(world, &desc, point, axis, &error), &error);
    fixture_ok(piola_joint_create(world, &desc, &joint, &error), &error);
    return joint;
}

piola_joint_info joint_info(const piola_world *world, piola_joint joint)
{
    piola_joint_info info;
    fixture_ok(piola_joint_inspect(world, joint, &info), NULL);
    return info;
}

piola_rigid_info joint_rigid(const piola_world *world, piola_rigid rigid)
{
    piola_rigid_info info;
    fixture_ok(piola_rigid_inspect(world, rigid, &info), NULL);
    return info;
}

struct joint_chain joint_chain_of(piola_world *world, uint32_t links, bool held, float load,
                                  const float at[3])
{
    struct joint_chain c = {.links = links};
    for (uint32_t i = 0; i < links; ++i) {
        const float x = at[0] + 0.1f * (float)i;
        const float mass = i + 1 == links ? 0.1f * load : 0.1f;
        c.link[i] = joint_box(world, (float[]){x + 0.05f, at[1], at[2]},
                              (float[]){0.05f, 0.01f, 0.01f}, mass);
        if (i > 0 || held)
            c.joint[c.joints++] =
                joint_made(world, piola_joint_ball(), i > 0 ? c.link[i - 1] : (piola_rigid){0, 0},
                           c.link[i], (float[]){x, at[1], at[2]}, (float[]){1, 0, 0});
    }
    return c;
}

double joint_gap(const piola_world *world, const struct joint_chain *chain)
{
    double widest = 0;
    for (uint32_t i = 0; i < chain->joints; ++i) {
        const double gap = (double)joint_info(world, chain->joint[i]).gap;
        TEST_ASSERT_TRUE(gap >= 0);
        widest = fmax(widest, gap);
    }
    return widest;
}

/* Of a rigid body, in the world's axes: kg m^2/s. */
static void spin_momentum(const piola_rigid_info *r, double out[3])
{
    const double q[4] = {(double)r->rotation[0], (double)r->rotation[1], (double)r->rotation[2],
                         (double)r->rotation[3]};
    const double m[9] = {1 - 2 * (q[1] * q[1] + q[2] * q[2]), 2 * (q[0] * q[1] - q[2] * q[3]),
                         2 * (q[0] * q[2] + q[1] * q[3]),     2 * (q[0] * q[1] + q[2] * q[3]),
                         1 - 2 * (q[0] * q[0] + q[2] * q[2]), 2 * (q[1] * q[2] - q[0] * q[3]),
                         2 * (q[0] * q[2] - q[1] * q[3]),     2 * (q[1] * q[2] + q[0] * q[3]),
                         1 - 2 * (q[0] * q[0] + q[1] * q[1])};
    double own[3];
    for (int k = 0; k < 3; ++k) {
        own[k] = 0;
        for (int i = 0; i < 3; ++i)
            own[k] += m[3 * i + k] * (double)r->angular_velocity[i];
        own[k] *= r->inertia[k];
    }
    for (int i = 0; i < 3; ++i)
        out[i] = m[3 * i] * own[0] + m[3 * i + 1] * own[1] + m[3 * i + 2] * own[2];
}

double joint_energy(const piola_world *world, const struct joint_chain *chain, double gravity)
{
    double sum = 0;
    for (uint32_t i = 0; i < chain->links; ++i) {
        const piola_rigid_info r = joint_rigid(world, chain->link[i]);
        double spin[3];
        spin_momentum(&r, spin);
        for (int k = 0; k < 3; ++k)
            sum += 0.5 * r.mass * (double)r.velocity[k] * (double)r.velocity[k] +
                   0.5 * spin[k] * (double)r.angular_velocity[k];
        sum += r.mass * gravity * (double)r.position[1];
    }
    return sum;
}

void joint_momenta(const piola_world *world, const struct joint_chain *chain, double out[6])
{
    memset(out, 0, 6 * sizeof *out);
    for (uint32_t n = 0; n < chain->links; ++n) {
        const piola_rigid_info r = joint_rigid(world, chain->link[n]);
        double spin[3];
        spin_momentum(&r, spin);
        for (int k = 0; k < 3; ++k) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            out[k] += r.mass * (double)r.velocity[k];
            out[3 + k] += spin[k] + r.mass * ((double)r.position[i] * (double)r.velocity[j] -
                                              (double)r.position[j] * (double)r.velocity[i]);
        }
    }
}
