/* surface_room.c - sides that would come too near each other keep what they slide.
 *
 * Who goes only a share of its way loses all of it, also what leads along the other surface: cloth
 * that is pulled around an edge would stick to it, and what lies in a fold would sink as through
 * honey. So before shares are taken pairs that are not free lose their approach alone: along the
 * direction in which they are stopped, by one impulse between their sides, which keeps momentum.
 * One such change may unsettle other pairs; after some rounds shares do what is left.
 *
 * The same for sheets before the iterations, of descent: they begin as after an impact that takes
 * what sides approach each other with, so a sheet goes along at once with what it meets. Begun
 * where one is through the other, few iterations bring the sheet through and push back the other
 * one meanwhile.
 */
#include "families/collide/collide_block.h"
#include "families/surface/surface.h"
#include "motion/stage.h"
#include "world/guides.h"

#include <math.h>

#define ROUNDS 4
/* Of what must remain: so who has no approach left is proven free, whatever is rounded. */
#define ABOVE 0.1
/* Pairs that push a vertex that one stopped; of the thickness: who approached by less stays, and
 * who is put elsewhere goes more. */
#define SHARED 8.0
#define LITTLE 0.1
#define ENOUGH 0.02
#define LEVER  8.0

/* Who gives way: anybody by what the iterations have left, or, where they begin, sheets alone. A
 * single vertex of a solid that is put elsewhere strains all elements around it. */
enum gives { ALL_GIVE, SHEETS_GIVE };

static bool is_sheet(const piola_world *w, uint32_t particle)
{
    const struct body *body = &world_bodies(w)[world_owner(w)[particle]];
    return body_asset(w, body)->at.tet_packs.count == 0;
}

/* Who is put back to where the substep began, and who is pinned, stays; who is guided would be
 * pushed off its plane, and goes a share. */
static double give_of(const piola_world *w, uint32_t particle, enum gives who)
{
    const uint32_t b = world_owner(w)[particle];
    if (who == SHEETS_GIVE && !is_sheet(w, particle))
        return 0;
    const struct body *body = &world_bodies(w)[b];
    const struct pk_quad *guide = guides_ways(w, body);
    const bool broken = atomic_load_explicit(&world_verdicts(w)[b], memory_order_relaxed) != 0;
    const bool guided = guide && guide[particle - body->first].w > 0;
    return broken || guided ? 0 : (double)world_position(w)[particle].w;
}

/* `way` kg m along the normal, shared by the masses. Who is put elsewhere has another whole way. */
static void part_sides(const piola_world *w, const struct pair *pair, const struct stop *stop,
                       double way, enum gives who)
{
    for (int i = 0; i < 4; ++i) {
        struct pk_quad *x = &world_position(w)[pair->particle[i]];
        const double share = way * give_of(w, pair->particle[i], who) * stop->weight[i];
        if (share == 0)
            continue;
        x->x += (float)(share * stop->normal[0]);
        x->y += (float)(share * stop->normal[1]);
        x->z += (float)(share * stop->normal[2]);
        world_share(w)[pair->particle[i]] = world_surface_now(w)->whole;
        /* Maybe into a collider: surface_outside.c. */
        if (collide_any(w))
            world_notes(w)[pair->particle[i]].caught = 1;
    }
}

/* The inverse of the mass that the sides of a pair have against each other, 1/kg. Where all but a
 * far corner of a side is held, that corner would be thrown by a lever as long as one likes: nobody
 * goes farther than LEVER times what the pair is to be led apart. */
static double give_of_pair(const piola_world *w, const struct pair *pair, const double weight[4],
                           enum gives who)
{
    double give = 0, most = 0;
    for (int i = 0; i < 4; ++i) {
        const double moved = fabs(weight[i]) * give_of(w, pair->particle[i], who);
        give += fabs(weight[i]) * moved;
        most = moved > most ? moved : most;
    }
    return give > most / LEVER ? give : most / LEVER;
}

static bool make_room(const piola_world *w, const struct pair *pair)
{
    struct stop stop;
    const double done = surface_free_part(w, pair, &stop);
    const double give = give_of_pair(w, pair, stop.weight, ALL_GIVE);
    if (done >= 1 || !(give > 0 && stop.approach > 0))
        return false;
    const double grain = (double)surface_grain(w, pair), above = ABOVE * stop.keep;
    part_sides(w, pair, &stop, (stop.approach + (above > grain ? above : grain)) / give, ALL_GIVE);
    return true;
}

