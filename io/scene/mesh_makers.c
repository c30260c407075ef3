/* mesh_makers.c - the generators a scene and `piola mesh make` can name, and their keys. */
#include "io/scene/mesh_makers.h"
#include "io/mesh/fill.h"
#include "io/mesh/surfaces.h"
#include "io/scene/key_rows.h"

#define TETRAHEDRA RANGE(1, 5e7)

static const char *const cuts[] = {"five", "six"};

static const struct key box_keys[] = {
    {KEY(mesh_box, size, KEY_DOUBLES, "along x, y and z, m"), ABOVE(0, FAR), .length = 3,
     .required = true},
    {KEY(mesh_box, cells, KEY_COUNTS, "along x, y and z"), RANGE(1, 100000), .length = 3,
     .required = true},
    {KEY(mesh_box, cut, KEY_CHOICE,
         "tetrahedra of a cell: five, mirrored from cell to cell, or six, all alike"),
     CHOICES(cuts)},
};
static const struct table box_table = {
    TABLE("a box mesh", mesh_box, box_keys, "A box of cells; its lower corner is the origin."),
};

static bool make_box(struct meshgen *mesh, const void *settings)
{
    const struct mesh_box *s = settings;
    return s->cut == 0 ? meshgen_box(mesh, s->size, s->cells)
                       : meshgen_box_kuhn(mesh, s->size, s->cells);
}

static const struct key beam_keys[] = {
    {KEY(mesh_beam, tetrahedra, KEY_COUNT, "about how many"), TETRAHEDRA, .required = true},
};
static const struct table beam_table = {
    TABLE("a beam mesh", mesh_beam, beam_keys, "A box 1 m long along x, 4 : 1 : 1."),
};

static bool make_beam(struct meshgen *mesh, const void *settings)
{
    return meshgen_beam(mesh, ((const struct mesh_beam *)settings)->tetrahedra);
}

static const struct key ball_keys[] = {
    {KEY(mesh_ball, radius, KEY_DOUBLE, "m"), ABOVE(0, FAR), .required = true},
    {KEY(mesh_ball, tetrahedra, KEY_COUNT, "about how many"), TETRAHEDRA, .required = true},
};
static const struct table ball_table = {
    TABLE("a ball mesh", mesh_ball, ball_keys, "A ball about the origin."),
};

static bool make_ball(struct meshgen *mesh, const void *settings)
{
    const struct mesh_ball *s = settings;
    return meshgen_ball(mesh, s->radius, s->tetrahedra);
}

static const struct key torus_keys[] = {
    {KEY(mesh_torus, ring, KEY_DOUBLE, "radius to the middle of the tube, m"), ABOVE(0, FAR),
     .required = true},
    {KEY(mesh_torus, tube, KEY_DOUBLE, "radius of the tube, m"), ABOVE(0, FAR), .required = true},
    {KEY(mesh_torus, tetrahedra, KEY_COUNT, "about how many"), TETRAHEDRA, .required = true},
};
static const struct table torus_table = {
    TABLE("a torus mesh", mesh_torus, torus_keys, "A solid torus about the y axis."),
};

static bool make_torus(struct meshgen *mesh, const void *settings)
{
    const struct mesh_torus *s = settings;
    return meshgen_torus(mesh, s->ring, s->tube, s->tetrahedra);
}

static const struct key rope_keys[] = {
    {KEY(mesh_rope, length, KEY_DOUBLE, "m"), ABOVE(0, FAR), .required = true},
    {KEY(mesh_rope, radius, KEY_DOUBLE, "m"), ABOVE(0, FAR), .required = true},
    {KEY(mesh_rope, segments, KEY_COUNT, "along its length"), RANGE(1, 1e7), .required = true},
};
static const struct table rope_table = {
    TABLE("a rope mesh", mesh_rope, rope_keys, "A triangular prism along x."),
};

static bool make_rope(struct meshgen *mesh, const void *settings)
{
    const struct mesh_rope *s = settings;
    return meshgen_rope(mesh, s->length, s->radius, s->segments);
}

