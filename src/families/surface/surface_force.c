/* surface_force.c - what a pair of surfaces nearer than the thickness does.
 *
 * Descent: the potential E(d) of a pair is quadratic from the thickness r down to r / 2 and
 * logarithmic below (Chen et al., Offset Geometric Contact, 2025), with the logarithm's end where
 * the limit stops a pair: so the limit seldom must. All particles move at once between two
 * refreshes, so each gets a Hessian block that bounds the pair's from above: with weights a, a a^T
 * <= diag(|a_i| sum |a_j|), and the sum is 2. What is laid down for all then descends for all.
 * Friction is Coulomb's, of a spring that slips (surface_grip.c), bounded from above in the same
 * way. Sides that a guess has through each other are pushed back to where they came from. Forces of
 * pairs are found 16 at a time (ispc/surface/surface_pairs.ispc); then each bucket of particles
 * adds up its own, in the order of pairs.
 *
 * Projections: the pair is pushed to the thickness, the sliding of this substep is taken back up to
 * the friction times that push. One after the other, on the calling thread.
 */
#include "families/surface/surface.h"

#include "motion/external.h"
#include "motion/stage.h"

#include <math.h>

/* Runs of packs: which lanes are nearer than the thickness, and their forces. */
static void push(const struct step *step, uint32_t run)
{
    const piola_world *w = step->world;
    const uint32_t end = (run + 1) * SURFACE_RUN < world_surface_now(w)->pair_pack_end
                             ? (run + 1) * SURFACE_RUN
                             : world_surface_now(w)->pair_pack_end;
    const bool descends = world_descends(&w->desc);
    struct pk_contact told = surface_params(step);
    /* Projections move pairs while they are gone through. */
    told.thickness *= descends ? 1.0f : 1.25f;
    for (uint32_t p = run * SURFACE_RUN; p < end; ++p) {
        const struct pair_range *range = surface_range(w, p);
        const uint32_t acting = step->kernels->surface_push(&told, &world_pair_packs(w)[p],
                                                            range->kind, &world_pushes(w)[p]) &
                                surface_lanes(range, p);
        world_acting(w)[p] = acting;
        if (descends)
            world_acted(w)[p] |= acting;
    }
}

/* What a pair does, out of the rows of its pack. */
struct act {
    float normal[3], slide[3]; /* unit, m */
    float push, slope, drag;   /* N, N/m, N/m */
};

static struct act act_of(const struct pk_pair_push *push, uint32_t lane)
{
    struct act act = {
        .push = push->push[lane], .slope = push->slope[lane], .drag = push->drag[lane]};
    for (int k = 0; k < 3; ++k) {
        act.normal[k] = push->normal[k][lane];
        act.slide[k] = push->slide[k][lane];
    }
    return act;
}

/* Adds gradient g and block k n n^T + t (I - n n^T), taken at the particle's place, to what its
 * body is told about it, which counts from its target. `h` is the first of its three quads, `count`
 * apart. */
static void lay(const piola_world *w, uint32_t particle, const struct act *act, float weight,
                struct pk_quad *h, size_t count)
{
    const struct pk_quad *x = &world_position(w)[particle], *y = &world_target(w)[particle];
    const float away[3] = {y->x - x->x, y->y - x->y, y->z - x->z};
    const float *n = act->normal;
    const float share = 2 * (weight < 0 ? -weight : weight);
    const float k = share * act->slope, t = share * act->drag, kt = k - t;
    const float along = kt * (n[0] * away[0] + n[1] * away[1] + n[2] * away[2]);
    const float back = along - weight * act->push, drag = weight * act->drag;
    struct pk_quad *on = h + count, *off = on + count;
    h->x += drag * act->slide[0] + t * away[0] + back * n[0];
    h->y += drag * act->slide[1] + t * away[1] + back * n[1];
    h->z += drag * act->slide[2] + t * away[2] + back * n[2];
    on->x += t + kt * n[0] * n[0];
    on->y += t + kt * n[1] * n[1];
    on->z += t + kt * n[2] * n[2];
    off->x += kt * n[1] * n[2];
    off->y += kt * n[0] * n[2];
    off->z += kt * n[0] * n[1];
}

