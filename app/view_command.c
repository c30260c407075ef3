/* view_command.c - `piola view`: its options. */
#include "view_command.h"

#include "io/scene/view_keys.h"
#include "view_window.h"

#include <stdlib.h>

static const struct option options[] = {
    {"width", "N", "of the window, pixels (default 1280)"},
    {"height", "N", "of the window, pixels (default 720)"},
    {"colour", "WHAT", "body, material, strain, stress, speed, cluster, colour or contact"},
    {"paused", NULL, "wait for the space bar"},
    {"seconds", "S", "end by itself after so much real time"},
    {"log", NULL, "say on standard output what keys and mouse do"},
    {"threads", "N", "working threads"},
};

static int run(const struct command *command, const struct arguments *arguments)
{
    struct problem problem = {0};
    struct scene scene;
    struct stage stage = {0};
    struct pool pool = {0};
    struct stage_options stage_options = STAGE_OPTIONS_NONE;
    struct view_options view = {.colour = -1};
    int64_t width = 1280;
    int64_t height = 720;
    const char *path = arguments->operands[0];
    bool good =
        argument_count(command, arguments, "width", 64, 8192, &width, &problem) &&
        argument_count(command, arguments, "height", 64, 8192, &height, &problem) &&
        argument_choice(command, arguments, "colour", view_colour_names, VIEW_COLOUR_COUNT,
                        &view.colour, &problem) &&
        argument_number(command, arguments, "seconds", 0.0, 1e9, &view.seconds, &problem) &&
        argument_count(command, arguments, "threads", 1, 64, &stage_options.threads, &problem) &&
        scene_read(path, &scene, &pool, &problem);
    if (good) {
        /* The window shows the solver's residual, so it is measured in every step. */
        struct scene_world world = *scene.world;
        world.report = true;
        scene.world = &world;
        view.width = (uint32_t)width;
        view.height = (uint32_t)height;
        view.log = argument(command, arguments, "log") != NULL;
        view.paused = argument(command, arguments, "paused") != NULL;
        good = stage_open(&stage, &scene, path, &stage_options, &problem) &&
               view_run(&stage, &view, &problem);
        stage_close(&stage);
    }
    pool_free(&pool);
    return good ? EXIT_DONE : problem_report(&problem);
}

const struct command view_command = {
    .name = "view",
    .operands = "SCENE",
    .what = "Shows a scene in a window: pull bodies with the mouse; F1 lists the keys.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least = 1,
    .most = 1,
    .run = run,
};
