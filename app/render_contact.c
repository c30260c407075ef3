#include "render_contact.h"

#include "asset/asset.h"
#include "families/collide/collider.h"
#include "families/surface/surface.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

#define SHARE 0.05 /* least weight of a corner that counts as touching */

static void add_pair(const piola_world *world, const struct pair *pair, float *particles)
{
    double weight[4];
    double between[3];
    double distance = surface_near(pair, world_position(world), weight, between);
    float gap = (float)distance / world->desc.contact_thickness;
    float value = gap < 1.0f ? 1.0f - 0.5f * gap : 0.0f;
    for (int k = 0; k < 4; k++) {
        float *own = &particles[pair->particle[k]];
        *own = fabs(weight[k]) > SHARE ? fmaxf(*own, value) : *own;
    }
}

static void add_pairs(const piola_world *world, float *particles)
{
    for (uint32_t p = 0; p < world_surface_now(world)->pair_pack_end; p++) {
        const struct pair_range *range = surface_range(world, p);
        for (uint32_t lane = 0; lane < PK_LANES; lane++) {
            const struct pair pair = surface_pair(world, p, lane, range->kind);
            if ((surface_lanes(range, p) >> lane & 1) != 0) {
                add_pair(world, &pair, particles);
            }
        }
    }
}

static bool is_pressed(const piola_world *world, uint32_t particle)
{
    for (uint32_t p = 0; p < world_touching(world)[particle]; p++) {
        const float *force = world_touches(world)[particle].plane[p].force;
        if (force[0] != 0.0f || force[1] != 0.0f || force[2] != 0.0f) {
            return true;
        }
    }
    return false;
}

void render_contact_find(const piola_world *world, float *particles)
{
    memset(particles, 0, world->desc.max_particles * sizeof *particles);
    if (world->desc.max_contacts > 0) {
        add_pairs(world, particles);
    }
    for (uint32_t b = 0; collider_end(world) > 0 && b < world->desc.max_bodies; b++) {
        const struct body *body = &world_bodies(world)[b];
        for (uint32_t i = 0; (body->flags & BODY_ALIVE) != 0 && i < body->count; i++) {
            if (is_pressed(world, body->first + i)) {
                particles[body->first + i] = 1.0f;
            }
        }
    }
}

void render_contact_take(const piola_world *world, piola_body handle, const piola_asset *asset,
                         const float *particles, float *vertices)
{
    const struct body *body = body_find(world, handle);
    const uint32_t *vertex_of = asset_vertex_of_particle(asset);
    memset(vertices, 0, asset->stats.vertices * sizeof *vertices);
    for (uint32_t i = 0; body != NULL && i < body->count; i++) {
        if (vertex_of[i] < asset->stats.vertices) {
            vertices[vertex_of[i]] = particles[body->first + i];
        }
    }
}
