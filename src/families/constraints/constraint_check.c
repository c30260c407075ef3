/* constraint_check.c - what a description may say of constraints, and what stored bytes may. */
#include "families/constraints/constraints.h"

#include "base/refuse.h"
#include "compile/mesh_check.h"
#include "verify/verify.h"

#include <math.h>
#include <string.h>

#define BOUND_MAX      1e6
#define COMPLIANCE_MAX 1e9
/* Edges of 1e-6 to 1e6 m: what is smaller or larger has no digits left. */
#define EDGE_MIN 1e-6
#define EDGE_MAX 1e6

static bool finite(float value)
{
    return value - value == 0;
}

static bool within(float value, double least, double most)
{
    return (double)value >= least && (double)value <= most;
}

piola_status constraint_check_counts(const piola_mesh_desc *mesh, piola_error *error)
{
    if (mesh->constraint_count > CONSTRAINTS_MAX)
        return refuse(error, PIOLA_ERROR_TOO_LARGE, "piola_mesh_desc.constraint_count");
    if (mesh->constraint_count > 0 && mesh->constraints == NULL)
        return refuse(error, PIOLA_ERROR_NULL, "piola_mesh_desc.constraints");
    if ((unsigned)mesh->constraint_order >= PIOLA_ORDER_COUNT)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_mesh_desc.constraint_order");
    if (!finite(mesh->constraint_relaxation))
        return refuse(error, PIOLA_ERROR_NOT_FINITE, "piola_mesh_desc.constraint_relaxation");
    return within(mesh->constraint_relaxation, (double)0.01f, (double)1.99f)
               ? PIOLA_OK
               : refuse(error, PIOLA_ERROR_RANGE, "piola_mesh_desc.constraint_relaxation");
}

/* The corners' edges from the last one; of a triangle the third is its unit normal. */
static void edges_of(const piola_mesh_desc *mesh, const piola_constraint *c, struct vec3 e[3])
{
    const unsigned corners = constraint_corners(c);
    const struct vec3 last = mesh_vertex(mesh, c->vertices[corners - 1]);
    for (unsigned i = 0; i + 1 < corners; i++)
        e[i] = vec3_sub(mesh_vertex(mesh, c->vertices[i]), last);
    if (corners == 3) {
        e[2] = vec3_cross(e[0], e[1]);
        e[2] = vec3_scale(e[2], 1 / sqrt(vec3_dot(e[2], e[2])));
    }
}

/* The direction as a unit vector, in the plane of a triangle; its square before that. */
static double direction_of(const piola_constraint *c, unsigned axis, const struct vec3 e[3],
                           struct vec3 *unit)
{
    const float *a = c->axes[axis];
    struct vec3 d = {(double)a[0], (double)a[1], (double)a[2]};
    const double whole = vec3_dot(d, d);
    if (constraint_corners(c) == 3)
        d = vec3_sub(d, vec3_scale(e[2], vec3_dot(d, e[2])));
    const double square = vec3_dot(d, d);
    *unit = vec3_scale(d, square > 0 ? 1 / sqrt(square) : 0);
    return whole > 0 ? square / whole : 0;
}

bool constraint_along(const piola_mesh_desc *mesh, const piola_constraint *c, unsigned axis,
                      double along[4])
{
    struct vec3 e[3], unit;
    edges_of(mesh, c, e);
    if (!(direction_of(c, axis, e, &unit) > 1e-6))
        return false;
    const double det = vec3_dot(e[0], vec3_cross(e[1], e[2]));
    along[0] = vec3_dot(unit, vec3_cross(e[1], e[2])) / det;
    along[1] = vec3_dot(unit, vec3_cross(e[2], e[0])) / det;
    along[2] = vec3_dot(unit, vec3_cross(e[0], e[1])) / det;
    if (constraint_corners(c) == 3)
        along[2] = 0;
    along[3] = -along[0] - along[1] - along[2];
    if (constraint_corners(c) == 3) {
        along[2] = along[3];
        along[3] = 0;
    }
    return true;
}

