/* link_system.c - the equations of a rope's or a tree's links, and their solution: see
 * link_level.c.
 */
#include "families/limits/link_system.h"

#include "base/symmetric3.h"
#include "motion/external.h"
#include "motion/solve.h"
#include "world/guides.h"

#include <math.h>
#include <string.h>

/* How much stiffer than inertia holds its ends a link is, which gives nothing else. */
#define STIFFER 1e8
/* Of its length: what a link is off that is mended at once; s: the rest fades in this time. */
#define SLIGHT 1e-3
#define PACE   2

struct links link_system_of(const struct step *step, const struct body *body)
{
    const piola_world *w = step->world;
    const piola_asset *asset = body_asset(w, body);
    const uint32_t index = (uint32_t)(body - world_bodies(w));
    struct links l = {
        .level = {.step = step,
                  .body = body,
                  .asset = asset,
                  .x = world_position(w) + body->first,
                  .move = world_coarse_step(w) + body->first,
                  .solve = solve_parameters(step, body),
                  .external = external_of(w, body),
                  .guides = guides_ways(w, body)},
        .point = (struct link_point *)(void *)world_coarse(w)[body->first].value,
        .node = asset_link_nodes(asset),
        .edge = asset_link_edges(asset),
        .pack = asset_link_packs(asset),
        .now = world_link_now(w) + world_link_first(w)[index],
        .multiplier = world_link_multipliers(w)[world_link_first(w)[index]].value,
        .count = asset->stats.vertices,
    };
    l.level.pulls = (float *)(void *)(l.point + body->count);
    return l;
}

/* ---- the system ---- */

static void add_outer(double to[6], double along, double across, const double n[3])
{
    const double k = along - across;
    to[0] += across + k * n[0] * n[0];
    to[1] += across + k * n[1] * n[1];
    to[2] += across + k * n[2] * n[2];
    to[3] += k * n[1] * n[2];
    to[4] += k * n[0] * n[2];
    to[5] += k * n[0] * n[1];
}

/* The link's spring and dashpot in this substep, as limits.ispc has them. */
struct stretch_range {
    double least, most, compliance;
};

/* The bounds in this substep: a dashpot moves them, and what began beyond them comes back at a
 * bounded pace, for to be thrown back would be energy from nothing. */
static struct stretch_range range_of(const struct links *l, uint32_t lane)
{
    const struct pk_link_pack *pack = &l->pack[lane / PK_LANES];
    const uint32_t i = lane % PK_LANES;
    const bool damped = l->level.asset->at.link_damping.count > 0;
    struct stretch_range r = {(double)pack->least[i], (double)pack->most[i],
                              (double)pack->compliance[i]};
    const struct pk_quad *start = world_start(l->level.step->world) + l->level.body->first;
    const struct pk_quad *a = &start[pack->index[0][i]], *b = &start[pack->index[1][i]];
    const double d[3] = {(double)a->x - (double)b->x, (double)a->y - (double)b->y,
                         (double)a->z - (double)b->z};
    const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const double dt = (double)l->level.step->dt;
    const double rate = damped ? (double)asset_link_damping(l->level.asset)[lane] / dt : 0;
    const double over = length > r.most ? length - r.most : length < r.least ? length - r.least : 0;
    const bool one = r.least == r.most;
    const double free = SLIGHT * length, beyond = fabs(over) > free ? fabs(over) - free : 0;
    const double late = r.compliance > 0 || dt > PACE ? 0 : beyond * (1 - dt / PACE);
    r.compliance /= 1 + rate * r.compliance;
    const double shift = rate * r.compliance * over + (over < 0 ? -late : late);
    r.least += one || shift < 0 ? shift : 0;
    r.most += one || shift > 0 ? shift : 0;
    return r;
}

