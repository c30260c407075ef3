/* kernel_fixtures.c - see kernel_fixtures.h. */
#include "kernel_fixtures.h"

#include <stdlib.h>
#include <string.h>

#include "ref_random.h"
#include "ref_svd.h"

static const int VOIGT[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};

/* ---- materials ---- */

static ref_material anisotropic(int which, double k)
{
    ref_material m;
    const ref_orthotropic wood = {k, 0.4 * k, 0.25 * k, 0.3, 0.2, 0.25, 0.2 * k, 0.15 * k, 0.1 * k};
    bool made;
    if (which == PIOLA_MODEL_STVK_ORTHOTROPIC) {
        made = ref_stvk_orthotropic(&m, &wood, ref_diag(1, 1, 1));
    } else {
        double c[36];
        made = ref_stvk_orthotropic(&m, &wood, ref_diag(1, 1, 1));
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++)
                c[6 * i + j] = m.c[i][j] + 0.02 * k * cos(1.0 + i * j + i + j);
        made = made && ref_stvk_general(&m, c, ref_diag(1, 1, 1));
    }
    if (!made)
        abort();
    return m;
}

struct test_material fixture_material(int which, double young, double poisson)
{
    static const char *const names[TEST_MATERIALS] = {
        "stable Neo-Hookean", "StVK", "StVK orthotropic", "StVK general", "Neo-Hookean"};
    struct test_material m;
    memset(&m, 0, sizeof m);
    m.name = names[which];
    if (which == PIOLA_MODEL_STABLE_NEO_HOOKEAN)
        m.reference = ref_stable_neo_hookean(young, poisson, young / (2 * (1 + poisson)));
    else if (which == PIOLA_MODEL_STVK)
        m.reference = ref_stvk(young, poisson);
    else if (which == PIOLA_MODEL_NEO_HOOKEAN)
        m.reference = ref_neo_hookean(young, poisson, REF_NEO_HOOKEAN_S_MIN); /* PK_NH_LEAST */
    else
        m.reference = anisotropic(which, young);
    m.kernel.model = (pk_u32)which;
    m.kernel.mu = (float)m.reference.mu;
    m.kernel.lambda = (float)m.reference.lambda;
    for (int i = 0, at = 0; i < 6; i++)
        for (int j = i; j < 6; j++)
            m.kernel.stiffness[at++] = (float)m.reference.c[i][j];
    return m;
}

/* C : e of the material, whatever its model. */
static ref_mat3 hooke(const ref_material *m, ref_mat3 e)
{
    ref_mat3 s = ref_diag(0, 0, 0);
    for (int i = 0; i < 6; i++) {
        double sum = 0;
        for (int j = 0; j < 6; j++)
            sum += m->c[i][j] * (j < 3 ? 1 : 2) * e.m[VOIGT[j][0]][VOIGT[j][1]];
        s.m[VOIGT[i][0]][VOIGT[i][1]] = s.m[VOIGT[i][1]][VOIGT[i][0]] = sum;
    }
    return s;
}

double fixture_energy(const struct test_material *m, const ref_mat3 *f, const ref_mat3 *f0,
                      double dt, ref_mat3 *stress)
{
    double psi = ref_energy(&m->reference, *f);
    *stress = ref_stress(&m->reference, *f);
    if (f0) {
        const double rate = (double)m->kernel.damping / dt;
        const ref_mat3 change = ref_add(ref_green(*f), -1, ref_green(*f0));
        const ref_mat3 s = ref_scale(rate, hooke(&m->reference, change));
        psi += 0.5 * ref_inner(change, s);
        *stress = ref_add(*stress, 1, ref_mul(*f, s));
    }
    return psi;
}

/* ---- shapes ---- */

