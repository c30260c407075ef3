/* Descriptions fitted to planned bodies: all of them come in, and one more is refused by the limit
 * that is named; what is used, was at most, and found no room is told for every capacity.
 * covers: src/world/fit.c */
#include "fixture.h"
#include "unity.h"

#include <string.h>

enum { KINDS = 4 };

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static void make_assets(const piola_asset *assets[KINDS])
{
    piola_material plastic = piola_material_default();
    static piola_material line;
    piola_mesh_desc chain = piola_mesh_desc_default();
    static const double knots[] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    static const uint32_t tie[] = {0, 1, 1, 2};
    plastic.model = PIOLA_MODEL_STVK;
    plastic.plastic_yield = 0.02f;
    plastic.plastic_creep = 10;
    plastic.plastic_max = 0.3f;
    chain.vertices = knots;
    chain.vertex_count = 3;
    chain.links = tie;
    chain.link_count = 2;
    line = piola_material_default();
    chain.materials = &line;
    chain.material_count = 1;
    assets[0] = fixture_beam(1, 1, 1, 0.1);
    assets[1] = fixture_beam_of(3, 2, 1, 0.1, &plastic, 0);
    assets[2] = fixture_compile(&chain);
    assets[3] = fixture_beam(1, 1, 1, 0.1); /* as the first */
}

static piola_status come(piola_world *world, const piola_asset *asset, piola_error *error)
{
    piola_body_desc d = piola_body_desc_default();
    piola_body body;
    d.asset = asset;
    return piola_body_create(world, &d, &body, error);
}

static piola_capacity capacity_of(const piola_world *world, const char *name)
{
    piola_capacity c = {.name = NULL};
    uint32_t i = 0;
    while (piola_world_capacity(world, i, &c) == PIOLA_OK && strcmp(c.name, name) != 0)
        ++i;
    TEST_ASSERT_EQUAL_STRING(name, c.name);
    return c;
}

static piola_world *filled(const piola_world_desc *desc, const piola_asset *const *assets,
                           const uint32_t *counts)
{
    piola_world *world = fixture_world(desc);
    piola_error error;
    for (int k = 0; k < KINDS; ++k)
        for (uint32_t i = 0; i < counts[k]; ++i)
            fixture_ok(come(world, assets[k], &error), &error);
    return world;
}

static const struct limit {
    const char *name, *field;
    piola_status status;
    size_t offset;
} limits[] = {
    {"max_bodies", "piola_world_desc.max_bodies", PIOLA_ERROR_BODIES_FULL,
     offsetof(piola_world_desc, max_bodies)},
    {"max_particles", "piola_world_desc.max_particles", PIOLA_ERROR_PARTICLES_FULL,
     offsetof(piola_world_desc, max_particles)},
    {"max_plastic_packs", "piola_world_desc.max_plastic_packs", PIOLA_ERROR_PACKS_FULL,
     offsetof(piola_world_desc, max_plastic_packs)},
    {"max_packs", "piola_world_desc.max_packs", PIOLA_ERROR_PACKS_FULL,
     offsetof(piola_world_desc, max_packs)},
    {"max_contact_faces", "piola_world_desc.max_contact_faces", PIOLA_ERROR_CONTACTS_FULL,
     offsetof(piola_world_desc, max_contact_faces)},
    {"max_link_packs", "piola_world_desc.max_link_packs", PIOLA_ERROR_PACKS_FULL,
     offsetof(piola_world_desc, max_link_packs)},
};
enum { LIMITS = sizeof limits / sizeof *limits };

/* In a world whose other limits have room, one body more is refused for the tight one alone. */
static void check_tight(const piola_world_desc *fit, const struct limit *tight,
                        const piola_asset *const *assets, const uint32_t *counts)
{
    piola_world_desc d = *fit;
    piola_error error;
    for (const struct limit *l = limits; l < limits + LIMITS; ++l) {
        uint32_t value;
        memcpy(&value, (char *)&d + l->offset, sizeof value);
        value += l == tight ? 0 : 1000;
        memcpy((char *)&d + l->offset, &value, sizeof value);
    }
    piola_world *world = filled(&d, assets, counts);
    const bool of_links = strcmp(tight->name, "max_link_packs") == 0;
    TEST_ASSERT_EQUAL(tight->status, come(world, assets[of_links ? 2 : 1], &error));
    TEST_ASSERT_EQUAL_STRING(tight->field, error.field);
    const piola_capacity c = capacity_of(world, tight->name);
    TEST_ASSERT_EQUAL_UINT64(c.capacity, c.used);
    TEST_ASSERT_EQUAL_UINT64(c.capacity, c.most);
    TEST_ASSERT_EQUAL_UINT64(1, c.dropped);
}