static const struct key capsule_keys[] = {
    {KEY(mesh_capsule, length, KEY_DOUBLE, "between the middles of its ends, m"), ABOVE(0, FAR),
     .required = true},
    {KEY(mesh_capsule, radius, KEY_DOUBLE, "m"), ABOVE(0, FAR), .required = true},
    {KEY(mesh_capsule, tetrahedra, KEY_COUNT, "about how many"), TETRAHEDRA, .required = true},
};
static const struct table capsule_table = {
    TABLE("a capsule mesh", mesh_capsule, capsule_keys,
          "A round bar with round ends along x, about the origin."),
};

static bool make_capsule(struct meshgen *mesh, const void *settings)
{
    const struct mesh_capsule *s = settings;
    return meshgen_capsule(mesh, s->length, s->radius, s->tetrahedra);
}

static const struct key organ_keys[] = {
    {KEY(mesh_organ, size, KEY_DOUBLE, "length, m"), ABOVE(0, FAR), .required = true},
    {KEY(mesh_organ, tetrahedra, KEY_COUNT, "about how many"), TETRAHEDRA, .required = true},
};
static const struct table organ_table = {
    TABLE("an organ mesh", mesh_organ, organ_keys,
          "A shape like a liver: two lobes of unlike size, flattened below, about the origin."),
};

static bool make_organ(struct meshgen *mesh, const void *settings)
{
    const struct mesh_organ *s = settings;
    return meshgen_organ(mesh, s->size, s->tetrahedra);
}

static const struct key grid_keys[] = {
    {KEY(mesh_grid, size, KEY_DOUBLES, "along x and z, m"), ABOVE(0, FAR), .length = 2,
     .required = true},
    {KEY(mesh_grid, cells, KEY_COUNTS, "along x and z"), RANGE(1, 100000), .length = 2,
     .required = true},
    {KEY(mesh_grid, relief, KEY_DOUBLE, "height of hills and hollows on it, m"), RANGE(0, FAR)},
    {KEY(mesh_grid, wave, KEY_DOUBLE, "distance of the hills, m; without it a third of a side"),
     ABOVE(0, FAR)},
};
static const struct table grid_table = {
    TABLE("a grid mesh", mesh_grid, grid_keys,
          "A sheet of cloth in the xz plane, two triangles a cell; its corner is the origin."),
};

static bool make_grid(struct meshgen *mesh, const void *settings)
{
    const struct mesh_grid *s = settings;
    const double wave = s->wave > 0 ? s->wave : s->size[0] / 3;
    return meshgen_cloth(mesh, s->size, s->cells, true) &&
           (s->relief <= 0 || surface_relief(mesh, s->relief, wave));
}

static const struct key sphere_keys[] = {
    {KEY(mesh_sphere, radius, KEY_DOUBLE, "m"), ABOVE(0, FAR), .required = true},
    {KEY(mesh_sphere, cuts, KEY_COUNT, "of each edge of an icosahedron: 20 cuts^2 triangles"),
     RANGE(1, 1000), .required = true},
};
static const struct table sphere_table = {
    TABLE("a sphere mesh", mesh_sphere, sphere_keys,
          "The surface of a ball about the origin, of cloth."),
};

static bool make_sphere(struct meshgen *mesh, const void *settings)
{
    const struct mesh_sphere *s = settings;
    return surface_sphere(mesh, s->radius, s->cuts);
}

static const struct key chain_keys[] = {
    {KEY(mesh_chain, length, KEY_DOUBLE, "m"), ABOVE(0, FAR), .required = true},
    {KEY(mesh_chain, links, KEY_COUNT, "along its length"), RANGE(1, 1e7), .required = true},
    {KEY(mesh_chain, radius, KEY_DOUBLE, "as it is drawn, m; without it a third of a link"),
     ABOVE(0, FAR)},
};
static const struct table chain_table = {
    TABLE("a chain mesh", mesh_chain, chain_keys,
          "A row of vertices along x from the origin, held together by links and nothing else."),
};

