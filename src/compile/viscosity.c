/* viscosity.c - what of a mesh is damped or relaxes, in an asset: which of these sections there
 * are, and their numbers. An asset of which nothing is has none of them.
 */
#include "compile/build.h"
#include "compile/material.h"
#include "compile/mesh_limits.h"
#include "compile/rest_shape.h"

#include <math.h>

void plan_viscosity(struct piola_plan *plan, const piola_mesh_desc *mesh)
{
    bool folds = false, links = false, relaxes = false, slowed = false;
    for (uint32_t id = 0; id < plan->elements; id++) {
        const piola_material *material = &mesh->materials[mesh_material(mesh, id)];
        const unsigned kind = mesh_kind(mesh, id);
        folds = folds || (kind == KIND_BEND && material->damping > 0);
        relaxes = relaxes || plan_relaxes(material);
        slowed = slowed || (kind != KIND_BEND && material->mass_damping > 0);
    }
    for (uint32_t i = 0; i < plan->kind_count[KIND_LINK]; i++)
        links = links || limits_link_damping(mesh, i) > 0;
    struct section_counts *counts = &plan->counts;
    counts->fold_damping_lanes = folds ? counts->fold_visits * PK_LANES : 0;
    counts->link_damping_lanes = links ? counts->link_packs * PK_LANES : 0;
    counts->relaxing_materials = relaxes ? plan->material_count : 0;
    counts->slowed_particles = slowed ? counts->particles : 0;
}

/* Each used material's branches, and how much of the body's stiffness is of it. */
static void build_relaxations(const struct build *b)
{
    double whole = 0, longest;
    struct pk_relaxation *to = b->at.relaxations;
    for (uint32_t i = 0; i < b->plan->kind_count[KIND_TET]; i++)
        whole += fabs(rest_tet_det(b->mesh, mesh_element(b->mesh, i), &longest)) *
                 (double)b->at.materials[mesh_material(b->mesh, i)].mu;
    for (uint32_t i = 0; i < b->plan->kind_count[KIND_TET]; i++) {
        const uint32_t at = mesh_material(b->mesh, i);
        const double part = fabs(rest_tet_det(b->mesh, mesh_element(b->mesh, i), &longest)) *
                            (double)b->at.materials[at].mu;
        const piola_relaxation *of = b->mesh->materials[at].relaxation;
        unsigned branches = 0;
        to[at].weight += (float)(part / whole);
        for (unsigned n = 0; n < PIOLA_RELAXATIONS; n++) {
            if (of[n].share > 0) {
                to[at].share[branches] = of[n].share;
                to[at].time[branches++] = of[n].time;
            }
        }
    }
}

/* A particle's rate is the mean of its elements', by the mass that it has of each. */
static void build_mass_damping(const struct build *b)
{
    for (uint32_t vertex = 0; vertex < b->plan->vertices; vertex++) {
        const uint32_t particle = b->plan->particle_of_vertex[vertex];
        const double rate = build_vertex_rate(b->plan, b->mesh, vertex);
        b->at.mass_damping[particle] = (float)rate;
    }
}

void build_viscosity(const struct build *b)
{
    const struct section_counts *counts = &b->plan->counts;
    if (counts->relaxing_materials > 0)
        build_relaxations(b);
    if (counts->slowed_particles > 0)
        build_mass_damping(b);
    for (uint32_t i = 0; counts->link_damping_lanes > 0 && i < b->plan->kind_count[KIND_LINK]; i++)
        b->at.link_damping[b->plan->lane_of_element[mesh_kind_first(b->mesh, KIND_LINK) + i]] =
            limits_link_damping(b->mesh, i);
}
