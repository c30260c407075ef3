/* Bodies fall through a funnel onto the floor: all get through, none is inverted or through another
 * in the end.
 *
 * PIOLA_PROOFS in the environment: a hundred Armadillos (or rings like them); else some rings.
 * Substeps are so many that nobody goes much further in one than an element is wide.
 *
 * covers: src/families/surface/
 */
#include "contact_fixture.h"
#include "unity.h"

#include "io/mesh/meshgen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEGREES (3.14159265358979323846 / 180)

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* Four walls that lean by 55 degrees; a square neck of half width `neck` at the height `low`. */
static void put_funnel(struct scene *s, double neck, double low, double wall)
{
    const double lean = 55 * DEGREES, thick = 0.05;
    for (int k = 0; k < 4; ++k) {
        piola_collider made;
        piola_collider_desc c = piola_collider_desc_default();
        const int axis = k / 2 ? 2 : 0, other = 2 - axis;
        const double side = k % 2 ? -1 : 1;
        /* From the neck's edge along the wall, and half its thickness outwards. */
        c.shape.kind = PIOLA_SHAPE_BOX;
        c.shape.radius = 0.01f;
        c.margin = 0.002f;
        c.friction_static = c.friction_kinetic = 0.02f;
        c.shape.size[axis] = (float)wall;
        c.shape.size[1] = (float)thick;
        c.shape.size[other] = (float)(2.2 * wall);
        c.position[axis] = (float)(side * (neck + wall * cos(lean) + thick * sin(lean)));
        c.position[1] = (float)(low + wall * sin(lean) - thick * cos(lean));
        c.rotation[other] = (float)(sin(0.5 * lean) * side * (axis == 0 ? 1 : -1));
        c.rotation[3] = (float)cos(0.5 * lean);
        fixture_ok(piola_collider_create(s->world, &c, &made, NULL), NULL);
    }
}

static const piola_asset *ring_of(double length)
{
    struct meshgen mesh = {0};
    piola_material *m = fixture_memory(sizeof *m);
    TEST_ASSERT_TRUE(meshgen_torus(&mesh, 0.33 * length, 0.16 * length, 200));
    m[0] = piola_material_default();
    m[0].young = 3e4f;
    m[0].poisson = 0.4f;
    m[0].density = 500;
    m[0].damping = 0.004f;
    piola_mesh_desc d = meshgen_desc(&mesh);
    d.materials = m;
    d.material_count = 1;
    const piola_asset *asset = fixture_compile(&d);
    meshgen_free(&mesh);
    return asset;
}

/* The highest vertex, m. */
static double highest(struct scene *s)
{
    double high = -(double)INFINITY;
    scene_collect(s);
    for (uint32_t i = 0; i < s->vertex_count; ++i)
        high = fmax(high, (double)s->x[3 * (size_t)i + 1]);
    return high;
}

struct pour {
    const char *name;
    const piola_asset *asset;
    int side, layers; /* bodies along x and z, and above each other */
    int most;         /* steps */
    uint32_t substeps;
    double neck, above; /* m, half the neck's width; how far above its walls they begin */
    float thickness;    /* m, well below the shortest edges */
};

static void pour(const struct pour *p)
{
    const double length = 0.2, neck = p->neck, low = 0.7, wall = 0.3 + 0.13 * p->side;
    const int side = p->side, bodies = side * side * p->layers;
    piola_asset_stats stats;
    fixture_ok(piola_asset_inspect(p->asset, &stats), NULL);
    piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
    d.max_bodies = SCENE_BODIES;
    d.max_colliders = 5;
    d.max_particles = (uint32_t)bodies * stats.particles;
    d.max_contacts = (uint32_t)bodies * 10 * stats.surface_triangles;
    d.max_contact_faces = (uint32_t)bodies * stats.surface_triangles;
    d.contact_thickness = p->thickness;
    d.contact_friction = 0.02f;
    d.substeps = p->substeps;
    d.report_physics = true;
    struct scene s = scene_of(&d);
    (void)scene_floor(&s, 0.5f);
    put_funnel(&s, neck, low, wall);
    for (int i = 0; i < bodies; ++i) {
        piola_body_desc b = piola_body_desc_default();
        const int at[3] = {i % side, i / (side * side), i / side % side};
        for (int k = 0; k < 3; k += 2)
            b.position[k] = (float)(1.1 * length * (at[k] - 0.5 * (side - 1))) +
                            1e-3f * (float)((i * 7 + k) % 5 - 2);
        b.position[1] = (float)(low + 1.6 * neck + p->above + 1.1 * length * at[1]);
        b.damping = 0.1f;
        (void)scene_enter(&s, p->asset, &b);
    }
    TEST_ASSERT_EQUAL(0, scene_crossings(&s));
    int steps = 0;
    double high = (double)INFINITY;
    while (steps < p->most && high > low) {
        fixture_ok(piola_world_step(s.world, NULL, &s.report), NULL);
        TEST_ASSERT_EQUAL(0, s.report.frozen);
        s.dropped += s.report.contacts_dropped;
        high = ++steps % 20 == 0 ? highest(&s) : high;
    }
    /* The last ones still bounce on the heap. */
    const int through = steps;
    while (steps < through + 400 && high <= low && s.report.inverted > 0) {
        fixture_ok(piola_world_step(s.world, NULL, &s.report), NULL);
        s.dropped += s.report.contacts_dropped;
        ++steps;
    }
    const uint64_t crossed = scene_crossings(&s);
    printf("%d %s (%u elements each): %.2f s, highest vertex at %.2f m, %.2f s later %u inverted, "
           "%u crossings, %u pairs dropped\n",
           bodies, p->name, (unsigned)stats.tetrahedra, 0.005 * through, high,
           0.005 * (steps - through), (unsigned)s.report.inverted, (unsigned)crossed,
           (unsigned)s.dropped);
    TEST_ASSERT_EQUAL(0, crossed);
    if (through < p->most || fixture_count(100, 1) == 100) {
        TEST_ASSERT_TRUE(high < low);
        TEST_ASSERT_EQUAL(0, s.report.inverted);
    }
}

static void test_all_get_through(void)
{
    struct pour p = {"rings", NULL, 2, 3, fixture_count(400, 20), 2, 0.16, 0.36, 0.003f};
    if (getenv("PIOLA_PROOFS")) {
        p = (struct pour){NULL, NULL, 5, 4, 4000, 4, 0.16, 0.9, 0.003f};
        p.asset = scene_statue(0.2, &p.name);
        /* Their fingers are some millimetres thick. */
        if (strcmp(p.name, "Armadillos") == 0) {
            p.substeps = 24;
            p.thickness = 0.001f;
            p.neck = 0.2;
            p.above = 0.5;
        }
    } else {
        p.asset = ring_of(0.2);
    }
    pour(&p);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_all_get_through);
    return UNITY_END();
}
