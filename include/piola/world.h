/* world.h - worlds, bodies, inputs, the step, state. Included by piola.h: include that. */
#ifndef PIOLA_PIOLA_WORLD_H
#define PIOLA_PIOLA_WORLD_H

#include "piola/asset.h"
#include "piola/command.h"
#include "piola/handle.h"

#ifdef __cplusplus
extern "C" {
#endif

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
    uint32_t max_bodies;      /* 1 to 65535 */
    uint32_t max_assets;      /* different assets known at one time, 1 to 65535 */
    uint32_t max_particles;   /* sum of piola_asset_stats.particles of all bodies, up to 2^28 */
    uint32_t max_packs;       /* sum of piola_asset_stats.packs; COMPLIANT only, else 0 will do */
    uint32_t max_attachments; /* at one time, 0 to 2^20; none without couplings */
    uint32_t max_guides; /* vertices that piola_body_pin_plane and piola_body_pin_line hold at one
                            time, 0 (none; default) to 2^20; when not 0, 16 bytes a particle */
    uint32_t max_tractions; /* at one time, 0 (none; default) to 65535: piola/traction.h; when not
                               0, 16 bytes a particle */
    uint32_t max_traction_triangles; /* then: sum over them, 0 to 2^28, 20 bytes each */
    uint32_t max_link_packs;         /* sum of piola_asset_stats.link_packs of all bodies */
    uint32_t max_constraint_packs;   /* sum of piola_asset_stats.constraint_packs of all bodies, 0
                                        (default) to 2^28; when not 0, 16 bytes a particle */
    uint32_t max_plastic_packs;      /* sum of piola_asset_stats.plastic_packs of all bodies */
    uint32_t max_strain_packs; /* DESCENT: strains of damped and of plastic tetrahedra that are
                                  found once a substep, 384 bytes each, 0 to 2^28, default 4096;
                                  bodies without room find them in each iteration, with the
                                  same results in about 1.5 times the time */
    uint32_t max_contacts; /* pairs of surface parts near each other, 0 (surfaces pass through each
                              other; default) to 2^28: docs/method/surface.md */
    uint32_t max_contact_faces; /* then: sum of piola_asset_stats.surface_triangles of all bodies */
    uint32_t max_colliders;     /* 0 to 65535; when not 0, contact takes some bytes a particle */
    uint32_t max_face_contacts; /* contacts at one time between triangles of bodies and colliders,
                                   whose edges and faces are then kept out of each other, 0
                                   (vertices alone are; default) to 2^24, about 180 bytes each where
                                   there may be colliders; then DESCENT takes 48 bytes a particle
                                   also without couplings: docs/method/collide.md */
    uint32_t max_rigids;        /* rigid bodies, 0 to 65535 together with max_colliders; likewise */
    uint32_t max_rigid_contacts; /* pairs of rigid bodies near each other, 0 (they pass through each
                                    other; default) to 2^20, about 2.4 KB each:
                                    docs/method/rigid.md */
    uint32_t max_joints;     /* between rigid bodies, 0 (none; default) to 65535: piola/joint.h */
    uint32_t max_tools;      /* 0 (none; default) to 65535: piola/tool.h */
    uint32_t max_tool_holds; /* vertices that tools hold at one time, 0 (none; default) to 2^20 */
    uint32_t max_contact_events; /* contacts of bodies with colliders and bodies that can be read
                                    after a step, 0 (none; default) to 2^24 */
    uint32_t max_wind_nodes; /* of the grid of winds, 0 (none; default) to 2^26, 16 bytes each; only
                                where there is air: piola_world_set_wind_grid */
    uint32_t max_shapes;   /* different compiled shapes known at one time, 0 to 65535; default 16 */
    uint32_t max_commands; /* pushed between two steps; a power of two, 2 to 2^20 */
    float dt;              /* s, one step, 1e-6 to 1; piola_world_set_dt changes it */
    uint32_t substeps;     /* per step, 1 to 1000 */
    uint32_t iterations;   /* of the solver per substep, 0 (particles fly free) to 1000 */
    /* The most that piola_world_set_substeps and _set_iterations may set, at least what is
     * described, to 1000; 0 (default): that. Memory and piola_world_bound are for these. */
    uint32_t max_substeps, max_iterations;
    piola_solver solver;
    piola_integrator integrator;
    piola_isa isa;
    float gravity[3]; /* m/s^2 */
    float wind[3]; /* m/s, of the air around all bodies; see piola_world_set_wind. A grid of winds
                      adds what differs from place to place: piola/wind.h */
    float air_density; /* kg/m^3; 0 (default): no air, 1.2: at sea level. Cloth alone feels it. */
    float
        relaxation; /* factor on the corrections of the projection solvers, 0.1 to 1.9; default 1 */
    float chebyshev; /* acceleration of DESCENT: estimated rate of convergence, 0 (off) to 0.999 */
    float contact_thickness; /* m: distance at which surfaces push each other, 1e-6 to 1 */
    float contact_friction;  /* 0 to 10: of two things that touch where neither was given one */
    float catch_up_speed;    /* m/s, 1e-6 to 1e6, default 1: how much faster than their targets
                             pins and colliders go that surfaces had held up */
    /* Budgets of contact between surfaces: what piola_world_bound computes from them is never
     * exceeded. What they do not suffice for is put off, and nothing crosses for that. */
    uint32_t contact_searches; /* a substep, after the first, 0 to 16, default 16 */
    /* A substep, of taking shares of ways, 0 to 10000, default 480; without more, particles go less
     * than half of their least distance. */
    uint32_t contact_rounds;
    /* A search and 16 faces, 1 to 2^20, default 1024, and 64 times as many for edges and faces at
     * colliders; bodies whose search takes more, and what is near them, wait for a substep. */
    uint32_t contact_tests;
    /* Bodies without pins keep their linear and angular momentum to rounding (default true); the
     * solvers alone keep less: docs/method/descent.md. */
    bool keep_momentum;
    /* DESCENT: the energy of bodies never rises beyond the work of what acts on them (default
     * true): what iterations, few as they are, leave too much is taken from the motion that is not
     * rigid. Costs some per cent and 24 bytes a particle: docs/method/energy.md. */
    bool guard_energy;
    /* Bodies may be attached and hold pressure (default true). With DESCENT this takes 48 bytes a
     * particle, which max_contacts above 0 takes anyway. Colliders and surfaces do not need it. */
    bool couplings;
    /* DESCENT: bodies whose meshes have a coarse level use it (default true), and not chebyshev.
     * Takes 272 bytes a particle. Without it stiff solids need many more iterations. */
    bool coarse_level;
    /* Forces may be put on vertices: piola_body_set_force (default true). 16 bytes a particle. */
    bool vertex_forces;
    /* Bodies may be rods (default false; piola_world_desc_fit sets it where there are any): needs
     * DESCENT, and 1.8 KB a particle. */
    bool rods;
    /* Bodies and rigid bodies that lie still fall asleep, with all that touches them or is tied to
     * them, and cost nothing until something wakes them: docs/method/sleep.md. Default false. */
    bool sleep;
    /* m/s, 0 to 1e9, default 0.02: what is slower lies still; of a body the root of the mean square
     * of its vertices' speeds, of which none is four times as fast. */
    float sleep_speed;
    float sleep_time;    /* s, 0 to 1e6, default 0.5: for which all must have lain still */
    bool report_physics; /* fill the physics part of piola_report; costs about one iteration a step
                          */
    /* Seconds of a clock that never goes back, from which piola_report.phase_seconds are found;
     * piola_platform_seconds will do. Any thread that works in a step calls it, some tens of times
     * a substep and domain. Null (default): the engine knows no clock, and nothing is measured. */
    double (*clock)(void);
} piola_world_desc;

