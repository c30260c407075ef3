/* rod_calls.c - what is asked of rods between steps, their command, and what a snapshot may say. */
#include "families/rods/rod_turn.h"
#include "families/rods/rods.h"

#include "base/float_mode.h"
#include "base/ranges.h"
#include "motion/solve.h"
#include "world/commands.h"
#include "world/rest.h"

/* ---- asked ---- */

static piola_status locate(const piola_world *world, piola_body handle, uint32_t first,
                           uint32_t count, const void *out, const struct body **body)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!out)
        return PIOLA_ERROR_NULL;
    *body = body_find(world, handle);
    if (!*body)
        return PIOLA_ERROR_STALE;
    const uint32_t segments = body_asset(world, *body)->stats.segments;
    return first <= segments && count <= segments - first ? PIOLA_OK : PIOLA_ERROR_RANGE;
}

piola_status piola_body_turns(const piola_world *world, piola_body handle, uint32_t first,
                              uint32_t count, float *xyzw)
{
    const struct body *body = NULL;
    const piola_status status = locate(world, handle, first, count, xyzw, &body);
    for (uint32_t i = 0; status == PIOLA_OK && i < count; i++)
        memcpy(xyzw + 4 * (size_t)i, &world_rod_turns(world)[body->first + first + i],
               4 * sizeof *xyzw);
    return status;
}

piola_status piola_body_spins(const piola_world *world, piola_body handle, uint32_t first,
                              uint32_t count, float *xyz)
{
    const struct body *body = NULL;
    const piola_status status = locate(world, handle, first, count, xyz, &body);
    for (uint32_t i = 0; status == PIOLA_OK && i < count; i++)
        memcpy(xyz + 3 * (size_t)i, &world_rod_spins(world)[body->first + first + i],
               3 * sizeof *xyz);
    return status;
}

/* A moment at an end of a segment that is among those asked for. */
struct asked_loads {
    piola_segment_load *loads;
    uint32_t first, count;
};

static void add_moment(const struct asked_loads *asked, uint32_t segment, unsigned end,
                       const double moment[3], double sign)
{
    if (segment < asked->first || segment - asked->first >= asked->count)
        return;
    for (unsigned k = 0; k < 3; k++)
        asked->loads[segment - asked->first].moment[end][k] += (float)(sign * moment[k]);
}

/* In a joint's axes; the first segment comes before it where it ends there, else behind. */
static void add_joint(const struct rods *r, uint32_t joint, const struct asked_loads *asked)
{
    const struct rod_joint *j = &r->joint[joint];
    double moment[3], own[3], frame[4], m[3][3];
    rods_joint_moment(r, joint, moment);
    for (unsigned side = 0; side < 2; side++) {
        turn_load(j->frame[side], frame);
        turn_matrix(frame, m);
        times3((const double(*)[3])m, moment, own);
        add_moment(asked, j->segment[side], j->end[side], own, j->end[side] == 1 - side ? 1 : -1);
    }
}

piola_status piola_body_segment_loads(const piola_world *world, piola_body handle, uint32_t first,
                                      uint32_t count, piola_segment_load *loads)
{
    IN_PLAIN_MODE;
    const struct body *body = NULL;
    const piola_status status = locate(world, handle, first, count, loads, &body);
    if (status != PIOLA_OK || count == 0)
        return status;
    const struct step none = {.world = (piola_world *)(uintptr_t)world, .dt = world->desc.dt};
    const struct rods r = rods_of(&none, body);
    const struct asked_loads asked = {loads, first, count};
    memset(loads, 0, count * sizeof *loads);
    for (uint32_t i = first; i < first + count; i++) {
        memcpy(loads[i - first].force, &r.force[i], sizeof loads->force);
        for (unsigned end = 0; end < 2; end++) {
            double moment[3];
            if (!rod_clamped(&r.clamp[i], end))
                continue;
            rods_clamp_moment(&r, i, end, moment);
            add_moment(&asked, i, end, moment, end == 0 ? 1 : -1);
        }
    }
    for (uint32_t j = 0; j < r.joints; j++)
        add_joint(&r, j, &asked);
    return PIOLA_OK;
}

