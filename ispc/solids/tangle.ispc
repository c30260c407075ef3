// tangle.ispc - which tetrahedra are surely not strained much: the sieve before src/families/solids/tangle.c, which judges the
// others in double.
//
// Lives here: bounds that hold whatever floats round. What is looked at in vain costs time only; what is left out must
// be fine, or no worse than what was found, so that the answer is that of the double formulas alone, for every
// instruction set.
#include "kernels/kernels_solids.h"
#include "base/quads.isph"

// Squares of stretches that are fine here: well inside of the 0.6 and 1.4 of src/families/solids/tangle.c, since F^T F is off by at
// most a few thousandths (of slim elements, see SLIM).
#define LEAST (0.65f * 0.65f)
#define MOST  (1.35f * 1.35f)
// A volume that is a smaller share of the product of its three edges is rounded too much to judge by.
#define SLIM 1e-3f
// Of leading minors and determinants: far above what they are rounded by, while entries are about 1.
#define SURE 1e-4f

struct edges {
    struct vec3 a, b, c;
};

static inline struct edges edges_of(const uniform struct pk_quad x[], const uniform pk_u32 three[],
                                    const uniform pk_u32 last[], uniform int lane)
{
    const struct point d = load_points(x, &last[lane]);
    struct edges e;
    e.a = edge(load_points(x, &three[lane]), d);
    e.b = edge(load_points(x, &three[PK_LANES + lane]), d);
    e.c = edge(load_points(x, &three[2 * PK_LANES + lane]), d);
    return e;
}

// Symmetric m is surely positive definite: by its leading minors.
static inline bool positive(struct sym3 m)
{
    const float minor = m.xx * m.yy - m.xy * m.xy;
    const float whole = m.zz * minor - m.xx * (m.yz * m.yz) - m.yy * (m.xz * m.xz) + 2 * (m.xy * m.xz * m.yz);
    return m.xx > SURE && minor > SURE && whole > SURE;
}

// The least that `badness` of src/families/solids/tangle.c may be below for the element to need no closer look: 0 where it is surely
// fine, else its badness and what that may be off by; infinite where nothing is sure.
static inline float worst_case(struct edges from, struct edges to)
{
    // F maps the edges at rest to those of now: the sum of edge i by dual edge i, over the volume.
    const struct vec3 p = cross(from.b, from.c), q = cross(from.c, from.a), r = cross(from.a, from.b);
    const float volume = inner(from.a, p);
    const float size2 = inner(from.a, from.a) * inner(from.b, from.b) * inner(from.c, from.c);
    const bool stout = volume * volume > SLIM * SLIM * size2;
    const float share = 1 / volume;
    const struct vec3 a = share * p, b = share * q, c = share * r;
    const struct vec3 x = a.x * to.a + b.x * to.b + c.x * to.c;
    const struct vec3 y = a.y * to.a + b.y * to.b + c.y * to.c;
    const struct vec3 z = a.z * to.a + b.z * to.b + c.z * to.c;
    const struct sym3 stretch = symmetric(inner(x, x), inner(y, y), inner(z, z), inner(y, z), inner(x, z), inner(x, y));
    const bool upright = inner(x, cross(y, z)) > SURE;
    const bool fine = upright && positive(add_diagonal(stretch, -LEAST)) &&
                      positive(add_diagonal(-1 * stretch, MOST));
    const struct sym3 e = add_diagonal(stretch, -1);
    const float bad = (upright ? 0.0f : 20.0f) + inner(e, e);
    const float most = 1.02f * bad + 0.02f;
    return stout ? (fine ? 0.0f : most) : floatbits(0x7f800000);
}

// Bit i is set when tetrahedron i of 16, with three corners in three[3][16] and one in last[16], may be strained and
// worse than `worst`.
PK_EXPORT uniform uint32 PK(pk_suspect_tets)(const uniform struct pk_quad rest[], const uniform struct pk_quad x[],
                                             const uniform pk_u32 three[], const uniform pk_u32 last[],
                                             uniform float worst)
{
    uniform uint32 suspects = 0;
    for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
        const float most = worst_case(edges_of(rest, three, last, lane), edges_of(x, three, last, lane));
        // What is not a number is looked at.
        suspects |= (uniform uint32)packmask(!(most <= worst)) << lane;
    }
    return suspects;
}
