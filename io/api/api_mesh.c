/* api_mesh.c - meshes of the public interface: read, parsed, written, described, inspected. */
#include "io/api/api_mesh.h"

#include "io/base/pool.h"
#include "io/mesh/inspect.h"
#include "io/mesh/meshes.h"
#include "io/mesh/surfaces.h"

#include <math.h>
#include <string.h>

piola_io_mesh_options piola_io_mesh_options_default(void)
{
    return (piola_io_mesh_options){
        .cookie_ = COOKIE_IO_MESH_OPTIONS, .bends = true, .scale = {1, 1, 1}};
}

static piola_io_status check_options(const piola_io_mesh_options *options, piola_io_error *error)
{
    if (options->cookie_ != COOKIE_IO_MESH_OPTIONS)
        return api_cookie(error, "piola_io_mesh_options");
    if (!api_allocator_good(&options->allocator))
        return api_null(error, "one of the two functions of piola_io_mesh_options.allocator");
    for (int k = 0; k < 3; ++k) {
        if (!api_above(0, options->scale[k], MESHGEN_FAR))
            return api_refuse(error, PIOLA_IO_ERROR_RANGE,
                              "piola_io_mesh_options.scale[%d] is %g: above 0, up to 1e12", k,
                              options->scale[k]);
        if (!(fabs(options->offset[k]) <= MESHGEN_FAR))
            return api_refuse(error, PIOLA_IO_ERROR_RANGE,
                              "piola_io_mesh_options.offset[%d] is %g: -1e12 to 1e12 m", k,
                              options->offset[k]);
    }
    return PIOLA_IO_OK;
}

/* False when a vertex would lie where the engine has no room. */
static bool place(struct meshgen *mesh, const piola_io_mesh_options *options)
{
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; ++i) {
        double *x = &mesh->vertices[i];
        *x = *x * options->scale[i % 3] + options->offset[i % 3];
        if (!(fabs(*x) <= MESHGEN_FAR))
            return false;
    }
    return true;
}

static bool take(api_source *source, const void *wanted, const piola_io_mesh_options *options,
                 struct meshgen *mesh, struct problem *problem)
{
    if (!source(mesh, wanted, problem))
        return false;
    if (!place(mesh, options))
        return problem_set(problem, EXIT_SCENE,
                           "scaled and moved so, a vertex of the mesh is beyond 1e12 m");
    if (options->bends)
        return surface_bend(mesh) || problem_memory(problem, "the bends of a mesh", 0);
    memory_give(mesh->bends);
    mesh->bends = NULL;
    mesh->bend_count = 0;
    return true;
}

piola_io_status api_mesh_take(api_source *source, const void *wanted, const char *path,
                              const piola_io_mesh_options *options, piola_io_mesh **mesh,
                              piola_io_error *error)
{
    const piola_io_mesh_options plain = piola_io_mesh_options_default();
    if (!mesh)
        return api_null(error, "mesh");
    if (!options)
        options = &plain;
    const piola_io_status status = check_options(options, error);
    if (status != PIOLA_IO_OK)
        return status;
    struct problem problem = {0};
    const piola_io_allocator *last = memory_use(&options->allocator);
    piola_io_mesh *made = memory_zero(1, sizeof *made);
    if (!made)
        problem_memory(&problem, "a mesh", sizeof *made);
    const bool good = made && take(source, wanted, options, &made->mesh, &problem);
    if (made && !good) {
        meshgen_free(&made->mesh);
        memory_give(made);
    }
    memory_use(last);
    if (!good)
        return api_tell(&problem, path, error);
    made->allocator = options->allocator;
    *mesh = made;
    return api_good(error);
}

/* ---- files ---- */

static bool read_path(struct meshgen *mesh, const void *wanted, struct problem *problem)
{
    return mesh_read(mesh, wanted, problem);
}

piola_io_status piola_io_mesh_read(const char *path, const piola_io_mesh_options *options,
                                   piola_io_mesh **mesh, piola_io_error *error)
{
    return path ? api_mesh_take(read_path, path, path, options, mesh, error)
                : api_null(error, "path");
}

struct text {
    const void *data;
    size_t bytes;
    const char *name;
};

static bool parse_text(struct meshgen *mesh, const void *wanted, struct problem *problem)
{
    const struct text *text = wanted;
    return mesh_parse(mesh, text->data, text->bytes, text->name, problem);
}

