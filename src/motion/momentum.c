/* momentum.c - free bodies keep their linear and angular momentum, whatever the solver.
 *
 * A body without pins has a momentum that no internal force may change: P' = P + M a dt, and L
 * about the centre of mass stays. Unfinished iterations of descent break both; implicit Euler, and
 * every position-based solver with it, loses a share (omega dt)^2 of the spin each substep. Two
 * rigid corrections mend that and leave the shape alone: drift     (descent) after the iterations:
 * the rigid motion that minimises the objective, for a rigid motion costs no elastic energy:
 * translation exactly, rotation by one Newton step; velocity  after line 10: a rigid velocity that
 * makes P and L what they must be. Sums are in double, in a fixed order, over particles of the body
 * alone.
 */
#include "base/symmetric3.h"
#include "motion/coarse.h"
#include "world/family.h"
#include "world/guides.h"

#include <math.h>
#include <string.h>

/* True when nothing outside but guides and attachments holds it. */
static bool unpinned(const struct step *step, const struct body *body)
{
    const piola_world_desc *desc = &step->world->desc;
    const uint32_t index = (uint32_t)(body - world_bodies(step->world));
    /* What BDF2 makes of a wind that changes is not the momentum that the wind brings. */
    const bool whole = desc->integrator == PIOLA_INTEGRATOR_EULER || !wind_blows(step->world, body);
    const bool paired =
        desc->max_contacts > 0 && (world_paired(step->world)[index] & PAIRED_BEFORE);
    return desc->keep_momentum && desc->iterations > 0 && body->pins == 0 && whole && !paired &&
           (world_ties(step->world)[index] & ~(uint32_t)(TIE(pressure) | TIE(attachments))) == 0;
}

bool momentum_free(const struct step *step, const struct body *body)
{
    return !(body->flags & BODY_GUIDED) && unpinned(step, body);
}

/* Guides take nothing in the directions that all of them leave: there a body keeps its momentum. */
static bool guided_keeps(const struct step *step, const struct body *body)
{
    double held[3][3];
    int count;
    return (body->flags & BODY_GUIDED) && unpinned(step, body) &&
           !body_touched(step->world, body) && guides_freedom(step->world, body, held, &count);
}

/* Leaves of a shift, and of no turn, what the body's guides leave; true when it has some. */
static bool confine(const struct step *step, const struct body *body, float shift[3])
{
    double held[3][3];
    int count;
    if (!(body->flags & BODY_GUIDED))
        return false;
    (void)guides_freedom(step->world, body, held, &count);
    for (int i = 0; i < count; ++i) {
        const double along = held[i][0] * (double)shift[0] + held[i][1] * (double)shift[1] +
                             held[i][2] * (double)shift[2];
        for (int k = 0; k < 3; ++k)
            shift[k] = (float)((double)shift[k] - along * held[i][k]);
    }
    return true;
}

/* A projection's multipliers are what moved the particles. Those of descent are not yet, so there
 * attached bodies keep their momentum together: attachment_momentum.c. */
bool momentum_kept(const struct step *step, const struct body *body)
{
    const uint32_t index = (uint32_t)(body - world_bodies(step->world));
    const bool attached = (world_ties(step->world)[index] & TIE(attachments)) != 0;
    return (momentum_free(step, body) || guided_keeps(step, body)) &&
           !(attached && world_descends(&step->world->desc));
}

/* Adds what loads bring to momenta in this substep beyond what gravity brings to the masses that
 * the particles show (phase_loads: a resistance makes them heavier). */
