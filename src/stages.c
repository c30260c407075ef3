/* stages.c - large bodies: the phases of a substep as blocks that all workers share.
 *
 * A block is a chunk of particles, a cluster, or a body. Blocks of one stage touch different
 * memory; what one worker does to its block does not depend on the others. Which stages follow each
 * other: step.c.
 */
#include "stages.h"

#include "contact.h"
#include "couple.h"
#include "limit.h"
#include "pressure.h"
#include "touch.h"
#include "wind.h"

#include <string.h>

static struct body *body_at(const struct step *step, uint32_t index)
{
    return &world_bodies(step->world)[index];
}

static bool last_substep(const struct step *step)
{
    return step->substep + 1 == step->world->desc.substeps;
}

/* A block that is a chunk of a body that moves. */
struct piece {
    const struct step *step;
    struct chunk chunk;
    const struct body *body;
    bool moves;
};

static struct piece piece_of(void *context, uint32_t block)
{
    const struct step *step = context;
    const struct chunk chunk = world_chunks(step->world)[block];
    const struct body *body = body_at(step, chunk.body);
    return (struct piece){step, chunk, body, !body_frozen(body)};
}

#define BLOCK(name)                                                                                \
    static void name(void *context, uint32_t argument, uint32_t block, uint32_t worker)

BLOCK(calm)
{
    (void)argument, (void)worker;
    const struct piece p = piece_of(context, block);
    if (p.moves && wind_blows(p.step, p.body))
        wind_remember(p.step, p.chunk.first, p.chunk.count);
}

BLOCK(wind)
{
    (void)worker;
    const struct step *step = context;
    const uint32_t first = world_part_first(step->world)[argument];
    const struct run run = world_parts(step->world)[first + block];
    const struct body *body = body_at(step, run.body);
    if (!body_frozen(body) && wind_blows(step, body))
        wind_cluster(step, body, run.cluster);
}

BLOCK(predict)
{
    (void)argument, (void)worker;
    const struct piece p = piece_of(context, block);
    if (p.moves)
        phase_predict(p.step, p.body, p.chunk.first, p.chunk.count);
}

BLOCK(prepare)
{
    (void)argument, (void)worker;
    const struct step *step = context;
    phase_prepare(step, body_at(step, world_large(step->world)[block]));
}

BLOCK(clear_extra)
{
    (void)argument, (void)worker;
    const struct piece p = piece_of(context, block);
    couple_clear(p.step, p.body, p.chunk.first, p.chunk.count);
}

BLOCK(enclose)
{
    (void)argument, (void)worker;
    pressure_enclose(context, block);
}

BLOCK(swell)
{
    (void)worker;
    const struct step *step = context;
    pressure_swell(step, world_part_first(step->world)[argument] + block);
}

BLOCK(press)
{
    (void)argument, (void)worker;
    pressure_press(context, block);
}

BLOCK(yield)
{
    (void)argument, (void)worker;
    pressure_yield(context, block);
}

BLOCK(inflate)
{
    (void)argument, (void)worker;
    pressure_inflate(context, block);
}

BLOCK(solve)
{
    (void)worker;
    const struct step *step = context;
    const uint32_t first = world_colour_first(step->world)[argument];
    const struct run run = world_runs(step->world)[first + block];
    const struct body *body = body_at(step, run.body);
    if (!body_frozen(body))
        phase_solve(step, body, run.cluster);
}

BLOCK(limit)
{
    (void)worker;
    const struct step *step = context;
    const uint32_t first = world_part_first(step->world)[argument];
    const struct run run = world_parts(step->world)[first + block];
    const struct body *body = body_at(step, run.body);
    if (!body_frozen(body))
        limit_cluster(step, body, run.cluster);
}

BLOCK(tether)
{
    (void)argument, (void)worker;
    const struct piece p = piece_of(context, block);
    if (p.moves)
        limit_tether(p.step, p.body, p.chunk.first, p.chunk.count);
}

BLOCK(flow)
{
    (void)argument, (void)worker;
    const struct step *step = context;
    const struct body *body = body_at(step, world_large(step->world)[block]);
    if (!body_frozen(body))
        phase_flow(step, body);
}

