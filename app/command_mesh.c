/* command_mesh.c - `piola mesh make`, `piola mesh tetrahedralise` and `piola mesh inspect`. */
#define _POSIX_C_SOURCE 200809L
#include "command.h"
#include "io/base/words.h"
#include "io/mesh/compile.h"
#include "io/mesh/fill.h"
#include "io/mesh/inspect.h"
#include "io/mesh/surfaces.h"
#include "io/scene/mesh_makers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- make ---- */

static const struct option make_options[] = {
    {"out", "FILE",
     "where to: .node or .ele (both are written), .obj, .stl, .ply, .off, .mesh, .msh, .vtu"},
};

/* "3" is a number, ".5" too, which JSON does not know; anything else a text. */
static json_t *single_of(const char *text)
{
    json_error_t error;
    char *stop;
    json_t *value = json_loads(text, JSON_DECODE_ANY, &error);
    const double number = strtod(text, &stop);
    if (!value && stop != text && *stop == 0 && isfinite(number))
        value = json_real(number);
    return value ? value : json_string(text);
}

/* "2,1,1" is a list of such. */
static json_t *value_of(const char *text)
{
    if (!strchr(text, ','))
        return single_of(text);
    json_t *list = json_array();
    for (const char *at = text;; ++at) {
        const size_t letters = strcspn(at, ",");
        char *piece = strndup(at, letters);
        (void)json_array_append_new(list, piece ? single_of(piece) : NULL);
        free(piece);
        at += letters;
        if (*at == 0)
            return list;
    }
}

static bool has_key(const struct table *table, const char *name)
{
    for (uint32_t i = 0; i < table->count; ++i)
        if (strcmp(table->keys[i].name, name) == 0)
            return true;
    return false;
}

static const struct mesh_maker *maker_of(const char *name, struct problem *problem)
{
    const char *names[16] = {NULL};
    char known[200];
    for (uint32_t i = 0; i < mesh_maker_count; ++i) {
        if (strcmp(mesh_makers[i].name, name) == 0)
            return &mesh_makers[i];
        names[i] = mesh_makers[i].name;
    }
    const int closest = words_closest(name, names, mesh_maker_count);
    if (closest >= 0)
        problem_set(problem, EXIT_USAGE, "there is no generator \"%s\"; did you mean \"%s\"?", name,
                    names[closest]);
    else
        problem_set(problem, EXIT_USAGE, "there is no generator \"%s\"; there is %s", name,
                    words_join(known, sizeof known, names, mesh_maker_count, ""));
    return NULL;
}

/* The same object a scene would have under "meshes". */
static json_t *wanted_json(const struct mesh_maker *maker, const struct arguments *a,
                           struct problem *problem)
{
    json_t *outer = json_object(), *inner = json_object();
    for (uint32_t i = 1; i < a->operand_count; ++i) {
        const char *text = a->operands[i];
        const size_t letters = strcspn(text, "=");
        char key[64];
        if (text[letters] != '=' || letters == 0 || letters >= sizeof key) {
            problem_set(problem, EXIT_USAGE, "\"%s\" is not of the form key=value", text);
            break;
        }
        memcpy(key, text, letters);
        key[letters] = 0;
        const bool outside = !has_key(maker->table, key) && has_key(&scene_mesh_table, key) &&
                             !has_key(maker->table, key);
        (void)json_object_set_new(outside ? outer : inner, key, value_of(text + letters + 1));
    }
    (void)json_object_set_new(outer, maker->name, inner);
    return outer;
}

static bool make_mesh(const struct arguments *a, struct meshgen *mesh, struct pool *pool,
                      struct problem *problem)
{
    const struct mesh_maker *maker = maker_of(a->operands[0], problem);
    if (!maker)
        return false;
    struct scene_mesh wanted = {0};
    struct trail trail = {.file = "mesh make"};
    json_t *object = wanted_json(maker, a, problem);
    const bool read = problem->text[0] == 0 &&
                      keys_read(&scene_mesh_table, object, &wanted, &trail, pool, problem);
    json_decref(object);
    wanted.name = maker->name;
    const bool good = read && mesh_load(mesh, &wanted, "", problem);
    problem->exit = problem->exit == EXIT_SCENE ? EXIT_USAGE : problem->exit;
    return good;
}

static int make(const struct command *command, const struct arguments *a)
{
    struct problem problem = {0};
    struct pool pool = {0};
    struct meshgen mesh = {0};
    const char *path = argument(command, a, "out");
    if (!path)
        problem_set(&problem, EXIT_USAGE, "piola mesh make needs --out FILE");
    if (path && make_mesh(a, &mesh, &pool, &problem) && mesh_write(&mesh, path, &problem))
        printf("%s: %u vertices, %u %s\n", path, mesh.vertex_count, mesh_elements(&mesh),
               mesh_is_solid(&mesh)   ? "tetrahedra"
               : mesh_is_chain(&mesh) ? "links"
                                      : "triangles");
    meshgen_free(&mesh);
    pool_free(&pool);
    return problem.text[0] ? problem_report(&problem) : EXIT_DONE;
}

