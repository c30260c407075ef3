/* render_shots.c - see render_shots.h. */
#include "render_shots.h"

#include "movie_pipe.h"
#include "render_studio.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH        480u
#define HEIGHT       270u
#define SHEET_PASSES RENDER_PASSES
#define FILM_PASSES  5u
#define MOMENTS_MOST 36u

struct shots {
    struct shots_plan plan;
    struct studio studio;
    struct figure figure;
    struct sheet sheet;
    struct draft draft; /* of the sheet's file, open from the start */
    struct movie movie;
    struct view_moment end; /* the only moment of a scene that names none */
    const struct view_moment *moments;
    uint32_t count, taken; /* moments */
    uint64_t pictures;     /* of the film */
    double step;           /* s */
};

static void find_moments(struct shots *shots, const struct scene *scene)
{
    const struct scene_view *view = scene->view;
    shots->end.time = scene->seconds;
    shots->moments = &shots->end;
    shots->count = 1;
    if (view != NULL && view->moments.count > 0) {
        shots->moments = view->moments.items;
        shots->count = view->moments.count < MOMENTS_MOST ? view->moments.count : MOMENTS_MOST;
    }
}

static bool prepare(struct shots *shots, struct problem *problem)
{
    const struct shots_plan *plan = &shots->plan;
    /* What cannot be written is said before the run, not after it. */
    return (plan->film == NULL || movie_possible(problem)) &&
           (plan->sheet == NULL || draft_open(&shots->draft, plan->sheet, problem)) &&
           studio_open(&shots->studio, WIDTH, HEIGHT, SHEET_PASSES, problem) &&
           figure_open(&shots->figure, shots->figure.stage, -1, problem) &&
           figure_gather(&shots->figure, problem) &&
           studio_aim(&shots->studio, &shots->figure, problem) &&
           (plan->sheet == NULL ||
            sheet_open(&shots->sheet, shots->count, sheet_columns(shots->count), WIDTH, HEIGHT,
                       &shots->figure, problem)) &&
           (plan->film == NULL ||
            movie_open(&shots->movie, plan->film, WIDTH, HEIGHT, plan->fps, problem));
}

struct shots *shots_open(const struct shots_plan *plan, const struct stage *stage,
                         struct problem *problem)
{
    struct shots *shots = calloc(1, sizeof *shots);
    if (shots == NULL) {
        problem_memory(problem, "pictures", sizeof *shots);
        return NULL;
    }
    shots->plan = *plan;
    shots->figure.stage = stage;
    shots->step = (double)stage->desc.dt;
    find_moments(shots, stage->scene);
    if (prepare(shots, problem)) {
        return shots;
    }
    shots_close(shots);
    return NULL;
}

static bool shoot(struct shots *shots, uint32_t passes, struct problem *problem)
{
    shots->studio.passes = passes;
    return figure_gather(&shots->figure, problem) &&
           studio_shoot(&shots->studio, &shots->figure, problem);
}

/* Moments at the same step share a picture. */
static bool take_moments(struct shots *shots, double time, bool last, struct problem *problem)
{
    bool drawn = false;
    /* A scene that names no moments is drawn at the run's end, whenever that is. */
    const bool whenever = last && shots->moments == &shots->end;
    while (shots->taken < shots->count &&
           (whenever || time + 0.5 * shots->step >= shots->moments[shots->taken].time)) {
        if (!drawn && !shoot(shots, SHEET_PASSES, problem)) {
            return false;
        }
        drawn = true;
        sheet_put(&shots->sheet, shots->taken, &shots->studio.picture, time,
                  shots->moments[shots->taken].caption);
        shots->taken++;
    }
    for (; last && shots->taken < shots->count; shots->taken++) {
        const struct view_moment *moment = &shots->moments[shots->taken];
        sheet_skip(&shots->sheet, shots->taken, moment->time, moment->caption);
    }
    return true;
}

static bool take_film(struct shots *shots, double time, struct problem *problem)
{
    bool drawn = false;
    while (time + 0.5 * shots->step >= (double)shots->pictures / shots->plan.fps) {
        if (!drawn) {
            if (!shoot(shots, FILM_PASSES, problem)) {
                return false;
            }
            studio_stamp(&shots->studio.picture, &shots->figure, time);
        }
        drawn = true;
        shots->pictures++;
        if (!movie_add(&shots->movie, &shots->studio.picture, problem)) {
            return false;
        }
    }
    return true;
}

bool shots_take(struct shots *shots, double time, bool last, struct problem *problem)
{
    return (shots->plan.sheet == NULL || take_moments(shots, time, last, problem)) &&
           (shots->plan.film == NULL || take_film(shots, time, problem));
}

bool shots_commit(struct shots *shots, struct problem *problem)
{
    return (shots->plan.sheet == NULL ||
            png_draft_write(&shots->sheet.page, &shots->draft, problem)) &&
           (shots->plan.film == NULL || movie_commit(&shots->movie, problem));
}

void shots_close(struct shots *shots)
{
    if (shots == NULL) {
        return;
    }
    draft_drop(&shots->draft);
    movie_drop(&shots->movie);
    sheet_close(&shots->sheet);
    figure_close(&shots->figure);
    studio_close(&shots->studio);
    free(shots);
}
