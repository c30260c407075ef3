/* sleep.c - sleep: what lies still costs nothing until something wakes it.
 *
 * A body lies still while its vertices have less than its sleep_speed, as the root of the mean of
 * their squares, and none has four times that; a rigid body while nothing of it has that speed.
 * Once all that are near each other, or tied, have lain still for sleep_time they fall asleep
 * together: their velocities become 0, which takes energy and adds none, and they keep their bits.
 * What sleeps wakes before a substep in which anything that moves may come near it, with all that
 * is near it in turn; commands and calls wake whom they concern (world/rest.h). All is decided by
 * one thread, between stages, from the state alone.
 */
#include "sleep/sleep.h"

#include "sleep/sleep_near.h"

#include <math.h>

/* Who may fall asleep is looked for this often, in steps. */
#define LOOK_EVERY 8u

/* A single vertex may be this many times as fast as all, squared: a corner that trembles. */
#define TREMBLE 16.0f

static bool sleeps_any(const piola_world *w)
{
    bool any = false;
    for (uint32_t i = 0; i < w->dim[DIM_rests].capacity && !any; ++i)
        any = node_asleep(w, i);
    return any;
}

/* ---- waking -------------------------------------------------------------------------------- */

/* Bodies that are frozen are part of what stands around. */
static uint32_t mark_of_body(const piola_world *w, uint32_t index)
{
    const struct body *body = &world_bodies(w)[index];
    if (!(body->flags & BODY_ALIVE) || body_frozen(body))
        return REST_NONE;
    return body->flags & BODY_ASLEEP ? REST_SLEEPS : REST_MOVES;
}

/* Marks all nodes as they are; true when anything moves. */
static bool mark_all(const struct rest_time *t)
{
    const piola_world *w = t->step->world;
    uint32_t *marks = world_rest_marks(w);
    bool moves = false;
    for (uint32_t i = 0; i < w->desc.max_bodies; ++i) {
        marks[i] = mark_of_body(w, i);
        moves = moves || marks[i] == REST_MOVES;
    }
    for (uint32_t i = w->desc.max_bodies; i < w->dim[DIM_rests].capacity; ++i)
        marks[i] = REST_NONE;
    for (uint32_t i = 0; i < collider_end(w); ++i) {
        const bool goes = rest_solid_moves(t, i);
        marks[solid_node(w, i)] = goes ? REST_MOVES : solid_asleep(w, i) ? REST_SLEEPS : REST_NONE;
        moves = moves || goes;
    }
    return moves;
}

/* Those that sleep in an island in which something moves. */
static void wake_islands(const struct rest_time *t)
{
    const piola_world *w = t->step->world;
    const struct islands all = islands_of(w);
    uint32_t *marks = world_rest_marks(w);
    for (uint32_t i = 0; i < all.count; ++i)
        if (marks[i] == REST_MOVES && marks[islands_root(all, i)] == REST_SLEEPS)
            node_wake(w, islands_root(all, i));
    for (uint32_t i = 0; i < all.count; ++i) {
        const uint32_t root = islands_root(all, i);
        if (marks[i] == REST_SLEEPS && !node_asleep(w, root))
            node_wake(w, i);
    }
}

static bool tied_apart(const piola_world *w)
{
    bool apart = false;
    for (uint64_t i = 0; i < w->dim[DIM_attachments].used; ++i) {
        const struct attachment *a = &world_attachments(w)[i];
        apart = apart || (a->alive && a->count[1] &&
                          body_asleep(w, a->body[0] - 1) != body_asleep(w, a->body[1] - 1));
    }
    return apart || joints_apart(w);
}

static void wake_near(const struct rest_time *t)
{
    const piola_world *w = t->step->world;
    rest_boxes_of_solids(t);
    islands_begin(islands_of(w));
    const bool near = rest_join_near(t);
    if (!near && !tied_apart(w))
        return;
    rest_join_tied(w);
    rest_join_sleepers(t);
    wake_islands(t);
}

static struct rest_time in_substep(const struct step *step, uint32_t substep)
{
    return (struct rest_time){step, substep, substep + 1, step->dt};
}

