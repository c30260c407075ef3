/* Assembly of energy, gradient and tangent over linear tetrahedra. The minimiser is in
 * ref_newton.c. */
#include "ref_fem.h"

#include <stdlib.h>
#include <string.h>

static ref_mat3 shape(const int v[4], const double *x)
{
    ref_mat3 d;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            d.m[i][j] = x[3 * v[j] + i] - x[3 * v[3] + i];
    return d;
}

static bool fill_rest(ref_fem *f, const ref_mesh *mesh, const int *material, double density)
{
    for (int t = 0; t < f->tets; t++) {
        const int *v = f->tet + 4 * t;
        ref_mat3 dm = shape(v, mesh->x);
        f->volume[t] = fabs(ref_det(dm)) / 6;
        if (!(f->volume[t] > 0))
            return false;
        f->dm_inverse[t] = ref_inverse(dm);
        f->material[t] = material ? material[t] : 0;
        for (int c = 0; c < 4; c++)
            f->mass[v[c]] += 0.25 * density * f->volume[t];
    }
    return true;
}

bool ref_fem_create(ref_fem *f, const ref_mesh *mesh, const ref_material *materials,
                    int material_count, const int *material, double density)
{
    size_t nv = (size_t)mesh->vertices, nt = (size_t)mesh->tets, nm = (size_t)material_count;
    memset(f, 0, sizeof *f);
    f->vertices = mesh->vertices;
    f->tets = mesh->tets;
    f->tet = malloc(nt * 4 * sizeof *f->tet);
    f->dm_inverse = malloc(nt * sizeof *f->dm_inverse);
    f->volume = malloc(nt * sizeof *f->volume);
    f->mass = calloc(nv, sizeof *f->mass);
    f->pinned = calloc(nv, sizeof *f->pinned);
    f->held = calloc(3 * nv, sizeof *f->held);
    f->materials = malloc(nm * sizeof *f->materials);
    f->material = malloc(nt * sizeof *f->material);
    bool ok = f->tet && f->dm_inverse && f->volume && f->mass && f->pinned && f->held &&
              f->materials && f->material;
    if (ok) {
        memcpy(f->tet, mesh->tet, nt * 4 * sizeof *f->tet);
        memcpy(f->materials, materials, nm * sizeof *f->materials);
        ok = fill_rest(f, mesh, material, density) &&
             ref_blocks_create(&f->tangent, f->vertices, f->tets, 4, f->tet) &&
             ref_factor_create(&f->factor, &f->tangent);
    }
    if (!ok)
        ref_fem_free(f);
    return ok;
}

void ref_fem_free(ref_fem *f)
{
    free(f->tet);
    free(f->dm_inverse);
    free(f->volume);
    free(f->mass);
    free(f->pinned);
    free(f->held);
    free(f->materials);
    free(f->material);
    ref_blocks_free(&f->tangent);
    ref_factor_free(&f->factor);
    memset(f, 0, sizeof *f);
}

int ref_fem_pin_range(ref_fem *f, const ref_mesh *mesh, int axis, double low, double high)
{
    int count = 0;
    for (int v = 0; v < f->vertices; v++)
        if (mesh->x[3 * v + axis] >= low && mesh->x[3 * v + axis] <= high) {
            f->pinned[v] = true;
            count++;
        }
    return count;
}

ref_mat3 ref_fem_deformation(const ref_fem *f, int t, const double *x)
{
    return ref_mul(shape(f->tet + 4 * t, x), f->dm_inverse[t]);
}

ref_material ref_fem_material(const ref_fem *f, int t)
{
    ref_material m = f->materials[f->material[t]];
    if (f->plastic)
        ref_material_set_plastic(&m, f->plastic[t]);
    return m;
}

double ref_fem_element_energy(const ref_fem *f, int t, const double *x)
{
    ref_material m = ref_fem_material(f, t);
    return f->volume[t] * ref_energy(&m, ref_fem_deformation(f, t, x));
}

/* b[c] with F = sum_c x_c b_c^T */
static void basis(const ref_fem *f, int t, double b[4][3])
{
    for (int k = 0; k < 3; k++) {
        b[3][k] = 0;
        for (int c = 0; c < 3; c++) {
            b[c][k] = f->dm_inverse[t].m[c][k];
            b[3][k] -= b[c][k];
        }
    }
}

double ref_fem_element_gradient(const ref_fem *f, int t, const double *x, double *g)
{
    ref_material m = ref_fem_material(f, t);
    ref_mat3 d = ref_fem_deformation(f, t, x), p = ref_stress(&m, d);
    double b[4][3];
    basis(f, t, b);
    for (int c = 0; c < 4; c++)
        for (int i = 0; i < 3; i++)
            g[3 * c + i] =
                f->volume[t] * (p.m[i][0] * b[c][0] + p.m[i][1] * b[c][1] + p.m[i][2] * b[c][2]);
    return f->volume[t] * ref_energy(&m, d);
}

