/* energy.c - no body gets energy from nothing.
 *
 * Iterations begin where the velocities lead, which strains stiff bodies by far more than their
 * energy allows; few of them, whatever the solver, leave some of that strain, and it would be
 * motion in the next substeps. So at a substep's end the elastic and kinetic energy of a body is
 * held against what it was when the substep began and the work of what acts on it. What is too much
 * is taken from its motion beside its rigid motion, so that its momentum and spin stay; when that
 * has not so much, its particles go back towards where they would be, had the body moved rigidly:
 * there it holds no more than it did. Bodies that push each other are held to what all of them have
 * (energy_islands.c). With BDF2, whose energy swings a little by itself, what was
 * lost in the last substeps may come back: see allow().
 *
 * Not here: the sums (energy_sums.c).
 */
#include "motion/energy.h"
#include "motion/phases.h"

#include <math.h>
#include <string.h>

/* Of the energy: what may be rounding of its sums. */
#define SUMMED 1e-6
/* Looks at shapes on the way back. */
#define TRIES 4
/* Of the share that would do if the energy were a square. */
#define NEARER 0.9
/* Bodies whose shapes go back to where they were, not to where a rigid body would be. */
#define STILL (ENERGY_HELD | ENERGY_TOUCHED)
/* Of what a substep of BDF2 might have had and has not, how much the next one may have. */
#define RETURNED 0.9375

/* ---- how a body is guarded ------------------------------------------------------------------ */

/* What relaxes holds less when it has, and what flows when it has not yet; but where it was has
 * gone into its branches, so it may not go back. */
static uint32_t state_of(const struct step *step, uint32_t index, bool relaxed)
{
    const piola_world *w = step->world;
    const struct body *body = step_body(step, index);
    const struct body_energy *of = energy_of(step, index);
    const bool relaxes = body_asset(w, body)->at.relaxations.count > 0;
    const bool tied = world_coupled(w, index) || body_faced(w, body) || relaxes;
    /* What a guide that moves gives is not known. */
    if (body_still(body) || !of->known || untangles(body) || relaxes != relaxed ||
        (body->flags & BODY_GUIDED))
        return 0;
    return ENERGY_WATCHED | (tied ? ENERGY_TIED : 0) |
           (body->pins > 0          ? ENERGY_HELD
            : body_touched(w, body) ? ENERGY_TOUCHED
                                    : 0);
}

/* With Euler, what there was and the work. With BDF2 a share of what the body had not of that,
 * though it might have, is added: the account never rises but by work, and the energy is never
 * above it. */
static double allow(const struct step *step, uint32_t index, const struct body_energy *of)
{
    const piola_world *w = step->world;
    const double had = of->was + of->sum.kinetic[0];
    const bool second = w->dim[DIM_allowances].capacity > 0;
    const double account = second ? world_allowance(w)[index] : 0;
    return (account > had ? account : had) + of->sum.work;
}

static double rounding(const struct step *step, uint32_t index, const struct body_energy *of)
{
    const double had = of->was + of->sum.kinetic[0] + fabs(of->sum.work);
    const double most = of->was > of->elastic ? of->was : of->elastic;
    return SUMMED * had + energy_rounding(of, step_body(step, index)->count, most);
}

bool energy_too_much(const struct step *step, uint32_t index, double has)
{
    const struct body_energy *of = energy_of(step, index);
    return !(has <= of->allowed + rounding(step, index, of));
}

/* ---- what is taken -------------------------------------------------------------------------- */

/* A rigid motion from sums; returns its energy, J. */
static double spin_of(const struct step *step, const struct sums *sums, struct energy_spin *spin)
{
    struct about_centre about;
    const double energy = momentum_rigid_motion(sums, &about, spin->velocity, spin->turn);
    const double *t = spin->turn, *s = about.second, half = 0.5 * (double)step->dt;
    const double mean[3] = {s[0] * t[0] + s[5] * t[1] + s[4] * t[2],
                            s[5] * t[0] + s[1] * t[1] + s[3] * t[2],
                            s[4] * t[0] + s[3] * t[1] + s[2] * t[2]};
    memcpy(spin->centre, about.centre, sizeof spin->centre);
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        about.angular[k] = half * (mean[i] * t[j] - mean[j] * t[i]);
    }
    if (!momentum_turn(&about, spin->chord))
        memset(spin->chord, 0, sizeof spin->chord);
    return energy;
}

