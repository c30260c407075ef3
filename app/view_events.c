/* view_events.c - what keys and mouse do to a running scene. See view_state.h. */
#include "io/base/memory.h"
#include "view_state.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_SECONDS 0.02 /* of real time that steps may take between two pictures */

__attribute__((format(printf, 2, 3))) static void say(const struct viewer *viewer,
                                                      const char *format, ...)
{
    va_list list;
    if (!viewer->options->log) {
        return;
    }
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    putchar('\n');
    fflush(stdout);
}

static float aspect(const struct viewer *viewer)
{
    return (float)viewer->width / (float)viewer->height;
}

bool viewer_open(struct viewer *viewer, struct stage *stage, const struct view_options *options,
                 struct problem *problem)
{
    memset(viewer, 0, sizeof *viewer);
    viewer->options = options;
    viewer->problem = problem;
    viewer->slowness = 1;
    viewer->paused = options->paused;
    viewer->dirty = true;
    viewer->width = options->width;
    viewer->height = options->height;
    viewer->scale[0] = viewer->scale[1] = 1.0;
    grip_open(&viewer->grip);
    viewer->overlay.graphs = true;
    viewer->overlay.budget_ms = 1e3f * stage->desc.dt;
    play_open(&viewer->play, stage);
    if (!figure_open(&viewer->figure, stage, options->colour, problem) ||
        !figure_gather(&viewer->figure, problem) || !figure_build(&viewer->figure, problem)) {
        return false;
    }
    viewer->home = viewer->camera = figure_camera(&viewer->figure, aspect(viewer));
    viewer->look = figure_look(&viewer->figure, &viewer->camera);
    viewer->told = told_open(stage, problem);
    if (viewer->told == NULL) {
        return false;
    }
    viewer->start_bytes = piola_snapshot_size(stage->world);
    viewer->start = pool_block(viewer->start_bytes, "the first state", problem);
    if (viewer->start == NULL) {
        return false;
    }
    piola_status status = piola_snapshot_save(stage->world, viewer->start, viewer->start_bytes);
    return status == PIOLA_OK ||
           problem_engine(problem, EXIT_RUNTIME, "the first state", status, NULL);
}

void viewer_close(struct viewer *viewer)
{
    told_close(viewer->told);
    viewer->told = NULL;
    figure_close(&viewer->figure);
    memory_give(viewer->start);
    viewer->start = NULL;
}

/* A few times a second it is seen whether bodies are balanced. */
static void tell(struct viewer *viewer)
{
    const struct play *play = &viewer->play;
    const bool measured = play->time >= viewer->measured + 0.25;
    const struct told_step step = {.report = &play->report,
                                   .measured = measured ? play->stage->world : NULL,
                                   .time = play->time,
                                   .seconds = play->seconds};
    if (measured) {
        viewer->measured = play->time;
    }
    told_step(viewer->told, &step);
}

static bool one_step(struct viewer *viewer)
{
    struct play *play = &viewer->play;
    grip_pull(&viewer->grip, &viewer->figure, play->stage);
    if (!play_step(play, viewer->problem) || !figure_gather(&viewer->figure, viewer->problem)) {
        return false;
    }
    tell(viewer);
    trace_add(&viewer->overlay.ms, (float)(1e3 * play->seconds));
    trace_add(&viewer->overlay.residual, (float)play->report.residual);
    viewer->last_pull = fmaxf(viewer->last_pull, viewer->grip.force);
    viewer->dirty = true;
    return true;
}

bool viewer_advance(struct viewer *viewer, double elapsed)
{
    double dt = (double)viewer->play.stage->desc.dt;
    double begin = piola_platform_seconds();
    double before = viewer->play.time;
    if (viewer->paused) {
        viewer->debt = viewer->one_step ? 1.001 * dt : 0.0;
        viewer->one_step = false;
    } else {
        viewer->debt += elapsed / (double)viewer->slowness;
    }
    while (viewer->debt >= dt) {
        if (!one_step(viewer)) {
            viewer->failed = true;
            return false;
        }
        viewer->debt -= dt;
        if (piola_platform_seconds() - begin > STEPS_SECONDS) {
            /* Slower than real time: shown as such, never caught up with. */
            viewer->debt = 0.0;
        }
    }
    if (elapsed > 0.0) {
        double now = (viewer->play.time - before) / elapsed;
        viewer->factor += (now - viewer->factor) * fmin(1.0, elapsed / 0.5);
    }
    return true;
}

