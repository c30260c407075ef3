/* contact_forces.c - forces of contact as they changed the momenta, after each substep.
 *
 * What a solver knows of contact are guesses: what planes and pairs would press with where the
 * iterations ended. Unfinished iterations, the limits that move positions and repairs of momentum
 * give besides, and in an impact these are most of it. What a body got in all is known: the change
 * of its momentum less gravity and loads. So the guesses are brought to what changed the momenta
 * (contact_balance.c), the same to both sides. Bodies that something else holds by forces that are
 * not known (pins, guides, tools, joints) have no say; what their pins do is what remains.
 *
 * A step's forces are the mean of its substeps, so that forces times the step sum to the change of
 * momentum.
 */
#include "forces/contact_forces.h"

#include "families/attachments/attachments.h"
#include "families/collide/collide_faces.h"
#include "families/families.h"
#include "families/rigid/rigid.h"
#include "families/surface/surface.h"
#include "world/rest.h"

#include <math.h>
#include <string.h>

#define SMALL 1e-3F /* of what acts on a body, for contacts that have no guess */
#define NEAR  1e-5F /* m, is as near as the nearest */
#define SOME  1e-5  /* of momenta: less is rounding */

static bool felt_kept(const piola_world *w)
{
    return w->dim[DIM_contact_felt].capacity > 0;
}

static void forget(const piola_world *w, uint32_t body)
{
    memset(&world_contact_nodes(w)[body], 0, sizeof(struct contact_node));
    if (felt_kept(w))
        world_felt_bodies(w)[body] = 0;
}

/* Who sleeps is held as it was. */
static void forget_attachments(const piola_world *w)
{
    for (uint64_t i = 0; i < w->dim[DIM_attachments].used; ++i) {
        const struct attachment *a = &world_attachments(w)[i];
        if (!a->alive || !body_asleep(w, a->body[0] - 1) ||
            (a->count[1] && !body_asleep(w, a->body[1] - 1)))
            world_attachment_felt(w)[i] = (struct attachment_felt){{0, 0, 0}, 0};
    }
}

/* Who sleeps presses as it did, until it wakes. */
void contact_forces_begin(piola_world *w)
{
    for (uint32_t b = 0; b < w->desc.max_bodies && contact_forces_read(w); ++b) {
        world_contact_nodes(w)[b].looked = 0;
        world_contact_nodes(w)[b].slept = 1;
        if (!body_asleep(w, b))
            forget(w, b);
    }
    if (contact_forces_read(w))
        forget_attachments(w);
    world_surface_now(w)->edges = 0;
    memset(world_contact_edge_places(w), 0,
           w->dim[DIM_contact_edge_places].capacity * sizeof(uint32_t));
}

/* ---- momenta --------------------------------------------------------------------------------- */

static bool paired(const piola_world *w, uint32_t index)
{
    return surface_any(w) && world_paired(w)[index];
}

/* Before the velocities. */
void each_contact_before(const struct step *step, uint32_t argument, uint32_t index)
{
    const struct body *body = step_body(step, index);
    struct contact_node *node = &world_contact_nodes(step->world)[index];
    (void)argument;
    if (node->slept && !body_still(body))
        forget(step->world, index);
    node->looked = !body_still(body) && (body->pins > 0 || body_touched(step->world, body) ||
                                         paired(step->world, index) ||
                                         (world_ties(step->world)[index] & TIE(attachments)));
    node->free = 0;
    if (!node->looked)
        return;
    const struct sums sum = momentum_sum(step, body, body->first, body->count, MOMENTUM_BEFORE);
    node->mass = sum.value[0];
    memcpy(node->before, sum.value + 4, sizeof node->before);
}

/* True when all that acts on it is known, but for its pins: gravity, loads, attachments, contacts.
 */