BLOCK(finish)
{
    (void)argument, (void)worker;
    const struct piece p = piece_of(context, block);
    if (p.moves && phase_finish(p.step, p.body, p.chunk.first, p.chunk.count, last_substep(p.step)))
        atomic_store_explicit(&world_verdicts(p.step->world)[p.chunk.body], 1,
                              memory_order_relaxed);
}

BLOCK(clear)
{
    (void)argument, (void)worker;
    const struct piece p = piece_of(context, block);
    measure_clear(p.step, p.chunk.first, p.chunk.count);
}

BLOCK(measure)
{
    (void)worker;
    const struct step *step = context;
    const uint32_t first =
        argument == STAGE_ALL_COLOURS ? 0 : world_part_first(step->world)[argument];
    const struct run run = world_parts(step->world)[first + block];
    world_partials(step->world)[first + block] =
        measure_cluster(step, body_at(step, run.body), run.cluster, step->forces);
}

BLOCK(weigh)
{
    (void)argument, (void)worker;
    const struct piece p = piece_of(context, block);
    world_partials(p.step->world)[p.step->world->part_count + block] =
        measure_chunk(p.step, p.body, p.chunk.first, p.chunk.count, p.step->forces);
}

/* The world has none of the fields below when it keeps no momentum. */
static bool keeps(const struct piece *p)
{
    return p->moves && momentum_kept(p->step, p->body);
}

BLOCK(sum)
{
    (void)worker;
    const struct piece p = piece_of(context, block);
    if (!keeps(&p))
        return;
    world_sums(p.step->world)[block] =
        argument == MOMENTUM_GIVEN
            ? touch_sum(p.step, p.chunk.first, p.chunk.count)
            : momentum_sum(p.step, p.chunk.first, p.chunk.count, (enum momentum_of)argument);
}

BLOCK(move)
{
    (void)argument, (void)worker;
    const struct piece p = piece_of(context, block);
    if (keeps(&p) && !body_touched(p.step->world, p.body))
        momentum_move(p.step, p.chunk.body, p.chunk.first, p.chunk.count);
}

BLOCK(push)
{
    (void)argument, (void)worker;
    const struct piece p = piece_of(context, block);
    if (keeps(&p))
        momentum_push(p.step, p.chunk.body, p.chunk.first, p.chunk.count);
}

BLOCK(remember)
{
    (void)argument, (void)worker;
    const struct piece p = piece_of(context, block);
    accelerate_remember(p.step, p.chunk.first, p.chunk.count);
}

BLOCK(extrapolate)
{
    (void)argument, (void)worker;
    const struct piece p = piece_of(context, block);
    if (p.moves)
        accelerate_extrapolate(p.step, p.chunk.body, p.chunk.first, p.chunk.count);
}

BLOCK(settle)
{
    (void)argument, (void)worker;
    const struct piece p = piece_of(context, block);
    if (p.moves)
        accelerate_settle(p.step, p.chunk.body, p.chunk.first, p.chunk.count);
}

/* Colliders; a body that meets none is still stopped where it was not seen to go. */
BLOCK(touch)
{
    (void)worker;
    const struct piece p = piece_of(context, block);
    const piola_world *world = p.step->world;
    const uint32_t first = p.chunk.first, count = p.chunk.count, substep = p.step->substep;
    if (!p.moves) {
        memset(world_touching(world) + first, 0, count * sizeof(uint32_t));
    } else if (argument == TOUCH_FIND) {
        touch_note(world, p.chunk.body, touch_find(p.step, p.body, substep, first, count));
    } else if (argument == TOUCH_AGAIN) {
        if (!touch_struck(world, p.body))
            return;
        phase_predict_again(p.step, p.body, first, count);
        touch_note(world, p.chunk.body, touch_find(p.step, p.body, substep, first, count));
    } else if (argument == TOUCH_LIMIT) {
        /* Then it is held by something, though it was not seen to go there. */
        if (touch_limit(p.step, p.body, substep, first, count))
            touch_note(world, p.chunk.body, TOUCHED);
    } else if (body_touched(world, p.body)) {
        if (argument == TOUCH_REFRESH)
            touch_refresh(p.step, p.body, substep, first, count);
        else
            touch_project(p.step, first, count);
    }
}

