/* view_overlay.h - what the window writes over the picture: state, graphs, help, the pull.
 *
 * Lives here: drawing on a canvas. What must not live here: windows, OpenGL.
 */
#ifndef APP_VIEW_OVERLAY_H
#define APP_VIEW_OVERLAY_H

#include "render_figure.h"
#include "render_text.h"
#include "view_frames.h"

#define OVERLAY_SAMPLES 240

/* The last numbers of a quantity, oldest first from `next` on. */
struct trace {
    float values[OVERLAY_SAMPLES];
    uint32_t count, next;
};

/* A line of view_frames.h on the picture. */
struct overlay_line {
    float from[2], to[2]; /* pixels */
    enum frame_ink ink;
};

struct overlay {
    char title[200];
    char state[200];
    char warning[100];         /* what is wrong with the run; empty: nothing */
    struct trace ms, residual; /* of each step: ms; N */
    bool help, graphs, frames;
    uint32_t line_count; /* of the frames */
    struct overlay_line lines[FRAME_LINES];
    bool pulling;
    float from[2], to[2]; /* of the pull, pixels */
    float newton;
    float budget_ms; /* a step's own length */
};

/* A key and what it does; ends with a null key. */
struct overlay_key {
    const char *key, *what;
};

extern const struct overlay_key overlay_keys[];

void trace_add(struct trace *trace, float value);
/* The canvas (4 channels) must be clear. */
void overlay_draw(const struct overlay *overlay, const struct figure *figure,
                  const struct canvas *canvas);

#endif
