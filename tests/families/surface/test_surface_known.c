/* The limit looks again at each pair of which a particle goes another way, and at few others.
 *
 * covers: src/families/surface/surface_known.c
 */
#include "families/surface/surface.h"
#include "fixture.h"
#include "motion/stage.h"
#include "unity.h"

#include <stdio.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* Three beams side by side: packs of pairs are of one, two and three bodies. */
static piola_world *beams(void)
{
    const piola_asset *asset = fixture_beam(6, 3, 6, 0.05);
    piola_world_desc d = piola_world_desc_default();
    const uint32_t bodies = 3;
    d.max_contacts = 1u << 16;
    d.contact_thickness = 0.01f;
    fixture_ok(piola_world_desc_fit(&d, &asset, &bodies, 1, NULL), NULL);
    piola_world *w = fixture_world(&d);
    (void)fixture_body(w, asset, 0, 0, 0);
    (void)fixture_body(w, asset, 0.1f, 0.155f, 0.02f);
    (void)fixture_body(w, asset, 0.305f, 0, 0);
    fixture_steps(w, NULL, 2);
    return w;
}

static bool contains(const piola_world *w, uint32_t pack, uint32_t particle)
{
    bool any = false;
    for (uint32_t lane = 0; lane < PK_LANES; ++lane)
        for (int k = 0; k < 4; ++k)
            any = any || world_pair_packs(w)[pack].particle[k][lane] == particle;
    return any;
}

static void note_changes(piola_world *w)
{
    const struct step step = {.world = w};
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b)
        atomic_store_explicit(&world_changed(w)[b], 0, memory_order_relaxed);
    for (uint32_t c = 0; c < (uint32_t)w->dim[DIM_chunks].used; ++c)
        each_surface_changed(&step, 0, c);
}

/* Packs that are asked though nobody's way has changed: those of three bodies. */
static uint32_t place_all(piola_world *w, uint32_t packs)
{
    uint32_t unknown = 0;
    note_changes(w);
    note_changes(w);
    for (uint32_t p = 0; p < packs; ++p) {
        world_acting(w)[p] = 0;
        surface_place_pack(w, p);
        unknown += !surface_still_proven(w, p);
    }
    return unknown;
}

static void test_who_goes_another_way_is_asked_again(void)
{
    piola_world *w = beams();
    const uint32_t packs = world_surface_now(w)->pair_pack_end;
    const uint32_t unknown = place_all(w, packs);
    uint32_t asked = 0, wanted = 0;
    uint64_t random = fixture_seed(), looks = 0;
    TEST_ASSERT_TRUE(packs > 20 && unknown < packs / 4);
    for (int round = 0; round < 300; ++round) {
        const uint32_t p = (uint32_t)(fixture_random(&random) % packs);
        const uint32_t k = (uint32_t)(fixture_random(&random) % 4);
        const uint32_t lane = (uint32_t)(fixture_random(&random) % PK_LANES);
        const uint32_t i = world_pair_packs(w)[p].particle[k][lane];
        /* A part of the way, or all of another one. */
        world_share(w)[i] = round % 2 ? 1 / (2 + (float)round) : 2 + (float)round;
        note_changes(w);
        for (uint32_t q = 0; q < packs; ++q, ++looks) {
            const bool wants = contains(w, q, i), asks = !surface_still_proven(w, q);
            TEST_ASSERT_TRUE(asks || !wants);
            asked += asks;
            wanted += wants;
        }
    }
    printf("%u packs, %u of three bodies; asked %u, needed %u of %lu\n", packs, unknown, asked,
           wanted, (unsigned long)looks);
    TEST_ASSERT_TRUE(wanted > 300 && asked < looks / 2);
}

static void test_what_is_not_free_is_asked_again(void)
{
    piola_world *w = beams();
    (void)place_all(w, world_surface_now(w)->pair_pack_end);
    world_acting(w)[0] = 4;
    TEST_ASSERT_FALSE(surface_still_proven(w, 0));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_who_goes_another_way_is_asked_again);
    RUN_TEST(test_what_is_not_free_is_asked_again);
    return UNITY_END();
}
