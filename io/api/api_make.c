/* api_make.c - shapes made by rule, and meshes compiled, of the public interface. */
#include "io/api/api_mesh.h"
#include "io/mesh/compile.h"
#include "io/mesh/fill.h"

#define SIZE_MOST       1e6 /* m */
#define CELLS_MOST      100000u
#define TETRAHEDRA_MOST 50000000u
#define SEGMENTS_MOST   10000000u

static piola_io_status check_size(const char *what, double value, piola_io_error *error)
{
    return api_above(0, value, SIZE_MOST)
               ? PIOLA_IO_OK
               : api_refuse(error, PIOLA_IO_ERROR_RANGE, "%s is %g: above 0, up to 1e6 m", what,
                            value);
}

static piola_io_status check_count(const char *what, uint32_t value, uint32_t most,
                                   piola_io_error *error)
{
    return value >= 1 && value <= most
               ? PIOLA_IO_OK
               : api_refuse(error, PIOLA_IO_ERROR_RANGE, "%s is %u: 1 to %u", what, value, most);
}

/* Sizes are good, so what is left is too much of them. */
static bool made(bool good, const char *what, struct problem *problem)
{
    return good || problem_memory(problem, what, 0);
}

/* ---- boxes ---- */

piola_io_box_desc piola_io_box_desc_default(void)
{
    return (piola_io_box_desc){.cookie_ = COOKIE_IO_BOX, .cells = {4, 4, 4}, .size = {1, 1, 1}};
}

static bool make_box(struct meshgen *mesh, const void *wanted, struct problem *problem)
{
    const piola_io_box_desc *desc = wanted;
    return made(meshgen_box(mesh, desc->size, desc->cells), "a box of so many cells", problem);
}

piola_io_status piola_io_make_box(const piola_io_box_desc *desc,
                                  const piola_io_mesh_options *options, piola_io_mesh **mesh,
                                  piola_io_error *error)
{
    piola_io_status status = PIOLA_IO_OK;
    if (!desc)
        return api_null(error, "desc");
    if (desc->cookie_ != COOKIE_IO_BOX)
        return api_cookie(error, "piola_io_box_desc");
    for (int k = 0; k < 3 && status == PIOLA_IO_OK; ++k) {
        status = check_size("piola_io_box_desc.size", desc->size[k], error);
        if (status == PIOLA_IO_OK)
            status = check_count("piola_io_box_desc.cells", desc->cells[k], CELLS_MOST, error);
    }
    return status == PIOLA_IO_OK ? api_mesh_take(make_box, desc, NULL, options, mesh, error)
                                 : status;
}

/* ---- balls ---- */

piola_io_ball_desc piola_io_ball_desc_default(void)
{
    return (piola_io_ball_desc){.cookie_ = COOKIE_IO_BALL, .tetrahedra = 2000, .radius = 0.5};
}

static bool make_ball(struct meshgen *mesh, const void *wanted, struct problem *problem)
{
    const piola_io_ball_desc *desc = wanted;
    return made(meshgen_ball(mesh, desc->radius, desc->tetrahedra), "a ball of so many tetrahedra",
                problem);
}

piola_io_status piola_io_make_ball(const piola_io_ball_desc *desc,
                                   const piola_io_mesh_options *options, piola_io_mesh **mesh,
                                   piola_io_error *error)
{
    if (!desc)
        return api_null(error, "desc");
    if (desc->cookie_ != COOKIE_IO_BALL)
        return api_cookie(error, "piola_io_ball_desc");
    piola_io_status status = check_size("piola_io_ball_desc.radius", desc->radius, error);
    if (status == PIOLA_IO_OK)
        status =
            check_count("piola_io_ball_desc.tetrahedra", desc->tetrahedra, TETRAHEDRA_MOST, error);
    return status == PIOLA_IO_OK ? api_mesh_take(make_ball, desc, NULL, options, mesh, error)
                                 : status;
}

/* ---- capsules ---- */

piola_io_capsule_desc piola_io_capsule_desc_default(void)
{
    return (piola_io_capsule_desc){
        .cookie_ = COOKIE_IO_CAPSULE, .tetrahedra = 2000, .length = 1, .radius = 0.25};
}

static bool make_capsule(struct meshgen *mesh, const void *wanted, struct problem *problem)
{
    const piola_io_capsule_desc *desc = wanted;
    return made(meshgen_capsule(mesh, desc->length, desc->radius, desc->tetrahedra),
                "a capsule of so many tetrahedra", problem);
}

piola_io_status piola_io_make_capsule(const piola_io_capsule_desc *desc,
                                      const piola_io_mesh_options *options, piola_io_mesh **mesh,
                                      piola_io_error *error)
{
    if (!desc)
        return api_null(error, "desc");
    if (desc->cookie_ != COOKIE_IO_CAPSULE)
        return api_cookie(error, "piola_io_capsule_desc");
    piola_io_status status = check_size("piola_io_capsule_desc.length", desc->length, error);
    if (status == PIOLA_IO_OK)
        status = check_size("piola_io_capsule_desc.radius", desc->radius, error);
    if (status == PIOLA_IO_OK)
        status = check_count("piola_io_capsule_desc.tetrahedra", desc->tetrahedra, TETRAHEDRA_MOST,
                             error);
    return status == PIOLA_IO_OK ? api_mesh_take(make_capsule, desc, NULL, options, mesh, error)
                                 : status;
}

/* ---- sheets ---- */

piola_io_sheet_desc piola_io_sheet_desc_default(void)
{
    return (piola_io_sheet_desc){.cookie_ = COOKIE_IO_SHEET, .cells = {16, 16}, .size = {1, 1}};
}

