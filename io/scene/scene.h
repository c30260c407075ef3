/* scene.h - a scene as its file says it: plain data, checked key by key, nothing built yet.
 *
 * Lives here: the structs that the tables of scene_keys.c fill, and reading a file into them. What
 * must not live here: meshes, worlds and time (stage.h), which are made of this data.
 */
#ifndef APP_SCENE_H
#define APP_SCENE_H

#include "io/scene/keys.h"
#include "io/scene/scene_colliders.h"
#include "io/scene/scene_fields.h"
#include "io/scene/scene_joints.h"
#include "io/scene/view_keys.h"

/* Room for contact is made by what the bodies need: stage_room.c. */
#define CONTACTS_MADE UINT32_MAX

struct scene_world {
    uint64_t given;
    float dt;
    uint32_t substeps, iterations;
    uint32_t solver;     /* piola_solver */
    uint32_t integrator; /* piola_integrator */
    uint32_t isa;        /* piola_isa */
    uint32_t threads;    /* 0: as many as the machine has */
    float gravity[3];
    float air_density;
    uint32_t contacts; /* pairs; 0: surfaces pass through each other; CONTACTS_MADE: the loader */
    uint32_t face_contacts; /* 0: vertices alone are kept out of colliders; or CONTACTS_MADE */
    float contact_thickness, contact_friction, catch_up_speed, sleep_speed, sleep_time;
    float chebyshev, relaxation;
    bool coarse_level, sleep, report;
};

/* A rod's section, where it is not round and plain: as piola_rod, 0 where it is not given. */
struct scene_section {
    uint64_t given;
    float radius, stretch, shear, bend[2], twist, curvature[3];
    float across[3]; /* of its first axis */
};

struct scene_material {
    const char *name;
    uint64_t given;
    uint32_t model; /* piola_model */
    piola_material values;
    float bend;             /* of cloth, N m */
    uint32_t bend_model;    /* piola_bend_model */
    float crease_yield;     /* degrees */
    float crease_creep;     /* 1/s */
    float crease_max;       /* degrees */
    float bend_damping;     /* s */
    struct list relaxation; /* struct scene_relaxation */
    const struct scene_section *section;
};

/* A branch of a material that relaxes. */
struct scene_relaxation {
    uint64_t given;
    float share;
    float time; /* s */
};

struct scene_box {
    uint64_t given;
    double min[3], max[3];
};

struct scene_sphere {
    uint64_t given;
    double centre[3], radius;
};

/* ---- meshes: one struct a generator ---- */

struct mesh_box {
    uint64_t given;
    double size[3];
    uint32_t cells[3];
    uint32_t cut; /* 0: five tetrahedra a cell, 1: six */
};

struct mesh_beam {
    uint64_t given;
    uint32_t tetrahedra;
};

struct mesh_ball {
    uint64_t given;
    double radius;
    uint32_t tetrahedra;
};

struct mesh_torus {
    uint64_t given;
    double ring, tube;
    uint32_t tetrahedra;
};

struct mesh_rope {
    uint64_t given;
    double length, radius;
    uint32_t segments;
};

struct mesh_capsule {
    uint64_t given;
    double length, radius;
    uint32_t tetrahedra;
};

struct mesh_organ {
    uint64_t given;
    double size;
    uint32_t tetrahedra;
};

struct mesh_chain {
    uint64_t given;
    double length, radius;
    uint32_t links;
};

/* Rods. */
struct mesh_rod {
    uint64_t given;
    double length, radius;
    uint32_t segments;
};

struct mesh_helix {
    uint64_t given;
    double radius, height, turns, wire;
    uint32_t segments;
};

struct mesh_curve {
    uint64_t given;
    struct list points; /* float, 3 a point, m */
    double radius;
    uint32_t segments; /* 0: straight ones from point to point */
    bool closed;
};

struct mesh_grid {
    uint64_t given;
    double size[2];
    uint32_t cells[2];
    double relief, wave; /* m */
};

struct mesh_sphere {
    uint64_t given;
    double radius;
    uint32_t cuts;
};

/* A surface made a solid. */
struct mesh_filling {
    uint64_t given;
    uint32_t tetrahedra;
};

/* Cloth that is cut to another shape than it is drawn in. */
struct mesh_pattern {
    uint64_t given;
    bool texture; /* its file's texture coordinates are the pattern */
    double scale[2];
};

struct scene_mesh {
    const char *name;
    uint64_t given;
    const char *file;
    const struct mesh_box *box;
    const struct mesh_beam *beam;
    const struct mesh_ball *ball;
    const struct mesh_torus *torus;
    const struct mesh_rope *rope;
    const struct mesh_capsule *capsule;
    const struct mesh_organ *organ;
    const struct mesh_grid *grid;
    const struct mesh_sphere *sphere;
    const struct mesh_chain *chain;
    const struct mesh_rod *rod;
    const struct mesh_helix *helix;
    const struct mesh_curve *curve;
    const struct mesh_pattern *pattern;
    const struct mesh_filling *fill;
    double scale[3];
    double offset[3];
    uint32_t cluster_limit, cluster_size;
};

/* ---- bodies ---- */

