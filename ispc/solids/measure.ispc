// measure.ispc - what a step's report says about the physics: objective, residual, stretch, inversion.
//
// Lives here: the implicit-Euler objective G(x) = inertia/2 |x - y|^2_M + E(x) and its gradient. Every
// lane adds up on its own, in double, in the order of packs and particles; measure_total folds the 16
// lanes in one fixed tree. So the sums have the same bits on every instruction set.
#include "motion/external_quadratic.isph"
#include "motion/guide.isph"
#include "base/add_force.isph"
#include "solids/viscoelastic.isph"

// The largest root of the characteristic polynomial of c, which is positive semidefinite. With
// c = mean I + p a the root is mean + p (1 + d), d^3 + 3 d^2 = 2 + det a. sqrt((2 + det a)/3) is not
// below d, and from there Newton's method falls to it without passing it.
static inline float largest_eigenvalue(struct sym3 c)
{
    const float mean = trace(c) * 0.33333333333f;
    const struct sym3 b = add_diagonal(c, -mean);
    const float p = sqrt(inner(b, b) * 0.16666666667f);
    const bool apart = p > 1e-12f;
    const struct sym3 a = (1 / (apart ? p : 1.0f)) * b;
    const float det = a.xx * (a.yy * a.zz - a.yz * a.yz) - a.xy * (a.xy * a.zz - a.yz * a.xz) +
                      a.xz * (a.xy * a.yz - a.yy * a.xz);
    const float q = smaller(larger(2 + det, 0.0f), 4.0f);
    float d = sqrt(q * 0.33333333333f);
    for (uniform int i = 0; i < 4; i++)
        d = d - (d * d * (d + 3) - q) / (3 * (d * (d + 2)) + 1e-20f);
    return apart ? mean + p * (1 + d) : mean;
}

PK_EXPORT void PK(pk_measure_tets)(const uniform struct pk_element_job *uniform given)
{
    const uniform struct pk_element_job job = *given;
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_tet_pack &pack = job.tets[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int i = lane + programIndex;
            const struct corners t = load_corners(job.x, pack, lane);
            const struct mat3 f = deformation(t, pack, lane);
            struct sym3 strain = no_strain();
            const uniform pk_u32 cell = job.cells != NULL ? job.cells[p] : PK_NO_CELL;
            if (cell != PK_NO_CELL)
                strain = load_plastic(job.plastic[cell], lane);
            struct response r = evaluate_any(job.material, f, strain);
            if (is_viscous(job.material)) {
                struct response v;
                if (job.solve->inertia == 0 && job.material->branches > 0 && cell != PK_NO_CELL)
                    v = relaxing_held(job.material, job.plastic + cell, lane, f);
                else
                    v = viscous_part(job.material, job.start, pack, job.plastic, cell, job.solve->dt, lane, f);
                r.psi += v.psi;
                r.p = r.p + v.p;
            }
            const float volume = pack.volume[i];
            job.measure->elastic[i] += (double)volume * (double)r.psi;
            if (job.force == NULL)
                continue;
            const struct gradients g = corner_gradients(volume * r.p, pack, lane);
            add_force(job.force, &pack.index[0][lane], g.a);
            add_force(job.force, &pack.index[1][lane], g.b);
            add_force(job.force, &pack.index[2][lane], g.c);
            add_force(job.force, &pack.index[3][lane], g.d);
            job.measure->stretch[i] =
                larger(job.measure->stretch[i], sqrt(largest_eigenvalue(gram(f))));
            job.measure->inverted[i] += det(f) < 0 ? 1 : 0;
        }
    }
}

PK_EXPORT void PK(pk_measure_particles)(const uniform struct pk_particle_job *uniform given)
{
    const uniform struct pk_particle_job job = *given;
    for (uniform pk_u32 base = 0; base < job.count; base += PK_LANES) {
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int i = lane + programIndex;
            struct point p, y, f = {0, 0, 0, 0};
            aos_to_soa4((uniform float *uniform) & job.x[base + lane], &p.x, &p.y, &p.z, &p.w);
            aos_to_soa4((uniform float *uniform) & job.target[base + lane], &y.x, &y.y, &y.z, &y.w);
            if (job.force != NULL)
                aos_to_soa4((uniform float *uniform) & job.force[base + lane], &f.x, &f.y, &f.z, &f.w);
            const bool free = p.w > 0;
            const float weight = free ? job.solve->inertia * y.w : 0.0f;
            const struct vec3 away = edge(p, y);
            struct vec3 g = weight * away + vector(f.x, f.y, f.z);
            // No solver balances what rounding does to positions.
            const float blur = 2.4e-7f * (abs(p.x) + abs(p.y) + abs(p.z));
            float acts = weight * (sqrt(inner(away, away)) + blur);
            job.measure->inertial[i] += 0.5d * (double)weight * (double)inner(away, away);
            if (job.external != NULL) {
                const struct outside e = read_extra(job.external + base + lane, job.stride);
                const struct vec3 half = 0.5f * mul(e.k, away);
                const struct vec3 outer_force = e.h + mul(e.k, away);
                g = g + outer_force;
                acts = larger(acts, sqrt(inner(outer_force, outer_force)));
                job.measure->inertial[i] += free ? (double)inner(e.h + half, away) : 0.0d;
            }
            if (job.force == NULL)
                continue;
            if (job.guides != NULL) {
                struct point guide;
                aos_to_soa4((uniform float *uniform) & job.guides[base + lane], &guide.x, &guide.y, &guide.z, &guide.w);
                g = guided(guide, g);
            }
            // What colliders press is not measured, so nothing is said of particles that touch any.
            const bool known = free && (job.held == NULL || job.held[base + i] == 0);
            job.measure->residual[i] = larger(job.measure->residual[i], known ? sqrt(inner(g, g)) : 0.0f);
            job.measure->scale[i] = larger(job.measure->scale[i], known ? acts : 0.0f);
            job.measure->mass[i] = larger(job.measure->mass[i], known ? y.w : 0.0f);
        }
    }
}

PK_EXPORT void PK(pk_measure_total)(uniform struct pk_measure *uniform measure)
{
    for (uniform int half = PK_LANES / 2; half > 0; half /= 2) {
        for (uniform int i = 0; i < half; i++) {
            measure->elastic[i] += measure->elastic[i + half];
            measure->inertial[i] += measure->inertial[i + half];
            measure->inverted[i] += measure->inverted[i + half];
            const uniform float f = measure->scale[i + half], m = measure->mass[i + half];
            measure->scale[i] = measure->scale[i] > f ? measure->scale[i] : f;
            measure->mass[i] = measure->mass[i] > m ? measure->mass[i] : m;
            const uniform float r = measure->residual[i + half], s = measure->stretch[i + half];
            measure->residual[i] = measure->residual[i] > r ? measure->residual[i] : r;
            measure->stretch[i] = measure->stretch[i] > s ? measure->stretch[i] : s;
        }
    }
}