static bool known(const struct step *step, const struct body *body, uint32_t index)
{
    const piola_world *w = step->world;
    const uint32_t ties = TIE(pressure) | TIE(attachments) | TIE(rods);
    /* What BDF2 makes of a wind that changes is not the momentum that the wind brings. */
    return !(body->flags & BODY_GUIDED) && (world_ties(w)[index] & ~ties) == 0 &&
           !(surface_any(w) && world_waits(w)[index]) &&
           (w->desc.integrator == PIOLA_INTEGRATOR_EULER || !wind_blows(w, body));
}

static double size_of(const double f[3])
{
    return sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
}

static double press_of(const float force[3])
{
    const double f[3] = {(double)force[0], (double)force[1], (double)force[2]};
    return size_of(f);
}

/* What a collider does to a body at a vertex or between three. */
struct press {
    uint32_t collider, particle[3];
    float weight[3], *force;
};
typedef void use_press(const struct step *step, uint32_t index, const struct press *press);

static void use_at(const struct step *step, uint32_t index, uint32_t particle, uint32_t collider,
                   float *force, use_press *use)
{
    const struct press press = {collider, {particle, particle, particle}, {1, 0, 0}, force};
    if (force[0] != 0 || force[1] != 0 || force[2] != 0)
        use(step, index, &press);
}

static void each_press(const struct step *step, uint32_t index, use_press *use)
{
    const piola_world *w = step->world;
    const struct body *body = step_body(step, index);
    if (!body_touched(w, body))
        return;
    for (uint32_t i = body->first; i < body->first + body->count; ++i) {
        struct collide_note *note = &world_notes(w)[i];
        for (uint32_t p = 0; p < world_touching(w)[i]; ++p)
            use_at(step, index, i, note->collider[p], world_touches(w)[i].plane[p].force, use);
        if (note->stopper > 0)
            use_at(step, index, i, note->stopper - 1, note->stopped, use);
    }
    for (uint32_t i = 0; i < faces_count(w, index); ++i) {
        struct face_contact *c = &faces_of(w, index)[i];
        const struct press press = {c->collider,
                                    {c->particle[0], c->particle[1], c->particle[2]},
                                    {c->weight[0], c->weight[1], c->weight[2]},
                                    c->plane.force};
        if (face_presses(c))
            use(step, index, &press);
    }
}

static void add_guess(const struct step *step, uint32_t index, const struct press *press)
{
    struct contact_node *node = &world_contact_nodes(step->world)[index];
    for (int k = 0; k < 3; ++k)
        node->lacks[k] -= (double)press->force[k];
    node->weight += press_of(press->force);
}

/* What the last check of positions took becomes a guess, N. */
static void weigh_stops(const struct step *step, const struct body *body)
{
    const piola_world *w = step->world;
    const float inertia = solve_parameters(step, body).inertia;
    if (!body_touched(w, body))
        return;
    for (uint32_t i = body->first; i < body->first + body->count; ++i)
        for (int k = 0; k < 3 && world_notes(w)[i].stopper > 0; ++k)
            world_notes(w)[i].stopped[k] *= inertia / world_position(w)[i].w;
}

static float gap_of(const piola_world *w, uint32_t particle, const struct pk_plane *plane)
{
    const struct pk_quad *x = &world_position(w)[particle];
    return plane->normal[0] * x->x + plane->normal[1] * x->y + plane->normal[2] * x->z -
           plane->offset;
}

/* No plane pressed in the end, but some may have on the way there: those whose particles are
 * nearest to them get a small guess. */
static void guess_nearest(const struct step *step, uint32_t index)
{
    const piola_world *w = step->world;
    const struct body *body = step_body(step, index);
    const uint32_t end = body_touched(w, body) ? body->first + body->count : body->first;
    const float size = SMALL * (float)size_of(world_contact_nodes(w)[index].acts);
    float least = INFINITY;
    for (uint32_t i = body->first; i < end; ++i)
        for (uint32_t p = 0; p < world_touching(w)[i]; ++p) {
            const float gap = gap_of(w, i, &world_touches(w)[i].plane[p]);
            least = gap < least ? gap : least;
        }
    for (uint32_t i = body->first; i < end; ++i)
        for (uint32_t p = 0; p < world_touching(w)[i]; ++p) {
            struct pk_plane *plane = &world_touches(w)[i].plane[p];
            const bool near = !(gap_of(w, i, plane) > least + NEAR);
            for (int k = 0; k < 3 && near; ++k)
                plane->force[k] = size * plane->normal[k];
        }
}

