/* scene_keys.c - every key of a scene file but those that have a file of their own: the tables that
 * reading, messages, docs/scene.schema.json and its test share. */
#include "io/scene/scene.h"

#include "io/scene/key_rows.h"
#include "io/scene/sensor_kinds.h"

#include <math.h>
#include <string.h>

/* ---- places in a mesh ---- */

static const struct key box_keys[] = {
    {KEY(scene_box, min, KEY_DOUBLES, "lower corner, m"), VECTOR(3), .required = true},
    {KEY(scene_box, max, KEY_DOUBLES, "upper corner, m"), VECTOR(3), .required = true},
};

static bool box_check(const void *item, const struct trail *trail, struct problem *problem)
{
    const struct scene_box *box = item;
    for (int i = 0; i < 3; ++i)
        if (box->min[i] > box->max[i])
            return trail_problem(trail, problem, "min[%d] is more than max[%d]", i, i);
    return true;
}

const struct table scene_box_table = {
    TABLE("a box", scene_box, box_keys, "An axis-aligned box in the mesh's own coordinates."),
    .check = box_check,
};

static const struct key sphere_keys[] = {
    {KEY(scene_sphere, centre, KEY_DOUBLES, "m"), VECTOR(3), .required = true},
    {KEY(scene_sphere, radius, KEY_DOUBLE, "m"), ABOVE(0, FAR), .required = true},
};

const struct table scene_sphere_table = {
    TABLE("a sphere", scene_sphere, sphere_keys, "A ball in the mesh's own coordinates."),
};

static const struct key region_keys[] = {
    {KEY(scene_region, box, KEY_OBJECT, "elements whose middle is in a box"),
     .table = &scene_box_table},
    {KEY(scene_region, sphere, KEY_OBJECT, "elements whose middle is in a ball"),
     .table = &scene_sphere_table},
    {KEY(scene_region, number, KEY_COUNT, "elements that the mesh's .ele file gives this region"),
     RANGE(0, 4294967295.0)},
    {KEY(scene_region, material, KEY_TEXT, "name of their material")},
    {KEY(scene_region, axes, KEY_FLOATS,
         "their first and second material axis, for orthotropic and general materials; the first "
         "is a cloth's warp"),
     VECTOR(6)},
};

static void region_defaults(void *item)
{
    struct scene_region *region = item;
    region->axes[0] = 1;
    region->axes[4] = 1;
}

const struct table scene_region_table = {
    TABLE("a region", scene_region, region_keys,
          "Some elements of a body, with a material or axes of their own. Later regions win."),
    .defaults = region_defaults,
    .one_of = 3,
};

/* ---- pins ---- */

static const struct key frame_keys[] = {
    {KEY(scene_frame, time, KEY_DOUBLE, "s"), RANGE(0, 1e9), .required = true},
    {KEY(scene_frame, move, KEY_DOUBLES, "shift from the start, m"), VECTOR(3)},
    {KEY(scene_frame, degrees, KEY_DOUBLE, "turn about the axis from the start"), RANGE(-1e6, 1e6)},
};

static const struct table frame_table = {
    TABLE("a key frame", scene_frame, frame_keys,
          "Where the pinned vertices are at a time; straight lines lie between."),
};

static const struct key motion_keys[] = {
    {KEY(scene_motion, frames, KEY_LIST, "in order of time"), .table = &frame_table,
     .length = 100000, .required = true},
    {KEY(scene_motion, axis, KEY_DOUBLES, "of the turn"), VECTOR(3)},
    {KEY(scene_motion, about, KEY_DOUBLES,
         "point of the axis in the world, m; without it the middle of the pinned vertices"),
     VECTOR(3)},
};

static void motion_defaults(void *item)
{
    ((struct scene_motion *)item)->axis[0] = 1;
}

