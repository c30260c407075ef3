/* contact.h - surfaces against surfaces: bodies against each other and against themselves.
 *
 * contact_list.c: which triangles there are, in an order and a tree. contact_find.c: once a substep
 * the pairs that may meet, by contact_search.c, collected by contact_collect.c. contact_force.c:
 * what a pair does in an iteration, contact_grip.c: what it remembers. contact_limit.c: after the
 * iterations, how far each vertex may go; contact_carry.c and contact_outside.c: past colliders and
 * pins that move. contact.c: their stages.
 */
#ifndef PIOLA_CONTACT_H
#define PIOLA_CONTACT_H

#include "near.h"
#include "phases.h"

#include <math.h>

#define CONTACT_BLOCK  8u    /* packs of faces that are searched at a time */
#define CONTACT_BUCKET 1024u /* particles whose forces are summed at a time */
#define CONTACT_RUN    64u   /* packs of pairs that are done at a time */

static inline bool contact_any(const piola_world *world)
{
    return world->desc.max_contacts > 0;
}

/* What all workers do together: blocks of surfaces, bodies, chunks of particles, runs of packs of
 * pairs, or buckets of particles. */
enum contact_stage {
    CONTACT_REST,     /* chunks: bodies that do not move */
    CONTACT_STARS,    /* blocks */
    CONTACT_BOXES,    /* blocks */
    CONTACT_TREES,    /* bodies */
    CONTACT_PARTNERS, /* bodies */
    CONTACT_SEARCH,   /* blocks */
    CONTACT_COPY,     /* blocks */
    CONTACT_RECALL,   /* runs */
    CONTACT_PUSH,     /* runs */
    CONTACT_LAY,      /* buckets */
    CONTACT_STRAY,    /* chunks */
    CONTACT_LOSE,     /* blocks: stars */
    CONTACT_AGAIN,    /* blocks: boxes */
    CONTACT_BOUND,    /* runs */
    CONTACT_GO,       /* chunks */
    CONTACT_BREAK,    /* chunks: numbers that are not finite */
    CONTACT_REACH,    /* bodies: where they have been */
    CONTACT_CARRY,    /* chunks */
    CONTACT_OUTSIDE,  /* chunks */
    CONTACT_DRAW,     /* runs */
    CONTACT_BEFORE,   /* bodies: sums of momenta */
    CONTACT_DRIFT,    /* bodies: how far they are from their targets, and where they have been */
    CONTACT_AFTER
};
uint32_t contact_stage_count(const piola_world *world, uint32_t stage);
void contact_stage(const struct step *step, uint32_t stage, uint32_t block);

/* When bodies were created or destroyed. */
void contact_list(piola_world *world);
/* After the prediction. */
void contact_find(const struct step *step, struct jobs *jobs);
/* Descent: which bucket of particles each pair concerns; before each iteration: adds to `extra`. */
void contact_sort(piola_world *world);
void contact_refresh(const struct step *step, struct jobs *jobs);
/* Projections, after each iteration. */
void contact_project(const struct step *step, struct jobs *jobs);
/* After the iterations: how far each particle goes. */
void contact_limit(const struct step *step, struct jobs *jobs);
/* Before it and all other limits: bodies whose numbers are not finite go nowhere. */
void contact_break(const struct step *step, struct jobs *jobs);
/* Shares for the pairs as they are; false when they cannot be found so. The other call always finds
 * some, at last such that nothing else must be known of the pairs. */
bool contact_share_again(const struct step *step, struct jobs *jobs);
void contact_share_surely(const struct step *step, struct jobs *jobs);
/* For which ways pairs were sought: where particles went; anywhere on their ways; and these are so
 * short that pairs do not matter. */
enum limit_state { LIMIT_SOME, LIMIT_ALL, LIMIT_BOUND };

/* contact_carry.c: begins the ways that are limited elsewhere: false when nothing pushes. */
enum carry { CARRY_NONE, CARRY_FREELY, CARRY_BY_COLLIDERS, CARRY_BY_PINS };
bool contact_carry(const struct step *step, struct jobs *jobs, enum carry carry);
bool contact_pins_move(const struct step *step);
void contact_carry_stage(const struct step *step, const struct chunk *chunk);

/* contact_outside.c: nobody's share leads into a collider; false when it cannot be mended without
 * that colliders wait. The other call always ends with that. */
bool contact_outside(const struct step *step, struct jobs *jobs);
void contact_outside_at_last(const struct step *step, struct jobs *jobs);
/* After both: who has waited, and moved in this substep, has arrived. */
void contact_go_on(const struct step *step);
void contact_outside_stage(const struct step *step, const struct chunk *chunk);

