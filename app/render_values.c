#include "render_values.h"

#include "asset/asset.h"
#include "io/mesh/shape.h"
#include "kernels/models.h"

#include <math.h>
#include <string.h>

static void edges(const struct meshgen *mesh, const float *xyz, uint32_t tetrahedron,
                  double rest[9], double now[9])
{
    const uint32_t *v = mesh->tetrahedra + 4 * (size_t)tetrahedron;
    for (size_t j = 0; j < 3; j++) {
        for (size_t i = 0; i < 3; i++) {
            rest[3 * i + j] =
                mesh->vertices[3 * (size_t)v[j] + i] - mesh->vertices[3 * (size_t)v[3] + i];
            now[3 * i + j] = (double)xyz[3 * (size_t)v[j] + i] - (double)xyz[3 * (size_t)v[3] + i];
        }
    }
}

/* Cofactors: a^-1 is their transpose over the determinant, which is returned. */
static double cofactors(const double a[9], double c[9])
{
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++) {
            size_t i1 = (i + 1) % 3;
            size_t i2 = (i + 2) % 3;
            size_t j1 = (j + 1) % 3;
            size_t j2 = (j + 2) % 3;
            c[3 * i + j] = a[3 * i1 + j1] * a[3 * i2 + j2] - a[3 * i1 + j2] * a[3 * i2 + j1];
        }
    }
    return a[0] * c[0] + a[1] * c[1] + a[2] * c[2];
}

/* F of one tetrahedron; returns its rest volume, m^3. */
static double gradient(const struct meshgen *mesh, const float *xyz, uint32_t tetrahedron,
                       double f[9])
{
    double rest[9];
    double now[9];
    double c[9];
    edges(mesh, xyz, tetrahedron, rest, now);
    double six_volumes = cofactors(rest, c);
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++) {
            f[3 * i + j] = 0.0;
            for (size_t k = 0; k < 3; k++) {
                f[3 * i + j] += now[3 * i + k] * c[3 * j + k] / six_volumes;
            }
        }
    }
    return six_volumes / 6.0;
}

static void green(const double f[9], double e[9])
{
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++) {
            e[3 * i + j] = i == j ? -0.5 : 0.0;
            for (size_t k = 0; k < 3; k++) {
                e[3 * i + j] += 0.5 * f[3 * k + i] * f[3 * k + j];
            }
        }
    }
}

/* First Piola-Kirchhoff stress of the isotropic models, Pa. */
static void piola_stress(const piola_material *material, const double f[9], double p[9])
{
    double c[9];
    double e[9];
    double young = (double)material->young;
    double poisson = (double)material->poisson;
    double mu = young / (2.0 * (1.0 + poisson));
    double lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
    double j = cofactors(f, c);
    double inner = 0.0;
    green(f, e);
    switch (material->model) {
    case PIOLA_MODEL_STVK:
        for (size_t i = 0; i < 9; i++) {
            size_t row = i / 3;
            size_t column = i % 3;
            p[i] = lambda * (e[0] + e[4] + e[8]) * f[i];
            for (size_t k = 0; k < 3; k++) {
                p[i] += 2.0 * mu * f[3 * row + k] * e[3 * k + column];
            }
        }
        return;
    case PIOLA_MODEL_NEO_HOOKEAN:
        /* F^-T is the cofactors over J; crushed elements are shown as if J were small but real. */
        j = fmax(j, 0.05);
        inner = (lambda * log(j) - mu) / j;
        break;
    default:
        inner = (lambda + mu) * (j - 1.0) - mu;
        break;
    }
    for (size_t i = 0; i < 9; i++) {
        p[i] = mu * f[i] + inner * c[i];
    }
}

static double von_mises(const piola_material *material, const double f[9])
{
    double p[9];
    double c[9];
    double s[9];
    double sum = 0.0;
    double j = fmax(fabs(cofactors(f, c)), 0.05);
    piola_stress(material, f, p);
    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < 3; k++) {
            s[3 * i + k] =
                (p[3 * i] * f[3 * k] + p[3 * i + 1] * f[3 * k + 1] + p[3 * i + 2] * f[3 * k + 2]) /
                j;
        }
    }
    double mean = (s[0] + s[4] + s[8]) / 3.0;
    for (size_t i = 0; i < 9; i++) {
        double d = s[i] - (i % 4 == 0 ? mean : 0.0);
        sum += d * d;
    }
    return sqrt(1.5 * sum);
}

