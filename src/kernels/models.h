/* models.h - the material models, each named once, for C and for ISPC.
 *
 * X(NAME, name, law, strain, quadratic, sheet_loop)
 * - NAME: PIOLA_MODEL_NAME of the public header, in its order.
 * - name: its word in scenes, its file ispc/solids/model_name.isph, its functions' prefix there.
 * - law: which constants it has (isotropic, orthotropic, general: src/compile/material.c), and so
 *   the linear law that they make.
 * - strain: 1 where the energy is quadratic in the Green strain. Such a material may be plastic,
 *   and plain cloth of it is descended by descend_cloth.
 * - quadratic: 1 where, undamped, the energy is exactly quadratic in one vertex. Its visits are
 *   folded.
 * - sheet_loop: 1 where the projections on triangles have a loop of its own.
 *
 * To add a model: docs/method/house.md.
 */
#ifndef PIOLA_MODELS_H
#define PIOLA_MODELS_H

#define MODELS(X)                                                                                  \
    X(STABLE_NEO_HOOKEAN, stable_neo_hookean, isotropic, 0, 1, 1)                                  \
    X(STVK, stvk, isotropic, 1, 0, 1)                                                              \
    X(STVK_ORTHOTROPIC, stvk_orthotropic, orthotropic, 1, 0, 1)                                    \
    X(STVK_GENERAL, stvk_general, general, 1, 0, 0)                                                \
    X(NEO_HOOKEAN, neo_hookean, isotropic, 0, 0, 0)

enum pk_model {
#define X(NAME, ...) PK_MODEL_##NAME,
    MODELS(X)
#undef X
        PK_MODELS
};

/* Of piola_material_default(). */
#define PK_MODEL_DEFAULT PK_MODEL_STABLE_NEO_HOOKEAN

/* Kinds of constants. */
enum pk_law { PK_LAW_isotropic, PK_LAW_orthotropic, PK_LAW_general };

/* What is asked of a model, of a number that may be none's too. In ISPC it costs nothing where the
 * model is known when compiling. */
#ifdef ISPC
#define PK_OF_MODEL(type) static inline uniform type
#define PK_MODEL_NUMBER   const uniform int
#else
#include <stdbool.h>
#define PK_OF_MODEL(type) static inline type
#define PK_MODEL_NUMBER   const int
#endif

PK_OF_MODEL(bool) model_strain(PK_MODEL_NUMBER model)
{
#define X(NAME, name, law, strain, ...)                                                            \
    if (model == PK_MODEL_##NAME)                                                                  \
        return strain != 0;
    MODELS(X)
#undef X
    return false;
}

PK_OF_MODEL(bool) model_quadratic(PK_MODEL_NUMBER model)
{
#define X(NAME, name, law, strain, quadratic, ...)                                                 \
    if (model == PK_MODEL_##NAME)                                                                  \
        return quadratic != 0;
    MODELS(X)
#undef X
    return false;
}

PK_OF_MODEL(int) model_law(PK_MODEL_NUMBER model)
{
#define X(NAME, name, law, ...)                                                                    \
    if (model == PK_MODEL_##NAME)                                                                  \
        return PK_LAW_##law;
    MODELS(X)
#undef X
    return PK_LAW_isotropic;
}

PK_OF_MODEL(bool) model_anisotropic(PK_MODEL_NUMBER model)
{
    return model_law(model) != PK_LAW_isotropic;
}

/* St Venant-Kirchhoff with two constants, which much is known about. */
PK_OF_MODEL(bool) model_isotropic_strain(PK_MODEL_NUMBER model)
{
    return model_strain(model) && !model_anisotropic(model);
}

#endif
