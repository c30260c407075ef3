/* bench_models.c - what a visit of vertex descent costs by what a body is made of, beside the body
 * of undamped stable Neo-Hookean: the same mesh, the Armadillo, bent or crushed, one thread.
 *
 *   visit    ns an element and iteration: of the quickest steps with MORE and with FEW iterations
 * the difference, so that what a substep costs besides is left out. No coarse level. cost     times
 * that of the first body (of `mixed`: of its two parts' sum)
 */
#include "bench_models.h"

#include <string.h>

enum { FEW = 4, MORE = 24 };

enum shape { BENT, CRUSHED };

struct kind {
    const char *name;
    piola_model model;
    float damping, yield; /* s; - */
    bool solid, skin;     /* tetrahedra; triangles over their surface */
    bool touched;
    enum shape shape;
};

enum { PLAIN, STVK_DAMPED = 4, SKIN = 10, MIXED, KINDS };

static const struct kind kinds[KINDS] = {
    {"stable_neo_hookean", PIOLA_MODEL_STABLE_NEO_HOOKEAN, 0, 0, true, false, false, BENT},
    {"damped", PIOLA_MODEL_STABLE_NEO_HOOKEAN, 0.005f, 0, true, false, false, BENT},
    {"neo_hookean", PIOLA_MODEL_NEO_HOOKEAN, 0, 0, true, false, false, BENT},
    {"stvk", PIOLA_MODEL_STVK, 0, 0, true, false, false, BENT},
    {"stvk_damped", PIOLA_MODEL_STVK, 0.005f, 0, true, false, false, BENT},
    {"stvk_plastic", PIOLA_MODEL_STVK, 0, 0.02f, true, false, false, BENT},
    {"orthotropic", PIOLA_MODEL_STVK_ORTHOTROPIC, 0, 0, true, false, false, BENT},
    {"general", PIOLA_MODEL_STVK_GENERAL, 0, 0, true, false, false, BENT},
    {"touched", PIOLA_MODEL_STABLE_NEO_HOOKEAN, 0, 0, true, false, true, BENT},
    {"stvk_crushed", PIOLA_MODEL_STVK, 0, 0, true, false, false, CRUSHED},
    [SKIN] = {"skin", PIOLA_MODEL_STVK, 0.001f, 0, false, true, false, BENT},
    [MIXED] = {"mixed", PIOLA_MODEL_STVK, 0.001f, 0, true, true, false, BENT},
};

/* Constants of every model, so that each finds its own. */
static piola_material material_of(const struct kind *kind)
{
    piola_material m = piola_material_default();
    m.model = kind->model;
    m.young = 1e5f;
    m.poisson = 0.3f;
    m.damping = kind->damping;
    for (int axis = 0; axis < 3; axis++) {
        m.young_axis[axis] = 1e5f * (1 + 0.5f * (float)axis);
        m.poisson_axis[axis] = 0.2f;
        m.shear_axis[axis] = 4e4f;
    }
    m.poisson_axis[2] = 0;
    static const int diagonal[6] = {0, 6, 11, 15, 18, 20};
    for (int i = 0; i < 6; i++)
        m.stiffness[diagonal[i]] = i < 3 ? 1.3e5f : 4e4f;
    if (kind->yield > 0) {
        m.plastic_yield = kind->yield;
        m.plastic_creep = 1;
        m.plastic_max = 0.5f;
    }
    return m;
}

/* The vertices that triangles use, in their order, and the triangles by these numbers. */
static void keep_surface(piola_mesh_desc *desc, uint32_t *triangles, double *vertices,
                         uint32_t *place)
{
    const uint32_t corners = 3 * desc->triangle_count;
    uint32_t used = 0;
    memset(place, 0xff, desc->vertex_count * sizeof *place);
    for (uint32_t i = 0; i < corners; i++) {
        uint32_t *to = &place[triangles[i]];
        if (*to == UINT32_MAX) {
            *to = used++;
            memcpy(vertices + 3 * (size_t)*to, desc->vertices + 3 * (size_t)triangles[i],
                   3 * sizeof *vertices);
        }
        triangles[i] = *to;
    }
    desc->vertices = vertices;
    desc->vertex_count = used;
    desc->tetrahedron_count = 0;
}

