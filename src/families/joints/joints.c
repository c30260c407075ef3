/* joints.c - joints in a step: before it, in its substeps, and what is told of them after.
 *
 * The velocities that joints leave to rigid bodies: joint_solve.c, which rigid_move.c asks for by
 * `balance` of struct family.
 */
#include "families/joints/joints.h"

#include "world/family.h"
#include "world/rest.h"

static bool acts(const piola_world *world)
{
    return world->dim[DIM_joints].capacity > 0 && rigid_any(world);
}

/* A collider or a rigid body that a command or its own velocity carries. */
static bool carried(const piola_world *world, uint32_t slot)
{
    const struct collider *c = &world_colliders(world)[slot];
    bool goes = (c->flags & (COLLIDER_GOES | COLLIDER_TURNS)) != 0;
    for (int k = 0; k < 3 && !rigid_is(world, slot); ++k)
        goes = goes || c->velocity[k] != 0 || c->spin[k] != 0;
    return goes;
}

static bool runs(const struct joint_axes *axes)
{
    bool any = false;
    for (uint32_t i = 0; i < PIOLA_JOINT_AXES; ++i)
        any = any || (axes->of[i].mode == PIOLA_AXIS_MOTOR && axes->of[i].speed != 0);
    return any;
}

/* Joints whose sides are gone end; what a joint moves wakes. */
static void before(piola_world *world)
{
    for (uint64_t i = 0; i < world->dim[DIM_joints].used; ++i) {
        struct joint *j = &world_joints(world)[i];
        if (!j->alive)
            continue;
        if (!joint_whole(world, j)) {
            joint_end(world, j);
            continue;
        }
        bool moves = runs(&world_joint_axes(world)[i]);
        for (int side = 0; side < 2; ++side)
            moves = moves || (j->slot[side] > 0 && carried(world, j->slot[side] - 1));
        for (int side = 0; side < 2 && moves; ++side)
            if (j->slot[side] > 0)
                solid_wake(world, j->slot[side] - 1);
    }
    if (acts(world)) {
        joints_order(world);
        world_joint_system(world)->broken = 0;
    }
}

static void begin(struct step *step)
{
    const piola_world *w = step->world;
    memset(world_rigid_tied(w), 0, rigid_end(w) * sizeof(struct rigid_tied));
    world_joint_system(w)->fresh = 1;
    for (uint32_t n = 0; n < world_joint_system(w)->nodes; ++n)
        world_rigid_tied(w)[world_joint_nodes(w)[n].slot].ties = 1;
}

/* N, N m, of what its rows did in this substep. */
static void tell_forces(struct joint *j, const struct joint_now *now, double dt)
{
    double force[6] = {0}, load[6] = {0};
    for (uint32_t r = 0; r < now->count; ++r) {
        const struct joint_row *row = &now->row[r];
        const int from = row->axis < 3 ? 0 : 3;
        for (int k = 0; k < 3; ++k)
            force[from + k] += row->answer[JOINT_MOVED][from + k] * row->impulse / dt;
        if (row->axis < JOINT_CONE)
            load[row->axis] += row->impulse / dt;
    }
    for (int k = 0; k < 3; ++k) {
        j->force[k] = (float)force[k];
        j->torque[k] = (float)force[3 + k];
    }
    for (int i = 0; i < 6; ++i)
        j->load[i] = (float)load[i];
}

static bool finite_numbers(const float *values, int count)
{
    bool finite = true;
    for (int k = 0; k < count; ++k)
        finite = finite && values[k] - values[k] == 0;
    return finite;
}

static float size_of(const float v[3])
{
    return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Where it ends the substep, and whether it bears that. */
static void tell(const struct step *step, uint32_t slot)
{
    const piola_world *w = step->world;
    const struct joint_now *now = &world_joint_now(w)[slot];
    struct joint *j = &world_joints(w)[slot], told = *j;
    struct joint_pose pose[2];
    struct joint_reading reading;
    double gap = 0;
    joint_poses_end(step, j, now, pose);
    joint_read(pose, true, &reading);
    told.twist = reading.value[3] = joint_unwound(reading.value[3], j->twist);
    for (int i = 0; i < 6; ++i) {
        const bool locked = world_joint_axes(w)[slot].of[i].mode == PIOLA_AXIS_LOCKED;
        gap += i < 3 && locked ? reading.value[i] * reading.value[i] : 0;
        told.position[i] = (float)reading.value[i];
    }
    told.gap = (float)sqrt(gap);
    tell_forces(&told, now, (double)step->dt);
    if (!finite_numbers(told.position, 6) || !finite_numbers(told.load, 6) ||
        !finite_numbers(told.force, 3) || !finite_numbers(told.torque, 3) ||
        !finite_numbers(&told.gap, 1))
        return;
    told.broken = (told.max_force > 0 && size_of(told.force) > told.max_force) ||
                  (told.max_torque > 0 && size_of(told.torque) > told.max_torque);
    *j = told;
}

static void measure(struct step *step)
{
    const piola_world *w = step->world;
    for (uint32_t n = 0; n < world_joint_system(w)->nodes; ++n) {
        struct joint_node *node = &world_joint_nodes(w)[n];
        if (!node->moves)
            continue;
        rigid_goes(&world_rigid_now(w)[node->slot], (double)step->dt, node->end.at);
        rigid_heading(&world_rigids(w)[node->slot], &world_rigid_now(w)[node->slot],
                      (double)step->dt, node->end.turn);
    }
    for (uint32_t i = 0; i < w->dim[DIM_joints].used; ++i)
        if (world_joints(w)[i].alive && world_joint_now(w)[i].acts && !world_joints(w)[i].broken)
            tell(step, i);
}

static void after(const struct step *step)
{
    piola_world *w = step->world;
    for (uint64_t i = 0; i < w->dim[DIM_joints].used; ++i)
        if (world_joints(w)[i].broken) {
            joint_end(w, &world_joints(w)[i]);
            ++world_joint_system(w)->broken;
        }
}

static void report(const piola_world *w, piola_report *report)
{
    if (!acts(w))
        return;
    report->joints_broken = world_joint_system(w)->broken;
    for (uint64_t i = 0; i < w->dim[DIM_joints].used; ++i) {
        const struct joint_now *now = &world_joint_now(w)[i];
        report->joints_loose += now->acts && joint_loose(now);
    }
}

/* Also for those that sleep: who wakes one wakes the other. */
static void link(const piola_world *w, struct islands all)
{
    for (uint64_t i = 0; i < w->dim[DIM_joints].used; ++i) {
        const struct joint *j = &world_joints(w)[i];
        if (j->alive && j->slot[JOINT_BASE] > 0 && joint_whole(w, j))
            islands_join(all, islands_collider(w, j->slot[JOINT_BASE] - 1),
                         islands_collider(w, j->slot[JOINT_MOVED] - 1));
    }
}

bool joints_apart(const piola_world *w)
{
    bool apart = false;
    for (uint64_t i = 0; i < w->dim[DIM_joints].used; ++i) {
        const struct joint *j = &world_joints(w)[i];
        apart = apart || (j->alive && j->to == JOINT_RIGID &&
                          solid_asleep(w, j->slot[JOINT_BASE] - 1) !=
                              solid_asleep(w, j->slot[JOINT_MOVED] - 1));
    }
    return apart;
}

const struct family family_joints = {
    .name = "joints",
    .acts = acts,
    .among = {[START] = begin, [FLOW] = measure},
    .link = link,
    .balance = joints_balance,
    .before = before,
    .after = after,
    .report = report,
    .recount = joints_recount,
};
