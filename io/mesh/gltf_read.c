/* gltf_read.c - surfaces of glTF 2.0, as text (.gltf) and in one file (.glb): the triangles of all
 * meshes of the scene, where its nodes place them, in metres. Materials, skins, cameras and
 * animation are passed over; compressed and sparse arrays are refused. */
#include "io/base/file.h"
#include "io/mesh/gltf_arrays.h"
#include "io/mesh/meshes.h"

#include <math.h>
#include <string.h>

enum { DEPTH_MOST = 256 };

struct placement {
    double m[12]; /* rows of a 3 x 4 matrix: p -> m p */
};

static const struct placement nowhere_else = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};

static struct placement within(const struct placement *a, const struct placement *b)
{
    struct placement c;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; ++j) {
            c.m[4 * i + j] = j == 3 ? a->m[4 * i + 3] : 0;
            for (int k = 0; k < 3; ++k)
                c.m[4 * i + j] += a->m[4 * i + k] * b->m[4 * k + j];
        }
    return c;
}

static bool mirrors(const struct placement *p)
{
    const double *m = p->m;
    return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
               m[2] * (m[4] * m[9] - m[5] * m[8]) <
           0;
}

/* Numbers of an array of a node; as they were where there is none. */
static bool node_numbers(struct gltf *gltf, const json_t *node, const char *key, double *values,
                         size_t count)
{
    const json_t *array = json_object_get(node, key);
    if (!array)
        return true;
    if (json_array_size(array) != count)
        return scan_fail(gltf->soup.scan, "a node's %s must have %zu numbers", key, count);
    for (size_t i = 0; i < count; ++i) {
        const json_t *value = json_array_get(array, i);
        values[i] = json_number_value(value);
        if (!json_is_number(value) || !isfinite(values[i]))
            return scan_fail(gltf->soup.scan, "a node's %s must have %zu numbers", key, count);
    }
    return true;
}

static bool node_placement(struct gltf *gltf, const json_t *node, struct placement *p)
{
    double columns[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    double t[3] = {0, 0, 0}, s[3] = {1, 1, 1}, q[4] = {0, 0, 0, 1};
    if (!node_numbers(gltf, node, "matrix", columns, 16) ||
        !node_numbers(gltf, node, "translation", t, 3) ||
        !node_numbers(gltf, node, "scale", s, 3) || !node_numbers(gltf, node, "rotation", q, 4))
        return false;
    if (json_object_get(node, "matrix")) {
        for (size_t i = 0; i < 12; ++i)
            p->m[i] = columns[4 * (i % 4) + i / 4];
        return true;
    }
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0))
        return scan_fail(gltf->soup.scan, "a node's rotation is a quaternion of no length");
    const double x = q[0] / length, y = q[1] / length, z = q[2] / length, w = q[3] / length;
    const double turn[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    for (size_t i = 0; i < 3; ++i) {
        for (size_t j = 0; j < 3; ++j)
            p->m[4 * i + j] = turn[3 * i + j] * s[j];
        p->m[4 * i + 3] = t[i];
    }
    return true;
}

/* ---- triangles ---- */

/* Corner `i` of what is drawn, without an index array its own number. */
static bool corner(struct gltf *gltf, const struct gltf_array *indices, size_t i, uint32_t first,
                   uint32_t count, uint32_t *v)
{
    double number = (double)i;
    if (indices->count > 0 && !gltf_number(gltf, indices, i, 0, &number))
        return false;
    if (!(number >= 0 && number < (double)count))
        return scan_fail(gltf->soup.scan, "a triangle names vertex %.0f of %u", number, count);
    *v = first + (uint32_t)number;
    return true;
}

/* `mode`: glTF's: 4 triangles, 5 a strip, 6 a fan. */
static bool add_triangles(struct gltf *gltf, const struct gltf_array *indices, int mode,
                          uint32_t first, bool turned)
{
    const uint32_t vertices = gltf->soup.vertex_count - first;
    const size_t corners = indices->count > 0 ? indices->count : vertices;
    const size_t triangles = mode == 4 ? corners / 3 : corners < 3 ? 0 : corners - 2;
    for (size_t t = 0; t < triangles; ++t) {
        const size_t odd = mode == 5 ? t & 1 : 0;
        const size_t at[3] = {mode == 4   ? 3 * t
                              : mode == 5 ? t + odd
                                          : 0,
                              mode == 4 ? 3 * t + 1 : t + 1 - odd, mode == 4 ? 3 * t + 2 : t + 2};
        uint32_t v[3];
        for (int k = 0; k < 3; ++k)
            if (!corner(gltf, indices, at[k], first, vertices, &v[turned ? 2 - k : k]))
                return false;
        if (!soup_triangle(&gltf->soup, v))
            return false;
    }
    return true;
}

