#include "render_figure.h"

#include "io/mesh/surfaces.h"
#include "render_contact.h"
#include "render_palette.h"
#include "render_values.h"

#include <math.h>
#include <string.h>

#define CREASE  0.75f /* rad: edges sharper than this stay sharp */
#define CUTS    3u    /* of the bead that chains are drawn with */
#define RADIANS 0.017453293f

static bool prepare_surfaces(struct figure *figure, struct problem *problem)
{
    const struct stage *stage = figure->stage;
    figure->surfaces = pool_take(&figure->pool, stage->asset_count, sizeof *figure->surfaces,
                                 "surfaces to draw", problem);
    figure->cluster_colours =
        pool_take(&figure->pool, stage->asset_count, 2 * sizeof(void *), "colours", problem);
    if (figure->surfaces == NULL || figure->cluster_colours == NULL) {
        return false;
    }
    for (uint32_t a = 0; a < stage->asset_count; a++) {
        const struct meshgen *mesh = stage->assets[a].mesh;
        uint32_t triangles = 0;
        const uint32_t *surface = piola_asset_surface(stage->assets[a].asset, &triangles);
        float *rest =
            pool_take(&figure->pool, mesh->vertex_count, 3 * sizeof *rest, "a rest shape", problem);
        if (rest == NULL) {
            return false;
        }
        for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) {
            rest[i] = (float)mesh->vertices[i];
        }
        if (!surface_corners_find(&figure->surfaces[a], rest, mesh->vertex_count, surface,
                                  triangles, CREASE, &figure->pool, problem)) {
            return false;
        }
    }
    return true;
}

static bool prepare_chains(struct figure *figure, struct problem *problem)
{
    const struct stage *stage = figure->stage;
    figure->chains = pool_take(&figure->pool, stage->asset_count, sizeof *figure->chains,
                               "chains to draw", problem);
    figure->rods =
        pool_take(&figure->pool, stage->asset_count, sizeof *figure->rods, "rods to draw", problem);
    if (figure->chains == NULL || figure->rods == NULL) {
        return false;
    }
    for (uint32_t a = 0; a < stage->asset_count; a++) {
        const struct meshgen *mesh = stage->assets[a].mesh;
        if (mesh->rod && !render_rods_prepare(&figure->rods[a], stage, &stage->assets[a],
                                              &figure->pool, problem)) {
            return false;
        }
        if (!mesh_is_chain(mesh) || mesh->rod) {
            continue;
        }
        if (figure->bead.vertex_count == 0 && !surface_sphere(&figure->bead, 1.0, CUTS)) {
            return problem_memory(problem, "a chain to draw", 0);
        }
        if (!render_links_prepare(&figure->chains[a], mesh, &figure->bead, &figure->pool,
                                  problem)) {
            return false;
        }
    }
    return true;
}

static bool prepare_details(struct figure *figure, struct problem *problem)
{
    const struct stage *stage = figure->stage;
    figure->details = pool_take(&figure->pool, stage->detail_count, sizeof *figure->details,
                                "details to draw", problem);
    size_t largest = 0;
    for (uint32_t d = 0; figure->details != NULL && d < stage->detail_count; d++) {
        const struct stage_detail *detail = &stage->details[d];
        struct surface_corners *surface = &figure->details[d];
        *surface = (struct surface_corners){.triangles = detail->triangles,
                                            .normal_of = detail->triangles,
                                            .vertex_count = detail->vertex_count,
                                            .triangle_count = detail->triangle_count,
                                            .normal_count = detail->vertex_count,
                                            .given = true};
        surface->normals = pool_take(&figure->pool, detail->vertex_count, 3 * sizeof(float),
                                     "details to draw", problem);
        if (surface->normals == NULL) {
            return false;
        }
        largest = detail->vertex_count > largest ? detail->vertex_count : largest;
    }
    figure->fine = pool_take(&figure->pool, largest, 3 * sizeof(float), "details", problem);
    figure->fine_values = pool_take(&figure->pool, largest, sizeof(float), "details", problem);
    return figure->details != NULL && figure->fine != NULL && figure->fine_values != NULL;
}

