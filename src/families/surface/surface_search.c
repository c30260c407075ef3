/* surface_search.c - one worker's search: a block of packs of faces against the trees of its own
 * body and of its partners.
 *
 * Each test is cheaper than the next and leaves out only what cannot meet: boxes of packs, boxes of
 * faces, planes between two faces, planes between the parts of two faces. Not here: where boxes
 * come from (surface_find.c) and where pairs go (surface_collect.c).
 */
#include "families/surface/surface.h"

#include "families/surface/box_tree.h"
#include "families/surface/surface_settings.h"
#include "world/rest.h"

/* The pack that is sought for, in its body; its faces that are, and the box around these. */
struct query {
    const struct surface_mesh *surface_mesh;
    uint32_t pack, rows;
    struct pk_swept_box box;
};

/* Pairs of faces that wait for a test: of planes along normals [0], then across edges [1]. */
struct face_queue {
    uint32_t count;
    struct pk_face_pairs pairs;
    uint32_t face[2][PK_LANES];
};

/* A search under way; packs fill up before they are tested. */
struct hunt {
    const struct step *step;
    piola_world *world;
    struct pk_contact told;
    struct pk_widen widen; /* of boxes of the body that is searched */
    struct surface_block *block;
    uint32_t most; /* tests of the block */
    bool again;    /* only dirty faces, but against all others */
    struct query queries[SURFACE_BLOCK];
    uint32_t query_count;
    struct face_queue queues[2];
    uint32_t pairs[2];
    struct pk_pair_pack packs[2];
};

/* Counts a look at 16 boxes, faces or pairs; false when the block has had all that it may. */
static bool may_test(struct hunt *hunt)
{
    if (hunt->block->tests >= hunt->most) {
        hunt->block->cut = 1;
        return false;
    }
    ++hunt->block->tests;
    return true;
}

