/* Which bodies are near which: the tree of their boxes leaves out nobody whom a look at all pairs
 * would find, adds nobody, and keeps the order; for boxes of all sizes, equal, nested, barely
 * touching, far from the origin and broken, on every instruction set, with several threads.
 *
 * covers: src/families/surface/surface_body_tree.c src/families/surface/box_tree.c
 */
#include "families/surface/box_tree.h"
#include "families/surface/surface.h"
#include "families/surface/surface_settings.h"
#include "fixture.h"
#include "golden.h"
#include "motion/stage.h"
#include "step/schedule.h"
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

enum { BODIES = 200 };

static float between(uint64_t *random, double low, double high)
{
    return (float)(low + (high - low) * fixture_uniform(random));
}

static float ulps(float x, int count)
{
    for (; count != 0; count -= count < 0 ? -1 : 1)
        x = nextafterf(x, count < 0 ? -INFINITY : INFINITY);
    return x;
}

/* A box next to another one, apart by just about `gap` along an axis. */
static struct pk_swept_box beside(uint64_t *random, const struct pk_swept_box *other, float gap)
{
    const uint64_t k = fixture_random(random) % 3;
    struct pk_swept_box box = *other;
    box.low[k] = ulps(other->high[k] + gap, (int)(fixture_random(random) % 9) - 4);
    box.high[k] = box.low[k] + between(random, 0, 0.1);
    return box;
}

/* The i-th of some boxes within a room of so many metres: most are small. */
static struct pk_swept_box toss(uint64_t *random, const struct pk_swept_box *boxes, uint32_t i,
                                double room, float gap)
{
    const uint64_t kind = fixture_random(random) % 16;
    const struct pk_swept_box *other = &boxes[i > 0 ? fixture_random(random) % i : 0];
    const double size = kind == 0 ? 1e3 : kind == 1 ? 10 : kind == 2 ? 0 : kind == 3 ? 1e-6 : 0.1;
    const double far = kind == 4 ? 1e6 : 0;
    struct pk_swept_box box;
    if (i > 0 && kind == 5)
        return *other;
    if (i > 0 && kind >= 6 && kind <= 8)
        return beside(random, other, gap);
    for (int k = 0; k < 3; ++k) {
        box.low[k] = between(random, far, far + room);
        box.high[k] = box.low[k] + between(random, 0, size);
        if (i > 0 && kind == 9) { /* nested */
            const double low = (double)other->low[k], high = (double)other->high[k];
            box.low[k] = between(random, low, high);
            box.high[k] = between(random, (double)box.low[k], high);
        }
    }
    return box;
}

static bool overlap(const struct pk_swept_box *a, const struct pk_swept_box *b)
{
    for (int k = 0; k < 3; ++k)
        if (a->low[k] > b->high[k] || a->high[k] < b->low[k])
            return false;
    return true;
}

static bool broken(const struct pk_swept_box *box)
{
    for (int k = 0; k < 3; ++k)
        if (!isfinite(box->low[k]) || !isfinite(box->high[k]))
            return true;
    return false;
}

/* One crowd on one instruction set; boxes move after they were put in order, when `moved`. */
static void check_crowd(uint64_t *random, piola_isa isa, uint32_t count, bool moved)
{
    struct pk_swept_box boxes[1000];
    struct pk_box_pack nodes[1000 / 15 + 6];
    uint32_t items[2 * 1000];
    uint64_t keys[2 * 1000], set[BOX_TREE_WORDS];
    const struct box_tree crowd = {count, boxes, items, keys, nodes};
    const double room = fixture_random(random) % 2 ? 1 : 10;
    TEST_ASSERT_TRUE(box_tree_nodes(1000) <= sizeof nodes / sizeof *nodes);
    for (int round = 0; round < 1 + moved; ++round) {
        for (uint32_t i = 0; i < count; ++i)
            boxes[i] = toss(random, boxes, i, room, 0);
        if (count > 40)
            boxes[40].low[1] = NAN, boxes[7].high[2] = INFINITY;
        if (round == 0)
            box_tree_arrange(&crowd);
        box_tree_refit(&crowd);
    }
    for (uint32_t i = 0; i < count; ++i) {
        box_tree_near(&crowd, kernels_for(isa), &boxes[i], set);
        uint32_t found = box_tree_next(set, count, 0);
        for (uint32_t j = 0; j < count; ++j) {
            if (!broken(&boxes[i]) && !broken(&boxes[j]) && !overlap(&boxes[i], &boxes[j]))
                continue;
            TEST_ASSERT_EQUAL_UINT32(j, found);
            found = box_tree_next(set, count, found + 1);
        }
        TEST_ASSERT_EQUAL_UINT32(count, found);
    }
}