static bool take_room(struct figure *figure, struct problem *problem)
{
    const struct stage *stage = figure->stage;
    size_t total = 0;
    size_t largest = 0;
    for (uint32_t b = 0; b < stage->body_count; b++) {
        size_t vertices = stage->bodies[b].asset->stats.vertices;
        total += vertices;
        largest = vertices > largest ? vertices : largest;
    }
    struct pool *pool = &figure->pool;
    figure->positions = pool_take(pool, total, 3 * sizeof(float), "positions", problem);
    figure->velocities = pool_take(pool, total, 3 * sizeof(float), "velocities", problem);
    figure->values = pool_take(pool, largest, sizeof(float), "values", problem);
    figure->sums = pool_take(pool, largest, sizeof(double), "values", problem);
    figure->touched = pool_take(pool, stage->desc.max_particles, sizeof(float), "values", problem);
    return figure->positions && figure->velocities && figure->values && figure->sums &&
           figure->touched;
}

static bool prepare_colliders(struct figure *figure, struct problem *problem)
{
    const struct stage *stage = figure->stage;
    size_t largest = 0;
    figure->colliders = pool_take(&figure->pool, stage->collider_count, sizeof *figure->colliders,
                                  "colliders to draw", problem);
    for (uint32_t c = 0; figure->colliders != NULL && c < stage->collider_count; c++) {
        const struct meshgen *mesh = &stage->colliders[c].mesh;
        size_t numbers = 3 * (size_t)mesh->vertex_count;
        float *rest = pool_take(&figure->pool, numbers, sizeof *rest, "a collider", problem);
        for (size_t i = 0; rest != NULL && i < numbers; i++) {
            rest[i] = (float)mesh->vertices[i];
        }
        if (rest == NULL ||
            !surface_corners_find(&figure->colliders[c], rest, mesh->vertex_count, mesh->triangles,
                                  mesh->triangle_count, CREASE, &figure->pool, problem)) {
            return false;
        }
        largest = numbers > largest ? numbers : largest;
    }
    figure->placed = pool_take(&figure->pool, largest, sizeof(float), "colliders", problem);
    return figure->colliders != NULL && figure->placed != NULL;
}

/* Colliders are grey unless painted, and stand where the world has them now. */
static bool add_collider(struct figure *figure, uint32_t index, struct problem *problem)
{
    const struct stage_collider *collider = &figure->stage->colliders[index];
    const struct list *paint = &figure->view->paint;
    struct render_dress dress = {.colour = {168, 172, 178}};
    piola_collider_info info;
    if (!stage_collider_info(figure->stage, collider, &info)) {
        return problem_engine(problem, EXIT_RUNTIME, "a collider", PIOLA_ERROR_STALE, NULL);
    }
    for (uint32_t i = 0; i < paint->count; i++) {
        const struct view_paint *one = (const struct view_paint *)paint->items + i;
        for (int k = 0;
             collider->scene->name && strcmp(one->name, collider->scene->name) == 0 && k < 3; k++) {
            dress.colour[k] = (uint8_t)one->rgb[k];
        }
    }
    piola_body_desc frame = {0};
    memcpy(frame.position, info.position, sizeof frame.position);
    memcpy(frame.rotation, info.rotation, sizeof frame.rotation);
    for (size_t v = 0; v < collider->mesh.vertex_count; v++) {
        double placed[3];
        stage_place(&frame, collider->mesh.vertices + 3 * v, placed);
        for (size_t k = 0; k < 3; k++) {
            figure->placed[3 * v + k] = (float)placed[k];
        }
    }
    return render_scene_add(&figure->scene, &figure->colliders[index], figure->placed, &dress,
                            problem);
}

bool figure_open(struct figure *figure, const struct stage *stage, int colour,
                 struct problem *problem)
{
    memset(figure, 0, sizeof *figure);
    figure->stage = stage;
    figure->view = stage->scene->view != NULL ? stage->scene->view : &scene_view_default;
    if (!take_room(figure, problem) || !prepare_surfaces(figure, problem) ||
        !prepare_chains(figure, problem) || !prepare_details(figure, problem) ||
        !prepare_colliders(figure, problem)) {
        return false;
    }
    figure_recolour(figure, colour >= 0 ? (uint32_t)colour : figure->view->colour);
    return true;
}

