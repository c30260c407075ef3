/* tool_grasp.c - what a tool grasps: vertices near its proxy, held at their places in its frame by
 * springs that let go at a greatest force.
 *
 * A hold of k N/m pulls the vertex at x to the place p that goes with the proxy: the quadratic
 * k/2 (x - p)^2 in the vertex's objective, and k (x - p) with the stiffness k on the proxy, as a
 * plane that it touches would do. Holds act in descent alone.
 */
#include "families/tools/tools.h"

#include "base/float_mode.h"
#include "base/ranges.h"
#include "motion/external.h"
#include "shapes/shapes.h"
#include "world/commands.h"
#include "world/family.h"
#include "world/rest.h"

static uint64_t held(const piola_world *world)
{
    return world->dim[DIM_tool_holds].used;
}

/* ---- between steps ---- */

/* Who is held, anew. */
void tool_holds_recount(piola_world *world)
{
    uint64_t used = 0;
    for (uint32_t b = 0; b < world->desc.max_bodies && world->dim[DIM_tool_holds].capacity > 0; ++b)
        world_count(world)[b] = 0;
    for (uint64_t i = 0; i < world->dim[DIM_tool_holds].capacity; ++i) {
        const struct tool_hold *h = &world_tool_holds(world)[i];
        used = h->tool ? i + 1 : used;
        if (h->tool)
            world_count(world)[h->body - 1] = 1;
    }
    for (uint32_t b = 0; b < world->desc.max_bodies && world->dim[DIM_tool_holds].capacity > 0; ++b)
        world_tie(world, b, TIE(tools), world_count(world)[b] != 0);
    dimension_use(world, DIM_tool_holds, used);
}

/* Of those for which it is true, the others close up. */
static void end_where(piola_world *world, bool (*ends)(const struct tool_hold *h, uint32_t which),
                      uint32_t which)
{
    struct tool_hold *holds = world_tool_holds(world);
    uint64_t kept = 0;
    for (uint64_t i = 0; i < held(world); ++i) {
        if (ends(&holds[i], which))
            node_wake(world, holds[i].body - 1);
        else
            holds[kept++] = holds[i];
    }
    if (kept == held(world))
        return;
    memset(holds + kept, 0, (held(world) - kept) * sizeof *holds);
    tool_holds_recount(world);
}

static bool of_tool(const struct tool_hold *h, uint32_t which)
{
    return h->tool == which;
}

static bool of_body(const struct tool_hold *h, uint32_t which)
{
    return h->body == which;
}

static bool torn(const struct tool_hold *h, uint32_t which)
{
    float square = 0;
    (void)which;
    for (int k = 0; k < 3; ++k)
        square += h->force[k] * h->force[k];
    return square > h->most * h->most;
}

void tool_let_go(piola_world *world, uint32_t tool)
{
    end_where(world, of_tool, tool);
}

void tool_body_gone(piola_world *world, uint32_t body)
{
    end_where(world, of_body, body + 1);
}

void tool_holds_tear(piola_world *world)
{
    end_where(world, torn, 0);
}

uint32_t tool_holding(const piola_world *world, uint32_t tool)
{
    uint32_t count = 0;
    for (uint64_t i = 0; i < held(world); ++i)
        count += world_tool_holds(world)[i].tool == tool;
    return count;
}

/* One body's vertices in reach; what finds no room is counted. */
static void take_body(piola_world *world, uint32_t tool, uint32_t slot, uint32_t index, float reach)
{
    const struct collider *proxy = &world_colliders(world)[slot];
    const struct body *body = &world_bodies(world)[index];
    const struct form form = world_form(world, proxy);
    struct extent *room = &world->dim[DIM_tool_holds];
    struct pose pose;
    collider_stands(proxy, &pose);
    for (uint32_t i = 0; i < body_asset(world, body)->stats.vertices; ++i) {
        struct tool_hold h = {.tool = tool, .body = index + 1};
        float at[3];
        h.particle = asset_particle_of_vertex(body_asset(world, body))[i];
        const struct pk_quad *x = &world_position(world)[body->first + h.particle];
        quad_read(x, at);
        pose_in(&pose, at, h.local);
        if (!(x->w > 0) || !(shape_distance(&form, h.local, NULL) - proxy->shape.margin <= reach))
            continue;
        room->dropped += room->used == room->capacity;
        if (room->used < room->capacity) {
            world_tool_holds(world)[room->used] = h;
            dimension_use(world, DIM_tool_holds, room->used + 1);
        }
    }
}

/* All that a tool holds bear an equal share of the greatest force, and stretch by the reach. */
static bool grasp(piola_world *world, uint32_t tool, uint32_t slot, float reach, float most)
{
    tool_let_go(world, tool);
    for (uint32_t b = 0; b < world->desc.max_bodies; ++b) {
        const struct body *body = &world_bodies(world)[b];
        if ((body->flags & BODY_ALIVE) && !body_still(body) &&
            filters_meet(solid_filter(world, &world_colliders(world)[slot]),
                         body_filter(world, body)))
            take_body(world, tool, slot, b, reach);
    }
    const uint32_t count = tool_holding(world, tool);
    const float share = count > 0 ? most / (float)count : 0;
    for (uint64_t i = 0; i < held(world); ++i) {
        struct tool_hold *h = &world_tool_holds(world)[i];
        if (h->tool != tool)
            continue;
        h->most = share;
        h->stiffness = share / reach;
        node_wake(world, h->body - 1);
    }
    tool_holds_recount(world);
    solid_wake(world, slot);
    return true;
}

