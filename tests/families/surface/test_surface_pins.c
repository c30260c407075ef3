/* Pins that surfaces hold up: those of a body wait together, none passes another, and all come to
 * their targets at a bounded speed as soon as there is room.
 *
 * covers: src/world/pins.c src/families/surface/surface_held.c
 */
#include "contact_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

#define PINS 64

/* Pins of a body, by vertex, and where they are told to be. */
struct held {
    piola_body body;
    int count;
    uint32_t first; /* of the body's vertices in the scene */
    uint32_t vertex[PINS];
    float home[PINS][3], target[PINS][3];
};

/* Every vertex of the scene's body that is at the top. */
static struct held top_of(struct scene *s, int body, bool corners)
{
    struct held h = {.body = s->body[body], .first = scene_first(s, body)};
    const uint32_t end = body + 1 < s->bodies ? scene_first(s, body + 1) : s->vertex_count;
    float top = -HUGE_VALF, low = HUGE_VALF, high = -HUGE_VALF;
    for (uint32_t v = h.first; v < end; ++v)
        top = fmaxf(top, s->x[3 * v + 1]);
    for (uint32_t v = h.first; v < end; ++v) {
        low = fminf(low, s->x[3 * v]);
        high = fmaxf(high, s->x[3 * v]);
    }
    for (uint32_t v = h.first; v < end; ++v) {
        const float *x = &s->x[3 * v];
        if (x[1] < top - 1e-5f || (corners && x[0] > low + 1e-5f && x[0] < high - 1e-5f))
            continue;
        TEST_ASSERT_TRUE(h.count < PINS);
        h.vertex[h.count] = v - h.first;
        memcpy(h.home[h.count], x, sizeof h.home[0]);
        memcpy(h.target[h.count++], x, sizeof h.home[0]);
    }
    return h;
}

static void hold(struct scene *s, struct held *h)
{
    for (int p = 0; p < h->count; ++p)
        fixture_ok(piola_body_pin(s->world, h->body, h->vertex[p], h->target[p]), NULL);
}

static void shift(struct held *h, double x, double y, double z)
{
    for (int p = 0; p < h->count; ++p) {
        h->target[p][0] = h->home[p][0] + (float)x;
        h->target[p][1] = h->home[p][1] + (float)y;
        h->target[p][2] = h->home[p][2] + (float)z;
    }
}

/* How far behind pin p is. */
static void behind(const struct scene *s, const struct held *h, int p, double by[3])
{
    for (int k = 0; k < 3; ++k)
        by[k] = (double)h->target[p][k] - (double)s->x[3 * (h->first + h->vertex[p]) + (uint32_t)k];
}

/* The farthest that one is behind, and how far two are from being so alike. */
static double farthest(const struct scene *s, const struct held *h, double *unlike)
{
    double most = 0, first[3], by[3];
    behind(s, h, 0, first);
    *unlike = 0;
    for (int p = 0; p < h->count; ++p) {
        behind(s, h, p, by);
        double square = 0, other = 0;
        for (int k = 0; k < 3; ++k) {
            square += by[k] * by[k];
            other += (by[k] - first[k]) * (by[k] - first[k]);
        }
        most = fmax(most, sqrt(square));
        *unlike = fmax(*unlike, sqrt(other));
    }
    return most;
}

static double told_behind(const struct scene *s, const struct held *h)
{
    piola_body_info info;
    fixture_ok(piola_body_inspect(s->world, h->body, &info), NULL);
    return info.pins_behind;
}

/* A sheet that hangs, its upper edge at (x, y, z). */
static void enter_sheet(struct scene *s, double width, uint32_t cells, double x, double y, double z)
{
    piola_body_desc b = piola_body_desc_default();
    b.rotation[0] = sqrtf(0.5f);
    b.rotation[3] = sqrtf(0.5f);
    b.position[0] = (float)x;
    b.position[1] = (float)y;
    b.position[2] = (float)z;
    (void)scene_enter(s, scene_sheet(width, width, cells, cells, 1000), &b);
}

