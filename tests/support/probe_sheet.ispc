// probe_sheet.ispc - for tests: energies, stresses and blocks of sheets at any F, as the kernels get them.
//
// Rows of 16 lanes. From: F by columns (6), b (2), plastic strain xx yy xy (3). To: psi, gradient (3), block
// xx yy zz yz xz xy (6) and bend as descent gets them; psi, P by columns (6) as projections do; with `f0`
// the viscous potential is added to all.
#include "cloth/membrane_block.isph"
#include "base/pk.isph"

static inline float row(const uniform float from[], uniform int lane, const uniform int i)
{
    return from[PK_LANES * i + lane + programIndex];
}

static inline struct mat32 map_of(const uniform float from[], uniform int lane)
{
    return columns(vector(row(from, lane, 0), row(from, lane, 1), row(from, lane, 2)),
                   vector(row(from, lane, 3), row(from, lane, 4), row(from, lane, 5)));
}

PK_EXPORT void PK(pk_probe_sheet)(const uniform struct pk_material *uniform material,
                                  const uniform float from[], const uniform float before[],
                                  uniform float dt, uniform float to[])
{
    for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
        const struct mat32 f = map_of(from, lane);
        const struct vec2 b = vector(row(from, lane, 6), row(from, lane, 7));
        const struct sym2 plastic =
            symmetric(row(from, lane, 8), row(from, lane, 9), row(from, lane, 10));
        struct vertex_response v = respond_any(material, f, plastic, b);
        struct sheet_response r = evaluate_any(material, f, plastic);
        if (material->damping > 0) {
            const struct mat32 f0 = map_of(before, lane);
            respond_viscous(material, dt, f, f0, b, v);
            const struct sheet_response w = viscous(material, dt, f, f0);
            r.psi += w.psi;
            r.p = r.p + w.p;
        }
        const float out[18] = {v.psi,      v.gradient.x, v.gradient.y, v.gradient.z, v.block.xx,
                               v.block.yy, v.block.zz,   v.block.yz,   v.block.xz,   v.block.xy,
                               v.bend,     r.psi,        r.p.a.x,      r.p.a.y,      r.p.a.z,
                               r.p.b.x,    r.p.b.y,      r.p.b.z};
        for (uniform int i = 0; i < 18; i++)
            to[PK_LANES * i + lane + programIndex] = out[i];
    }
}
