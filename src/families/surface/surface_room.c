/* surface_room.c - sides that would come too near each other keep what they slide.
 *
 * Who goes only a share of its way loses all of it, also what leads along the other surface: cloth
 * that is pulled around an edge would stick to it, and what lies in a fold would sink as through
 * honey. So before shares are taken pairs that are not free lose their approach alone: along the
 * direction in which they are stopped, by one impulse between their sides, which keeps momentum.
 * One such change may unsettle other pairs; after some rounds shares do what is left.
 */
#include "families/collide/collide_block.h"
#include "families/surface/surface.h"
#include "motion/stage.h"
#include "world/guides.h"

#define ROUNDS 4
/* Of the thickness: whose approach is more meets, rather than slides. */
#define MOST 10.0
/* Of what must remain: so who has no approach left is proven free, whatever is rounded. */
#define ABOVE 0.1

/* Who is put back to where the substep began, and who is pinned, stays; who is guided would be
 * pushed off its plane, and goes a share. */
static double give_of(const piola_world *w, uint32_t particle)
{
    const uint32_t b = world_owner(w)[particle];
    const struct body *body = &world_bodies(w)[b];
    const struct pk_quad *guide = guides_ways(w, body);
    const bool broken = atomic_load_explicit(&world_verdicts(w)[b], memory_order_relaxed) != 0;
    const bool guided = guide && guide[particle - body->first].w > 0;
    return broken || guided ? 0 : (double)world_position(w)[particle].w;
}

/* `way` kg m along the normal, shared by the masses. Who is put elsewhere has another whole way. */
static void part_sides(const piola_world *w, const struct pair *pair, const struct stop *stop,
                       double way)
{
    for (int i = 0; i < 4; ++i) {
        struct pk_quad *x = &world_position(w)[pair->particle[i]];
        const double share = way * give_of(w, pair->particle[i]) * stop->weight[i];
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

static bool make_room(const piola_world *w, const struct pair *pair)
{
    struct stop stop;
    double give = 0;
    const double done = surface_free_part(w, pair, &stop);
    for (int i = 0; i < 4; ++i)
        give += stop.weight[i] * stop.weight[i] * give_of(w, pair->particle[i]);
    if (done >= 1 || !(give > 0 && stop.approach > 0) ||
        !(stop.approach < MOST * (double)w->desc.contact_thickness))
        return false;
    const double grain = (double)surface_grain(w, pair), above = ABOVE * stop.keep;
    part_sides(w, pair, &stop, (stop.approach + (above > grain ? above : grain)) / give);
    return true;
}

/* In the order of the pairs. */
void surface_make_room(const struct step *step)
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
            for (uint32_t left = world_acting(w)[p]; left != 0; left &= left - 1) {
                const uint32_t lane = (uint32_t)__builtin_ctz(left);
                const struct pair pair = surface_pair(w, p, lane, surface_range(w, p)->kind);
                world_acted(w)[p] |= 1u << lane;
                any = make_room(w, &pair) || any;
            }
    }
}
