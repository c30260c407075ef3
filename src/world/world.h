/* world.h - what a world's block holds: its header, and one table of arrays.
 *
 * The table below sizes, places, points to, snapshots, hashes, compares and reports every array. To
 * add an array, add a line; nothing else keeps a list of them. Arrays are offsets from the world's
 * address, so a world can be copied to another address. The code that fills the block is layout.c.
 */
#ifndef PIOLA_WORLD_H
#define PIOLA_WORLD_H

#include "asset/asset.h"
#include "base/gaps.h"
#include "jobs/jobs.h"
#include "kernels/kernels.h"
#include "kernels/quads.h"
#include "piola/piola.h"
#include "world/filter.h"
#include "world/friction.h"

#include <string.h>

#define WORLD_MAGIC UINT64_C(0x31444c524f574c50) /* "PLWORLD1", little-endian */
#define MAX_COLOURS ASSET_COLOURS_MAX
#define CHUNK       2048u /* particles of a body that are one block */

/* Helpers that sleep come some tens of microseconds after they are called; those that spin, at
 * once: an eighth of that is worth it. */
#define HELPED_FROM 120000u /* ns */

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

/* How time advances since a command changed that: world/pace.h. */
struct pace {
    double time;    /* s, when it was changed */
    uint64_t since; /* the step after which it was */
    float dt;       /* s */
    uint32_t substeps, iterations, reserved;
};

/* The air around all bodies. */
struct weather {
    float wind[3]; /* m/s */
    float reserved;
};

/* How the air drags and lifts a body's cloth: coefficients. */
struct body_air {
    float drag, lift;
};

/* piola_untangle: BODY_TANGLES is NONE, BODY_UNFOLDS is ALL. More bits: untangle.h. A body is
 * loaded from the first force on a vertex until all its vertices are let go. */
enum body_flags {
    BODY_ALIVE = 1,
    BODY_FROZEN = 2,
    BODY_TANGLES = 4,
    BODY_UNFOLDS = 8,
    BODY_LOADED = 1 << 16,
    BODY_GUIDED = 1 << 17,  /* it has guides: world/guides.h */
    BODY_PRESSED = 1 << 18, /* it has tractions: families/tractions */
    BODY_LATE = 1 << 19,    /* its pins are behind their targets: world/pins.h */
    BODY_SENT = 1 << 20,    /* ... within a step: commands gave some targets */
    BODY_ASLEEP = 1 << 21,  /* it is not stepped until something wakes it: world/rest.h */
    BODY_STILL = BODY_FROZEN | BODY_ASLEEP
};