/* 64 bodies, 16 assets, 65536 particles, 1024 commands, 256 attachments, no colliders; 5 ms, 1
 * substep, 5 iterations; gravity -9.81 y. */
PIOLA_API piola_world_desc piola_world_desc_default(void);

/* Sets what bodies take of a world, so that those of a plan fit exactly: counts[i] of assets[i], or
 * one of each when counts is null; list each asset once. Sets max_bodies, _assets, _particles,
 * _packs, _plastic_packs, _strain_packs, _link_packs, _constraint_packs, _face_contacts (256 and 2
 * a triangle of a surface; set it to 0 afterwards where vertices alone are to be kept out of
 * colliders) and, when max_contacts is above 0, _contact_faces; set solver and max_contacts before.
 * Bodies that come and go need more: piola_world_compact. PIOLA_ERROR_TOO_LARGE names the limit
 * that no world has. */
PIOLA_API piola_status piola_world_desc_fit(piola_world_desc *desc,
                                            const piola_asset *const *assets,
                                            const uint32_t *counts, uint32_t n, piola_error *error);

/* Bytes of the one block that piola_world_create needs. PIOLA_ERROR_TOO_LARGE, PIOLA_ERROR_ISA. */
PIOLA_API piola_status piola_world_size(const piola_world_desc *desc, size_t *bytes,
                                        piola_error *error);
