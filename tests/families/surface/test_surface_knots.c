/* A knot in a soft rope, pulled tight: no surface goes through another, and after each step the
 * rope's centre line, led on beyond its ends, is still knotted as a trefoil is.
 *
 * covers: src/families/surface/
 */
#include "contact_fixture.h"
#include "io/mesh/meshgen.h"
#include "ref_knot.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SEGMENTS 150u
#define RADIUS   0.0035
#define SAMPLES  20000

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* Shastri's polynomial trefoil, open at its ends (Tohoku Math. J. 44, 1992), in metres; t from -1
 * to 1. */
static void knot_at(double t, double x[3])
{
    const double u = 2.1 * t, v = u * u;
    x[0] = 0.03 * u * (v - 3);
    x[1] = 0.03 * v * (v - 4);
    x[2] = 0.009 * u * (v * v - 10);
}

static double length_between(double from, double to)
{
    double a[3], b[3], sum = 0;
    knot_at(from, a);
    knot_at(to, b);
    for (int k = 0; k < 3; ++k)
        sum += (b[k] - a[k]) * (b[k] - a[k]);
    return sqrt(sum);
}

/* The places of the rope's sections: evenly along the curve. Returns its length. */
static double divide(double at[][3])
{
    static double along[SAMPLES + 1];
    for (int i = 0; i < SAMPLES; ++i)
        along[i + 1] =
            along[i] + length_between(2.0 * i / SAMPLES - 1, 2.0 * (i + 1) / SAMPLES - 1);
    uint32_t next = 0;
    for (int i = 0; i <= SAMPLES && next <= SEGMENTS; ++i)
        if (along[i] >= along[SAMPLES] * next / SEGMENTS || i == SAMPLES)
            knot_at(2.0 * i / SAMPLES - 1, at[next++]);
    return along[SAMPLES];
}

static void normalise(double v[3])
{
    const double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; ++k)
        v[k] /= size;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Bends the straight rope's sections onto the curve, hardly twisted. */
static void bend(struct meshgen *mesh, double at[][3])
{
    double up[3] = {0, 1, 0}, along[3], side[3];
    for (uint32_t i = 0; i <= SEGMENTS; ++i) {
        const uint32_t a = i > 0 ? i - 1 : 0, b = i < SEGMENTS ? i + 1 : SEGMENTS;
        for (int k = 0; k < 3; ++k)
            along[k] = at[b][k] - at[a][k];
        normalise(along);
        cross(along, up, side);
        normalise(side);
        cross(side, along, up);
        for (uint32_t c = 0; c < 3; ++c) {
            double *x = mesh->vertices + 9 * (size_t)i + 3 * (size_t)c;
            const double y = x[1], z = x[2];
            for (int k = 0; k < 3; ++k)
                x[k] = at[i][k] + y * up[k] + z * side[k];
        }
    }
}

static const piola_asset *rope(double *length)
{
    struct meshgen mesh;
    static double at[SEGMENTS + 1][3];
    static piola_material m;
    *length = divide(at);
    TEST_ASSERT_TRUE(meshgen_rope(&mesh, *length, RADIUS, SEGMENTS));
    bend(&mesh, at);
    m = piola_material_default();
    m.young = 1e6f;
    m.poisson = 0.3f;
    m.damping = 0.002f;
    piola_mesh_desc d = meshgen_desc(&mesh);
    d.materials = &m;
    d.material_count = 1;
    const piola_asset *asset = fixture_compile(&d);
    meshgen_free(&mesh);
    return asset;
}

/* How far the rope reaches from the line between its ends, m. */
static double bulk(const struct scene *s)
{
    const float *from = s->x, *to = s->x + 3 * (size_t)(3 * SEGMENTS);
    double along[3], most = 0;
    for (int k = 0; k < 3; ++k)
        along[k] = (double)to[k] - (double)from[k];
    normalise(along);
    for (uint32_t i = 0; i < s->vertex_count; ++i) {
        double d[3], off[3];
        for (int k = 0; k < 3; ++k)
            d[k] = (double)s->x[3 * i + (uint32_t)k] - (double)from[k];
        cross(d, along, off);
        most = fmax(most, sqrt(off[0] * off[0] + off[1] * off[1] + off[2] * off[2]));
    }
    return most;
}

/* Of the line through the middles of its sections, along which it is pulled: 3 for a trefoil, 1 for
 * a rope without a knot. */
