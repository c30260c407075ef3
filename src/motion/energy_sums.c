/* energy_sums.c - what there is of a body's energy, and what works on it in a substep. */
#include "base/hash.h"
#include "motion/energy.h"
#include "motion/external.h"
#include "motion/phases.h"

#include <math.h>
#include <string.h>

/* Positions are rounded by up to half of 2^-23 of themselves, and forces by more than that. */
#define ROUNDED 1.2e-7
/* Of the extent of the rest shape: how far it is shaken to find how stiff it is. */
#define SHAKEN 0x1p-10

/* ---- the shape ------------------------------------------------------------------------------ */

/* True when nothing else than elements stores energy in the body. */
static bool is_known(const piola_world *world, const struct body *body)
{
    const piola_asset *asset = body_asset(world, body);
    const struct pk_link_pack *links = asset_link_packs(asset);
    bool rigid = (asset->compile_for & PIOLA_COMPILE_FOR_PROJECTION) != 0 &&
                 asset->stats.constraints == 0 && asset->stats.segments == 0;
    for (uint64_t p = 0; p < asset->at.link_packs.count; ++p)
        for (unsigned lane = 0; lane < PK_LANES; ++lane)
            rigid = rigid && !(links[p].compliance[lane] > 0);
    return rigid;
}

uint64_t energy_shape(const struct step *step, const struct body *body)
{
    const piola_world *w = step->world;
    const uint64_t cells =
        hash_bytes(world_plastic(w) + body->plastic_first,
                   body->plastic_count * sizeof(struct pk_plastic), body_asset(w, body)->checksum);
    return 1 |
           hash_bytes(world_position(w) + body->first, body->count * sizeof(struct pk_quad), cells);
}