/* What a step does for contact between surfaces, and of edges and faces at colliders, in operations
 * whose number depends on what meets what; all others grow with what there is alone. */
typedef struct piola_contact_work {
    uint64_t searches;    /* for pairs; one is done twice when there is no room for what it finds */
    uint64_t tests;       /* in these: looks at 16 boxes, faces or pairs */
    uint64_t rounds;      /* of taking shares of ways */
    uint64_t proofs;      /* in these: packs of 16 pairs that are looked at */
    uint64_t pushes;      /* packs of 16 pairs, in the iterations */
    uint64_t face_looks;  /* for edges and faces at colliders: at a triangle and a collider near it,
                             or a triangle of its shape. Bounded where max_contacts is above 0: else
                             a body cannot wait, and the bound is UINT64_MAX */
    uint64_t face_pushes; /* contacts of these, in the iterations */
} piola_contact_work;

/* The most that any step of a world of this description does. PIOLA_ERROR_TOO_LARGE. */
PIOLA_API piola_status piola_world_bound(const piola_world_desc *desc, piola_contact_work *bound,
                                         piola_error *error);
/* Builds a world in `memory`, which must stay alive as long as the world. Nothing else is ever
 * asked for. First some microseconds of fixed arithmetic are run and compared with the results that
 * every build must have: PIOLA_ERROR_ARITHMETIC when one differs, as in a build with fast-math. The
 * caller's rounding mode does not matter: the engine computes in its own and puts the caller's
 * back. PIOLA_ERROR_TOO_LARGE, PIOLA_ERROR_ISA. */
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
 * until it is dropped. PIOLA_ERROR_ASSETS_FULL. */
PIOLA_API piola_status piola_world_add_asset(piola_world *world, const piola_asset *asset);
/* Forgets an asset; fine when it is not known. PIOLA_ERROR_ASSET_IN_USE while bodies use it. */
PIOLA_API piola_status piola_world_drop_asset(piola_world *world, const piola_asset *asset);

/* Which elastic bodies that nothing touches, holds or pushes, and that are caught elsewhere than in
 * their rest shape, tangled beyond what elasticity can undo, are led back to it in about 0.2 s;
 * momentum and orientation stay. Never those that flow or relax. Solids are taken for tangled only
 * while some of their elements are inverted, crushed or stretched far; an impulse, or a velocity or
 * position set from outside, clears what was seen of a body. NONE is for bodies that are meant to
 * rest so. ALL is for sheets that are too stiff to lie in folds for a moment, limp cloth may, and
 * whose rest shape is free of stress: not for links, patterns or bends at odds with it. */
typedef enum piola_untangle {
    PIOLA_UNTANGLE_SOLIDS = 0, /* bodies of tetrahedra alone */
    PIOLA_UNTANGLE_ALL,        /* bodies with triangles too */
    PIOLA_UNTANGLE_NONE,
    PIOLA_UNTANGLE_COUNT
} piola_untangle;

/* What a body's closed skin of triangles holds (piola_asset_stats.enclosed > 0). */
typedef enum piola_pressure {
    PIOLA_PRESSURE_NONE = 0,
    PIOLA_PRESSURE_GAUGE,  /* `pressure` above the surroundings', whatever the volume */
    PIOLA_PRESSURE_GAS,    /* an amount of gas: (p + ambient_pressure) V stays as it is */
    PIOLA_PRESSURE_VOLUME, /* a liquid: the volume stays, or gives way by volume_compliance */
    PIOLA_PRESSURE_COUNT
} piola_pressure;