piola_io_status piola_io_mesh_parse(const void *data, size_t bytes, const char *name,
                                    const piola_io_mesh_options *options, piola_io_mesh **mesh,
                                    piola_io_error *error)
{
    const struct text text = {data, bytes, name};
    if (!data || !name)
        return api_null(error, data ? "name" : "data");
    return api_mesh_take(parse_text, &text, name, options, mesh, error);
}

piola_io_status piola_io_mesh_write(const piola_io_mesh *mesh, const char *path,
                                    piola_io_error *error)
{
    if (!mesh || !path)
        return api_null(error, mesh ? "path" : "mesh");
    struct problem problem = {0};
    const piola_io_allocator *last = memory_use(&mesh->allocator);
    const bool good = mesh_write(&mesh->mesh, path, &problem);
    memory_use(last);
    return good ? api_good(error) : api_tell(&problem, path, error);
}

void piola_io_mesh_free(piola_io_mesh *mesh)
{
    if (!mesh)
        return;
    const piola_io_allocator allocator = mesh->allocator;
    const piola_io_allocator *last = memory_use(&allocator);
    meshgen_free(&mesh->mesh);
    memory_give(mesh);
    memory_use(last);
}

uint32_t piola_io_format_count(void)
{
    return mesh_format_count;
}

bool piola_io_format_at(uint32_t index, piola_io_format *format)
{
    if (index >= mesh_format_count || !format)
        return false;
    const struct mesh_format *row = &mesh_formats[index];
    *format = (piola_io_format){row->extension, row->what, row->parse || row->read, row->write};
    return true;
}

/* ---- what it holds ---- */

piola_io_mesh_arrays piola_io_mesh_contents(const piola_io_mesh *mesh)
{
    if (!mesh)
        return (piola_io_mesh_arrays){0};
    const struct meshgen *m = &mesh->mesh;
    return (piola_io_mesh_arrays){
        .vertices = m->vertex_count ? m->vertices : NULL,
        .tetrahedra = m->tetrahedron_count ? m->tetrahedra : NULL,
        .triangles = m->triangle_count ? m->triangles : NULL,
        .bends = m->bend_count ? m->bends : NULL,
        .links = m->link_count && !m->rod ? m->links : NULL,
        .segments = m->link_count && m->rod ? m->links : NULL,
        .regions = m->tetrahedron_count ? m->regions : NULL,
        .vertex_count = m->vertex_count,
        .tetrahedron_count = m->tetrahedron_count,
        .triangle_count = m->triangle_count,
        .bend_count = m->bend_count,
        .link_count = m->rod ? 0 : m->link_count,
        .segment_count = m->rod ? m->link_count : 0,
    };
}

piola_mesh_desc piola_io_mesh_describe(const piola_io_mesh *mesh)
{
    if (!mesh)
        return piola_mesh_desc_default();
    piola_mesh_desc desc = meshgen_desc(&mesh->mesh);
    if (mesh->mesh.rod) {
        desc.segments = mesh->mesh.links;
        desc.segment_count = mesh->mesh.link_count;
        return desc;
    }
    desc.links = mesh->mesh.links;
    desc.link_count = mesh->mesh.link_count;
    return desc;
}

piola_io_status piola_io_mesh_inspect(const piola_io_mesh *mesh, piola_io_mesh_facts *facts,
                                      piola_io_error *error)
{
    if (!mesh || !facts)
        return api_null(error, mesh ? "facts" : "mesh");
    struct problem problem = {0};
    struct mesh_facts f;
    const piola_io_allocator *last = memory_use(&mesh->allocator);
    const bool good = inspect_mesh(&mesh->mesh, &f, &problem);
    memory_use(last);
    if (!good)
        return api_tell(&problem, NULL, error);
    *facts = (piola_io_mesh_facts){.volume = f.volume,
                                   .area = f.area,
                                   .quality_least = f.quality_least,
                                   .quality_mean = f.quality_mean,
                                   .surface_triangles = f.surface_triangles,
                                   .parts = f.parts,
                                   .isolated = f.isolated,
                                   .inverted = f.inverted,
                                   .closed = f.manifold};
    memcpy(facts->low, f.low, sizeof facts->low);
    memcpy(facts->high, f.high, sizeof facts->high);
    return api_good(error);
}
