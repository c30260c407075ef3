/* What the search leaves out is apart: tests of faces and stars against exact distances and
 * crossings, also of triangles nearly without area or extent, and far from the origin.
 *
 * covers: src/families/surface/surface_search.c src/families/surface/surface_find.c
 */
#include "families/surface/surface.h"
#include "fixture.h"
#include "kernels/kernels.h"
#include "ref_cross.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define THICKNESS  1e-3f
#define NEIGHBOURS 6u

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* 16 pairs of triangles: corners of pair i are 6 i to 6 i + 5. */
enum { CORNERS = 6 * PK_LANES, RINGS = (1 + NEIGHBOURS) * PK_LANES };
static struct pk_quad start[RINGS], to[RINGS];
static uint32_t strayed[RINGS], star[RINGS];
static float share[RINGS], room[RINGS];
static struct pk_quad astray[RINGS];

static struct pk_contact told(void)
{
    return (struct pk_contact){.thickness = THICKNESS,
                               .slack = 0.5f * THICKNESS,
                               .stretch = 0.1f,
                               .start = start,
                               .base = start,
                               .to = to,
                               .x = to,
                               .star = star,
                               .share = share,
                               .room = room,
                               .astray = astray};
}

static double between(uint64_t *random, double low, double high)
{
    return low + (high - low) * fixture_uniform(random);
}

static double power(uint64_t *random, double low, double high)
{
    return exp(between(random, log(low), log(high)));
}

static struct pk_quad near_place(uint64_t *random, const double at[3], double size)
{
    struct pk_quad q = {0, 0, 0, 1};
    q.x = (float)(at[0] + size * between(random, -1, 1));
    q.y = (float)(at[1] + size * between(random, -1, 1));
    q.z = (float)(at[2] + size * between(random, -1, 1));
    return q;
}

static double distance(const struct pk_quad *a, const struct pk_quad *b)
{
    const double x = (double)a->x - (double)b->x, y = (double)a->y - (double)b->y;
    const double z = (double)a->z - (double)b->z;
    return sqrt(x * x + y * y + z * z);
}

/* Two triangles whose first corners are near each other, at first or at the end, and which may
 * begin or end somewhere else. */
static void toss_pair(uint64_t *random, uint32_t first, double far)
{
    const double size[2] = {power(random, 1e-12, 0.1), power(random, 1e-12, 0.1)};
    double at[2][3], apart[3];
    for (int end = 0; end < 2; ++end) {
        const double gap = power(random, 1e-9, 0.01);
        for (int k = 0; k < 3; ++k) {
            at[end][k] =
                end ? at[0][k] + 0.01 * between(random, -1, 1) : far * between(random, -1, 1);
            apart[k] = at[end][k] + gap * between(random, -1, 1);
        }
        struct pk_quad *x = end ? to : start;
        for (uint32_t i = 0; i < 3; ++i) {
            x[first + i] = near_place(random, at[end], size[0]);
            x[first + 3 + i] = near_place(random, apart, size[1]);
        }
    }
    for (uint32_t i = 0; i < 6; ++i)
        strayed[first + i] = fixture_uniform(random) < 0.5;
}

/* Nearer than the thickness when they begin, or when each has gone its slack. */
static bool may_meet(const struct pk_contact *c, uint32_t first)
{
    for (uint32_t i = first; i < first + 3; ++i)
        for (uint32_t j = first + 3; j < first + 6; ++j) {
            double slack = 0;
            for (uint32_t k = 0; k < 2; ++k) {
                const uint32_t p = k ? j : i;
                slack += c->strayed && strayed[p]
                             ? 0
                             : (double)c->slack + (double)c->stretch * distance(&start[p], &to[p]);
            }
            const double thick = 0.99 * (double)THICKNESS;
            if (distance(&start[i], &start[j]) < thick ||
                distance(&to[i], &to[j]) < 0.99 * slack + thick)
                return true;
        }
    return false;
}