double constraint_cosine(const piola_mesh_desc *mesh, const piola_constraint *c)
{
    struct vec3 e[3], a, b;
    edges_of(mesh, c, e);
    direction_of(c, 0, e, &a);
    direction_of(c, 1, e, &b);
    return vec3_dot(a, b);
}

double constraint_measure(const piola_mesh_desc *mesh, const piola_constraint *constraint)
{
    const uint32_t *v = constraint->vertices;
    const unsigned corners = constraint_corners(constraint);
    const struct vec3 last = mesh_vertex(mesh, v[corners - 1]);
    const struct vec3 a = vec3_sub(mesh_vertex(mesh, v[0]), last);
    if (corners == 2)
        return sqrt(vec3_dot(a, a));
    const struct vec3 b = vec3_sub(mesh_vertex(mesh, v[1]), last);
    const struct vec3 n = vec3_cross(a, b);
    if (corners == 3)
        return sqrt(vec3_dot(n, n)) / 2;
    return vec3_dot(n, vec3_sub(mesh_vertex(mesh, v[2]), last)) / 6;
}

static piola_status check_numbers(const piola_constraint *c, uint32_t item,
                                  enum piola_constraint_order order, piola_error *error)
{
    const struct {
        float value;
        double least, most;
        const char *field;
    } rows[] = {
        {c->least, 0, BOUND_MAX, "piola_constraint.least"},
        {c->most, 1e-6, BOUND_MAX, "piola_constraint.most"},
        {c->most, (double)c->least, BOUND_MAX, "piola_constraint.most"},
        {c->stiffness, 1e-6, 1, "piola_constraint.stiffness"},
        {c->compliance, 0, order == PIOLA_ORDER_AVERAGED || c->stiffness < 1 ? 0 : COMPLIANCE_MAX,
         "piola_constraint.compliance"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!finite(rows[i].value))
            return refuse_item(error, PIOLA_ERROR_NOT_FINITE, rows[i].field, item);
        if (!within(rows[i].value, rows[i].least, rows[i].most))
            return refuse_item(error, PIOLA_ERROR_RANGE, rows[i].field, item);
    }
    return PIOLA_OK;
}

static piola_status check_vertices(const piola_mesh_desc *mesh, const piola_constraint *c,
                                   uint32_t item, piola_error *error)
{
    const unsigned corners = constraint_corners(c);
    for (unsigned i = 0; i < corners; i++) {
        if (c->vertices[i] >= mesh->vertex_count)
            return refuse_item(error, PIOLA_ERROR_MESH_INDEX, "piola_constraint.vertices", item);
        for (unsigned k = 0; k < i; k++)
            if (c->vertices[k] == c->vertices[i])
                return refuse_item(error, PIOLA_ERROR_MESH_REPEATED, "piola_constraint.vertices",
                                   item);
    }
    double least = EDGE_MIN, most = EDGE_MAX;
    for (unsigned power = 2; power < corners; power++) {
        least *= EDGE_MIN;
        most *= EDGE_MAX;
    }
    const double size = fabs(constraint_measure(mesh, c));
    return size >= least && size <= most
               ? PIOLA_OK
               : refuse_item(error, PIOLA_ERROR_MESH_DEGENERATE, "piola_constraint.vertices", item);
}

/* Directions of stretch and shear, of elements that are sound. */
static piola_status check_axes(const piola_mesh_desc *mesh, const piola_constraint *c,
                               uint32_t item, piola_error *error)
{
    const unsigned axes = c->kind == PIOLA_CONSTRAINT_STRETCH ? 1
                          : c->kind == PIOLA_CONSTRAINT_SHEAR ? 2
                                                              : 0;
    double along[4];
    for (unsigned i = 0; i < axes; i++) {
        for (unsigned k = 0; k < 3; k++)
            if (!finite(c->axes[i][k]))
                return refuse_item(error, PIOLA_ERROR_NOT_FINITE, "piola_constraint.axes", item);
        if (!constraint_along(mesh, c, i, along))
            return refuse_item(error, PIOLA_ERROR_RANGE, "piola_constraint.axes", item);
    }
    if (axes == 2 && fabs(constraint_cosine(mesh, c)) > 0.999)
        return refuse_item(error, PIOLA_ERROR_RANGE, "piola_constraint.axes", item);
    return PIOLA_OK;
}

