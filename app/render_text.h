/* render_text.h - letters, lines and boxes over a finished picture.
 *
 * Lives here: a canvas of bytes and a small stroke font of our own: every letter is a few straight
 * lines and quarter ellipses, drawn with round ends at any size. What must not live here: OpenGL,
 * what is written.
 */
#ifndef APP_RENDER_TEXT_H
#define APP_RENDER_TEXT_H

#include <stdint.h>

struct canvas {
    uint8_t *pixels; /* from the top row down */
    uint32_t width, height;
    uint32_t channels; /* 3: opaque; 4: the fourth is alpha, colours premultiplied */
};

struct ink {
    uint8_t rgb[3];
    float alpha; /* 0 to 1 */
};

/* Pixels; y grows downwards. What lies outside is cut off. */
void canvas_line(const struct canvas *canvas, const float from[2], const float to[2], float width,
                 struct ink ink);
/* Corners rounded by `radius`. */
void canvas_box(const struct canvas *canvas, const float least[2], const float most[2],
                float radius, struct ink ink);
/* `height` is that of capitals; the baseline is at y. ASCII; other bytes are drawn as a box.
 * Returns the width. */
float canvas_text(const struct canvas *canvas, float x, float y, float height, struct ink ink,
                  const char *text);
float canvas_text_width(float height, const char *text);

#endif