/* With the velocities as they stay. */
void each_contact_after(const struct step *step, uint32_t argument, uint32_t index)
{
    const struct body *body = step_body(step, index);
    struct contact_node *node = &world_contact_nodes(step->world)[index];
    (void)argument;
    node->weight = node->speed = 0;
    if (!node->looked || body_still(body)) { /* or it has lost its numbers */
        node->looked = 0;
        return;
    }
    const struct pk_motion motion = phase_motion(step, body, false);
    const struct sums sum = momentum_sum(step, body, body->first, body->count, MOMENTUM_AFTER);
    const double dt = (double)motion.dt;
    for (int k = 0; k < 3; ++k) {
        const double after = sum.value[4 + k] / (double)motion.keep;
        node->acts[k] =
            (after - node->before[k]) / dt - node->mass * (double)motion.acceleration[k];
        node->lacks[k] = node->acts[k];
        node->given[k] = node->way[k] = 0;
        node->speed += dt * fabs((double)motion.acceleration[k]);
    }
    const bool all = known(step, body, index),
               unread = !felt_kept(step->world) &&
                        (body_touched(step->world, body) || paired(step->world, index));
    node->free = all && body->pins == 0 && !unread;
    node->pinned = all && body->pins > 0 && !unread;
    if (!felt_kept(step->world))
        return;
    weigh_stops(step, body);
    each_press(step, index, add_guess);
    node->nearest = !(node->weight > 0);
    if (node->nearest && node->free) {
        guess_nearest(step, index);
        each_press(step, index, add_guess);
    }
}

/* ---- what is felt ---------------------------------------------------------------------------- */

static struct contact_felt *felt_of(const struct step *step, uint32_t index, uint32_t particle)
{
    const piola_world *w = step->world;
    const struct body *body = step_body(step, index);
    if (!world_felt_bodies(w)[index])
        memset(world_contact_felt(w) + body->first, 0, body->count * sizeof(struct contact_felt));
    world_felt_bodies(w)[index] = 1;
    return &world_contact_felt(w)[particle];
}

/* The place for a collider; who meets a third one in a step counts it as the first. */
static float *place_of(struct contact_felt *felt, uint32_t collider)
{
    for (uint32_t p = 0; p < PK_TOUCHES; ++p)
        if (felt->collider[p] == 0 || felt->collider[p] == collider + 1) {
            felt->collider[p] = collider + 1;
            return felt->collider_force[p];
        }
    return felt->collider_force[0];
}

static const struct contact_node *node_of_solid(const piola_world *w, uint32_t collider)
{
    static const struct contact_node ground;
    return rigid_is(w, collider) ? &world_contact_nodes(w)[contact_solid(w, collider)] : &ground;
}

static void take_press(const struct step *step, uint32_t index, const struct press *press)
{
    const piola_world *w = step->world;
    struct contact_node *node = &world_contact_nodes(w)[index];
    const struct contact_node *other = node_of_solid(w, press->collider);
    const double size = press_of(press->force), share = 1 / (double)w->desc.substeps;
    for (int k = 0; k < 3; ++k) {
        press->force[k] += (float)(size * (node->way[k] - other->way[k]));
        node->given[k] += (double)press->force[k];
    }
    for (int c = 0; c < 3; ++c) {
        if (press->weight[c] == 0)
            continue;
        float *force = place_of(felt_of(step, index, press->particle[c]), press->collider);
        for (int k = 0; k < 3; ++k)
            force[k] += (float)(share * (double)(press->weight[c] * press->force[k]));
    }
}

