/* view_overlay.c - see view_overlay.h. */
#include "view_overlay.h"

#include "render_studio.h"

#include <math.h>
#include <stdio.h>

static const struct ink dark = {{44, 50, 60}, 1.0f};
static const struct ink soft = {{110, 118, 130}, 1.0f};
static const struct ink card = {{255, 255, 255}, 0.82f};
static const struct ink orange = {{226, 92, 60}, 1.0f};
static const struct ink teal = {{38, 140, 150}, 1.0f};
static const struct ink faint = {{150, 158, 168}, 0.6f};

const struct overlay_key overlay_keys[] = {
    {"left button", "pull a body; beside bodies: turn the view"},
    {"right button", "turn the view"},
    {"middle button", "move the view"},
    {"wheel", "nearer, farther"},
    {"Space", "pause, go on"},
    {". (dot)", "one step"},
    {"S", "slow motion: 1, 1/4, 1/16"},
    {"C", "next colours: body, material, strain, stress, speed, cluster, colour, contact"},
    {"W", "edges of triangles"},
    {"F", "flat triangles"},
    {"G", "graphs"},
    {"J", "joints: frames, axes, limits; rods: the axes of their sections"},
    {"[  ]", "softer, harder pull"},
    {"Home", "first view"},
    {"R", "begin again"},
    {"P", "save a picture"},
    {"F1", "this help"},
    {"Esc", "end"},
    {0},
};

void trace_add(struct trace *trace, float value)
{
    trace->values[trace->next] = value;
    trace->next = (trace->next + 1) % OVERLAY_SAMPLES;
    trace->count += trace->count < OVERLAY_SAMPLES;
}

static float trace_at(const struct trace *trace, uint32_t index)
{
    uint32_t first = trace->count < OVERLAY_SAMPLES ? 0 : trace->next;
    return trace->values[(first + index) % OVERLAY_SAMPLES];
}

static float trace_most(const struct trace *trace)
{
    float most = 0.0f;
    for (uint32_t i = 0; i < trace->count; i++) {
        most = fmaxf(most, trace->values[i]);
    }
    return most;
}

/* 1, 2 or 5 times a power of ten, not below the value. */
static float round_up(float value)
{
    float power = powf(10.0f, floorf(log10f(fmaxf(value, 1e-9f))));
    float digit = value / power;
    return power * (digit <= 1.0f ? 1.0f : digit <= 2.0f ? 2.0f : digit <= 5.0f ? 5.0f : 10.0f);
}

static void curve(const struct canvas *canvas, const struct trace *trace, const float least[2],
                  const float most[2], float top, struct ink ink)
{
    for (uint32_t i = 1; i < trace->count; i++) {
        float ends[2][2];
        for (uint32_t k = 0; k < 2; k++) {
            float share = (float)(i - 1 + k) / (float)(OVERLAY_SAMPLES - 1);
            float value = fminf(trace_at(trace, i - 1 + k) / top, 1.0f);
            ends[k][0] = least[0] + (most[0] - least[0]) * share;
            ends[k][1] = most[1] - (most[1] - least[1]) * value;
        }
        canvas_line(canvas, ends[0], ends[1], 1.4f, ink);
    }
}

/* One graph with its name, its last value and its top written at it. */
static void graph(const struct canvas *canvas, const struct trace *trace, float y, const char *name,
                  const char *unit, float budget, struct ink ink)
{
    const float least[2] = {(float)canvas->width - 262.0f, y};
    const float most[2] = {(float)canvas->width - 14.0f, y + 84.0f};
    const float inner_least[2] = {least[0] + 8.0f, y + 26.0f};
    const float inner_most[2] = {most[0] - 8.0f, most[1] - 8.0f};
    float top = round_up(trace_most(trace) * 1.05f);
    float last = trace->count > 0 ? trace_at(trace, trace->count - 1) : 0.0f;
    char text[80];
    canvas_box(canvas, least, most, 6.0f, card);
    snprintf(text, sizeof text, "%s %.3g %s", name, (double)last, unit);
    canvas_text(canvas, inner_least[0], y + 17.0f, 9.0f, dark, text);
    snprintf(text, sizeof text, "top %.3g", (double)top);
    canvas_text(canvas, inner_most[0] - canvas_text_width(8.0f, text), y + 17.0f, 8.0f, soft, text);
    if (budget > 0.0f && budget < top) {
        float line = inner_most[1] - (inner_most[1] - inner_least[1]) * budget / top;
        const float a[2] = {inner_least[0], line};
        const float b[2] = {inner_most[0], line};
        canvas_line(canvas, a, b, 1.0f, faint);
    }
    curve(canvas, trace, inner_least, inner_most, top, ink);
}