static void add_loads(const struct step *step, const struct body *body, uint32_t first,
                      uint32_t count, struct sums *sum)
{
    const piola_world *w = step->world;
    const struct pk_quad *loads = phase_loads(step, body);
    const struct pk_motion motion = phase_motion(step, body, false);
    for (uint32_t i = first; loads && i < first + count; ++i) {
        const struct pk_quad *x = &world_start(w)[i], *f = &loads[i];
        if (!(x->w > 0))
            continue;
        const double more = 1 / (double)x->w - (double)world_target(w)[i].w;
        const double r[3] = {(double)x->x, (double)x->y, (double)x->z};
        double gain[3] = {(double)f->x, (double)f->y, (double)f->z};
        for (int k = 0; k < 3; ++k)
            gain[k] = (double)motion.dt * (gain[k] + more * (double)motion.acceleration[k]);
        for (int k = 0; k < 3; ++k) {
            const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            sum->value[4 + k] += gain[k];
            sum->value[7 + k] += r[k1] * gain[k2] - r[k2] * gain[k1];
        }
    }
}

/* True when parts of it turn about themselves beside its particles, as segments of rods do. */
static bool turns_apart(const struct step *step, uint32_t index)
{
    return body_asset(step->world, &world_bodies(step->world)[index])->stats.segments > 0;
}

struct sums momentum_sum(const struct step *step, const struct body *body, uint32_t first,
                         uint32_t count, enum momentum_of what)
{
    const piola_world *w = step->world;
    const uint32_t index = (uint32_t)(body - world_bodies(w));
    const struct pk_quad *x =
        (what == MOMENTUM_BEFORE ? world_start(w) : world_position(w)) + first;
    const struct pk_quad *u = what == MOMENTUM_DRIFT ? NULL : world_velocity(w) + first;
    struct pk_momentum lanes;
    memset(&lanes, 0, sizeof lanes);
    step->kernels->momentum_add(x, u, world_target(w) + first, count, &lanes);
    step->kernels->momentum_total(&lanes);
    struct sums sum = {{lanes.mass[0]}};
    for (int k = 0; k < 3; ++k) {
        sum.value[1 + k] = lanes.first[k][0];
        sum.value[4 + k] = lanes.linear[k][0];
        sum.value[7 + k] = lanes.angular[k][0];
    }
    for (int k = 0; k < 6; ++k)
        sum.value[10 + k] = lanes.second[k][0];
    if (what == MOMENTUM_BEFORE)
        add_loads(step, body, first, count, &sum);
    if (what != MOMENTUM_DRIFT && first == body->first && turns_apart(step, index))
        families_turns(step, index, &sum);
    return sum;
}

void momentum_add(struct sums *sum, const struct sums *part)
{
    for (int i = 0; i < SUMS; ++i)
        sum->value[i] += part->value[i];
}

struct about_centre momentum_about_centre(const struct sums *sum, bool drift)
{
    struct about_centre c = {.mass = sum->value[0]};
    double other[3];
    for (int k = 0; k < 3; ++k) {
        c.centre[k] = sum->value[1 + k] / c.mass;
        c.linear[k] = sum->value[4 + k];
        other[k] = c.centre[k] - (drift ? c.linear[k] / c.mass : 0);
    }
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        c.angular[k] = sum->value[7 + k] - (c.centre[i] * c.linear[j] - c.centre[j] * c.linear[i]);
        c.second[k] = sum->value[10 + k] - c.mass * c.centre[k] * other[k];
        c.second[3 + k] =
            sum->value[13 + k] - 0.5 * c.mass * (c.centre[i] * other[j] + c.centre[j] * other[i]);
    }
    return c;
}

/* Solves (tr S I - S) turn = angular. False when that is not safely positive: a body that is
 * (nearly) a line or a point, or far from its target. */
bool momentum_turn(const struct about_centre *c, double turn[3])
{
    const double *s = c->second, *l = c->angular;
    const double xx = s[1] + s[2], yy = s[0] + s[2], zz = s[0] + s[1];
    const double yz = -s[3], xz = -s[4], xy = -s[5];
    const double cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
    const double cyy = xx * zz - xz * xz, cyz = xy * xz - xx * yz, czz = xx * yy - xy * xy;
    const double det = xx * cxx + xy * cxy + xz * cxz;
    const double size = (xx + yy + zz) / 3;
    if (!(size > 0 && xx > 0 && czz > 1e-9 * size * size && det > 1e-9 * size * size * size))
        return false;
    turn[0] = (cxx * l[0] + cxy * l[1] + cxz * l[2]) / det;
    turn[1] = (cxy * l[0] + cyy * l[1] + cyz * l[2]) / det;
    turn[2] = (cxz * l[0] + cyz * l[1] + czz * l[2]) / det;
    return true;
}

