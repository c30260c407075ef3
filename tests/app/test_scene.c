/* test_scene.c - scene files: what is read, what is refused and how clearly, and that the tables,
 * the published schema and the documents agree.
 *
 * covers: io/scene/
 */
#define _POSIX_C_SOURCE 200809L
#include "io/base/file.h"
#include "io/scene/mesh_makers.h"
#include "io/scene/scene.h"
#include "unity.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct pool pool;
static struct problem problem;
static struct scene scene;

void setUp(void)
{
    memset(&problem, 0, sizeof problem);
    memset(&pool, 0, sizeof pool);
}

void tearDown(void)
{
    pool_free(&pool);
}

static const char *source(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", getenv("PIOLA_SOURCE_DIR"), name);
    return path;
}

static bool parse(const char *text)
{
    pool_free(&pool);
    memset(&problem, 0, sizeof problem);
    return scene_parse(text, strlen(text), "s.json", &scene, &pool, &problem);
}

#define HEAD                                                                                       \
    "{\"description\": \"d\", \"materials\": {\"rubber\": {}}, \"meshes\": {\"bar\": {\"beam\": "  \
    "{\"tetrahedra\": 100}}}, "
#define BODY "\"bodies\": [{\"name\": \"b\", \"mesh\": \"bar\", \"material\": \"rubber\"}]"
#define GRID                                                                                       \
    ", \"fields\": [{\"wind_grid\": {\"origin\": [0, 0, 0], \"spacing\": [1, 1, 1], \"count\": "   \
    "[2, "                                                                                         \
    "1, 3], "

static void test_a_small_scene_gets_the_librarys_defaults(void)
{
    const piola_world_desc world = piola_world_desc_default();
    TEST_ASSERT_TRUE_MESSAGE(parse(HEAD BODY "}"), problem.text);
    TEST_ASSERT_EQUAL_FLOAT(world.dt, scene.world->dt);
    TEST_ASSERT_EQUAL_UINT32(world.iterations, scene.world->iterations);
    TEST_ASSERT_EQUAL_FLOAT(world.gravity[1], scene.world->gravity[1]);
    const struct scene_material *material = scene.materials.items;
    TEST_ASSERT_EQUAL_STRING("rubber", material->name);
    TEST_ASSERT_EQUAL_FLOAT(piola_material_default().young, material->values.young);
    const struct scene_body *body = scene.bodies.items;
    TEST_ASSERT_EQUAL_FLOAT(1, body->desc.gravity_scale);
    TEST_ASSERT_EQUAL_UINT32(100,
                             ((const struct scene_mesh *)scene.meshes.items)->beam->tetrahedra);
}

static void test_values_arrive_where_they_belong(void)
{
    TEST_ASSERT_TRUE_MESSAGE(
        parse(
            "{\"description\": \"d\", \"seconds\": 2.5, \"world\": {\"dt\": 0.001, \"solver\": "
            "\"compliant\", \"gravity\": [1, 2, 3]}, \"materials\": {\"a\": {\"young\": 5}, "
            "\"b\": {\"model\": \"stvk\", \"plastic_yield\": 0.5}}, \"meshes\": {\"m\": {\"box\": "
            "{\"size\": [1, 2, 3], \"cells\": [4, 5, 6]}, \"scale\": [2, 2, 2]}}, \"bodies\": "
            "[{\"mesh\": \"m\", \"material\": \"b\", \"pins\": [{\"vertices\": [3, 1], "
            "\"release\": 4, \"motion\": {\"frames\": [{\"time\": 1, \"degrees\": 90}]}}]}]}"),
        problem.text);
    TEST_ASSERT_EQUAL_UINT32(PIOLA_SOLVER_COMPLIANT, scene.world->solver);
    TEST_ASSERT_EQUAL_FLOAT(3, scene.world->gravity[2]);
    const struct scene_material *materials = scene.materials.items;
    TEST_ASSERT_EQUAL_FLOAT(5, materials[0].values.young);
    TEST_ASSERT_EQUAL_UINT32(PIOLA_MODEL_STVK, materials[1].model);
    const struct scene_mesh *mesh = scene.meshes.items;
    TEST_ASSERT_EQUAL_UINT32(6, mesh->box->cells[2]);
    TEST_ASSERT_EQUAL_DOUBLE(2, mesh->scale[1]);
    const struct scene_pin *pin = ((const struct scene_body *)scene.bodies.items)->pins.items;
    TEST_ASSERT_EQUAL_UINT32(2, pin->vertices.count);
    TEST_ASSERT_EQUAL_UINT32(1, ((const uint32_t *)pin->vertices.items)[1]);
    TEST_ASSERT_EQUAL_DOUBLE(4, pin->release);
    TEST_ASSERT_EQUAL_DOUBLE(90, ((const struct scene_frame *)pin->motion->frames.items)->degrees);
}

