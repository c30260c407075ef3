/* stage.h - a scene made real: meshes compiled, a world with bodies in it, pins that move.
 *
 * Lives here: everything between the file's data and the steps. What must not live here: the loop
 * over time, what is printed, files and sensors.
 */
#ifndef APP_STAGE_H
#define APP_STAGE_H

#include "io/mesh/shape.h"
#include "io/scene/mesh_makers.h"

/* What the command line sets instead of the scene; negative or null: the scene's. */
struct stage_options {
    int64_t threads, iterations, substeps;
    int isa, solver;       /* piola_isa, piola_solver */
    double (*clock)(void); /* piola_world_desc.clock */
};

/* Versions 14 and 19 of clang-format lay braces in macros out differently. */
/* clang-format off */
#define STAGE_OPTIONS_NONE                                                                         \
    (struct stage_options)                                                                         \
    {                                                                                              \
        .threads = -1, .iterations = -1, .substeps = -1, .isa = -1, .solver = -1                   \
    }
/* clang-format on */

/* Vertices that somebody outside of the scene may pull at in a step. */
#define STAGE_GRIP 16u

/* A mesh with materials, compiled. Bodies that differ in neither share it. */
struct stage_asset {
    const struct meshgen *mesh;
    const struct scene_body *first; /* the body it was made for */
    const piola_asset *asset;
    piola_asset_stats stats;
    uint32_t *materials; /* 1 per element, index into the scene's materials */
};

/* A finer mesh bound to an asset's surface: what is drawn and written of its bodies. Its vertices
 * are those of the mesh's surface, split where sharp edges need more than one normal. */
struct stage_detail {
    const struct scene_body *first; /* the body it was made for; its copies share it */
    const struct stage_asset *asset;
    const piola_detail *detail;
    uint32_t *triangles; /* 3 vertices each */
    uint32_t *places;    /* of each vertex: number of its place; split ones share it. Rising where
                            a place comes first. */
    uint32_t place_count, vertex_count, triangle_count;
    void *memory, *pose;
    size_t pose_bytes;
};

struct stage_body {
    const struct scene_body *scene;
    const struct stage_asset *asset;
    const struct stage_detail *detail; /* or null */
    const char *name;
    uint32_t copy;
    piola_body_desc desc;
    piola_body handle;
    bool loaded; /* forces act on its vertices at some time */
};

/* How a vertex is held: along 1 direction (`way` is a plane's normal), along 2 (a line's direction)
 * or along all 3. */
struct stage_guide {
    unsigned held;
    double way[3];
};

/* The vertices of one pin of one body. */
struct stage_pin {
    const struct scene_pin *scene;
    const char *list; /* where it is in the file: "pins" ... */
    uint32_t body;    /* in stage.bodies */
    uint32_t *vertices;
    double *home; /* 3 each: where they are held at the start, m, world */
    double about[3];
    uint32_t count;
    struct stage_guide *guides; /* of each vertex; null when all are held whole */
};

/* One attachment of the engine for each vertex of `pin`. */
struct stage_attachment {
    const struct scene_attachment *scene;
    struct stage_pin pin;
    piola_attachment *handles;
};

/* The category of colliders and rigid bodies where some body lists whom it meets: beside the 32
 * groups of bodies, for such lists are of bodies only. */
#define STAGE_COLLIDERS (UINT64_C(1) << 32)

struct stage_collider {
    const struct scene_collider *scene;
    struct meshgen mesh;           /* its surface, in its own frame; empty for a plane */
    const piola_shape_data *shape; /* of the compiled ones, else null */
    void *shape_memory;
    piola_collider handle; /* or, with a mass: */
    piola_rigid rigid;
    piola_tool tool; /* that holds it, or null */
};

struct stage_joint {
    const struct scene_joint *scene;
    piola_joint handle;
    piola_joint_side base, moved;
};

/* Somebody outside of the scene, a window's mouse, who pulls at vertices of a body. */
struct stage_pull {
    struct stage_body *body; /* null: at none */
    uint32_t vertices[STAGE_GRIP];
    uint32_t count;
    float force[3]; /* N, on each */
};

#define STAGE_LOAD_ROWS 3

struct stage {
    const struct scene *scene;
    const char *path;
    struct pool pool;
    struct meshgen *meshes; /* one a scene mesh; empty until a body needs it */
    struct stage_asset *assets;
    struct stage_body *bodies;
    struct stage_pin *pins;
    struct stage_attachment *attachments;
    struct stage_collider *colliders;
    struct stage_joint *joints;
    uint32_t attachment_count, collider_count, joint_count;
    uint64_t joint_drives; /* axes that are told something */
    struct stage_detail *details;
    uint32_t detail_count;
    uint64_t detail_vertices, detail_triangles; /* of all bodies */
    uint32_t asset_count, body_count, pin_count;
    piola_world_desc desc;
    uint32_t threads;
    piola_world *world;
    void *world_memory;
    size_t world_bytes, asset_bytes;
    struct stage_pull pull;
    float *load_rows[STAGE_LOAD_ROWS]; /* 3 a vertex of the largest body: stage_loads.c */
    uint64_t loaded_vertices;          /* of all bodies that fields pull at */
    uint64_t pinned_vertices;          /* of all pins */
    uint64_t vertices, elements; /* of all bodies; elements: tetrahedra and triangles of cloth */
    piola_workers *workers;      /* null with one thread */
};

