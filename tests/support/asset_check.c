/* asset_check.c - see asset_check.h. */
#include "asset_check.h"

#include <stdlib.h>
#include <string.h>

struct checker {
    const piola_asset *a;
    uint32_t particles, vertices, first_dummy;
    uint32_t *mark; /* per particle: last owner in the test that runs */
    uint32_t stamp; /* last owner given out */
};

static bool fresh_marks(struct checker *c)
{
    memset(c->mark, 0, c->particles * sizeof *c->mark);
    c->stamp = 0;
    return true;
}

static bool in_range(const struct checker *c, const pk_u32 *index, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (index[i] >= c->particles) {
            return false;
        }
    }
    return true;
}

/* Lanes of a pack that share a vertex; lanes may share dummies, of the pack's own cluster only. */
static bool pack_apart(struct checker *c, const pk_u32 (*index)[PK_LANES], unsigned corners,
                       uint32_t dummy)
{
    for (unsigned lane = 0; lane < PK_LANES; lane++) {
        for (unsigned k = 0; k < corners; k++) {
            const uint32_t i = index[k][lane];
            if (i >= c->particles || (i >= c->vertices && (i < dummy || i > dummy + 3))) {
                return false;
            }
            if (i < c->vertices) {
                for (unsigned other = 0; other < lane; other++) {
                    for (unsigned m = 0; m < corners; m++) {
                        if (index[m][other] == i) {
                            return false;
                        }
                    }
                }
            }
        }
    }
    return true;
}

static const char *check_packs(struct checker *c)
{
    const piola_asset *a = c->a;
    for (uint32_t i = 0; i < a->at.clusters.count; i++) {
        const struct asset_cluster *k = &asset_clusters(a)[i];
        const uint32_t dummy = c->first_dummy + 4 * i;
        if (k->packs[KIND_TET].first + (uint64_t)k->packs[KIND_TET].count > a->at.tet_packs.count ||
            k->packs[KIND_TRIANGLE].first + (uint64_t)k->packs[KIND_TRIANGLE].count >
                a->at.triangle_packs.count ||
            k->packs[KIND_BEND].first + (uint64_t)k->packs[KIND_BEND].count >
                a->at.bend_packs.count ||
            k->packs[KIND_LINK].first + (uint64_t)k->packs[KIND_LINK].count >
                a->at.link_packs.count) {
            return "a cluster's packs lie outside their section";
        }
        for (uint32_t p = k->packs[KIND_TET].first;
             p < k->packs[KIND_TET].first + k->packs[KIND_TET].count; p++) {
            if (!pack_apart(c, asset_tet_packs(a)[p].index, 4, dummy)) {
                return "lanes of a pack of tetrahedra share a particle";
            }
            if (asset_tet_pack_materials(a)[p] >= a->at.materials.count) {
                return "a pack's material does not exist";
            }
        }
        for (uint32_t p = k->packs[KIND_TRIANGLE].first;
             p < k->packs[KIND_TRIANGLE].first + k->packs[KIND_TRIANGLE].count; p++) {
            if (!pack_apart(c, asset_triangle_packs(a)[p].index, 3, dummy)) {
                return "lanes of a pack of triangles share a particle";
            }
        }
        for (uint32_t p = k->packs[KIND_BEND].first;
             p < k->packs[KIND_BEND].first + k->packs[KIND_BEND].count; p++) {
            if (!pack_apart(c, asset_bend_packs(a)[p].index, 4, dummy)) {
                return "lanes of a pack of bends share a particle";
            }
        }
        for (uint32_t p = k->packs[KIND_LINK].first;
             p < k->packs[KIND_LINK].first + k->packs[KIND_LINK].count; p++) {
            if (!pack_apart(c, asset_link_packs(a)[p].index, 2, dummy)) {
                return "lanes of a pack of links share a particle";
            }
        }
    }
    return NULL;
}

static bool claim(struct checker *c, const pk_u32 *index, size_t count, uint32_t lowest,
                  uint32_t owner)
{
    for (size_t i = 0; i < count; i++) {
        if (c->mark[index[i]] >= lowest && c->mark[index[i]] != owner) {
            return false;
        }
        c->mark[index[i]] = owner;
    }
    return true;
}

