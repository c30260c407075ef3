/* tetgen.c - see tetgen.h. */
#include "io/mesh/tetgen.h"
#include "io/base/memory.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_LIMIT  4096
#define ITEMS_LIMIT (1u << 26) /* of piola.h */

/* One file being read, line by line; comments and empty lines are skipped. */
struct reader {
    FILE *file;
    long bytes; /* of the file */
    const char *path;
    size_t line;
    char text[LINE_LIMIT];
    char *at; /* next unread character of the line */
    struct problem *problem;
};

static bool fail(struct reader *r, const char *what)
{
    return problem_at(r->problem, EXIT_SCENE, r->path, r->line, "%s", what);
}

static bool fail_memory(struct reader *r, const char *what, size_t bytes)
{
    return problem_memory(r->problem, what, bytes);
}

static bool fail_item(struct reader *r, const char *kind, uint32_t item, const char *what)
{
    char text[96];
    snprintf(text, sizeof text, "%s %lu: %s", kind, (unsigned long)item, what);
    return fail(r, text);
}

static bool open_file(struct reader *r, const char *path, struct problem *problem)
{
    memset(r, 0, sizeof *r);
    r->path = path;
    r->problem = problem;
    r->file = fopen(path, "rb");
    if (r->file == NULL) {
        return problem_errno(problem, path, "opened");
    }
    if (fseek(r->file, 0, SEEK_END) != 0 || (r->bytes = ftell(r->file)) < 0 ||
        fseek(r->file, 0, SEEK_SET) != 0) {
        (void)problem_errno(problem, path, "read");
        (void)fclose(r->file);
        return false;
    }
    return true;
}

/* Whether the file can hold so many lines of at least `least` bytes: asked before memory is, so
 * that a file never takes more than three times its size, and room for 16 lines. A file that
 * lacks a few is read to its end, where the line is named. */
static bool can_hold(const struct reader *r, uint64_t count, unsigned least)
{
    return count <= (uint64_t)r->bytes / least + 16;
}

/* Moves to the next line that has content. */
static bool next_line(struct reader *r, const char *expected)
{
    while (fgets(r->text, sizeof r->text, r->file) != NULL) {
        r->line++;
        if (strchr(r->text, '\n') == NULL && !feof(r->file)) {
            return fail(r, "line too long, or a byte 0 in the text");
        }
        char *comment = strchr(r->text, '#');
        if (comment != NULL) {
            *comment = 0;
        }
        r->at = r->text + strspn(r->text, " \t\r\n");
        if (*r->at != 0) {
            return true;
        }
    }
    if (ferror(r->file)) {
        return problem_errno(r->problem, r->path, "read");
    }
    char text[96];
    snprintf(text, sizeof text, "the file ends where %s was expected", expected);
    return fail(r, text);
}

static bool read_whole(struct reader *r, uint64_t *value)
{
    char *end = r->at;
    r->at += strspn(r->at, " \t");
    if (*r->at < '0' || *r->at > '9') {
        return false;
    }
    errno = 0;
    *value = strtoull(r->at, &end, 10);
    const bool good = errno == 0 && (*end == 0 || strchr(" \t\r\n", *end) != NULL);
    r->at = end;
    return good;
}

static bool read_number(struct reader *r, double *value)
{
    char *end = r->at;
    *value = strtod(r->at, &end);
    const bool good = end != r->at && isfinite(*value) && (*end == 0 || strchr(" \t\r\n", *end));
    r->at = end;
    return good;
}

static bool read_nodes(struct reader *r, struct meshgen *mesh, uint32_t *base)
{
    uint64_t count = 0, dimension = 0, index = 0;
    if (!next_line(r, "the number of nodes")) {
        return false;
    }
    if (!read_whole(r, &count) || count == 0 || count > ITEMS_LIMIT) {
        return fail(r, "expected a number of nodes from 1 to 67108864");
    }
    if (!read_whole(r, &dimension) || dimension != 3) {
        return fail(r, "expected dimension 3");
    }
    if (!can_hold(r, count, 8)) { /* "0 0 0 0\n" */
        return fail(r, "the file is too short for so many nodes");
    }
    mesh->vertices = memory_zero(count, 3 * sizeof(double));
    if (mesh->vertices == NULL) {
        return fail_memory(r, "the nodes", 24 * (size_t)count);
    }
    mesh->vertex_count = (uint32_t)count;
    for (uint32_t i = 0; i < count; i++) {
        if (!next_line(r, "a node")) {
            return false;
        }
        if (!read_whole(r, &index) || (i == 0 && index > 1) || (i > 0 && index != *base + i)) {
            return fail_item(r, "node", i, "expected rising numbers from 0 or 1");
        }
        *base = i == 0 ? (uint32_t)index : *base;
        for (unsigned axis = 0; axis < 3; axis++) {
            if (!read_number(r, &mesh->vertices[3 * (size_t)i + axis])) {
                return fail_item(r, "node", i, "expected three finite coordinates");
            }
            if (fabs(mesh->vertices[3 * (size_t)i + axis]) > MESHGEN_FAR) {
                return fail_item(r, "node", i, "a coordinate is beyond 1e12 m");
            }
        }
    }
    return true;
}

