/* stage_loads.c - forces on vertices: those of fields, and of somebody who pulls.
 *
 * In each step the forces of all fields on a vertex are added up, and the world is told where they
 * differ from those that it holds. So, like all inputs of a step, they depend on the step's number
 * and the world's state alone.
 */
#include "io/scene/stage.h"

#include "asset/asset.h"

#include <math.h>
#include <string.h>

static const struct scene_field *field_at(const struct stage *stage, uint32_t index)
{
    return (const struct scene_field *)stage->scene->fields.items + index;
}

/* What of a force acts at a time: it grows over `ramp` seconds. */
static double share_at(double time, double from, double until, double ramp)
{
    if (time < from || time >= until)
        return 0;
    return time - from < ramp ? (time - from) / ramp : 1;
}

/* ---- checks ---- */

static struct stage_body *named(struct stage *stage, const char *name, uint32_t copy,
                                uint32_t index, const char *what, struct problem *problem)
{
    struct stage_body *body = (struct stage_body *)(uintptr_t)stage_body_named(stage, name, copy);
    if (!body)
        problem_set(problem, EXIT_SCENE,
                    "%s: fields[%u].%s: there is no body \"%s\" with a copy %u", stage->path, index,
                    what, name, copy);
    return body;
}

static bool check_force(const struct stage *stage, const struct field_force *force,
                        const struct stage_body *body, uint32_t index, struct problem *problem)
{
    const uint32_t *vertices = force->vertices.items;
    for (uint32_t i = 0; i < force->vertices.count; ++i)
        if (vertices[i] >= body->asset->mesh->vertex_count)
            return problem_set(problem, EXIT_SCENE,
                               "%s: fields[%u].force: the body \"%s\" has %u vertices, so there is "
                               "no vertex %u",
                               stage->path, index, force->body, body->asset->mesh->vertex_count,
                               vertices[i]);
    return true;
}

/* True when all three corners, at rest and in the mesh's coordinates, are in the box. */
static bool holds(const struct field_traction *traction, const struct meshgen *mesh,
                  const uint32_t corner[3])
{
    for (int c = 0; c < 3; ++c)
        for (size_t k = 0; k < 3; ++k) {
            const double x = mesh->vertices[3 * (size_t)corner[c] + k];
            if (x < traction->box->min[k] || x > traction->box->max[k])
                return false;
        }
    return true;
}

static bool check_traction(const struct stage *stage, const struct field_traction *traction,
                           const struct stage_body *body, uint32_t index, struct problem *problem)
{
    uint32_t count = 0, held = 0;
    const uint32_t *surface = piola_asset_surface(body->asset->asset, &count);
    for (uint32_t t = 0; t < count; ++t)
        held += holds(traction, body->asset->mesh, surface + 3 * (size_t)t);
    return held > 0 || problem_set(problem, EXIT_SCENE,
                                   "%s: fields[%u].traction: no triangle of the surface of \"%s\" "
                                   "lies in the box",
                                   stage->path, index, traction->body);
}

static bool check_field(struct stage *stage, uint32_t index, struct problem *problem)
{
    const struct scene_field *field = field_at(stage, index);
    const struct field_force *force = field->force;
    const struct field_traction *traction = field->traction;
    struct stage_body *body = NULL;
    if (field->sphere)
        for (uint32_t b = 0; b < stage->body_count; ++b)
            stage->bodies[b].loaded = true;
    if (force) {
        body = named(stage, force->body, force->copy, index, "force", problem);
        if (!body || !check_force(stage, force, body, index, problem))
            return false;
    } else if (traction) {
        body = named(stage, traction->body, traction->copy, index, "traction", problem);
        if (!body || !check_traction(stage, traction, body, index, problem))
            return false;
    }
    if (body)
        body->loaded = true;
    return true;
}

bool stage_loads_make(struct stage *stage, struct problem *problem)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < stage->scene->fields.count; ++i)
        if (!check_field(stage, i, problem))
            return false;
    for (uint32_t b = 0; b < stage->body_count; ++b) {
        const struct stage_body *body = &stage->bodies[b];
        const uint32_t vertices = body->asset->stats.vertices;
        stage->loaded_vertices += body->loaded ? vertices : 0;
        most = vertices > most ? vertices : most;
    }
    for (int i = 0; i < STAGE_LOAD_ROWS; ++i) {
        stage->load_rows[i] = pool_take(&stage->pool, most, 3 * sizeof(float), "loads", problem);
        if (!stage->load_rows[i])
            return false;
    }
    return true;
}

/* ---- a step ---- */

static void add(float *wanted, uint32_t vertex, const double force[3], double share)
{
    for (size_t k = 0; k < 3; ++k)
        wanted[3 * (size_t)vertex + k] += (float)(share * force[k]);
}

static void add_force(const struct field_force *force, const struct stage_body *body, double time,
                      float *wanted)
{
    const double share = share_at(time, force->from, force->until, force->ramp);
    const uint32_t *vertices = force->vertices.items;
    const uint32_t count = force->vertices.count;
    for (uint32_t i = 0; i < count; ++i)
        add(wanted, vertices[i], force->force, share / count);
    if (count == 0)
        add(wanted, stage_nearest_vertex(body->asset->mesh, force->near), force->force, share);
}

