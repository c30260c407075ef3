/* joint_rows.c - what the axes of a joint ask for in a substep, as rows.
 *
 * All is asked of the coordinate c at the substep's end. A lock wants 0; a motor of speed s what
 * that makes of where it began, c0 + dt s; a servo its target, or as far as its speed goes; a
 * spring and damper (k, d) pull with -k (c - target) - d (c - c0) / dt, which is an impulse of
 * (goal - c) / softness with softness 1 / (dt k + d). Limits want no less or no more. Forces act
 * where the substep begins, along the gradients there: with what is asked at its end that is the
 * scheme of SHAKE, which neither feeds nor starves a swinging chain. Where an arm turns too far in
 * a substep for that, or bears so much that it would swing faster than a substep can follow, forces
 * act along the gradients of the end: implicit Euler's method, which damps.
 */
#include "families/joints/joints.h"

#include <float.h>

/* What does not fit is drawn together this fast, m/s and rad/s. */
#define CLOSING 1.0
/* An arm turns far when its change is above this share of it; and it swings fast when, by what the
 * joint bore in the substep before, the square of its frequency times a substep's is above this. */
#define SWINGS 0.25
#define FAST   0.5

static double clamped(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static void add(struct joint_now *now, uint32_t axis, double goal, double softness, double low,
                double high)
{
    struct joint_row *row = &now->row[now->count++];
    memset(row, 0, sizeof *row);
    row->axis = axis;
    row->goal = goal;
    row->softness = softness;
    row->low = low;
    row->high = high;
    /* Limits are taken for not reached until they are. */
    row->state = low == 0 ? ROW_LOW : high == 0 ? ROW_HIGH : ROW_ACTS;
}

/* A lock or a limit; from beyond it, it is drawn there. */
static void add_drawn(struct joint_now *now, uint32_t axis, double goal, double low, double high,
                      double dt)
{
    const double began = now->began[axis];
    double to = goal;
    if (began < goal && high > 0)
        to = clamped(goal, began, began + dt * CLOSING);
    if (began > goal && low < 0)
        to = clamped(goal, began - dt * CLOSING, began);
    add(now, axis, to, 0, low, high);
    now->row[now->count - 1].draws = to != goal;
}

static void add_drive(struct joint_now *now, uint32_t i, const piola_joint_axis *axis, double dt)
{
    const double began = now->began[i], most = dt * (double)axis->max_force;
    const double speed = (double)axis->speed, far = fabs(speed) * dt;
    const double drag = dt * (double)axis->stiffness + (double)axis->damping;
    double goal = (double)axis->target;
    switch (axis->mode) {
    case PIOLA_AXIS_LOCKED:
        add_drawn(now, i, 0, -DBL_MAX, DBL_MAX, dt);
        break;
    case PIOLA_AXIS_SPRING:
        if (drag > 0)
            add(now, i,
                (dt * (double)axis->stiffness * goal + (double)axis->damping * began) / drag,
                1 / drag, -most, most);
        break;
    case PIOLA_AXIS_SERVO:
        goal = speed != 0 ? clamped(goal, began - far, began + far) : goal;
        add(now, i, goal, 0, -most, most);
        break;
    case PIOLA_AXIS_MOTOR:
        add(now, i, began + dt * speed, 0, -most, most);
        break;
    default:
        break;
    }
}

static void add_limits(struct joint_now *now, uint32_t i, const piola_joint_axis *axis, double dt)
{
    const double low = (double)axis->low, high = (double)axis->high;
    if (axis->mode == PIOLA_AXIS_LOCKED || axis->low == axis->high)
        return;
    add_drawn(now, i, low, 0, DBL_MAX, dt);
    add_drawn(now, i, high, -DBL_MAX, 0, dt);
}

/* A node for each side that moves. */
static bool find_nodes(const struct step *step, const struct joint *joint, struct joint_now *now)
{
    const piola_world *w = step->world;
    bool any = false;
    for (int side = 0; side < 2; ++side) {
        const uint32_t slot = joint->slot[side];
        now->node[side] =
            slot > 0 && rigid_is(w, slot - 1) ? world_joint_node_of(w)[slot - 1] : JOINT_NONE;
        any = any || (now->node[side] != JOINT_NONE && rigid_moves(w, slot - 1));
    }
    return any;
}

static bool asks_turns(const struct joint_axes *axes, const struct joint *joint)
{
    bool asks = joint->cone > 0;
    for (int i = 3; i < PIOLA_JOINT_AXES; ++i)
        asks = asks || axes->of[i].mode != PIOLA_AXIS_FREE || axes->of[i].low != axes->of[i].high;
    return asks;
}

void joint_rows_begin(const struct step *step, uint32_t slot)
{
    const piola_world *w = step->world;
    const struct joint *joint = &world_joints(w)[slot];
    struct joint_now *now = &world_joint_now(w)[slot];
    const double dt = (double)step->dt;
    struct joint_pose pose[2];
    struct joint_reading reading;
    now->count = now->swings = 0;
    now->acts = joint->alive && joint_whole(w, joint) && find_nodes(step, joint, now);
    if (!now->acts)
        return;
    joint_poses_begin(step, joint, pose);
    now->turns = asks_turns(&world_joint_axes(w)[slot], joint);
    joint_read(pose, now->turns != 0, &reading);
    reading.value[3] = joint_unwound(reading.value[3], joint->twist);
    memcpy(now->began, reading.value, sizeof reading.value);
    now->began[JOINT_CONE] = reading.cone;
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < 3; ++k)
            now->arm[side][k] = pose[JOINT_MOVED].at[k] - pose[side].origin[k];
    for (uint32_t i = 0; i < PIOLA_JOINT_AXES; ++i) {
        const piola_joint_axis *axis = &world_joint_axes(w)[slot].of[i];
        add_drive(now, i, axis, dt);
        add_limits(now, i, axis, dt);
    }
    const double cone = (double)joint->cone;
    if (cone > 0)
        add_drawn(now, JOINT_CONE, cone, -DBL_MAX, 0, dt);
    for (uint32_t i = 0; i < now->count; ++i)
        joint_answer(pose, &reading, now->row[i].axis, now->row[i].answer);
}

