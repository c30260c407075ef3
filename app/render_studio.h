/* render_studio.h - pictures of a figure: an offscreen renderer, captions, contact sheets.
 *
 * Lives here: everything between a figure and a finished picture in memory. What must not live
 * here: files, time.
 */
#ifndef APP_RENDER_STUDIO_H
#define APP_RENDER_STUDIO_H

#include "png_file.h"
#include "render_figure.h"
#include "render_gl.h"
#include "render_text.h"

struct studio {
    struct render_context context;
    struct render *render;
    struct picture picture; /* the last one taken */
    struct camera camera;
    bool has_camera; /* found at the first picture and kept */
    uint32_t passes;
};

/* Call studio_close on failure too. */
bool studio_open(struct studio *studio, uint32_t width, uint32_t height, uint32_t passes,
                 struct problem *problem);
void studio_close(struct studio *studio);
/* Finds the camera from the figure's positions; without it the first picture does. */
bool studio_aim(struct studio *studio, struct figure *figure, struct problem *problem);
/* Builds the figure from its positions and draws it into studio->picture. */
bool studio_shoot(struct studio *studio, struct figure *figure, struct problem *problem);

/* "t = 1.25 s" below at the left, the meaning of the colours at the right. */
void studio_stamp(struct picture *picture, const struct figure *figure, double time);
/* A bar of the colours that values have, with its ends written beside it; right end at x, pixels.
 */
void studio_scale(const struct canvas *canvas, const struct figure *figure, float x, float y,
                  float height);

/* Many moments on one page, row by row. */
struct sheet {
    struct picture page;
    uint32_t columns, rows, width, height; /* of a cell's picture */
};

bool sheet_open(struct sheet *sheet, uint32_t count, uint32_t columns, uint32_t width,
                uint32_t height, const struct figure *figure, struct problem *problem);
void sheet_close(struct sheet *sheet);
/* `caption` may be null. */
void sheet_put(struct sheet *sheet, uint32_t index, const struct picture *picture, double time,
               const char *caption);
/* Marks a moment that the run did not come to; its time as the scene has it. */
void sheet_skip(struct sheet *sheet, uint32_t index, double time, const char *caption);
/* How many columns look best. */
uint32_t sheet_columns(uint32_t count);

#endif
