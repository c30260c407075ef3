/* Tests that a pack of one material, which has a loop made for its model and traits, gives the bits
 * that the loop for mixed materials gives, which looks each lane's material up. That loop is the
 * oracle: it is had by giving half of a pack's lanes a second material of the same constants.
 *
 * covers: ispc/motion/descend.ispc
 */
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "kernel_fixtures.h"
#include "kernels/models.h"
#include "ref_random.h"
#include "unity.h"

static uint64_t seed;
static struct vertex_fixture start, alone, mixed;
static struct pk_quad alone_gradient[VERTEX_PARTICLES], mixed_gradient[VERTEX_PARTICLES];
static struct pk_solve solve;

void setUp(void)
{
    solve = (struct pk_solve){.dt = 0.005f, .inertia = 1 / (0.005f * 0.005f), .relaxation = 1};
}

void tearDown(void)
{
}

enum trait { PLAIN, DAMPED, PLASTIC, DAMPED_PLASTIC, TRAITS };

static struct pk_material material_of(int model, enum trait trait)
{
    struct pk_material m = fixture_material(model, 1e4, 0.3).kernel;
    m.damping = trait == DAMPED || trait == DAMPED_PLASTIC ? 0.01f : 0;
    m.yield = trait == PLASTIC || trait == DAMPED_PLASTIC ? 0.01f : 0;
    m.creep = 1;
    m.max = 1;
    return m;
}

/* Lanes in turn of material 0 and 1, as no pack of one material is. */
static void mix(struct vertex_fixture *f)
{
    for (int v = 0; v < VISIT_SLOTS; v++)
        for (int lane = 0; lane < PK_LANES; lane++)
            f->visit[v].material[lane] = (uint32_t)lane & 1;
}

static void run(const struct kernels *k, struct vertex_fixture *f, const struct pk_material *m,
                uint32_t materials, struct pk_quad *gradient)
{
    struct pk_descent_job job = fixture_vertex_job(f, m, materials, &solve);
    struct pk_descent_job asked = job;
    asked.gradient = gradient;
    memset(gradient, 0, VERTEX_PARTICLES * sizeof *gradient);
    k->descend(&asked);
    for (int i = 0; i < 3; i++)
        k->descend(&job);
}

/* Steps are not compared where `steps` is false: what is judged by a polynomial may be cut
 * otherwise than by its energies. */
static void compare(const struct kernels *k, int model, enum trait trait, enum shape shape,
                    bool steps)
{
    char text[96];
    const struct pk_material m[2] = {material_of(model, trait), material_of(model, trait)};
    fixture_vertices(&start, &seed, 0.1, shape);
    if (m->yield > 0)
        fixture_plastic(start.plastic, VISIT_SLOTS, &seed, 0.05);
    alone = mixed = start;
    mix(&mixed);
    run(k, &alone, m, 1, alone_gradient);
    run(k, &mixed, m, 2, mixed_gradient);
    snprintf(text, sizeof text, "model %u, trait %d, shape %d", (unsigned)m->model, (int)trait,
             (int)shape);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(mixed_gradient, alone_gradient, sizeof alone_gradient, text);
    if (steps)
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(mixed.x, alone.x, sizeof alone.x, text);
    /* Two materials of the same body, each in packs of its own. */
    mixed = start;
    for (int v = 0; v < VISIT_SLOTS; v++)
        for (int lane = 0; lane < PK_LANES; lane++)
            mixed.visit[v].material[lane] = (uint32_t)(v / VERTEX_VISITS) & 1;
    run(k, &mixed, m, 2, mixed_gradient);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(alone_gradient, mixed_gradient, sizeof alone_gradient, text);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(alone.x, mixed.x, sizeof alone.x, text);
}

static void compare_all(const struct kernels *k)
{
    for (int model = 0; model < TEST_MATERIALS; model++) {
        const int number = (int)fixture_material(model, 1e4, 0.3).kernel.model;
        for (int trait = PLAIN; trait < TRAITS; trait++) {
            const bool plastic = trait >= PLASTIC;
            const bool polynomial =
                !plastic && (model_isotropic_strain(number) || model_quadratic(number));
            if (plastic && !model_strain(number))
                continue;
            compare(k, model, (enum trait)trait, SHAPE_NEAR, true);
            compare(k, model, (enum trait)trait, SHAPES, !polynomial);
        }
    }
}

static void test_one_material_gives_the_bits_of_mixed_ones(void)
{
    for (int isa = PIOLA_ISA_AUTO + 1; isa < PIOLA_ISA_COUNT; isa++)
        if (piola_isa_available((piola_isa)isa))
            compare_all(kernels_for((piola_isa)isa));
}

int main(void)
{
    UNITY_BEGIN();
    seed = fixture_seed();
    RUN_TEST(test_one_material_gives_the_bits_of_mixed_ones);
    return UNITY_END();
}
