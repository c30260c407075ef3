/* status.h - version, status codes, errors, instruction sets. Included by piola.h: include that. */
#ifndef PIOLA_PIOLA_STATUS_H
#define PIOLA_PIOLA_STATUS_H

#include "piola/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PIOLA_VERSION_MAJOR 0
#define PIOLA_VERSION_MINOR 2
#define PIOLA_VERSION_PATCH 0

/* Every block given to the engine must start at a multiple of this many bytes. */
#define PIOLA_ALIGNMENT 64

/* "0.2.0": of the library that runs; the macros are of the header. Static text. */
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
    PIOLA_ERROR_STALE,       /* what the handle names was destroyed, or never was */
    PIOLA_ERROR_ISA,         /* the instruction set is not built in, or this processor lacks it */
    PIOLA_ERROR_ARITHMETIC,  /* this build or processor does not give the promised bits */
    PIOLA_ERROR_BODIES_FULL, /* raise piola_world_desc.max_bodies */
    PIOLA_ERROR_PARTICLES_FULL,   /* raise piola_world_desc.max_particles */
    PIOLA_ERROR_PACKS_FULL,       /* raise piola_world_desc.max_plastic_packs, max_packs or
                                     max_link_packs */
    PIOLA_ERROR_HOLES,            /* room enough, but in holes: call piola_world_compact */
    PIOLA_ERROR_ASSETS_FULL,      /* raise piola_world_desc.max_assets */
    PIOLA_ERROR_ATTACHMENTS_FULL, /* raise piola_world_desc.max_attachments */
    PIOLA_ERROR_TRACTIONS_FULL,   /* raise piola_world_desc.max_tractions or
                                     max_traction_triangles */
    PIOLA_ERROR_CONSTRAINTS_FULL, /* raise piola_world_desc.max_constraint_packs */
    PIOLA_ERROR_CONTACTS_FULL,    /* raise piola_world_desc.max_contact_faces */
    PIOLA_ERROR_COLLIDERS_FULL,   /* raise piola_world_desc.max_colliders */
    PIOLA_ERROR_RIGIDS_FULL,      /* raise piola_world_desc.max_rigids */
    PIOLA_ERROR_JOINTS_FULL,      /* raise piola_world_desc.max_joints */
    PIOLA_ERROR_TOOLS_FULL,       /* raise piola_world_desc.max_tools */
    PIOLA_ERROR_SHAPES_FULL,      /* raise piola_world_desc.max_shapes */
    PIOLA_ERROR_WIND_FULL,        /* raise piola_world_desc.max_wind_nodes */
    PIOLA_ERROR_COMMANDS_FULL,    /* raise piola_world_desc.max_commands, or push less per step */
    PIOLA_ERROR_SOLVER,           /* the world's solver cannot do what the asset's material does */
    PIOLA_ERROR_COMPILE_FOR,      /* the asset was not compiled for what the world does with it */
    PIOLA_ERROR_ASSET_IN_USE,     /* bodies still use the asset */
    PIOLA_ERROR_SHAPE_IN_USE,     /* colliders still use the shape */
    PIOLA_ERROR_RECORDING,        /* not possible while inputs are being recorded */
    PIOLA_ERROR_THREADS,          /* the platform refused to start a thread */
    /* mesh descriptions; piola_error.item is the index of the vertex, element, edge or material */
    PIOLA_ERROR_MESH_EMPTY,      /* no vertices, or no elements */
    PIOLA_ERROR_MESH_INDEX,      /* an element names a vertex that does not exist */
    PIOLA_ERROR_MESH_REPEATED,   /* an element names one vertex twice */
    PIOLA_ERROR_MESH_DEGENERATE, /* an element has (nearly) no volume, area or length at rest
                                  */
    PIOLA_ERROR_MESH_INVERTED,   /* a tetrahedron has negative volume at rest: swap two of its
                                    vertices */
    PIOLA_ERROR_MESH_DUPLICATE,  /* two elements of one kind have the same vertices */
    PIOLA_ERROR_MESH_ISOLATED,   /* a vertex belongs to no element */
    PIOLA_ERROR_COLOURS,         /* too many clusters meet at one place: raise cluster_size */
    PIOLA_ERROR_MESH_MATERIAL,   /* an element names a material that does not exist */
    PIOLA_ERROR_MESH_FRAME, /* an element's fibre directions are zero, parallel or not finite */
    PIOLA_ERROR_MESH_OPEN,  /* pressure and solid colliders need triangles that enclose a volume and
                               face one way */
    PIOLA_ERROR_MATERIAL, /* a material constant is outside its range; piola_error.field names it */
    PIOLA_ERROR_DETAIL_FAR, /* a detail vertex lies where no normal of the surface leads */
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
    PIOLA_ERROR_RECORD_FORMAT,   /* not a record, or of another version */
    PIOLA_ERROR_RECORD_DAMAGED,  /* a step of the record was changed; the error's item is which */
    PIOLA_ERROR_MESH_RODS,       /* rods share no mesh with other elements, and have few rings */
    PIOLA_ERROR_RODS,            /* set piola_world_desc.rods */
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

#ifdef __cplusplus
}
#endif

#endif
