/* fuzz_box.c - see fuzz_box.h. */
#include "fuzz_box.h"

#include "io/mesh/meshgen.h"

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

void fuzz_must(piola_status status)
{
    if (status != PIOLA_OK)
        abort();
}

void *fuzz_box(size_t *bytes)
{
    static const double size[3] = {1, 1, 1};
    static const uint32_t cells[3] = {2, 2, 2};
    struct meshgen mesh;
    piola_material material = piola_material_default();
    piola_plan *plan = NULL;
    const piola_asset *asset = NULL;
    size_t scratch_bytes = 0;
    material.model = PIOLA_MODEL_STVK;
    material.plastic_yield = 0.1f;
    if (!meshgen_box(&mesh, size, cells))
        abort();
    piola_mesh_desc desc = meshgen_desc(&mesh);
    desc.materials = &material;
    desc.material_count = 1;
    fuzz_must(piola_plan_size(&desc, &scratch_bytes, NULL));
    void *scratch = fuzz_block(scratch_bytes);
    fuzz_must(piola_asset_plan(&desc, scratch, scratch_bytes, &plan, NULL));
    *bytes = piola_plan_asset_size(plan);
    void *memory = fuzz_block(*bytes);
    fuzz_must(piola_asset_build(plan, &desc, memory, *bytes, &asset, NULL));
    free(scratch);
    meshgen_free(&mesh);
    return memory;
}
