/* scene_colliders.c - the keys of a scene's colliders. */
#include "io/scene/scene.h"

#include "io/scene/key_rows.h"

static const char *const shapes[] = {"plane", "sphere", "capsule", "box",      "hull",
                                     "mesh",  "wall",   "heights", "distances"};
static const piola_shape_kind kinds[] = {
    PIOLA_SHAPE_PLANE, PIOLA_SHAPE_SPHERE,  PIOLA_SHAPE_CAPSULE,
    PIOLA_SHAPE_BOX,   PIOLA_SHAPE_HULL,    PIOLA_SHAPE_MESH,
    PIOLA_SHAPE_WALL,  PIOLA_SHAPE_HEIGHTS, PIOLA_SHAPE_DISTANCES};
_Static_assert(COUNT(shapes) == COUNT(kinds), "one name a shape");

piola_shape_kind scene_collider_shape(const struct scene_collider *collider)
{
    return kinds[collider->shape];
}

#define SETTING(member, kind_, what_) NAMED(#member, scene_collider, desc.member, kind_, what_)

static const struct key collider_keys[] = {
    {KEY(scene_collider, shape, KEY_CHOICE, "plane: everything below it is solid"), CHOICES(shapes),
     .required = true},
    {KEY(scene_collider, name, KEY_TEXT, "for sensors, colours and messages")},
    {KEY(scene_collider, size, KEY_DOUBLES, "of a box along its axes, m"), ABOVE(0, FAR),
     .length = 3},
    {KEY(scene_collider, length, KEY_DOUBLE, "of a capsule between the middles of its ends, m"),
     RANGE(0, FAR)},
    {NAMED("radius", scene_collider, desc.shape.radius, KEY_FLOAT,
           "of a sphere, a capsule, or a box's rounded edges, m"),
     RANGE(0, FAR)},
    {KEY(scene_collider, mesh, KEY_TEXT,
         "of a hull, a mesh, a wall, heights or distances: name of the mesh whose surface it is")},
    {KEY(scene_collider, spacing, KEY_DOUBLE, "of heights and distances: of the grid's samples, m"),
     ABOVE(0, 1e4)},
    {KEY(scene_collider, position, KEY_DOUBLES, "m"), VECTOR(3)},
    {KEY(scene_collider, rotation, KEY_OBJECT, "about its own middle"), .table = &scene_turn_table},
    {KEY(scene_collider, motion, KEY_OBJECT,
         "how it, or the hand that holds it, moves; without it it stands"),
     .table = &scene_motion_table},
    {SETTING(mass, KEY_FLOAT,
             "kg: a rigid body, which pushes bodies and is pushed by them; its position is its "
             "centre of mass"),
     ABOVE(0, 1e9)},
    {SETTING(inertia, KEY_FLOATS,
             "of a rigid body about its own axes, kg m^2; without it that of its shape"),
     ABOVE(0, 1e30), .length = 3},
    {SETTING(velocity, KEY_FLOATS, "of a rigid body at the start, m/s"), VECTOR(3)},
    {SETTING(angular_velocity, KEY_FLOATS, "of a rigid body at the start, rad/s"), VECTOR(3)},
    {SETTING(gravity_scale, KEY_FLOAT, "of a rigid body: factor on the world's gravity"),
     RANGE(-1000, 1000)},
    {SETTING(damping, KEY_FLOAT, "of a rigid body: share of velocity lost each second, 1/s"),
     RANGE(0, 1e6)},
    {KEY(scene_collider, tool, KEY_OBJECT,
         "of a rigid body: a hand holds it, and \"motion\" leads the hand"),
     .table = &scene_tool_table},
    {SETTING(margin, KEY_FLOAT, "distance from its surface that bodies keep, m"), RANGE(0, 10)},
    {SETTING(friction_static, KEY_FLOAT, "coefficient of friction at rest; below 0: none is given"),
     RANGE(-1, 10)},
    {SETTING(friction_kinetic, KEY_FLOAT, "coefficient of friction while sliding"), RANGE(-1, 10)},
    {KEY(scene_collider, sensor, KEY_FLAG, "feels who is inside, but pushes nobody")},
    {SETTING(restitution, KEY_FLOAT, "share of its speed that a vertex bounces with"), RANGE(0, 1)},
};

