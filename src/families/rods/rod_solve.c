/* rod_solve.c - one correction of a body of rods: all points and turns at once, by elimination, in
 * double precision. Afterwards it is looked whether the objective fell; what it was least at is
 * kept, and where the last iteration would leave a body worse off, it goes back there and takes a
 * step that is sure to bring it down.
 */
#include "families/rods/rod_turn.h"
#include "families/rods/rods.h"

#include "base/symmetric3.h"
#include "world/guides.h"

/* rad, by which no turn goes farther in one correction. */
#define TURN_MOST 1.0
/* rad: a turn that is kept has no more digits. */
#define TURN_LEAST 1e-8
/* Of the objective: less is rounding. */
#define ROUNDED 1e-9
/* How often a step that is sure to bring the objective down is cut, by how much. */
#define CUTS 12
#define CUT  0.35
/* Every so often a body is not left where the objective is larger than it was. */
#define LEASH 4u

static bool node_free(const struct rods *r, uint32_t node)
{
    return node >= r->points || r->level.x[node].w > 0;
}

/* The block between two places. */
static struct rod_block *block_at(const struct rods *r, uint32_t place, uint32_t later)
{
    uint32_t at = r->place[place].first;
    while (r->later[at] != later)
        at++;
    return &r->block[at];
}

/* Takes from the blocks behind a node what its elimination takes. */
static void eliminate(const struct rods *r, uint32_t at)
{
    const struct rod_node *from = &r->node[r->place[at].node];
    const uint32_t end = r->place[at + 1].first;
    for (uint32_t e = r->place[at].first; e < end; e++) {
        double half[3][3]; /* by columns of the block: the inverse times each */
        for (unsigned k = 0; k < 3; k++) {
            const double column[3] = {r->block[e].value[0][k], r->block[e].value[1][k],
                                      r->block[e].value[2][k]};
            symmetric3_times(from->give, column, half[k]);
        }
        for (uint32_t f = e; f < end; f++) {
            double less[3][3];
            product3((const double(*)[3])half, (const double(*)[3])r->block[f].value, less);
            if (f == e) {
                double *on = r->node[r->place[r->later[e]].node].on;
                for (unsigned k = 0; k < 3; k++) {
                    on[k] -= less[k][k];
                    on[3 + k] -=
                        (less[(k + 1) % 3][(k + 2) % 3] + less[(k + 2) % 3][(k + 1) % 3]) / 2;
                }
                continue;
            }
            struct rod_block *to = block_at(r, r->later[e], r->later[f]);
            for (unsigned i = 0; i < 3; i++)
                for (unsigned k = 0; k < 3; k++)
                    to->value[i][k] -= less[i][k];
        }
    }
}

static bool factor(const struct rods *r)
{
    const uint32_t nodes = r->points + r->segments;
    for (uint32_t at = 0; at < nodes; at++) {
        struct rod_node *node = &r->node[r->place[at].node];
        if (!node_free(r, r->place[at].node))
            continue;
        if (!symmetric3_invert(node->on, node->give))
            return false;
        eliminate(r, at);
    }
    return true;
}

static void solve(const struct rods *r)
{
    const uint32_t nodes = r->points + r->segments;
    for (uint32_t at = 0; at < nodes; at++) {
        struct rod_node *node = &r->node[r->place[at].node];
        memset(node->way, 0, sizeof node->way);
        if (!node_free(r, r->place[at].node))
            continue;
        symmetric3_times(node->give, node->left, node->way);
        for (uint32_t e = r->place[at].first; e < r->place[at + 1].first; e++) {
            double less[3];
            back3((const double(*)[3])r->block[e].value, node->way, less);
            for (unsigned k = 0; k < 3; k++)
                r->node[r->place[r->later[e]].node].left[k] -= less[k];
        }
    }
    for (uint32_t at = nodes; at-- > 0;) {
        struct rod_node *node = &r->node[r->place[at].node];
        double sum[3] = {0, 0, 0}, less[3];
        if (!node_free(r, r->place[at].node))
            continue;
        for (uint32_t e = r->place[at].first; e < r->place[at + 1].first; e++) {
            times3((const double(*)[3])r->block[e].value, r->node[r->place[r->later[e]].node].way,
                   less);
            for (unsigned k = 0; k < 3; k++)
                sum[k] += less[k];
        }
        symmetric3_times(node->give, sum, less);
        for (unsigned k = 0; k < 3; k++)
            node->way[k] -= less[k];
    }
}

/* The share of the way that may be gone at once; 0 when it is no number. */
static double bound(const struct rods *r)
{
    double most = TURN_MOST * TURN_MOST, all = 0;
    for (uint32_t i = 0; i < r->segments; i++) {
        const double square = dot3(rod_turn(r, i)->way, rod_turn(r, i)->way);
        most = square > most ? square : most;
        all += square;
    }
    for (uint32_t i = 0; i < r->points; i++)
        all += dot3(r->node[i].way, r->node[i].way);
    return all - all == 0 ? TURN_MOST / sqrt(most) : 0;
}