static const char *check_cluster_colours(struct checker *c)
{
    const piola_asset *a = c->a;
    const uint32_t *first = asset_cluster_colours(a);
    fresh_marks(c);
    for (uint64_t colour = 0; colour + 1 < a->at.cluster_colours.count; colour++) {
        const uint32_t lowest = c->stamp + 1;
        for (uint32_t i = first[colour]; i < first[colour + 1]; i++) {
            const struct asset_cluster *k = &asset_clusters(a)[i];
            const uint32_t owner = ++c->stamp;
            bool apart = true;
            for (uint32_t p = 0; p < k->packs[KIND_TET].count; p++) {
                apart &= claim(c, asset_tet_packs(a)[k->packs[KIND_TET].first + p].index[0],
                               4 * PK_LANES, lowest, owner);
            }
            for (uint32_t p = 0; p < k->packs[KIND_TRIANGLE].count; p++) {
                apart &=
                    claim(c, asset_triangle_packs(a)[k->packs[KIND_TRIANGLE].first + p].index[0],
                          3 * PK_LANES, lowest, owner);
            }
            for (uint32_t p = 0; p < k->packs[KIND_BEND].count; p++) {
                apart &= claim(c, asset_bend_packs(a)[k->packs[KIND_BEND].first + p].index[0],
                               4 * PK_LANES, lowest, owner);
            }
            for (uint32_t p = 0; p < k->packs[KIND_LINK].count; p++) {
                apart &= claim(c, asset_link_packs(a)[k->packs[KIND_LINK].first + p].index[0],
                               2 * PK_LANES, lowest, owner);
            }
            if (!apart) {
                return "two clusters of one colour share a particle";
            }
        }
    }
    return c->stamp == a->at.clusters.count ? NULL : "the colours miss a cluster";
}

/* The vertices and dummies that all visits of one slot look at. */
static const pk_u32 *tet_others(const piola_asset *a, uint32_t slot)
{
    return a->at.visits_snh.count > 0 ? asset_visits_snh(a)[slot].other[0]
                                      : asset_visits(a)[slot].other[0];
}

typedef bool look(struct checker *c, const pk_u32 *index, size_t count, uint32_t lowest,
                  uint32_t owner);

static bool visit_others(struct checker *c, const struct pk_vertex_pack *p, look *each,
                         uint32_t lowest, uint32_t owner)
{
    const piola_asset *a = c->a;
    bool good = true;
    for (uint32_t i = 0; good && i < p->visits[PK_VISIT_TET].count; i++) {
        good =
            each(c, tet_others(a, p->visits[PK_VISIT_TET].first + i), 3 * PK_LANES, lowest, owner);
    }
    for (uint32_t i = 0; good && i < p->visits[PK_VISIT_TRIANGLE].count; i++) {
        good = each(c, asset_triangle_visits(a)[p->visits[PK_VISIT_TRIANGLE].first + i].other[0],
                    2 * PK_LANES, lowest, owner);
    }
    for (uint32_t i = 0; good && i < p->visits[PK_VISIT_BEND].count; i++) {
        good = each(c, asset_bend_rows(a)[p->visits[PK_VISIT_BEND].first + i].other, PK_LANES,
                    lowest, owner);
    }
    for (uint32_t i = 0; good && i < p->visits[PK_VISIT_FOLD].count; i++) {
        good = each(c, asset_fold_visits(a)[p->visits[PK_VISIT_FOLD].first + i].other[0],
                    3 * PK_LANES, lowest, owner);
    }
    return good;
}

/* No visit looks at a particle that the pack (mark == owner) moves; dummies may be looked at. */
static bool not_moved_here(struct checker *c, const pk_u32 *index, size_t count, uint32_t lowest,
                           uint32_t owner)
{
    (void)lowest;
    for (size_t i = 0; i < count; i++) {
        if (index[i] >= c->particles || (index[i] < c->vertices && c->mark[index[i]] == owner)) {
            return false;
        }
    }
    return true;
}

static bool ranges_good(const piola_asset *a, const struct pk_vertex_pack *p)
{
    return p->visits[PK_VISIT_TET].first + (uint64_t)p->visits[PK_VISIT_TET].count <=
               a->at.visits.count + a->at.visits_snh.count &&
           p->visits[PK_VISIT_TRIANGLE].first + (uint64_t)p->visits[PK_VISIT_TRIANGLE].count <=
               a->at.triangle_visits.count &&
           p->visits[PK_VISIT_BEND].first + (uint64_t)p->visits[PK_VISIT_BEND].count <=
               a->at.bend_rows.count;
}