static const struct {
    const char *text, *expected;
} refusals[] = {
    {"{\n  \"description\": 5,,\n}", "s.json:2:"},
    {"", "s.json:1:"},
    {"[]", "s.json: must be a scene, and is a list"},
    {"{\"a\": 1, \"a\": 2}", "duplicate"},
    {HEAD BODY ", \"bodeis\": []}", "unknown key \"bodeis\"; did you mean \"bodies\"?"},
    {HEAD BODY ", \"cloth\": []}", "unknown key \"cloth\"; a scene has the keys"},
    {HEAD BODY ", \"colliders\": [{\"shape\": \"plane\", \"radius\": 1}]}",
     "colliders[0]: the shape plane has no \"radius\""},
    {HEAD BODY ", \"colliders\": [{\"shape\": \"hull\"}]}",
     "colliders[0]: the shape hull needs a \"mesh\""},
    {HEAD BODY ", \"colliders\": [{\"shape\": \"mesh\", \"mesh\": \"baz\"}]}",
     "colliders[0].mesh: there is no mesh \"baz\"; did you mean \"bar\"?"},
    {HEAD BODY ", \"colliders\": [{\"shape\": \"plane\", \"mass\": 1}]}",
     "colliders[0]: the shape plane cannot have a \"mass\""},
    {HEAD BODY
     ", \"colliders\": [{\"shape\": \"sphere\", \"radius\": 1, \"velocity\": [1, 0, 0]}]}",
     "colliders[0]: \"velocity\" is of rigid bodies: give a \"mass\""},
    {HEAD BODY ", \"colliders\": [{\"shape\": \"mesh\", \"mesh\": \"bar\", \"mass\": 2}]}",
     "colliders[0]: the shape mesh with a \"mass\" needs an \"inertia\""},
    {HEAD BODY ", \"colliders\": [{\"shape\": \"heights\", \"mesh\": \"bar\"}]}",
     "colliders[0]: the shape heights needs a \"spacing\""},
    {HEAD BODY ", \"colliders\": [{\"shape\": \"heights\", \"mesh\": \"bar\", \"spacing\": 0.1, "
               "\"mass\": 1}]}",
     "colliders[0]: the shape heights cannot have a \"mass\""},
    {HEAD BODY ", \"colliders\": [{\"shape\": \"box\"}]}",
     "colliders[0]: the shape box needs a \"size\""},
    {HEAD BODY
     ", \"attachments\": [{\"body\": \"b\", \"to\": \"b\", \"vertices\": [1], \"motion\": "
     "{\"frames\": [{\"time\": 0}]}}]}",
     "attachments[0]: \"motion\" moves places in the world"},
    {HEAD BODY ", \"sensors\": [{\"name\": \"x\", \"kind\": \"contact_force\", \"collider\": "
               "\"c\"}]}",
     "sensors[0]: there is no collider \"c\"; there is none"},
    {HEAD BODY
     ", \"colliders\": [{\"shape\": \"plane\"}, {\"shape\": \"plane\", \"name\": \"floor\"}], "
     "\"sensors\": [{\"name\": \"x\", \"kind\": \"touches\", \"collider\": \"flor\"}]}",
     "sensors[0]: there is no collider \"flor\"; did you mean \"floor\"?"},
    {HEAD "\"bodies\": [{\"name\": \"beam\", \"mesh\": \"bar\", \"material\": \"rubber\"}], "
          "\"attachments\": [{\"body\": \"bean\", \"vertices\": [1]}]}",
     "attachments[0].body: there is no body \"bean\"; did you mean \"beam\"?"},
    {HEAD
     "\"bodies\": [{\"name\": \"beam\", \"mesh\": \"bar\", \"material\": \"rubber\"}], "
     "\"fields\": [{\"force\": {\"body\": \"bem\", \"force\": [0, 1, 0], \"vertices\": [0]}}]}",
     "fields[0].force.body: there is no body \"bem\"; did you mean \"beam\"?"},
    {HEAD BODY ", \"colliders\": [{\"shape\": \"plane\", \"friction_static\": 0.3, "
               "\"friction_kinetic\": 0.4}]}",
     "colliders[0]: \"friction_kinetic\", 0.4, is more than \"friction_static\", 0.3"},
    {HEAD "\"bodies\": [{\"mesh\": \"bar\", \"material\": \"rubber\", \"friction_static\": 0, "
          "\"friction_kinetic\": 1}]}",
     "bodies[0]: \"friction_kinetic\", 1, is more than \"friction_static\", 0"},
    {HEAD "\"bodies\": [{\"mesh\": \"bar\", \"material\": \"rubber\", \"collides_with\": [32]}]}",
     "bodies[0].collides_with[0]: "},
    {HEAD "\"bodies\": []}", "the scene has no bodies"},
    {HEAD "\"bodies\": {}}", "bodies: must be a list, and is an object"},
    {HEAD "\"bodies\": [{}]}", "bodies[0]: the key \"mesh\" is missing"},
    {HEAD "\"bodies\": [{\"mesh\": \"bra\", \"material\": \"rubber\"}]}",
     "bodies[0].mesh: there is no mesh \"bra\"; did you mean \"bar\"?"},
    {HEAD "\"bodies\": [{\"mesh\": \"bar\", \"material\": \"steel\"}]}",
     "bodies[0].material: there is no material \"steel\"; there is \"rubber\""},
    {HEAD "\"bodies\": [{\"mesh\": \"bar\", \"material\": \"rubber\", \"pins\": [{\"box\": "
          "{\"min\": [0, 0], \"max\": [1, 1, 1]}}]}]}",
     "bodies[0].pins[0].box.min: must have 3 numbers, and has 2"},
    {HEAD "\"bodies\": [{\"mesh\": \"bar\", \"material\": \"rubber\", \"pins\": [{}]}]}",
     "bodies[0].pins[0]: needs exactly one of \"box\", \"sphere\" or \"vertices\", and has 0"},
    {HEAD "\"bodies\": [{\"mesh\": \"bar\", \"material\": \"rubber\", \"pins\": "
          "[{\"vertices\": [1, -2]}]}]}",
     "bodies[0].pins[0].vertices[1]: -2 is outside"},
    {HEAD "\"bodies\": [{\"mesh\": \"bar\", \"material\": \"rubber\", \"copies\": {\"count\": "
          "[65535, 65535, 65535], \"spacing\": [1, 1, 1]}}]}",
     "more than 65535 copies"},
    {HEAD BODY ", \"world\": {\"dt\": 0}}", "world.dt: 0 is outside of 1e-06 to 1"},
    {HEAD BODY ", \"world\": {\"dt\": \"fast\"}}", "world.dt: must be a number, and is a text"},
    {HEAD BODY ", \"world\": {\"substeps\": 1.5}}", "world.substeps: must be a whole number"},
    {HEAD BODY ", \"world\": {\"report\": 1}}", "world.report: must be true or false"},
    {HEAD BODY ", \"world\": {\"solver\": \"decsent\"}}",
     "world.solver: \"decsent\" is not known; did you mean \"descent\"?"},
    {HEAD BODY ", \"world\": {\"gravity\": [0, true, 0]}}",
     "world.gravity[1]: must be a number, and is true or false"},
    {HEAD BODY ", \"sensors\": [{\"name\": \"x\", \"kind\": \"position\", \"body\": \"b\"}]}",
     "sensors[0]: \"position\" needs a \"body\", and either \"vertex\" or \"near\""},
    {HEAD BODY ", \"sensors\": [{\"name\": \"x\", \"kind\": \"point\", \"body\": \"b\"}]}",
     "sensors[0]: \"point\" needs a \"body\" and \"near\""},
    {HEAD BODY ", \"sensors\": [{\"name\": \"x\", \"kind\": \"volume\", \"body\": \"c\"}]}",
     "sensors[0].body: there is no body \"c\""},
    {HEAD BODY ", \"sensors\": [{\"name\": \"x,y\", \"kind\": \"volume\"}]}",
     "sensors[0].name: \"x,y\" cannot be a column"},
    {HEAD BODY ", \"sensors\": [{\"name\": \"x\", \"kind\": \"volume\"}, {\"name\": \"x\", "
               "\"kind\": \"mass\"}]}",
     "two sensors have the name \"x\""},
    {"{\"description\": \"d\", \"materials\": {\"a\": {\"model\": \"stvk_general\", "
     "\"young\": 1}}, \"meshes\": {}, \"bodies\": []}",
     "materials.a: the model stvk_general does not use \"young\""},
    {"{\"description\": \"d\", \"materials\": {\"a\": {\"model\": \"stvk_orthotropic\"}}, "
     "\"meshes\": {}, \"bodies\": []}",
     "materials.a: the model stvk_orthotropic needs \"young_axis\""},
    {"{\"description\": \"d\", \"materials\": {\"a\": {\"plastic_yield\": 0.1}}, "
     "\"meshes\": {}, \"bodies\": []}",
     "materials.a: \"plastic_yield\" needs one of the stvk models"},
    {"{\"description\": \"d\", \"materials\": {}, \"meshes\": {\"m\": {\"file\": \"a.node\", "
     "\"ball\": {\"radius\": 1, \"tetrahedra\": 9}}}, \"bodies\": []}",
     "meshes.m: needs exactly one of \"file\", \"box\""},
    {"{\"description\": \"d\", \"materials\": {}, \"meshes\": {\"m\": {\"ball\": {\"radius\": "
     "0, \"tetrahedra\": 9}}}, \"bodies\": []}",
     "meshes.m.ball.radius: 0 is outside of (more than) 0"},
    {HEAD BODY ", \"fields\": [{}]}", "fields[0]: needs exactly one of \"wind\", \"wind_grid\", "
                                      "\"force\", \"sphere\" or \"traction\", "
                                      "and has 0"},
    {HEAD BODY ", \"fields\": [{\"wind\": {\"frames\": [{\"time\": 1, \"velocity\": [1, 0, 0]}, "
               "{\"time\": 1, \"velocity\": [1, 0, 0]}]}}]}",
     "fields[0].wind: frames[1].time is not after"},
    {HEAD BODY GRID "\"nodes\": [1, 2, 3]}}]}",
     "fields[0].wind_grid: \"nodes\" are three numbers for each of 6, and there are 3"},
    {HEAD BODY GRID "\"nodes\": [1, 2, \"3\"]}}]}", "fields[0].wind_grid.nodes[2]: "},
    {HEAD BODY GRID "\"nodes\": [1, 1e30]}}]}", "fields[0].wind_grid.nodes[1]: 1e+30 is outside"},
    {HEAD BODY GRID "\"drift\": [1, 0, 0]}}]}",
     "fields[0].wind_grid: needs \"nodes\", \"whirls\" or \"fronts\""},
    {HEAD BODY GRID "\"whirls\": [{\"centre\": [0, 0, 0], \"radius\": 0, \"speed\": 1}]}}]}",
     "fields[0].wind_grid.whirls[0].radius: 0 is outside of (more than) 0"},
    {HEAD BODY GRID "\"whirls\": [{\"centre\": [0, 0, 0], \"radius\": 1, \"speed\": 1, "
                    "\"axis\": [0, 0, 0]}]}}]}",
     "fields[0].wind_grid.whirls[0]: \"axis\" has no direction"},
    {HEAD BODY GRID "\"fronts\": [{\"at\": [0, 0, 0], \"width\": 1, \"velocity\": [0, 0, 0]}]}}]}",
     "fields[0].wind_grid.fronts[0]: \"velocity\" has no direction"},
    {HEAD BODY GRID "\"fronts\": [{\"at\": [0, 0, 0], \"width\": 1, \"velocity\": [1, 0, 0]}], "
                    "\"frames\": [{\"time\": 1, \"strength\": 1}, {\"time\": 0, "
                    "\"strength\": 1}]}}]}",
     "fields[0].wind_grid: frames[1].time is not after"},
    {HEAD BODY ", \"fields\": [{\"wind_grid\": {\"origin\": [0, 0, 0], \"spacing\": [1, -1, 1], "
               "\"count\": [1, 1, 1]}}]}",
     "fields[0].wind_grid.spacing[1]: -1 is outside of"},
    {HEAD BODY ", \"fields\": [{\"wind_grid\": {\"origin\": [0, 0, 0], \"spacing\": [1, 1, 1], "
               "\"count\": [1, 0, 1]}}]}",
     "fields[0].wind_grid.count[1]: 0 is outside of 1 to 65536"},
    {HEAD BODY ", \"fields\": [{\"wind_grid\": {\"origin\": [0, 0, 0], \"spacing\": [1, 1, 1], "
               "\"count\": [65536, 65536, 65536]}}]}",
     "fields[0].wind_grid: \"count\" makes 281474976710656 nodes, more than 4194304"},
    {HEAD BODY ", \"fields\": [{\"wind_grid\": {\"origin\": [0, 0, 0], \"spacing\": [1, 1, 1]}}]}",
     "fields[0].wind_grid: the key \"count\" is missing"},
    {HEAD BODY ", \"fields\": [{\"force\": {\"body\": \"b\", \"force\": [0, 1, 0]}}]}",
     "fields[0].force: needs either \"vertices\" or \"near\""},
    {HEAD BODY
     ", \"fields\": [{\"force\": {\"body\": \"b\", \"vertices\": [], \"force\": [0, 1, 0]}}]}",
     "fields[0].force: \"vertices\" is empty"},
    {HEAD BODY
     ", \"fields\": [{\"force\": {\"body\": \"b\", \"vertices\": [0], \"force\": [0, 1, 0], "
     "\"from\": 2, \"until\": 1}}]}",
     "fields[0].force: \"until\" (1 s) is not after \"from\" (2 s)"},
    {HEAD BODY
     ", \"fields\": [{\"sphere\": {\"centre\": [0, 0, 0], \"radius\": 1, \"strength\": 1, "
     "\"until\": 0}}]}",
     "fields[0].sphere: \"until\" (0 s) is not after \"from\" (0 s)"},
    {HEAD BODY ", \"fields\": [{\"traction\": {\"body\": \"b\", \"box\": {\"min\": [0, 0, 0], "
               "\"max\": [1, 1, 1]}, \"pressure\": 1, \"from\": 1, \"until\": 1}}]}",
     "fields[0].traction: \"until\" (1 s) is not after \"from\" (1 s)"},
    {HEAD
     "\"bodies\": [{\"mesh\": \"bar\", \"material\": \"rubber\", \"pins\": [{\"vertices\": [0], "
     "\"axes\": \"xx\"}]}]}",
     "bodies[0].pins[0]: axes \"xx\" are not some of the letters"},
    {HEAD BODY ", \"fields\": [{\"sphere\": {\"centre\": [0, 0, 0], \"strength\": 1}}]}",
     "fields[0].sphere: the key \"radius\" is missing"},
    {HEAD "\"bodies\": [{\"mesh\": \"bar\", \"material\": \"rubber\", \"links\": [{}]}]}",
     "bodies[0].links[0]: needs exactly one of \"box\", \"sphere\" or \"vertices\""},
    {HEAD "\"bodies\": [{\"mesh\": \"bar\", \"material\": \"rubber\", \"links\": "
          "[{\"vertices\": [1, 2, 3]}]}]}",
     "bodies[0].links[0]: \"vertices\" are pairs, and there are 3"},
    {HEAD "\"bodies\": [{\"mesh\": \"bar\", \"material\": \"rubber\", \"links\": "
          "[{\"vertices\": [1, 2], \"shortest\": 2}]}]}",
     "bodies[0].links[0]: \"shortest\" is more than \"longest\""},
    {HEAD "\"bodies\": [{\"mesh\": \"bar\", \"material\": \"rubber\", \"constraints\": [{}]}]}",
     "bodies[0].constraints[0]: needs exactly one of \"box\", \"sphere\" or \"vertices\""},
    {HEAD "\"bodies\": [{\"mesh\": \"bar\", \"material\": \"rubber\", \"constraints\": "
          "[{\"vertices\": [1, 2, 3]}]}]}",
     "bodies[0].constraints[0]: \"vertices\" of a volume come by 4, and there are 3"},
    {HEAD "\"bodies\": [{\"mesh\": \"bar\", \"material\": \"rubber\", \"constraints\": "
          "[{\"vertices\": [1, 2, 3, 4], \"least\": 2}]}]}",
     "bodies[0].constraints[0]: \"least\" is more than \"most\""},
    {HEAD "\"bodies\": [{\"mesh\": \"bar\", \"material\": \"rubber\", \"constraints\": "
          "[{\"vertices\": [1, 2, 3, 4], \"stiffness\": 0.5, \"compliance\": 1}]}]}",
     "bodies[0].constraints[0]: \"compliance\" and a \"stiffness\" below 1 exclude each other"},
    {"{\"description\": \"d\", \"materials\": {\"a\": {\"crease_yield\": 5}}, \"meshes\": {}, "
     "\"bodies\": []}",
     "materials.a: \"crease_yield\" needs the bend_model \"dihedral\""},
    {"{\"description\": \"d\", \"materials\": {\"a\": {\"crease_creep\": 5}}, \"meshes\": {}, "
     "\"bodies\": []}",
     "materials.a: \"crease_creep\" and \"crease_max\" need a \"crease_yield\""},
    {"{\"description\": \"d\", \"materials\": {}, \"meshes\": {\"m\": {\"chain\": {\"length\": 1, "
     "\"link\": 9}}}, \"bodies\": []}",
     "meshes.m.chain: unknown key \"link\"; did you mean \"links\"?"},
    {"{\"description\": \"d\", \"materials\": {}, \"meshes\": {\"m\": {\"chain\": {\"length\": 1, "
     "\"links\": 9}, \"pattern\": {\"scale\": [0, 1]}}}, \"bodies\": []}",
     "meshes.m.pattern.scale[0]: 0 is outside of (more than) 0"},
    {HEAD "\"bodies\": [{\"mesh\": \"bar\", \"material\": \"rubber\", \"tethers\": {\"mode\": "
          "\"euklid\"}}]}",
     "bodies[0].tethers.mode: \"euklid\" is not known"},
    {HEAD "\"bodies\": [{\"mesh\": \"bar\", \"material\": \"rubber\", \"detail\": {\"mesh\": "
          "\"baz\"}}]}",
     "bodies[0].detail.mesh: there is no mesh \"baz\"; did you mean \"bar\"?"},
};