void sleep_begin(struct step *step)
{
    const piola_world *w = step->world;
    if (!rests_any(w) || w->alone_count == 0 || !sleeps_any(w))
        return;
    for (uint32_t s = 0; s < w->desc.substeps; ++s) {
        const struct rest_time t = in_substep(step, s);
        if (mark_all(&t))
            wake_near(&t);
    }
}

void each_rest_boxes(const struct step *step, uint32_t argument, uint32_t body)
{
    const piola_world *w = step->world;
    (void)argument;
    if (!body_asleep(w, body))
        world_rest_boxes(w)[body] = rest_box_of(w, body, step->dt);
}

bool sleep_wake(struct step *step)
{
    const struct rest_time t = in_substep(step, step->substep);
    if (!rests_any(step->world) || !sleeps_any(step->world))
        return true;
    if (!mark_all(&t))
        return false;
    domains_part(step->world, ALL_JOIN);
    run_stage(step, STAGE_REST_BOXES, 0);
    wake_near(&t);
    return true;
}

/* ---- falling asleep ------------------------------------------------------------------------ */

static void rest_for(const piola_world *w, uint32_t node, float speed)
{
    struct rest *rest = &world_rests(w)[node];
    rest->still =
        speed <= rest_speed(w, node) && rest_speed(w, node) > 0 ? rest->still + w->desc.dt : 0;
    rest->still = rest->still < 1e9f ? rest->still : 1e9f;
}

void sleep_measure(const struct step *step, uint32_t index)
{
    const piola_world *w = step->world;
    const struct body *body = &world_bodies(w)[index];
    const struct pk_quad *v = &world_velocity(w)[body->first];
    const bool waits = w->desc.max_contacts > 0 && world_waits(w)[index] != 0;
    float most = 0, sum = 0;
    if (!rests_any(w) || body_still(body))
        return;
    for (uint32_t i = 0; i < body->count; ++i) {
        const float square = v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z;
        most = square > most ? square : most;
        sum += square;
    }
    const float mean = sum / (float)body_asset(w, body)->stats.vertices;
    const float speed = sqrtf(mean > most / TREMBLE ? mean : most / TREMBLE);
    rest_for(w, index, waits || untangles(body) || (body->flags & BODY_LATE) ? INFINITY : speed);
}

