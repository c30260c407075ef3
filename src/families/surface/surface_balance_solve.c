/* surface_balance_solve.c - conjugate gradients over motions of bodies as a whole.
 *
 * matrix u = - gradient, of all islands at once, with each body's own six numbers solved exactly
 * before. The quadratic falls with each iteration, so any number of them is safe.
 */
#include "base/spatial6.h"
#include "families/surface/surface.h"
#include "families/surface/surface_balance.h"
#include "motion/stage.h"

/* At most; and what is small enough of the square that is left. */
#define ITERATIONS 40
#define ENOUGH     1e-6

/* q = matrix p: each body's own, then what ties couple. */
static double multiply(const struct step *step)
{
    const piola_world *w = step->world;
    struct balance_body *all = world_balance_bodies(w);
    double curve = 0, v[6];
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        struct balance_body *own = &all[domain_body(step, i)];
        if (own->works)
            spatial_times((const double(*)[6])own->matrix, own->p, own->q);
    }
    for (uint32_t t = 0; t < world_surface_now(w)->ties; ++t) {
        const struct balance_tie *tie = &world_balance_ties(w)[t];
        for (int side = 0; side < 2; ++side) {
            struct balance_body *to = &all[side ? tie->b : tie->a];
            const struct balance_body *from = &all[side ? tie->a : tie->b];
            if (!to->works || !from->works)
                continue;
            spatial_times((const double(*)[6])tie->stiffness, from->p, v);
            for (int k = 0; k < 6; ++k)
                to->q[k] -= v[k];
        }
    }
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        const struct balance_body *own = &all[domain_body(step, i)];
        curve += own->works ? spatial_dot(own->p, own->q) : 0;
    }
    return curve;
}

/* The square of what is to be solved for; who cannot be moved safely takes no part. */
static double start(const struct step *step)
{
    struct balance_body *all = world_balance_bodies(step->world);
    double square = 0;
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        struct balance_body *own = &all[domain_body(step, i)];
        memset(own->u, 0, sizeof own->u);
        if (!own->works)
            continue;
        memcpy(own->factor, own->matrix, sizeof own->factor);
        if (!spatial_factor(own->factor)) {
            own->works = own->joins = 0;
            continue;
        }
        for (int k = 0; k < 6; ++k)
            own->r[k] = own->z[k] = -own->gradient[k];
        spatial_back((const double(*)[6])own->factor, own->z);
        memcpy(own->p, own->z, sizeof own->p);
        square += spatial_dot(own->r, own->z);
    }
    return square;
}

/* Goes alpha along p; the square of what is left. */
static double advance(const struct step *step, double alpha)
{
    struct balance_body *all = world_balance_bodies(step->world);
    double square = 0;
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        struct balance_body *own = &all[domain_body(step, i)];
        if (!own->works)
            continue;
        for (int k = 0; k < 6; ++k) {
            own->u[k] += alpha * own->p[k];
            own->r[k] -= alpha * own->q[k];
            own->z[k] = own->r[k];
        }
        spatial_back((const double(*)[6])own->factor, own->z);
        square += spatial_dot(own->r, own->z);
    }
    return square;
}

void balance_solve(const struct step *step)
{
    struct balance_body *all = world_balance_bodies(step->world);
    const double first = start(step);
    double square = first;
    for (int n = 0; n < ITERATIONS && square > ENOUGH * first; ++n) {
        const double curve = multiply(step);
        if (!(curve > 0))
            return;
        const double next = advance(step, square / curve), beta = next / square;
        for (uint32_t i = 0; i < domain_bodies(step); ++i) {
            struct balance_body *own = &all[domain_body(step, i)];
            for (int k = 0; k < 6 && own->works; ++k)
                own->p[k] = own->z[k] + beta * own->p[k];
        }
        square = next;
    }
}
