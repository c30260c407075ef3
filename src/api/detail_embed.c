/* detail_embed.c - fine vertices inside tetrahedra: they go where the corners' weights say.
 *
 * A tetrahedron is written as a prism whose normal is its third edge and does not turn, so the
 * kernel of surfaces serves it too. Normals turn by the cofactor of F, as those of a surface that
 * is drawn on the material.
 */
#include "api/detail.h"

#include <math.h>
#include <string.h>

void detail_embed_corners(const piola_asset *asset, uint32_t *corners)
{
    const uint32_t *tets = asset_tet_of_lane(asset), *vertex = asset_vertex_of_particle(asset);
    for (uint64_t lane = 0; lane < asset->at.tet_of_lane.count; ++lane) {
        const struct pk_tet_pack *pack = &asset_tet_packs(asset)[lane / PK_LANES];
        for (uint32_t c = 0; c < 4 && tets[lane] != UINT32_MAX; ++c)
            corners[4 * (size_t)tets[lane] + c] = vertex[pack->index[c][lane % PK_LANES]];
    }
}

static struct pk_quad difference(const struct pk_quad *a, const struct pk_quad *b, float w)
{
    return (struct pk_quad){a->x - b->x, a->y - b->y, a->z - b->z, w};
}

void detail_embed_frames(const uint32_t *corners, uint32_t tets, const struct pk_quad *at,
                         struct pk_quad *frames)
{
    for (uint32_t t = 0; t < tets; ++t) {
        const uint32_t *v = corners + 4 * (size_t)t;
        const struct pk_quad *last = &at[v[3]];
        const struct pk_quad up = difference(&at[v[2]], last, 0);
        struct pk_quad *frame = frames + PK_DETAIL_QUADS * (size_t)t;
        frame[0] = (struct pk_quad){last->x, last->y, last->z, up.x};
        frame[1] = difference(&at[v[0]], last, up.y);
        frame[2] = difference(&at[v[1]], last, up.z);
        frame[3] = frame[4] = (struct pk_quad){0, 0, 0, 0};
    }
}

/* Corner, then the three edges from it. */
static double edges_of(const struct pk_quad *frame, struct vec3 e[3])
{
    for (int i = 0; i < 2; ++i)
        e[i] =
            (struct vec3){(double)frame[1 + i].x, (double)frame[1 + i].y, (double)frame[1 + i].z};
    e[2] = (struct vec3){(double)frame[0].w, (double)frame[1].w, (double)frame[2].w};
    return vec3_dot(e[0], vec3_cross(e[1], e[2]));
}

void detail_embed_bind(const struct pk_quad *frame, struct vec3 point, struct detail_bond *bond)
{
    struct vec3 e[3];
    const double det = edges_of(frame, e);
    const struct vec3 corner = {(double)frame[0].x, (double)frame[0].y, (double)frame[0].z};
    const struct vec3 way = vec3_sub(point, corner);
    /* A stored asset's may be flat. */
    bond->outside = (double)INFINITY;
    if (!(fabs(det) > 0))
        return;
    const double weight[3] = {vec3_dot(way, vec3_cross(e[1], e[2])) / det,
                              vec3_dot(way, vec3_cross(e[2], e[0])) / det,
                              vec3_dot(way, vec3_cross(e[0], e[1])) / det};
    double least = 1 - weight[0] - weight[1] - weight[2];
    for (int i = 0; i < 3; ++i)
        least = weight[i] < least ? weight[i] : least;
    memcpy(bond->b, weight, sizeof bond->b);
    bond->d = weight[2];
    bond->outside = least < 0 ? -least : 0;
}

void detail_embed_normal(const struct pk_quad *frame, const struct vec3 *normal, double c[3])
{
    struct vec3 e[3];
    const double det = edges_of(frame, e);
    const double length = sqrt(vec3_dot(*normal, *normal));
    for (int i = 0; i < 3; ++i)
        c[i] = vec3_dot(*normal, e[i]) / (length * det);
}
