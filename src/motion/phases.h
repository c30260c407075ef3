/* phases.h - the phases of a substep, each on a part of one body: what the stages of a step call.
 */
#ifndef PIOLA_PHASES_H
#define PIOLA_PHASES_H

#include "motion/stage.h"

/* What moves the body's free particles in a substep. */
struct pk_motion phase_motion(const struct step *step, const struct body *body, bool last);

/* What pulls at single particles in a substep (N; w: resistance, kg/s), those of the whole world in
 * one array; null when nothing pulls at the body's. */
const struct pk_quad *phase_loads(const struct step *step, const struct body *body);

/* Lines 1-2 of the paper's Algorithm 1 for particles first .. first+count-1 of the world. */
void phase_predict(const struct step *step, const struct body *body, uint32_t first,
                   uint32_t count);
/* From where the substep started, after the body's history was forgotten. */
void phase_predict_again(const struct step *step, const struct body *body, uint32_t first,
                         uint32_t count);
/* Targets as they were predicted, after projections moved them along. */
void phase_aim(const struct step *step, const struct body *body, uint32_t first, uint32_t count);
/* After the pairs were found: where the iterations of descent begin for a body that has some. */
void phase_hold_back(const struct step *step, const struct body *body, uint32_t first,
                     uint32_t count);
/* Once a substep, before the iterations: the solver's scratch of the whole body. */
void phase_prepare(const struct step *step, const struct body *body);
/* ... and of the visits of one cluster. */
void phase_strains(const struct step *step, const struct body *body, uint32_t cluster);
/* Lines 4-8 for one cluster of the body. */
void phase_solve(const struct step *step, const struct body *body, uint32_t cluster);
/* Once a substep, after the velocities: plastic flow, relaxation and damping of the whole body. */
void phase_flow(const struct step *step, const struct body *body);
/* damping.c: after velocities and momentum. */
void damping_apply(const struct step *step, const struct body *body);
/* Lines 10 and 12. `last` in a step's last substep. Returns true when a number is not finite. */
bool phase_finish(const struct step *step, const struct body *body, uint32_t first, uint32_t count,
                  bool last);
/* True when this substep of the body is BDF2's, false when Euler's. */
bool phase_second_order(const struct step *step, const struct body *body);
/* After the body's last phase of a substep. */
void phase_age(const struct step *step, struct body *body);
/* True when gravity and damping do the same to both. */
static inline bool bodies_fall_alike(const struct body *a, const struct body *b)
{
    return a->damping == b->damping && a->gravity_scale == b->gravity_scale &&
           same_bytes(a->acceleration, b->acceleration, sizeof a->acceleration);
}
/* Puts a body back to where the substep began, at rest, and marks it. */
void phase_freeze(const struct step *step, struct body *body);

/* measure.c: physics of a part of a body as it is now. With forces, residual, stretch and inverted
 * elements are found too; then measure_clear comes first, clusters follow by colour, chunks last.
 */
void measure_clear(const struct step *step, uint32_t first, uint32_t count);
struct partial measure_cluster(const struct step *step, const struct body *body, uint32_t cluster,
                               bool forces);
struct partial measure_chunk(const struct step *step, const struct body *body, uint32_t first,
                             uint32_t count, bool forces);
/* J: what the elements of a cluster hold, plastic flow as it is, of a world's stream of positions.
 */
double measure_elastic(const struct step *step, const struct body *body, uint32_t cluster,
                       const struct pk_quad *at);
void measure_add(struct partial *sum, const struct partial *part);

/* Beyond this angle (rad) the linear theory of the rotation ends; such a body is left to the
 * solver. */
#define LARGEST_TURN 0.2

/* The sums about the centre of mass. */
struct about_centre {
    double mass, centre[3], linear[3], angular[3];
    double second[6]; /* xx yy zz yz xz xy */
};

/* momentum.c: sums over a part of a body, and what a free body needs to keep its momentum. */
enum momentum_of { MOMENTUM_BEFORE, MOMENTUM_DRIFT, MOMENTUM_AFTER };
bool momentum_kept(const struct step *step, const struct body *body);
/* True when it would be kept were nothing attached to the body. */
bool momentum_free(const struct step *step, const struct body *body);
struct sums momentum_sum(const struct step *step, const struct body *body, uint32_t first,
                         uint32_t count, enum momentum_of what);
void momentum_add(struct sums *sum, const struct sums *part);
/* `drift` tells that `second` pairs x with its target, whose centre is elsewhere. */
struct about_centre momentum_about_centre(const struct sums *sum, bool drift);
/* The rigid motion that has these momenta, and its energy (J). Of a body that is a line, or a
 * point, only its translation. */
double momentum_rigid_motion(const struct sums *sum, struct about_centre *about, double velocity[3],
                             double turn[3]);
/* The spin that has the angular momentum; false of a body that is a line, or a point. */
bool momentum_turn(const struct about_centre *about, double turn[3]);
/* Excess over the identity of the rotation by `turn` (axis times angle), exact for any angle. */
void momentum_rotation(const double turn[3], float rotation[9]);
/* From a body's sums before the iterations: what its momentum must be afterwards. */
void momentum_expect(const struct step *step, uint32_t body, const struct sums *sum);
/* What colliders do to the body in this substep: force, moment about the origin (3 each), and the
 * stiffness S at each place r summed: S (6: xx yy zz yz xz xy), [r] S (9, by rows), -[r] S [r] (6).
 */
void momentum_give(const struct step *step, uint32_t body, const struct sums *sum);
/* From its sums after them: the correction, which each part then applies. */
void momentum_correct_drift(const struct step *step, uint32_t body, const struct sums *sum);
void momentum_move(const struct step *step, uint32_t body, uint32_t first, uint32_t count);
/* An outer force (N) on a particle at x, before the velocities. */
void momentum_pull(const struct step *step, uint32_t body, const struct pk_quad *x,
                   const double force[3]);
void momentum_correct_velocity(const struct step *step, uint32_t body, const struct sums *sum);
/* The same where no collider is near, whatever else the sums are of. */
void momentum_restore(const struct step *step, uint32_t body, const struct sums *sum);
/* Of a part of a body, by what lacks of its own momenta or of those of its island's root. */
void momentum_push(const struct step *step, uint32_t by, uint32_t body, uint32_t first,
                   uint32_t count);

/* accelerate.c: the safeguarded Chebyshev iteration on a body, or on a part of it; whether the body
 * has any. */
bool accelerate_acts(const piola_world *world, const struct body *body);
/* Before the first iteration, with the objective there. */
void accelerate_begin(const struct step *step, uint32_t body, double objective);
void accelerate_remember(const struct step *step, uint32_t first, uint32_t count);
/* After each iteration, the first is 0: chooses omega, true when the objective must then be judged.
 */
bool accelerate_next(const struct step *step, uint32_t body, uint32_t iteration);
void accelerate_extrapolate(const struct step *step, uint32_t body, uint32_t first, uint32_t count);
/* With the objective after that; then each part is settled. */
void accelerate_judge(const struct step *step, uint32_t body, double objective);
void accelerate_settle(const struct step *step, uint32_t body, uint32_t first, uint32_t count);

/* solve.c: what the kernels are told of a substep. */
struct pk_solve solve_parameters(const struct step *step, const struct body *body);

#endif
