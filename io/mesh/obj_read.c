/* obj_read.c - reads a surface from a Wavefront .obj file: vertices and faces, fans of triangles
 * where a face has more corners, and texture coordinates. Normals, groups and materials are passed
 * over.
 *
 * The text is not trusted: lines are counted before memory is asked for, so what is
 * taken is at most 16 bytes for each byte of the file (two bytes may be a corner of a fan, whose
 * triangle takes 24), besides the file itself; and every error names the line and the item.
 */
#include "io/base/memory.h"
#include "io/mesh/meshes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VERTICES_MAX (1u << 26)
#define FACE_MAX     1024u /* corners */

struct reader {
    const char *name, *at, *end;
    size_t line;
    const char *item; /* what the line is, and its number, from 1; null: nothing that is read */
    size_t number, faces;
    struct meshgen *mesh;
    uint32_t vertex_room, triangle_room;
    bool textured; /* there are texture coordinates */
    struct problem *problem;
};

static bool fail(struct reader *r, const char *what)
{
    if (!r->item)
        return problem_at(r->problem, EXIT_SCENE, r->name, r->line, "%s", what);
    return problem_at(r->problem, EXIT_SCENE, r->name, r->line, "%s %zu: %s", r->item, r->number,
                      what);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct reader *r)
{
    while (r->at < r->end && is_blank(*r->at))
        ++r->at;
}

static bool line_ends(const struct reader *r)
{
    return r->at >= r->end || *r->at == '\n' || *r->at == '#';
}

static void next_line(struct reader *r)
{
    const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->at = newline ? newline + 1 : r->end;
    ++r->line;
}

/* Takes "v " or "f ": the letter alone. */
static bool takes(struct reader *r, char letter)
{
    if (r->end - r->at < 2 || r->at[0] != letter || !is_blank(r->at[1]))
        return false;
    r->at += 2;
    return true;
}

static bool takes_texture(struct reader *r)
{
    if (r->end - r->at < 3 || r->at[0] != 'v' || r->at[1] != 't' || !is_blank(r->at[2]))
        return false;
    r->at += 3;
    return true;
}

/* The text ends with a 0 (or is copied so), so strtod stops inside it. */
static bool read_vertex(struct reader *r)
{
    double *vertex = r->mesh->vertices + 3 * (size_t)r->mesh->vertex_count;
    r->item = "vertex";
    r->number = (size_t)r->mesh->vertex_count + 1;
    for (int i = 0; i < 3; ++i) {
        skip_blanks(r);
        if (line_ends(r))
            return fail(r, "needs three coordinates");
        if ((unsigned char)*r->at <= ' ')
            return fail(r, "a coordinate is not a number");
        char *stop;
        vertex[i] = strtod(r->at, &stop);
        if (stop == r->at || (stop < r->end && !is_blank(*stop) && *stop != '\n' && *stop != '#'))
            return fail(r, "a coordinate is not a number");
        if (!isfinite(vertex[i]))
            return fail(r, "a coordinate is not finite");
        if (fabs(vertex[i]) > MESHGEN_FAR)
            return fail(r, "a coordinate is beyond 1e12 m");
        r->at = stop;
    }
    ++r->mesh->vertex_count;
    return true;
}

static bool read_texture(struct reader *r)
{
    double *point = r->mesh->texture + 2 * (size_t)r->mesh->texture_count;
    r->item = "texture point";
    r->number = (size_t)r->mesh->texture_count + 1;
    for (int i = 0; i < 2; ++i) {
        skip_blanks(r);
        char *stop = NULL;
        point[i] = line_ends(r) || (unsigned char)*r->at <= ' ' ? 0 : strtod(r->at, &stop);
        if (!stop || stop == r->at || !isfinite(point[i]))
            return fail(r, "a coordinate is not a number");
        r->at = stop;
    }
    ++r->mesh->texture_count;
    return true;
}

/* What follows a vertex's number: "/1" or "/1/3"; none is UINT32_MAX, and so is one that does not
 * exist, which matters to those who need it only. */
static uint32_t texture_behind(const struct reader *r, const char *at)
{
    if (!r->textured || at >= r->end || *at != '/' ||
        !(at[1] == '-' || (at[1] >= '0' && at[1] <= '9')))
        return UINT32_MAX;
    errno = 0;
    const long n = strtol(at + 1, NULL, 10), count = (long)r->mesh->texture_count;
    const bool there = errno == 0 && n != 0 && n <= count && n >= -count;
    return there ? (uint32_t)(n > 0 ? n - 1 : count + n) : UINT32_MAX;
}

