/* render_frames.h - the rows `png` and `mp4` of the formats that `piola run` writes.
 *
 * Lives here: one studio for both, kept between frames. What must not live here: other formats.
 */
#ifndef APP_RENDER_FRAMES_H
#define APP_RENDER_FRAMES_H

#include "frames.h"

bool png_frame(const struct frame *frame, struct problem *problem);
bool mp4_frame(const struct frame *frame, struct problem *problem);
bool mp4_series(const struct frame *last, const double *times, uint64_t count,
                struct problem *problem);
/* Gives back what the three above took; nothing when they took nothing. An unfinished film is
 * removed. */
void render_frames_close(void);

#endif
