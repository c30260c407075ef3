/* rigid_near.c - where the iterations begin for a rigid body, and what it would run into.
 *
 * Few iterations bring to rest only what begins near it. A body that began each substep where
 * gravity and springs alone carry it would push all that it rests on out of the way first, and be
 * thrown back. And a spring presses a light body with far more than its mass is worth: if those
 * that do not press just now counted as nothing, it would fall on them, be thrown back by all at
 * once, and fall again.
 */
#include "families/rigid/rigid.h"

#include "families/collide/collide_faces.h"

/* Where it was led in the substep before: there what it touches bore it. Who meets it was sought on
 * all the way that it could go. What colliders stop goes where these let it. */
static void rest_on(const struct step *step, uint32_t slot)
{
    const piola_world *w = step->world;
    struct rigid_now *now = &world_rigid_now(w)[slot];
    if (!rigid_moves(w, slot) || now->points > 0)
        return;
    memcpy(now->velocity, world_rigids(w)[slot].velocity, 3 * sizeof(double));
    memcpy(now->velocity + 3, now->aim + 3, 3 * sizeof(double));
    memcpy(now->sent, now->velocity, sizeof now->sent);
    rigid_send(step, slot);
}

void rigid_rest_on(const struct step *step, uint32_t b)
{
    const piola_world *w = step->world;
    const struct body *body = &world_bodies(w)[b];
    for (uint32_t i = body->first; i < body->first + body->count; ++i)
        for (uint32_t p = 0; p < world_touching(w)[i]; ++p)
            rest_on(step, world_notes(w)[i].collider[p]);
    for (uint32_t i = 0; i < faces_count(w, b); ++i)
        rest_on(step, faces_of(w, b)[i].collider);
}

/* A plane that does not press, as one that will when the body has gone as far as the gap. True when
 * it goes farther with the velocity v. */
static bool add_near(const struct step *step, const struct rigid_now *now,
                     const struct pk_plane *plane, const double at[3], const double v[6],
                     struct sums *sum)
{
    struct pk_plane then = *plane;
    const double dt = (double)step->dt;
    double n[3], to[3], arm[3], change[6], way[3];
    if (plane->stiffness > 0 || plane->force[0] != 0 || plane->force[1] != 0 ||
        plane->force[2] != 0)
        return false;
    rigid_goes(now, dt, to);
    for (int k = 0; k < 3; ++k) {
        n[k] = (double)plane->normal[k];
        arm[k] = at[k] - to[k];
    }
    for (int k = 0; k < 6; ++k)
        change[k] = dt * (v[k] - now->sent[k]);
    spatial_at(change, arm, way);
    const double away = dot3(n, at) - (double)plane->offset, gap = away > 0 ? away : 0;
    if (!(dot3(n, way) > gap))
        return false;
    for (int k = 0; k < 3; ++k)
        then.force[k] = (float)(-now->each * gap * n[k]);
    then.stiffness = (float)now->each;
    collide_add_plane(&then, 0, arm, sum->value);
    return true;
}

uint32_t rigid_gather_near(const struct step *step, uint32_t slot, const double v[6],
                           struct sums *sum)
{
    const piola_world *w = step->world;
    const struct rigid_now *now = &world_rigid_now(w)[slot];
    uint32_t count = 0;
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b) {
        const struct body *body = &world_bodies(w)[b];
        if (!(body->flags & BODY_ALIVE) || body_still(body) || !body_touched(w, body))
            continue;
        for (uint32_t i = body->first; i < body->first + body->count; ++i)
            for (uint32_t p = 0; p < world_touching(w)[i]; ++p) {
                const struct pk_quad *x = &world_position(w)[i];
                const double at[3] = {(double)x->x, (double)x->y, (double)x->z};
                if (world_notes(w)[i].collider[p] == slot)
                    count += add_near(step, now, &world_touches(w)[i].plane[p], at, v, sum);
            }
        for (uint32_t i = 0; i < faces_count(w, b); ++i) {
            const struct face_contact *c = &faces_of(w, b)[i];
            float place[3];
            if (!c->meets || c->collider != slot)
                continue;
            face_place(w, c, place);
            const double at[3] = {(double)place[0], (double)place[1], (double)place[2]};
            count += add_near(step, now, &c->plane, at, v, sum);
        }
    }
    return count;
}
