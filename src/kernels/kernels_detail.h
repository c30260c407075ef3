/* kernels_detail.h - what the kernel of detail meshes shares with C: its structs and its prototype.
 * Included by ISPC for the structs, and by kernels.h for KERNELS_DETAIL(X). */
#ifndef PIOLA_KERNELS_DETAIL_H
#define PIOLA_KERNELS_DETAIL_H

#include "kernels/packs.h"

/* Quads that describe a surface triangle of corners x1, x2, x3 with normals n1, n2, n3:
 * x3 | n3.x, x1 - x3 | n3.y, x2 - x3 | n3.z, n1 - n3, n2 - n3. */
#define PK_DETAIL_QUADS 5u

/* 16 vertices of a fine mesh. With the triangle above, T1 = x1-x3 + d (n1-n3), T2 likewise, and the
 * interpolated normal N: x = x3 + b1 (x1-x3) + b2 (x2-x3) + d N, and its normal is along
 * c1 (T2 x N) + c2 (N x T1) + c3 det(T1 T2 N) N / |N|^2. Unused lanes repeat the first.
 * Embedded in a tetrahedron of corners x1, x2, x3, x4: T1, T2, N = x1-x4, x2-x4, x3-x4, and c3 is
 * of T1 x T2, so that a normal turns as F's cofactor says. */
struct pk_detail_pack {
    pk_u32 frame[PK_LANES]; /* first quad of the triangle */
    float b[2][PK_LANES];
    float d[PK_LANES];
    float c[3][PK_LANES];
};

#ifndef ISPC

/* Writes 48 floats a pack to positions and, unless it is null, to normals. */
#define KERNELS_DETAIL(X)                                                                          \
    X(void, detail,                                                                                \
      (const struct pk_quad *frames, const struct pk_detail_pack *packs, uint32_t count,           \
       float *positions, float *normals, uint32_t embedded))

#endif

#endif
