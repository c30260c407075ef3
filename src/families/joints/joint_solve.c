/* joint_solve.c - the velocities of all bodies that joints hold, found together.
 *
 * Each round lays the rows anew where the bodies go, finds which of them rest at a bound, and
 * solves for all velocities. Then the points at which other colliders stop bodies are visited one
 * after the other, each with what its body weighs with all that hangs on to it. At last velocities
 * are what the impulses make of each body alone: whatever rounds have left open, what one side of a
 * joint gets the other loses.
 */
#include "families/joints/joints.h"

#include "world/rest.h"

#include <float.h>

#define ROUNDS_FIRST 3 /* of a substep */
#define TRIES        5 /* to find which rows act */
#define SWEEPS       4 /* over the points that stop bodies */
/* m or rad, and m/s or rad/s: what is less is rounded away in a step or two. */
#define CLOSED 1e-10
#define CALM   1e-8
/* Of what a body's points press with: less is no change. */
#define PRESSED 1e-9

static struct joint_node *node_at(const piola_world *w, uint32_t node)
{
    return &world_joint_nodes(w)[node];
}

/* The substep begins: what moves, what is asked. */
static void begin(const struct step *step)
{
    const piola_world *w = step->world;
    world_joint_system(w)->factored = 0;
    for (uint32_t n = 0; n < world_joint_system(w)->nodes; ++n) {
        struct joint_node *node = node_at(w, n);
        node->moves = rigid_moves(w, node->slot);
        memset(node->press, 0, sizeof node->press);
    }
    for (uint32_t i = 0; i < w->dim[DIM_joints].used; ++i) {
        const struct joint_now *now = &world_joint_now(w)[i];
        joint_rows_begin(step, i);
        for (int side = 0; side < 2 && now->acts; ++side)
            if (now->node[side] == JOINT_NONE || !node_at(w, now->node[side])->moves)
                world_rigid_tied(w)[world_joints(w)[i].slot[1 - side] - 1].anchored = 1;
    }
}

/* True when any is not what it was. */
static bool take_equations(const struct step *step)
{
    const piola_world *w = step->world;
    bool changed = false;
    for (uint32_t n = 0; n < world_joint_system(w)->nodes; ++n) {
        struct joint_node *node = node_at(w, n);
        const struct rigid_tied *tied = &world_rigid_tied(w)[node->slot];
        memset(node->v, 0, sizeof node->v);
        node->touched = node->moves && world_rigid_now(w)[node->slot].points > 0;
        if (!node->moves)
            continue;
        changed = changed || !same_bytes(node->pull, tied->pull, sizeof node->pull);
        memcpy(node->pull, tied->pull, sizeof node->pull);
        memcpy(node->v, world_rigid_now(w)[node->slot].velocity, sizeof node->v);
        if (world_joint_system(w)->factored &&
            same_bytes(node->mass, tied->mass, sizeof node->mass))
            continue;
        world_joint_system(w)->factored = 0;
        memcpy(node->mass, tied->mass, sizeof node->mass);
        memcpy(node->own, tied->mass, sizeof node->own);
        (void)spatial_factor(node->own);
    }
    return changed;
}

/* Where all are at the substep's end, as they go now. */
static void take_ends(const struct step *step)
{
    const piola_world *w = step->world;
    for (uint32_t n = 0; n < world_joint_system(w)->nodes; ++n) {
        struct joint_node *node = node_at(w, n);
        struct rigid_now *now = &world_rigid_now(w)[node->slot];
        if (!node->moves)
            continue;
        rigid_goes(now, (double)step->dt, node->end.at);
        rigid_heading(&world_rigids(w)[node->slot], now, (double)step->dt, node->end.turn);
    }
}

static void lay_rows(const struct step *step, bool first)
{
    const piola_world *w = step->world;
    for (uint32_t n = 0; n < world_joint_system(w)->nodes; ++n) {
        struct joint_node *node = node_at(w, n);
        memcpy(node->was, node->v, sizeof node->was);
        if (node->moves)
            memcpy(world_rigid_now(w)[node->slot].sent, node->v, sizeof node->v);
    }
    take_ends(step);
    for (uint32_t i = 0; i < w->dim[DIM_joints].used; ++i)
        if (world_joint_now(w)[i].acts)
            joint_rows_update(step, i, first);
}

/* How rows may change between acting and resting at a bound. In a round they are let go twice, then
 * only caught, so that they do not take turns for ever; at last they stay as they are. */
enum settling { LET_GO, CATCH, KEEP };

