/* rigid_manifold_hull.c - two bodies with flat faces, one of them at least a hull: as two boxes
 * (rigid_manifold_box.c), with whatever corners, faces and edges they have.
 *
 * The axis is sought among the normals of all faces and of those pairs of edges whose product can
 * be a face of all differences of places of both: where the arcs between the normals beside each
 * cross on the unit sphere. A face is all corners that lie in its plane, so that triangles of one
 * plane count as one.
 */
#include "families/rigid/rigid_manifold.h"

#include "base/spatial6.h"
#include "shapes/shapes.h"

#define CORNERS  64u  /* of a hull that meets others with flat faces */
#define FACES    128u /* triangles; of a box 12 */
#define SAME     1e-6 /* of its size: corners that lie in a plane; cosine less than 1: of one plane */
#define PARALLEL 1e-3 /* sine: edges that have no common normal */
/* As in rigid_manifold_box.c. */
#define FACE_FIRST 5e-3

struct polytope {
    uint32_t corners, faces, edges;
    double corner[CORNERS][3], middle[3];
    double normal[FACES][3], offset[FACES]; /* of each plane once */
    /* From corner to corner, and the normals beside. */
    struct {
        uint32_t from, to;
        double beside[2][3];
    } edge[3 * FACES / 2];
    double size, round;
};

bool manifold_flat(const struct form *form)
{
    return form->shape->kind == PIOLA_SHAPE_BOX ||
           (form->shape->kind == PIOLA_SHAPE_HULL && form->compiled->stats.vertices <= CORNERS &&
            form->compiled->stats.triangles <= FACES);
}

/* ---- what it is made of ---- */

static void place_corners(const struct manifold_solid *s, struct polytope *p)
{
    for (uint32_t i = 0; i < p->corners; ++i) {
        double local[3];
        for (int k = 0; k < 3; ++k)
            local[k] = s->form.compiled ? (double)shape_points(s->form.compiled)[i].at[k]
                       : i >> k & 1     ? s->half[k]
                                        : -s->half[k];
        for (int k = 0; k < 3; ++k) {
            p->corner[i][k] = s->place[k] + dot3(s->turn + 3 * (size_t)k, local);
            p->middle[k] += p->corner[i][k] / p->corners;
        }
        p->size = sqrt(dot3(local, local)) > p->size ? sqrt(dot3(local, local)) : p->size;
    }
}

static void normal_of(const struct polytope *p, const uint32_t corner[3], double normal[3])
{
    double a[3], b[3];
    for (int k = 0; k < 3; ++k) {
        a[k] = p->corner[corner[1]][k] - p->corner[corner[0]][k];
        b[k] = p->corner[corner[2]][k] - p->corner[corner[0]][k];
    }
    cross3(a, b, normal);
    const double size = sqrt(dot3(normal, normal));
    for (int k = 0; k < 3; ++k)
        normal[k] /= size > 0 ? size : 1;
}

static bool of_one_plane(const double a[3], const double b[3])
{
    return dot3(a, b) > 1 - SAME;
}

static void add_plane(struct polytope *p, const double normal[3], const double at[3])
{
    for (uint32_t f = 0; f < p->faces; ++f)
        if (of_one_plane(p->normal[f], normal))
            return;
    memcpy(p->normal[p->faces], normal, sizeof p->normal[0]);
    p->offset[p->faces++] = dot3(normal, at);
}

static void add_edge(struct polytope *p, uint32_t from, uint32_t to, const double one[3],
                     const double other[3])
{
    if (of_one_plane(one, other))
        return;
    p->edge[p->edges].from = from;
    p->edge[p->edges].to = to;
    memcpy(p->edge[p->edges].beside[0], one, 3 * sizeof *one);
    memcpy(p->edge[p->edges++].beside[1], other, 3 * sizeof *other);
}

