/* contact_search.c - one worker's search: a block of packs of faces against the trees of its own
 * body and of its partners.
 *
 * Each test is cheaper than the next and leaves out only what cannot meet: boxes of packs, boxes of
 * faces, planes between two faces, planes between the parts of two faces. Not here: where boxes
 * come from (contact_find.c) and where pairs go (contact_collect.c).
 */
#include "contact.h"

/* A walk visits at most one pending node a level. */
#define STACK 64

/* A search under way; packs fill up before they are tested. */
struct hunt {
    const struct step *step;
    piola_world *world;
    struct pk_contact told;
    struct contact_block *block;
    bool again; /* only dirty faces, but against all others */
    uint32_t faces;
    struct pk_face_pairs face_pairs;
    uint32_t face[2][PK_LANES];
    uint32_t pairs[2];
    struct pk_pair_pack packs[2];
};

static void flush_pairs(struct hunt *hunt, uint32_t kind)
{
    struct pk_pair_pack *pack = &hunt->packs[kind];
    const uint32_t count = hunt->pairs[kind];
    hunt->pairs[kind] = 0;
    if (count == 0)
        return;
    for (uint32_t i = count; i < PK_LANES; ++i)
        for (int k = 0; k < 4; ++k)
            pack->particle[k][i] = pack->particle[k][0];
    uint32_t mask = hunt->step->kernels->contact_meet(&hunt->told, pack, kind);
    mask &= count == PK_LANES ? 0xffffu : (1u << count) - 1u;
    for (; mask != 0; mask &= mask - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(mask);
        double weight[4], between[3];
        struct pair pair = {{pack->particle[0][i], pack->particle[1][i], pack->particle[2][i],
                             pack->particle[3][i]},
                            kind,
                            pack->distance[i]};
        if (!(pair.distance > 0))
            pair.distance =
                0.99999f * (float)contact_near(&pair, world_start(hunt->world), weight, between);
        contact_collect(hunt->step, hunt->block, &pair);
    }
}

static void add_pair(struct hunt *hunt, uint32_t kind, uint32_t a, uint32_t b, uint32_t c,
                     uint32_t d)
{
    struct pk_pair_pack *pack = &hunt->packs[kind];
    const uint32_t i = hunt->pairs[kind]++;
    pack->particle[0][i] = a;
    pack->particle[1][i] = b;
    pack->particle[2][i] = c;
    pack->particle[3][i] = d;
    if (hunt->pairs[kind] == PK_LANES)
        flush_pairs(hunt, kind);
}

/* Bit i of the answer: f's corner i is a corner of g too. */
static uint32_t shared(const struct face *f, const struct face *g)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 3; ++i)
        bits |= (uint32_t)(f->corner[i] == g->corner[0] || f->corner[i] == g->corner[1] ||
                           f->corner[i] == g->corner[2])
                << i;
    return bits;
}

/* Corners that f owns against the face g. */
static void corners_against(struct hunt *hunt, const struct face *f, const struct face *g,
                            uint32_t common)
{
    for (uint32_t k = 0; k < 3; ++k)
        if ((f->owns & ~common) >> k & 1)
            add_pair(hunt, PAIR_VERTEX_FACE, f->corner[k], g->corner[0], g->corner[1],
                     g->corner[2]);
}

static void expand(struct hunt *hunt, uint32_t face_f, uint32_t face_g)
{
    const struct face *f = &world_faces(hunt->world)[face_f];
    const struct face *g = &world_faces(hunt->world)[face_g];
    const uint32_t common = shared(f, g);
    corners_against(hunt, f, g, common);
    corners_against(hunt, g, f, common ? shared(g, f) : 0);
    for (uint32_t i = 0; i < 3; ++i) {
        if (!(f->owns >> (3 + i) & 1))
            continue;
        const uint32_t a = f->corner[i], b = f->corner[i == 2 ? 0 : i + 1];
        for (uint32_t j = 0; j < 3; ++j) {
            const uint32_t c = g->corner[j], d = g->corner[j == 2 ? 0 : j + 1];
            if ((g->owns >> (3 + j) & 1) && a != c && a != d && b != c && b != d)
                add_pair(hunt, PAIR_EDGES, a, b, c, d);
        }
    }
}

static void flush_faces(struct hunt *hunt)
{
    const uint32_t count = hunt->faces;
    hunt->faces = 0;
    if (count == 0)
        return;
    for (uint32_t i = count; i < PK_LANES; ++i)
        for (int k = 0; k < 6; ++k)
            hunt->face_pairs.corner[k][i] = hunt->face_pairs.corner[k][0];
    uint32_t mask = ~hunt->step->kernels->contact_apart(&hunt->told, &hunt->face_pairs);
    mask &= count == PK_LANES ? 0xffffu : (1u << count) - 1u;
    for (; mask != 0; mask &= mask - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(mask);
        expand(hunt, hunt->face[0][i], hunt->face[1][i]);
    }
}

