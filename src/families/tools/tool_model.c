/* tool_model.c - what a tool is like around its device's pose: the slope of the force, for device
 * threads that ask between the world's steps.
 *
 * What the proxy touches answers with C (N/m), the stiffness of the solvers' own blocks at the
 * planes that press, condensed on the proxy; a collider in the way of one of its points does not
 * give. In series with the spring's k that is S = k C (k + C)^-1. Blocks are stiffer than what they
 * hang on to: `trust` is the share of S that the force showed in the steps before.
 */
#include "families/tools/tools.h"

#include "base/float_mode.h"
#include "base/symmetric3.h"

/* A collider's stiffness, as a multiple of the spring's. */
#define UNYIELDING 1e4
/* N: forces whose change is less tell nothing of the slope. */
#define NOTICED     1e-3
#define LEARNS      0.3f
#define LEAST_TRUST 0.05f
/* N/m: what is stiffer does not give at all. */
#define EACH_MOST 1e12f

/* k C (k + C)^-1 = k - k (1 + C / k)^-1; nothing where one of them is nothing. */
static void in_series(double k, const double c[6], float out[6])
{
    double sum[6], inverse[6];
    memset(out, 0, 6 * sizeof *out);
    if (!(k > 0))
        return;
    for (int i = 0; i < 6; ++i)
        sum[i] = c[i] / k + (i < 3);
    if (!symmetric3_invert(sum, inverse))
        return;
    for (int i = 0; i < 6; ++i) {
        const double s = k * ((i < 3) - inverse[i]);
        out[i] = s - s == 0 ? (float)s : 0;
    }
}

/* Colliders that press on points of the proxy. */
static void add_points(const struct rigid_now *now, double stiffness, double c[6])
{
    for (uint32_t p = 0; p < now->points; ++p) {
        const double *n = now->point[p].normal;
        if (!(dot3(now->point[p].impulse, n) > 0))
            continue;
        for (int i = 0; i < 3; ++i)
            for (int j = i; j < 3; ++j)
                c[symmetric3_place[i][j]] += stiffness * n[i] * n[j];
    }
}

/* How the force changed as the device moved, against how the slope said that it would. */
static void learn(struct tool *t, const float force[3])
{
    double told[3] = {0, 0, 0}, seen = 0, square = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            told[i] += (double)t->slope[symmetric3_place[i][j]] *
                       ((double)t->goal[j] - (double)t->position[j]);
    for (int k = 0; k < 3; ++k) {
        seen += told[k] * ((double)t->force[k] - (double)force[k]);
        square += told[k] * told[k];
    }
    if (!(square > NOTICED * NOTICED))
        return;
    const double share = seen / square;
    t->trust += LEARNS * ((float)(share > 1 ? 1 : share > 0 ? share : 0) - t->trust);
    t->trust = t->trust > LEAST_TRUST ? t->trust : LEAST_TRUST;
}

void tool_learn(const struct step *step, struct tool *t, uint32_t slot)
{
    const double *sum = world_rigid_sums(step->world)[slot].value;
    const double grown = t->stiffness > 0 ? (double)t->reached / (double)t->stiffness : 1;
    const double stiffness = grown * (double)t->stiffness;
    double linear[6], angular[6];
    const double each = world_rigid_now(step->world)[slot].each;
    t->each = each < (double)EACH_MOST ? (float)each : EACH_MOST;
    learn(t, t->before);
    memcpy(t->before, t->force, sizeof t->before);
    memcpy(linear, sum + 6, sizeof linear);
    memcpy(angular, sum + 21, sizeof angular);
    add_points(&world_rigid_now(step->world)[slot], UNYIELDING * stiffness, linear);
    in_series(stiffness, linear, t->slope);
    in_series(grown * (double)t->turn_stiffness, angular, t->turn_slope);
}

piola_status piola_tool_model_of(const piola_world *world, piola_tool handle, double time,
                                 piola_tool_model *model)
{
    IN_PLAIN_MODE;
    const piola_status status = world_check(world);
    if (status != PIOLA_OK || !model)
        return model ? status : PIOLA_ERROR_NULL;
    const struct tool *t = tools_find(world, handle);
    if (!t)
        return PIOLA_ERROR_STALE;
    float square = 0;
    for (int k = 0; k < 3; ++k)
        square += t->force[k] * t->force[k];
    const float size = sqrtf(square);
    *model = (piola_tool_model){.time = time, .period = (double)world->desc.dt};
    memcpy(model->position, t->position, sizeof model->position);
    memcpy(model->rotation, t->rotation, sizeof model->rotation);
    for (int k = 0; k < 3; ++k) {
        model->force[k] = -t->force[k];
        model->torque[k] = -t->torque[k];
        model->normal[k] = size > 0 ? -t->force[k] / size : 0;
    }
    for (int k = 0; k < 6; ++k) {
        model->stiffness[k] = t->trust * t->slope[k];
        model->turn_stiffness[k] = t->trust * t->turn_slope[k];
    }
    return PIOLA_OK;
}
