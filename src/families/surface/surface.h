/* surface.h - surfaces against surfaces: bodies against each other and against themselves.
 *
 * surface_list.c: which triangles there are, in an order and a tree. surface_find.c: once a substep
 * the pairs that may meet, by surface_search.c, collected by surface_collect.c. surface_force.c:
 * what a pair does in an iteration, surface_grip.c: what it remembers. surface_limit.c: after the
 * iterations, how far each vertex may go; surface_carry.c and surface_outside.c: past colliders and
 * pins that move. surface.c: their stages.
 */
#ifndef PIOLA_SURFACE_H
#define PIOLA_SURFACE_H

#include "base/closest_points.h"
#include "families/collide/collider.h"
#include "families/surface/surface_data.h"
#include "motion/phases.h"
#include "world/islands.h"

#include <math.h>

#define SURFACE_BLOCK  8u    /* packs of faces that are searched at a time */
#define SURFACE_BUCKET 1024u /* particles whose forces are summed at a time */
#define SURFACE_RUN    64u   /* packs of pairs that are done at a time */

static inline bool surface_any(const piola_world *world)
{
    return world->desc.max_contacts > 0;
}

/* When bodies were created or destroyed. */
void surface_list(piola_world *world);
/* surface.c: of a stage over a domain's own blocks, the block of that number. */
struct surface_block *surface_own_block(const struct step *step, uint32_t index);
/* Before a substep; after the prediction, for each domain; then what its bodies may meet. */
void surface_find_begin(piola_world *world);
void surface_find_own(const struct step *step);
void surface_find(const struct step *step);
/* Descent: which bucket of particles each pair concerns; before each iteration: adds to `extra`. */
void surface_sort(piola_world *world);
void surface_refresh(const struct step *step);
/* Projections, after each iteration. */
void surface_project(const struct step *step);
/* After the iterations, for each domain: bodies whose numbers are not finite go nowhere; whether
 * what has no pairs went where none were sought. */
void surface_break(const struct step *step);
void surface_look(const struct step *step);
/* Then how far each particle goes: first who would come too near loses its approach, by
 * surface_room.c; then shares. */
void surface_make_room(const struct step *step);
/* Of descent, before the iterations: nobody begins them through another. */
void surface_begin_apart(const struct step *step);
void surface_limit(const struct step *step);
/* Shares for the pairs as they are; false when they cannot be found so. The other call always finds
 * some, at last such that nothing else must be known of the pairs. */
bool surface_share_again(const struct step *step);
void surface_share_surely(const struct step *step);
/* For which ways pairs were sought: where particles went; anywhere on their ways; and these are so
 * short that pairs do not matter. */
enum limit_state { LIMIT_SOME, LIMIT_ALL, LIMIT_BOUND };

/* surface_known.c: whoever is given his whole way from now on has another share than before; before
 * a round, whose share has changed; where a pack's particles are; whether none of them changed. */
void surface_go_anew(const piola_world *w);
void surface_find_changed(const struct step *step);
void surface_place_pack(const piola_world *w, uint32_t pack);
bool surface_still_proven(const piola_world *w, uint32_t pack);
/* Of a way. */
static inline float surface_part(float share)
{
    return share < 1 ? share : 1;
}

/* surface_carry.c: begins the ways that are limited elsewhere: false when nothing pushes. */
enum carry { CARRY_NONE, CARRY_FREELY, CARRY_BY_COLLIDERS, CARRY_BY_PINS };
bool surface_carry(const struct step *step, enum carry carry);

/* surface_wait.c: after a search that was cut, who may meet whom unseen does not move. */
#define SURFACE_WAITS (-1.0f) /* in place of a bound */
void surface_wait(const struct step *step);
/* Bodies of which the limit has not looked at all faces at colliders have to wait too. */
void surface_wait_faces(piola_world *w);

/* surface_held.c: whether pins have a way; whether those of a body go much the same; the least
 * share of a body's pins becomes that of all; who has less than all: these are late. */
bool surface_pins_move(const struct step *step);
bool surface_pins_alike(const piola_world *w, const struct body *body, const float way[3]);
void surface_pins_together(const piola_world *w);
void surface_pins_wait(const piola_world *w);

/* surface_outside.c: nobody's share leads into a collider; false when it cannot be mended without
 * that colliders wait, or is not so already. The last call always ends with that. */
#define SURFACE_OUTSIDE_CHECKS                                                                     \
    38u /* looks in a substep: 6 in each of four tries, 1, 13 at last                              \
         */
