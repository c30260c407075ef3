/* render_frames.c - see render_frames.h. */
#include "render_frames.h"

#include "movie_pipe.h"
#include "render_studio.h"

#include <string.h>

#define WIDTH      960u
#define HEIGHT     540u
#define PNG_PASSES 48u
#define MP4_PASSES 16u

static struct {
    struct studio studio;
    struct figure figure;
    struct movie movie;
    struct picture first; /* kept until the second frame tells the film's speed */
    double first_time, drawn_time;
    const struct stage *stage; /* null: nothing is open */
    bool drawn, failed;
} kept;

static bool prepare(const struct frame *frame, uint32_t passes, struct problem *problem)
{
    if (kept.stage == frame->stage && !kept.failed) {
        kept.studio.passes = passes > kept.studio.passes ? passes : kept.studio.passes;
        return true;
    }
    render_frames_close();
    kept.stage = frame->stage;
    kept.failed = !studio_open(&kept.studio, WIDTH, HEIGHT, passes, problem) ||
                  !figure_open(&kept.figure, frame->stage, -1, problem);
    return !kept.failed;
}

/* Draws this frame unless the other format has done so. */
static bool draw(const struct frame *frame, uint32_t passes, struct problem *problem)
{
    if (!prepare(frame, passes, problem)) {
        return false;
    }
    if (kept.drawn && kept.drawn_time == frame->time) {
        return true;
    }
    if (!figure_gather(&kept.figure, problem) ||
        !studio_shoot(&kept.studio, &kept.figure, problem)) {
        return false;
    }
    studio_stamp(&kept.studio.picture, &kept.figure, frame->time);
    kept.drawn = true;
    kept.drawn_time = frame->time;
    return true;
}

bool png_frame(const struct frame *frame, struct problem *problem)
{
    char path[4096];
    return frame_path(frame, "png", path, sizeof path, problem) &&
           draw(frame, PNG_PASSES, problem) && png_file_write(&kept.studio.picture, path, problem);
}

static bool open_film(const struct frame *frame, double rate, struct problem *problem)
{
    char path[4096];
    int letters = snprintf(path, sizeof path, "%s/%s.mp4", frame->folder, frame->name);
    if (letters <= 0 || (size_t)letters >= sizeof path) {
        return problem_set(problem, EXIT_RUNTIME, "%s: the path is too long", frame->folder);
    }
    return movie_open(&kept.movie, path, WIDTH, HEIGHT, rate, problem) &&
           movie_add(&kept.movie, &kept.first, problem);
}

bool mp4_frame(const struct frame *frame, struct problem *problem)
{
    if (frame->number == 0) {
        if (!movie_possible(problem) || !draw(frame, MP4_PASSES, problem) ||
            !picture_make(&kept.first, WIDTH, HEIGHT, problem)) {
            return false;
        }
        memcpy(kept.first.rgb, kept.studio.picture.rgb, (size_t)WIDTH * HEIGHT * 3);
        kept.first_time = frame->time;
        return true;
    }
    if (!draw(frame, MP4_PASSES, problem)) {
        return false;
    }
    /* A film that plays as fast as the world runs; more than 240 pictures a second play slower. */
    double rate = 1.0 / (frame->time - kept.first_time);
    if (kept.movie.process == 0 && !open_film(frame, rate > 240.0 ? 240.0 : rate, problem)) {
        return false;
    }
    return movie_add(&kept.movie, &kept.studio.picture, problem);
}

bool mp4_series(const struct frame *last, const double *times, uint64_t count,
                struct problem *problem)
{
    (void)times;
    if (count == 0 || (kept.movie.process == 0 && !open_film(last, 25.0, problem))) {
        return count == 0;
    }
    return movie_commit(&kept.movie, problem);
}

void render_frames_close(void)
{
    if (kept.stage == NULL) {
        return;
    }
    movie_drop(&kept.movie);
    picture_free(&kept.first);
    figure_close(&kept.figure);
    studio_close(&kept.studio);
    memset(&kept, 0, sizeof kept);
}
