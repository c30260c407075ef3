/* render_command.c - `piola render`: pictures, contact sheets and films of a scene, without a
 * window. */
#include "render_command.h"

#include "io/base/file.h"
#include "movie_pipe.h"
#include "render_play.h"
#include "render_studio.h"
#include "stop.h"

#include <stdlib.h>
#include <string.h>

#define MOMENTS_MOST 36

static const struct option options[] = {
    {"out", "FILE", "a .png picture or an .mp4 film (default SCENE's name and .png)"},
    {"at", "T[,T...]",
     "moments, s; several make one sheet (default the scene's own, else its end)"},
    {"size", "WxH", "of each picture, pixels (default 960x540; 480x270 on a sheet)"},
    {"colour", "WHAT", "body, material, strain, stress, speed, cluster, colour or contact"},
    {"passes", "N", "light samples, 1 to 4096 (default 64; 16 for films)"},
    {"columns", "N", "of a sheet"},
    {"fps", "N", "pictures a second of a film (default 30)"},
    {"threads", "N", "working threads"},
};

struct job {
    const char *out;
    char default_out[300];
    double times[MOMENTS_MOST];
    const char *captions[MOMENTS_MOST];
    uint32_t count, columns, width, height, passes;
    double fps;
    int colour;
    bool film;
};

static bool read_times(struct job *job, const char *text, struct problem *problem)
{
    while (text != NULL && *text != 0) {
        char *stop;
        double time = strtod(text, &stop);
        if (stop == text || (*stop != 0 && *stop != ',') || !(time >= 0.0 && time <= 1e9) ||
            job->count == MOMENTS_MOST || (job->count > 0 && time < job->times[job->count - 1])) {
            return problem_set(problem, EXIT_USAGE,
                               "--at: \"%s\" is not a list of up to %d growing times in seconds",
                               text, MOMENTS_MOST);
        }
        job->times[job->count++] = time;
        text = *stop == ',' ? stop + 1 : stop;
    }
    return true;
}

static bool read_size(struct job *job, const char *text, struct problem *problem)
{
    char *stop;
    if (text == NULL) {
        return true;
    }
    unsigned long width = strtoul(text, &stop, 10);
    bool good = stop != text && *stop == 'x' && text[0] != '-';
    const char *second = stop + 1;
    unsigned long height = good ? strtoul(second, &stop, 10) : 0;
    if (!good || stop == second || *stop != 0 || second[0] == '-' || width > UINT32_MAX ||
        height > UINT32_MAX) {
        return problem_set(problem, EXIT_USAGE, "--size: \"%s\" is not like 960x540", text);
    }
    job->width = (uint32_t)width;
    job->height = (uint32_t)height;
    return render_size_good(job->width, job->height, problem);
}

static void times_of_scene(struct job *job, const struct scene *scene)
{
    const struct scene_view *view = scene->view;
    if (view != NULL && !job->film) {
        const struct view_moment *moments = view->moments.items;
        for (uint32_t i = 0; i < view->moments.count && i < MOMENTS_MOST; i++) {
            job->times[i] = moments[i].time;
            job->captions[i] = moments[i].caption;
            job->count = i + 1;
        }
    }
    if (job->count == 0) {
        job->times[0] = scene->seconds;
        job->count = 1;
    }
}

static bool read_job(struct job *job, const struct command *command,
                     const struct arguments *arguments, struct problem *problem)
{
    int64_t passes = 0;
    int64_t columns = 0;
    char stem[256];
    *job = (struct job){.fps = 30.0, .colour = -1};
    job->out = argument(command, arguments, "out");
    if (job->out == NULL) {
        path_stem(arguments->operands[0], stem, sizeof stem);
        snprintf(job->default_out, sizeof job->default_out, "%s.png", stem);
        job->out = job->default_out;
    }
    job->film = strcmp(path_extension(job->out), "mp4") == 0;
    if (!job->film && strcmp(path_extension(job->out), "png") != 0) {
        return problem_set(problem, EXIT_USAGE, "--out: \"%s\" ends neither in .png nor in .mp4",
                           job->out);
    }
    bool good = read_times(job, argument(command, arguments, "at"), problem) &&
                read_size(job, argument(command, arguments, "size"), problem) &&
                argument_choice(command, arguments, "colour", view_colour_names, VIEW_COLOUR_COUNT,
                                &job->colour, problem) &&
                argument_count(command, arguments, "passes", 1, 4096, &passes, problem) &&
                argument_count(command, arguments, "columns", 1, MOMENTS_MOST, &columns, problem) &&
                argument_number(command, arguments, "fps", 1.0, 240.0, &job->fps, problem);
    job->passes = passes > 0 ? (uint32_t)passes : job->film ? 16 : RENDER_PASSES;
    job->columns = (uint32_t)columns;
    return good;
}

static void default_size(struct job *job)
{
    bool small = !job->film && job->count > 1;
    if (job->width == 0) {
        job->width = small ? 480 : 960;
        job->height = small ? 270 : 540;
    }
}

