/* joint_system.c - the equations of all bodies that joints hold, in blocks of 6 x 6.
 *
 * A row of softness s and answer J to velocities V adds J^T (dt / s) J to the bodies' own
 * equations, so a lock is a stiff spring; what its impulse was before is added back (the method of
 * multipliers), so it need not be infinitely stiff and may be asked for twice, as in closed loops.
 * The whole is L D L^T in the order of joint_order.c: D in `diagonal`, L in the edges.
 */
#include "families/joints/joints.h"

static struct joint_node *node_at(const piola_world *w, uint32_t node)
{
    return &world_joint_nodes(w)[node];
}

/* The neighbours that are eliminated later, by half edges. */
static uint32_t later_from(const piola_world *w, const struct joint_node *node, uint32_t half)
{
    while (half != JOINT_NONE && node_at(w, joint_half_to(w, half))->rank < node->rank)
        half = joint_half_next(w, half);
    return half;
}
#define EACH_LATER(w, of, h)                                                                       \
    for (uint32_t h = later_from(w, of, (of)->half); (h) != JOINT_NONE;                            \
         (h) = later_from(w, of, joint_half_next(w, h)))

static struct joint_edge *edge_of(const piola_world *w, uint32_t half)
{
    return &world_joint_edges(w)[half / 2];
}

/* out += factor a b^T */
static void add_outer(double factor, const double a[6], const double b[6], double out[6][6])
{
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
            out[i][j] += factor * a[i] * b[j];
}

static void begin_rights(const piola_world *w)
{
    for (uint32_t n = 0; n < world_joint_system(w)->nodes; ++n) {
        struct joint_node *node = node_at(w, n);
        for (int i = 0; i < 6; ++i)
            node->right[i] = node->moves ? node->pull[i] + node->press[i] : 0;
    }
}

static void begin_nodes(const piola_world *w)
{
    for (uint32_t n = 0; n < world_joint_system(w)->nodes; ++n) {
        struct joint_node *node = node_at(w, n);
        memset(node->diagonal, 0, sizeof node->diagonal);
        node->bends = node->weighed = 0;
        for (int i = 0; i < 6; ++i) {
            node->diagonal[i][i] = 1;
            if (node->moves)
                memcpy(node->diagonal[i], node->mass[i], sizeof node->mass[i]);
        }
    }
    for (uint32_t e = 0; e < world_joint_system(w)->edges; ++e)
        memset(world_joint_edges(w)[e].block, 0, sizeof world_joint_edges(w)[e].block);
}

/* m / (N s): its softness as a spring. */
static double soft_of(const struct joint_row *row)
{
    return row->softness + row->yield + (row->yield > 0 ? 0 : row->follow);
}

/* What a row pulls its bodies with. */
static void pull_row(const piola_world *w, const struct joint_now *now, const struct joint_row *row,
                     double dt, bool loose)
{
    const double follow = row->yield > 0 ? 0 : row->follow, soft = soft_of(row), stiff = dt / soft;
    const double pull = (follow * row->before - (row->value - row->goal) + dt * row->slip) / soft;
    for (int side = 0; side < 2; ++side) {
        if (now->node[side] == JOINT_NONE || !node_at(w, now->node[side])->moves)
            continue;
        const double *answer = row->answer[side];
        double impulse = row->state == ROW_ACTS ? pull : row->impulse;
        struct joint_node *node = node_at(w, now->node[side]);
        if (row->state == ROW_ACTS && loose)
            impulse += 2 * stiff * spatial_dot(answer, node->was) - stiff * row->slip;
        for (int i = 0; i < 6; ++i)
            node->right[i] += impulse * answer[i];
    }
}

/* What a row that acts adds to the equations. */
static void add_row(const piola_world *w, const struct joint_now *now, const struct joint_row *row,
                    bool loose)
{
    struct joint_node *node[2] = {NULL, NULL};
    for (int side = 0; side < 2; ++side) {
        if (now->node[side] == JOINT_NONE || !node_at(w, now->node[side])->moves)
            continue;
        node[side] = node_at(w, now->node[side]);
        add_outer(loose ? 2 * row->stiff : row->stiff, row->answer[side], row->answer[side],
                  node[side]->diagonal);
    }
    if (loose || !node[0] || !node[1] || now->edge == JOINT_NONE)
        return;
    const int late = node[1]->rank > node[0]->rank;
    add_outer(row->stiff, row->answer[late], row->answer[1 - late],
              world_joint_edges(w)[now->edge].block);
}

/* An arm r that an impulse f pulls at from its end turns back as far as r.f says, but for turns
 * about itself. What pushes is left out: it would take from what must stay positive. */
