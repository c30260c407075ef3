/* render_play.c - see render_play.h. */
#include "render_play.h"

#include "stop.h"

void play_open(struct play *play, struct stage *stage)
{
    *play = (struct play){.stage = stage};
    play->tasks = stage->workers != NULL ? piola_workers_tasks(stage->workers) : NULL;
}

bool play_step(struct play *play, struct problem *problem)
{
    struct stage *stage = play->stage;
    if (!stage_inputs_push(stage, stage->world, play->steps + 1, problem)) {
        return false;
    }
    double begin = piola_platform_seconds();
    piola_status status = piola_world_step(stage->world, play->tasks, &play->report);
    play->seconds = piola_platform_seconds() - begin;
    if (status != PIOLA_OK) {
        return problem_engine(problem, EXIT_RUNTIME, "a step", status, NULL);
    }
    play->steps++;
    play->time = (double)play->steps * (double)stage->desc.dt;
    return true;
}

bool play_to(struct play *play, double time, struct problem *problem)
{
    double half = 0.5 * (double)play->stage->desc.dt;
    while (play->time + half < time && !stop_wanted()) {
        if (!play_step(play, problem)) {
            return false;
        }
    }
    return true;
}
