/* kernels_surface.h - what the kernels of surface contact share with C: structs and prototypes.
 * Included by ISPC for the structs, and by kernels.h for KERNELS_CONTACT(X).
 *
 * All particles are those of the world. What is asked of motion is answered for ways that are
 * straight, from `start` to anywhere within the particle's slack of `to`; a particle that has
 * strayed goes from `start` to anywhere between `base` and `x`. See surface_find.c.
 */
#ifndef PIOLA_KERNELS_SURFACE_H
#define PIOLA_KERNELS_SURFACE_H

#include "kernels/kernels_solids.h"

#define PK_RING 12u /* neighbours of a corner whose star can be vouched for */

/* Of the thickness: what particles of a star may be off each other by when an island is carried on
 * at the end, besides what their places are rounded by. */
#define PK_STAR_DRIFT 1e-3f

/* Of a corner's star: not vouched for, vouched for, no longer. */
#define PK_STAR_OPEN 0u
#define PK_STAR_SAFE 1u
#define PK_STAR_LOST 2u

/* 16 faces, unused lanes repeat the last one. */
struct pk_face_pack {
    pk_u32 corner[3][PK_LANES];
    pk_u32 lanes; /* used */
    pk_u32 reserved[PK_LANES - 1];
};

/* 16 corners and the others of their faces, in turn. */
struct pk_ring_pack {
    pk_u32 centre[PK_LANES];
    pk_u32 ring[PK_RING][PK_LANES]; /* unused ones repeat the centre */
    pk_u32 count[PK_LANES];         /* 0: never vouched for */
    pk_u32 closed[PK_LANES];        /* 1: a face joins the last to the first */
};

/* A box around all that something takes up in a substep, as seen by somebody who goes evenly with
 * its body (`drift`), and 16 of them. */
struct pk_swept_box {
    float low[3], high[3];
};
struct pk_box_pack {
    float low[3][PK_LANES], high[3][PK_LANES];
};

/* How much wider boxes of one body are to those of another: for the margin, and because the two go
 * different ways. Boxes of the other widen likewise, low as high. */
struct pk_widen {
    float low[3], high[3]; /* m */
};

/* Boxes of 16 faces, as wide as to touch where faces come within the thickness; a bit for each
 * corner whose star is vouched for. */
struct pk_face_boxes {
    struct pk_box_pack box;
    pk_u32 safe[PK_LANES];
};

/* 16 pairs of faces: corners of the one, then of the other. */
struct pk_face_pairs {
    pk_u32 corner[6][PK_LANES];
};

/* 16 pairs of one kind: a vertex and a triangle, or two edges; the first side's particles first. */
struct pk_pair_pack {
    pk_u32 particle[4][PK_LANES];
    float distance[PK_LANES]; /* m, at least this when the substep began */
};

/* What 16 pairs do to each other. */
struct pk_pair_push {
    float weight[4][PK_LANES];
    float normal[3][PK_LANES];
    /* m, how far its grip was drawn when the substep began: surface_grip.c; of projections: kg m,
     * the sum of what it pushed the first side. */
    float hold[3][PK_LANES];
    float slide[3][PK_LANES];                              /* m, that and what it slid since */
    float push[PK_LANES], slope[PK_LANES], drag[PK_LANES]; /* N, N/m, N/m */
    float friction[2][PK_LANES]; /* until they slip, and then; where they are `mixed` */
    float gripped[PK_LANES];     /* share of `slide` by which it is drawn: the rest slipped */
    /* Times the stiffness that its masses make, and the same in the next substep. */
    float stiff[PK_LANES], wanted[PK_LANES];
};
#define PK_PAIR_STIFFEST 1024.0f

