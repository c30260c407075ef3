/* test_creases.c - plastic bends of the dihedral model: the rule of flow, a strip that is folded
 * and let go, bounds, snapshots, visits of descent, and damaged assets.
 *
 * covers: ispc/cloth/
 */
#include "base/hash.h"
#include "bend_fixture.h"
#include "unity.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FOLD 2.0 /* rad */
enum { CELLS = 6, VERTICES = 2 * (CELLS + 1), LINE = CELLS / 2 };

static piola_material materials[2]; /* of the triangles, of the bends */
static piola_world_desc desc;

void setUp(void)
{
    materials[0] = bend_plate(1e4);
    materials[0].density = 0.3f;
    materials[1] = bend_plate(100);
    materials[1].bend_model = PIOLA_BEND_DIHEDRAL;
    materials[1].plastic_yield = 0.2f;
    materials[1].plastic_creep = 5;
    materials[1].plastic_max = 3;
    desc = piola_world_desc_default();
    memset(desc.gravity, 0, sizeof desc.gravity);
    desc.dt = 0.01f;
    desc.iterations = 10;
    desc.max_packs = desc.max_plastic_packs = 64;
    desc.report_physics = true;
}

void tearDown(void)
{
    fixture_clean();
}

static piola_mesh_desc describe(const struct sheet *s)
{
    piola_mesh_desc d = piola_mesh_desc_default();
    uint32_t *of_bends = fixture_memory(s->bends.count * sizeof *of_bends);
    for (uint32_t i = 0; i < s->bends.count; i++)
        of_bends[i] = 1;
    d.vertices = s->x;
    d.vertex_count = s->vertices;
    d.triangles = s->t;
    d.triangle_count = s->triangles;
    d.bends = s->bends.bends;
    d.bend_count = s->bends.count;
    d.bend_materials = of_bends;
    d.materials = materials;
    d.material_count = 2;
    return d;
}

static const piola_asset *compile(const struct sheet *s)
{
    const piola_mesh_desc d = describe(s);
    return fixture_compile(&d);
}

/* Of the stencil v, from its normals. */
static double angle_of(const double *x, const uint32_t *v)
{
    double e[3], c[3], d[3], m[3], n[3];
    bend_side(x, v[0], v[1], e);
    bend_side(x, v[0], v[2], c);
    bend_side(x, v[0], v[3], d);
    for (unsigned i = 0; i < 3; i++) {
        const unsigned j = (i + 1) % 3, k = (i + 2) % 3;
        m[i] = e[j] * c[k] - e[k] * c[j];
        n[i] = d[j] * e[k] - d[k] * e[j];
    }
    const double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    return atan2(length * (m[0] * d[0] + m[1] * d[1] + m[2] * d[2]),
                 m[0] * n[0] + m[1] * n[1] + m[2] * n[2]);
}

static float largest_crease(const struct pk_plastic *cells, uint32_t count)
{
    float most = 0;
    for (uint32_t c = 0; c < count; c++)
        for (unsigned lane = 0; lane < PK_LANES; lane++) {
            most = fmaxf(most, fabsf(cells[c].e[0][lane]));
            for (unsigned i = 1; i < 6; i++)
                TEST_ASSERT_EQUAL_FLOAT(0, cells[c].e[i][lane]);
        }
    return most;
}

/* ---- the rule ---- */