/* The kinds with their keys, those that may be left out in brackets. */
static void list_kinds(FILE *file)
{
    fputs("\nkinds (each may have scale=X,Y,Z and offset=X,Y,Z too):\n", file);
    for (uint32_t i = 0; i < mesh_maker_count; ++i) {
        const struct table *table = mesh_makers[i].table;
        fprintf(file, "  %-8s", mesh_makers[i].name);
        for (uint32_t k = 0; k < table->count; ++k) {
            const struct key *key = &table->keys[k];
            const bool list =
                key->kind == KEY_DOUBLES || key->kind == KEY_COUNTS || key->kind == KEY_REALS;
            const char *value = list                      ? key->length == 2 ? "X,Z" : "X,Y,Z"
                                : key->kind == KEY_CHOICE ? "NAME"
                                                          : "N";
            fprintf(file, key->required ? " %s=%s" : " [%s=%s]", key->name, value);
        }
        fputc('\n', file);
    }
}

const struct command mesh_make_command = {
    "mesh make",
    "KIND [key=value ...]",
    "Makes a mesh by rule, like beam tetrahedra=5000; the keys are those of a scene's meshes.",
    make_options,
    1,
    1,
    40,
    make,
    list_kinds,
};

/* ---- tetrahedralise ---- */

static const struct option fill_options[] = {
    {"tetrahedra", "N", "about how many (default 4000)"},
};

static void tell_filling(const char *path, const struct mesh_facts *f, bool skin)
{
    printf("%s: %u vertices, %u tetrahedra in %u part%s, quality least %.3f, mean %.3f\n", path,
           f->vertices, f->elements, f->parts, f->parts == 1 ? "" : "s", f->quality_least,
           f->quality_mean);
    if (skin)
        fputs(
            "piola: the surface encloses nothing as large as an element: it was made a skin about "
            "as thick as one; more --tetrahedra make it thinner\n",
            stderr);
}

static int tetrahedralise(const struct command *command, const struct arguments *a)
{
    struct problem problem = {0};
    struct meshgen surface = {0}, solid = {0};
    struct mesh_facts facts;
    int64_t count = FILL_TETRAHEDRA;
    bool skin = false;
    if (argument_count(command, a, "tetrahedra", 1, FILL_TETRAHEDRA_MOST, &count, &problem) &&
        mesh_read(&surface, a->operands[0], &problem)) {
        if (mesh_is_solid(&surface))
            problem_set(&problem, EXIT_USAGE, "%s has tetrahedra already", a->operands[0]);
        else if (fill_surface(&surface, (uint32_t)count, &solid, &skin, &problem) &&
                 inspect_mesh(&solid, &facts, &problem) &&
                 mesh_write(&solid, a->operands[1], &problem))
            tell_filling(a->operands[1], &facts, skin);
    }
    meshgen_free(&surface);
    meshgen_free(&solid);
    return problem.text[0] ? problem_report(&problem) : EXIT_DONE;
}

const struct command mesh_tetrahedralise_command = {
    "mesh tetrahedralise",
    "IN OUT",
    "Fills a surface with tetrahedra: any surface, closed or not.",
    fill_options,
    1,
    2,
    2,
    tetrahedralise,
    NULL,
};

/* ---- inspect ---- */

static const struct option inspect_options[] = {
    {"json", NULL, "print one JSON object"},
};

/* Compiles it, with the default material: its packs and colours, or why the engine refuses it. */
static bool compile(const struct meshgen *mesh, piola_asset_stats *stats, struct problem *problem)
{
    const piola_material material = piola_material_default();
    const piola_asset *asset = NULL;
    piola_mesh_desc desc = meshgen_desc(mesh);
    desc.materials = &material;
    desc.material_count = 1;
    const bool good = compile_asset(&desc, "the engine refuses it", &asset, problem) &&
                      piola_asset_inspect(asset, stats) == PIOLA_OK;
    compile_free(asset);
    return good;
}

