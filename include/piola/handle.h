/* handle.h - names of what lives in a world. Included by piola.h: include that. */
#ifndef PIOLA_PIOLA_HANDLE_H
#define PIOLA_PIOLA_HANDLE_H

#include "piola/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct piola_world piola_world;

/* Handles are values. All-zero is "none"; one of what was destroyed is refused with
 * PIOLA_ERROR_STALE. In one world a handle names one thing for ever: going back to a snapshot makes
 * stale what was made after it, and nothing that is made later gets such a handle again. */
typedef struct piola_body {
    uint32_t index; /* from 1; 0 is no body */
    uint32_t generation;
} piola_body;

typedef struct piola_attachment {
    uint32_t index; /* from 1; 0 is no attachment */
    uint32_t generation;
} piola_attachment;

typedef struct piola_traction {
    uint32_t index; /* from 1; 0 is no traction */
    uint32_t generation;
} piola_traction;

typedef struct piola_collider {
    uint32_t index; /* from 1; 0 is no collider */
    uint32_t generation;
} piola_collider;

typedef struct piola_rigid {
    uint32_t index; /* from 1; 0 is no rigid body */
    uint32_t generation;
} piola_rigid;

typedef struct piola_joint {
    uint32_t index; /* from 1; 0 is no joint */
    uint32_t generation;
} piola_joint;

typedef struct piola_tool {
    uint32_t index; /* from 1; 0 is no tool */
    uint32_t generation;
} piola_tool;

#ifdef __cplusplus
}
#endif

#endif