/* A row of pins walks into a small one that is held fast and that meets only some of them. */
static void test_a_row_waits_as_one(void)
{
    static const double speeds[] = {0.2, 1, 4};
    for (int round = 0; round < 9; round += 9 / fixture_count(9, 2)) {
        const double speed = speeds[round % 3], dt = 0.005;
        piola_world_desc d = scene_desc(scene_solvers[round / 3].solver);
        d.substeps = round % 2 ? 3 : 1;
        d.catch_up_speed = round % 3 == 1 ? 0.3f : 1;
        struct scene s = scene_of(&d);
        char text[64];
        snprintf(text, sizeof text, "%s, a row at %.1f m/s", scene_solvers[round / 3].name, speed);
        enter_sheet(&s, 0.4, 8, 0, 0, 0);
        enter_sheet(&s, 0.1, 2, 0.07, 0.05, 0.1);
        scene_collect(&s);
        struct held row = top_of(&s, 0, false), bar = top_of(&s, 1, false);
        bar.count = 0; /* all of it is held fast */
        for (uint32_t v = bar.first; v < s.vertex_count; ++v) {
            bar.vertex[bar.count] = v - bar.first;
            memcpy(bar.home[bar.count], &s.x[3 * v], sizeof bar.home[0]);
            memcpy(bar.target[bar.count++], &s.x[3 * v], sizeof bar.home[0]);
        }
        hold(&s, &bar);
        double unlike, way = 0, before = 0;
        while (way < 0.25) {
            way += dt * speed;
            shift(&row, 0, 0, way);
            hold(&s, &row);
            scene_step(&s, text);
            const double late = farthest(&s, &row, &unlike);
            TEST_ASSERT_TRUE_MESSAGE(unlike < 1e-5, text);
            TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-5, late, told_behind(&s, &row), text);
            before = late;
        }
        TEST_ASSERT_TRUE_MESSAGE(before > 0.05, text);
        /* The bar goes away; no command is needed for the row to arrive. */
        shift(&bar, 0, 0, 2);
        hold(&s, &bar);
        const int steps = 40 + (int)(before / (dt * (double)d.catch_up_speed));
        for (int i = 0; i < steps; ++i) {
            scene_step(&s, text);
            const double late = farthest(&s, &row, &unlike);
            TEST_ASSERT_TRUE_MESSAGE(unlike < 1e-5, text);
            TEST_ASSERT_TRUE_MESSAGE(before - late < dt * (double)d.catch_up_speed + 1e-5, text);
            before = late;
        }
        TEST_ASSERT_TRUE_MESSAGE(before < 1e-6, text);
        TEST_ASSERT_TRUE_MESSAGE(told_behind(&s, &row) == 0, text);
    }
}

/* Corners of a cape are drawn together faster than the cloth can follow, walk and hop; then all
 * that is held up arrives, and no two pins have changed places. */
static void cape(int round, const char *text)
{
    static const double hops[] = {0.4, 0.2, 0.1};
    const double dt = round % 2 ? 1.0 / 60 : 1.0 / 90, hop = hops[round % 3];
    const bool corners = round / 3 % 2 == 0;
    const uint32_t cells = round % 4 < 2 ? 12 : 20;
    piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
    d.dt = (float)dt;
    struct scene s = scene_of(&d);
    enter_sheet(&s, 0.8, cells, -0.4, 0, 0);
    scene_collect(&s);
    struct held row = top_of(&s, 0, corners);
    double late = 0, most = 0, unlike;
    const double shut = 0.2, moves = 0.9;
    for (double t = dt; t < moves + 4; t += dt) {
        const double now = fmin(t, moves), part = fmin(1, now / shut);
        const double radius = 0.8 * (1 - 0.5 * part) / (part * PI), hopped = fmod(now, 1.5 * hop);
        for (int p = 0; p < row.count && t < moves + dt; ++p) {
            const double angle = part * PI * (double)row.home[p][0] / 0.8;
            row.target[p][0] = (float)(radius * sin(angle));
            row.target[p][1] = (float)(hopped < hop ? hopped / hop * (1 - hopped / hop) : 0);
            row.target[p][2] = (float)(1.4 * now + radius * (cos(angle) - 1));
        }
        if (t < moves + dt)
            hold(&s, &row);
        scene_step(&s, text);
        late = farthest(&s, &row, &unlike);
        most = fmax(most, late);
        for (int p = 1; p < row.count; ++p)
            TEST_ASSERT_TRUE_MESSAGE(s.x[3 * row.vertex[p]] > s.x[3 * row.vertex[p - 1]], text);
        if (t > moves && late == 0)
            break;
    }
    printf("%s: at most %.3f m behind, %.1e at last\n", text, most, late);
    TEST_ASSERT_TRUE_MESSAGE(late < 1e-5, text);
}

static void test_a_cape_that_hops(void)
{
    for (int round = 0; round < fixture_count(6, 2); ++round) {
        char text[64];
        snprintf(text, sizeof text, "cape %d", round);
        cape(round, text);
        fixture_clean();
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_row_waits_as_one);
    RUN_TEST(test_a_cape_that_hops);
    return UNITY_END();
}
