/* viscoelastic.c - branches of a spring and a dashpot in a row, beside the elements of a material
 * that relaxes: how each moves in a substep, and the kernels that move it.
 * docs/method/viscoelastic.md.
 */
#include "motion/solve.h"

/* exp(-t) for t >= 0 with the same bits everywhere: Taylor's sum of a part of t, then squares. */
static double decay(double t)
{
    unsigned halvings = 0;
    if (!(t < 700))
        return 0;
    for (; t > 0.125; t *= 0.5)
        ++halvings;
    double sum = 1;
    for (int n = 12; n > 0; --n)
        sum = 1 - sum * t / n;
    for (; halvings > 0; --halvings)
        sum *= sum;
    return sum;
}

/* (1 - exp(-t)) / t, exact where t is small too. */
static double follow(double t)
{
    return t < 1e-4 ? 1 - t / 2 + t * t / 6 : (1 - decay(t)) / t;
}

static struct pk_relaxing relaxing_of(const struct pk_relaxation *r, const struct pk_material *m,
                                      float dt)
{
    struct pk_relaxing step = {.rate = m->damping / dt};
    double rate = (double)m->damping / (double)dt;
    for (uint32_t b = 0; b < m->branches; ++b) {
        const double t = (double)dt / (double)r->time[b];
        step.share[b] = r->share[b];
        step.keep[b] = (float)decay(t);
        step.follow[b] = (float)follow(t);
        rate += (double)r->share[b] * follow(t);
    }
    step.rate = (float)rate;
    return step;
}

double viscoelastic_rate(const piola_asset *asset, float dt)
{
    double rate = 0;
    for (uint64_t i = 0; i < asset->at.relaxations.count; ++i) {
        const struct pk_relaxation *r = &asset_relaxations(asset)[i];
        for (uint32_t b = 0; b < asset_materials(asset)[i].branches; ++b)
            rate += (double)(r->weight * r->share[b]) * follow((double)dt / (double)r->time[b]);
    }
    return rate;
}

/* A kernel on the body's packs of tetrahedra that relax, in runs of one material. */
static void run_on(const struct step *step, const struct body *body, element_kernel *run)
{
    const piola_world *world = step->world;
    const piola_asset *asset = body_asset(world, body);
    if (asset->at.relaxations.count == 0)
        return;
    const struct work work = {
        .step = step,
        .body = body,
        .asset = asset,
        .x = world_position(world) + body->first,
        .start = world_start(world) + body->first,
        .plastic = world_plastic(world) + body->plastic_first,
    };
    const uint32_t end = (uint32_t)asset->at.tet_packs.count;
    for (uint32_t at = 0; at < end;) {
        struct pk_element_job job = solve_job(&work, KIND_TET, at, end);
        const uint32_t material = asset_tet_pack_materials(asset)[at];
        const struct pk_relaxing relaxing =
            relaxing_of(&asset_relaxations(asset)[material], job.material, step->dt);
        job.relaxing = &relaxing;
        if (job.material->branches > 0)
            run(&job);
        at += job.count;
    }
}

void viscoelastic_begin(const struct step *step, const struct body *body)
{
    run_on(step, body, step->kernels->relax_begin);
}

void viscoelastic_end(const struct step *step, const struct body *body)
{
    run_on(step, body, step->kernels->relax_end);
}
