/* contact_crowd.c - which bodies are near which: a tree of boxes around all of them (crowd.h).
 *
 * Once a substep bodies are put in order; their boxes are those of their surfaces while pairs are
 * sought, and afterwards of where they have been. The tree only leaves out what cannot be near: its
 * boxes are wider by all that is rounded, and whoever asks tests what is left exactly as if there
 * were no tree. Numbers are those of the list `large`, which ascends, and so do the answers.
 */
#include "contact.h"

#include "crowd.h"

#include <math.h>

/* Of what is added up: several times what the exact tests, in single precision, round. */
#define ROUNDED 1e-6f

static struct crowd crowd_of(const piola_world *w)
{
    return (struct crowd){w->large_count, world_crowd_boxes(w), world_crowd_items(w),
                          world_crowd_keys(w), world_crowd_nodes(w)};
}

/* Boxes are seen by those who go with their body. The same as seen by one who goes with all, and
 * wider by half of the margin within which bodies are partners: contact_overlap. */
static struct pk_swept_box seen(const piola_world *w, const struct skin *skin,
                                const struct pk_swept_box *box)
{
    const float margin = contact_partners_margin(w);
    struct pk_swept_box out;
    for (int k = 0; k < 3; ++k) {
        const float drift = skin->drift[k], common = w->crowd_drift[k], way = drift - common;
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
    for (uint32_t i = 0; i < w->large_count; ++i)
        for (int k = 0; k < 3; ++k) {
            const double way = (double)world_skins(w)[world_large(w)[i]].drift[k];
            mean[k] += fabs(way) < 1e15 ? way / w->large_count : 0;
        }
    for (int k = 0; k < 3; ++k)
        w->crowd_drift[k] = 0;
    for (uint32_t i = 0; i < w->large_count; ++i) {
        const float *drift = world_skins(w)[world_large(w)[i]].drift;
        double off = 0;
        for (int k = 0; k < 3; ++k)
            off += fabs((double)drift[k] - mean[k]);
        if (!(off < least))
            continue;
        least = off;
        for (int k = 0; k < 3; ++k)
            w->crowd_drift[k] = drift[k];
    }
}

void contact_crowd_skins(piola_world *w, bool first)
{
    static const struct pk_swept_box bare = {{1e28f, 1e28f, 1e28f}, {-1e28f, -1e28f, -1e28f}};
    const struct crowd crowd = crowd_of(w);
    if (first)
        find_common_drift(w);
    for (uint32_t i = 0; i < w->large_count; ++i) {
        const uint32_t b = world_large(w)[i];
        const struct skin *skin = &world_skins(w)[b];
        world_crowd_boxes(w)[i] =
            skin->face_count > 0 ? seen(w, skin, &world_body_boxes(w)[b]) : bare;
    }
    if (first)
        crowd_arrange(&crowd);
    crowd_refit(&crowd);
}

void contact_crowd_reaches(const piola_world *w, float most)
{
    const struct crowd crowd = crowd_of(w);
    for (uint32_t i = 0; i < w->large_count; ++i) {
        const struct reach *r = &world_reaches(w)[world_large(w)[i]];
        struct pk_swept_box *box = &world_crowd_boxes(w)[i];
        for (int k = 0; k < 3; ++k) {
            const float wider =
                0.5f * most + ROUNDED * (fabsf(r->low[k]) + fabsf(r->high[k]) + most);
            box->low[k] = r->low[k] - wider;
            box->high[k] = r->high[k] + wider;
        }
    }
    crowd_refit(&crowd);
}

void contact_crowd_near(const struct step *step, uint32_t number, uint64_t *set)
{
    const struct crowd crowd = crowd_of(step->world);
    crowd_near(&crowd, step->kernels, &crowd.boxes[number], set);
}

void contact_crowd_around(const struct step *step, const struct skin *skin,
                          const struct pk_swept_box *box, uint64_t *set)
{
    const struct crowd crowd = crowd_of(step->world);
    const struct pk_swept_box wide = seen(step->world, skin, box);
    crowd_near(&crowd, step->kernels, &wide, set);
}