static bool motion_check(const void *item, const struct trail *trail, struct problem *problem)
{
    const struct scene_motion *motion = item;
    const struct scene_frame *frames = motion->frames.items;
    if (motion->frames.count == 0)
        return trail_problem(trail, problem, "needs at least one frame");
    for (uint32_t i = 1; i < motion->frames.count; ++i)
        if (frames[i].time <= frames[i - 1].time)
            return trail_problem(trail, problem, "frames[%u].time is not after the frame before",
                                 i);
    if (fabs(motion->axis[0]) + fabs(motion->axis[1]) + fabs(motion->axis[2]) < 1e-6)
        return trail_problem(trail, problem, "the axis has no direction");
    return true;
}

const struct table scene_motion_table = {
    TABLE("a motion", scene_motion, motion_keys, "How pinned vertices are led."),
    .defaults = motion_defaults,
    .check = motion_check,
};

static const struct key pin_keys[] = {
    {KEY(scene_pin, box, KEY_OBJECT, "vertices in a box"), .table = &scene_box_table},
    {KEY(scene_pin, sphere, KEY_OBJECT, "vertices in a ball"), .table = &scene_sphere_table},
    {KEY(scene_pin, vertices, KEY_NUMBERS, "these vertices, numbered from 0"), RANGE(0, 67108863)},
    {KEY(scene_pin, name, KEY_TEXT, "for messages")},
    {KEY(scene_pin, motion, KEY_OBJECT, "how they move; without it they stay"),
     .table = &scene_motion_table},
    {KEY(scene_pin, release, KEY_DOUBLE, "when they are let go, s; without it never"),
     RANGE(0, 1e9)},
    {KEY(
        scene_pin, axes, KEY_TEXT,
        "only along these axes of the world, such as \"y\" or \"xz\"; they move along the others")},
    {KEY(scene_pin, normal, KEY_DOUBLES,
         "only along this direction of the world: they move in the plane across it"),
     VECTOR(3)},
    {KEY(scene_pin, direction, KEY_DOUBLES,
         "only across this direction of the world: they move along the line"),
     VECTOR(3)},
    {KEY(scene_pin, clamp, KEY_FLAG,
         "of rods: how they stand there is held too, and turns with the motion")},
};

static bool no_direction(const double v[3])
{
    return fabs(v[0]) + fabs(v[1]) + fabs(v[2]) < 1e-6;
}

/* Some of the letters x, y and z, each once. */
static bool names_axes(const char *axes)
{
    const size_t letters = strlen(axes);
    bool once = letters > 0 && letters == strspn(axes, "xyz");
    for (size_t i = 1; once && i < letters; ++i)
        once = memchr(axes, axes[i], i) == NULL;
    return once;
}

static bool pin_check(const void *item, const struct trail *trail, struct problem *problem)
{
    const struct scene_pin *pin = item;
    const bool plane = keys_given(&scene_pin_table, pin, "normal"),
               line = keys_given(&scene_pin_table, pin, "direction");
    if ((pin->axes != NULL) + plane + line > 1)
        return trail_problem(trail, problem,
                             "only one of \"axes\", \"normal\" and \"direction\" can be given");
    if (pin->axes && !names_axes(pin->axes))
        return trail_problem(trail, problem,
                             "axes \"%s\" are not some of the letters x, y and z, each once",
                             pin->axes);
    if (plane && no_direction(pin->normal))
        return trail_problem(trail, problem, "the normal has no direction");
    return !line || !no_direction(pin->direction) ||
           trail_problem(trail, problem, "the direction is none");
}

static void pin_defaults(void *item)
{
    ((struct scene_pin *)item)->release = (double)INFINITY;
}

const struct table scene_pin_table = {
    TABLE(
        "a pin", scene_pin, pin_keys,
        "Vertices held at their rest place, or led. Places are in the mesh's own coordinates, "
        "before the body is turned and moved. Pins that stay and share a vertex hold it along all "
        "of their directions."),
    .defaults = pin_defaults,
    .check = pin_check,
    .one_of = 3,
};

/* ---- attachments ---- */

