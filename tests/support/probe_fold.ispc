// probe_fold.ispc - for tests: the angle of hinges and its derivatives, as descent gets them.
//
// Rows of 16 lanes. From: the four corners (12), 1 for the first end of the edge or 0 for the first opposite
// vertex. To: angle, gradient (3) and second derivative (6: xx yy zz yz xz xy) at that
// vertex.
#include "cloth/bend.isph"
#include "base/pk.isph"

static inline struct point corner(const uniform float from[], uniform int lane, const uniform int i)
{
    const uniform int at = PK_LANES * 3 * i + lane;
    struct point p = {from[at + programIndex], from[at + PK_LANES + programIndex],
                      from[at + 2 * PK_LANES + programIndex], 0};
    return p;
}

PK_EXPORT void PK(pk_probe_fold)(const uniform float from[], uniform float to[])
{
    for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
        struct corners t;
        t.a = corner(from, lane, 0);
        t.b = corner(from, lane, 1);
        t.c = corner(from, lane, 2);
        t.d = corner(from, lane, 3);
        const bool end = from[PK_LANES * 12 + lane + programIndex] != 0;
        struct gradients g;
        const float angle = dihedral_angle(t, g);
        const struct vec3 slope = choose(end, g.a, g.c);
        const struct sym3 curve = dihedral_curve(end, t, g);
        const float out[10] = {angle,    slope.x,  slope.y,  slope.z,  curve.xx,
                               curve.yy, curve.zz, curve.yz, curve.xz, curve.xy};
        for (uniform int i = 0; i < 10; i++)
            to[PK_LANES * i + lane + programIndex] = out[i];
    }
}
