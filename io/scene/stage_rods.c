/* stage_rods.c - what the engine is told of rods: sections, from materials and the mesh's radius.
 */
#include "io/scene/stage.h"

#include <string.h>

static const struct scene_material *material_at(const struct scene *scene, uint32_t index)
{
    return (const struct scene_material *)scene->materials.items + index;
}

float stage_rod_radius(const struct stage *stage, const struct stage_asset *asset, uint32_t segment)
{
    const struct scene_section *section =
        material_at(stage->scene, asset->materials[segment])->section;
    return section && section->radius > 0 ? section->radius : (float)asset->mesh->radius;
}

static piola_rod rod_of(const struct scene_material *material, float radius)
{
    const struct scene_section *section = material->section;
    piola_rod rod = piola_rod_default();
    rod.radius = radius;
    rod.density = material->values.density;
    rod.young = material->values.young;
    rod.poisson = material->values.poisson;
    if (section) {
        rod.stretch = section->stretch;
        rod.shear = section->shear;
        rod.twist = section->twist;
        memcpy(rod.bend, section->bend, sizeof rod.bend);
        memcpy(rod.curvature, section->curvature, sizeof rod.curvature);
    }
    return rod;
}

static bool refuse(const struct stage *stage, const struct stage_asset *asset, const char *what,
                   const char *why, struct problem *problem)
{
    const struct scene_body *body = asset->first;
    return problem_set(problem, EXIT_SCENE, "%s: the body \"%s\": %s %s", stage->path,
                       body->name ? body->name : body->mesh, what, why);
}

/* What is of other bodies than rods. */
static bool check(const struct stage *stage, const struct stage_asset *asset,
                  struct problem *problem)
{
    const struct scene_body *body = asset->first;
    const char *what = body->links.count > 0         ? "\"links\""
                       : body->tethers               ? "\"tethers\""
                       : body->constraints.count > 0 ? "\"constraints\""
                                                     : NULL;
    if (what)
        return refuse(stage, asset, what, "are not of rods", problem);
    return stage->desc.solver == PIOLA_SOLVER_DESCENT ||
           refuse(stage, asset, "rods", "need the solver \"descent\"", problem);
}

/* All segments have a direction across them, or none has. */
static bool set_directions(struct stage *stage, const struct stage_asset *asset,
                           piola_mesh_desc *desc, struct problem *problem)
{
    const uint32_t count = asset->mesh->link_count;
    uint32_t given = 0;
    float *across = pool_take(&stage->pool, count, 3 * sizeof *across, "sections", problem);
    for (uint32_t i = 0; across && i < count; ++i) {
        const struct scene_section *section =
            material_at(stage->scene, asset->materials[i])->section;
        if (!section || section->across[0] * section->across[0] +
                                section->across[1] * section->across[1] +
                                section->across[2] * section->across[2] <=
                            0)
            continue;
        memcpy(across + 3 * (size_t)i, section->across, sizeof section->across);
        ++given;
    }
    if (given > 0 && given < count)
        return refuse(stage, asset, "\"across\"",
                      "must be in the section of each of its materials, or of none", problem);
    desc->segment_directions = given > 0 ? across : NULL;
    return across != NULL;
}

bool stage_rods(struct stage *stage, const struct stage_asset *asset, piola_mesh_desc *desc,
                struct problem *problem)
{
    const struct meshgen *mesh = asset->mesh;
    const uint32_t count = stage->scene->materials.count;
    if (!mesh->rod)
        return true;
    if (!check(stage, asset, problem))
        return false;
    piola_rod *rods = pool_take(&stage->pool, count, sizeof *rods, "sections", problem);
    for (uint32_t i = 0; rods && i < count; ++i)
        rods[i] = piola_rod_default(); /* of materials that are not of rods */
    for (uint32_t i = 0; rods && i < mesh->link_count; ++i)
        rods[asset->materials[i]] = rod_of(material_at(stage->scene, asset->materials[i]),
                                           stage_rod_radius(stage, asset, i));
    desc->segments = mesh->links;
    desc->segment_count = mesh->link_count;
    desc->segment_rods = asset->materials;
    desc->rods = rods;
    desc->rod_count = count;
    return rods && set_directions(stage, asset, desc, problem);
}
