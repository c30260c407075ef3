/* query.c - what a ray, a point or a region meets of the bodies' surfaces.
 *
 * Kernels leave out, by bounding boxes, triangles that cannot matter; the others are looked at here
 * one by one, in double, by rising body and triangle. The geometry: base/query_triangle.c.
 * Colliders and rigid bodies: query_solid.c.
 */
#include "api/query_solid.h"
#include "base/query_triangle.h"

#include "base/cookies.h"
#include "base/float_mode.h"
#include "base/ranges.h"
#include "base/refuse.h"
#include "world/asked.h"
#include "world/world.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define FARTHEST 1e9f /* m */
#define PACKS    16u  /* that a kernel gets at a time */

/* A triangle that may matter. */
struct candidate {
    const struct body *body;
    uint32_t triangle;
    double corners[3][3]; /* m */
};

struct search {
    const piola_world *world;
    const struct kernels *kernels;
    bool ray;
    uint64_t mask;
    struct pk_query query; /* `limit` may shrink on the way */
    /* False when nothing more of this body is wanted. */
    bool (*visit)(struct search *search, struct candidate *candidate);
    double origin[3], direction[3]; /* m; unit */
    double limit;                   /* m: ray; m^2: closest, sphere */
    double best;                    /* the same, of what was found */
    piola_hit *hit;
    const piola_region *region;
    double turn[3][3]; /* rows: the box's axes */
    double half[3];
    piola_overlap *found;
    uint64_t capacity, count;
};

/* ---- candidates ---- */

static void sift(const struct search *s, const struct pk_quad *x, const struct pk_query_pack *packs,
                 uint32_t count, uint32_t *masks)
{
    if (s->ray)
        s->kernels->query_ray(x, packs, count, &s->query, masks);
    else
        s->kernels->query_near(x, packs, count, &s->query, masks);
}

/* May anything of the body matter? Its bounding box goes to the kernel as a triangle. */
static bool near_body(const struct search *s, const struct pk_quad *x, uint32_t vertices)
{
    _Alignas(PIOLA_ALIGNMENT) struct pk_query_bounds lanes;
    _Alignas(PIOLA_ALIGNMENT) struct pk_quad corners[PK_LANES] = {{0, 0, 0, 0}};
    _Alignas(PIOLA_ALIGNMENT) struct pk_query_pack pack;
    float low[3], high[3];
    uint32_t mask = 0;
    s->kernels->query_bounds(x, vertices, &lanes);
    for (int k = 0; k < 3; ++k) {
        low[k] = lanes.low[k][0];
        high[k] = lanes.high[k][0];
        for (int i = 1; i < (int)PK_LANES; ++i) {
            low[k] = lanes.low[k][i] < low[k] ? lanes.low[k][i] : low[k];
            high[k] = lanes.high[k][i] > high[k] ? lanes.high[k][i] : high[k];
        }
    }
    corners[0] = (struct pk_quad){low[0], low[1], low[2], 0};
    corners[1] = (struct pk_quad){high[0], high[1], high[2], 0};
    memset(&pack, 0, sizeof pack);
    for (int i = 0; i < (int)PK_LANES; ++i)
        pack.index[1][i] = 1;
    sift(s, corners, &pack, 1, &mask);
    return mask != 0;
}

/* Particles of triangles first .. first+count-1, in packs. */
static uint32_t fill(const piola_asset *asset, uint32_t first, uint32_t count,
                     struct pk_query_pack *packs)
{
    const uint32_t *surface = asset_surface(asset) + 3 * (size_t)first;
    const uint32_t *particles = asset_particle_of_vertex(asset);
    const uint32_t filled = (count + PK_LANES - 1) / PK_LANES;
    for (uint32_t t = 0; t < filled * PK_LANES; ++t) {
        const uint32_t *v = surface + 3 * (size_t)(t < count ? t : 0);
        for (int c = 0; c < 3; ++c)
            packs[t / PK_LANES].index[c][t % PK_LANES] = particles[v[c]];
    }
    return filled;
}

static void load(const struct pk_quad *x, const struct pk_query_pack *pack, uint32_t lane,
                 double corners[3][3])
{
    for (int c = 0; c < 3; ++c)
        quad_load(&x[pack->index[c][lane]], corners[c]);
}

