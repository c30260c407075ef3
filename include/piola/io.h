/* io.h - piola_io, a second library beside piola that may allocate: it reads and writes meshes,
 * makes simple ones, compiles them, and loads scenes, as the piola command does (which is built of
 * the same code). Include it beside piola.h and link piola_io (pkg-config piola_io).
 *
 * Units: SI throughout, as in piola.h.
 *
 * Memory: what a call gives belongs to the caller, who gives it back with the function named at it.
 * It comes from the description's allocator, else from C's malloc. Jansson and C's library take
 * theirs from malloc in any case, and give it back before the call returns.
 *
 * Errors: every call that can fail returns a piola_io_status and fills an optional piola_io_error:
 * what was wrong, in which file and line, and what to do. On failure nothing has changed and
 * nothing is left behind: no memory, no file half written. Refused by any call, and not repeated
 * below: a required pointer that is null (PIOLA_IO_ERROR_NULL); a description that was not started
 * from its default function (_COOKIE); numbers out of their ranges (_RANGE); no memory (_MEMORY).
 * The library never prints, never exits, and sets no signal handler.
 *
 * Files are not trusted: every count, index and number is checked, and the memory taken is bounded
 * by a small multiple of the file's size.
 *
 * Threads: any function may be called from any thread; one mesh or scene belongs to one thread at a
 * time. Functions that take a const mesh or scene may run side by side.
 *
 * Language: C11, also usable from C++17.
 */
#ifndef PIOLA_IO_H
#define PIOLA_IO_H

#include "piola/piola.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors -------------------------------------------------------------------------------------
 */

typedef enum piola_io_status {
    PIOLA_IO_OK = 0,
    PIOLA_IO_ERROR_NULL,    /* a required pointer is null */
    PIOLA_IO_ERROR_COOKIE,  /* a description was not started from its piola_io_..._default() */
    PIOLA_IO_ERROR_RANGE,   /* a value is outside its documented range */
    PIOLA_IO_ERROR_FORMAT,  /* this library cannot read, or write, files that end like this */
    PIOLA_IO_ERROR_FILE,    /* a file cannot be opened, read or written */
    PIOLA_IO_ERROR_CONTENT, /* a file is not what its format says, or names what does not exist */
    PIOLA_IO_ERROR_MEMORY,  /* the allocator gave none, or the mesh would be too large */
    PIOLA_IO_ERROR_ENGINE,  /* the engine refused it: see piola_io_error.engine */
    PIOLA_IO_ERROR_ABSENT,  /* this build has no scenes: it was made without jansson */
    PIOLA_IO_STATUS_COUNT
} piola_io_status;

/* What was wrong, in a few words. Static text, never null. */
PIOLA_API const char *piola_io_status_text(piola_io_status status);

typedef struct piola_io_error {
    piola_io_status status;
    piola_status engine; /* with PIOLA_IO_ERROR_ENGINE, else PIOLA_OK */
    uint64_t line;       /* of the file, from 1; 0: of no line */
    char file[512];      /* cut to fit; "" : of no file */
    char text[1200];     /* one sentence with all of the above, and what to do */
} piola_io_error;

/* ---- memory -------------------------------------------------------------------------------------
 */

typedef struct piola_io_allocator {
    /* At least `bytes` (never 0) at a multiple of `alignment` (a power of two, at most
     * PIOLA_ALIGNMENT), of any content; null when there are none. Called by the thread that calls
     * the library only. */
    void *(*take)(void *context, size_t bytes, size_t alignment);
    void (*give)(void *context, void *memory); /* what take gave, never null */
    void *context;                             /* must live as long as what was taken */
} piola_io_allocator;

/* ---- meshes -------------------------------------------------------------------------------------
 */

/* Vertices and elements, as piola_mesh_desc takes them, without materials. */
typedef struct piola_io_mesh piola_io_mesh;

/* How a mesh is taken into memory, whether read or made. */
typedef struct piola_io_mesh_options {
    uint32_t cookie_;
    bool bends;                   /* a bend over each inner edge of triangles; default true */
    piola_io_allocator allocator; /* null functions: C's */
    double scale[3];              /* factors along x, y, z, first; > 0, at most 1e12; default 1 */
    double offset[3];             /* after that, m, within 1e12; default 0 */
} piola_io_mesh_options;

/* Nothing is scaled or moved; memory is C's. */
PIOLA_API piola_io_mesh_options piola_io_mesh_options_default(void);

/* A file format. Static texts. */
typedef struct piola_io_format {
    const char *extension; /* "obj" */
    const char *what;      /* "Wavefront surface" */
    bool reads, writes;
} piola_io_format;

