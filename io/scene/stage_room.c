/* stage_room.c - room for contact in a scene that does not say how much.
 *
 * None when nothing can meet: a single solid, bodies that list others, ropes. None either where
 * bodies are attached to each other or begin crushed or scattered: surfaces that are sewn together
 * or begin crossed are not to be held so. Else so many pairs for each triangle of the
 * surfaces that can meet. What finds no room is counted and told.
 */
#include "io/mesh/meshes.h"
#include "io/scene/stage.h"

#include <math.h>

#define PAIRS_A_TRIANGLE 6u
#define PAIRS_LEAST      2000u
#define CRUSHED          0.1        /* of its size, or inside out */
#define SCATTERED        0.2        /* of an edge */
#define PAIRS_MOST       (1u << 24) /* 3 GB */

bool stage_bodies_meet(const struct stage_body *a, const struct stage_body *b)
{
    if (a->asset->stats.surface_triangles == 0 || b->asset->stats.surface_triangles == 0)
        return false;
    if (a == b)
        return a->desc.self_contact;
    return (a->desc.category & b->desc.mask) != 0 && (b->desc.category & a->desc.mask) != 0;
}

/* A solid seldom folds so far that it meets itself: that alone is no reason for room. */
static bool meets_any(const struct stage *stage, uint32_t index)
{
    const struct stage_body *body = &stage->bodies[index];
    if (body->asset->mesh->triangle_count > 0 && stage_bodies_meet(body, body))
        return true;
    for (uint32_t i = 0; i < stage->body_count; ++i)
        if (i != index && stage_bodies_meet(body, &stage->bodies[i]))
            return true;
    return false;
}

/* m: mean of one edge an element. */
static double edge_of(const struct meshgen *mesh)
{
    const uint32_t count = mesh_elements(mesh);
    double sum = 0;
    for (uint32_t e = 0; e < count; ++e) {
        const uint32_t *v = mesh_corner_list(mesh) + (size_t)e * mesh_corners(mesh);
        double square = 0;
        for (size_t k = 0; k < 3; ++k) {
            const double d =
                mesh->vertices[3 * (size_t)v[0] + k] - mesh->vertices[3 * (size_t)v[1] + k];
            square += d * d;
        }
        sum += sqrt(square);
    }
    return count > 0 ? sum / count : 0;
}

/* A little noise, or a stretch, crosses nothing. */
static bool starts_crossed(const struct stage_body *body)
{
    const struct scene_start *start = body->scene->start;
    if (!start)
        return false;
    for (int k = 0; k < 3; ++k)
        if (start->scale[k] < CRUSHED)
            return true;
    return start->random > SCATTERED * edge_of(body->asset->mesh);
}

static bool begins_crossed(const struct stage *stage)
{
    const struct scene_attachment *attachments = stage->scene->attachments.items;
    for (uint32_t i = 0; i < stage->scene->attachments.count; ++i)
        if (attachments[i].to)
            return true;
    for (uint32_t i = 0; i < stage->body_count; ++i)
        if (starts_crossed(&stage->bodies[i]))
            return true;
    return false;
}

void stage_room_make(struct stage *stage)
{
    const bool crossed = begins_crossed(stage);
    uint64_t triangles = 0;
    stage->desc.max_contacts = stage->scene->world->contacts;
    if (stage->desc.max_contacts != CONTACTS_MADE)
        return;
    for (uint32_t i = 0; i < stage->body_count && !crossed; ++i)
        if (meets_any(stage, i))
            triangles += stage->bodies[i].asset->stats.surface_triangles;
    const uint64_t pairs = PAIRS_LEAST + PAIRS_A_TRIANGLE * triangles;
    stage->desc.max_contacts = triangles == 0       ? 0
                               : pairs > PAIRS_MOST ? PAIRS_MOST
                                                    : (uint32_t)pairs;
}