/* What of the body's motion stays: of one that nothing holds, its rigid motion. */
static void find_rigid(const struct step *step, uint32_t index)
{
    struct body_energy *of = energy_of(step, index);
    const struct energy_chunk sum = energy_total(step, index);
    float *r = of->rotation;
    of->rigid = 0;
    of->share = 1;
    memset(of->spin, 0, sizeof of->spin);
    memset(r, 0, sizeof of->rotation);
    if (of->state & ENERGY_HELD)
        return;
    (void)spin_of(step, &sum.then, &of->spin[0]);
    of->rigid = spin_of(step, &sum.now, &of->spin[1]);
    const struct energy_spin *now = &of->spin[1];
    double turn[3];
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        of->angular[k] = sum.now.value[7 + k] - (now->centre[i] * sum.now.value[4 + j] -
                                                 now->centre[j] * sum.now.value[4 + i]);
        turn[k] = (double)step->dt * now->turn[k];
    }
    momentum_rotation(turn, r);
}

/* The same without what chords have. */
static void judge_turned(const struct step *step, uint32_t index)
{
    struct body_energy *of = energy_of(step, index);
    const struct energy_chunk sum = energy_total(step, index);
    of->allowed += sum.kinetic[0] - of->sum.kinetic[0];
    of->has += sum.kinetic[1] - of->sum.kinetic[1];
    memcpy(of->sum.kinetic, sum.kinetic, sizeof sum.kinetic);
    if (!energy_too_much(step, index, of->has))
        of->state &= ~(uint32_t)ENERGY_OVER;
}

/* How much of its motion the body keeps, and whether that is not enough. */
static void choose(const struct step *step, uint32_t index)
{
    struct body_energy *of = energy_of(step, index);
    const double rigid = of->rigid < of->sum.kinetic[1] ? of->rigid : of->sum.kinetic[1];
    const double beside = of->sum.kinetic[1] - rigid;
    const double left = of->allowed - of->elastic - rigid;
    of->whole = 1;
    of->rest = left <= 0 ? 0 : left < beside ? sqrt(left / beside) : 1;
    if (left >= 0)
        return;
    /* What touches something may leave its momentum there. */
    const bool moves = (of->state & ENERGY_TIED) || of->sum.pins_move || of->sum.planes_move;
    if ((of->state & ENERGY_TOUCHED) && !moves && rigid > 0)
        of->whole = left + rigid > 0 ? sqrt((left + rigid) / rigid) : 0;
    if (!moves && energy_too_much(step, index, of->elastic + of->whole * of->whole * rigid))
        of->state |= ENERGY_BACK;
}

/* The elastic energy grows with about the square of the share, and the work of loads on what is
 * held with the share itself. */
static void go_back(const struct step *step, uint32_t index, uint32_t try)
{
    struct body_energy *of = energy_of(step, index);
    const bool rises = of->elastic > of->was, held = (of->state & STILL) != 0;
    const double curve = rises ? (of->elastic - of->was) / (of->share * of->share) : 1;
    const double slope = held && of->sum.work > 0 ? of->sum.work / of->share : 0;
    const double room = of->allowed - slope * of->share - of->rigid - of->was;
    const double root = slope * slope + 4 * curve * (room > 0 ? room : 0);
    double share = NEARER * (slope + sqrt(root)) / (2 * curve);
    share = rises && share < 0.5 * of->share ? share : 0.5 * of->share;
    of->next = try + 1 < TRIES ? share : 0;
}

/* The spin that has the momentum with the masses as they are now. */
static void turn_again(const struct step *step, uint32_t index)
{
    struct body_energy *of = energy_of(step, index);
    const struct energy_chunk total = energy_total(step, index);
    const double *velocity = of->spin[1].velocity;
    struct sums sum = total.now;
    of->sum.work = total.work;
    of->allowed = allow(step, index, of);
    of->share = of->next;
    of->elastic = 0;
    if (of->state & ENERGY_HELD)
        return;
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        sum.value[4 + k] = sum.value[0] * velocity[k];
        sum.value[7 + k] =
            of->angular[k] + sum.value[1 + i] * velocity[j] - sum.value[1 + j] * velocity[i];
    }
    of->rigid = spin_of(step, &sum, &of->spin[1]);
}

static void where(const struct body_energy *of, const struct pk_quad *from, double to[3])
{
    const double start[3] = {(double)from->x, (double)from->y, (double)from->z};
    for (int k = 0; k < 3; ++k) {
        to[k] = start[k];
        for (int j = 0; j < 3 && !(of->state & STILL); ++j)
            to[k] += (double)of->rotation[3 * k + j] * (start[j] - of->spin[0].centre[j]);
        if (!(of->state & STILL))
            to[k] += of->spin[1].centre[k] - of->spin[0].centre[k];
    }
}

