/* tangle.c - what tells a tangle from a shape that a solid has for a reason.
 *
 * Tangles of all models have elements that are inverted, stretched beyond 1.5 or crushed below 0.3,
 * and stay so. Solids that swing have such elements for moments only, and shells that snapped into
 * another shape have none: tests/families/solids/test_untangle_limits.c. Judged in double, by one
 * thread, after a sieve that leaves out what cannot be the worst (ispc/solids/tangle.ispc).
 */
#include "families/solids/tangle.h"
#include "kernels/kernels.h"

#include <math.h>

/* Stretches beyond which an element is suspected, and between which it is cleared. */
#define SHORT      0.6
#define LONG       1.4
#define SHORT_FINE 0.8
#define LONG_FINE  1.2
/* Packs that one look goes through; a large body is seen in several looks. */
#define TET_PACKS    256u
#define VERTEX_PACKS 16u
/* Inverted elements are worse than any that are not but stretched by more than 2. */
#define INVERTED 20

struct strained {
    double det;     /* of F */
    double c[3][3]; /* F^T F */
};

static void edges(const struct pk_quad *x, const uint32_t corner[4], double e[3][3])
{
    const struct pk_quad *last = &x[corner[3]];
    for (int i = 0; i < 3; ++i) {
        const struct pk_quad *p = &x[corner[i]];
        e[i][0] = (double)p->x - (double)last->x;
        e[i][1] = (double)p->y - (double)last->y;
        e[i][2] = (double)p->z - (double)last->z;
    }
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* F maps the edges at rest to those of now: the sum of edge i by dual edge i, over the volume. */
static struct strained strain_of(const struct pk_quad *rest, const struct pk_quad *x,
                                 const uint32_t corner[4])
{
    double from[3][3], to[3][3], dual[3][3], f[3][3] = {{0}}, area[3];
    struct strained s = {0};
    edges(rest, corner, from);
    edges(x, corner, to);
    for (int i = 0; i < 3; ++i)
        cross(from[(i + 1) % 3], from[(i + 2) % 3], dual[i]);
    const double share = 1 / dot(from[0], dual[0]);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            for (int l = 0; l < 3; ++l)
                f[k][l] += to[i][k] * (share * dual[i][l]);
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
            s.c[k][l] = f[0][k] * f[0][l] + f[1][k] * f[1][l] + f[2][k] * f[2][l];
    cross(to[1], to[2], area);
    s.det = dot(to[0], area) * share;
    return s;
}

/* Is sign (C - square I) positive definite? By its leading minors. */
static bool beyond(const struct strained *s, double square, double sign)
{
    const double xx = sign * (s->c[0][0] - square), yy = sign * (s->c[1][1] - square);
    const double zz = sign * (s->c[2][2] - square);
    const double xy = sign * s->c[0][1], xz = sign * s->c[0][2], yz = sign * s->c[1][2];
    const double minor = xx * yy - xy * xy;
    return xx > 0 && minor > 0 && zz * minor - xx * yz * yz - yy * xz * xz + 2 * xy * xz * yz > 0;
}

/* Upright, and all stretches between two bounds. */
static bool fine(const struct strained *s, double least, double most)
{
    return s->det > 0 && beyond(s, least * least, 1) && beyond(s, most * most, -1);
}

static double badness(const struct strained *s)
{
    double sum = s->det > 0 ? 0 : INVERTED;
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) {
            const double e = s->c[k][l] - (k == l);
            sum += e * e;
        }
    return sum;
}

struct search {
    const struct kernels *kernels;
    const struct pk_quad *rest, *x;
    uint32_t vertices;
    double worst;
    uint32_t *corner;
};

/* Unused lanes name dummies, which come behind the vertices. */
static void consider(struct search *s, const uint32_t corner[4])
{
    if (corner[0] >= s->vertices || corner[1] >= s->vertices)
        return;
    const struct strained strained = strain_of(s->rest, s->x, corner);
    if (fine(&strained, SHORT, LONG))
        return;
    const double bad = badness(&strained);
    if (bad > s->worst) {
        s->worst = bad;
        memcpy(s->corner, corner, 4 * sizeof *corner);
    }
}