/* A drive that would exert more than it may is as soft as makes it exert that where it is: that
 * settles smoothly, and it pushes no way but to its goal. True when that is much softer or stiffer
 * than before. */
static bool settle_drive(struct joint_row *row, double off, enum settling how)
{
    const double follow = row->yield > 0 ? 0 : row->follow, was = row->yield;
    const double rigid = (row->follow * row->before - off) / (row->softness + row->follow);
    row->impulse = (follow * row->before - off) / (row->softness + row->yield + follow);
    if (how == KEEP)
        return false;
    row->yield = 0;
    if (row->high > 0 && fabs(rigid) > row->high && fabs(off) > row->softness * row->high)
        row->yield = fabs(off) / row->high - row->softness;
    row->impulse = row->impulse > row->high  ? row->high
                   : row->impulse < row->low ? row->low
                                             : row->impulse;
    return fabs(row->yield - was) > 1e-3 * row->yield || (row->yield > 0) != (was > 0);
}

/* What a row's impulse would be; where that is beyond a bound it rests there. True when that is
 * new.
 */
static bool settle_row(const piola_world *w, const struct joint_now *now, struct joint_row *row,
                       double dt, enum settling how)
{
    const uint32_t was = row->state;
    double rate = 0;
    if (was != ROW_ACTS && how != LET_GO)
        return false;
    for (int side = 0; side < 2; ++side)
        if (now->node[side] != JOINT_NONE && node_at(w, now->node[side])->moves)
            rate += spatial_dot(row->answer[side], node_at(w, now->node[side])->v);
    const double off = row->value - row->goal + dt * (rate - row->slip);
    if (row->low < 0 && row->low > -DBL_MAX && row->high > 0)
        return settle_drive(row, off, how);
    row->impulse = (row->follow * row->before - off) / (row->softness + row->follow);
    if (how == KEEP)
        return false;
    row->state = row->impulse < row->low ? ROW_LOW : row->impulse > row->high ? ROW_HIGH : ROW_ACTS;
    if (row->state != ROW_ACTS)
        row->impulse = row->state == ROW_LOW ? row->low : row->high;
    return row->state != was;
}

static bool settle_rows(const piola_world *w, double dt, enum settling how)
{
    bool changed = false;
    for (uint32_t i = 0; i < w->dim[DIM_joints].used; ++i) {
        struct joint_now *now = &world_joint_now(w)[i];
        for (uint32_t r = 0; now->acts && r < now->count; ++r)
            changed = settle_row(w, now, &now->row[r], dt, how) || changed;
    }
    return changed;
}

/* Symmetric, to its inverse, factored; false where it is none. */
static bool weigh(const double inverse[6][6], double mass[6][6])
{
    double own[6][6];
    memcpy(own, inverse, sizeof own);
    if (!spatial_factor(own))
        return false;
    memset(mass, 0, sizeof own);
    for (int i = 0; i < 6; ++i) {
        mass[i][i] = 1;
        spatial_back((const double(*)[6])own, mass[i]);
    }
    return spatial_factor(mass);
}

/* The points of one body press anew. False when that is no news. */
static bool press(const piola_world *w, uint32_t n)
{
    struct joint_node *node = node_at(w, n);
    struct rigid_now *now = &world_rigid_now(w)[node->slot];
    double back[6], v[6], pressed[6] = {0}, change[6], all = 0, news = 0;
    if (!node->weighed)
        return false;
    joints_look(w, n);
    spatial_times((const double(*)[6])node->inverse, node->press, back);
    for (int i = 0; i < 6; ++i)
        v[i] = node->v[i] - back[i];
    rigid_points_press(now, (const double(*)[6])node->weight, v);
    for (uint32_t p = 0; p < now->points; ++p) {
        double moment[3];
        cross3(now->point[p].arm, now->point[p].impulse, moment);
        for (int k = 0; k < 3; ++k) {
            pressed[k] += now->point[p].impulse[k];
            pressed[3 + k] += moment[k];
        }
    }
    for (int i = 0; i < 6; ++i) {
        change[i] = pressed[i] - node->press[i];
        all += pressed[i] * pressed[i];
        news += change[i] * change[i];
    }
    memcpy(node->press, pressed, sizeof pressed);
    joints_change(w, n, change);
    return news > PRESSED * PRESSED * all;
}

