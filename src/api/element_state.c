/* element_state.c - stress, strain and energy of elements: a kernel evaluates packs with the models
 * of the solvers, and what follows from F and P alone is computed here, in double. */
#include "base/float_mode.h"
#include "base/symmetric3.h"
#include "world/world.h"

#include <float.h>
#include <math.h>

/* Elements of one kind that are asked for. */
struct asked {
    const piola_world *world;
    const struct body *body;
    const piola_asset *asset;
    unsigned kind;
    uint32_t first, count;
    piola_element_state *states;
};

static double size_of(double v)
{
    return v < 0 ? -v : v;
}

/* What is beyond single precision is told as its largest number; of what has no sign left, too. */
static float told(double v)
{
    const double most = (double)FLT_MAX;
    return (float)(v >= -most && v <= most ? v : v < 0 ? -most : most);
}

static double det(const double f[3][3])
{
    return f[0][0] * (f[1][1] * f[2][2] - f[1][2] * f[2][1]) -
           f[0][1] * (f[1][0] * f[2][2] - f[1][2] * f[2][0]) +
           f[0][2] * (f[1][0] * f[2][1] - f[1][1] * f[2][0]);
}

/* The area ratio of a triangle: the length of the cross product of F's two columns. */
static double area_ratio(const double f[3][3])
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double n = f[i][0] * f[j][1] - f[j][0] * f[i][1];
        square += n * n;
    }
    return sqrt(square);
}

static void set_strain(piola_element_state *to, const double f[3][3], int columns)
{
    for (int s = 0; s < 6; ++s) {
        const int i = symmetric3_row[s], j = symmetric3_column[s];
        const double product = f[0][i] * f[0][j] + f[1][i] * f[1][j] + f[2][i] * f[2][j];
        to->green_strain[s] = j < columns ? told(0.5 * (product - (i == j))) : 0;
    }
}

static void set_stress(piola_element_state *to, const double f[3][3], const double p[3][3],
                       double ratio)
{
    const double least = 1e-6, sign = ratio < 0 ? -1 : 1;
    const double over = size_of(ratio) > least ? ratio : sign * least;
    double s[6], deviator = 0;
    for (int n = 0; n < 6; ++n) {
        const int i = symmetric3_row[n], j = symmetric3_column[n];
        s[n] = (p[i][0] * f[j][0] + p[i][1] * f[j][1] + p[i][2] * f[j][2]) / over;
        to->cauchy[n] = told(s[n]);
    }
    const double mean = (s[0] + s[1] + s[2]) / 3;
    for (int n = 0; n < 6; ++n)
        deviator += n < 3 ? (s[n] - mean) * (s[n] - mean) : 2 * s[n] * s[n];
    to->von_mises = told(sqrt(1.5 * deviator));
}

/* One lane of a pack. `per`: what stresses of the kernel are divided by, a sheet's thickness. */
static void set_state(const struct asked *a, const struct pk_element_state *pack, uint32_t lane,
                      double rest, double per, piola_element_state *to)
{
    double f[3][3], p[3][3];
    for (int k = 0; k < 9; ++k) {
        f[k / 3][k % 3] = (double)pack->f[k][lane];
        p[k / 3][k % 3] = (double)told((double)pack->p[k][lane]) / per;
        to->deformation[k] = told((double)pack->f[k][lane]);
        to->first_piola[k] = told(p[k / 3][k % 3]);
    }
    const double ratio = a->kind == KIND_TET ? det(f) : area_ratio(f);
    set_strain(to, f, a->kind == KIND_TET ? 3 : 2);
    set_stress(to, f, p, ratio);
    to->volume_ratio = told(ratio);
    to->rest_volume = (float)rest;
    to->energy = told(rest * (double)pack->psi[lane]);
}

static bool wants(const struct asked *a, const uint32_t *numbers)
{
    bool any = false;
    for (uint32_t lane = 0; lane < PK_LANES; ++lane)
        any = any || numbers[lane] - a->first < a->count;
    return any;
}