/* m: from the later end of a link to the earlier one; and how far that is. */
double link_way(const struct links *l, uint32_t from, uint32_t to, double d[3])
{
    const struct pk_quad *a = &l->level.x[from], *b = &l->level.x[to];
    d[0] = (double)a->x - (double)b->x;
    d[1] = (double)a->y - (double)b->y;
    d[2] = (double)a->z - (double)b->z;
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* How a link answers in this round, when it may push or only pull: `now` of its lane. */
static void see_link(const struct links *l, uint32_t from, const struct link_edge *edge, bool taut)
{
    struct link_now *now = &l->now[edge->lane / PK_LANES];
    const uint32_t i = edge->lane % PK_LANES;
    const struct stretch_range r = range_of(l, edge->lane);
    double d[3];
    const double length = link_way(l, from, edge->to, d);
    const double inertia = (double)l->level.solve.inertia;
    const float *mass = asset_mass(l->level.asset);
    const double held = -(double)l->multiplier[edge->lane] * inertia; /* N, when it pulls */
    const double long_enough = length > 1e-9 ? length : 1e-9;
    const double own = STIFFER * inertia * ((double)mass[from] + (double)mass[edge->to]);
    const double stiff = 1 / (r.compliance + 1 / own), keep = stiff / own;
    const double over = length - r.most, under = length - r.least;
    const bool rod = r.least == r.most && !taut;
    const bool pulls = rod || held > 0 || (held == 0 && over > 0);
    const bool acts = length > 0 && (pulls || (!taut && (held != 0 || under < 0)));
    for (unsigned k = 0; k < 3; k++)
        now->normal[k][i] = acts ? (float)(d[k] / length) : 0;
    now->along[i] = acts ? (float)stiff : 0;
    now->across[i] = acts && held > 0 ? (float)(held / long_enough) : 0;
    now->tension[i] = acts ? (float)(keep * held + stiff * (pulls ? over : under)) : 0;
    now->pulls[i] = pulls;
}

void link_normal(const struct links *l, uint32_t lane, double n[3])
{
    for (unsigned k = 0; k < 3; k++)
        n[k] = (double)l->now[lane / PK_LANES].normal[k][lane % PK_LANES];
}

static void block_of(const struct links *l, uint32_t lane, double k[6])
{
    const struct link_now *now = &l->now[lane / PK_LANES];
    const uint32_t i = lane % PK_LANES;
    double n[3];
    link_normal(l, lane, n);
    memset(k, 0, 6 * sizeof *k);
    add_outer(k, (double)now->along[i], (double)now->across[i], n);
}

/* Inertia and all that acts on a particle but its links. */
static void begin_point(const struct links *l, uint32_t particle)
{
    struct link_point *p = &l->point[particle];
    const struct pk_quad *x = &l->level.x[particle], *pull = &l->level.move[particle];
    const double inertia =
        (double)l->level.solve.inertia * (double)asset_mass(l->level.asset)[particle];
    const double at[3] = {(double)x->x, (double)x->y, (double)x->z};
    const double other[3] = {(double)pull->x, (double)pull->y, (double)pull->z};
    (void)coarse_held(&l->level, particle, p->on);
    for (unsigned k = 0; k < 3; k++) {
        p->on[k] += inertia;
        p->left[k] = -inertia * (at[k] - (double)p->y[k]) - other[k];
        p->step[k] = 0;
    }
}

/* N, of what is laid down for each particle: into `move`. */
void link_system_pulls(const struct links *l)
{
    const struct body *body = l->level.body;
    for (uint32_t i = 0; i < body->count; i++) {
        float pull[3] = {0, 0, 0};
        if (i < l->count)
            external_pull(l->level.step->world, body, i, pull);
        l->level.move[i] = (struct pk_quad){pull[0], pull[1], pull[2], 0};
    }
}

/* What holds a particle that rests on something: its inertia and its links' tensions. */
static void find_holds(const struct links *l, bool taut)
{
    for (uint32_t i = 0; i < l->count; i++)
        l->level.pulls[i] = 0;
    for (uint32_t at = 0; at < l->count; at++)
        for (uint32_t e = l->node[at].first; e < l->node[at + 1].first; e++) {
            const uint32_t from = l->node[at].particle, to = l->edge[e].to, lane = l->edge[e].lane;
            see_link(l, from, &l->edge[e], taut);
            const float across = 2 * l->now[lane / PK_LANES].across[lane % PK_LANES];
            l->level.pulls[from] += across;
            l->level.pulls[to] += across;
        }
}

void link_system_make(const struct links *l, bool taut)
{
    find_holds(l, taut);
    link_system_pulls(l);
    coarse_add_presses(&l->level);
    for (uint32_t i = 0; i < l->count; i++)
        begin_point(l, i);
    for (uint32_t at = 0; at < l->count; at++)
        for (uint32_t e = l->node[at].first; e < l->node[at + 1].first; e++) {
            const uint32_t from = l->node[at].particle, to = l->edge[e].to, lane = l->edge[e].lane;
            double k[6], n[3];
            block_of(l, lane, k);
            link_normal(l, lane, n);
            const double t = (double)l->now[lane / PK_LANES].tension[lane % PK_LANES];
            for (unsigned c = 0; c < 6; c++) {
                l->point[from].on[c] += k[c];
                l->point[to].on[c] += k[c];
            }
            for (unsigned c = 0; c < 3; c++) {
                l->point[from].left[c] -= t * n[c];
                l->point[to].left[c] += t * n[c];
            }
        }
}

/* ---- its solution ---- */

/* k g k, of symmetric blocks. */
static void congruence(const double k[6], const double g[6], double out[6])
{
    double half[3][3], whole[3][3];
    for (unsigned i = 0; i < 3; i++) {
        const double unit[3] = {i == 0, i == 1, i == 2};
        double v[3];
        symmetric3_times(k, unit, v);
        symmetric3_times(g, v, half[i]);
        symmetric3_times(k, half[i], whole[i]);
    }
    for (unsigned c = 0; c < 6; c++)
        out[c] = whole[symmetric3_column[c]][symmetric3_row[c]];
}

/* Blocks of the diagonal less what is eliminated before them. */
void link_system_factor(const struct links *l)
{
    for (uint32_t at = 0; at < l->count; at++) {
        const uint32_t from = l->node[at].particle;
        struct link_point *p = &l->point[from];
        (void)symmetric3_invert(p->on, p->give);
        for (uint32_t e = l->node[at].first; e < l->node[at + 1].first && link_free(l, from); e++) {
            double k[6], less[6];
            if (!link_free(l, l->edge[e].to))
                continue;
            block_of(l, l->edge[e].lane, k);
            congruence(k, p->give, less);
            for (unsigned c = 0; c < 6; c++)
                l->point[l->edge[e].to].on[c] -= less[c];
        }
    }
}

/* From the ends inwards: what is not balanced goes to later places, and is left in `way`. */
static void gather(const struct links *l)
{
    for (uint32_t at = 0; at < l->count; at++) {
        const uint32_t from = l->node[at].particle;
        struct link_point *p = &l->point[from];
        for (unsigned c = 0; c < 3; c++)
            p->way[c] = link_free(l, from) ? p->left[c] : 0;
        symmetric3_times(p->give, p->way, p->left);
        for (uint32_t e = l->node[at].first; e < l->node[at + 1].first; e++) {
            double k[6], v[3];
            block_of(l, l->edge[e].lane, k);
            symmetric3_times(k, p->left, v);
            for (unsigned c = 0; c < 3; c++)
                l->point[l->edge[e].to].left[c] += link_free(l, from) ? v[c] : 0;
        }
    }
}

void link_system_solve(const struct links *l)
{
    gather(l);
    for (uint32_t at = l->count; at-- > 0;) {
        const uint32_t from = l->node[at].particle;
        struct link_point *p = &l->point[from];
        double sum[3] = {0, 0, 0}, v[3];
        for (uint32_t e = l->node[at].first; e < l->node[at + 1].first; e++) {
            double k[6];
            block_of(l, l->edge[e].lane, k);
            symmetric3_times(k, l->point[l->edge[e].to].step, v);
            for (unsigned c = 0; c < 3; c++)
                sum[c] += v[c];
        }
        symmetric3_times(p->give, sum, v);
        for (unsigned c = 0; c < 3; c++)
            p->step[c] = link_free(l, from) ? p->left[c] + v[c] : 0;
    }
}

/* What a link's later end holds the earlier one with, which has told the later one of itself. */
static void reduce_link(const struct links *l, uint32_t from, const struct link_edge *edge)
{
    struct link_point *p = &l->point[from];
    const struct link_point *to = &l->point[edge->to];
    double k[6], told[6], own[6], give[6], less[6], v[3], pull[3];
    if (!link_free(l, edge->to))
        return;
    block_of(l, edge->lane, k);
    congruence(k, p->give, told);
    symmetric3_times(p->give, p->way, v);
    symmetric3_times(k, v, pull);
    for (unsigned c = 0; c < 6; c++)
        own[c] = to->on[c] + told[c];
    (void)symmetric3_invert(own, give);
    congruence(k, give, less);
    for (unsigned c = 0; c < 6; c++)
        p->on[c] -= less[c];
    for (unsigned c = 0; c < 3; c++)
        pull[c] = to->way[c] - pull[c];
    symmetric3_times(give, pull, v);
    symmetric3_times(k, v, pull);
    for (unsigned c = 0; c < 3; c++)
        p->way[c] += pull[c];
}

void link_system_reduce(const struct links *l)
{
    gather(l);
    for (uint32_t at = l->count; at-- > 0;) {
        const uint32_t from = l->node[at].particle;
        for (uint32_t e = l->node[at].first; e < l->node[at + 1].first && link_free(l, from); e++)
            reduce_link(l, from, &l->edge[e]);
    }
}
