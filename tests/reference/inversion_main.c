/* Does an element recover from inversion? Gradient flow of one free element and of one with three
 * pinned vertices, from many inverted starts, for each material and Poisson's ratio; prints how
 * many end inverted. A small random push now and then lets the flow leave saddles. Not a test: run
 * it to renew the tables of README.md. Usage: inversion [starts] [seed] */
#include <stdio.h>
#include <stdlib.h>

#include "ref_material.h"
#include "ref_random.h"
#include "ref_svd.h"

enum { FLOW_STEPS = 12000 };

typedef struct {
    int inverted, flat, diverged, short_of_rest;
} tally;

/* An inverted F, from nearly collapsed to well stretched: rotations around signed stretches. */
static ref_mat3 inverted_start(uint64_t *seed)
{
    double s[3], scale = pow(10, fmin(0, ref_random(seed, -2, 2)));
    for (int i = 0; i < 3; i++)
        s[i] = scale * ref_random(seed, 0.05, 2.5);
    s[2] = -s[2];
    return ref_compose(ref_random_rotation(seed), s, ref_random_rotation(seed));
}

/* F whose columns 0 and 1 (a pinned base) are stretched by 0.5 to 1.5, its apex on the wrong side.
 */
static ref_mat3 pinned_start(uint64_t *seed)
{
    double s[3] = {ref_random(seed, 0.5, 1.5), ref_random(seed, 0.5, 1.5), 1};
    ref_mat3 turn = ref_random_rotation(seed), spin = ref_diag(1, 1, 1);
    double angle = ref_random(seed, 0, 6.2831853);
    spin.m[0][0] = spin.m[1][1] = cos(angle);
    spin.m[0][1] = -(spin.m[1][0] = sin(angle));
    ref_mat3 f = ref_compose(spin, s, ref_diag(1, 1, 1));
    f.m[0][2] = ref_random(seed, -1, 1);
    f.m[1][2] = ref_random(seed, -1, 1);
    f.m[2][2] = -ref_random(seed, 0.05, 2.5);
    return ref_mul(turn, f);
}

static void flow(const ref_material *m, ref_mat3 f, bool pinned, uint64_t *seed, tally *out)
{
    double stiffness = 2 * m->mu + fabs(m->lambda);
    for (int n = 0; n < FLOW_STEPS; n++) {
        ref_mat3 p = ref_stress(m, f);
        double size = ref_norm(f),
               soft = m->model == REF_NEO_HOOKEAN || m->model == REF_NEO_HOOKEAN_PRODUCT
                          ? 4 / (m->s_min * m->s_min)
                          : 3;
        if (m->model == REF_STABLE_NEO_HOOKEAN)
            size *= size;
        double h = 0.3 / (stiffness * (soft + size * size));
        bool push = n % 100 == 0 && n < FLOW_STEPS / 2;
        for (int i = 0; i < 3; i++)
            for (int j = pinned ? 2 : 0; j < 3; j++)
                f.m[i][j] += -h * p.m[i][j] + (push ? ref_random(seed, -1e-3, 1e-3) : 0);
        if (!(size < 1e3)) {
            out->diverged++;
            return;
        }
    }
    double det = ref_det(f), reach = pinned ? 0 : ref_norm(ref_green(f));
    out->inverted += det < -1e-3;
    out->flat += fabs(det) <= 1e-3;
    out->short_of_rest += det > 0 && reach > 0.05;
}

static void row(const char *name, const ref_material *m, double nu, int starts, uint64_t seed)
{
    tally free_element = {0}, pinned = {0};
    for (int k = 0; k < starts; k++) {
        flow(m, inverted_start(&seed), false, &seed, &free_element);
        flow(m, pinned_start(&seed), true, &seed, &pinned);
    }
    printf("%-24s %6.3f | free: inverted %4d flat %4d diverged %4d not at rest %4d | "
           "pinned: inverted %4d flat %4d diverged %4d\n",
           name, nu, free_element.inverted, free_element.flat, free_element.diverged,
           free_element.short_of_rest, pinned.inverted, pinned.flat, pinned.diverged);
    fflush(stdout);
}

/* Random orthotropic constants with moduli over one and a half decades. */
static ref_material random_orthotropic(uint64_t *seed)
{
    ref_material m;
    ref_orthotropic o;
    do {
        double *e[6] = {&o.e1, &o.e2, &o.e3, &o.g12, &o.g13, &o.g23};
        for (int i = 0; i < 6; i++)
            *e[i] = pow(10, ref_random(seed, 0, 1.5)) * (i < 3 ? 1 : 0.4);
        o.nu12 = ref_random(seed, -0.4, 0.6);
        o.nu13 = ref_random(seed, -0.4, 0.6);
        o.nu23 = ref_random(seed, -0.4, 0.6);
    } while (!ref_stvk_orthotropic(&m, &o, ref_random_rotation(seed)));
    return m;
}

/* c = A A^T + a little: 21 independent constants. */
static ref_material random_general(uint64_t *seed)
{
    ref_material m;
    double a[36], c[36];
    do {
        for (int i = 0; i < 36; i++)
            a[i] = ref_random(seed, -1, 1);
        for (int i = 0; i < 36; i++) {
            c[i] = i % 7 == 0 ? 0.1 : 0;
            for (int k = 0; k < 6; k++)
                c[i] += a[6 * (i / 6) + k] * a[6 * (i % 6) + k];
        }
    } while (!ref_stvk_general(&m, c, ref_diag(1, 1, 1)));
    return m;
}

int main(int argc, char **argv)
{
    static const double NU[] = {-0.9, -0.5, -0.4, -0.3, -0.2, -0.1, 0,   0.1,  0.2,  0.25,
                                0.26, 0.27, 0.28, 0.29, 0.3,  0.35, 0.4, 0.45, 0.49, 0.499};
    int starts = argc > 1 ? atoi(argv[1]) : 100;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    printf("starts %d seed %llu\n", starts, (unsigned long long)seed);
    for (size_t k = 0; k < sizeof NU / sizeof *NU; k++) {
        ref_material m[6] = {ref_stvk_product(1, NU[k]),
                             ref_stvk(1, NU[k]),
                             ref_neo_hookean_product(1, NU[k], REF_NEO_HOOKEAN_S_MIN),
                             ref_neo_hookean(1, NU[k], REF_NEO_HOOKEAN_S_MIN),
                             ref_stable_neo_hookean(1, NU[k], 0),
                             ref_stable_neo_hookean(1, NU[k], 0.5 / (1 + NU[k]))};
        static const char *NAME[6] = {"StVK product",        "StVK",
                                      "Neo-Hookean product", "Neo-Hookean",
                                      "stable Neo-Hookean",  "stable NH, guard mu"};
        for (int n = 0; n < 6; n++)
            row(NAME[n], &m[n], NU[k], starts, seed);
    }
    for (int n = 0; n < 10; n++) {
        ref_material m = n < 5 ? random_orthotropic(&seed) : random_general(&seed);
        row(n < 5 ? "orthotropic" : "general", &m, nan(""), starts, seed);
    }
    return 0;
}
