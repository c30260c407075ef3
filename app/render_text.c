#include "render_text.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* A glyph is strokes divided by blanks. A stroke is points x y, each a base-36 digit (y: 0
 * descender, 4 baseline, e height of x, i height of H), joined by '-' for a line, '(' for a quarter
 * ellipse that leaves upright, ')' for one that leaves level. */
#define DIGITS(c) ((c) <= '9' ? (c) - '0' : (c) - 'a' + 10)
#define BASE      4.0f
#define CAPITAL   14.0f
#define GAP       4.5f
#define BLANK     6.0f
#define ARC_STEPS 8

static const char *const unknown = "04-84-8i-0i-04";

static const char *const glyphs[95] = {
    /* space */ "",
    /* ! */ "0i-09 04-04",
    /* " */ "0i-0f 3i-3f",
    /* # */ "24-4i 64-8i 08-98 1e-ae",
    /* $ */ "8f(4i)0e(4b)87(44)07 4k-42",
    /* % */ "04-8i 2i)0g(2e)4g(2i 68)46(64)86(68",
    /* & */ "84-2e(4i)6f-08(34)88",
    /* ' */ "0i-0f",
    /* ( */ "3j-1f-17-33",
    /* ) */ "0j-2f-27-03",
    /* * */ "3i-3c 0g-6e 0e-6g",
    /* + */ "0a-8a 46-4e",
    /* , */ "15-02",
    /* - */ "0a-5a",
    /* . */ "04-04",
    /* / */ "03-7j",
    /* 0 */ "4i)0b(44)8b(4i",
    /* 1 */ "0f-4i-44",
    /* 2 */ "0e(4i)8e-7b-04-84",
    /* 3 */ "0f(4i)7e(4b-3b 4b)87(44)07",
    /* 4 */ "64-6i-08-88",
    /* 5 */ "7i-1i-0b(4d)88(44)07",
    /* 6 */ "7h(5i)0b-08(44)88(4c)08",
    /* 7 */ "0i-8i-34",
    /* 8 */ "4b)7f(4i)1f(4b 4b)87(44)07(4b",
    /* 9 */ "15(34)8b-8e(4i)0e(4a)8e",
    /* : */ "05-05 0d-0d",
    /* ; */ "15-02 1d-1d",
    /* < */ "8e-0a-86",
    /* = */ "08-88 0c-8c",
    /* > */ "0e-8a-06",
    /* ? */ "0f(4i)8f(4b-49 44-44",
    /* @ */ "",
    /* A */ "04-4i-84 18-78",
    /* B */ "04-0i-4i)7e(4b-0b 4b)87(44-04",
    /* C */ "8e(4i)0b(44)88",
    /* D */ "04-0i-3i)8b(34-04",
    /* E */ "7i-0i-04-74 0b-6b",
    /* F */ "7i-0i-04 0b-6b",
    /* G */ "8e(4i)0b(44)88-8a-5a",
    /* H */ "04-0i 84-8i 0b-8b",
    /* I */ "04-0i",
    /* J */ "5i-58(24)06",
    /* K */ "04-0i 8i-0a 2c-84",
    /* L */ "0i-04-74",
    /* M */ "04-0i-58-ai-a4",
    /* N */ "04-0i-84-8i",
    /* O */ "5i)0b(54)ab(5i",
    /* P */ "04-0i-4i)8e(4a-0a",
    /* Q */ "5i)0b(54)ab(5i 77-a3",
    /* R */ "04-0i-4i)8e(4a-0a 4a-84",
    /* S */ "8f(4i)0e(4b)87(44)07",
    /* T */ "0i-8i 4i-44",
    /* U */ "0i-08(44)88-8i",
    /* V */ "0i-44-8i",
    /* W */ "0i-34-6f-94-ci",
    /* X */ "04-8i 0i-84",
    /* Y */ "0i-4b-8i 4b-44",
    /* Z */ "0i-8i-04-84",
    /* [ */ "3j-0j-03-33",
    /* \ */ "0j-73",
    /* ] */ "0j-3j-33-03",
    /* ^ */ "0e-3i-6e",
    /* _ */ "02-82",
    /* ` */ "0i-2g",
    /* a */ "4e)09(44)89(4e 8e-84",
    /* b */ "0i-04 4e)09(44)89(4e",
    /* c */ "7c(4e)09(44)76",
    /* d */ "8i-84 4e)09(44)89(4e",
    /* e */ "09-89(4e)09(44)76",
    /* f */ "5i)2f-24 0e-5e",
    /* g */ "4e)09(44)89(4e 8e-83(40)12",
    /* h */ "0i-04 0a(4e)8a-84",
    /* i */ "0e-04 0i-0i",
    /* j */ "3e-32(10 3i-3i",
    /* k */ "0i-04 7e-08 2a-74",
    /* l */ "0i-07(34",
    /* m */ "0e-04 0a(3e)6a-64 6a(9e)ca-c4",
    /* n */ "0e-04 0a(4e)8a-84",
    /* o */ "4e)09(44)89(4e",
    /* p */ "0e-00 4e)09(44)89(4e",
    /* q */ "8e-80 4e)09(44)89(4e",
    /* r */ "0e-04 09(4e",
    /* s */ "7c(4e)1b(49)76(44)06",
    /* t */ "2i-27(44-54 0e-5e",
    /* u */ "0e-08(44)88-8e 8e-84",
    /* v */ "0e-44-8e",
    /* w */ "0e-34-6c-94-ce",
    /* x */ "04-7e 0e-74",
    /* y */ "0e-44 8e-20",
    /* z */ "0e-7e-04-74",
    /* { */ "4j)2g-2d-0b-29-26(43",
    /* | */ "0j-03",
    /* } */ "0j)2g-2d-4b-29-26(03",
    /* ~ */ "09(2c)4a(68)8b",
};