/* Compiles what the bodies need and builds the world. On failure call stage_close all the same.
 * `scene` must stay alive. */
bool stage_open(struct stage *stage, const struct scene *scene, const char *path,
                const struct stage_options *options, struct problem *problem);
void stage_close(struct stage *stage);

/* A second world that takes the first one's snapshots and reports physics. Its block is `*memory`,
 * which is the caller's to memory_give. */
piola_world *stage_twin(const struct stage *stage, void **memory, struct problem *problem);

/* ---- stage_room.c ---- */

/* Can the surfaces of two bodies (or, twice the same, of one) touch where there is room? */
bool stage_bodies_meet(const struct stage_body *a, const struct stage_body *b);
/* Room for contact, as the scene says, or, when it does not, by the bodies' surfaces. */
void stage_room_make(struct stage *stage);

/* ---- stage_assets.c ---- */

/* Loads the meshes that bodies use and compiles them. */
bool stage_assets_make(struct stage *stage, struct problem *problem);
const struct stage_asset *stage_asset_of(const struct stage *stage, const struct scene_body *body);

/* A region of box or sphere holds this point of the mesh; one of a number holds no point. */
bool stage_region_holds(const struct scene_region *region, const double point[3]);
uint32_t stage_material_index(const struct scene *scene, const char *name);

/* ---- stage_cloth.c: parts of an asset's description ---- */

/* The scene's materials, all of them, so that an index means the same in every asset; of cloth by
 * area, and behind them as many for bends. */
bool stage_materials(struct stage *stage, const struct stage_asset *asset, piola_mesh_desc *desc,
                     struct problem *problem);
/* Materials, warps and bends of cloth. */
bool stage_cloth_dress(struct stage *stage, const struct stage_asset *asset, const float *axes,
                       piola_mesh_desc *desc, struct problem *problem);
/* Links of a chain, and those that the body's "links" ask for; stage_links.c. */
bool stage_links(struct stage *stage, const struct stage_asset *asset, piola_mesh_desc *desc,
                 struct problem *problem);
/* Segments of rods and their sections; stage_rods.c. */
bool stage_rods(struct stage *stage, const struct stage_asset *asset, piola_mesh_desc *desc,
                struct problem *problem);
/* m */
float stage_rod_radius(const struct stage *stage, const struct stage_asset *asset,
                       uint32_t segment);
/* Distances, areas and volumes that the body's "constraints" ask for; stage_constraints.c. */
bool stage_constraints(struct stage *stage, const struct stage_asset *asset, piola_mesh_desc *desc,
                       struct problem *problem);
/* The anchors of a body with tethers. */
bool stage_tethers(struct stage *stage, const struct stage_asset *asset, piola_mesh_desc *desc,
                   struct problem *problem);

/* The mesh of that name, loaded when it has not been yet; null when that fails. */
const struct meshgen *stage_mesh(struct stage *stage, const char *name, struct problem *problem);

/* ---- stage_details.c ---- */

/* Binds the details that bodies name; to call when the bodies are listed. */
bool stage_details_make(struct stage *stage, struct problem *problem);
void stage_details_free(struct stage *stage);
/* The detail of a body now, 3 floats a vertex; normals may be null. */
bool stage_detail_take(const struct stage *stage, const struct stage_body *body, float *positions,
                       float *normals, struct problem *problem);

/* ---- stage_pins.c ---- */

/* Finds the vertices of every pin. */
bool stage_pins_make(struct stage *stage, struct problem *problem);
/* stage_guides.c: which directions pins hold, and room for guides. After all pins are open. */
bool stage_guides_make(struct stage *stage, struct problem *problem);
/* True for a pin that holds some directions only. */
bool stage_pin_guides(const struct scene_pin *pin);
/* Sets `pinned[vertex]` for each vertex of the body that a pin holds at the start. */
void stage_pins_mark(const struct stage *stage, uint32_t body, bool *pinned);
/* The commands of step `step`, counted from 1: pins that begin, move, or let go. */
bool stage_pins_push(const struct stage *stage, piola_world *world, uint64_t step,
                     struct problem *problem);

/* The vertices of a mesh that a pin selects; null `vertices` counts them. */
uint32_t stage_pin_select(const struct scene_pin *pin, const struct meshgen *mesh,
                          uint32_t *vertices);

/* Finds vertices, homes and the turn's centre; scene, list and body are set. */
bool stage_pin_open(struct stage *stage, struct stage_pin *pin, uint32_t index,
                    struct problem *problem);
