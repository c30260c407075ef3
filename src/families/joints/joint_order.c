/* joint_order.c - in which order the bodies that joints hold are eliminated.
 *
 * Bodies are nodes, and joints between two of them edges. Whatever hangs on by one edge goes first,
 * from all ends inwards, which adds no edge; so trees are done exactly in time that grows with
 * their size. What is left are loops: there the node with the fewest neighbours goes next, and its
 * neighbours become each other's. Where that needs more edges than there is room for, joints that
 * close loops are left out of the factor, and iterations close them.
 */
#include "families/joints/joints.h"

static struct joint_node *node_at(const piola_world *w, uint32_t node)
{
    return &world_joint_nodes(w)[node];
}

/* The edge between two nodes, or JOINT_NONE. */
static uint32_t edge_between(const piola_world *w, uint32_t a, uint32_t b)
{
    for (uint32_t h = node_at(w, a)->half; h != JOINT_NONE; h = joint_half_next(w, h))
        if (joint_half_to(w, h) == b)
            return h / 2;
    return JOINT_NONE;
}

/* The same, made if there is room. */
static uint32_t edge_made(const piola_world *w, uint32_t a, uint32_t b)
{
    struct joint_system *system = world_joint_system(w);
    const uint32_t found = edge_between(w, a, b);
    if (found != JOINT_NONE || system->edges >= w->dim[DIM_joint_edges].capacity)
        return found;
    struct joint_edge *edge = &world_joint_edges(w)[system->edges];
    edge->node[0] = a;
    edge->node[1] = b;
    edge->next[0] = node_at(w, a)->half;
    edge->next[1] = node_at(w, b)->half;
    node_at(w, a)->half = 2 * system->edges;
    node_at(w, b)->half = 2 * system->edges + 1;
    ++node_at(w, a)->degree;
    ++node_at(w, b)->degree;
    return system->edges++;
}

static bool joins_two(const piola_world *w, uint32_t slot)
{
    const struct joint *j = &world_joints(w)[slot];
    return j->alive && j->to == JOINT_RIGID && joint_whole(w, j);
}

static void add_node(const piola_world *w, uint32_t slot)
{
    struct joint_system *system = world_joint_system(w);
    uint32_t *at = &world_joint_node_of(w)[slot];
    if (*at != JOINT_NONE)
        return;
    *at = system->nodes++;
    node_at(w, *at)->slot = slot;
}

static void find_nodes(const piola_world *w)
{
    struct joint_system *system = world_joint_system(w);
    system->nodes = 0;
    for (uint64_t i = 0; i < w->dim[DIM_joint_nodes].capacity; ++i)
        world_joint_node_of(w)[i] = JOINT_NONE;
    for (uint32_t i = 0; i < w->dim[DIM_joints].used; ++i) {
        const struct joint *j = &world_joints(w)[i];
        world_joint_now(w)[i].edge = JOINT_NONE;
        if (!j->alive || !joint_whole(w, j))
            continue;
        if (j->to == JOINT_RIGID)
            add_node(w, j->slot[JOINT_BASE] - 1);
        add_node(w, j->slot[JOINT_MOVED] - 1);
    }
}

static uint32_t leader_of(const piola_world *w, uint32_t node)
{
    while (node_at(w, node)->leader != node)
        node = node_at(w, node)->leader = node_at(w, node_at(w, node)->leader)->leader;
    return node;
}

/* Edges of all joints, or of those alone that close no loop. */
static void find_edges(const piola_world *w, bool loops)
{
    struct joint_system *system = world_joint_system(w);
    system->edges = 0;
    for (uint32_t n = 0; n < system->nodes; ++n) {
        struct joint_node *node = node_at(w, n);
        node->half = node->rank = node->parent = JOINT_NONE;
        node->degree = 0;
        node->leader = n;
    }
    for (uint32_t i = 0; i < w->dim[DIM_joints].used; ++i) {
        struct joint_now *now = &world_joint_now(w)[i];
        now->edge = JOINT_NONE;
        if (!joins_two(w, i))
            continue;
        const uint32_t a = world_joint_node_of(w)[world_joints(w)[i].slot[JOINT_BASE] - 1];
        const uint32_t b = world_joint_node_of(w)[world_joints(w)[i].slot[JOINT_MOVED] - 1];
        const uint32_t p = leader_of(w, a), q = leader_of(w, b);
        if (loops || p != q || edge_between(w, a, b) != JOINT_NONE)
            now->edge = edge_made(w, a, b);
        node_at(w, p > q ? p : q)->leader = p > q ? q : p;
    }
}