static const char *glyph_of(char c)
{
    if (c == '@' || c < ' ' || c > '~') {
        return unknown;
    }
    return glyphs[c - ' '];
}

static float glyph_width(char c)
{
    float width = 0.0f;
    if (c == ' ') {
        return BLANK;
    }
    for (const char *p = glyph_of(c); *p != 0;) {
        if (*p == ' ' || *p == '-' || *p == '(' || *p == ')') {
            p++;
            continue;
        }
        width = fmaxf(width, (float)DIGITS(p[0]));
        p += 2;
    }
    return width;
}

float canvas_text_width(float height, const char *text)
{
    float width = 0.0f;
    for (const char *p = text; *p != 0; p++) {
        width += glyph_width(*p) + (p[1] != 0 ? GAP : 0.0f);
    }
    return width * height / CAPITAL;
}

static void blend(const struct canvas *canvas, int x, int y, float alpha, struct ink ink)
{
    if (x < 0 || y < 0 || x >= (int)canvas->width || y >= (int)canvas->height || !(alpha > 0.0f)) {
        return;
    }
    size_t at = ((size_t)y * canvas->width + (size_t)x) * canvas->channels;
    uint8_t *pixel = canvas->pixels + at;
    for (uint32_t i = 0; i < canvas->channels; i++) {
        float over = i < 3 ? (float)ink.rgb[i] : 255.0f;
        pixel[i] = (uint8_t)lrintf((float)pixel[i] * (1.0f - alpha) + over * alpha);
    }
}

/* Rows or columns that a shape from least to most touches, inside the canvas. */
static void reach(float least, float most, uint32_t size, int *first, int *last)
{
    float low = fmaxf(0.0f, fminf(floorf(least), (float)size));
    float high = fmaxf(-1.0f, fminf(ceilf(most), (float)size - 1.0f));
    *first = (int)low;
    *last = (int)high;
}

static float to_segment(const float from[2], const float to[2], float x, float y)
{
    float dx = to[0] - from[0];
    float dy = to[1] - from[1];
    float square = dx * dx + dy * dy;
    float t = square > 0.0f ? ((x - from[0]) * dx + (y - from[1]) * dy) / square : 0.0f;
    t = fmaxf(0.0f, fminf(1.0f, t));
    float ex = from[0] + t * dx - x;
    float ey = from[1] + t * dy - y;
    return sqrtf(ex * ex + ey * ey);
}

