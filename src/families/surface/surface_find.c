/* surface_find.c - the pairs that may meet in a substep.
 *
 * Every particle is expected to go straight to within its slack of its target. Two parts of
 * surfaces that some plane keeps apart when the substep begins and when it ends, slack and
 * thickness included, cannot meet: how fast both go together does not matter. Faces around a corner
 * are vouched for together, as its star. Particles that after the iterations are elsewhere than
 * expected have strayed: what concerns them is sought again, for any share of their way.
 */
#include "families/surface/surface.h"

#include "families/surface/box_tree.h"
#include "families/surface/surface_settings.h"
#include "motion/stage.h"
#include "world/rest.h"

#include <math.h>
#include <string.h>

#define SAMPLES 16 /* particles that tell how their body goes */

static const struct pk_swept_box nothing = {{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}};

static void grow(struct pk_swept_box *box, const struct pk_swept_box *by)
{
    for (int k = 0; k < 3; ++k) {
        box->low[k] = by->low[k] < box->low[k] ? by->low[k] : box->low[k];
        box->high[k] = by->high[k] > box->high[k] ? by->high[k] : box->high[k];
    }
}

/* A node from the boxes below it, and the box around them all. */
static struct pk_swept_box gather(struct pk_box_pack *node, const struct pk_swept_box *boxes,
                                  uint32_t count)
{
    struct pk_swept_box around = nothing;
    for (uint32_t lane = 0; lane < PK_LANES; ++lane) {
        const struct pk_swept_box *box = lane < count ? &boxes[lane] : &nothing;
        for (int k = 0; k < 3; ++k) {
            node->low[k][lane] = box->low[k];
            node->high[k][lane] = box->high[k];
        }
        if (lane < count)
            grow(&around, box);
    }
    return around;
}

static bool stirred(const piola_world *w, uint32_t body)
{
    return atomic_load_explicit(&world_stirred(w)[body], memory_order_relaxed) != 0;
}

/* Times the thickness: where floats are farther apart than this a body's own faces lie in each
 * other, and would take all of the room that others have for their pairs. */
#define COARSEST 32.0f

/* So far from the origin, with all that it may come to, it meets nobody, nor itself: its box is one
 * that nothing overlaps. (Who only goes there may be put back to where it began.) */
static bool too_far(const piola_world *w, const struct pk_swept_box *box)
{
    float most = 0;
    for (int k = 0; k < 3; ++k) {
        const float low = box->low[k], high = -box->high[k], near = low > high ? low : high;
        most = near > most ? near : most;
    }
    return SURFACE_GRAIN * most > COARSEST * w->desc.contact_thickness;
}

/* Nodes from the lowest up; boxes around 16 nodes at a time wait for the node above them. */
static void refit(const piola_world *world, uint32_t body)
{
    const struct surface_mesh *surface_mesh = &world_surface_meshes(world)[body];
    struct pk_swept_box waiting[TREE_HEIGHT][PK_LANES];
    uint32_t count[TREE_HEIGHT] = {0}, first[TREE_HEIGHT] = {0};
    for (uint32_t h = 0; h < surface_mesh->height; ++h)
        first[h] = surface_node(surface_mesh, h + 1);
    for (uint32_t p = 0; p < surface_mesh->packs; p += PK_LANES) {
        const uint32_t left = surface_mesh->packs - p, packs = left < PK_LANES ? left : PK_LANES;
        struct pk_swept_box around =
            gather(&world_nodes(world)[first[0]++],
                   &world_pack_boxes(world)[surface_mesh->pack_first + p], packs);
        const bool last = left <= PK_LANES;
        for (uint32_t h = 1; h < surface_mesh->height; ++h) {
            waiting[h][count[h]++] = around;
            if (count[h] < PK_LANES && !last)
                break;
            around = gather(&world_nodes(world)[first[h]++], waiting[h], count[h]);
            count[h] = 0;
        }
        if (last)
            world_body_boxes(world)[body] = too_far(world, &around) ? surface_nowhere : around;
    }
}

