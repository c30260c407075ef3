/* rigid_manifold.h - where two convex shapes are nearest: up to four places that keep them apart.
 *
 * Each shape is a core (a point, a segment, a box, a hull) with a rounding around it. All in
 * double, from poses alone, so that the same poses give the same bits. rigid_manifold.c: round
 * ones, and which places are kept. rigid_manifold_box.c: boxes against each other.
 * rigid_manifold_hull.c: hulls.
 */
#ifndef PIOLA_RIGID_MANIFOLD_H
#define PIOLA_RIGID_MANIFOLD_H

#include "shapes/form.h"

/* A shape where it is. */
struct manifold_solid {
    struct form form;
    double place[3], turn[9]; /* m; row-major: world = turn * local + place */
    double half[3]; /* m, of the core, or around a hull; of a segment half[1], of a point 0 */
    double round;   /* m, margin included */
};

/* A place between both, halfway; the normal leads from the second to the first. */
struct manifold_point {
    double at[3], normal[3], gap; /* m, unit, m */
};

#define MANIFOLD_KEPT 4u
#define MANIFOLD_MOST 64u
struct manifold {
    uint32_t count;
    struct manifold_point point[MANIFOLD_MOST];
};

/* The shape of a form in a pose; false for those that meet no rigid bodies. */
bool manifold_solid_of(const struct form *form, const double place[3], const double turn[9],
                       struct manifold_solid *solid);
/* m, around its origin: all of it; and the least half width of it. */
double manifold_ball(const struct manifold_solid *solid);
double manifold_thin(const struct manifold_solid *solid);

/* Places that are nearer than `reach` (m), at most MANIFOLD_KEPT. */
void manifold_find(const struct manifold_solid *one, const struct manifold_solid *two, double reach,
                   struct manifold *out);
/* rigid_manifold_box.c: all places of two boxes. */
void manifold_boxes(const struct manifold_solid *one, const struct manifold_solid *two,
                    double reach, struct manifold *out);

/* rigid_manifold_hull.c: a hull of not too many corners, or a box; all places of two of these. */
bool manifold_flat(const struct form *form);
void manifold_hulls(const struct manifold_solid *one, const struct manifold_solid *two,
                    double reach, struct manifold *out);

static inline void manifold_add(struct manifold *to, const double at[3], const double normal[3],
                                double gap)
{
    if (to->count == MANIFOLD_MOST)
        return;
    struct manifold_point *p = &to->point[to->count++];
    for (int k = 0; k < 3; ++k) {
        p->at[k] = at[k];
        p->normal[k] = normal[k];
    }
    p->gap = gap;
}

#endif
