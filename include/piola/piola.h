/* piola.h - the whole public interface of Piola, a real-time engine for deformable solids and
 * cloth.
 *
 * Units     SI throughout: metres, kilograms, seconds, newtons, pascals, radians.
 * Memory    The engine never allocates. Ask for a size, give one block, keep it alive while it is
 * used. Errors    Every call that can fail returns a piola_status; on failure nothing has changed.
 * Calls that check much input also fill an optional piola_error that names the field and the item.
 * Threads   A world belongs to one thread at a time, except piola_world_push, which any thread may
 * call at any moment, during a step too. Assets are immutable and may be shared by all threads.
 * Handles   Bodies are {index, generation} by value. All-zero is "no body". A handle of a destroyed
 * body is refused with PIOLA_ERROR_STALE. Language  C11, also usable from C++17.
 */
#ifndef PIOLA_H
#define PIOLA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PIOLA_API __attribute__((visibility("default")))
#else
#define PIOLA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define PIOLA_VERSION_MAJOR 0
#define PIOLA_VERSION_MINOR 1
#define PIOLA_VERSION_PATCH 0

/* Every block given to the engine must start at a multiple of this many bytes. */
#define PIOLA_ALIGNMENT 64

/* "0.1.0". Static text. */
PIOLA_API const char *piola_version(void);

/* ---- status ------------------------------------------------------------------------------------
 */

typedef enum piola_status {
    PIOLA_OK = 0,
    PIOLA_ERROR_NULL,        /* a required pointer is null */
    PIOLA_ERROR_COOKIE,      /* a description was not started from its piola_..._default() */
    PIOLA_ERROR_RANGE,       /* a value is outside its documented range */
    PIOLA_ERROR_NOT_FINITE,  /* a value is NaN or infinite */
    PIOLA_ERROR_TOO_LARGE,   /* the counts asked for need more bytes than can be addressed */
    PIOLA_ERROR_ALIGNMENT,   /* a memory block does not start at a multiple of PIOLA_ALIGNMENT */
    PIOLA_ERROR_MEMORY,      /* a memory block is smaller than its size function said */
    PIOLA_ERROR_STALE,       /* the handle's body was destroyed, or never was */
    PIOLA_ERROR_ISA,         /* the instruction set is not built in, or this processor lacks it */
    PIOLA_ERROR_BODIES_FULL, /* raise piola_world_desc.max_bodies */
    PIOLA_ERROR_PARTICLES_FULL, /* raise piola_world_desc.max_particles */
    PIOLA_ERROR_PACKS_FULL,     /* raise piola_world_desc.max_plastic_packs or max_packs */
    PIOLA_ERROR_ASSETS_FULL,    /* raise piola_world_desc.max_assets */
    PIOLA_ERROR_COMMANDS_FULL,  /* raise piola_world_desc.max_commands, or push less per step */
    PIOLA_ERROR_FAMILY,         /* the asset was not compiled for what the world does with it */
    PIOLA_ERROR_ASSET_IN_USE,   /* bodies still use the asset */
    PIOLA_ERROR_RECORDING,      /* not possible while inputs are being recorded */
    PIOLA_ERROR_THREADS,        /* the platform refused to start a thread */
    /* mesh descriptions; piola_error.item is the index of the vertex, element, edge or material */
    PIOLA_ERROR_MESH_EMPTY,      /* no vertices, or no elements */
    PIOLA_ERROR_MESH_INDEX,      /* an element names a vertex that does not exist */
    PIOLA_ERROR_MESH_REPEATED,   /* an element names one vertex twice */
    PIOLA_ERROR_MESH_DEGENERATE, /* an element has (nearly) no volume or area at rest */
    PIOLA_ERROR_MESH_INVERTED,   /* a tetrahedron has negative volume at rest: swap two of its
                                    vertices */
    PIOLA_ERROR_MESH_DUPLICATE,  /* two elements of one kind have the same vertices */
    PIOLA_ERROR_MESH_ISOLATED,   /* a vertex belongs to no element */
    PIOLA_ERROR_COLOURS,         /* too many clusters meet at one place: raise cluster_size */
    PIOLA_ERROR_MESH_MATERIAL,   /* an element names a material that does not exist */
    PIOLA_ERROR_MESH_FRAME, /* an element's fibre directions are zero, parallel or not finite */
    PIOLA_ERROR_MATERIAL, /* a material constant is outside its range; piola_error.field names it */
    /* stored assets */
    PIOLA_ERROR_BLOB_TRUNCATED, /* fewer bytes than the blob's header says */
    PIOLA_ERROR_BLOB_MAGIC,     /* not a compiled asset */
    PIOLA_ERROR_BLOB_VERSION, /* compiled by another version of the engine or for another byte order
                               */
    PIOLA_ERROR_BLOB_CHECKSUM, /* the bytes were changed */
    PIOLA_ERROR_BLOB_CORRUPT,  /* the checksum holds but the content is impossible */
    /* snapshots and records */
    PIOLA_ERROR_SNAPSHOT_FORMAT, /* not a snapshot, or of another version */
    PIOLA_ERROR_SNAPSHOT_WORLD,  /* the snapshot was taken of a world with other limits or assets */
    PIOLA_ERROR_RECORD_FULL,     /* the record's memory is used up; what it holds is intact */
    PIOLA_ERROR_RECORD_FORMAT,   /* not a record, or truncated, or of another version */
    PIOLA_STATUS_COUNT
} piola_status;

