/* base64.c - see base64.h. */
#include "io/mesh/base64.h"

#include <stdbool.h>

static int digit(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Four letters are up to three bytes; false at the end of the base64. */
static bool decode_four(struct base64 *text)
{
    unsigned bits = 0, letters = 0, pads = 0;
    while (letters + pads < 4) {
        while (text->at < text->end && is_space(*text->at))
            ++text->at;
        if (text->at >= text->end)
            return false;
        const int value = digit(*text->at);
        if (value < 0 ? *text->at != '=' || letters < 2 : pads > 0)
            return false;
        bits = bits << 6 | (value < 0 ? 0 : (unsigned)value);
        letters += value >= 0;
        pads += value < 0;
        ++text->at;
    }
    for (unsigned i = 0; i < 3; ++i)
        text->held[i] = (unsigned char)(bits >> (16 - 8 * i));
    text->held_from = 0;
    text->held_to = 3 - pads;
    return true;
}

size_t base64_take(struct base64 *text, void *to, size_t size)
{
    unsigned char *out = to;
    for (size_t i = 0; i < size; ++i) {
        if (text->held_from == text->held_to && !decode_four(text))
            return i;
        out[i] = text->held[text->held_from++];
    }
    return size;
}