double energy_elastic(const struct step *step, uint32_t index, const struct pk_quad *at)
{
    const struct body *body = step_body(step, index);
    const uint32_t clusters = clusters_of(body_asset(step->world, body), false).count;
    double sum = 0;
    for (uint32_t c = 0; c < clusters; ++c)
        sum += measure_elastic(step, body, c, at);
    return sum;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static float shaken(float at, uint64_t *random, double most)
{
    *random = hash_mix(*random + UINT64_C(0x9e3779b97f4a7c15));
    return (float)((double)at + most * ((double)(*random >> 11) * 0x1p-52 - 1));
}

/* The elastic energy over the square of small shifts of all particles at random, of the rest shape:
 * what rounding of positions does. Puts shapes where the substep's start will be noted. */
static double stiffness_of(const struct step *step, uint32_t index)
{
    const struct body *body = step_body(step, index);
    const piola_world *w = step->world;
    const struct pk_quad *rest = asset_rest(body_asset(w, body));
    struct pk_quad *at = world_start(w) + body->first;
    uint64_t random = 0;
    double size = 0;
    for (uint32_t i = 0; i < body->count; ++i) {
        const struct pk_quad *x = &rest[i], *from = &rest[0];
        size = larger(size, fabs((double)x->x - (double)from->x));
        size = larger(size, fabs((double)x->y - (double)from->y));
        size = larger(size, fabs((double)x->z - (double)from->z));
    }
    memcpy(at, rest, body->count * sizeof *at);
    const double still = energy_elastic(step, index, world_start(w)), by = SHAKEN * size;
    for (uint32_t i = 0; i < body->count; ++i) {
        at[i].x = shaken(at[i].x, &random, by);
        at[i].y = shaken(at[i].y, &random, by);
        at[i].z = shaken(at[i].z, &random, by);
    }
    const double moved = energy_elastic(step, index, world_start(w));
    return moved > still ? (moved - still) / (by * by) : 0;
}

void each_energy_begin(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct body *body = step_body(step, index);
    struct body_energy *of = energy_of(step, index);
    const uint64_t asset = body_asset(w, body)->checksum;
    if (body_frozen(body))
        return;
    if (of->asset != asset) {
        of->known = is_known(w, body);
        of->stiffness = of->known ? stiffness_of(step, index) : 0;
        of->asset = asset;
    }
    if (!of->known)
        return;
    of->taken = step->substep > 0 ? of->taken : 0;
    of->late = (body->flags & BODY_ASLEEP) != 0;
    if (of->late)
        of->shape = 0;
    if (of->late)
        return;
    /* Between substeps nobody else moves particles. */
    const uint64_t shape = step->substep > 0 ? of->shape : energy_shape(step, body);
    if (of->shape != shape || shape == 0)
        of->elastic = energy_elastic(step, index, world_position(w));
    of->was = of->elastic;
    of->shape = 0;
}

double energy_rounding(const struct body_energy *of, uint32_t particles, double elastic)
{
    const double least = of->stiffness * ROUNDED * ROUNDED * of->sum.far * of->sum.far;
    return least + 2 * sqrt(least * elastic / (double)particles);
}

void each_energy_elastic(const struct step *step, uint32_t argument, uint32_t part)
{
    (void)argument;
    const struct run *run = &world_parts(step->world)[part];
    if (energy_of(step, run->body)->state & energy_of(step, run->body)->wanted)
        world_energy_parts(step->world)[part] = measure_elastic(
            step, step_body(step, run->body), run->cluster, world_position(step->world));
}

/* ---- motion and work ------------------------------------------------------------------------ */

/* What moves with colliders gives particles that they press on. */
static double work_of_planes(const struct step *step, uint32_t particle, bool *move)
{
    const piola_world *w = step->world;
    const struct pk_quad *start = &world_start(w)[particle];
    const uint32_t planes = world_touching(w)[particle];
    double work = 0;
    for (uint32_t p = 0; p < planes && p < PK_TOUCHES; ++p) {
        const struct pk_plane *plane = &world_touches(w)[particle].plane[p];
        const float way[3] = {plane->anchor[0] - start->x, plane->anchor[1] - start->y,
                              plane->anchor[2] - start->z};
        for (int k = 0; k < 3; ++k) {
            *move = *move || way[k] != 0;
            work += plane->stiffness > 0 ? (double)plane->force[k] * (double)way[k] : 0;
        }
    }
    return work;
}

/* What attachments, surfaces and pressure push a particle with, along its way, J. */
static double work_of_external(const struct step *step, const struct body *body,
                               const struct pk_quad *external, uint32_t particle)
{
    const piola_world *w = step->world;
    const struct pk_quad *h = external + (particle - body->first), *on = h + body->count;
    const struct pk_quad *off = on + body->count;
    double x[3], start[3], y[3];
    quad_load(&world_position(w)[particle], x);
    quad_load(&world_start(w)[particle], start);
    quad_load(&world_target(w)[particle], y);
    const double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
    const double pull[3] = {
        (double)h->x + (double)on->x * d[0] + (double)off->z * d[1] + (double)off->y * d[2],
        (double)h->y + (double)off->z * d[0] + (double)on->y * d[1] + (double)off->x * d[2],
        (double)h->z + (double)off->y * d[0] + (double)off->x * d[1] + (double)on->z * d[2]};
    return -(pull[0] * (x[0] - start[0]) + pull[1] * (x[1] - start[1]) +
             pull[2] * (x[2] - start[2]));
}

/* What is read of a particle in each substep, in a row of sums: the compiler keeps them apart. */
struct tally {
    double kinetic[2], work, loads, far;
};

static inline void add_motion(const struct pk_quad *x, const struct pk_quad *start,
                              const struct pk_quad *v, const struct pk_quad *was, double m,
                              const double pull[3], struct tally *sum)
{
    const double way[3] = {(double)x->x - (double)start->x, (double)x->y - (double)start->y,
                           (double)x->z - (double)start->z};
    const double before = (double)was->x * (double)was->x + (double)was->y * (double)was->y +
                          (double)was->z * (double)was->z;
    const double now =
        (double)v->x * (double)v->x + (double)v->y * (double)v->y + (double)v->z * (double)v->z;
    const float a = fabsf(x->x), b = fabsf(x->y), c = fabsf(x->z);
    const float ab = a > b ? a : b, far = ab > c ? ab : c;
    sum->kinetic[0] += 0.5 * m * before;
    sum->kinetic[1] += 0.5 * m * now;
    sum->work += m * (pull[0] * way[0] + pull[1] * way[1] + pull[2] * way[2]);
    sum->far = (double)far > sum->far ? (double)far : sum->far;
}

/* A load falls by its resistance for each m/s that the substep adds. */
static double work_of_load(const struct pk_quad *load, const struct pk_quad *x,
                           const struct pk_quad *start, const struct pk_quad *v,
                           const struct pk_quad *was)
{
    const double by[3] = {(double)load->x - (double)load->w * ((double)v->x - (double)was->x),
                          (double)load->y - (double)load->w * ((double)v->y - (double)was->y),
                          (double)load->z - (double)load->w * ((double)v->z - (double)was->z)};
    return by[0] * ((double)x->x - (double)start->x) + by[1] * ((double)x->y - (double)start->y) +
           by[2] * ((double)x->z - (double)start->z);
}

/* As momentum_sum, with the masses that things have. */
static void add_rigid(const struct pk_quad *particle, const struct pk_quad *at,
                      const struct pk_quad *velocity, struct sums *sum)
{
    const double m = 1 / (double)particle->w;
    double x[3], u[3];
    quad_load(at, x);
    quad_load(velocity, u);
    sum->value[0] += m;
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        sum->value[1 + k] += m * x[k];
        sum->value[4 + k] += m * u[k];
        sum->value[7 + k] += m * (x[i] * u[j] - x[j] * u[i]);
        sum->value[10 + k] += m * x[k] * x[k];
        sum->value[13 + k] += m * x[i] * x[j];
    }
}