piola_status constraint_check(const piola_mesh_desc *mesh, unsigned char *seen, piola_error *error)
{
    (void)seen;
    for (uint32_t i = 0; i < mesh->constraint_count; i++) {
        const piola_constraint *c = &mesh->constraints[i];
        if ((unsigned)c->kind >= PIOLA_CONSTRAINT_KIND_COUNT)
            return refuse_item(error, PIOLA_ERROR_RANGE, "piola_constraint.kind", i);
        piola_status status = check_numbers(c, i, mesh->constraint_order, error);
        if (status == PIOLA_OK)
            status = check_vertices(mesh, c, i, error);
        if (status == PIOLA_OK)
            status = check_axes(mesh, c, i, error);
        if (status != PIOLA_OK)
            return status;
    }
    return PIOLA_OK;
}

/* ---- stored bytes ---- */

/* All corners of a lane are vertices, each once in the pack; or all are dummies. */
static bool check_lane(const struct open *o, const struct pk_constraint_pack *pack, uint32_t lane,
                       uint64_t *found)
{
    const bool used = pack->index[0][lane] < o->vertices;
    unsigned corners = pack->kind < 2 ? pack->kind + 2 : 4;
    if (pack->kind > PK_CONSTRAINT_VOLUME && pack->index[3][lane] == o->first_dummy + 3)
        corners = 3;
    *found += used;
    for (unsigned c = 0; c < 4; c++) {
        const uint32_t at = pack->index[c][lane];
        if (!(used && c < corners)) {
            if (at != o->first_dummy + c)
                return false;
            continue;
        }
        if (at >= o->vertices)
            return false;
        for (unsigned k = 0; k < corners; k++)
            for (uint32_t other = 0; other <= lane; other++)
                if (pack->index[k][other] == at && (other < lane || k < c))
                    return false;
    }
    for (unsigned c = 0; c < 8; c++)
        if (!finite(pack->along[c / 4][c % 4][lane]))
            return false;
    const float least = pack->least[lane], most = pack->most[lane], left = pack->left[lane];
    return least >= 0 && most >= least && most <= 1e30f && within(pack->compliance[lane], 0, 1e9) &&
           left >= 0 && left < 1 && finite(pack->rest[lane]) && (used || (most == 0 && left == 0));
}

bool constraint_verify(const struct open *o)
{
    const struct constraint_head *head = asset_constraint_heads(o->asset);
    const piola_asset_stats *stats = &o->asset->stats;
    const uint64_t packs = o->counts.constraint_packs;
    uint64_t found = 0;
    if (packs != stats->constraint_packs)
        return false;
    if (packs == 0)
        return stats->constraints == 0 && o->counts.constraint_heads == 0 &&
               o->counts.constraint_particles == 0;
    if (o->counts.constraint_heads != 1 || o->counts.constraint_particles != o->counts.particles ||
        head->order >= PIOLA_ORDER_COUNT || !within(head->relaxation, 0, 2))
        return false;
    for (uint64_t i = 0; i < packs; i++) {
        const struct pk_constraint_pack *pack = &asset_constraint_packs(o->asset)[i];
        if (pack->kind >= PK_CONSTRAINT_KINDS)
            return false;
        for (uint32_t lane = 0; lane < PK_LANES; lane++)
            if (!check_lane(o, pack, lane, &found))
                return false;
    }
    for (uint64_t i = 0; i < o->counts.particles; i++)
        if (!within(asset_constraint_shares(o->asset)[i], 1, CONSTRAINTS_MAX))
            return false;
    return found == stats->constraints && found == head->count;
}