BLOCK(hold_back)
{
    (void)argument, (void)worker;
    const struct piece p = piece_of(context, block);
    if (p.moves && (world_paired(p.step->world)[p.chunk.body] & PAIRED_BEFORE))
        phase_hold_back(p.step, p.body, p.chunk.first, p.chunk.count);
}

BLOCK(contact)
{
    (void)worker;
    contact_stage(context, argument, block);
}

static jobs_block *const blocks[STAGE_COUNT] = {
    [STAGE_WHOLE] = stage_whole,
    [STAGE_CALM] = calm,
    [STAGE_WIND] = wind,
    [STAGE_PREDICT] = predict,
    [STAGE_PREPARE] = prepare,
    [STAGE_CLEAR_EXTRA] = clear_extra,
    [STAGE_ENCLOSE] = enclose,
    [STAGE_SWELL] = swell,
    [STAGE_PRESS] = press,
    [STAGE_YIELD] = yield,
    [STAGE_INFLATE] = inflate,
    [STAGE_SOLVE] = solve,
    [STAGE_FLOW] = flow,
    [STAGE_FINISH] = finish,
    [STAGE_CLEAR] = clear,
    [STAGE_MEASURE] = measure,
    [STAGE_WEIGH] = weigh,
    [STAGE_REMEMBER] = remember,
    [STAGE_EXTRAPOLATE] = extrapolate,
    [STAGE_SETTLE] = settle,
    [STAGE_SUM] = sum,
    [STAGE_MOVE] = move,
    [STAGE_PUSH] = push,
    [STAGE_LIMIT] = limit,
    [STAGE_TETHER] = tether,
    [STAGE_HOLD_BACK] = hold_back,
    [STAGE_TOUCH] = touch,
    [STAGE_CONTACT] = contact,
};

static uint32_t of_colour(const uint32_t *first, uint32_t colour)
{
    return first[colour + 1] - first[colour];
}

static uint32_t count(const void *context, uint32_t kind, uint32_t argument)
{
    const piola_world *world = ((const struct step *)context)->world;
    switch (kind) {
    case STAGE_WHOLE:
        return world->whole_count;
    case STAGE_PREPARE:
    case STAGE_FLOW:
        return world->large_count;
    case STAGE_SOLVE:
        return of_colour(world_colour_first(world), argument);
    case STAGE_LIMIT:
    case STAGE_SWELL:
    case STAGE_WIND:
        return of_colour(world_part_first(world), argument);
    case STAGE_ENCLOSE:
        return world->part_count;
    case STAGE_MEASURE:
        return argument == STAGE_ALL_COLOURS ? world->part_count
                                             : of_colour(world_part_first(world), argument);
    case STAGE_CONTACT:
        return contact_stage_count(world, argument);
    default:
        return world->chunk_count;
    }
}

const struct jobs_program stages_program = {blocks, count};

void stages_wind(const struct step *step, struct jobs *jobs)
{
    const piola_world *world = step->world;
    bool blows = false;
    for (uint32_t i = 0; i < world->large_count; ++i)
        blows = blows || wind_blows(step, body_at(step, world_large(world)[i]));
    if (blows)
        jobs_stage(jobs, STAGE_CALM, 0);
    for (uint32_t colour = 0; blows && colour < world->part_colours; ++colour)
        jobs_stage(jobs, STAGE_WIND, colour);
}

/* Adds up clusters, then chunks, in the order of the lists. */
static void sum_up(const piola_world *world)
{
    const struct partial *partials = world_partials(world);
    struct body_measure *measures = world_measures(world);
    for (uint32_t i = 0; i < world->large_count; ++i)
        measures[world_large(world)[i]].now = (struct partial){0};
    for (uint32_t i = 0; i < world->part_count; ++i)
        measure_add(&measures[world_parts(world)[i].body].now, &partials[i]);
    for (uint32_t i = 0; i < world->chunk_count; ++i)
        measure_add(&measures[world_chunks(world)[i].body].now, &partials[world->part_count + i]);
}

