/* surface_held.c - pins that surfaces hold up: all of a body go the same share of their ways.
 *
 * Each by its own share they would tear apart what they hold, and could pass each other. When
 * nothing else helps, bodies whose pins go one way are first carried along it with all that is near
 * (surface_carry.c): then nothing but what is left of their pins' ways, as when these turn, can
 * find no room. What is behind its target by that: world/pins.h.
 */
#include "families/surface/surface.h"
#include "motion/stage.h"
#include "world/pins.h"

static bool has_pins(const struct body *body)
{
    return body->pins > 0 && !body_still(body);
}

static float way_of(const piola_world *w, uint32_t i)
{
    const struct pk_quad *x = &world_position(w)[i], *s = &world_start(w)[i];
    const float d[3] = {x->x - s->x, x->y - s->y, x->z - s->z};
    return sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

bool surface_pins_move(const struct step *step)
{
    const piola_world *w = step->world;
    for (uint32_t b = 0; b < w->shared_count; ++b) {
        const struct body *body = &world_bodies(w)[world_shared(w)[b]];
        for (uint32_t i = body->first; i < body->first + body->count && body->pins > 0; ++i)
            if (!(world_position(w)[i].w > 0) && world_owner(w)[i] != NO_BODY && way_of(w, i) > 0)
                return true;
    }
    return false;
}

/* One that stays would be carried away. */
bool surface_pins_alike(const piola_world *w, const struct body *body, const float way[3])
{
    const float most = 0.25f * (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    for (uint32_t i = body->first; i < body->first + body->count && has_pins(body); ++i) {
        const struct pk_quad *x = &world_position(w)[i], *s = &world_start(w)[i];
        const float d[3] = {x->x - s->x - way[0], x->y - s->y - way[1], x->z - s->z - way[2]};
        if (!(x->w > 0) && world_owner(w)[i] != NO_BODY &&
            !(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= most))
            return false;
    }
    return true;
}

void surface_pins_together(const piola_world *w)
{
    for (uint32_t b = 0; b < w->shared_count; ++b) {
        const struct body *body = &world_bodies(w)[world_shared(w)[b]];
        const uint32_t end = has_pins(body) ? body->first + body->count : body->first;
        float least = 1;
        for (uint32_t i = body->first; i < end; ++i)
            if (!(world_position(w)[i].w > 0) && world_share(w)[i] < least)
                least = world_share(w)[i];
        for (uint32_t i = body->first; i < end && least < 1; ++i)
            if (!(world_position(w)[i].w > 0))
                world_share(w)[i] = least;
    }
}

void surface_pins_wait(const piola_world *w)
{
    for (uint32_t b = 0; b < w->shared_count; ++b) {
        struct body *body = &world_bodies(w)[world_shared(w)[b]];
        bool late = false;
        for (uint32_t i = body->first; i < body->first + body->count && has_pins(body); ++i)
            late = late ||
                   (!(world_position(w)[i].w > 0) && world_share(w)[i] < 1 && way_of(w, i) > 0);
        if (late)
            pins_wait(body);
    }
}