static const struct key attachment_keys[] = {
    {NAMED("box", scene_attachment, pin.box, KEY_OBJECT, "vertices in a box"),
     .table = &scene_box_table},
    {NAMED("sphere", scene_attachment, pin.sphere, KEY_OBJECT, "vertices in a ball"),
     .table = &scene_sphere_table},
    {NAMED("vertices", scene_attachment, pin.vertices, KEY_NUMBERS,
           "these vertices, numbered from 0"),
     RANGE(0, 67108863)},
    {NAMED("name", scene_attachment, pin.name, KEY_TEXT, "for sensors and messages")},
    {KEY(scene_attachment, body, KEY_TEXT, "name of the body whose vertices these are"),
     .required = true},
    {KEY(scene_attachment, copy, KEY_COUNT, "which of its copies, from 0"), RANGE(0, 65534)},
    {KEY(scene_attachment, to, KEY_TEXT,
         "name of the body to whose surface they are held, each to the nearest point; without it "
         "they are held to the world")},
    {KEY(scene_attachment, to_copy, KEY_COUNT, "which of its copies, from 0"), RANGE(0, 65534)},
    {KEY(scene_attachment, compliance, KEY_FLOAT,
         "how far each vertex gives way to a newton, m/N; 0: rigid"),
     RANGE(0, 1e9)},
    {KEY(scene_attachment, damping, KEY_FLOAT,
         "of what gives way: force for each m/s at which a gap opens or closes, N s/m"),
     RANGE(0, 1e9)},
    {NAMED("motion", scene_attachment, pin.motion, KEY_OBJECT,
           "how their places in the world move; without it they stay"),
     .table = &scene_motion_table},
    {NAMED("release", scene_attachment, pin.release, KEY_DOUBLE,
           "when they are let go, s; without it never"),
     RANGE(0, 1e9)},
};

static void attachment_defaults(void *item)
{
    ((struct scene_attachment *)item)->pin.release = (double)INFINITY;
}

static bool attachment_check(const void *item, const struct trail *trail, struct problem *problem)
{
    const struct scene_attachment *attachment = item;
    return !attachment->to || !attachment->pin.motion ||
           trail_problem(trail, problem,
                         "\"motion\" moves places in the world, and \"to\" names a body");
}

const struct table scene_attachment_table = {
    TABLE("an attachment", scene_attachment, attachment_keys,
          "Vertices of a body held to another body's surface, or to places in the world. Unlike "
          "pins they pull back, and may give way."),
    .defaults = attachment_defaults,
    .check = attachment_check,
    .one_of = 3,
};

/* ---- bodies ---- */

static const struct key turn_keys[] = {
    {KEY(scene_turn, axis, KEY_FLOATS, "of any length but 0"), VECTOR(3), .required = true},
    {KEY(scene_turn, degrees, KEY_DOUBLE, "right-handed"), RANGE(-1e6, 1e6), .required = true},
};

static bool turn_check(const void *item, const struct trail *trail, struct problem *problem)
{
    const float *axis = ((const struct scene_turn *)item)->axis;
    if (fabsf(axis[0]) + fabsf(axis[1]) + fabsf(axis[2]) < 1e-6f)
        return trail_problem(trail, problem, "the axis has no direction");
    return true;
}

const struct table scene_turn_table = {
    TABLE("a rotation", scene_turn, turn_keys, "About an axis through the mesh's origin."),
    .check = turn_check,
};

static const struct key start_keys[] = {
    {KEY(scene_start, scale, KEY_DOUBLES,
         "factors about the middle of the body along the mesh's axes; 0 flattens, negative ones "
         "turn it inside out"),
     RANGE(-100, 100), .length = 3},
    {KEY(scene_start, random, KEY_DOUBLE, "shifts every vertex by up to so much, m"),
     RANGE(0, FAR)},
    {KEY(scene_start, seed, KEY_COUNT, "of the random shifts"), RANGE(0, 4294967295.0)},
};

static void start_defaults(void *item)
{
    struct scene_start *start = item;
    start->scale[0] = start->scale[1] = start->scale[2] = 1;
    start->seed = 1;
}

static const struct table start_table = {
    TABLE("a start", scene_start, start_keys,
          "A first shape that is not the rest shape; pinned vertices are not moved."),
    .defaults = start_defaults,
};

