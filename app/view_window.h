/* view_window.h - `piola view`: the window, its mouse and keys, and the loop between them.
 *
 * Lives here: GLFW and what events mean. What must not live here: how anything is drawn (render_*)
 * or picked (view_pick).
 */
#ifndef APP_VIEW_WINDOW_H
#define APP_VIEW_WINDOW_H

#include "io/scene/stage.h"

struct view_options {
    uint32_t width, height;
    double seconds; /* of real time until it ends by itself; 0: never */
    int colour;     /* enum view_colour, or -1 */
    bool log;       /* what is done is said on standard output, one line each */
    bool paused;
};

bool view_run(struct stage *stage, const struct view_options *options, struct problem *problem);

#endif
