/* scene_constraints.c - the keys of distances, areas and volumes of single vertices. */
#include "io/scene/key_rows.h"
#include "io/scene/scene.h"

static const char *const kinds[] = {"distance", "area", "volume", "stretch", "shear"};
_Static_assert(COUNT(kinds) == PIOLA_CONSTRAINT_KIND_COUNT, "one name a kind");

static const struct key constraint_keys[] = {
    {KEY(scene_constraint, box, KEY_OBJECT, "all of the mesh with all corners in a box"),
     .table = &scene_box_table},
    {KEY(scene_constraint, sphere, KEY_OBJECT, "all of the mesh with all corners in a ball"),
     .table = &scene_sphere_table},
    {KEY(scene_constraint, vertices, KEY_NUMBERS,
         "pairs, triples or fours of vertices, numbered from 0, whether or not the mesh joins "
         "them"),
     RANGE(0, 67108863)},
    {KEY(scene_constraint, kind, KEY_CHOICE,
         "what is held: of edges, of cloth's triangles, of tetrahedra; stretch of `axis`, shear of "
         "`axis` and `across` of either"),
     CHOICES(kinds)},
    {KEY(scene_constraint, axis, KEY_FLOATS,
         "of stretch and shear: a direction in the mesh at rest"),
     VECTOR(3)},
    {KEY(scene_constraint, across, KEY_FLOATS, "of shear: the other direction"), VECTOR(3)},
    {KEY(scene_constraint, least, KEY_FLOAT, "lower bound, as a factor of what it is at rest"),
     RANGE(0, 1e6)},
    {KEY(scene_constraint, most, KEY_FLOAT, "upper bound, as a factor of what it is at rest"),
     RANGE(1e-6, 1e6)},
    {KEY(scene_constraint, compliance, KEY_FLOAT,
         "energy is (it - bound)^2 / (2 compliance): m/N, m^4/J or m^6/J; 0: rigid"),
     RANGE(0, 1e9)},
    {KEY(scene_constraint, stiffness, KEY_FLOAT,
         "k of the first position-based methods: the share of what is out of bounds that a step "
         "takes away"),
     RANGE(1e-6, 1)},
};

static void defaults(void *item)
{
    struct scene_constraint *c = item;
    c->kind = PIOLA_CONSTRAINT_VOLUME;
    c->axis[0] = c->across[1] = 1;
    c->least = c->most = c->stiffness = 1;
}

static bool check(const void *item, const struct trail *trail, struct problem *problem)
{
    const struct scene_constraint *c = item;
    const uint32_t corners = c->kind < 2 ? c->kind + 2 : 4;
    if (c->kind > PIOLA_CONSTRAINT_VOLUME && c->vertices.count > 0)
        return trail_problem(trail, problem, "a %s is of elements, in a \"box\" or \"sphere\"",
                             kinds[c->kind]);
    if (c->least > c->most)
        return trail_problem(trail, problem, "\"least\" is more than \"most\"");
    if (c->stiffness < 1 && c->compliance > 0)
        return trail_problem(trail, problem,
                             "\"compliance\" and a \"stiffness\" below 1 exclude each other");
    return c->vertices.count % corners == 0 ||
           trail_problem(trail, problem, "\"vertices\" of a %s come by %u, and there are %u",
                         kinds[c->kind], corners, c->vertices.count);
}

const struct table scene_constraint_table = {
    TABLE("a constraint", scene_constraint, constraint_keys,
          "Distances, areas or volumes that are held between two bounds, whatever the solver."),
    .defaults = defaults,
    .check = check,
    .one_of = 3,
};
