/* surface_list.c - the faces of all bodies, each body's along its particles' curve, in packs that
 * are patches of neighbours, and the shape of its tree; the rings of neighbours around its corners;
 * blocks to search. Made anew when bodies are created or destroyed; not in a step's substeps.
 */
#include "families/surface/surface.h"

#include <string.h>

static uint32_t least(const struct face *face)
{
    const uint32_t a = face->corner[0], b = face->corner[1], c = face->corner[2];
    const uint32_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static bool has(const struct face *face, uint32_t particle)
{
    return face->corner[0] == particle || face->corner[1] == particle ||
           face->corner[2] == particle;
}

/* Faces sorted by their first particle (counting sort); particles follow a space-filling curve. */
static void order(const piola_world *world, const struct body *body,
                  const struct surface_mesh *surface_mesh)
{
    const piola_asset *asset = body_asset(world, body);
    const uint32_t *surface = asset_surface(asset), *of = asset_particle_of_vertex(asset);
    uint32_t *first = world_corner_first(world) + body->first;
    struct face *faces = world_faces(world) + surface_mesh->face_first;
    memset(first, 0, body->count * sizeof *first);
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t f = 0; f < surface_mesh->face_count; ++f) {
            const uint32_t *v = surface + 3 * (size_t)f;
            const struct face face = {
                {body->first + of[v[0]], body->first + of[v[1]], body->first + of[v[2]]}, 0};
            const uint32_t at = least(&face) - body->first;
            if (pass == 0)
                ++first[at];
            else
                faces[first[at]++] = face;
        }
        for (uint32_t i = 0, sum = 0; i < body->count && pass == 0; ++i) {
            const uint32_t count = first[i];
            first[i] = sum;
            sum += count;
        }
    }
}

/* Which faces meet at each particle: corners[first[i] .. first[i + 1] - 1]. */
static void meet(const piola_world *world, const struct body *body,
                 const struct surface_mesh *surface_mesh)
{
    uint32_t *first = world_corner_first(world) + body->first;
    uint32_t *corners = world_corners(world) + 3 * (size_t)surface_mesh->face_first;
    const struct face *faces = world_faces(world) + surface_mesh->face_first;
    memset(first, 0, body->count * sizeof *first);
    for (uint32_t f = 0; f < surface_mesh->face_count; ++f)
        for (int k = 0; k < 3; ++k)
            ++first[faces[f].corner[k] - body->first];
    for (uint32_t i = 0, sum = 0; i < body->count; ++i) {
        sum += first[i];
        first[i] = sum;
    }
    for (uint32_t f = surface_mesh->face_count; f-- > 0;)
        for (int k = 0; k < 3; ++k)
            corners[--first[faces[f].corner[k] - body->first]] = f;
}

/* Untaken faces at a patch's corners, in the order in which they came near, and how many of their
 * corners are the patch's. Of more faces than there is room for the last are left for later. */
#define EDGE 128u
struct edge {
    uint32_t count, face[EDGE], corners[EDGE];
};

static void come_near(struct edge *edge, uint32_t face)
{
    uint32_t i = 0;
    while (i < edge->count && edge->face[i] != face)
        ++i;
    if (i == EDGE)
        return;
    if (i == edge->count) {
        edge->face[i] = face;
        edge->corners[i] = 0;
        ++edge->count;
    }
    ++edge->corners[i];
}

/* Which comes next: most corners, then longest near. It leaves the edge. */
static uint32_t next_of(struct edge *edge)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < edge->count; ++i)
        best = edge->corners[i] > edge->corners[best] ? i : best;
    const uint32_t face = edge->face[best];
    --edge->count;
    for (uint32_t i = best; i < edge->count; ++i) {
        edge->face[i] = edge->face[i + 1];
        edge->corners[i] = edge->corners[i + 1];
    }
    return face;
}

/* Puts faces into packs that are patches, so that their boxes are small: each begins with the first
 * face that is left and takes in neighbours; then puts faces into the order of the packs. */