/* The elements whose middle lies inside get another material, or other axes, or both. */
struct scene_region {
    uint64_t given;
    const struct scene_box *box;
    const struct scene_sphere *sphere;
    uint32_t number; /* of the mesh's file */
    const char *material;
    float axes[6];
};

struct scene_turn {
    uint64_t given;
    float axis[3];
    double degrees;
};

struct scene_frame {
    uint64_t given;
    double time, move[3], degrees;
};

struct scene_motion {
    uint64_t given;
    double axis[3], about[3];
    struct list frames; /* struct scene_frame */
};

struct scene_pin {
    uint64_t given;
    const struct scene_box *box;
    const struct scene_sphere *sphere;
    struct list vertices; /* uint32_t */
    const char *name;
    const struct scene_motion *motion;
    double release;      /* s; infinite: never */
    const char *axes;    /* "x", "yz" ...: those that are held; null: all, or what follows */
    double normal[3];    /* of a plane to stay in */
    double direction[3]; /* of a line to stay on */
    bool clamp;          /* of rods: how they stand there is held too */
};

struct scene_attachment {
    uint64_t given;
    struct scene_pin pin; /* which vertices, how they are led, when they are let go */
    const char *body, *to;
    uint32_t copy, to_copy;
    float compliance; /* m/N */
    float damping;    /* N s/m */
};

struct scene_start {
    uint64_t given;
    double scale[3];
    double random; /* m */
    uint32_t seed;
};

struct scene_copies {
    uint64_t given;
    uint32_t count[3];
    double spacing[3];
};

struct scene_detail {
    uint64_t given;
    const char *mesh;
    uint32_t subdivide;
    double relief, wave; /* m */
    bool embed;
};

struct scene_tethers {
    uint64_t given;
    uint32_t mode; /* piola_tether_mode */
    float slack;
};

/* Distances between vertices that are held. */
struct scene_links {
    uint64_t given;
    const struct scene_box *box;
    const struct scene_sphere *sphere;
    struct list vertices;    /* uint32_t, in pairs */
    float length;            /* m */
    float shortest, longest; /* factors on it */
    float compliance;        /* m/N */
    float damping;           /* N s/m */
};

/* Distances, areas or volumes that are held. */
struct scene_constraint {
    uint64_t given;
    uint32_t kind; /* piola_constraint_kind */
    const struct scene_box *box;
    const struct scene_sphere *sphere;
    struct list vertices; /* uint32_t, as many at a time as the kind has */
    float axis[3], across[3], least, most, compliance, stiffness; /* as in piola_constraint */
};

struct scene_body {
    uint64_t given;
    const char *name, *mesh, *material;
    const struct scene_detail *detail;
    struct list regions; /* struct scene_region */
    const struct scene_turn *rotation;
    uint32_t group;            /* 0 to 31 */
    piola_body_desc desc;      /* without its asset, rotation and mask */
    struct list collides_with; /* uint32_t */
    struct list pins;          /* struct scene_pin */
    struct list links;         /* struct scene_links */
    struct list constraints;   /* struct scene_constraint */
    uint32_t constraint_order; /* piola_constraint_order */
    float constraint_relaxation;
    const struct scene_start *start;
    const struct scene_copies *copies;
    const struct scene_tethers *tethers;
    const struct scene_pressure *pressure;
};

struct scene_sensor {
    uint64_t given;
    const char *name;
    uint32_t kind; /* row of sensor_kinds */
    const char *body, *attachment, *collider, *joint;
    uint32_t copy, vertex;
    double near[3];
};

struct scene {
    uint64_t given;
    const char *schema, *description;
    double seconds;
    const struct scene_world *world; /* never null once read */
    struct list materials;           /* struct scene_material */
    struct list meshes;              /* struct scene_mesh */
    struct list bodies;              /* struct scene_body */
    struct list colliders;           /* struct scene_collider */
    struct list attachments;         /* struct scene_attachment */
    struct list joints;              /* struct scene_joint */
    struct list fields;              /* struct scene_field */
    struct list sensors;             /* struct scene_sensor */
    const struct scene_view *view;   /* null when not given */
    uint32_t sensor_interval;        /* steps */
};

extern const struct table scene_table, scene_world_table, scene_material_table, scene_mesh_table,
    scene_box_table, scene_sphere_table, scene_constraint_table, scene_detail_table,
    scene_region_table, scene_pin_table, scene_attachment_table, scene_motion_table,
    scene_turn_table, scene_body_table, scene_sensor_table;

/* Scenes larger than this are refused. */
#define SCENE_FILE_MAX ((size_t)64 << 20)

/* Reads and checks a scene's text or file; `name` stands for the file in messages. */
bool scene_parse(const char *text, size_t bytes, const char *name, struct scene *scene,
                 struct pool *pool, struct problem *problem);
/* A mesh's file is a scene too: it falls on a floor (mesh_scene.c). */
bool mesh_scene_is(const char *path);
bool mesh_scene_read(const char *path, struct scene *scene, struct pool *pool,
                     struct problem *problem);
bool scene_read(const char *path, struct scene *scene, struct pool *pool, struct problem *problem);

#endif