static uint64_t determinant(const struct scene *s)
{
    static double middle[SEGMENTS + 1][3];
    static const double axis[3] = {0, 0, 1};
    for (uint32_t i = 0; i <= SEGMENTS; ++i)
        for (uint32_t k = 0; k < 3; ++k) {
            middle[i][k] = 0;
            for (uint32_t c = 0; c < 3; ++c)
                middle[i][k] += (double)s->x[9 * (size_t)i + 3 * c + k] / 3;
        }
    return ref_knot_of_rope(middle[0], SEGMENTS + 1, axis);
}

static void draw(struct scene *s, const float *start, double way)
{
    for (uint32_t c = 0; c < 6; ++c) {
        const uint32_t v = c < 3 ? c : 3 * SEGMENTS + c - 3;
        const double sign = c < 3 ? -1 : 1;
        fixture_push(s->world, PIOLA_COMMAND_BODY_PIN, s->body[0], v, start[3 * v],
                     start[3 * v + 1], start[3 * v + 2] + (float)(sign * way));
    }
}

static void pull_tight(piola_solver solver, const char *name, float far)
{
    double length;
    piola_world_desc d = scene_desc(solver);
    memset(d.gravity, 0, sizeof d.gravity);
    d.substeps = 2;
    d.contact_friction = 0.2f;
    d.contact_thickness = 1e-3f;
    struct scene s = scene_of(&d);
    piola_body_desc b = piola_body_desc_default();
    b.damping = 2;
    b.position[0] = far;
    b.position[1] = -0.8f * far;
    b.position[2] = 0.6f * far;
    (void)scene_enter(&s, rope(&length), &b);
    TEST_ASSERT_EQUAL(0, scene_crossings(&s));
    TEST_ASSERT_EQUAL_UINT64(3, determinant(&s));
    float *start = fixture_memory(3 * s.vertex_count * sizeof *start);
    memcpy(start, s.x, 3 * s.vertex_count * sizeof *start);
    const float *last = start + 9 * (size_t)SEGMENTS;
    double chord = 0;
    for (int k = 0; k < 3; ++k)
        chord += ((double)last[k] - (double)start[k]) * ((double)last[k] - (double)start[k]);
    const double slack = 0.5 * (length - sqrt(chord)), loose = bulk(&s);
    const int steps = scene_steps(500, 10000);
    uint32_t most = 0;
    for (int i = 0; i < steps; ++i) {
        piola_report report;
        const double part = (i + 1.0) / steps;
        draw(&s, start, 0.93 * slack * (part < 0.8 ? part / 0.8 : 1));
        fixture_ok(piola_world_step(s.world, NULL, &report), NULL);
        most = report.contacts > most ? report.contacts : most;
        TEST_ASSERT_EQUAL(0, report.contacts_dropped);
        const uint64_t crossed = scene_crossings(&s);
        if (crossed)
            printf("%s: %u crossings after step %d\n", name, (unsigned)crossed, i);
        TEST_ASSERT_EQUAL(0, crossed);
        TEST_ASSERT_EQUAL_UINT64(3, determinant(&s));
    }
    printf("%s: %.3f m of rope with a knot %.3f m wide, pulled by %.3f m until it is %.4f m wide "
           "in %d "
           "steps, up to %u pairs\n",
           name, length, loose, 2 * 0.93 * slack, bulk(&s), steps, (unsigned)most);
    /* A straight rope would reach no farther than its radius; with this slack one may. */
    TEST_ASSERT_TRUE(bulk(&s) > 2 * RADIUS);
    /* Far away rounding holds it open. */
    TEST_ASSERT_TRUE(far > 0 || bulk(&s) < loose);
}

static void test_a_knot_pulled_tight(void)
{
    pull_tight(PIOLA_SOLVER_DESCENT, "descent", 0);
    pull_tight(PIOLA_SOLVER_COMPLIANT, "compliant", 0);
    pull_tight(PIOLA_SOLVER_ENERGY, "energy", 0);
}

/* Where floats are 8e-6 and 6e-5 m apart, and the rope is 7 mm thick. */
static void test_a_knot_far_away(void)
{
    pull_tight(PIOLA_SOLVER_DESCENT, "descent, 100 m away", 100);
    pull_tight(PIOLA_SOLVER_COMPLIANT, "compliant, 100 m away", 100);
    pull_tight(PIOLA_SOLVER_DESCENT, "descent, 1000 m away", 1000);
    pull_tight(PIOLA_SOLVER_COMPLIANT, "compliant, 1000 m away", 1000);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_knot_pulled_tight);
    RUN_TEST(test_a_knot_far_away);
    return UNITY_END();
}
