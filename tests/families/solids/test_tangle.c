/* Tests of the sieve before the search for tangled elements (ispc/solids/tangle.ispc): what it
 * leaves out is fine, or no worse than asked for, by the reference's singular values, whatever the
 * units, the place, the element's shape; what is at rest or nearly so is left out; all instruction
 * sets agree.
 *
 * covers: src/families/solids/tangle.c
 */
#include "fixture.h"
#include "kernels/kernels.h"
#include "ref_random.h"
#include "ref_svd.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Stretches that src/families/solids/tangle.c takes for fine. */
#define SHORT 0.6
#define LONG  1.4

static uint64_t seed;

/* Sixteen tetrahedra of their own corners: element i has i, 16 + i, 32 + i and 48 + i. */
struct pack {
    _Alignas(PIOLA_ALIGNMENT) struct pk_quad rest[4 * PK_LANES];
    _Alignas(PIOLA_ALIGNMENT) struct pk_quad x[4 * PK_LANES];
    uint32_t three[3][PK_LANES], last[PK_LANES];
};

void setUp(void)
{
}

void tearDown(void)
{
}

static struct pk_quad quad_of(ref_mat3 m, const double p[3], const double away[3])
{
    struct pk_quad q = {0};
    float *const to[3] = {&q.x, &q.y, &q.z};
    for (int k = 0; k < 3; ++k)
        *to[k] = (float)(m.m[k][0] * p[0] + m.m[k][1] * p[1] + m.m[k][2] * p[2] + away[k]);
    return q;
}

static double difference(const struct pk_quad *a, const struct pk_quad *b, int axis)
{
    return axis == 0   ? (double)a->x - (double)b->x
           : axis == 1 ? (double)a->y - (double)b->y
                       : (double)a->z - (double)b->z;
}

/* Edges to the last corner as columns, from the floats that the kernel sees. */
static ref_mat3 edges(const struct pk_quad *x, int lane)
{
    ref_mat3 m;
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i)
            m.m[k][i] = difference(&x[PK_LANES * i + lane], &x[PK_LANES * 3 + lane], k);
    return m;
}

/* F = U diag(stretch) V^T on a tetrahedron that is flat, slim or round by `flatness`. */
static void element(struct pack *p, int lane, double flatness, const double stretch[3], double unit,
                    double far)
{
    const ref_mat3 f = ref_compose(ref_random_rotation(&seed), stretch, ref_random_rotation(&seed));
    const ref_mat3 turn = ref_random_rotation(&seed);
    const ref_mat3 moved = ref_mul(f, turn);
    double away[2][3];
    for (int i = 0; i < 6; ++i)
        away[i / 3][i % 3] = unit * ref_random(&seed, -far, far);
    for (int c = 0; c < 4; ++c) {
        double at[3];
        for (int k = 0; k < 3; ++k)
            at[k] = unit * (c == k ? 1 : ref_random(&seed, -0.2, 0.2));
        at[2] *= flatness;
        p->rest[PK_LANES * c + lane] = quad_of(turn, at, away[0]);
        p->x[PK_LANES * c + lane] = quad_of(moved, at, away[1]);
    }
}

static void number(struct pack *p)
{
    memset(p, 0, sizeof *p);
    for (uint32_t i = 0; i < PK_LANES; ++i) {
        for (uint32_t c = 0; c < 3; ++c)
            p->three[c][i] = PK_LANES * c + i;
        p->last[i] = PK_LANES * 3 + i;
    }
}

/* The kernel's answer, the same on each instruction set. */
static uint32_t suspects(const struct pack *p, float worst)
{
    uint32_t first = 0;
    bool any = false;
    for (piola_isa isa = PIOLA_ISA_SSE4; isa < PIOLA_ISA_COUNT; ++isa) {
        if (!piola_isa_available(isa))
            continue;
        const uint32_t mask =
            kernels_for(isa)->suspect_tets(p->rest, p->x, p->three[0], p->last, worst);
        if (any)
            TEST_ASSERT_EQUAL_HEX32(first, mask);
        first = mask;
        any = true;
    }
    TEST_ASSERT_TRUE(any);
    return first;
}

/* What src/families/solids/tangle.c ranks elements by. */
static double badness(ref_mat3 f)
{
    const ref_mat3 e = ref_add(ref_mul(ref_transpose(f), f), -1, ref_diag(1, 1, 1));
    return ref_inner(e, e) + (ref_det(f) > 0 ? 0 : 20);
}