/* What is left for its pins. */
static void take_pins(const struct step *step, uint32_t index)
{
    struct contact_node *node = &world_contact_nodes(step->world)[index];
    for (int k = 0; k < 3; ++k)
        node->pins[k] += (node->acts[k] - node->given[k]) / (double)step->world->desc.substeps;
}

/* Nothing has pressed after all. */
static void drop(const struct step *step, uint32_t index, const struct press *press)
{
    (void)step;
    (void)index;
    memset(press->force, 0, 3 * sizeof *press->force);
}

static bool rounding(const struct contact_node *node, double dt)
{
    const double all = size_of(node->before) + node->mass * node->speed;
    return dt * node->weight * size_of(node->way) < SOME * all;
}

static void take(const struct step *step, uint32_t index)
{
    const struct contact_node *node = &world_contact_nodes(step->world)[index];
    if (!node->looked)
        return;
    if (node->nearest && rounding(node, (double)step->dt))
        each_press(step, index, drop);
    else if (felt_kept(step->world))
        each_press(step, index, take_press);
    take_pins(step, index);
}

void contact_forces_alone(const struct step *step)
{
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        const uint32_t index = domain_body(step, i);
        struct contact_node *node = &world_contact_nodes(step->world)[index];
        for (int k = 0; k < 3 && node->looked; ++k)
            node->way[k] = node->free && node->weight > 0 ? node->lacks[k] / node->weight : 0;
        take(step, index);
    }
}

/* ---- bodies that touch each other ------------------------------------------------------------ */

/* What a lane's pair does to its first side, N, by the guess. */
static void guess_of(const struct step *step, uint32_t pack, uint32_t lane, double force[3])
{
    const piola_world *w = step->world;
    const struct pk_pair_push *push = &world_pushes(w)[pack];
    const bool descends = world_descends(&w->desc);
    const uint32_t owner = world_owner(w)[world_pair_packs(w)[pack].particle[0][lane]];
    const bool acts = descends && pack < world_surface_now(w)->grip_packs &&
                      (world_acting(w)[pack] >> lane & 1) != 0;
    const double inertia = (double)solve_parameters(step, &world_bodies(w)[owner]).inertia;
    for (int k = 0; k < 3; ++k) {
        force[k] = acts ? (double)push->push[lane] * (double)push->normal[k][lane] -
                              (double)push->drag[lane] * (double)push->slide[k][lane]
                   : descends ? 0
                              : inertia * (double)push->hold[k][lane];
    }
}

/* A pair that acted in the substep. */
struct lane {
    uint32_t pack, lane, one, two; /* whose its sides are */
    struct contact_edge *edge;     /* null within a body, or without room */
};

static void each_lane(const struct step *step,
                      void (*use)(const struct step *step, const struct lane *lane))
{
    const piola_world *w = step->world;
    for (uint32_t p = 0; p < world_surface_now(w)->pair_pack_end; ++p)
        for (uint32_t left = world_acted(w)[p]; left != 0; left &= left - 1) {
            struct lane at = {.pack = p, .lane = (uint32_t)__builtin_ctz(left)};
            at.one = world_owner(w)[world_pair_packs(w)[p].particle[0][at.lane]];
            at.two = world_owner(w)[world_pair_packs(w)[p].particle[3][at.lane]];
            at.edge = at.one == at.two ? NULL : contact_edge(step->world, at.one, at.two);
            use(step, &at);
        }
}

/* Leaves the guess in the pair's `hold`. */
static void add_lane(const struct step *step, const struct lane *at)
{
    const piola_world *w = step->world;
    struct contact_node *one = &world_contact_nodes(w)[at->one],
                        *two = &world_contact_nodes(w)[at->two];
    double force[3];
    guess_of(step, at->pack, at->lane, force);
    for (int k = 0; k < 3; ++k) {
        world_pushes(w)[at->pack].hold[k][at->lane] = (float)force[k];
        one->lacks[k] -= at->edge ? force[k] : 0;
        two->lacks[k] += at->edge ? force[k] : 0;
    }
    if (!at->edge)
        return;
    at->edge->weight += size_of(force);
    at->edge->meets = 1;
    ++at->edge->lanes;
}