/* A path drawn as one, so that its joints are not darker where ink is thin. */
static void draw_path(const struct canvas *canvas, const float (*points)[2], int count, float width,
                      struct ink ink)
{
    float least[2] = {points[0][0], points[0][1]};
    float most[2] = {points[0][0], points[0][1]};
    float half = 0.5f * width;
    int x0;
    int x1;
    int y0;
    int y1;
    for (int i = 1; i < count; i++) {
        for (int k = 0; k < 2; k++) {
            least[k] = fminf(least[k], points[i][k]);
            most[k] = fmaxf(most[k], points[i][k]);
        }
    }
    reach(least[0] - half - 1.0f, most[0] + half + 1.0f, canvas->width, &x0, &x1);
    reach(least[1] - half - 1.0f, most[1] + half + 1.0f, canvas->height, &y0, &y1);
    for (int y = y0; y <= y1; y++) {
        for (int x = x0; x <= x1; x++) {
            float nearest = 1e9f;
            for (int i = 0; i + 1 < count || i == 0; i++) {
                const float *to = points[count > 1 ? i + 1 : 0];
                nearest =
                    fminf(nearest, to_segment(points[i], to, (float)x + 0.5f, (float)y + 0.5f));
            }
            float cover = fmaxf(0.0f, fminf(1.0f, half + 0.5f - nearest));
            blend(canvas, x, y, cover * ink.alpha, ink);
        }
    }
}

void canvas_line(const struct canvas *canvas, const float from[2], const float to[2], float width,
                 struct ink ink)
{
    const float points[2][2] = {{from[0], from[1]}, {to[0], to[1]}};
    draw_path(canvas, points, 2, width, ink);
}

void canvas_box(const struct canvas *canvas, const float least[2], const float most[2],
                float radius, struct ink ink)
{
    int x0;
    int x1;
    int y0;
    int y1;
    reach(least[0], most[0], canvas->width, &x0, &x1);
    reach(least[1], most[1], canvas->height, &y0, &y1);
    for (int y = y0; y <= y1; y++) {
        for (int x = x0; x <= x1; x++) {
            float px = (float)x + 0.5f;
            float py = (float)y + 0.5f;
            float qx = fmaxf(least[0] - px, px - most[0]) + radius;
            float qy = fmaxf(least[1] - py, py - most[1]) + radius;
            float ox = fmaxf(qx, 0.0f);
            float oy = fmaxf(qy, 0.0f);
            float outside = sqrtf(ox * ox + oy * oy) + fminf(fmaxf(qx, qy), 0.0f) - radius;
            float cover = 0.5f - outside;
            blend(canvas, x, y, fmaxf(0.0f, fminf(1.0f, cover)) * ink.alpha, ink);
        }
    }
}

/* Adds a quarter ellipse from the last point to `to`. */
static int arc(float (*points)[2], int count, const float to[2], char kind)
{
    float from[2] = {points[count - 1][0], points[count - 1][1]};
    for (int i = 1; i <= ARC_STEPS; i++) {
        float t = 1.5707963f * (float)i / (float)ARC_STEPS;
        float level = kind == ')' ? sinf(t) : 1.0f - cosf(t);
        float upright = kind == ')' ? 1.0f - cosf(t) : sinf(t);
        points[count][0] = from[0] + (to[0] - from[0]) * level;
        points[count][1] = from[1] + (to[1] - from[1]) * upright;
        count++;
    }
    return count;
}

/* Reads one stroke into points; returns where the next begins. */
static const char *read_stroke(const char *p, float x, float y, float scale, float (*points)[2],
                               int most, int *count)
{
    char kind = 0;
    *count = 0;
    while (*p != 0 && *p != ' ') {
        const float to[2] = {x + scale * (float)DIGITS(p[0]),
                             y - scale * ((float)DIGITS(p[1]) - BASE)};
        if ((kind == '(' || kind == ')') && *count + ARC_STEPS <= most) {
            *count = arc(points, *count, to, kind);
        } else if (*count < most) {
            points[*count][0] = to[0];
            points[*count][1] = to[1];
            ++*count;
        }
        p += 2;
        kind = *p;
        if (kind != 0 && kind != ' ') {
            p++;
        }
    }
    return *p == ' ' ? p + 1 : p;
}

float canvas_text(const struct canvas *canvas, float x, float y, float height, struct ink ink,
                  const char *text)
{
    enum { MOST = 8 * (ARC_STEPS + 1) };
    float points[MOST][2];
    float scale = height / CAPITAL;
    float start = x;
    int count;
    for (const char *c = text; *c != 0; c++) {
        for (const char *p = glyph_of(*c); *p != 0;) {
            p = read_stroke(p, x, y, scale, points, MOST, &count);
            if (count > 0) {
                draw_path(canvas, (const float(*)[2])points, count, height * 0.135f, ink);
            }
        }
        x += scale * (glyph_width(*c) + (c[1] != 0 ? GAP : 0.0f));
    }
    return x - start;
}
