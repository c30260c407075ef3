/* xml.h - the tags of an XML file that is not trusted, one after the other.
 *
 * Lives here: as much of XML as files of numbers have: tags with attributes, comments and heads
 * passed over. Names and numbers hold no entities, and none are replaced. What must not live here:
 * any format.
 */
#ifndef PIOLA_IO_XML_H
#define PIOLA_IO_XML_H

#include "io/mesh/scan.h"

enum { XML_ATTRIBUTES = 24 };

struct xml_tag {
    char name[SCAN_WORD];
    bool closes; /* </name> */
    bool empty;  /* <name/> */
    struct {
        char name[SCAN_WORD];
        const char *value; /* in the file, between its quotes */
        size_t length;
    } attributes[XML_ATTRIBUTES];
    unsigned count; /* further attributes are passed over */
};

enum xml_found { XML_TAG, XML_END, XML_BAD };

/* The next tag, text before it passed over; the scan then stands behind it. BAD has a problem. */
enum xml_found xml_next(struct scan *scan, struct xml_tag *tag);
/* An attribute's value, cut to fit; "" when there is none. Returns text. */
const char *xml_word(const struct xml_tag *tag, const char *name, char text[SCAN_WORD]);
/* A scan of an attribute's value, of no bytes when there is none. */
struct scan xml_value(const struct scan *scan, const struct xml_tag *tag, const char *name);
/* An attribute that is a whole number; false with a problem when it is another or none. */
bool xml_count(struct scan *scan, const struct xml_tag *tag, const char *name, uint64_t *value);

#endif
