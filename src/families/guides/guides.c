/* guides.c - rollers and symmetry planes: vertices that move in a plane or along a line.
 *
 * Descent solves their 3x3 systems within the plane or line (ispc/motion/guide.isph) and the coarse
 * level keeps its corrections there (motion/coarse.c), so that nothing is left to do here but what
 * rounding and other families bring. For the projection solvers, putting a vertex back on its plane
 * is itself the projection of the constraint normal . (x - point) = 0, which has no compliance.
 * Where a plane or line goes, it goes evenly in the course of a step.
 */
#include "world/guides.h"
#include "motion/stage.h"
#include "world/family.h"

static const struct body *guided(const struct step *step, uint32_t index)
{
    const struct body *body = step_body(step, index);
    return !body_still(body) && (body->flags & BODY_GUIDED) ? body : NULL;
}

/* Planes and lines to where they are at the substep's end. */
void each_guides_move(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    uint32_t count;
    const struct body *body = guided(step, index);
    struct guide *list = body ? guides_of(step->world, body, &count) : NULL;
    for (uint32_t g = 0; list && g < count; ++g)
        for (int k = 0; k < 3; ++k) {
            float *at = &list[g].point[k];
            if (step->substep == 0)
                list[g].speed[k] = (list[g].goal[k] - *at) / step->world->desc.dt;
            *at = last_substep(step) ? list[g].goal[k] : *at + step->dt * list[g].speed[k];
        }
}

void each_guides_place(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const struct body *body = guided(step, index);
    if (body)
        guides_place(step->world, body);
}

/* Velocities along what is held are the guides' own. */
void each_guides_lead(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    uint32_t count;
    const struct body *body = guided(step, index);
    const struct guide *list = body ? guides_of(step->world, body, &count) : NULL;
    for (uint32_t g = 0; list && g < count; ++g) {
        const struct pk_quad *way = &guides_ways(step->world, body)[list[g].particle];
        struct pk_quad *v = &world_velocity(step->world)[body->first + list[g].particle];
        const float *s = list[g].speed;
        const double own[3] = {(double)v->x - (double)s[0], (double)v->y - (double)s[1],
                               (double)v->z - (double)s[2]};
        double left[3];
        guide_leaves(way, own, left);
        v->x = (float)((double)s[0] + left[0]);
        v->y = (float)((double)s[1] + left[1]);
        v->z = (float)((double)s[2] + left[2]);
    }
}

static bool acts(const piola_world *world)
{
    return world->dim[DIM_guides].used > 0;
}

static void move(struct step *step)
{
    run_stage(step, STAGE_GUIDES_MOVE, 0);
}

/* Iterations begin on the plane: descent never leaves it. */
static void begin_iterations(struct step *step)
{
    if (step->iteration == 0)
        run_stage(step, STAGE_GUIDES_PLACE, 0);
}

static void place(struct step *step)
{
    run_stage(step, STAGE_GUIDES_PLACE, 0);
}

static void lead(struct step *step)
{
    run_stage(step, STAGE_GUIDES_LEAD, 0);
}

static void set(piola_world *world, uint32_t body, const piola_body_desc *desc)
{
    if (!desc)
        guides_end_with(world, &world_bodies(world)[body]);
}

const struct family family_guides = {
    .name = "guides",
    .acts = acts,
    .at = {[BEGIN] = move,
           [REFRESH] = begin_iterations,
           [REACH] = place,
           [CLOSE] = place,
           [LIMIT] = place,
           [GIVE] = lead},
    .recount = guides_recount,
    .set = set,
};