/* A hinge with any rest angle and any crease, in any state, against the rule in double. */
static void a_hinge_flows_by_the_rule(void)
{
    int flowed = 0, bounded = 0;
    for (int round = 0; round < fixture_count(1000, 300); round++) {
        struct sheet s;
        const piola_material plain = bend_plate(1);
        bend_hinge(&s, &plain);
        bend_shake(&s, 0.2, 0.2, 0.5);
        materials[1].plastic_yield = (float)bend_uniform(0.01, 1);
        materials[1].plastic_creep = (float)bend_uniform(0, 150);
        materials[1].plastic_max = (float)bend_uniform(0.05, 3.14);
        const piola_asset *asset = compile(&s);
        TEST_ASSERT_EQUAL_UINT32(1, asset->stats.plastic_packs);
        TEST_ASSERT_EQUAL_UINT32(0, asset_bend_pack_plastic(asset)[0]);
        double x[12];
        for (unsigned i = 0; i < 12; i++)
            x[i] = (double)(float)(s.x[i] + bend_uniform(-0.5, 0.5));
        struct pk_plastic cell;
        memset(&cell, 0, sizeof cell);
        unsigned lane = 0;
        while (!(asset_bend_packs(asset)->scale[lane] > 0))
            lane++;
        const double before = bend_uniform(-1, 1) * (double)materials[1].plastic_max;
        cell.e[0][lane] = (float)before;
        const double rest = angle_of(s.x, s.bends.bends), angle = angle_of(x, s.bends.bends);
        const double elastic = remainder(angle - rest - before, 2 * acos(-1));
        const double share = fmin(1, (double)bend_solve.dt * (double)materials[1].plastic_creep);
        const double most = (double)materials[1].plastic_max;
        const bool yields = fabs(elastic) > (double)materials[1].plastic_yield;
        const double flown = yields ? before + share * elastic : before;
        const double want = fmin(most, fmax(-most, flown));
        if (bend_area(x, s.t) < 0.1 || bend_area(x, s.t + 3) < 0.1 ||
            fabs(fabs(elastic) - 3.14159) < 0.01 || fabs(fabs(angle) - 3.14159) < 0.01 ||
            fabs(fabs(elastic) - (double)materials[1].plastic_yield) < 1e-4)
            continue; /* where rounding could decide otherwise */
        const struct pk_element_job job = {
            .x = bend_particles(asset, x),
            .bends = asset_bend_packs(asset),
            .cells = asset_bend_pack_plastic(asset),
            .plastic = &cell,
            .material = bend_constants(asset),
            .solve = &bend_solve,
            .count = 1,
        };
        bend_kernels()->plastic_flow_bends(&job);
        TEST_ASSERT_DOUBLE_WITHIN(2e-5, want, (double)cell.e[0][lane]);
        TEST_ASSERT_TRUE(fabsf(cell.e[0][lane]) <= materials[1].plastic_max);
        for (unsigned i = 0; i < PK_LANES; i++)
            TEST_ASSERT_TRUE(i == lane || cell.e[0][i] == 0);
        flowed += yields;
        bounded += fabs(flown) > most;
        fixture_clean();
    }
    TEST_ASSERT_TRUE(flowed > 10 && bounded > 2);
}

/* ---- a strip ---- */

struct strip {
    struct sheet s;
    const piola_asset *asset;
    piola_world *world;
    piola_body body;
};

static struct strip strip_new(void)
{
    struct strip p = {.s = bend_grid(CELLS, 1, false)};
    p.asset = compile(&p.s);
    p.world = fixture_world(&desc);
    piola_body_desc b = piola_body_desc_default();
    b.asset = p.asset;
    b.damping = 5;
    fixture_ok(piola_body_create(p.world, &b, &p.body, NULL), NULL);
    return p;
}

/* All vertices held, those past the line turned about it. */
static void strip_fold(struct strip *p, double angle)
{
    for (uint32_t v = 0; v < VERTICES; v++) {
        const double past = p->s.x[3 * v] - LINE;
        const double x = past > 0 ? LINE + past * cos(angle) : p->s.x[3 * v];
        fixture_push(p->world, PIOLA_COMMAND_BODY_PIN, p->body, v, (float)x,
                     (float)p->s.x[3 * v + 1], past > 0 ? (float)(past * sin(angle)) : 0);
    }
}

static void strip_let_go(struct strip *p)
{
    for (uint32_t v = 0; v < VERTICES; v++)
        if (p->s.x[3 * v] > LINE)
            fixture_push(p->world, PIOLA_COMMAND_BODY_UNPIN, p->body, v, 0, 0, 0);
}