/* What lanes of a pack do to particles of a bucket. Neighbours mostly have one owner: what it is
 * told is looked for when the owner changes. */
struct bucket {
    uint32_t number, owner;
    const struct body *body;
    struct pk_quad *external;
};

static void lay_lane(const piola_world *w, uint32_t p, uint32_t lane, struct bucket *bucket)
{
    const struct pk_pair_pack *pack = &world_pair_packs(w)[p];
    const struct pk_pair_push *push = &world_pushes(w)[p];
    bool any = false;
    for (uint32_t k = 0; k < 4; ++k)
        any = any || pack->particle[k][lane] / SURFACE_BUCKET == bucket->number;
    if (!any)
        return;
    const struct act act = act_of(push, lane);
    for (uint32_t k = 0; k < 4; ++k) {
        const uint32_t particle = pack->particle[k][lane];
        const float weight = push->weight[k][lane];
        if (particle / SURFACE_BUCKET != bucket->number || !(weight > 0 || weight < 0))
            continue;
        if (world_owner(w)[particle] != bucket->owner) {
            bucket->owner = world_owner(w)[particle];
            bucket->body = &world_bodies(w)[bucket->owner];
            bucket->external = external_of(w, bucket->body);
        }
        if (bucket->external)
            lay(w, particle, &act, weight, bucket->external + (particle - bucket->body->first),
                bucket->body->count);
    }
}

static void lay_bucket(const piola_world *w, uint32_t number)
{
    const uint32_t *first = world_bucket_first(w);
    struct bucket bucket = {.number = number, .owner = NO_BODY};
    for (uint32_t i = first[number]; i < first[number + 1]; ++i) {
        const uint32_t p = world_bucket_items(w)[i];
        for (uint32_t left = world_acting(w)[p]; left != 0; left &= left - 1)
            lay_lane(w, p, (uint32_t)__builtin_ctz(left), &bucket);
    }
}

void each_surface_push(const struct step *step, uint32_t argument, uint32_t run)
{
    (void)argument;
    push(step, run);
}

void each_surface_lay(const struct step *step, uint32_t argument, uint32_t bucket)
{
    (void)argument;
    lay_bucket(step->world, bucket);
}

/* A pack's buckets, each once. Neighbours mostly share one. */
static uint32_t buckets_of(const struct pk_pair_pack *pack, uint32_t bucket[4 * PK_LANES])
{
    uint32_t n = 0, last = UINT32_MAX;
    for (uint32_t k = 0; k < 4; ++k)
        for (uint32_t lane = 0; lane < PK_LANES; ++lane) {
            const uint32_t b = pack->particle[k][lane] / SURFACE_BUCKET;
            bool known = b == last;
            for (uint32_t i = 0; i < n && !known; ++i)
                known = bucket[i] == b;
            if (!known)
                bucket[n++] = b;
            last = b;
        }
    return n;
}

void surface_sort(piola_world *w)
{
    const uint32_t buckets =
        (uint32_t)((w->dim[DIM_particles].used + SURFACE_BUCKET - 1) / SURFACE_BUCKET);
    uint32_t *first = world_bucket_first(w), *items = world_bucket_items(w), of[4 * PK_LANES];
    for (uint32_t b = 0; b <= buckets; ++b)
        first[b] = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t p = 0; p < world_surface_now(w)->pair_pack_end; ++p) {
            const uint32_t n = buckets_of(&world_pair_packs(w)[p], of);
            for (uint32_t k = 0; k < n; ++k)
                if (pass == 0)
                    ++first[of[k]];
                else
                    items[first[of[k]]++] = p;
        }
        /* Counts become beginnings; filling made each the next one's. */
        for (uint32_t b = 0, sum = 0; b <= buckets && pass == 0; ++b) {
            const uint32_t here = first[b];
            first[b] = sum;
            sum += here;
        }
    }
    for (uint32_t b = buckets; b > 0; --b)
        first[b] = first[b - 1];
    first[0] = 0;
    dimension_use(w, DIM_buckets, buckets);
}

