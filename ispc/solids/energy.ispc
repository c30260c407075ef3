// energy.ispc - the elastic energy that tetrahedra hold, and nothing else: what a substep's guard asks for.
//
// Lives here: the sum of measure.ispc for elements at rest where they are, without stresses. Every lane adds up on
// its own, in double, in the order of packs.
#include "solids/viscoelastic.isph"

// Elastic elements of a model that is known: the compiler leaves their stresses out.
#define X(NAME, name, ...)                                                                         \
    static noinline void energy_##name(const uniform struct pk_element_job &job)                   \
    {                                                                                              \
        for (uniform pk_u32 p = 0; p < job.count; p++) {                                           \
            const uniform struct pk_tet_pack &pack = job.tets[p];                                  \
            for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {                    \
                const struct mat3 f = deformation(load_corners(job.x, pack, lane), pack, lane);    \
                const struct response r =                                                          \
                    evaluate(PK_MODEL_##NAME, false, job.material, f, no_strain());                \
                const int i = lane + programIndex;                                                 \
                job.measure->elastic[i] += (double)pack.volume[i] * (double)r.psi;                 \
            }                                                                                      \
        }                                                                                          \
    }
MODELS(X)
#undef X

PK_EXPORT void PK(pk_energy_tets)(const uniform struct pk_element_job *uniform given)
{
    const uniform struct pk_element_job job = *given;
#define X(NAME, name, ...)                                                                         \
    if (job.cells == NULL && job.material->model == PK_MODEL_##NAME &&                             \
        (model_isotropic_strain(PK_MODEL_##NAME) || !model_strain(PK_MODEL_##NAME))) {             \
        energy_##name(job);                                                                        \
        return;                                                                                    \
    }
    MODELS(X)
#undef X
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_tet_pack &pack = job.tets[p];
        const uniform pk_u32 cell = job.cells != NULL ? job.cells[p] : PK_NO_CELL;
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct mat3 f = deformation(load_corners(job.x, pack, lane), pack, lane);
            struct sym3 strain = no_strain();
            if (cell != PK_NO_CELL)
                strain = load_plastic(job.plastic[cell], lane);
            struct response r = evaluate_any(job.material, f, strain);
            if (job.material->branches > 0 && cell != PK_NO_CELL) {
                const struct response held = relaxing_held(job.material, job.plastic + cell, lane, f);
                r.psi += held.psi;
            }
            const int i = lane + programIndex;
            job.measure->elastic[i] += (double)pack.volume[i] * (double)r.psi;
        }
    }
}