/* All of them, whether they can be read, written or both. */
PIOLA_API uint32_t piola_io_format_count(void);
/* False when there is no format of that index. */
PIOLA_API bool piola_io_format_at(uint32_t index, piola_io_format *format);

/* Reads the file at `path`, whose extension names its format. Null options are the default ones. A
 * file of tetrahedra is taken as a solid, else its triangles as a surface. Give the mesh back with
 * piola_io_mesh_free. _FORMAT, _FILE, _CONTENT. */
PIOLA_API piola_io_status piola_io_mesh_read(const char *path, const piola_io_mesh_options *options,
                                             piola_io_mesh **mesh, piola_io_error *error);
/* The same of bytes in memory; `name` stands for the file in messages, and its extension names the
 * format. Formats of two files (TetGen's) cannot be read so: _FORMAT. */
PIOLA_API piola_io_status piola_io_mesh_parse(const void *data, size_t bytes, const char *name,
                                              const piola_io_mesh_options *options,
                                              piola_io_mesh **mesh, piola_io_error *error);
/* Writes it whole or not at all: an old file stays as it is on failure. _FORMAT, _FILE; _CONTENT
 * when the format does not hold such a mesh. */
PIOLA_API piola_io_status piola_io_mesh_write(const piola_io_mesh *mesh, const char *path,
                                              piola_io_error *error);
/* Null is nothing. */
PIOLA_API void piola_io_mesh_free(piola_io_mesh *mesh);

/* What a mesh holds. Pointers are into the mesh, valid until it is freed; null where the count is
 * 0. */
typedef struct piola_io_mesh_arrays {
    const double *vertices;     /* 3 per vertex, m */
    const uint32_t *tetrahedra; /* 4 each, as piola_mesh_desc: right-handed, but where a file mixes
                                   both, which piola_asset_plan refuses */
    const uint32_t *triangles;  /* 3 each: of cloth, or a surface */
    const uint32_t *bends;      /* 4 each */
    const uint32_t *links;      /* 2 each */
    const uint32_t *segments;   /* 2 each, of rods */
    const uint32_t *regions;    /* 1 per tetrahedron, as its file numbers them; null: none */
    uint32_t vertex_count, tetrahedron_count, triangle_count, bend_count, link_count;
    uint32_t segment_count;
} piola_io_mesh_arrays;

/* All zero of null. */
PIOLA_API piola_io_mesh_arrays piola_io_mesh_contents(const piola_io_mesh *mesh);
/* A description that points into the mesh, for piola_asset_plan or piola_io_asset_make; materials,
 * or the sections of rods, are yours to add. The default description of null. */
PIOLA_API piola_mesh_desc piola_io_mesh_describe(const piola_io_mesh *mesh);

typedef struct piola_io_mesh_facts {
    double low[3], high[3]; /* m, of all vertices */
    double volume;          /* m^3, of tetrahedra; of triangles inside them, when they are closed */
    double area;            /* m^2, of the surface */
    double quality_least;   /* of elements: 1 is regular, 0 flat, below 0 inverted */
    double quality_mean;
    uint32_t surface_triangles;
    uint32_t parts;    /* groups of elements that share no vertex */
    uint32_t isolated; /* vertices of no element */
    uint32_t inverted; /* elements with negative volume */
    bool closed;       /* every edge of the surface is in two triangles that face one way */
} piola_io_mesh_facts;

/* Looks at all of it. */
PIOLA_API piola_io_status piola_io_mesh_inspect(const piola_io_mesh *mesh,
                                                piola_io_mesh_facts *facts, piola_io_error *error);

/* ---- shapes made by rule ------------------------------------------------------------------------
 */

/* A box of cells; its lower corner is the origin. */
typedef struct piola_io_box_desc {
    uint32_t cookie_;
    uint32_t cells[3]; /* along x, y, z, 1 to 100000; default 4 */
    double size[3];    /* m, > 0, at most 1e6; default 1 */
} piola_io_box_desc;
/* 1 m wide, 320 tetrahedra. */
PIOLA_API piola_io_box_desc piola_io_box_desc_default(void);
/* Five tetrahedra a cell, mirrored from cell to cell. Null options are the default ones. */
PIOLA_API piola_io_status piola_io_make_box(const piola_io_box_desc *desc,
                                            const piola_io_mesh_options *options,
                                            piola_io_mesh **mesh, piola_io_error *error);

/* A ball about the origin, of tetrahedra. */
typedef struct piola_io_ball_desc {
    uint32_t cookie_;
    uint32_t tetrahedra; /* about how many, 1 to 5e7; default 2000 */
    double radius;       /* m, > 0, at most 1e6; default 0.5 */
} piola_io_ball_desc;
/* 1 m wide. */
PIOLA_API piola_io_ball_desc piola_io_ball_desc_default(void);
/* A body-centred lattice, drawn to its surface. Null options are the default ones. */
PIOLA_API piola_io_status piola_io_make_ball(const piola_io_ball_desc *desc,
                                             const piola_io_mesh_options *options,
                                             piola_io_mesh **mesh, piola_io_error *error);

