/* plain_write.c - writers of formats that are lists of vertices and elements: STL (binary), OFF,
 * PLY, MEDIT and Gmsh 2.2. Solids go as tetrahedra where the format has them, else as surfaces.
 *
 * MEDIT's and Gmsh's tetrahedra are handed the other way: the first two corners change places. */
#include "io/base/file.h"
#include "io/base/memory.h"
#include "io/mesh/meshes.h"
#include "io/mesh/shape.h"

#include <math.h>
#include <string.h>

typedef void put(FILE *file, const struct meshgen *mesh, const uint32_t *triangles, uint32_t count);

/* Writes with the triangles of the mesh's surface. */
static bool write_with(put *body, const struct meshgen *mesh, const char *path,
                       struct problem *problem)
{
    struct draft draft;
    uint32_t count = mesh->triangle_count;
    const bool solid = mesh_is_solid(mesh);
    if (mesh_is_chain(mesh))
        return problem_set(problem, EXIT_USAGE, "%s: this format has no chains: .obj and .vtu have",
                           path);
    uint32_t *surface = solid ? shape_surface(mesh, &count) : NULL;
    if (solid && !surface)
        return problem_memory(problem, "a surface", 0);
    const bool open = draft_open(&draft, path, problem);
    if (open)
        body(draft.file, mesh, solid ? surface : mesh->triangles, count);
    memory_give(surface);
    return open && draft_commit(&draft, problem);
}

static void put_vertices(FILE *file, const struct meshgen *mesh, const char *behind)
{
    for (size_t v = 0; v < mesh->vertex_count; ++v)
        fprintf(file, "%.17g %.17g %.17g%s\n", mesh->vertices[3 * v], mesh->vertices[3 * v + 1],
                mesh->vertices[3 * v + 2], behind);
}

static void put_little(FILE *file, uint32_t value)
{
    const unsigned char bytes[4] = {(unsigned char)value, (unsigned char)(value >> 8),
                                    (unsigned char)(value >> 16), (unsigned char)(value >> 24)};
    fwrite(bytes, 1, sizeof bytes, file);
}

static void put_single(FILE *file, double value)
{
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    put_little(file, bits);
}

static void put_stl(FILE *file, const struct meshgen *mesh, const uint32_t *triangles,
                    uint32_t count)
{
    char head[80] = "written by piola";
    fwrite(head, 1, sizeof head, file);
    put_little(file, count);
    for (size_t t = 0; t < count; ++t) {
        const double *p[3];
        double normal[3], length = 0;
        for (size_t c = 0; c < 3; ++c)
            p[c] = mesh->vertices + 3 * (size_t)triangles[3 * t + c];
        for (int k = 0; k < 3; ++k) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            normal[k] = (p[1][i] - p[0][i]) * (p[2][j] - p[0][j]) -
                        (p[1][j] - p[0][j]) * (p[2][i] - p[0][i]);
            length += normal[k] * normal[k];
        }
        for (int k = 0; k < 3; ++k)
            put_single(file, length > 0 ? normal[k] / sqrt(length) : 0);
        for (int c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k)
                put_single(file, p[c][k]);
        fwrite("\0", 1, 2, file);
    }
}

static void put_faces(FILE *file, const uint32_t *triangles, uint32_t count)
{
    for (size_t t = 0; t < count; ++t)
        fprintf(file, "3 %u %u %u\n", triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]);
}

static void put_off(FILE *file, const struct meshgen *mesh, const uint32_t *triangles,
                    uint32_t count)
{
    fprintf(file, "OFF\n%u %u 0\n", mesh->vertex_count, count);
    put_vertices(file, mesh, "");
    put_faces(file, triangles, count);
}

static void put_ply(FILE *file, const struct meshgen *mesh, const uint32_t *triangles,
                    uint32_t count)
{
    fprintf(file,
            "ply\nformat ascii 1.0\nelement vertex %u\nproperty double x\nproperty double y\n"
            "property double z\nelement face %u\nproperty list uchar int vertex_indices\n"
            "end_header\n",
            mesh->vertex_count, count);
    put_vertices(file, mesh, "");
    put_faces(file, triangles, count);
}

static void put_medit(FILE *file, const struct meshgen *mesh, const uint32_t *triangles,
                      uint32_t count)
{
    fprintf(file, "MeshVersionFormatted 2\nDimension 3\nVertices\n%u\n", mesh->vertex_count);
    put_vertices(file, mesh, " 0");
    fprintf(file, "Triangles\n%u\n", count);
    for (size_t t = 0; t < count; ++t)
        fprintf(file, "%u %u %u 0\n", triangles[3 * t] + 1, triangles[3 * t + 1] + 1,
                triangles[3 * t + 2] + 1);
    if (mesh->tetrahedron_count > 0)
        fprintf(file, "Tetrahedra\n%u\n", mesh->tetrahedron_count);
    for (size_t t = 0; t < mesh->tetrahedron_count; ++t) {
        const uint32_t *v = mesh->tetrahedra + 4 * t;
        fprintf(file, "%u %u %u %u %u\n", v[1] + 1, v[0] + 1, v[2] + 1, v[3] + 1,
                mesh->regions ? mesh->regions[t] : 0);
    }
    fputs("End\n", file);
}

static void put_gmsh(FILE *file, const struct meshgen *mesh, const uint32_t *triangles,
                     uint32_t count)
{
    const uint32_t elements = mesh_elements(mesh);
    fprintf(file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%u\n", mesh->vertex_count);
    for (size_t v = 0; v < mesh->vertex_count; ++v)
        fprintf(file, "%zu %.17g %.17g %.17g\n", v + 1, mesh->vertices[3 * v],
                mesh->vertices[3 * v + 1], mesh->vertices[3 * v + 2]);
    fprintf(file, "$EndNodes\n$Elements\n%u\n", elements);
    for (size_t t = 0; t < (mesh_is_solid(mesh) ? 0 : count); ++t)
        fprintf(file, "%zu 2 2 0 1 %u %u %u\n", t + 1, triangles[3 * t] + 1,
                triangles[3 * t + 1] + 1, triangles[3 * t + 2] + 1);
    for (size_t t = 0; t < mesh->tetrahedron_count; ++t) {
        const uint32_t *v = mesh->tetrahedra + 4 * t, region = mesh->regions ? mesh->regions[t] : 0;
        fprintf(file, "%zu 4 2 %u %u %u %u %u %u\n", t + 1, region, region, v[1] + 1, v[0] + 1,
                v[2] + 1, v[3] + 1);
    }
    fputs("$EndElements\n", file);
}

bool stl_write(const struct meshgen *mesh, const char *path, struct problem *problem)
{
    return write_with(put_stl, mesh, path, problem);
}

bool off_write(const struct meshgen *mesh, const char *path, struct problem *problem)
{
    return write_with(put_off, mesh, path, problem);
}

bool ply_write(const struct meshgen *mesh, const char *path, struct problem *problem)
{
    return write_with(put_ply, mesh, path, problem);
}

bool medit_write(const struct meshgen *mesh, const char *path, struct problem *problem)
{
    return write_with(put_medit, mesh, path, problem);
}

bool gmsh_write(const struct meshgen *mesh, const char *path, struct problem *problem)
{
    return write_with(put_gmsh, mesh, path, problem);
}