/* Where ways begin of which shares are taken. */
static inline struct pk_quad *contact_from(const piola_world *w)
{
    return w->carries ? world_carried(w) : world_start(w);
}

/* contact_drift.c: where a body has been in the substep; whether two come nearer than `most`; who
 * leads those that a body goes with: the lowest number, so every step goes down. */
void contact_reach_stage(const piola_world *w, uint32_t body);
bool reach_near(const struct reach *a, const struct reach *b, float most);
/* All pairs of bodies for which that is so, in the order of the bodies, the lower one first. */
void reach_each_near(const struct step *step, float most,
                     void (*use)(const piola_world *w, uint32_t a, uint32_t b));
uint32_t reach_root(struct reach *reaches, uint32_t body);

/* For the limit: pairs of what has strayed, or (everything) of all, whatever share they go. */
void contact_find_again(const struct step *step, struct jobs *jobs, bool everything);

/* contact_momentum.c: after contact_find; when pairs have pushed or were stopped; after the
 * velocities. */
void contact_remember(const struct step *step, struct jobs *jobs);
void contact_join_all(const piola_world *world);
void contact_keep_momentum(const struct step *step, struct jobs *jobs);
bool contact_keeps(const piola_world *world);
/* The lowest body of the island; true when nothing but gravity and other bodies acts on a body,
 * with the settings of that lowest one. */
uint32_t contact_island(const piola_world *world, uint32_t body);
bool contact_alone(const struct step *step, const struct body *body, const struct body *root);

/* contact_drift.c: after all limits islands go as far as their momentum takes them. */
void contact_catch_up(const struct step *step, struct jobs *jobs);
void contact_drift_stage(const struct step *step, uint32_t body);

/* contact_grip.c, of descent: after contact_find; after contact_limit; before a body is destroyed;
 * of a snapshot. */
void contact_grip_recall(const struct step *step, struct jobs *jobs);
void contact_grip_keep(const struct step *step, struct jobs *jobs);
void contact_grip_forget(piola_world *world, const struct body *body);
bool contact_grip_sane(const struct grip *grip);

/* Blocks of the stages, by file: find, search, collect, force, grip, limit, momentum. */
void contact_find_stage(const struct step *step, uint32_t stage, uint32_t block);
void contact_search_block(const struct step *step, uint32_t block);
void contact_copy_block(const piola_world *world, uint32_t block);
void contact_force_stage(const struct step *step, uint32_t stage, uint32_t block);
void contact_grip_stage(const struct step *step, uint32_t stage, uint32_t run);
void contact_limit_stage(const struct step *step, uint32_t stage, uint32_t block);
void contact_momentum_stage(const struct step *step, uint32_t stage, uint32_t body);

/* contact_collect.c: begins a search; puts a found pair into the block's pages; ends the search:
 * what was found becomes ranges of packs. */
void contact_collect_begin(piola_world *world, bool again);
void contact_collect(const struct step *step, struct contact_block *block, const struct pair *pair);
void contact_collect_end(const struct step *step, struct jobs *jobs, uint32_t mark);

/* How much nearer than expected two bodies may come for their pairs to be listed: iterations change
 * ways by about as much as they differ. A body is not sought in itself with any. */
static inline float contact_margin(const piola_world *w, bool own)
{
    return own ? 0 : 4 * w->desc.contact_thickness;
}

/* Bodies that may come to be this near each other are partners. */
static inline float contact_partners_margin(const piola_world *w)
{
    return 4 * contact_margin(w, false);
}

/* contact_crowd.c: boxes of all bodies with a surface, put in order the first time in a substep; or
 * boxes of where bodies have been, half of `most` wider. Then the set (crowd.h) of bodies, numbered
 * as in `large`, that may be near one, which is among them, or near a part of a skin. */
void contact_crowd_skins(piola_world *world, bool first);
void contact_crowd_reaches(const piola_world *world, float most);
void contact_crowd_near(const struct step *step, uint32_t number, uint64_t *set);
void contact_crowd_around(const struct step *step, const struct skin *skin,
                          const struct pk_swept_box *box, uint64_t *set);

/* Where a particle went that was expected elsewhere: too far away for its own body's pairs, or for
 * those with others too, which have the margin between them; since the last look, or known. */
enum stray {
    STRAY_OWN_NEW = 1,
    STRAY_OWN = 2,
    STRAY_OTHERS_NEW = 4,
    STRAY_OTHERS = 8,
    STRAY_AGAIN = 16 /* its way is another now */
};