static bool make_chain(struct meshgen *mesh, const void *settings)
{
    const struct mesh_chain *s = settings;
    if (!meshgen_chain(mesh, s->length, s->links))
        return false;
    mesh->radius = s->radius > 0 ? s->radius : s->length / s->links / 3;
    return true;
}

#define SEGMENTS RANGE(1, 1e7)

static const struct key rod_keys[] = {
    {KEY(mesh_rod, length, KEY_DOUBLE, "m"), ABOVE(0, FAR), .required = true},
    {KEY(mesh_rod, radius, KEY_DOUBLE, "of its section, m"), ABOVE(0, FAR), .required = true},
    {KEY(mesh_rod, segments, KEY_COUNT, "along its length"), SEGMENTS, .required = true},
};
static const struct table rod_table = {
    TABLE("a rod mesh", mesh_rod, rod_keys, "A straight rod along x from the origin."),
};

static bool make_rod(struct meshgen *mesh, const void *settings)
{
    const struct mesh_rod *s = settings;
    return meshgen_rod(mesh, s->length, s->radius, s->segments);
}

static const struct key helix_keys[] = {
    {KEY(mesh_helix, radius, KEY_DOUBLE, "from the axis to the wire's middle, m"), ABOVE(0, FAR),
     .required = true},
    {KEY(mesh_helix, height, KEY_DOUBLE, "along the axis, m"), RANGE(0, FAR), .required = true},
    {KEY(mesh_helix, turns, KEY_DOUBLE, "about the axis"), ABOVE(0, 1e6), .required = true},
    {KEY(mesh_helix, wire, KEY_DOUBLE, "radius of its section, m"), ABOVE(0, FAR),
     .required = true},
    {KEY(mesh_helix, segments, KEY_COUNT, "all in all"), SEGMENTS, .required = true},
};
static const struct table helix_table = {
    TABLE("a helix mesh", mesh_helix, helix_keys,
          "A rod that winds about the y axis, right-handed, upwards from the x axis: a spring."),
};

static bool make_helix(struct meshgen *mesh, const void *settings)
{
    const struct mesh_helix *s = settings;
    return meshgen_helix(mesh, s->radius, s->height, s->turns, s->wire, s->segments);
}

static const struct key curve_keys[] = {
    {KEY(mesh_curve, points, KEY_REALS, "x, y, z of each, m"), RANGE(-FAR, FAR), .required = true},
    {KEY(mesh_curve, radius, KEY_DOUBLE, "of its section, m"), ABOVE(0, FAR), .required = true},
    {KEY(mesh_curve, segments, KEY_COUNT,
         "of a smooth curve through the points, all in all; without it straight ones from point to "
         "point"),
     SEGMENTS},
    {KEY(mesh_curve, closed, KEY_FLAG, "it ends where it begins")},
};

static bool curve_check(const void *item, const struct trail *trail, struct problem *problem)
{
    const struct mesh_curve *s = item;
    const uint32_t least = s->closed ? 3 : 2, pieces = s->points.count / 3 - (s->closed ? 0 : 1);
    if (s->points.count % 3 != 0)
        return trail_problem(trail, problem, "\"points\" are three numbers each, and there are %u",
                             s->points.count);
    if (s->points.count / 3 < least)
        return trail_problem(trail, problem, "\"points\" are %u; a %s curve needs %u",
                             s->points.count / 3, s->closed ? "closed" : "open", least);
    return s->segments == 0 || s->segments >= pieces ||
           trail_problem(trail, problem, "\"segments\", %u, are fewer than from point to point, %u",
                         s->segments, pieces);
}

static const struct table curve_table = {
    TABLE("a curve mesh", mesh_curve, curve_keys, "A rod through points."),
    .check = curve_check,
};

static bool make_curve(struct meshgen *mesh, const void *settings)
{
    const struct mesh_curve *s = settings;
    return meshgen_curve(mesh, s->points.items, s->points.count / 3, s->radius, s->segments,
                         s->closed);
}

