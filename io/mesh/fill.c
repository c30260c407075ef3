/* fill.c - see fill.h: a body-centred lattice (implicit.h) over the signed distance of a surface.
 */
#include "io/mesh/fill.h"

#include "io/base/memory.h"
#include "io/mesh/implicit.h"
#include "io/mesh/surface_tree.h"

#include <math.h>
#include <string.h>

struct filling {
    struct surface_tree tree;
    double thick; /* m: of a skin on both sides; 0: what is inside */
};

/* Facing inwards is as good as outwards. */
static double value(const double p[3], const void *settings)
{
    const struct filling *f = settings;
    double nearest[3];
    const double distance = surface_tree_nearest(&f->tree, p, nearest);
    if (f->thick > 0)
        return distance - f->thick;
    return fabs(surface_tree_winding(&f->tree, p)) > 0.5 ? -distance : distance;
}

static void project(double p[3], const void *settings)
{
    const struct filling *f = settings;
    double nearest[3];
    const double distance = surface_tree_nearest(&f->tree, p, nearest);
    for (int k = 0; k < 3; ++k)
        if (f->thick == 0)
            p[k] = nearest[k];
        else if (distance > 0)
            p[k] = nearest[k] + (p[k] - nearest[k]) * (f->thick / distance);
}

/* The largest side; 0 of points and of what is not finite. */
static double box_of(const struct meshgen *surface, struct implicit *solid)
{
    double most = 0;
    for (int k = 0; k < 3; ++k) {
        solid->low[k] = (double)INFINITY;
        solid->high[k] = -(double)INFINITY;
    }
    for (size_t i = 0; i < 3 * (size_t)surface->triangle_count; ++i)
        for (size_t k = 0; k < 3; ++k) {
            const double x = surface->vertices[3 * (size_t)surface->triangles[i] + k];
            solid->low[k] = fmin(solid->low[k], x);
            solid->high[k] = fmax(solid->high[k], x);
        }
    for (int k = 0; k < 3; ++k)
        most = fmax(most, solid->high[k] - solid->low[k]);
    return isfinite(most) ? most : 0;
}

static double area_of(const struct surface_tree *tree)
{
    const struct meshgen *m = tree->surface;
    double area = 0;
    for (size_t t = 0; t < m->triangle_count; ++t) {
        const double *p[3];
        double square = 0;
        for (size_t c = 0; c < 3; ++c)
            p[c] = m->vertices + 3 * (size_t)m->triangles[3 * t + c];
        for (int k = 0; k < 3; ++k) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            const double d = (p[1][i] - p[0][i]) * (p[2][j] - p[0][j]) -
                             (p[1][j] - p[0][j]) * (p[2][i] - p[0][i]);
            square += d * d;
        }
        area += sqrt(square) / 2;
    }
    return area;
}

/* A cell of h^3 holds 12 tetrahedra, and a skin is a cell thick: h^2 of it hold 12. A side is cut
 * into at least two cells, and not into more than 500. */
static double width_of(double whole, double power, uint32_t tetrahedra, double side)
{
    return fmin(side / 2, fmax(side / 500, pow(12 * whole / tetrahedra, 1 / power)));
}

static bool fill(struct filling *f, struct implicit *solid, double side, uint32_t tetrahedra,
                 struct meshgen *mesh, bool *skin)
{
    bool empty = true;
    const double volume = implicit_volume(solid, 20);
    *skin = false;
    if (volume > 0 && implicit_fill(mesh, solid, width_of(volume, 3, tetrahedra, side), &empty))
        return true;
    if (!empty)
        return false;
    const double h = width_of(area_of(&f->tree), 2, tetrahedra, side);
    *skin = true;
    f->thick = 0.6 * h; /* so that a cell's middle or its neighbour's is always inside */
    for (int k = 0; k < 3; ++k) {
        solid->low[k] -= h;
        solid->high[k] += h;
    }
    return implicit_fill(mesh, solid, h, &empty);
}

bool fill_surface(const struct meshgen *surface, uint32_t tetrahedra, struct meshgen *mesh,
                  bool *skin, struct problem *problem)
{
    struct filling f = {.thick = 0};
    struct implicit solid = {.value = value, .project = project, .settings = &f};
    bool any = false;
    memset(mesh, 0, sizeof *mesh);
    if (surface->triangle_count == 0)
        return problem_set(problem, EXIT_SCENE,
                           "the mesh has no triangles: only surfaces can be filled");
    const double side = box_of(surface, &solid);
    if (!(side > 0))
        return problem_set(
            problem, EXIT_SCENE,
            "all vertices of the surface are in one place: there is nothing to fill");
    if (!surface_tree_make(&f.tree, surface))
        return problem_memory(problem, "the tree of a surface", 0);
    const bool good = fill(&f, &solid, side, tetrahedra, mesh, skin ? skin : &any);
    surface_tree_free(&f.tree);
    return good || problem_memory(problem, "so many tetrahedra", 0);
}