/* Sixteen tetrahedra. The kernel leaves out what is surely fine, or no worse than what was found.
 */
static void consider_lanes(struct search *s, const uint32_t three[3][PK_LANES],
                           const uint32_t last[PK_LANES])
{
    const uint32_t suspects =
        s->kernels->suspect_tets(s->rest, s->x, three[0], last, (float)s->worst);
    for (uint32_t lane = 0; suspects >> lane != 0 && lane < PK_LANES; ++lane) {
        const uint32_t corner[4] = {three[0][lane], three[1][lane], three[2][lane], last[lane]};
        if (suspects >> lane & 1)
            consider(s, corner);
    }
}

static void search_packs(struct search *s, const struct pk_tet_pack *packs, uint32_t count)
{
    for (uint32_t p = 0; p < count; ++p)
        consider_lanes(s, packs[p].index, packs[p].index[3]);
}

/* What a vertex visits, where there are no element packs. */
static void search_visits(struct search *s, const piola_asset *asset,
                          const struct pk_vertex_pack *pack)
{
    const struct pk_visit *any = asset_visits(asset);
    const struct pk_visit_snh *snh = asset_visits_snh(asset);
    const bool plain = asset->at.visits_snh.count == 0;
    for (uint32_t v = pack->visits[PK_VISIT_TET].first;
         v < pack->visits[PK_VISIT_TET].first + pack->visits[PK_VISIT_TET].count; ++v)
        consider_lanes(s, plain ? any[v].other : snh[v].other, pack->self);
}

/* The part of so many that it is the turn of: its first, and how many. */
static uint32_t part_of(uint64_t count, uint32_t most, uint64_t turn, uint32_t *first)
{
    const uint64_t parts = (count + most - 1) / most;
    *first = (uint32_t)(parts > 0 ? turn % parts * most : 0);
    return count - *first < most ? (uint32_t)count - *first : most;
}

bool tangle_find(const piola_world *world, const struct body *body, uint64_t turn,
                 uint32_t corner[4])
{
    const piola_asset *asset = body_asset(world, body);
    struct search s = {.kernels = kernels_for(world->desc.isa),
                       .rest = asset_rest(asset),
                       .x = world_position(world) + body->first,
                       .vertices = asset->stats.vertices,
                       .corner = corner};
    uint32_t first = 0;
    if (asset->at.tet_packs.count > 0) {
        const uint32_t count = part_of(asset->at.tet_packs.count, TET_PACKS, turn, &first);
        search_packs(&s, asset_tet_packs(asset) + first, count);
    } else {
        const uint32_t count = part_of(asset->at.vertex_packs.count, VERTEX_PACKS, turn, &first);
        for (uint32_t p = first; p < first + count; ++p)
            search_visits(&s, asset, asset_vertex_packs(asset) + p);
    }
    return s.worst > 0;
}

bool tangle_lasts(const piola_world *world, const struct body *body, const uint32_t corner[4])
{
    const struct strained s =
        strain_of(asset_rest(body_asset(world, body)), world_position(world) + body->first, corner);
    return !fine(&s, SHORT_FINE, LONG_FINE);
}

double tangle_own_time(const piola_asset *asset, double damping, double size)
{
    const struct pk_material *m = asset_materials(asset);
    const double density = asset->stats.mass / asset->stats.volume;
    double slowest = 0;
    for (uint64_t i = 0; i < asset->at.materials.count; ++i) {
        const double mu = (double)m[i].mu, lambda = (double)m[i].lambda;
        if (!(mu > 0))
            continue; /* a material that no element has */
        const double young = mu * (3 * lambda + 2 * mu) / (lambda + mu);
        const double square = 4 * size * size * density / young;
        const double time = sqrt(square) + (double)m[i].damping + damping * square;
        slowest = time > slowest ? time : slowest;
    }
    return slowest;
}
