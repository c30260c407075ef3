/* cloth_fixture.c - see cloth_fixture.h. */
#include "cloth_fixture.h"

#include "unity.h"

#include <math.h>
#include <string.h>

static uint32_t *unsigned_copy(const int *from, int count)
{
    uint32_t *to = fixture_memory(((size_t)count + 1) * sizeof *to);
    for (int i = 0; i < count; ++i)
        to[i] = (uint32_t)from[i];
    return to;
}

piola_mesh_desc cloth_mesh(const ref_sheet_mesh *mesh, const piola_material *material,
                           const piola_material *bend, const float direction[3])
{
    piola_mesh_desc desc = piola_mesh_desc_default();
    double *x = fixture_memory((size_t)mesh->vertices * 3 * sizeof *x);
    piola_material *own = fixture_memory(2 * sizeof *own);
    memcpy(x, mesh->x, (size_t)mesh->vertices * 3 * sizeof *x);
    own[0] = *material;
    own[1] = bend ? *bend : *material;
    desc.vertices = x;
    desc.vertex_count = (uint32_t)mesh->vertices;
    desc.triangles = unsigned_copy(mesh->triangle, 3 * mesh->triangles);
    desc.triangle_count = (uint32_t)mesh->triangles;
    desc.materials = own;
    desc.material_count = bend ? 2 : 1;
    if (direction) {
        float *all = fixture_memory((size_t)mesh->triangles * 3 * sizeof *all);
        for (int i = 0; i < 3 * mesh->triangles; ++i)
            all[i] = direction[i % 3];
        desc.triangle_directions = all;
    }
    if (bend) {
        uint32_t *which = fixture_memory(((size_t)mesh->bends + 1) * sizeof *which);
        for (int i = 0; i < mesh->bends; ++i)
            which[i] = 1;
        desc.bends = unsigned_copy(mesh->bend, 4 * mesh->bends);
        desc.bend_count = (uint32_t)mesh->bends;
        desc.bend_materials = which;
    }
    return desc;
}

piola_world_desc cloth_statics(float dt, uint32_t iterations)
{
    piola_world_desc d = piola_world_desc_default();
    d.dt = dt;
    d.iterations = iterations;
    d.max_bodies = 1;
    d.max_packs = 1 << 16;
    memset(d.gravity, 0, sizeof d.gravity);
    return d;
}

static struct cloth start(const piola_mesh_desc *mesh, const piola_world_desc *desc, float damping,
                          piola_untangle untangle)
{
    struct cloth c = {.vertices = mesh->vertex_count};
    piola_error error = {0};
    piola_body_desc body = piola_body_desc_default();
    body.asset = fixture_compile(mesh);
    body.damping = damping;
    body.untangle = untangle;
    c.world = fixture_world(desc);
    fixture_ok(piola_body_create(c.world, &body, &c.body, &error), &error);
    c.x = fixture_memory((size_t)c.vertices * 3 * sizeof *c.x);
    cloth_get(&c);
    return c;
}

struct cloth cloth_start(const piola_mesh_desc *mesh, const piola_world_desc *desc, float damping)
{
    return start(mesh, desc, damping, PIOLA_UNTANGLE_SOLIDS);
}

struct cloth cloth_start_led(const piola_mesh_desc *mesh, const piola_world_desc *desc,
                             float damping)
{
    return start(mesh, desc, damping, PIOLA_UNTANGLE_ALL);
}

void cloth_get(const struct cloth *c)
{
    fixture_ok(piola_body_positions(c->world, c->body, 0, c->vertices, c->x), NULL);
}

void cloth_put(const struct cloth *c)
{
    fixture_ok(piola_body_set_positions(c->world, c->body, 0, c->vertices, c->x, NULL), NULL);
}