static void stretches(enum shape shape, uint64_t *seed, double s[3])
{
    for (int i = 0; i < 3; i++)
        s[i] = shape == SHAPE_NEAR ? ref_random(seed, 0.999, 1.001) : ref_random(seed, 0.7, 1.4);
    if (shape == SHAPE_CRUSHED) {
        s[0] = ref_random(seed, 0.05, 1.2);
        s[1] = ref_random(seed, 0.05, 0.9);
    } else if (shape == SHAPE_INVERTED) {
        /* kept apart from the others: where s_2 = -s_3 the energies have a cone */
        s[2] = -ref_random(seed, 0.05, 0.5);
    } else if (shape == SHAPE_STRETCHED) {
        s[0] = ref_random(seed, 2, 6);
    } else if (shape >= SHAPE_FLAT) {
        s[2] = 0;
        s[1] = shape == SHAPE_FLAT ? s[1] : 0;
        s[0] = shape == SHAPE_POINT ? 0 : s[0];
    }
}

ref_mat3 fixture_map(enum shape shape, uint64_t *seed)
{
    ref_mat3 f;
    if (shape == SHAPE_RANDOM) {
        for (int i = 0; i < 9; i++)
            f.m[i / 3][i % 3] = ref_random(seed, -2, 2);
        return f;
    }
    double s[3];
    stretches(shape, seed, s);
    const ref_mat3 u = ref_random_rotation(seed), v = ref_random_rotation(seed);
    return ref_compose(u, s, v);
}

/* A unit corner, each edge moved by up to 0.3: columns are the edges from one corner. */
static ref_mat3 random_corner(uint64_t *seed, double size)
{
    ref_mat3 d = ref_diag(1, 1, 1);
    for (int i = 0; i < 9; i++)
        d.m[i / 3][i % 3] += ref_random(seed, -0.3, 0.3);
    return ref_scale(size, ref_mul(ref_random_rotation(seed), d));
}

static struct pk_quad quad(double x, double y, double z, double w)
{
    return (struct pk_quad){(float)x, (float)y, (float)z, (float)w};
}

/* The point that column `c` of d ends at, or its origin for c = 3. */
static struct pk_quad corner(const ref_mat3 *d, int c, const double at[3], double w)
{
    if (c == 3)
        return quad(at[0], at[1], at[2], w);
    return quad(at[0] + d->m[0][c], at[1] + d->m[1][c], at[2] + d->m[2][c], w);
}

static enum shape shape_at(enum shape only, int i)
{
    return only == SHAPES ? (enum shape)(i % SHAPES) : only;
}