static void close_edges(const piola_world *w)
{
    struct contact_node *nodes = world_contact_nodes(w);
    for (uint32_t e = 0; e < world_surface_now(w)->edges; ++e) {
        struct contact_edge *edge = &world_contact_edges(w)[e];
        struct contact_node *one = &nodes[edge->one], *two = &nodes[edge->two];
        edge->bare = !(edge->weight > 0);
        if (edge->bare && edge->lanes > 0)
            edge->weight = (double)SMALL * (size_of(one->lacks) + size_of(two->lacks));
        one->weight += edge->weight;
        two->weight += edge->weight;
    }
}

/* By where the sides are nearest now: the limit has written over what the pair knew of that. */
static void feel_pair(const struct step *step, const struct lane *at, const double force[3])
{
    const piola_world *w = step->world;
    const struct pair pair = surface_pair(w, at->pack, at->lane, surface_range(w, at->pack)->kind);
    const double share = 1 / (double)w->desc.substeps;
    double weight[4], between[3];
    (void)surface_near(&pair, world_position(w), weight, between);
    for (int slot = 0; slot < 4; ++slot) {
        const uint32_t particle = pair.particle[slot];
        struct contact_felt *felt = felt_of(step, world_owner(w)[particle], particle);
        for (int k = 0; k < 3; ++k)
            felt->surfaces[k] += (float)(share * weight[slot] * force[k]);
    }
}

static void take_lane(const struct step *step, const struct lane *at)
{
    const piola_world *w = step->world;
    struct contact_node *one = &world_contact_nodes(w)[at->one],
                        *two = &world_contact_nodes(w)[at->two];
    struct pk_pair_push *push = &world_pushes(w)[at->pack];
    double force[3], share = 1 / (double)w->desc.substeps;
    for (int k = 0; k < 3; ++k)
        force[k] = (double)push->hold[k][at->lane];
    const double size = !at->edge        ? 0
                        : at->edge->bare ? at->edge->weight / (double)at->edge->lanes
                                         : size_of(force);
    for (int k = 0; k < 3; ++k) {
        force[k] += size * (one->way[k] - two->way[k]);
        push->hold[k][at->lane] = (float)force[k];
        one->given[k] += force[k];
        two->given[k] -= force[k];
        if (at->edge)
            at->edge->force[k] += (at->edge->one == at->one ? share : -share) * force[k];
    }
    feel_pair(step, at, force);
}

/* What bodies do to a rigid body: the other side of their guesses. */
static void add_solid(const struct step *step, uint32_t index, const struct press *press)
{
    const piola_world *w = step->world;
    if (!rigid_is(w, press->collider))
        return;
    const uint32_t number = contact_solid(w, press->collider);
    struct contact_node *solid = &world_contact_nodes(w)[number];
    struct contact_edge *edge = contact_edge(step->world, index, number);
    for (int k = 0; k < 3; ++k)
        solid->lacks[k] += (double)press->force[k];
    solid->weight += press_of(press->force);
    if (!edge)
        return;
    edge->weight += press_of(press->force);
    edge->meets = 1;
}