static void patch(const piola_world *world, const struct body *body,
                  const struct surface_mesh *surface_mesh)
{
    const uint32_t *first = world_corner_first(world) + body->first;
    const uint32_t *corners = world_corners(world) + 3 * (size_t)surface_mesh->face_first;
    struct face *faces = world_faces(world) + surface_mesh->face_first;
    struct pk_face_pack *packs = world_face_packs(world) + surface_mesh->pack_first;
    uint32_t *taken = world_dirty(world) + surface_mesh->pack_first, left = 0;
    struct edge edge = {0};
    memset(taken, 0, surface_mesh->packs * sizeof *taken);
    for (uint32_t i = 0; i < surface_mesh->face_count; ++i) {
        const uint32_t lane = i % PK_LANES;
        struct pk_face_pack *pack = &packs[i / PK_LANES];
        edge.count = lane == 0 ? 0 : edge.count;
        while (taken[left / PK_LANES] >> left % PK_LANES & 1)
            ++left;
        const uint32_t f = edge.count > 0 ? next_of(&edge) : left;
        taken[f / PK_LANES] |= 1u << f % PK_LANES;
        for (int k = 0; k < 3; ++k) {
            const uint32_t c = faces[f].corner[k], at = c - body->first;
            const uint32_t end =
                at + 1 < body->count ? first[at + 1] : 3 * surface_mesh->face_count;
            bool known = false;
            for (uint32_t l = 0; l < lane; ++l)
                known = known || pack->corner[0][l] == c || pack->corner[1][l] == c ||
                        pack->corner[2][l] == c;
            for (uint32_t j = first[at]; j < end && !known; ++j)
                if (!(taken[corners[j] / PK_LANES] >> corners[j] % PK_LANES & 1))
                    come_near(&edge, corners[j]);
        }
        for (int k = 0; k < 3; ++k)
            pack->corner[k][lane] = faces[f].corner[k];
    }
    for (uint32_t i = 0; i < surface_mesh->face_count; ++i)
        for (int k = 0; k < 3; ++k)
            faces[i].corner[k] = packs[i / PK_LANES].corner[k][i % PK_LANES];
}

static void own(const piola_world *world, const struct body *body,
                const struct surface_mesh *surface_mesh)
{
    const uint32_t *first = world_corner_first(world) + body->first;
    const uint32_t *corners = world_corners(world) + 3 * (size_t)surface_mesh->face_first;
    struct face *faces = world_faces(world) + surface_mesh->face_first;
    for (uint32_t f = 0; f < surface_mesh->face_count; ++f)
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t a = faces[f].corner[k], b = faces[f].corner[(k + 1) % 3];
            bool edge = true;
            /* Faces at a corner are listed in rising order. */
            faces[f].owns |= (uint32_t)(corners[first[a - body->first]] == f) << k;
            for (uint32_t i = first[a - body->first]; corners[i] < f; ++i)
                edge = edge && !has(&faces[corners[i]], b);
            faces[f].owns |= (uint32_t)edge << (3 + k);
        }
}

static void pack_faces(const piola_world *world, const struct surface_mesh *surface_mesh)
{
    const struct face *faces = world_faces(world) + surface_mesh->face_first;
    for (uint32_t p = 0; p < surface_mesh->packs; ++p) {
        struct pk_face_pack *pack = &world_face_packs(world)[surface_mesh->pack_first + p];
        const uint32_t from = p * PK_LANES, left = surface_mesh->face_count - from;
        pack->lanes = left < PK_LANES ? left : PK_LANES;
        for (uint32_t lane = 0; lane < PK_LANES; ++lane)
            for (int k = 0; k < 3; ++k)
                pack->corner[k][lane] =
                    faces[from + (lane < pack->lanes ? lane : pack->lanes - 1)].corner[k];
    }
}

/* In the faces at a particle, the corner after it in turn; then the one before. */
static void sides_of(const struct face *face, uint32_t particle, uint32_t *next, uint32_t *last)
{
    const uint32_t k = face->corner[0] == particle ? 0 : face->corner[1] == particle ? 1 : 2;
    *next = face->corner[(k + 1) % 3];
    *last = face->corner[(k + 2) % 3];
}

