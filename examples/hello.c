/* A rubber cube, 10 cm wide, hangs by one corner. */
#include <piola/piola.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const double vertices[] = {0, 0, 0,  .1, 0, 0,  0, .1, 0,  .1, .1, 0,
                               0, 0, .1, .1, 0, .1, 0, .1, .1, .1, .1, .1};
    const uint32_t tets[] = {1, 0, 2, 4, 3, 1, 2, 7, 1, 5, 4, 7, 6, 2, 4, 7, 2, 1, 4, 7};
    const piola_material rubber = piola_material_default(); /* 1e5 Pa, 0.45, 1000 kg/m^3 */
    piola_mesh_desc mesh = piola_mesh_desc_default();
    mesh.vertices = vertices, mesh.vertex_count = 8;
    mesh.tetrahedra = tets, mesh.tetrahedron_count = 5;
    mesh.materials = &rubber, mesh.material_count = 1;
    static _Alignas(PIOLA_ALIGNMENT) char scratch[1 << 20], memory[1 << 20], block[32 << 20];
    piola_plan *plan;
    piola_body_desc cube = piola_body_desc_default();
    piola_world_desc desc = piola_world_desc_default();
    piola_world *world;
    piola_body body;
    if (piola_asset_plan(&mesh, scratch, sizeof scratch, &plan, NULL) ||
        piola_asset_build(plan, &mesh, memory, sizeof memory, &cube.asset, NULL) ||
        piola_world_create(&desc, block, sizeof block, &world, NULL) ||
        piola_body_create(world, &cube, &body, NULL))
        return EXIT_FAILURE;
    piola_body_pin(world, body, 0, (const float[]){0, 0, 0});
    for (int i = 0; i < 200 && piola_world_step(world, NULL, NULL) == PIOLA_OK; ++i)
        ;
    float p[3];
    piola_body_positions(world, body, 7, 1, p);
    printf("after 1 s the far corner is at %.3f %.3f %.3f m\n", (double)p[0], (double)p[1],
           (double)p[2]);
    return EXIT_SUCCESS;
}