/* Faces of a pack that are sought again: in their own body, and in others. */
#define CONTACT_DIRTY_OWN    0u
#define CONTACT_DIRTY_OTHERS 16u
static inline uint32_t contact_dirty(const piola_world *w, uint32_t pack, uint32_t which)
{
    return world_dirty(w)[pack] >> which & 0xffffu;
}

/* A tree's nodes at a height, 1 being the lowest; the first of them. */
static inline uint32_t contact_nodes(uint32_t packs, uint32_t height)
{
    return (packs > 0 ? (packs - 1) >> 4 * height : 0) + 1;
}
static inline uint32_t contact_node(const struct skin *skin, uint32_t height)
{
    uint32_t node = skin->node_first;
    for (uint32_t h = 1; h < height; ++h)
        node += contact_nodes(skin->packs, h);
    return node;
}

/* What the kernels are told. */
struct pk_contact contact_told(const struct step *step);

/* How far apart floats of this size are, at most; a position is rounded by less, in space. */
#define CONTACT_GRAIN 1.2e-7f
static inline float contact_size(const struct pk_quad *x)
{
    const float a = fabsf(x->x), b = fabsf(x->y), c = fabsf(x->z), most = a > b ? a : b;
    return most > c ? most : c;
}

/* What must remain of a pair's distance in a substep: a fifth of it, but a share of the thickness,
 * and what positions can tell, `grain`; near that nearly all, and below that all: a gap that shrank
 * by a share each time would soon be none. */
static inline float contact_keep(float distance, float thickness, float grain)
{
    const float share = 0.02f * thickness, part = 0.2f * distance, most = 0.2f * thickness;
    const float least = share > 4 * grain ? share : 4 * grain;
    if (distance <= 0.5f * least)
        return distance;
    if (0.9f * distance <= least)
        return 0.9f * distance;
    const float wanted = part < most ? part : most;
    return wanted > least ? wanted : least;
}

/* Of a pair's positions when the substep began. */
static inline float contact_grain(const piola_world *w, const struct pair *pair)
{
    float most = 0;
    for (int i = 0; i < 4; ++i) {
        const float size = contact_size(&world_start(w)[pair->particle[i]]);
        most = size > most ? size : most;
    }
    return CONTACT_GRAIN * most;
}
static inline float contact_kept(const piola_world *w, const struct pair *pair)
{
    return contact_keep(pair->distance, w->desc.contact_thickness, contact_grain(w, pair));
}

/* The nearest points of a pair at positions of a stream. */
double contact_near(const struct pair *pair, const struct pk_quad *x, double weight[4],
                    double between[3]);
/* How far apart a pair surely was when the substep began; 0 where that is not known. */
float contact_apart_by(const piola_world *w, const struct pair *pair);

/* Boxes go with their bodies. How much wider those of b must be for what a does meanwhile. */
static inline struct pk_widen contact_widen(const struct skin *a, const struct skin *b,
                                            float margin)
{
    struct pk_widen widen;
    for (int k = 0; k < 3; ++k) {
        const float way = a->drift[k] - b->drift[k];
        widen.low[k] = margin + (way > 0 ? way : 0);
        widen.high[k] = margin - (way < 0 ? way : 0);
    }
    return widen;
}

/* False when b's, so much wider, is apart from a's. */
static inline bool contact_overlap(const struct pk_swept_box *a, const struct pk_swept_box *b,
                                   const struct pk_widen *widen)
{
    for (int k = 0; k < 3; ++k)
        if (b->low[k] - widen->low[k] > a->high[k] || b->high[k] + widen->high[k] < a->low[k])
            return false;
    return true;
}

/* A lane of a pack as a pair, and the lanes of a range's pack that are used. */
static inline struct pair contact_pair(const piola_world *w, uint32_t pack, uint32_t lane,
                                       uint32_t kind)
{
    const struct pk_pair_pack *p = &world_pair_packs(w)[pack];
    return (struct pair){
        {p->particle[0][lane], p->particle[1][lane], p->particle[2][lane], p->particle[3][lane]},
        kind,
        p->distance[lane]};
}
static inline uint32_t contact_lanes(const struct pair_range *range, uint32_t pack)
{
    const uint32_t left = range->count - (pack - range->first) * PK_LANES;
    return left >= PK_LANES ? 0xffffu : (1u << left) - 1u;
}
static inline uint32_t contact_packs(const struct pair_range *range)
{
    return (range->count + PK_LANES - 1) / PK_LANES;
}
/* The range that a pack belongs to. */
static inline const struct pair_range *contact_range(const piola_world *w, uint32_t pack)
{
    uint32_t i = w->range_count - 1;
    while (i > 0 && w->ranges[i].first > pack)
        --i;
    return &w->ranges[i];
}

#endif