static const struct key fill_keys[] = {
    {KEY(mesh_filling, tetrahedra, KEY_COUNT, "about how many"), RANGE(1, FILL_TETRAHEDRA_MOST)},
};

static void fill_defaults(void *item)
{
    ((struct mesh_filling *)item)->tetrahedra = FILL_TETRAHEDRA;
}

static const struct table fill_table = {
    TABLE("a filling", mesh_filling, fill_keys,
          "Tetrahedra inside of the mesh's surface; open surfaces become thick skins."),
    .defaults = fill_defaults,
};

/* Versions 14 and 19 of clang-format lay braces in macros out differently. */
/* clang-format off */
#define MAKER(name_, make_)                                                                        \
    {                                                                                              \
        .name = #name_, .offset = offsetof(struct scene_mesh, name_), .table = &name_##_table,     \
        .make = (make_)                                                                            \
    }
/* clang-format on */

const struct mesh_maker mesh_makers[] = {
    MAKER(box, make_box),     MAKER(beam, make_beam), MAKER(ball, make_ball),
    MAKER(torus, make_torus), MAKER(rope, make_rope), MAKER(capsule, make_capsule),
    MAKER(organ, make_organ), MAKER(grid, make_grid), MAKER(sphere, make_sphere),
    MAKER(chain, make_chain), MAKER(rod, make_rod),   MAKER(helix, make_helix),
    MAKER(curve, make_curve),
};
const uint32_t mesh_maker_count = COUNT(mesh_makers);

#define GENERATOR(name_) KEY(scene_mesh, name_, KEY_OBJECT, "made by rule"), .table = &name_##_table

static const struct key mesh_keys[] = {
    {KEY(scene_mesh, file, KEY_TEXT,
         "read: .node or .ele (TetGen), .obj, .stl, .ply, .off, .mesh, .msh, .vtk, .vtu, .vtp, "
         ".inp, .gltf, .glb or .xml (MuJoCo), beside the scene file unless the path is absolute")},
    {GENERATOR(box)},
    {GENERATOR(beam)},
    {GENERATOR(ball)},
    {GENERATOR(torus)},
    {GENERATOR(rope)},
    {GENERATOR(capsule)},
    {GENERATOR(organ)},
    {GENERATOR(grid)},
    {GENERATOR(sphere)},
    {GENERATOR(chain)},
    {GENERATOR(rod)},
    {GENERATOR(helix)},
    {GENERATOR(curve)},
    {KEY(scene_mesh, scale, KEY_DOUBLES, "factors along x, y and z, first"), ABOVE(0, FAR),
     .length = 3},
    {KEY(scene_mesh, offset, KEY_DOUBLES, "shift, after that, m"), VECTOR(3)},
    {KEY(scene_mesh, pattern, KEY_OBJECT, "the shape that its cloth is cut to"),
     .table = &mesh_pattern_table},
    {KEY(scene_mesh, fill, KEY_OBJECT, "makes its surface a solid, first"), .table = &fill_table},
    {KEY(scene_mesh, cluster_limit, KEY_COUNT, "elements above which it is cut into clusters"),
     RANGE(1, 4294967295.0)},
    {KEY(scene_mesh, cluster_size, KEY_COUNT, "elements of a cluster"), RANGE(64, 67108864)},
};

static void mesh_defaults(void *item)
{
    struct scene_mesh *mesh = item;
    const piola_mesh_desc desc = piola_mesh_desc_default();
    mesh->scale[0] = mesh->scale[1] = mesh->scale[2] = 1;
    mesh->cluster_limit = desc.cluster_limit;
    mesh->cluster_size = desc.cluster_size;
}

const struct table scene_mesh_table = {
    TABLE("a mesh", scene_mesh, mesh_keys,
          "A rest shape. Bodies are placed by its origin; pins and regions use its coordinates."),
    .defaults = mesh_defaults,
    .one_of = 14,
};