/* What was wrong and what to do about it, one sentence. Static text, never null. */
PIOLA_API const char *piola_status_text(piola_status status);

/* Where an error was found. field is static text ("piola_mesh_desc.vertices"), item counts from 0.
 */
typedef struct piola_error {
    piola_status status;
    const char *field;
    uint64_t item;
    bool has_item;
} piola_error;

/* Writes "field[item]: text" and a final 0 to at most `bytes` bytes. Returns the length the whole
 * text has, as snprintf does. `text` may be null when bytes is 0. */
PIOLA_API size_t piola_error_format(const piola_error *error, char *text, size_t bytes);

/* ---- instruction sets --------------------------------------------------------------------------
 */

typedef enum piola_isa {
    PIOLA_ISA_AUTO = 0, /* the widest this processor and this build have */
    PIOLA_ISA_SSE4,
    PIOLA_ISA_AVX2,
    PIOLA_ISA_AVX512,
    PIOLA_ISA_NEON,
    PIOLA_ISA_COUNT
} piola_isa;

/* True when the kernels are in this build and the processor and operating system can run them.
 * All instruction sets give the same bits. */
PIOLA_API bool piola_isa_available(piola_isa isa);
/* "sse4", "avx2" ... Static text, "unknown" for other values. */
PIOLA_API const char *piola_isa_name(piola_isa isa);

/* ---- materials ---------------------------------------------------------------------------------
 */

typedef enum piola_model {
    PIOLA_MODEL_STABLE_NEO_HOOKEAN = 0, /* the default: inversion-proof, cheapest with DESCENT */
    PIOLA_MODEL_STVK,                   /* St Venant-Kirchhoff, isotropic */
    PIOLA_MODEL_STVK_ORTHOTROPIC,       /* nine constants along the element's frame */
    PIOLA_MODEL_STVK_GENERAL,           /* 21 constants along the element's frame */
    PIOLA_MODEL_NEO_HOOKEAN,            /* the paper's eq. (8), continued linearly where crushed */
    PIOLA_MODEL_COUNT
} piola_model;

typedef struct piola_material {
    uint32_t cookie_;
    piola_model model;
    float density; /* kg/m^3 (kg/m^2 for triangles), > 0 */
    /* isotropic models */
    float young;   /* Pa, > 0 (N/m for triangles) */
    float poisson; /* -0.9 to 0.499 */
    /* PIOLA_MODEL_STVK_ORTHOTROPIC: along axes 1, 2, 3 of the element's frame */
    float young_axis[3];   /* E1, E2, E3, Pa */
    float poisson_axis[3]; /* nu12, nu23, nu31: contraction along the second axis under pull along
                              the first */
    float shear_axis[3];   /* G12, G23, G31, Pa */
    /* PIOLA_MODEL_STVK_GENERAL: the upper triangle, row by row, of the symmetric 6x6 matrix from
     * strain (xx yy zz 2yz 2xz 2xy) to stress (xx yy zz yz xz xy), Pa. Must be positive definite.
     */
    float stiffness[21];
    float damping; /* s, >= 0: viscous stress is damping times the rate of the elastic stress */
    /* plasticity; off while plastic_yield is 0. Strains are Frobenius norms of Green strain. */
    float plastic_yield; /* elastic deviatoric strain above which material flows */
    float plastic_creep; /* 1/s, share of that strain absorbed per second */
    float plastic_max;   /* bound of the plastic strain */
} piola_material;