static void test_refusals_name_the_place_and_the_cure(void)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i) {
        TEST_ASSERT_FALSE_MESSAGE(parse(refusals[i].text), refusals[i].text);
        TEST_ASSERT_EQUAL_INT(EXIT_SCENE, problem.exit);
        if (!strstr(problem.text, refusals[i].expected)) {
            printf("expected: %s\n", refusals[i].expected);
            TEST_FAIL_MESSAGE(problem.text);
        }
    }
}

/* ---- the tables, the schema and the documents ---- */

static char *read_text(const char *path)
{
    size_t bytes;
    char *text = file_read(path, (size_t)1 << 24, &pool, &bytes, &problem);
    TEST_ASSERT_NOT_NULL_MESSAGE(text, problem.text);
    return text;
}

static void test_the_published_schema_is_what_the_tables_say(void)
{
    json_error_t error;
    json_t *published = json_load_file(source("docs/scene.schema.json"), 0, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(published, error.text);
    json_t *made = keys_schema(&scene_table);
    char *text = json_dumps(made, JSON_REAL_PRECISION(9));
    json_t *made_again = json_loads(text, 0, &error);
    const int equal = json_equal(published, made_again);
    free(text);
    json_decref(made);
    json_decref(made_again);
    json_decref(published);
    TEST_ASSERT_TRUE_MESSAGE(equal, "refresh it: piola schema > docs/scene.schema.json");
}

static void expect_documented(const struct table *table, const char *text)
{
    for (uint32_t i = 0; i < table->count; ++i) {
        char quoted[100];
        snprintf(quoted, sizeof quoted, "`%s`", table->keys[i].name);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, quoted), quoted);
        if (table->keys[i].table)
            expect_documented(table->keys[i].table, text);
        for (uint32_t c = 0; table->keys[i].choices && c < table->keys[i].length; ++c) {
            snprintf(quoted, sizeof quoted, "`%s`", table->keys[i].choices[c]);
            TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, quoted), quoted);
        }
    }
}