static const struct key copies_keys[] = {
    {KEY(scene_copies, count, KEY_COUNTS, "along x, y and z"), RANGE(1, 65535), .length = 3,
     .required = true},
    {KEY(scene_copies, spacing, KEY_DOUBLES, "m"), VECTOR(3), .required = true},
};

static bool copies_check(const void *item, const struct trail *trail, struct problem *problem)
{
    const uint32_t *count = ((const struct scene_copies *)item)->count;
    const uint64_t plane = (uint64_t)count[0] * count[1];
    if (plane > 65535 || plane * count[2] > 65535)
        return trail_problem(trail, problem, "more than 65535 copies");
    return true;
}

static const struct table copies_table = {
    TABLE("a grid of copies", scene_copies, copies_keys, "The body, many times over."),
    .check = copies_check,
};

static const char *const tether_modes[] = {"geodesic", "euclidean"};
_Static_assert(COUNT(tether_modes) == PIOLA_TETHER_MODE_COUNT, "one name a mode");

static const struct key tethers_keys[] = {
    {KEY(scene_tethers, mode, KEY_CHOICE,
         "how far that is: along the mesh, or in a straight line at rest"),
     CHOICES(tether_modes)},
    {KEY(scene_tethers, slack, KEY_FLOAT, "factor on it"), RANGE(0.1, 100)},
};

static void tethers_defaults(void *item)
{
    ((struct scene_tethers *)item)->slack = 1;
}

static const struct table tethers_table = {
    TABLE("tethers", scene_tethers, tethers_keys,
          "Long-range attachments of all vertices to the body's pinned ones."),
    .defaults = tethers_defaults,
};

static const struct key links_keys[] = {
    {KEY(scene_links, box, KEY_OBJECT, "all edges of the mesh with both ends in a box"),
     .table = &scene_box_table},
    {KEY(scene_links, sphere, KEY_OBJECT, "all edges with both ends in a ball"),
     .table = &scene_sphere_table},
    {KEY(scene_links, vertices, KEY_NUMBERS, "pairs of vertices, numbered from 0"),
     RANGE(0, 67108863)},
    {KEY(scene_links, length, KEY_FLOAT, "m; without it as far apart as in the mesh"),
     ABOVE(0, FAR)},
    {KEY(scene_links, shortest, KEY_FLOAT, "least length allowed, as a factor on it"),
     RANGE(0, 1000)},
    {KEY(scene_links, longest, KEY_FLOAT, "largest length allowed, as a factor on it"),
     RANGE(0.001, 1000)},
    {KEY(scene_links, compliance, KEY_FLOAT,
         "how far each link gives way to a newton, m/N; 0: rigid"),
     RANGE(0, 1e9)},
    {KEY(scene_links, damping, KEY_FLOAT,
         "of what gives way: force for each m/s at which a link changes its length, N s/m"),
     RANGE(0, 1e9)},
};

static void links_defaults(void *item)
{
    struct scene_links *links = item;
    links->shortest = links->longest = 1;
}

static bool links_check(const void *item, const struct trail *trail, struct problem *problem)
{
    const struct scene_links *links = item;
    if (links->shortest > links->longest)
        return trail_problem(trail, problem, "\"shortest\" is more than \"longest\"");
    return links->vertices.count % 2 == 0 ||
           trail_problem(trail, problem, "\"vertices\" are pairs, and there are %u",
                         links->vertices.count);
}

static const struct table links_table = {
    TABLE("links", scene_links, links_keys,
          "Distances between vertices that are held, whatever pulls. Later ones win."),
    .defaults = links_defaults,
    .check = links_check,
    .one_of = 3,
};

static const char *const untangles[] = {"solids", "all", "none"};
_Static_assert(COUNT(untangles) == PIOLA_UNTANGLE_COUNT, "one name a choice");

static const char *const orders[] = {"seidel", "averaged", "split"};
_Static_assert(COUNT(orders) == PIOLA_ORDER_COUNT, "one name an order");

