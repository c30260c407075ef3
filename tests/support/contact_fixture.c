/* contact_fixture.c - see contact_fixture.h. */
#include "contact_fixture.h"

#include "io/mesh/meshgen.h"
#include "io/mesh/tetgen.h"
#include "ref_cross.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

const struct scene_solver scene_solvers[SCENE_SOLVERS] = {
    {PIOLA_SOLVER_DESCENT, "descent"},
    {PIOLA_SOLVER_COMPLIANT, "compliant"},
    {PIOLA_SOLVER_ENERGY, "energy"},
};

piola_world_desc scene_desc(piola_solver solver)
{
    piola_world_desc d = piola_world_desc_default();
    d.solver = solver;
    d.max_packs = 4096;
    d.max_particles = 8192;
    d.max_contacts = 100000;
    d.max_contact_faces = 4096;
    d.max_colliders = 2;
    d.max_rigids = 2;
    return d;
}

struct scene scene_of(const piola_world_desc *desc)
{
    return (struct scene){.world = fixture_world(desc)};
}

piola_body scene_enter(struct scene *s, const piola_asset *asset, const piola_body_desc *desc)
{
    piola_error error = {0};
    piola_body_desc b = *desc;
    b.asset = asset;
    TEST_ASSERT_TRUE(s->bodies < SCENE_BODIES);
    fixture_ok(piola_body_create(s->world, &b, &s->body[s->bodies], &error), &error);
    s->asset[s->bodies] = asset;
    return s->body[s->bodies++];
}

piola_collider scene_floor(struct scene *s, float friction)
{
    piola_collider collider;
    piola_collider_desc c = piola_collider_desc_default();
    c.friction_static = c.friction_kinetic = friction;
    fixture_ok(piola_collider_create(s->world, &c, &collider, NULL), NULL);
    return collider;
}

static piola_asset_stats stats_of(const piola_asset *asset)
{
    piola_asset_stats stats;
    fixture_ok(piola_asset_inspect(asset, &stats), NULL);
    return stats;
}

uint32_t scene_first(const struct scene *s, int body)
{
    uint32_t first = 0;
    for (int b = 0; b < body; ++b)
        first += stats_of(s->asset[b]).vertices;
    return first;
}

static void list(struct scene *s)
{
    for (int b = 0; b < s->bodies; ++b) {
        const piola_asset_stats stats = stats_of(s->asset[b]);
        s->face_count += stats.surface_triangles;
        s->vertex_count += stats.vertices;
    }
    s->x = fixture_memory(3 * s->vertex_count * sizeof *s->x);
    s->exact = fixture_memory(3 * s->vertex_count * sizeof *s->exact);
    s->faces = fixture_memory(3 * s->face_count * sizeof *s->faces);
    uint32_t *to = s->faces;
    for (int b = 0; b < s->bodies; ++b) {
        uint32_t count;
        const uint32_t *from = piola_asset_surface(s->asset[b], &count);
        const uint32_t first = scene_first(s, b);
        for (uint32_t i = 0; i < 3 * count; ++i)
            *to++ = from[i] + first;
    }
}

void scene_collect(struct scene *s)
{
    if (!s->x)
        list(s);
    for (int b = 0; b < s->bodies; ++b)
        fixture_ok(piola_body_positions(s->world, s->body[b], 0, stats_of(s->asset[b]).vertices,
                                        s->x + 3 * (size_t)scene_first(s, b)),
                   NULL);
}

uint64_t scene_crossings(struct scene *s)
{
    scene_collect(s);
    for (uint32_t i = 0; i < 3 * s->vertex_count; ++i) {
        TEST_ASSERT_TRUE(isfinite(s->x[i]));
        s->exact[i] = (double)s->x[i];
    }
    const ref_surface all = {s->exact, s->faces, s->face_count};
    ref_crossings found;
    TEST_ASSERT_TRUE(ref_cross_self(&all, &found));
    return found.crossing;
}

/* Long proofs take hours: that they go on, and how fast. */
static void tell_progress(const struct scene *s, const char *what)
{
    if (!getenv("PIOLA_PROOFS"))
        return;
    fprintf(stderr, "%s: %d steps, %.0f s\n", what, s->steps, (double)clock() / CLOCKS_PER_SEC);
}

void scene_step(struct scene *s, const char *what)
{
    fixture_ok(piola_world_step(s->world, NULL, &s->report), NULL);
    s->most = s->report.contacts > s->most ? s->report.contacts : s->most;
    s->dropped += s->report.contacts_dropped;
    const uint64_t crossed = scene_crossings(s);
    if (crossed)
        printf("%s: %u crossings after step %d\n", what, (unsigned)crossed, s->steps);
    TEST_ASSERT_EQUAL(0, crossed);
    TEST_ASSERT_EQUAL(0, s->report.frozen);
    if (++s->steps % 100 == 0)
        tell_progress(s, what);
}

void scene_play(struct scene *s, int steps, const char *what)
{
    s->most = 0;
    s->dropped = 0;
    s->steps = 0;
    while (s->steps < steps)
        scene_step(s, what);
    scene_tell(s, what);
}

void scene_tell(const struct scene *s, const char *what)
{
    printf("%s: %d steps without a crossing, up to %u pairs, %u dropped\n", what, s->steps,
           (unsigned)s->most, (unsigned)s->dropped);
    fflush(stdout);
}

