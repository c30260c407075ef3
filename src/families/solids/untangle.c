/* untangle.c - when a body is taken for tangled, and how it finds back: see untangle.h.
 *
 * Sums are in double, in the order of the particles, by one thread for a body.
 */
#include "families/solids/untangle.h"

#include "base/rigid_fit.h"
#include "families/solids/tangle.h"
#include "world/family.h"

#include <math.h>
#include <string.h>

/* s: how often a body is looked at, different bodies in different steps; how fast it is led back.
 */
#define LOOK 0.1f
#define BACK 0.025f
/* At rest: no particle's velocity differs from the first one's by more, in spans of the rest shape
 * a second. A body that swings is as slow where it turns, but not for SURE looks. */
#define STILL 5e-3
#define SURE  3u  /* looks in a row */
#define SPANS 16u /* particles that the span is taken from */
/* Elsewhere, and back: root mean square distances from the rest shape, in sizes. A size is the root
 * mean square distance from the centre in the rest shape. */
#define ASTRAY 0.02
#define HOME   1e-3
/* Getting nearer: by such a share of the way since the last look, measured in the body's own time;
 * by such a share since it was nearest. */
#define CREEP  0.02
#define NEARER 0.01
/* What does not get nearer and has the same element strained at every step, is tangled even if it
 * trembles: after so many s, and so many times its own. */
#define PATIENCE 1.0
#define OWN      6.0
/* Or at every step some element, while it stays as far away but for this share: what swings does
 * not. */
#define ASFAR 0.05
/* A body spins when turning as a whole has more than this share of its kinetic energy. */
#define SPINS 0.1

static bool free_body(const struct step *step, const struct body *body)
{
    const piola_world *w = step->world;
    const uint32_t index = (uint32_t)(body - world_bodies(w));
    if (!(body->flags & BODY_ALIVE) || (body->flags & (BODY_STILL | BODY_TANGLES)))
        return false;
    const piola_asset_stats *has = &body_asset(w, body)->stats;
    const bool sheets = has->triangles + has->bends + has->links > 0;
    return has->tetrahedra + has->triangles > 0 && (!sheets || (body->flags & BODY_UNFOLDS)) &&
           body->plastic_count == 0 && momentum_free(step, body) && world_ties(w)[index] == 0 &&
           !body_touched(w, body) && !phase_loads(step, body);
}

static bool solid(const piola_asset *asset)
{
    const piola_asset_stats *has = &asset->stats;
    return has->triangles + has->bends + has->links == 0;
}

/* Mass and centre of a body's particles at x. */
static double centre_of(const float *mass, const struct pk_quad *x, uint32_t count,
                        double centre[3])
{
    double total = 0, sum[3] = {0, 0, 0};
    for (uint32_t i = 0; i < count; ++i) {
        const double m = (double)mass[i];
        total += m;
        sum[0] += m * (double)x[i].x;
        sum[1] += m * (double)x[i].y;
        sum[2] += m * (double)x[i].z;
    }
    for (int k = 0; k < 3; ++k)
        centre[k] = sum[k] / total;
    return total;
}

/* The rest shape beside the shape x: centres, sums of squares, and how they go together. */
struct pairing {
    double mass, from[3], to[3]; /* centres of the rest shape and of x */
    double rest, now;            /* m^2: mean squares of distances from the centres */
    double turn[3][3];           /* m^2: means of rest distance i times distance k */
};

