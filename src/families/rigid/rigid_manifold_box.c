/* rigid_manifold_box.c - two boxes: the axis along which they are farthest apart (or least deep in
 * each other), among the normals of their faces and the common normals of their edges; then the
 * face of one cut by the sides of the other's, or the nearest places of two edges.
 *
 * What is rounded is met as if the corners of its core lay on planes: between two faces exactly, at
 * rounded edges and corners a little early.
 */
#include "families/rigid/rigid_manifold.h"

#include "base/spatial6.h"

/* An edge must beat a face by this share of the least half width: else faces of a stack that lean
 * by a hair would be taken for edges. */
#define FACE_FIRST 5e-3
#define PARALLEL   1e-3 /* sine: edges that have no common normal */
#define CORNERS    8u   /* of a face that was cut by four planes */

static void column(const double turn[9], int k, double out[3])
{
    for (int j = 0; j < 3; ++j)
        out[j] = turn[3 * j + k];
}

/* Half of a box's width along a direction. */
static double width(const struct manifold_solid *s, const double along[3])
{
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        double axis[3];
        column(s->turn, k, axis);
        sum += s->half[k] * fabs(dot3(axis, along));
    }
    return sum;
}

/* The best axis so far: it leads from `two` to `one`. */
struct axis {
    double normal[3], apart; /* m, of the cores */
    int of[2];               /* an edge's direction each, or of a face [owner, -1] */
    bool edge;
};

static void try_axis(const struct manifold_solid *one, const struct manifold_solid *two,
                     const double along[3], struct axis *axis)
{
    const double between[3] = {one->place[0] - two->place[0], one->place[1] - two->place[1],
                               one->place[2] - two->place[2]};
    const double way = dot3(between, along), side = way < 0 ? -1 : 1;
    axis->apart = side * way - width(one, along) - width(two, along);
    for (int k = 0; k < 3; ++k)
        axis->normal[k] = side * along[k];
}

static void best_face(const struct manifold_solid *const s[2], struct axis *best)
{
    best->apart = -(double)INFINITY;
    for (int owner = 0; owner < 2; ++owner)
        for (int k = 0; k < 3; ++k) {
            double along[3];
            struct axis tried = {.of = {owner, k}, .edge = false};
            column(s[owner]->turn, k, along);
            try_axis(s[0], s[1], along, &tried);
            /* The second one's face must be better by more than rounding. */
            const double handicap = owner ? 1e-6 * (s[0]->half[k] + s[1]->half[k]) : 0;
            if (tried.apart > best->apart + handicap)
                *best = tried;
        }
}

static void best_edge(const struct manifold_solid *const s[2], struct axis *best)
{
    best->apart = -(double)INFINITY;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            double a[3], b[3], along[3];
            struct axis tried = {.of = {i, j}, .edge = true};
            column(s[0]->turn, i, a);
            column(s[1]->turn, j, b);
            cross3(a, b, along);
            const double size = sqrt(dot3(along, along));
            if (size < PARALLEL)
                continue;
            for (int k = 0; k < 3; ++k)
                along[k] /= size;
            try_axis(s[0], s[1], along, &tried);
            if (tried.apart > best->apart)
                *best = tried;
        }
}

/* ---- edges ---- */

/* The middle of that edge along axis `k` which is farthest along a direction. */
static void edge_of(const struct manifold_solid *s, int k, const double along[3], double middle[3])
{
    memcpy(middle, s->place, 3 * sizeof *middle);
    for (int j = 0; j < 3; ++j) {
        double axis[3];
        column(s->turn, j, axis);
        const double side = j == k ? 0 : dot3(axis, along) < 0 ? -s->half[j] : s->half[j];
        for (int c = 0; c < 3; ++c)
            middle[c] += side * axis[c];
    }
}

static double within(double t, double most)
{
    return t > most ? most : t < -most ? -most : t;
}

static void meet_edges(const struct manifold_solid *const s[2], const struct axis *axis,
                       struct manifold *out)
{
    const double back[3] = {-axis->normal[0], -axis->normal[1], -axis->normal[2]};
    double p[3], q[3], a[3], b[3], at[3], between[3];
    edge_of(s[0], axis->of[0], back, p);
    edge_of(s[1], axis->of[1], axis->normal, q);
    column(s[0]->turn, axis->of[0], a);
    column(s[1]->turn, axis->of[1], b);
    for (int k = 0; k < 3; ++k)
        between[k] = q[k] - p[k];
    /* The nearest places of two lines with unit directions that are not parallel. */
    const double c = dot3(a, b), da = dot3(a, between), db = dot3(b, between);
    const double under = 1 - c * c;
    const double t = within((da - c * db) / under, s[0]->half[axis->of[0]]);
    const double u = within((c * da - db) / under, s[1]->half[axis->of[1]]);
    for (int k = 0; k < 3; ++k) {
        const double x = p[k] + t * a[k] - s[0]->round * axis->normal[k];
        const double y = q[k] + u * b[k] + s[1]->round * axis->normal[k];
        at[k] = 0.5 * (x + y);
    }
    manifold_add(out, at, axis->normal, axis->apart - s[0]->round - s[1]->round);
}