/* Ways of guided points stay where guides lead. */
static void confine(const struct rods *r)
{
    for (uint32_t i = 0; r->level.guides && i < r->points; i++) {
        const double *way = r->node[i].way;
        r->level.move[i] =
            (struct pk_quad){(float)way[0], (float)way[1], (float)way[2], r->level.move[i].w};
    }
    if (!r->level.guides)
        return;
    guides_confine(r->level.step->world, r->level.body, r->level.move);
    for (uint32_t i = 0; i < r->points; i++) {
        r->node[i].way[0] = (double)r->level.move[i].x;
        r->node[i].way[1] = (double)r->level.move[i].y;
        r->node[i].way[2] = (double)r->level.move[i].z;
    }
}

static void go(const struct rods *r, double share)
{
    for (uint32_t i = 0; i < r->points; i++)
        for (unsigned k = 0; k < 3; k++)
            r->node[i].at[k] += share * r->node[i].way[k];
    for (uint32_t i = 0; i < r->segments; i++) {
        struct rod_node *q = rod_turn(r, i);
        const double by[3] = {share * q->way[0], share * q->way[1], share * q->way[2]};
        double turn[4];
        rotation_of(by, turn);
        rotation_join(q->at, turn, q->at);
        rotation_unit(q->at);
    }
}

static void keep_best(const struct rods *r, bool take)
{
    for (uint32_t i = 0; i < r->points + r->segments; i++) {
        struct rod_node *n = &r->node[i];
        memcpy(take ? n->at : n->best, take ? n->best : n->at, sizeof n->at);
    }
}

/* From the best place: downhill, cut until the objective falls. */
static void step_down(const struct rods *r, double least)
{
    keep_best(r, true);
    rods_make(r, false);
    if (!factor(r))
        return;
    solve(r);
    confine(r);
    double share = bound(r);
    for (unsigned cut = 0; cut < CUTS && share > 0; cut++, share *= CUT) {
        rods_pull_on(r, share);
        go(r, share);
        if (rods_objective(r, false) <= least)
            return;
        keep_best(r, true);
    }
    rods_pull_on(r, 0);
}

/* The way leaves all points and turns what they are where they are kept. */
static bool at_rest(const struct rods *r)
{
    for (uint32_t i = 0; i < r->points; i++) {
        const struct rod_node *n = &r->node[i];
        for (unsigned k = 0; k < 3; k++)
            if ((float)n->at[k] != (float)(n->at[k] + n->way[k]))
                return false;
    }
    for (uint32_t i = 0; i < r->segments; i++) {
        const double *way = rod_turn(r, i)->way;
        if (!(dot3(way, way) < TURN_LEAST * TURN_LEAST))
            return false;
    }
    return true;
}

bool rods_alike(const struct rods *r)
{
    bool alike = true;
    rods_find_pulls(r);
    for (uint32_t i = 0; i < r->points && alike; i++) {
        const struct pk_quad *x = &r->level.x[i];
        const double *at = r->node[i].at;
        struct rod_load load;
        rods_load_of(r, i, &load);
        alike = (float)at[0] == x->x && (float)at[1] == x->y && (float)at[2] == x->z &&
                same_bytes(&load, &r->load[i], sizeof load);
    }
    return alike;
}

/* Who was moved by others since begins where he was put. */
static void see_points(const struct rods *r)
{
    for (uint32_t i = 0; i < r->points; i++) {
        const struct pk_quad *x = &r->level.x[i];
        double *at = r->node[i].at;
        at[0] = (float)at[0] == x->x ? at[0] : (double)x->x;
        at[1] = (float)at[1] == x->y ? at[1] : (double)x->y;
        at[2] = (float)at[2] == x->z ? at[2] : (double)x->z;
    }
}

/* Where it would be left if nothing better is found: where the substep began, with pins where they
 * are now. */
static void begin_best(const struct rods *r)
{
    for (uint32_t i = 0; i < r->points + r->segments; i++) {
        struct rod_node *n = &r->node[i];
        memcpy(n->best, node_free(r, i) ? n->start : n->at, sizeof n->best);
    }
}

static void place_points(const struct rods *r)
{
    for (uint32_t i = 0; i < r->points; i++) {
        struct pk_quad *x = &r->level.x[i];
        const double *at = r->node[i].at;
        if (!(x->w > 0))
            continue;
        x->x = (float)at[0];
        x->y = (float)at[1];
        x->z = (float)at[2];
    }
}

bool rods_solve(const struct rods *r, uint32_t iteration, uint32_t iterations)
{
    see_points(r);
    if (iteration == 0)
        begin_best(r);
    rods_make(r, true);
    if (!factor(r)) {
        rods_make(r, false);
        if (!factor(r))
            return false;
    }
    solve(r);
    const double least = rods_objective(r, true);
    confine(r);
    const double share = bound(r);
    const bool settled = at_rest(r);
    if (share > 0) {
        rods_pull_on(r, share);
        go(r, share);
    }
    const bool better = rods_objective(r, false) <= least + ROUNDED * fabs(least);
    if (better && share > 0)
        keep_best(r, false);
    else if (!(share > 0) || iteration + 1 == iterations || iteration % LEASH == LEASH - 1)
        step_down(r, least);
    place_points(r);
    return settled && better;
}