static piola_body_info info_of(const struct scene *s, int body)
{
    piola_body_info info;
    fixture_ok(piola_body_inspect(s->world, s->body[body], &info), NULL);
    return info;
}

void scene_momentum(const struct scene *s, double momentum[6])
{
    for (int k = 0; k < 6; ++k)
        momentum[k] = 0;
    for (int b = 0; b < s->bodies; ++b) {
        const piola_body_info info = info_of(s, b);
        for (int k = 0; k < 3; ++k) {
            momentum[k] += info.momentum[k];
            momentum[3 + k] += info.angular_momentum[k];
        }
    }
}

double scene_energy(const struct scene *s)
{
    double sum = 0;
    for (int b = 0; b < s->bodies; ++b)
        sum += info_of(s, b).kinetic_energy;
    return sum;
}

double scene_mass(const struct scene *s)
{
    double sum = 0;
    for (int b = 0; b < s->bodies; ++b)
        sum += info_of(s, b).mass;
    return sum;
}

int scene_steps(int brief, int full)
{
    return getenv("PIOLA_PROOFS") ? full : fixture_count(brief, brief < 4 ? 1 : brief / 4);
}

static const piola_asset *sheet_of(double width, double length, uint32_t across, uint32_t along,
                                   double stiffness, bool hinges)
{
    struct meshgen mesh;
    const double size[2] = {width, length};
    const uint32_t n[2] = {across, along};
    piola_material *m = fixture_memory(2 * sizeof *m);
    TEST_ASSERT_TRUE(meshgen_cloth(&mesh, size, n, hinges));
    m[0] = m[1] = piola_material_default();
    m[0].model = m[1].model = PIOLA_MODEL_STVK;
    m[0].density = 0.3f;
    m[0].young = (float)stiffness;
    m[0].poisson = 0.3f;
    m[1].bend = 1e-5f;
    piola_mesh_desc d = meshgen_desc(&mesh);
    uint32_t *bends = fixture_memory((mesh.bend_count + 1) * sizeof *bends);
    for (uint32_t i = 0; i < mesh.bend_count; ++i)
        bends[i] = 1;
    d.bend_materials = bends;
    d.materials = m;
    d.material_count = 2;
    const piola_asset *asset = fixture_compile(&d);
    meshgen_free(&mesh);
    return asset;
}

const piola_asset *scene_sheet(double width, double length, uint32_t across, uint32_t along,
                               double stiffness)
{
    return sheet_of(width, length, across, along, stiffness, true);
}

const piola_asset *scene_limp_sheet(double width, double length, uint32_t across, uint32_t along,
                                    double stiffness)
{
    return sheet_of(width, length, across, along, stiffness, false);
}

void scene_fold(struct scene *s, const float at[3])
{
    scene_collect(s);
    for (uint32_t i = 0; i < s->vertex_count; ++i) {
        float *x = &s->x[3 * i];
        /* Two cells a layer, the second a little shorter, as a zigzag. */
        const double along = (double)x[0] / 0.04, layer = floor(along + 1e-6);
        const double part = along - layer;
        x[0] = (float)(fmod(layer, 2) == 0 ? 0.04 * part : 0.04 * (1 - part)) + at[0];
        x[1] = (float)(0.01 + 0.004 * along) + at[1];
        x[2] += at[2];
    }
    fixture_ok(piola_body_set_positions(s->world, s->body[0], 0, s->vertex_count, s->x, NULL),
               NULL);
    TEST_ASSERT_EQUAL(0, scene_crossings(s));
}

const piola_asset *scene_statue(double length, const char **name)
{
    struct meshgen mesh;
    char node[512], ele[512];
    struct problem problem = {0};
    const char *root = getenv("PIOLA_SOURCE_DIR"), *data = getenv("PIOLA_DATA");
    snprintf(node, sizeof node, "%s%s/armadillo_4k.node",
             data   ? data
             : root ? root
                    : ".",
             data ? "" : "/../shared/data");
    snprintf(ele, sizeof ele, "%s%s/armadillo_4k.ele",
             data   ? data
             : root ? root
                    : ".",
             data ? "" : "/../shared/data");
    *name = "Armadillos";
    if (!tetgen_read(node, ele, &mesh, &problem)) {
        *name = "rings of as many elements as an Armadillo";
        TEST_ASSERT_TRUE(meshgen_torus(&mesh, 0.33 * length, 0.15 * length, 3717));
    }
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t i = 0; i < 3 * mesh.vertex_count; ++i) {
        low[i % 3] = fmin(low[i % 3], mesh.vertices[i]);
        high[i % 3] = fmax(high[i % 3], mesh.vertices[i]);
    }
    const double size = fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
    for (uint32_t i = 0; i < 3 * mesh.vertex_count; ++i)
        mesh.vertices[i] *= length / size;
    piola_material *m = fixture_memory(sizeof *m);
    m[0] = piola_material_default();
    piola_mesh_desc d = meshgen_desc(&mesh);
    d.materials = m;
    d.material_count = 1;
    const piola_asset *asset = fixture_compile(&d);
    meshgen_free(&mesh);
    return asset;
}
