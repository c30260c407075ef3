/* any_mesh.c - see any_mesh.h. */
#include "any_mesh.h"

#include "unity.h"

#include <string.h>

struct meshgen any_mesh;
piola_material any_materials[3];

void any_mesh_begin(void)
{
    memset(&any_mesh, 0, sizeof any_mesh);
    for (unsigned i = 0; i < 3; i++) {
        any_materials[i] = piola_material_default();
        any_materials[i].bend = 1e5f;
    }
}

void any_mesh_end(void)
{
    meshgen_free(&any_mesh);
}

piola_mesh_desc any_mesh_describe(void)
{
    piola_mesh_desc desc = meshgen_desc(&any_mesh);
    desc.materials = any_materials;
    desc.material_count = 1;
    return desc;
}

void any_mesh_box(void)
{
    TEST_ASSERT_TRUE(
        meshgen_box(&any_mesh, (const double[3]){1, 1, 1}, (const uint32_t[3]){3, 3, 3}));
}

void any_mesh_cloth(void)
{
    TEST_ASSERT_TRUE(
        meshgen_cloth(&any_mesh, (const double[2]){1, 1}, (const uint32_t[2]){4, 4}, true));
}

static void shuffle(uint64_t *seed, uint32_t *items, uint32_t count, uint32_t stride)
{
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t j = (uint32_t)(fixture_random(seed) % i);
        for (uint32_t k = 0; k < stride; k++) {
            const uint32_t swap = items[(i - 1) * stride + k];
            items[(i - 1) * stride + k] = items[j * stride + k];
            items[j * stride + k] = swap;
        }
    }
}

void any_mesh_disturb(uint64_t *seed, double spacing)
{
    uint32_t *number = fixture_memory(any_mesh.vertex_count * sizeof *number);
    double *x = fixture_memory(any_mesh.vertex_count * 3 * sizeof *x);
    for (uint32_t i = 0; i < any_mesh.vertex_count; i++) {
        number[i] = i;
    }
    shuffle(seed, number, any_mesh.vertex_count, 1);
    for (size_t i = 0; i < 3 * (size_t)any_mesh.vertex_count; i++) {
        x[3 * number[i / 3] + i % 3] =
            any_mesh.vertices[i] + spacing * (fixture_uniform(seed) - 0.5);
    }
    memcpy(any_mesh.vertices, x, any_mesh.vertex_count * 3 * sizeof *x);
    for (size_t i = 0; i < 4 * (size_t)any_mesh.tetrahedron_count; i++) {
        any_mesh.tetrahedra[i] = number[any_mesh.tetrahedra[i]];
    }
    for (size_t i = 0; i < 3 * (size_t)any_mesh.triangle_count; i++) {
        any_mesh.triangles[i] = number[any_mesh.triangles[i]];
    }
    for (size_t i = 0; i < 4 * (size_t)any_mesh.bend_count; i++) {
        any_mesh.bends[i] = number[any_mesh.bends[i]];
    }
    shuffle(seed, any_mesh.tetrahedra, any_mesh.tetrahedron_count, 4);
    shuffle(seed, any_mesh.triangles, any_mesh.triangle_count, 3);
    shuffle(seed, any_mesh.bends, any_mesh.bend_count, 4);
}

static uint32_t some(uint64_t *seed, uint32_t least, uint32_t most)
{
    return least + (uint32_t)(fixture_random(seed) % (most - least + 1));
}

void any_mesh_random(uint64_t *seed)
{
    meshgen_free(&any_mesh);
    const double unit[3] = {1, 1, 1};
    const uint32_t cells[3] = {some(seed, 1, 9), some(seed, 1, 9), some(seed, 1, 9)};
    switch (fixture_random(seed) % 6) {
    case 0:
        TEST_ASSERT_TRUE(meshgen_box(&any_mesh, unit, cells));
        break;
    case 1:
        TEST_ASSERT_TRUE(meshgen_box_kuhn(&any_mesh, unit, cells));
        break;
    case 2:
        TEST_ASSERT_TRUE(meshgen_ball(&any_mesh, 1, some(seed, 100, 6000)));
        break;
    case 3:
        TEST_ASSERT_TRUE(meshgen_torus(&any_mesh, 1, 0.4, some(seed, 100, 6000)));
        break;
    case 4:
        TEST_ASSERT_TRUE(meshgen_rope(&any_mesh, 1, 0.1, some(seed, 1, 200)));
        break;
    default:
        TEST_ASSERT_TRUE(
            meshgen_cloth(&any_mesh, unit, (const uint32_t[2]){5 * cells[0], 5 * cells[1]}, true));
    }
    any_mesh_disturb(seed, 1e-4);
}

/* Links between any two vertices, each in one link at most; some limited in a range. */
static void add_links(uint64_t *seed, piola_mesh_desc *desc)
{
    const uint32_t count = some(seed, 0, any_mesh.vertex_count / 2);
    uint32_t *links = fixture_memory((2 * (size_t)count + 1) * sizeof *links);
    float *bounds = fixture_memory((2 * (size_t)count + 1) * sizeof *bounds);
    for (uint32_t i = 0; i < 2 * count; i++) {
        links[i] = i;
        bounds[i] = i % 2 ? 1.5f : 0.5f;
    }
    desc->links = links;
    desc->link_count = count;
    desc->link_bounds = some(seed, 0, 1) ? bounds : NULL;
}

void any_mesh_setup(uint64_t *seed, piola_mesh_desc *desc)
{
    if (some(seed, 0, 1)) {
        add_links(seed, desc);
    }
    if (some(seed, 0, 1)) {
        uint32_t *anchors = fixture_memory(3 * sizeof *anchors);
        for (uint32_t i = 0; i < 3; i++) {
            anchors[i] = i;
        }
        desc->tether_anchors = anchors;
        desc->tether_anchor_count = some(seed, 1, 3);
    }
    const bool solid = any_mesh.tetrahedron_count > 0;
    const uint32_t elements = any_mesh.tetrahedron_count + any_mesh.triangle_count;
    desc->compile_for = some(seed, 1, 3);
    if (some(seed, 0, 1)) {
        desc->cluster_limit = 0;
        desc->cluster_size = some(seed, 64, 1000);
    }
    if (some(seed, 0, 1)) {
        uint32_t *which = fixture_memory(elements * sizeof *which);
        for (uint32_t i = 0; i < elements; i++) {
            which[i] = some(seed, 0, 2);
        }
        *(solid ? &desc->tetrahedron_materials : &desc->triangle_materials) = which;
        desc->material_count = 3;
        any_materials[1].model = some(seed, 0, 1) ? PIOLA_MODEL_STVK : PIOLA_MODEL_NEO_HOOKEAN;
        if (any_materials[1].model == PIOLA_MODEL_STVK) {
            any_materials[1].plastic_yield = 0.01f;
            any_materials[1].plastic_max = 0.1f;
        }
    }
}