typedef struct piola_body_desc {
    uint32_t cookie_;
    const piola_asset *asset;  /* see piola_world_add_asset for how long it must live */
    float position[3];         /* m, where the mesh's origin goes */
    float rotation[4];         /* unit quaternion x, y, z, w */
    float velocity[3];         /* m/s */
    float angular_velocity[3]; /* rad/s about the body's centre of mass */
    float acceleration[3];     /* m/s^2, a force field of this body, added to gravity */
    float gravity_scale;       /* factor on the world's gravity */
    float damping;          /* 1/s, >= 0: share of velocity lost per second to the surroundings */
    float relative_damping; /* 1/s, >= 0: share of the velocity relative to the body's own rigid
                               motion that is lost per second; momentum and spin stay */
    /* Of the triangles of cloth in the air, >= 0; 0 (default) is none. A plate that meets the wind
     * squarely has a drag of about 1.2. Not 0 needs an asset with PIOLA_COMPILE_FOR_PROJECTION. */
    float drag, lift;
    /* Bodies whose surfaces touch, colliders and rigid bodies: two meet when each one's category
     * has a bit of the other's mask. */
    uint64_t category;  /* default 1 */
    uint64_t mask;      /* default all */
    uint64_t user_data; /* the user's, kept and returned */
    bool self_contact;  /* its surface meets itself; default true */
    /* Coulomb's, 0 to 10, kinetic at most static. One below 0: as the other; both (default): none
     * is given. Of two things that touch, bodies, colliders or rigid bodies, or of a body with
     * itself, the geometric mean of what they were given counts; where one alone was given some,
     * that; where none was, piola_world_desc.contact_friction. */
    float friction_static, friction_kinetic;
    piola_pressure pressure_kind;
    /* Pa: GAUGE: inside minus outside. GAS, >= 0: absolute, that of the gas at the rest volume
     * times volume_scale. piola_body_set_pressure changes it. */
    float pressure;
    float ambient_pressure;  /* Pa, outside, >= 0, for GAS; default 101325 */
    float volume_scale;      /* VOLUME: what is held over the rest volume; default 1 */
    float volume_compliance; /* m^3/Pa, >= 0; 0 (default) holds it exactly */
    piola_untangle untangle; /* default PIOLA_UNTANGLE_SOLIDS */
} piola_body_desc;

/* At the origin, at rest, gravity in full, no damping, no air, no pressure: set the asset. */
PIOLA_API piola_body_desc piola_body_desc_default(void);

/* Between steps only, in time that grows with the body's size alone. A new body starts exactly at
 * its rest shape. PIOLA_ERROR_BODIES_FULL, _PARTICLES_FULL, _PACKS_FULL, _ASSETS_FULL,
 * _CONTACTS_FULL, _CONSTRAINTS_FULL; _SOLVER, _COMPILE_FOR, _RODS: the world cannot step such an
 * asset; _MESH_OPEN of a pressure; _HOLES: see piola_world_compact. */
PIOLA_API piola_status piola_body_create(piola_world *world, const piola_body_desc *desc,
                                         piola_body *body, piola_error *error);
/* Between steps only. Attachments to it end; its asset stays known to the world. Time grows with
 * the body's size; of one that is attached, or touches others, also with the number of all
 * attachments or all contacts. */
PIOLA_API piola_status piola_body_destroy(piola_world *world, piola_body body);
/* Between steps only. Closes the holes that destroyed bodies have left: bodies move together in the
 * block, in time that grows with all of them. Handles stay, and each body goes on with the same
 * bits as without; but the hash of the world also covers where bodies lie, and changes. */
PIOLA_API piola_status piola_world_compact(piola_world *world);
/* False once it was destroyed. */
PIOLA_API bool piola_body_alive(const piola_world *world, piola_body body);

/* Handles of all bodies, by rising index: the first `capacity` of them to `bodies` (null when that
 * is 0); `count` is how many there are. Colliders, rigid bodies and attachments have the same. */
PIOLA_API piola_status piola_world_bodies(const piola_world *world, piola_body *bodies,
                                          uint32_t capacity, uint32_t *count);

/* Copies positions (m) of vertices first .. first+count-1, in the description's order, 3 floats
 * each, out of the body. Between steps only. */
PIOLA_API piola_status piola_body_positions(const piola_world *world, piola_body body,
                                            uint32_t first, uint32_t count, float *xyz);
