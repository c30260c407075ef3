/* fuzz_world.c - see fuzz_world.h. */
#include "fuzz_world.h"

static piola_world_desc describe(const piola_asset *asset)
{
    piola_asset_stats stats;
    fuzz_must(piola_asset_inspect(asset, &stats));
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
    size_t bytes = 0;
    const piola_asset *asset = fuzz_box(&bytes);
    const piola_world_desc desc = describe(asset);
    const piola_collider_desc floor = piola_collider_desc_default();
    piola_body_desc body = piola_body_desc_default();
    piola_world *world = NULL;
    piola_body handle;
    piola_collider collider;
    fuzz_must(piola_world_size(&desc, &bytes, NULL));
    fuzz_must(piola_world_create(&desc, fuzz_block(bytes), bytes, &world, NULL));
    fuzz_must(piola_world_add_asset(world, asset));
    fuzz_must(piola_collider_create(world, &floor, &collider, NULL));
    body.asset = asset;
    for (int i = 0; i < 2; ++i) {
        body.position[1] = 1.01f * (float)i;
        fuzz_must(piola_body_create(world, &body, &handle, NULL));
    }
    const float place[3] = {0, 2, 0};
    fuzz_must(piola_body_pin(world, handle, 3, place));
    piola_attachment_desc tie = piola_attachment_desc_default();
    piola_attachment attachment;
    tie.point.body = handle;
    tie.point.count = 1;
    tie.point.vertices[0] = 5;
    tie.point.weights[0] = 1;
    fuzz_must(piola_attachment_create(world, &tie, &attachment, NULL));
    for (int i = 0; i < 3; ++i)
        fuzz_must(piola_world_step(world, NULL, NULL));
    return world;
}

piola_world *fuzz_world(void)
{
    static piola_world *world;
    if (!world)
        world = make_world();
    return world;
}