static void take_hull(const piola_shape_data *shape, struct polytope *p)
{
    const struct shape_facet *facets = shape_facets(shape);
    for (uint32_t f = 0; f < shape->stats.triangles; ++f) {
        double normal[3], other[3];
        normal_of(p, facets[f].corner, normal);
        add_plane(p, normal, p->corner[facets[f].corner[0]]);
        for (int k = 0; k < 3; ++k) {
            if (facets[f].beside[k] < f)
                continue;
            normal_of(p, facets[facets[f].beside[k]].corner, other);
            add_edge(p, facets[f].corner[k], facets[f].corner[(k + 1) % 3], normal, other);
        }
    }
}

static void take_box(const struct manifold_solid *s, struct polytope *p)
{
    for (uint32_t k = 0; k < 3; ++k)
        for (int side = -1; side <= 1; side += 2) {
            double normal[3];
            for (int j = 0; j < 3; ++j)
                normal[j] = side * s->turn[3 * j + (int)k];
            add_plane(p, normal, p->corner[side > 0 ? 7 : 0]);
        }
    for (uint32_t k = 0; k < 3; ++k)
        for (uint32_t i = 0; i < 8; ++i) {
            const uint32_t u = (k + 1) % 3, v = (k + 2) % 3;
            if (i >> k & 1)
                continue;
            add_edge(p, i, i | 1u << k, p->normal[2 * u + (i >> u & 1)],
                     p->normal[2 * v + (i >> v & 1)]);
        }
}

static void take(const struct manifold_solid *s, struct polytope *p)
{
    memset(p, 0, sizeof *p);
    p->corners = s->form.compiled ? s->form.compiled->stats.vertices : 8;
    p->round = s->round;
    place_corners(s, p);
    if (s->form.compiled)
        take_hull(s->form.compiled, p);
    else
        take_box(s, p);
}

/* ---- the axis ---- */

static double least_along(const struct polytope *p, const double along[3])
{
    double least = dot3(p->corner[0], along);
    for (uint32_t i = 1; i < p->corners; ++i) {
        const double at = dot3(p->corner[i], along);
        least = at < least ? at : least;
    }
    return least;
}

struct best {
    double apart, normal[3]; /* outwards of `owner` */
    int owner;
    uint32_t which[2];
};

static void best_face(const struct polytope *const p[2], struct best *best)
{
    *best = (struct best){.apart = -(double)INFINITY};
    for (int owner = 0; owner < 2; ++owner)
        for (uint32_t f = 0; f < p[owner]->faces; ++f) {
            const double apart =
                least_along(p[1 - owner], p[owner]->normal[f]) - p[owner]->offset[f];
            if (!(apart > best->apart + (owner ? SAME * p[owner]->size : 0)))
                continue;
            best->apart = apart;
            best->owner = owner;
            best->which[0] = f;
            memcpy(best->normal, p[owner]->normal[f], sizeof best->normal);
        }
}

/* The arcs from a to b, and from -c to -d, cross on the unit sphere. */
static bool arcs_cross(const double a[3], const double b[3], const double c[3], const double d[3])
{
    double ba[3], dc[3];
    cross3(b, a, ba);
    cross3(d, c, dc);
    const double cba = -dot3(c, ba), dba = -dot3(d, ba), adc = dot3(a, dc), bdc = dot3(b, dc);
    return cba * dba < 0 && adc * bdc < 0 && cba * bdc > 0;
}

