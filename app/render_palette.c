#include "render_palette.h"

#include <math.h>
#include <string.h>

static const uint8_t bodies[][3] = {
    {232, 93, 66},  {38, 150, 160}, {244, 181, 60}, {74, 91, 160},
    {120, 168, 84}, {196, 84, 130}, {94, 176, 214}, {168, 124, 88},
};

static const uint8_t values[][3] = {
    {58, 76, 148},   {44, 123, 173}, {68, 170, 170}, {150, 205, 150},
    {240, 226, 150}, {246, 170, 80}, {226, 92, 60},  {150, 26, 60},
};

static uint8_t mix(uint8_t a, uint8_t b, float share)
{
    return (uint8_t)lrintf((float)a + ((float)b - (float)a) * share);
}

void render_palette_body(uint32_t index, uint8_t rgb[3])
{
    memcpy(rgb, bodies[index % (sizeof bodies / sizeof *bodies)], 3);
}

void render_palette_many(uint32_t index, uint8_t rgb[3])
{
    float turn = fmodf((float)(index % 65536u) * 0.618034f, 1.0f) * 6.2831853f;
    float light = index % 3u == 0 ? 0.62f : index % 3u == 1 ? 0.5f : 0.72f;
    for (int i = 0; i < 3; i++) {
        float c = light + 0.26f * cosf(turn - 2.0943951f * (float)i);
        rgb[i] = (uint8_t)lrintf(255.0f * fmaxf(0.0f, fminf(1.0f, c)));
    }
}

void render_palette_value(float value, uint8_t rgb[3])
{
    const uint32_t last = sizeof values / sizeof *values - 1;
    float x = value > 0.0f ? fminf(value, 1.0f) * (float)last : 0.0f;
    uint32_t i = (uint32_t)x < last ? (uint32_t)x : last - 1;
    for (int k = 0; k < 3; k++) {
        rgb[k] = mix(values[i][k], values[i + 1][k], x - (float)i);
    }
}