void surface_refresh(const struct step *step)
{
    if (world_surface_now(step->world)->pair_pack_end == 0)
        return;
    run_stage(step, STAGE_SURFACE_PUSH, 0);
    run_stage(step, STAGE_SURFACE_LAY, 0);
}

static void move(const piola_world *w, const struct pair *pair, const double weight[4],
                 const double way[3])
{
    for (int i = 0; i < 4; ++i) {
        struct pk_quad *x = &world_position(w)[pair->particle[i]];
        const double share = (double)x->w * weight[i];
        x->x += (float)(share * way[0]);
        x->y += (float)(share * way[1]);
        x->z += (float)(share * way[2]);
    }
}

/* The way of a pair's first side, less the second's, since the substep began. */
static void gone_by(const piola_world *w, const struct pair *pair, const double weight[4],
                    double gone[3])
{
    gone[0] = gone[1] = gone[2] = 0;
    for (int i = 0; i < 4; ++i) {
        const struct pk_quad *x = &world_position(w)[pair->particle[i]];
        const struct pk_quad *s = &world_start(w)[pair->particle[i]];
        gone[0] += weight[i] * ((double)x->x - (double)s->x);
        gone[1] += weight[i] * ((double)x->y - (double)s->y);
        gone[2] += weight[i] * ((double)x->z - (double)s->z);
    }
}

/* Its part along the surfaces. */
static double slide_of(const piola_world *w, const struct pair *pair, const double weight[4],
                       const double normal[3], double slide[3])
{
    double along = 0, square = 0;
    gone_by(w, pair, weight, slide);
    for (int k = 0; k < 3; ++k)
        along += slide[k] * normal[k];
    for (int k = 0; k < 3; ++k) {
        slide[k] -= along * normal[k];
        square += slide[k] * slide[k];
    }
    return sqrt(square);
}

/* The ways from a pair's first particle to the others, on a part of their ways so far. */
static void spread_at(const piola_world *w, const struct pair *pair, double part, double at[4][3])
{
    for (int i = 0; i < 4; ++i) {
        const struct pk_quad *x = &world_position(w)[pair->particle[i]];
        const struct pk_quad *s = &world_start(w)[pair->particle[i]];
        at[i][0] = (double)s->x + part * ((double)x->x - (double)s->x);
        at[i][1] = (double)s->y + part * ((double)x->y - (double)s->y);
        at[i][2] = (double)s->z + part * ((double)x->z - (double)s->z);
    }
    for (int i = 3; i >= 0; --i)
        for (int k = 0; k < 3; ++k)
            at[i][k] -= at[0][k];
}

/* On which side of each other the two are then. */
static bool above(const piola_world *w, const struct pair *pair, double part)
{
    double at[4][3];
    spread_at(w, pair, part, at);
    const double *b = at[1], *c = at[2], *d = at[3];
    return b[0] * (c[1] * d[2] - c[2] * d[1]) + b[1] * (c[2] * d[0] - c[0] * d[2]) +
               b[2] * (c[0] * d[1] - c[1] * d[0]) >
           0;
}

/* As in surface_pairs.ispc: what slides around an edge comes into one plane with it too. */
static bool meets_on_way(const piola_world *w, const struct pair *pair)
{
    const bool begin = above(w, pair, 0);
    double low = 0, high = 1, at[4][3], weight[4], between[3];
    if (above(w, pair, 1) == begin)
        return false;
    for (int i = 0; i < 12; ++i) {
        const double middle = 0.5 * (low + high);
        *(above(w, pair, middle) == begin ? &low : &high) = middle;
    }
    spread_at(w, pair, low, at);
    const double distance = pair->kind == PAIR_VERTEX_FACE
                                ? near_point_triangle((const double(*)[3])at, weight, between)
                                : near_segments((const double(*)[3])at, weight, between);
    return distance < 0.1 * (double)w->desc.contact_thickness;
}