/* The same of velocities (m/s). */
PIOLA_API piola_status piola_body_velocities(const piola_world *world, piola_body body,
                                             uint32_t first, uint32_t count, float *xyz);
/* Copies positions (m) into the body. Between steps only. Values are finite and from -1e9 to 1e9;
 * the item of an error is the first vertex of which one is not, and then nothing changes. */
PIOLA_API piola_status piola_body_set_positions(piola_world *world, piola_body body, uint32_t first,
                                                uint32_t count, const float *xyz,
                                                piola_error *error);
/* The same of velocities (m/s). */
PIOLA_API piola_status piola_body_set_velocities(piola_world *world, piola_body body,
                                                 uint32_t first, uint32_t count, const float *xyz,
                                                 piola_error *error);

/* The box along the axes that holds all vertices of the body (m), now. */
PIOLA_API piola_status piola_body_bounds(const piola_world *world, piola_body body, float low[3],
                                         float high[3]);

/* The forces (N) that piola_body_set_force has set, likewise. */
PIOLA_API piola_status piola_body_forces(const piola_world *world, piola_body body, uint32_t first,
                                         uint32_t count, float *xyz);
/* What pins push with (N), likewise; 0 at vertices that are free, and in the directions in which
 * piola_body_pin_plane and piola_body_pin_line leave them so; the inertia of a pinned vertex itself
 * is left out. All pins of a body together give what its momentum says, mean of the step: times
 * the step they and piola_body_contact_forces sum to its change. (Not where planes, lines or tools
 * hold it too; where it touches something, max_contact_events must be above 0.) How that is spread
 * over pins is known from elements and links where the step ended; what tethers and bounds of
 * stretch carry is shared out like the rest. As of the last step; needs report_physics, else
 * PIOLA_ERROR_RANGE. Computes in the world's own scratch memory, so not while another thread reads
 * the world. */
PIOLA_API piola_status piola_body_reactions(piola_world *world, piola_body body, uint32_t first,
                                            uint32_t count, float *xyz);

/* The body's largest force imbalance of a free vertex that touches no collider, and the largest
 * force there that has to be balanced (N), as in piola_report; likewise needs report_physics. */
PIOLA_API piola_status piola_body_residual(const piola_world *world, piola_body body,
                                           double *residual, double *scale);

typedef struct piola_body_info {
    uint32_t vertices;
    uint64_t category, mask, user_data; /* as described */
    /* As described, or set since: 1/s; m/s^2; below 0: none was given. */
    float damping, relative_damping, gravity_scale, acceleration[3];
    float friction_static, friction_kinetic, drag, lift;
    bool asleep; /* it lies still and is not stepped: piola_world_desc.sleep */
    bool frozen; /* stopped at its last good state because a NaN or infinity appeared in it */
    double mass; /* kg */
    double momentum[3];         /* kg m/s */
    double angular_momentum[3]; /* kg m^2/s about the world's origin */
    double kinetic_energy;      /* J */
    double centre[3];           /* centre of mass, m */
    double volume;              /* m^3, inside closed triangles, else 0 */
    double pressure;            /* Pa, inside minus outside, of bodies that hold some */
    double energy_taken;        /* J, as in piola_report, in the last step */
    double pins_behind; /* m, from the farthest pin to its target where surfaces hold pins up: all
                           pins of a body wait together */
} piola_body_info;

/* Sums in double precision over the body's state; the same bits everywhere. */
PIOLA_API piola_status piola_body_inspect(const piola_world *world, piola_body body,
                                          piola_body_info *info);
/* What the body's elements and bends hold (J), without what plastic flow has used up; limits, links
 * and attachments hold nothing. Single precision: what a part of the body has beyond 3.4e38 J
 * counts as that. The same bits everywhere. */
PIOLA_API piola_status piola_body_elastic_energy(const piola_world *world, piola_body body,
                                                 double *energy);

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

