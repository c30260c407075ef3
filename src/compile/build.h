/* build.h - what the files that write an asset share. */
#ifndef PIOLA_BUILD_H
#define PIOLA_BUILD_H

#include "base/hash.h"
#include "compile/plan.h"

struct build {
    const struct piola_plan *plan;
    const piola_mesh_desc *mesh;
    struct piola_asset *asset;
    struct {
#define SECTION(name, type, count) type *name;
#include "families/families.def"
    } at;
};

/* Vertex packs, their clusters and visits. */
void build_visits(const struct build *b);

/* 1/s: mass damping of a vertex, by the mass that it has of each material. */
double build_vertex_rate(const struct piola_plan *plan, const piola_mesh_desc *mesh,
                         uint32_t vertex);
/* What is damped or relaxes: viscosity.c. */
void build_viscosity(const struct build *b);

/* The coarse level, where there is one: coarse_build.c. */
void build_coarse(const struct build *b);

/* Over everything behind the checksum itself. */
static inline uint64_t asset_checksum(const struct piola_asset *asset)
{
    const size_t skip = offsetof(struct piola_asset, checksum) + sizeof asset->checksum;
    return hash_bytes((const char *)asset + skip, (size_t)asset->bytes - skip, ASSET_VERSION);
}

#endif
