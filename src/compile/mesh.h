/* mesh.h - reading a mesh description: elements by one running number, vertices as the body will
 * have them, small vectors in double precision.
 *
 * An element id counts tetrahedra first, then triangles, then bends, then links. Vertices are
 * rounded to single precision when read, because that is where a body's particles start: rest data
 * taken from the rounded positions leaves a body at rest free of stress. Nothing here checks
 * indices: see mesh_check.c.
 */
#ifndef PIOLA_MESH_H
#define PIOLA_MESH_H

#include "asset/asset.h"
#include "piola/piola.h"

struct vec3 {
    double x, y, z;
};

static inline struct vec3 vec3_sub(struct vec3 a, struct vec3 b)
{
    return (struct vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline struct vec3 vec3_scale(struct vec3 a, double s)
{
    return (struct vec3){a.x * s, a.y * s, a.z * s};
}

static inline double vec3_dot(struct vec3 a, struct vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct vec3 vec3_cross(struct vec3 a, struct vec3 b)
{
    return (struct vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* A double rounded to single precision. Through memory, because gcc 12.2 at -O2 takes a conversion
 * there and back for nothing when it vectorises it, and leaves the double as it was. */
static inline double mesh_round(double value)
{
    const volatile float single = (float)value;
    return (double)single;
}

static inline struct vec3 mesh_vertex(const piola_mesh_desc *mesh, uint32_t vertex)
{
    const double *at = mesh->vertices + 3 * (size_t)vertex;
    return (struct vec3){mesh_round(at[0]), mesh_round(at[1]), mesh_round(at[2])};
}

static inline uint32_t mesh_elements(const piola_mesh_desc *mesh)
{
    return mesh->tetrahedron_count + mesh->triangle_count + mesh->bend_count + mesh->link_count;
}

static inline uint32_t mesh_kind_count(const piola_mesh_desc *mesh, unsigned kind)
{
    const uint32_t counts[KIND_COUNT] = {mesh->tetrahedron_count, mesh->triangle_count,
                                         mesh->bend_count, mesh->link_count};
    return counts[kind];
}

/* Id of the first element of a kind. */
static inline uint32_t mesh_kind_first(const piola_mesh_desc *mesh, unsigned kind)
{
    const uint32_t firsts[KIND_COUNT] = {
        0, mesh->tetrahedron_count, mesh->tetrahedron_count + mesh->triangle_count,
        mesh->tetrahedron_count + mesh->triangle_count + mesh->bend_count};
    return firsts[kind];
}

static inline unsigned mesh_kind(const piola_mesh_desc *mesh, uint32_t id)
{
    return (unsigned)(id >= mesh_kind_first(mesh, KIND_TRIANGLE)) +
           (unsigned)(id >= mesh_kind_first(mesh, KIND_BEND)) +
           (unsigned)(id >= mesh_kind_first(mesh, KIND_LINK));
}

static inline unsigned mesh_corners(unsigned kind)
{
    return kind == KIND_LINK ? 2 : kind == KIND_TRIANGLE ? 3 : 4;
}

/* The vertices of an element; their number is mesh_corners() of its kind. */
static inline const uint32_t *mesh_element(const piola_mesh_desc *mesh, uint32_t id)
{
    const unsigned kind = mesh_kind(mesh, id);
    const uint32_t *const lists[KIND_COUNT] = {mesh->tetrahedra, mesh->triangles, mesh->bends,
                                               mesh->links};
    return lists[kind] + (size_t)(id - mesh_kind_first(mesh, kind)) * mesh_corners(kind);
}

static inline uint32_t mesh_material(const piola_mesh_desc *mesh, uint32_t id)
{
    const unsigned kind = mesh_kind(mesh, id);
    const uint32_t *const lists[KIND_COUNT] = {mesh->tetrahedron_materials,
                                               mesh->triangle_materials, mesh->bend_materials,
                                               mesh->link_materials};
    return lists[kind] == NULL ? 0 : lists[kind][id - mesh_kind_first(mesh, kind)];
}

#endif