/* What a step is made of, for those who want to know what takes its time. */
typedef enum piola_phase {
    PIOLA_PHASE_BEGIN = 0,   /* commands, lists of who does what */
    PIOLA_PHASE_PREDICT,     /* loads, prediction, rigid bodies' way */
    PIOLA_PHASE_FIND,        /* who may touch what */
    PIOLA_PHASE_ELEMENTS,    /* iterations: tetrahedra, triangles, bends; acceleration */
    PIOLA_PHASE_CONSTRAINTS, /* iterations: attachments, pressure, limits, tethers, all contact */
    PIOLA_PHASE_LIMIT,       /* after them: that nothing ends inside of another */
    PIOLA_PHASE_FINISH,      /* velocities, momentum, plastic flow */
    PIOLA_PHASE_MEASURE,     /* of report_physics and chebyshev */
    PIOLA_PHASE_END,         /* contact events, records */
    PIOLA_PHASE_COUNT
} piola_phase;

/* "begin", "predict" ... Static text, "unknown" for other values. */
PIOLA_API const char *piola_phase_name(piola_phase phase);

typedef struct piola_report {
    uint64_t step; /* number of this step, from 1 */
    double time;   /* simulated seconds since the world began */
    uint32_t bodies, particles;
    uint32_t commands, commands_refused;
    uint32_t frozen;           /* bodies that stand frozen after this step */
    uint32_t new_frozen;       /* of these, frozen by this step */
    uint32_t asleep;           /* bodies and rigid bodies that sleep after this step */
    uint32_t fell_asleep;      /* of these, those that did not before it */
    uint32_t woke;             /* that slept before this step, and do not after it */
    uint32_t untangling;       /* bodies that are led back to their rest shape */
    uint32_t stages;           /* barriers passed */
    uint32_t contacts;         /* pairs of surface parts that were watched in the last substep */
    uint32_t contacts_dropped; /* pairs for which there was no room: raise max_contacts. Their
                                  vertices went less than half of their distance instead */
    uint32_t contacts_put_off; /* bodies that waited because a search took more than
                                  contact_tests, counted in each substep */
    piola_contact_work work;   /* of this step: piola_world_bound has the most that it can be */
    uint32_t contact_events;   /* piola_world_contact_events */
    uint32_t contact_events_dropped; /* bodies' contacts with a collider or body, each once, for
                                        which there was no room: raise max_contact_events */
    uint32_t face_contacts;          /* of triangles near colliders in the last substep */
    uint32_t face_contacts_dropped;  /* for which there was no room: raise max_face_contacts. They
                                        do not pass, but feel nothing before they are stopped */
    uint32_t rigid_contacts;         /* pairs of rigid bodies near each other in the last substep */
    uint32_t rigid_contacts_dropped; /* for which there was no room, counted in each substep: raise
                                        max_rigid_contacts. They pass through each other */
    uint32_t joints_broken;          /* in this step */
    uint32_t joints_loose; /* that close loops for which there was no room in the joints' equations
                              (raise max_joints): they open by millimetres */
    /* J, what was taken from all bodies in this step because it came from nothing:
     * piola_world_desc.guard_energy. piola_body_info has each body's. */
    double energy_taken;
    /* physics, when piola_world_desc.report_physics is set, of the last substep; else 0 */
    double objective_before; /* J, implicit-Euler objective at the start of the iterations */
    double objective;        /* J, after them */
    double residual; /* N, largest force imbalance of a free vertex that touches no collider */
    /* The same over the largest force on a vertex that inertia, weight, loads and contacts bring,
     * of the body for which it is largest: 0 is balanced, 1 not at all. piola_body_residual has
     * all. */
    float relative_residual;
    piola_body least_converged;
    float max_stretch; /* largest principal stretch of an element */
    uint32_t inverted; /* elements with negative volume */
    /* s, by piola_phase, of the thread that called the step: they sum to its time. While single
     * workers do bodies apart, that time is split as their work was. 0 without a clock. */
    double phase_seconds[PIOLA_PHASE_COUNT];
} piola_report;

/* Advances the world by dt. `tasks` null: on this thread alone. `report` may be null. The result
 * has the same bits for any helpers. Bounded time, no allocation, no lock, no system call (outside
 * `tasks`). */
PIOLA_API piola_status piola_world_step(piola_world *world, const piola_tasks *tasks,
                                        piola_report *report);

/* A body or a rigid body that fell asleep or woke; the other handle is {0, 0}. */
typedef struct piola_sleep_event {
    piola_body body;
    piola_rigid rigid;
    bool asleep; /* it fell asleep; else it woke */
} piola_sleep_event;