enum pin_due { PIN_NOTHING, PIN_HOLD, PIN_LET_GO };
/* What is to be told of it in this step. */
enum pin_due stage_pin_due(const struct stage_pin *pin, double dt, uint64_t step);
/* Where its vertex `i` is to be at a time, s. */
void stage_pin_place(const struct stage_pin *pin, double time, uint32_t i, float target[3]);

struct pin_pose {
    double move[3], degrees;
};
struct pin_pose stage_pose_at(const struct scene_motion *motion, double time);

/* ---- stage_colliders.c ---- */

/* Surfaces and counts, before the world is made; then in the world. */
bool stage_colliders_make(struct stage *stage, struct problem *problem);
bool stage_colliders_create(struct stage *stage, struct problem *problem);
void stage_colliders_free(struct stage *stage);
/* Where it is and what it feels, of a rigid body in the same words; false when it is gone. */
bool stage_collider_info(const struct stage *stage, const struct stage_collider *collider,
                         piola_collider_info *info);
/* Where it is to be at a time, s. */
void stage_collider_place(const struct stage_collider *collider, double time, float position[3],
                          float rotation[4]);
bool stage_colliders_push(const struct stage *stage, piola_world *world, uint64_t step,
                          struct problem *problem);

/* ---- stage_tools.c ---- */

/* Counts, before the world is made; the tool of a rigid body that has one, then what they do. */
bool stage_tools_make(struct stage *stage, struct problem *problem);
piola_status stage_tool_create(struct stage *stage, struct stage_collider *collider,
                               piola_error *error);
bool stage_tools_push(const struct stage *stage, piola_world *world, uint64_t step,
                      struct problem *problem);
/* Of the tool of that name; false when there is none any more. */
bool stage_tool_info(const struct stage *stage, const char *name, piola_tool_info *info);

/* ---- stage_joints.c ---- */

/* Counts, before the world is made; then in the world, after its rigid bodies. */
bool stage_joints_make(struct stage *stage, struct problem *problem);
bool stage_joints_create(struct stage *stage, struct problem *problem);
bool stage_joints_push(const struct stage *stage, piola_world *world, uint64_t step,
                       struct problem *problem);
/* Where the frame of a side is now: its position and rotation. False when that is gone. */
bool stage_joint_frame(const struct stage *stage, const piola_joint_side *side,
                       piola_body_desc *frame);
/* Of the joint of that name; false when there is none any more. */
bool stage_joint_info(const struct stage *stage, const char *name, piola_joint_info *info);

/* ---- stage_shapes.c ---- */

/* Compiles the shape of a collider that needs one, and takes its surface. */
bool stage_shape_make(struct stage *stage, struct stage_collider *collider,
                      struct problem *problem);
/* Makes all shapes known to a world. */
piola_status stage_shapes_add(const struct stage *stage, piola_world *world);

/* ---- stage_heights.c ---- */

/* How high a surface is, seen from above, in samples so far apart: the caller's to memory_give, and
 * described in `field`, which points to them; null when that cannot be. */
float *stage_heights_sample(const struct meshgen *mesh, double spacing, piola_shape_desc *field,
                            const char *what, struct problem *problem);

/* ---- stage_attachments.c ---- */

/* Finds vertices and counts; before the world is made. */
bool stage_attachments_make(struct stage *stage, struct problem *problem);
/* Creates them in the world. */
bool stage_attachments_create(struct stage *stage, struct problem *problem);
bool stage_attachments_push(const struct stage *stage, piola_world *world, uint64_t step,
                            struct problem *problem);

/* ---- stage_fields.c ---- */

/* Checks fields, and makes room for what pins and fields tell a step. After stage_pins_make. */
bool stage_fields_make(struct stage *stage, struct problem *problem);
bool stage_fields_push(const struct stage *stage, piola_world *world, uint64_t step,
                       struct problem *problem);
/* Pins and fields: all that the step is told. */
bool stage_inputs_push(const struct stage *stage, piola_world *world, uint64_t step,
                       struct problem *problem);

/* ---- stage_loads.c ---- */

/* Checks the fields that pull at vertices. */
bool stage_loads_make(struct stage *stage, struct problem *problem);
/* `time`: when the step begins, s. */
bool stage_loads_push(const struct stage *stage, piola_world *world, double time,
                      struct problem *problem);

/* ---- stage_winds.c ---- */

/* Checks, and makes room for a grid; then fills it in the world. */
bool stage_winds_make(struct stage *stage, struct problem *problem);
bool stage_winds_create(struct stage *stage, struct problem *problem);
/* `time`: when the step begins, s. */
bool stage_winds_push(const struct stage *stage, piola_world *world, uint64_t step, double time,
                      struct problem *problem);

/* Null when there is none. */
const struct stage_body *stage_body_named(const struct stage *stage, const char *name,
                                          uint32_t copy);
uint32_t stage_nearest_vertex(const struct meshgen *mesh, const double place[3]);

/* Where a point of a body's mesh is placed at rest, m, world. */
void stage_place(const piola_body_desc *desc, const double point[3], double placed[3]);

#endif