static struct pairing pair_up(const struct step *step, const struct body *body,
                              const struct pk_quad *x)
{
    const piola_asset *asset = body_asset(step->world, body);
    const float *mass = asset_mass(asset);
    const struct pk_quad *rest = asset_rest(asset);
    struct pairing p = {0};
    p.mass = centre_of(mass, rest, body->count, p.from);
    (void)centre_of(mass, x, body->count, p.to);
    for (uint32_t n = 0; n < body->count; ++n) {
        const double share = (double)mass[n] / p.mass;
        const double a[3] = {(double)rest[n].x - p.from[0], (double)rest[n].y - p.from[1],
                             (double)rest[n].z - p.from[2]};
        const double b[3] = {(double)x[n].x - p.to[0], (double)x[n].y - p.to[1],
                             (double)x[n].z - p.to[2]};
        for (int i = 0; i < 3; ++i) {
            p.rest += share * a[i] * a[i];
            p.now += share * b[i] * b[i];
            for (int k = 0; k < 3; ++k)
                p.turn[i][k] += share * a[i] * b[k];
        }
    }
    return p;
}

/* Only what lives is watched, by an element of its own. */
bool watches_valid(const struct stored *stored, enum field field)
{
    (void)field;
    for (uint64_t i = 0; i < stored->dim[DIM_watches].used; ++i) {
        const struct body b = stored_bodies(stored, i);
        const struct watch watch = stored_watches(stored, i), none = {0};
        if (watch.looks == 0 && !same_bytes(&watch, &none, sizeof watch))
            return false;
        if (watch.looks == 0)
            continue;
        if (!(b.flags & BODY_ALIVE) || !(watch.nearest >= 0) || !(watch.last >= 0) ||
            watch.nearest - watch.nearest != 0 || watch.last - watch.last != 0 || watch.others > 1)
            return false;
        for (int k = 0; k < 4; ++k)
            if (watch.corner[k] >= body_asset(stored->world, &b)->stats.vertices)
                return false;
    }
    return true;
}

/* The rotation that brings the rest shape nearest to the other. Returns the mean square distance
 * that is left. */