/* An arm of a side that moves turns far in this substep. */
static bool turns_far(const piola_world *w, const struct joint_now *now)
{
    bool far = false;
    for (int side = 0; side < 2; ++side) {
        double change[3];
        if (now->node[side] == JOINT_NONE || !world_joint_nodes(w)[now->node[side]].moves)
            continue;
        for (int k = 0; k < 3; ++k)
            change[k] = now->reach[side][k] - now->arm[side][k];
        far = far ||
              dot3(change, change) > SWINGS * SWINGS * dot3(now->arm[side], now->arm[side]) + 1e-18;
    }
    return far;
}

/* How far a coordinate gives way to a unit impulse, m / (N s) a second. */
static double give_of(const piola_world *w, const struct joint_now *now,
                      const struct joint_row *row)
{
    double give = 0;
    for (int side = 0; side < 2; ++side) {
        double v[6];
        if (now->node[side] == JOINT_NONE || !world_joint_nodes(w)[now->node[side]].moves)
            continue;
        memcpy(v, row->answer[side], sizeof v);
        spatial_back((const double(*)[6])world_joint_nodes(w)[now->node[side]].own, v);
        give += spatial_dot(v, row->answer[side]);
    }
    return give;
}

/* The first three axes give way by `give`, m / (N s) a second. */
static bool swings_fast(const piola_world *w, const struct joint *joint,
                        const struct joint_now *now, double give, double dt)
{
    const double f[3] = {(double)joint->force[0], (double)joint->force[1], (double)joint->force[2]};
    const double swing = dt * dt * give * sqrt(dot3(f, f));
    bool fast = false;
    for (int side = 0; side < 2; ++side)
        if (now->node[side] != JOINT_NONE && world_joint_nodes(w)[now->node[side]].moves) {
            const double arm = sqrt(dot3(now->arm[side], now->arm[side]));
            fast = fast || (arm > 1e-9 && swing > FAST * arm);
        }
    return fast;
}

/* Of its own give; so much of what is asked is left after a round, times how much more others weigh
 * upon it. Those that others' equations do not know of are given more. */
#define FOLLOWS       1e-6
#define FOLLOWS_LOOSE 3.0

static void answer_anew(const struct step *step, const struct joint *joint, struct joint_now *now,
                        const struct joint_pose pose[2], const struct joint_reading *reading,
                        bool first)
{
    const piola_world *w = step->world;
    const bool loose = joint_loose(now);
    double most = 0;
    for (uint32_t i = 0; i < now->count; ++i) {
        struct joint_row *row = &now->row[i];
        if (now->swings)
            joint_answer(pose, reading, row->axis, row->answer);
        const double give = give_of(w, now, row);
        row->follow = (loose ? FOLLOWS_LOOSE : FOLLOWS) * (double)step->dt * give;
        most = row->axis < 3 && give > most ? give : most;
    }
    if (first && !now->swings)
        now->swings = swings_fast(w, joint, now, most, (double)step->dt);
}

void joint_rows_update(const struct step *step, uint32_t slot, bool first)
{
    const piola_world *w = step->world;
    const struct joint *joint = &world_joints(w)[slot];
    struct joint_now *now = &world_joint_now(w)[slot];
    struct joint_pose pose[2];
    struct joint_reading reading;
    joint_poses_end(step, joint, now, pose);
    joint_read(pose, now->turns != 0, &reading);
    reading.value[3] = joint_unwound(reading.value[3], now->began[3]);
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < 3; ++k)
            now->reach[side][k] = pose[JOINT_MOVED].at[k] - pose[side].origin[k];
    now->swings = now->swings || turns_far(w, now);
    if (now->swings || first)
        answer_anew(step, joint, now, pose, &reading, first);
    for (uint32_t i = 0; i < now->count; ++i) {
        struct joint_row *row = &now->row[i];
        row->value = row->axis == JOINT_CONE ? reading.cone : reading.value[row->axis];
        row->before = row->impulse;
        row->slip = 0;
        for (int side = 0; side < 2; ++side)
            if (now->node[side] != JOINT_NONE && world_joint_nodes(w)[now->node[side]].moves)
                row->slip +=
                    spatial_dot(row->answer[side], world_joint_nodes(w)[now->node[side]].v);
    }
}