static void search_body(struct search *s, const struct body *body)
{
    _Alignas(PIOLA_ALIGNMENT) struct pk_query_pack packs[PACKS];
    uint32_t masks[PACKS];
    const piola_asset *asset = body_asset(s->world, body);
    const struct pk_quad *x = world_position(s->world) + body->first;
    const uint32_t triangles = asset->stats.surface_triangles;
    if (triangles == 0 || !near_body(s, x, asset->stats.vertices))
        return;
    for (uint32_t first = 0; first < triangles; first += PACKS * PK_LANES) {
        const uint32_t left = triangles - first;
        const uint32_t count = left < PACKS * PK_LANES ? left : PACKS * PK_LANES;
        sift(s, x, packs, fill(asset, first, count, packs), masks);
        for (uint32_t t = 0; t < count; ++t) {
            struct candidate c = {.body = body, .triangle = first + t};
            if (!(masks[t / PK_LANES] >> (t % PK_LANES) & 1u))
                continue;
            load(x, &packs[t / PK_LANES], t % PK_LANES, c.corners);
            if (!s->visit(s, &c))
                return;
        }
    }
}

static void search_world(struct search *s)
{
    const struct body *bodies = world_bodies(s->world);
    s->kernels = kernels_for(s->world->desc.isa);
    for (uint32_t i = 0; i < s->world->desc.max_bodies; ++i)
        if ((bodies[i].flags & BODY_ALIVE) &&
            (s->mask & filter_category(body_filter(s->world, &bodies[i]))) != 0)
            search_body(s, &bodies[i]);
}

static piola_body handle_of(const struct search *s, const struct body *body)
{
    return (piola_body){(uint32_t)(body - world_bodies(s->world)) + 1, body->generation};
}

static void set_hit(const struct search *s, struct candidate *c, double distance,
                    const double weights[3])
{
    double normal[3];
    *s->hit = (piola_hit){
        .body = handle_of(s, c->body), .triangle = c->triangle, .distance = (float)distance};
    query_normal(c->corners, normal);
    for (int k = 0; k < 3; ++k) {
        s->hit->weights[k] = (float)weights[k];
        s->hit->normal[k] = (float)normal[k];
        s->hit->point[k] = (float)(weights[0] * c->corners[0][k] + weights[1] * c->corners[1][k] +
                                   weights[2] * c->corners[2][k]);
    }
}

/* ---- checks ---- */

static void set_place(struct search *s, const float place[3])
{
    for (int k = 0; k < 3; ++k) {
        s->origin[k] = (double)place[k];
        s->query.low[k] = s->query.high[k] = place[k];
    }
}

/* ---- rays ---- */

piola_ray piola_ray_default(void)
{
    return (piola_ray){.cookie_ = COOKIE_RAY,
                       .direction = {0, -1, 0},
                       .max_distance = FARTHEST,
                       .mask = UINT64_MAX,
                       .targets = PIOLA_TARGET_SOLID};
}

static bool visit_ray(struct search *s, struct candidate *c)
{
    double distance, weights[3];
    if (!query_ray_triangle(c->corners, s->origin, s->direction, &distance, weights) ||
        distance > s->limit || (s->hit->body.index && !(distance < s->best * (1 - QUERY_EQUAL))))
        return true;
    set_hit(s, c, distance, weights);
    s->best = distance;
    s->query.limit = (float)(1.000001 * distance) + 1e-25f;
    return true;
}

static piola_status check_ray(const piola_ray *ray, piola_error *error)
{
    const struct range_row rows[] = {
        {ray->origin, 3, -FARTHEST, FARTHEST, "piola_ray.origin"},
        {ray->direction, 3, -FLT_MAX, FLT_MAX, "piola_ray.direction"},
        {&ray->max_distance, 1, 0, FARTHEST, "piola_ray.max_distance"},
    };
    const piola_status status = ranges_refuse(rows, sizeof rows / sizeof *rows, error);
    if (status == PIOLA_OK && ray->targets > PIOLA_TARGET_ALL)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_ray.targets");
    return status;
}

