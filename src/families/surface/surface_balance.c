/* surface_balance.c - bodies that press each other are balanced together.
 *
 * Sweeps take one body after another, and what a pair pushes is known anew only in the next
 * iteration: a load goes down a tower by a body an iteration, and what is under way is force that
 * nobody exerts. So after the iterations all bodies that press each other, and on colliders, are
 * moved as wholes, six numbers a body, to where these numbers of the objective's gradient are
 * nothing: a few steps of Newton, each one linear system (surface_balance_solve.c) and then the
 * share of the motion that does not lead uphill, an island each. A motion as a whole costs no
 * elastic energy, so stiff bodies, of which sweeps see nothing but elements, come as far with that
 * as soft ones. Only islands are balanced all of whose bodies are free and stiff: of what bends
 * within a substep a part alone would go.
 */
#include "families/surface/surface_balance.h"

#include "base/spatial6.h"
#include "families/surface/surface.h"
#include "motion/stage.h"

#include <math.h>

/* Of the slope, what may be left uphill. */
#define STEEP 0.3
/* Times that a wave crosses a body in a substep, from which on it moves as a whole; vertices that
 * tell. */
#define CROSSED 5
#define SAMPLES 16u
/* Of the energy of free flight, what a motion may leave: as in collide_momentum.c. */
#define CONTRACTS 2
/* Of the thickness: what would go less is balanced. */
#define SMALL 1e-2

/* True when a wave crosses the body so often in a substep that it moves as a whole: its vertices'
 * own frequency, of some of them, over how many there are across. */
static bool stiff(const struct step *step, const struct body *body)
{
    const piola_asset *asset = body_asset(step->world, body);
    double stiffness = 0, mass = 0, across = 1;
    if (asset->at.coarse_heads.count == 0 || asset->at.tet_packs.count == 0)
        return false;
    for (uint32_t k = 0; k < SAMPLES; ++k) {
        const uint32_t i = (uint32_t)((uint64_t)body->count * k / SAMPLES);
        stiffness += (double)asset_coarse_stiffness(asset)[i];
        mass += (double)asset_mass(asset)[i];
    }
    while (across * across * across < (double)body->count)
        ++across;
    const double often = CROSSED * across / (double)step->dt;
    return stiffness > often * often * mass;
}

static bool takes_part(const struct step *step, uint32_t index)
{
    const piola_world *w = step->world;
    const struct body *body = &world_bodies(w)[index];
    return world_paired(w)[index] && body->pins == 0 && !world_waits(w)[index] &&
           !(body->flags & (BODY_STILL | BODY_GUIDED)) && world_ties(w)[index] == 0 &&
           stiff(step, body);
}

/* True when there is somebody to be balanced. */
static bool begin(const struct step *step)
{
    const piola_world *w = step->world;
    bool any = false;
    memset(world_balance_bodies(w), 0, w->desc.max_bodies * sizeof(struct balance_body));
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        const uint32_t index = domain_body(step, i);
        struct balance_body *own = &world_balance_bodies(w)[index];
        own->joins = takes_part(step, index);
        if (!own->joins || any)
            continue;
        float at[3];
        quad_read(&world_position(w)[world_bodies(w)[index].first], at);
        for (int k = 0; k < 3; ++k)
            world_surface_now(w)->origin[k] = (double)at[k];
        any = true;
    }
    return any;
}

/* The body's motion at its centre of mass, which turns with it. */
static void at_centre(const piola_world *w, const struct balance_body *own, double v[6])
{
    const double *o = world_surface_now(w)->origin;
    const double to[3] = {own->centre[0] - o[0], own->centre[1] - o[1], own->centre[2] - o[2]};
    spatial_shift(own->u, to, v);
}

/* m, how far no part of the body goes. */
static double way_of(const piola_world *w, const struct balance_body *own, double *turn)
{
    double v[6];
    at_centre(w, own, v);
    *turn = sqrt(dot3(v + 3, v + 3));
    return sqrt(dot3(v, v)) + *turn * own->reach;
}

/* What sweeps far from their end press on colliders must not drive anybody: an island gets no more
 * kinetic energy, of bodies as wholes, than it has, or a share of what it would have in free
 * flight. */
static double safe_share(const struct balance_body *island)
{
    const double more = CONTRACTS * island->flight - island->kinetic, slack = more > 0 ? more : 0;
    const double root = sqrt(island->along * island->along + 2 * island->curve * slack);
    return island->curve > 0 ? (root - island->along) / island->curve : 1;
}

