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

double constraint_measure(const piola_mesh_desc *mesh, const piola_constraint *constraint)
{
    const uint32_t *v = constraint->vertices;
    const struct vec3 last = mesh_vertex(mesh, v[constraint_corners(constraint->kind) - 1]);
    const struct vec3 a = vec3_sub(mesh_vertex(mesh, v[0]), last);
    if (constraint->kind == PIOLA_CONSTRAINT_DISTANCE)
        return sqrt(vec3_dot(a, a));
    const struct vec3 b = vec3_sub(mesh_vertex(mesh, v[1]), last);
    const struct vec3 n = vec3_cross(a, b);
    if (constraint->kind == PIOLA_CONSTRAINT_AREA)
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
    const unsigned corners = constraint_corners(c->kind);
    for (unsigned i = 0; i < corners; i++) {
        if (c->vertices[i] >= mesh->vertex_count)
            return refuse_item(error, PIOLA_ERROR_MESH_INDEX, "piola_constraint.vertices", item);
        for (unsigned k = 0; k < i; k++)
            if (c->vertices[k] == c->vertices[i])
                return refuse_item(error, PIOLA_ERROR_MESH_REPEATED, "piola_constraint.vertices",
                                   item);
    }
    double least = EDGE_MIN, most = EDGE_MAX;
    for (unsigned power = 1; power <= c->kind; power++) {
        least *= EDGE_MIN;
        most *= EDGE_MAX;
    }
    const double size = fabs(constraint_measure(mesh, c));
    return size >= least && size <= most
               ? PIOLA_OK
               : refuse_item(error, PIOLA_ERROR_MESH_DEGENERATE, "piola_constraint.vertices", item);
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
    const unsigned corners = constraint_corners(pack->kind);
    const bool used = pack->index[0][lane] < o->vertices;
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
    const float least = pack->least[lane], most = pack->most[lane], left = pack->left[lane];
    return least >= 0 && most >= least && most <= 1e30f && within(pack->compliance[lane], 0, 1e9) &&
           left >= 0 && left < 1 && (used || (most == 0 && left == 0));
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
