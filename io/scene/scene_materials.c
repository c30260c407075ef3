/* scene_materials.c - the keys of a scene's materials. */
#include "io/scene/key_rows.h"
#include "io/scene/scene.h"
#include "kernels/models.h"

static const char *const models[] = {
#define X(NAME, name, ...) [PIOLA_MODEL_##NAME] = #name,
    MODELS(X)
#undef X
};
_Static_assert(COUNT(models) == PIOLA_MODEL_COUNT, "one name a model");

static const char *const bend_models[] = {"isometric", "dihedral"};
_Static_assert(COUNT(bend_models) == PIOLA_BEND_MODEL_COUNT, "one name a model");

#define VALUE(member, kind_, what_) NAMED(#member, scene_material, values.member, kind_, what_)

static const struct key relaxation_keys[] = {
    {KEY(scene_relaxation, share, KEY_FLOAT, "stiffness of the branch over the material's own"),
     RANGE(1e-6, 1e6), .required = true},
    {KEY(scene_relaxation, time, KEY_FLOAT, "in which its stress falls to 1/e, s"),
     RANGE(1e-9, 1e9), .required = true},
};

static const struct table relaxation_table = {
    TABLE("a branch that relaxes", scene_relaxation, relaxation_keys,
          "A spring and a dashpot in a row, beside what the material is without them."),
};

static const struct key section_keys[] = {
    {KEY(scene_section, radius, KEY_FLOAT, "of its round section, m; without it the mesh's"),
     RANGE(1e-6, 1e3)},
    {KEY(scene_section, stretch, KEY_FLOAT, "E A, N"), ABOVE(0, 1e15)},
    {KEY(scene_section, shear, KEY_FLOAT, "kappa G A, N"), ABOVE(0, 1e15)},
    {KEY(scene_section, bend, KEY_FLOATS, "E I about its first and second axis, N m^2"),
     ABOVE(0, 1e15), .length = 2},
    {KEY(scene_section, twist, KEY_FLOAT, "G J, N m^2"), ABOVE(0, 1e15)},
    {KEY(scene_section, curvature, KEY_FLOATS,
         "at rest, besides the mesh's: about its first and second axis, and along it, 1/m"),
     RANGE(-FAR, FAR), .length = 3},
    {KEY(scene_section, across, KEY_FLOATS,
         "direction of its first axis in the mesh's coordinates, as far as it stands across the "
         "rod; without it any, carried along without twist"),
     VECTOR(3)},
};

static const struct table section_table = {
    TABLE("a section", scene_section, section_keys,
          "Of rods. What is not given follows from the radius and the moduli, for a round one."),
};