/* Wider than pairs are sought: bodies that are about to touch are treated as if they did. */
static void find_partners(const struct step *step, uint32_t number)
{
    const piola_world *world = step->world;
    const uint32_t body = world_shared(world)[number], count = world->shared_count;
    uint64_t near[BOX_TREE_WORDS];
    const struct surface_mesh *surface_meshes = world_surface_meshes(world);
    struct partners *partners = &world_partners(world)[body];
    const struct pk_swept_box *own = &world_body_boxes(world)[body];
    const bool sleeps = body_asleep(world, body);
    partners->count = 0;
    if (surface_meshes[body].face_count == 0)
        return;
    body_tree_near(step, number, near);
    for (uint32_t i = box_tree_next(near, count, 0); i < count;
         i = box_tree_next(near, count, i + 1)) {
        const uint32_t b = world_shared(world)[i];
        if (b == body || surface_meshes[b].face_count == 0 || !coats_meet(world, body, b) ||
            (sleeps && body_asleep(world, b)))
            continue;
        const struct pk_widen widen = surface_widen(&surface_meshes[body], &surface_meshes[b],
                                                    surface_partners_margin(world));
        if (!surface_overlap(own, &world_body_boxes(world)[b], &widen))
            continue;
        if (partners->count < PARTNERS)
            partners->body[partners->count] = b;
        ++partners->count;
    }
    if (partners->count > 0)
        atomic_store_explicit(&world_surface_now(world)->near, 1, memory_order_relaxed);
}

/* kg. Bodies that do not move were not predicted, so their targets know no mass. */
static float mass_of(const piola_world *world, uint32_t particle, bool still)
{
    const float w = world_position(world)[particle].w;
    if (still)
        return w > 0 ? 1 / w : 0;
    return world_target(world)[particle].w;
}

/* Nothing has strayed yet; bodies that do not move stay where they are. */
static void rest(const piola_world *world, const struct chunk *chunk)
{
    const bool still = body_still(&world_bodies(world)[chunk->body]);
    for (uint32_t i = chunk->first; i < chunk->first + chunk->count; ++i) {
        const float mass = mass_of(world, i, still);
        world_strayed(world)[i] = 0;
        world_share(world)[i] = 1;
        world_bound(world)[i] = INFINITY;
        world_expected(world)[i] = world_position(world)[i];
        world_expected(world)[i].w = mass;
        if (still) {
            world_start(world)[i] = world_position(world)[i];
            world_target(world)[i] = world_expected(world)[i];
        }
    }
}

/* The way that a body goes as a whole: of some of its particles. Whatever it is nothing is missed;
 * the nearer it is the smaller are the boxes. */
static void find_drift(const piola_world *w, uint32_t body)
{
    const struct body *b = &world_bodies(w)[body];
    struct surface_mesh *surface_mesh = &world_surface_meshes(w)[body];
    float sum[3] = {0, 0, 0};
    for (uint32_t i = 0; i < SAMPLES && b->count > 0; ++i) {
        const uint32_t at = b->first + (uint32_t)((uint64_t)b->count * i / SAMPLES);
        float from[3], to[3];
        quad_read(&world_start(w)[at], from);
        quad_read(&world_expected(w)[at], to);
        for (int k = 0; k < 3; ++k)
            sum[k] += to[k] - from[k];
    }
    for (int k = 0; k < 3; ++k)
        surface_mesh->drift[k] = sum[k] / SAMPLES;
}

/* What the kernel that makes boxes is told. */
static struct pk_contact told_of(const struct step *step, uint32_t body)
{
    struct pk_contact told = surface_params(step);
    memcpy(told.drift, world_surface_meshes(step->world)[body].drift, sizeof told.drift);
    return told;
}

/* Faces at which something has just strayed, or whose star is lost, and their boxes. */
static void box_again(const struct step *step, const struct surface_block *block)
{
    const piola_world *w = step->world;
    struct pk_contact told = told_of(step, block->body);
    told.strayed = world_strayed(w);
    if (!stirred(w, block->body)) {
        memset(&world_dirty(w)[block->pack_first], 0, block->packs * sizeof *world_dirty(w));
        return;
    }
    if (world_waits(w)[block->body]) {
        /* Nothing of it is sought, but it is not where it was expected. */
        memset(&world_dirty(w)[block->pack_first], 0, block->packs * sizeof *world_dirty(w));
        step->kernels->surface_boxes(&told, &world_face_packs(w)[block->pack_first], block->packs,
                                     &world_face_boxes(w)[block->pack_first],
                                     &world_pack_boxes(w)[block->pack_first]);
        return;
    }
    for (uint32_t p = block->pack_first; p < block->pack_first + block->packs; ++p) {
        const struct pk_face_pack *pack = &world_face_packs(w)[p];
        uint32_t dirty = 0;
        for (uint32_t lane = 0; lane < pack->lanes; ++lane)
            for (int k = 0; k < 3; ++k) {
                const uint32_t stray = world_strayed(w)[pack->corner[k][lane]];
                const bool lost = world_star(w)[pack->corner[k][lane]] == PK_STAR_LOST;
                dirty |=
                    (uint32_t)((stray & STRAY_OWN_NEW) != 0 || lost) << (lane + SURFACE_DIRTY_OWN) |
                    (uint32_t)((stray & STRAY_OTHERS_NEW) != 0) << (lane + SURFACE_DIRTY_OTHERS);
            }
        world_dirty(w)[p] = dirty;
        if (dirty)
            step->kernels->surface_boxes(&told, pack, 1, &world_face_boxes(w)[p],
                                         &world_pack_boxes(w)[p]);
    }
}

