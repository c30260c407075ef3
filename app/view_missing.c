/* view_missing.c - in place of the window, in a build without GLFW or without the renderer. */
#include "view_command.h"

static int run(const struct command *command, const struct arguments *arguments)
{
    struct problem problem = {0};
    (void)command;
    (void)arguments;
    problem_set(&problem, EXIT_RUNTIME,
                "this build of piola has no window: it was made without GLFW or the renderer (on "
                "Debian: apt-get install libglfw3-dev libepoxy-dev libegl-dev libpng-dev, then "
                "build again)");
    return problem_report(&problem);
}

const struct command view_command = {
    .name = "view",
    .operands = "SCENE",
    .what = "Shows a scene in a window (not in this build: it lacks GLFW).",
    .least = 0,
    .most = 1,
    .run = run,
};
