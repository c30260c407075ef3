/* scene_joints.c - the keys of joints and motors. */
#include "io/scene/scene.h"

#include "io/scene/key_rows.h"

#include <math.h>
#include <string.h>

#define RADIANS 0.017453293f
#define SWING   171.0 /* degrees: 3 rad, beyond which a swing has no direction, is a little more */

static const char *const kinds[] = {"ball",  "hinge",      "slider", "universal",
                                    "fixed", "cone_twist", "free"};
_Static_assert(COUNT(kinds) == JOINT_FREE + 1, "one name a kind");

static const char *const axes[] = {"x", "y", "z", "twist", "swing_y", "swing_z"};
_Static_assert(COUNT(axes) == PIOLA_JOINT_AXES, "one name an axis");

static const char *const modes[] = {"free", "locked", "spring", "servo", "motor"};
_Static_assert(COUNT(modes) == PIOLA_AXIS_MODE_COUNT, "one name a mode");

/* ---- axes ---- */

static const struct key drive_keys[] = {
    {KEY(scene_drive, time, KEY_DOUBLE, "s"), RANGE(0, 1e9), .required = true},
    {KEY(scene_drive, value, KEY_DOUBLE,
         "the target, m or degrees; of a motor the speed, m/s or rad/s"),
     RANGE(-1e9, 1e9), .required = true},
};

static const struct table drive_table = {
    TABLE("a drive's frame", scene_drive, drive_keys,
          "What an axis is driven to at a time; straight lines lie between."),
};

#define SETTING(member, kind_, what_) NAMED(#member, scene_axis, desc.member, kind_, what_)

static const struct key axis_keys[] = {
    {KEY(scene_axis, axis, KEY_CHOICE,
         "along x, y, z of the base's frame; how the moved frame is twisted about its own x; the y "
         "and z parts of the turn that swings that x axis away from the base's"),
     CHOICES(axes), .required = true},
    {KEY(scene_axis, mode, KEY_CHOICE, "without it as the joint's kind has it"), CHOICES(modes)},
    {SETTING(low, KEY_FLOAT, "it stays above, m or degrees; both 0: no limits"), RANGE(-1e6, 1e6)},
    {SETTING(high, KEY_FLOAT, "... and below"), RANGE(-1e6, 1e6)},
    {SETTING(target, KEY_FLOAT, "of a spring or a servo, m or degrees"), RANGE(-1e6, 1e6)},
    {SETTING(speed, KEY_FLOAT, "of a motor; of a servo the greatest, 0: any; m/s or rad/s"),
     RANGE(-1e6, 1e6)},
    {SETTING(stiffness, KEY_FLOAT, "of a spring, N/m or N m/rad"), RANGE(0, 1e9)},
    {SETTING(damping, KEY_FLOAT, "of a spring, N s/m or N m s"), RANGE(0, 1e9)},
    {SETTING(max_force, KEY_FLOAT, "that a spring, servo or motor exerts at most, N or N m"),
     RANGE(0, 1e9)},
    {KEY(scene_axis, frames, KEY_LIST, "what it is driven to, in order of time"),
     .table = &drive_table, .length = 100000},
    {KEY(scene_axis, repeat, KEY_DOUBLE, "s, after which the frames begin again; 0: never"),
     RANGE(0, 1e9)},
};

static void axis_defaults(void *item)
{
    ((struct scene_axis *)item)->desc = piola_joint_desc_default().axis[0];
}

static bool axis_check(const void *item, const struct trail *trail, struct problem *problem)
{
    const struct scene_axis *axis = item;
    const struct scene_drive *frames = axis->frames.items;
    const bool swings = axis->axis > 3;
    if (axis->desc.low > axis->desc.high)
        return trail_problem(trail, problem, "\"low\" is more than \"high\"");
    if (swings && ((double)axis->desc.low < -SWING || (double)axis->desc.high > SWING))
        return trail_problem(trail, problem, "a swing has limits within -%g and %g degrees", SWING,
                             SWING);
    for (uint32_t i = 1; i < axis->frames.count; ++i)
        if (!(frames[i].time > frames[i - 1].time))
            return trail_problem(trail, problem, "frames[%u].time is not after the frame before",
                                 i);
    return axis->repeat <= 0 || axis->frames.count > 0 ||
           trail_problem(trail, problem, "\"repeat\" is of \"frames\"");
}

static const struct table axis_table = {
    TABLE("an axis", scene_axis, axis_keys, "One of the six ways in which a joint's sides move."),
    .defaults = axis_defaults,
    .check = axis_check,
};

bool scene_axis_turns(const struct scene_axis *axis)
{
    return axis->axis >= 3;
}

/* ---- joints ---- */

static const struct key joint_keys[] = {
    {KEY(scene_joint, name, KEY_TEXT, "for sensors and messages")},
    {KEY(scene_joint, kind, KEY_CHOICE,
         "which axes are locked; a cone_twist is a ball with bounds"),
     CHOICES(kinds), .required = true},
    {KEY(scene_joint, base, KEY_TEXT,
         "name of a rigid body or another collider; without it the world")},
    {KEY(scene_joint, moved, KEY_TEXT, "name of a rigid body"), .required = true},
    {KEY(scene_joint, position, KEY_DOUBLES, "where it is as the scene begins, m, in the world"),
     VECTOR(3), .required = true},
    {KEY(scene_joint, axis, KEY_DOUBLES,
         "direction of its x axis, in the world: a hinge turns about it, a slider goes along it"),
     VECTOR(3)},
    {KEY(scene_joint, across, KEY_DOUBLES,
         "direction of its y axis, as far as it stands across that; without it any"),
     VECTOR(3)},
    {KEY(scene_joint, cone, KEY_FLOAT, "of a cone_twist: how far its x axis may swing, degrees"),
     ABOVE(0, SWING)},
    {KEY(scene_joint, twist, KEY_FLOAT,
         "of a cone_twist: how far it may twist to both sides, degrees"),
     ABOVE(0, 1e6)},
    {KEY(scene_joint, axes, KEY_LIST, "axes that are not as the kind has them"),
     .table = &axis_table, .length = PIOLA_JOINT_AXES},
    {KEY(scene_joint, max_force, KEY_FLOAT, "above which it breaks, N; 0: never"), RANGE(0, 1e30)},
    {KEY(scene_joint, max_torque, KEY_FLOAT, "above which it breaks, N m; 0: never"),
     RANGE(0, 1e30)},
};

