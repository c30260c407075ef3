/* A collider that surfaces hold up says how far behind it is, follows its commands by no more than
 * catch_up_speed from then on, arrives when it may, and does so in a restored world too.
 *
 * covers: src/families/rigid/collider_lag.c
 */
#include "contact_fixture.h"
#include "resume.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

#define SPEED 2.0  /* m/s, at which commands go */
#define HIGH  0.22 /* m, the middle of a box of 0.2 m that presses a block of 0.1 m */

/* Where commands want the box: down, far into the floor, a while there, then up and away. */
static double wanted(const piola_world_desc *d, int step)
{
    const double gone = SPEED * (double)d->dt * step;
    return gone < 0.3 ? HIGH - gone : gone < 0.5 ? HIGH - 0.3 : gone < 1 ? HIGH - 0.8 + gone : 0.42;
}

struct box {
    struct scene scene;
    piola_world_desc desc;
    piola_collider box;
};

static void enter(struct box *b, int which, double catch_up)
{
    piola_body_desc block = piola_body_desc_default();
    piola_collider_desc c = piola_collider_desc_default();
    b->desc = scene_desc(scene_solvers[which].solver);
    b->desc.catch_up_speed = (float)catch_up;
    b->desc.dt = 0.01f;
    b->scene = scene_of(&b->desc);
    (void)scene_floor(&b->scene, 0.5f);
    c.shape.kind = PIOLA_SHAPE_BOX;
    c.shape.size[0] = c.shape.size[1] = c.shape.size[2] = 0.1f;
    c.position[1] = (float)HIGH;
    fixture_ok(piola_collider_create(b->scene.world, &c, &b->box, NULL), NULL);
    block.position[0] = block.position[2] = -0.05f;
    block.position[1] = 0.001f;
    (void)scene_enter(&b->scene, fixture_beam_of(2, 2, 2, 0.05, NULL, 0), &block);
    scene_collect(&b->scene);
}

static piola_collider_info look(const struct box *b)
{
    piola_collider_info info;
    fixture_ok(piola_collider_inspect(b->scene.world, b->box, &info), NULL);
    return info;
}

static void command(const struct box *b, int step)
{
    const float to[3] = {0, (float)wanted(&b->desc, step), 0};
    fixture_ok(piola_collider_move(b->scene.world, b->box, to), NULL);
}

static int steps_of(const struct box *b)
{
    return (int)lround(1.3 / (SPEED * (double)b->desc.dt));
}

static void press(int which, double catch_up)
{
    struct box b;
    enter(&b, which, catch_up);
    double most = 0, fastest = 0, at = HIGH;
    bool late = false;
    for (int step = 1; step <= steps_of(&b); ++step) {
        command(&b, step);
        scene_step(&b.scene, scene_solvers[which].name);
        const piola_collider_info now = look(&b);
        const double lag = fabs((double)now.position[1] - wanted(&b.desc, step));
        const double speed = fabs((double)now.position[1] - at) / (double)b.desc.dt;
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, lag, now.behind);
        most = lag > most ? lag : most;
        fastest = late && speed > fastest ? speed : fastest;
        late = now.behind > 0;
        at = (double)now.position[1];
    }
    printf("%s, %.1f m/s: at most %.3f m behind, then %.3f m/s\n", scene_solvers[which].name,
           catch_up, most, fastest);
    TEST_ASSERT_TRUE(most > 0.05 && fastest > 0);
    TEST_ASSERT_TRUE(fastest <= (SPEED + catch_up) * (1 + 1e-3));
    TEST_ASSERT_TRUE(!late);
}

static void test_it_catches_up_at_a_bounded_speed(void)
{
    for (int which = 0; which < fixture_count(2, 1); ++which) {
        press(which, which == 1 ? 0.5 : 3);
        fixture_clean();
    }
}

/* Turned away from, it is wanted nowhere: the next command finds it as any other. */
static void test_it_forgets_when_nobody_leads_it(void)
{
    struct box b;
    int step = 1;
    enter(&b, 0, 2);
    for (; step <= steps_of(&b) && look(&b).behind == 0; ++step) {
        command(&b, step);
        scene_step(&b.scene, "down");
    }
    TEST_ASSERT_TRUE(look(&b).behind > 0);
    scene_step(&b.scene, "left alone");
    TEST_ASSERT_TRUE(look(&b).behind == 0);
    const float away[3] = {0, 0.6f, 0};
    fixture_ok(piola_collider_move(b.scene.world, b.box, away), NULL);
    scene_step(&b.scene, "away");
    TEST_ASSERT_EQUAL_FLOAT(0.6f, look(&b).position[1]);
}

static void test_a_restored_world_goes_on_alike(void)
{
    uint64_t hash[2];
    for (int k = 0; k < 2; ++k) {
        struct box b;
        enter(&b, 0, 2);
        for (int step = 1; step <= steps_of(&b); ++step) {
            command(&b, step);
            if (k > 0 && step % 7 == 0)
                resume(b.scene.world, resume_garbage[step / 7 % RESUME_GARBAGE]);
            fixture_ok(piola_world_step(b.scene.world, NULL, NULL), NULL);
        }
        hash[k] = piola_world_hash(b.scene.world);
        fixture_clean();
    }
    TEST_ASSERT_TRUE(hash[0] == hash[1]);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_it_catches_up_at_a_bounded_speed);
    RUN_TEST(test_it_forgets_when_nobody_leads_it);
    RUN_TEST(test_a_restored_world_goes_on_alike);
    return UNITY_END();
}