static const struct key body_keys[] = {
    {KEY(scene_body, name, KEY_TEXT, "for sensors, files and messages")},
    {KEY(scene_body, mesh, KEY_TEXT, "name of its mesh"), .required = true},
    {KEY(scene_body, material, KEY_TEXT, "name of its material"), .required = true},
    {KEY(scene_body, detail, KEY_OBJECT, "finer surface that is drawn and written instead"),
     .table = &scene_detail_table},
    {KEY(scene_body, regions, KEY_LIST, "elements that differ"), .table = &scene_region_table,
     .length = 1000},
    {NAMED("position", scene_body, desc.position, KEY_FLOATS, "of the mesh's origin, m"),
     VECTOR(3)},
    {KEY(scene_body, rotation, KEY_OBJECT, "about the mesh's origin"), .table = &scene_turn_table},
    {NAMED("velocity", scene_body, desc.velocity, KEY_FLOATS, "m/s"), VECTOR(3)},
    {NAMED("angular_velocity", scene_body, desc.angular_velocity, KEY_FLOATS,
           "about the centre of mass, rad/s"),
     VECTOR(3)},
    {NAMED("acceleration", scene_body, desc.acceleration, KEY_FLOATS,
           "a force field of this body, added to gravity, m/s^2"),
     VECTOR(3)},
    {NAMED("gravity_scale", scene_body, desc.gravity_scale, KEY_FLOAT, "factor on gravity"),
     RANGE(-1e6, 1e6)},
    {NAMED("damping", scene_body, desc.damping, KEY_FLOAT,
           "share of velocity lost to the surroundings each second, 1/s"),
     RANGE(0, 1e6)},
    {NAMED(
         "relative_damping", scene_body, desc.relative_damping, KEY_FLOAT,
         "share of velocity relative to the body's own rigid motion lost each second; momentum and "
         "spin stay, 1/s"),
     RANGE(0, 1e6)},
    {NAMED("group", scene_body, group, KEY_COUNT, "for `collides_with`"), RANGE(0, 31)},
    {KEY(scene_body, collides_with, KEY_NUMBERS,
         "groups that it meets where these meet its own; without it all"),
     RANGE(0, 31)},
    {NAMED("self_contact", scene_body, desc.self_contact, KEY_FLAG, "its surface meets itself")},
    {NAMED("friction_static", scene_body, desc.friction_static, KEY_FLOAT,
           "coefficient of friction at rest; below 0: none is given"),
     RANGE(-1, 10)},
    {NAMED("friction_kinetic", scene_body, desc.friction_kinetic, KEY_FLOAT,
           "coefficient of friction while sliding"),
     RANGE(-1, 10)},
    {NAMED("untangle", scene_body, desc.untangle, KEY_CHOICE,
           "which elastic bodies that came to rest in a tangle are led back to their rest shape"),
     CHOICES(untangles)},
    {KEY(scene_body, pins, KEY_LIST, "vertices that are held or led"), .table = &scene_pin_table,
     .length = 1000},
    {KEY(scene_body, start, KEY_OBJECT, "first shape"), .table = &start_table},
    {KEY(scene_body, copies, KEY_OBJECT, "a grid of bodies like this"), .table = &copies_table},
    {NAMED("drag", scene_body, desc.drag, KEY_FLOAT,
           "of cloth in the air; a plate across the wind has about 1.2"),
     RANGE(0, 1e6)},
    {NAMED("lift", scene_body, desc.lift, KEY_FLOAT, "of cloth in the air"), RANGE(0, 1e6)},
    {KEY(scene_body, pressure, KEY_OBJECT, "what a closed skin of cloth holds"),
     .table = &scene_pressure_table},
    {KEY(scene_body, links, KEY_LIST, "distances that are held"), .table = &links_table,
     .length = 100000},
    {KEY(scene_body, constraints, KEY_LIST, "distances, areas, volumes of its elements"),
     .table = &scene_constraint_table, .length = 100000},
    {KEY(scene_body, constraint_order, KEY_CHOICE,
         "one after the other, or all at once: averaged, or with split masses"),
     CHOICES(orders)},
    {KEY(scene_body, constraint_relaxation, KEY_FLOAT, "factor on their corrections"),
     RANGE(0.01, 1.99)},
    {KEY(scene_body, tethers, KEY_OBJECT,
         "no vertex gets farther from the pinned ones than the mesh allows"),
     .table = &tethers_table},
};