static void compile(struct bench *bench, const struct bench_mesh *mesh,
                    const struct bench_asset *surface, const struct kind *kind,
                    struct bench_asset *compiled)
{
    piola_mesh_desc desc = meshgen_desc(&mesh->mesh);
    piola_material materials[2] = {material_of(kind), material_of(kind)};
    uint32_t count = 0;
    const uint32_t *found = piola_asset_surface(surface->asset, &count);
    uint32_t *triangles = bench_memory(bench, 3 * (size_t)count * sizeof *triangles);
    uint32_t *of_triangles = bench_memory(bench, count * sizeof *of_triangles);
    uint32_t *place = bench_memory(bench, desc.vertex_count * sizeof *place);
    double *vertices = bench_memory(bench, 3 * (size_t)desc.vertex_count * sizeof *vertices);
    memcpy(triangles, found, 3 * (size_t)count * sizeof *triangles);
    for (uint32_t i = 0; i < count; i++)
        of_triangles[i] = 1;
    materials[1].young = 100; /* N/m */
    materials[1].density = 0.3f;
    desc.compile_for = PIOLA_COMPILE_FOR_DESCENT;
    desc.materials = materials;
    desc.material_count = 2; /* as scenes have it: more than a body uses */
    desc.coarse_level = false;
    if (kind->skin) {
        desc.triangles = triangles;
        desc.triangle_count = count;
        desc.triangle_materials = of_triangles;
    }
    if (!kind->solid)
        keep_surface(&desc, triangles, vertices, place);
    bench_asset_compile(bench, &desc, compiled);
    bench_release(triangles);
    bench_release(of_triangles);
    bench_release(place);
    bench_release(vertices);
}

static void bend(float position[3], const float half[3])
{
    const float share = position[1] / half[1];
    position[0] += 0.1f * half[0] * share * share;
    position[2] += 0.05f * position[0];
    position[1] *= 1.03f;
}

/* All edges to a third: below what St Venant and Kirchhoff bear. */
static void crush(float position[3], const float half[3])
{
    (void)half;
    for (int axis = 0; axis < 3; axis++)
        position[axis] *= 0.33f;
}

/* A floor through the lowest fifth of the body, pressed against in every iteration. */
static void add_floor(struct bench *bench, struct bench_scene *scene)
{
    piola_collider_desc desc = piola_collider_desc_default();
    piola_collider floor;
    piola_body_info info;
    piola_error error;
    bench_check(bench, "body", piola_body_inspect(scene->world, scene->bodies[0], &info), NULL);
    float *xyz = bench_memory(bench, (size_t)info.vertices * 3 * sizeof *xyz);
    bench_check(bench, "body",
                piola_body_positions(scene->world, scene->bodies[0], 0, info.vertices, xyz), NULL);
    float low = xyz[1], high = xyz[1];
    for (uint32_t i = 0; i < info.vertices; i++) {
        low = xyz[3 * i + 1] < low ? xyz[3 * i + 1] : low;
        high = xyz[3 * i + 1] > high ? xyz[3 * i + 1] : high;
    }
    bench_release(xyz);
    desc.shape.kind = PIOLA_SHAPE_PLANE;
    desc.position[1] = low + 0.2f * (high - low);
    bench_check(bench, "collider", piola_collider_create(scene->world, &desc, &floor, &error),
                &error);
}

static double quickest_step(struct bench *bench, const struct bench_asset *compiled,
                            const struct kind *kind, uint32_t iterations)
{
    const struct bench_scene_desc desc = {.compiled = compiled,
                                          .bodies = 1,
                                          .solver = PIOLA_SOLVER_DESCENT,
                                          .isa = bench_widest_isa(bench),
                                          .threads = 1,
                                          .iterations = iterations,
                                          .colliders = kind->touched ? 1 : 0};
    struct bench_scene scene;
    struct bench_stats stats;
    bench_scene_open(bench, &desc, &scene);
    bench_scene_deform(bench, &scene, kind->shape == CRUSHED ? crush : bend);
    if (kind->touched)
        add_floor(bench, &scene);
    bench_scene_keep(bench, &scene);
    bench_scene_measure(bench, &scene, kind->shape == CRUSHED ? 1 : 4, &stats);
    bench_scene_close(&scene);
    return stats.min;
}

void bench_models(struct bench *bench)
{
    struct bench_mesh mesh;
    struct bench_asset surface;
    double visits[KINDS] = {0};
    bench_mesh_armadillo(bench, &mesh);
    bench_asset_make(bench, &mesh, PIOLA_MODEL_STVK, PIOLA_COMPILE_FOR_DESCENT, &surface);
    for (int i = 0; i < KINDS; i++) {
        const struct kind *kind = &kinds[i];
        struct bench_asset compiled;
        if (bench_is_late(bench, kind->name))
            break;
        compile(bench, &mesh, &surface, kind, &compiled);
        const uint64_t elements = compiled.stats.tetrahedra + compiled.stats.triangles;
        struct bench_labels labels = {.case_name = "models",
                                      .isa = piola_isa_name(bench_widest_isa(bench)),
                                      .material = kind->name,
                                      .elements = elements};
        const double sweep = (quickest_step(bench, &compiled, kind, MORE) -
                              quickest_step(bench, &compiled, kind, FEW)) /
                             (MORE - FEW);
        visits[i] = sweep;
        bench_row(bench, &labels, "visit", 1e9 * sweep / (double)elements, "ns");
        bench_ratio(bench, &labels, "cost", sweep,
                    i == MIXED  ? visits[STVK_DAMPED] + visits[SKIN]
                    : i == SKIN ? 0
                                : visits[PLAIN]);
        bench_asset_release(&compiled);
    }
    bench_asset_release(&surface);
    bench_mesh_release(&mesh);
}
