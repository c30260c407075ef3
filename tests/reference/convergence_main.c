/* How fast each local solver nears the minimum of one implicit-Euler step: the table of design
 * section 6, renewed with the reference alone. Not a test. Usage: convergence [TETGEN_BASE]
 *
 * The bent start, shared with the engine's tests: the mesh centred at its file's size, read as
 * metres (the Armadillo is 3.03 m tall), bent by ref_mesh_bend with 0.5 rad/m; that is both the
 * first iterate and y (at rest, no gravity). Density 1000 kg/m^3, dt 5 ms. A second block scales
 * the mesh to 1 m and bends it by 1 rad/m: the same steps are harder there, because the distance
 * that stress waves travel in dt then spans three times as many elements. Printed: (G(x_k) - G*) /
 * (G(x_0) - G*). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ref_vbd.h"

static const int STOPS[] = {1, 5, 20, 100};
static const double DT = 0.005;

enum { DESCENT, ENERGY, COMPLIANT };

typedef struct {
    ref_mesh mesh;
    double *bent, *x;
    ref_fem fem;
    ref_incidence around;
    ref_problem problem;
    double start, best;
} scene;

static void sweep(scene *s, int solver, double *multiplier)
{
    switch (solver) {
    case DESCENT:
        ref_descent_iteration(&s->fem, &s->around, &s->problem, NULL, 8, s->x);
        break;
    case ENERGY:
        ref_energy_projection_iteration(&s->fem, NULL, s->x);
        break;
    default:
        ref_compliant_iteration(&s->fem, NULL, DT, multiplier, s->x);
    }
}

static void run(scene *s, int solver, const char *name)
{
    size_t n = (size_t)s->mesh.vertices * 3;
    double *multiplier = calloc((size_t)s->mesh.tets, sizeof *multiplier);
    if (!multiplier)
        return;
    memcpy(s->x, s->bent, n * sizeof *s->x);
    printf("  %-18s", name);
    int done = 0;
    for (size_t k = 0; k < sizeof STOPS / sizeof *STOPS; k++) {
        for (; done < STOPS[k]; done++)
            sweep(s, solver, multiplier);
        double gap = ref_fem_objective(&s->fem, &s->problem, s->x) - s->best;
        printf("  %10.3e", gap / (s->start - s->best));
    }
    printf("\n");
    fflush(stdout);
    free(multiplier);
}

static bool material_row(scene *s, const char *name, ref_material m)
{
    size_t n = (size_t)s->mesh.vertices * 3;
    if (!ref_fem_create(&s->fem, &s->mesh, &m, 1, NULL, 1000))
        return false;
    if (!ref_incidence_create(&s->around, &s->fem))
        return false;
    s->problem = (ref_problem){DT, s->bent, {0, 0, 0}, NULL};
    s->start = ref_fem_objective(&s->fem, &s->problem, s->bent);
    memcpy(s->x, s->bent, n * sizeof *s->x);
    ref_options o = {1e-9, 100};
    clock_t begin = clock();
    ref_result r = ref_fem_minimise(&s->fem, &s->problem, &o, s->x);
    s->best = r.objective;
    printf("%s: G start %.9e J, G* %.15e J, residual %.1e N, %d Newton steps, %.2f s, "
           "inverted at start %d\n",
           name, s->start, s->best, r.residual, r.iterations,
           (double)(clock() - begin) / CLOCKS_PER_SEC, ref_fem_inverted(&s->fem, s->bent));
    run(s, DESCENT, "vertex descent");
    if (m.model == REF_STVK) {
        run(s, ENERGY, "energy projection");
        run(s, COMPLIANT, "XPBD sqrt(2E)");
    }
    ref_fem_free(&s->fem);
    ref_incidence_free(&s->around);
    return r.converged;
}

static bool table(const char *base, double length, double curvature)
{
    static const double E[2] = {1e5, 1e6}, NU[2] = {0.45, 0.3};
    scene s;
    memset(&s, 0, sizeof s);
    if (!ref_mesh_tetgen(&s.mesh, base)) {
        fprintf(stderr, "convergence: no mesh at %s.node and .ele\n", base);
        return false;
    }
    ref_mesh_normalise(&s.mesh, length);
    size_t n = (size_t)s.mesh.vertices * 3;
    s.bent = malloc(n * sizeof *s.bent);
    s.x = malloc(n * sizeof *s.x);
    bool ok = s.bent && s.x;
    if (ok)
        ref_mesh_bend(&s.mesh, curvature, s.bent);
    printf("%d vertices, %d tetrahedra, longest side %s, curvature %g rad/m; gap after 1, 5, 20, "
           "100\n",
           s.mesh.vertices, s.mesh.tets, length > 0 ? "1 m" : "as in the file (m)", curvature);
    for (int k = 0; k < 2 && ok; k++) {
        ref_material m[4] = {ref_stvk(E[k], NU[k]),
                             ref_neo_hookean(E[k], NU[k], REF_NEO_HOOKEAN_S_MIN),
                             ref_stable_neo_hookean(E[k], NU[k], 0),
                             ref_stable_neo_hookean(E[k], NU[k], E[k] / (2 * (1 + NU[k])))};
        static const char *NAME[4] = {"StVK", "Neo-Hookean", "stable NH", "stable NH, guard mu"};
        printf("E = %g Pa, nu = %g\n", E[k], NU[k]);
        for (int i = 0; i < 4; i++)
            ok = material_row(&s, NAME[i], m[i]) && ok;
    }
    free(s.bent);
    free(s.x);
    ref_mesh_free(&s.mesh);
    return ok;
}

int main(int argc, char **argv)
{
    const char *base = argc > 1 ? argv[1] : "../shared/data/armadillo_4k";
    return table(base, 0, 0.5) && table(base, 1, 1) ? 0 : 1;
}