/* One particle's neighbours in turn, from face to face. None when its faces are too many, do not
 * all turn the same way, or do not hang together. */
static void ring_of(const struct face *faces, const uint32_t *at, uint32_t count, uint32_t particle,
                    struct pk_ring_pack *pack, uint32_t lane)
{
    uint32_t next[PK_RING], last[PK_RING], n = 0;
    pack->count[lane] = 0;
    if (count > PK_RING)
        return;
    for (uint32_t i = 0; i < count; ++i)
        sides_of(&faces[at[i]], particle, &next[i], &last[i]);
    /* Where nothing comes before it, else anywhere. */
    uint32_t here = 0;
    for (uint32_t i = 0; i < count; ++i) {
        bool first = true;
        for (uint32_t j = 0; j < count; ++j)
            first = first && last[j] != next[i];
        here = first ? i : here;
    }
    const uint32_t begin = here;
    for (bool more = true; more && n < count;) {
        uint32_t found = 0, after = 0;
        pack->ring[n++][lane] = next[here];
        for (uint32_t j = 0; j < count; ++j)
            if (next[j] == last[here]) {
                ++found;
                after = j;
            }
        if (found == 0 && n < PK_RING)
            pack->ring[n][lane] = last[here];
        more = found == 1 && after != begin;
        pack->closed[lane] = found == 1 && after == begin;
        here = found == 1 ? after : here;
        if (found > 1)
            return;
    }
    const bool open = pack->closed[lane] == 0;
    if (n == count && n + open <= PK_RING)
        pack->count[lane] = n + open;
}

/* Rings of the particles that are corners, which are told whose they are. */
static uint32_t make_rings(const piola_world *world, uint32_t body,
                           const struct surface_mesh *surface_mesh)
{
    const struct body *b = &world_bodies(world)[body];
    const uint32_t *first = world_corner_first(world) + b->first;
    const uint32_t *corners = world_corners(world) + 3 * (size_t)surface_mesh->face_first;
    struct pk_ring_pack *packs = world_rings(world) + surface_mesh->ring_first;
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->count; ++i) {
        const uint32_t end = i + 1 < b->count ? first[i + 1] : 3 * surface_mesh->face_count;
        const uint32_t particle = b->first + i, lane = n % PK_LANES;
        struct pk_ring_pack *pack = &packs[n / PK_LANES];
        world_star(world)[particle] = PK_STAR_OPEN;
        world_owner(world)[particle] = first[i] < end ? body : NO_BODY;
        if (first[i] == end)
            continue;
        if (lane == 0)
            memset(pack, 0, sizeof *pack);
        /* Lanes that stay unused do as this one does, but are never vouched for. */
        for (uint32_t l = lane; l < PK_LANES; ++l) {
            pack->centre[l] = particle;
            for (uint32_t j = 0; j < PK_RING; ++j)
                pack->ring[j][l] = particle;
        }
        ring_of(world_faces(world) + surface_mesh->face_first, corners + first[i], end - first[i],
                particle, pack, lane);
        ++n;
    }
    return (n + PK_LANES - 1) / PK_LANES;
}

static void make_blocks(const piola_world *world, uint32_t body,
                        const struct surface_mesh *surface_mesh)
{
    for (uint32_t i = 0; i < surface_mesh->blocks; ++i) {
        const uint32_t from = i * SURFACE_BLOCK, left = surface_mesh->packs - from;
        const uint32_t ring = (uint32_t)((uint64_t)surface_mesh->rings * i / surface_mesh->blocks);
        const uint32_t end =
            (uint32_t)((uint64_t)surface_mesh->rings * (i + 1) / surface_mesh->blocks);
        world_blocks(world)[surface_mesh->block_first + i] =
            (struct surface_block){.body = body,
                                   .pack_first = surface_mesh->pack_first + from,
                                   .packs = left < SURFACE_BLOCK ? left : SURFACE_BLOCK,
                                   .ring_first = surface_mesh->ring_first + ring,
                                   .rings = end - ring};
    }
}

