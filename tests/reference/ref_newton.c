/* Minimiser of the reference's objective: Newton with a sparse direct solver. The exact Hessian is
 * tried first near the solution, for quadratic convergence; where it is not positive definite the
 * element-wise projected one replaces it, and backtracking keeps every step a descent. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "ref_fem.h"

enum { MAX_HALVINGS = 40 };

typedef struct {
    ref_fem *fem;
    const ref_problem *problem;
    double *x, *trial, *gradient, *step;
    int size;
} newton;

static double largest(const double *g, int n)
{
    double r = 0;
    for (int i = 0; i < n; i++)
        r = fmax(r, fabs(g[i]));
    return r;
}

static bool held(const ref_fem *f, int vertex, int axis)
{
    return f->pinned[vertex] || f->held[3 * vertex + axis];
}

/* Inertia on the diagonal; what is held becomes identity rows. */
static void constrain(newton *s)
{
    ref_fem *f = s->fem;
    double inertia = s->problem->dt > 0 ? 1 / (s->problem->dt * s->problem->dt) : 0;
    for (int r = 0; r < f->vertices; r++)
        for (int k = f->tangent.start[r]; k < f->tangent.start[r + 1]; k++) {
            int c = f->tangent.column[k];
            double *b = f->tangent.value + 9 * (long)k;
            for (int i = 0; i < 9; i++)
                if (held(f, r, i / 3) || held(f, c, i % 3))
                    b[i] = 0;
            for (int i = 0; i < 3 && r == c; i++)
                b[4 * i] += held(f, r, i) ? 1 : inertia * f->mass[r];
        }
}

/* Adds t times the diagonal to itself, for a projected Hessian that is only semidefinite. */
static void shift(newton *s, double t)
{
    ref_fem *f = s->fem;
    for (int r = 0; r < f->vertices; r++) {
        double *b = ref_blocks_at(&f->tangent, r, r);
        double size = b[0] + b[4] + b[8];
        for (int i = 0; i < 3; i++)
            b[4 * i] += t * size + DBL_MIN;
    }
}

/* step = -H^-1 gradient; true if the exact Hessian served. */
static bool direction(newton *s, bool exact)
{
    ref_fem *f = s->fem;
    bool ok = false;
    if (exact) {
        ref_fem_tangent(f, s->x, false);
        constrain(s);
        ok = ref_factor_compute(&f->factor, &f->tangent);
    }
    bool served = ok;
    if (!ok) {
        ref_fem_tangent(f, s->x, true);
        constrain(s);
        ok = ref_factor_compute(&f->factor, &f->tangent);
        for (double t = 1e-9; !ok && t < 1; t *= 100) {
            shift(s, t);
            ok = ref_factor_compute(&f->factor, &f->tangent);
        }
    }
    ref_factor_solve(&f->factor, s->gradient, s->step);
    for (int k = 0; k < s->size; k++)
        s->step[k] = -s->step[k];
    return served;
}

/* Backtracks until the objective falls enough; x and gradient are then those of the new point.
 * Returns the accepted fraction, 0 when nothing lowers the objective. Within rounding of the
 * objective the gradient decides instead. */
static double search(newton *s, double *objective)
{
    double slope = 0, before = largest(s->gradient, s->size), t = 1;
    double noise = 16 * DBL_EPSILON * (fabs(*objective) + ref_fem_energy(s->fem, s->x));
    double *g = s->step + s->size;
    for (int k = 0; k < s->size; k++)
        slope += s->step[k] * s->gradient[k];
    for (int n = 0; n < MAX_HALVINGS; n++, t *= 0.5) {
        for (int k = 0; k < s->size; k++)
            s->trial[k] = s->x[k] + t * s->step[k];
        double value = ref_fem_objective(s->fem, s->problem, s->trial);
        bool falls = value <= *objective + 1e-4 * t * slope;
        if (!falls && !(value <= *objective + noise && -t * slope < 100 * noise))
            continue;
        ref_fem_objective_gradient(s->fem, s->problem, s->trial, g);
        if (!falls && largest(g, s->size) >= before)
            continue;
        memcpy(s->x, s->trial, (size_t)s->size * sizeof *s->x);
        memcpy(s->gradient, g, (size_t)s->size * sizeof *g);
        *objective = value;
        return t;
    }
    return 0;
}

ref_result ref_fem_minimise(ref_fem *f, const ref_problem *problem, const ref_options *options,
                            double *x)
{
    ref_result r = {false, 0, 0, 0};
    int n = 3 * f->vertices;
    newton s = {f, problem, x, NULL, NULL, NULL, n};
    double *work = malloc((size_t)n * 4 * sizeof *work);
    if (!work)
        return r;
    s.trial = work;
    s.gradient = work + n;
    s.step = work + 2 * (long)n;
    bool exact = true;
    r.objective = ref_fem_objective_gradient(f, problem, x, s.gradient);
    for (;; r.iterations++) {
        r.residual = largest(s.gradient, n);
        r.converged = r.residual <= options->tolerance;
        if (r.converged || r.iterations >= options->max_iterations)
            break;
        bool served = direction(&s, exact);
        double t = search(&s, &r.objective);
        if (t == 0 && !served)
            break;
        exact = served ? t > 0.1 : t == 1;
    }
    free(work);
    return r;
}

ref_result ref_fem_static(ref_fem *f, const ref_problem *problem, const ref_options *options,
                          int steps, double *x)
{
    ref_result r = {false, 0, 0, 0};
    size_t n = (size_t)f->vertices * 3;
    double *force = malloc(n * sizeof *force);
    if (!force)
        return r;
    int total = 0;
    for (int s = 1; s <= steps; s++) {
        double part = (double)s / steps;
        ref_problem p = *problem;
        for (int i = 0; i < 3; i++)
            p.acceleration[i] = problem->acceleration[i] * part;
        for (size_t k = 0; k < n; k++)
            force[k] = problem->force ? part * problem->force[k] : 0;
        p.dt = 0;
        p.force = force;
        r = ref_fem_minimise(f, &p, options, x);
        total += r.iterations;
    }
    r.iterations = total;
    free(force);
    return r;
}
