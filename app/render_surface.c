#include "render_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(struct render_scene *scene, uint32_t more, struct problem *problem)
{
    uint64_t need = (uint64_t)scene->count + more;
    if (need <= scene->room) {
        return true;
    }
    need += need / 4;
    struct render_vertex *grown =
        need > UINT32_MAX ? NULL : realloc(scene->corners, (size_t)need * sizeof *grown);
    if (grown == NULL) {
        return problem_memory(problem, "a picture's surfaces", (size_t)need * sizeof *grown);
    }
    scene->corners = grown;
    scene->room = (uint32_t)need;
    return true;
}

bool render_scene_add(struct render_scene *scene, struct surface_corners *surface, const float *xyz,
                      const struct render_dress *dress, struct problem *problem)
{
    uint32_t count = 3 * surface->triangle_count;
    if (!make_room(scene, count, problem)) {
        return false;
    }
    if (!surface->given) {
        surface_corners_normals(surface, xyz);
    }
    struct render_vertex *out = scene->corners + scene->count;
    for (uint32_t c = 0; c < count; c++, out++) {
        uint32_t v = surface->triangles[c];
        const uint8_t *colour =
            dress->colours != NULL ? dress->colours + 3 * (size_t)(c / 3) : dress->colour;
        memcpy(out->xyz, xyz + 3 * (size_t)v, sizeof out->xyz);
        memcpy(out->normal, surface->normals + 3 * (size_t)surface->normal_of[c],
               sizeof out->normal);
        out->value = dress->values != NULL ? fmaxf(0.0f, fminf(1.0f, dress->values[v])) : -1.0f;
        memcpy(out->colour, colour, 3);
        out->colour[3] = 255;
    }
    scene->count += count;
    return true;
}

void render_scene_clear(struct render_scene *scene)
{
    scene->count = 0;
}

void render_scene_free(struct render_scene *scene)
{
    free(scene->corners);
    *scene = (struct render_scene){0};
}