bool tool_hands_apply(piola_world *world, const piola_command *command)
{
    const struct tool *t = tools_find(world, command->as.tool_pair.tool);
    const uint32_t tool = command->as.tool_pair.tool.index;
    const bool room = world->dim[DIM_tool_holds].capacity > 0 && world_descends(&world->desc) &&
                      world->dim[DIM_externals].capacity > 0;
    if (!t || !room)
        return false;
    if (command->kind == PIOLA_COMMAND_TOOL_GRASP)
        return grasp(world, tool, t->rigid - 1, command->as.tool_pair.value[0],
                     command->as.tool_pair.value[1]);
    tool_let_go(world, tool);
    solid_wake(world, t->rigid - 1);
    return true;
}

bool tool_holds_valid(const struct stored *stored, enum field field)
{
    bool sane = true;
    (void)field;
    for (uint64_t i = 0; sane && i < stored->dim[DIM_tool_holds].used; ++i) {
        const struct tool_hold h = stored_tool_holds(stored, i);
        if (h.tool == 0 || h.tool > stored->dim[DIM_tools].used || h.body == 0 ||
            h.body > stored->world->desc.max_bodies)
            return false;
        const struct body body = stored_bodies(stored, h.body - 1);
        const struct tool tool = stored_tools(stored, h.tool - 1);
        sane = tool.alive && (body.flags & BODY_ALIVE) &&
               h.particle < body_asset(stored->world, &body)->stats.vertices && h.stiffness >= 0 &&
               is_finite(h.stiffness) && h.most >= 0 && is_finite(h.most);
        for (int k = 0; k < 3; ++k)
            sane = sane && is_finite(h.local[k]) && is_finite(h.force[k]);
    }
    return sane;
}

/* ---- in a step ---- */

/* How far a hold is stretched at the substep's end, and where its vertex is. */
static void stretch_of(const struct step *step, const struct tool_hold *h, uint32_t slot,
                       float at[3], float gap[3])
{
    const piola_world *w = step->world;
    const struct pose *poses = world_poses(w) + ((size_t)step->substep + 1) * collider_end(w);
    float place[3];
    quad_read(&world_position(w)[world_bodies(w)[h->body - 1].first + h->particle], at);
    pose_out(&poses[slot], h->local, place);
    for (int k = 0; k < 3; ++k)
        gap[k] = at[k] - place[k];
}

static bool acts(const piola_world *w, const struct tool_hold *h, uint32_t *slot)
{
    return tool_proxy(w, &world_tools(w)[h->tool - 1], slot) && !solid_asleep(w, *slot) &&
           !body_still(&world_bodies(w)[h->body - 1]);
}

void tool_holds_refresh(struct step *step)
{
    const piola_world *w = step->world;
    for (uint64_t i = 0; i < held(w); ++i) {
        const struct tool_hold *h = &world_tool_holds(w)[i];
        const struct body *body = &world_bodies(w)[h->body - 1];
        struct pk_quad *external = external_of(w, body);
        uint32_t slot;
        float at[3], gap[3], y[3];
        if (!external || !acts(w, h, &slot))
            continue;
        struct pk_quad *g = &external[h->particle], *on = &external[body->count + h->particle];
        stretch_of(step, h, slot, at, gap);
        quad_read(&world_target(w)[body->first + h->particle], y);
        g->x += h->stiffness * (gap[0] - (at[0] - y[0]));
        g->y += h->stiffness * (gap[1] - (at[1] - y[1]));
        g->z += h->stiffness * (gap[2] - (at[2] - y[2]));
        on->x += h->stiffness;
        on->y += h->stiffness;
        on->z += h->stiffness;
    }
}

/* Before the proxies' own solve. */
void tool_holds_pull(struct step *step)
{
    const piola_world *w = step->world;
    for (uint32_t s = 0; s < rigid_end(w) && held(w) > 0; ++s)
        memset(&world_rigid_springs(w)[s].held, 0, sizeof(struct sums));
    for (uint64_t i = 0; i < held(w); ++i) {
        const struct tool_hold *h = &world_tool_holds(w)[i];
        struct pk_plane plane = {.normal = {0, 1, 0}, .stiffness = h->stiffness};
        double arm[3], origin[3];
        uint32_t slot;
        float at[3], gap[3];
        if (!acts(w, h, &slot))
            continue;
        stretch_of(step, h, slot, at, gap);
        rigid_goes(&world_rigid_now(w)[slot], (double)step->dt, origin);
        for (int k = 0; k < 3; ++k) {
            plane.force[k] = -h->stiffness * gap[k];
            arm[k] = (double)at[k] - origin[k];
        }
        collide_add_plane(&plane, (double)h->stiffness, arm,
                          world_rigid_springs(w)[slot].held.value);
    }
}

void tool_holds_measure(struct step *step)
{
    const piola_world *w = step->world;
    for (uint64_t i = 0; i < held(w); ++i) {
        struct tool_hold *h = &world_tool_holds(w)[i];
        uint32_t slot;
        float at[3], gap[3];
        if (!acts(w, h, &slot))
            continue;
        stretch_of(step, h, slot, at, gap);
        for (int k = 0; k < 3; ++k) {
            const float force = -h->stiffness * gap[k];
            h->force[k] = is_finite(force) ? force : 0;
        }
    }
}

void tool_holds_link(const piola_world *w, struct islands all)
{
    for (uint64_t i = 0; i < held(w); ++i) {
        const struct tool_hold *h = &world_tool_holds(w)[i];
        uint32_t slot;
        if (tool_proxy(w, &world_tools(w)[h->tool - 1], &slot))
            islands_join(all, h->body - 1, islands_collider(w, slot));
    }
}