/* ---- the command ---- */

bool rods_apply_command(piola_world *world, const piola_command *c)
{
    struct body *body = body_find(world, c->as.unpin.body);
    const bool holds = c->kind == PIOLA_COMMAND_BODY_CLAMP;
    if (!body || !body_is_rods(world, body))
        return false;
    const piola_asset *asset = body_asset(world, body);
    if (c->as.unpin.vertex >= asset->stats.vertices)
        return false;
    const uint32_t particle = asset_particle_of_vertex(asset)[c->as.unpin.vertex];
    const struct rod_segment *s = asset_rod_segments(asset);
    for (uint32_t i = 0; i < asset->stats.segments; i++)
        for (unsigned end = 0; end < 2; end++) {
            struct rod_clamp *clamp = &world_rod_clamps(world)[body->first + i];
            const struct pk_quad *q = &world_rod_turns(world)[body->first + i];
            const double turn[4] = {(double)q->x, (double)q->y, (double)q->z, (double)q->w};
            double rest[4], held[4];
            if (s[i].end[end] != particle)
                continue;
            /* A new clamp begins where the segment stands. */
            turn_load(s[i].rest, rest);
            turn_back(rest, rest);
            rotation_join(turn, rest, held);
            rotation_unit(held);
            for (unsigned k = 0; k < 4 && holds && !rod_clamped(clamp, end); k++)
                clamp->to[end][k] = (float)held[k];
            if (holds && !rod_clamped(clamp, end))
                memcpy(clamp->at[end], clamp->to[end], sizeof clamp->at[end]);
            memset(clamp->to[end], 0, sizeof clamp->to[end]);
            if (holds)
                memcpy(clamp->to[end], c->as.body_turn.rotation, sizeof clamp->to[end]);
            else
                memset(clamp->at[end], 0, sizeof clamp->at[end]);
        }
    rods_tie(world, (uint32_t)(body - world_bodies(world)));
    return true;
}

/* ---- snapshots ---- */

/* Turns of segments are of unit length; what lies between bodies' segments is 0. */
bool rod_turns_valid(const struct stored *stored, enum field field)
{
    bool fit = finite_floats(stored, field);
    const uint64_t used = stored->dim[DIM_rods].used;
    for (uint32_t b = 0; fit && b < stored->world->desc.max_bodies; b++) {
        const struct body body = stored_bodies(stored, b);
        const uint32_t segments =
            body.flags & BODY_ALIVE ? body_asset(stored->world, &body)->stats.segments : 0;
        fit = segments == 0 || (uint64_t)body.first + body.count <= used;
        for (uint32_t i = 0; fit && i < segments; i++) {
            const struct pk_quad q = stored_rod_turns(stored, (uint64_t)body.first + i);
            fit = quaternion_unit((const float[4]){q.x, q.y, q.z, q.w});
        }
    }
    return fit;
}

static bool held_fits(const float q[4])
{
    return (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0) || quaternion_unit(q);
}

bool rod_clamps_valid(const struct stored *stored, enum field field)
{
    bool fit = finite_floats(stored, field);
    for (uint64_t i = 0; fit && i < stored->dim[DIM_rods].used; i++) {
        const struct rod_clamp clamp = stored_rod_clamps(stored, i);
        for (unsigned end = 0; end < 2; end++)
            fit = fit && held_fits(clamp.at[end]) && held_fits(clamp.to[end]) &&
                  rod_clamped(&clamp, end) == (clamp.to[end][0] != 0 || clamp.to[end][1] != 0 ||
                                               clamp.to[end][2] != 0 || clamp.to[end][3] != 0);
    }
    return fit;
}