static void try_edges(const struct polytope *const p[2], uint32_t i, uint32_t j, struct best *best)
{
    const double *a = p[0]->corner[p[0]->edge[i].from], *b = p[1]->corner[p[1]->edge[j].from];
    double u[3], v[3], normal[3], out[3], apart = 0;
    for (int k = 0; k < 3; ++k) {
        u[k] = p[0]->corner[p[0]->edge[i].to][k] - a[k];
        v[k] = p[1]->corner[p[1]->edge[j].to][k] - b[k];
        out[k] = a[k] - p[0]->middle[k];
    }
    cross3(u, v, normal);
    const double size = sqrt(dot3(normal, normal));
    if (size < PARALLEL * sqrt(dot3(u, u) * dot3(v, v)))
        return;
    const double side = dot3(normal, out) < 0 ? -1 : 1;
    for (int k = 0; k < 3; ++k) {
        normal[k] *= side / size;
        apart += normal[k] * (b[k] - a[k]);
    }
    if (!(apart > best->apart))
        return;
    best->apart = apart;
    best->which[0] = i;
    best->which[1] = j;
    memcpy(best->normal, normal, sizeof normal);
}

static void best_edges(const struct polytope *const p[2], struct best *best)
{
    *best = (struct best){.apart = -(double)INFINITY};
    for (uint32_t i = 0; i < p[0]->edges; ++i)
        for (uint32_t j = 0; j < p[1]->edges; ++j)
            if (arcs_cross(p[0]->edge[i].beside[0], p[0]->edge[i].beside[1],
                           p[1]->edge[j].beside[0], p[1]->edge[j].beside[1]))
                try_edges(p, i, j, best);
}

/* ---- places ---- */

static double within(double t)
{
    return t > 1 ? 1 : t < 0 ? 0 : t;
}

static void meet_edges(const struct polytope *const p[2], const struct best *best,
                       struct manifold *out)
{
    const double *a = p[0]->corner[p[0]->edge[best->which[0]].from];
    const double *b = p[1]->corner[p[1]->edge[best->which[1]].from];
    const double gap = best->apart - p[0]->round - p[1]->round;
    double u[3], v[3], between[3], at[3], back[3];
    for (int k = 0; k < 3; ++k) {
        u[k] = p[0]->corner[p[0]->edge[best->which[0]].to][k] - a[k];
        v[k] = p[1]->corner[p[1]->edge[best->which[1]].to][k] - b[k];
        between[k] = b[k] - a[k];
        back[k] = -best->normal[k];
    }
    const double uu = dot3(u, u), vv = dot3(v, v), uv = dot3(u, v), under = uu * vv - uv * uv;
    const double t = within((dot3(u, between) * vv - dot3(v, between) * uv) / under);
    const double s = within((dot3(u, between) * uv - dot3(v, between) * uu) / under);
    for (int k = 0; k < 3; ++k)
        at[k] = 0.5 * (a[k] + t * u[k] + p[0]->round * best->normal[k] + b[k] + s * v[k] -
                       p[1]->round * best->normal[k]);
    manifold_add(out, at, back, gap);
}

/* Rises with the angle of (x, y), from 0 to 4. */
static double turn_of(double x, double y)
{
    const double size = fabs(x) + fabs(y), share = size > 0 ? y / size : 0;
    return x >= 0 ? (y >= 0 ? share : 4 + share) : 2 - share;
}

/* The corners of the face with a normal, in turn about it. */
static uint32_t face_of(const struct polytope *p, const double normal[3], double face[CORNERS][3])
{
    double key[CORNERS], u[3], v[3], middle[3] = {0, 0, 0}, axis[3] = {0, 0, 0};
    const double back[3] = {-normal[0], -normal[1], -normal[2]}, most = -least_along(p, back);
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->corners; ++i)
        if (dot3(p->corner[i], normal) > most - SAME * p->size)
            memcpy(face[n++], p->corner[i], sizeof face[0]);
    for (uint32_t i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k)
            middle[k] += face[i][k] / n;
    axis[fabs(normal[0]) < 0.6 ? 0 : 1] = 1;
    cross3(normal, axis, u);
    cross3(normal, u, v);
    for (uint32_t i = 0; i < n; ++i) {
        double at[3], held[3];
        uint32_t j = i;
        for (int k = 0; k < 3; ++k)
            at[k] = face[i][k] - middle[k];
        const double angle = turn_of(dot3(at, u), dot3(at, v));
        memcpy(held, face[i], sizeof held);
        for (; j > 0 && key[j - 1] > angle; --j) {
            key[j] = key[j - 1];
            memcpy(face[j], face[j - 1], sizeof face[0]);
        }
        key[j] = angle;
        memcpy(face[j], held, sizeof held);
    }
    return n;
}