struct pk_contact {
    float thickness;      /* m */
    float slack, stretch; /* m, and share of a particle's way */
    float margin;         /* m: what comes nearer than this and the thickness may meet */
    float friction;
    pk_u32 sided;   /* 1: surface_push finds sides that have gone through each other, too */
    pk_u32 mixed;   /* 1: pairs have frictions of their own */
    float inertia;  /* 1/s^2: of a pair's stiffness */
    float drift[3]; /* m, surface_boxes: the way of the body whose boxes they are */
    PK_STREAM(const struct pk_quad) start;
    PK_STREAM(const struct pk_quad) base; /* where who goes no share of its way ends */
    PK_STREAM(const struct pk_quad) to;
    PK_STREAM(const struct pk_quad) x;
    PK_STREAM(const pk_u32) strayed; /* null when none has */
    PK_STREAM(const pk_u32) star;
    PK_STREAM(float) room; /* m, that others of a star may be astray, seen from its centre */
    PK_STREAM(const struct pk_quad) astray; /* m, from where it was expected; w: how far */
    PK_STREAM(const pk_u32) fresh; /* null, or who ends elsewhere than when stars were last lost */
    PK_STREAM(const float) share;  /* of the way from base that it goes; stars: null, all */
};

/* Faces of two packs whose boxes overlap, as the second's are widened: for each lane of `a` that is
 * in `rows` and in the answer a mask of b's lanes. Of one body faces with a vouched-for common
 * corner are left out, and `common` tells those with any. */
struct pk_overlap_job {
    PK_STREAM(const struct pk_face_boxes) a;
    PK_STREAM(const struct pk_face_boxes) b;
    PK_STREAM(const struct pk_swept_box) around_a; /* the rows */
    PK_STREAM(const struct pk_swept_box) around_b; /* all */
    PK_STREAM(const struct pk_widen) widen_b;
    PK_STREAM(const struct pk_face_pack) faces_a; /* of one body, else null */
    PK_STREAM(const struct pk_face_pack) faces_b;
    PK_STREAM(pk_u32) masks; /* a lane of a */
    PK_STREAM(pk_u32) common;
    pk_u32 rows;
};

#ifndef ISPC

/* surface_stars: whether the faces around each centre cannot cross each other when particles go
 * their share of the way to `to`, and no further; `star` becomes PK_STAR_SAFE or PK_STAR_OPEN, and
 * `room` how far any other may end elsewhere, seen from the centre. When `proof` is 1 only those
 * with a fresh particle that are astray by more are looked at, and `star` goes only from SAFE to
 * LOST. Returns how many were lost. surface_boxes: boxes of packs, and the box around each.
 * surface_reach: a mask of those that, widened, overlap one box. surface_apart: a mask of those
 * that a plane along their normals or the line of their middles, or (edges) across their edges,
 * parts all the time. surface_meet: the same for pairs, and their distances, 0 where that is not
 * known well; kind 1 is edges. surface_push: a mask of those nearer than the thickness at `x`,
 * or through each other there.
 * surface_free: a mask of those that are not proven free to go their shares, of which C looks at
 * each; `weight` is the shares that the others are proven for, and who has them already is not
 * looked at.
 */
#define KERNELS_CONTACT(X)                                                                         \
    X(uint32_t, surface_stars,                                                                     \
      (const struct pk_contact *contact, const struct pk_ring_pack *packs, uint32_t count,         \
       uint32_t *star, uint32_t proof))                                                            \
    X(void, surface_boxes,                                                                         \
      (const struct pk_contact *contact, const struct pk_face_pack *packs, uint32_t count,         \
       struct pk_face_boxes *boxes, struct pk_swept_box *around))                                  \
    X(uint32_t, surface_reach,                                                                     \
      (const struct pk_box_pack *boxes, const struct pk_swept_box *box,                            \
       const struct pk_widen *widen))                                                              \
    X(uint32_t, surface_overlaps, (const struct pk_overlap_job *job))                              \
    X(uint32_t, surface_apart,                                                                     \
      (const struct pk_contact *contact, const struct pk_face_pairs *pairs, uint32_t edges))       \
    X(uint32_t, surface_meet,                                                                      \
      (const struct pk_contact *contact, struct pk_pair_pack *pairs, uint32_t kind))               \
    X(uint32_t, surface_push,                                                                      \
      (const struct pk_contact *contact, const struct pk_pair_pack *pairs, uint32_t kind,          \
       struct pk_pair_push *push))                                                                 \
    X(uint32_t, surface_free,                                                                      \
      (const struct pk_contact *contact, const struct pk_pair_pack *pairs, uint32_t kind,          \
       struct pk_pair_push *push))

#endif

#endif
