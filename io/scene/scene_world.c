/* scene_world.c - the keys of a scene's world: time, solver, what fills space, room. */
#include "io/scene/scene.h"

#include "io/scene/key_rows.h"

#include <string.h>

static const char *const solvers[] = {"descent", "energy", "compliant", "explicit"};
static const char *const integrators[] = {"euler", "bdf2"};
static const char *const isas[] = {"auto", "sse4", "avx2", "avx512", "neon"};
_Static_assert(COUNT(solvers) == PIOLA_SOLVER_COUNT, "one name a solver");
_Static_assert(COUNT(integrators) == PIOLA_INTEGRATOR_COUNT, "one name an integrator");
_Static_assert(COUNT(isas) == PIOLA_ISA_COUNT, "one name an instruction set");

static const struct key world_keys[] = {
    {KEY(scene_world, dt, KEY_FLOAT, "length of a step, s"), RANGE(1e-6, 1)},
    {KEY(scene_world, substeps, KEY_COUNT, "substeps of a step"), RANGE(1, 1000)},
    {KEY(scene_world, iterations, KEY_COUNT, "iterations of the solver in a substep"),
     RANGE(0, 1000)},
    {KEY(scene_world, solver, KEY_CHOICE, "how elements pull vertices"), CHOICES(solvers)},
    {KEY(scene_world, integrator, KEY_CHOICE, "how time advances"), CHOICES(integrators)},
    {KEY(scene_world, isa, KEY_CHOICE, "instruction set; all give the same bits"), CHOICES(isas)},
    {KEY(scene_world, threads, KEY_COUNT, "working threads; 0: one for each core that is free"),
     RANGE(0, 64)},
    {KEY(scene_world, gravity, KEY_FLOATS, "m/s^2"), VECTOR(3)},
    {KEY(scene_world, air_density, KEY_FLOAT,
         "of the air that cloth with a drag feels, kg/m^3; 0: none"),
     RANGE(0, 1e6)},
    {KEY(scene_world, contacts, KEY_COUNT,
         "room for pairs of surface parts near each other; 0: surfaces pass through each other; "
         "when "
         "not given, room is made if bodies can meet"),
     RANGE(0, 268435456)},
    {KEY(scene_world, face_contacts, KEY_COUNT,
         "room for contacts of bodies' edges and faces with colliders; 0: vertices alone are kept "
         "out "
         "of these; when not given, 256 and 2 for each triangle of bodies' surfaces"),
     RANGE(0, 16777216)},
    {KEY(scene_world, contact_thickness, KEY_FLOAT, "distance at which surfaces push, m"),
     RANGE(1e-6, 1)},
    {KEY(scene_world, contact_friction, KEY_FLOAT,
         "coefficient of friction where neither of two was given one"),
     RANGE(0, 10)},
    {KEY(scene_world, catch_up_speed, KEY_FLOAT,
         "how much faster than their targets pins go that surfaces had held up, m/s"),
     RANGE(1e-6, 1e6)},
    {KEY(scene_world, sleep, KEY_FLAG,
         "what lies still is not stepped until something wakes it; it is drawn pale")},
    {KEY(scene_world, sleep_speed, KEY_FLOAT, "what is slower lies still, m/s"), RANGE(0, 1e9)},
    {KEY(scene_world, sleep_time, KEY_FLOAT, "for which all that touches must lie still, s"),
     RANGE(0, 1e6)},
    {KEY(scene_world, chebyshev, KEY_FLOAT,
         "acceleration of descent: estimated rate of convergence, 0 is off"),
     RANGE(0, 0.999)},
    {KEY(scene_world, coarse_level, KEY_FLAG,
         "solve the low modes of solids and sheets on a coarse level (descent)")},
    {KEY(scene_world, relaxation, KEY_FLOAT, "factor on the corrections of the other solvers"),
     RANGE(0.1, 1.9)},
    {KEY(scene_world, report, KEY_FLAG,
         "measure the solver in every step; costs about one iteration. Without it the last step "
         "alone is measured, and sensors that need it turn it on")},
};

static void world_defaults(void *item)
{
    struct scene_world *world = item;
    const piola_world_desc desc = piola_world_desc_default();
    world->dt = desc.dt;
    world->substeps = desc.substeps;
    world->iterations = desc.iterations;
    world->solver = (uint32_t)desc.solver;
    world->integrator = (uint32_t)desc.integrator;
    memcpy(world->gravity, desc.gravity, sizeof world->gravity);
    world->contacts = CONTACTS_MADE;
    world->face_contacts = CONTACTS_MADE;
    world->contact_thickness = desc.contact_thickness;
    world->contact_friction = desc.contact_friction;
    world->catch_up_speed = desc.catch_up_speed;
    world->sleep_speed = desc.sleep_speed;
    world->sleep_time = desc.sleep_time;
    world->chebyshev = desc.chebyshev;
    world->coarse_level = desc.coarse_level;
    world->relaxation = desc.relaxation;
}

const struct table scene_world_table = {
    TABLE("the world", scene_world, world_keys, "Time, solver and gravity."),
    .defaults = world_defaults,
};
