/* verify_colours.c - clusters of one colour in a stored asset are apart, so that workers that run
 * them at once never touch one particle; and every vertex is moved by one lane only.
 *
 * There is no memory for one mark per particle, so the particles are checked a chunk at a time with
 * marks on the stack. The time is proportional to elements times chunks: some tens of milliseconds
 * for half a million tetrahedra, and a body of one cluster needs only the last check.
 */
#include "verify/verify.h"

#include <string.h>

#define CHUNK 4096u /* particles; their marks take 16 KB of stack */

struct chunk {
    uint32_t first, end;   /* particles */
    uint32_t owner[CHUNK]; /* cluster + 1, or 0 */
};

/* Marks the vertices among `count` indices; false when one belongs to another cluster. */
static bool claim(struct chunk *chunk, const pk_u32 *index, size_t count, uint32_t owner)
{
    for (size_t i = 0; i < count; i++) {
        if (index[i] >= chunk->first && index[i] < chunk->end) {
            uint32_t *mark = &chunk->owner[index[i] - chunk->first];
            if (*mark != 0 && *mark != owner) {
                return false;
            }
            *mark = owner;
        }
    }
    return true;
}

/* The corners of a pack of elements. */
static bool claim_pack(const struct open *o, struct chunk *chunk, unsigned kind, uint32_t pack,
                       uint32_t owner)
{
    switch (kind) {
    case KIND_TET:
        return claim(chunk, asset_tet_packs(o->asset)[pack].index[0], 4 * PK_LANES, owner);
    case KIND_TRIANGLE:
        return claim(chunk, asset_triangle_packs(o->asset)[pack].index[0], 3 * PK_LANES, owner);
    case KIND_BEND:
        return claim(chunk, asset_bend_packs(o->asset)[pack].index[0], 4 * PK_LANES, owner);
    default:
        return claim(chunk, asset_link_packs(o->asset)[pack].index[0], 2 * PK_LANES, owner);
    }
}

static bool claim_cluster(const struct open *o, struct chunk *chunk, uint32_t cluster)
{
    const struct asset_cluster *c = &asset_clusters(o->asset)[cluster];
    bool apart = true;
    for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
        for (uint32_t i = 0; apart && i < c->packs[kind].count; i++) {
            apart = claim_pack(o, chunk, kind, c->packs[kind].first + i, cluster + 1);
        }
    }
    return apart;
}

static void claim_vertices(const struct open *o, struct chunk *chunk, uint32_t cluster)
{
    const struct asset_cluster *c = &asset_vertex_clusters(o->asset)[cluster];
    for (uint32_t i = 0; i < c->packs[KIND_VERTEX].count; i++) {
        (void)claim(chunk, asset_vertex_packs(o->asset)[c->packs[KIND_VERTEX].first + i].self,
                    PK_LANES, cluster + 1);
    }
}

/* False when an index is a vertex that another cluster of this colour moves. */
static bool clear_of(const struct chunk *chunk, const pk_u32 *index, size_t count, uint32_t owner)
{
    for (size_t i = 0; i < count; i++) {
        if (index[i] >= chunk->first && index[i] < chunk->end) {
            const uint32_t mark = chunk->owner[index[i] - chunk->first];
            if (mark != 0 && mark != owner) {
                return false;
            }
        }
    }
    return true;
}

/* The particles that a visit looks at, which come first in it. */
static const pk_u32 *others(const struct open *o, unsigned kind, uint32_t visit)
{
    if (kind == PK_VISIT_TET && o->counts.visits_snh > 0) {
        return asset_visits_snh(o->asset)[visit].other[0];
    }
#define X(NAME, name, section, ...)                                                                \
    if (kind == PK_VISIT_##NAME) {                                                                 \
        return (const pk_u32 *)(const void *)&asset_##section(o->asset)[visit];                    \
    }
    VISITS(X)
#undef X
    return NULL;
}

static bool visits_clear(const struct open *o, const struct chunk *chunk, uint32_t cluster)
{
    static const uint32_t width[PK_VISIT_KINDS] = {
#define X(NAME, name, section, width) [PK_VISIT_##NAME] = width,
        VISITS(X)
#undef X
    };
    const struct pk_run packs = asset_vertex_clusters(o->asset)[cluster].packs[KIND_VERTEX];
    for (uint32_t i = packs.first; i < packs.first + packs.count; i++) {
        for (unsigned kind = 0; kind < PK_VISIT_KINDS; kind++) {
            const struct pk_run run = asset_vertex_packs(o->asset)[i].visits[kind];
            for (uint32_t v = run.first; v < run.first + run.count; v++) {
                if (!clear_of(chunk, others(o, kind, v), width[kind] * PK_LANES, cluster + 1)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool check_chunk(const struct open *o, struct chunk *chunk)
{
    const uint32_t *first = asset_cluster_colours(o->asset);
    for (uint64_t colour = 0; o->counts.clusters > 1 && colour + 1 < o->counts.cluster_colours1;
         colour++) {
        memset(chunk->owner, 0, sizeof chunk->owner);
        for (uint32_t cluster = first[colour]; cluster < first[colour + 1]; cluster++) {
            if (!claim_cluster(o, chunk, cluster)) {
                return false;
            }
        }
    }
    first = asset_vertex_cluster_colours(o->asset);
    for (uint64_t colour = 0;
         o->counts.vertex_clusters > 1 && colour + 1 < o->counts.vertex_cluster_colours1;
         colour++) {
        memset(chunk->owner, 0, sizeof chunk->owner);
        for (uint32_t cluster = first[colour]; cluster < first[colour + 1]; cluster++) {
            claim_vertices(o, chunk, cluster);
        }
        for (uint32_t cluster = first[colour]; cluster < first[colour + 1]; cluster++) {
            if (!visits_clear(o, chunk, cluster)) {
                return false;
            }
        }
    }
    return true;
}

/* As many lanes have a vertex as there are vertices, so each has one when none has two. */
static bool moved_once(const struct open *o, struct chunk *chunk)
{
    memset(chunk->owner, 0, sizeof chunk->owner);
    for (uint32_t pack = 0; pack < o->counts.vertex_packs; pack++) {
        for (unsigned lane = 0; lane < PK_LANES; lane++) {
            const uint32_t self = asset_vertex_packs(o->asset)[pack].self[lane];
            if (self >= chunk->first && self < chunk->end &&
                chunk->owner[self - chunk->first]++ != 0) {
                return false;
            }
        }
    }
    return true;
}

bool open_check_colours(const struct open *o)
{
    struct chunk chunk;
    for (uint32_t first = 0; first < o->vertices; first = chunk.end) {
        chunk.first = first;
        chunk.end = o->vertices - first < CHUNK ? o->vertices : first + CHUNK;
        if (!check_chunk(o, &chunk) || !moved_once(o, &chunk)) {
            return false;
        }
    }
    return true;
}