/* Unit direction, and its inverse for the kernel; false for a zero vector. */
static bool aim(struct search *s, const float direction[3])
{
    const double most = 3e38;
    double square = 0;
    for (int k = 0; k < 3; ++k)
        square += (double)direction[k] * (double)direction[k];
    if (!(square > 0))
        return false;
    for (int k = 0; k < 3; ++k) {
        const double d = (double)direction[k] / sqrt(square);
        const double inverse = d != 0 ? 1 / d : most;
        s->direction[k] = d;
        s->query.inverse[k] = (float)(inverse > most ? most : inverse < -most ? -most : inverse);
    }
    return true;
}

piola_status piola_world_ray(const piola_world *world, const piola_ray *ray, piola_hit *hit,
                             piola_error *error)
{
    piola_status status = world_asked(world, ray ? &ray->cookie_ : NULL, COOKIE_RAY, "piola_ray",
                                      hit, "result", error);
    if (status == PIOLA_OK)
        status = check_ray(ray, error);
    if (status != PIOLA_OK)
        return status;
    const uint64_t mode = float_mode_enter();
    struct search s = {.world = world,
                       .ray = true,
                       .mask = ray->mask,
                       .visit = visit_ray,
                       .limit = (double)ray->max_distance,
                       .hit = hit};
    set_place(&s, ray->origin);
    s.query.limit = (float)(1.000001 * s.limit) + 1e-25f;
    if (aim(&s, ray->direction)) {
        const struct query_whom whom = {world, ray->mask, ray->targets};
        *hit = (piola_hit){.triangle = 0};
        if (ray->targets & PIOLA_TARGET_BODIES)
            search_world(&s);
        const bool any = hit->body.index != 0;
        query_solids_ray(&whom, s.origin, s.direction, any, any ? s.best : s.limit, hit);
    } else {
        status = refuse(error, PIOLA_ERROR_RANGE, "piola_ray.direction");
    }
    float_mode_leave(mode);
    return status;
}

/* ---- closest points ---- */

piola_probe piola_probe_default(void)
{
    return (piola_probe){.cookie_ = COOKIE_PROBE,
                         .radius = FARTHEST,
                         .mask = UINT64_MAX,
                         .targets = PIOLA_TARGET_SOLID};
}

static void limits_near(struct search *s, double square)
{
    s->query.limit = (float)(1.00001 * square) + 1e-30f;
}

static bool visit_closest(struct search *s, struct candidate *c)
{
    double weights[3];
    const double square = query_closest_triangle(c->corners, s->origin, weights);
    if (!(square <= s->limit) ||
        (s->hit->body.index && !(square < s->best * (1 - 2 * QUERY_EQUAL))))
        return true;
    set_hit(s, c, sqrt(square), weights);
    s->best = square;
    limits_near(s, square);
    return true;
}

static piola_status check_probe(const piola_probe *probe, piola_error *error)
{
    const struct range_row rows[] = {
        {probe->point, 3, -FARTHEST, FARTHEST, "piola_probe.point"},
        {&probe->radius, 1, 0, FARTHEST, "piola_probe.radius"},
    };
    const piola_status status = ranges_refuse(rows, sizeof rows / sizeof *rows, error);
    if (status == PIOLA_OK && probe->targets > PIOLA_TARGET_ALL)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_probe.targets");
    return status;
}

piola_status piola_world_closest(const piola_world *world, const piola_probe *probe, piola_hit *hit,
                                 piola_error *error)
{
    piola_status status = world_asked(world, probe ? &probe->cookie_ : NULL, COOKIE_PROBE,
                                      "piola_probe", hit, "result", error);
    if (status == PIOLA_OK)
        status = check_probe(probe, error);
    if (status != PIOLA_OK)
        return status;
    const uint64_t mode = float_mode_enter();
    struct search s = {.world = world,
                       .mask = probe->mask,
                       .visit = visit_closest,
                       .limit = (double)probe->radius * (double)probe->radius,
                       .hit = hit};
    set_place(&s, probe->point);
    limits_near(&s, s.limit);
    const struct query_whom whom = {world, probe->mask, probe->targets};
    *hit = (piola_hit){.triangle = 0};
    if (probe->targets & PIOLA_TARGET_BODIES)
        search_world(&s);
    const bool any = hit->body.index != 0;
    query_solids_closest(&whom, s.origin, any, sqrt(any ? s.best : s.limit), hit);
    float_mode_leave(mode);
    return PIOLA_OK;
}