static void test_every_key_and_choice_is_documented(void)
{
    expect_documented(&scene_table, read_text(source("docs/reference/scene-keys.md")));
}

/* The page of keys is generated from the schema; Python is there, for Meson runs on it. */
static void test_the_page_of_keys_is_what_the_schema_says(void)
{
    char line[1200];
    snprintf(line, sizeof line, "python3 '%s' --check", source("tools/scene-reference"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, system(line), "refresh it, as its output above says");
}

/* The manual page and the completion name all that can be chosen, too. */
static void test_every_mesh_and_colour_is_offered(void)
{
    const char *const texts[2] = {read_text(source("app/piola.1")),
                                  read_text(source("app/completion/piola.bash"))};
    for (int t = 0; t < 2; ++t) {
        for (uint32_t i = 0; i < mesh_maker_count; ++i)
            TEST_ASSERT_NOT_NULL_MESSAGE(strstr(texts[t], mesh_makers[i].name),
                                         mesh_makers[i].name);
        for (uint32_t i = 0; i < VIEW_COLOUR_COUNT; ++i)
            TEST_ASSERT_NOT_NULL_MESSAGE(strstr(texts[t], view_colour_names[i]),
                                         view_colour_names[i]);
    }
}

static void test_every_table_fits_its_own_rules(void)
{
    const struct table *const tables[8] = {
        &scene_table,      &scene_world_table, &scene_material_table, &scene_mesh_table,
        &scene_body_table, &scene_pin_table,   &scene_sensor_table,   &scene_motion_table};
    for (size_t t = 0; t < 8; ++t) {
        TEST_ASSERT_LESS_THAN_UINT32(64, tables[t]->count);
        for (uint32_t i = 0; i < tables[t]->count; ++i)
            for (uint32_t j = 0; j < i; ++j)
                TEST_ASSERT_NOT_EQUAL(0, strcmp(tables[t]->keys[i].name, tables[t]->keys[j].name));
    }
}

static void test_every_scene_of_the_repository_is_good(void)
{
    char folder[1024];
    uint32_t scenes = 0;
    snprintf(folder, sizeof folder, "%s", source("scenes"));
    DIR *listing = opendir(folder);
    TEST_ASSERT_NOT_NULL(listing);
    const char *document = read_text(source("docs/reference/scenes.md"));
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        char path[2048], quoted[300];
        if (!strstr(entry->d_name, ".json"))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        TEST_ASSERT_TRUE_MESSAGE(scene_read(path, &scene, &pool, &problem), problem.text);
        TEST_ASSERT_EQUAL_STRING("../docs/scene.schema.json", scene.schema);
        TEST_ASSERT_GREATER_THAN(20, strlen(scene.description));
        snprintf(quoted, sizeof quoted, "`%.*s`", (int)(strlen(entry->d_name) - 5), entry->d_name);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(document, quoted), quoted);
        ++scenes;
    }
    closedir(listing);
    TEST_ASSERT_GREATER_THAN(14, scenes);
}

