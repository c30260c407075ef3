/* rod_build.c - writes what a plan found of rods into the asset: stiffness, inertia, rest shape. */
#include "families/rods/rod_assets.h"
#include "families/rods/rod_turn.h"

#include "compile/build.h"

#define PI 3.14159265358979323846

void rod_stiffness(const piola_rod *rod, double stretch[3], double bend[3])
{
    const double r = (double)rod->radius, young = (double)rod->young;
    const double shear = young / (2 * (1 + (double)rod->poisson));
    const double area = PI * r * r, second = area * r * r / 4;
    stretch[0] = stretch[1] = rod->shear > 0 ? (double)rod->shear : 0.9 * shear * area;
    stretch[2] = rod->stretch > 0 ? (double)rod->stretch : young * area;
    for (unsigned k = 0; k < 2; k++)
        bend[k] = rod->bend[k] > 0 ? (double)rod->bend[k] : young * second;
    bend[2] = rod->twist > 0 ? (double)rod->twist : 2 * shear * second;
}

/* kg/m */
static double line_mass(const piola_rod *rod)
{
    return (double)rod->density * PI * (double)rod->radius * (double)rod->radius;
}

static double mass(const piola_mesh_desc *mesh, const struct piola_plan *plan, uint32_t vertex)
{
    const struct rod_plan *rods = rod_plan(plan);
    double sum = 0, along[3];
    for (uint32_t i = mesh->segment_count > 0 ? rods->first[vertex] : 0;
         mesh->segment_count > 0 && i < rods->first[vertex + 1]; i++) {
        const uint32_t s = rods->at_vertex[i];
        sum += line_mass(rod_of(mesh, s)) * rod_length(mesh, s, along) / 2;
    }
    return sum;
}

static void build_segment(const struct build *b, uint32_t i)
{
    const piola_rod *rod = rod_of(b->mesh, i);
    struct rod_segment *to = &b->at.rod_segments[i];
    double stretch[3], bend[3], along[3];
    const double length = rod_length(b->mesh, i, along), r = (double)rod->radius;
    rod_stiffness(rod, stretch, bend);
    to->length = (float)length;
    for (unsigned k = 0; k < 2; k++)
        to->end[k] = b->plan->particle_of_vertex[b->mesh->segments[2 * (size_t)i + k]];
    for (unsigned k = 0; k < 3; k++) {
        to->stretch[k] = (float)stretch[k];
        to->bend[k] = (float)bend[k];
        to->inertia[k] = (float)(line_mass(rod) * length * r * r / (k == 2 ? 2 : 4));
    }
    for (unsigned k = 0; k < 4; k++)
        to->rest[k] = (float)rod_plan(b->plan)->turn[4 * (size_t)i + k];
}

/* The axes of a segment as they lead through a joint: turned round about d1 when it is described
 * the other way. */
static void through(const struct rod_plan *rods, uint32_t segment, bool turned, double flip[4],
                    double axes[4])
{
    const double *q = rods->turn + 4 * (size_t)segment;
    flip[0] = turned;
    flip[1] = flip[2] = 0;
    flip[3] = !turned;
    rotation_join(q, flip, axes);
}

/* The rest turn from a joint's first axes to its second ones is h h: halfway are the joint's own.
 */
static void halfway(const double between[4], const double bent[3], double h[4])
{
    double half[4], extra[4];
    memcpy(half, between, sizeof half);
    half[3] += 1;
    rotation_unit(half);
    rotation_of(bent, extra);
    rotation_join(half, extra, extra);
    rotation_join(extra, half, h);
    for (int k = 0; k < 4 && h[3] < 0; k++)
        h[k] = k == 3 ? h[k] : -h[k];
    h[3] = fabs(h[3]) + 1;
    rotation_unit(h);
}

static void build_joint(const struct build *b, uint32_t vertex, uint32_t a, uint32_t c,
                        struct rod_joint *to)
{
    const uint32_t *ends = b->mesh->segments;
    const bool swap =
        ends[2 * (size_t)a + 1] != vertex && ends[2 * (size_t)c + 1] == vertex; /* a leads on */
    const uint32_t s[2] = {swap ? c : a, swap ? a : c};
    double flip[2][4], axes[2][4], between[4], h[4], back[4], bent[3], frame[2][4];
    double stretch[3], bend[2][3], length[2], along[3];
    for (unsigned k = 0; k < 2; k++) {
        to->segment[k] = s[k];
        to->end[k] = ends[2 * (size_t)s[k] + 1] == vertex;
        length[k] = rod_length(b->mesh, s[k], along);
        rod_stiffness(rod_of(b->mesh, s[k]), stretch, bend[k]);
        through(rod_plan(b->plan), s[k], k == 0 ? to->end[0] == 0 : to->end[1] == 1, flip[k],
                axes[k]);
    }
    for (unsigned k = 0; k < 3; k++) {
        to->stiffness[k] = (float)(2 / (length[0] / bend[0][k] + length[1] / bend[1][k]));
        bent[k] = (length[0] * (double)rod_of(b->mesh, s[0])->curvature[k] +
                   length[1] * (double)rod_of(b->mesh, s[1])->curvature[k]) /
                  2;
    }
    turn_between(axes[0], axes[1], between);
    halfway(between, bent, h);
    turn_back(h, back);
    rotation_join(flip[0], h, frame[0]);
    rotation_join(flip[1], back, frame[1]);
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < 4; i++)
            to->frame[k][i] = (float)frame[k][i];
}

static void build(const struct build *b)
{
    const struct rod_plan *rods = rod_plan(b->plan);
    const uint32_t vertices = b->plan->vertices;
    struct rod_joint *joint = b->at.rod_joints;
    if (b->plan->stats.segments == 0)
        return;
    for (uint32_t i = 0; i < b->plan->stats.segments; i++)
        build_segment(b, i);
    for (uint32_t v = 0; v < vertices; v++)
        for (uint32_t i = rods->first[v]; i < rods->first[v + 1]; i++)
            if (rods->at_vertex[i] != rods->centre[v])
                build_joint(b, v, rods->centre[v], rods->at_vertex[i], joint++);
    for (uint32_t at = 0; at < rods->nodes; at++) {
        const uint32_t node = rods->node_of_place[at];
        struct rod_place *to = &b->at.rod_places[at];
        to->node = node < vertices ? b->plan->particle_of_vertex[node] : node;
        to->first = rods->block_first[at];
        b->at.rod_places[to->node].place = at;
    }
    b->at.rod_places[rods->nodes].first = rods->blocks;
    memcpy(b->at.rod_later, rods->later, rods->blocks * sizeof *rods->later);
}

static void count(struct piola_plan *plan)
{
    const struct rod_plan *rods = rod_plan(plan);
    plan->counts.rod_segments = plan->stats.segments;
    plan->counts.rod_joints = rods->joints;
    plan->counts.rod_places1 = plan->stats.segments > 0 ? rods->nodes + UINT64_C(1) : 0;
    plan->counts.rod_later = rods->blocks;
}

static bool fits(const struct piola_plan *plan)
{
    return !rod_plan(plan)->full;
}

const struct asset_part part_rods = {
    .name = "rods",
    .check_counts = rod_check_counts,
    .elements = rod_check_elements,
    .mass = mass,
    .take = rod_take,
    .plan = rod_find,
    .count = count,
    .fits = fits,
    .refused = PIOLA_ERROR_MESH_RODS,
    .field = "piola_mesh_desc.segments",
    .build = build,
    .verify = rod_verify,
};