/* Away from the middle, for each vertex inside; none in the very middle. */
static void add_sphere(const struct field_sphere *sphere, const struct stage_body *body,
                       double time, const float *x, float *wanted)
{
    const uint32_t *particle = asset_particle_of_vertex(body->asset->asset);
    const float *masses = asset_mass(body->asset->asset);
    const double strength = sphere->strength * share_at(time, sphere->from, sphere->until, 0);
    for (uint32_t v = 0; strength != 0 && v < body->asset->stats.vertices; ++v) {
        double way[3], square = 0;
        for (size_t k = 0; k < 3; ++k) {
            way[k] = (double)x[3 * (size_t)v + k] - sphere->centre[k];
            square += way[k] * way[k];
        }
        const double distance = sqrt(square);
        if (distance < sphere->radius && distance > 0)
            add(wanted, v, way,
                (double)masses[particle[v]] * strength * (1 - distance / sphere->radius) /
                    distance);
    }
}

/* Half the edges' cross product: area times normal. */
static void area_of(const double a[3], const double b[3], const double c[3], double area[3])
{
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        area[k] = 0.5 * ((b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]));
    }
}

/* A traction acts on the surface as it is at rest, a pressure on what it is now, inwards. */
static void add_traction(const struct field_traction *traction, const struct stage_body *body,
                         double time, const float *x, float *wanted)
{
    const double share = share_at(time, traction->from, traction->until, traction->ramp);
    const struct meshgen *mesh = body->asset->mesh;
    uint32_t count = 0;
    const uint32_t *surface = piola_asset_surface(body->asset->asset, &count);
    for (uint32_t t = 0; share > 0 && t < count; ++t) {
        const uint32_t *corner = surface + 3 * (size_t)t;
        double rest[3][3], now[3][3], then[3], area[3], force[3];
        if (!holds(traction, mesh, corner))
            continue;
        for (int c = 0; c < 3; ++c)
            for (size_t k = 0; k < 3; ++k) {
                rest[c][k] = mesh->vertices[3 * (size_t)corner[c] + k];
                now[c][k] = (double)x[3 * (size_t)corner[c] + k];
            }
        area_of(rest[0], rest[1], rest[2], then);
        area_of(now[0], now[1], now[2], area);
        const double size = sqrt(then[0] * then[0] + then[1] * then[1] + then[2] * then[2]);
        for (int k = 0; k < 3; ++k)
            force[k] = size * traction->traction[k] - traction->pressure * area[k];
        for (int c = 0; c < 3; ++c)
            add(wanted, corner[c], force, share / 3);
    }
}

static bool is_of(const struct stage_body *body, const char *name, uint32_t copy)
{
    return body->scene->name && strcmp(body->scene->name, name) == 0 && body->copy == copy;
}

static void gather(const struct stage *stage, const struct stage_body *body, double time,
                   const float *x, float *wanted)
{
    for (uint32_t i = 0; i < stage->scene->fields.count; ++i) {
        const struct scene_field *field = field_at(stage, i);
        if (field->force && is_of(body, field->force->body, field->force->copy))
            add_force(field->force, body, time, wanted);
        if (field->traction && is_of(body, field->traction->body, field->traction->copy))
            add_traction(field->traction, body, time, x, wanted);
        if (field->sphere)
            add_sphere(field->sphere, body, time, x, wanted);
    }
    for (uint32_t i = 0; body == stage->pull.body && i < stage->pull.count; ++i)
        for (size_t k = 0; k < 3; ++k)
            wanted[3 * (size_t)stage->pull.vertices[i] + k] += stage->pull.force[k];
}

static bool push(const struct stage_body *body, piola_world *world, uint32_t vertex,
                 const float force[3], struct problem *problem)
{
    const piola_status status = piola_body_set_force(world, body->handle, vertex, force);
    return status == PIOLA_OK || problem_engine(problem, EXIT_RUNTIME, "a force", status, NULL);
}

static bool push_body(const struct stage *stage, const struct stage_body *body, piola_world *world,
                      double time, struct problem *problem)
{
    const uint32_t count = body->asset->stats.vertices;
    float *wanted = stage->load_rows[0], *held = stage->load_rows[1], *x = stage->load_rows[2];
    const float none[3] = {0, 0, 0};
    bool any = false, holds_any = false;
    piola_status status = piola_body_positions(world, body->handle, 0, count, x);
    if (status == PIOLA_OK)
        status = piola_body_forces(world, body->handle, 0, count, held);
    if (status != PIOLA_OK)
        return problem_engine(problem, EXIT_RUNTIME, body->name, status, NULL);
    memset(wanted, 0, 3 * sizeof *wanted * count);
    gather(stage, body, time, x, wanted);
    for (size_t i = 0; i < 3 * (size_t)count; ++i) {
        any = any || wanted[i] != 0;
        holds_any = holds_any || held[i] != 0;
    }
    if (!any)
        return !holds_any || push(body, world, PIOLA_EVERY_VERTEX, none, problem);
    for (uint32_t v = 0; v < count; ++v) {
        const float *a = wanted + 3 * (size_t)v, *b = held + 3 * (size_t)v;
        if ((a[0] != b[0] || a[1] != b[1] || a[2] != b[2]) && !push(body, world, v, a, problem))
            return false;
    }
    return true;
}

bool stage_loads_push(const struct stage *stage, piola_world *world, double time,
                      struct problem *problem)
{
    for (uint32_t b = 0; b < stage->body_count; ++b)
        if (stage->bodies[b].loaded && !push_body(stage, &stage->bodies[b], world, time, problem))
            return false;
    return true;
}
