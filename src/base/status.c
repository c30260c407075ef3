/* status.c - the words for every status, and the formatting of an error. No allocation, no stdio.
 */
#include "piola/piola.h"

static const char *const texts[PIOLA_STATUS_COUNT] = {
    [PIOLA_OK] = "all is well",
#define STATUS(NAME, text) [PIOLA_ERROR_##NAME] = text,
#include "families/families.def"
};

/* Each has one row, by its name in status.h: a second one is a warning of the compiler. */
enum {
    STATUSES = 1
#define STATUS(NAME, text) +1
#include "families/families.def"
};
_Static_assert(STATUSES == (int)PIOLA_STATUS_COUNT, "status.h and the STATUS rows differ");

const char *piola_status_text(piola_status status)
{
    const unsigned index = (unsigned)status;
    if (index >= PIOLA_STATUS_COUNT || !texts[index])
        return "unknown status";
    return texts[index];
}

#define TEXT(number)                     #number
#define VERSION_TEXT(major, minor, rest) TEXT(major) "." TEXT(minor) "." TEXT(rest)

const char *piola_version(void)
{
    return VERSION_TEXT(PIOLA_VERSION_MAJOR, PIOLA_VERSION_MINOR, PIOLA_VERSION_PATCH);
}

/* A growing text of which only the first bytes - 1 characters are kept. */
struct writer {
    char *text;
    size_t bytes;
    size_t length;
};

static void put(struct writer *w, const char *s)
{
    for (; *s; ++s, ++w->length)
        if (w->length + 1 < w->bytes)
            w->text[w->length] = *s;
}

static void put_number(struct writer *w, uint64_t n)
{
    char digits[21];
    size_t at = sizeof digits - 1;
    digits[at] = 0;
    do
        digits[--at] = (char)('0' + n % 10);
    while ((n /= 10) != 0);
    put(w, digits + at);
}

size_t piola_error_format(const piola_error *error, char *text, size_t bytes)
{
    struct writer w = {text, text ? bytes : 0, 0};
    if (error) {
        if (error->field)
            put(&w, error->field);
        if (error->has_item) {
            put(&w, "[");
            put_number(&w, error->item);
            put(&w, "]");
        }
        if (error->field || error->has_item)
            put(&w, ": ");
        put(&w, piola_status_text(error->status));
    }
    if (w.bytes)
        w.text[w.length < w.bytes ? w.length : w.bytes - 1] = 0;
    return w.length;
}
