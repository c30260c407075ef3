/* render_studio.c - see render_studio.h. */
#include "render_studio.h"

#include "render_palette.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MARGIN 18u /* around and between the pictures of a sheet, pixels */

static const struct ink dark = {{44, 50, 60}, 1.0f};
static const struct ink soft = {{110, 118, 130}, 1.0f};
static const uint8_t paper[3] = {250, 250, 251};

bool studio_open(struct studio *studio, uint32_t width, uint32_t height, uint32_t passes,
                 struct problem *problem)
{
    memset(studio, 0, sizeof *studio);
    studio->passes = passes;
    if (!render_size_good(width, height, problem) ||
        !render_context_open(&studio->context, problem)) {
        return false;
    }
    studio->render = render_create(problem);
    return studio->render != NULL && render_resize(studio->render, width, height, problem) &&
           picture_make(&studio->picture, width, height, problem);
}

void studio_close(struct studio *studio)
{
    render_destroy(studio->render);
    picture_free(&studio->picture);
    render_context_close(&studio->context);
    memset(studio, 0, sizeof *studio);
}

bool studio_aim(struct studio *studio, struct figure *figure, struct problem *problem)
{
    const struct picture *picture = &studio->picture;
    if (!figure_build(figure, problem)) {
        return false;
    }
    studio->camera = figure_camera(figure, (float)picture->width / (float)picture->height);
    studio->has_camera = true;
    return true;
}

bool studio_shoot(struct studio *studio, struct figure *figure, struct problem *problem)
{
    const struct picture *picture = &studio->picture;
    if (!(studio->has_camera ? figure_build(figure, problem)
                             : studio_aim(studio, figure, problem))) {
        return false;
    }
    struct render_look look = figure_look(figure, &studio->camera);
    render_picture(studio->render, &figure->scene, &studio->camera, &look, studio->passes,
                   picture->rgb);
    return true;
}

static void number_text(char *text, size_t bytes, float value, const char *unit)
{
    static const struct {
        float least;
        const char *prefix;
    } prefixes[] = {{1e9f, "G"}, {1e6f, "M"}, {1e3f, "k"}, {0.0f, ""}};
    size_t i = 0;
    while (value < prefixes[i].least) {
        i++;
    }
    float scale = prefixes[i].least > 0.0f ? prefixes[i].least : 1.0f;
    snprintf(text, bytes, "%.3g%s%s%s", (double)(value / scale), unit[0] ? " " : "",
             unit[0] ? prefixes[i].prefix : "", unit);
}

void studio_scale(const struct canvas *canvas, const struct figure *figure, float x, float y,
                  float height)
{
    const char *measure = figure_measure(figure);
    bool is_strain = figure->colour == VIEW_COLOUR_STRAIN;
    char last[40];
    char first[40];
    if (measure[0] == 0) {
        return;
    }
    number_text(last, sizeof last, figure->range, is_strain ? "" : measure);
    snprintf(first, sizeof first, "%s 0",
             is_strain                              ? "strain"
             : figure->colour == VIEW_COLOUR_STRESS ? "stress"
                                                    : "speed");
    float length = 9.0f * height;
    float left = x - canvas_text_width(height, last);
    canvas_text(canvas, left, y, height, dark, last);
    left -= 0.9f * height + length;
    left = floorf(left);
    for (int i = 0; i < (int)length; i++) {
        struct ink ink = {.alpha = 1.0f};
        render_palette_value((float)i / length, ink.rgb);
        const float least[2] = {left + (float)i, floorf(y - height)};
        const float most[2] = {left + (float)(i + 1), floorf(y)};
        canvas_box(canvas, least, most, 0.0f, ink);
    }
    canvas_text(canvas, left - 0.9f * height - canvas_text_width(height, first), y, height, dark,
                first);
}

void studio_stamp(struct picture *picture, const struct figure *figure, double time)
{
    const struct canvas canvas = {picture->rgb, picture->width, picture->height, 3};
    float height = fmaxf(7.0f, (float)picture->height / 45.0f);
    char text[40];
    snprintf(text, sizeof text, "t = %.2f s", time);
    canvas_text(&canvas, 1.6f * height, (float)picture->height - 1.6f * height, height, dark, text);
    studio_scale(&canvas, figure, (float)picture->width - 1.6f * height,
                 (float)picture->height - 1.6f * height, height);
}

uint32_t sheet_columns(uint32_t count)
{
    return count <= 3 ? count : count == 4 ? 2 : count <= 9 ? 3 : count <= 16 ? 4 : 6;
}

static uint32_t letter_height(const struct sheet *sheet)
{
    uint32_t height = sheet->height / 24;
    return height < 8 ? 8 : height;
}

static uint32_t caption_height(const struct sheet *sheet)
{
    return 5 * letter_height(sheet) / 2;
}

