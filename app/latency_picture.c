/* latency_picture.c - three histograms over one axis of time, drawn by hand into a PNG. */
#include "latency.h"
#include "png_file.h"
#include "render_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 1000, HEIGHT = 620, LEFT = 70, RIGHT = 30, TOP = 60, PANEL = 160, GAP = 20 };

static const struct ink dark = {{30, 30, 35}, 1}, soft = {{120, 120, 128}, 1},
                        faint = {{224, 224, 228}, 1};
static const struct ink inks[] = {{{32, 96, 168}, 1}, {{200, 92, 32}, 1}, {{90, 140, 70}, 1}};

static float across(double bin)
{
    return LEFT + (float)(bin / LATENCY_BINS) * (WIDTH - LEFT - RIGHT);
}

static void draw_axis(const struct canvas *canvas, float bottom)
{
    static const char *const marks[] = {"1 us",  "10 us",  "100 us", "1 ms",
                                        "10 ms", "100 ms", "1 s"};
    for (uint32_t i = 0; i <= 6; ++i) {
        const float x = across((double)i * LATENCY_BINS_EACH);
        const float from[2] = {x, bottom - PANEL}, to[2] = {x, bottom};
        canvas_line(canvas, from, to, 1, faint);
        canvas_text(canvas, x - canvas_text_width(8, marks[i]) / 2, bottom + 13, 8, soft, marks[i]);
    }
}

static void draw_panel(const struct canvas *canvas, const struct latency_series *series,
                       const char *name, struct ink ink, float bottom)
{
    uint64_t bins[LATENCY_BINS], most = 1;
    char text[200];
    latency_bins(series, bins);
    for (uint32_t b = 0; b < LATENCY_BINS; ++b)
        most = bins[b] > most ? bins[b] : most;
    draw_axis(canvas, bottom);
    for (uint32_t b = 0; b < LATENCY_BINS; ++b) {
        const double share = log1p((double)bins[b]) / log1p((double)most);
        const float least[2] = {across(b) + 1, bottom - (float)share * (PANEL - 24)};
        const float end[2] = {across(b + 1.0) - 1, bottom};
        if (bins[b] > 0)
            canvas_box(canvas, least, end, 1, ink);
    }
    snprintf(text, sizeof text, "%s: p50 %.4g, p99 %.4g, p99.9 %.4g, max %.4g ms", name,
             1e3 * latency_at(series, 0.5), 1e3 * latency_at(series, 0.99),
             1e3 * latency_at(series, 0.999), 1e3 * latency_at(series, 1));
    canvas_text(canvas, LEFT, bottom - PANEL + 14, 10, dark, text);
}

bool latency_draw(const struct latency *result, const char *title, const char *path,
                  struct problem *problem)
{
    struct picture picture;
    if (!picture_make(&picture, WIDTH, HEIGHT, problem))
        return false;
    memset(picture.rgb, 255, (size_t)3 * WIDTH * HEIGHT);
    const struct canvas canvas = {picture.rgb, WIDTH, HEIGHT, 3};
    canvas_text(&canvas, LEFT, 30, 13, dark, title);
    canvas_text(&canvas, LEFT, 48, 8, soft, "how many, as a logarithm");
    const float first = TOP + PANEL;
    draw_panel(&canvas, &result->step, "step", inks[0], first);
    draw_panel(&canvas, &result->wake, "wake-up", inks[1], first + PANEL + GAP);
    draw_panel(&canvas, &result->bare, "bare wake-up", inks[2], first + 2 * (PANEL + GAP));
    const bool good = png_file_write(&picture, path, problem);
    picture_free(&picture);
    return good;
}