static void one_tet(struct tet_fixture *f, int pack, int lane, uint64_t *seed, double size,
                    enum shape shape)
{
    struct pk_tet_pack *to = &f->pack[pack];
    const ref_mat3 dm = random_corner(seed, size), inverse = ref_inverse(dm);
    const ref_mat3 ds = ref_mul(fixture_map(shape, seed), dm);
    const ref_mat3 d0 = ref_mul(fixture_map(SHAPE_MODERATE, seed), dm);
    double at[3], zero[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        at[i] = ref_random(seed, -size, size);
    for (int c = 0; c < 4; c++) {
        const uint32_t i = (uint32_t)(4 * (PK_LANES * pack + lane) + c);
        const double w = ref_random(seed, 0.5, 4);
        to->index[c][lane] = i;
        f->x[i] = corner(&ds, c, shape == SHAPE_POINT ? zero : at, w);
        f->start[i] = corner(&d0, c, at, w);
    }
    for (int i = 0; i < 9; i++)
        to->dm_inverse[i][lane] = (float)inverse.m[i / 3][i % 3];
    to->volume[lane] = (float)(ref_det(dm) / 6);
    f->shape[pack][lane] = shape;
}

void fixture_tets(struct tet_fixture *f, uint64_t *seed, double size, enum shape only)
{
    memset(f, 0, sizeof *f);
    for (int pack = 0; pack < TET_PACKS; pack++) {
        f->cell[pack] = (uint32_t)pack;
        for (int lane = 0; lane < PK_LANES; lane++)
            one_tet(f, pack, lane, seed, size, shape_at(only, PK_LANES * pack + lane));
    }
}

static void one_visit(struct vertex_fixture *f, int slot, int lane, uint32_t self, uint64_t *seed,
                      double size, enum shape shape)
{
    struct pk_visit *to = &f->visit[slot];
    const ref_mat3 dm = random_corner(seed, size), inverse = ref_inverse(dm);
    const ref_mat3 ds = ref_mul(fixture_map(shape, seed), dm);
    const ref_mat3 d0 = ref_mul(fixture_map(SHAPE_MODERATE, seed), dm);
    const struct pk_quad x = f->x[self], x0 = f->start[self], r = f->rest[self];
    const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
    const double at0[3] = {(double)x0.x, (double)x0.y, (double)x0.z};
    const double at_rest[3] = {(double)r.x, (double)r.y, (double)r.z};
    for (int c = 0; c < 3; c++) {
        const uint32_t i = (uint32_t)(VERTEX_PACKS * PK_LANES + 3 * (PK_LANES * slot + lane) + c);
        to->other[c][lane] = f->snh[slot].other[c][lane] = i;
        f->x[i] = corner(&ds, c, at, 1);
        f->start[i] = corner(&d0, c, at0, 1);
        f->rest[i] = corner(&dm, c, at_rest, 1);
    }
    for (int i = 0; i < 9; i++)
        to->r[i][lane] = (float)inverse.m[i / 3][i % 3];
    to->volume[lane] = (float)(ref_det(dm) / 6);
    f->visit_plastic[PK_LANES * slot + lane] = (uint32_t)(PK_LANES * slot + lane);
}

void fixture_vertices(struct vertex_fixture *f, uint64_t *seed, double size, enum shape only)
{
    memset(f, 0, sizeof *f);
    for (int pack = 0; pack < VERTEX_PACKS; pack++) {
        f->pack[pack].visits[PK_VISIT_TET].first = (uint32_t)(pack * VERTEX_VISITS);
        f->pack[pack].visits[PK_VISIT_TET].count = VERTEX_VISITS;
        for (int lane = 0; lane < PK_LANES; lane++) {
            const uint32_t self = (uint32_t)(PK_LANES * pack + lane);
            const double mass = ref_random(seed, 0.5, 2);
            f->pack[pack].self[lane] = self;
            double at[3], away[3];
            for (int i = 0; i < 3; i++) {
                at[i] = ref_random(seed, -size, size);
                away[i] = ref_random(seed, -0.2 * size, 0.2 * size);
            }
            f->x[self] = f->start[self] =
                quad(at[0], at[1], at[2], lane == PINNED_LANE ? 0 : 1 / mass);
            f->target[self] = quad(at[0] + away[0], at[1] + away[1], at[2] + away[2], 0);
            f->target[self].w = lane == PINNED_LANE ? 0 : (float)mass;
            for (int v = 0; v < VERTEX_VISITS; v++)
                one_visit(f, pack * VERTEX_VISITS + v, lane, self, seed, size,
                          shape_at(only, (int)self + v));
        }
    }
}

void fixture_fold_snh(struct vertex_fixture *f, const struct pk_material *material)
{
    const double mu = (double)material->mu, lambda = (double)material->lambda;
    for (int slot = 0; slot < VISIT_SLOTS; slot++) {
        for (int lane = 0; lane < PK_LANES; lane++) {
            const struct pk_visit *v = &f->visit[slot];
            const double volume = (double)v->volume[lane];
            double b[3];
            fixture_visit_row(v, lane, b);
            for (int c = 0; c < 3; c++) {
                double rb = 0;
                for (int i = 0; i < 3; i++)
                    rb += (double)v->r[3 * c + i][lane] * b[i];
                f->snh[slot].k[c][lane] = (float)(mu * volume * rb);
            }
            f->snh[slot].alpha[lane] = (float)((lambda + 2 * mu) / 6);
            f->snh[slot].beta[lane] = (float)((lambda + mu) / (36 * volume));
            f->pack[slot / VERTEX_VISITS].laplacian[lane] +=
                (float)(mu * volume * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]));
        }
    }
}