static void test_crowd(void)
{
    static const uint32_t counts[] = {0, 1, 2, 15, 16, 17, 63, 64, 65, 256, 257, 1000};
    uint64_t random = fixture_seed();
    for (int isa = PIOLA_ISA_AUTO; isa < PIOLA_ISA_COUNT; ++isa)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
            if (piola_isa_available((piola_isa)isa))
                check_crowd(&random, (piola_isa)isa, counts[i], i % 2);
}

/* What would take a look at every node would be no tree. */
static uint32_t looks;
static uint32_t (*look)(const struct pk_box_pack *, const struct pk_swept_box *,
                        const struct pk_widen *);
static uint32_t count_look(const struct pk_box_pack *boxes, const struct pk_swept_box *box,
                           const struct pk_widen *widen)
{
    ++looks;
    return look(boxes, box, widen);
}

/* Boxes on a grid, in no order; a hundredth of them huge, one of them 1,000 km away. */
static void test_few_looks(void)
{
    enum { SIDE = 16, COUNT = SIDE * SIDE * SIDE };
    uint64_t random = fixture_seed(), set[BOX_TREE_WORDS];
    struct pk_swept_box *boxes = fixture_memory(COUNT * sizeof *boxes);
    const struct box_tree crowd = {
        COUNT, boxes, fixture_memory(2 * COUNT * sizeof(uint32_t)),
        fixture_memory(2 * COUNT * sizeof(uint64_t)),
        fixture_memory(box_tree_nodes(COUNT) * sizeof(struct pk_box_pack))};
    struct kernels kernels = *kernels_for(PIOLA_ISA_AUTO);
    look = kernels.surface_reach;
    kernels.surface_reach = count_look;
    for (uint32_t i = 0; i < COUNT; ++i) {
        const uint32_t at = i * 1531 % COUNT; /* prime to COUNT */
        const uint32_t cell[3] = {at % SIDE, at / SIDE % SIDE, at / (SIDE * SIDE)};
        for (int k = 0; k < 3; ++k) {
            boxes[i].low[k] = 0.1f * (float)cell[k] + between(&random, 0, 0.01);
            boxes[i].high[k] = boxes[i].low[k] + (i % 100 == 0 && k != 1 ? 2 : 0.1f);
        }
    }
    boxes[COUNT / 2] = (struct pk_swept_box){{1e6f, 0, 0}, {1e6f + 1, 1, 1}};
    box_tree_arrange(&crowd);
    box_tree_refit(&crowd);
    looks = 0;
    for (uint32_t i = 0; i < COUNT; ++i)
        box_tree_near(&crowd, &kernels, &boxes[i], set);
    printf("%.1f nodes of %u are looked at for one of %d boxes\n", (double)looks / COUNT,
           (unsigned)box_tree_nodes(COUNT), COUNT);
    TEST_ASSERT_TRUE(looks < 40u * COUNT);
}

/* ---- bodies of a world, whose boxes are replaced ---- */

static piola_world *world_of_bodies(void)
{
    const piola_asset *asset = fixture_beam(1, 1, 1, 0.1);
    piola_world_desc d = piola_world_desc_default();
    d.max_bodies = BODIES;
    d.max_particles = 32 * BODIES;
    d.max_contact_faces = 12 * BODIES;
    d.max_contacts = 100;
    piola_world *world = fixture_world(&d);
    for (uint32_t i = 0; i < BODIES; ++i) {
        piola_body body;
        piola_body_desc b = piola_body_desc_default();
        b.asset = asset;
        b.category = UINT64_C(1) << i % 7;
        b.mask = i % 11 ? UINT64_MAX : 0x5u;
        b.position[0] = 0.5f * (float)i;
        fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    }
    schedule_update(world);
    TEST_ASSERT_EQUAL_UINT32(BODIES, world->shared_count);
    return world;
}

/* All go along, some their own way, one flies off. */
static void toss_drifts(uint64_t *random, const piola_world *w, uint32_t round)
{
    for (uint32_t i = 0; i < BODIES; ++i)
        for (int k = 0; k < 3; ++k) {
            const double own = i % 3 ? 1e-3 : i == 60 ? 1e5 : 0.3;
            world_surface_meshes(w)[i].drift[k] = (round % 2 ? 3 : 0) + between(random, -own, own);
        }
    if (round % 3 == 2)
        world_surface_meshes(w)[17].drift[1] = NAN;
}

