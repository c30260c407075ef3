/* Triangle against triangle and segment, by exact signs. See ref_cross.h; meshes: ref_cross_mesh.c.
 */
#include "ref_cross.h"

#include "ref_exact.h"

#include <string.h>

static void drop_axis(const double p[3], int axis, double out[2])
{
    out[0] = p[(axis + 1) % 3];
    out[1] = p[(axis + 2) % 3];
}

/* Sign of the turn of three points in space, seen along an axis. */
static int turn_along(int axis, const double *a, const double *b, const double *c)
{
    double u[2], v[2], w[2];
    drop_axis(a, axis, u);
    drop_axis(b, axis, v);
    drop_axis(c, axis, w);
    return ref_exact_turn(u, v, w);
}

/* An axis along which three points are not seen on one line, or -1 when they are on one. Seen along
 * it, their plane is one to one. */
static int clear_axis(const double *a, const double *b, const double *c)
{
    for (int axis = 0; axis < 3; axis++)
        if (turn_along(axis, a, b, c) != 0)
            return axis;
    return -1;
}

static bool ranges_overlap(double a, double b, double c, double d)
{
    const double low_ab = a < b ? a : b, high_ab = a < b ? b : a;
    const double low_cd = c < d ? c : d, high_cd = c < d ? d : c;
    return low_ab <= high_cd && low_cd <= high_ab;
}

/* Do four points of one plane, no two of which coincide along `axis` unless in space, make segments
 * that meet? Boxes overlap and each segment's line parts the other's ends or touches one. */
static bool flat_segments_meet(int axis, const double *p, const double *q, const double *a,
                               const double *b)
{
    for (int k = 0; k < 3; k++)
        if (!ranges_overlap(p[k], q[k], a[k], b[k]))
            return false;
    return turn_along(axis, a, b, p) * turn_along(axis, a, b, q) <= 0 &&
           turn_along(axis, p, q, a) * turn_along(axis, p, q, b) <= 0;
}

bool ref_cross_segments_meet(const double p[3], const double q[3], const double a[3],
                             const double b[3])
{
    if (ref_exact_side(p, q, a, b) != 0)
        return false;
    const double *points[4] = {p, q, a, b};
    for (int skip = 0; skip < 4; skip++) {
        const double *three[3];
        for (int i = 0, n = 0; i < 4; i++)
            if (i != skip)
                three[n++] = points[i];
        const int axis = clear_axis(three[0], three[1], three[2]);
        if (axis >= 0)
            return flat_segments_meet(axis, p, q, a, b);
    }
    /* All on one line: the boxes decide. */
    for (int k = 0; k < 3; k++)
        if (!ranges_overlap(p[k], q[k], a[k], b[k]))
            return false;
    return true;
}

static bool touches_edges(const double *p, const double *q, const double t[9])
{
    for (int i = 0; i < 3; i++)
        if (ref_cross_segments_meet(p, q, t + 3 * i, t + 3 * ((i + 1) % 3)))
            return true;
    return false;
}

/* Of a point in the triangle's plane, which has an area seen along `axis`. */
static bool inside_flat(int axis, const double *p, const double t[9])
{
    int turns[3];
    for (int i = 0; i < 3; i++)
        turns[i] = turn_along(axis, t + 3 * i, t + 3 * ((i + 1) % 3), p);
    return (turns[0] >= 0 && turns[1] >= 0 && turns[2] >= 0) ||
           (turns[0] <= 0 && turns[1] <= 0 && turns[2] <= 0);
}

ref_meeting ref_cross_edge(const double p[3], const double q[3], const double t[9])
{
    const int side_p = ref_exact_side(t, t + 3, t + 6, p);
    const int side_q = ref_exact_side(t, t + 3, t + 6, q);
    if (side_p * side_q > 0)
        return REF_APART;
    if (side_p == 0 && side_q == 0) {
        const int axis = clear_axis(t, t + 3, t + 6);
        const bool meet = touches_edges(p, q, t) || (axis >= 0 && inside_flat(axis, p, t));
        return meet ? REF_TOUCH : REF_APART;
    }
    int least = 1, most = -1;
    for (int i = 0; i < 3; i++) {
        const int s = ref_exact_side(p, q, t + 3 * i, t + 3 * ((i + 1) % 3));
        least = s < least ? s : least;
        most = s > most ? s : most;
    }
    if (least * most < 0)
        return REF_APART;
    return least * most > 0 && side_p != 0 && side_q != 0 ? REF_CROSS : REF_TOUCH;
}

/* Signs of the corners of `t` against the plane of `of`. */
static void sides(const double of[9], const double t[9], int out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = ref_exact_side(of, of + 3, of + 6, t + 3 * i);
}

static bool all_on_one_side(const int s[3])
{
    return (s[0] > 0 && s[1] > 0 && s[2] > 0) || (s[0] < 0 && s[1] < 0 && s[2] < 0);
}

/* The corner that is strictly alone on its side of a plane that parts the triangle strictly, or -1
 * when it does not. */
static int lone_corner(const int s[3])
{
    int count[2] = {0, 0}, last[2] = {-1, -1};
    for (int i = 0; i < 3; i++)
        if (s[i] != 0) {
            count[s[i] < 0]++;
            last[s[i] < 0] = i;
        }
    if (count[0] == 0 || count[1] == 0)
        return -1;
    return count[0] == 1 ? last[0] : last[1];
}

/* Corners from `lone` on, the two others exchanged when `swap`. */
static void arrange(const double t[9], int lone, bool swap, const double *out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = t + 3 * ((lone + i) % 3);
    if (swap) {
        const double *other = out[1];
        out[1] = out[2];
        out[2] = other;
    }
}

/* Both planes part the other triangle, so each triangle cuts the line of the planes in an open
 * interval; do these overlap? (Guigue and Devillers 2003, with each lone corner on the positive
 * side of the other's plane.) */
static bool intervals_overlap(const double a[9], const int side_a[3], const double b[9],
                              const int side_b[3])
{
    const int lone_a = lone_corner(side_a), lone_b = lone_corner(side_b);
    if (lone_a < 0 || lone_b < 0)
        return false;
    const double *p[3], *q[3];
    arrange(a, lone_a, side_b[lone_b] < 0, p);
    arrange(b, lone_b, side_a[lone_a] < 0, q);
    return ref_exact_side(p[0], p[1], q[0], q[1]) < 0 && ref_exact_side(p[0], p[2], q[2], q[0]) < 0;
}

ref_meeting ref_cross_triangles(const double a[9], const double b[9])
{
    int side_a[3], side_b[3];
    sides(b, a, side_a);
    if (all_on_one_side(side_a))
        return REF_APART;
    sides(a, b, side_b);
    if (all_on_one_side(side_b))
        return REF_APART;
    if (intervals_overlap(a, side_a, b, side_b))
        return REF_CROSS;
    for (int i = 0; i < 3; i++) {
        const int j = 3 * ((i + 1) % 3);
        if (ref_cross_edge(a + 3 * i, a + j, b) != REF_APART ||
            ref_cross_edge(b + 3 * i, b + j, a) != REF_APART)
            return REF_TOUCH;
    }
    return REF_APART;
}
