/* abaqus_read.c - meshes of Abaqus and CalculiX (.inp), as text. Elements that are no surface and
 * no solid are passed over, curved ones keep their corners; solids of other elements than
 * tetrahedra, and what is generated, moved or in another file, are refused. A tetrahedron's region
 * is its element set, counted from 0 in the order in which the file names them. */
#include "io/mesh/meshes.h"
#include "io/mesh/numbered.h"
#include "io/mesh/soup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SETS_MOST = 256 };
enum section { PASSED_OVER, NODES, ELEMENTS, INSTANCE };

struct abaqus {
    struct scan scan;
    struct soup soup;
    struct numbered nodes; /* of the part that is read */
    enum section section;
    const struct kind *kind; /* of the section's elements */
    uint32_t region, set_count, parts, instances;
    char sets[SETS_MOST][SCAN_WORD];
};

/* ---- fields: what stands between commas ---- */

/* The next field of the line, without blanks around it, in capitals; false at the line's end. */
static bool field(struct scan *scan, char text[SCAN_WORD])
{
    size_t letters = 0, kept = 0;
    if (!scan_more_in_line(scan))
        return false;
    for (; scan->at < scan->end && *scan->at != ',' && *scan->at != '\n'; ++scan->at) {
        const char c = *scan->at;
        if (letters == SCAN_WORD - 1)
            continue;
        text[letters++] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
        kept = c == ' ' || c == '\t' || c == '\r' ? kept : letters;
    }
    text[kept] = 0;
    scan->at += scan->at < scan->end && *scan->at == ',';
    return true;
}

static bool field_count(struct scan *scan, uint64_t *value)
{
    char text[SCAN_WORD], *stop;
    if (!field(scan, text))
        return scan_fail(scan, "the line ends where a whole number was expected");
    *value = strtoull(text, &stop, 10);
    return (text[0] >= '0' && text[0] <= '9' && *stop == 0) ||
           scan_fail(scan, "\"%s\" where a whole number was expected", text);
}

/* What is left out is 0. */
static bool field_number(struct scan *scan, double *value)
{
    char text[SCAN_WORD], *stop = text;
    *value = 0;
    if (!field(scan, text) || text[0] == 0)
        return true;
    *value = strtod(text, &stop);
    return (*stop == 0 && isfinite(*value)) ||
           scan_fail(scan, "\"%s\" where a number was expected", text);
}

/* An element that does not fit into its line goes on behind a comma. */
static bool goes_on(struct scan *scan)
{
    if (scan_more_in_line(scan))
        return true;
    const char *last = scan->at;
    while (last > scan->begin && (last[-1] == ' ' || last[-1] == '\t' || last[-1] == '\r'))
        --last;
    return last > scan->begin && last[-1] == ',' && scan_more(scan) && *scan->at != '*';
}

/* ---- sections ---- */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static const struct kind {
    const char *name;
    unsigned corners, nodes; /* 5 corners: four, of a flat face */
} kinds[] = {
    {"C3D4", 4, 4},   {"C3D10", 4, 10}, {"DC3D4", 4, 4}, {"DC3D10", 4, 10}, {"S3", 3, 3},
    {"STRI3", 3, 3},  {"STRI65", 3, 6}, {"S6", 3, 6},    {"DS3", 3, 3},     {"DS6", 3, 6},
    {"CPS3", 3, 3},   {"CPS6", 3, 6},   {"CPE3", 3, 3},  {"CPE6", 3, 6},    {"CAX3", 3, 3},
    {"CAX6", 3, 6},   {"M3D3", 3, 3},   {"M3D6", 3, 6},  {"R3D3", 3, 3},    {"SFM3D3", 3, 3},
    {"SFM3D6", 3, 6}, {"S4", 5, 4},     {"S8", 5, 8},    {"DS4", 5, 4},     {"DS8", 5, 8},
    {"CPS4", 5, 4},   {"CPS8", 5, 8},   {"CPE4", 5, 4},  {"CPE8", 5, 8},    {"CAX4", 5, 4},
    {"CAX8", 5, 8},   {"M3D4", 5, 4},   {"M3D8", 5, 8},  {"R3D4", 5, 4},    {"SFM3D4", 5, 4},
    {"SFM3D8", 5, 8},
};

static bool is_passed_over(const char *type)
{
    static const char *const lines[] = {"B",       "T2D",  "T3D",   "MASS", "ROTARYI", "SPRING",
                                        "DASHPOT", "CONN", "DCOUP", "GAP",  "RB",      "PIPE"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i)
        if (begins(type, lines[i]))
            return true;
    return false;
}

/* C3D4H is of the kind C3D4, C3D40 would not be. */
static bool take_type(struct abaqus *a, const char *type)
{
    a->kind = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        const char after = begins(type, kinds[i].name) ? type[strlen(kinds[i].name)] : '0';
        if (after < '0' || after > '9')
            a->kind = &kinds[i];
    }
    a->section = a->kind ? ELEMENTS : PASSED_OVER;
    return a->kind || is_passed_over(type) ||
           scan_fail(&a->scan,
                     "elements of the type \"%s\" are not read: mesh with triangles and tetrahedra",
                     type);
}

