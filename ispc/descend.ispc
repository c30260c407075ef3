// descend.ispc - vertex descent for any materials and elements, mixed, damped and plastic ones too.
//
// Lives here: the loop over vertices. A body of tetrahedra of one elastic model gets a loop of its own; all
// others share one that looks up each lane's material. The step itself: descend_any.isph.
#include "descend_any.isph"

static inline void descend(const uniform int model, const uniform struct descent &scene,
                           uniform pk_u32 count)
{
    for (uniform pk_u32 p = 0; p < count; p++) {
        const uniform struct pk_vertex_pack &pack = scene.packs[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct point self = load_points(scene.x, &pack.self[lane]);
            move_point(scene.x, &pack.self[lane], self,
                       vertex_step(model, scene, pack, lane, self));
        }
    }
}

// One elastic model for the whole body; anisotropic ones are rare enough to share the mixed loop.
static inline uniform int model_of(const uniform struct pk_material materials[],
                                   uniform pk_u32 count)
{
    const uniform struct pk_material &m = materials[0];
    const uniform bool plain = count == 1 && !(m.damping > 0) && !(m.yield > 0) &&
                               (m.model == PK_SNH || m.model == PK_STVK ||
                                m.model == PK_NEO_HOOKEAN);
    return plain ? (uniform int)m.model : MIXED;
}

PK_EXPORT void PK(pk_descend)(uniform struct pk_quad x[], const uniform struct pk_quad target[],
                              const uniform struct pk_quad start[],
                              const uniform struct pk_vertex_pack packs[],
                              const uniform struct pk_visit visits[],
                              const uniform pk_u32 visit_plastic[],
                              const uniform struct pk_triangle_visit triangles[],
                              const uniform pk_u32 triangle_plastic[],
                              const uniform struct pk_bend_row rows[],
                              const uniform struct pk_plastic plastic[], uniform pk_u32 count,
                              const uniform struct pk_material materials[],
                              uniform pk_u32 material_count,
                              const uniform struct pk_quad extra[], uniform pk_u32 stride,
                              const uniform struct pk_solve *uniform solve)
{
    uniform struct descent scene = {x,         target,           start, packs,   visits,
                                    visit_plastic, triangles, triangle_plastic, rows, plastic,
                                    materials, material_count, extra, stride, solve};
    const uniform int model = triangles != NULL ? MIXED : model_of(materials, material_count);
    if (model == PK_SNH)
        descend(PK_SNH, scene, count);
    else if (model == PK_STVK)
        descend(PK_STVK, scene, count);
    else if (model == PK_NEO_HOOKEAN)
        descend(PK_NEO_HOOKEAN, scene, count);
    else
        descend(MIXED, scene, count);
}