/* m, by which some particle of a pair goes another way than the first. */
static double apart_by_ways(const piola_world *w, const struct pair *pair)
{
    double first[3] = {0, 0, 0}, most = 0;
    for (int i = 0; i < 4; ++i) {
        double x[3], start[3], square = 0;
        quad_load(&world_position(w)[pair->particle[i]], x);
        quad_load(&world_start(w)[pair->particle[i]], start);
        for (int k = 0; k < 3; ++k) {
            x[k] -= start[k];
            first[k] = i == 0 ? x[k] : first[k];
            square += (x[k] - first[k]) * (x[k] - first[k]);
        }
        most = square > most ? square : most;
    }
    return sqrt(most);
}

/* Where sides begin that approached each other by so much: at a distance at which they push each
 * other by about what that needs, for several pairs do it together, and at least half of the
 * thickness. Nearer, iterations would have to lead them out first, with forces that nobody exerts.
 * But nobody begins farther away than he was. */
static double gap_after(const piola_world *w, const struct pair *pair, double approach)
{
    const double h = (double)w->desc.contact_thickness, was = (double)pair->distance;
    const double gap = approach < SHARED * 0.5 * h ? h - approach / SHARED : 0.5 * h;
    return gap < was ? gap : was;
}

/* Sides of which it is not proven that they are free may be through each other. */
static bool begin_apart(const piola_world *w, const struct pair *pair, bool free)
{
    const double h = (double)w->desc.contact_thickness, ways = apart_by_ways(w, pair);
    struct stop stop;
    double gap, between[3];
    if (!is_sheet(w, pair->particle[0]) && !is_sheet(w, pair->particle[3]))
        return false;
    if (free && (ways < LITTLE * h || (double)pair->distance - ways > h))
        return false;
    if (free) {
        gap = surface_near(pair, world_position(w), stop.weight, between);
        stop.approach = (double)pair->distance - gap;
        for (int k = 0; k < 3; ++k)
            stop.normal[k] = between[k] / gap;
    } else {
        if (surface_free_part(w, pair, &stop) >= 1)
            return false;
        gap = stop.keep - stop.approach;
    }
    const double way = gap_after(w, pair, stop.approach) - gap;
    const double give = give_of_pair(w, pair, stop.weight, SHEETS_GIVE);
    if (!(stop.approach > 0 && way > ENOUGH * h && give > 0))
        return false;
    part_sides(w, pair, &stop, way / give, SHEETS_GIVE);
    return true;
}

/* All pairs of a pack; `begin`: before the iterations. */
static bool part_pack(const piola_world *w, uint32_t p, bool begin)
{
    const struct pair_range *range = surface_range(w, p);
    const uint32_t bound = world_acting(w)[p];
    bool any = false;
    if (!begin)
        world_acted(w)[p] |= bound;
    for (uint32_t left = begin ? surface_lanes(range, p) : bound; left != 0; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const struct pair pair = surface_pair(w, p, lane, range->kind);
        const bool parted =
            begin ? begin_apart(w, &pair, !(bound >> lane & 1)) : make_room(w, &pair);
        any = parted || any;
    }
    return any;
}

/* In the order of the pairs. */
static void part_pairs(const struct step *step, bool begin)
{
    const piola_world *w = step->world;
    struct surface_now *now = world_surface_now(w);
    bool any = now->pair_pack_end > 0;
    now->limit_known = 0;
    for (uint32_t round = 0; round < ROUNDS && any && now->rounds_left > 0; ++round) {
        any = false;
        --now->rounds_left;
        ++now->work.rounds;
        now->work.proofs += now->pair_pack_end;
        now->limit_round = 0;
        surface_find_changed(step);
        run_stage(step, STAGE_SURFACE_BOUND, 0);
        now->limit_known = now->pair_pack_end;
        surface_go_anew(w);
        for (uint32_t p = 0; p < now->pair_pack_end; ++p)
            any = part_pack(w, p, begin) || any;
    }
}

void surface_make_room(const struct step *step)
{
    part_pairs(step, false);
}

/* Shares begin anew with the limit. */
void surface_begin_apart(const struct step *step)
{
    const piola_world *w = step->world;
    if (atomic_load_explicit(&world_surface_now(w)->swift, memory_order_relaxed) == 0)
        return;
    part_pairs(step, true);
    for (uint64_t i = 0; i < w->dim[DIM_particles].used; ++i)
        world_share(w)[i] = 1;
    world_surface_now(w)->whole = 1;
}
