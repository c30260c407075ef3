/* tractions.c - what tractions do in a substep: loads of the particles, beside those that commands
 * have put on vertices. Life and handles: traction_life.c.
 *
 * A pressure takes the surface as it stands when the substep begins. At rest that is where it ends
 * too, so what a body settles at is balanced with its pressure on the deformed surface; while it
 * moves, the direction lags by one substep.
 */
#include "families/tractions/tractions.h"

#include "motion/stage.h"
#include "world/family.h"

#include <string.h>

void traction_force(const struct traction *t, const struct traction_face *face,
                    const struct pk_quad *x, float force[3])
{
    const struct pk_quad *a = &x[face->particle[0]], *b = &x[face->particle[1]],
                         *c = &x[face->particle[2]];
    const float u[3] = {b->x - a->x, b->y - a->y, b->z - a->z};
    const float v[3] = {c->x - a->x, c->y - a->y, c->z - a->z};
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const float normal = 0.5f * (u[i] * v[j] - u[j] * v[i]);
        force[k] = (face->area * t->value[k] - t->pressure * normal) * (1.0f / 3);
    }
}

static void add(const piola_world *w, const struct body *body, const struct traction *t,
                struct pk_quad *loads)
{
    const struct traction_face *faces = world_traction_faces(w) + t->first;
    const struct pk_quad *x = world_position(w) + body->first;
    for (uint32_t i = 0; i < t->count; ++i) {
        float force[3];
        traction_force(t, &faces[i], x, force);
        for (int c = 0; c < 3; ++c) {
            struct pk_quad *load = &loads[faces[i].particle[c]];
            load->x += force[0];
            load->y += force[1];
            load->z += force[2];
        }
    }
}

/* The loads of a substep begin with those that commands have set. */
void each_tractions(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct body *body = step_body(step, index);
    if (body_still(body) || !(body->flags & BODY_PRESSED))
        return;
    struct pk_quad *loads = world_load_now(w) + body->first;
    if (body->flags & BODY_LOADED)
        memcpy(loads, world_load(w) + body->first, body->count * sizeof *loads);
    else
        memset(loads, 0, body->count * sizeof *loads);
    for (uint32_t t = world_traction_first(w)[index]; t > 0; t = world_traction_next(w)[t - 1])
        add(w, body, &world_tractions(w)[t - 1], loads);
}

static bool acts(const piola_world *world)
{
    return world->dim[DIM_traction_faces].used > 0;
}

static void press(struct step *step)
{
    run_stage(step, STAGE_TRACTIONS, 0);
}

static void set(piola_world *world, uint32_t body, const piola_body_desc *desc)
{
    if (!desc && (world_bodies(world)[body].flags & BODY_PRESSED))
        tractions_end_with(world, body);
}

const struct family family_tractions = {
    .name = "tractions",
    .acts = acts,
    .at = {[FORCES] = press},
    .recount = tractions_recount,
    .set = set,
};