/* True when sides went through each other on their way here, as in surface_push: then `between`,
 * which is not 0, leads back to where the first side came from. Pushed on instead, to the wrong
 * side, the last limit would hold the pair where it was, and with it whatever stands on it. */
static bool points_back(const piola_world *w, const struct pair *pair, const double weight[4],
                        double distance, double between[3])
{
    double gone[3], along = 0;
    bool inside = true;
    for (int i = 0; i < 4; ++i)
        inside = inside && fabs(weight[i]) > 1e-3;
    if (!inside)
        return false;
    gone_by(w, pair, weight, gone);
    for (int k = 0; k < 3; ++k)
        along += gone[k] * between[k];
    if (!(along > distance * distance) || !meets_on_way(w, pair))
        return false;
    for (int k = 0; k < 3; ++k)
        between[k] = -between[k];
    return true;
}

/* What of a pair's sliding is taken back when it was pushed apart by `deep`. */
static double held_share(const piola_world *w, uint32_t pack, uint32_t lane, double slid,
                         double deep)
{
    const float common = w->desc.contact_friction;
    const struct pk_pair_push *push = &world_pushes(w)[pack];
    const bool mixed = w->dim[DIM_body_frictions].used > 0;
    const double holds = (double)(mixed ? push->friction[0][lane] : common);
    const double slips = (double)(mixed ? push->friction[1][lane] : common);
    return slid > holds * deep ? slips * deep / slid : 1;
}

/* Of how deep a pair is: no particle is pushed farther. */
#define FARTHEST 10

/* True when they pushed. */
static bool project_pair(const struct step *step, uint32_t pack, uint32_t lane)
{
    const piola_world *w = step->world;
    const struct pair of = surface_pair(w, pack, lane, surface_range(w, pack)->kind);
    const struct pair *pair = &of;
    double weight[4], normal[3], slide[3], way[3], back[3], give = 0, lever = 0;
    struct pk_pair_push *push = &world_pushes(w)[pack];
    const double distance = surface_near(pair, world_position(w), weight, normal);
    if (!(distance > 0))
        return false;
    const bool through = points_back(w, pair, weight, distance, normal);
    const double deep = (double)w->desc.contact_thickness + (through ? distance : -distance);
    if (!(deep > 0))
        return false;
    for (int i = 0; i < 4; ++i) {
        const double one = fabs(weight[i]) * (double)world_position(w)[pair->particle[i]].w;
        give += fabs(weight[i]) * one;
        lever = one > lever ? one : lever;
    }
    if (!(give > 0))
        return false;
    /* Pins press on next to a free vertex: it would have to fly to give way alone. */
    if (lever > FARTHEST * give)
        give = lever / FARTHEST;
    for (int k = 0; k < 3; ++k) {
        normal[k] /= distance;
        way[k] = deep / give * normal[k];
    }
    move(w, pair, weight, way);
    const double slid = slide_of(w, pair, weight, normal, slide);
    const double share = held_share(w, pack, lane, slid, deep);
    for (int k = 0; k < 3; ++k)
        back[k] = -share / give * slide[k];
    move(w, pair, weight, back);
    for (int k = 0; k < 3; ++k)
        push->hold[k][lane] += (float)(way[k] + back[k]);
    return true;
}

void surface_project(const struct step *step)
{
    const piola_world *w = step->world;
    run_stage(step, STAGE_SURFACE_PUSH, 0);
    for (uint32_t p = 0; p < world_surface_now(w)->pair_pack_end; ++p)
        for (uint32_t left = world_acting(w)[p]; left != 0; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(left);
            if (project_pair(step, p, lane))
                world_acted(w)[p] |= 1u << lane;
        }
}