/* Of the mean inertia: what is less about an axis is left to that axis, for rounding of particles'
 * momenta would make too much of it. Rounds until that no longer counts for others. */
#define LEAST  1e-4
#define ROUNDS 4

/* The same of bodies that may be lines, whose parts turn about them. */
static bool turn_firmly(const struct about_centre *c, double turn[3])
{
    const double *s = c->second, trace = s[0] + s[1] + s[2];
    struct about_centre firm = *c;
    double more[3], has[3];
    bool found = true;
    turn[0] = turn[1] = turn[2] = 0;
    for (int k = 0; k < 3; ++k)
        firm.second[k] += LEAST * trace / 3;
    for (int round = 0; round < ROUNDS && found; ++round) {
        found = momentum_turn(&firm, more);
        for (int k = 0; k < 3 && found; ++k)
            turn[k] += more[k];
        symmetric3_times(s, turn, has);
        for (int k = 0; k < 3; ++k)
            firm.angular[k] = c->angular[k] - (trace * turn[k] - has[k]);
    }
    return found;
}

double momentum_rigid_motion(const struct sums *sum, struct about_centre *about, double velocity[3],
                             double turn[3])
{
    double energy = 0;
    *about = momentum_about_centre(sum, false);
    if (!momentum_turn(about, turn))
        turn[0] = turn[1] = turn[2] = 0;
    for (int k = 0; k < 3; ++k) {
        velocity[k] = about->linear[k] / about->mass;
        energy += 0.5 * (about->linear[k] * velocity[k] + about->angular[k] * turn[k]);
    }
    return energy;
}

void momentum_expect(const struct step *step, uint32_t index, const struct sums *sum)
{
    const struct body *body = &world_bodies(step->world)[index];
    const struct pk_motion motion = phase_motion(step, body, false);
    const struct about_centre c = momentum_about_centre(sum, false);
    struct body_momentum *expected = &world_momenta(step->world)[index];
    double turn[3];
    const bool turns = momentum_turn(&c, turn);
    expected->energy = 0;
    for (int k = 0; k < 3; ++k) {
        const double gained = c.mass * (double)motion.acceleration[k] * (double)motion.dt;
        expected->linear[k] = (double)motion.keep * (c.linear[k] + gained);
        expected->angular[k] = (double)motion.keep * c.angular[k];
        expected->centre[k] = c.centre[k] + (double)motion.dt * expected->linear[k] / c.mass;
        expected->energy += expected->linear[k] * expected->linear[k] / c.mass;
        if (turns)
            expected->energy += expected->angular[k] * (double)motion.keep * turn[k];
    }
    memset(expected->given, 0, sizeof expected->given);
}

void momentum_pull(const struct step *step, uint32_t index, const struct pk_quad *x,
                   const double force[3])
{
    const struct body *body = &world_bodies(step->world)[index];
    const struct pk_motion motion = phase_motion(step, body, false);
    const double dt = (double)motion.keep * (double)motion.dt;
    struct body_momentum *expected = &world_momenta(step->world)[index];
    const double arm[3] = {(double)x->x - expected->centre[0], (double)x->y - expected->centre[1],
                           (double)x->z - expected->centre[2]};
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        expected->linear[k] += dt * force[k];
        expected->angular[k] += dt * (arm[i] * force[j] - arm[j] * force[i]);
    }
    expected->energy = (double)INFINITY; /* whoever pulls may bring any */
}

