/* Minimiser of a sheet's objective: Newton with a sparse direct solver. A flat sheet without
 * tension has no stiffness across its plane and a compressed one has less than none, so the Hessian
 * is shifted until it is positive definite; backtracking keeps every step a descent. */
#include "ref_sheet.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_HALVINGS = 40 };

typedef struct {
    ref_sheet *sheet;
    const ref_problem *problem;
    double *x, *gradient, *step, *trial, *trial_gradient;
    double shift; /* the last one that served, N/m */
    int size;
} newton;

static double loads(const ref_sheet *s, const ref_problem *p, const double *x, double *gradient)
{
    const double inertia = p->dt > 0 ? 1 / (p->dt * p->dt) : 0;
    double sum = 0;
    for (int i = 0; i < 3 * s->vertices; i++) {
        const double force = s->mass[i / 3] * p->acceleration[i % 3] + (p->force ? p->force[i] : 0);
        const double off = inertia > 0 ? x[i] - p->y[i] : 0;
        sum += s->mass[i / 3] * inertia * off * off / 2 - force * x[i];
        if (gradient)
            gradient[i] =
                s->pinned[i / 3] ? 0 : gradient[i] + s->mass[i / 3] * inertia * off - force;
    }
    return sum;
}

double ref_sheet_objective(const ref_sheet *s, const ref_problem *problem, const double *x)
{
    return ref_sheet_energy(s, x) + loads(s, problem, x, NULL);
}

double ref_sheet_objective_gradient(const ref_sheet *s, const ref_problem *problem, const double *x,
                                    double *gradient)
{
    const double energy = ref_sheet_energy_gradient(s, x, gradient);
    return energy + loads(s, problem, x, gradient);
}

static double largest(const double *g, int n)
{
    double r = 0;
    for (int i = 0; i < n; i++)
        r = fmax(r, fabs(g[i]));
    return r;
}

/* Inertia and the shift on the diagonal; a pinned vertex becomes an identity row. Returns the mean
 * diagonal entry before the shift. */
static double constrain(const newton *n, double shift)
{
    ref_sheet *s = n->sheet;
    const double inertia = n->problem->dt > 0 ? 1 / (n->problem->dt * n->problem->dt) : 0;
    double sum = 0;
    for (int r = 0; r < s->vertices; r++)
        for (int k = s->tangent.start[r]; k < s->tangent.start[r + 1]; k++) {
            const int c = s->tangent.column[k];
            double *b = s->tangent.value + 9 * (long)k;
            if (s->pinned[r] || s->pinned[c])
                memset(b, 0, 9 * sizeof *b);
            for (int i = 0; i < 3 && r == c; i++) {
                sum += fabs(b[4 * i]);
                b[4 * i] += s->pinned[r] ? 1 : inertia * s->mass[r] + shift;
            }
        }
    return sum / (3 * s->vertices);
}

static bool direction(newton *n)
{
    ref_sheet *s = n->sheet;
    bool ok = false;
    double shift = n->shift < 1e-11 ? 0 : n->shift / 10;
    for (int i = 0; i < 30 && !ok; i++) {
        ref_sheet_tangent(s, n->x);
        const double mean = constrain(n, shift);
        ok = ref_factor_compute(&s->factor, &s->tangent);
        n->shift = shift;
        shift = fmax(1e-10 * mean, 10 * shift);
    }
    if (!ok)
        return false;
    ref_factor_solve(&s->factor, n->gradient, n->step);
    for (int k = 0; k < n->size; k++)
        n->step[k] = -n->step[k];
    return true;
}

/* Backtracks until the objective falls enough; within its rounding the gradient decides. */
static bool search(newton *n, double *objective)
{
    double slope = 0, t = 1;
    const double before = largest(n->gradient, n->size);
    for (int k = 0; k < n->size; k++)
        slope += n->step[k] * n->gradient[k];
    const double noise =
        64 * DBL_EPSILON * (fabs(*objective) + fabs(ref_sheet_energy(n->sheet, n->x)));
    for (int i = 0; i < MAX_HALVINGS; i++, t *= 0.5) {
        for (int k = 0; k < n->size; k++)
            n->trial[k] = n->x[k] + t * n->step[k];
        const double value =
            ref_sheet_objective_gradient(n->sheet, n->problem, n->trial, n->trial_gradient);
        const bool falls = value <= *objective + 1e-4 * t * slope;
        const bool rounding = value <= *objective + noise && -t * slope < 100 * noise &&
                              largest(n->trial_gradient, n->size) < before;
        if (!falls && !rounding)
            continue;
        memcpy(n->x, n->trial, (size_t)n->size * sizeof *n->x);
        memcpy(n->gradient, n->trial_gradient, (size_t)n->size * sizeof *n->gradient);
        *objective = value;
        return true;
    }
    return false;
}

ref_result ref_sheet_minimise(ref_sheet *s, const ref_problem *problem, const ref_options *options,
                              double *x)
{
    ref_result r = {false, 0, 0, 0};
    const size_t size = (size_t)s->vertices * 3;
    double *work = malloc(size * 4 * sizeof *work);
    if (!work)
        return r;
    newton n = {s, problem, x, work, work + size, work + 2 * size, work + 3 * size, 0, (int)size};
    r.objective = ref_sheet_objective_gradient(s, problem, x, n.gradient);
    for (;; r.iterations++) {
        r.residual = largest(n.gradient, n.size);
        r.converged = r.residual <= options->tolerance;
        if (r.converged || r.iterations >= options->max_iterations)
            break;
        if (!direction(&n) || !search(&n, &r.objective))
            break;
    }
    free(work);
    return r;
}