static void begin_again(struct viewer *viewer)
{
    struct stage *stage = viewer->play.stage;
    piola_status status = piola_snapshot_restore(stage->world, viewer->start, viewer->start_bytes);
    viewer->failed = status != PIOLA_OK && !problem_engine(viewer->problem, EXIT_RUNTIME,
                                                           "beginning again", status, NULL);
    grip_drop(&viewer->grip);
    play_open(&viewer->play, stage);
    viewer->debt = 0.0;
    told_close(viewer->told);
    viewer->told = told_open(stage, viewer->problem);
    viewer->measured = 0.0;
    viewer->failed = viewer->failed || viewer->told == NULL;
    viewer->failed = viewer->failed || !figure_gather(&viewer->figure, viewer->problem);
    say(viewer, "begin again");
}

static void switch_looks(struct viewer *viewer, int key)
{
    struct render_look *look = &viewer->look;
    if (key == 'C') {
        figure_recolour(&viewer->figure, (viewer->figure.colour + 1) % VIEW_COLOUR_COUNT);
        say(viewer, "colour %s", view_colour_names[viewer->figure.colour]);
    } else if (key == 'W') {
        look->wire = look->wire > 0.0f ? 0.0f : 0.45f;
        say(viewer, "edges %s", look->wire > 0.0f ? "on" : "off");
    } else if (key == 'F') {
        look->flat = !look->flat;
        say(viewer, "flat %s", look->flat ? "on" : "off");
    } else if (key == 'G') {
        viewer->overlay.graphs = !viewer->overlay.graphs;
        say(viewer, "graphs %s", viewer->overlay.graphs ? "on" : "off");
    } else if (key == 'J') {
        viewer->overlay.frames = !viewer->overlay.frames;
        say(viewer, "frames %s", viewer->overlay.frames ? "on" : "off");
    } else if (key == '\t') {
        viewer->overlay.help = !viewer->overlay.help;
        say(viewer, "help %s", viewer->overlay.help ? "on" : "off");
    } else if (key == '\b') {
        viewer->camera = viewer->home;
        say(viewer, "home");
    }
    viewer->dirty = true;
}

void viewer_key(struct viewer *viewer, int key)
{
    switch (key) {
    case ' ':
        viewer->paused = !viewer->paused;
        say(viewer, viewer->paused ? "paused at %.3f s" : "going on at %.3f s", viewer->play.time);
        break;
    case '.':
        viewer->paused = true;
        viewer->one_step = true;
        say(viewer, "one step from %llu", (unsigned long long)viewer->play.steps);
        break;
    case 'S':
        viewer->slowness = viewer->slowness == 16 ? 1 : viewer->slowness * 4;
        say(viewer, "speed 1/%u", viewer->slowness);
        break;
    case '[':
    case ']':
        grip_harden(&viewer->grip, key == '[' ? 0.5f : 2.0f);
        say(viewer, "pull %.3g times as hard", (double)viewer->grip.hardness);
        break;
    case 'R':
        begin_again(viewer);
        break;
    case 'P':
        viewer->save = true;
        break;
    case 27:
        viewer->over = true;
        say(viewer, "end at %.3f s", viewer->play.time);
        break;
    default:
        break;
    }
    switch_looks(viewer, key);
}

static void mouse_ray(const struct viewer *viewer, float direction[3])
{
    float x = (float)(2.0 * viewer->mouse[0] / (double)viewer->width - 1.0);
    float y = (float)(1.0 - 2.0 * viewer->mouse[1] / (double)viewer->height);
    camera_ray(&viewer->camera, aspect(viewer), x, y, direction);
}

static bool take_hold(struct viewer *viewer)
{
    float ray[3];
    float plane[3];
    mouse_ray(viewer, ray);
    camera_ray(&viewer->camera, aspect(viewer), 0.0f, 0.0f, plane);
    if (!grip_take(&viewer->grip, &viewer->figure, viewer->camera.from, ray, plane)) {
        return false;
    }
    viewer->last_pull = 0.0f;
    say(viewer, "hold %s", viewer->figure.stage->bodies[viewer->grip.body].name);
    return true;
}

/* However a drag ends, nothing is held any longer. */
static void end_drag(struct viewer *viewer)
{
    if (viewer->drag == DRAG_PULL) {
        say(viewer, "let go after %.3g N", (double)viewer->last_pull);
        grip_drop(&viewer->grip);
    }
    viewer->drag = DRAG_NONE;
}