/* Soft rubber: stable Neo-Hookean, 1e5 Pa, 0.45, 1000 kg/m^3, no damping, no plasticity. */
PIOLA_API piola_material piola_material_default(void);

/* ---- assets: meshes compiled for the kernels ----------------------------------------------------
 */

/* What to compile for; a family that is left out costs no memory. */
typedef enum piola_family {
    PIOLA_FAMILY_PROJECTION = 1, /* solvers ENERGY, COMPLIANT, EXPLICIT */
    PIOLA_FAMILY_DESCENT = 2     /* solver DESCENT */
} piola_family;

/* A mesh as it comes from a modeller. All pointers are read during piola_asset_plan and
 * piola_asset_build only. Optional pointers may be null. */
typedef struct piola_mesh_desc {
    uint32_t cookie_;
    uint32_t families;          /* piola_family bits; default both */
    const double *vertices;     /* 3 per vertex, m */
    uint32_t vertex_count;      /* 1 to 2^26 */
    const uint32_t *tetrahedra; /* 4 per tetrahedron; (v1-v4, v2-v4, v3-v4) right-handed */
    uint32_t tetrahedron_count;
    const uint32_t *tetrahedron_materials; /* 1 per tetrahedron; null means material 0 */
    const float *tetrahedron_frames; /* 6 per tetrahedron: first and second material axis; null
                                        means x and y */
    const uint32_t *triangles; /* 3 per triangle, cloth elements (not the surface of a solid) */
    uint32_t triangle_count;
    const uint32_t *triangle_materials;
    const float
        *triangle_directions; /* 3 per triangle: warp direction; null means its first edge */
    const uint32_t
        *bends; /* 4 per bending edge: the edge's two vertices, then the two opposite ones */
    uint32_t bend_count;
    const uint32_t *bend_materials;
    const piola_material *materials;
    uint32_t material_count; /* at least 1 */
    uint32_t cluster_limit;  /* a body with more elements is cut into clusters; default 16384 */
    uint32_t cluster_size;   /* elements per cluster then; default 1024 */
} piola_mesh_desc;

PIOLA_API piola_mesh_desc piola_mesh_desc_default(void);

typedef struct piola_plan
    piola_plan; /* a mesh, checked, ordered and coloured; lives in scratch memory */
typedef struct piola_asset
    piola_asset; /* the compiled mesh: immutable, holds no pointers, can be stored */

/* Bytes of scratch that piola_asset_plan needs for this description. */
PIOLA_API piola_status piola_plan_size(const piola_mesh_desc *mesh, size_t *bytes,
                                       piola_error *error);

/* Checks the whole mesh, then orders and colours it in `scratch`, which must stay alive and
 * unchanged until piola_asset_build has run. Takes seconds for millions of elements: not for a
 * frame. */
PIOLA_API piola_status piola_asset_plan(const piola_mesh_desc *mesh, void *scratch, size_t bytes,
                                        piola_plan **plan, piola_error *error);
/* Exact bytes of the asset that the plan will become. */
PIOLA_API size_t piola_plan_asset_size(const piola_plan *plan);
/* Writes the asset into `memory`. The mesh description must still be valid. */
PIOLA_API piola_status piola_asset_build(const piola_plan *plan, const piola_mesh_desc *mesh,
                                         void *memory, size_t bytes, const piola_asset **asset,
                                         piola_error *error);

/* An asset is its own file format: store piola_asset_bytes(asset) bytes from its address; read them
 * back to aligned memory and open them in place. Opening trusts nothing: every count, index and
 * number is checked. The memory must stay alive and unchanged while any world uses the asset. */
PIOLA_API size_t piola_asset_bytes(const piola_asset *asset);
PIOLA_API piola_status piola_asset_open(const void *memory, size_t bytes, const piola_asset **asset,
                                        piola_error *error);
/* Same content, same number, on every machine. */
PIOLA_API uint64_t piola_asset_hash(const piola_asset *asset);