static void joint_defaults(void *item)
{
    ((struct scene_joint *)item)->axis[0] = 1;
}

static double square_of(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

static bool frame_check(const struct scene_joint *joint, const struct trail *trail,
                        struct problem *problem)
{
    const double *x = joint->axis, *y = joint->across;
    const double dot = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    const bool given = keys_given(&scene_joint_table, joint, "across");
    if (square_of(x) < 1e-12)
        return trail_problem(trail, problem, "the axis has no direction");
    return !given || square_of(x) * square_of(y) - dot * dot > 1e-6 * square_of(x) * square_of(y) ||
           trail_problem(trail, problem, "\"across\" does not stand across the axis");
}

/* A number that the axis does not read would be a silent mistake. */
static bool mode_check(const struct scene_axis *axis, piola_axis_mode mode,
                       const struct trail *trail, struct problem *problem)
{
    static const struct {
        const char *key, *read; /* a letter a mode */
    } rules[] = {{"low", "x.xxx"},       {"high", "x.xxx"},      {"target", "..xx."},
                 {"speed", "...xx"},     {"stiffness", "..x.."}, {"damping", "..x.."},
                 {"max_force", "..xxx"}, {"frames", "..xxx"}};
    for (uint32_t i = 0; i < COUNT(rules); ++i)
        if (keys_given(&axis_table, axis, rules[i].key) && rules[i].read[mode] != 'x')
            return trail_problem(trail, problem, "the axis %s is %s, and has no \"%s\"",
                                 axes[axis->axis], modes[mode], rules[i].key);
    return true;
}

static bool joint_check(const void *item, const struct trail *trail, struct problem *problem)
{
    const struct scene_joint *joint = item;
    const struct scene_axis *axis = joint->axes.items;
    const piola_joint_desc desc = scene_joint_desc(joint);
    const bool bounded = keys_given(&scene_joint_table, joint, "cone") ||
                         keys_given(&scene_joint_table, joint, "twist");
    unsigned seen = 0;
    if (joint->base && strcmp(joint->base, joint->moved) == 0)
        return trail_problem(trail, problem, "\"base\" and \"moved\" are one");
    if (joint->kind != JOINT_CONE_TWIST && bounded)
        return trail_problem(trail, problem,
                             "\"cone\" and \"twist\" are of a cone_twist, not of a %s",
                             kinds[joint->kind]);
    if (joint->kind == JOINT_CONE_TWIST && !(joint->cone > 0 && joint->twist > 0))
        return trail_problem(trail, problem, "a cone_twist needs a \"cone\" and a \"twist\"");
    for (uint32_t i = 0; i < joint->axes.count; ++i) {
        if ((seen >> axis[i].axis & 1u) != 0)
            return trail_problem(trail, problem, "\"axes\" has %s twice", axes[axis[i].axis]);
        seen |= 1u << axis[i].axis;
        if (!mode_check(&axis[i], desc.axis[axis[i].axis].mode, trail, problem))
            return false;
    }
    return frame_check(joint, trail, problem);
}

static piola_joint_desc desc_of_kind(const struct scene_joint *joint)
{
    switch ((enum joint_kind)joint->kind) {
    case JOINT_BALL:
        return piola_joint_ball();
    case JOINT_HINGE:
        return piola_joint_hinge();
    case JOINT_SLIDER:
        return piola_joint_slider();
    case JOINT_UNIVERSAL:
        return piola_joint_universal();
    case JOINT_FIXED:
        return piola_joint_fixed();
    case JOINT_CONE_TWIST:
        return piola_joint_cone_twist(joint->cone * RADIANS, joint->twist * RADIANS);
    case JOINT_FREE:
        break;
    }
    return piola_joint_desc_default();
}

piola_joint_desc scene_joint_desc(const struct scene_joint *joint)
{
    const struct scene_axis *list = joint->axes.items;
    piola_joint_desc desc = desc_of_kind(joint);
    for (uint32_t i = 0; i < joint->axes.count; ++i) {
        piola_joint_axis *axis = &desc.axis[list[i].axis];
        const piola_axis_mode mode =
            keys_given(&axis_table, &list[i], "mode") ? (piola_axis_mode)list[i].mode : axis->mode;
        const float unit = scene_axis_turns(&list[i]) ? RADIANS : 1;
        const bool limits =
            keys_given(&axis_table, &list[i], "low") || keys_given(&axis_table, &list[i], "high");
        const float low = limits ? list[i].desc.low * unit : axis->low;
        const float high = limits ? list[i].desc.high * unit : axis->high;
        *axis = list[i].desc;
        axis->mode = mode;
        axis->low = low;
        axis->high = high;
        axis->target *= unit;
    }
    desc.max_force = joint->max_force;
    desc.max_torque = joint->max_torque;
    return desc;
}

const struct table scene_joint_table = {
    TABLE("a joint", scene_joint, joint_keys,
          "Holds how a rigid body moves relative to another one, to a collider or to the world."),
    .defaults = joint_defaults,
    .check = joint_check,
};
