/* detail_pose.c - a surface's triangles and normals at one moment, and fine vertices from them.
 *
 * The normal of a surface vertex is the mean of its triangles' normals, weighted by area. Its
 * length is the root of the area of those triangles over that at rest: details grow with the
 * surface, so a uniformly scaled body has uniformly scaled details.
 */
#include "api/detail.h"
#include "base/float_mode.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

static struct vec3 at_quad(const struct pk_quad *p)
{
    return (struct vec3){(double)p->x, (double)p->y, (double)p->z};
}

static struct pk_quad quad_of(struct vec3 a, double w)
{
    return (struct pk_quad){(float)a.x, (float)a.y, (float)a.z, (float)w};
}

static void sum_areas(const uint32_t *corners, uint32_t triangles, const struct pk_quad *at,
                      struct detail_normal *normals)
{
    for (uint32_t t = 0; t < triangles; ++t) {
        const uint32_t *v = corners + 3 * (size_t)t;
        const struct vec3 last = at_quad(&at[v[2]]);
        const struct vec3 area =
            vec3_cross(vec3_sub(at_quad(&at[v[0]]), last), vec3_sub(at_quad(&at[v[1]]), last));
        const double size = sqrt(vec3_dot(area, area));
        for (int k = 0; k < 3; ++k) {
            struct detail_normal *n = &normals[v[k]];
            n->sum.x += area.x;
            n->sum.y += area.y;
            n->sum.z += area.z;
            n->size += size;
        }
    }
}

static void set_lengths(uint32_t points, const double *sizes, struct detail_normal *normals)
{
    for (uint32_t p = 0; p < points; ++p) {
        const double length = sqrt(vec3_dot(normals[p].sum, normals[p].sum));
        const double grown = sizes == NULL ? 1 : sqrt(normals[p].size / sizes[p]);
        normals[p].sum = vec3_scale(normals[p].sum, length > 0 ? grown / length : 0);
    }
}

void detail_frames(const uint32_t *corners, uint32_t triangles, uint32_t points,
                   const struct pk_quad *at, const double *sizes, struct detail_normal *normals,
                   struct pk_quad *frames)
{
    memset(normals, 0, points * sizeof *normals);
    sum_areas(corners, triangles, at, normals);
    set_lengths(points, sizes, normals);
    for (uint32_t t = 0; t < triangles; ++t) {
        const uint32_t *v = corners + 3 * (size_t)t;
        const struct vec3 x3 = at_quad(&at[v[2]]), n3 = normals[v[2]].sum;
        struct pk_quad *frame = frames + PK_DETAIL_QUADS * (size_t)t;
        frame[0] = quad_of(x3, n3.x);
        frame[1] = quad_of(vec3_sub(at_quad(&at[v[0]]), x3), n3.y);
        frame[2] = quad_of(vec3_sub(at_quad(&at[v[1]]), x3), n3.z);
        frame[3] = quad_of(vec3_sub(normals[v[0]].sum, n3), 0);
        frame[4] = quad_of(vec3_sub(normals[v[1]].sum, n3), 0);
    }
}

/* ---- poses ---- */

static size_t lay_out(const piola_detail *detail, struct piola_detail_pose *pose)
{
    size_t bytes = sizeof *pose, points = 0, normals = 0, frames = 0;
    const uint64_t quads = PK_DETAIL_QUADS * (uint64_t)detail->cells;
    const uint32_t turned = detail->embedded ? 0 : detail->points;
    const bool fits =
        size_array(&bytes, detail->points, sizeof(struct pk_quad), PIOLA_ALIGNMENT, &points) &&
        size_array(&bytes, turned, sizeof(struct detail_normal), PIOLA_ALIGNMENT, &normals) &&
        size_array(&bytes, quads, sizeof(struct pk_quad), PIOLA_ALIGNMENT, &frames) &&
        size_align(&bytes, PIOLA_ALIGNMENT);
    *pose = (struct piola_detail_pose){.magic = POSE_MAGIC,
                                       .bytes = bytes,
                                       .asset = detail->asset,
                                       .at_points = points,
                                       .at_normals = normals,
                                       .at_frames = frames};
    return fits ? bytes : SIZE_MAX;
}

static bool is_detail(const piola_detail *detail)
{
    return detail != NULL && detail->magic == DETAIL_MAGIC;
}

size_t piola_detail_pose_size(const piola_detail *detail)
{
    struct piola_detail_pose pose;
    return is_detail(detail) ? lay_out(detail, &pose) : 0;
}

static piola_status check_take(const piola_detail *detail, const piola_asset *asset,
                               const void *memory, size_t bytes)
{
    if (piola_asset_hash(asset) != detail->asset)
        return PIOLA_ERROR_RANGE;
    if ((uintptr_t)memory % PIOLA_ALIGNMENT != 0)
        return PIOLA_ERROR_ALIGNMENT;
    return bytes < piola_detail_pose_size(detail) ? PIOLA_ERROR_MEMORY : PIOLA_OK;
}

/* Frames of a pose whose points stand. */
static void set_frames(const piola_detail *detail, struct piola_detail_pose *pose)
{
    const struct pk_quad *points = DETAIL_AT(struct pk_quad, pose, pose->at_points);
    const uint64_t mode = float_mode_enter();
    const uint32_t *corners = DETAIL_AT(const uint32_t, detail, detail->at_corners);
    struct pk_quad *frames = DETAIL_AT(struct pk_quad, pose, pose->at_frames);
    if (detail->embedded)
        detail_embed_frames(corners, detail->cells, points, frames);
    else
        detail_frames(corners, detail->cells, detail->points, points,
                      DETAIL_AT(const double, detail, detail->at_sizes),
                      DETAIL_AT(struct detail_normal, pose, pose->at_normals), frames);
    float_mode_leave(mode);
}

