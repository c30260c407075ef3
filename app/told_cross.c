/* told_cross.c - do surfaces go through each other? For scenes where nothing keeps them apart, and
 * for first states.
 *
 * Two triangles cross when an edge of one goes through the inside of the other, and its ends are
 * well off the other's plane: what only touches does not cross. Meshes that lie along each other
 * cut only in edges, so of two solids it is also asked whether some place in one is in the other.
 */
#include "told_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOOKS_A_SECOND 120.0 /* of simulated time */
#define PLACES         16u   /* under a body's faces that are sought in the other */

struct cross_face {
    float low[3], high[3];
    const float *corner[3];
    uint32_t vertex[3];
    unsigned side; /* 0 or 1: of which body */
};

static uint32_t faces_of(const struct stage_body *body)
{
    return body->asset->stats.surface_triangles;
}

bool told_cross_open(struct told *told, struct problem *problem)
{
    size_t most = 0;
    for (uint32_t i = 0; i < told->stage->body_count; ++i)
        most = faces_of(&told->stage->bodies[i]) > most ? faces_of(&told->stage->bodies[i]) : most;
    told->faces = pool_take(&told->pool, 2 * most + 1, sizeof(struct cross_face),
                            "a look at surfaces", problem);
    return told->faces != NULL;
}

/* ---- two triangles ---- */

static void subtract(const float a[3], const float b[3], double d[3])
{
    for (int k = 0; k < 3; ++k)
        d[k] = (double)a[k] - (double)b[k];
}

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int k = 0; k < 3; ++k)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Does the segment go through the triangle, with both ends farther than `off` (m) from its plane,
 * and farther than a hundredth of it from its edges? */
static bool pierces(const float *p, const float *q, const struct cross_face *t, double off)
{
    double ab[3], ac[3], n[3], ap[3], aq[3], hit[3], b, c;
    subtract(t->corner[1], t->corner[0], ab);
    subtract(t->corner[2], t->corner[0], ac);
    subtract(p, t->corner[0], ap);
    subtract(q, t->corner[0], aq);
    cross(ab, ac, n);
    const double square = dot(n, n), length = sqrt(square);
    const double above = dot(n, ap), below = dot(n, aq);
    if (!(length > 0) || above * below >= 0 || fabs(above) < off * length ||
        fabs(below) < off * length)
        return false;
    for (int k = 0; k < 3; ++k)
        hit[k] = ap[k] + (aq[k] - ap[k]) * above / (above - below);
    cross(hit, ac, ap);
    cross(ab, hit, aq);
    b = dot(ap, n) / square;
    c = dot(aq, n) / square;
    return b > 0.01 && c > 0.01 && b + c < 0.99;
}

static bool faces_cross(const struct cross_face *s, const struct cross_face *t, double off)
{
    for (int k = 0; k < 3; ++k)
        if (pierces(s->corner[k], s->corner[(k + 1) % 3], t, off) ||
            pierces(t->corner[k], t->corner[(k + 1) % 3], s, off))
            return true;
    return false;
}

static bool faces_share(const struct cross_face *s, const struct cross_face *t)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (s->vertex[i] == t->vertex[j])
                return true;
    return false;
}

/* ---- two bodies ---- */

static bool boxes_meet(const struct told_box *a, const struct told_box *b)
{
    for (int k = 0; k < 3; ++k)
        if (!(a->low[k] <= b->high[k] && b->low[k] <= a->high[k]))
            return false;
    return true;
}

/* Adds the faces of a body that reach into the box. */
static uint32_t add_faces(struct told *told, uint32_t body, unsigned side,
                          const struct told_box *box, uint32_t count)
{
    struct cross_face *faces = told->faces;
    uint32_t triangles = 0;
    const uint32_t *surface =
        piola_asset_surface(told->stage->bodies[body].asset->asset, &triangles);
    if (!told_positions(told, body, side))
        return count;
    for (uint32_t t = 0; t < triangles; ++t) {
        struct cross_face *face = &faces[count];
        bool in = true;
        face->side = side;
        for (int c = 0; c < 3; ++c) {
            face->vertex[c] = surface[3 * (size_t)t + (size_t)c];
            face->corner[c] = told->xyz[side] + 3 * (size_t)face->vertex[c];
        }
        for (int k = 0; k < 3; ++k) {
            const float x = face->corner[0][k], y = face->corner[1][k], z = face->corner[2][k];
            face->low[k] = fminf(x, fminf(y, z));
            face->high[k] = fmaxf(x, fmaxf(y, z));
            in = in && (double)face->low[k] <= box->high[k] && (double)face->high[k] >= box->low[k];
        }
        count += in;
    }
    return count;
}