/* Blocks of bodies that are always shared. */
static void list_fixed(piola_world *world)
{
    struct surface_now *now = world_surface_now(world);
    now->fixed_block_count = 0;
    for (uint32_t i = 0; i < now->block_count; ++i)
        if (world_domain_of(world)[world_blocks(world)[i].body] == 0)
            world_fixed_blocks(world)[now->fixed_block_count++] = i;
}

static void list_body(const piola_world *world, uint32_t index, struct surface_mesh *surface_mesh)
{
    const struct body *body = &world_bodies(world)[index];
    order(world, body, surface_mesh);
    meet(world, body, surface_mesh);
    /* Of a small body all packs are near each other anyway. */
    if (surface_mesh->packs > PK_LANES) {
        patch(world, body, surface_mesh);
        meet(world, body, surface_mesh);
    }
    own(world, body, surface_mesh);
    pack_faces(world, surface_mesh);
    surface_mesh->rings = make_rings(world, index, surface_mesh);
    make_blocks(world, index, surface_mesh);
}

/* True when the body's list stands where the new one would, of the same asset. */
static bool known(const struct surface_mesh *old, const struct surface_mesh *surface_mesh)
{
    return old->identity == surface_mesh->identity && old->body_first == surface_mesh->body_first &&
           old->face_first == surface_mesh->face_first &&
           old->face_count == surface_mesh->face_count &&
           old->pack_first == surface_mesh->pack_first &&
           old->node_first == surface_mesh->node_first &&
           old->ring_first == surface_mesh->ring_first &&
           old->block_first == surface_mesh->block_first;
}

static struct surface_mesh surface_mesh_of(const piola_world *world, const struct body *body,
                                           const struct surface_mesh *end)
{
    struct surface_mesh surface_mesh = *end;
    surface_mesh.face_count = body_asset(world, body)->stats.surface_triangles;
    surface_mesh.packs = (surface_mesh.face_count + PK_LANES - 1) / PK_LANES;
    surface_mesh.height = 1;
    while (surface_nodes(surface_mesh.packs, surface_mesh.height) > 1)
        ++surface_mesh.height;
    surface_mesh.blocks = (surface_mesh.packs + SURFACE_BLOCK - 1) / SURFACE_BLOCK;
    surface_mesh.body_first = body->first;
    surface_mesh.identity = world_identities(world)[body->asset];
    return surface_mesh;
}

void surface_list(piola_world *world)
{
    struct surface_mesh end = {0};
    if (!surface_any(world))
        return;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i) {
        struct surface_mesh *old = &world_surface_meshes(world)[i];
        world_paired(world)[i] = 0;
        if (!(world_bodies(world)[i].flags & BODY_ALIVE)) {
            *old = end;
            continue;
        }
        struct surface_mesh surface_mesh = surface_mesh_of(world, &world_bodies(world)[i], &end);
        if (known(old, &surface_mesh))
            surface_mesh.rings = old->rings;
        else
            list_body(world, i, &surface_mesh);
        *old = surface_mesh;
        end.face_first += surface_mesh.face_count;
        end.pack_first += surface_mesh.packs;
        end.node_first = surface_node(&surface_mesh, surface_mesh.height) + 1;
        end.ring_first += surface_mesh.rings;
        end.block_first += surface_mesh.blocks;
    }
    world_surface_now(world)->block_count = end.block_first;
    world_surface_now(world)->arranged = 0;
    list_fixed(world);
    dimension_use(world, DIM_faces, end.face_first);
    dimension_use(world, DIM_face_packs, end.pack_first);
    dimension_use(world, DIM_rings, end.ring_first);
    dimension_use(world, DIM_nodes, end.node_first);
    dimension_use(world, DIM_blocks, end.block_first);
    dimension_use(world, DIM_corners, 3 * (uint64_t)end.face_first);
}