static const char *check_vertex_packs(struct checker *c)
{
    const piola_asset *a = c->a;
    uint64_t moved = 0;
    fresh_marks(c);
    for (uint32_t pack = 0; pack < a->at.vertex_packs.count; pack++) {
        const struct pk_vertex_pack *p = &asset_vertex_packs(a)[pack];
        if (!ranges_good(a, p) || !in_range(c, p->self, PK_LANES)) {
            return "a vertex pack's visits or vertices lie outside their section";
        }
        for (unsigned lane = 0; lane < PK_LANES; lane++) {
            const uint32_t self = p->self[lane];
            if (self < c->vertices) {
                if (c->mark[self] != 0) {
                    return "two lanes move one vertex";
                }
                c->mark[self] = pack + 1;
                moved++;
            }
        }
        if (!visit_others(c, p, not_moved_here, 0, pack + 1)) {
            return "a lane looks at a vertex that its pack moves";
        }
    }
    return moved == c->vertices || a->at.vertex_packs.count == 0 ? NULL : "a vertex is never moved";
}

/* No visit looks at a vertex that another cluster of the colour moves. */
static bool not_moved_beside(struct checker *c, const pk_u32 *index, size_t count, uint32_t lowest,
                             uint32_t owner)
{
    for (size_t i = 0; i < count; i++) {
        if (c->mark[index[i]] >= lowest && c->mark[index[i]] != owner) {
            return false;
        }
    }
    return true;
}

static const char *check_vertex_colours(struct checker *c)
{
    const piola_asset *a = c->a;
    const uint32_t *first = asset_vertex_cluster_colours(a);
    fresh_marks(c);
    for (uint64_t colour = 0; colour + 1 < a->at.vertex_cluster_colours.count; colour++) {
        const uint32_t lowest = c->stamp + 1;
        for (unsigned pass = 0; pass < 2; pass++) {
            uint32_t owner = lowest;
            for (uint32_t i = first[colour]; i < first[colour + 1]; i++, owner++) {
                const struct asset_cluster *k = &asset_vertex_clusters(a)[i];
                for (uint32_t p = k->packs[KIND_VERTEX].first;
                     p < k->packs[KIND_VERTEX].first + k->packs[KIND_VERTEX].count; p++) {
                    const struct pk_vertex_pack *pack = &asset_vertex_packs(a)[p];
                    if (pass == 0 ? !claim(c, pack->self, PK_LANES, lowest, owner)
                                  : !visit_others(c, pack, not_moved_beside, lowest, owner)) {
                        return "an element joins two vertex clusters of one colour";
                    }
                }
            }
            c->stamp = pass == 0 ? c->stamp : owner - 1;
        }
    }
    return c->stamp == a->at.vertex_clusters.count ? NULL : "the colours miss a vertex cluster";
}

static const char *check_dummies(const struct checker *c)
{
    for (uint32_t i = c->vertices; i < c->particles; i++) {
        if (asset_rest(c->a)[i].w != 0 || asset_mass(c->a)[i] != 0 ||
            asset_vertex_of_particle(c->a)[i] != UINT32_MAX) {
            return "a dummy has mass or is a vertex";
        }
    }
    for (uint32_t i = 0; i < c->vertices; i++) {
        if (asset_vertex_of_particle(c->a)[i] >= c->vertices ||
            asset_particle_of_vertex(c->a)[asset_vertex_of_particle(c->a)[i]] != i) {
            return "the vertices' order is not a permutation";
        }
    }
    for (uint64_t i = 0; i < c->a->at.surface.count; i++) {
        if (asset_surface(c->a)[i] >= c->vertices) {
            return "the surface names a vertex that does not exist";
        }
    }
    return NULL;
}

/* Every anchor is a vertex and no particle's own, but in lanes without a tether. */
static const char *check_tethers(struct checker *c)
{
    const piola_asset *a = c->a;
    uint32_t tethers = 0;
    for (uint32_t g = 0; g + 1 < a->at.tether_first.count; g++) {
        const uint32_t first = asset_tether_first(a)[g], end = asset_tether_first(a)[g + 1];
        if (first > end || end > a->at.tethers.count) {
            return "packs of tethers lie outside their section";
        }
        for (uint32_t i = first; i < end; i++) {
            for (uint32_t lane = 0; lane < PK_LANES; lane++) {
                const uint32_t anchor = asset_tethers(a)[i].anchor[lane];
                const uint32_t particle = g * PK_LANES + lane;
                tethers += anchor != particle;
                if (anchor != particle && (anchor >= c->vertices || particle >= c->vertices)) {
                    return "a tether from or to a dummy";
                }
            }
        }
    }
    return tethers == a->stats.tethers ? NULL : "tethers are miscounted";
}

