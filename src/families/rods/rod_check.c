/* rod_check.c - what a description may say of rods. */
#include "families/rods/rod_assets.h"

#include "base/cookies.h"
#include "base/ranges.h"
#include "base/refuse.h"
#include "compile/mesh_check.h"

#include <math.h>

/* m: shorter segments have no direction, longer ones no digits. */
#define LENGTH_MIN 1e-6
#define LENGTH_MAX 1e6
#define RODS_MAX   65536u
/* Of a direction's length: less across the segment shows no axis. */
#define ACROSS_MIN 1e-3

piola_rod piola_rod_default(void)
{
    return (piola_rod){
        .cookie_ = COOKIE_ROD, .radius = 0.005f, .density = 1000, .young = 1e6f, .poisson = 0.45f};
}

piola_status rod_check_counts(const piola_mesh_desc *mesh, piola_error *error)
{
    if (mesh->segment_count == 0)
        return PIOLA_OK;
    if (mesh->segment_count > MESH_ELEMENTS_MAX)
        return refuse(error, PIOLA_ERROR_TOO_LARGE, "piola_mesh_desc.segment_count");
    if (mesh->segments == NULL || mesh->rods == NULL)
        return refuse(error, PIOLA_ERROR_NULL,
                      mesh->rods == NULL ? "piola_mesh_desc.rods" : "piola_mesh_desc.segments");
    if (mesh->rod_count == 0 || mesh->rod_count > RODS_MAX)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_mesh_desc.rod_count");
    if (mesh->tetrahedron_count + mesh->triangle_count + mesh->bend_count + mesh->link_count +
                mesh->constraint_count + mesh->tether_anchor_count >
            0 ||
        mesh->segment_count > mesh->vertex_count)
        return refuse(error, PIOLA_ERROR_MESH_RODS, "piola_mesh_desc.segment_count");
    return (mesh->compile_for & PIOLA_COMPILE_FOR_DESCENT) != 0
               ? PIOLA_OK
               : refuse(error, PIOLA_ERROR_COMPILE_FOR, "piola_mesh_desc.compile_for");
}

static piola_status check_rod(const piola_rod *rod, uint32_t item, piola_error *error)
{
    if (rod->cookie_ != COOKIE_ROD)
        return refuse_item(error, PIOLA_ERROR_COOKIE, "piola_mesh_desc.rods", item);
    const struct range_row rows[] = {
        {&rod->radius, 1, 1e-6f, 1e3f, "piola_rod.radius"},
        {&rod->density, 1, 1e-3f, 1e6f, "piola_rod.density"},
        {&rod->young, 1, 1e-3f, 1e13f, "piola_rod.young"},
        {&rod->poisson, 1, -0.9f, 0.499f, "piola_rod.poisson"},
        {&rod->stretch, 1, 0, 1e15f, "piola_rod.stretch"},
        {&rod->shear, 1, 0, 1e15f, "piola_rod.shear"},
        {rod->bend, 2, 0, 1e15f, "piola_rod.bend"},
        {&rod->twist, 1, 0, 1e15f, "piola_rod.twist"},
        {rod->curvature, 3, -1e6f, 1e6f, "piola_rod.curvature"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const piola_status status =
            range_check(rows[i].values, rows[i].count, rows[i].low, rows[i].high);
        if (status != PIOLA_OK)
            return refuse_item(error, status, rows[i].field, item);
    }
    double stretch[3], bend[3];
    rod_stiffness(rod, stretch, bend);
    for (unsigned k = 0; k < 3; k++)
        if (!(stretch[k] >= 1e-12 && stretch[k] <= 1e20 && bend[k] >= 1e-20 && bend[k] <= 1e20))
            return refuse_item(error, PIOLA_ERROR_RANGE, "piola_rod.radius", item);
    return PIOLA_OK;
}

static piola_status check_direction(const piola_mesh_desc *mesh, uint32_t item,
                                    const double along[3], piola_error *error)
{
    const char *field = "piola_mesh_desc.segment_directions";
    if (mesh->segment_directions == NULL)
        return PIOLA_OK;
    const float *d = mesh->segment_directions + 3 * (size_t)item;
    if (range_check(d, 3, -1e9f, 1e9f) != PIOLA_OK)
        return refuse_item(error, range_check(d, 3, -1e9f, 1e9f), field, item);
    const double whole =
        (double)d[0] * (double)d[0] + (double)d[1] * (double)d[1] + (double)d[2] * (double)d[2];
    const double part = (double)d[0] * along[0] + (double)d[1] * along[1] + (double)d[2] * along[2];
    return whole > 0 && whole - part * part > ACROSS_MIN * ACROSS_MIN * whole
               ? PIOLA_OK
               : refuse_item(error, PIOLA_ERROR_MESH_FRAME, field, item);
}

static piola_status check_segment(const piola_mesh_desc *mesh, uint32_t item, piola_error *error)
{
    const uint32_t *v = mesh->segments + 2 * (size_t)item;
    const char *field = "piola_mesh_desc.segments";
    double along[3];
    if (v[0] >= mesh->vertex_count || v[1] >= mesh->vertex_count)
        return refuse_item(error, PIOLA_ERROR_MESH_INDEX, field, item);
    if (v[0] == v[1])
        return refuse_item(error, PIOLA_ERROR_MESH_REPEATED, field, item);
    if (mesh->segment_rods != NULL && mesh->segment_rods[item] >= mesh->rod_count)
        return refuse_item(error, PIOLA_ERROR_MESH_MATERIAL, "piola_mesh_desc.segment_rods", item);
    const double length = rod_length(mesh, item, along);
    if (!(length >= LENGTH_MIN && length <= LENGTH_MAX))
        return refuse_item(error, PIOLA_ERROR_MESH_DEGENERATE, field, item);
    return check_direction(mesh, item, along, error);
}

piola_status rod_check_elements(const piola_mesh_desc *mesh, unsigned char *touched,
                                piola_error *error)
{
    piola_status status = PIOLA_OK;
    for (uint32_t i = 0; status == PIOLA_OK && mesh->segment_count > 0 && i < mesh->rod_count; i++)
        status = check_rod(&mesh->rods[i], i, error);
    for (uint32_t i = 0; status == PIOLA_OK && i < mesh->segment_count; i++) {
        status = check_segment(mesh, i, error);
        for (unsigned k = 0; status == PIOLA_OK && k < 2; k++)
            touched[mesh->segments[2 * (size_t)i + k]] = 1;
    }
    return status;
}
