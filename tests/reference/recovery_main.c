/* Does a whole body recover? A beam of 80 tetrahedra (0.4 x 0.2 x 0.2 m, E = 1e5 Pa, dt 5 ms, no
 * gravity, no damping but that of implicit Euler) is thrown to one point (1e-9 m of noise) or at
 * random into a box, and stepped by the exact minimiser or by vertex descent. Recovered: nothing
 * inverted and the largest Green strain below 5 %. Not a test: run it to renew the table of
 * README.md. Usage: recovery [newton|descent] [seeds] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref_random.h"
#include "ref_vbd.h"

enum { STEPS = 400, DESCENT_ITERATIONS = 5 };

static const double DT = 0.005, YOUNG = 1e5;

typedef struct {
    ref_mesh mesh;
    ref_fem fem;
    ref_incidence around;
    double *x, *y, *v;
} body;

static bool create(body *b, const ref_material *m)
{
    if (!ref_mesh_beam(&b->mesh, (int[]){4, 2, 2}, (double[]){0.4, 0.2, 0.2}, 5))
        return false;
    ref_mesh_distort(&b->mesh, 0.02, 3);
    size_t n = (size_t)b->mesh.vertices * 3;
    b->x = calloc(n, sizeof *b->x);
    b->y = calloc(n, sizeof *b->y);
    b->v = calloc(n, sizeof *b->v);
    return b->x && b->y && b->v && ref_fem_create(&b->fem, &b->mesh, m, 1, NULL, 1000) &&
           ref_incidence_create(&b->around, &b->fem);
}

static void destroy(body *b)
{
    ref_incidence_free(&b->around);
    ref_fem_free(&b->fem);
    ref_mesh_free(&b->mesh);
    free(b->x);
    free(b->y);
    free(b->v);
}

static bool recovered(const body *b)
{
    for (int t = 0; t < b->mesh.tets; t++) {
        ref_mat3 f = ref_fem_deformation(&b->fem, t, b->x);
        if (ref_det(f) < 0 || ref_norm(ref_green(f)) > 0.05)
            return false;
    }
    return true;
}

/* The step at which the body is whole again, or -1. */
static int run(body *b, bool newton, double amount, uint64_t *seed)
{
    int n = 3 * b->mesh.vertices;
    for (int c = 0; c < n; c++) {
        b->x[c] = ref_random(seed, -amount, amount);
        b->v[c] = 0;
    }
    for (int step = 0; step < STEPS; step++) {
        ref_problem p = {DT, b->y, {0, 0, 0}, NULL};
        ref_options o = {1e-6, 60};
        for (int c = 0; c < n; c++) {
            b->y[c] = b->x[c] + DT * b->v[c];
            b->v[c] = -b->x[c] / DT;
        }
        if (newton)
            ref_fem_minimise(&b->fem, &p, &o, b->x);
        for (int k = 0; k < DESCENT_ITERATIONS && !newton; k++)
            ref_descent_iteration(&b->fem, &b->around, &p, NULL, 6, b->x);
        for (int c = 0; c < n; c++)
            b->v[c] += b->x[c] / DT;
        if (recovered(b))
            return step;
    }
    return -1;
}

static void row(const char *name, ref_material m, bool newton, int seeds)
{
    static const char *START[2] = {"point", "box"};
    static const double AMOUNT[2] = {1e-9, 0.2};
    printf("%-26s", name);
    for (int s = 0; s < 2; s++) {
        uint64_t seed = 99;
        int whole = 0, slowest = 0;
        for (int k = 0; k < seeds; k++) {
            body b;
            memset(&b, 0, sizeof b);
            int step = create(&b, &m) ? run(&b, newton, AMOUNT[s], &seed) : -1;
            whole += step >= 0;
            slowest = step > slowest ? step : slowest;
            destroy(&b);
        }
        printf("  %s: %d of %d, slowest %d steps", START[s], whole, seeds, slowest);
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    bool newton = argc < 2 || strcmp(argv[1], "descent") != 0;
    int seeds = argc > 2 ? atoi(argv[2]) : 12;
    row("StVK nu 0.3", ref_stvk(YOUNG, 0.3), newton, seeds);
    row("StVK nu 0.45", ref_stvk(YOUNG, 0.45), newton, seeds);
    row("StVK nu 0.499", ref_stvk(YOUNG, 0.499), newton, seeds);
    row("Neo-Hookean nu 0.3 m 0.25", ref_neo_hookean(YOUNG, 0.3, 0.25), newton, seeds);
    row("Neo-Hookean nu 0.3 m 0.4", ref_neo_hookean(YOUNG, 0.3, 0.4), newton, seeds);
    row("Neo-Hookean nu 0.3 m 0.5", ref_neo_hookean(YOUNG, 0.3, 0.5), newton, seeds);
    row("stable NH nu 0.3 bare", ref_stable_neo_hookean(YOUNG, 0.3, 0), newton, seeds);
    row("stable NH nu 0.3 guard", ref_stable_neo_hookean(YOUNG, 0.3, YOUNG / 2.6), newton, seeds);
    row("stable NH nu 0.45 guard", ref_stable_neo_hookean(YOUNG, 0.45, YOUNG / 2.9), newton, seeds);
    return 0;
}
