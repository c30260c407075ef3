/* compile.c - see compile.h. An asset is the block that it was built in. */
#include "io/mesh/compile.h"

#include "io/base/memory.h"
#include "io/base/pool.h"

static bool build(const piola_mesh_desc *desc, const piola_plan *plan, const char *what,
                  const piola_asset **asset, struct problem *problem)
{
    piola_error error = {0};
    const size_t bytes = piola_plan_asset_size(plan);
    void *memory = pool_block(bytes, "a compiled mesh", problem);
    if (!memory)
        return false;
    const piola_status status = piola_asset_build(plan, desc, memory, bytes, asset, &error);
    if (status == PIOLA_OK)
        return true;
    memory_give(memory);
    return problem_engine(problem, EXIT_SCENE, what, status, &error);
}

bool compile_asset(const piola_mesh_desc *desc, const char *what, const piola_asset **asset,
                   struct problem *problem)
{
    piola_error error = {0};
    size_t bytes = 0;
    piola_plan *plan = NULL;
    piola_status status = piola_plan_size(desc, &bytes, &error);
    if (status != PIOLA_OK)
        return problem_engine(problem, EXIT_SCENE, what, status, &error);
    void *scratch = pool_block(bytes, "compiling a mesh", problem);
    if (!scratch)
        return false;
    status = piola_asset_plan(desc, scratch, bytes, &plan, &error);
    const bool good = status == PIOLA_OK
                          ? build(desc, plan, what, asset, problem)
                          : problem_engine(problem, EXIT_SCENE, what, status, &error);
    memory_give(scratch);
    return good;
}

void compile_free(const piola_asset *asset)
{
    memory_give((void *)(uintptr_t)asset);
}