struct pk_element_job fixture_tet_job(struct tet_fixture *f, const struct pk_material *m,
                                      const struct pk_solve *solve)
{
    return (struct pk_element_job){
        .x = f->x,
        .start = f->start,
        .tets = f->pack,
        .cells = m->yield > 0 ? f->cell : NULL,
        .plastic = f->plastic,
        .multipliers = &f->multiplier[0][0],
        .material = m,
        .solve = solve,
        .force = f->force,
        .count = TET_PACKS,
    };
}

struct pk_descent_job fixture_vertex_job(struct vertex_fixture *f, const struct pk_material *m,
                                         uint32_t materials, const struct pk_solve *solve)
{
    return (struct pk_descent_job){
        .x = f->x,
        .target = f->target,
        .start = f->start,
        .rest = f->rest,
        .packs = f->pack,
        .visits = f->visit,
        .visits_snh = f->snh,
        .visit_plastic = m->yield > 0 ? f->visit_plastic : NULL,
        .plastic = f->plastic,
        .materials = m,
        .solve = solve,
        .count = VERTEX_PACKS,
        .material_count = materials,
    };
}

void fixture_plastic(struct pk_plastic *cells, int count, uint64_t *seed, double norm)
{
    for (int i = 0; i < count; i++) {
        for (int lane = 0; lane < PK_LANES; lane++) {
            double e[6], square = 0;
            for (int k = 0; k < 6; k++) {
                e[k] = ref_random(seed, -1, 1);
                square += (k < 3 ? 1 : 2) * e[k] * e[k];
            }
            for (int k = 0; k < 6; k++)
                cells[i].e[k][lane] = (float)(e[k] * norm / sqrt(square));
        }
    }
}

/* ---- the reference's view ---- */

ref_mat3 fixture_plastic_of(const struct pk_plastic *cell, int lane)
{
    ref_mat3 e;
    for (int k = 0; k < 6; k++)
        e.m[VOIGT[k][0]][VOIGT[k][1]] = e.m[VOIGT[k][1]][VOIGT[k][0]] = (double)cell->e[k][lane];
    return e;
}

static void put_column(ref_mat3 *d, int column, const struct pk_quad *a, const struct pk_quad *b)
{
    d->m[0][column] = (double)a->x - (double)b->x;
    d->m[1][column] = (double)a->y - (double)b->y;
    d->m[2][column] = (double)a->z - (double)b->z;
}

ref_mat3 fixture_rest_inverse(const struct pk_tet_pack *pack, int lane)
{
    ref_mat3 r;
    for (int i = 0; i < 9; i++)
        r.m[i / 3][i % 3] = (double)pack->dm_inverse[i][lane];
    return r;
}

ref_mat3 fixture_deformation(const struct pk_tet_pack *pack, int lane, const struct pk_quad *x)
{
    ref_mat3 d;
    for (int c = 0; c < 3; c++)
        put_column(&d, c, &x[pack->index[c][lane]], &x[pack->index[3][lane]]);
    return ref_mul(d, fixture_rest_inverse(pack, lane));
}

void fixture_corner_row(const struct pk_tet_pack *pack, int lane, int corner, double row[3])
{
    const ref_mat3 r = fixture_rest_inverse(pack, lane);
    for (int i = 0; i < 3; i++)
        row[i] = corner < 3 ? r.m[corner][i] : -(r.m[0][i] + r.m[1][i] + r.m[2][i]);
}

ref_mat3 fixture_visit_deformation(const struct pk_visit *visit, int lane,
                                   const struct pk_quad *self, const struct pk_quad *x)
{
    ref_mat3 d, r;
    for (int c = 0; c < 3; c++)
        put_column(&d, c, &x[visit->other[c][lane]], self);
    for (int i = 0; i < 9; i++)
        r.m[i / 3][i % 3] = (double)visit->r[i][lane];
    return ref_mul(d, r);
}

void fixture_visit_row(const struct pk_visit *visit, int lane, double row[3])
{
    for (int i = 0; i < 3; i++)
        row[i] = -((double)visit->r[i][lane] + (double)visit->r[3 + i][lane] +
                   (double)visit->r[6 + i][lane]);
}