void stages_measure(struct step *step, struct jobs *jobs, bool forces)
{
    step->forces = forces;
    if (forces) {
        /* Two clusters of one colour share no particle, so their forces do not collide. */
        jobs_stage(jobs, STAGE_CLEAR, 0);
        for (uint32_t colour = 0; colour < step->world->part_colours; ++colour)
            jobs_stage(jobs, STAGE_MEASURE, colour);
    } else {
        jobs_stage(jobs, STAGE_MEASURE, STAGE_ALL_COLOURS);
    }
    jobs_stage(jobs, STAGE_WEIGH, 0);
    sum_up(step->world);
}

void stages_limit(const struct step *step, struct jobs *jobs)
{
    for (uint32_t colour = 0; colour < step->world->limit_colours; ++colour)
        jobs_stage(jobs, STAGE_LIMIT, colour);
}

void stages_tether(const struct step *step, struct jobs *jobs)
{
    if (step->world->tethered)
        jobs_stage(jobs, STAGE_TETHER, 0);
}

void stages_accelerate(struct step *step, struct jobs *jobs, uint32_t iteration)
{
    const piola_world *world = step->world;
    bool judged = false;
    for (uint32_t i = 0; i < world->large_count; ++i)
        judged = accelerate_next(step, world_large(world)[i], iteration);
    jobs_stage(jobs, STAGE_EXTRAPOLATE, 0);
    if (!judged)
        return;
    stages_measure(step, jobs, false);
    for (uint32_t i = 0; i < world->large_count; ++i) {
        const uint32_t index = world_large(world)[i];
        accelerate_judge(step, index, world_measures(world)[index].now.objective);
    }
    jobs_stage(jobs, STAGE_SETTLE, 0);
}

typedef void momentum_use(const struct step *step, uint32_t body, const struct sums *sum);

/* Sums of all large bodies that keep momentum, each handed to `use`. Chunks of a body follow each
 * other. */
static void sum_momenta(const struct step *step, struct jobs *jobs, enum momentum_of what,
                        momentum_use *use)
{
    const piola_world *world = step->world;
    jobs_stage(jobs, STAGE_SUM, what);
    for (uint32_t i = 0; i < world->chunk_count;) {
        const uint32_t index = world_chunks(world)[i].body;
        const struct body *body = body_at(step, index);
        const bool kept = !body_frozen(body) && momentum_kept(step, body);
        struct sums total = {{0}};
        for (; i < world->chunk_count && world_chunks(world)[i].body == index; ++i)
            if (kept)
                momentum_add(&total, &world_sums(world)[i]);
        if (kept)
            use(step, index, &total);
    }
}

static bool keeps_any(const piola_world *world)
{
    return world->desc.keep_momentum && world->desc.iterations > 0;
}

void stages_expect(const struct step *step, struct jobs *jobs)
{
    if (keeps_any(step->world))
        sum_momenta(step, jobs, MOMENTUM_BEFORE, momentum_expect);
}

void stages_straighten(const struct step *step, struct jobs *jobs)
{
    if (!keeps_any(step->world))
        return;
    sum_momenta(step, jobs, MOMENTUM_DRIFT, momentum_correct_drift);
    jobs_stage(jobs, STAGE_MOVE, 0);
}

void stages_push(const struct step *step, struct jobs *jobs)
{
    if (!keeps_any(step->world))
        return;
    if (touch_any(step->world))
        sum_momenta(step, jobs, MOMENTUM_GIVEN, momentum_give);
    sum_momenta(step, jobs, MOMENTUM_AFTER, momentum_correct_velocity);
    jobs_stage(jobs, STAGE_PUSH, 0);
}

void stages_freeze(const struct step *step)
{
    for (uint32_t i = 0; i < step->world->large_count; ++i) {
        const uint32_t index = world_large(step->world)[i];
        _Atomic(uint32_t) *verdict = &world_verdicts(step->world)[index];
        if (atomic_load_explicit(verdict, memory_order_relaxed) != 0)
            phase_freeze(step, body_at(step, index));
        atomic_store_explicit(verdict, 0, memory_order_relaxed);
    }
}

void stages_age(const struct step *step)
{
    for (uint32_t i = 0; i < step->world->large_count; ++i) {
        struct body *body = body_at(step, world_large(step->world)[i]);
        if (!body_frozen(body))
            phase_age(step, body);
    }
}