static void print_facts(const char *path, const struct mesh_facts *f)
{
    printf("%s\n", path);
    printf("  vertices           %u%s\n", f->vertices,
           f->isolated ? " (some belong to nothing)" : "");
    printf("  %-18s %u, in %u part%s\n", f->solid ? "tetrahedra" : "triangles", f->elements,
           f->parts, f->parts == 1 ? "" : "s");
    printf("  surface            %u triangles, %.6g m^2\n", f->surface_triangles, f->area);
    printf("  volume             %.6g m^3\n", f->volume);
    printf("  box                (%g, %g, %g) to (%g, %g, %g)\n", f->low[0], f->low[1], f->low[2],
           f->high[0], f->high[1], f->high[2]);
    printf("  manifold           %s", f->manifold ? "yes, closed" : "no");
    if (!f->manifold)
        printf(": %u open, %u crowded and %u turned edges", f->open_edges, f->crowded_edges,
               f->turned_edges);
    if (!f->solid)
        printf("\n  bends              %u", f->bends);
    printf("\n  quality            least %.3f, mean %.3f, %u inverted\n", f->quality_least,
           f->quality_mean, f->inverted);
    for (int i = 0; i < INSPECT_BINS; ++i) {
        const unsigned stars = (unsigned)(50.0 * f->histogram[i] / f->elements + 0.5);
        printf("    %.1f to %.1f  %9u  %.*s\n", i / 10.0, (i + 1) / 10.0, f->histogram[i],
               (int)stars, "##################################################");
    }
}

static void print_stats(const piola_asset_stats *s)
{
    printf("  pack fill          elements %.1f %%, vertices %.1f %%\n",
           100 * (double)s->fill_elements, 100 * (double)s->fill_vertices);
    printf("  colours            elements %u, vertices %u\n", s->element_colours,
           s->vertex_colours);
    printf("  clusters           %u of elements in %u colours, %u of vertices in %u colours\n",
           s->clusters, s->cluster_colours, s->vertex_clusters, s->vertex_cluster_colours);
}

static json_t *facts_json(const struct mesh_facts *f)
{
    json_t *histogram = json_array();
    for (int i = 0; i < INSPECT_BINS; ++i)
        (void)json_array_append_new(histogram, json_integer(f->histogram[i]));
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:[f,f,f], s:[f,f,f], s:f, s:f, s:o, s:I, s:f, s:f, "
        "s:I, s:I, s:I, s:I, s:b}",
        "vertices", (json_int_t)f->vertices, f->solid ? "tetrahedra" : "triangles",
        (json_int_t)f->elements, "surface_triangles", (json_int_t)f->surface_triangles, "isolated",
        (json_int_t)f->isolated, "parts", (json_int_t)f->parts, "min", f->low[0], f->low[1],
        f->low[2], "max", f->high[0], f->high[1], f->high[2], "volume", f->volume, "area", f->area,
        "quality_histogram", histogram, "inverted", (json_int_t)f->inverted, "quality_least",
        f->quality_least, "quality_mean", f->quality_mean, "bends", (json_int_t)f->bends,
        "open_edges", (json_int_t)f->open_edges, "crowded_edges", (json_int_t)f->crowded_edges,
        "turned_edges", (json_int_t)f->turned_edges, "manifold", (int)f->manifold);
}

static void print_json(const struct mesh_facts *f, const piola_asset_stats *s,
                       struct problem *problem)
{
    json_t *object = facts_json(f);
    json_t *more =
        !s ? NULL
           : json_pack("{s:f, s:f, s:I, s:I, s:I, s:I}", "fill_elements", (double)s->fill_elements,
                       "fill_vertices", (double)s->fill_vertices, "element_colours",
                       (json_int_t)s->element_colours, "vertex_colours",
                       (json_int_t)s->vertex_colours, "clusters", (json_int_t)s->clusters,
                       "vertex_clusters", (json_int_t)s->vertex_clusters);
    if (more)
        (void)json_object_update(object, more);
    if (object && json_dumpf(object, stdout, JSON_REAL_PRECISION(12)) == 0)
        putchar('\n');
    else if (!ferror(stdout)) /* which main() looks at */
        problem_set(problem, EXIT_RUNTIME,
                    "what the mesh is like cannot be written as JSON: a number is not finite, or "
                    "there is no memory");
    json_decref(more);
    json_decref(object);
}

static int inspect(const struct command *command, const struct arguments *a)
{
    struct problem problem = {0};
    struct meshgen mesh = {0};
    struct mesh_facts facts;
    piola_asset_stats stats;
    const bool json = argument(command, a, "json") != NULL;
    if (mesh_read(&mesh, a->operands[0], &problem) && inspect_mesh(&mesh, &facts, &problem)) {
        /* A surface need not be fit for cloth. */
        struct problem unfit = {0};
        const bool bent = !facts.solid && surface_bend(&mesh);
        const bool compiled =
            (facts.solid || bent) && compile(&mesh, &stats, facts.solid ? &problem : &unfit);
        if (json)
            print_json(&facts, compiled ? &stats : NULL, &problem);
        else
            print_facts(a->operands[0], &facts);
        if (!json && compiled)
            print_stats(&stats);
    }
    meshgen_free(&mesh);
    return problem.text[0] ? problem_report(&problem) : EXIT_DONE;
}

const struct command mesh_inspect_command = {
    "mesh inspect",
    "FILE",
    "Tells what a mesh is like: counts, quality, volume, whether it is closed, how it packs.",
    inspect_options,
    1,
    1,
    1,
    inspect,
    NULL,
};