/* Each limit in turn is the only one without room for one more. */
static void test_planned_bodies_fit_exactly(void)
{
    const piola_asset *assets[KINDS];
    const uint32_t counts[KINDS] = {3, 2, 1, 4};
    const piola_solver solvers[] = {PIOLA_SOLVER_DESCENT, PIOLA_SOLVER_COMPLIANT};
    make_assets(assets);
    for (int s = 0; s < 2; ++s) {
        piola_world_desc fit = piola_world_desc_default();
        piola_error error;
        fit.solver = solvers[s];
        fit.max_contacts = 100;
        fixture_ok(piola_world_desc_fit(&fit, assets, counts, KINDS, &error), &error);
        TEST_ASSERT_EQUAL_UINT32(10, fit.max_bodies);
        TEST_ASSERT_EQUAL_UINT32(3, fit.max_assets); /* two are equal */
        TEST_ASSERT_EQUAL(s == 0, fit.max_packs == 0);
        for (const struct limit *l = limits; l < limits + LIMITS; ++l)
            if (s != 0 || strcmp(l->name, "max_packs") != 0) /* which descent does not use */
                check_tight(&fit, l, assets, counts);
        /* And one of an asset that was not planned. */
        fit.max_bodies += 1;
        fit.max_assets += 1;
        fit.max_particles += 1000;
        fit.max_packs += 1000;
        fit.max_contact_faces += 1000;
        piola_world *world = filled(&fit, assets, counts);
        TEST_ASSERT_EQUAL(PIOLA_OK, come(world, fixture_beam(4, 1, 1, 0.1), &error));
    }
}

static void test_every_planned_asset_counts_and_nothing_is_a_world_too(void)
{
    const piola_asset *assets[KINDS];
    piola_world_desc fit = piola_world_desc_default();
    piola_asset_stats stats;
    uint64_t particles = 0;
    uint32_t triangles = 0;
    make_assets(assets);
    for (int k = 0; k < KINDS; ++k) {
        fixture_ok(piola_asset_inspect(assets[k], &stats), NULL);
        particles += stats.particles;
        triangles += stats.surface_triangles;
    }
    fixture_ok(piola_world_desc_fit(&fit, assets, NULL, KINDS, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT64(particles, fit.max_particles);
    TEST_ASSERT_EQUAL_UINT32(KINDS, fit.max_bodies);
    TEST_ASSERT_EQUAL_UINT32(0, fit.max_contact_faces);
    TEST_ASSERT_EQUAL_UINT32(256 + 2 * triangles, fit.max_face_contacts);
    fixture_ok(piola_world_desc_fit(&fit, NULL, NULL, 0, NULL), NULL);
    fixture_world(&fit);
}

static void test_bad_plans_change_nothing(void)
{
    const piola_asset *assets[KINDS];
    piola_world_desc fit = piola_world_desc_default();
    piola_error error;
    make_assets(assets);
    fit.max_contacts = 10;
    const piola_world_desc before = fit;
    const uint32_t many[KINDS] = {1, 1u << 30, 0, 0}, crowd[KINDS] = {1, 1, 65534, 0};
    TEST_ASSERT_EQUAL(PIOLA_ERROR_TOO_LARGE,
                      piola_world_desc_fit(&fit, assets, many, KINDS, &error));
    TEST_ASSERT_EQUAL_UINT64(1, error.item);
    TEST_ASSERT_EQUAL_STRING("piola_world_desc.max_bodies", error.field);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_TOO_LARGE,
                      piola_world_desc_fit(&fit, assets, crowd, KINDS, &error));
    TEST_ASSERT_EQUAL_UINT64(2, error.item);
    assets[2] = NULL;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_world_desc_fit(&fit, assets, NULL, KINDS, &error));
    TEST_ASSERT_EQUAL_UINT64(2, error.item);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_world_desc_fit(&fit, NULL, NULL, 1, &error));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_world_desc_fit(NULL, assets, NULL, 1, &error));
    piola_world_desc none;
    memset(&none, 0, sizeof none);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_COOKIE, piola_world_desc_fit(&none, assets, NULL, 1, &error));
    TEST_ASSERT_EQUAL_MEMORY(&before, &fit, sizeof fit);
}