static double measure(const piola_material *material, const double f[9])
{
    double e[9];
    double sum = 0.0;
    if (material != NULL) {
        return model_anisotropic((int)material->model) ? 0.0 : von_mises(material, f);
    }
    green(f, e);
    for (size_t i = 0; i < 9; i++) {
        sum += e[i] * e[i];
    }
    return sqrt(sum);
}

/* Von Mises stress of a sheet in its plane, Pa (N/m without a thickness), from the squares of its
 * stretches: docs/method/cloth.md has the energies. */
static double sheet_von_mises(const piola_material *material, const double squares[2])
{
    double young = (double)material->young;
    double poisson = (double)material->poisson;
    double mu = young / (2.0 * (1.0 + poisson));
    double lambda = young * poisson / (1.0 - poisson * poisson);
    double s[2];
    double cauchy[2];
    for (size_t i = 0; i < 2; i++) {
        s[i] = fmax(sqrt(squares[i]), 0.05);
    }
    double j = s[0] * s[1];
    for (size_t i = 0; i < 2; i++) {
        double p = 0.0;
        switch (material->model) {
        case PIOLA_MODEL_STVK:
            p = s[i] *
                (mu * (s[i] * s[i] - 1.0) + 0.5 * lambda * (s[0] * s[0] + s[1] * s[1] - 2.0));
            break;
        case PIOLA_MODEL_NEO_HOOKEAN:
            p = mu * (s[i] - 1.0 / s[i]) + lambda * log(j) / s[i];
            break;
        case PIOLA_MODEL_STABLE_NEO_HOOKEAN:
            p = mu * (s[i] - s[1 - i]) + (lambda + mu) * (j - 1.0) * s[1 - i];
            break;
        default:
            break;
        }
        cauchy[i] = p / s[1 - i];
    }
    return sqrt(fmax(cauchy[0] * cauchy[0] - cauchy[0] * cauchy[1] + cauchy[1] * cauchy[1], 0.0));
}

/* Green strain of a sheet's triangle in its plane, or its stress; its rest area times 2. */
static double sheet_value(const struct meshgen *mesh, const piola_material *material,
                          const float *xyz, uint32_t triangle, double *value)
{
    const uint32_t *v = mesh->triangles + 3 * (size_t)triangle;
    double rest[3][3];
    double moved[3][3];
    double squares[2];
    double area = 0.0;
    const double *then[3];
    const double *now[3];
    shape_rest(mesh, triangle, rest);
    for (size_t c = 0; c < 3; c++) {
        then[c] = rest[c];
        now[c] = moved[c];
        for (size_t k = 0; k < 3; k++) {
            moved[c][k] = (double)xyz[3 * (size_t)v[c] + k];
        }
    }
    shape_triangle(then, now, squares);
    *value = material != NULL ? sheet_von_mises(material, squares)
                              : 0.5 * hypot(squares[0] - 1.0, squares[1] - 1.0);
    for (size_t k = 0; k < 3; k++) {
        size_t i = (k + 1) % 3;
        size_t j = (k + 2) % 3;
        double n = (then[1][i] - then[0][i]) * (then[2][j] - then[0][j]) -
                   (then[1][j] - then[0][j]) * (then[2][i] - then[0][i]);
        area += n * n;
    }
    return sqrt(area);
}

static void mean_of_sheet(const struct meshgen *rest, const uint32_t *element_materials,
                          const piola_material *const *materials, const float *xyz, double *areas,
                          float *values)
{
    for (uint32_t t = 0; t < rest->triangle_count; t++) {
        double value;
        uint32_t which = element_materials != NULL ? element_materials[t] : 0;
        double area =
            sheet_value(rest, materials != NULL ? materials[which] : NULL, xyz, t, &value);
        for (size_t corner = 0; corner < 3; corner++) {
            uint32_t v = rest->triangles[3 * (size_t)t + corner];
            areas[v] += area;
            values[v] += (float)(value * area);
        }
    }
}