typedef struct piola_asset_stats {
    uint32_t vertices;  /* as described */
    uint32_t particles; /* that each body takes of piola_world_desc.max_particles */
    uint32_t tetrahedra, triangles, bends;
    uint32_t packs;         /* that each body takes of piola_world_desc.max_packs */
    uint32_t plastic_packs; /* that each body takes of piola_world_desc.max_plastic_packs */
    uint32_t surface_triangles;
    uint32_t clusters, vertex_clusters;
    uint32_t cluster_colours, vertex_cluster_colours;
    uint32_t element_colours, vertex_colours; /* of a plain greedy colouring, for comparison */
    float fill_elements; /* share of the lanes of all element packs that hold an element, 0 to 1 */
    float fill_vertices; /* share of the lanes of all vertex slots that hold a visit, 0 to 1 */
    double mass;         /* kg */
    double volume;       /* m^3 at rest, tetrahedra only */
} piola_asset_stats;

PIOLA_API piola_status piola_asset_stats_get(const piola_asset *asset, piola_asset_stats *stats);

/* Outer faces of the tetrahedra and all cloth triangles, 3 vertex numbers (of the description)
 * each, counter-clockwise seen from outside. Lives as long as the asset. */
PIOLA_API const uint32_t *piola_asset_surface(const piola_asset *asset, uint32_t *triangle_count);

/* ---- worlds -------------------------------------------------------------------------------------
 */

typedef enum piola_solver {
    PIOLA_SOLVER_DESCENT =
        0, /* vertex descent on the implicit-Euler objective: true stiffness; default */
    PIOLA_SOLVER_ENERGY,    /* the paper's energy projection: stiff look, ignores Young's modulus */
    PIOLA_SOLVER_COMPLIANT, /* XPBD on C = sqrt(2E) */
    PIOLA_SOLVER_EXPLICIT,  /* lambda = -dt^2: explicit finite elements, for tests and tiny steps */
    PIOLA_SOLVER_COUNT
} piola_solver;

typedef enum piola_integrator {
    PIOLA_INTEGRATOR_EULER = 0, /* symplectic Euler, first order */
    PIOLA_INTEGRATOR_BDF2,      /* two-step backward differences, second order, damps less */
    PIOLA_INTEGRATOR_COUNT
} piola_integrator;

typedef struct piola_world_desc {
    uint32_t cookie_;
    uint32_t max_bodies;        /* 1 to 65535 */
    uint32_t max_assets;        /* different assets known at one time, 1 to 65535 */
    uint32_t max_particles;     /* sum of piola_asset_stats.particles of all bodies, up to 2^28 */
    uint32_t max_packs;         /* sum of piola_asset_stats.packs; COMPLIANT only, else 0 will do */
    uint32_t max_plastic_packs; /* sum of piola_asset_stats.plastic_packs of all bodies */
    uint32_t max_commands;      /* pushed between two steps; a power of two, 2 to 2^20 */
    float dt;                   /* s, one step, 1e-6 to 1 */
    uint32_t substeps;          /* per step, 1 to 1000 */
    uint32_t iterations;        /* of the solver per substep, 0 (particles fly free) to 1000 */
    piola_solver solver;
    piola_integrator integrator;
    piola_isa isa;
    float gravity[3]; /* m/s^2 */
    float
        relaxation; /* factor on the corrections of the projection solvers, 0.1 to 1.9; default 1 */
    float chebyshev; /* acceleration of DESCENT: estimated rate of convergence, 0 (off) to 0.999 */
    /* Bodies without pins keep their linear and angular momentum to rounding (default true); the
     * solvers alone keep less: docs/solvers.md. */
    bool keep_momentum;
    bool report_physics; /* fill the physics part of piola_report; costs about one iteration a step
                          */
} piola_world_desc;

/* 64 bodies, 16 assets, 65536 particles, 1024 commands; 5 ms, 1 substep, 5 iterations; gravity
 * -9.81 y. */
PIOLA_API piola_world_desc piola_world_desc_default(void);

typedef struct piola_world piola_world;

/* Bytes of the one block that piola_world_create needs. */
PIOLA_API piola_status piola_world_size(const piola_world_desc *desc, size_t *bytes,
                                        piola_error *error);
/* Builds a world in `memory`, which must stay alive as long as the world. Nothing else is ever
 * asked for. */