piola_status piola_detail_pose_take(const piola_detail *detail, const piola_world *world,
                                    piola_body handle, void *memory, size_t bytes,
                                    const piola_detail_pose **taken)
{
    if (detail == NULL || memory == NULL || taken == NULL)
        return PIOLA_ERROR_NULL;
    if (!is_detail(detail))
        return PIOLA_ERROR_COOKIE;
    piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    const struct body *body = body_find(world, handle);
    if (body == NULL)
        return PIOLA_ERROR_STALE;
    status = check_take(detail, body_asset(world, body), memory, bytes);
    if (status != PIOLA_OK)
        return status;
    struct piola_detail_pose *pose = memory;
    lay_out(detail, pose);
    pose->isa = (uint64_t)piola_world_isa(world);
    const uint32_t *particles = DETAIL_AT(const uint32_t, detail, detail->at_particles);
    const struct pk_quad *x = world_position(world) + body->first;
    struct pk_quad *points = DETAIL_AT(struct pk_quad, pose, pose->at_points);
    for (uint32_t p = 0; p < detail->points; ++p)
        points[p] = x[particles[p]];
    set_frames(detail, pose);
    *taken = pose;
    return PIOLA_OK;
}

piola_status piola_detail_pose_at(const piola_detail *detail, const piola_asset *asset,
                                  const float *xyz, void *memory, size_t bytes,
                                  const piola_detail_pose **taken)
{
    if (detail == NULL || asset == NULL || xyz == NULL || memory == NULL || taken == NULL)
        return PIOLA_ERROR_NULL;
    if (!is_detail(detail))
        return PIOLA_ERROR_COOKIE;
    const piola_status status = check_take(detail, asset, memory, bytes);
    if (status != PIOLA_OK)
        return status;
    struct piola_detail_pose *pose = memory;
    lay_out(detail, pose);
    pose->isa = (uint64_t)isa_resolve(PIOLA_ISA_AUTO);
    const uint32_t *particles = DETAIL_AT(const uint32_t, detail, detail->at_particles);
    const uint32_t *vertex = asset_vertex_of_particle(asset);
    struct pk_quad *points = DETAIL_AT(struct pk_quad, pose, pose->at_points);
    for (uint32_t p = 0; p < detail->points; ++p) {
        const float *x = xyz + 3 * (size_t)vertex[particles[p]];
        points[p] = (struct pk_quad){x[0], x[1], x[2], 0};
    }
    set_frames(detail, pose);
    *taken = pose;
    return PIOLA_OK;
}

/* ---- evaluation ---- */

struct evaluation {
    const struct kernels *kernels;
    const struct pk_quad *frames;
    const struct pk_detail_pack *packs;
    float *positions, *normals;
    uint32_t embedded;
};

/* Vertices first .. end-1, all of one pack. */
static void part_of_pack(const struct evaluation *e, uint32_t first, uint32_t end)
{
    float x[3 * PK_LANES], n[3 * PK_LANES];
    const size_t lane = first % PK_LANES, bytes = 3 * sizeof(float) * (end - first);
    e->kernels->detail(e->frames, e->packs + first / PK_LANES, 1, x, e->normals ? n : NULL,
                       e->embedded);
    memcpy(e->positions, x + 3 * lane, bytes);
    if (e->normals)
        memcpy(e->normals, n + 3 * lane, bytes);
}

static void forward(struct evaluation *e, uint32_t count)
{
    e->positions += 3 * (size_t)count;
    if (e->normals)
        e->normals += 3 * (size_t)count;
}

static void evaluate(struct evaluation e, uint32_t first, uint32_t count)
{
    const uint32_t end = first + count;
    const uint32_t rest = first % PK_LANES == 0 ? 0 : PK_LANES - first % PK_LANES;
    const uint32_t head = rest < count ? rest : count;
    if (head > 0) {
        part_of_pack(&e, first, first + head);
        forward(&e, head);
    }
    const uint32_t whole = (count - head) / PK_LANES;
    if (whole > 0) {
        e.kernels->detail(e.frames, e.packs + (first + head) / PK_LANES, whole, e.positions,
                          e.normals, e.embedded);
        forward(&e, whole * PK_LANES);
    }
    const uint32_t tail = first + head + whole * PK_LANES;
    if (tail < end)
        part_of_pack(&e, tail, end);
}

piola_status piola_detail_evaluate(const piola_detail *detail, const piola_detail_pose *pose,
                                   uint32_t first, uint32_t count, float *positions, float *normals)
{
    if (detail == NULL || pose == NULL || positions == NULL)
        return PIOLA_ERROR_NULL;
    if (!is_detail(detail) || pose->magic != POSE_MAGIC)
        return PIOLA_ERROR_COOKIE;
    const uint32_t vertices = detail->stats.vertices;
    if (pose->asset != detail->asset || first > vertices || count > vertices - first)
        return PIOLA_ERROR_RANGE;
    if (normals != NULL && !detail->normals)
        return PIOLA_ERROR_RANGE;
    const struct evaluation e = {
        .kernels = kernels_for((piola_isa)pose->isa),
        .frames = DETAIL_AT(const struct pk_quad, pose, pose->at_frames),
        .packs = DETAIL_AT(const struct pk_detail_pack, detail, detail->at_packs),
        .positions = positions,
        .normals = normals,
        .embedded = detail->embedded,
    };
    if (e.kernels == NULL)
        return PIOLA_ERROR_ISA;
    const uint64_t mode = float_mode_enter();
    evaluate(e, first, count);
    float_mode_leave(mode);
    return PIOLA_OK;
}
