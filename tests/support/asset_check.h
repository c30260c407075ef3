/* asset_check.h - what every kernel relies on in an asset, checked the plain way with memory to
 * spare.
 *
 * Independent of src/open*.c, which has to do without memory: each is the other's test. */
#ifndef PIOLA_ASSET_CHECK_H
#define PIOLA_ASSET_CHECK_H

#include "asset/asset.h"

/* Null when all indices are in range, lanes are independent, clusters of one colour are apart and
 * dummies are inert; else what is broken. The sections themselves must lie inside the block. */
const char *asset_check(const piola_asset *asset);

/* Every element of the mesh is in exactly one lane with its own vertices, every (vertex, element)
 * pair is exactly one visit. Null when so. */
const char *asset_check_mesh(const piola_asset *asset, const piola_mesh_desc *mesh);

#endif