/* ---- faces ---- */

/* The corners, in turn, of that face of axis `k` which looks along a direction. */
static void face_of(const struct manifold_solid *s, int k, const double along[3],
                    double corner[4][3])
{
    double axis[3][3];
    for (int j = 0; j < 3; ++j)
        column(s->turn, j, axis[j]);
    const int u = (k + 1) % 3, v = (k + 2) % 3;
    const double side = dot3(axis[k], along) < 0 ? -s->half[k] : s->half[k];
    for (int i = 0; i < 4; ++i)
        for (int c = 0; c < 3; ++c)
            corner[i][c] = s->place[c] + side * axis[k][c] +
                           (i == 1 || i == 2 ? s->half[u] : -s->half[u]) * axis[u][c] +
                           (i >= 2 ? s->half[v] : -s->half[v]) * axis[v][c];
}

/* Cuts off what is farther than `most` along a direction; how many corners are left. */
static uint32_t cut(double corner[CORNERS][3], uint32_t count, const double along[3], double most)
{
    double kept[CORNERS][3];
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const double *p = corner[i], *q = corner[(i + 1) % count];
        const double a = dot3(p, along) - most, b = dot3(q, along) - most;
        if (a <= 0 && n < CORNERS)
            memcpy(kept[n++], p, sizeof kept[0]);
        if ((a > 0) != (b > 0) && n < CORNERS) {
            for (int k = 0; k < 3; ++k)
                kept[n][k] = p[k] + a / (a - b) * (q[k] - p[k]);
            ++n;
        }
    }
    memcpy(corner, kept, n * sizeof kept[0]);
    return n;
}

/* The face of `other` that looks most against the normal. */
static int facing(const struct manifold_solid *other, const double normal[3])
{
    int best = 0;
    double most = -1;
    for (int k = 0; k < 3; ++k) {
        double axis[3];
        column(other->turn, k, axis);
        const double size = fabs(dot3(axis, normal));
        if (size > most)
            most = size, best = k;
    }
    return best;
}

static void meet_faces(const struct manifold_solid *const s[2], const struct axis *axis,
                       double reach, struct manifold *out)
{
    const struct manifold_solid *own = s[axis->of[0]], *other = s[1 - axis->of[0]];
    const double sign = axis->of[0] ? 1 : -1; /* outwards of the face */
    double corner[CORNERS][3], out_[3], in[3], at[3], deepest = (double)INFINITY,
                                                      nearest[3] = {0, 0, 0};
    for (int k = 0; k < 3; ++k) {
        out_[k] = sign * axis->normal[k];
        in[k] = -out_[k];
    }
    const int k = axis->of[1];
    const double plane = dot3(own->place, out_) + own->half[k];
    face_of(other, facing(other, out_), in, corner);
    for (int i = 0; i < 4; ++i)
        if (dot3(corner[i], out_) < deepest) {
            deepest = dot3(corner[i], out_);
            memcpy(nearest, corner[i], sizeof nearest);
        }
    uint32_t count = 4;
    for (int j = 0; j < 4; ++j) {
        const int side = (k + 1 + j / 2) % 3;
        double along[3];
        column(own->turn, side, along);
        for (int c = 0; c < 3 && j % 2; ++c)
            along[c] = -along[c];
        count = cut(corner, count, along, dot3(own->place, along) + own->half[side]);
    }
    const uint32_t before = out->count;
    for (uint32_t i = 0; i <= count; ++i) {
        /* Beside each other at last, with nothing in front of the face: the nearest corner alone.
         */
        if (i == count && out->count > before)
            break;
        const double *p = i == count ? nearest : corner[i];
        const double apart = dot3(p, out_) - plane, gap = apart - own->round - other->round;
        for (int c = 0; c < 3; ++c)
            at[c] = p[c] - (other->round + 0.5 * gap) * out_[c];
        if (gap <= reach)
            manifold_add(out, at, axis->normal, gap);
    }
}

void manifold_boxes(const struct manifold_solid *one, const struct manifold_solid *two,
                    double reach, struct manifold *out)
{
    const struct manifold_solid *const both[2] = {one, two};
    const double rounds = one->round + two->round;
    struct axis face, edge;
    best_face(both, &face);
    if (face.apart - rounds > reach)
        return;
    best_edge(both, &edge);
    if (edge.apart - rounds > reach)
        return;
    const double thin =
        manifold_thin(one) < manifold_thin(two) ? manifold_thin(one) : manifold_thin(two);
    if (edge.apart > face.apart + FACE_FIRST * thin)
        meet_edges(both, &edge, out);
    else
        meet_faces(both, &face, reach, out);
}
