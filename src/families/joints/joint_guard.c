/* joint_guard.c - joints give no energy but what drives and springs do.
 *
 * Where the directions of joints nearly depend on each other, as those of a linkage whose bars all
 * lie on one line, or where rounds have not come to an end, impulses without measure would close
 * what is open. With V0 the velocities of bodies without their joints and what stops them, and D
 * what these change, the kinetic energy of all that hangs together may be that of V0, a tenth more,
 * and what drives, springs, moving colliders and the drawing together of frames bring in; of D as
 * large a share is given as keeps to that. Impulses shrink alike on both sides, so momentum stays.
 */
#include "families/joints/joints.h"

#include <float.h>

#define MORE 0.1
/* J a kg: what is drawn together at 1 m/s. */
#define DRAWING 0.5

static struct joint_node *node_at(const piola_world *w, uint32_t node)
{
    return &world_joint_nodes(w)[node];
}

/* The node that leads what a joint is part of. */
static struct joint_node *root_of(const piola_world *w, const struct joint_now *now)
{
    const uint32_t moved = now->node[JOINT_MOVED], base = now->node[JOINT_BASE];
    const bool by_moved = moved != JOINT_NONE && node_at(w, moved)->moves;
    return node_at(w, node_at(w, by_moved || base == JOINT_NONE ? moved : base)->root);
}

/* What colliders that move bring in, and those that let out what is in them. */
static void add_points(const struct rigid_now *now, struct joint_guard *guard)
{
    for (uint32_t i = 0; i < now->points; ++i) {
        const struct rigid_point *p = &now->point[i];
        guard->work += fabs(dot3(p->impulse, p->carried));
        guard->draws = guard->draws || p->least > dot3(p->normal, p->carried);
    }
}

static void weigh_nodes(const piola_world *w)
{
    const uint32_t nodes = world_joint_system(w)->nodes;
    for (uint32_t n = 0; n < nodes; ++n)
        memset(&node_at(w, n)->guard, 0, sizeof node_at(w, n)->guard);
    for (uint32_t n = 0; n < nodes; ++n) {
        struct joint_node *node = node_at(w, n);
        struct joint_guard *guard = &node_at(w, node->root)->guard;
        const double(*mass)[6] = (const double(*)[6])world_rigid_tied(w)[node->slot].mass;
        double change[6], weighed[6];
        if (!node->moves)
            continue;
        memcpy(node->alone, node->pull, sizeof node->alone);
        spatial_back((const double(*)[6])node->own, node->alone);
        for (int i = 0; i < 6; ++i)
            change[i] = node->v[i] - node->alone[i];
        spatial_times(mass, node->alone, weighed);
        guard->alone += 0.5 * spatial_dot(node->alone, weighed);
        guard->cross += spatial_dot(change, weighed);
        spatial_times(mass, change, weighed);
        guard->change += 0.5 * spatial_dot(change, weighed);
        guard->mass += mass[0][0];
        add_points(&world_rigid_now(w)[node->slot], guard);
    }
}

/* What a row brings in. */
static void add_work(const piola_world *w, const struct joint_now *now, const struct joint_row *row)
{
    struct joint_guard *guard = &root_of(w, now)->guard;
    const bool drives = row->softness > 0 || (row->low > -DBL_MAX && row->high < DBL_MAX);
    double rate = 0;
    guard->draws = guard->draws || row->draws;
    for (int side = 0; side < 2 && drives; ++side)
        if (now->node[side] != JOINT_NONE && node_at(w, now->node[side])->moves) {
            const struct joint_node *node = node_at(w, now->node[side]);
            rate += 0.5 * (spatial_dot(row->answer[side], node->v) +
                           spatial_dot(row->answer[side], node->alone));
        }
    guard->work += row->impulse * rate;
}

/* The share of the change that keeps to the bound. */
static double share_of(const struct joint_guard *g)
{
    const double more =
        MORE * g->alone + (g->work > 0 ? g->work : 0) + (g->draws ? DRAWING * g->mass : 0);
    if (!(g->cross + g->change > more && g->change > 0))
        return 1;
    const double share =
        (-g->cross + sqrt(g->cross * g->cross + 4 * g->change * more)) / (2 * g->change);
    return share > 0 && share < 1 ? share : share >= 1 ? 1 : 0;
}

void joints_guard(const piola_world *w)
{
    const uint32_t nodes = world_joint_system(w)->nodes;
    weigh_nodes(w);
    for (uint32_t i = 0; i < w->dim[DIM_joints].used; ++i)
        for (uint32_t r = 0; world_joint_now(w)[i].acts && r < world_joint_now(w)[i].count; ++r)
            add_work(w, &world_joint_now(w)[i], &world_joint_now(w)[i].row[r]);
    for (uint32_t n = 0; n < nodes; ++n)
        if (node_at(w, n)->root == n)
            node_at(w, n)->guard.share = share_of(&node_at(w, n)->guard);
    for (uint32_t n = 0; n < nodes; ++n) {
        struct joint_node *node = node_at(w, n);
        const double share = node_at(w, node->root)->guard.share;
        for (int i = 0; i < 6 && node->moves && share < 1; ++i)
            node->v[i] = node->alone[i] + share * (node->v[i] - node->alone[i]);
        if (node->moves && share < 1)
            memcpy(world_rigid_now(w)[node->slot].velocity, node->v, sizeof node->v);
    }
    for (uint32_t i = 0; i < w->dim[DIM_joints].used; ++i) {
        struct joint_now *now = &world_joint_now(w)[i];
        for (uint32_t r = 0; now->acts && r < now->count; ++r)
            now->row[r].impulse *= root_of(w, now)->guard.share;
    }
}