void figure_close(struct figure *figure)
{
    render_scene_free(&figure->scene);
    meshgen_free(&figure->bead);
    pool_free(&figure->pool);
    memset(figure, 0, sizeof *figure);
}

void figure_recolour(struct figure *figure, uint32_t colour)
{
    const struct scene_view *view = figure->view;
    const struct scene *scene = figure->stage->scene;
    const struct scene_material *materials = scene->materials.items;
    float young = scene->materials.count > 0 ? materials[0].values.young : 1.0f;
    figure->colour = colour;
    figure->range = colour == VIEW_COLOUR_STRESS    ? 0.3f * young
                    : colour == VIEW_COLOUR_SPEED   ? 2.0f
                    : colour == VIEW_COLOUR_CONTACT ? 1.0f
                                                    : 0.5f;
    if (view->range > 0.0f && view->colour == colour) {
        figure->range = view->range;
    }
}

bool figure_gather(struct figure *figure, struct problem *problem)
{
    const struct stage *stage = figure->stage;
    size_t at = 0;
    for (uint32_t b = 0; b < stage->body_count; b++) {
        const struct stage_body *body = &stage->bodies[b];
        uint32_t count = body->asset->stats.vertices;
        piola_status status =
            piola_body_positions(stage->world, body->handle, 0, count, figure->positions + at);
        if (status == PIOLA_OK) {
            status = piola_body_velocities(stage->world, body->handle, 0, count,
                                           figure->velocities + at);
        }
        if (status != PIOLA_OK) {
            return problem_engine(problem, EXIT_RUNTIME, body->name, status, NULL);
        }
        at += 3 * (size_t)count;
    }
    return true;
}

static uint32_t index_of_material(const struct scene *scene, const char *name)
{
    const struct scene_material *items = scene->materials.items;
    for (uint32_t m = 0; m < scene->materials.count; m++) {
        if (strcmp(items[m].name, name) == 0) {
            return m;
        }
    }
    return 0;
}

static void body_colour(const struct figure *figure, const struct stage_body *body,
                        uint32_t scene_index, uint8_t rgb[3])
{
    const struct list *paint = &figure->view->paint;
    bool by_material = figure->colour == VIEW_COLOUR_MATERIAL;
    render_palette_body(by_material ? index_of_material(figure->stage->scene, body->scene->material)
                                    : scene_index + body->copy,
                        rgb);
    for (uint32_t i = 0; i < paint->count; i++) {
        const struct view_paint *one = (const struct view_paint *)paint->items + i;
        const char *name = body->scene->name != NULL ? body->scene->name : "";
        if (strcmp(one->name, name) == 0 || strcmp(one->name, body->scene->material) == 0) {
            for (int k = 0; k < 3; k++) {
                rgb[k] = (uint8_t)one->rgb[k];
            }
        }
    }
}

/* Who sleeps is pale: half of its own colour, half of the light. */
static void pale_asleep(const struct figure *figure, const struct stage_body *body, uint8_t rgb[3])
{
    piola_body_info info;
    if (piola_body_inspect(figure->stage->world, body->handle, &info) != PIOLA_OK || !info.asleep) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        rgb[k] = (uint8_t)((rgb[k] + 235) / 2);
    }
}

static void speeds(const float *velocities, uint32_t count, float *values)
{
    for (uint32_t v = 0; v < count; v++) {
        values[v] = vec_length(velocities + 3 * (size_t)v);
    }
}