static float size3(const double v[3])
{
    return (float)sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void measure_rigid(const piola_world *w, uint32_t slot)
{
    const struct rigid *r = &world_rigids(w)[slot];
    const uint32_t node = solid_node(w, slot);
    const struct pk_swept_box *box = &world_rest_boxes(w)[node];
    double spin[3];
    rigid_spin(r, r->rotation, r->momentum, spin);
    rest_for(w, node, size3(r->velocity) + size3(spin) * 0.5f * (box->high[0] - box->low[0]));
}

static bool tired(const piola_world *w, uint32_t node)
{
    return world_rests(w)[node].still >= w->desc.sleep_time && world_rests(w)[node].still > 0;
}

/* Those that may fall asleep, and those that move and keep others awake: true when there are any of
 * the former. */
static bool mark_tired(const struct rest_time *t)
{
    const piola_world *w = t->step->world;
    uint32_t *marks = world_rest_marks(w);
    bool any = false;
    (void)mark_all(t);
    for (uint32_t i = 0; i < w->dim[DIM_rests].capacity; ++i) {
        if (marks[i] == REST_SLEEPS)
            marks[i] = REST_NONE;
        else if (marks[i] == REST_MOVES && tired(w, i))
            marks[i] = REST_SLEEPS;
        any = any || marks[i] == REST_SLEEPS;
    }
    return any;
}

/* What it would have gone on with is taken from it; what it remembers is that it rests. */
static void stop_body(const struct step *step, uint32_t index)
{
    const piola_world *w = step->world;
    struct body *body = &world_bodies(w)[index];
    const size_t bytes = body->count * sizeof(struct pk_quad);
    body->flags |= BODY_ASLEEP;
    memset(world_velocity(w) + body->first, 0, bytes);
    if (w->dim[DIM_memory].capacity)
        memset(world_older_velocity(w) + body->first, 0, bytes);
    if (w->dim[DIM_history].capacity && body->history)
        memcpy(world_older_position(w) + body->first, world_position(w) + body->first, bytes);
    for (uint32_t i = 0; w->dim[DIM_history].capacity && body->history && i < body->count; ++i)
        world_older_position(w)[body->first + i].w = 0;
    if (w->dim[DIM_touched].capacity)
        atomic_store_explicit(&world_touched(w)[index], 0, memory_order_relaxed);
    world_rest_boxes(w)[index] = rest_box_of(w, index, 0);
}

static void stop_rigid(const piola_world *w, uint32_t slot)
{
    struct rigid *r = &world_rigids(w)[slot];
    struct collider *c = &world_colliders(w)[slot];
    world_rests(w)[solid_node(w, slot)].asleep = 1;
    for (int k = 0; k < 3; ++k) {
        r->velocity[k] = r->momentum[k] = 0;
        c->velocity[k] = c->spin[k] = 0;
    }
}

static void fall_asleep(const struct rest_time *t)
{
    const piola_world *w = t->step->world;
    const struct islands all = islands_of(w);
    uint32_t *marks = world_rest_marks(w);
    /* A root that moves keeps all of its island awake. */
    for (uint32_t i = 0; i < all.count; ++i)
        if (marks[i] == REST_MOVES)
            marks[islands_root(all, i)] = REST_MOVES;
    for (uint32_t i = 0; i < all.count; ++i) {
        if (marks[i] != REST_SLEEPS || marks[islands_root(all, i)] != REST_SLEEPS)
            continue;
        if (i < w->desc.max_bodies)
            stop_body(t->step, i);
        else
            stop_rigid(w, i - w->desc.max_bodies);
    }
}

void sleep_end(const struct step *step)
{
    const piola_world *w = step->world;
    const struct rest_time t = {step, 0, w->desc.substeps, step->dt};
    if (!rests_any(w))
        return;
    rest_boxes_of_solids(&t);
    for (uint32_t i = 0; i < rigid_end(w); ++i)
        if (rigid_is(w, i) && !solid_asleep(w, i))
            measure_rigid(w, i);
    if (world_clock(w)->step % LOOK_EVERY == 0 && mark_tired(&t)) {
        for (uint32_t i = 0; i < w->desc.max_bodies; ++i)
            if (world_rest_marks(w)[i] != REST_NONE)
                world_rest_boxes(w)[i] = rest_box_of(w, i, step->dt);
        islands_begin(islands_of(w));
        rest_join_tied(w);
        rest_join_sleepers(&t);
        (void)rest_join_near(&t);
        fall_asleep(&t);
    }
    for (uint32_t i = 0; i < w->dim[DIM_rests].capacity; ++i) {
        const uint32_t now = node_asleep(w, i), was = world_rest_was(w)[i] & REST_SLEPT;
        world_rest_was(w)[i] = now | (now != was ? REST_CHANGED : 0);
    }
}

/* ---- what the user is told ----------------------------------------------------------------- */

void sleep_report(const piola_world *w, piola_report *report)
{
    for (uint32_t i = 0; i < w->dim[DIM_rests].capacity; ++i) {
        const uint32_t was = world_rest_was(w)[i];
        report->asleep += (was & REST_SLEPT) != 0;
        report->fell_asleep += was == (REST_SLEPT | REST_CHANGED);
        report->woke += was == REST_CHANGED;
    }
}

piola_status piola_world_sleep_events(const piola_world *world, piola_sleep_event *events,
                                      uint32_t capacity, uint32_t *count)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!count || (capacity > 0 && !events))
        return PIOLA_ERROR_NULL;
    const uint32_t bodies = world->desc.max_bodies;
    *count = 0;
    for (uint32_t i = 0; i < world->dim[DIM_rests].capacity; ++i) {
        const uint32_t was = world_rest_was(world)[i], slot = i - bodies;
        piola_sleep_event event = {.asleep = (was & REST_SLEPT) != 0};
        if (!(was & REST_CHANGED))
            continue;
        if (i < bodies)
            event.body = (piola_body){i + 1, world_bodies(world)[i].generation};
        else
            event.rigid = (piola_rigid){slot + 1, world_colliders(world)[slot].generation};
        if (*count < capacity)
            events[*count] = event;
        ++*count;
    }
    return PIOLA_OK;
}
