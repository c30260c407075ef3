// detail.ispc - fine vertices from the triangles they are bound to (paper section 5, Kobbelt et al. 1998).
//
// Lives here: interpolation of position and normal. How a vertex is bound: src/api/detail_bind.c; the frames of
// the triangles: src/api/detail_pose.c. Each lane is one vertex and looks at its own triangle alone.
#include "base/quads.isph"
#include "kernels/kernels_detail.h"

// A prism over a triangle: corner 3, the edges to corners 1 and 2, the normal there, and the differences of
// the other two normals to it.
struct prism {
    struct vec3 corner, edge1, edge2, normal, turn1, turn2;
};

static inline struct vec3 xyz(struct point p)
{
    return vector(p.x, p.y, p.z);
}

static inline struct prism load_prism(const uniform struct pk_quad frames[], const uniform pk_u32 index[])
{
    const struct point q0 = load_points(frames, index), q1 = load_points(frames + 1, index);
    const struct point q2 = load_points(frames + 2, index);
    struct prism s;
    s.corner = xyz(q0);
    s.edge1 = xyz(q1);
    s.edge2 = xyz(q2);
    s.normal = vector(q0.w, q1.w, q2.w);
    s.turn1 = xyz(load_points(frames + 3, index));
    s.turn2 = xyz(load_points(frames + 4, index));
    return s;
}

// A direction; zero stays zero.
static inline struct vec3 unit(struct vec3 a)
{
    const float length = sqrt(inner(a, a));
    const float scale = length > 0 ? 1 / length : 0;
    return scale * a;
}

PK_EXPORT void PK(pk_detail)(const uniform struct pk_quad frames[], const uniform struct pk_detail_pack packs[],
                             uniform uint32 count, uniform float positions[], uniform float normals[], uniform uint32 embedded)
{
    for (uniform uint32 i = 0; i < count; i++) {
        const uniform struct pk_detail_pack *uniform pack = &packs[i];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int l = lane + programIndex;
            const uniform uint64 at = 3 * ((uniform uint64)i * PK_LANES + lane);
            const struct prism s = load_prism(frames, &pack->frame[lane]);
            const float b1 = pack->b[0][l], b2 = pack->b[1][l], d = pack->d[l];
            const struct vec3 n = s.normal + (b1 * s.turn1 + b2 * s.turn2);
            const struct vec3 p = s.corner + (b1 * s.edge1 + b2 * s.edge2) + d * n;
            soa_to_aos3(p.x, p.y, p.z, &positions[at]);
            if (normals != NULL) {
                const struct vec3 t1 = s.edge1 + d * s.turn1, t2 = s.edge2 + d * s.turn2;
                const struct vec3 across = cross(t2, n);
                const float square = inner(n, n);
                const float along = square > 0 ? inner(t1, across) / square : 0;
                const float c3 = pack->c[2][l];
                const struct vec3 last = embedded != 0 ? c3 * cross(t1, t2) : (c3 * along) * n;
                const struct vec3 u = unit(pack->c[0][l] * across + pack->c[1][l] * cross(n, t1) +
                                           last);
                soa_to_aos3(u.x, u.y, u.z, &normals[at]);
            }
        }
    }
}