void each_energy_back(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct piece p = piece_of(step, chunk);
    const struct body_energy *of = energy_of(step, p.index);
    if (!(of->state & of->wanted))
        return;
    const double share = of->next / of->share;
    for (uint32_t i = p.first; i < p.first + p.count; ++i) {
        struct pk_quad *x = &world_position(w)[i];
        double to[3];
        if (!(x->w > 0))
            continue;
        where(of, &world_start(w)[i], to);
        x->x = (float)(to[0] + share * ((double)x->x - to[0]));
        x->y = (float)(to[1] + share * ((double)x->y - to[1]));
        x->z = (float)(to[2] + share * ((double)x->z - to[2]));
    }
}

/* For BDF2, as if the particle had come with the velocity that it has now. */
static void begin_anew(const struct step *step, uint32_t i)
{
    const piola_world *w = step->world;
    const struct pk_quad *x = &world_position(w)[i], *v = &world_velocity(w)[i];
    struct pk_quad *older = &world_older_position(w)[i];
    older->x = x->x - step->dt * v->x;
    older->y = x->y - step->dt * v->y;
    older->z = x->z - step->dt * v->z;
    world_older_velocity(w)[i] = *v;
}

static void slow(const struct step *step, const struct body_energy *of, const struct pk_quad *x,
                 double v[3])
{
    const struct energy_spin *spin = &of->spin[1];
    const double arm[3] = {(double)x->x - spin->centre[0], (double)x->y - spin->centre[1],
                           (double)x->z - spin->centre[2]};
    double chord[3];
    energy_chord(step, spin, arm, chord);
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double by =
            spin->velocity[k] + (spin->turn[i] * arm[j] - spin->turn[j] * arm[i]) + chord[k];
        v[k] = of->whole * by + of->rest * (v[k] - by);
    }
}

void each_energy_slow(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct piece p = piece_of(step, chunk);
    const struct body_energy *of = energy_of(step, p.index);
    if (!(of->state & of->wanted))
        return;
    for (uint32_t i = p.first; i < p.first + p.count; ++i) {
        const struct pk_quad *x = &world_position(w)[i];
        struct pk_quad *v = &world_velocity(w)[i];
        double to[3] = {(double)v->x, (double)v->y, (double)v->z};
        if (!(x->w > 0))
            continue;
        slow(step, of, x, to);
        v->x = (float)to[0];
        v->y = (float)to[1];
        v->z = (float)to[2];
        if (w->dim[DIM_history].capacity > 0)
            begin_anew(step, i);
    }
}

/* ---- the domain ----------------------------------------------------------------------------- */

/* Clusters, in the order of the lists. */
static void add_elastic(const struct step *step, const struct domain *d)
{
    const piola_world *w = step->world;
    for (uint32_t i = d->part_first; i < d->part_first + d->part_count; ++i) {
        struct body_energy *of = energy_of(step, world_parts(w)[i].body);
        if (of->state & of->wanted)
            of->elastic += world_energy_parts(w)[i];
    }
}

/* Elastic energies of the bodies in a state, which are 0 before. */
static void find_elastic(const struct step *step)
{
    const piola_world *w = step->world;
    run_stage(step, STAGE_ENERGY_ELASTIC, STAGE_ALL_COLOURS);
    add_elastic(step, step->domain);
    for (uint32_t i = 0; step->domain->shared && i < w->joined_small; ++i)
        add_elastic(step, &world_domains(w)[world_small(w)[i]]);
}

/* True when some body is in the state; stages are then for those that are. */
static bool want(const struct step *step, uint32_t state)
{
    bool any = false;
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        struct body_energy *of = energy_of(step, domain_body(step, i));
        of->wanted = state;
        any = any || (of->state & state);
    }
    return any;
}

/* Calls a function for each body that the stages are for. */
static void each_wanted(const struct step *step, void (*use)(const struct step *, uint32_t))
{
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        const uint32_t index = domain_body(step, i);
        if (energy_of(step, index)->state & energy_of(step, index)->wanted)
            use(step, index);
    }
}

static void begin(const struct step *step, uint32_t index)
{
    struct body_energy *of = energy_of(step, index);
    if (of->late)
        of->was = energy_elastic(step, index, world_start(step->world));
    of->elastic = 0;
}