static int compare_low(const void *a, const void *b)
{
    const struct cross_face *x = a, *y = b;
    return (x->low[0] > y->low[0]) - (x->low[0] < y->low[0]);
}

static bool near(const struct cross_face *s, const struct cross_face *t)
{
    return s->low[1] <= t->high[1] && t->low[1] <= s->high[1] && s->low[2] <= t->high[2] &&
           t->low[2] <= s->high[2];
}

static bool any_cross(struct told *told, uint32_t count, bool own)
{
    struct cross_face *faces = told->faces;
    const double off = 0.05 * (double)told->stage->desc.contact_thickness;
    qsort(faces, count, sizeof *faces, compare_low);
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t j = i + 1; j < count && faces[j].low[0] <= faces[i].high[0]; ++j)
            if ((own ? !faces_share(&faces[i], &faces[j]) : faces[i].side != faces[j].side) &&
                near(&faces[i], &faces[j]) && faces_cross(&faces[i], &faces[j], off))
                return true;
    return false;
}

/* Is a place inside the surface of a solid, whose vertices are in this room? A ray in no special
 * direction meets it an odd number of times then. */
static bool is_inside(const struct told *told, uint32_t body, unsigned room, const double place[3])
{
    static const double way[3] = {0.8147, 0.4058, 0.4138};
    uint32_t triangles = 0;
    const uint32_t *v = piola_asset_surface(told->stage->bodies[body].asset->asset, &triangles);
    bool inside = false;
    for (uint32_t t = 0; t < triangles; ++t, v += 3) {
        const float *x = told->xyz[room] + 3 * (size_t)v[0];
        double ab[3], ac[3], from[3], p[3], q[3];
        subtract(told->xyz[room] + 3 * (size_t)v[1], x, ab);
        subtract(told->xyz[room] + 3 * (size_t)v[2], x, ac);
        for (int k = 0; k < 3; ++k)
            from[k] = place[k] - (double)x[k];
        cross(way, ac, p);
        cross(from, ab, q);
        const double det = dot(ab, p);
        const double b = dot(from, p) / det, c = dot(way, q) / det;
        if (det != 0 && b >= 0 && c >= 0 && b + c <= 1 && dot(ac, q) / det > 0)
            inside = !inside;
    }
    return inside;
}

/* The place so far (m) under the middle of a face, in its body. */
static void place_under(const struct cross_face *face, double off, double place[3])
{
    double ab[3], ac[3], n[3];
    subtract(face->corner[1], face->corner[0], ab);
    subtract(face->corner[2], face->corner[0], ac);
    cross(ab, ac, n);
    const double length = sqrt(dot(n, n));
    for (int k = 0; k < 3; ++k)
        place[k] = (double)face->corner[0][k] + (ab[k] + ac[k]) / 3 -
                   (length > 0 ? off * n[k] / length : 0);
}

/* Is something of one solid in the other? The faces are those that reach into both boxes. */
static bool solids_share(const struct told *told, uint32_t a, uint32_t b, uint32_t count)
{
    const struct cross_face *faces = told->faces;
    const struct stage_body *bodies = told->stage->bodies;
    const double off = 0.05 * (double)told->stage->desc.contact_thickness;
    const uint32_t every = count / (2 * PLACES) + 1;
    if (bodies[a].asset->stats.tetrahedra == 0 || bodies[b].asset->stats.tetrahedra == 0)
        return false;
    for (uint32_t i = 0; i < count; i += every) {
        double place[3];
        place_under(&faces[i], off, place);
        if (is_inside(told, faces[i].side ? a : b, faces[i].side ? 0 : 1, place))
            return true;
    }
    return false;
}

