/* element_fixture.c - see element_fixture.h. */
#include "element_fixture.h"

#include "fixture.h"
#include "ref_random.h"
#include "unity.h"

#include <math.h>
#include <string.h>

struct element_material element_material(int model, double young, double poisson)
{
    struct element_material m = {.described = piola_material_default()};
    const ref_orthotropic wood = {.e1 = young,
                                  .e2 = 0.4 * young,
                                  .e3 = 0.25 * young,
                                  .nu12 = 0.3,
                                  .nu13 = 0.2,
                                  .nu23 = 0.25,
                                  .g12 = 0.2 * young,
                                  .g13 = 0.15 * young,
                                  .g23 = 0.1 * young};
    double c[36];
    piola_material *d = &m.described;
    d->model = (piola_model)model;
    d->young = (float)young;
    d->poisson = (float)poisson;
    if (model == PIOLA_MODEL_STABLE_NEO_HOOKEAN)
        m.reference = ref_stable_neo_hookean(young, poisson, young / (2 * (1 + poisson)));
    else if (model == PIOLA_MODEL_STVK)
        m.reference = ref_stvk(young, poisson);
    else if (model == PIOLA_MODEL_NEO_HOOKEAN)
        m.reference = ref_neo_hookean(young, poisson, REF_NEO_HOOKEAN_S_MIN);
    else
        TEST_ASSERT_TRUE(ref_stvk_orthotropic(&m.reference, &wood, ref_diag(1, 1, 1)));
    if (model == PIOLA_MODEL_STVK_ORTHOTROPIC) {
        const float axes[3] = {(float)wood.e1, (float)wood.e2, (float)wood.e3};
        const float ratios[3] = {(float)wood.nu12, (float)wood.nu23,
                                 (float)(wood.nu13 * wood.e3 / wood.e1)};
        const float shears[3] = {(float)wood.g12, (float)wood.g23, (float)wood.g13};
        memcpy(d->young_axis, axes, sizeof axes);
        memcpy(d->poisson_axis, ratios, sizeof ratios);
        memcpy(d->shear_axis, shears, sizeof shears);
    }
    if (model == PIOLA_MODEL_STVK_GENERAL) {
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++)
                c[6 * i + j] = m.reference.c[i][j] + 0.02 * young * cos(1.0 + i * j + i + j);
        TEST_ASSERT_TRUE(ref_stvk_general(&m.reference, c, ref_diag(1, 1, 1)));
        for (int i = 0, at = 0; i < 6; i++)
            for (int j = i; j < 6; j++)
                d->stiffness[at++] = (float)c[6 * i + j];
    }
    return m;
}

static struct element_block place(const piola_mesh_desc *mesh, piola_isa isa)
{
    struct element_block block = {.mesh = *mesh, .sheet = mesh->triangle_count > 0};
    piola_world_desc desc = piola_world_desc_default();
    desc.isa = isa;
    desc.max_plastic_packs = 64;
    memset(desc.gravity, 0, sizeof desc.gravity);
    block.elements = block.sheet ? mesh->triangle_count : mesh->tetrahedron_count;
    block.world = fixture_world(&desc);
    block.body = fixture_body(block.world, fixture_compile(mesh), 0, 0, 0);
    return block;
}

static piola_mesh_desc bar(const int cells[3], double cell, const piola_material *material)
{
    const double size[3] = {cells[0] * cell, cells[1] * cell, cells[2] * cell};
    ref_mesh mesh;
    TEST_ASSERT_TRUE(ref_mesh_beam(&mesh, cells, size, 5));
    const piola_mesh_desc desc = fixture_mesh(&mesh, material);
    ref_mesh_free(&mesh);
    return desc;
}

struct element_block element_block_of(piola_material material, piola_isa isa)
{
    const piola_mesh_desc mesh = bar((const int[]){1, 1, 1}, 1, &material);
    return place(&mesh, isa);
}

struct element_block element_block(piola_material material)
{
    return element_block_of(material, PIOLA_ISA_AUTO);
}

struct element_block element_block_for(uint32_t compile_for)
{
    piola_mesh_desc mesh = bar((const int[]){1, 1, 1}, 1, NULL);
    mesh.compile_for = compile_for;
    return place(&mesh, PIOLA_ISA_AUTO);
}