static bool add_vertices(struct gltf *gltf, const struct gltf_array *places,
                         const struct placement *p)
{
    for (size_t i = 0; i < places->count; ++i) {
        double x[3], y[3];
        for (unsigned k = 0; k < 3; ++k)
            if (!gltf_number(gltf, places, i, k, &x[k]))
                return false;
        for (int k = 0; k < 3; ++k)
            y[k] = p->m[4 * k] * x[0] + p->m[4 * k + 1] * x[1] + p->m[4 * k + 2] * x[2] +
                   p->m[4 * k + 3];
        if (!soup_vertex(&gltf->soup, y))
            return false;
    }
    return true;
}

static bool add_primitive(struct gltf *gltf, const json_t *primitive, const struct placement *p)
{
    const json_t *mode = json_object_get(primitive, "mode");
    const json_t *indices = json_object_get(primitive, "indices");
    const json_t *position = json_object_get(json_object_get(primitive, "attributes"), "POSITION");
    const int kind = mode ? (int)json_integer_value(mode) : 4;
    const uint32_t first = gltf->soup.vertex_count;
    struct gltf_array places, order = {0};
    if (kind < 4 || kind > 6 || !position) /* points and lines */
        return true;
    if (!gltf_array(gltf, position, 3, &places) ||
        (indices && !gltf_array(gltf, indices, 1, &order)))
        return false;
    if (indices && order.count == 0)
        return true;
    return add_vertices(gltf, &places, p) && add_triangles(gltf, &order, kind, first, mirrors(p));
}

static bool add_mesh(struct gltf *gltf, const json_t *number, const struct placement *p)
{
    const json_t *mesh = gltf_item(gltf, "meshes", number);
    const json_t *primitives = json_object_get(mesh, "primitives");
    if (!mesh)
        return false;
    for (size_t i = 0; i < json_array_size(primitives); ++i)
        if (!add_primitive(gltf, json_array_get(primitives, i), p))
            return false;
    return true;
}

/* ---- nodes: a tree, walked from one child to the next ---- */

struct walk {
    const json_t *children; /* of the node above, or of the scene */
    size_t next;
    struct placement above;
};

static bool walk_all(struct gltf *gltf, const json_t *roots)
{
    static const char *const again = "nodes must be a tree, no deeper than 256";
    struct walk stack[DEPTH_MOST];
    size_t depth = 0, visits = 0;
    const size_t nodes = json_array_size(json_object_get(gltf->root, "nodes"));
    stack[depth++] = (struct walk){roots, 0, nowhere_else};
    while (depth > 0) {
        struct walk *top = &stack[depth - 1];
        if (top->next == json_array_size(top->children)) {
            --depth;
            continue;
        }
        const json_t *node = gltf_item(gltf, "nodes", json_array_get(top->children, top->next++));
        struct placement here = nowhere_else;
        if (!node || !node_placement(gltf, node, &here))
            return false;
        here = within(&top->above, &here);
        const json_t *mesh = json_object_get(node, "mesh");
        if (++visits > nodes || depth == DEPTH_MOST)
            return scan_fail(gltf->soup.scan, "%s", again);
        if (mesh && !add_mesh(gltf, mesh, &here))
            return false;
        stack[depth++] = (struct walk){json_object_get(node, "children"), 0, here};
    }
    return true;
}

/* A file without a scene is a library of meshes: each once, as it is. */
static bool add_scene(struct gltf *gltf)
{
    const json_t *scenes = json_object_get(gltf->root, "scenes");
    const json_t *scene = json_object_get(gltf->root, "scene");
    if (json_array_size(scenes) > 0) {
        const json_t *chosen = scene ? gltf_item(gltf, "scenes", scene) : json_array_get(scenes, 0);
        return chosen && walk_all(gltf, json_object_get(chosen, "nodes"));
    }
    const size_t meshes = json_array_size(json_object_get(gltf->root, "meshes"));
    for (size_t i = 0; i < meshes; ++i) {
        json_t *number = json_integer((json_int_t)i);
        const bool good = add_mesh(gltf, number, &nowhere_else);
        json_decref(number);
        if (!good)
            return false;
    }
    return true;
}

/* ---- files ---- */

/* `folder`: a path beside which other files may be read; null: none may. */
static bool parse(struct meshgen *mesh, const char *text, size_t bytes, const char *name,
                  const char *folder, struct problem *problem)
{
    struct scan scan = {
        .name = name, .begin = text, .at = text, .end = text + bytes, .problem = problem};
    struct gltf gltf = {.soup = {.scan = &scan}, .folder = folder};
    /* The same place has several vertices where textures have seams. */
    const bool good = gltf_open(&gltf) && add_scene(&gltf) && soup_weld(&gltf.soup);
    gltf_close(&gltf);
    return soup_close(&gltf.soup, good, mesh);
}

bool gltf_parse(struct meshgen *mesh, const char *text, size_t bytes, const char *name,
                struct problem *problem)
{
    return parse(mesh, text, bytes, name, NULL, problem);
}

bool gltf_read(struct meshgen *mesh, const char *path, struct problem *problem)
{
    struct pool pool = {0};
    size_t bytes = 0;
    const char *text = file_read(path, MESH_FILE_MAX, &pool, &bytes, problem);
    const bool good = text && parse(mesh, text, bytes, path, path, problem);
    pool_free(&pool);
    return good;
}