static void body_defaults(void *item)
{
    struct scene_body *body = item;
    body->desc = piola_body_desc_default();
    body->constraint_relaxation = 1;
}

static bool body_check(const void *item, const struct trail *trail, struct problem *problem)
{
    const piola_body_desc *desc = &((const struct scene_body *)item)->desc;
    return scene_friction_check(desc->friction_static, desc->friction_kinetic, trail, problem);
}

const struct table scene_body_table = {
    TABLE("a body", scene_body, body_keys,
          "A deformable solid, or cloth when its mesh is a surface."),
    .defaults = body_defaults,
    .check = body_check,
};

/* ---- sensors and the whole ---- */

static const struct key sensor_keys[] = {
    {KEY(scene_sensor, name, KEY_TEXT, "of its columns"), .required = true},
    {KEY(scene_sensor, kind, KEY_CHOICE, "what is measured"), .choices = sensor_kind_names,
     .length = SENSOR_KIND_COUNT, .required = true},
    {KEY(scene_sensor, body, KEY_TEXT, "name of a body; without it all bodies together")},
    {KEY(scene_sensor, attachment, KEY_TEXT, "name of an attachment")},
    {KEY(scene_sensor, collider, KEY_TEXT, "name of a collider or a tool")},
    {KEY(scene_sensor, joint, KEY_TEXT, "name of a joint")},
    {KEY(scene_sensor, copy, KEY_COUNT, "which of the body's copies, from 0"), RANGE(0, 65534)},
    {KEY(scene_sensor, vertex, KEY_COUNT, "number of the vertex, from 0"), RANGE(0, 67108863)},
    {KEY(scene_sensor, near, KEY_DOUBLES,
         "instead: the vertex nearest to this place in the mesh's own coordinates, m"),
     VECTOR(3)},
};

const struct table scene_sensor_table = {
    TABLE("a sensor", scene_sensor, sensor_keys, "Something measured while the scene runs."),
};

static const struct key scene_keys[] = {
    {NAMED("$schema", scene, schema, KEY_TEXT, "for editors; not read")},
    {KEY(scene, description, KEY_TEXT, "what there is to see"), .required = true},
    {KEY(scene, seconds, KEY_DOUBLE, "how long it runs unless the command says otherwise, s"),
     ABOVE(0, 1e9)},
    {KEY(scene, world, KEY_OBJECT, "time, solver, gravity"), .table = &scene_world_table},
    {KEY(scene, materials, KEY_MAP, "by name"), .table = &scene_material_table, .length = 1000},
    {KEY(scene, meshes, KEY_MAP, "by name"), .table = &scene_mesh_table, .length = 1000},
    {KEY(scene, bodies, KEY_LIST, "what moves and deforms; without it there are rigid bodies"),
     .table = &scene_body_table, .length = 65535},
    {KEY(scene, view, KEY_OBJECT, "how pictures of it are taken"), .table = &scene_view_table},
    {KEY(scene, colliders, KEY_LIST, "what bodies cannot enter"), .table = &scene_collider_table,
     .length = 65535},
    {KEY(scene, attachments, KEY_LIST, "what is held to what"), .table = &scene_attachment_table,
     .length = 100000},
    {KEY(scene, joints, KEY_LIST, "what rigid bodies are held by"), .table = &scene_joint_table,
     .length = 65535},
    {KEY(scene, fields, KEY_LIST, "what acts from outside"), .table = &scene_field_table,
     .length = 1000},
    {KEY(scene, sensors, KEY_LIST, "what is measured"), .table = &scene_sensor_table,
     .length = 1000},
    {KEY(scene, sensor_interval, KEY_COUNT, "steps between two lines of the sensors' file"),
     RANGE(1, 1e9)},
};

static void scene_defaults(void *item)
{
    struct scene *scene = item;
    scene->seconds = 5;
    scene->sensor_interval = 1;
}

const struct table scene_table = {
    TABLE("a scene", scene, scene_keys,
          "A scene for `piola run`: SI units, angles in degrees, y is up by default."),
    .defaults = scene_defaults,
};
