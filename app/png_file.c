#include "png_file.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MOST ((size_t)1 << 30)

bool picture_make(struct picture *picture, uint32_t width, uint32_t height, struct problem *problem)
{
    *picture = (struct picture){0};
    if (width == 0 || height == 0 || width > PICTURE_SIDE_MOST || height > PICTURE_SIDE_MOST) {
        return problem_set(problem, EXIT_RUNTIME,
                           "a picture of %u x %u pixels: each side may be 1 to %u", width, height,
                           PICTURE_SIDE_MOST);
    }
    size_t bytes = (size_t)width * height * 3;
    picture->rgb = calloc(bytes, 1);
    if (picture->rgb == NULL) {
        return problem_memory(problem, "a picture", bytes);
    }
    picture->width = width;
    picture->height = height;
    return true;
}

void picture_free(struct picture *picture)
{
    free(picture->rgb);
    *picture = (struct picture){0};
}

bool png_draft_write(const struct picture *picture, struct draft *draft, struct problem *problem)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = picture->width,
                       .height = picture->height,
                       .format = PNG_FORMAT_RGB};
    if (!png_image_write_to_stdio(&image, draft->file, 0, picture->rgb, 0, NULL)) {
        draft_drop(draft);
        return problem_set(problem, EXIT_RUNTIME, "%s: cannot be written: %s", draft->path,
                           image.message);
    }
    return draft_commit(draft, problem);
}

bool png_file_write(const struct picture *picture, const char *path, struct problem *problem)
{
    struct draft draft;
    return draft_open(&draft, path, problem) && png_draft_write(picture, &draft, problem);
}

static bool decode(struct picture *picture, const char *path, const void *bytes, size_t count,
                   struct problem *problem)
{
    static const png_color black = {0, 0, 0};
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&image, bytes, count)) {
        return problem_set(problem, EXIT_RUNTIME, "%s: not a good PNG file: %s", path,
                           image.message);
    }
    if (!picture_make(picture, image.width, image.height, problem)) {
        png_image_free(&image);
        return false;
    }
    image.format = PNG_FORMAT_RGB;
    if (!png_image_finish_read(&image, &black, picture->rgb, 0, NULL)) {
        picture_free(picture);
        return problem_set(problem, EXIT_RUNTIME, "%s: not a good PNG file: %s", path,
                           image.message);
    }
    return true;
}

bool png_file_read(struct picture *picture, const char *path, struct problem *problem)
{
    struct pool pool = {0};
    size_t count = 0;
    *picture = (struct picture){0};
    const char *bytes = file_read(path, FILE_BYTES_MOST, &pool, &count, problem);
    bool good = bytes != NULL && decode(picture, path, bytes, count, problem);
    pool_free(&pool);
    return good;
}