static void check_faces(const struct kernels *kernels, const struct pk_contact *c)
{
    struct pk_face_pairs pairs;
    struct pk_face_pack pack[2];
    struct pk_face_boxes boxes[2];
    struct pk_swept_box around[2];
    uint32_t masks[PK_LANES], common[PK_LANES];
    memset(pack, 0, sizeof pack);
    for (uint32_t i = 0; i < PK_LANES; ++i)
        for (uint32_t k = 0; k < 6; ++k) {
            pairs.corner[k][i] = 6 * i + k;
            pack[k / 3].corner[k % 3][i] = 6 * i + k;
        }
    pack[0].lanes = pack[1].lanes = PK_LANES;
    const uint32_t parted =
        kernels->surface_apart(c, &pairs, 0) | kernels->surface_apart(c, &pairs, 1);
    /* Boxes go with their bodies: here with one of their particles each. */
    struct surface_mesh skin[2] = {{0}, {0}};
    for (int i = 0; i < 2; ++i) {
        struct pk_contact told = *c;
        const uint32_t one = 3 * (uint32_t)i;
        skin[i].drift[0] = told.drift[0] = to[one].x - start[one].x;
        skin[i].drift[1] = told.drift[1] = to[one].y - start[one].y;
        skin[i].drift[2] = told.drift[2] = to[one].z - start[one].z;
        kernels->surface_boxes(&told, &pack[i], 1, &boxes[i], &around[i]);
    }
    const struct pk_widen widen = surface_widen(&skin[0], &skin[1], 0);
    memset(masks, 0, sizeof masks);
    (void)kernels->surface_overlaps(&(struct pk_overlap_job){.a = &boxes[0],
                                                             .b = &boxes[1],
                                                             .around_a = &around[0],
                                                             .around_b = &around[1],
                                                             .widen_b = &widen,
                                                             .masks = masks,
                                                             .common = common,
                                                             .rows = 0xffffu});
    for (uint32_t i = 0; i < PK_LANES; ++i) {
        if (!may_meet(c, 6 * i))
            continue;
        TEST_ASSERT_FALSE_MESSAGE(parted >> i & 1, "planes part what may meet");
        TEST_ASSERT_TRUE_MESSAGE(masks[i] >> i & 1, "boxes part what may meet");
    }
}

static void test_faces_that_may_meet_are_found(void)
{
    uint64_t random = fixture_seed();
    const int rounds = fixture_count(4000, 100);
    for (int isa = 1; isa < PIOLA_ISA_COUNT; ++isa)
        for (int round = 0; round < rounds && piola_isa_available((piola_isa)isa); ++round) {
            struct pk_contact c = told();
            const double far = round % 2 ? 0 : power(&random, 0.1, 8000);
            for (uint32_t i = 0; i < PK_LANES; ++i)
                toss_pair(&random, 6 * i, far);
            check_faces(kernels_for((piola_isa)isa), &c);
            c.strayed = strayed;
            check_faces(kernels_for((piola_isa)isa), &c);
        }
}

/* A fan of triangles around a corner that goes somewhere; each of its corners bends off a plane. */
static void toss_star(uint64_t *random, uint32_t first, double far)
{
    const double size = power(random, 1e-4, 0.1), bend = power(random, 1e-6, 1);
    const double way = power(random, 1e-4, 2), squeeze = power(random, 1e-6, 1);
    double at[3], go[3];
    for (int k = 0; k < 3; ++k) {
        at[k] = far * between(random, -1, 1);
        go[k] = way * between(random, -1, 1);
    }
    for (uint32_t i = 0; i <= NEIGHBOURS; ++i) {
        const double turn = 6.283185307179586 * (double)i / NEIGHBOURS, r = i ? size : 0;
        const double x = r * cos(turn), y = squeeze * r * sin(turn);
        const double p[3] = {at[0] + x, at[1] + y, at[2] + bend * r * between(random, -1, 1)};
        const double q[3] = {p[0] + go[0], p[1] + go[1], p[2] + go[2]};
        start[first + i] = near_place(random, p, 0.1 * bend * r);
        to[first + i] = near_place(random, q, 0.2 * bend * size);
        share[first + i] = fixture_uniform(random) < 0.5 ? 1 : (float)fixture_uniform(random);
    }
}

/* Where it ends, and there moved to the next float on some side. */
static void end_of(uint64_t *random, uint32_t i, double out[3])
{
    const float s[3] = {start[i].x, start[i].y, start[i].z}, x[3] = {to[i].x, to[i].y, to[i].z};
    for (int k = 0; k < 3; ++k) {
        const float end = share[i] < 1 ? s[k] + share[i] * (x[k] - s[k]) : x[k];
        const double side = between(random, -1, 1);
        out[k] = (double)(side < -0.3  ? nextafterf(end, -1e30f)
                          : side > 0.3 ? nextafterf(end, 1e30f)
                                       : end);
    }
}