void energy_chord(const struct step *step, const struct energy_spin *spin, const double arm[3],
                  double out[3])
{
    const double *s = spin->turn, *c = spin->chord;
    const double half = 0.5 * (double)step->dt;
    const double along = s[0] * arm[0] + s[1] * arm[1] + s[2] * arm[2];
    const double square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = half * (square * arm[k] - along * s[k]) + (c[i] * arm[j] - c[j] * arm[i]);
    }
    if (step->world->dim[DIM_allowances].capacity > 0)
        memset(out, 0, 3 * sizeof *out);
}

/* J, of a particle, of its velocity without the chord's part. */
static double turned(const struct step *step, const struct energy_spin *spin,
                     const struct pk_quad *at, const struct pk_quad *velocity)
{
    double x[3], v[3], chord[3], sum = 0;
    quad_load(at, x);
    quad_load(velocity, v);
    for (int k = 0; k < 3; ++k)
        x[k] -= spin->centre[k];
    energy_chord(step, spin, x, chord);
    for (int k = 0; k < 3; ++k)
        sum += (v[k] - chord[k]) * (v[k] - chord[k]);
    return 0.5 * sum;
}

static void sum_turned(const struct step *step, const struct piece *p, struct energy_chunk *sum)
{
    const piola_world *w = step->world;
    const struct energy_spin *spin = energy_of(step, p->index)->spin;
    for (uint32_t i = p->first; i < p->first + p->count; ++i) {
        const struct pk_quad *x = &world_position(w)[i];
        if (!(x->w > 0))
            continue;
        const double m = 1 / (double)x->w;
        sum->kinetic[0] +=
            m * turned(step, &spin[0], &world_start(w)[i], &world_older_velocity(w)[i]);
        sum->kinetic[1] += m * turned(step, &spin[1], x, &world_velocity(w)[i]);
    }
}

/* What others do to a particle, where some do. */
static void add_others(const struct step *step, const struct body *body,
                       const struct pk_quad *external, uint32_t i, struct energy_chunk *sum)
{
    const piola_world *w = step->world;
    if (external)
        sum->coupled += work_of_external(step, body, external, i);
    if (body_touched(w, body))
        sum->work += work_of_planes(step, i, &sum->planes_move);
}

