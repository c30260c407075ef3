/* stage_attachments.c - vertices held to another body's surface or to places in the world. */
#include "io/scene/stage.h"

#include <math.h>
#include <string.h>

#define ATTACHMENTS_MAX (1u << 20) /* vertices */

static bool no_body(const struct stage *stage, uint32_t index, const char *key, const char *name,
                    uint32_t copy, struct problem *problem)
{
    return problem_set(problem, EXIT_SCENE,
                       "%s: attachments[%u].%s: there is no body \"%s\" with a copy %u",
                       stage->path, index, key, name, copy);
}

bool stage_attachments_make(struct stage *stage, struct problem *problem)
{
    const struct list *list = &stage->scene->attachments;
    uint64_t vertices = 0;
    stage->attachments =
        pool_take(&stage->pool, list->count, sizeof *stage->attachments, "attachments", problem);
    if (!stage->attachments)
        return false;
    for (uint32_t i = 0; i < list->count; ++i) {
        struct stage_attachment *made = &stage->attachments[i];
        made->scene = (const struct scene_attachment *)list->items + i;
        const struct scene_attachment *scene = made->scene;
        const struct stage_body *body = stage_body_named(stage, scene->body, scene->copy);
        if (!body)
            return no_body(stage, i, "body", scene->body, scene->copy, problem);
        if (scene->to && !stage_body_named(stage, scene->to, scene->to_copy))
            return no_body(stage, i, "to", scene->to, scene->to_copy, problem);
        made->pin.scene = &scene->pin;
        made->pin.list = "attachments";
        made->pin.body = (uint32_t)(body - stage->bodies);
        if (!stage_pin_open(stage, &made->pin, i, problem))
            return false;
        made->handles =
            pool_take(&stage->pool, made->pin.count, sizeof *made->handles, "attachments", problem);
        if (!made->handles)
            return false;
        vertices += made->pin.count;
        ++stage->attachment_count;
    }
    if (vertices > ATTACHMENTS_MAX)
        return problem_set(problem, EXIT_SCENE,
                           "%s: %llu vertices are attached, more than the engine takes (1048576)",
                           stage->path, (unsigned long long)vertices);
    stage->desc.max_attachments = (uint32_t)vertices;
    return true;
}

/* ---- the nearest point of a surface ---- */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double square_of(const double x[3][3], const double b[3], const double p[3])
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        const double d = p[k] - b[0] * x[0][k] - b[1] * x[1][k] - b[2] * x[2][k];
        square += d * d;
    }
    return square;
}

/* Squared distance, and the barycentric coordinates of the nearest point. */
static double nearest_on(const double x[3][3], const double p[3], double b[3])
{
    double e[2][3], r[3], least = (double)INFINITY;
    for (int k = 0; k < 3; ++k) {
        e[0][k] = x[0][k] - x[2][k];
        e[1][k] = x[1][k] - x[2][k];
        r[k] = p[k] - x[2][k];
    }
    const double a = dot(e[0], e[0]), m = dot(e[0], e[1]), c = dot(e[1], e[1]);
    const double u = dot(e[0], r), v = dot(e[1], r), det = a * c - m * m;
    if (det > 0) {
        b[0] = (c * u - m * v) / det;
        b[1] = (a * v - m * u) / det;
        b[2] = 1 - b[0] - b[1];
        if (b[0] >= 0 && b[1] >= 0 && b[2] >= 0)
            return square_of(x, b, p);
    }
    for (int k = 0; k < 3; ++k) {
        const int next = (k + 1) % 3;
        double edge[3], way[3], weights[3] = {0, 0, 0};
        for (int i = 0; i < 3; ++i) {
            edge[i] = x[next][i] - x[k][i];
            way[i] = p[i] - x[k][i];
        }
        const double t = fmin(fmax(dot(way, edge) / dot(edge, edge), 0), 1);
        weights[k] = 1 - t;
        weights[next] = t;
        const double square = square_of(x, weights, p);
        if (square < least) {
            least = square;
            memcpy(b, weights, sizeof weights);
        }
    }
    return least;
}

/* The point of a body's surface, as it is placed at rest, that is nearest to p. */
static piola_attachment_point point_near(const struct stage_body *body, const double p[3])
{
    uint32_t triangles = 0;
    const uint32_t *surface = piola_asset_surface(body->asset->asset, &triangles);
    double least = (double)INFINITY;
    piola_attachment_point point = {.body = body->handle, .count = 3};
    for (uint32_t t = 0; t < triangles; ++t) {
        const uint32_t *v = surface + 3 * (size_t)t;
        double x[3][3], b[3] = {0, 0, 0};
        for (int c = 0; c < 3; ++c)
            stage_place(&body->desc, body->asset->mesh->vertices + 3 * (size_t)v[c], x[c]);
        const double square = nearest_on((const double(*)[3])x, p, b);
        if (!(square < least))
            continue;
        least = square;
        for (int c = 0; c < 3; ++c) {
            point.vertices[c] = v[c];
            point.weights[c] = (float)b[c];
        }
    }
    return point;
}

/* ---- making and leading ---- */

static bool create(struct stage *stage, struct stage_attachment *attachment, uint32_t i,
                   struct problem *problem)
{
    const struct scene_attachment *scene = attachment->scene;
    const struct stage_pin *pin = &attachment->pin;
    piola_attachment_desc desc = piola_attachment_desc_default();
    piola_error error = {0};
    desc.point = (piola_attachment_point){.body = stage->bodies[pin->body].handle,
                                          .count = 1,
                                          .vertices = {pin->vertices[i]},
                                          .weights = {1}};
    desc.compliance = scene->compliance;
    desc.damping = scene->damping;
    if (scene->to)
        desc.other = point_near(stage_body_named(stage, scene->to, scene->to_copy),
                                pin->home + 3 * (size_t)i);
    else
        stage_pin_place(pin, 0, i, desc.target);
    const piola_status status =
        piola_attachment_create(stage->world, &desc, &attachment->handles[i], &error);
    char what[300];
    snprintf(what, sizeof what, "%.200s: attachments[%u]", stage->path,
             (uint32_t)(attachment - stage->attachments));
    return status == PIOLA_OK || problem_engine(problem, EXIT_SCENE, what, status, &error);
}

bool stage_attachments_create(struct stage *stage, struct problem *problem)
{
    for (uint32_t a = 0; a < stage->attachment_count; ++a)
        for (uint32_t i = 0; i < stage->attachments[a].pin.count; ++i)
            if (!create(stage, &stage->attachments[a], i, problem))
                return false;
    return true;
}

bool stage_attachments_push(const struct stage *stage, piola_world *world, uint64_t step,
                            struct problem *problem)
{
    const double dt = (double)stage->desc.dt;
    for (uint32_t a = 0; a < stage->attachment_count; ++a) {
        const struct stage_attachment *attachment = &stage->attachments[a];
        const enum pin_due due = stage_pin_due(&attachment->pin, dt, step);
        if (due == PIN_NOTHING || (due == PIN_HOLD && !attachment->pin.scene->motion))
            continue;
        for (uint32_t i = 0; i < attachment->pin.count; ++i) {
            const piola_attachment handle = attachment->handles[i];
            float place[3];
            stage_pin_place(&attachment->pin, (double)step * dt, i, place);
            const piola_status status = due == PIN_HOLD
                                            ? piola_attachment_set_target(world, handle, place)
                                            : piola_attachment_detach(world, handle);
            if (status != PIOLA_OK)
                return problem_engine(problem, EXIT_RUNTIME, "an attachment", status, NULL);
        }
    }
    return true;
}