/* A round bar with round ends along x, about the origin, of tetrahedra. */
typedef struct piola_io_capsule_desc {
    uint32_t cookie_;
    uint32_t tetrahedra; /* about how many, 1 to 5e7; default 2000 */
    double length;       /* between the middles of its ends, m, > 0, at most 1e6; default 1 */
    double radius;       /* m, > 0, at most 1e6; default 0.25 */
} piola_io_capsule_desc;
/* 1.5 m long, 0.5 m wide. */
PIOLA_API piola_io_capsule_desc piola_io_capsule_desc_default(void);
/* A body-centred lattice, drawn to its surface. Null options are the default ones. */
PIOLA_API piola_io_status piola_io_make_capsule(const piola_io_capsule_desc *desc,
                                                const piola_io_mesh_options *options,
                                                piola_io_mesh **mesh, piola_io_error *error);

/* Cloth in the xz plane, two triangles a cell; its corner is the origin. */
typedef struct piola_io_sheet_desc {
    uint32_t cookie_;
    uint32_t cells[2]; /* along x and z, 1 to 100000; default 16 */
    double size[2];    /* m, > 0, at most 1e6; default 1 */
} piola_io_sheet_desc;
/* 1 m wide, 512 triangles. */
PIOLA_API piola_io_sheet_desc piola_io_sheet_desc_default(void);
/* With bends, when the options say so. Null options are the default ones. */
PIOLA_API piola_io_status piola_io_make_sheet(const piola_io_sheet_desc *desc,
                                              const piola_io_mesh_options *options,
                                              piola_io_mesh **mesh, piola_io_error *error);

/* A rod: points in a row along x from the origin, or, with turns above 0, a helix that winds
 * upwards about the y axis, right-handed, from the x axis on. */
typedef struct piola_io_rod_desc {
    uint32_t cookie_;
    uint32_t segments; /* 1 to 1e7; default 32 */
    double length;     /* m, > 0, at most 1e6; default 1. Of a helix along its axis */
    double turns;      /* 0 to 1e6; default 0: straight */
    double coil;       /* m, > 0, at most 1e6; default 0.1: a helix's radius */
} piola_io_rod_desc;
/* 1 m long and straight. */
PIOLA_API piola_io_rod_desc piola_io_rod_desc_default(void);
/* Segments alone: sections (piola_rod) are yours to add. Null options are the default ones. */
PIOLA_API piola_io_status piola_io_make_rod(const piola_io_rod_desc *desc,
                                            const piola_io_mesh_options *options,
                                            piola_io_mesh **mesh, piola_io_error *error);

/* ---- surfaces filled ----------------------------------------------------------------------------
 */

typedef struct piola_io_fill_desc {
    uint32_t cookie_;
    uint32_t tetrahedra; /* about how many, 1 to 5e6; default 4000 */
} piola_io_fill_desc;

/* 4000 tetrahedra. */
PIOLA_API piola_io_fill_desc piola_io_fill_desc_default(void);
/* A solid inside of any surface of triangles: closed or with holes, crossing itself, facing in or
 * out. Its elements are all right-handed and none is flat; parts thinner than an element are lost.
 * Of a surface that encloses nothing, like an open sheet, it makes a skin about as thick as an
 * element, and sets `*skin`, which may be null. Null `desc` and `options` are the default ones.
 * Takes about a second for the default. _CONTENT when the mesh has no triangles. */
PIOLA_API piola_io_status piola_io_mesh_fill(const piola_io_mesh *surface,
                                             const piola_io_fill_desc *desc,
                                             const piola_io_mesh_options *options,
                                             piola_io_mesh **mesh, bool *skin,
                                             piola_io_error *error);

/* ---- compiling ----------------------------------------------------------------------------------
 */

/* piola_plan_size, piola_asset_plan and piola_asset_build with memory of the allocator (null: C's),
 * which also keeps the asset: give it back with piola_io_asset_free. `error->text` names the vertex
 * or element. _ENGINE. */
PIOLA_API piola_io_status piola_io_asset_make(const piola_mesh_desc *mesh,
                                              const piola_io_allocator *allocator,
                                              const piola_asset **asset, piola_io_error *error);
/* With the same allocator, when no world uses it any more. Null is nothing. */
PIOLA_API void piola_io_asset_free(const piola_asset *asset, const piola_io_allocator *allocator);

/* ---- scenes -------------------------------------------------------------------------------------
 */

/* A scene file made real: a world with its bodies, colliders and attachments in it, and what moves
 * them in time. The file's keys are in docs/scene.schema.json. */
