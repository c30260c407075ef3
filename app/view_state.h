/* view_state.h - everything the window's loop and its events share. For view_*.c only. */
#ifndef APP_VIEW_STATE_H
#define APP_VIEW_STATE_H

#include "png_file.h"
#include "render_play.h"
#include "told.h"
#include "view_overlay.h"
#include "view_pick.h"
#include "view_window.h"

enum view_drag { DRAG_NONE, DRAG_PULL, DRAG_ORBIT, DRAG_PAN };

struct viewer {
    struct play play;
    struct told *told; /* since the scene began */
    double measured;   /* s, when the residual was last looked at */
    struct figure figure;
    struct overlay overlay;
    struct grip grip;
    struct camera camera, home;
    struct render_look look;
    void *start; /* snapshot of the first state */
    size_t start_bytes;
    const struct view_options *options;
    struct problem *problem;
    enum view_drag drag;
    int drag_button;        /* that began it */
    double mouse[2];        /* pixels of the picture */
    double scale[2];        /* of those in one of the mouse's units, which are the window's */
    double debt;            /* s of simulated time still to be stepped */
    double factor;          /* simulated over real time, lately */
    uint32_t slowness;      /* 1, 4 or 16 */
    uint32_t width, height; /* of the picture, pixels */
    uint32_t pictures;      /* saved so far */
    float last_pull;        /* N */
    struct frame_line lines[FRAME_LINES];
    bool paused, one_step, dirty, failed, over, save;
};

/* ---- view_events.c: no window needed ---- */

bool viewer_open(struct viewer *viewer, struct stage *stage, const struct view_options *options,
                 struct problem *problem);
void viewer_close(struct viewer *viewer);
/* Steps as much as `elapsed` seconds of real time ask for, but not longer than a frame may take. */
bool viewer_advance(struct viewer *viewer, double elapsed);
/* A character of the keys that overlay.c lists: ' ', '.', 'S' ...; '\t' is F1, '\b' Home, 27 Esc.
 */
void viewer_key(struct viewer *viewer, int key);
/* A picture of so many pixels fills a window of so many of the mouse's units: on screens of high
 * density the former are more. */
void viewer_resize(struct viewer *viewer, const uint32_t pixels[2], const int units[2]);
/* Where the mouse is, in the window's units. */
void viewer_point(struct viewer *viewer, double x, double y);
/* button: 0 left, 1 right, 2 middle. A second one pressed ends what the first one began. */
void viewer_press(struct viewer *viewer, int button, bool down);
/* The same, and what is dragged follows. */
void viewer_move(struct viewer *viewer, double x, double y);
void viewer_wheel(struct viewer *viewer, double turn);
/* The overlay's words and the ends of the pull. */
void viewer_describe(struct viewer *viewer);

#endif