PIOLA_API piola_status piola_world_create(const piola_world_desc *desc, void *memory, size_t bytes,
                                          piola_world **world, piola_error *error);
/* Copies a world, between steps, to another block of at least its piola_world_size() bytes; the
 * copy is a world of its own and both go on alike. (Outside sanitizer builds a plain copy of the
 * bytes does the same: a world holds no address of itself.) */
PIOLA_API piola_status piola_world_move(const piola_world *world, void *memory, size_t bytes,
                                        piola_world **moved);
/* Marks the block as no longer a world, so that later calls are refused. Frees nothing: the block
 * is the caller's. */
PIOLA_API piola_status piola_world_destroy(piola_world *world);
/* The instruction set in use. */
PIOLA_API piola_isa piola_world_isa(const piola_world *world);

/* Makes an asset known to the world before a body or a snapshot needs it; piola_body_create does it
 * too. Assets of equal content count as one. A known asset must stay alive as long as the world, or
 * until it is dropped, which is refused while bodies use it. */
PIOLA_API piola_status piola_world_add_asset(piola_world *world, const piola_asset *asset);
PIOLA_API piola_status piola_world_drop_asset(piola_world *world, const piola_asset *asset);

typedef struct piola_body {
    uint32_t index; /* from 1; 0 is no body */
    uint32_t generation;
} piola_body;

typedef struct piola_body_desc {
    uint32_t cookie_;
    const piola_asset *asset;  /* see piola_world_add_asset for how long it must live */
    float position[3];         /* m, where the mesh's origin goes */
    float rotation[4];         /* unit quaternion x, y, z, w */
    float velocity[3];         /* m/s */
    float angular_velocity[3]; /* rad/s about the body's centre of mass */
    float acceleration[3];     /* m/s^2, a force field of this body, added to gravity */
    float gravity_scale;       /* factor on the world's gravity */
    float damping;  /* 1/s, >= 0: share of velocity lost per second to the surroundings */
    uint32_t group; /* user's, kept and returned */
} piola_body_desc;

PIOLA_API piola_body_desc piola_body_desc_default(void);

/* Between steps only. A new body starts exactly at its rest shape. */
PIOLA_API piola_status piola_body_create(piola_world *world, const piola_body_desc *desc,
                                         piola_body *body, piola_error *error);
PIOLA_API piola_status piola_body_destroy(piola_world *world, piola_body body);
PIOLA_API bool piola_body_alive(const piola_world *world, piola_body body);

/* Copies positions (m) or velocities (m/s) of vertices first .. first+count-1, in the description's
 * order, 3 floats each, out of or into the body. Between steps only. Values must be finite. */
PIOLA_API piola_status piola_body_positions(const piola_world *world, piola_body body,
                                            uint32_t first, uint32_t count, float *xyz);
PIOLA_API piola_status piola_body_velocities(const piola_world *world, piola_body body,
                                             uint32_t first, uint32_t count, float *xyz);
PIOLA_API piola_status piola_body_set_positions(piola_world *world, piola_body body, uint32_t first,
                                                uint32_t count, const float *xyz);
PIOLA_API piola_status piola_body_set_velocities(piola_world *world, piola_body body,
                                                 uint32_t first, uint32_t count, const float *xyz);

typedef struct piola_body_info {
    uint32_t vertices;
    uint32_t group;
    bool frozen; /* stopped at its last good state because a NaN or infinity appeared in it */
    double mass; /* kg */
    double momentum[3];         /* kg m/s */
    double angular_momentum[3]; /* kg m^2/s about the world's origin */
    double kinetic_energy;      /* J */
    double centre[3];           /* centre of mass, m */
} piola_body_info;

/* Sums in double precision over the body's state; the same bits everywhere. */
PIOLA_API piola_status piola_body_info_get(const piola_world *world, piola_body body,
                                           piola_body_info *info);

/* ---- inputs -------------------------------------------------------------------------------------
 */