static bool not_drawn(const struct job *job, const struct play *play, struct problem *problem)
{
    return problem_set(problem, EXIT_INTERRUPTED, "%s: not drawn: interrupted at %.3g s", job->out,
                       play->time);
}

static bool shoot_at(struct play *play, struct figure *figure, struct studio *studio, double time,
                     struct problem *problem)
{
    return play_to(play, time, problem) && !stop_wanted() && figure_gather(figure, problem) &&
           studio_shoot(studio, figure, problem);
}

/* Interrupted, it is a film of what there is. */
static bool draw_film(const struct job *job, struct play *play, struct figure *figure,
                      struct studio *studio, struct problem *problem)
{
    struct movie movie;
    double end = job->times[job->count - 1];
    uint64_t count = 0;
    bool good = movie_open(&movie, job->out, job->width, job->height, job->fps, problem);
    while (good && (double)count <= end * job->fps + 1e-6 &&
           shoot_at(play, figure, studio, (double)count / job->fps, problem)) {
        studio_stamp(&studio->picture, figure, play->time);
        good = movie_add(&movie, &studio->picture, problem);
        count++;
    }
    good = good && problem->text[0] == 0 && (count > 0 || not_drawn(job, play, problem)) &&
           movie_commit(&movie, problem);
    movie_drop(&movie);
    return good;
}

/* Interrupted, its last cells say so. */
static bool draw_sheet(const struct job *job, struct play *play, struct figure *figure,
                       struct studio *studio, struct draft *draft, struct problem *problem)
{
    struct sheet sheet;
    uint32_t columns = job->columns > 0 ? job->columns : sheet_columns(job->count);
    bool good = sheet_open(&sheet, job->count, columns, job->width, job->height, figure, problem);
    for (uint32_t i = 0; good && i < job->count; i++) {
        if (shoot_at(play, figure, studio, job->times[i], problem)) {
            sheet_put(&sheet, i, &studio->picture, play->time, job->captions[i]);
        } else {
            sheet_skip(&sheet, i, job->times[i], job->captions[i]);
            good = problem->text[0] == 0;
        }
    }
    good = good && png_draft_write(&sheet.page, draft, problem);
    sheet_close(&sheet);
    return good;
}

static bool draw_picture(const struct job *job, struct play *play, struct figure *figure,
                         struct studio *studio, struct draft *draft, struct problem *problem)
{
    if (!shoot_at(play, figure, studio, job->times[0], problem)) {
        return not_drawn(job, play, problem);
    }
    studio_stamp(&studio->picture, figure, play->time);
    return png_draft_write(&studio->picture, draft, problem);
}

static bool draw(const struct job *job, struct stage *stage, struct problem *problem)
{
    struct studio studio = {0};
    struct figure figure = {0};
    struct draft draft = {0};
    struct play play;
    play_open(&play, stage);
    /* What cannot be written is said before anything is drawn. */
    bool good = (job->film || draft_open(&draft, job->out, problem)) &&
                studio_open(&studio, job->width, job->height, job->passes, problem) &&
                figure_open(&figure, stage, job->colour, problem);
    /* The camera is that of the scene's start, whatever moments are asked for. */
    good = good && figure_gather(&figure, problem) && studio_aim(&studio, &figure, problem) &&
           (job->film        ? draw_film(job, &play, &figure, &studio, problem)
            : job->count > 1 ? draw_sheet(job, &play, &figure, &studio, &draft, problem)
                             : draw_picture(job, &play, &figure, &studio, &draft, problem));
    draft_drop(&draft);
    figure_close(&figure);
    studio_close(&studio);
    return good;
}

static int run(const struct command *command, const struct arguments *arguments)
{
    struct problem problem = {0};
    struct scene scene;
    struct stage stage = {0};
    struct job job;
    struct pool pool = {0};
    struct stage_options stage_options = STAGE_OPTIONS_NONE;
    const char *path = arguments->operands[0];
    bool good =
        read_job(&job, command, arguments, &problem) &&
        argument_count(command, arguments, "threads", 1, 64, &stage_options.threads, &problem) &&
        scene_read(path, &scene, &pool, &problem);
    if (good) {
        if (job.count == 0) {
            times_of_scene(&job, &scene);
        }
        default_size(&job);
        stop_listen();
        good = stage_open(&stage, &scene, path, &stage_options, &problem) &&
               draw(&job, &stage, &problem);
        stage_close(&stage);
    }
    pool_free(&pool);
    if (!good) {
        return problem_report(&problem);
    }
    printf("%s%s\n", job.out, stop_wanted() ? " (interrupted)" : "");
    return stop_wanted() ? EXIT_INTERRUPTED : EXIT_DONE;
}

const struct command render_command = {
    .name = "render",
    .operands = "SCENE",
    .what = "Draws a scene: a picture of one moment, one sheet of several, or a film.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least = 1,
    .most = 1,
    .run = run,
};