/* "7", "7/1", "7//3", "7/1/3"; negative numbers count back from the last vertex. */
static bool read_corner(struct reader *r, uint32_t *vertex, uint32_t *texture)
{
    char *stop;
    /* strtol would pass over a form feed and the line's end behind it. */
    if ((unsigned char)*r->at <= ' ')
        return fail(r, "a corner is not a vertex number");
    errno = 0;
    const long n = strtol(r->at, &stop, 10);
    if (stop == r->at || errno != 0)
        return fail(r, "a corner is not a vertex number");
    const long count = (long)r->mesh->vertex_count;
    if (n == 0 || n > count || n < -count)
        return fail(r, "names a vertex that does not exist before it");
    *vertex = (uint32_t)(n > 0 ? n - 1 : count + n);
    *texture = texture_behind(r, stop);
    while (stop < r->end && (*stop == '/' || *stop == '-' || (*stop >= '0' && *stop <= '9')))
        ++stop;
    if (stop < r->end && !is_blank(*stop) && *stop != '\n' && *stop != '#')
        return fail(r, "a corner is not a vertex number");
    r->at = stop;
    return true;
}

static bool read_face(struct reader *r)
{
    uint32_t corner[3] = {0}, texture[3] = {0};
    uint32_t corners = 0;
    r->item = "face";
    r->number = ++r->faces;
    for (;; ++corners) {
        skip_blanks(r);
        if (line_ends(r))
            break;
        if (corners == FACE_MAX)
            return fail(r, "has more than 1024 corners");
        corner[1] = corner[2];
        texture[1] = texture[2];
        if (!read_corner(r, &corner[2], &texture[2]))
            return false;
        if (corners == 0) {
            corner[0] = corner[2];
            texture[0] = texture[2];
        }
        if (corners < 2)
            continue;
        if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0])
            return fail(r, "names one vertex twice");
        const size_t at = 3 * (size_t)r->mesh->triangle_count++;
        memcpy(r->mesh->triangles + at, corner, sizeof corner);
        if (r->textured)
            memcpy(r->mesh->texture_of + at, texture, sizeof texture);
    }
    return corners >= 3 || fail(r, "needs at least three corners");
}

/* Upper bounds: a line that begins a vertex is one, a face has fewer triangles than blanks. */
static bool count_lines(struct reader *r)
{
    size_t vertices = 0, triangles = 0, textures = 0;
    const char *begin = r->at;
    while (r->at < r->end) {
        skip_blanks(r);
        if (takes(r, 'v')) {
            ++vertices;
        } else if (takes_texture(r)) {
            ++textures;
        } else if (takes(r, 'f')) {
            for (skip_blanks(r); r->at < r->end && *r->at != '\n'; ++r->at)
                triangles += is_blank(r->at[0]) && !is_blank(r->at[-1]);
        }
        next_line(r);
    }
    r->at = begin;
    r->line = 1;
    if (vertices > VERTICES_MAX || triangles > VERTICES_MAX || textures > VERTICES_MAX)
        return fail(r, "the file has more than 2^26 vertices or triangles");
    r->mesh->vertices = memory_take((vertices + 1) * 3 * sizeof(double));
    r->mesh->triangles = memory_take((triangles + 1) * 3 * sizeof(uint32_t));
    r->vertex_room = (uint32_t)vertices;
    r->triangle_room = (uint32_t)triangles;
    r->textured = textures > 0;
    if (r->textured) {
        r->mesh->texture = memory_take(textures * 2 * sizeof(double));
        r->mesh->texture_of = memory_take((triangles + 1) * 3 * sizeof(uint32_t));
    }
    const bool texture = !r->textured || (r->mesh->texture && r->mesh->texture_of);
    return (r->mesh->vertices && r->mesh->triangles && texture) ||
           problem_memory(r->problem, r->name, vertices * 24 + triangles * 24 + textures * 16);
}

static bool read_lines(struct reader *r)
{
    for (; r->at < r->end; next_line(r)) {
        skip_blanks(r);
        const bool good = takes(r, 'v')      ? read_vertex(r)
                          : takes_texture(r) ? read_texture(r)
                          : takes(r, 'f')    ? read_face(r)
                                             : true;
        if (!good)
            return false;
    }
    if (r->mesh->vertex_count == 0 || r->mesh->triangle_count == 0)
        return problem_at(r->problem, EXIT_SCENE, r->name, 0, "has no %s",
                          r->mesh->vertex_count == 0 ? "vertices" : "faces");
    return true;
}

bool obj_parse(struct meshgen *mesh, const char *text, size_t bytes, const char *name,
               struct problem *problem)
{
    memset(mesh, 0, sizeof *mesh);
    struct reader r = {
        .name = name, .at = text, .end = text + bytes, .line = 1, .mesh = mesh, .problem = problem};
    if (count_lines(&r) && read_lines(&r))
        return true;
    meshgen_free(mesh);
    return false;
}