/* The stencil whose edge is the line. */
static const uint32_t *strip_hinge(const struct strip *p)
{
    const uint32_t *v = p->s.bends.bends;
    while (!(fabs(p->s.x[3 * v[0]] - LINE) + fabs(p->s.x[3 * v[1]] - LINE) < 1e-9))
        v += 4;
    return v;
}

static double strip_angle(const struct strip *p)
{
    float x[3 * VERTICES];
    double at[3 * VERTICES];
    fixture_ok(piola_body_positions(p->world, p->body, 0, VERTICES, x), NULL);
    for (uint32_t i = 0; i < 3 * VERTICES; i++)
        at[i] = (double)x[i];
    return angle_of(at, strip_hinge(p));
}

/* Of the line; no other is larger. */
static float strip_crease(const struct strip *p)
{
    const uint32_t *of = asset_particle_of_vertex(p->asset), *v = strip_hinge(p);
    const struct pk_plastic *cells = world_plastic(p->world);
    const uint32_t count = p->asset->plastic_cells;
    for (uint32_t c = 0; c < count; c++)
        for (unsigned lane = 0; lane < PK_LANES; lane++) {
            const struct pk_bend_pack *pack = &asset_bend_packs(p->asset)[c];
            if (pack->index[0][lane] == of[v[0]] && pack->index[1][lane] == of[v[1]]) {
                TEST_ASSERT_EQUAL_FLOAT(fabsf(cells[c].e[0][lane]), largest_crease(cells, count));
                return cells[c].e[0][lane];
            }
        }
    return NAN;
}

/* Held at FOLD, the crease takes its share of what is elastic until that is below the yield point.
 */
static double expected(uint32_t steps)
{
    double crease = 0;
    const double share = (double)desc.dt * (double)materials[1].plastic_creep;
    for (uint32_t i = 0; i < steps; i++)
        if (FOLD - crease > (double)materials[1].plastic_yield)
            crease = fmin(crease + share * (FOLD - crease), (double)materials[1].plastic_max);
    return crease;
}

static void a_folded_strip_keeps_its_crease(void)
{
    static const piola_solver solvers[3] = {PIOLA_SOLVER_DESCENT, PIOLA_SOLVER_ENERGY,
                                            PIOLA_SOLVER_COMPLIANT};
    for (int k = 0; k < 9; k++) {
        setUp();
        desc.solver = solvers[k % 3];
        const int kind = k / 3; /* plastic, elastic, bounded */
        materials[1].plastic_yield = kind == 1 ? 3.1f : 0.2f;
        materials[1].plastic_max = kind == 2 ? 0.5f : 3;
        struct strip p = strip_new();
        strip_fold(&p, FOLD);
        fixture_steps(p.world, NULL, 100);
        const double want = expected(100), held = fabs((double)strip_crease(&p));
        TEST_ASSERT_DOUBLE_WITHIN(1e-3, want, held);
        TEST_ASSERT_DOUBLE_WITHIN(1e-3, FOLD, fabs(strip_angle(&p)));
        strip_let_go(&p);
        fixture_steps(p.world, NULL, fixture_count(1200, 1200));
        const double kept = (double)strip_crease(&p), angle = strip_angle(&p);
        printf("%s, %s: crease %.4f of %.4f rad, %.4f when let go, angle %.4f\n",
               (const char *const[3]){"descent", "energy", "compliant"}[k % 3],
               (const char *const[3]){"plastic", "elastic", "bounded"}[kind], held, want, kept,
               angle);
        TEST_ASSERT_TRUE(fabs(kept) <= (double)materials[1].plastic_max);
        if (kind < 2)
            TEST_ASSERT_DOUBLE_WITHIN(1e-3, want, fabs(kept));
        TEST_ASSERT_DOUBLE_WITHIN(2e-3, kept, angle);
        fixture_clean();
    }
}