/* What acted on a rigid body beside gravity and what stopped it at other colliders. */
static void look_at_solids(const struct step *step)
{
    const piola_world *w = step->world;
    for (uint32_t i = 0; i < rigid_end(w); ++i) {
        struct contact_node *node = &world_contact_nodes(w)[contact_solid(w, i)];
        const struct rigid_now *now = &world_rigid_now(w)[i];
        memset(node, 0, sizeof *node);
        if (!rigid_is(w, i) || now->held || now->coupled || rigid_tied_of(w, i))
            continue;
        node->free = 1;
        for (int k = 0; k < 3; ++k) {
            node->acts[k] =
                world_rigids(w)[i].mass * (now->velocity[k] - now->aim[k]) / (double)step->dt;
            for (uint32_t p = 0; p < now->points; ++p)
                node->acts[k] -= now->point[p].impulse[k] / (double)step->dt;
            node->lacks[k] = node->acts[k];
            node->free = node->free && node->acts[k] - node->acts[k] == 0;
        }
    }
}

/* What the solver knows of attachments are guesses too: rigid ones are so stiff that single
 * precision of positions is newtons. Of a body that sleeps nothing is new. */
static bool attachment_acts(const piola_world *w, const struct attachment *a)
{
    const struct contact_node *nodes = world_contact_nodes(w);
    return a->alive &&
           (nodes[a->body[0] - 1].looked || (a->count[1] > 0 && nodes[a->body[1] - 1].looked));
}

static void add_attachments(const struct step *step)
{
    piola_world *w = step->world;
    struct contact_node *nodes = world_contact_nodes(w);
    for (uint64_t i = 0; i < w->dim[DIM_attachments].used; ++i) {
        const struct attachment *a = &world_attachments(w)[i];
        if (!attachment_acts(w, a))
            continue;
        struct contact_node *one = &nodes[a->body[0] - 1];
        const bool tied = a->count[1] > 0;
        struct contact_node *two = tied ? &nodes[a->body[1] - 1] : one;
        struct contact_edge *edge =
            one != two ? contact_edge(w, a->body[0] - 1, a->body[1] - 1) : NULL;
        for (int k = 0; k < 3; ++k) {
            one->lacks[k] += (double)a->force[k];
            if (tied)
                two->lacks[k] -= (double)a->force[k];
        }
        if (edge)
            edge->weight += press_of(a->force);
        else if (!tied)
            one->weight += press_of(a->force);
    }
}

static void take_attachments(const struct step *step)
{
    const piola_world *w = step->world;
    struct contact_node *nodes = world_contact_nodes(w);
    const double share = 1 / (double)w->desc.substeps;
    for (uint64_t i = 0; i < w->dim[DIM_attachments].used; ++i) {
        const struct attachment *a = &world_attachments(w)[i];
        struct attachment_felt *felt = &world_attachment_felt(w)[i];
        if (!attachment_acts(w, a))
            continue;
        struct contact_node *one = &nodes[a->body[0] - 1];
        const bool tied = a->count[1] > 0;
        struct contact_node *two = tied ? &nodes[a->body[1] - 1] : one;
        felt->known = 1;
        for (int k = 0; k < 3; ++k) {
            const double change = one->way[k] - (tied ? two->way[k] : 0);
            const double force = (double)a->force[k] - press_of(a->force) * change;
            one->given[k] -= force;
            if (tied)
                two->given[k] += force;
            felt->force[k] += (float)(share * force);
        }
    }
}

void contact_forces_shared(const struct step *step)
{
    const piola_world *w = step->world;
    const bool surfaces = felt_kept(w) && surface_any(w);
    look_at_solids(step);
    for (uint32_t e = 0; e < world_surface_now(w)->edges; ++e)
        world_contact_edges(w)[e].lanes = 0, world_contact_edges(w)[e].weight = 0;
    add_attachments(step);
    if (surfaces)
        each_lane(step, add_lane);
    close_edges(w);
    for (uint32_t i = 0; i < w->shared_count && felt_kept(w) && rigid_any(w); ++i)
        if (world_contact_nodes(w)[world_shared(w)[i]].looked)
            each_press(step, world_shared(w)[i], add_solid);
    contact_balance(w);
    if (surfaces)
        each_lane(step, take_lane);
    take_attachments(step);
    for (uint32_t i = 0; i < w->shared_count; ++i)
        take(step, world_shared(w)[i]);
}
