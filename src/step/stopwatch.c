/* stopwatch.c - see stopwatch.h. */
#include "step/stopwatch.h"

#include "step/schedule.h"

struct stopwatch *stopwatch_start(struct stopwatch *watch, const piola_world *world)
{
    if (!world->desc.clock)
        return NULL;
    watch->clock = world->desc.clock;
    for (uint32_t p = 0; p < PIOLA_PHASE_COUNT; ++p) {
        watch->seconds[p] = 0;
        atomic_init(&watch->apart[p], 0);
    }
    watch->since = watch->clock();
    return watch;
}

/* Seconds since the last time; 0 of a clock that was set back. */
static double spent(struct stopwatch *watch)
{
    const double now = watch->clock(), before = watch->since;
    watch->since = now;
    return now > before ? now - before : 0;
}

void lap(const struct step *step, enum piola_phase phase)
{
    if (step->watch)
        step->watch->seconds[phase] += spent(step->watch);
}

void lap_apart_begin(struct step *own, struct stopwatch *watch)
{
    if (own->watch)
        own->watch = stopwatch_start(watch, own->world);
}

void lap_apart_end(const struct step *own, const struct step *step)
{
    for (uint32_t p = 0; own->watch && p < PIOLA_PHASE_COUNT; ++p)
        atomic_fetch_add_explicit(&step->watch->apart[p], (uint64_t)(own->watch->seconds[p] * 1e9),
                                  memory_order_relaxed);
}

void lap_apart(const struct step *step)
{
    struct stopwatch *watch = step->watch;
    uint64_t all = 0, part[PIOLA_PHASE_COUNT];
    if (!watch)
        return;
    for (uint32_t p = 0; p < PIOLA_PHASE_COUNT; ++p) {
        part[p] = atomic_exchange_explicit(&watch->apart[p], 0, memory_order_relaxed);
        all += part[p];
    }
    const double seconds = spent(watch);
    for (uint32_t p = 0; p < PIOLA_PHASE_COUNT && all > 0; ++p)
        watch->seconds[p] += seconds * (double)part[p] / (double)all;
    if (all == 0)
        watch->seconds[PIOLA_PHASE_BEGIN] += seconds;
}

static const char *const names[PIOLA_PHASE_COUNT] = {
    [PIOLA_PHASE_BEGIN] = "begin",
    [PIOLA_PHASE_PREDICT] = "predict",
    [PIOLA_PHASE_FIND] = "find",
    [PIOLA_PHASE_ELEMENTS] = "elements",
    [PIOLA_PHASE_CONSTRAINTS] = "constraints",
    [PIOLA_PHASE_LIMIT] = "limit",
    [PIOLA_PHASE_FINISH] = "finish",
    [PIOLA_PHASE_MEASURE] = "measure",
    [PIOLA_PHASE_END] = "end",
};

const char *piola_phase_name(piola_phase phase)
{
    return (unsigned)phase < PIOLA_PHASE_COUNT ? names[phase] : "unknown";
}

void stages_start(piola_world *world)
{
    memset(world_stage_times(world), 0, STAGE_COUNT * sizeof *world_stage_times(world));
    dimension_use(world, DIM_stages, STAGE_COUNT);
}

piola_status piola_world_stage(const piola_world *world, uint32_t index, piola_stage *stage)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK || !stage)
        return stage ? status : PIOLA_ERROR_NULL;
    if (index >= STAGE_COUNT)
        return PIOLA_ERROR_RANGE;
    const bool measured = world->dim[DIM_stages].used > 0;
    const struct stage_time *time = &world_stage_times(world)[index];
    *stage = (piola_stage){.name = schedule_stages[index].name,
                           .runs = measured ? time->runs : 0,
                           .seconds = measured ? time->seconds : 0};
    return PIOLA_OK;
}