typedef enum piola_command_kind {
    PIOLA_COMMAND_PIN =
        1,               /* hold a vertex at value (m); repeated each step it is a moving target */
    PIOLA_COMMAND_UNPIN, /* let a vertex go */
    PIOLA_COMMAND_IMPULSE,      /* add value (N s) to a vertex's momentum */
    PIOLA_COMMAND_VELOCITY,     /* set the velocity of all free vertices of a body to value (m/s) */
    PIOLA_COMMAND_ACCELERATION, /* set the body's own force field to value (m/s^2) */
    PIOLA_COMMAND_GRAVITY,      /* set the world's gravity to value (m/s^2); body is ignored */
    PIOLA_COMMAND_THAW,         /* let a frozen body move again */
    PIOLA_COMMAND_COUNT
} piola_command_kind;

typedef struct piola_command {
    uint32_t kind;   /* piola_command_kind */
    uint32_t vertex; /* in the description's order; ignored where the kind has none */
    piola_body body;
    float value[3];
    uint32_t reserved_; /* must be 0 */
} piola_command;

/* Queues a command for the start of the next step. Any thread, any time, lock-free
 * (only not while the world is moved or destroyed). The value, kind
 * and reserved_ are checked here; a command whose body or vertex is gone when the step starts is
 * counted in piola_report.commands_refused. Commands from one thread keep their order. */
PIOLA_API piola_status piola_world_push(piola_world *world, const piola_command *command);

/* ---- the step -----------------------------------------------------------------------------------
 */

/* Helping threads for a step: the caller's own task system, or piola_workers_tasks(). The engine
 * calls start once per step; the lender then lets up to `helpers` other threads run work(argument,
 * n) once each, n from 1 to helpers; how many do, and when, is its own affair: the step finishes
 * even if none ever does. Then it calls finish, which must not return before every begun work() has
 * returned and must prevent any from beginning later. */
typedef void piola_work(void *argument, uint32_t worker);
typedef struct piola_tasks {
    void *context;
    uint32_t helpers; /* 0 to 63 */
    void (*start)(void *context, piola_work *work, void *argument);
    void (*finish)(void *context);
    /* Optional: called by a thread that has waited a while for *word to differ from `seen`; may
     * yield or sleep, must return soon after wake. Null: keep spinning. */
    void (*wait)(void *context, const void *word, uint32_t seen);
    void (*wake)(void *context, const void *word);
} piola_tasks;

typedef struct piola_report {
    uint64_t step; /* number of this step, from 1 */
    double time;   /* simulated seconds since the world began */
    uint32_t bodies, particles;
    uint32_t commands, commands_refused;
    uint32_t frozen;     /* bodies that stand frozen after this step */
    uint32_t new_frozen; /* of these, frozen by this step */
    uint32_t stages;     /* barriers passed */
    /* physics, when piola_world_desc.report_physics is set, of the last substep; else 0 */
    double objective_before; /* J, implicit-Euler objective at the start of the iterations */
    double objective;        /* J, after them */
    double residual;         /* N, largest force imbalance of a free vertex */
    float max_stretch;       /* largest principal stretch of an element */
    uint32_t inverted;       /* elements with negative volume */
} piola_report;

/* Advances the world by dt. `tasks` null: on this thread alone. `report` may be null. The result
 * has the same bits for any helpers. Bounded time, no allocation, no lock, no system call (outside
 * `tasks`). */
PIOLA_API piola_status piola_world_step(piola_world *world, const piola_tasks *tasks,
                                        piola_report *report);

/* ---- state: hash, snapshot, record
 * --------------------------------------------------------------- */

/* A number of the whole state: equal states give equal numbers on every machine. */
PIOLA_API uint64_t piola_world_hash(const piola_world *world);

/* A snapshot holds the state (not the assets); it may be stored, sent, and restored to this world
 * or to another created from the same description that knows the same assets in the same order.
 * Restoring checks all of that first. Commands not yet consumed are not part of it. The size grows
 * with the bodies that exist now. */
PIOLA_API size_t piola_snapshot_size(const piola_world *world);
PIOLA_API piola_status piola_snapshot_save(const piola_world *world, void *memory, size_t bytes);
PIOLA_API piola_status piola_snapshot_restore(piola_world *world, const void *memory, size_t bytes);

typedef struct piola_difference {
    const char *field; /* static name of the first state array that differs; null when none does */
    uint64_t item;     /* its first differing element */
    uint64_t count;    /* differing elements in all arrays */
} piola_difference;

/* Compares a world with a snapshot, bit by bit. */
PIOLA_API piola_status piola_snapshot_compare(const piola_world *world, const void *memory,
                                              size_t bytes, piola_difference *difference);