static void box(const struct step *step, struct surface_block *block)
{
    const piola_world *w = step->world;
    const struct pk_contact told = told_of(step, block->body);
    step->kernels->surface_boxes(&told, &world_face_packs(w)[block->pack_first], block->packs,
                                 &world_face_boxes(w)[block->pack_first],
                                 &world_pack_boxes(w)[block->pack_first]);
}

void each_surface_rest(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    rest(step->world, &world_chunks(step->world)[chunk]);
}

void each_surface_stars(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct surface_block *block = surface_own_block(step, index);
    struct pk_contact told = surface_params(step);
    told.share = NULL;
    (void)step->kernels->surface_stars(&told, &world_rings(w)[block->ring_first], block->rings,
                                       world_star(w), 0);
}

void each_surface_boxes(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    box(step, surface_own_block(step, index));
}

void each_surface_again(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    box_again(step, &world_blocks(step->world)[index]);
}

void each_surface_trees(const struct step *step, uint32_t argument, uint32_t body)
{
    (void)argument;
    const piola_world *w = step->world;
    if (!world_surface_now(w)->spill.again || stirred(w, body))
        refit(w, body);
}

void each_surface_partners(const struct step *step, uint32_t argument, uint32_t i)
{
    (void)argument;
    find_partners(step, i);
}

void surface_find_begin(piola_world *w)
{
    struct surface_now *now = world_surface_now(w);
    now->pair_count = now->pairs_dropped = now->pair_pack_end = now->range_count = 0;
    now->dropped_keep = INFINITY;
    ++now->substeps;
    now->sought_carried = now->paired = now->looked = false;
    atomic_store_explicit(&now->strays, 0, memory_order_relaxed);
    atomic_store_explicit(&now->near, 0, memory_order_relaxed);
    atomic_store_explicit(&now->doubts, 0, memory_order_relaxed);
    atomic_store_explicit(&now->swift, 0, memory_order_relaxed);
    now->cut = now->waits = false;
    now->whole = 1;
    now->rounds_left = w->desc.contact_rounds;
    now->searches_left = w->desc.contact_searches;
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b)
        world_paired(w)[b] = world_waits(w)[b] = world_seen(w)[b] = 0;
    surface_collect_begin(w, false);
}

void surface_find_own(const struct step *step)
{
    run_stage(step, STAGE_SURFACE_REST, 0);
    for (uint32_t i = 0; i < domain_bodies(step); ++i)
        find_drift(step->world, domain_body(step, i));
    run_stage(step, STAGE_SURFACE_STARS, 0);
    run_stage(step, STAGE_SURFACE_BOXES, 0);
    run_stage(step, STAGE_SURFACE_TREES, 0);
    run_stage(step, STAGE_SURFACE_SEEK, 0);
}

/* Who seeks others at all is known from boxes around bodies. */
void surface_find(const struct step *step)
{
    piola_world *w = step->world;
    body_tree_skins(w, true);
    run_stage(step, STAGE_SURFACE_PARTNERS, 0);
    if (atomic_load_explicit(&world_surface_now(w)->near, memory_order_relaxed) != 0)
        run_stage(step, STAGE_SURFACE_SEARCH, 0);
    surface_collect_end(step, PAIRED_BEFORE);
}

void surface_find_again(const struct step *step, bool everything)
{
    piola_world *w = step->world;
    const uint64_t particles = w->dim[DIM_particles].used;
    for (uint32_t b = 0; everything && b < w->desc.max_bodies; ++b)
        atomic_store_explicit(&world_stirred(w)[b], 1, memory_order_relaxed);
    for (uint64_t i = 0; everything && i < particles; ++i) {
        world_strayed(w)[i] = STRAY_OWN_NEW | STRAY_OTHERS_NEW;
        world_star(w)[i] = PK_STAR_OPEN;
    }
    surface_collect_begin(w, true);
    run_stage(step, STAGE_SURFACE_AGAIN, 0);
    run_stage(step, STAGE_SURFACE_TREES, 0);
    body_tree_skins(w, false);
    run_stage(step, STAGE_SURFACE_PARTNERS, 0);
    run_stage(step, STAGE_SURFACE_SEARCH, 0);
    surface_collect_end(step, PAIRED_AFTER);
    /* What this search holds for: surface_limit.c. */
    atomic_store_explicit(&world_surface_now(w)->strays, 0, memory_order_relaxed);
    world_surface_now(w)->sought_carried = world_surface_now(w)->carries;
}
