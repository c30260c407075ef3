/* told_balance.c - is the solver's answer an answer? The residual of some steps, body by body, over
 * what acts on it.
 */
#include "told_state.h"

#include "kernels/models.h"

#include <math.h>

/* Residual over what acts: where it is more, answers are visibly wrong; where it is no more than
 * the other, more iterations change little. */
#define UNBALANCED 0.2
#define BALANCED   0.1
#define LEFT_OVER  0.01 /* of the most that ever acted on the body */
#define ROUNDINGS  20.0 /* that the residual of a converged body may be; measured: 9 */
#define NOTHING    1e-7 /* of the scene's size, that a residual moves a vertex in a substep */

/* Of an element of a material, N/m. In a substep of dt damping is a stiffness too. */
static double stiffness_of(const struct scene_material *material, double edge, bool solid,
                           double dt)
{
    const piola_material *m = &material->values;
    double young = 0;
    if (model_law((int)m->model) == PK_LAW_general)
        young = (double)m->stiffness[0];
    else if (model_law((int)m->model) == PK_LAW_orthotropic)
        young = fmax((double)m->young_axis[0],
                     fmax((double)m->young_axis[1], (double)m->young_axis[2]));
    else
        young = (double)m->young;
    young *= 1 + (double)m->damping / dt;
    return solid ? young * edge : m->thickness > 0 ? young * (double)m->thickness : young;
}

/* Of the stiffest material in the body, N/m. */
static double stiffness(const struct stage *stage, const struct stage_asset *asset)
{
    const struct scene_material *materials = stage->scene->materials.items;
    const piola_asset_stats *stats = &asset->stats;
    const bool solid = stats->tetrahedra > 0;
    const double edge = solid ? cbrt(8.5 * fabs(stats->volume) / stats->tetrahedra) : 0;
    const double dt = (double)stage->desc.dt / stage->desc.substeps;
    double most = 0;
    for (uint32_t e = 0; e < stats->tetrahedra + stats->triangles; ++e)
        most = fmax(most, stiffness_of(&materials[asset->materials[e]], edge, solid, dt));
    return most;
}

bool told_balance_open(struct told *told, struct problem *problem)
{
    const struct stage *stage = told->stage;
    told->balances = pool_take(&told->pool, stage->body_count, sizeof *told->balances,
                               "a look at residuals", problem);
    for (uint32_t i = 0; told->balances && i < stage->body_count; ++i)
        told->balances[i].stiffness = stiffness(stage, stage->bodies[i].asset);
    return told->balances != NULL;
}

/* Of the forces on a vertex, N, because positions have 24 bits. */
static double rounding(const struct told *told, uint32_t index)
{
    const struct told_box *box = &told->boxes[index];
    double far = 0;
    for (int k = 0; k < 3; ++k)
        far = fmax(far, fmax(fabs(box->low[k]), fabs(box->high[k])));
    return ROUNDINGS * far * 0x1p-24 * told->balances[index].stiffness;
}

/* What is left of a motion that dies away, and what moves nobody, is not counted. */
static void judge(struct told *told, const struct told_step *step, uint32_t index)
{
    const struct stage_body *body = &told->stage->bodies[index];
    const piola_asset_stats *stats = &body->asset->stats;
    struct told_balance *b = &told->balances[index];
    const double dt = (double)told->stage->desc.dt / told->stage->desc.substeps;
    double residual, scale;
    b->relative = 0;
    b->lately <<= 1;
    if (told_frozen(told, index)) {
        b->bad = b->lately = 0;
        return;
    }
    if (piola_body_residual(step->measured, body->handle, &residual, &scale) != PIOLA_OK)
        return;
    b->peak = fmax(b->peak, scale);
    if (scale > 0)
        b->relative = residual / scale;
    const double shift = residual * dt * dt * stats->vertices / stats->mass; /* of a vertex, m */
    if (residual <= UNBALANCED * scale || residual <= LEFT_OVER * b->peak ||
        shift <= NOTHING * told->size)
        return;
    if (residual <= rounding(told, index)) {
        b->rounded += residual > scale;
        return;
    }
    b->lately |= 1;
    if (b->bad++ == 0)
        b->time = step->time;
}

static void try_iterations(struct told *told, const struct told_step *step, uint32_t body)
{
    if (!step->needed)
        return;
    const uint32_t needed = step->needed(step->context, body, rounding(told, body), BALANCED);
    told->never = told->never || needed == 0;
    told->needed = needed > told->needed ? needed : told->needed;
}

/* A step that throws bodies about may end unbalanced in any run that is well: many must, or the
 * last and one of the two before it. */
static bool often(const struct told *told, const struct told_balance *b)
{
    return told->measured > 0 &&
           (2 * b->bad >= told->measured || ((b->lately & 1) && (b->lately & 6)));
}

static uint32_t worst_of(const struct told *told)
{
    const struct told_balance *b = told->balances;
    uint32_t worst = 0;
    for (uint32_t i = 1; i < told->stage->body_count; ++i)
        if (often(told, &b[i]) > often(told, &b[worst]) ||
            (often(told, &b[i]) == often(told, &b[worst]) && b[i].relative > b[worst].relative))
            worst = i;
    return worst;
}

void converge_at_step(struct told *told, const struct told_step *step, struct note *note)
{
    const struct stage *stage = told->stage;
    (void)note;
    /* The others do not look for this balance. */
    if (!step->measured || stage->desc.iterations == 0 || stage->body_count == 0 ||
        (stage->desc.solver != PIOLA_SOLVER_DESCENT &&
         stage->desc.solver != PIOLA_SOLVER_COMPLIANT))
        return;
    ++told->measured;
    for (uint32_t i = 0; i < stage->body_count; ++i)
        judge(told, step, i);
    const uint32_t worst = worst_of(told);
    if (told->measured > 4 && often(told, &told->balances[worst]))
        told->last = TOLD_NOT_CONVERGED;
    /* Once on the way, for runs that end at rest. */
    if (told->balances[worst].bad == 4 && told->needed == 0)
        try_iterations(told, step, worst);
}

void converge_at_end(struct told *told, const struct told_step *step, struct note *note)
{
    const struct stage *stage = told->stage;
    if (told->measured == 0)
        return;
    const uint32_t worst = worst_of(told);
    for (uint32_t i = 0; i < stage->body_count; ++i)
        if (often(told, &told->balances[i]))
            note_come(told, note, told->balances[worst].time, stage->bodies[worst].name);
    if (!note->came)
        return;
    note->is_body = true;
    note->value = told->balances[worst].relative;
    note->more = told->balances[worst].bad;
    if (told->balances[worst].lately & 1)
        try_iterations(told, step, worst);
}

void round_at_end(struct told *told, const struct told_step *step, struct note *note)
{
    const struct stage *stage = told->stage;
    (void)step;
    for (uint32_t i = 0; i < stage->body_count; ++i) {
        const struct told_box *box = &told->boxes[i];
        double far = 0;
        if (told->measured == 0 || 2 * told->balances[i].rounded < told->measured)
            continue;
        for (int k = 0; k < 3; ++k)
            far = fmax(far, fmax(fabs(box->low[k]), fabs(box->high[k])));
        note_come(told, note, told->time, stage->bodies[i].name);
        note->is_body = true;
        note->value = fmax(note->value, far);
    }
}