/* What find_partners is to find, as it did before there was a tree. */
static struct partners partners_of(const piola_world *w, uint32_t body)
{
    const struct surface_mesh *skins = world_surface_meshes(w);
    struct partners partners = {0, {0}};
    for (uint32_t b = 0; b < BODIES && skins[body].face_count > 0; ++b) {
        if (b == body || skins[b].face_count == 0 || !coats_meet(w, body, b))
            continue;
        const struct pk_widen widen =
            surface_widen(&skins[body], &skins[b], surface_partners_margin(w));
        if (!surface_overlap(&world_body_boxes(w)[body], &world_body_boxes(w)[b], &widen))
            continue;
        if (partners.count < PARTNERS)
            partners.body[partners.count] = b;
        ++partners.count;
    }
    return partners;
}

static void find_all(piola_world *w, piola_isa isa, uint32_t threads, bool first)
{
    const struct step step = {.world = w,
                              .kernels = kernels_for(isa),
                              .stages = schedule_stages,
                              .domain = &world_domains(w)[0],
                              .dt = w->desc.dt};
    piola_workers *workers = golden_workers(threads);
    jobs_begin(&w->jobs, &schedule_program, (void *)(uintptr_t)&step, world_tickets(w),
               (uint32_t)w->dim[DIM_tickets].capacity,
               workers ? piola_workers_tasks(workers) : NULL);
    body_tree_skins(w, first);
    jobs_stage(&w->jobs, STAGE_SURFACE_PARTNERS, 0);
    jobs_end(&w->jobs);
    if (workers)
        piola_workers_destroy(workers);
}

static void test_partners(void)
{
    piola_world *w = world_of_bodies();
    uint64_t random = fixture_seed(), found = 0;
    uint32_t most = 0;
    for (uint32_t round = 0; round < 24; ++round) {
        const double room = round % 4 == 3 ? 1 : 6;
        for (uint32_t i = 0; i < BODIES; ++i)
            world_body_boxes(w)[i] =
                toss(&random, world_body_boxes(w), i, room, surface_partners_margin(w));
        world_surface_meshes(w)[33].face_count = round % 5 == 4 ? 0 : 12;
        toss_drifts(&random, w, round);
        find_all(w, (piola_isa)PIOLA_ISA_AUTO, 1 + round % 4, round % 3 != 1);
        for (uint32_t i = 0; i < BODIES; ++i) {
            const struct partners expected = partners_of(w, i), *is = &world_partners(w)[i];
            TEST_ASSERT_EQUAL_UINT32(expected.count, is->count);
            for (uint32_t p = 0; p < expected.count && p < PARTNERS; ++p)
                TEST_ASSERT_EQUAL_UINT32(expected.body[p], is->body[p]);
            found += expected.count;
            most = expected.count > most ? expected.count : most;
        }
    }
    printf("%u partners, up to %u of one of %d bodies\n", (unsigned)found, (unsigned)most, BODIES);
    TEST_ASSERT_TRUE(most > PARTNERS && found < 24u * BODIES * BODIES / 4);
}

/* Pairs in their order. */
static uint32_t told[BODIES * BODIES][2], told_count;
static void tell(const piola_world *w, uint32_t a, uint32_t b)
{
    (void)w;
    told[told_count][0] = a;
    told[told_count++][1] = b;
}

static void test_reaches(void)
{
    piola_world *w = world_of_bodies();
    const struct step step = {.world = w, .kernels = kernels_for(PIOLA_ISA_AUTO), .dt = w->desc.dt};
    struct reach *reaches = world_reaches(w);
    uint64_t random = fixture_seed();
    body_tree_skins(w, true);
    for (uint32_t round = 0; round < 12; ++round) {
        const float most = round % 3 == 2 ? 0.3f : 1e-3f;
        struct pk_swept_box boxes[BODIES];
        uint32_t at = 0;
        for (uint32_t i = 0; i < BODIES; ++i) {
            boxes[i] = toss(&random, boxes, i, 6, most);
            if (i == 20 && round % 2) /* no particle is finite */
                boxes[i] = (struct pk_swept_box){{INFINITY, INFINITY, INFINITY},
                                                 {-INFINITY, -INFINITY, -INFINITY}};
            memcpy(reaches[i].low, boxes[i].low, sizeof reaches[i].low);
            memcpy(reaches[i].high, boxes[i].high, sizeof reaches[i].high);
        }
        told_count = 0;
        reach_each_near(&step, most, tell);
        for (uint32_t a = 0; a < BODIES; ++a)
            for (uint32_t b = a + 1; b < BODIES; ++b) {
                if (!reach_near(&reaches[a], &reaches[b], most))
                    continue;
                TEST_ASSERT_TRUE(at < told_count && told[at][0] == a && told[at][1] == b);
                ++at;
            }
        TEST_ASSERT_EQUAL_UINT32(at, told_count);
        TEST_ASSERT_TRUE(at > BODIES / 4 && at < BODIES * BODIES / 4);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_crowd);
    RUN_TEST(test_few_looks);
    RUN_TEST(test_partners);
    RUN_TEST(test_reaches);
    return UNITY_END();
}