/* ---- hostile text ---- */

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Scenes that documents show, or name, are scenes. */
static void test_scenes_of_the_documents_are_good(void)
{
    const char *text = strstr(read_text(source("docs/guide/first-scene.md")), "```json\n");
    TEST_ASSERT_NOT_NULL(text);
    text += strlen("```json\n");
    const char *end = strstr(text, "\n```");
    TEST_ASSERT_NOT_NULL(end);
    const bool good =
        scene_parse(text, (size_t)(end - text), "first-scene.md", &scene, &pool, &problem);
    TEST_ASSERT_TRUE_MESSAGE(good, problem.text);

    DIR *listing = opendir(source("scenes/limits"));
    TEST_ASSERT_NOT_NULL(listing);
    const char *limits = read_text(source("docs/guide/known-limits.md"));
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        char path[2048], quoted[300];
        if (!strstr(entry->d_name, ".json"))
            continue;
        snprintf(path, sizeof path, "%s/%s", source("scenes/limits"), entry->d_name);
        TEST_ASSERT_TRUE_MESSAGE(scene_read(path, &scene, &pool, &problem), problem.text);
        snprintf(quoted, sizeof quoted, "`%.*s`", (int)(strlen(entry->d_name) - 5), entry->d_name);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(limits, quoted), quoted);
    }
    closedir(listing);
}