/* True when the body is coloured by values. */
static bool body_values(struct figure *figure, const struct stage_body *body,
                        const float *velocities)
{
    const struct stage_asset *asset = body->asset;
    uint32_t count = asset->stats.vertices;
    if (figure->colour == VIEW_COLOUR_STRAIN || figure->colour == VIEW_COLOUR_STRESS) {
        render_values_elements(asset->mesh, figure->stage->world, body->handle,
                               figure->colour == VIEW_COLOUR_STRESS ? RENDER_STRESS : RENDER_STRAIN,
                               figure->sums, figure->values);
    } else if (figure->colour == VIEW_COLOUR_SPEED) {
        speeds(velocities, count, figure->values);
    } else if (figure->colour == VIEW_COLOUR_CONTACT) {
        render_contact_take(figure->stage->world, body->handle, asset->asset, figure->touched,
                            figure->values);
    } else {
        return false;
    }
    for (uint32_t v = 0; v < count; v++) {
        figure->values[v] /= figure->range;
    }
    return true;
}

/* Clusters, or their colours; both are found once. */
static const uint8_t *cluster_colours(struct figure *figure, uint32_t index,
                                      struct problem *problem)
{
    const bool turns = figure->colour == VIEW_COLOUR_COLOUR;
    const struct surface_corners *surface = &figure->surfaces[index];
    const struct stage_asset *asset = &figure->stage->assets[index];
    const size_t slot = 2 * (size_t)index + turns;
    uint8_t *colours = figure->cluster_colours[slot];
    if (colours != NULL) {
        return colours;
    }
    uint32_t *clusters = pool_take(&figure->pool, surface->vertex_count, sizeof *clusters,
                                   "colours of clusters", problem);
    colours = pool_take(&figure->pool, surface->triangle_count, 3, "colours of clusters", problem);
    if (clusters == NULL || colours == NULL) {
        return NULL;
    }
    if (turns) {
        render_values_turn(asset->mesh, asset->asset, clusters);
    } else {
        render_values_cluster(asset->mesh, asset->asset, clusters);
    }
    for (uint32_t t = 0; t < surface->triangle_count; t++) {
        render_palette_many(clusters[surface->triangles[3 * (size_t)t]], colours + 3 * (size_t)t);
    }
    figure->cluster_colours[slot] = colours;
    return colours;
}

/* The detail's values are those of its surface, where each of its vertices is bound. */
static const float *fine_values(struct figure *figure, const struct stage_detail *detail)
{
    const uint32_t *surface = piola_asset_surface(detail->asset->asset, NULL);
    for (uint32_t v = 0; v < detail->vertex_count; v++) {
        piola_detail_bond bond;
        figure->fine_values[v] = 0.0f;
        if (piola_detail_vertex_bond(detail->detail, v, &bond) != PIOLA_OK) {
            continue;
        }
        for (size_t c = 0; c < 3; c++) {
            figure->fine_values[v] +=
                bond.barycentric[c] * figure->values[surface[3 * (size_t)bond.triangle + c]];
        }
    }
    return figure->fine_values;
}

static bool add_detail(struct figure *figure, const struct stage_body *body,
                       struct render_dress *dress, struct problem *problem)
{
    struct surface_corners *surface = &figure->details[body->detail - figure->stage->details];
    if (dress->values != NULL) {
        dress->values = fine_values(figure, body->detail);
    }
    return stage_detail_take(figure->stage, body, figure->fine, surface->normals, problem) &&
           render_scene_add(&figure->scene, surface, figure->fine, dress, problem);
}

static bool add_chain(struct figure *figure, uint32_t asset, const float *xyz,
                      struct render_dress *dress, struct problem *problem)
{
    struct render_links *chain = &figure->chains[asset];
    render_links_place(chain, xyz, dress->values);
    dress->values = dress->values != NULL ? chain->values : NULL;
    return render_scene_add(&figure->scene, &chain->surface, chain->xyz, dress, problem);
}

static bool add_rods(struct figure *figure, const struct stage_body *body, const float *xyz,
                     struct render_dress *dress, struct problem *problem)
{
    struct render_rods *rods = &figure->rods[body->asset - figure->stage->assets];
    const piola_status status = piola_body_turns(figure->stage->world, body->handle, 0,
                                                 rods->mesh->link_count, rods->turns);
    if (status != PIOLA_OK) {
        return problem_engine(problem, EXIT_RUNTIME, body->name, status, NULL);
    }
    render_rods_place(rods, xyz, dress->values, dress->colour);
    dress->values = dress->values != NULL ? rods->values : NULL;
    dress->colours = rods->colours;
    return render_scene_add(&figure->scene, &rods->surface, rods->xyz, dress, problem);
}