static void a_snapshot_knows_creases(void)
{
    desc.solver = PIOLA_SOLVER_DESCENT;
    struct strip p = strip_new();
    strip_fold(&p, FOLD);
    fixture_steps(p.world, NULL, 20);
    const float crease = strip_crease(&p);
    TEST_ASSERT_TRUE(fabsf(crease) > 0.5f);
    const size_t bytes = piola_snapshot_size(p.world);
    void *snapshot = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(p.world, snapshot, bytes), NULL);
    const uint64_t now = piola_world_hash(p.world);
    strip_let_go(&p);
    fixture_steps(p.world, NULL, 30);
    const uint64_t then = piola_world_hash(p.world);
    fixture_ok(piola_snapshot_restore(p.world, snapshot, bytes), NULL);
    TEST_ASSERT_EQUAL_HEX64(now, piola_world_hash(p.world));
    TEST_ASSERT_EQUAL_FLOAT(crease, strip_crease(&p));
    strip_let_go(&p);
    fixture_steps(p.world, NULL, 30);
    TEST_ASSERT_EQUAL_HEX64(then, piola_world_hash(p.world));
    /* The crease is part of the state. */
    fixture_ok(piola_snapshot_restore(p.world, snapshot, bytes), NULL);
    world_plastic(p.world)[0].e[0][0] += 0.1f;
    TEST_ASSERT_TRUE(now != piola_world_hash(p.world));
    /* No flow goes beyond `max`: a snapshot that says so is refused. */
    world_plastic(p.world)[0].e[0][0] = -1.01f * materials[1].plastic_max;
    fixture_ok(piola_snapshot_save(p.world, snapshot, bytes), NULL);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_SNAPSHOT_FORMAT,
                      piola_snapshot_restore(p.world, snapshot, bytes));
}

/* ---- assets ---- */

/* Every visit of descent finds the cell of the pack's lane that holds the same bend. */
static void visits_know_their_cells(void)
{
    struct sheet s = bend_grid(5, 4, false);
    const piola_asset *a = compile(&s);
    uint32_t found = 0;
    TEST_ASSERT_EQUAL_UINT32(a->at.bend_packs.count, a->stats.plastic_packs);
    TEST_ASSERT_EQUAL_UINT64(a->at.fold_visits.count * PK_LANES, a->at.fold_visit_plastic.count);
    for (uint32_t p = 0; p < a->at.vertex_packs.count; p++) {
        const struct pk_vertex_pack *pack = &asset_vertex_packs(a)[p];
        for (uint32_t i = 0; i < pack->visits[PK_VISIT_FOLD].count * PK_LANES; i++) {
            const uint32_t slot = pack->visits[PK_VISIT_FOLD].first + i / PK_LANES,
                           lane = i % PK_LANES;
            const struct pk_fold_visit *visit = &asset_fold_visits(a)[slot];
            const uint32_t cell = asset_fold_visit_plastic(a)[(size_t)slot * PK_LANES + lane];
            if (!(visit->weight[lane] > 0)) {
                TEST_ASSERT_EQUAL_UINT32(UINT32_MAX, cell);
                continue;
            }
            const struct pk_bend_pack *of = &asset_bend_packs(a)[cell / PK_LANES];
            for (unsigned c = 0; c < 4; c++) {
                const uint32_t at = of->index[c][cell % PK_LANES];
                TEST_ASSERT_TRUE(at == pack->self[lane] || at == visit->other[0][lane] ||
                                 at == visit->other[1][lane] || at == visit->other[2][lane]);
            }
            found++;
        }
    }
    TEST_ASSERT_EQUAL_UINT32(4 * s.bends.count, found);
}

static piola_status status_of(const struct sheet *s, const char **field)
{
    const piola_mesh_desc d = describe(s);
    piola_error error = {0};
    size_t bytes = 0;
    piola_status status = piola_plan_size(&d, &bytes, &error);
    if (status == PIOLA_OK) {
        piola_plan *plan = NULL;
        status = piola_asset_plan(&d, fixture_memory(bytes), bytes, &plan, &error);
    }
    *field = error.field;
    return status;
}