static void press_all(const piola_world *w)
{
    const uint32_t nodes = world_joint_system(w)->nodes;
    bool any = false;
    for (uint32_t n = 0; n < nodes; ++n)
        any = any || node_at(w, n)->touched;
    if (!any)
        return;
    joints_invert(w);
    for (uint32_t n = 0; n < nodes; ++n) {
        struct joint_node *node = node_at(w, n);
        node->weighed = node->weighed ||
                        (node->touched && weigh((const double(*)[6])node->inverse, node->weight));
    }
    for (int sweep = 0; sweep < SWEEPS && any; ++sweep) {
        any = false;
        for (uint32_t n = 0; n < nodes; ++n)
            any = (node_at(w, n)->touched && press(w, n)) || any;
    }
    joints_look_all(w);
}

/* What the impulses make of each body alone, but of those whose equations hold more than that. */
static void give(const piola_world *w)
{
    const uint32_t nodes = world_joint_system(w)->nodes;
    for (uint32_t n = 0; n < nodes; ++n) {
        struct joint_node *node = node_at(w, n);
        for (int i = 0; i < 6; ++i)
            node->right[i] = node->pull[i] + node->press[i];
    }
    for (uint32_t j = 0; j < w->dim[DIM_joints].used; ++j) {
        const struct joint_now *now = &world_joint_now(w)[j];
        for (uint32_t r = 0; now->acts && r < now->count; ++r)
            for (int side = 0; side < 2; ++side)
                for (int i = 0; i < 6 && now->node[side] != JOINT_NONE; ++i)
                    node_at(w, now->node[side])->right[i] +=
                        now->row[r].impulse * now->row[r].answer[side][i];
    }
    for (uint32_t n = 0; n < nodes; ++n) {
        struct joint_node *node = node_at(w, n);
        double *velocity = world_rigid_now(w)[node->slot].velocity, sum = 0;
        if (!node->moves)
            continue;
        if (!node->bends) {
            memcpy(node->v, node->right, sizeof node->v);
            spatial_back((const double(*)[6])node->own, node->v);
        }
        for (int i = 0; i < 6; ++i)
            sum += node->v[i];
        if (sum - sum == 0)
            memcpy(velocity, node->v, sizeof node->v);
        else
            memcpy(node->v, velocity, sizeof node->v);
    }
}

/* Nothing of it is left to do: bodies went as they did a round before, rows have what they ask. */
static bool settled(const piola_world *w)
{
    const bool looked = world_joint_system(w)->looked != 0;
    bool done = true;
    for (uint32_t n = 0; n < world_joint_system(w)->nodes && done; ++n)
        done = node_at(w, n)->calm && (!node_at(w, n)->touched || looked);
    for (uint32_t i = 0; i < w->dim[DIM_joints].used && done; ++i) {
        const struct joint_now *now = &world_joint_now(w)[i];
        for (uint32_t r = 0; now->acts && r < now->count && done; ++r) {
            const struct joint_row *row = &now->row[r];
            const double off = row->value - row->goal + (row->softness + row->yield) * row->impulse;
            done = (row->state == ROW_LOW || off < CLOSED) &&
                   (row->state == ROW_HIGH || off > -CLOSED);
        }
    }
    return done;
}

/* One round from where the bodies go now; false when there was nothing to do. */
static bool go_round(const struct step *step, bool first, bool changed)
{
    const piola_world *w = step->world;
    const double dt = (double)step->dt;
    bool moved = true;
    lay_rows(step, first);
    if (!changed && settled(w))
        return false;
    for (int i = 0; i < TRIES && moved; ++i) {
        joints_assemble(w, dt);
        joints_factor(w);
        joints_solve(w);
        press_all(w);
        moved = settle_rows(w, dt, i < 2 ? LET_GO : i + 1 < TRIES ? CATCH : KEEP);
    }
    give(w);
    for (uint32_t n = 0; n < world_joint_system(w)->nodes; ++n) {
        struct joint_node *node = node_at(w, n);
        node->calm = 1;
        for (int i = 0; i < 6; ++i)
            node->calm &= fabs(node->v[i] - node->was[i]) < CALM;
    }
    return true;
}

void joints_balance(struct step *step)
{
    const piola_world *w = step->world;
    if (w->dim[DIM_joints].used == 0 || world_joint_system(w)->nodes == 0)
        return;
    const bool fresh = world_joint_system(w)->fresh != 0;
    if (fresh)
        begin(step);
    world_joint_system(w)->fresh = 0;
    bool more = take_equations(step) || fresh;
    bool any = false;
    for (int round = 0; round < (fresh ? ROUNDS_FIRST : 1); ++round) {
        if (!go_round(step, fresh && round == 0, more))
            break;
        any = true;
        more = false;
    }
    world_joint_system(w)->looked = !fresh;
    if (!any)
        return;
    joints_keep_momentum(w);
    joints_guard(w);
}