void ref_fem_element_hessian(const ref_fem *f, int t, const double *x, bool project, double *h)
{
    ref_material m = ref_fem_material(f, t);
    ref_mat3 d = ref_fem_deformation(f, t, x);
    ref_mat9 q = project ? ref_hessian_projected(&m, d) : ref_hessian(&m, d);
    double b[4][3], half[9][12];
    basis(f, t, b);
    for (int a = 0; a < 9; a++)
        for (int c = 0; c < 4; c++)
            for (int i = 0; i < 3; i++)
                half[a][3 * c + i] = q.m[a][3 * i] * b[c][0] + q.m[a][3 * i + 1] * b[c][1] +
                                     q.m[a][3 * i + 2] * b[c][2];
    for (int c = 0; c < 4; c++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 12; k++)
                h[12 * (3 * c + i) + k] =
                    f->volume[t] * (b[c][0] * half[3 * i][k] + b[c][1] * half[3 * i + 1][k] +
                                    b[c][2] * half[3 * i + 2][k]);
}

double ref_fem_energy(const ref_fem *f, const double *x)
{
    double sum = 0;
    for (int t = 0; t < f->tets; t++)
        sum += ref_fem_element_energy(f, t, x);
    return sum;
}

double ref_fem_energy_gradient(const ref_fem *f, const double *x, double *gradient)
{
    double sum = 0, g[12];
    memset(gradient, 0, (size_t)f->vertices * 3 * sizeof *gradient);
    for (int t = 0; t < f->tets; t++) {
        sum += ref_fem_element_gradient(f, t, x, g);
        for (int c = 0; c < 12; c++)
            gradient[3 * f->tet[4 * t + c / 3] + c % 3] += g[c];
    }
    return sum;
}

void ref_fem_tangent(ref_fem *f, const double *x, bool project)
{
    double h[144];
    ref_blocks_clear(&f->tangent);
    for (int t = 0; t < f->tets; t++) {
        ref_fem_element_hessian(f, t, x, project, h);
        for (int c = 0; c < 4; c++)
            for (int d = 0; d < 4; d++) {
                double *to = ref_blocks_at(&f->tangent, f->tet[4 * t + c], f->tet[4 * t + d]);
                for (int k = 0; k < 9; k++)
                    to[k] += h[12 * (3 * c + k / 3) + 3 * d + k % 3];
            }
    }
}

int ref_fem_inverted(const ref_fem *f, const double *x)
{
    int count = 0;
    for (int t = 0; t < f->tets; t++)
        count += ref_det(ref_fem_deformation(f, t, x)) < 0;
    return count;
}

static double external(const ref_fem *f, const ref_problem *p, const double *x, double *gradient)
{
    double sum = 0, inertia = p->dt > 0 ? 1 / (p->dt * p->dt) : 0;
    for (int v = 0; v < f->vertices; v++)
        for (int i = 0; i < 3; i++) {
            int k = 3 * v + i;
            double force = f->mass[v] * p->acceleration[i] + (p->force ? p->force[k] : 0);
            double pull = inertia > 0 ? inertia * f->mass[v] * (x[k] - p->y[k]) : 0;
            sum += (inertia > 0 ? 0.5 * pull * (x[k] - p->y[k]) : 0) - force * x[k];
            if (gradient)
                gradient[k] += pull - force;
        }
    return sum;
}

double ref_fem_objective(const ref_fem *f, const ref_problem *p, const double *x)
{
    return ref_fem_energy(f, x) + external(f, p, x, NULL);
}

double ref_fem_objective_gradient(const ref_fem *f, const ref_problem *p, const double *x,
                                  double *gradient)
{
    double energy = ref_fem_energy_gradient(f, x, gradient);
    energy += external(f, p, x, gradient);
    for (int v = 0; v < f->vertices; v++)
        for (int i = 0; i < 3; i++)
            if (f->pinned[v] || f->held[3 * v + i])
                gradient[3 * v + i] = 0;
    return energy;
}

void ref_fem_explicit_step(const ref_fem *f, const double acceleration[3], double dt, double *x,
                           double *v)
{
    double g[12];
    for (int i = 0; i < f->vertices; i++)
        for (int d = 0; d < 3; d++)
            v[3 * i + d] = f->pinned[i] ? 0 : v[3 * i + d] + dt * acceleration[d];
    for (int t = 0; t < f->tets; t++) {
        ref_fem_element_gradient(f, t, x, g);
        for (int c = 0; c < 4; c++) {
            int i = f->tet[4 * t + c];
            for (int d = 0; d < 3 && !f->pinned[i]; d++)
                v[3 * i + d] -= dt * g[3 * c + d] / f->mass[i];
        }
    }
    for (int k = 0; k < 3 * f->vertices; k++)
        x[k] += dt * v[k];
}

void ref_fem_plastic_step(ref_fem *f, const ref_plasticity *law, const double *x, double dt)
{
    for (int t = 0; t < f->tets; t++)
        f->plastic[t] = ref_plastic_update(law, f->plastic[t], ref_fem_deformation(f, t, x), dt);
}