static void test_damaged_scenes_are_read_or_refused_but_never_crash(void)
{
    const char *given = getenv("PIOLA_SEED"), *scale = getenv("PIOLA_TEST_SCALE");
    uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL) * 2654435761u | 1;
    const int rounds = (int)(3000 * (scale ? atof(scale) : 1));
    static const char *const pieces[] = {"{",
                                         "}",
                                         "[",
                                         "]",
                                         ",",
                                         "null",
                                         "1e300",
                                         "-1",
                                         "\"\"",
                                         "99999999999999999999",
                                         "\"copies\": {",
                                         "true"};
    printf("seed %llu\n", (unsigned long long)seed);
    struct pool file = {0};
    size_t bytes = 0;
    const char *text = file_read(source("scenes/capsule.json"), 1 << 20, &file, &bytes, &problem);
    TEST_ASSERT_NOT_NULL_MESSAGE(text, problem.text);
    char *damaged = malloc(bytes + 64);
    uint32_t refused = 0;
    for (int round = 0; round < rounds; ++round) {
        memcpy(damaged, text, bytes + 1);
        const char *piece = pieces[next_random(&seed) % (sizeof pieces / sizeof *pieces)];
        const size_t at = next_random(&seed) % bytes, letters = strlen(piece);
        if (round % 2)
            memcpy(damaged + at, piece, letters < bytes - at ? letters : bytes - at);
        else
            damaged[at] = (char)next_random(&seed);
        memset(&problem, 0, sizeof problem);
        const bool good = scene_parse(damaged, bytes, "damaged", &scene, &pool, &problem);
        TEST_ASSERT_EQUAL(good, problem.text[0] == 0);
        refused += !good;
        pool_free(&pool);
    }
    free(damaged);
    pool_free(&file);
    TEST_ASSERT_GREATER_THAN(rounds / 4, refused);
}