static double best_rotation(const struct pairing *p, double r[3][3])
{
    double q[4];
    const double largest = rigid_fit(p->turn, q), x = q[0], y = q[1], z = q[2], w = q[3];
    const double turn[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                               {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(r, turn, sizeof turn);
    return p->rest + p->now - 2 * largest;
}

/* Where the particles of such a body go in this substep. */
static void untangle_pull(const struct step *step, const struct body *body)
{
    const piola_world *w = step->world;
    const struct pk_quad *start = world_start(w) + body->first;
    const struct pk_quad *rest = asset_rest(body_asset(w, body));
    const float *mass = asset_mass(body_asset(w, body));
    struct pk_quad *x = world_position(w) + body->first;
    const double share = (double)(step->dt / (step->dt + BACK));
    double centre[3], r[3][3];
    const struct pairing p = pair_up(step, body, start);
    (void)best_rotation(&p, r);
    (void)centre_of(mass, world_target(w) + body->first, body->count, centre);
    for (uint32_t i = 0; i < body->count; ++i) {
        const double a[3] = {(double)rest[i].x - p.from[0], (double)rest[i].y - p.from[1],
                             (double)rest[i].z - p.from[2]};
        const double b[3] = {(double)start[i].x - p.to[0], (double)start[i].y - p.to[1],
                             (double)start[i].z - p.to[2]};
        double to[3];
        for (int k = 0; k < 3; ++k)
            to[k] = centre[k] + (1 - share) * b[k] +
                    share * (r[k][0] * a[0] + r[k][1] * a[1] + r[k][2] * a[2]);
        if (!(mass[i] > 0))
            continue;
        x[i].x = (float)to[0];
        x[i].y = (float)to[1];
        x[i].z = (float)to[2];
    }
}

static double difference2(const struct pk_quad *a, const struct pk_quad *b)
{
    const double x = (double)a->x - (double)b->x, y = (double)a->y - (double)b->y;
    const double z = (double)a->z - (double)b->z;
    return x * x + y * y + z * z;
}

/* Ends at the first particle that moves: most bodies are told by a few. */
static bool still(const struct step *step, const struct body *body)
{
    const piola_asset *asset = body_asset(step->world, body);
    const struct pk_quad *v = world_velocity(step->world) + body->first, *rest = asset_rest(asset);
    const uint32_t vertices = asset->stats.vertices; /* the first particles */
    double span2 = 0;
    for (uint32_t k = 1; k <= SPANS; ++k) {
        const uint32_t other = (uint32_t)((uint64_t)k * (vertices - 1) / SPANS);
        const double d = difference2(&rest[other], &rest[0]);
        span2 = d > span2 ? d : span2;
    }
    for (uint32_t i = 1; i < vertices; ++i)
        if (!(difference2(&v[i], &v[0]) <= STILL * STILL * span2))
            return false;
    return true;
}

/* Sizes from the rest shape. */
static double distance(const struct step *step, const struct body *body, double *size)
{
    double r[3][3];
    const struct pairing p = pair_up(step, body, world_position(step->world) + body->first);
    const double left = best_rotation(&p, r);
    *size = sqrt(p.rest);
    return left > 0 ? sqrt(left / p.rest) : 0;
}

/* What turning as a whole has of the kinetic energy: at least the energy of turning about the axis
 * of the angular momentum, by Cauchy and Schwarz. */
static bool spins(const struct step *step, const struct body *body)
{
    const float *mass = asset_mass(body_asset(step->world, body));
    const struct pk_quad *x = world_position(step->world) + body->first;
    const struct pk_quad *v = world_velocity(step->world) + body->first;
    double at[3], drift[3], turn[3] = {0, 0, 0}, energy = 0, inertia = 0;
    (void)centre_of(mass, x, body->count, at);
    (void)centre_of(mass, v, body->count, drift);
    for (uint32_t i = 0; i < body->count; ++i) {
        const double m = (double)mass[i];
        const double r[3] = {(double)x[i].x - at[0], (double)x[i].y - at[1],
                             (double)x[i].z - at[2]};
        const double u[3] = {(double)v[i].x - drift[0], (double)v[i].y - drift[1],
                             (double)v[i].z - drift[2]};
        for (int k = 0; k < 3; ++k) {
            turn[k] += m * (r[(k + 1) % 3] * u[(k + 2) % 3] - r[(k + 2) % 3] * u[(k + 1) % 3]);
            energy += m * u[k] * u[k];
        }
    }
    const double square = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2];
    for (uint32_t i = 0; i < body->count; ++i) {
        const double r[3] = {(double)x[i].x - at[0], (double)x[i].y - at[1],
                             (double)x[i].z - at[2]};
        const double along = r[0] * turn[0] + r[1] * turn[1] + r[2] * turn[2];
        inertia +=
            (double)mass[i] * ((r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) * square - along * along);
    }
    return square * square > SPINS * energy * inertia;
}

/* A first look at a body that is not where it should be. Solids are watched by an element. */
static bool suspect(const struct step *step, const struct body *body, uint64_t turn,
                    struct watch *watch)
{
    if (!solid(body_asset(step->world, body)))
        return true;
    return tangle_find(step->world, body, turn, watch->corner);
}

/* Whether a free body is tangled, after a look from so many sizes away. */
static bool tangled(const struct step *step, const struct body *body, double period, double away,
                    double size, struct watch *watch)
{
    const piola_asset *asset = body_asset(step->world, body);
    const double own = solid(asset) ? tangle_own_time(asset, (double)body->damping, size) : 0;
    const double creep = own > 0 && CREEP * period / own < 1e-4 ? CREEP * period / own : 1e-4;
    const bool nearer = watch->looks > 0 && away < (1 - creep) * (double)watch->last;
    const bool swings = watch->others && away > (1 + ASFAR) * (double)watch->nearest;
    if (watch->looks == 0 || away < (1 - NEARER) * (double)watch->nearest || swings) {
        watch->nearest = (float)away;
        watch->looks = watch->others = 0;
    }
    ++watch->looks;
    watch->last = (float)away;
    watch->still = !nearer && still(step, body) ? watch->still + 1 : 0;
    if (watch->still >= SURE && watch->still * period >= own)
        return true;
    const double enough = OWN * own > PATIENCE ? OWN * own : PATIENCE;
    const double since = (watch->looks - 1) * period; /* the first look, or the nearest */
    return solid(asset) && since >= enough && !spins(step, body);
}

/* Steps from one look to the next. */
static uint32_t period_of(float dt)
{
    const float steps = LOOK / dt;
    return steps < 4 ? 4 : steps > 1e5f ? 100000 : (uint32_t)steps;
}

static void look(const struct step *step, const struct body *body, uint32_t period,
                 struct watch *watch, uint32_t *stage)
{
    double size;
    const double away = distance(step, body, &size);
    const uint64_t turn = world_clock(step->world)->step / period;
    if (*stage > 0)
        *stage = *stage < UNTANGLE_LAST && away > HOME ? *stage + 1 : 0;
    else if (!(away > ASTRAY) || (watch->looks == 0 && !suspect(step, body, turn, watch)))
        *watch = (struct watch){0};
    else if (tangled(step, body, (double)period * (double)step->world->desc.dt, away, size,
                     watch)) {
        *watch = (struct watch){0};
        *stage = 1;
    }
}

/* Something acts on the body from outside: what was seen of it no longer tells how it will rest. */
static void untangle_disturb(const piola_world *world, struct body *body)
{
    body->flags &= ~(uint32_t)UNTANGLE_FLAGS;
    world_watches(world)[body - world_bodies(world)] = (struct watch){0};
}

/* An element that is fine again makes way for another that is not. */
static void keep_watching(const piola_world *w, const struct body *body, struct watch *watch,
                          uint64_t turn)
{
    if (watch->looks == 0 || !solid(body_asset(w, body)) || tangle_lasts(w, body, watch->corner))
        return;
    if (tangle_find(w, body, turn, watch->corner))
        watch->others = 1;
    else
        *watch = (struct watch){0};
}

/* After a body's step: whether it is tangled, or, untangled, is back. Touches nothing of others. */
static void look_at(const struct step *step, uint32_t index)
{
    piola_world *w = step->world;
    const uint32_t period = period_of(w->desc.dt);
    struct body *body = &world_bodies(w)[index];
    struct watch *watch = &world_watches(w)[index];
    const bool due = (world_clock(w)->step + index) % period == 0;
    uint32_t stage = untangle_stage(body);
    if (stage == 0 && watch->looks == 0 && !due)
        return;
    const bool led = stage > 0;
    if (!free_body(step, body)) {
        stage = 0;
        *watch = (struct watch){0};
    } else {
        keep_watching(w, body, watch, world_clock(w)->step / period);
        if (due)
            look(step, body, period, watch, &stage);
    }
    if (led)
        body->history = 0; /* no guess and no second-order step from how it was pulled */
    body->flags = (body->flags & ~UNTANGLE_FLAGS) | stage << UNTANGLE_SHIFT;
}

/* After a step, when all were looked at: how many are watched. */
static void recount(const struct step *step)
{
    piola_world *w = step->world;
    uint64_t used = 0;
    for (uint32_t i = 0; i < w->desc.max_bodies; ++i)
        used = world_watches(w)[i].looks > 0 ? i + 1 : used;
    dimension_use(w, DIM_watches, used);
}

static void pull(struct step *step)
{
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        const struct body *body = step_body(step, domain_body(step, i));
        if (untangles(body))
            untangle_pull(step, body);
    }
}

static void set(piola_world *world, uint32_t index, const piola_body_desc *desc)
{
    struct body *body = &world_bodies(world)[index];
    if (desc)
        body->flags |= untangle_wish(desc->untangle);
    else
        untangle_disturb(world, body);
}

static void report(const piola_world *world, piola_report *report)
{
    report->untangling = 0;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i)
        report->untangling += untangles(&world_bodies(world)[i]);
}

const struct family family_solids = {
    .name = "solids",
    .at = {[PREDICT] = pull},
    .after_body = look_at,
    .after = recount,
    .report = report,
    .set = set,
    .disturb = untangle_disturb,
};