static void add_faces(struct hunt *hunt, uint32_t f, uint32_t g)
{
    const uint32_t i = hunt->faces++;
    for (uint32_t k = 0; k < 3; ++k) {
        hunt->face_pairs.corner[k][i] = world_faces(hunt->world)[f].corner[k];
        hunt->face_pairs.corner[3 + k][i] = world_faces(hunt->world)[g].corner[k];
    }
    hunt->face[0][i] = f;
    hunt->face[1][i] = g;
    if (hunt->faces == PK_LANES)
        flush_faces(hunt);
}

/* Two packs of faces; `rows` of the first. Of what is sought twice the lower face finds it. */
static void pack_against(struct hunt *hunt, const struct skin *s, uint32_t i, uint32_t rows,
                         const struct skin *t, uint32_t j)
{
    const piola_world *w = hunt->world;
    const uint32_t *dirty = world_dirty(w);
    uint32_t masks[PK_LANES];
    uint32_t found = hunt->step->kernels->contact_overlaps(
        &world_face_boxes(w)[s->pack_first + i], rows, &world_face_boxes(w)[t->pack_first + j],
        &world_nodes(w)[t->node_first + t->leaves + j], hunt->told.margin, masks);
    for (; found != 0; found &= found - 1) {
        const uint32_t row = (uint32_t)__builtin_ctz(found);
        const uint32_t f = s->face_first + i * PK_LANES + row;
        uint32_t mask = masks[row];
        if (s == t && i == j)
            mask &= hunt->again ? ~(1u << row) : ~((2u << row) - 1u);
        for (; mask != 0; mask &= mask - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(mask);
            const uint32_t g = t->face_first + j * PK_LANES + lane;
            if (hunt->again && g < f && (dirty[t->pack_first + j] >> lane & 1))
                continue;
            add_faces(hunt, f, g);
        }
    }
}

/* The last leaf below a node. */
static uint32_t last_leaf(const struct skin *skin, uint32_t node)
{
    const int below = __builtin_clz(node) - __builtin_clz(skin->leaves);
    return ((node + 1) << below) - 1 - skin->leaves;
}

/* A pack against the packs of a body, or in a first search against those from it on in its own. */
static void walk(struct hunt *hunt, const struct skin *s, uint32_t i, const struct skin *t)
{
    const piola_world *w = hunt->world;
    const struct pk_swept_box *box = &world_nodes(w)[s->node_first + s->leaves + i];
    const struct pk_swept_box *nodes = &world_nodes(w)[t->node_first];
    const uint32_t rows = hunt->again ? world_dirty(w)[s->pack_first + i] : 0xffffu;
    const bool half = s == t && !hunt->again;
    uint32_t stack[STACK], count = 0;
    stack[count++] = 1;
    while (rows != 0 && count > 0) {
        const uint32_t node = stack[--count];
        if ((half && last_leaf(t, node) < i) ||
            !contact_overlap(box, &nodes[node], hunt->told.margin))
            continue;
        if (node < t->leaves) {
            stack[count++] = 2 * node + 1;
            stack[count++] = 2 * node;
        } else {
            pack_against(hunt, s, i, rows, t, node - t->leaves);
        }
    }
}

static void search_body(struct hunt *hunt, const struct skin *s, uint32_t body)
{
    const struct skin *t = &world_skins(hunt->world)[body];
    const uint32_t from = hunt->block->pack_first - s->pack_first;
    hunt->told.margin = hunt->again ? 0 : contact_margin(hunt->world, s, t);
    for (uint32_t i = from; i < from + hunt->block->packs; ++i)
        walk(hunt, s, i, t);
    flush_faces(hunt);
    flush_pairs(hunt, PAIR_VERTEX_FACE);
    flush_pairs(hunt, PAIR_EDGES);
}

void contact_search_block(const struct step *step, uint32_t index)
{
    piola_world *w = step->world;
    struct contact_block *block = &world_blocks(w)[index];
    const struct skin *s = &world_skins(w)[block->body];
    const struct partners *partners = &world_partners(w)[block->body];
    struct hunt hunt = {.step = step, .world = w, .told = contact_told(step), .block = block};
    bool any = false;
    hunt.again = w->spill.again;
    hunt.told.strayed = hunt.again ? world_strayed(w) : NULL;
    for (uint32_t i = 0; i < block->packs; ++i)
        any = any || !hunt.again || world_dirty(w)[block->pack_first + i] != 0;
    if (!any)
        return;
    search_body(&hunt, s, block->body);
    /* Of two bodies the lower one seeks, at first. */
    const uint32_t first = hunt.again ? 0 : block->body + 1;
    if (partners->count <= PARTNERS) {
        for (uint32_t i = 0; i < partners->count; ++i)
            if (partners->body[i] >= first)
                search_body(&hunt, s, partners->body[i]);
    } else {
        for (uint32_t b = first; b < w->desc.max_bodies; ++b)
            if (b != block->body && world_skins(w)[b].face_count > 0)
                search_body(&hunt, s, b);
    }
}