static void collider_defaults(void *item)
{
    struct scene_collider *collider = item;
    collider->desc = piola_rigid_desc_default();
    collider->desc.shape = piola_shape_plane();
    collider->desc.mass = 0; /* a collider, until one is given */
}

static bool motion_check(const struct scene_collider *collider, const struct trail *trail,
                         struct problem *problem)
{
    if (collider->motion && keys_given(&scene_motion_table, collider->motion, "about"))
        return trail_problem(trail, problem,
                             "a collider turns about its own middle, not \"about\"");
    return true;
}

/* What moves by its mass is not led, and only that has what a mass needs. */
static bool rigid_check(const struct scene_collider *collider, const struct trail *trail,
                        struct problem *problem)
{
    static const char *const keys[] = {"inertia",       "velocity", "angular_velocity",
                                       "gravity_scale", "damping",  "tool"};
    const bool rigid = collider->desc.mass > 0;
    const char *shape = shapes[collider->shape];
    for (uint32_t i = 0; i < COUNT(keys) && !rigid; ++i)
        if (keys_given(&scene_collider_table, collider, keys[i]))
            return trail_problem(trail, problem,
                                 "\"%s\" is of rigid bodies: give a \"mass\", or a \"motion\" "
                                 "instead",
                                 keys[i]);
    if (rigid && collider->sensor)
        return trail_problem(trail, problem,
                             "a rigid body cannot have a \"sensor\"; leave out \"mass\"");
    if (rigid && collider->motion && !collider->tool)
        return trail_problem(trail, problem,
                             "a rigid body cannot have a \"motion\": leave out \"mass\", or give "
                             "it a \"tool\", and the motion leads the hand that holds it");
    if (rigid && (kinds[collider->shape] == PIOLA_SHAPE_PLANE ||
                  kinds[collider->shape] == PIOLA_SHAPE_WALL ||
                  kinds[collider->shape] == PIOLA_SHAPE_HEIGHTS))
        return trail_problem(trail, problem, "the shape %s cannot have a \"mass\"", shape);
    return !rigid || !collider->mesh || keys_given(&scene_collider_table, collider, "inertia") ||
           trail_problem(trail, problem, "the shape %s with a \"mass\" needs an \"inertia\"",
                         shape);
}

/* A key of another shape would be a silent mistake. */
bool scene_friction_check(float at_rest, float sliding, const struct trail *trail,
                          struct problem *problem)
{
    return sliding <= at_rest || at_rest < 0 ||
           trail_problem(trail, problem,
                         "\"friction_kinetic\", %g, is more than \"friction_static\", %g",
                         (double)sliding, (double)at_rest);
}

static bool collider_check(const void *item, const struct trail *trail, struct problem *problem)
{
    static const struct {
        const char *key;
        const char *may, *must; /* a letter a shape, in the order of the names */
    } rules[] = {{"size", "...x.....", "...x....."},
                 {"length", "..x......", "..x......"},
                 {"radius", ".xxx.....", ".xx......"},
                 {"mesh", "....xxxxx", "....xxxxx"},
                 {"spacing", ".......xx", ".......xx"}};
    const struct scene_collider *collider = item;
    for (uint32_t i = 0; i < COUNT(rules); ++i) {
        const bool given = keys_given(&scene_collider_table, item, rules[i].key);
        if (given && rules[i].may[collider->shape] != 'x')
            return trail_problem(trail, problem, "the shape %s has no \"%s\"",
                                 shapes[collider->shape], rules[i].key);
        if (!given && rules[i].must[collider->shape] == 'x')
            return trail_problem(trail, problem, "the shape %s needs a \"%s\"",
                                 shapes[collider->shape], rules[i].key);
    }
    return scene_friction_check(collider->desc.friction_static, collider->desc.friction_kinetic,
                                trail, problem) &&
           rigid_check(collider, trail, problem) && motion_check(collider, trail, problem);
}

const struct table scene_collider_table = {
    TABLE("a collider", scene_collider, collider_keys, "What bodies cannot enter."),
    .defaults = collider_defaults,
    .check = collider_check,
};