/* What fell asleep or woke in the last step, bodies first, by rising index: the first `capacity` of
 * them to `events` (null when that is 0); `count` is how many there are. */
PIOLA_API piola_status piola_world_sleep_events(const piola_world *world, piola_sleep_event *events,
                                                uint32_t capacity, uint32_t *count);

/* ---- state: hash, snapshot
 * --------------------------------------------------------------- */

/* A number of the whole state: equal states of the same assets give equal numbers on every machine.
 * Handles are no part of it: a world that went back to a snapshot and one that did not agree. */
PIOLA_API uint64_t piola_world_hash(const piola_world *world);

/* A snapshot holds the state (not the assets); it may be stored, sent, and restored to this world
 * or to another created from the same description that knows the same assets in the same order.
 * Restoring checks all of that first. Commands that wait are not part of it: restoring leaves them
 * to the next step, unless piola_world_drop_commands is called too. The size follows what there is
 * now, contacts too: ask before each save, or take piola_world_size() bytes, which always do. */
PIOLA_API size_t piola_snapshot_size(const piola_world *world);
/* Between steps only. Into at least piola_snapshot_size() bytes. */
PIOLA_API piola_status piola_snapshot_save(const piola_world *world, void *memory, size_t bytes);
/* Between steps only. Trusts nothing: PIOLA_ERROR_SNAPSHOT_FORMAT, PIOLA_ERROR_SNAPSHOT_WORLD. */
PIOLA_API piola_status piola_snapshot_restore(piola_world *world, const void *memory, size_t bytes);

/* piola_snapshot_save for going back in a moment, as games do: nothing but copies, without a
 * checksum. As many bytes. */
PIOLA_API piola_status piola_rollback_save(const piola_world *world, void *memory, size_t bytes);
/* Only for bytes that piola_rollback_save wrote in this process and nobody changed: their values
 * are not looked at. Another size, version or description is refused as above, and so is a
 * snapshot, as piola_snapshot_restore refuses these. */
PIOLA_API piola_status piola_rollback_restore(piola_world *world, const void *memory, size_t bytes);

typedef struct piola_difference {
    const char *field; /* static name of the first state array that differs; null when none does */
    uint64_t item;     /* its first differing element */
    uint64_t count;    /* differing elements in all arrays */
} piola_difference;

/* Compares a world with a snapshot, bit by bit. PIOLA_ERROR_SNAPSHOT_FORMAT, _SNAPSHOT_WORLD. */
PIOLA_API piola_status piola_snapshot_compare(const piola_world *world, const void *memory,
                                              size_t bytes, piola_difference *difference);

/* ---- what waits, is full, was dropped
 * ---------------------------------------------------------- */

typedef struct piola_capacity {
    const char *name;  /* of the member of piola_world_desc: "max_particles" */
    uint64_t capacity; /* as described; 0 where the rest of the description leaves no use for it */
    uint64_t used;     /* now; commands: that wait; pairs: in the last step. What bodies leave holes
                          in is used up to the last of them: piola_world_compact */
    uint64_t most;     /* high-water mark since creation */
    uint64_t dropped;  /* how often there was no room since creation: bodies and the like that were
                          refused, commands that were, pairs and events dropped in steps */
} piola_capacity;

/* Describes capacity `index` of the world; PIOLA_ERROR_RANGE past the last one. */
PIOLA_API piola_status piola_world_capacity(const piola_world *world, uint32_t index,
                                            piola_capacity *capacity);

/* ---- what a step is made of
 * -------------------------------------------------------------------- */

/* One kind of work that all workers do together, as it was in the last step of a world with a clock
 * that had a report. What single workers do of small bodies is in "alone" and, where others may
 * come near, "approach", "advance" and "arrive". */
typedef struct piola_stage {
    const char *name; /* "surface_seek": docs/method has what a family's stages do */
    uint32_t runs;    /* how often: once a substep, an iteration or a colour */
    double seconds;   /* s, of the calling thread, all runs together */
} piola_stage;

/* Describes stage `index`; PIOLA_ERROR_RANGE past the last one. */
PIOLA_API piola_status piola_world_stage(const piola_world *world, uint32_t index,
                                         piola_stage *stage);

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

#ifdef __cplusplus
}
#endif

#endif