/* One body, by its detail when it has one; `at` is where its vertices begin. */
static bool add_body(struct figure *figure, const struct stage_body *body, size_t at,
                     struct problem *problem)
{
    const struct stage *stage = figure->stage;
    const struct scene_body *first = stage->scene->bodies.items;
    const float *xyz = figure->positions + at;
    uint32_t asset = (uint32_t)(body->asset - stage->assets);
    struct render_dress dress = {0};
    body_colour(figure, body, (uint32_t)(body->scene - first), dress.colour);
    if (figure->stage->desc.sleep) {
        pale_asleep(figure, body, dress.colour);
    }
    if (body_values(figure, body, figure->velocities + at)) {
        dress.values = figure->values;
    }
    if (body->asset->mesh->rod) {
        return add_rods(figure, body, xyz, &dress, problem);
    }
    if (mesh_is_chain(body->asset->mesh)) {
        return add_chain(figure, asset, xyz, &dress, problem);
    }
    const bool clusters =
        figure->colour == VIEW_COLOUR_CLUSTER || figure->colour == VIEW_COLOUR_COLOUR;
    if (body->detail != NULL && !clusters) {
        return add_detail(figure, body, &dress, problem);
    }
    if (clusters) {
        dress.colours = cluster_colours(figure, asset, problem);
        if (dress.colours == NULL) {
            return false;
        }
    }
    return render_scene_add(&figure->scene, &figure->surfaces[asset], xyz, &dress, problem);
}

bool figure_build(struct figure *figure, struct problem *problem)
{
    const struct stage *stage = figure->stage;
    size_t at = 0;
    render_scene_clear(&figure->scene);
    if (figure->colour == VIEW_COLOUR_CONTACT) {
        render_contact_find(stage->world, figure->touched);
    }
    for (uint32_t b = 0; b < stage->body_count; b++) {
        if (!add_body(figure, &stage->bodies[b], at, problem)) {
            return false;
        }
        at += 3 * (size_t)stage->bodies[b].asset->stats.vertices;
    }
    for (uint32_t c = 0; c < stage->collider_count; c++) {
        if (!add_collider(figure, c, problem)) {
            return false;
        }
    }
    return true;
}

static struct box shown_box(const struct figure *figure)
{
    struct box box = box_empty();
    if (keys_given(&scene_view_table, figure->view, "min")) {
        memcpy(box.least, figure->view->least, sizeof box.least);
        memcpy(box.most, figure->view->most, sizeof box.most);
        return box;
    }
    for (uint32_t c = 0; c < figure->scene.count; c++) {
        box_add(&box, figure->scene.corners[c].xyz, 1);
    }
    return box;
}

struct camera figure_camera(const struct figure *figure, float aspect)
{
    const struct scene_view *view = figure->view;
    struct box box = shown_box(figure);
    struct camera camera =
        camera_fit(&box, view->yaw * RADIANS, view->pitch * RADIANS, view->field * RADIANS, aspect);
    if (keys_given(&scene_view_table, view, "from")) {
        memcpy(camera.from, view->from, sizeof camera.from);
        memcpy(camera.at, view->at, sizeof camera.at);
    }
    return camera;
}

struct render_look figure_look(const struct figure *figure, const struct camera *camera)
{
    const struct scene_view *view = figure->view;
    struct render_look look = render_look_for(camera);
    look.has_ground = keys_given(&scene_view_table, view, "ground");
    look.ground = view->ground;
    look.grid = view->grid;
    look.wire = view->wire;
    look.flat = view->flat;
    return look;
}

const char *figure_measure(const struct figure *figure)
{
    switch (figure->colour) {
    case VIEW_COLOUR_STRAIN:
        return "strain";
    case VIEW_COLOUR_STRESS:
        return "Pa";
    case VIEW_COLOUR_SPEED:
        return "m/s";
    case VIEW_COLOUR_CONTACT:
        return "contact";
    default:
        return "";
    }
}
