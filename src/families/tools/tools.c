/* tools.c - tools in a step: where the device is at the end of each substep, and the spring that
 * this makes for the proxy.
 *
 * The device goes evenly from where it was to where the step's commands want it. With the place g
 * that it has at the substep's end and its velocity w, the spring of k N/m and the damper of
 * c N s/m pull the proxy, which goes from x at the velocity v, with
 *     k (g - x - dt v) + c (w - v) = k (g - x) + c w - (dt k + c) v,
 * which is linear in the unknown v of the proxy's own step (rigid_move.c). Turns likewise, by the
 * vector that turns the proxy to the device. What is above the greatest force is scaled down to it.
 */
#include "families/tools/tools.h"

#include "base/exact_rotation.h"
#include "world/family.h"
#include "world/rest.h"

static void wide(const float *from, int count, double *to)
{
    for (int k = 0; k < count; ++k)
        to[k] = (double)from[k];
}

/* Where the device is at the end of this substep: place, turn; and its velocity, linear and
 * angular. */
static void device_at(const struct step *step, const struct tool *t, double place[3],
                      double turn[4], double velocity[6])
{
    const piola_world *w = step->world;
    const double share = (double)(step->substep + 1) / (double)w->desc.substeps;
    const double dt = (double)w->desc.dt;
    double from[4], to[4], way[3], part[3], by[4];
    wide(t->rotation, 4, from);
    wide(t->heading, 4, to);
    rotation_unit(from);
    rotation_unit(to);
    rotation_between(to, from, way);
    for (int k = 0; k < 3; ++k) {
        const double along = (double)t->goal[k] - (double)t->position[k];
        place[k] = (double)t->position[k] + share * along;
        velocity[k] = along / dt;
        velocity[3 + k] = way[k] / dt;
        part[k] = share * way[k];
    }
    rotation_of(part, by);
    rotation_join(by, from, turn);
}

static void couple(const struct step *step, const struct tool *t, uint32_t slot)
{
    const piola_world *w = step->world;
    const struct rigid *r = &world_rigids(w)[slot];
    struct rigid_spring *spring = &world_rigid_springs(w)[slot];
    const double dt = (double)step->dt;
    const double grown = t->stiffness > 0 ? (double)t->reached / (double)t->stiffness : 1;
    const double stiffness[2] = {grown * (double)t->stiffness, grown * (double)t->turn_stiffness};
    const double damping[2] = {grown * (double)t->damping, grown * (double)t->turn_damping};
    double place[3], turn[4], velocity[6], lag[6];
    device_at(step, t, place, turn, velocity);
    rotation_between(turn, r->rotation, lag + 3);
    for (int k = 0; k < 3; ++k)
        lag[k] = place[k] - r->position[k];
    spring->acts = 1;
    spring->each = (double)t->each;
    spring->most[0] = (double)t->max_force;
    spring->most[1] = (double)t->max_torque;
    for (int i = 0; i < 6; ++i) {
        const int g = i / 3;
        spring->pull[i] = stiffness[g] * lag[i] + damping[g] * velocity[i];
        spring->drag[g] = dt * stiffness[g] + damping[g];
    }
}

/* Before rigid bodies find how they go. */
static void begin(struct step *step)
{
    const piola_world *w = step->world;
    memset(world_rigid_springs(w), 0, rigid_end(w) * sizeof(struct rigid_spring));
    for (uint64_t i = 0; i < w->dim[DIM_tools].used; ++i) {
        const struct tool *t = &world_tools(w)[i];
        uint32_t slot;
        if (t->alive && tool_proxy(w, t, &slot))
            couple(step, t, slot);
    }
}

/* What the springs did in this substep; who sleeps keeps his force. */
static void measure(struct step *step)
{
    const piola_world *w = step->world;
    tool_holds_measure(step);
    for (uint64_t i = 0; i < w->dim[DIM_tools].used; ++i) {
        struct tool *t = &world_tools(w)[i];
        const float share = 1 / (float)w->desc.substeps;
        double pull[6];
        uint32_t slot;
        if (!t->alive || !tool_proxy(w, t, &slot) || solid_asleep(w, slot))
            continue;
        rigid_spring_force(&world_rigid_now(w)[slot], pull);
        for (int k = 0; k < 3; ++k) {
            const float first = step->substep > 0 ? t->force[k] : 0;
            const float turns = step->substep > 0 ? t->torque[k] : 0;
            t->force[k] = first + share * (float)pull[k];
            t->torque[k] = turns + share * (float)pull[3 + k];
        }
    }
}

static bool goes(const struct tool *t)
{
    return !same_bytes(t->position, t->goal, sizeof t->goal) ||
           !same_bytes(t->rotation, t->heading, sizeof t->heading) || t->reached != t->stiffness;
}

static void grow(struct tool *t, float dt)
{
    const float next = t->reached + t->rise * dt;
    t->reached = t->rise > 0 && next < t->stiffness ? next : t->stiffness;
}

static void before(piola_world *world)
{
    tools_sweep(world);
    tool_holds_tear(world);
    for (uint64_t i = 0; i < world->dim[DIM_tools].used; ++i) {
        struct tool *t = &world_tools(world)[i];
        uint32_t slot;
        if (!t->alive || !tool_proxy(world, t, &slot))
            continue;
        if (goes(t))
            solid_wake(world, slot);
        grow(t, world->desc.dt);
    }
}

static void after(const struct step *step)
{
    const piola_world *w = step->world;
    if (w->dim[DIM_live_tools].used > 0)
        rigid_gather_all(step, false);
    for (uint64_t i = 0; i < w->dim[DIM_tools].used; ++i) {
        struct tool *t = &world_tools(w)[i];
        uint32_t slot;
        if (t->alive && tool_proxy(w, t, &slot) && !solid_asleep(w, slot))
            tool_learn(step, t, slot);
        memcpy(t->position, t->goal, sizeof t->position);
        memcpy(t->rotation, t->heading, sizeof t->rotation);
    }
}

static void set(piola_world *world, uint32_t body, const piola_body_desc *desc)
{
    if (!desc)
        tool_body_gone(world, body);
}

static void recount(piola_world *world)
{
    tools_recount(world);
    tool_holds_recount(world);
}

static bool acts(const piola_world *world)
{
    return world->dim[DIM_tools].capacity > 0 && rigid_any(world);
}

const struct family family_tools = {
    .name = "tools",
    .acts = acts,
    .among = {[START] = begin,
              [REFRESH] = tool_holds_refresh,
              [KEEP_OUT] = tool_holds_pull,
              [FLOW] = measure},
    .link = tool_holds_link,
    .before = before,
    .after = after,
    .recount = recount,
    .set = set,
};
