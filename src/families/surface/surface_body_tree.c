/* surface_body_tree.c - which bodies are near which: a tree of boxes around all of them
 * (box_tree.h).
 *
 * Every few substeps bodies are put in order; their boxes are those of their surfaces while pairs
 * are sought, and afterwards of where they have been. The tree only leaves out what cannot be near:
 * its boxes are wider by all that is rounded, and whoever asks tests what is left exactly as if
 * there were no tree. Numbers are those of the list `large`, which ascends, and so do the answers.
 */
#include "families/surface/surface.h"

#include "families/surface/box_tree.h"

#include <math.h>

const struct pk_swept_box surface_nowhere = {{1e28f, 1e28f, 1e28f}, {-1e28f, -1e28f, -1e28f}};

#define ARRANGE_EVERY 8 /* substeps */

/* Of what is added up: several times what the exact tests, in single precision, round. */
#define ROUNDED 1e-6f

static struct box_tree box_tree_of(const piola_world *w)
{
    return (struct box_tree){w->shared_count, world_body_tree_boxes(w), world_body_tree_items(w),
                             world_body_tree_keys(w), world_body_tree_nodes(w)};
}

/* Boxes are seen by those who go with their body. The same as seen by one who goes with all, and
 * wider by half of the margin within which bodies are partners: surface_overlap. */
static struct pk_swept_box seen(const piola_world *w, const struct surface_mesh *surface_mesh,
                                const struct pk_swept_box *box)
{
    const float margin = surface_partners_margin(w);
    struct pk_swept_box out;
    for (int k = 0; k < 3; ++k) {
        const float drift = surface_mesh->drift[k],
                    common = world_surface_now(w)->body_tree_drift[k], way = drift - common;
        const float wider = 0.5f * margin + ROUNDED * (fabsf(box->low[k]) + fabsf(box->high[k]) +
                                                       fabsf(drift) + fabsf(common) + margin);
        out.low[k] = box->low[k] + (way < 0 ? way : 0) - wider;
        out.high[k] = box->high[k] + (way > 0 ? way : 0) + wider;
        /* A broken number hides nothing. */
        if (!(way - way == 0))
            out.low[k] = -INFINITY;
    }
    return out;
}

/* The way of the body that goes most like all: the mean would be nobody's when one flies off. */
static void find_common_drift(piola_world *w)
{
    double mean[3] = {0, 0, 0}, least = (double)INFINITY;
    for (uint32_t i = 0; i < w->shared_count; ++i)
        for (int k = 0; k < 3; ++k) {
            const double way = (double)world_surface_meshes(w)[world_shared(w)[i]].drift[k];
            mean[k] += fabs(way) < 1e15 ? way / w->shared_count : 0;
        }
    for (int k = 0; k < 3; ++k)
        world_surface_now(w)->body_tree_drift[k] = 0;
    for (uint32_t i = 0; i < w->shared_count; ++i) {
        const float *drift = world_surface_meshes(w)[world_shared(w)[i]].drift;
        double off = 0;
        for (int k = 0; k < 3; ++k)
            off += fabs((double)drift[k] - mean[k]);
        if (!(off < least))
            continue;
        least = off;
        for (int k = 0; k < 3; ++k)
            world_surface_now(w)->body_tree_drift[k] = drift[k];
    }
}

/* An order that was good some substeps ago is hardly worse now, and none changes an answer. */
static bool must_arrange(const piola_world *w)
{
    const struct surface_now *now = world_surface_now(w);
    return now->arranged != w->shared_count || now->substeps % ARRANGE_EVERY == 0;
}

void body_tree_skins(piola_world *w, bool first)
{
    const struct box_tree tree = box_tree_of(w);
    if (first)
        find_common_drift(w);
    for (uint32_t i = 0; i < w->shared_count; ++i) {
        const uint32_t b = world_shared(w)[i];
        const struct surface_mesh *surface_mesh = &world_surface_meshes(w)[b];
        world_body_tree_boxes(w)[i] = surface_mesh->face_count > 0
                                          ? seen(w, surface_mesh, &world_body_boxes(w)[b])
                                          : surface_nowhere;
    }
    if (first && must_arrange(w)) {
        box_tree_arrange(&tree);
        world_surface_now(w)->arranged = w->shared_count;
    }
    box_tree_refit(&tree);
}

void body_tree_reaches(const piola_world *w, float most)
{
    const struct box_tree tree = box_tree_of(w);
    for (uint32_t i = 0; i < w->shared_count; ++i) {
        const struct reach *r = &world_reaches(w)[world_shared(w)[i]];
        struct pk_swept_box *box = &world_body_tree_boxes(w)[i];
        for (int k = 0; k < 3; ++k) {
            const float wider =
                0.5f * most + ROUNDED * (fabsf(r->low[k]) + fabsf(r->high[k]) + most);
            box->low[k] = r->low[k] - wider;
            box->high[k] = r->high[k] + wider;
        }
    }
    box_tree_refit(&tree);
}

void body_tree_near(const struct step *step, uint32_t number, uint64_t *set)
{
    const struct box_tree tree = box_tree_of(step->world);
    box_tree_near(&tree, step->kernels, &tree.boxes[number], set);
}

void body_tree_around(const struct step *step, const struct surface_mesh *surface_mesh,
                      const struct pk_swept_box *box, uint64_t *set)
{
    const struct box_tree tree = box_tree_of(step->world);
    const struct pk_swept_box wide = seen(step->world, surface_mesh, box);
    box_tree_near(&tree, step->kernels, &wide, set);
}
