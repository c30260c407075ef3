/* A rope around a post: the pulls at its ends differ by exp(friction times angle).
 *
 * covers: src/families/surface/
 */
#include "contact_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI     3.14159265358979323846
#define RADIUS 0.05
#define CELLS  72u
#define LENGTH 0.36
#define LOAD   0.05

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* A tape of one cell across that nothing keeps from bending, along z in the mesh, laid around a
 * post that stands along z: it leaves the post along -y at one end, `angle` earlier at the other.
 */
struct rope {
    struct scene scene;
    piola_collider post;
    double angle, out[2]; /* where the drawn end goes */
    float *x;
};

static void lay(struct rope *r)
{
    const double radius = RADIUS + 1e-5, arc = r->angle * radius, straight = 0.5 * (LENGTH - arc);
    scene_collect(&r->scene);
    for (uint32_t i = 0; i < r->scene.vertex_count; ++i) {
        float *x = r->scene.x + 3 * (size_t)i;
        const double u = (double)x[2], across = (double)x[0];
        double turn = (u - straight) / radius, beyond = 0; /* from where the loaded end leaves */
        beyond = turn < 0 ? turn * radius : turn > r->angle ? (turn - r->angle) * radius : 0;
        turn = turn < 0 ? 0 : turn > r->angle ? r->angle : turn;
        x[0] = (float)(radius * cos(turn) - beyond * sin(turn));
        x[1] = (float)(radius * sin(turn) + beyond * cos(turn));
        x[2] = (float)across;
    }
    fixture_ok(piola_body_set_positions(r->scene.world, r->scene.body[0], 0, r->scene.vertex_count,
                                        r->scene.x, NULL),
               NULL);
}

static struct rope rope_of(int which, double angle, float friction)
{
    struct rope r = {.angle = angle, .out = {-sin(angle), cos(angle)}};
    piola_world_desc d = scene_desc(scene_solvers[which].solver);
    d.dt = 2e-4f;
    d.iterations = which == 0 ? 40 : 15;
    d.max_contacts = 0;
    memset(d.gravity, 0, sizeof d.gravity);
    r.scene = scene_of(&d);
    piola_collider_desc c = piola_collider_desc_default();
    c.shape.kind = PIOLA_SHAPE_CAPSULE;
    c.shape.radius = (float)RADIUS;
    c.shape.size[1] = 0.1f;
    c.rotation[0] = c.rotation[3] = 0.70710678f;
    c.friction_static = c.friction_kinetic = friction;
    fixture_ok(piola_collider_create(r.scene.world, &c, &r.post, NULL), NULL);
    piola_body_desc b = piola_body_desc_default();
    b.damping = 5;
    (void)scene_enter(&r.scene, scene_limp_sheet(0.01, LENGTH, 1, CELLS, 1000), &b);
    lay(&r);
    r.x = fixture_memory(3 * r.scene.vertex_count * sizeof *r.x);
    memcpy(r.x, r.scene.x, 3 * r.scene.vertex_count * sizeof *r.x);
    return r;
}

/* A step with the load at one end and, when `drawn` is not negative, the other held that far out.
 */
static void advance(struct rope *r, double drawn)
{
    for (uint32_t k = 0; k < 2; ++k) {
        const uint32_t end = 2 * CELLS + k;
        const float *at = r->x + 3 * (size_t)end;
        fixture_push(r->scene.world, PIOLA_COMMAND_BODY_IMPULSE, r->scene.body[0], k, 0,
                     (float)(-0.5 * 2e-4 * LOAD), 0);
        fixture_push(r->scene.world, PIOLA_COMMAND_BODY_PIN, r->scene.body[0], end,
                     at[0] + (float)(drawn * r->out[0]), at[1] + (float)(drawn * r->out[1]), at[2]);
    }
    fixture_steps(r->scene.world, NULL, 1);
}

static double pulls(int which, double degrees, float friction)
{
    struct rope r = rope_of(which, degrees * PI / 180, friction);
    double sum[2] = {0, 0};
    for (int i = 0; i < 1400; ++i) {
        piola_collider_info at;
        advance(&r, 4e-6 * i);
        fixture_ok(piola_collider_inspect(r.scene.world, r.post, &at), NULL);
        for (int k = 0; k < 2 && i >= 1000; ++k)
            sum[k] += at.force[k] / 400;
    }
    /* The post bears both pulls: along `out`, and the load along -y. */
    const double drawn = degrees > 135 ? -sum[1] - LOAD : sum[0] * r.out[0];
    const double wanted = exp((double)friction * r.angle);
    printf(
        "%s, %.0f degrees, friction %.1f: post bears %.4f %.4f N, the pull is %.4f times the load, "
        "exp(friction angle) is %.4f\n",
        scene_solvers[which].name, degrees, (double)friction, sum[0], sum[1], drawn / LOAD, wanted);
    return drawn / LOAD / wanted;
}

static void test_a_rope_around_a_post(void)
{
    double worst = 0;
    for (int which = 0; which < 3; ++which)
        for (int k = 0; k < 4; ++k) {
            const double ratio = pulls(which, k % 2 ? 180 : 90, k < 2 ? 0.2f : 0.4f);
            worst = fmax(worst, fabs(ratio - 1));
        }
    printf("at most %.4f off\n", worst);
    TEST_ASSERT_TRUE(worst < 0.02);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_rope_around_a_post);
    return UNITY_END();
}