/* Also when carried on and rounded anew. */
static void check_star(uint64_t *random, uint32_t first)
{
    double x[NEIGHBOURS + 1][3], t[NEIGHBOURS][9];
    for (uint32_t i = 0; i <= NEIGHBOURS; ++i)
        end_of(random, first + i, x[i]);
    for (uint32_t i = 0; i < NEIGHBOURS; ++i) {
        memcpy(t[i], x[0], sizeof x[0]);
        memcpy(t[i] + 3, x[1 + i], sizeof x[0]);
        memcpy(t[i] + 6, x[1 + (i + 1) % NEIGHBOURS], sizeof x[0]);
        for (uint32_t j = 0; j < i; ++j)
            TEST_ASSERT_TRUE(ref_cross_triangles(t[i], t[j]) != REF_CROSS);
    }
}

/* A star's particles end elsewhere than expected: all by one way, and each by some of its own,
 * about as far as there is room for. */
static void send_astray(uint64_t *random, uint32_t first)
{
    const double most = fixture_uniform(random) < 0.5 ? 0.2 * (double)room[first] : 0.1;
    const double own = fixture_uniform(random) < 0.5 ? power(random, 0.02, 1) * (double)room[first]
                                                     : power(random, 1e-6, 0.1);
    double all[3];
    for (int k = 0; k < 3; ++k)
        all[k] = most * between(random, -1, 1);
    for (uint32_t i = first; i <= first + NEIGHBOURS; ++i) {
        const struct pk_quad *s = &start[i], *x = &to[i];
        const float part = share[i] < 1 ? share[i] : 1;
        const double p[3] = {(double)(s->x + part * (x->x - s->x)) + all[0],
                             (double)(s->y + part * (x->y - s->y)) + all[1],
                             (double)(s->z + part * (x->z - s->z)) + all[2]};
        const struct pk_quad end = near_place(random, p, own);
        const struct pk_quad was = {part < 1 ? s->x + part * (x->x - s->x) : x->x,
                                    part < 1 ? s->y + part * (x->y - s->y) : x->y,
                                    part < 1 ? s->z + part * (x->z - s->z) : x->z, 1};
        astray[i] = (struct pk_quad){end.x - was.x, end.y - was.y, end.z - was.z,
                                     (float)(1.00001 * distance(&end, &was))};
        to[i] = end;
        share[i] = 1;
    }
}

static void test_stars_do_not_cross(void)
{
    uint64_t random = fixture_seed();
    const int rounds = fixture_count(3000, 100);
    const struct kernels *kernels = kernels_for(PIOLA_ISA_AUTO);
    uint32_t safe = 0, lost = 0, gone = 0;
    for (int round = 0; round < rounds; ++round) {
        struct pk_ring_pack pack;
        const struct pk_contact c = told();
        const double far = round % 2 ? 0.1 : power(&random, 0.1, 8000);
        memset(&pack, 0, sizeof pack);
        for (uint32_t i = 0; i < PK_LANES; ++i) {
            const uint32_t first = i * (1 + NEIGHBOURS);
            toss_star(&random, first, far);
            pack.centre[i] = first;
            pack.count[i] = NEIGHBOURS;
            pack.closed[i] = 1;
            for (uint32_t k = 0; k < PK_RING; ++k)
                pack.ring[k][i] = first + (k < NEIGHBOURS ? 1 + k : 0);
        }
        (void)kernels->surface_stars(&c, &pack, 1, star, 0);
        for (uint32_t i = 0; i < PK_LANES; ++i)
            if (star[pack.centre[i]] == PK_STAR_SAFE) {
                ++safe;
                check_star(&random, pack.centre[i]);
                send_astray(&random, pack.centre[i]);
            }
        lost += kernels->surface_stars(&c, &pack, 1, star, 1);
        for (uint32_t i = 0; i < PK_LANES; ++i) {
            if (star[pack.centre[i]] == PK_STAR_SAFE)
                check_star(&random, pack.centre[i]);
            gone += star[pack.centre[i]] == PK_STAR_LOST;
        }
    }
    printf("%u of %u stars were vouched for, %u not when they went astray\n", (unsigned)safe,
           16 * (unsigned)rounds, (unsigned)lost);
    TEST_ASSERT_EQUAL(lost, gone);
    TEST_ASSERT_TRUE(lost > safe / 20 && lost < safe / 2);
    TEST_ASSERT_TRUE(safe > (uint32_t)rounds);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_faces_that_may_meet_are_found);
    RUN_TEST(test_stars_do_not_cross);
    return UNITY_END();
}