void momentum_give(const struct step *step, uint32_t index, const struct sums *sum)
{
    const struct pk_motion motion = phase_motion(step, &world_bodies(step->world)[index], false);
    struct body_momentum *expected = &world_momenta(step->world)[index];
    const double impulse = (double)motion.keep * (double)motion.dt;
    for (int i = 0; i < SUMS; ++i)
        expected->given[i] = (i < 6 ? 1 : (double)motion.dt) * impulse * sum->value[i];
}

/* Cayley. */
void momentum_rotation(const double turn[3], float rotation[9])
{
    const double x = 0.5 * turn[0], y = 0.5 * turn[1], z = 0.5 * turn[2];
    const double s = 2 / (1 + x * x + y * y + z * z);
    const double r[9] = {-(y * y + z * z), x * y - z, x * z + y, x * y + z,       -(x * x + z * z),
                         y * z - x,        x * z - y, y * z + x, -(x * x + y * y)};
    for (int i = 0; i < 9; ++i)
        rotation[i] = (float)(s * r[i]);
}

void momentum_correct_drift(const struct step *step, uint32_t index, const struct sums *sum)
{
    const struct about_centre c = momentum_about_centre(sum, true);
    struct pk_rigid *rigid = &world_momenta(step->world)[index].rigid;
    double turn[3];
    memset(rigid, 0, sizeof *rigid);
    for (int k = 0; k < 3; ++k) {
        rigid->centre[k] = (float)c.centre[k];
        rigid->shift[k] = (float)(-c.linear[k] / c.mass);
    }
    if (confine(step, &world_bodies(step->world)[index], rigid->shift) ||
        turns_apart(step, index) || !momentum_turn(&c, turn))
        return;
    if (turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] > LARGEST_TURN * LARGEST_TURN)
        return;
    for (int k = 0; k < 3; ++k)
        turn[k] = -turn[k];
    momentum_rotation(turn, rigid->rotation);
}

void momentum_move(const struct step *step, uint32_t body, uint32_t first, uint32_t count)
{
    step->kernels->rigid_move(world_position(step->world) + first, count,
                              &world_momenta(step->world)[body].rigid);
}

void momentum_restore(const struct step *step, uint32_t index, const struct sums *sum)
{
    struct about_centre c = momentum_about_centre(sum, false);
    struct body_momentum *expected = &world_momenta(step->world)[index];
    struct pk_rigid *rigid = &expected->rigid;
    double turn[3];
    memset(rigid, 0, sizeof *rigid);
    for (int k = 0; k < 3; ++k) {
        rigid->centre[k] = (float)c.centre[k];
        rigid->shift[k] = (float)((expected->linear[k] - c.linear[k]) / c.mass);
        c.angular[k] = expected->angular[k] - c.angular[k];
    }
    if (confine(step, &world_bodies(step->world)[index], rigid->shift))
        return;
    if (turns_apart(step, index) ? turn_firmly(&c, turn) : momentum_turn(&c, turn))
        for (int k = 0; k < 3; ++k)
            rigid->turn[k] = (float)turn[k];
}

void momentum_correct_velocity(const struct step *step, uint32_t index, const struct sums *sum)
{
    struct body_momentum *expected = &world_momenta(step->world)[index];
    memset(&expected->rigid, 0, sizeof expected->rigid);
    if (!body_touched(step->world, &world_bodies(step->world)[index])) {
        momentum_restore(step, index, sum);
        return;
    }
    const struct about_centre c = momentum_about_centre(sum, false);
    families_mend(step, index, &c);
}

void momentum_push(const struct step *step, uint32_t by, uint32_t index, uint32_t first,
                   uint32_t count)
{
    const piola_world *w = step->world;
    const struct pk_rigid *rigid = &world_momenta(w)[by].rigid;
    step->kernels->rigid_push(world_position(w) + first, world_velocity(w) + first, count, rigid);
    if (first == world_bodies(w)[index].first && turns_apart(step, index))
        families_turn_along(step, index, rigid->turn);
}