static void add_tension(const piola_world *w, const struct joint_now *now, double dt)
{
    for (int side = 0; side < 2; ++side) {
        const double *arm = now->reach[side], square = dot3(arm, arm);
        double pull = 0;
        if (now->node[side] == JOINT_NONE || !node_at(w, now->node[side])->moves)
            continue;
        struct joint_node *node = node_at(w, now->node[side]);
        for (uint32_t r = 0; r < now->count; ++r)
            if (now->row[r].axis < 3)
                pull += now->row[r].before * dot3(now->row[r].answer[side], arm);
        if (!(pull > 0 && square > 0))
            continue;
        node->bends = 1;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                const double back = dt * pull * ((i == j ? 1 : 0) - arm[i] * arm[j] / square);
                node->diagonal[3 + i][3 + j] += back;
                node->right[3 + i] += back * node->was[3 + j];
            }
    }
}

/* True when all rows act as the equations have them. */
static bool acts_alike(const piola_world *w, double dt)
{
    bool alike = world_joint_system(w)->factored != 0;
    for (uint32_t i = 0; i < w->dim[DIM_joints].used; ++i) {
        struct joint_now *now = &world_joint_now(w)[i];
        alike = alike && !(now->acts && now->swings);
        for (uint32_t r = 0; now->acts && r < now->count; ++r) {
            struct joint_row *row = &now->row[r];
            const double stiff = row->state == ROW_ACTS ? dt / soft_of(row) : 0;
            alike = alike && stiff == row->stiff;
            row->stiff = stiff;
        }
    }
    return alike;
}

void joints_assemble(const piola_world *w, double dt)
{
    const bool alike = acts_alike(w, dt);
    begin_rights(w);
    if (!alike)
        begin_nodes(w);
    world_joint_system(w)->factored = alike;
    for (uint32_t i = 0; i < w->dim[DIM_joints].used; ++i) {
        const struct joint_now *now = &world_joint_now(w)[i];
        const bool loose = joint_loose(now);
        for (uint32_t r = 0; now->acts && r < now->count; ++r) {
            pull_row(w, now, &now->row[r], dt, loose);
            if (!alike && now->row[r].stiff > 0)
                add_row(w, now, &now->row[r], loose);
        }
        if (now->acts && now->swings)
            add_tension(w, now, dt);
    }
}

/* out -= a b^T, or its transpose. */
static void take_product(const double a[6][6], const double b[6][6], bool turned, double out[6][6])
{
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
            const double sum = spatial_dot(a[i], b[j]);
            if (turned)
                out[j][i] -= sum;
            else
                out[i][j] -= sum;
        }
}

/* What a node that is eliminated leaves to the later ones. */
static void hand_on(const piola_world *w, const struct joint_node *node)
{
    EACH_LATER(w, node, h)
    {
        struct joint_edge *edge = edge_of(w, h);
        struct joint_node *to = node_at(w, joint_half_to(w, h));
        double share[6][6];
        memcpy(share, edge->block, sizeof share);
        for (int i = 0; i < 6; ++i)
            spatial_back((const double(*)[6])node->diagonal, share[i]);
        take_product((const double(*)[6])share, (const double(*)[6])edge->block, false,
                     to->diagonal);
        for (uint32_t g = later_from(w, node, joint_half_next(w, h)); g != JOINT_NONE;
             g = later_from(w, node, joint_half_next(w, g))) {
            const uint32_t other = joint_half_to(w, g);
            for (uint32_t k = to->half; k != JOINT_NONE; k = joint_half_next(w, k))
                if (joint_half_to(w, k) == other)
                    take_product((const double(*)[6])share,
                                 (const double(*)[6])edge_of(w, g)->block,
                                 node_at(w, other)->rank > to->rank, edge_of(w, k)->block);
        }
        memcpy(edge->block, share, sizeof share);
    }
}

void joints_factor(const piola_world *w)
{
    struct joint_system *system = world_joint_system(w);
    if (system->factored)
        return;
    system->factored = 1;
    system->inverted = 0;
    for (uint32_t rank = 0; rank < world_joint_system(w)->nodes; ++rank) {
        struct joint_node *node = node_at(w, world_joint_turns(w)[rank]);
        if (!spatial_factor(node->diagonal)) {
            /* It stays where it is, and nobody hears of it. */
            memset(node->diagonal, 0, sizeof node->diagonal);
            for (int i = 0; i < 6; ++i)
                node->diagonal[i][i] = 1e300;
        }
        hand_on(w, node);
    }
}

