/* view_frames.h - joints' frames, axes and limits, and rods' sections, as lines over the picture.
 *
 * Lives here: which lines there are in the world. What must not live here: canvases, windows.
 */
#ifndef APP_VIEW_FRAMES_H
#define APP_VIEW_FRAMES_H

#include "render_figure.h"

enum frame_ink { FRAME_X, FRAME_Y, FRAME_Z, FRAME_LIMIT };

struct frame_line {
    float ends[2][3]; /* m */
    enum frame_ink ink;
};

#define FRAME_LINES 2048u /* what is more is not shown */

/* Writes at most FRAME_LINES lines; the axes of a joint `from` away are a tenth of that long. */
uint32_t view_frames_find(const struct figure *figure, const float from[3],
                          struct frame_line *lines);

#endif