typedef struct piola_io_scene piola_io_scene;

/* How a scene is opened; what is not the default here overrules the file. */
typedef struct piola_io_scene_desc {
    uint32_t cookie_;
    piola_io_allocator allocator; /* null functions: C's */
    uint32_t threads;             /* that step it, 1 to 64; default 0: as the file says */
    uint32_t substeps;            /* of a step, 1 to 1000; default 0: as the file says */
    int32_t iterations;           /* of a substep, 0 to 1000; default -1: as the file says */
    int32_t solver;               /* a piola_solver; default -1: as the file says */
    piola_isa isa;                /* default PIOLA_ISA_AUTO: as the file says */
    double (*clock)(void);        /* piola_world_desc.clock; default null */
} piola_io_scene_desc;

/* All as the file says; memory is C's. */
PIOLA_API piola_io_scene_desc piola_io_scene_desc_default(void);

/* Reads a scene and the meshes it names, compiles them and builds the world. Null `desc` is the
 * default one. Give it back with piola_io_scene_close. _FILE, _CONTENT, _ENGINE, _ABSENT. */
PIOLA_API piola_io_status piola_io_scene_open(const char *path, const piola_io_scene_desc *desc,
                                              piola_io_scene **scene, piola_io_error *error);
/* The same of a text in memory; `path` stands for the file in messages, and files that the scene
 * names are looked for beside it. */
PIOLA_API piola_io_status piola_io_scene_parse(const char *text, size_t bytes, const char *path,
                                               const piola_io_scene_desc *desc,
                                               piola_io_scene **scene, piola_io_error *error);
/* Ends its threads and gives all of it back, the world and the assets too. Null is nothing. */
PIOLA_API void piola_io_scene_close(piola_io_scene *scene);

/* What is in a scene. All of it belongs to the scene and lives until it is closed. */
typedef struct piola_io_scene_facts {
    piola_world *world;       /* yours to step, query, push commands to */
    const piola_tasks *tasks; /* for piola_world_step; null with one thread */
    const char *description;  /* of the file; null: none */
    double seconds;           /* that the scene is meant to run */
    float dt;                 /* of a step, s */
    uint32_t body_count, collider_count, attachment_count, joint_count;
    uint32_t threads;
    size_t world_bytes, asset_bytes;
} piola_io_scene_facts;

/* All zero of null. */
PIOLA_API piola_io_scene_facts piola_io_scene_inspect(const piola_io_scene *scene);

typedef struct piola_io_scene_body {
    const char *name; /* "cube", of copies "cube[2]", and "body 3" of a body without a name */
    uint32_t copy;    /* from 0 */
    piola_body handle;
    const piola_asset *asset;
} piola_io_scene_body;

/* Bodies are in the order of the file, copies of one body side by side. False when there is none of
 * that index. */
PIOLA_API bool piola_io_scene_body_at(const piola_io_scene *scene, uint32_t index,
                                      piola_io_scene_body *body);
/* The body that the file calls `name`; false when there is none. */
PIOLA_API bool piola_io_scene_body_named(const piola_io_scene *scene, const char *name,
                                         uint32_t copy, piola_io_scene_body *body);

typedef struct piola_io_scene_collider {
    const char *name;      /* null when the file gives none */
    piola_collider handle; /* null of a rigid body */
    piola_rigid rigid;     /* null of others */
    piola_tool tool;       /* that holds the rigid body, or null */
} piola_io_scene_collider;

/* In the order of the file. False when there is none of that index. */
PIOLA_API bool piola_io_scene_collider_at(const piola_io_scene *scene, uint32_t index,
                                          piola_io_scene_collider *collider);

typedef struct piola_io_scene_joint {
    const char *name; /* null when the file gives none */
    piola_joint handle;
} piola_io_scene_joint;

/* In the order of the file. False when there is none of that index. */
PIOLA_API bool piola_io_scene_joint_at(const piola_io_scene *scene, uint32_t index,
                                       piola_io_scene_joint *joint);

/* Pushes what the file has its pins, colliders, attachments, joints, winds and forces do in step
 * number `step`, from 1, into the scene's world: before that step. After a snapshot was restored,
 * go on with the number that follows the snapshot's. _ENGINE; what was pushed before stays pushed.
 */
PIOLA_API piola_io_status piola_io_scene_push(const piola_io_scene *scene, uint64_t step,
                                              piola_io_error *error);
/* That, and one step with the scene's threads. `report` may be null. _ENGINE. */
PIOLA_API piola_io_status piola_io_scene_step(piola_io_scene *scene, uint64_t step,
                                              piola_report *report, piola_io_error *error);

#ifdef __cplusplus
}
#endif

#endif