static void flush_pairs(struct hunt *hunt, uint32_t kind)
{
    struct pk_pair_pack *pack = &hunt->packs[kind];
    const uint32_t count = hunt->pairs[kind];
    hunt->pairs[kind] = 0;
    if (count == 0 || !may_test(hunt))
        return;
    for (uint32_t i = count; i < PK_LANES; ++i)
        for (int k = 0; k < 4; ++k)
            pack->particle[k][i] = pack->particle[k][0];
    uint32_t mask = hunt->step->kernels->surface_meet(&hunt->told, pack, kind);
    mask &= count == PK_LANES ? 0xffffu : (1u << count) - 1u;
    for (; mask != 0; mask &= mask - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(mask);
        struct pair pair = {{pack->particle[0][i], pack->particle[1][i], pack->particle[2][i],
                             pack->particle[3][i]},
                            kind,
                            pack->distance[i]};
        if (!(pair.distance > 0))
            pair.distance = surface_apart_by(hunt->world, &pair);
        surface_collect(hunt->step, hunt->block, &pair);
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

/* The parts of two faces that may meet; `common` are the corners of f that are g's too. */
static void expand(struct hunt *hunt, const struct face *f, const struct face *g, uint32_t common)
{
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

/* Tests a queue, which becomes empty; a mask of those that are left. */
static uint32_t test(struct hunt *hunt, uint32_t stage)
{
    struct face_queue *queue = &hunt->queues[stage];
    const uint32_t count = queue->count;
    queue->count = 0;
    if (count == 0 || !may_test(hunt))
        return 0;
    for (uint32_t i = count; i < PK_LANES; ++i)
        for (int k = 0; k < 6; ++k)
            queue->pairs.corner[k][i] = queue->pairs.corner[k][0];
    const uint32_t parted = hunt->step->kernels->surface_apart(&hunt->told, &queue->pairs, stage);
    return ~parted & (count == PK_LANES ? 0xffffu : (1u << count) - 1u);
}

/* A place for a pair of faces, whose corners are to be put in too. */
static uint32_t place(struct face_queue *queue, uint32_t f, uint32_t g)
{
    const uint32_t i = queue->count++;
    queue->face[0][i] = f;
    queue->face[1][i] = g;
    return i;
}

static void flush_edges(struct hunt *hunt)
{
    const struct face_queue *queue = &hunt->queues[1];
    const struct face *faces = world_faces(hunt->world);
    for (uint32_t mask = test(hunt, 1); mask != 0; mask &= mask - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(mask);
        expand(hunt, &faces[queue->face[0][i]], &faces[queue->face[1][i]], 0);
    }
}

static void flush_normals(struct hunt *hunt)
{
    const struct face_queue *queue = &hunt->queues[0];
    struct face_queue *edges = &hunt->queues[1];
    for (uint32_t mask = test(hunt, 0); mask != 0; mask &= mask - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(mask);
        const uint32_t at = place(edges, queue->face[0][i], queue->face[1][i]);
        for (uint32_t k = 0; k < 6; ++k)
            edges->pairs.corner[k][at] = queue->pairs.corner[k][i];
        if (edges->count == PK_LANES)
            flush_edges(hunt);
    }
}

/* Two faces without a common corner, given as lanes of packs. */
static void add_faces(struct hunt *hunt, uint32_t f, const struct pk_face_pack *one, uint32_t row,
                      uint32_t g, const struct pk_face_pack *two, uint32_t lane)
{
    struct face_queue *queue = &hunt->queues[0];
    const uint32_t at = place(queue, f, g);
    for (uint32_t k = 0; k < 3; ++k) {
        queue->pairs.corner[k][at] = one->corner[k][row];
        queue->pairs.corner[3 + k][at] = two->corner[k][lane];
    }
    if (queue->count == PK_LANES)
        flush_normals(hunt);
}

/* What pack_against reads of a pack, ahead of need. */
static void fetch(const piola_world *w, const struct surface_mesh *t, uint32_t j)
{
    const char *boxes = (const char *)&world_face_boxes(w)[t->pack_first + j];
    const char *faces = (const char *)&world_face_packs(w)[t->pack_first + j];
    for (size_t i = 0; i < sizeof(struct pk_face_boxes); i += 64)
        __builtin_prefetch(boxes + i);
    for (size_t i = 0; i < sizeof(struct pk_face_pack); i += 64)
        __builtin_prefetch(faces + i);
}

/* Faces of a row of the query and of a pack's lanes; those with a common corner are never apart. */
static void row_against(struct hunt *hunt, const struct query *q, uint32_t row,
                        const struct surface_mesh *t, uint32_t j, uint32_t mask, uint32_t common)
{
    const piola_world *w = hunt->world;
    const struct pk_face_pack *one = &world_face_packs(w)[q->surface_mesh->pack_first + q->pack];
    const struct pk_face_pack *two = &world_face_packs(w)[t->pack_first + j];
    const uint32_t f = q->surface_mesh->face_first + q->pack * PK_LANES + row;
    for (; mask != 0; mask &= mask - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(mask);
        const uint32_t g = t->face_first + j * PK_LANES + lane;
        if (common >> lane & 1) {
            const struct face *faces = world_faces(w);
            expand(hunt, &faces[f], &faces[g], shared(&faces[f], &faces[g]));
        } else {
            add_faces(hunt, f, one, row, g, two, lane);
        }
    }
}

/* The first so many lanes. Boxes of others are apart from all but what is not finite, or as good as
 * that. */
static uint32_t lanes_of(uint32_t count)
{
    return count < PK_LANES ? (1u << count) - 1u : 0xffffu;
}

/* Faces of the query and of a pack. Of what is sought twice the lower face finds it. */
static void pack_against(struct hunt *hunt, const struct query *q, const struct surface_mesh *t,
                         uint32_t j)
{
    const piola_world *w = hunt->world;
    const bool own = q->surface_mesh == t;
    const uint32_t p = q->surface_mesh->pack_first + q->pack, other = t->pack_first + j;
    uint32_t masks[PK_LANES], common[PK_LANES], again = 0;
    if (!may_test(hunt))
        return;
    uint32_t found = hunt->step->kernels->surface_overlaps(
        &(struct pk_overlap_job){.a = &world_face_boxes(w)[p],
                                 .b = &world_face_boxes(w)[other],
                                 .around_a = &q->box,
                                 .around_b = &world_pack_boxes(w)[other],
                                 .widen_b = &hunt->widen,
                                 .faces_a = own ? &world_face_packs(w)[p] : NULL,
                                 .faces_b = own ? &world_face_packs(w)[other] : NULL,
                                 .masks = masks,
                                 .common = common,
                                 .rows = q->rows});
    if (hunt->again && found != 0)
        again = surface_dirty(w, other, own ? SURFACE_DIRTY_OWN : SURFACE_DIRTY_OTHERS);
    const uint32_t used = lanes_of(world_face_packs(w)[other].lanes);
    for (; found != 0; found &= found - 1) {
        const uint32_t row = (uint32_t)__builtin_ctz(found), upto = (2u << row) - 1u;
        uint32_t mask = masks[row] & used;
        if (p == other)
            mask &= hunt->again ? ~(1u << row) & ~(again & upto) : ~upto;
        else if (other < p)
            mask &= ~again;
        row_against(hunt, q, row, t, j, mask, common[row]);
    }
}

/* What is below a node, by its number at its height, and may meet the query; in a first search in
 * the own body only packs from the query's on. */
static uint32_t below(struct hunt *hunt, const struct query *q, const struct surface_mesh *t,
                      const struct pk_box_pack *node, uint32_t height, uint32_t number)
{
    const uint32_t shift = 4 * (height - 1) % 32;
    const uint32_t first = number * PK_LANES, from = q->pack >> shift;
    const uint32_t children = ((t->packs - 1) >> shift) + 1;
    if (!may_test(hunt))
        return 0;
    const uint32_t mask = hunt->step->kernels->surface_reach(&node[number], &q->box, &hunt->widen) &
                          lanes_of(children - first);
    if (hunt->again || t != q->surface_mesh || from <= first)
        return mask;
    return from - first < PK_LANES ? mask >> (from - first) << (from - first) : 0;
}

/* The query against the packs of a body. */
static void walk(struct hunt *hunt, const struct query *q, const struct surface_mesh *t)
{
    const struct pk_box_pack *nodes[TREE_HEIGHT + 1] = {NULL};
    uint32_t number[TREE_HEIGHT + 1], left[TREE_HEIGHT + 1], h = t->height;
    for (uint32_t i = 1; i <= h; ++i)
        nodes[i] = &world_nodes(hunt->world)[surface_node(t, i)];
    number[h] = 0;
    left[h] = below(hunt, q, t, nodes[h], h, 0);
    while (h <= t->height) {
        if (left[h] == 0) {
            ++h;
            continue;
        }
        const uint32_t next = number[h] * PK_LANES + (uint32_t)__builtin_ctz(left[h]);
        left[h] &= left[h] - 1;
        if (h == 1) {
            if (left[h] != 0)
                fetch(hunt->world, t, number[h] * PK_LANES + (uint32_t)__builtin_ctz(left[h]));
            pack_against(hunt, q, t, next);
        } else {
            number[--h] = next;
            left[h] = below(hunt, q, t, nodes[h], h, next);
        }
    }
}

/* Around some faces of a pack. */
static struct pk_swept_box box_of(const struct pk_box_pack *faces, uint32_t rows)
{
    struct pk_swept_box box;
    for (int k = 0; k < 3; ++k) {
        float low = 1e30f, high = -1e30f;
        for (uint32_t left = rows; left != 0; left &= left - 1) {
            const int i = __builtin_ctz(left);
            low = faces->low[k][i] < low ? faces->low[k][i] : low;
            high = faces->high[k][i] > high ? faces->high[k][i] : high;
        }
        box.low[k] = low;
        box.high[k] = high;
    }
    return box;
}

/* The packs of the block that have something to seek, in their own body or in others. */
static void ask(struct hunt *hunt, const struct surface_mesh *s, uint32_t which)
{
    const piola_world *w = hunt->world;
    const uint32_t from = hunt->block->pack_first, end = from + hunt->block->packs;
    hunt->query_count = 0;
    for (uint32_t p = from; p < end; ++p) {
        const uint32_t rows =
            hunt->again ? surface_dirty(w, p, which) : lanes_of(world_face_packs(w)[p].lanes);
        if (rows == 0)
            continue;
        fetch(w, s, p - s->pack_first);
        hunt->queries[hunt->query_count++] = (struct query){
            s, p - s->pack_first, rows,
            hunt->again ? box_of(&world_face_boxes(w)[p].box, rows) : world_pack_boxes(w)[p]};
    }
}

static void search_body(struct hunt *hunt, const struct surface_mesh *s, uint32_t body)
{
    const struct surface_mesh *t = &world_surface_meshes(hunt->world)[body];
    hunt->told.margin = hunt->again ? 0 : surface_margin(hunt->world, s == t);
    hunt->widen = surface_widen(s, t, hunt->told.margin);
    for (uint32_t i = 0; i < hunt->query_count && !hunt->block->cut; ++i) {
        const struct query *q = &hunt->queries[i];
        if (surface_overlap(&q->box, &world_body_boxes(hunt->world)[body], &hunt->widen))
            walk(hunt, q, t);
    }
    flush_normals(hunt);
    flush_edges(hunt);
    flush_pairs(hunt, PAIR_VERTEX_FACE);
    flush_pairs(hunt, PAIR_EDGES);
}

/* When a body has more partners than are listed: those that may be near what is asked for. */
static void search_many(struct hunt *hunt, const struct surface_mesh *s, uint32_t first)
{
    const piola_world *w = hunt->world;
    const uint32_t count = w->shared_count;
    uint64_t near[BOX_TREE_WORDS];
    const bool sleeps = body_asleep(w, hunt->block->body);
    struct pk_swept_box box = hunt->queries[0].box;
    for (uint32_t i = 1; i < hunt->query_count; ++i)
        for (int k = 0; k < 3; ++k) {
            const struct pk_swept_box *by = &hunt->queries[i].box;
            box.low[k] = by->low[k] < box.low[k] ? by->low[k] : box.low[k];
            box.high[k] = by->high[k] > box.high[k] ? by->high[k] : box.high[k];
        }
    body_tree_around(hunt->step, s, &box, near);
    for (uint32_t i = box_tree_next(near, count, 0); i < count;
         i = box_tree_next(near, count, i + 1)) {
        const uint32_t b = world_shared(w)[i];
        if (b >= first && b != hunt->block->body && !(sleeps && body_asleep(w, b)) &&
            world_surface_meshes(w)[b].face_count > 0 && coats_meet(w, hunt->block->body, b))
            search_body(hunt, s, b);
    }
}

static struct hunt hunt_of(const struct step *step, struct surface_block *block)
{
    piola_world *w = step->world;
    struct hunt hunt = {.step = step, .world = w, .told = surface_params(step), .block = block};
    hunt.again = world_surface_now(w)->spill.again;
    hunt.most = block->packs * w->desc.contact_tests;
    hunt.told.strayed = hunt.again ? world_strayed(w) : NULL;
    return hunt;
}

static void seek_own(struct hunt *hunt)
{
    const uint32_t body = hunt->block->body;
    const struct surface_mesh *s = &world_surface_meshes(hunt->world)[body];
    if (!coats_meet(hunt->world, body, body) || body_asleep(hunt->world, body))
        return;
    ask(hunt, s, SURFACE_DIRTY_OWN);
    if (hunt->query_count > 0)
        search_body(hunt, s, body);
}

void each_surface_seek(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    struct surface_block *block = surface_own_block(step, index);
    surface_collect_clear(block);
    struct hunt hunt = hunt_of(step, block);
    seek_own(&hunt);
}

static bool any_dirty(const piola_world *w, const struct surface_block *block)
{
    uint32_t any = 0;
    for (uint32_t p = block->pack_first; p < block->pack_first + block->packs; ++p)
        any |= world_dirty(w)[p];
    return any != 0;
}

/* Others, after their own body, which in a first search has been sought in before. */
void each_surface_search(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const piola_world *w = step->world;
    struct surface_block *block = &world_blocks(w)[index];
    const struct partners *partners = &world_partners(w)[block->body];
    const struct spill *spill = &world_surface_now(w)->spill;
    if (!spill->again && !spill->on && partners->count == 0)
        return;
    if (spill->again && !any_dirty(w, block))
        return;
    struct hunt hunt = hunt_of(step, block);
    const struct surface_mesh *s = &world_surface_meshes(w)[block->body];
    if (spill->again || spill->on)
        seek_own(&hunt);
    ask(&hunt, s, SURFACE_DIRTY_OTHERS);
    if (hunt.query_count == 0)
        return;
    /* Of two bodies the lower one seeks, at first. */
    const uint32_t first = hunt.again ? 0 : block->body + 1;
    if (partners->count <= PARTNERS) {
        for (uint32_t i = 0; i < partners->count; ++i)
            if (partners->body[i] >= first)
                search_body(&hunt, s, partners->body[i]);
    } else {
        search_many(&hunt, s, first);
    }
}
