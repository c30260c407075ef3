/* world.h - what a world's block holds: its header, and one table of arrays.
 *
 * The table below sizes, places, points to, snapshots, hashes, compares and reports every array. To
 * add an array, add a line; nothing else keeps a list of them. Arrays are offsets from the world's
 * address, so a world can be copied to another address. The code that fills the block is layout.c.
 */
#ifndef PIOLA_WORLD_H
#define PIOLA_WORLD_H

#include "asset.h"
#include "collider.h"
#include "contact_data.h"
#include "jobs.h"
#include "kernels.h"
#include "packs.h"
#include "piola/piola.h"
#include "rigid_data.h"

#include <string.h>

#define WORLD_MAGIC UINT64_C(0x31444c524f574c50) /* "PLWORLD1", little-endian */
#define MAX_COLOURS ASSET_COLOURS_MAX
#define CHUNK       2048u /* particles of a large body that are one block */

/* Bit by bit: a NaN equals itself, 0 is not -0. */
static inline bool same_bytes(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

/* Time and what acts on the whole world. */
struct clock {
    uint64_t step;
    float gravity[3];
    uint32_t reserved;
};

/* The air around all bodies. */
struct weather {
    float wind[3]; /* m/s */
    float reserved;
};

/* What a place adds to that wind: velocities at the nodes of a grid (wind_grid.c). */
struct wind_grid {
    float origin[3]; /* m, of the first node */
    float strength;
    float spacing[3];  /* m */
    uint32_t count[3]; /* nodes along the axes */
};

/* How the air drags and lifts a body's cloth: coefficients. */
struct body_air {
    float drag, lift;
};

/* What a body's surface is to others: coat.h. */
enum coat_flags { COAT_ALONE = 1, COAT_RUBS = 2 }; /* not on itself; has its own friction */
struct coat {
    uint32_t passes; /* bit g: through bodies whose group is g modulo 32 */
    uint32_t flags;
    float friction[2]; /* at rest, sliding */
};

/* piola_untangle: BODY_TANGLES is NONE, BODY_UNFOLDS is ALL. More bits: untangle.h. */
enum body_flags { BODY_ALIVE = 1, BODY_FROZEN = 2, BODY_TANGLES = 4, BODY_UNFOLDS = 8 };

/* A body is a run of particles and the asset that says how they hang together. */
struct body {
    uint32_t generation;
    uint32_t flags; /* body_flags */
    uint32_t asset; /* slot in `assets` */
    uint32_t group;
    uint32_t first, count;                 /* particles, multiples of PK_LANES */
    uint32_t plastic_first, plastic_count; /* cells of plastic strain */
    uint32_t packs_first, packs_count;     /* cells of COMPLIANT's multipliers */
    uint32_t history;                      /* 1 when older_* hold the previous substep */
    uint32_t pins;                         /* pinned particles */
    float acceleration[3];
    float gravity_scale;
    float damping;
};

/* What is remembered of a body that may be tangled (untangle.c); zero while nothing speaks for it.
 */
struct watch {
    uint32_t looks;      /* since it was nearest to its rest shape; 0: it is not watched */
    uint32_t still;      /* looks in a row at which it lay still and got no nearer */
    float nearest, last; /* sizes from the rest shape */
    uint32_t corner[4];  /* of a solid: particles of the element that is watched */
    uint32_t others;     /* 1: since it was nearest it was another element, too */
};

/* Two points held together. A slot that is not alive is zero but for its generation. */
struct attachment {
    uint32_t generation, alive;
    uint32_t body[2];        /* index + 1; 0: the world */
    uint32_t count[2];       /* particles of each point; 0: the target */
    uint32_t particle[2][4]; /* of the body */
    float weight[2][4];
    float target[3], goal[3]; /* m: where it stands, and will by the end of the step */
    float compliance;         /* m/N */
    float force[3];           /* N, on the other point, in the last substep */
};

/* The same while a substep runs. */
struct attachment_now {
    float inertia;   /* 1/s^2 */
    float give;      /* m/N: how far its particles' inertia gives way */
    float slope;     /* N/m: how the force answers the gap */
    float keep;      /* the share of its own last value that the force keeps, 0 to 1 */
    float target[3]; /* m */
};

/* What a body holds inside: as its description says, and the pressure of the last substep. */
struct body_pressure {
    uint32_t kind;    /* piola_pressure */
    float setting;    /* Pa: GAUGE's, or GAS's at `volume` */
    float ambient;    /* Pa */
    float volume;     /* m^3: at which GAS has `setting`, or that VOLUME holds */
    float compliance; /* m^3/Pa */
    float before;     /* Pa, gauge */
};

/* The same while an iteration runs. */
struct pressure_now {
    double volume, area;        /* m^3, m^2 */
    double pressure, stiffness; /* Pa, gauge; Pa/m^3 */
    double penalty;             /* Pa/m^3 */
    double give, share;         /* projections: m^4/kg, Pa s^2 */
};

/* A part's share of a body's volume (m^3) and area (m^2). */
struct enclosed {
    double volume, area;
};

/* XPBD's multipliers of 16 elements. */
struct multiplier_cell {
    float value[PK_LANES];
};

/* Physics of a part of a body, or of a whole one. */
struct partial {
    double objective; /* J */
    float residual;   /* N */
    float stretch;
    uint32_t inverted;
    uint32_t reserved;
};

/* A body's physics before and after the iterations, and the state of its Chebyshev acceleration. */
struct body_measure {
    struct partial before, after, now;
    double bound; /* J: the objective must not rise above it */
    float omega;
    uint32_t rejected;
};

/* Sums over particles: mass, m x (3), m u (3), m x cross u (3), m x q^T (6): kernels.h; or what
 * colliders do to them: momentum_give. */
#define SUMS 27
struct sums {
    double value[SUMS];
};

/* What a free body's momentum must be after the substep, and the correction that makes it so. */
struct body_momentum {
    double linear[3], angular[3]; /* kg m/s; kg m^2/s about the centre of mass */
    double centre[3];             /* m, of mass, about where it is at the substep's end */
    double energy; /* J, twice that of these momenta in the shape at the substep's beginning */
    /* What colliders do to it: impulses (N s, N m s about the origin), and how these fall when the
     * body moves (kg, kg m, kg m^2), as momentum_give has them. */
    double given[SUMS];
    struct pk_rigid rigid;
};

/* A slot of the known assets. `identity` is the asset's hash, 0 in an empty slot. */
struct asset_slot {
    const piola_asset *asset;
    uint64_t users; /* bodies */
};

struct command_slot {
    _Atomic(uint64_t) sequence;
    piola_command command;
};

/* A run of a large body's particles, or one of its clusters: what one worker does at a time. */
struct chunk {
    uint32_t body, first, count;
};
struct run {
    uint32_t body, cluster;
};

/* X(name): what arrays are counted in. Capacities are set in layout.c. */
#define WORLD_DIMENSIONS(X)                                                                        \
    X(one)                                                                                         \
    X(bodies)                                                                                      \
    X(watches) /* bodies; used up to the last that is watched */                                   \
    X(assets)                                                                                      \
    X(particles)                                                                                   \
    X(history)  /* particles with BDF2, else none */                                               \
    X(memory)   /* particles with BDF2 or descent, else none */                                    \
    X(momenta)  /* bodies when momentum is kept, else none */                                      \
    X(sums)     /* chunks when momentum is kept, else none */                                      \
    X(iterates) /* particles with Chebyshev acceleration, else none */                             \
    X(extras)   /* three times the particles in descent where bodies may be coupled or surfaces    \
                   meet; else once where bodies may be coupled */                                  \
    X(forces)   /* particles when physics is reported, else none */                                \
    X(measures) /* bodies when the objective is needed, else none */                               \
    X(partials) /* clusters and chunks, when the objective is needed, else none */                 \
    X(packs)                                                                                       \
    X(links)                                                                                       \
    X(air) /* one where there is air, else none */                                                 \
    X(attachments)                                                                                 \
    X(balloons) /* bodies where they may be coupled, else none; used up to the last with pressure  \
                 */                                                                                \
    X(enclosed) /* clusters and chunks where bodies may be coupled, else none */                   \
    X(flyers)   /* bodies where there is air, else none; used up to the last that feels it */      \
    X(wind_grids) /* one where a grid may be, else none; used while there is one */                \
    X(wind_nodes)                                                                                  \
    X(plastic)                                                                                     \
    X(colliders)                                                                                   \
    X(shapes) /* known compiled shapes, none without colliders */                                  \
    X(contact_events)                                                                              \
    X(rigids)        /* colliders; used up to the last with mass */                                \
    X(rigid_islands) /* bodies and colliders, when there may be colliders, else none */            \
    X(poses)         /* colliders at every boundary of substeps */                                 \
    X(sieves)        /* 16 colliders each */                                                       \
    X(coats)         /* bodies when surfaces may touch; used up to the last that differs */        \
    X(skins)         /* bodies when surfaces may touch each other, else none */                    \
    X(contact_sums)                                                                                \
    X(crowd) /* twice the bodies */                                                                \
    X(crowd_nodes)                                                                                 \
    X(felt)    /* particles, when projections make pairs push and events are read, else none */    \
    X(leashes) /* particles, likewise */                                                           \
    X(faces)                                                                                       \
    X(face_packs)                                                                                  \
    X(rings)                                                                                       \
    X(nodes)                                                                                       \
    X(corners)                                                                                     \
    X(blocks)                                                                                      \
    X(pages)                                                                                       \
    X(pair_packs)                                                                                  \
    X(buckets)                                                                                     \
    X(grips)       /* contacts, with descent, else none */                                         \
    X(grip_places) /* a power of two, at least twice that */                                       \
    X(items)                                                                                       \
    X(touches) /* particles when there may be colliders, else none */                              \
    X(touched) /* bodies, likewise */                                                              \
    X(commands)                                                                                    \
    X(chunks)                                                                                      \
    X(runs)                                                                                        \
    X(colours)                                                                                     \
    X(tickets)

enum dimension {
#define X(name) DIM_##name,
    WORLD_DIMENSIONS(X)
#undef X
        DIMENSION_COUNT
};

enum field_kind {
    STATE,   /* what the future depends on: in snapshots and hashes */
    SETTING, /* fixed by calls between steps, not state */
    SCRATCH  /* means nothing between steps */
};

/* X(name, element type, dimension, kind) - all arrays of a world, in the order of the block. */
#define WORLD_FIELDS(X)                                                                            \
    X(clock, struct clock, one, STATE)                                                             \
    X(identities, uint64_t, assets, STATE) /* hash of the asset in the slot, 0 if none */          \
    X(bodies, struct body, bodies, STATE)                                                          \
    X(watches, struct watch, watches, STATE)                                                       \
    X(position, struct pk_quad, particles, STATE) /* m; w: inverse mass, 1/kg, 0 if pinned */      \
    X(velocity, struct pk_quad, particles, STATE) /* m/s */                                        \
    X(older_position, struct pk_quad, history, STATE)                                              \
    X(older_velocity, struct pk_quad, memory, STATE)                                               \
    X(attachments, struct attachment, attachments, STATE)                                          \
    X(body_pressure, struct body_pressure, balloons, STATE)                                        \
    X(weather, struct weather, air, STATE)                                                         \
    X(body_air, struct body_air, flyers, STATE)                                                    \
    X(wind_grid, struct wind_grid, wind_grids, STATE)                                              \
    X(wind_nodes, struct pk_quad, wind_nodes, STATE) /* m/s; w: 0 */                               \
    X(plastic, struct pk_plastic, plastic, STATE)                                                  \
    X(coats, struct coat, coats, STATE)                                                            \
    X(colliders, struct collider, colliders, STATE)                                                \
    X(shape_identities, uint64_t, shapes, STATE) /* as identities */                               \
    X(rigids, struct rigid, rigids, STATE)                                                         \
    X(contact_events, struct contact_record, contact_events, STATE)                                \
    X(grips, struct grip, grips, STATE)                                                            \
    X(assets, struct asset_slot, assets, SETTING)                                                  \
    X(shapes, const piola_shape *, shapes, SETTING)                                                \
    X(commands, struct command_slot, commands, SETTING)                                            \
    X(start, struct pk_quad, particles, SCRATCH)   /* m, at the substep's start */                 \
    X(target, struct pk_quad, particles, SCRATCH)  /* m, predicted; w: mass, kg */                 \
    X(previous, struct pk_quad, iterates, SCRATCH) /* m, one and two iterations ago */             \
    X(older, struct pk_quad, iterates, SCRATCH)                                                    \
    X(plain, struct pk_quad, iterates, SCRATCH) /* m, before the last acceleration */              \
    X(momenta, struct body_momentum, momenta, SCRATCH)                                             \
    X(sums, struct sums, sums, SCRATCH)       /* by chunk */                                       \
    X(extra, struct pk_quad, extras, SCRATCH) /* a body's three streams: couple.h */               \
    X(attachment_now, struct attachment_now, attachments, SCRATCH)                                 \
    X(count, uint32_t, bodies, SCRATCH) /* while things are counted */                             \
    X(pressure_now, struct pressure_now, balloons, SCRATCH)                                        \
    X(enclosed, struct enclosed, enclosed, SCRATCH) /* by run of `parts`, then by chunk */         \
    X(poses, struct pose, poses, SCRATCH)           /* by substep, then by collider */             \
    X(sieves, struct touch_sieve, sieves, SCRATCH)                                                 \
    X(touching, uint32_t, touches, SCRATCH) /* planes that a particle has now */                   \
    X(touches, struct pk_touch, touches, SCRATCH)                                                  \
    X(notes, struct touch_note, touches, SCRATCH)                                                  \
    X(touched, _Atomic(uint32_t), touched, SCRATCH)               /* enum touched: touch.h */      \
    X(events_now, struct contact_record, contact_events, SCRATCH) /* events.c */                   \
    X(missed, uint32_t, colliders, SCRATCH) /* 1 + the last body without room for its event */     \
    X(rigid_now, struct rigid_now, rigids, SCRATCH)                                                \
    X(rigid_sums, struct sums, rigids, SCRATCH) /* rigid.h */                                      \
    X(rigid_before, struct sums, touched, SCRATCH)                                                 \
    X(rigid_islands, struct rigid_island, rigid_islands, SCRATCH)                                  \
    X(skins, struct skin, skins, SCRATCH) /* the rest: contact.h */                                \
    X(islands, uint32_t, skins, SCRATCH)  /* a body that its body touches, with a lower number */  \
    X(contact_sums, struct sums, contact_sums, SCRATCH) /* by body: before, after */               \
    X(paired, uint32_t, skins, SCRATCH)                                                            \
    X(reaches, struct reach, skins, SCRATCH)                                                       \
    X(corner_first, uint32_t, leashes, SCRATCH)                                                    \
    X(corners, uint32_t, corners, SCRATCH)                                                         \
    X(faces, struct face, faces, SCRATCH)                                                          \
    X(partners, struct partners, skins, SCRATCH)                                                   \
    X(owner, uint32_t, leashes, SCRATCH) /* body of a particle of a surface, NO_BODY for others */ \
    X(star, uint32_t, leashes, SCRATCH)  /* PK_STAR_... */                                         \
    X(star_room, float, leashes,                                                                   \
      SCRATCH) /* m, that a star stays vouched for; below 0 it is not */                           \
    X(strayed, uint32_t, leashes, SCRATCH)                                                         \
    X(astray, struct pk_quad, leashes, SCRATCH)   /* m, from where it was expected; w: how far */  \
    X(stirred, _Atomic(uint32_t), skins, SCRATCH) /* 1: something of the body has just strayed */  \
    X(expected, struct pk_quad, leashes, SCRATCH)                                                  \
    X(carried, struct pk_quad, leashes, SCRATCH)   /* m, where ways begin: contact_carry.c */      \
    X(halting, _Atomic(uint32_t), rigids, SCRATCH) /* 1: this collider leaves no room */           \
    X(halted, uint32_t, rigids, SCRATCH) /* 1 + last boundary of substeps that it reached, or 0 */ \
    X(share, float, leashes, SCRATCH)    /* of its way that a particle goes */                     \
    X(bound, float, leashes, SCRATCH)    /* m, that it may go because pairs were dropped */        \
    X(felt, struct pk_quad, felt, SCRATCH) /* kg m, N at the end: what pairs push particles */     \
    X(face_packs, struct pk_face_pack, face_packs, SCRATCH)                                        \
    X(face_boxes, struct pk_face_boxes, face_packs, SCRATCH)                                       \
    X(dirty, uint32_t, face_packs, SCRATCH) /* faces of a pack to be sought for again */           \
    X(rings, struct pk_ring_pack, rings, SCRATCH)                                                  \
    X(pack_boxes, struct pk_swept_box, face_packs, SCRATCH)                                        \
    X(body_boxes, struct pk_swept_box, skins, SCRATCH)                                             \
    X(nodes, struct pk_box_pack, nodes, SCRATCH)                                                   \
    X(crowd_boxes, struct pk_swept_box, skins, SCRATCH) /* around bodies: contact_crowd.c */       \
    X(crowd_items, uint32_t, crowd, SCRATCH)                                                       \
    X(crowd_keys, uint64_t, crowd, SCRATCH)                                                        \
    X(crowd_nodes, struct pk_box_pack, crowd_nodes, SCRATCH)                                       \
    X(blocks, struct contact_block, blocks, SCRATCH)                                               \
    X(pages, struct pair_page, pages, SCRATCH)                                                     \
    X(pair_packs, struct pk_pair_pack, pair_packs, SCRATCH)                                        \
    X(pushes, struct pk_pair_push, pair_packs, SCRATCH)                                            \
    X(acting, uint32_t, pair_packs, SCRATCH) /* lanes that push now, or are not free */            \
    X(acted, uint32_t, pair_packs, SCRATCH)  /* lanes that ever did in this substep */             \
    X(bucket_first, uint32_t, buckets,                                                             \
      SCRATCH)                                /* items of each bucket of particles, and the end */ \
    X(bucket_items, uint32_t, items, SCRATCH) /* pair * 4 + particle */                            \
    X(grip_places, uint32_t, grip_places, SCRATCH) /* index of a grip plus 1, or 0 */              \
    X(ties, uint32_t, bodies, SCRATCH)        /* enum body_ties: what couples a body to others */  \
    X(force, struct pk_quad, forces, SCRATCH) /* N, elastic, while measuring */                    \
    X(measures, struct body_measure, measures, SCRATCH)                                            \
    X(partials, struct partial, partials, SCRATCH) /* by run of `parts`, then by chunk */          \
    X(multipliers, struct multiplier_cell, packs, SCRATCH)                                         \
    X(link_multipliers, struct multiplier_cell, links, SCRATCH)                                    \
    X(link_first, uint32_t, bodies, SCRATCH)        /* a body's first of them */                   \
    X(verdicts, _Atomic(uint32_t), bodies, SCRATCH) /* 1: not finite after this substep */         \
    X(whole, uint32_t, bodies, SCRATCH)             /* bodies that one worker does whole */        \
    X(large, uint32_t, bodies, SCRATCH) /* bodies that all workers share, small ones if coupled */ \
    X(chunks, struct chunk, chunks, SCRATCH)    /* of large bodies */                              \
    X(runs, struct run, runs, SCRATCH)          /* clusters of large bodies, by colour */          \
    X(colour_first, uint32_t, colours, SCRATCH) /* first run of each colour, and the end */        \
    X(parts, struct run, runs, SCRATCH)         /* element clusters of large bodies, by colour */  \
    X(part_first, uint32_t, colours, SCRATCH)                                                      \
    X(tickets, _Atomic(uint64_t), tickets, SCRATCH) /* of the job system */

enum field {
#define X(name, type, dimension, kind) FIELD_##name,
    WORLD_FIELDS(X)
#undef X
        FIELD_COUNT
};

struct extent {
    uint64_t capacity, used, most;
};

struct record {
    unsigned char *memory; /* the caller's; null when not recording */
    size_t bytes, used;
    bool full;
};

struct piola_world {
    uint64_t magic;
    uint64_t bytes;
    piola_world_desc desc;
    struct extent dim[DIMENSION_COUNT];
    size_t offset[FIELD_COUNT];
    uint32_t particle_count; /* of all bodies */
    bool scheduled;          /* what follows fits the bodies that exist: schedule.c */
    uint32_t whole_count, large_count, chunk_count, colours, part_colours, part_count;
    uint32_t coupled_count; /* of the large ones */
    uint32_t limit_colours; /* element cluster colours of large bodies with limits, else 0 */
    bool tethered;          /* some large body has tethers */
    uint32_t pair_count, pairs_dropped; /* of the last substep */
    uint32_t block_count;               /* of surfaces, to be searched */
    uint32_t pair_pack_end, range_count;
    uint32_t grip_packs; /* those whose pairs have recalled their grips */
    struct pair_range ranges[PAIR_RANGES];
    struct spill spill;
    float crowd_drift[3];      /* m, the way of those that go like most: contact_crowd.c */
    float dropped_keep;        /* m, the least that remains between those for which was no room */
    uint32_t limit_round;      /* of taking shares from particles */
    uint32_t limit_known;      /* packs of pairs that earlier rounds have looked at */
    bool carries, lags, halts; /* while limited: bodies are carried, pins and colliders may lag */
    bool sought_carried;       /* ... and were when what strays was sought the last time */
    uint32_t limit_state;      /* enum limit_state: contact.h */
    uint32_t outside_round;    /* of contact_outside.c */
    _Atomic(uint32_t) outside_changed;
    _Atomic(uint32_t) page_end; /* taken of `pages` */
    _Atomic(uint32_t) strays;   /* 1: particles went where no pairs were sought */
    uint32_t collider_end;      /* slots up to the last live collider */
    uint32_t attachments_full;  /* no slot below it is free */
    bool attachments_ended;     /* some were, since ties were counted */
    uint32_t rigid_end;         /* ... to the last with mass */
    uint32_t events_dropped;    /* contact events of the last step */
    bool pairs_readable;        /* pairs and their forces are those of the last step */
    struct record record;
    _Alignas(PIOLA_ALIGNMENT) _Atomic(uint64_t) commands_pushed; /* tail of the queue, producers */
    _Alignas(PIOLA_ALIGNMENT) uint64_t commands_taken;           /* head, the step */
    struct jobs jobs;
};

#define X(name, type, dimension, kind)                                                             \
    static inline type *world_##name(const piola_world *world)                                     \
    {                                                                                              \
        return (type *)(void *)((char *)(uintptr_t)world + world->offset[FIELD_##name]);           \
    }
WORLD_FIELDS(X)
#undef X

/* What the table says of a field, for code that walks over all of them. */
struct field_info {
    const char *name;
    size_t element;
    enum dimension dimension;
    enum field_kind kind;
};
extern const struct field_info world_fields[FIELD_COUNT];

/* True for a pointer to a world that was created and not destroyed. */
static inline piola_status world_check(const piola_world *world)
{
    if (!world)
        return PIOLA_ERROR_NULL;
    return world->magic == WORLD_MAGIC ? PIOLA_OK : PIOLA_ERROR_COOKIE;
}

/* What a description asks of a step. The objective is needed to report it, or to safeguard an
 * acceleration. */
static inline bool world_descends(const piola_world_desc *desc)
{
    return desc->solver == PIOLA_SOLVER_DESCENT;
}
static inline bool world_accelerates(const piola_world_desc *desc)
{
    return world_descends(desc) && desc->chebyshev > 0;
}
/* Descent guesses from the last substep's acceleration, BDF2 from its velocity. */
static inline bool world_remembers(const piola_world_desc *desc)
{
    return world_descends(desc) || desc->integrator == PIOLA_INTEGRATOR_BDF2;
}
static inline bool world_measures_objective(const piola_world_desc *desc)
{
    return desc->report_physics || world_accelerates(desc);
}

/* Coupled bodies are tied to others: all of them advance together, an iteration at a time. What
 * ties them sets its bit when it begins to act on a body and clears it when it ends: world_tie. */
enum body_ties { TIE_ATTACHMENT = 1, TIE_CONTACT = 2, TIE_PRESSURE = 4 };
static inline bool world_coupled(const piola_world *world, uint32_t body)
{
    return world_ties(world)[body] != 0 ||
           (world->desc.max_contacts > 0 && world_paired(world)[body] != 0);
}
static inline void world_tie(piola_world *world, uint32_t body, enum body_ties tie, bool acts)
{
    uint32_t *ties = &world_ties(world)[body];
    const uint32_t now = acts ? *ties | (uint32_t)tie : *ties & ~(uint32_t)tie;
    if ((now != 0) != (*ties != 0))
        world->scheduled = false;
    *ties = now;
}

/* Stages that walk over the element clusters of large bodies: measuring, and wind. */
static inline bool world_lists_parts(const piola_world_desc *desc)
{
    return world_measures_objective(desc) || desc->air_density > 0;
}

/* True when, in this substep, some particle of the body may meet a collider. */
static inline bool body_touched(const piola_world *world, const struct body *body)
{
    return world->collider_end > 0 &&
           atomic_load_explicit(&world_touched(world)[body - world_bodies(world)],
                                memory_order_relaxed) != 0;
}

/* A collider's shape with what it refers to. */
static inline struct form world_form(const piola_world *world, const struct collider *collider)
{
    return (struct form){&collider->shape, collider->compiled > 0
                                               ? world_shapes(world)[collider->compiled - 1]
                                               : NULL};
}

/* layout.c: poisons or unpoisons, for the address sanitizer, everything between the arrays. */
void layout_fence(const piola_world *world);
void layout_unfence(const void *memory, size_t bytes);
/* Sets `used` of a dimension and keeps its high-water mark. */
void dimension_use(piola_world *world, enum dimension dimension, uint64_t used);

/* body.c: the body behind a handle, or null. */
struct body *body_find(const piola_world *world, piola_body handle);
/* True when the asset has the packs that the world's solver and reports walk over. */
bool body_asset_fits(const piola_world *world, const piola_asset *asset);
/* Counts, anew from the bodies, what is used of each dimension. */
void bodies_recount(piola_world *world);

static inline const piola_asset *body_asset(const piola_world *world, const struct body *body)
{
    return world_assets(world)[body->asset].asset;
}

#endif
