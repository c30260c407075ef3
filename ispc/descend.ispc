// descend.ispc - vertex descent for any materials and elements, mixed, damped and plastic ones too.
//
// Lives here: the loop over vertices. A body of tetrahedra of one elastic model gets a loop of its own; all
// others share one that looks up each lane's material. The step itself: descend_any.isph.
#include "descend_any.isph"

static inline void descend(const uniform int model, const uniform bool damped,
                           const uniform struct descent &scene, uniform pk_u32 count)
{
    for (uniform pk_u32 p = 0; p < count; p++) {
        const uniform struct pk_vertex_pack &pack = scene.packs[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct point self = load_points(scene.x, &pack.self[lane]);
            move_point(scene.x, &pack.self[lane], self,
                       vertex_step(model, damped, scene, pack, lane, self, true));
        }
    }
}

// One isotropic model for the whole body; others are rare enough to share the mixed loop.
static inline uniform int model_of(const uniform struct pk_material materials[],
                                   uniform pk_u32 count)
{
    const uniform struct pk_material &m = materials[0];
    const uniform bool damped = m.damping > 0;
    const uniform bool plain = count == 1 && !(m.yield > 0) &&
                               (m.model == PK_SNH || m.model == PK_STVK ||
                                (m.model == PK_NEO_HOOKEAN && !damped));
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
                              const uniform struct pk_fold_visit folds[],
                              const uniform pk_u32 fold_plastic[],
                              const uniform struct pk_plastic plastic[], uniform pk_u32 count,
                              const uniform struct pk_material materials[],
                              uniform pk_u32 material_count,
                              const uniform struct pk_quad extra[], uniform pk_u32 stride,
                              const uniform struct pk_solve *uniform solve)
{
    uniform struct descent scene = {x,         target,           start, packs,   visits,
                                    visit_plastic, triangles, triangle_plastic, rows, folds,
                                    fold_plastic, plastic, materials, material_count, extra,
                                    stride, solve};
    const uniform int model = triangles != NULL ? MIXED : model_of(materials, material_count);
    const uniform bool damped = materials->damping > 0;
    if (model == PK_SNH && damped)
        descend(PK_SNH, true, scene, count);
    else if (model == PK_SNH)
        descend(PK_SNH, false, scene, count);
    else if (model == PK_STVK && damped)
        descend(PK_STVK, true, scene, count);
    else if (model == PK_STVK)
        descend(PK_STVK, false, scene, count);
    else if (model == PK_NEO_HOOKEAN)
        descend(PK_NEO_HOOKEAN, false, scene, count);
    else
        descend(MIXED, false, scene, count);
}