/* Its bends are made, or not, as the options say. */
static bool make_sheet(struct meshgen *mesh, const void *wanted, struct problem *problem)
{
    const piola_io_sheet_desc *desc = wanted;
    return made(meshgen_cloth(mesh, desc->size, desc->cells, true), "a sheet of so many cells",
                problem);
}

piola_io_status piola_io_make_sheet(const piola_io_sheet_desc *desc,
                                    const piola_io_mesh_options *options, piola_io_mesh **mesh,
                                    piola_io_error *error)
{
    piola_io_status status = PIOLA_IO_OK;
    if (!desc)
        return api_null(error, "desc");
    if (desc->cookie_ != COOKIE_IO_SHEET)
        return api_cookie(error, "piola_io_sheet_desc");
    for (int k = 0; k < 2 && status == PIOLA_IO_OK; ++k) {
        status = check_size("piola_io_sheet_desc.size", desc->size[k], error);
        if (status == PIOLA_IO_OK)
            status = check_count("piola_io_sheet_desc.cells", desc->cells[k], CELLS_MOST, error);
    }
    return status == PIOLA_IO_OK ? api_mesh_take(make_sheet, desc, NULL, options, mesh, error)
                                 : status;
}

/* ---- rods ---- */

piola_io_rod_desc piola_io_rod_desc_default(void)
{
    return (piola_io_rod_desc){.cookie_ = COOKIE_IO_ROD, .segments = 32, .length = 1, .coil = 0.1};
}

static bool make_rod(struct meshgen *mesh, const void *wanted, struct problem *problem)
{
    const piola_io_rod_desc *d = wanted;
    return made(d->turns > 0 ? meshgen_helix(mesh, d->coil, d->length, d->turns, 0, d->segments)
                             : meshgen_rod(mesh, d->length, 0, d->segments),
                "a rod of so many segments", problem);
}

piola_io_status piola_io_make_rod(const piola_io_rod_desc *desc,
                                  const piola_io_mesh_options *options, piola_io_mesh **mesh,
                                  piola_io_error *error)
{
    if (!desc)
        return api_null(error, "desc");
    if (desc->cookie_ != COOKIE_IO_ROD)
        return api_cookie(error, "piola_io_rod_desc");
    piola_io_status status = check_size("piola_io_rod_desc.length", desc->length, error);
    if (status == PIOLA_IO_OK)
        status = check_size("piola_io_rod_desc.coil", desc->coil, error);
    if (status == PIOLA_IO_OK && !(desc->turns >= 0 && desc->turns <= 1e6))
        return api_refuse(error, PIOLA_IO_ERROR_RANGE, "piola_io_rod_desc.turns is %g: 0 to 1e6",
                          desc->turns);
    if (status == PIOLA_IO_OK)
        status = check_count("piola_io_rod_desc.segments", desc->segments, SEGMENTS_MOST, error);
    return status == PIOLA_IO_OK ? api_mesh_take(make_rod, desc, NULL, options, mesh, error)
                                 : status;
}

/* ---- surfaces filled ---- */

piola_io_fill_desc piola_io_fill_desc_default(void)
{
    return (piola_io_fill_desc){.cookie_ = COOKIE_IO_FILL, .tetrahedra = FILL_TETRAHEDRA};
}

struct filling {
    const struct meshgen *surface;
    uint32_t tetrahedra;
    bool *skin;
};

static bool make_filling(struct meshgen *mesh, const void *wanted, struct problem *problem)
{
    const struct filling *f = wanted;
    return fill_surface(f->surface, f->tetrahedra, mesh, f->skin, problem);
}

piola_io_status piola_io_mesh_fill(const piola_io_mesh *surface, const piola_io_fill_desc *desc,
                                   const piola_io_mesh_options *options, piola_io_mesh **mesh,
                                   bool *skin, piola_io_error *error)
{
    const piola_io_fill_desc plain = piola_io_fill_desc_default();
    bool found = false;
    if (!surface)
        return api_null(error, "surface");
    if (!desc)
        desc = &plain;
    if (desc->cookie_ != COOKIE_IO_FILL)
        return api_cookie(error, "piola_io_fill_desc");
    const struct filling filling = {&surface->mesh, desc->tetrahedra, &found};
    piola_io_status status =
        check_count("piola_io_fill_desc.tetrahedra", desc->tetrahedra, FILL_TETRAHEDRA_MOST, error);
    if (status == PIOLA_IO_OK)
        status = api_mesh_take(make_filling, &filling, NULL, options, mesh, error);
    if (status == PIOLA_IO_OK && skin)
        *skin = found;
    return status;
}

/* ---- compiling ---- */

piola_io_status piola_io_asset_make(const piola_mesh_desc *mesh,
                                    const piola_io_allocator *allocator, const piola_asset **asset,
                                    piola_io_error *error)
{
    if (!mesh || !asset)
        return api_null(error, mesh ? "asset" : "mesh");
    if (allocator && !api_allocator_good(allocator))
        return api_null(error, "one of the allocator's two functions");
    struct problem problem = {0};
    const piola_asset *made_asset = NULL;
    const piola_io_allocator *last = memory_use(allocator);
    const bool good = compile_asset(mesh, "the mesh", &made_asset, &problem);
    memory_use(last);
    if (!good)
        return api_tell(&problem, NULL, error);
    *asset = made_asset;
    return api_good(error);
}

void piola_io_asset_free(const piola_asset *asset, const piola_io_allocator *allocator)
{
    const piola_io_allocator *last = memory_use(allocator);
    compile_free(asset);
    memory_use(last);
}