static void test_deep_nesting_is_refused(void)
{
    enum { DEEP = 100000 };
    char *text = malloc(DEEP + 1);
    memset(text, '[', DEEP);
    text[DEEP] = 0;
    TEST_ASSERT_FALSE(parse(text));
    TEST_ASSERT_EQUAL_INT(EXIT_SCENE, problem.exit);
    free(text);
}

/* A pipe does not say how much it has: the limit holds for what comes. */
static void test_a_pipe_is_read_up_to_the_limit(void)
{
    int ends[2];
    char path[32];
    size_t bytes = 0;
    for (int round = 0; round < 2; ++round) {
        TEST_ASSERT_EQUAL(0, pipe(ends));
        TEST_ASSERT_EQUAL(20, write(ends[1], "{\"seconds\": 1.00000}", 20));
        close(ends[1]);
        snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
        const char *text = file_read(path, round == 0 ? 20 : 19, &pool, &bytes, &problem);
        close(ends[0]);
        TEST_ASSERT_EQUAL(round == 0, text != NULL);
    }
    TEST_ASSERT_EQUAL(20, bytes);
    TEST_ASSERT_NOT_NULL(strstr(problem.text, "larger than 19 bytes"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_small_scene_gets_the_librarys_defaults);
    RUN_TEST(test_values_arrive_where_they_belong);
    RUN_TEST(test_refusals_name_the_place_and_the_cure);
    RUN_TEST(test_the_published_schema_is_what_the_tables_say);
    RUN_TEST(test_every_key_and_choice_is_documented);
    RUN_TEST(test_the_page_of_keys_is_what_the_schema_says);
    RUN_TEST(test_every_mesh_and_colour_is_offered);
    RUN_TEST(test_every_table_fits_its_own_rules);
    RUN_TEST(test_every_scene_of_the_repository_is_good);
    RUN_TEST(test_scenes_of_the_documents_are_good);
    RUN_TEST(test_damaged_scenes_are_read_or_refused_but_never_crash);
    RUN_TEST(test_deep_nesting_is_refused);
    RUN_TEST(test_a_pipe_is_read_up_to_the_limit);
    return UNITY_END();
}
