/* contact_list.c - the faces of all bodies, each body's along its particles' curve, and the shape
 * of its tree. Made anew when bodies are created or destroyed; not in a step's substeps.
 */
#include "contact.h"

#include <string.h>

static uint32_t least(const struct face *face)
{
    const uint32_t a = face->corner[0], b = face->corner[1], c = face->corner[2];
    const uint32_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static bool has(const struct face *face, uint32_t particle)
{
    return face->corner[0] == particle || face->corner[1] == particle ||
           face->corner[2] == particle;
}

/* Faces sorted by their first particle (counting sort); particles follow a space-filling curve. */
static void order(const piola_world *world, const struct body *body, const struct skin *skin)
{
    const piola_asset *asset = body_asset(world, body);
    const uint32_t *surface = asset_surface(asset), *of = asset_particle_of_vertex(asset);
    uint32_t *first = world_corner_first(world) + body->first;
    struct face *faces = world_faces(world) + skin->face_first;
    memset(first, 0, body->count * sizeof *first);
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t f = 0; f < skin->face_count; ++f) {
            const uint32_t *v = surface + 3 * (size_t)f;
            const struct face face = {
                {body->first + of[v[0]], body->first + of[v[1]], body->first + of[v[2]]}, 0};
            const uint32_t at = least(&face) - body->first;
            if (pass == 0)
                ++first[at];
            else
                faces[first[at]++] = face;
        }
        for (uint32_t i = 0, sum = 0; i < body->count && pass == 0; ++i) {
            const uint32_t count = first[i];
            first[i] = sum;
            sum += count;
        }
    }
}

/* Which faces meet at each particle: corners[first[i] .. first[i + 1] - 1]. */
static void meet(const piola_world *world, const struct body *body, const struct skin *skin)
{
    uint32_t *first = world_corner_first(world) + body->first;
    uint32_t *corners = world_corners(world) + 3 * (size_t)skin->face_first;
    const struct face *faces = world_faces(world) + skin->face_first;
    memset(first, 0, body->count * sizeof *first);
    for (uint32_t f = 0; f < skin->face_count; ++f)
        for (int k = 0; k < 3; ++k)
            ++first[faces[f].corner[k] - body->first];
    for (uint32_t i = 0, sum = 0; i < body->count; ++i) {
        sum += first[i];
        first[i] = sum;
    }
    for (uint32_t f = skin->face_count; f-- > 0;)
        for (int k = 0; k < 3; ++k)
            corners[--first[faces[f].corner[k] - body->first]] = f;
}

static void own(const piola_world *world, const struct body *body, const struct skin *skin)
{
    const uint32_t *first = world_corner_first(world) + body->first;
    const uint32_t *corners = world_corners(world) + 3 * (size_t)skin->face_first;
    struct face *faces = world_faces(world) + skin->face_first;
    for (uint32_t f = 0; f < skin->face_count; ++f)
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t a = faces[f].corner[k], b = faces[f].corner[(k + 1) % 3];
            bool edge = true;
            /* Faces at a corner are listed in rising order. */
            faces[f].owns |= (uint32_t)(corners[first[a - body->first]] == f) << k;
            for (uint32_t i = first[a - body->first]; corners[i] < f; ++i)
                edge = edge && !has(&faces[corners[i]], b);
            faces[f].owns |= (uint32_t)edge << (3 + k);
        }
}

void contact_list(piola_world *world)
{
    uint32_t faces = 0, nodes = 0;
    if (!contact_any(world))
        return;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i) {
        const struct body *body = &world_bodies(world)[i];
        struct skin *skin = &world_skins(world)[i];
        *skin = (struct skin){faces, 0, nodes, 0};
        if (!(body->flags & BODY_ALIVE))
            continue;
        skin->face_count = body_asset(world, body)->stats.surface_triangles;
        skin->leaves = 1;
        while (skin->leaves * CONTACT_LEAF < skin->face_count)
            skin->leaves *= 2;
        faces += skin->face_count;
        nodes += 2 * skin->leaves;
        order(world, body, skin);
        meet(world, body, skin);
        own(world, body, skin);
    }
    dimension_use(world, DIM_faces, faces);
    dimension_use(world, DIM_nodes, nodes);
    dimension_use(world, DIM_corners, 3 * (uint64_t)faces);
}
