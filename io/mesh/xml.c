/* xml.c - see xml.h. */
#include "io/mesh/xml.h"

#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void forward(struct scan *scan, const char *to)
{
    for (; scan->at < to; ++scan->at)
        scan->line += *scan->at == '\n';
}

/* Behind the next `mark`; false when there is none. */
static bool past(struct scan *scan, const char *mark)
{
    const size_t length = strlen(mark);
    const char *at = scan->at;
    while (at && (size_t)(scan->end - at) >= length && strncmp(at, mark, length) != 0)
        at = memchr(at + 1, mark[0], (size_t)(scan->end - at - 1));
    if (!at || (size_t)(scan->end - at) < length)
        return false;
    forward(scan, at + length);
    return true;
}

static void spaces(struct scan *scan)
{
    const char *at = scan->at;
    while (at < scan->end && is_space(*at))
        ++at;
    forward(scan, at);
}

static void take_name(struct scan *scan, char name[SCAN_WORD])
{
    size_t letters = 0;
    while (scan->at < scan->end && !is_space(*scan->at) && !strchr("=/><\"'", *scan->at)) {
        if (letters < SCAN_WORD - 1)
            name[letters++] = *scan->at;
        ++scan->at;
    }
    name[letters] = 0;
}

static bool take_attribute(struct scan *scan, struct xml_tag *tag)
{
    char name[SCAN_WORD];
    take_name(scan, name);
    spaces(scan);
    if (name[0] == 0 || scan->at >= scan->end || *scan->at != '=')
        return scan_fail(scan, "an attribute was expected");
    ++scan->at;
    spaces(scan);
    const char quote = scan->at < scan->end ? *scan->at : 0;
    const char *begin = scan->at + 1;
    const char *stop =
        quote == '"' || quote == '\'' ? memchr(begin, quote, (size_t)(scan->end - begin)) : NULL;
    if (!stop)
        return scan_fail(scan, "the value of an attribute was expected, in quotes");
    if (tag->count < XML_ATTRIBUTES) {
        memcpy(tag->attributes[tag->count].name, name, sizeof name);
        tag->attributes[tag->count].value = begin;
        tag->attributes[tag->count++].length = (size_t)(stop - begin);
    }
    forward(scan, stop + 1);
    return true;
}

static enum xml_found take_tag(struct scan *scan, struct xml_tag *tag)
{
    tag->count = 0;
    tag->empty = false;
    tag->closes = scan->at < scan->end && *scan->at == '/';
    scan->at += tag->closes;
    take_name(scan, tag->name);
    if (tag->name[0] == 0)
        return scan_fail(scan, "a tag without a name") ? XML_TAG : XML_BAD;
    for (;;) {
        spaces(scan);
        tag->empty = scan->at < scan->end && *scan->at == '/';
        scan->at += tag->empty;
        if (scan->at < scan->end && *scan->at == '>') {
            ++scan->at;
            return XML_TAG;
        }
        if (tag->empty || scan->at >= scan->end)
            return scan_fail(scan, "the tag \"%s\" does not end", tag->name) ? XML_TAG : XML_BAD;
        if (!take_attribute(scan, tag))
            return XML_BAD;
    }
}

enum xml_found xml_next(struct scan *scan, struct xml_tag *tag)
{
    while (past(scan, "<")) {
        const size_t left = (size_t)(scan->end - scan->at);
        const bool comment = left >= 3 && memcmp(scan->at, "!--", 3) == 0;
        if (comment || (left > 0 && (*scan->at == '?' || *scan->at == '!'))) {
            if (!past(scan, comment ? "-->" : ">"))
                return scan_fail(scan, "a comment or a head does not end") ? XML_TAG : XML_BAD;
            continue;
        }
        return take_tag(scan, tag);
    }
    return XML_END;
}

struct scan xml_value(const struct scan *scan, const struct xml_tag *tag, const char *name)
{
    struct scan value = *scan;
    value.end = value.at;
    for (unsigned i = 0; i < tag->count; ++i)
        if (strcmp(tag->attributes[i].name, name) == 0) {
            value.at = tag->attributes[i].value;
            value.end = value.at + tag->attributes[i].length;
        }
    return value;
}

const char *xml_word(const struct xml_tag *tag, const char *name, char text[SCAN_WORD])
{
    const struct scan none = {.at = ""};
    const struct scan value = xml_value(&none, tag, name);
    const size_t length = (size_t)(value.end - value.at);
    const size_t kept = length < SCAN_WORD ? length : SCAN_WORD - 1;
    memcpy(text, value.at, kept);
    text[kept] = 0;
    return text;
}

bool xml_count(struct scan *scan, const struct xml_tag *tag, const char *name, uint64_t *value)
{
    char text[SCAN_WORD];
    uint64_t number = 0;
    xml_word(tag, name, text);
    for (const char *c = text; *c; ++c) {
        if (*c < '0' || *c > '9' || number > UINT64_MAX / 16)
            return scan_fail(scan, "%s=\"%s\" where a whole number was expected", name, text);
        number = 10 * number + (uint64_t)(*c - '0');
    }
    *value = number;
    return text[0] || scan_fail(scan, "\"%s\" has no %s", tag->name, name);
}
