/* constraint_pack.c - which 16 constraints share a pack: of one kind, no vertex in common. Kinds
 * follow each other in the order of their numbers, and within a kind constraints as they were
 * described, each in the earliest of up to 64 open packs that has none of its vertices.
 */
#include "families/constraints/constraints.h"

#include "compile/build.h"
#include "compile/packing_window.h"

#include <math.h>
#include <string.h>

static uint64_t *take_work(const piola_mesh_desc *mesh, struct arena *arena)
{
    return arena_take(arena, mesh->constraint_count > 0 ? mesh->vertex_count : 0, sizeof(uint64_t));
}

static void work(const piola_mesh_desc *mesh, struct arena *arena)
{
    (void)take_work(mesh, arena);
}

static void *take(const piola_mesh_desc *mesh, struct arena *arena)
{
    struct constraint_plan *kept = arena_take(arena, 1, sizeof *kept);
    const struct constraint_plan made = {
        .lane = arena_take(arena, mesh->constraint_count, sizeof(uint32_t)),
        .shares = arena_take(arena, mesh->constraint_count > 0 ? mesh->vertex_count : 0,
                             sizeof(uint32_t)),
    };
    if (kept != NULL)
        *kept = made;
    return kept;
}

/* A pack leaves the window: its vertices are free for the pack that gets its bit. */
static void forget(struct window *window, const piola_mesh_desc *mesh, uint64_t *taken)
{
    const uint32_t slot = window->base % WINDOW_PACKS;
    for (uint32_t lane = 0; lane < window->used[slot]; lane++) {
        const piola_constraint *c = &mesh->constraints[window->item[slot][lane]];
        for (unsigned i = 0; i < constraint_corners(c); i++)
            taken[c->vertices[i]] &= ~window_bit(window->base);
    }
    window_close(window);
}

static uint32_t put(struct window *window, const piola_mesh_desc *mesh, uint32_t item,
                    uint64_t *taken)
{
    const piola_constraint *c = &mesh->constraints[item];
    const unsigned corners = constraint_corners(c);
    uint64_t enemies = 0;
    uint32_t pack = 0;
    for (unsigned i = 0; i < corners; i++)
        enemies |= taken[c->vertices[i]];
    if (!window_find(window, ~enemies, &pack)) {
        if (window_full(window))
            forget(window, mesh, taken);
        pack = window_open(window);
    }
    for (unsigned i = 0; i < corners; i++)
        taken[c->vertices[i]] |= window_bit(pack);
    return window_put(window, pack, item);
}

static void plan(struct piola_plan *plan, const piola_mesh_desc *mesh, struct arena *arena)
{
    struct constraint_plan *kept = constraint_plan(plan);
    uint64_t *taken = take_work(mesh, arena);
    kept->packs = 0;
    plan->stats.constraints = mesh->constraint_count;
    if (mesh->constraint_count == 0)
        return;
    memset(taken, 0, mesh->vertex_count * sizeof *taken);
    memset(kept->shares, 0, mesh->vertex_count * sizeof *kept->shares);
    for (unsigned kind = 0; kind < PIOLA_CONSTRAINT_KIND_COUNT; kind++) {
        struct window window;
        window_begin(&window, kept->packs);
        for (uint32_t i = 0; i < mesh->constraint_count; i++) {
            const piola_constraint *c = &mesh->constraints[i];
            if (c->kind != kind)
                continue;
            kept->lane[i] = put(&window, mesh, i, taken);
            for (unsigned k = 0; k < constraint_corners(c); k++)
                kept->shares[c->vertices[k]]++;
        }
        while (window.base != window.next)
            forget(&window, mesh, taken);
        kept->packs = window.next;
    }
}

static void count(struct piola_plan *plan)
{
    struct section_counts *counts = &plan->counts;
    counts->constraint_packs = constraint_plan(plan)->packs;
    counts->constraint_heads = counts->constraint_packs > 0;
    counts->constraint_particles = counts->constraint_packs > 0 ? counts->particles : 0;
    plan->stats.constraint_packs = constraint_plan(plan)->packs;
}

/* Of volumes those that are turned inside out at rest get two corners swapped. */
static void write(const struct build *b, const piola_constraint *c, struct pk_constraint_pack *to,
                  uint32_t lane)
{
    const bool strain = c->kind > PIOLA_CONSTRAINT_VOLUME;
    const double measure = strain ? 1 : constraint_measure(b->mesh, c), size = fabs(measure);
    const unsigned swapped = measure < 0;
    for (unsigned axis = 0; strain && axis < (c->kind == PIOLA_CONSTRAINT_SHEAR ? 2 : 1); axis++) {
        double along[4] = {0};
        (void)constraint_along(b->mesh, c, axis, along);
        for (unsigned i = 0; i < 4; i++)
            to->along[axis][i][lane] = (float)along[i];
    }
    if (c->kind == PIOLA_CONSTRAINT_SHEAR)
        to->rest[lane] = (float)constraint_cosine(b->mesh, c);
    for (unsigned i = 0; i < constraint_corners(c); i++)
        to->index[i < 2 ? i ^ swapped : i][lane] = b->plan->particle_of_vertex[c->vertices[i]];
    to->kind = c->kind;
    to->least[lane] = (float)(size * (double)c->least);
    to->most[lane] = (float)(size * (double)c->most);
    to->compliance[lane] = c->compliance;
    to->left[lane] = 1 - c->stiffness;
}

static void build(const struct build *b)
{
    const struct constraint_plan *kept = constraint_plan(b->plan);
    if (kept->packs == 0)
        return;
    *b->at.constraint_heads = (struct constraint_head){
        .order = b->mesh->constraint_order,
        .relaxation = b->mesh->constraint_relaxation,
        .count = b->mesh->constraint_count,
    };
    for (uint32_t i = 0; i < kept->packs; i++)
        for (unsigned c = 0; c < 4; c++)
            for (uint32_t lane = 0; lane < PK_LANES; lane++)
                b->at.constraint_packs[i].index[c][lane] = b->plan->first_dummy + c;
    for (uint32_t i = 0; i < b->mesh->constraint_count; i++)
        write(b, &b->mesh->constraints[i], &b->at.constraint_packs[kept->lane[i] / PK_LANES],
              kept->lane[i] % PK_LANES);
    for (uint32_t i = 0; i < b->plan->counts.particles; i++) {
        const uint32_t shares =
            i < b->plan->vertices ? kept->shares[b->plan->vertex_of_particle[i]] : 0;
        b->at.constraint_shares[i] = shares > 0 ? (float)shares : 1;
    }
}

const struct asset_part part_constraints = {
    .name = "constraints",
    .check_counts = constraint_check_counts,
    .check = constraint_check,
    .take = take,
    .work = work,
    .plan = plan,
    .count = count,
    .build = build,
    .verify = constraint_verify,
};