/* ---- overlaps ---- */

piola_region piola_region_default(void)
{
    return (piola_region){.cookie_ = COOKIE_REGION, .rotation = {0, 0, 0, 1}, .mask = UINT64_MAX};
}

static bool touches(const struct search *s, struct candidate *c)
{
    double local[3][3], weights[3];
    if (s->region->shape == PIOLA_REGION_SPHERE)
        return query_closest_triangle(c->corners, s->origin, weights) <= s->limit;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            local[i][k] = s->turn[k][0] * (c->corners[i][0] - s->origin[0]) +
                          s->turn[k][1] * (c->corners[i][1] - s->origin[1]) +
                          s->turn[k][2] * (c->corners[i][2] - s->origin[2]);
    return query_box_triangle(local, s->half);
}

static bool visit_overlap(struct search *s, struct candidate *c)
{
    if (!touches(s, c))
        return true;
    if (s->count < s->capacity)
        s->found[s->count] = (piola_overlap){handle_of(s, c->body), c->triangle};
    ++s->count;
    return !s->region->bodies_only;
}

static piola_status check_region(const piola_region *r, piola_error *error)
{
    if ((unsigned)r->shape >= PIOLA_REGION_SHAPE_COUNT)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_region.shape");
    const struct range_row rows[] = {
        {r->position, 3, -FARTHEST, FARTHEST, "piola_region.position"},
        {r->rotation, 4, -1.01f, 1.01f, "piola_region.rotation"},
        {r->size, 3, 0, FARTHEST, "piola_region.size"},
    };
    const piola_status status = ranges_refuse(rows, sizeof rows / sizeof *rows, error);
    if (status == PIOLA_OK && !quaternion_unit(r->rotation))
        return refuse(error, PIOLA_ERROR_RANGE, "piola_region.rotation");
    return status;
}

static double size_of(double v)
{
    return v < 0 ? -v : v;
}

/* The box's axes, and a box along the world's axes around it for the kernel. */
static void place_box(struct search *s, const piola_region *r)
{
    double q[4], norm = 0;
    for (int k = 0; k < 4; ++k)
        norm += (double)r->rotation[k] * (double)r->rotation[k];
    for (int k = 0; k < 4; ++k)
        q[k] = (double)r->rotation[k] / sqrt(norm);
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double axes[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                               {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                               {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(s->turn, axes, sizeof s->turn);
    for (int k = 0; k < 3; ++k)
        s->half[k] = (double)r->size[k];
    for (int k = 0; k < 3; ++k) {
        double reach = 1e-25 + 1e-6 * size_of(s->origin[k]);
        for (int i = 0; i < 3; ++i)
            reach += 1.000001 * size_of(axes[i][k]) * s->half[i];
        s->query.low[k] = (float)(s->origin[k] - reach);
        s->query.high[k] = (float)(s->origin[k] + reach);
    }
    limits_near(s, 0);
}

piola_status piola_world_overlap(const piola_world *world, const piola_region *region,
                                 piola_overlap *found, uint64_t capacity, uint64_t *count,
                                 piola_error *error)
{
    piola_status status = world_asked(world, region ? &region->cookie_ : NULL, COOKIE_REGION,
                                      "piola_region", count, "result", error);
    if (status == PIOLA_OK && !found && capacity > 0)
        status = refuse(error, PIOLA_ERROR_NULL, "found");
    if (status == PIOLA_OK)
        status = check_region(region, error);
    if (status != PIOLA_OK)
        return status;
    const uint64_t mode = float_mode_enter();
    struct search s = {.world = world,
                       .mask = region->mask,
                       .visit = visit_overlap,
                       .limit = (double)region->size[0] * (double)region->size[0],
                       .region = region,
                       .found = found,
                       .capacity = capacity};
    set_place(&s, region->position);
    limits_near(&s, s.limit);
    if (region->shape == PIOLA_REGION_BOX)
        place_box(&s, region);
    search_world(&s);
    *count = s.count;
    float_mode_leave(mode);
    return PIOLA_OK;
}
