/* A mesh of one's own, read from a file, falls on a floor: own_mesh FILE, or a ball without one. */
#include <piola/io.h>
#include <piola/piola.h>
#include <stdio.h>
#include <stdlib.h>

static int stop(const char *text)
{
    fprintf(stderr, "own_mesh: %s\n", text);
    return EXIT_FAILURE;
}

/* A world of one body 0.5 m above a floor. What it needs to know is in the asset. */
static piola_world *make_world(const piola_asset *asset, void **block, piola_body *body)
{
    piola_world_desc desc = piola_world_desc_default();
    piola_body_desc fall = piola_body_desc_default();
    piola_collider_desc floor = piola_collider_desc_default();
    piola_collider handle;
    piola_world *world;
    size_t bytes;
    desc.max_colliders = 1;
    fall.asset = asset;
    fall.position[1] = 0.5f;
    floor.shape.kind = PIOLA_SHAPE_PLANE;
    floor.position[1] = -1;
    if (piola_world_desc_fit(&desc, &asset, NULL, 1, NULL) || piola_world_size(&desc, &bytes, NULL))
        return NULL;
    bytes = (bytes + PIOLA_ALIGNMENT - 1) / PIOLA_ALIGNMENT * PIOLA_ALIGNMENT;
    *block = aligned_alloc(PIOLA_ALIGNMENT, bytes);
    if (!*block || piola_world_create(&desc, *block, bytes, &world, NULL) ||
        piola_collider_create(world, &floor, &handle, NULL) ||
        piola_body_create(world, &fall, body, NULL))
        return NULL;
    return world;
}

int main(int count, char **texts)
{
    piola_io_mesh *mesh = NULL;
    piola_io_error error;
    const piola_io_ball_desc ball = piola_io_ball_desc_default();
    if (count > 1 ? piola_io_mesh_read(texts[1], NULL, &mesh, &error)
                  : piola_io_make_ball(&ball, NULL, &mesh, &error))
        return stop(error.text);

    piola_material rubber = piola_material_default();
    rubber.thickness = 0.001f; /* m, which matters only when the file holds a surface */
    piola_mesh_desc desc = piola_io_mesh_describe(mesh);
    desc.materials = &rubber;
    desc.material_count = 1;
    const piola_asset *asset = NULL;
    const piola_io_status made = piola_io_asset_make(&desc, NULL, &asset, &error);
    piola_io_mesh_free(mesh); /* the asset has all that it needs */
    if (made)
        return stop(error.text);

    void *block = NULL;
    piola_body body;
    piola_world *world = make_world(asset, &block, &body);
    piola_body_info info = {0};
    for (int i = 0; world && i < 400 && piola_world_step(world, NULL, NULL) == PIOLA_OK; ++i)
        ;
    if (world && piola_body_inspect(world, body, &info) == PIOLA_OK)
        printf("after 2 s its centre is at %.3f %.3f %.3f m\n", info.centre[0], info.centre[1],
               info.centre[2]);
    free(block);
    piola_io_asset_free(asset, NULL);
    return world ? EXIT_SUCCESS : stop("there is no world for it");
}