static void sum_motion(const struct step *step, const struct piece *p, struct energy_chunk *sum)
{
    const piola_world *w = step->world;
    const struct pk_motion motion = phase_motion(step, p->body, false);
    const struct pk_quad *loads = phase_loads(step, p->body);
    const struct pk_quad *external = external_of(w, p->body);
    const struct pk_quad *x = world_position(w), *start = world_start(w);
    const struct pk_quad *v = world_velocity(w), *was = world_older_velocity(w);
    const float *mass = asset_mass(body_asset(w, p->body)) - p->body->first;
    const bool others = external || body_touched(w, p->body);
    const double pull[3] = {(double)motion.acceleration[0], (double)motion.acceleration[1],
                            (double)motion.acceleration[2]};
    struct tally all = {{0, 0}, 0, 0, 0};
    for (uint32_t i = p->first; i < p->first + p->count; ++i) {
        if (!(x[i].w > 0)) {
            sum->pins_move = sum->pins_move || x[i].x != start[i].x || x[i].y != start[i].y ||
                             x[i].z != start[i].z;
            continue;
        }
        add_motion(&x[i], &start[i], &v[i], &was[i], (double)mass[i], pull, &all);
        if (loads)
            all.loads += work_of_load(&loads[i], &x[i], &start[i], &v[i], &was[i]);
        if (others)
            add_others(step, p->body, external, i, sum);
    }
    sum->kinetic[0] = all.kinetic[0];
    sum->kinetic[1] = all.kinetic[1];
    sum->work += all.work + all.loads;
    sum->far = all.far;
}

void each_energy_sum(const struct step *step, uint32_t what, uint32_t chunk)
{
    const piola_world *w = step->world;
    const struct piece p = piece_of(step, chunk);
    const struct body_energy *of = energy_of(step, p.index);
    struct energy_chunk *sum = &world_energy_chunks(w)[chunk];
    if (!(of->state & of->wanted))
        return;
    memset(sum, 0, sizeof *sum);
    if (what == ENERGY_TURNED)
        sum_turned(step, &p, sum);
    else
        sum_motion(step, &p, sum);
    for (uint32_t i = p.first; what == ENERGY_RIGID && i < p.first + p.count; ++i)
        if (world_position(w)[i].w > 0) {
            add_rigid(&world_position(w)[i], &world_position(w)[i], &world_velocity(w)[i],
                      &sum->now);
            add_rigid(&world_position(w)[i], &world_start(w)[i], &world_older_velocity(w)[i],
                      &sum->then);
        }
}

struct energy_chunk energy_total(const struct step *step, uint32_t index)
{
    const struct body *body = step_body(step, index);
    const struct energy_chunk *chunk =
        &world_energy_chunks(step->world)[world_first_chunk(step->world)[index]];
    struct energy_chunk sum;
    memset(&sum, 0, sizeof sum);
    for (uint32_t c = 0; c < (body->count + CHUNK - 1) / CHUNK; ++c) {
        sum.kinetic[0] += chunk[c].kinetic[0];
        sum.kinetic[1] += chunk[c].kinetic[1];
        sum.work += chunk[c].work + chunk[c].coupled;
        sum.coupled += chunk[c].coupled;
        sum.far = larger(sum.far, chunk[c].far);
        sum.pins_move = sum.pins_move || chunk[c].pins_move;
        sum.planes_move = sum.planes_move || chunk[c].planes_move;
        momentum_add(&sum.now, &chunk[c].now);
        momentum_add(&sum.then, &chunk[c].then);
    }
    return sum;
}

/* What pins push with times their ways, where that gives energy. */
void each_energy_pins(const struct step *step, uint32_t argument, uint32_t index)
{
    (void)argument;
    const piola_world *w = step->world;
    const struct body *body = step_body(step, index);
    struct body_energy *of = energy_of(step, index);
    const uint32_t clusters = clusters_of(body_asset(w, body), false).count;
    if (!(of->state & of->wanted))
        return;
    measure_clear(step, body->first, body->count);
    for (uint32_t c = 0; c < clusters; ++c)
        (void)measure_cluster(step, body, c, true);
    double work = 0;
    for (uint32_t i = body->first; i < body->first + body->count; ++i) {
        double x[3], start[3], pull[3];
        if (world_position(w)[i].w > 0)
            continue;
        quad_load(&world_position(w)[i], x);
        quad_load(&world_start(w)[i], start);
        quad_load(&world_force(w)[i], pull);
        for (int k = 0; k < 3; ++k)
            work += pull[k] * (x[k] - start[k]);
    }
    of->allowed += work > 0 ? work : 0;
}