void cloth_pin(const struct cloth *c, uint32_t v)
{
    fixture_push(c->world, PIOLA_COMMAND_BODY_PIN, c->body, v, c->x[3 * v], c->x[3 * v + 1],
                 c->x[3 * v + 2]);
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double clamp(double t)
{
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

/* Squared distance from p to the segment a b. */
static double to_segment(const double *p, const double *a, const double *b)
{
    double e[3], q[3];
    for (int k = 0; k < 3; ++k) {
        e[k] = b[k] - a[k];
        q[k] = p[k] - a[k];
    }
    const double t = clamp(dot(q, e) / dot(e, e));
    for (int k = 0; k < 3; ++k)
        q[k] -= t * e[k];
    return dot(q, q);
}

/* Squared distance from p to a triangle: to its plane if the foot is inside, else to a side. */
static double to_triangle(const double *p, const double *a, const double *b, const double *c)
{
    double u[3], v[3], q[3];
    for (int k = 0; k < 3; ++k) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
        q[k] = p[k] - a[k];
    }
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), qu = dot(q, u), qv = dot(q, v);
    const double d = uu * vv - uv * uv, s = (vv * qu - uv * qv) / d, t = (uu * qv - uv * qu) / d;
    if (s >= 0 && t >= 0 && s + t <= 1) {
        for (int k = 0; k < 3; ++k)
            q[k] -= s * u[k] + t * v[k];
        return dot(q, q);
    }
    return fmin(to_segment(p, a, b), fmin(to_segment(p, b, c), to_segment(p, c, a)));
}

/* Adds the distances of the points from the surface to the sum; returns the largest. */
static double one_way(const ref_sheet_mesh *m, const double *points, const double *surface,
                      double *sum)
{
    double most = 0;
    for (int v = 0; v < m->vertices; ++v) {
        double nearest = HUGE_VAL;
        for (int t = 0; t < m->triangles; ++t) {
            const int *corner = m->triangle + 3 * t;
            const double d = to_triangle(points + 3 * v, surface + 3 * corner[0],
                                         surface + 3 * corner[1], surface + 3 * corner[2]);
            nearest = d < nearest ? d : nearest;
        }
        nearest = sqrt(nearest);
        *sum += nearest;
        most = nearest > most ? nearest : most;
    }
    return most;
}

struct cloth_distance cloth_compare(const ref_sheet_mesh *m, const float *x, const double *y)
{
    struct cloth_distance r = {0};
    double *own = fixture_memory((size_t)m->vertices * 3 * sizeof *own);
    for (int v = 0; v < m->vertices; ++v) {
        double off[3];
        for (int k = 0; k < 3; ++k) {
            own[3 * v + k] = (double)x[3 * v + k];
            off[k] = own[3 * v + k] - y[3 * v + k];
        }
        const double far = sqrt(dot(off, off));
        r.vertex_mean += far / m->vertices;
        r.vertex_most = far > r.vertex_most ? far : r.vertex_most;
    }
    const double there = one_way(m, own, y, &r.mean), back = one_way(m, y, own, &r.mean);
    r.most = there > back ? there : back;
    r.mean /= 2 * m->vertices;
    return r;
}

/* Horn's quaternion: the largest eigenvalue of a symmetric 4x4 matrix, by power iteration on the
 * matrix shifted to be positive. */
static double best_turn(double s[3][3], double size)
{
    const double n[4][4] = {
        {s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
        {s[1][2] - s[2][1], s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
        {s[2][0] - s[0][2], s[0][1] + s[1][0], s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
        {s[0][1] - s[1][0], s[2][0] + s[0][2], s[1][2] + s[2][1], s[2][2] - s[0][0] - s[1][1]}};
    double q[4] = {0.6, 0.5, 0.4, 0.3}, length = 1;
    for (int round = 0; round < 1000; ++round) {
        double p[4];
        length = 0;
        for (int i = 0; i < 4; ++i) {
            p[i] = size * q[i];
            for (int k = 0; k < 4; ++k)
                p[i] += n[i][k] * q[k];
            length += p[i] * p[i];
        }
        length = sqrt(length);
        for (int i = 0; i < 4; ++i)
            q[i] = p[i] / length;
    }
    return length - size;
}

double cloth_from_rest(const float *rest, const float *x, uint32_t vertices)
{
    double c[3] = {0}, r[3] = {0}, s[3][3] = {{0}}, size = 0;
    for (uint32_t i = 0; i < 3 * vertices; ++i) {
        c[i % 3] += (double)x[i] / vertices;
        r[i % 3] += (double)rest[i] / vertices;
    }
    for (uint32_t v = 0; v < vertices; ++v)
        for (int i = 0; i < 3; ++i) {
            const double a = (double)rest[3 * v + (uint32_t)i] - r[i];
            const double b = (double)x[3 * v + (uint32_t)i] - c[i];
            size += a * a + b * b;
            for (int k = 0; k < 3; ++k)
                s[i][k] += a * ((double)x[3 * v + (uint32_t)k] - c[k]);
        }
    return sqrt(fmax(0, size - 2 * best_turn(s, size)) / vertices);
}