const char *asset_check(const piola_asset *asset)
{
    struct checker c = {.a = asset,
                        .particles = asset->stats.particles,
                        .vertices = asset->stats.vertices,
                        .first_dummy = (asset->stats.vertices + 3) / 4 * 4};
    c.mark = calloc(c.particles, sizeof *c.mark);
    const char *(*const checks[])(struct checker *) = {check_packs, check_cluster_colours,
                                                       check_vertex_packs, check_vertex_colours,
                                                       check_tethers};
    const char *broken = c.mark == NULL ? "no memory" : check_dummies(&c);
    for (unsigned i = 0; broken == NULL && i < sizeof checks / sizeof checks[0]; i++) {
        broken = checks[i](&c);
    }
    free(c.mark);
    return broken;
}

/* ---- against the mesh ---- */

/* An order-free number of a set of vertices, different for different sets but for bad luck of
 * 2^-64; `first` vertices count one way, the rest another (a bend's edge and its opposite ones). */
static uint64_t set_number(const uint32_t *v, unsigned count, unsigned first)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t z = v[i] + (i < first ? UINT64_C(0x9e3779b97f4a7c15) : UINT64_C(0x1234567));
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        sum += z ^ z >> 31;
    }
    return sum;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

struct list {
    uint64_t *number;
    size_t count;
};

static void add(struct list *list, uint64_t number)
{
    list->number[list->count++] = number;
}

static bool same_lists(struct list *a, struct list *b)
{
    qsort(a->number, a->count, sizeof *a->number, compare);
    qsort(b->number, b->count, sizeof *b->number, compare);
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->number, b->number, a->count * sizeof *a->number) == 0);
}

/* The vertices, by the description's numbers, of one lane; false when it holds dummies. */
static bool lane_vertices(const piola_asset *a, const pk_u32 (*index)[PK_LANES], unsigned lane,
                          unsigned corners, uint32_t *v)
{
    for (unsigned c = 0; c < corners; c++) {
        if (index[c][lane] >= a->stats.vertices) {
            return false;
        }
        v[c] = asset_vertex_of_particle(a)[index[c][lane]];
    }
    return true;
}

static void list_packs(const piola_asset *a, struct list *found)
{
    uint32_t v[4];
    for (uint32_t lane = 0; lane < PK_LANES; lane++) {
        for (uint32_t p = 0; p < a->at.tet_packs.count; p++) {
            if (lane_vertices(a, asset_tet_packs(a)[p].index, lane, 4, v)) {
                const uint32_t id = asset_tet_of_lane(a)[(size_t)p * PK_LANES + lane];
                add(found, set_number(v, 4, 4) + id * UINT64_C(0x2545f4914f6cdd1d));
            }
        }
        for (uint32_t p = 0; p < a->at.triangle_packs.count; p++) {
            if (lane_vertices(a, asset_triangle_packs(a)[p].index, lane, 3, v)) {
                const uint32_t id = asset_triangle_of_lane(a)[(size_t)p * PK_LANES + lane];
                add(found, set_number(v, 3, 3) + id * UINT64_C(0x2545f4914f6cdd1d));
            }
        }
        for (uint32_t p = 0; p < a->at.bend_packs.count; p++) {
            if (lane_vertices(a, asset_bend_packs(a)[p].index, lane, 4, v)) {
                add(found, set_number(v, 4, 2));
            }
        }
        for (uint32_t p = 0; p < a->at.link_packs.count; p++) {
            if (lane_vertices(a, asset_link_packs(a)[p].index, lane, 2, v)) {
                add(found, set_number(v, 2, 2));
            }
        }
    }
}

/* Of equal numbers leaves one. */
static void unique(struct list *list)
{
    size_t kept = 0;
    qsort(list->number, list->count, sizeof *list->number, compare);
    for (size_t i = 0; i < list->count; i++) {
        if (kept == 0 || list->number[kept - 1] != list->number[i]) {
            list->number[kept++] = list->number[i];
        }
    }
    list->count = kept;
}

/* A visit is a vertex and the others of its element; of bends, each vertex that shares any. */
static uint64_t visit_number(uint32_t vertex, uint64_t element)
{
    return set_number(&vertex, 1, 0) * 3 + element;
}

