/* render_missing.c - in place of the renderer, in a build without OpenGL's and PNG's libraries. */
#include "latency.h"
#include "render_command.h"
#include "render_frames.h"
#include "render_shots.h"

static bool missing(struct problem *problem)
{
    return problem_set(
        problem, EXIT_RUNTIME,
        "this build of piola cannot draw: it was made without libepoxy or libpng (on "
        "Debian: apt-get install libepoxy-dev libegl-dev libpng-dev, then build "
        "again)");
}

bool latency_draw(const struct latency *result, const char *title, const char *path,
                  struct problem *problem)
{
    (void)result;
    (void)title;
    (void)path;
    return missing(problem);
}

bool png_frame(const struct frame *frame, struct problem *problem)
{
    (void)frame;
    return missing(problem);
}

bool mp4_frame(const struct frame *frame, struct problem *problem)
{
    (void)frame;
    return missing(problem);
}

bool mp4_series(const struct frame *last, const double *times, uint64_t count,
                struct problem *problem)
{
    (void)last;
    (void)times;
    (void)count;
    return missing(problem);
}

struct shots *shots_open(const struct shots_plan *plan, const struct stage *stage,
                         struct problem *problem)
{
    (void)plan;
    (void)stage;
    missing(problem);
    return NULL;
}

bool shots_take(struct shots *shots, double time, bool last, struct problem *problem)
{
    (void)shots;
    (void)time;
    (void)last;
    return missing(problem);
}

bool shots_commit(struct shots *shots, struct problem *problem)
{
    (void)shots;
    return missing(problem);
}

void shots_close(struct shots *shots)
{
    (void)shots;
}

void render_frames_close(void)
{
}

static int run(const struct command *command, const struct arguments *arguments)
{
    struct problem problem = {0};
    (void)command;
    (void)arguments;
    missing(&problem);
    return problem_report(&problem);
}

const struct command render_command = {
    .name = "render",
    .operands = "SCENE",
    .what = "Draws a scene (not in this build: it lacks libepoxy or libpng).",
    .least = 0,
    .most = 1,
    .run = run,
};