static void judge(const struct step *step, uint32_t index)
{
    struct body_energy *of = energy_of(step, index);
    of->sum = energy_total(step, index);
    of->allowed = allow(step, index, of);
    of->has = of->elastic + of->sum.kinetic[1];
    if (energy_too_much(step, index, of->has))
        of->state |= ENERGY_OVER | (of->sum.pins_move ? ENERGY_PINNED : 0);
}

static void judge_again(const struct step *step, uint32_t index)
{
    struct body_energy *of = energy_of(step, index);
    if (!energy_too_much(step, index, of->has))
        of->state &= ~(uint32_t)ENERGY_OVER;
}

static void judge_back(const struct step *step, uint32_t index)
{
    struct body_energy *of = energy_of(step, index);
    if (of->share == 0 || !energy_too_much(step, index, of->elastic + of->rigid))
        of->state &= ~(uint32_t)ENERGY_BACK;
}

/* The motion beside the rigid one is gone; so is what of this there is no room for, where something
 * holds the body: a free one keeps its momentum. */
static void settle(const struct step *step, uint32_t index)
{
    struct body_energy *of = energy_of(step, index);
    const double room = of->allowed - of->elastic;
    if (of->share < 1 && (of->state & STILL))
        of->whole = of->rigid <= room ? 1 : room > 0 ? sqrt(room / of->rigid) : 0;
}

static void bring_back(const struct step *step)
{
    for (uint32_t try = 0; try < TRIES && want(step, ENERGY_BACK); ++try) {
        for (uint32_t i = 0; i < domain_bodies(step); ++i)
            go_back(step, domain_body(step, i), try);
        run_stage(step, STAGE_ENERGY_BACK, 0);
        run_stage(step, STAGE_ENERGY_SUM, ENERGY_RIGID);
        each_wanted(step, turn_again);
        find_elastic(step);
        each_wanted(step, judge_back);
    }
}

static void take(const struct step *step)
{
    run_stage(step, STAGE_ENERGY_SUM, ENERGY_RIGID);
    each_wanted(step, find_rigid);
    run_stage(step, STAGE_ENERGY_SUM, ENERGY_TURNED);
    each_wanted(step, judge_turned);
    each_wanted(step, choose);
    bring_back(step);
    (void)want(step, ENERGY_OVER);
    each_wanted(step, settle);
    run_stage(step, STAGE_ENERGY_SLOW, 0);
}

/* What is now, for the next substep. */
static void note(const struct step *step, uint32_t index)
{
    const piola_world *w = step->world;
    const struct body *body = step_body(step, index);
    struct body_energy *of = energy_of(step, index);
    double has = of->has;
    if (of->state & ENERGY_OVER) {
        const double rigid = of->rigid < of->sum.kinetic[1] ? of->rigid : of->sum.kinetic[1];
        const double kept =
            of->whole * of->whole * of->rigid + of->rest * of->rest * (of->sum.kinetic[1] - rigid);
        const double lost = has - (of->elastic + kept);
        of->taken += lost > 0 ? lost : 0;
        has = of->elastic + kept;
    }
    const double room = of->allowed > has ? of->allowed - has : 0;
    if (w->dim[DIM_allowances].capacity > 0)
        world_allowance(w)[index] = has + RETURNED * room;
    of->shape = body->plastic_count > 0 ? 0 : last_substep(step) ? energy_shape(step, body) : 1;
}

static bool guards(const struct step *step)
{
    return step->world->dim[DIM_energies].capacity > 0 && step->world->desc.iterations > 0;
}

void domain_know_energy(const struct step *step)
{
    if (guards(step))
        run_stage(step, STAGE_ENERGY_BEGIN, 0);
}

void domain_hold_energy(const struct step *step, bool relaxed)
{
    if (!guards(step))
        return;
    for (uint32_t i = 0; i < domain_bodies(step); ++i)
        energy_of(step, domain_body(step, i))->state =
            state_of(step, domain_body(step, i), relaxed);
    if (!want(step, ENERGY_WATCHED))
        return;
    each_wanted(step, begin);
    find_elastic(step);
    run_stage(step, STAGE_ENERGY_SUM, ENERGY_MOTION);
    each_wanted(step, judge);
    if (want(step, ENERGY_PINNED)) {
        run_stage(step, STAGE_ENERGY_PINS, 0);
        each_wanted(step, judge_again);
    }
    (void)want(step, ENERGY_WATCHED);
    energy_share(step);
    if (want(step, ENERGY_OVER))
        take(step);
    (void)want(step, ENERGY_WATCHED);
    each_wanted(step, note);
}