static bool take_set(struct abaqus *a, const char *name)
{
    for (a->region = 0; a->region < a->set_count; ++a->region)
        if (strcmp(a->sets[a->region], name) == 0)
            return true;
    if (a->set_count == SETS_MOST)
        return scan_fail(&a->scan, "more than %d sets of elements", SETS_MOST);
    memcpy(a->sets[a->set_count++], name, SCAN_WORD);
    return true;
}

/* NAME=VALUE or NAME of a keyword's line. */
static bool take_parameter(struct abaqus *a, char text[SCAN_WORD], char type[SCAN_WORD],
                           char set[SCAN_WORD])
{
    char *equals = strchr(text, '=');
    const char *value = equals ? equals + 1 : "";
    value += strspn(value, " \t");
    if (a->section == PASSED_OVER)
        return true;
    if (begins(text, "TYPE"))
        memmove(type, value, strlen(value) + 1);
    else if (begins(text, "ELSET"))
        memmove(set, value, strlen(value) + 1);
    else if (begins(text, "INPUT"))
        return scan_fail(&a->scan, "what is in another file is not read: put it in this one");
    else if (begins(text, "SYSTEM") && strcmp(value, "R") != 0)
        return scan_fail(&a->scan, "nodes in cylindrical or spherical coordinates are not read");
    return true;
}

static bool refused(struct abaqus *a, const char *keyword)
{
    static const char *const names[] = {"*INCLUDE", "*NGEN",   "*NFILL", "*NCOPY",
                                        "*ELGEN",   "*ELCOPY", "*SYSTEM"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (strcmp(keyword, names[i]) == 0)
            return !scan_fail(
                &a->scan, "%s is not read: write the mesh out with all of its nodes and elements",
                keyword);
    return false;
}

static bool read_keyword(struct abaqus *a)
{
    char keyword[SCAN_WORD] = "", text[SCAN_WORD], type[SCAN_WORD] = "", set[SCAN_WORD] = "";
    a->scan.item = NULL;
    field(&a->scan, keyword);
    a->section = strcmp(keyword, "*NODE") == 0       ? NODES
                 : strcmp(keyword, "*ELEMENT") == 0  ? ELEMENTS
                 : strcmp(keyword, "*INSTANCE") == 0 ? INSTANCE
                                                     : PASSED_OVER;
    if (refused(a, keyword))
        return false;
    if (strcmp(keyword, "*PART") == 0) {
        numbered_free(&a->nodes);
        ++a->parts;
    }
    if (a->section == INSTANCE && ++a->instances > a->parts)
        return scan_fail(&a->scan, "a part that is used more than once is not read");
    while (field(&a->scan, text))
        if (!take_parameter(a, text, type, set))
            return false;
    const bool good = a->section != ELEMENTS || (take_type(a, type) && take_set(a, set));
    scan_line(&a->scan);
    a->scan.number = 0;
    a->scan.item = a->section == NODES      ? "node line"
                   : a->section == ELEMENTS ? "element line"
                                            : NULL;
    return good;
}

/* ---- data ---- */

static bool read_node(struct abaqus *a)
{
    uint64_t number = 0;
    double xyz[3];
    if (!field_count(&a->scan, &number))
        return false;
    for (int k = 0; k < 3; ++k)
        if (!field_number(&a->scan, &xyz[k]))
            return false;
    return numbered_keep(&a->nodes, &a->scan, number, a->soup.vertex_count) &&
           soup_vertex(&a->soup, xyz);
}

/* Of the nodes of curved elements the corners come first. */
static bool read_element(struct abaqus *a)
{
    const unsigned corners = a->kind->corners == 5 ? 4 : a->kind->corners;
    uint64_t number = 0;
    uint32_t v[4] = {0}, other;
    if (!field_count(&a->scan, &number))
        return false;
    for (unsigned i = 0; i < a->kind->nodes; ++i)
        if (!goes_on(&a->scan))
            return scan_fail(&a->scan, "an element has less than its %u nodes", a->kind->nodes);
        else if (!field_count(&a->scan, &number) ||
                 !numbered_find(&a->nodes, &a->scan, number, i < corners ? &v[i] : &other))
            return false;
    return a->kind->corners == 4 ? soup_tetrahedron(&a->soup, v, a->region)
                                 : soup_face(&a->soup, v, corners);
}

static bool read_line(struct abaqus *a)
{
    ++a->scan.number;
    if (a->section == INSTANCE)
        return scan_fail(&a->scan, "an instance that is moved or turned is not read");
    if ((a->section == NODES && !read_node(a)) || (a->section == ELEMENTS && !read_element(a)))
        return false;
    scan_line(&a->scan);
    return true;
}

static bool read_all(struct abaqus *a)
{
    while (scan_more(&a->scan)) {
        const char *at = a->scan.at;
        const bool comment = at[0] == '*' && at[1] == '*';
        if (comment)
            scan_line(&a->scan);
        else if (!(*at == '*' ? read_keyword(a) : read_line(a)))
            return false;
    }
    return true;
}

bool abaqus_parse(struct meshgen *mesh, const char *text, size_t bytes, const char *name,
                  struct problem *problem)
{
    struct abaqus a = {.scan = scan_text(name, text, bytes, problem)};
    a.soup.scan = &a.scan;
    const bool good = read_all(&a);
    numbered_free(&a.nodes);
    return soup_close(&a.soup, good, mesh);
}