bool sheet_open(struct sheet *sheet, uint32_t count, uint32_t columns, uint32_t width,
                uint32_t height, const struct figure *figure, struct problem *problem)
{
    memset(sheet, 0, sizeof *sheet);
    if (count == 0 || columns == 0 || count > 36 || width > RENDER_SIDE_MOST ||
        height > RENDER_SIDE_MOST) {
        return problem_set(problem, EXIT_USAGE, "a sheet of %u pictures in %u columns: 1 to 36",
                           count, columns);
    }
    sheet->columns = columns < count ? columns : count;
    sheet->rows = (count + sheet->columns - 1) / sheet->columns;
    sheet->width = width;
    sheet->height = height;
    bool has_scale = figure_measure(figure)[0] != 0;
    uint32_t letters = letter_height(sheet);
    uint32_t foot = has_scale ? 2 * letters : 0;
    uint32_t all_width = sheet->columns * (width + MARGIN) + MARGIN;
    uint32_t all_height = sheet->rows * (height + caption_height(sheet) + MARGIN) + MARGIN + foot;
    if (!picture_make(&sheet->page, all_width, all_height, problem)) {
        return false;
    }
    for (size_t i = 0; i < (size_t)all_width * all_height; i++) {
        memcpy(sheet->page.rgb + 3 * i, paper, 3);
    }
    const struct canvas canvas = {sheet->page.rgb, all_width, all_height, 3};
    studio_scale(&canvas, figure, (float)(all_width - MARGIN) - 0.5f * (float)letters,
                 (float)(all_height - MARGIN), (float)letters);
    return true;
}

void sheet_close(struct sheet *sheet)
{
    picture_free(&sheet->page);
}

/* Paints paper over the four corners, so that the picture's are round. */
static void round_corners(const struct sheet *sheet, uint32_t left, uint32_t top)
{
    const float radius = 8.0f;
    for (uint32_t y = 0; y < sheet->height; y++) {
        for (uint32_t x = 0; x < sheet->width; x++) {
            float dx = radius - fminf((float)x + 0.5f, (float)sheet->width - (float)x - 0.5f);
            float dy = radius - fminf((float)y + 0.5f, (float)sheet->height - (float)y - 0.5f);
            if (dx <= 0.0f || dy <= 0.0f) {
                continue;
            }
            float bare = fmaxf(0.0f, fminf(1.0f, sqrtf(dx * dx + dy * dy) - radius + 0.5f));
            uint8_t *pixel =
                sheet->page.rgb + 3 * ((size_t)(top + y) * sheet->page.width + left + x);
            for (int i = 0; i < 3; i++) {
                float mixed = (float)pixel[i] * (1.0f - bare) + (float)paper[i] * bare;
                pixel[i] = (uint8_t)lrintf(mixed);
            }
        }
    }
}

/* Where a cell's picture begins. False when there is no such cell. */
static bool find_cell(const struct sheet *sheet, uint32_t index, uint32_t *left, uint32_t *top)
{
    *left = MARGIN + (index % sheet->columns) * (sheet->width + MARGIN);
    *top = MARGIN + (index / sheet->columns) * (sheet->height + caption_height(sheet) + MARGIN);
    return index < sheet->columns * sheet->rows;
}

/* Time and caption below a cell. */
static void write_below(struct sheet *sheet, uint32_t left, uint32_t top, double time,
                        const char *caption)
{
    const struct canvas canvas = {sheet->page.rgb, sheet->page.width, sheet->page.height, 3};
    float letters = (float)letter_height(sheet);
    float baseline = (float)(top + sheet->height) + 2.1f * letters;
    char text[40];
    snprintf(text, sizeof text, "%.2f s", time);
    float x = (float)left + 0.3f * letters;
    x += canvas_text(&canvas, x, baseline, letters, dark, text) + 1.2f * letters;
    if (caption != NULL) {
        canvas_text(&canvas, x, baseline, letters, soft, caption);
    }
}

void sheet_put(struct sheet *sheet, uint32_t index, const struct picture *picture, double time,
               const char *caption)
{
    uint32_t left;
    uint32_t top;
    if (!find_cell(sheet, index, &left, &top) || picture->width != sheet->width ||
        picture->height != sheet->height) {
        return;
    }
    for (uint32_t y = 0; y < sheet->height; y++) {
        memcpy(sheet->page.rgb + 3 * ((size_t)(top + y) * sheet->page.width + left),
               picture->rgb + 3 * (size_t)y * sheet->width, 3 * (size_t)sheet->width);
    }
    round_corners(sheet, left, top);
    write_below(sheet, left, top, time, caption);
}

void sheet_skip(struct sheet *sheet, uint32_t index, double time, const char *caption)
{
    static const char words[] = "not reached";
    uint32_t left;
    uint32_t top;
    if (!find_cell(sheet, index, &left, &top)) {
        return;
    }
    const struct canvas canvas = {sheet->page.rgb, sheet->page.width, sheet->page.height, 3};
    float letters = (float)letter_height(sheet);
    float width = canvas_text_width(letters, words);
    canvas_text(&canvas, (float)left + 0.5f * ((float)sheet->width - width),
                (float)top + 0.5f * ((float)sheet->height + letters), letters, soft, words);
    write_below(sheet, left, top, time, caption);
}