#define CUT (2 * CORNERS)
/* Cuts off what is beyond a line of the face: how many corners are left. */
static uint32_t cut(double corner[CUT][3], uint32_t count, const double along[3], double most)
{
    double kept[CUT][3];
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const double *p = corner[i], *q = corner[(i + 1) % count];
        const double a = dot3(p, along) - most, b = dot3(q, along) - most;
        if (a <= 0 && n < CUT)
            memcpy(kept[n++], p, sizeof kept[0]);
        if ((a > 0) != (b > 0) && n < CUT) {
            for (int k = 0; k < 3; ++k)
                kept[n][k] = p[k] + a / (a - b) * (q[k] - p[k]);
            ++n;
        }
    }
    memcpy(corner, kept, n * sizeof kept[0]);
    return n;
}

/* The plane that looks most against a normal. */
static const double *facing(const struct polytope *p, const double normal[3])
{
    uint32_t best = 0;
    for (uint32_t f = 1; f < p->faces; ++f)
        best = dot3(p->normal[f], normal) < dot3(p->normal[best], normal) ? f : best;
    return p->normal[best];
}

static void meet_faces(const struct polytope *const p[2], const struct best *best, double reach,
                       struct manifold *out)
{
    const struct polytope *own = p[best->owner], *other = p[1 - best->owner];
    const double *n = best->normal, sign = best->owner ? 1 : -1;
    const double normal[3] = {sign * n[0], sign * n[1], sign * n[2]};
    const double plane = own->offset[best->which[0]];
    double face[CORNERS][3], corner[CUT][3], at[3];
    const uint32_t sides = face_of(own, n, face);
    uint32_t count = face_of(other, facing(other, n), corner), nearest = 0;
    double deepest[3];
    for (uint32_t i = 1; i < count; ++i)
        nearest = dot3(corner[i], n) < dot3(corner[nearest], n) ? i : nearest;
    memcpy(deepest, corner[nearest], sizeof deepest);
    for (uint32_t i = 0; i < sides; ++i) {
        double along[3], edge[3];
        for (int k = 0; k < 3; ++k)
            edge[k] = face[(i + 1) % sides][k] - face[i][k];
        cross3(edge, n, along);
        count = cut(corner, count, along, dot3(face[i], along));
    }
    const uint32_t before = out->count;
    for (uint32_t i = 0; i <= count; ++i) {
        if (i == count && out->count > before)
            break;
        const double *x = i == count ? deepest : corner[i];
        const double gap = dot3(x, n) - plane - own->round - other->round;
        for (int k = 0; k < 3; ++k)
            at[k] = x[k] - (other->round + 0.5 * gap) * n[k];
        if (gap <= reach)
            manifold_add(out, at, normal, gap);
    }
}

void manifold_hulls(const struct manifold_solid *one, const struct manifold_solid *two,
                    double reach, struct manifold *out)
{
    struct polytope made[2];
    const struct polytope *const both[2] = {&made[0], &made[1]};
    struct best face, edges;
    take(one, &made[0]);
    take(two, &made[1]);
    const double rounds = one->round + two->round;
    best_face(both, &face);
    if (face.apart - rounds > reach)
        return;
    best_edges(both, &edges);
    if (edges.apart - rounds > reach)
        return;
    const double thin =
        manifold_thin(one) < manifold_thin(two) ? manifold_thin(one) : manifold_thin(two);
    if (edges.apart > face.apart + FACE_FIRST * thin)
        meet_edges(both, &edges, out);
    else
        meet_faces(both, &face, reach, out);
}