/* Colliders, rigid bodies, attachments, shapes and commands that find no room. */
static void test_capacities_tell_what_waits_is_full_and_was_dropped(void)
{
    piola_world_desc d = piola_world_desc_default();
    d.max_colliders = 1;
    d.max_rigids = 2;
    d.max_attachments = 1;
    d.max_commands = 2;
    piola_world *world = fixture_world(&d);
    const piola_body body = fixture_body(world, fixture_beam(1, 1, 1, 0.1), 0, 0, 0);
    const piola_collider_desc plane = piola_collider_desc_default();
    const piola_rigid_desc ball = piola_rigid_desc_default();
    piola_attachment_desc hold = piola_attachment_desc_default();
    piola_collider c;
    piola_rigid r[2];
    piola_attachment a;
    hold.point = (piola_attachment_point){body, 1, {0}, {1}};
    fixture_ok(piola_collider_create(world, &plane, &c, NULL), NULL);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_COLLIDERS_FULL, piola_collider_create(world, &plane, &c, NULL));
    for (int i = 0; i < 2; ++i)
        fixture_ok(piola_rigid_create(world, &ball, &r[i], NULL), NULL);
    fixture_ok(piola_rigid_destroy(world, r[0]), NULL);
    fixture_ok(piola_attachment_create(world, &hold, &a, NULL), NULL);
    for (int i = 0; i < 2; ++i)
        TEST_ASSERT_EQUAL(PIOLA_ERROR_ATTACHMENTS_FULL,
                          piola_attachment_create(world, &hold, &a, NULL));
    for (int i = 0; i < 2; ++i)
        fixture_ok(piola_world_set_gravity(world, (float[3]){0, 0, 0}), NULL);
    for (int i = 0; i < 3; ++i)
        TEST_ASSERT_EQUAL(PIOLA_ERROR_COMMANDS_FULL, piola_body_thaw(world, body));
    const struct {
        const char *name;
        uint64_t capacity, used, most, dropped;
    } wanted[] = {{"max_colliders", 1, 1, 1, 1},   {"max_rigids", 2, 1, 2, 0},
                  {"max_attachments", 1, 1, 1, 2}, {"max_commands", 2, 2, 2, 3},
                  {"max_bodies", 64, 1, 1, 0},     {"max_wind_nodes", 0, 0, 0, 0}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
        const piola_capacity told = capacity_of(world, wanted[i].name);
        TEST_ASSERT_EQUAL_UINT64_MESSAGE(wanted[i].capacity, told.capacity, wanted[i].name);
        TEST_ASSERT_EQUAL_UINT64_MESSAGE(wanted[i].used, told.used, wanted[i].name);
        TEST_ASSERT_EQUAL_UINT64_MESSAGE(wanted[i].most, told.most, wanted[i].name);
        TEST_ASSERT_EQUAL_UINT64_MESSAGE(wanted[i].dropped, told.dropped, wanted[i].name);
    }
    fixture_ok(piola_attachment_detach(world, a) == PIOLA_ERROR_COMMANDS_FULL
                   ? piola_world_drop_commands(world, NULL)
                   : PIOLA_ERROR_NULL,
               NULL);
    fixture_ok(piola_attachment_detach(world, a), NULL);
    fixture_steps(world, NULL, 1);
    TEST_ASSERT_EQUAL_UINT64(0, capacity_of(world, "max_attachments").used);
    TEST_ASSERT_EQUAL_UINT64(0, capacity_of(world, "max_commands").used);
}

/* Every max_... of the description has its row, once. */
static void test_all_limits_are_listed(void)
{
    const char *const names[] = {
        "max_bodies",        "max_assets",           "max_particles",
        "max_packs",         "max_attachments",      "max_link_packs",
        "max_plastic_packs", "max_contacts",         "max_contact_faces",
        "max_colliders",     "max_rigids",           "max_contact_events",
        "max_wind_nodes",    "max_shapes",           "max_commands",
        "max_guides",        "max_tractions",        "max_traction_triangles",
        "max_face_contacts", "max_constraint_packs", "max_tools",
        "max_strain_packs",  "max_tool_holds",       "max_joints",
        "max_rigid_contacts"};
    const piola_world_desc d = piola_world_desc_default();
    const piola_world *world = fixture_world(&d);
    piola_capacity c;
    uint32_t n = 0;
    while (piola_world_capacity(world, n, &c) == PIOLA_OK)
        ++n;
    TEST_ASSERT_EQUAL_UINT32(sizeof names / sizeof *names, n);
    for (uint32_t i = 0; i < n; ++i)
        capacity_of(world, names[i]);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_capacity(world, n, &c));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_world_capacity(world, 0, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_world_capacity(NULL, 0, &c));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_planned_bodies_fit_exactly);
    RUN_TEST(test_every_planned_asset_counts_and_nothing_is_a_world_too);
    RUN_TEST(test_bad_plans_change_nothing);
    RUN_TEST(test_capacities_tell_what_waits_is_full_and_was_dropped);
    RUN_TEST(test_all_limits_are_listed);
    return UNITY_END();
}