/* Adds what a body's motion does to its island. */
static void add_energy(const struct step *step, const struct balance_body *own,
                       struct balance_body *island)
{
    const double dt = (double)step->dt;
    double gained[6], now[6], flight[6], mass[6][6];
    spatial_times((const double(*)[6])own->mass, own->u, gained);
    memcpy(mass, own->mass, sizeof mass);
    memcpy(now, own->momentum, sizeof now);
    memcpy(flight, own->free, sizeof flight);
    if (spatial_factor(mass)) {
        spatial_back((const double(*)[6])mass, now);
        spatial_back((const double(*)[6])mass, flight);
        island->kinetic += 0.5 * spatial_dot(now, own->momentum);
        island->flight += 0.5 * spatial_dot(flight, own->free);
    }
    island->along += spatial_dot(own->u, own->momentum) / dt;
    island->curve += spatial_dot(own->u, gained) / (dt * dt);
    island->first += spatial_dot(own->u, own->gradient);
}

/* The farthest way, m. No island turns by more than linear theory holds for, and nobody goes where
 * numbers are lost. */
static double bound(const struct step *step)
{
    const piola_world *w = step->world;
    struct balance_body *all = world_balance_bodies(w);
    double farthest = 0, turn;
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        const uint32_t index = domain_body(step, i);
        struct balance_body *own = &all[index];
        own->at = own->first = own->kinetic = own->flight = own->along = own->curve = 0;
        own->next = 1;
        own->moves = own->works;
        own->island = islands_root(balance_islands(w), index);
    }
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        struct balance_body *own = &all[domain_body(step, i)], *island = &all[own->island];
        if (!own->moves)
            continue;
        const double way = way_of(w, own, &turn);
        if (!(way - way == 0))
            island->next = 0;
        else if (turn * island->next > LARGEST_TURN)
            island->next = LARGEST_TURN / turn;
        farthest = way > farthest ? way : farthest;
        add_energy(step, own, island);
    }
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        struct balance_body *own = &all[domain_body(step, i)];
        const double share = safe_share(own);
        own->next = share < own->next ? share : own->next;
    }
    return farthest;
}

/* All go the share of their motions that they shall. */
static void go(const struct step *step)
{
    const piola_world *w = step->world;
    struct balance_body *all = world_balance_bodies(w);
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        const uint32_t index = domain_body(step, i);
        struct balance_body *own = &all[index];
        const struct balance_body *island = &all[own->island];
        const struct body *body = &world_bodies(w)[index];
        const double share = island->next - island->at;
        double v[6], turn[3];
        if (!own->moves || share == 0)
            continue;
        struct pk_rigid rigid = {.shift = {0}};
        at_centre(w, own, v);
        for (int k = 0; k < 3; ++k) {
            rigid.centre[k] = (float)own->centre[k];
            rigid.shift[k] = (float)(share * v[k]);
            turn[k] = share * v[3 + k];
        }
        momentum_rotation(turn, rigid.rotation);
        step->kernels->rigid_move(world_position(w) + body->first, body->count, &rigid);
        for (int k = 0; k < 6; ++k)
            own->gone[k] += share * own->u[k];
    }
}

/* What of an island's motion is left uphill is taken back, as if its slope changed evenly. True
 * when there is some. */
static bool take_back(const struct step *step)
{
    const piola_world *w = step->world;
    struct balance_body *all = world_balance_bodies(w);
    bool any = false;
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        struct balance_body *own = &all[domain_body(step, i)];
        own->at = own->next;
        own->slope = 0;
    }
    (void)balance_gather(step);
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        struct balance_body *own = &all[domain_body(step, i)];
        if (own->moves)
            all[own->island].slope += spatial_dot(own->u, own->gradient);
    }
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        struct balance_body *own = &all[domain_body(step, i)];
        if (own->slope > -STEEP * own->first)
            own->next = own->at * own->first / (own->first - own->slope);
        else if (!(own->slope - own->slope == 0))
            own->next = 0;
        any = any || own->next != own->at;
    }
    return any;
}

static void push(const struct step *step)
{
    struct surface_now *now = world_surface_now(step->world);
    now->work.pushes += now->pair_pack_end;
    run_stage(step, STAGE_SURFACE_PUSH, 0);
}

/* One step of Newton: all go where the linear system is balanced, as far as that leads down. True
 * when somebody went so far that another one may be needed. */
static bool newton(const struct step *step, bool *gathered)
{
    const piola_world *w = step->world;
    const double small = SMALL * (double)w->desc.contact_thickness;
    if (!*gathered && (push(step), !balance_gather(step)))
        return false;
    balance_solve(step);
    if (!(bound(step) > small))
        return false;
    go(step);
    push(step);
    *gathered = !take_back(step);
    if (!*gathered)
        go(step);
    return true;
}

void surface_balance(const struct step *step)
{
    const piola_world *w = step->world;
    bool gathered = false, gone = false;
    if (w->dim[DIM_balance_ties].capacity == 0 || !surface_keeps(w) || !begin(step))
        return;
    for (uint32_t round = 0; round < BALANCE_ROUNDS && newton(step, &gathered); ++round)
        gone = true;
    for (uint32_t i = 0; i < domain_bodies(step) && gone; ++i)
        if (world_balance_bodies(w)[domain_body(step, i)].moves)
            balance_tell_planes(step, domain_body(step, i));
}