/* The first attribute, behind `skip` more nodes. TetGen writes it as a real number. */
static bool read_region(struct reader *r, uint64_t skip, uint32_t *region)
{
    uint64_t node = 0;
    double number = 0;
    for (uint64_t i = 0; i < skip; i++) {
        if (!read_whole(r, &node)) {
            return false;
        }
    }
    if (!read_number(r, &number) || !(number >= 0 && number <= (double)UINT32_MAX)) {
        return false;
    }
    *region = (uint32_t)number;
    return (double)*region == number;
}

static bool read_elements(struct reader *r, struct meshgen *mesh, uint32_t *base)
{
    uint64_t count = 0, corners = 0, index = 0, attributes = 0;
    if (!next_line(r, "the number of tetrahedra")) {
        return false;
    }
    if (!read_whole(r, &count) || count == 0 || count > ITEMS_LIMIT) {
        return fail(r, "expected a number of tetrahedra from 1 to 67108864");
    }
    if (!read_whole(r, &corners) || (corners != 4 && corners != 10)) {
        return fail(r, "expected 4 or 10 nodes per tetrahedron");
    }
    (void)read_whole(r, &attributes); /* may be left out */
    if (!can_hold(r, count, 10)) {    /* "0 0 1 2 3\n" */
        return fail(r, "the file is too short for so many tetrahedra");
    }
    mesh->tetrahedra = memory_zero(count, 4 * sizeof(uint32_t));
    if (mesh->tetrahedra == NULL) {
        return fail_memory(r, "the tetrahedra", 16 * (size_t)count);
    }
    mesh->regions = attributes > 0 ? memory_zero(count, sizeof(uint32_t)) : NULL;
    if (attributes > 0 && mesh->regions == NULL) {
        return fail_memory(r, "the tetrahedra's regions", 4 * (size_t)count);
    }
    mesh->tetrahedron_count = (uint32_t)count;
    for (uint32_t i = 0; i < count; i++) {
        if (!next_line(r, "a tetrahedron")) {
            return false;
        }
        if (!read_whole(r, &index) || index != (uint64_t)*base + i) {
            return fail_item(r, "tetrahedron", i, "expected rising numbers, as the nodes have");
        }
        for (unsigned corner = 0; corner < 4; corner++) {
            if (!read_whole(r, &index)) {
                return fail_item(r, "tetrahedron", i, "expected four node numbers");
            }
            if (index < *base || index - *base >= mesh->vertex_count) {
                return fail_item(r, "tetrahedron", i, "names a node that does not exist");
            }
            mesh->tetrahedra[4 * (size_t)i + corner] = (uint32_t)(index - *base);
        }
        if (mesh->regions != NULL && !read_region(r, corners - 4, &mesh->regions[i])) {
            return fail_item(r, "tetrahedron", i, "expected a region number from 0 to 4294967295");
        }
    }
    return true;
}

static bool left_handed(const struct meshgen *mesh, const uint32_t *v)
{
    double d[3][3];
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned axis = 0; axis < 3; axis++) {
            d[i][axis] =
                mesh->vertices[3 * (size_t)v[i] + axis] - mesh->vertices[3 * (size_t)v[3] + axis];
        }
    }
    return d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
               d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
               d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]) <
           0;
}

static void turn_right_handed(struct meshgen *mesh)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < mesh->tetrahedron_count; i++) {
        left += left_handed(mesh, mesh->tetrahedra + 4 * (size_t)i);
    }
    for (uint32_t i = 0; i < mesh->tetrahedron_count && left > mesh->tetrahedron_count / 2; i++) {
        uint32_t *v = mesh->tetrahedra + 4 * (size_t)i;
        const uint32_t swap = v[0];
        v[0] = v[1];
        v[1] = swap;
    }
}

typedef bool read_part(struct reader *r, struct meshgen *mesh, uint32_t *base);

static bool read_file(const char *path, read_part *part, struct meshgen *mesh, uint32_t *base,
                      struct problem *problem)
{
    struct reader reader;
    if (!open_file(&reader, path, problem)) {
        return false;
    }
    FILE *const file = reader.file;
    const bool good = part(&reader, mesh, base);
    (void)fclose(file);
    return good;
}

bool tetgen_read(const char *node_path, const char *ele_path, struct meshgen *mesh,
                 struct problem *problem)
{
    uint32_t base = 0;
    memset(mesh, 0, sizeof *mesh);
    if (!read_file(node_path, read_nodes, mesh, &base, problem) ||
        !read_file(ele_path, read_elements, mesh, &base, problem)) {
        meshgen_free(mesh);
        return false;
    }
    turn_right_handed(mesh);
    return true;
}