/* Strain when there are no materials. */
static void mean_of_elements(const struct meshgen *rest, const uint32_t *element_materials,
                             const piola_material *const *materials, const float *xyz,
                             double *volumes, float *values)
{
    memset(volumes, 0, rest->vertex_count * sizeof *volumes);
    memset(values, 0, rest->vertex_count * sizeof *values);
    if (rest->tetrahedron_count == 0) {
        mean_of_sheet(rest, element_materials, materials, xyz, volumes, values);
    }
    for (uint32_t t = 0; t < rest->tetrahedron_count; t++) {
        double f[9];
        double volume = gradient(rest, xyz, t, f);
        const piola_material *material =
            materials == NULL ? NULL
                              : materials[element_materials != NULL ? element_materials[t] : 0];
        double value = measure(material, f);
        for (size_t corner = 0; corner < 4; corner++) {
            uint32_t v = rest->tetrahedra[4 * (size_t)t + corner];
            volumes[v] += volume;
            values[v] += (float)(value * volume);
        }
    }
    for (uint32_t v = 0; v < rest->vertex_count; v++) {
        values[v] = volumes[v] > 0.0 ? (float)((double)values[v] / volumes[v]) : 0.0f;
    }
}

void render_values_strain(const struct meshgen *rest, const float *xyz, double *sums, float *values)
{
    mean_of_elements(rest, NULL, NULL, xyz, sums, values);
}

void render_values_stress(const struct meshgen *rest, const uint32_t *element_materials,
                          const piola_material *const *materials, const float *xyz, double *sums,
                          float *values)
{
    mean_of_elements(rest, element_materials, materials, xyz, sums, values);
}

/* The cluster of each vertex, or with `packs_wanted` the pack of 16 that it is moved in. */
static void cluster_of_vertices(const piola_asset *asset, uint32_t vertex_count, bool packs_wanted,
                                uint32_t *clusters)
{
    const struct asset_cluster *list = asset_vertex_clusters(asset);
    const struct pk_vertex_pack *packs = asset_vertex_packs(asset);
    const uint32_t *vertex_of = asset_vertex_of_particle(asset);
    for (uint32_t c = 0; c < asset->at.vertex_clusters.count; c++) {
        for (uint32_t p = 0; p < list[c].packs[KIND_VERTEX].count; p++) {
            for (uint32_t lane = 0; lane < PK_LANES; lane++) {
                uint32_t v = vertex_of[packs[list[c].packs[KIND_VERTEX].first + p].self[lane]];
                if (v < vertex_count) {
                    clusters[v] = packs_wanted ? p : c;
                }
            }
        }
    }
}

static void cluster_of_elements(const struct meshgen *rest, const piola_asset *asset,
                                uint32_t *clusters)
{
    const struct asset_cluster *list = asset_clusters(asset);
    const uint32_t *tet_of = asset_tet_of_lane(asset);
    for (uint32_t c = 0; c < asset->at.clusters.count; c++) {
        for (uint32_t lane = 0; lane < list[c].packs[KIND_TET].count * PK_LANES; lane++) {
            uint32_t t = tet_of[(size_t)list[c].packs[KIND_TET].first * PK_LANES + lane];
            for (size_t corner = 0; t < rest->tetrahedron_count && corner < 4; corner++) {
                clusters[rest->tetrahedra[4 * (size_t)t + corner]] = c;
            }
        }
    }
}

void render_values_cluster(const struct meshgen *rest, const piola_asset *asset, uint32_t *clusters)
{
    memset(clusters, 0, rest->vertex_count * sizeof *clusters);
    if (asset->at.vertex_clusters.count > 0) {
        cluster_of_vertices(asset, rest->vertex_count, false, clusters);
    } else {
        cluster_of_elements(rest, asset, clusters);
    }
}

void render_values_turn(const struct meshgen *rest, const piola_asset *asset, uint32_t *turns)
{
    const bool descends = asset->at.vertex_clusters.count > 0;
    if (asset->at.vertex_clusters.count == 1) {
        cluster_of_vertices(asset, rest->vertex_count, true, turns);
        return;
    }
    const uint32_t *first =
        descends ? asset_vertex_cluster_colours(asset) : asset_cluster_colours(asset);
    render_values_cluster(rest, asset, turns);
    for (uint32_t v = 0; v < rest->vertex_count; v++) {
        uint32_t colour = 0;
        while (turns[v] >= first[colour + 1]) {
            colour++;
        }
        turns[v] = colour;
    }
}