struct element_block element_beam(piola_material material, uint32_t cluster)
{
    piola_mesh_desc mesh = bar((const int[]){6, 2, 2}, 0.5, &material);
    mesh.cluster_limit = mesh.cluster_size = cluster;
    return place(&mesh, PIOLA_ISA_AUTO);
}

struct element_block element_sheet(piola_model model, double young, double poisson, float thickness)
{
    static const double x[] = {-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0, 0.1, 0, 0};
    static const uint32_t triangles[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    static const float warp[] = {1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0};
    piola_material *material = fixture_memory(sizeof *material);
    *material = element_material((int)model, young, poisson).described;
    material->thickness = thickness;
    material->young_axis[0] = (float)young;
    material->young_axis[1] = (float)(0.5 * young);
    material->poisson_axis[0] = 0.2f;
    material->poisson_axis[1] = 0;
    material->shear_axis[0] = (float)(0.2 * young);
    piola_mesh_desc mesh = piola_mesh_desc_default();
    mesh.vertices = x;
    mesh.vertex_count = 5;
    mesh.triangles = triangles;
    mesh.triangle_count = 4;
    mesh.triangle_directions = warp;
    mesh.materials = material;
    mesh.material_count = 1;
    return place(&mesh, PIOLA_ISA_AUTO);
}

void element_block_move(const struct element_block *block, ref_mat3 f)
{
    const double *rest = block->mesh.vertices;
    for (uint32_t v = 0; v < block->mesh.vertex_count; ++v, rest += 3) {
        float xyz[3];
        for (int i = 0; i < 3; ++i)
            xyz[i] = (float)(f.m[i][0] * rest[0] + f.m[i][1] * rest[1] + f.m[i][2] * rest[2]);
        fixture_ok(piola_body_set_positions(block->world, block->body, v, 1, xyz, NULL), NULL);
    }
}

void element_shake(const struct element_block *block, double amount, uint64_t *seed)
{
    for (uint32_t v = 0; v < block->mesh.vertex_count; ++v) {
        float xyz[3];
        for (int i = 0; i < 3; ++i)
            xyz[i] = (float)(block->mesh.vertices[3 * v + (uint32_t)i] +
                             ref_random(seed, -amount, amount));
        fixture_ok(piola_body_set_positions(block->world, block->body, v, 1, xyz, NULL), NULL);
    }
}

void element_block_hold(const struct element_block *block)
{
    for (uint32_t v = 0; v < block->mesh.vertex_count; ++v) {
        float xyz[3];
        fixture_ok(piola_body_positions(block->world, block->body, v, 1, xyz), NULL);
        fixture_ok(piola_body_pin(block->world, block->body, v, xyz), NULL);
    }
}

piola_element_state element_block_state(const struct element_block *block, uint32_t element)
{
    piola_element_state state;
    fixture_ok(block->sheet
                   ? piola_body_triangle_states(block->world, block->body, element, 1, &state)
                   : piola_body_tetrahedron_states(block->world, block->body, element, 1, &state),
               NULL);
    return state;
}

ref_mat3 element_map(const struct element_block *block, uint32_t element)
{
    const uint32_t *v = block->mesh.tetrahedra + 4 * (size_t)element;
    ref_mat3 rest, now;
    float last[3];
    fixture_ok(piola_body_positions(block->world, block->body, v[3], 1, last), NULL);
    for (uint32_t c = 0; c < 3; ++c) {
        float xyz[3];
        fixture_ok(piola_body_positions(block->world, block->body, v[c], 1, xyz), NULL);
        for (uint32_t i = 0; i < 3; ++i) {
            now.m[i][c] = (double)xyz[i] - (double)last[i];
            rest.m[i][c] = block->mesh.vertices[3 * v[c] + i] - block->mesh.vertices[3 * v[3] + i];
        }
    }
    return ref_mul(now, ref_inverse(rest));
}

ref_mat3 element_symmetric(const float s[6])
{
    return (ref_mat3){{{(double)s[0], (double)s[5], (double)s[4]},
                       {(double)s[5], (double)s[1], (double)s[3]},
                       {(double)s[4], (double)s[3], (double)s[2]}}};
}