static bool bodies_cross(struct told *told, uint32_t a, uint32_t b)
{
    struct told_box box = told->boxes[a];
    for (int k = 0; k < 3; ++k) {
        box.low[k] = fmax(box.low[k], told->boxes[b].low[k]);
        box.high[k] = fmin(box.high[k], told->boxes[b].high[k]);
    }
    uint32_t count = add_faces(told, a, 0, &box, 0);
    if (a != b)
        count = add_faces(told, b, 1, &box, count);
    return any_cross(told, count, a == b) || (a != b && solids_share(told, a, b, count));
}

/* ---- all bodies ---- */

/* Once a pair, up to as many as are remembered. */
static void come(struct told *told, struct note *note, uint32_t a, uint32_t b)
{
    const uint64_t most = sizeof told->pairs / sizeof *told->pairs;
    const struct stage_body *bodies = told->stage->bodies;
    if (note->times < most)
        told->pairs[note->times] = (uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a);
    const bool first = !note->came;
    note_come(told, note, told->time, bodies[a].name);
    note->is_body = true;
    if (first)
        note->other = a == b ? NULL : bodies[b].name;
}

static bool met(const struct told *told, const struct note *note, uint32_t a, uint32_t b)
{
    const uint64_t most = sizeof told->pairs / sizeof *told->pairs;
    const uint64_t pair = (uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a);
    for (uint64_t i = 0; i < note->times && i < most; ++i)
        if (told->pairs[i] == pair)
            return true;
    return note->times >= most;
}

static void look_at_pair(struct told *told, struct note *note, uint32_t a, uint32_t b)
{
    const struct stage_body *bodies = told->stage->bodies;
    if (boxes_meet(&told->boxes[a], &told->boxes[b]) && stage_bodies_meet(&bodies[a], &bodies[b]) &&
        !told_attached(told, a, b) && !met(told, note, a, b) && bodies_cross(told, a, b))
        come(told, note, a, b);
}

/* Bodies in the order of their boxes: only neighbours in it can meet. */
static void look_at_pairs(struct told *told, struct note *note)
{
    const uint32_t count = told->stage->body_count;
    const struct told_box *boxes = told->boxes;
    uint32_t *order = told->order;
    for (uint32_t i = 1; i < count; ++i) { /* nearly sorted from the last look */
        const uint32_t body = order[i];
        uint32_t at = i;
        for (; at > 0 && boxes[order[at - 1]].low[0] > boxes[body].low[0]; --at)
            order[at] = order[at - 1];
        order[at] = body;
    }
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t j = i + 1; j < count && boxes[order[j]].low[0] <= boxes[order[i]].high[0];
             ++j)
            look_at_pair(told, note, order[i], order[j]);
}

static void look_at_each(struct told *told, struct note *note)
{
    for (uint32_t i = 0; i < told->stage->body_count; ++i)
        if (!told_frozen(told, i))
            look_at_pair(told, note, i, i);
}

/* Where contact acts: it keeps apart what is apart, and so it keeps what is not. */
void cross_at_start(struct told *told, const struct told_step *step, struct note *note)
{
    (void)step;
    if (told->stage->desc.max_contacts == 0)
        return;
    look_at_pairs(told, note);
    look_at_each(told, note);
}

void cross_at_step(struct told *told, const struct told_step *step, struct note *note)
{
    const struct stage *stage = told->stage;
    if (stage->desc.max_contacts > 0 || stage->body_count < 2 ||
        step->time < told->crossed + 1 / LOOKS_A_SECOND)
        return;
    told->crossed = step->time;
    told_boxes(told);
    look_at_pairs(told, note);
}

/* On its way a body may fold through itself for a moment; at the end it should not. */
void cross_at_end(struct told *told, const struct told_step *step, struct note *note)
{
    (void)step;
    if (told->stage->desc.max_contacts == 0 && told->steps > 0)
        look_at_each(told, note);
}
