/* contact_find.c - the pairs that may meet in a substep.
 *
 * Each particle gets a box around its way and some slack: whoever's boxes are apart cannot meet. If
 * one has left its box after the iterations, all are made anew, around the ways that were gone.
 * Boxes of faces go up a tree a body; the trees of bodies whose boxes overlap are walked, each face
 * against a tree.
 */
#include "contact.h"

#include <math.h>

/* A walk visits at most one pending node a level. */
#define STACK 64

static void grow(struct box *box, const struct box *by)
{
    for (int k = 0; k < 3; ++k) {
        box->low[k] = by->low[k] < box->low[k] ? by->low[k] : box->low[k];
        box->high[k] = by->high[k] > box->high[k] ? by->high[k] : box->high[k];
    }
}

static bool overlap(const struct box *a, const struct box *b)
{
    for (int k = 0; k < 3; ++k)
        if (!(a->low[k] <= b->high[k] && b->low[k] <= a->high[k]))
            return false;
    return true;
}

static const struct box nothing = {{INFINITY, INFINITY, INFINITY},
                                   {-INFINITY, -INFINITY, -INFINITY}};

/* Pairs are sought for where particles are expected to go, and again for where they went if some
 * left their rooms. */
struct search {
    piola_world *world;
    const struct pk_quad *to;
    float slack;   /* m */
    float stretch; /* slack per way */
    uint32_t mark; /* for bodies that have pairs */
};

/* A box around the particle's way; pinned ones have one too. */
static struct box room_of(const struct search *search, uint32_t particle, float *reach)
{
    const struct pk_quad *from = &world_start(search->world)[particle], *to = &search->to[particle];
    const float a[3] = {from->x, from->y, from->z}, b[3] = {to->x, to->y, to->z};
    struct box box;
    float square = 0;
    for (int k = 0; k < 3; ++k)
        square += (b[k] - a[k]) * (b[k] - a[k]);
    const float way = sqrtf(square), slack = search->slack + search->stretch * way;
    for (int k = 0; k < 3; ++k) {
        box.low[k] = (a[k] < b[k] ? a[k] : b[k]) - slack;
        box.high[k] = (a[k] > b[k] ? a[k] : b[k]) + slack;
    }
    *reach = way + 1.7320509f * slack;
    return box;
}

/* Boxes of a body's particles, faces and tree, from the leaves to the root. */
static void refit(const struct search *search, const struct body *body, const struct skin *skin)
{
    const piola_world *world = search->world;
    struct box *nodes = world_nodes(world) + skin->node_first;
    struct box *boxes = world_face_boxes(world) + skin->face_first;
    const struct face *faces = world_faces(world) + skin->face_first;
    for (uint32_t i = body->first; i < body->first + body->count; ++i) {
        struct leash *leash = &world_leashes(world)[i];
        leash->room = room_of(search, i, &leash->reach);
        leash->bound = leash->reach;
        leash->bound_counts = 0;
    }
    for (uint32_t leaf = 0; leaf < skin->leaves; ++leaf) {
        struct box *node = &nodes[skin->leaves + leaf];
        *node = nothing;
        for (uint32_t f = leaf * CONTACT_LEAF; f < (leaf + 1) * CONTACT_LEAF; ++f) {
            if (f >= skin->face_count)
                break;
            boxes[f] = world_leashes(world)[faces[f].corner[0]].room;
            grow(&boxes[f], &world_leashes(world)[faces[f].corner[1]].room);
            grow(&boxes[f], &world_leashes(world)[faces[f].corner[2]].room);
            grow(node, &boxes[f]);
        }
    }
    for (uint32_t n = skin->leaves; n-- > 1;) {
        nodes[n] = nodes[2 * n];
        grow(&nodes[n], &nodes[2 * n + 1]);
    }
}

double contact_near(const struct pair *pair, const struct pk_quad *x, double weight[4],
                    double between[3])
{
    double at[4][3];
    for (int i = 0; i < 4; ++i) {
        const struct pk_quad *p = &x[pair->particle[i]];
        at[i][0] = (double)p->x;
        at[i][1] = (double)p->y;
        at[i][2] = (double)p->z;
    }
    return pair->kind == PAIR_VERTEX_FACE
               ? near_point_triangle((const double(*)[3])at, weight, between)
               : near_segments((const double(*)[3])at, weight, between);
}