bool surface_outside(const struct step *step);
bool surface_outside_as_is(const struct step *step);
void surface_outside_at_last(const struct step *step);
/* After both: who has waited, and moved in this substep, has arrived. */
void surface_go_on(const struct step *step);

/* Where ways begin of which shares are taken. */
static inline struct pk_quad *surface_from(const piola_world *w)
{
    return world_surface_now(w)->carries ? world_carried(w) : world_start(w);
}

/* surface_drift.c: where a body has been in the substep; whether two come nearer than `most`; who
 * leads those that a body goes with: the lowest number, so every step goes down. */
bool reach_near(const struct reach *a, const struct reach *b, float most);
/* All pairs of bodies for which that is so, in the order of the bodies, the lower one first. */
void reach_each_near(const struct step *step, float most,
                     void (*use)(const piola_world *w, uint32_t a, uint32_t b));
uint32_t reach_root(const piola_world *w, uint32_t body);
static inline struct islands reach_islands(const piola_world *w)
{
    return (struct islands){.leader = world_reach_leaders(w), .count = w->desc.max_bodies};
}

/* For the limit: pairs of what has strayed, or (everything) of all, whatever share they go. */
void surface_find_again(const struct step *step, bool everything);

/* surface_momentum.c: after surface_find; when pairs have pushed or were stopped; after the
 * velocities. */
void surface_remember(const struct step *step);
void surface_link(const piola_world *world, struct islands all);
void surface_join_all(const piola_world *world);
void surface_keep_momentum(const struct step *step);
bool surface_keeps(const piola_world *world);
/* Of a body that has pairs: its sums before the iterations, or any others after them. */
void surface_sum(const struct step *step, enum momentum_of what, uint32_t body);
/* The lowest body of the island; true when nothing but gravity and other bodies acts on a body,
 * with the settings of that lowest one. */
uint32_t surface_island(const piola_world *world, uint32_t body);
bool surface_alone(const struct step *step, const struct body *body, const struct body *root);

/* surface_drift.c: after all limits islands go as far as their momentum takes them. */
void surface_catch_up(const struct step *step);

/* surface_grip.c, of descent: after surface_find; after surface_limit; before a body is destroyed;
 * of a snapshot. */
struct moves; /* world/body_room.h */
void surface_grip_recall(const struct step *step);
void surface_grip_keep(const struct step *step);
void surface_grip_forget(piola_world *world, const struct body *body);
void surface_grip_moved(piola_world *world, const struct moves *moves);

/* surface_collect.c: begins a search; puts a found pair into the block's pages; ends the search:
 * what was found becomes ranges of packs. */
void surface_collect_begin(piola_world *world, bool again);
void surface_collect_clear(struct surface_block *block);
void surface_collect(const struct step *step, struct surface_block *block, const struct pair *pair);
void surface_collect_end(const struct step *step, uint32_t mark);
void surface_mark(const piola_world *w, uint32_t body, uint32_t mark);

/* How much nearer than expected two bodies may come for their pairs to be listed: iterations change
 * ways by about as much as they differ. Who comes nearer yet is sought again by the limit; with
 * more, each iteration looks at many pairs that never push. A body is not sought in itself with
 * any. */
static inline float surface_margin(const piola_world *w, bool own)
{
    return own ? 0 : w->desc.contact_thickness;
}

/* Bodies that may come to be this near each other are partners. */
static inline float surface_partners_margin(const piola_world *w)
{
    return 4 * surface_margin(w, false);
}

/* surface_body_tree.c: boxes of all bodies with a surface, put in order the first time in a
 * substep; or boxes of where bodies have been, half of `most` wider. Then the set (box_tree.h) of
 * bodies, numbered as in `large`, that may be near one, which is among them, or near a part of a
 * skin. */