static const struct key material_keys[] = {
    {KEY(scene_material, model, KEY_CHOICE, "law between strain and stress"), CHOICES(models)},
    {VALUE(density, KEY_FLOAT, "kg/m^3"), ABOVE(0, 1e9)},
    {VALUE(young, KEY_FLOAT, "Young's modulus of the isotropic models, Pa"), ABOVE(0, 1e15)},
    {VALUE(poisson, KEY_FLOAT, "Poisson's ratio of the isotropic models"), RANGE(-0.9, 0.499)},
    {VALUE(young_axis, KEY_FLOATS, "stvk_orthotropic: E1, E2, E3 along the axes, Pa"),
     RANGE(0, 1e15), .length = 3},
    {VALUE(poisson_axis, KEY_FLOATS, "stvk_orthotropic: nu12, nu23, nu31"), RANGE(-10, 10),
     .length = 3},
    {VALUE(shear_axis, KEY_FLOATS, "stvk_orthotropic: G12, G23, G31, Pa"), RANGE(0, 1e15),
     .length = 3},
    {VALUE(stiffness, KEY_FLOATS,
           "stvk_general: upper triangle, row by row, of the 6x6 matrix from strain (xx yy zz 2yz "
           "2xz 2xy) to stress, Pa"),
     RANGE(-1e15, 1e15), .length = 21},
    {VALUE(damping, KEY_FLOAT, "viscous stress over rate of elastic stress, s"), RANGE(0, 1e6)},
    {VALUE(mass_damping, KEY_FLOAT,
           "force against the velocity over mass, 1/s; with `damping` it is Rayleigh's"),
     RANGE(0, 1e6)},
    {KEY(scene_material, relaxation, KEY_LIST,
         "of solids: branches whose stress fades. All moduli are those of a slow load; a sudden "
         "one "
         "meets 1 + the shares times as much"),
     .table = &relaxation_table, .length = PIOLA_RELAXATIONS},
    {VALUE(plastic_yield, KEY_FLOAT,
           "strain above which material flows, stvk models only; 0: never"),
     RANGE(0, 1e6)},
    {VALUE(plastic_creep, KEY_FLOAT, "share of that strain absorbed each second, 1/s"),
     RANGE(0, 1e6)},
    {VALUE(plastic_max, KEY_FLOAT, "bound of the plastic strain"), RANGE(0, 1e6)},
    {VALUE(thickness, KEY_FLOAT,
           "of cloth, m. Without it a cloth's density is by area, kg/m^2, and its moduli are N/m"),
     RANGE(1e-9, 1e3)},
    {VALUE(stretch_min, KEY_FLOAT, "of cloth: hard lower bound of its stretches; 0: none"),
     RANGE(0, 1)},
    {VALUE(stretch_max, KEY_FLOAT, "of cloth: hard upper bound of its stretches; 0: none"),
     RANGE(0, 100)},
    {KEY(scene_material, bend_model, KEY_CHOICE,
         "how cloth resists bending: isometric (flat at rest), or dihedral (as it is at rest)"),
     CHOICES(bend_models)},
    {KEY(scene_material, bend, KEY_FLOAT,
         "bending stiffness of cloth, N m; without it that of an isotropic plate of the thickness, "
         "or none"),
     RANGE(0, 1e9)},
    {KEY(scene_material, bend_damping, KEY_FLOAT,
         "of cloth: viscous moment over rate of elastic moment, s"),
     RANGE(0, 1e6)},
    {KEY(scene_material, crease_yield, KEY_FLOAT,
         "angle of a fold, away from that at rest, above which cloth creases, degrees; needs the "
         "bend_model dihedral; 0: never"),
     RANGE(0, 180)},
    {KEY(scene_material, crease_creep, KEY_FLOAT, "share of that angle absorbed each second, 1/s"),
     RANGE(0, 1e6)},
    {KEY(scene_material, crease_max, KEY_FLOAT, "bound of the creases, degrees"), RANGE(0, 180)},
    {KEY(scene_material, section, KEY_OBJECT, "of rods, where it is not round and plain"),
     .table = &section_table},
};

static void material_defaults(void *item)
{
    struct scene_material *material = item;
    material->values = piola_material_default();
    material->model = (uint32_t)material->values.model;
    material->crease_max = 180;
}

static bool creases_check(const struct scene_material *material, const struct trail *trail,
                          struct problem *problem)
{
    if (material->crease_yield > 0 && material->bend_model != PIOLA_BEND_DIHEDRAL)
        return trail_problem(trail, problem,
                             "\"crease_yield\" needs the bend_model \"dihedral\"; isometric bends "
                             "have no angle that could stay");
    if (material->crease_yield > 0 && keys_given(&scene_material_table, material, "bend") &&
        !(material->bend > 0))
        return trail_problem(trail, problem,
                             "\"crease_yield\" needs a \"bend\" above 0: what does not resist "
                             "bending does not crease");
    return material->crease_yield > 0 ||
           (!keys_given(&scene_material_table, material, "crease_creep") &&
            !keys_given(&scene_material_table, material, "crease_max")) ||
           trail_problem(trail, problem,
                         "\"crease_creep\" and \"crease_max\" need a \"crease_yield\" above 0");
}

/* A constant that the model does not read would be a silent mistake. */
static bool material_check(const void *item, const struct trail *trail, struct problem *problem)
{
    static const char *const constants[] = {"young",        "poisson",    "young_axis",
                                            "poisson_axis", "shear_axis", "stiffness"};
    const struct scene_material *material = item;
    const int model = (int)material->model;
    const bool general = model_law(model) == PK_LAW_general;
    const bool orthotropic = model_law(model) == PK_LAW_orthotropic;
    if (material->values.plastic_yield > 0 && !model_strain(model))
        return trail_problem(trail, problem,
                             "\"plastic_yield\" needs one of the stvk models; %s does not flow",
                             models[material->model]);
    for (uint32_t i = 0; i < COUNT(constants); ++i) {
        const bool read = general ? i == 5 : orthotropic ? i >= 2 && i < 5 : i < 2;
        const bool given = keys_given(&scene_material_table, item, constants[i]);
        if (given && !read)
            return trail_problem(trail, problem, "the model %s does not use \"%s\"",
                                 models[material->model], constants[i]);
        if (!given && read && i >= 2)
            return trail_problem(trail, problem, "the model %s needs \"%s\"",
                                 models[material->model], constants[i]);
    }
    return creases_check(material, trail, problem);
}

const struct table scene_material_table = {
    TABLE("a material", scene_material, material_keys, "What a body is made of."),
    .defaults = material_defaults,
    .check = material_check,
};
