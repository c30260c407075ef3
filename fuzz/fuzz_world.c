/* fuzz_world.c - see fuzz_world.h. */
#include "fuzz_world.h"

#include <stdlib.h>
#include <string.h>

void *fuzz_block(size_t bytes)
{
    void *memory = aligned_alloc(PIOLA_ALIGNMENT, (bytes / PIOLA_ALIGNMENT + 1) * PIOLA_ALIGNMENT);
    if (!memory)
        abort();
    memset(memory, 0, bytes);
    return memory;
}

static void must(piola_status status)
{
    if (status != PIOLA_OK)
        abort();
}

static const piola_asset *make_asset(void)
{
    static const double size[3] = {1, 1, 1};
    static const uint32_t cells[3] = {2, 2, 2};
    struct meshgen mesh;
    piola_material material = piola_material_default();
    piola_plan *plan = NULL;
    const piola_asset *asset = NULL;
    size_t bytes = 0;
    material.model = PIOLA_MODEL_STVK;
    material.plastic_yield = 0.1f;
    if (!meshgen_box(&mesh, size, cells))
        abort();
    piola_mesh_desc desc = meshgen_desc(&mesh);
    desc.materials = &material;
    desc.material_count = 1;
    must(piola_plan_size(&desc, &bytes, NULL));
    void *scratch = fuzz_block(bytes);
    must(piola_asset_plan(&desc, scratch, bytes, &plan, NULL));
    const size_t asset_bytes = piola_plan_asset_size(plan);
    must(piola_asset_build(plan, &desc, fuzz_block(asset_bytes), asset_bytes, &asset, NULL));
    free(scratch);
    meshgen_free(&mesh);
    return asset;
}

static piola_world_desc describe(const piola_asset *asset)
{
    piola_asset_stats stats;
    must(piola_asset_stats_get(asset, &stats));
    piola_world_desc desc = piola_world_desc_default();
    desc.max_bodies = 2;
    desc.max_assets = 1;
    desc.max_particles = 2 * stats.particles;
    desc.max_plastic_packs = 2 * stats.plastic_packs;
    desc.max_colliders = 2;
    desc.max_attachments = 2;
    desc.max_contacts = 200;
    desc.max_contact_faces = 2 * stats.surface_triangles;
    desc.max_contact_events = 8;
    desc.contact_thickness = 0.02f;
    desc.max_commands = 64;
    desc.substeps = 2;
    desc.iterations = 2;
    return desc;
}

static piola_world *make_world(void)
{
    const piola_asset *asset = make_asset();
    const piola_world_desc desc = describe(asset);
    const piola_collider_desc floor = piola_collider_desc_default();
    piola_body_desc body = piola_body_desc_default();
    piola_world *world = NULL;
    piola_body handle;
    piola_collider collider;
    size_t bytes = 0;
    must(piola_world_size(&desc, &bytes, NULL));
    must(piola_world_create(&desc, fuzz_block(bytes), bytes, &world, NULL));
    must(piola_world_add_asset(world, asset));
    must(piola_collider_create(world, &floor, &collider, NULL));
    body.asset = asset;
    for (int i = 0; i < 2; ++i) {
        body.position[1] = 1.01f * (float)i;
        must(piola_body_create(world, &body, &handle, NULL));
    }
    const piola_command pin = {
        .kind = PIOLA_COMMAND_PIN, .vertex = 3, .body = handle, .value = {0, 2, 0}};
    must(piola_world_push(world, &pin));
    piola_attachment_desc tie = piola_attachment_desc_default();
    piola_attachment attachment;
    tie.point.body = handle;
    tie.point.count = 1;
    tie.point.vertices[0] = 5;
    tie.point.weights[0] = 1;
    must(piola_attachment_create(world, &tie, &attachment, NULL));
    for (int i = 0; i < 3; ++i)
        must(piola_world_step(world, NULL, NULL));
    return world;
}

piola_world *fuzz_world(void)
{
    static piola_world *world;
    if (!world)
        world = make_world();
    return world;
}