/* Records the commands each step consumes, and the state's hash after it. While recording, bodies
 * cannot be created or destroyed (PIOLA_ERROR_RECORDING). `memory` must stay alive until recording
 * ends. A full record stops growing and says so at piola_record_end; the simulation goes on. */
PIOLA_API piola_status piola_record_begin(piola_world *world, void *memory, size_t bytes);
PIOLA_API piola_status piola_record_end(piola_world *world, size_t *bytes_used);
/* Steps a world through a record. Stops at the first step whose hash differs and tells its number
 * (counted from 1), or 0 when all agree. */
PIOLA_API piola_status piola_record_play(piola_world *world, const piola_tasks *tasks,
                                         const void *memory, size_t bytes,
                                         uint64_t *first_difference);

/* ---- memory report
 * -------------------------------------------------------------------------------- */

typedef struct piola_memory_entry {
    const char *name;  /* of the array */
    size_t bytes;      /* it takes in the block */
    uint64_t capacity; /* elements */
    uint64_t used;     /* now */
    uint64_t most;     /* high-water mark since creation */
    bool state;        /* part of snapshots */
} piola_memory_entry;

/* Describes array `index` of the block; PIOLA_ERROR_RANGE past the last one. */
PIOLA_API piola_status piola_world_memory(const piola_world *world, uint32_t index,
                                          piola_memory_entry *entry);

/* ---- workers: threads of the platform, for callers without a task system
 * --------------------------- */

typedef enum piola_wait_policy {
    PIOLA_WAIT_SPIN = 0, /* lowest latency; burns a core per helper, between steps too (haptics) */
    PIOLA_WAIT_YIELD,    /* spins briefly, then yields */
    PIOLA_WAIT_SLEEP,    /* spins briefly, then sleeps until woken (games) */
    PIOLA_WAIT_COUNT
} piola_wait_policy;

typedef struct piola_workers_desc {
    uint32_t cookie_;
    uint32_t threads;         /* working threads including the caller's, 1 to 64 */
    piola_wait_policy policy; /* default PIOLA_WAIT_SLEEP */
    bool pin_to_cores;        /* one core per helper, where allowed */
    bool realtime;            /* SCHED_FIFO for helpers, where allowed */
    uint32_t spins;           /* pauses before yielding or sleeping; default 2000 */
} piola_workers_desc;

PIOLA_API piola_workers_desc piola_workers_desc_default(void);

typedef struct piola_workers piola_workers;

PIOLA_API piola_status piola_workers_size(const piola_workers_desc *desc, size_t *bytes,
                                          piola_error *error);
PIOLA_API piola_status piola_workers_create(const piola_workers_desc *desc, void *memory,
                                            size_t bytes, piola_workers **workers,
                                            piola_error *error);
/* Joins all threads. Not during a step. */
PIOLA_API void piola_workers_destroy(piola_workers *workers);
/* For piola_world_step; valid until piola_workers_destroy. One step at a time. */
PIOLA_API const piola_tasks *piola_workers_tasks(piola_workers *workers);

typedef enum piola_feature {
    PIOLA_FEATURE_THREADS = 1,     /* can start threads at all */
    PIOLA_FEATURE_AFFINITY = 2,    /* can pin a thread to a core */
    PIOLA_FEATURE_REALTIME = 4,    /* may use SCHED_FIFO */
    PIOLA_FEATURE_LOCK_MEMORY = 8, /* may lock memory */
    PIOLA_FEATURE_HUGE_PAGES = 16, /* may ask for huge pages */
    PIOLA_FEATURE_FUTEX = 32       /* sleeps without polling */
} piola_feature;

/* piola_feature bits that this machine allows this process; found by trying, nothing is changed. */
PIOLA_API uint32_t piola_platform_features(void);
/* Of what a piola_workers_desc asked for, what each and every helper got. */
PIOLA_API uint32_t piola_workers_features(const piola_workers *workers);
/* Touches, locks and asks huge pages for a block, as far as allowed; returns the piola_feature bits
 * got. */
PIOLA_API uint32_t piola_platform_harden(void *memory, size_t bytes);
/* Seconds of a monotonic clock; 0 on a platform without one. */
PIOLA_API double piola_platform_seconds(void);

#ifdef __cplusplus
}
#endif

#endif
