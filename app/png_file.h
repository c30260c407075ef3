/* png_file.h - pictures in memory, and PNG files of them.
 *
 * Lives here: 8-bit RGB pictures, libpng both ways. Reading trusts nothing: the size is checked
 * before memory is taken. What must not live here: drawing.
 */
#ifndef APP_PNG_FILE_H
#define APP_PNG_FILE_H

#include "io/base/file.h"

#include <stdint.h>

#define PICTURE_SIDE_MOST 16384u

struct picture {
    uint8_t *rgb; /* sRGB, 3 bytes a pixel, from the top row down */
    uint32_t width, height;
};

/* Zeroed (black); free it with picture_free. */
bool picture_make(struct picture *picture, uint32_t width, uint32_t height,
                  struct problem *problem);
void picture_free(struct picture *picture);
/* The old file, if any, is replaced only by a complete one. */
bool png_file_write(const struct picture *picture, const char *path, struct problem *problem);
/* The same to a draft that is open, which it ends. */
bool png_draft_write(const struct picture *picture, struct draft *draft, struct problem *problem);
bool png_file_read(struct picture *picture, const char *path, struct problem *problem);

#endif