static void list_visits(const piola_asset *a, const struct pk_vertex_pack *p, unsigned lane,
                        struct list *found)
{
    uint32_t v[4];
    if (p->self[lane] >= a->stats.vertices) {
        return;
    }
    const uint32_t vertex = v[3] = asset_vertex_of_particle(a)[p->self[lane]];
    for (uint32_t s = p->visits[PK_VISIT_TET].first;
         s < p->visits[PK_VISIT_TET].first + p->visits[PK_VISIT_TET].count; s++) {
        const bool snh = a->at.visits_snh.count > 0;
        const float weight =
            snh ? asset_visits_snh(a)[s].beta[lane] : asset_visits(a)[s].volume[lane];
        const pk_u32(*other)[PK_LANES] =
            snh ? asset_visits_snh(a)[s].other : asset_visits(a)[s].other;
        if (weight > 0 && lane_vertices(a, other, lane, 3, v)) {
            add(found, visit_number(vertex, set_number(v, 4, 4)));
        }
    }
    v[2] = vertex;
    for (uint32_t s = p->visits[PK_VISIT_TRIANGLE].first;
         s < p->visits[PK_VISIT_TRIANGLE].first + p->visits[PK_VISIT_TRIANGLE].count; s++) {
        const struct pk_triangle_visit *t = &asset_triangle_visits(a)[s];
        if (t->area[lane] > 0 && lane_vertices(a, t->other, lane, 2, v)) {
            add(found, visit_number(vertex, set_number(v, 3, 3)));
        }
    }
    v[3] = vertex;
    for (uint32_t s = p->visits[PK_VISIT_BEND].first;
         s < p->visits[PK_VISIT_BEND].first + p->visits[PK_VISIT_BEND].count; s++) {
        const uint32_t other = asset_bend_rows(a)[s].other[lane];
        if (other < a->stats.vertices) {
            v[0] = asset_vertex_of_particle(a)[other];
            add(found, visit_number(vertex, set_number(v, 1, 1)));
        }
    }
}

static void list_mesh(const piola_mesh_desc *m, struct list *elements, struct list *visits)
{
    for (uint32_t i = 0; i < m->tetrahedron_count; i++) {
        const uint32_t *v = m->tetrahedra + 4 * (size_t)i;
        const uint64_t number = set_number(v, 4, 4);
        add(elements, number + i * UINT64_C(0x2545f4914f6cdd1d));
        for (unsigned c = 0; c < 4; c++) {
            add(visits, visit_number(v[c], number));
        }
    }
    for (uint32_t i = 0; i < m->triangle_count; i++) {
        const uint32_t *v = m->triangles + 3 * (size_t)i;
        add(elements, set_number(v, 3, 3) + i * UINT64_C(0x2545f4914f6cdd1d));
        for (unsigned c = 0; c < 3; c++) {
            add(visits, visit_number(v[c], set_number(v, 3, 3)));
        }
    }
    for (uint32_t i = 0; i < m->bend_count; i++) {
        const uint32_t *v = m->bends + 4 * (size_t)i;
        add(elements, set_number(v, 4, 2));
        for (unsigned c = 0; c < 16; c++) {
            if (c % 4 != c / 4) {
                add(visits, visit_number(v[c / 4], set_number(v + c % 4, 1, 1)));
            }
        }
    }
    for (uint32_t i = 0; i < m->link_count; i++) {
        add(elements, set_number(m->links + 2 * (size_t)i, 2, 2));
    }
}

const char *asset_check_mesh(const piola_asset *a, const piola_mesh_desc *mesh)
{
    const size_t lanes = (size_t)(a->at.tet_packs.count + a->at.triangle_packs.count +
                                  a->at.bend_packs.count + a->at.link_packs.count) *
                         PK_LANES;
    const size_t slots = (size_t)(a->at.visits.count + a->at.visits_snh.count +
                                  a->at.triangle_visits.count + a->at.bend_rows.count) *
                         PK_LANES;
    const size_t elements = (size_t)mesh->tetrahedron_count + mesh->triangle_count +
                            mesh->bend_count + mesh->link_count;
    struct list want = {calloc(elements, 8), 0}, want_visits = {calloc(12 * elements, 8), 0};
    struct list found = {calloc(lanes + 1, 8), 0}, found_visits = {calloc(slots + 1, 8), 0};
    const char *broken = "no memory";
    if (want.number && want_visits.number && found.number && found_visits.number) {
        list_mesh(mesh, &want, &want_visits);
        unique(&want_visits);
        list_packs(a, &found);
        for (uint32_t p = 0; p < a->at.vertex_packs.count; p++) {
            for (unsigned lane = 0; lane < PK_LANES; lane++) {
                list_visits(a, &asset_vertex_packs(a)[p], lane, &found_visits);
            }
        }
        broken = lanes > 0 && !same_lists(&want, &found) ? "an element is not in exactly one lane"
                 : slots > 0 && !same_lists(&want_visits, &found_visits)
                     ? "a vertex does not visit each of its elements once"
                     : NULL;
    }
    free(want.number);
    free(want_visits.number);
    free(found.number);
    free(found_visits.number);
    return broken;
}
