/* gltf_none.c - glTF in a build without jansson: refused. */
#include "io/mesh/meshes.h"

bool gltf_read(struct meshgen *mesh, const char *path, struct problem *problem)
{
    (void)mesh;
    return problem_at(problem, EXIT_SCENE, path, 0,
                      "glTF is not read by this build, which was made without jansson");
}

bool gltf_parse(struct meshgen *mesh, const char *text, size_t bytes, const char *name,
                struct problem *problem)
{
    (void)text, (void)bytes;
    return gltf_read(mesh, name, problem);
}