/* What is left out is fine, or no worse than what was asked for. */
static int check_left_out(const struct pack *p, float worst)
{
    const uint32_t mask = suspects(p, worst);
    int kept = 0;
    for (int lane = 0; lane < PK_LANES; ++lane) {
        if (mask >> lane & 1)
            continue;
        const ref_mat3 f = ref_mul(edges(p->x, lane), ref_inverse(edges(p->rest, lane)));
        const ref_svd d = ref_svd_compute(f);
        const bool fine = d.s[2] > SHORT && d.s[0] < LONG;
        TEST_ASSERT_TRUE_MESSAGE(fine || badness(f) <= (double)worst,
                                 "a strained element is missed");
        ++kept;
    }
    return kept;
}

/* A third of the packs far from the origin, for their size; all shapes from flat to round. */
static void strained_pack(struct pack *p, bool strongly)
{
    number(p);
    const double unit = pow(10, ref_random(&seed, -9, 9));
    const double far = ref_random(&seed, 0, 1) < 0.3 ? 0 : pow(10, ref_random(&seed, 0, 6));
    for (int lane = 0; lane < PK_LANES; ++lane) {
        const double around = lane % 2 ? 1 : ref_random(&seed, 0, 1) < 0.5 ? SHORT : LONG;
        double stretch[3];
        for (int k = 0; k < 3; ++k)
            stretch[k] = strongly        ? pow(10, ref_random(&seed, -2, 1))
                         : k == lane % 3 ? around * ref_random(&seed, 0.9, 1.1)
                                         : ref_random(&seed, 0.7, 1.3);
        stretch[2] *= lane % 5 == 0 ? -1 : 1;
        element(p, lane, pow(10, ref_random(&seed, -7, 0)), stretch, unit, far);
    }
}

static void test_what_is_left_out_is_fine(void)
{
    const int packs = fixture_count(4000, 200);
    int kept[2] = {0, 0};
    for (int n = 0; n < packs; ++n) {
        struct pack p;
        strained_pack(&p, n % 2);
        kept[0] += check_left_out(&p, 0);
        /* Of every rank, and next to that of an element. */
        kept[1] += check_left_out(&p, (float)pow(10, ref_random(&seed, -2, 4)));
        const int lane = n % PK_LANES;
        const double bad = badness(ref_mul(edges(p.x, lane), ref_inverse(edges(p.rest, lane))));
        kept[1] += check_left_out(&p, (float)(bad * ref_random(&seed, 0.97, 1.05)));
    }
    printf("%d of %d elements were left out as fine, %d of %d as no worse\n", kept[0],
           PK_LANES * packs, kept[1], 2 * PK_LANES * packs);
    TEST_ASSERT_TRUE(kept[0] > packs / 2 && kept[1] > 2 * kept[0]);
}

/* The sieve is of use: elements of good shape at a moderate strain are left out, in any units. */
static void test_moderate_strain_is_left_out(void)
{
    for (int n = 0; n < fixture_count(500, 50); ++n) {
        struct pack p;
        number(&p);
        const double unit = pow(10, ref_random(&seed, -5, 5));
        for (int lane = 0; lane < PK_LANES; ++lane) {
            double stretch[3];
            for (int k = 0; k < 3; ++k)
                stretch[k] = ref_random(&seed, 0.7, 1.3);
            element(&p, lane, 1, stretch, unit, 10);
        }
        TEST_ASSERT_EQUAL_HEX32(0, suspects(&p, 0));
    }
}

/* Numbers that are none, and elements without volume, are looked at more closely. */
static void test_broken_numbers_are_looked_at(void)
{
    const double rest[3] = {1, 1, 1};
    for (int what = 0; what < 4; ++what) {
        struct pack p;
        number(&p);
        for (int lane = 0; lane < PK_LANES; ++lane)
            element(&p, lane, what == 3 ? 0 : 1, rest, 1, 1);
        for (int lane = 0; lane < PK_LANES && what < 3; ++lane)
            p.x[PK_LANES * (lane % 4) + lane].y = what == 0   ? NAN
                                                  : what == 1 ? INFINITY
                                                              : 3e38f * (float)(lane % 2 ? 1 : -1);
        TEST_ASSERT_EQUAL_HEX32(0xffff, suspects(&p, 1e30f));
    }
}

int main(void)
{
    UNITY_BEGIN();
    seed = fixture_seed();
    RUN_TEST(test_what_is_left_out_is_fine);
    RUN_TEST(test_moderate_strain_is_left_out);
    RUN_TEST(test_broken_numbers_are_looked_at);
    return UNITY_END();
}