/* Of what meets nobody: a box that overlaps no other. */
extern const struct pk_swept_box surface_nowhere;
void body_tree_skins(piola_world *world, bool first);
void body_tree_reaches(const piola_world *world, float most);
void body_tree_near(const struct step *step, uint32_t number, uint64_t *set);
void body_tree_around(const struct step *step, const struct surface_mesh *surface_mesh,
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
#define SURFACE_DIRTY_OWN    0u
#define SURFACE_DIRTY_OTHERS 16u
static inline uint32_t surface_dirty(const piola_world *w, uint32_t pack, uint32_t which)
{
    return world_dirty(w)[pack] >> which & 0xffffu;
}

/* A tree's nodes at a height, 1 being the lowest; the first of them. */
static inline uint32_t surface_nodes(uint32_t packs, uint32_t height)
{
    return (packs > 0 ? (packs - 1) >> 4 * height : 0) + 1;
}
static inline uint32_t surface_node(const struct surface_mesh *surface_mesh, uint32_t height)
{
    uint32_t node = surface_mesh->node_first;
    for (uint32_t h = 1; h < height; ++h)
        node += surface_nodes(surface_mesh->packs, h);
    return node;
}

/* What the kernels are told. */
struct pk_contact surface_params(const struct step *step);

/* How far apart floats of this size are, at most; a position is rounded by less, in space. */
#define SURFACE_GRAIN 1.2e-7f
static inline float contact_size(const struct pk_quad *x)
{
    const float a = fabsf(x->x), b = fabsf(x->y), c = fabsf(x->z), most = a > b ? a : b;
    return most > c ? most : c;
}

/* What must remain of a pair's distance in a substep: a fifth of it, but a share of the thickness,
 * and what positions can tell, `grain`; near that nearly all, and below that all: a gap that shrank
 * by a share each time would soon be none. */
static inline float surface_keep(float distance, float thickness, float grain)
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
static inline float surface_grain(const piola_world *w, const struct pair *pair)
{
    float most = 0;
    for (int i = 0; i < 4; ++i) {
        const float size = contact_size(&world_start(w)[pair->particle[i]]);
        most = size > most ? size : most;
    }
    return SURFACE_GRAIN * most;
}
static inline float surface_kept(const piola_world *w, const struct pair *pair)
{
    return surface_keep(pair->distance, w->desc.contact_thickness, surface_grain(w, pair));
}

/* The nearest points of a pair at positions of a stream. */
double surface_near(const struct pair *pair, const struct pk_quad *x, double weight[4],
                    double between[3]);
/* surface_free.c: where a particle ends by its share, rounded as it will be. */
struct pk_quad surface_end_of(const piola_world *w, uint32_t particle);
/* By how much the way that a pair is carried differs among its particles; what must remain between
 * its sides, m. */
double surface_carried_apart(const piola_world *w, const struct pair *pair);
double surface_must_keep(const piola_world *w, const struct pair *pair);
/* Where a pair is stopped: the weights and the direction of its nearest points there, what must
 * remain between its sides, and by how much they would yet approach each other, m. */
struct stop {
    double weight[4], normal[3], keep, approach;
};
/* The part of its way that a pair is proven free for: pk_surface_free in double. */
double surface_free_part(const piola_world *w, const struct pair *pair, struct stop *stop);
/* How far apart a pair surely was when the substep began; 0 where that is not known. */
float surface_apart_by(const piola_world *w, const struct pair *pair);

/* Boxes go with their bodies. How much wider those of b must be for what a does meanwhile. */
static inline struct pk_widen surface_widen(const struct surface_mesh *a,
                                            const struct surface_mesh *b, float margin)
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
static inline bool surface_overlap(const struct pk_swept_box *a, const struct pk_swept_box *b,
                                   const struct pk_widen *widen)
{
    for (int k = 0; k < 3; ++k)
        if (b->low[k] - widen->low[k] > a->high[k] || b->high[k] + widen->high[k] < a->low[k])
            return false;
    return true;
}

/* A lane of a pack as a pair, and the lanes of a range's pack that are used. */
static inline struct pair surface_pair(const piola_world *w, uint32_t pack, uint32_t lane,
                                       uint32_t kind)
{
    const struct pk_pair_pack *p = &world_pair_packs(w)[pack];
    return (struct pair){
        {p->particle[0][lane], p->particle[1][lane], p->particle[2][lane], p->particle[3][lane]},
        kind,
        p->distance[lane]};
}
static inline uint32_t surface_lanes(const struct pair_range *range, uint32_t pack)
{
    const uint32_t left = range->count - (pack - range->first) * PK_LANES;
    return left >= PK_LANES ? 0xffffu : (1u << left) - 1u;
}
static inline uint32_t surface_packs(const struct pair_range *range)
{
    return (range->count + PK_LANES - 1) / PK_LANES;
}
/* The range that a pack belongs to. */
static inline const struct pair_range *surface_range(const piola_world *w, uint32_t pack)
{
    uint32_t i = world_surface_now(w)->range_count - 1;
    while (i > 0 && world_surface_now(w)->ranges[i].first > pack)
        --i;
    return &world_surface_now(w)->ranges[i];
}

#endif