/* All neighbours that are left become each other's; false when there is no room. */
static bool couple_neighbours(const piola_world *w, uint32_t node)
{
    bool room = true;
    for (uint32_t h = node_at(w, node)->half; h != JOINT_NONE; h = joint_half_next(w, h)) {
        const uint32_t a = joint_half_to(w, h);
        if (node_at(w, a)->rank != JOINT_NONE)
            continue;
        for (uint32_t g = joint_half_next(w, h); g != JOINT_NONE; g = joint_half_next(w, g)) {
            const uint32_t b = joint_half_to(w, g);
            if (node_at(w, b)->rank == JOINT_NONE)
                room = edge_made(w, a, b) != JOINT_NONE && room;
        }
    }
    return room;
}

static bool eliminate(const piola_world *w, uint32_t node, uint32_t rank)
{
    const bool room = couple_neighbours(w, node);
    node_at(w, node)->rank = rank;
    world_joint_turns(w)[rank] = node;
    for (uint32_t h = node_at(w, node)->half; h != JOINT_NONE; h = joint_half_next(w, h))
        --node_at(w, joint_half_to(w, h))->degree;
    return room;
}

/* From all ends inwards, so that ways to the middle are short. */
static uint32_t eliminate_trees(const piola_world *w)
{
    uint32_t rank = 0, *queue = world_joint_path(w), last = 0;
    const uint32_t nodes = world_joint_system(w)->nodes;
    for (uint32_t n = 0; n < nodes; ++n)
        if (node_at(w, n)->degree <= 1)
            queue[last++] = n;
    for (uint32_t first = 0; first < last; ++first) {
        const uint32_t n = queue[first];
        if (node_at(w, n)->rank != JOINT_NONE)
            continue;
        (void)eliminate(w, n, rank++);
        for (uint32_t h = node_at(w, n)->half; h != JOINT_NONE; h = joint_half_next(w, h)) {
            const uint32_t to = joint_half_to(w, h);
            if (node_at(w, to)->rank == JOINT_NONE && node_at(w, to)->degree == 1)
                queue[last++] = to;
        }
    }
    return rank;
}

static bool eliminate_loops(const piola_world *w, uint32_t rank)
{
    const uint32_t nodes = world_joint_system(w)->nodes;
    uint32_t *left = world_joint_path(w), count = 0;
    bool room = true;
    for (uint32_t n = 0; n < nodes; ++n)
        if (node_at(w, n)->rank == JOINT_NONE)
            left[count++] = n;
    while (room && count > 0) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < count; ++i)
            best = node_at(w, left[i])->degree < node_at(w, left[best])->degree ? i : best;
        room = eliminate(w, left[best], rank++);
        for (--count; best < count; ++best)
            left[best] = left[best + 1];
    }
    return room;
}

static void find_parents(const piola_world *w)
{
    for (uint32_t n = 0; n < world_joint_system(w)->nodes; ++n) {
        struct joint_node *node = node_at(w, n);
        for (uint32_t h = node->half; h != JOINT_NONE; h = joint_half_next(w, h)) {
            const uint32_t to = joint_half_to(w, h), rank = node_at(w, to)->rank;
            if (rank > node->rank &&
                (node->parent == JOINT_NONE || rank < node_at(w, node->parent)->rank))
                node->parent = to;
        }
    }
}

static void find_roots(const piola_world *w)
{
    for (uint32_t rank = world_joint_system(w)->nodes; rank-- > 0;) {
        const uint32_t n = world_joint_turns(w)[rank], parent = node_at(w, n)->parent;
        node_at(w, n)->root = parent == JOINT_NONE ? n : node_at(w, parent)->root;
    }
}

void joints_order(const piola_world *w)
{
    struct joint_system *system = world_joint_system(w);
    find_nodes(w);
    find_edges(w, true);
    system->loose = !eliminate_loops(w, eliminate_trees(w));
    if (system->loose) {
        find_edges(w, false);
        (void)eliminate_loops(w, eliminate_trees(w));
    }
    find_parents(w);
    find_roots(w);
}