static void bad_creases_are_refused(void)
{
    const char *field = NULL;
    struct sheet s = bend_grid(2, 2, false);
    TEST_ASSERT_EQUAL(PIOLA_OK, status_of(&s, &field));
    const piola_material good = materials[1];
    materials[1].bend_model = PIOLA_BEND_ISOMETRIC;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_MATERIAL, status_of(&s, &field));
    TEST_ASSERT_EQUAL_STRING("piola_material.plastic_yield", field);
    materials[1].plastic_yield = 0;
    TEST_ASSERT_EQUAL(PIOLA_OK, status_of(&s, &field));
    materials[1] = good;
    materials[1].plastic_yield = NAN;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_MATERIAL, status_of(&s, &field));
    TEST_ASSERT_EQUAL_STRING("piola_material.plastic_yield", field);
    materials[1] = good;
    materials[1].plastic_creep = -1;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_MATERIAL, status_of(&s, &field));
    TEST_ASSERT_EQUAL_STRING("piola_material.plastic_creep", field);
    materials[1] = good;
    materials[1].plastic_max = 3.2f; /* more than a hinge can be folded */
    TEST_ASSERT_EQUAL(PIOLA_ERROR_MATERIAL, status_of(&s, &field));
    TEST_ASSERT_EQUAL_STRING("piola_material.plastic_max", field);
}

static bool opens(unsigned char *blob, size_t bytes)
{
    struct piola_asset *asset = (struct piola_asset *)(void *)blob;
    const size_t skip = offsetof(struct piola_asset, checksum) + sizeof asset->checksum;
    const piola_asset *opened = NULL;
    asset->checksum = hash_bytes(blob + skip, bytes - skip, ASSET_VERSION);
    const piola_status status = piola_asset_open(blob, bytes, &opened, NULL);
    TEST_ASSERT_TRUE(status == PIOLA_OK || status == PIOLA_ERROR_BLOB_CORRUPT);
    return status == PIOLA_OK;
}

static void damaged_cells_are_corrupt(void)
{
    struct sheet s = bend_grid(5, 4, false);
    const piola_asset *asset = compile(&s);
    const size_t bytes = piola_asset_bytes(asset);
    unsigned char *blob = fixture_memory(bytes);
    memcpy(blob, asset, bytes);
    TEST_ASSERT_TRUE(opens(blob, bytes));
    uint32_t *packs = (uint32_t *)(void *)(blob + asset->at.bend_pack_plastic.offset);
    uint32_t *visits = (uint32_t *)(void *)(blob + asset->at.fold_visit_plastic.offset);
    struct pk_material *m = (struct pk_material *)(void *)(blob + asset->at.materials.offset) +
                            asset_bend_pack_materials(asset)[0];
    const struct pk_material sound = *m;
    for (int k = 0; k < 4; k++) {
        const uint32_t wrong[4] = {UINT32_MAX, 1, asset->plastic_cells, UINT32_MAX - 1};
        packs[0] = wrong[k];
        TEST_ASSERT_FALSE(opens(blob, bytes));
        packs[0] = 0;
        visits[3] = k == 0 ? asset->plastic_cells * PK_LANES : wrong[3] - (uint32_t)k;
        TEST_ASSERT_FALSE(opens(blob, bytes));
        visits[3] = asset_fold_visit_plastic(asset)[3];
        if (k == 0)
            m->model = PIOLA_BEND_ISOMETRIC;
        else
            m->max = k == 1 ? 4 : k == 2 ? -1 : NAN;
        TEST_ASSERT_FALSE(opens(blob, bytes));
        *m = sound;
    }
    TEST_ASSERT_TRUE(opens(blob, bytes));
}

int main(void)
{
    bend_seed = fixture_seed();
    UNITY_BEGIN();
    RUN_TEST(a_hinge_flows_by_the_rule);
    RUN_TEST(a_folded_strip_keeps_its_crease);
    RUN_TEST(a_snapshot_knows_creases);
    RUN_TEST(visits_know_their_cells);
    RUN_TEST(bad_creases_are_refused);
    RUN_TEST(damaged_cells_are_corrupt);
    return UNITY_END();
}