/* v of a node whose later ones are known. */
static void back(const piola_world *w, struct joint_node *node)
{
    memcpy(node->v, node->right, sizeof node->v);
    spatial_back((const double(*)[6])node->diagonal, node->v);
    EACH_LATER(w, node, h)
    {
        const double(*share)[6] = (const double(*)[6])edge_of(w, h)->block;
        const double *later = node_at(w, joint_half_to(w, h))->v;
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j)
                node->v[j] -= share[i][j] * later[i];
    }
}

void joints_look_all(const piola_world *w)
{
    for (uint32_t rank = world_joint_system(w)->nodes; rank-- > 0;)
        back(w, node_at(w, world_joint_turns(w)[rank]));
}

void joints_solve(const piola_world *w)
{
    const uint32_t nodes = world_joint_system(w)->nodes;
    for (uint32_t rank = 0; rank < nodes; ++rank) {
        const struct joint_node *node = node_at(w, world_joint_turns(w)[rank]);
        EACH_LATER(w, node, h)
        {
            struct joint_node *to = node_at(w, joint_half_to(w, h));
            for (int i = 0; i < 6; ++i)
                to->right[i] -= spatial_dot(edge_of(w, h)->block[i], node->right);
        }
    }
    joints_look_all(w);
}

void joints_look(const piola_world *w, uint32_t node)
{
    uint32_t *path = world_joint_path(w), count = 0;
    for (uint32_t n = node; n != JOINT_NONE; n = node_at(w, n)->parent)
        path[count++] = n;
    while (count > 0)
        back(w, node_at(w, path[--count]));
}

void joints_change(const piola_world *w, uint32_t node, const double change[6])
{
    for (uint32_t n = node; n != JOINT_NONE; n = node_at(w, n)->parent)
        memset(node_at(w, n)->change, 0, sizeof node_at(w, n)->change);
    memcpy(node_at(w, node)->change, change, 6 * sizeof *change);
    for (uint32_t n = node; n != JOINT_NONE; n = node_at(w, n)->parent) {
        struct joint_node *at = node_at(w, n);
        for (int i = 0; i < 6; ++i)
            at->right[i] += at->change[i];
        EACH_LATER(w, at, h)
        {
            struct joint_node *to = node_at(w, joint_half_to(w, h));
            for (int i = 0; i < 6; ++i)
                to->change[i] -= spatial_dot(edge_of(w, h)->block[i], at->change);
        }
    }
}

/* The inverse's block of two nodes that are both later than a third and coupled to it. */
static void inverse_of(const piola_world *w, uint32_t row, uint32_t column, double out[6][6])
{
    const struct joint_node *a = node_at(w, row);
    memcpy(out, a->inverse, sizeof a->inverse);
    for (uint32_t h = row == column ? JOINT_NONE : a->half; h != JOINT_NONE;
         h = joint_half_next(w, h)) {
        const struct joint_edge *edge = edge_of(w, h);
        if (joint_half_to(w, h) != column)
            continue;
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j)
                out[i][j] =
                    a->rank > node_at(w, column)->rank ? edge->inverse[i][j] : edge->inverse[j][i];
    }
}

/* out -= a b, or with a's transpose. */
static void take_times(const double a[6][6], const double b[6][6], bool turned, double out[6][6])
{
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
            for (int k = 0; k < 6; ++k)
                out[i][j] -= (turned ? a[k][i] : a[i][k]) * b[k][j];
}

void joints_invert(const piola_world *w)
{
    if (world_joint_system(w)->inverted)
        return;
    world_joint_system(w)->inverted = 1;
    for (uint32_t rank = world_joint_system(w)->nodes; rank-- > 0;) {
        struct joint_node *node = node_at(w, world_joint_turns(w)[rank]);
        EACH_LATER(w, node, h)
        {
            memset(edge_of(w, h)->inverse, 0, sizeof edge_of(w, h)->inverse);
            EACH_LATER(w, node, g)
            {
                double both[6][6];
                inverse_of(w, joint_half_to(w, h), joint_half_to(w, g), both);
                take_times((const double(*)[6])both, (const double(*)[6])edge_of(w, g)->block,
                           false, edge_of(w, h)->inverse);
            }
        }
        memset(node->inverse, 0, sizeof node->inverse);
        for (int i = 0; i < 6; ++i) {
            node->inverse[i][i] = 1;
            spatial_back((const double(*)[6])node->diagonal, node->inverse[i]);
        }
        EACH_LATER(w, node, h)
        take_times((const double(*)[6])edge_of(w, h)->block,
                   (const double(*)[6])edge_of(w, h)->inverse, true, node->inverse);
    }
}