/* A body is a run of particles and the asset that says how they hang together. */
struct body {
    uint32_t generation;
    uint32_t flags;        /* body_flags */
    uint32_t asset;        /* slot in `assets` */
    float pace;            /* m, by which pins that are late came nearer in the last step */
    uint32_t first, count; /* particles, multiples of PK_LANES */
    uint32_t plastic_first, plastic_count; /* cells of plastic strain */
    uint32_t packs_first, packs_count;     /* cells of COMPLIANT's multipliers */
    uint32_t history;                      /* 1 when older_* hold the previous substep */
    uint32_t pins;                         /* pinned particles */
    float acceleration[3];
    float gravity_scale;
    float damping;
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
    float scale; /* N, of the forces that balance: largest of a free particle */
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

/* What of a body's energy is in a chunk of it, or in all: motion/energy.c. */
struct energy_chunk {
    double kinetic[2], work; /* J, when the substep began and now; of what acts on it */
    double coupled;          /* J, of the work: by what ties it to others */
    double far;              /* m, largest coordinate */
    bool pins_move, planes_move;
    struct sums then, now; /* momenta where the substep began and now, when asked for */
};

/* How the energy of a body is guarded in a substep. */
struct body_energy {
    uint64_t shape;   /* names the positions and history that `elastic` is of; 0: not known */
    uint64_t asset;   /* names what `stiffness` is of */
    double stiffness; /* N/m: elastic energy over the square of small shifts at random */
    double elastic;   /* J, now */
    double was;       /* J, elastic, when the substep began */
    double allowed;   /* J, elastic and kinetic, now */
    double has;       /* J, the same, as it would be */
    double taken;     /* J, in this step */
    double rigid;     /* J, of the motion below */
    double spare,
        over; /* J, of an island, at its leader: what its bodies may have more, and less */
    struct energy_chunk sum;
    /* The rigid motion, when the substep began and now: centre of mass (m), its velocity (m/s),
     * spin (rad/s), and what that gives to chords' spin (rad/s). */
    struct energy_spin {
        double centre[3], velocity[3], turn[3], chord[3];
    } spin[2];
    double angular[3];      /* kg m^2/s about the centre, now */
    float rotation[9];      /* by which that turns the body in a substep, less the identity */
    double share, next;     /* of its way beside that, where it is and where it goes */
    double whole, rest;     /* factors on velocities: of the rigid motion, and beside it */
    uint32_t state, wanted; /* enum energy_state; of it, what the running stages are for */
    bool known;             /* all that stores energy in it is */
    bool late;              /* it slept when the substep began: `was` is not known */
    bool open;              /* island, at its leader: not all that gives it energy is known */
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

/* How a body or, behind all bodies, a collider or rigid body has rested: world/rest.h. */
struct rest {
    float still;     /* s, for which it has been slower than it must be to fall asleep */
    float speed;     /* m/s, that of its own, where it has one */
    uint32_t own;    /* 1: it has */
    uint32_t asleep; /* 1, of a rigid body; a body has BODY_ASLEEP */
};

/* A particle's share of its body's coarse scratch. */
struct coarse_line {
    double value[PK_COARSE_DOUBLES];
};

/* How often all workers did a stage together, and how long that took, s. */
struct stage_time {
    uint32_t runs;
    double seconds;
};

/* A run of a body's particles, or one of its clusters: what one worker does at a time. */
struct chunk {
    uint32_t body, first, count;
};
struct run {
    uint32_t body, cluster;
};

/* Where in world_strains a body's are, of its visits: those of the substep's beginning and plastic
 * ones. */
struct strain_room {
    uint32_t began, held;
};
#define NO_STRAINS UINT32_MAX /* it has none, or there is no room */

/* Bodies that advance together. Its bodies, chunks, runs and parts follow each other in the lists
 * of the schedule. */
struct domain {
    bool shared; /* by all workers; else one worker does it alone. Lists are of its fixed bodies */
    uint32_t body_first, body_count;
    uint32_t chunk_first, chunk_count;
    uint32_t run_first, run_count;
    uint32_t part_first, part_count;
    uint64_t particles;
};

/* What arrays are counted in, all families, and all arrays, in the order of the block:
 * families.def. */
enum dimension {
#define DIMENSION(name, capacity) DIM_##name,
#include "families/families.def"
    DIMENSION_COUNT
};

enum family_number {
#define FAMILY(name) FAMILY_##name,
#include "families/families.def"
    FAMILY_COUNT
};
_Static_assert(FAMILY_COUNT <= 32, "struct step and ties have a bit a family");

enum field {
#define FIELD(name, type, dimension, kind, valid) FIELD_##name,
#include "families/families.def"
    FIELD_COUNT
};

enum field_kind {
    STATE,    /* what the future depends on: in snapshots and hashes */
    IDENTITY, /* hashes of what the world was given: whole in snapshots, which compare them */
    NAMES,    /* generations given, never to go back: in snapshots, not in hashes: names.h */
    SETTING,  /* fixed by calls between steps, not state */
    SCRATCH   /* means nothing between steps */
};

struct extent {
    uint64_t capacity, used, most;
    uint64_t dropped; /* how often there was no room */
};

/* What of a body occupies a run in a shared array. */
struct span {
    uint32_t first, count;
};
enum span_of { SPAN_PARTICLES, SPAN_PLASTIC, SPAN_PACKS, SPANS };
struct span body_span(const struct body *body, enum span_of what);

/* A record under way: record.h. */
struct record {
    unsigned char *memory; /* the caller's; null when not recording */
    size_t bytes;
    size_t used;   /* of whole steps */
    size_t open;   /* ... and of the step that is under way */
    uint64_t seal; /* of the last whole step */
    bool full;
};

struct piola_world {
    uint64_t magic;
    uint64_t bytes;
    uint64_t number;       /* of the description: number.c */
    piola_world_desc desc; /* with the pace of now: world/pace.h */
    struct {
        float dt;
        uint32_t substeps, iterations;
    } described;
    struct extent dim[DIMENSION_COUNT];
    size_t offset[FIELD_COUNT];
    uint64_t taken[SPANS];              /* of the arrays that bodies share, by all of them */
    uint64_t surface_triangles;         /* of all bodies */
    uint32_t loaded_bodies;             /* BODY_LOADED */
    uint32_t rod_bodies;                /* bodies of rods */
    uint32_t late_bodies;               /* BODY_LATE */
    bool scheduled;                     /* what follows fits the bodies that exist: schedule.c */
    uint32_t shared_count, alone_count; /* bodies that are shared or may meet others; all others */
    uint32_t fixed_count,
        small_count;                /* of the former: always shared; small enough for one worker */
    uint32_t joined_count;          /* bodies in the shared domain now */
    uint32_t joined_small;          /* ... of which are small */
    uint32_t colours, part_colours; /* of shared bodies */
    uint32_t part_end;              /* of all bodies: chunks' partials follow */
    uint64_t work;                  /* ns, of a step of all bodies by one worker, roughly */
    uint64_t helped_from;           /* ns: a step of less is done without help */
    uint32_t coupled_count;         /* of the shared ones: may be coupled to others */
    bool unchanged;                 /* no body or collider came or went since the last step */
    struct record record;
    _Alignas(PIOLA_ALIGNMENT) _Atomic(uint64_t) commands_pushed; /* tail of the queue, producers */
    _Atomic(uint64_t) commands_dropped;                          /* there was no room */
    _Alignas(PIOLA_ALIGNMENT) uint64_t commands_taken;           /* head, the step */
    struct jobs jobs;
};

/* What a snapshot holds, for those who say whether stepping it would be safe: nothing is aligned.
 * Fields are checked in their order: what stands before may be trusted. Only scratch is changed. */
struct stored {
    const piola_world *world; /* its description, assets and shapes; not its state */
    const unsigned char *at[FIELD_COUNT];
    struct extent dim[DIMENSION_COUNT];
};
/* For the rows of fields: all is possible; every float is a number. */
bool any(const struct stored *stored, enum field field);
bool finite_floats(const struct stored *stored, enum field field);

/* Families' headers make the functions of their own arrays in the same way. */
#define ARRAYS_OF "world/world.def"
#include "world/arrays.h"

/* What the table says of a field, for code that walks over all of them. */
struct field_info {
    const char *name;
    size_t element;
    enum dimension dimension;
    enum field_kind kind;
    bool (*valid)(const struct stored *stored, enum field field); /* null but for STATE */
};
extern const struct field_info world_fields[FIELD_COUNT];

/* Snapshots hold what the future depends on, what handles mean, and what the world was given, to
 * compare. */
static inline bool field_kept(int field)
{
    const enum field_kind kind = world_fields[field].kind;
    return kind == STATE || kind == NAMES || kind == IDENTITY;
}
/* What a snapshot of one world must find in another to mean the same there: world->number. */
uint64_t world_number(const piola_world *world);

/* families/tables.c, where the types of all arrays are known: every capacity from world->desc. */
void world_set_capacities(piola_world *world);

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
static inline bool world_guards_energy(const piola_world_desc *desc)
{
    return world_descends(desc) && desc->guard_energy &&
           (desc->iterations > 0 || desc->max_iterations > 0);
}
/* J, in the last step. */
static inline double energy_taken_of(const piola_world *world, uint32_t body)
{
    const bool lives = (world_bodies(world)[body].flags & (BODY_ALIVE | BODY_FROZEN)) == BODY_ALIVE;
    return lives && world->dim[DIM_energies].capacity > 0 ? world_energies(world)[body].taken : 0;
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

/* Marks of a body that has pairs: found before the iterations, or only after them. */
enum paired { PAIRED_BEFORE = 1, PAIRED_AFTER = 2 };

/* Coupled bodies are tied to others: all of them advance together, an iteration at a time. What
 * ties them sets its bit when it begins to act on a body and clears it when it ends: world_tie. */
#define TIE(family) (1u << FAMILY_##family)
static inline bool world_coupled(const piola_world *world, uint32_t body)
{
    return world_ties(world)[body] != 0 ||
           (world->desc.max_contacts > 0 && world_paired(world)[body] != 0);
}
static inline void world_tie(piola_world *world, uint32_t body, uint32_t tie, bool acts)
{
    uint32_t *ties = &world_ties(world)[body];
    const uint32_t now = acts ? *ties | tie : *ties & ~tie;
    if ((now != 0) != (*ties != 0))
        world->scheduled = false;
    *ties = now;
}

/* What world_touched says of a body in a substep. */
enum touched {
    TOUCHED = 1, /* some of its particles may meet a collider, and have planes */
    STRUCK = 2,  /* an impact that BDF2 must forget: collide.c, strikes() */
    FACED = 4    /* some of its edges and faces may meet a collider: collide_faces.h */
};

/* Sets `used` of an array that ends with its last element that is not all zero, and that has an
 * array of marks (base/marks.h): after any change, or after a change of one. */
void array_recount(piola_world *world, enum field field, enum field marks);
void array_changed(piola_world *world, enum field field, enum field marks, uint32_t index);

/* True when, in this substep, some particle of the body may meet a collider. */
static inline bool body_touched(const piola_world *world, const struct body *body)
{
    return world->dim[DIM_touched].used > 0 &&
           atomic_load_explicit(&world_touched(world)[body - world_bodies(world)],
                                memory_order_relaxed) != 0;
}

/* True for a body whose history ends with this substep. */
static inline bool body_struck(const piola_world *world, const struct body *body)
{
    return world->dim[DIM_touched].used > 0 &&
           (atomic_load_explicit(&world_touched(world)[body - world_bodies(world)],
                                 memory_order_relaxed) &
            STRUCK) != 0;
}

/* True when edges and faces of the body may meet a collider in this substep. */
static inline bool body_faced(const piola_world *world, const struct body *body)
{
    return world->dim[DIM_touched].used > 0 &&
           (atomic_load_explicit(&world_touched(world)[body - world_bodies(world)],
                                 memory_order_relaxed) &
            FACED) != 0;
}

/* layout.c: what a description makes of a world, without its memory. */
piola_status layout_plan(const piola_world_desc *desc, piola_world *world, piola_error *error);
/* layout.c: poisons or unpoisons, for the address sanitizer, everything between the arrays. */
void layout_fence(const piola_world *world);
void layout_unfence(const void *memory, size_t bytes);
/* Sets `used` of a dimension and keeps its high-water mark. */
void dimension_use(piola_world *world, enum dimension dimension, uint64_t used);
/* fit.c: what a family refused for want of room, when `field` names a member that is a capacity. */
void world_count_dropped(piola_world *world, const char *field);

/* body.c: is it an asset of this version? */
piola_status asset_sound(const piola_asset *asset);
/* The body behind a handle, or null. */
struct body *body_find(const piola_world *world, piola_body handle);
/* True when the asset has the packs that the world's solver and reports walk over. */
bool body_asset_fits(const piola_world *world, const piola_asset *asset);
/* Counts, anew from the bodies, what is used of each dimension. */
void bodies_recount(piola_world *world);
/* Of a body by its number, 1/s. */
void body_set_friction(piola_world *world, uint32_t body, float at_rest, float sliding);
void body_set_relative_damping(piola_world *world, uint32_t body, float damping);

static inline const piola_asset *body_asset(const piola_world *world, const struct body *body)
{
    return world_assets(world)[body->asset].asset;
}

/* An asset's clusters of one family, by colour. */
struct clusters {
    const struct asset_cluster *cluster;
    const uint32_t *colour_first; /* and the end */
    uint32_t count, colours;
};
static inline struct clusters clusters_of(const piola_asset *asset, bool of_vertices)
{
    return of_vertices ? (struct clusters){asset_vertex_clusters(asset),
                                           asset_vertex_cluster_colours(asset),
                                           asset->stats.vertex_clusters,
                                           asset->stats.vertex_cluster_colours}
                       : (struct clusters){asset_clusters(asset), asset_cluster_colours(asset),
                                           asset->stats.clusters, asset->stats.cluster_colours};
}

/* Hard limits on elements, tethers, any projection besides the solver's. */
static inline bool limits_elements(const piola_asset *asset)
{
    return asset->stats.links > 0 || asset->stats.limited_triangles > 0;
}
static inline bool limits_tethers(const piola_asset *asset)
{
    return asset->stats.tethers > 0;
}
static inline bool limits_any(const piola_asset *asset)
{
    return limits_elements(asset) || limits_tethers(asset) || asset->stats.constraints > 0;
}

/* In some of a body's flags: at how many looks it was being led back, and one; 0 when it is not. */
#define UNTANGLE_SHIFT 8
#define UNTANGLE_LAST  12u
#define UNTANGLE_FLAGS (15u << UNTANGLE_SHIFT)

static inline uint32_t untangle_stage(const struct body *body)
{
    return (body->flags & UNTANGLE_FLAGS) >> UNTANGLE_SHIFT;
}

/* True while the body's elements rest. */
static inline bool untangles(const struct body *body)
{
    return untangle_stage(body) > 0;
}

/* Whom a body meets. */
static inline struct filter body_filter(const piola_world *world, const struct body *body)
{
    const size_t index = (size_t)(body - world_bodies(world));
    return index < world->dim[DIM_body_filters].used ? world_body_filters(world)[index]
                                                     : (struct filter){0, 0, 0};
}

/* How its surface rubs. */
static inline struct friction body_friction(const piola_world *world, const struct body *body)
{
    const size_t index = (size_t)(body - world_bodies(world));
    return index < world->dim[DIM_body_frictions].used ? world_body_frictions(world)[index]
                                                       : friction_made(-1, -1);
}

/* True when the air changes velocities of the body. */
static inline bool wind_blows(const piola_world *world, const struct body *body)
{
    const size_t index = (size_t)(body - world_bodies(world));
    if (world->dim[DIM_airborne].used <= index)
        return false;
    const struct body_air *feels = &world_body_air(world)[index];
    return (feels->drag > 0 || feels->lift > 0) &&
           body_asset(world, body)->at.triangle_packs.count > 0;
}

#endif