/* Keeps the pair if its sides can meet in this substep. A pair for which there is no room binds its
 * particles by itself: each may go less than half of what their distance may lose. */
static void consider(const struct search *search, struct pair pair)
{
    piola_world *world = search->world;
    double weight[4], between[3];
    const uint32_t *p = pair.particle;
    const struct leash *leash = world_leashes(world);
    float far[2] = {0, 0};
    for (int i = 0; i < 4; ++i) {
        const int side = pair.kind == PAIR_VERTEX_FACE ? i > 0 : i > 1;
        far[side] = leash[p[i]].reach > far[side] ? leash[p[i]].reach : far[side];
    }
    pair.distance = (float)contact_near(&pair, world_start(world), weight, between);
    if (!(pair.distance <= far[0] + far[1] + world->desc.contact_thickness))
        return;
    world_paired(world)[pair.body[0]] |= search->mark;
    world_paired(world)[pair.body[1]] |= search->mark;
    const float keep = contact_keep(pair.distance, world->desc.contact_thickness);
    const float share = 0.49f * (pair.distance - keep);
    for (int i = 0; i < 4; ++i) {
        float *bound = &world_leashes(world)[p[i]].bound;
        *bound = share < *bound ? share : *bound;
    }
    if (world->pair_count < world->desc.max_contacts) {
        world_pairs(world)[world->pair_count++] = pair;
        return;
    }
    ++world->pairs_dropped;
    for (int i = 0; i < 4; ++i)
        world_leashes(world)[p[i]].bound_counts = 1;
}

static bool apart(const uint32_t p[4])
{
    return p[0] != p[1] && p[0] != p[2] && p[0] != p[3] && p[1] != p[2] && p[1] != p[3];
}

/* The boxes of a face, of its corners, and of its edges from each corner to the next. */
struct boxes {
    const struct box *face, *corner[3];
    struct box edge[3];
};

static struct boxes boxes_of(const piola_world *world, uint32_t face)
{
    const uint32_t *corner = world_faces(world)[face].corner;
    struct boxes b = {.face = &world_face_boxes(world)[face]};
    for (int k = 0; k < 3; ++k)
        b.corner[k] = &world_leashes(world)[corner[k]].room;
    for (int k = 0; k < 3; ++k) {
        b.edge[k] = *b.corner[k];
        grow(&b.edge[k], b.corner[(k + 1) % 3]);
    }
    return b;
}

/* The corners that face f owns against face g. */
static void against_face(const struct search *search, const struct face *f, const struct boxes *at,
                         const struct face *g, const struct box *box, const uint32_t body[2])
{
    for (uint32_t k = 0; k < 3; ++k) {
        const struct pair pair = {{f->corner[k], g->corner[0], g->corner[1], g->corner[2]},
                                  {body[0], body[1]},
                                  PAIR_VERTEX_FACE,
                                  0};
        const bool other = pair.particle[0] != g->corner[0] && pair.particle[0] != g->corner[1] &&
                           pair.particle[0] != g->corner[2];
        if ((f->owns >> k & 1) && other && overlap(at->corner[k], box))
            consider(search, pair);
    }
}

static void consider_faces(const struct search *search, uint32_t face_f, const struct boxes *at,
                           uint32_t face_g, const uint32_t body[2])
{
    const struct face *f = &world_faces(search->world)[face_f];
    const struct face *g = &world_faces(search->world)[face_g];
    const struct boxes to = boxes_of(search->world, face_g);
    const uint32_t turned[2] = {body[1], body[0]};
    against_face(search, f, at, g, to.face, body);
    against_face(search, g, &to, f, at->face, turned);
    for (uint32_t i = 0; i < 3; ++i)
        for (uint32_t j = 0; j < 3; ++j) {
            const struct pair pair = {
                {f->corner[i], f->corner[(i + 1) % 3], g->corner[j], g->corner[(j + 1) % 3]},
                {body[0], body[1]},
                PAIR_EDGES,
                0};
            if ((f->owns >> (3 + i) & 1) && (g->owns >> (3 + j) & 1) && apart(pair.particle) &&
                overlap(&at->edge[i], &to.edge[j]))
                consider(search, pair);
        }
}