static void set_pack(const struct asked *a, uint32_t pack, const uint32_t *numbers)
{
    const struct kernels *k = kernels_for(a->world->desc.isa);
    const bool tets = a->kind == KIND_TET;
    const uint32_t material = tets ? asset_tet_pack_materials(a->asset)[pack]
                                   : asset_triangle_pack_materials(a->asset)[pack];
    const uint32_t *cells =
        tets ? asset_tet_pack_plastic(a->asset) : asset_triangle_pack_plastic(a->asset);
    const uint32_t described = (uint32_t)a->asset->at.sheet_thickness.count;
    const float thickness = tets ? 0 : asset_sheet_thickness(a->asset)[material % described];
    _Alignas(PIOLA_ALIGNMENT) struct pk_element_state states;
    const struct pk_state_job job = {
        .x = world_position(a->world) + a->body->first,
        .tets = tets ? asset_tet_packs(a->asset) + pack : NULL,
        .triangles = tets ? NULL : asset_triangle_packs(a->asset) + pack,
        .cells = a->asset->plastic_cells ? cells + pack : NULL,
        .plastic = world_plastic(a->world) + a->body->plastic_first,
        .material = asset_materials(a->asset) + material,
        .states = &states,
        .count = 1,
    };
    if (tets)
        k->state_tets(&job);
    else
        k->state_triangles(&job);
    for (uint32_t lane = 0; lane < PK_LANES; ++lane)
        if (numbers[lane] - a->first < a->count)
            set_state(a, &states, lane,
                      (double)(tets ? job.tets->volume[lane] : job.triangles->area[lane]),
                      thickness > 0 ? (double)thickness : 1, &a->states[numbers[lane] - a->first]);
}

static piola_status states_of(struct asked *a, piola_body handle)
{
    const piola_status status = world_check(a->world);
    if (status != PIOLA_OK)
        return status;
    if (a->count > 0 && !a->states)
        return PIOLA_ERROR_NULL;
    a->body = body_find(a->world, handle);
    if (!a->body)
        return PIOLA_ERROR_STALE;
    a->asset = body_asset(a->world, a->body);
    const piola_asset_stats *stats = &a->asset->stats;
    const uint32_t elements = a->kind == KIND_TET ? stats->tetrahedra : stats->triangles;
    if (a->first > elements || a->count > elements - a->first)
        return PIOLA_ERROR_RANGE;
    const uint64_t packs =
        a->kind == KIND_TET ? a->asset->at.tet_packs.count : a->asset->at.triangle_packs.count;
    if (a->count > 0 && packs == 0)
        return PIOLA_ERROR_COMPILE_FOR;
    const uint32_t *numbers =
        a->kind == KIND_TET ? asset_tet_of_lane(a->asset) : asset_triangle_of_lane(a->asset);
    for (uint32_t pack = 0; pack < packs; ++pack, numbers += PK_LANES)
        if (wants(a, numbers))
            set_pack(a, pack, numbers);
    return PIOLA_OK;
}

static piola_status states_in_mode(const piola_world *world, piola_body body, unsigned kind,
                                   uint32_t first, uint32_t count, piola_element_state *states)
{
    struct asked asked = {
        .world = world, .kind = kind, .first = first, .count = count, .states = states};
    IN_PLAIN_MODE;
    return states_of(&asked, body);
}

piola_status piola_body_tetrahedron_states(const piola_world *world, piola_body body,
                                           uint32_t first, uint32_t count,
                                           piola_element_state *states)
{
    return states_in_mode(world, body, KIND_TET, first, count, states);
}

piola_status piola_body_triangle_states(const piola_world *world, piola_body body, uint32_t first,
                                        uint32_t count, piola_element_state *states)
{
    return states_in_mode(world, body, KIND_TRIANGLE, first, count, states);
}
