/* reactions.c - what pins push with. Between steps only.
 *
 * Each pin by itself: all that pulls at its vertex where the step ended, the other way. All pins of
 * a body together: what its momentum says (contact_forces.c). What a solver has not finished, and
 * what it has no force for, makes the two differ; that is shared out by the size of the first.
 */
#include "base/float_mode.h"
#include "families/limits/limits.h"
#include "families/surface/surface_data.h"
#include "forces/contact_forces.h"
#include "motion/external.h"
#include "motion/solve.h"
#include "world/family.h"
#include "world/guides.h"

#include <math.h>
#include <string.h>

/* What the pin of a particle pushes with: all that pulls at it the other way. `f` is the gradient
 * of its elements. */
static void reaction_of(const struct step *step, const struct body *body, uint32_t local,
                        const struct pk_quad *f, float out[3])
{
    const piola_world *w = step->world;
    const uint32_t at = body->first + local;
    const struct pk_quad *x = &world_position(w)[at], *y = &world_target(w)[at];
    const struct pk_quad *load = phase_loads(step, body), *e = external_of(w, body);
    const struct pk_motion motion = phase_motion(step, body, false);
    const float m = asset_mass(body_asset(w, body))[local];
    const float pull[3] = {f->x, f->y, f->z};
    for (int k = 0; k < 3; ++k)
        out[k] = pull[k] - m * motion.acceleration[k];
    if (load) {
        out[0] -= load[at].x;
        out[1] -= load[at].y;
        out[2] -= load[at].z;
    }
    if (e) {
        const struct pk_quad *h = e + local, *on = h + body->count, *off = on + body->count;
        const float d[3] = {x->x - y->x, x->y - y->y, x->z - y->z};
        out[0] += h->x + on->x * d[0] + off->z * d[1] + off->y * d[2];
        out[1] += h->y + off->z * d[0] + on->y * d[1] + off->x * d[2];
        out[2] += h->z + off->y * d[0] + off->x * d[1] + on->z * d[2];
    }
}

/* A guide pushes only along what it does not leave free. */
static void take_held(const struct pk_quad *way, float force[3])
{
    const double all[3] = {(double)force[0], (double)force[1], (double)force[2]};
    double left[3];
    guide_leaves(way, all, left);
    for (int k = 0; k < 3; ++k)
        force[k] = (float)(all[k] - left[k]);
}

static float size_of(const float f[3])
{
    return sqrtf(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
}

/* What links and tethers do to pinned vertices, added to the gradient in world_force. */
static void pull_links(const struct step *step, const struct body *body, uint32_t index)
{
    const piola_world *w = step->world;
    const piola_asset *asset = body_asset(w, body);
    const struct pk_link_pack *packs = asset_link_packs(asset);
    const struct multiplier_cell *held = world_link_multipliers(w) + world_link_first(w)[index];
    const float inertia = solve_parameters(step, body).inertia;
    for (uint32_t i = 0; i < PK_LANES * asset->stats.link_packs; ++i) {
        const struct pk_link_pack *pack = &packs[i / PK_LANES];
        const uint32_t lane = i % PK_LANES;
        const uint32_t end[2] = {body->first + pack->index[0][lane],
                                 body->first + pack->index[1][lane]};
        const struct pk_quad *a = &world_position(w)[end[0]], *b = &world_position(w)[end[1]];
        const float way[3] = {a->x - b->x, a->y - b->y, a->z - b->z}, far = size_of(way);
        const float pull = far > 0 ? inertia * held[i / PK_LANES].value[lane] / far : 0;
        for (int side = 0; side < 2; ++side) {
            struct pk_quad *f = &world_force(w)[end[side]];
            const float sign = side == 0 ? -pull : pull;
            f->x += sign * way[0];
            f->y += sign * way[1];
            f->z += sign * way[2];
        }
    }
}

/* The forces on the body's vertices, in world_force. */
static void pull_at(const struct step *step, const struct body *body, uint32_t index)
{
    const uint32_t clusters = clusters_of(body_asset(step->world, body), false).count;
    measure_clear(step, body->first, body->count);
    for (uint32_t c = 0; c < clusters; ++c)
        (void)measure_cluster(step, body, c, true);
    (void)families_measure(step, index, true);
    if (body_asset(step->world, body)->stats.link_packs > 0)
        pull_links(step, body, index);
}

/* What all pins together lack, and how large they are: N. */
struct lack {
    double force[3], size;
    uint32_t pins;
};

static struct lack lack_of(const struct step *step, const struct body *body, uint32_t index)
{
    const piola_world *w = step->world;
    const struct contact_node *node = &world_contact_nodes(w)[index];
    const float *mass = asset_mass(body_asset(w, body));
    const struct pk_quad *load = phase_loads(step, body);
    const struct pk_motion motion = phase_motion(step, body, false);
    struct lack lack = {{0, 0, 0}, 0, 0};
    if (!w->unchanged || !node->pinned)
        return lack;
    memcpy(lack.force, node->pins, sizeof lack.force);
    for (uint32_t i = 0; i < body->count; ++i) {
        const uint32_t at = body->first + i;
        float out[3];
        if (world_position(w)[at].w != 0 || !(mass[i] > 0))
            continue;
        reaction_of(step, body, i, &world_force(w)[at], out);
        lack.size += (double)size_of(out);
        ++lack.pins;
        for (int k = 0; k < 3; ++k)
            lack.force[k] -= (double)(out[k] + mass[i] * motion.acceleration[k]);
        lack.force[0] -= load ? (double)load[at].x : 0;
        lack.force[1] -= load ? (double)load[at].y : 0;
        lack.force[2] -= load ? (double)load[at].z : 0;
    }
    return lack;
}

static void share_lack(const struct lack *lack, float out[3])
{
    const double share = lack->size > 0 ? (double)size_of(out) / lack->size : 1.0 / lack->pins;
    for (int k = 0; k < 3; ++k)
        out[k] += (float)(share * lack->force[k]);
}

piola_status piola_body_reactions(piola_world *world, piola_body handle, uint32_t first,
                                  uint32_t count, float *xyz)
{
    IN_PLAIN_MODE;
    /* Checks the call. */
    const piola_status status = piola_body_positions(world, handle, first, count, xyz);
    if (status != PIOLA_OK)
        return status;
    if (!world->desc.report_physics)
        return PIOLA_ERROR_RANGE;
    const struct body *body = body_find(world, handle);
    const uint32_t *particle = asset_particle_of_vertex(body_asset(world, body)) + first;
    const struct step step = {.world = world,
                              .kernels = kernels_for(world->desc.isa),
                              .dt = world->desc.dt / (float)world->desc.substeps};
    const struct pk_quad *guides = guides_ways(world, body);
    pull_at(&step, body, handle.index - 1);
    const struct lack lack = lack_of(&step, body, handle.index - 1);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t at = body->first + particle[i];
        float *out = xyz + 3 * (size_t)i;
        memset(out, 0, 3 * sizeof *out);
        const struct pk_quad *way = guides ? &guides[particle[i]] : NULL;
        const bool guided = way && way->w != 0;
        if (world_position(world)[at].w == 0 || guided)
            reaction_of(&step, body, particle[i], &world_force(world)[at], out);
        if (guided)
            take_held(way, out);
        else if (lack.pins > 0 && world_position(world)[at].w == 0)
            share_lack(&lack, out);
    }
    return PIOLA_OK;
}
