/* joint_momentum.c - what hangs together and is held by nothing keeps its angular momentum.
 *
 * Forces that act as arms are when the substep ends have moments about where bodies were when it
 * began that do not sum to zero. What they lack is given back as one turn of the whole about its
 * centre of mass, which opens no joint.
 */
#include "base/symmetric3.h"
#include "families/joints/joints.h"

static struct joint_node *node_at(const piola_world *w, uint32_t node)
{
    return &world_joint_nodes(w)[node];
}

static void find_centres(const piola_world *w)
{
    const uint32_t nodes = world_joint_system(w)->nodes;
    for (uint32_t n = 0; n < nodes; ++n)
        memset(&node_at(w, n)->whole, 0, sizeof node_at(w, n)->whole);
    for (uint32_t n = 0; n < nodes; ++n) {
        const struct joint_node *node = node_at(w, n);
        struct joint_whole *whole = &node_at(w, node->root)->whole;
        whole->held |= !node->moves || world_rigid_tied(w)[node->slot].anchored;
        whole->bends |= node->bends;
        for (int k = 0; k < 3 && node->moves; ++k)
            whole->centre[k] +=
                world_rigids(w)[node->slot].mass * world_rigid_now(w)[node->slot].begin[k];
        whole->mass += node->moves ? world_rigids(w)[node->slot].mass : 0;
    }
    for (uint32_t n = 0; n < nodes; ++n)
        for (int k = 0; k < 3 && node_at(w, n)->whole.mass > 0; ++k)
            node_at(w, n)->whole.centre[k] /= node_at(w, n)->whole.mass;
}

static bool turns(const struct joint_whole *whole)
{
    return whole->bends && !whole->held;
}

/* From the centre of all to a body. */
static void away(const piola_world *w, const struct joint_node *node, double to[3])
{
    for (int k = 0; k < 3; ++k)
        to[k] = world_rigid_now(w)[node->slot].begin[k] - node_at(w, node->root)->whole.centre[k];
}

/* A body's share: its inertia about the centre, and the moment of what joints gave it. */
static void add(const piola_world *w, const struct joint_node *node)
{
    const struct rigid_tied *tied = &world_rigid_tied(w)[node->slot];
    struct joint_whole *whole = &node_at(w, node->root)->whole;
    const double mass = world_rigids(w)[node->slot].mass;
    double to[3], gained[6], moment[3];
    away(w, node, to);
    const double square = dot3(to, to);
    for (int k = 0; k < 6; ++k) {
        const int i = symmetric3_row[k], j = symmetric3_column[k];
        whole->inertia[k] += world_rigid_now(w)[node->slot].inertia[i][j] +
                             mass * ((i == j ? square : 0) - to[i] * to[j]);
    }
    spatial_times((const double(*)[6])tied->mass, node->v, gained);
    for (int i = 0; i < 6; ++i)
        gained[i] -= node->pull[i] + node->press[i];
    cross3(to, gained, moment);
    for (int k = 0; k < 3; ++k)
        whole->gained[k] += moment[k] + gained[3 + k];
}

static void turn(const piola_world *w, struct joint_node *node)
{
    const struct joint_whole *whole = &node_at(w, node->root)->whole;
    double to[3], inverse[6], spin[3], moved[3];
    if (!symmetric3_invert(whole->inertia, inverse))
        return;
    away(w, node, to);
    symmetric3_times(inverse, whole->gained, spin);
    cross3(spin, to, moved);
    for (int k = 0; k < 3; ++k) {
        node->v[k] -= moved[k];
        node->v[3 + k] -= spin[k];
    }
    memcpy(world_rigid_now(w)[node->slot].velocity, node->v, sizeof node->v);
}

void joints_keep_momentum(const piola_world *w)
{
    const uint32_t nodes = world_joint_system(w)->nodes;
    find_centres(w);
    for (uint32_t n = 0; n < nodes; ++n)
        if (turns(&node_at(w, node_at(w, n)->root)->whole))
            add(w, node_at(w, n));
    for (uint32_t n = 0; n < nodes; ++n)
        if (turns(&node_at(w, node_at(w, n)->root)->whole))
            turn(w, node_at(w, n));
}
