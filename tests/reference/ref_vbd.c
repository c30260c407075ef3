/* Local solvers; see the header. */
#include "ref_vbd.h"

#include <stdlib.h>
#include <string.h>

#include "ref_svd.h"

bool ref_incidence_create(ref_incidence *in, const ref_fem *f)
{
    in->start = calloc((size_t)f->vertices + 2, sizeof *in->start);
    in->tet = malloc(((size_t)f->tets * 4 + 1) * sizeof *in->tet);
    if (!in->start || !in->tet) {
        ref_incidence_free(in);
        return false;
    }
    /* Counts two places up, so that filling turns the sums into the starts. */
    for (int k = 0; k < 4 * f->tets; k++)
        in->start[f->tet[k] + 2]++;
    for (int v = 0; v < f->vertices; v++)
        in->start[v + 2] += in->start[v + 1];
    for (int k = 0; k < 4 * f->tets; k++)
        in->tet[in->start[f->tet[k] + 1]++] = k / 4;
    return true;
}

void ref_incidence_free(ref_incidence *in)
{
    free(in->start);
    free(in->tet);
    memset(in, 0, sizeof *in);
}

static int corner_of(const ref_fem *f, int t, int v)
{
    int c = 0;
    while (f->tet[4 * t + c] != v)
        c++;
    return c;
}

/* The terms of G that vertex v changes. */
static double local_objective(const ref_fem *f, const ref_incidence *in, const ref_problem *p,
                              int v, const double *x)
{
    double sum = 0;
    for (int k = in->start[v]; k < in->start[v + 1]; k++)
        sum += ref_fem_element_energy(f, in->tet[k], x);
    for (int i = 0; i < 3; i++) {
        int n = 3 * v + i;
        double force = f->mass[v] * p->acceleration[i] + (p->force ? p->force[n] : 0);
        double away = p->dt > 0 ? (x[n] - p->y[n]) / p->dt : 0;
        sum += 0.5 * f->mass[v] * away * away - force * x[n];
    }
    return sum;
}

static void local_system(const ref_fem *f, const ref_incidence *in, const ref_problem *p, int v,
                         const double *x, double g[3], double h[9])
{
    double inertia = p->dt > 0 ? f->mass[v] / (p->dt * p->dt) : 0;
    memset(h, 0, 9 * sizeof *h);
    for (int i = 0; i < 3; i++) {
        int n = 3 * v + i;
        h[4 * i] = inertia;
        g[i] = -f->mass[v] * p->acceleration[i] - (p->force ? p->force[n] : 0);
        if (p->dt > 0)
            g[i] += inertia * (x[n] - p->y[n]);
    }
    for (int k = in->start[v]; k < in->start[v + 1]; k++) {
        int t = in->tet[k], c = corner_of(f, t, v);
        double full[144], block[9], all[12];
        ref_fem_element_gradient(f, t, x, all);
        ref_fem_element_hessian(f, t, x, false, full);
        for (int i = 0; i < 9; i++)
            block[i] = full[12 * (3 * c + i / 3) + 3 * c + i % 3];
        const ref_material *m = &f->materials[f->material[t]];
        if (m->model != REF_STABLE_NEO_HOOKEAN || m->guard > 0)
            ref_project_positive(3, block, 0);
        for (int i = 0; i < 9; i++)
            h[i] += block[i];
        for (int i = 0; i < 3; i++)
            g[i] += all[3 * c + i];
    }
}

static bool solve3(const double h[9], const double g[3], double step[3])
{
    ref_mat3 a;
    memcpy(a.m, h, sizeof a.m);
    double det = ref_det(a), size = a.m[0][0] + a.m[1][1] + a.m[2][2];
    if (!(det > 1e-30 * size * size * size))
        return false;
    ref_mat3 inverse = ref_inverse(a);
    for (int i = 0; i < 3; i++)
        step[i] = -(inverse.m[i][0] * g[0] + inverse.m[i][1] * g[1] + inverse.m[i][2] * g[2]);
    return true;
}

int ref_descent_iteration(const ref_fem *f, const ref_incidence *in, const ref_problem *p,
                          const int *order, int max_halvings, double *x)
{
    int halved = 0;
    for (int n = 0; n < f->vertices; n++) {
        int v = order ? order[n] : n;
        double g[3], h[9], step[3], from[3];
        if (f->pinned[v])
            continue;
        local_system(f, in, p, v, x, g, h);
        if (!solve3(h, g, step))
            continue;
        double before = local_objective(f, in, p, v, x), t = 1;
        memcpy(from, x + 3 * v, sizeof from);
        for (int k = 0;; k++, t *= 0.5) {
            for (int i = 0; i < 3; i++)
                x[3 * v + i] = from[i] + t * step[i];
            if (local_objective(f, in, p, v, x) <= before)
                break;
            halved += k == 0;
            if (k == max_halvings) {
                memcpy(x + 3 * v, from, sizeof from);
                break;
            }
        }
    }
    return halved;
}

/* x += factor w_i g_i over the element's vertices; w is zero where pinned. */
static void move(const ref_fem *f, int t, double factor, const double g[12], double *x)
{
    for (int c = 0; c < 12; c++) {
        int v = f->tet[4 * t + c / 3];
        if (!f->pinned[v])
            x[3 * v + c % 3] += factor / f->mass[v] * g[c];
    }
}

static double weighted_square(const ref_fem *f, int t, const double g[12])
{
    double sum = 0;
    for (int c = 0; c < 12; c++) {
        int v = f->tet[4 * t + c / 3];
        sum += f->pinned[v] ? 0 : g[c] * g[c] / f->mass[v];
    }
    return sum;
}

void ref_energy_projection_iteration(const ref_fem *f, const int *order, double *x)
{
    for (int n = 0; n < f->tets; n++) {
        int t = order ? order[n] : n;
        double g[12], e = ref_fem_element_gradient(f, t, x, g), w = weighted_square(f, t, g);
        if (w > 0)
            move(f, t, -e / w, g, x);
    }
}

void ref_compliant_iteration(const ref_fem *f, const int *order, double dt, double *multiplier,
                             double *x)
{
    double alpha = 1 / (dt * dt);
    for (int n = 0; n < f->tets; n++) {
        int t = order ? order[n] : n;
        double g[12], e = ref_fem_element_gradient(f, t, x, g), c = sqrt(2 * e);
        if (!(c > 0))
            continue;
        double w = weighted_square(f, t, g) / (c * c);
        double change = (-c - alpha * multiplier[t]) / (w + alpha);
        multiplier[t] += change;
        move(f, t, change / c, g, x);
    }
}

void ref_explicit_projection(const ref_fem *f, double dt, const double *at, double *x)
{
    for (int t = 0; t < f->tets; t++) {
        double g[12];
        ref_fem_element_gradient(f, t, at, g);
        move(f, t, -dt * dt, g, x);
    }
}