static void draw_help(const struct canvas *canvas)
{
    float rows = 0.0f;
    while (overlay_keys[(int)rows].key != NULL) {
        rows += 1.0f;
    }
    const float least[2] = {14.0f, 70.0f};
    const float most[2] = {530.0f, 92.0f + 19.0f * rows};
    canvas_box(canvas, least, most, 8.0f, card);
    for (int i = 0; overlay_keys[i].key != NULL; i++) {
        float y = 96.0f + 19.0f * (float)i;
        canvas_text(canvas, 30.0f, y, 9.0f, dark, overlay_keys[i].key);
        canvas_text(canvas, 150.0f, y, 9.0f, soft, overlay_keys[i].what);
    }
}

static void draw_pull(const struct overlay *overlay, const struct canvas *canvas)
{
    char text[40];
    const float end[2] = {overlay->to[0] + 0.01f, overlay->to[1]};
    snprintf(text, sizeof text, "%.3g N", (double)overlay->newton);
    canvas_line(canvas, overlay->from, overlay->to, 2.0f, orange);
    canvas_line(canvas, overlay->from, overlay->from, 7.0f, orange);
    canvas_line(canvas, overlay->to, end, 9.0f, orange);
    const float least[2] = {overlay->to[0] + 12.0f, overlay->to[1] - 12.0f};
    const float most[2] = {least[0] + canvas_text_width(10.0f, text) + 14.0f, least[1] + 24.0f};
    canvas_box(canvas, least, most, 5.0f, card);
    canvas_text(canvas, least[0] + 7.0f, least[1] + 17.0f, 10.0f, dark, text);
}

static void draw_frames(const struct overlay *overlay, const struct canvas *canvas)
{
    static const struct ink inks[] = {[FRAME_X] = {{214, 60, 60}, 1.0f},
                                      [FRAME_Y] = {{50, 150, 70}, 1.0f},
                                      [FRAME_Z] = {{50, 90, 210}, 1.0f},
                                      [FRAME_LIMIT] = {{230, 150, 30}, 0.9f}};
    for (uint32_t i = 0; i < overlay->line_count; i++) {
        const struct overlay_line *line = &overlay->lines[i];
        canvas_line(canvas, line->from, line->to, line->ink == FRAME_LIMIT ? 1.5f : 2.5f,
                    inks[line->ink]);
    }
}

void overlay_draw(const struct overlay *overlay, const struct figure *figure,
                  const struct canvas *canvas)
{
    canvas_text(canvas, 16.0f, 28.0f, 12.0f, dark, overlay->title);
    canvas_text(canvas, 16.0f, 48.0f, 9.0f, soft, overlay->state);
    canvas_text(canvas, 16.0f, 66.0f, 9.0f, orange, overlay->warning);
    const char *hint = "F1: help";
    canvas_text(canvas, 16.0f, (float)canvas->height - 16.0f, 9.0f, soft, hint);
    studio_scale(canvas, figure, (float)canvas->width - 18.0f, (float)canvas->height - 16.0f,
                 10.0f);
    if (overlay->graphs) {
        graph(canvas, &overlay->ms, 14.0f, "step", "ms", overlay->budget_ms, teal);
        graph(canvas, &overlay->residual, 106.0f, "residual", "N", 0.0f, orange);
    }
    if (overlay->frames) {
        draw_frames(overlay, canvas);
    }
    if (overlay->help) {
        draw_help(canvas);
    }
    if (overlay->pulling) {
        draw_pull(overlay, canvas);
    }
}
