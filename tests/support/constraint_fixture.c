/* constraint_fixture.c - see constraint_fixture.h. */
#include "constraint_fixture.h"

#include <math.h>
#include <string.h>

piola_constraint constraint_of(piola_constraint_kind kind, const uint32_t v[4])
{
    piola_constraint c = {.kind = kind, .least = 1, .most = 1, .stiffness = 1};
    memcpy(c.vertices, v, sizeof c.vertices);
    memcpy(c.axes, (float[2][3]){{1, 0.2f, -0.3f}, {-0.1f, 2, 0.4f}}, sizeof c.axes);
    return c;
}

void points_make(struct points *p, uint32_t count, const double *x, double mass)
{
    memset(p, 0, sizeof *p);
    p->material = piola_material_default();
    p->mesh = piola_mesh_desc_default();
    p->material.density = (float)mass; /* kg/m, of links of 1 m */
    memcpy(p->x, x, 3 * count * sizeof *x);
    for (uint32_t i = 0; i < count; ++i) {
        p->links[2 * i] = i;
        p->links[2 * i + 1] = (i + 1) % count;
        p->lengths[i] = 1;
        p->bounds[2 * i + 1] = 1000;
    }
    p->mesh.vertices = p->x;
    p->mesh.vertex_count = count;
    p->mesh.links = p->links;
    p->mesh.link_count = count > 2 ? count : 1;
    p->mesh.link_lengths = p->lengths;
    p->mesh.link_bounds = p->bounds;
    p->mesh.materials = &p->material;
    p->mesh.material_count = 1;
    p->mesh.constraints = p->constraints;
}

void points_add(struct points *p, piola_constraint constraint)
{
    p->constraints[p->mesh.constraint_count++] = constraint;
}

piola_world_desc description(piola_solver solver)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.solver = solver;
    desc.max_bodies = 4;
    desc.max_packs = desc.max_link_packs = desc.max_constraint_packs = 256;
    desc.max_particles = 4096;
    return desc;
}

piola_body body_of(piola_world *world, const piola_asset *asset, float damping)
{
    piola_body body;
    piola_error error;
    piola_body_desc b = piola_body_desc_default();
    b.asset = asset;
    b.damping = damping;
    fixture_ok(piola_body_create(world, &b, &body, &error), &error);
    return body;
}

void positions(const piola_world *world, piola_body body, uint32_t count, double *x)
{
    float f[3 * POINTS_MOST];
    fixture_ok(piola_body_positions(world, body, 0, count, f), NULL);
    for (uint32_t i = 0; i < 3 * count; ++i)
        x[i] = (double)f[i];
}

double measure(piola_constraint_kind kind, const double *x, const uint32_t *v)
{
    const double *a = x + 3 * v[0], *b = x + 3 * v[1];
    if (kind == PIOLA_CONSTRAINT_DISTANCE)
        return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
    const double *c = x + 3 * v[2];
    if (kind == PIOLA_CONSTRAINT_AREA) {
        double sum = 0;
        for (int i = 0; i < 3; ++i) {
            const int k = (i + 1) % 3;
            const double n = (a[i] - c[i]) * (b[k] - c[k]) - (a[k] - c[k]) * (b[i] - c[i]);
            sum += n * n;
        }
        return 0.5 * sqrt(sum);
    }
    const double *d = x + 3 * v[3];
    double m[3][3];
    for (int i = 0; i < 3; ++i) {
        m[0][i] = a[i] - d[i];
        m[1][i] = b[i] - d[i];
        m[2][i] = c[i] - d[i];
    }
    return (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
            m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
            m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])) /
           6;
}
