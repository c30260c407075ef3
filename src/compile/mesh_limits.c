/* mesh_limits.c - see mesh_limits.h. */
#include "compile/mesh_limits.h"

#include "base/ranges.h"
#include "base/refuse.h"

#include <math.h>

double limits_link_length(const piola_mesh_desc *mesh, uint32_t link)
{
    if (mesh->link_lengths != NULL)
        return (double)mesh->link_lengths[link];
    const uint32_t *v = mesh->links + 2 * (size_t)link;
    const struct vec3 d = vec3_sub(mesh_vertex(mesh, v[0]), mesh_vertex(mesh, v[1]));
    return sqrt(vec3_dot(d, d));
}

struct limits_range limits_link_range(const piola_mesh_desc *mesh, uint32_t link)
{
    const double length = limits_link_length(mesh, link);
    if (mesh->link_bounds == NULL)
        return (struct limits_range){(float)length, (float)length};
    const float *bounds = mesh->link_bounds + 2 * (size_t)link;
    return (struct limits_range){(float)(length * (double)bounds[0]),
                                 (float)(length * (double)bounds[1])};
}

float limits_link_compliance(const piola_mesh_desc *mesh, uint32_t link)
{
    return mesh->link_compliances == NULL ? 0 : mesh->link_compliances[link];
}

float limits_link_damping(const piola_mesh_desc *mesh, uint32_t link)
{
    return mesh->link_dampings == NULL ? 0 : mesh->link_dampings[link];
}

static bool within(float value, double least, double most)
{
    return (double)value >= least && (double)value <= most;
}

static piola_status check_bounds(const piola_mesh_desc *mesh, uint32_t link, piola_error *error)
{
    const float *bounds = mesh->link_bounds + 2 * (size_t)link;
    if (!is_finite(bounds[0]) || !is_finite(bounds[1]))
        return refuse_item(error, PIOLA_ERROR_NOT_FINITE, "piola_mesh_desc.link_bounds", link);
    if (!within(bounds[0], 0, LIMIT_BOUND_MAX) ||
        !within(bounds[1], LIMIT_BOUND_MIN, LIMIT_BOUND_MAX) || !(bounds[1] >= bounds[0]))
        return refuse_item(error, PIOLA_ERROR_RANGE, "piola_mesh_desc.link_bounds", link);
    return PIOLA_OK;
}

piola_status limits_check_link(const piola_mesh_desc *mesh, uint32_t link, piola_error *error)
{
    const struct {
        const float *list;
        double least, most;
        const char *field;
    } rows[] = {
        {mesh->link_lengths, LIMIT_LENGTH_MIN, LIMIT_LENGTH_MAX, "piola_mesh_desc.link_lengths"},
        {mesh->link_compliances, 0, LIMIT_COMPLIANCE_MAX, "piola_mesh_desc.link_compliances"},
        {mesh->link_dampings, 0, LIMIT_DAMPING_MAX, "piola_mesh_desc.link_dampings"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].list != NULL && !is_finite(rows[i].list[link]))
            return refuse_item(error, PIOLA_ERROR_NOT_FINITE, rows[i].field, link);
        if (rows[i].list != NULL && !within(rows[i].list[link], rows[i].least, rows[i].most))
            return refuse_item(error, PIOLA_ERROR_RANGE, rows[i].field, link);
    }
    return mesh->link_bounds == NULL ? PIOLA_OK : check_bounds(mesh, link, error);
}

piola_status limits_link_status(const piola_mesh_desc *mesh, uint32_t link)
{
    const double length = limits_link_length(mesh, link);
    return length >= LIMIT_LENGTH_MIN && length <= LIMIT_LENGTH_MAX ? PIOLA_OK
                                                                    : PIOLA_ERROR_MESH_DEGENERATE;
}