void viewer_press(struct viewer *viewer, int button, bool down)
{
    if (!down && button != viewer->drag_button) {
        return;
    }
    end_drag(viewer);
    if (down) {
        viewer->drag_button = button;
        viewer->drag = button == 2                        ? DRAG_PAN
                       : button == 0 && take_hold(viewer) ? DRAG_PULL
                                                          : DRAG_ORBIT;
    }
    viewer->dirty = true;
}

void viewer_resize(struct viewer *viewer, const uint32_t pixels[2], const int units[2])
{
    viewer->width = pixels[0];
    viewer->height = pixels[1];
    for (int i = 0; i < 2; i++) {
        viewer->scale[i] = units[i] > 0 ? (double)pixels[i] / (double)units[i] : 1.0;
    }
    viewer->dirty = true;
}

void viewer_point(struct viewer *viewer, double x, double y)
{
    viewer->mouse[0] = x * viewer->scale[0];
    viewer->mouse[1] = y * viewer->scale[1];
}

void viewer_move(struct viewer *viewer, double x, double y)
{
    const double before[2] = {viewer->mouse[0], viewer->mouse[1]};
    float ray[3];
    viewer_point(viewer, x, y);
    float dx = (float)((viewer->mouse[0] - before[0]) / (double)viewer->height);
    float dy = (float)((viewer->mouse[1] - before[1]) / (double)viewer->height);
    if (viewer->drag == DRAG_ORBIT) {
        camera_orbit(&viewer->camera, -4.0f * dx, 4.0f * dy);
    } else if (viewer->drag == DRAG_PAN) {
        camera_pan(&viewer->camera, -dx, dy);
    } else if (viewer->drag == DRAG_PULL) {
        mouse_ray(viewer, ray);
        grip_move(&viewer->grip, viewer->camera.from, ray);
    }
    viewer->dirty = viewer->dirty || viewer->drag != DRAG_NONE;
}

void viewer_wheel(struct viewer *viewer, double turn)
{
    camera_zoom(&viewer->camera, powf(0.9f, (float)fmax(-10.0, fmin(10.0, turn))));
    viewer->dirty = true;
    say(viewer, "zoom %+.0f", turn);
}

static void to_pixels(const struct viewer *viewer, const float point[3], float pixels[2])
{
    float xy[2] = {0.0f, 0.0f};
    camera_project(&viewer->camera, aspect(viewer), point, xy);
    pixels[0] = 0.5f * (xy[0] + 1.0f) * (float)viewer->width;
    pixels[1] = 0.5f * (1.0f - xy[1]) * (float)viewer->height;
}

/* Lines with an end behind the eye are left out. */
static void describe_frames(struct viewer *viewer)
{
    struct overlay *overlay = &viewer->overlay;
    const struct camera *camera = &viewer->camera;
    const uint32_t count = view_frames_find(&viewer->figure, camera->from, viewer->lines);
    overlay->line_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct overlay_line *line = &overlay->lines[overlay->line_count];
        const struct frame_line *found = &viewer->lines[i];
        float xy[2];
        if (camera_project(camera, aspect(viewer), found->ends[0], xy) &&
            camera_project(camera, aspect(viewer), found->ends[1], xy)) {
            to_pixels(viewer, found->ends[0], line->from);
            to_pixels(viewer, found->ends[1], line->to);
            line->ink = found->ink;
            overlay->line_count++;
        }
    }
}

void viewer_describe(struct viewer *viewer)
{
    struct overlay *overlay = &viewer->overlay;
    const struct stage *stage = viewer->play.stage;
    char speed[60] = "paused";
    if (!viewer->paused) {
        snprintf(speed, sizeof speed, "%.2f of real time", viewer->factor);
    }
    snprintf(overlay->title, sizeof overlay->title, "t = %.2f s", viewer->play.time);
    snprintf(overlay->state, sizeof overlay->state,
             "%s   %llu vertices, %llu elements   colour: %s", speed,
             (unsigned long long)stage->vertices, (unsigned long long)stage->elements,
             view_colour_names[viewer->figure.colour]);
    const char *warning = told_title(viewer->told);
    snprintf(overlay->warning, sizeof overlay->warning, "%s%s", warning ? "warning: " : "",
             warning ? warning : "");
    if (overlay->frames) {
        describe_frames(viewer);
    }
    overlay->pulling = viewer->grip.held;
    overlay->newton = viewer->grip.force;
    if (viewer->grip.held) {
        to_pixels(viewer, viewer->grip.anchor, overlay->from);
        to_pixels(viewer, viewer->grip.target, overlay->to);
    }
}