/* The end of the faces below a node. */
static uint32_t faces_end(const struct skin *skin, uint32_t node)
{
    while (node < skin->leaves)
        node = 2 * node + 1;
    return (node - skin->leaves + 1) * CONTACT_LEAF;
}

/* One face against the faces of a body, or against those after it in its own. */
static void walk(const struct search *search, uint32_t body_f, uint32_t at, uint32_t body_g)
{
    const piola_world *world = search->world;
    const struct skin *skin = &world_skins(world)[body_g];
    const uint32_t own = world_skins(world)[body_f].face_first + at;
    const struct box *nodes = world_nodes(world) + skin->node_first;
    const struct boxes at_f = boxes_of(world, own);
    const struct box *box = at_f.face;
    const uint32_t body[2] = {body_f, body_g};
    uint32_t stack[STACK], count = 0;
    stack[count++] = 1;
    while (count > 0) {
        const uint32_t node = stack[--count];
        if (!overlap(box, &nodes[node]) || (body_f == body_g && faces_end(skin, node) <= at + 1))
            continue;
        if (node < skin->leaves) {
            stack[count++] = 2 * node + 1;
            stack[count++] = 2 * node;
            continue;
        }
        const uint32_t from = (node - skin->leaves) * CONTACT_LEAF;
        for (uint32_t g = from; g < from + CONTACT_LEAF && g < skin->face_count; ++g) {
            const uint32_t other = skin->face_first + g;
            if ((body_f != body_g || g > at) && overlap(box, &world_face_boxes(world)[other]))
                consider_faces(search, own, &at_f, other, body);
        }
    }
}

static void seek(const struct search *search)
{
    piola_world *world = search->world;
    world->pair_count = world->pairs_dropped = 0;
    for (uint32_t b = 0; b < world->desc.max_bodies; ++b) {
        world_paired(world)[b] &= ~search->mark;
        if (world_bodies(world)[b].flags & BODY_ALIVE)
            refit(search, &world_bodies(world)[b], &world_skins(world)[b]);
    }
    for (uint32_t a = 0; a < world->desc.max_bodies; ++a)
        for (uint32_t b = a; b < world->desc.max_bodies; ++b) {
            const struct skin *s = &world_skins(world)[a], *t = &world_skins(world)[b];
            if (s->face_count == 0 || t->face_count == 0)
                continue;
            const struct box *other = &world_nodes(world)[t->node_first + 1];
            if (!overlap(&world_nodes(world)[s->node_first + 1], other))
                continue;
            for (uint32_t f = 0; f < s->face_count; ++f)
                if (overlap(&world_face_boxes(world)[s->face_first + f], other))
                    walk(search, a, f, b);
        }
    dimension_use(world, DIM_pairs, world->pair_count);
}

void contact_find(const struct step *step)
{
    const float thickness = step->world->desc.contact_thickness;
    const struct search search = {step->world, world_target(step->world), thickness, 0.5f,
                                  PAIRED_BEFORE};
    seek(&search);
}

/* True when some particle is not in the room that its pairs were sought for. */
static bool strayed(const piola_world *world)
{
    for (uint32_t b = 0; b < world->desc.max_bodies; ++b) {
        const struct body *body = &world_bodies(world)[b];
        if (!(body->flags & BODY_ALIVE))
            continue;
        for (uint32_t i = body->first; i < body->first + body->count; ++i) {
            const struct pk_quad *x = &world_position(world)[i];
            const struct box *room = &world_leashes(world)[i].room;
            const float at[3] = {x->x, x->y, x->z};
            for (int k = 0; k < 3; ++k)
                if (!(at[k] >= room->low[k] && at[k] <= room->high[k]))
                    return true;
        }
    }
    return false;
}

void contact_seek_again(const struct step *step)
{
    const struct search search = {step->world, world_position(step->world), 1e-6f, 1e-5f,
                                  PAIRED_AFTER};
    if (strayed(step->world))
        seek(&search);
}
