/* surface.c - what surface contact does in a substep, and how many things its stages have. */
#include "families/surface/surface.h"
#include "families/surface/surface_balance.h"

#include "families/surface/contact_events.h"
#include "families/surface/surface_settings.h"
#include "world/family.h"

struct range surface_blocks(const struct step *step)
{
    return (struct range){0, world_surface_now(step->world)->block_count};
}

/* Of a small body alone its own follow each other. */
struct range surface_own_blocks(const struct step *step)
{
    if (step->domain->shared)
        return (struct range){0, world_surface_now(step->world)->fixed_block_count};
    const struct surface_mesh *mesh = &world_surface_meshes(step->world)[domain_body(step, 0)];
    return (struct range){mesh->block_first, mesh->blocks};
}

struct surface_block *surface_own_block(const struct step *step, uint32_t index)
{
    const piola_world *w = step->world;
    return &world_blocks(w)[step->domain->shared ? world_fixed_blocks(w)[index] : index];
}

struct range surface_bodies(const struct step *step)
{
    return (struct range){0, step->world->shared_count};
}

struct range surface_runs(const struct step *step)
{
    const uint32_t packs = world_surface_now(step->world)->pair_pack_end;
    return (struct range){0, (packs + SURFACE_RUN - 1) / SURFACE_RUN};
}

struct range surface_buckets(const struct step *step)
{
    return (struct range){0, (uint32_t)step->world->dim[DIM_buckets].used};
}

struct pk_contact surface_params(const struct step *step)
{
    const piola_world *w = step->world;
    const float thickness = w->desc.contact_thickness;
    return (struct pk_contact){.thickness = thickness,
                               .slack = 0.5f * thickness,
                               .stretch = 0.1f,
                               .friction = w->desc.contact_friction,
                               .mixed = w->dim[DIM_body_frictions].used > 0,
                               .inertia = 2 / (step->dt * step->dt),
                               .start = world_start(w),
                               .base = surface_from(w),
                               .to = world_expected(w),
                               .x = world_position(w),
                               .strayed = NULL,
                               .star = world_star(w),
                               .room = world_star_room(w),
                               .astray = world_astray(w),
                               .fresh = world_fresh(w),
                               .share = world_share(w)};
}

/* Neighbours that phase_hold_back judges together; of the thickness: sheets that go farther in a
 * substep do not rest, so they do not tremble. */
#define GROUP 64u
#define SWIFT 1.0

static bool go_far(const struct step *step, uint32_t first, uint32_t count)
{
    const double far = SWIFT * (double)step->world->desc.contact_thickness / (double)step->dt;
    double square = 0;
    for (uint32_t i = first; i < first + count; ++i) {
        double v[3];
        quad_load(&world_velocity(step->world)[i], v);
        square += v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    }
    return square > far * far * count;
}

/* After the pairs were found: where the iterations of descent begin for a body that has some. */
void each_surface_hold_back(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    const struct piece p = piece_of(step, chunk);
    if (!p.moves || !(world_paired(step->world)[p.index] & PAIRED_BEFORE))
        return;
    const bool sheet = body_asset(step->world, p.body)->at.tet_packs.count == 0;
    for (uint32_t at = p.first; at < p.first + p.count; at += GROUP) {
        const uint32_t left = p.first + p.count - at, count = left < GROUP ? left : GROUP;
        const bool far = go_far(step, at, count);
        if (!far || !sheet)
            phase_hold_back(step, p.body, at, count);
        if (far)
            atomic_store_explicit(&world_surface_now(step->world)->swift, 1, memory_order_relaxed);
    }
}

static void start(struct step *step)
{
    surface_find_begin(step->world);
}

static void find(struct step *step)
{
    surface_find_own(step);
}

static void meet(struct step *step)
{
    surface_find(step);
}

static void begin(struct step *step)
{
    surface_remember(step);
    if (!world_descends(&step->world->desc))
        return;
    run_stage(step, STAGE_SURFACE_HOLD_BACK, 0);
    surface_begin_apart(step);
    surface_sort(step->world);
    surface_grip_recall(step);
}

static void count_pushes(const piola_world *w)
{
    world_surface_now(w)->work.pushes += world_surface_now(w)->pair_pack_end;
}

static void refresh(struct step *step)
{
    if (world_descends(&step->world->desc))
        count_pushes(step->world);
    if (world_descends(&step->world->desc) && world_surface_now(step->world)->pair_pack_end > 0)
        surface_refresh(step);
}

static void close(struct step *step)
{
    if (world_surface_now(step->world)->pair_pack_end > 0)
        surface_balance(step);
}

static void hold(struct step *step)
{
    if (world_descends(&step->world->desc))
        return;
    count_pushes(step->world);
    surface_project(step);
}

static void look(struct step *step)
{
    surface_break(step);
    surface_look(step);
}

static void confine(struct step *step)
{
    surface_limit(step);
    if (world_descends(&step->world->desc))
        surface_grip_keep(step);
    surface_catch_up(step);
}

static void keep_momentum(struct step *step)
{
    surface_keep_momentum(step);
}

bool contact_events_valid(const struct stored *stored, enum field field)
{
    const uint64_t bodies = stored->world->desc.max_bodies;
    bool sane = true;
    (void)field;
    for (uint64_t i = 0; sane && i < stored->dim[DIM_contact_events].used; ++i) {
        const struct contact_record r = stored_contact_events(stored, i);
        const uint64_t others = r.kind == OTHER_BODY ? bodies : stored->dim[DIM_colliders].capacity;
        sane = r.body < bodies && r.kind <= OTHER_BODY && r.other < others &&
               r.phase >= PIOLA_CONTACT_BEGIN && r.phase <= PIOLA_CONTACT_END && r.rigid <= 1;
    }
    return sane;
}

static void set(piola_world *world, uint32_t body, const piola_body_desc *desc)
{
    if (!desc)
        surface_grip_forget(world, &world_bodies(world)[body]);
    surface_settings_set(world, body, desc);
}

static void before(piola_world *world)
{
    struct surface_now *now = world_surface_now(world);
    now->work = (piola_contact_work){0};
    now->waited = now->pair_count = now->pairs_dropped = 0;
}

static void after(const struct step *step)
{
    const struct surface_now *now = world_surface_now(step->world);
    dimension_use(step->world, DIM_pairs, now->pair_count);
    step->world->dim[DIM_pairs].dropped += now->pairs_dropped;
}

static void report(const piola_world *world, piola_report *report)
{
    const struct surface_now *now = world_surface_now(world);
    report->contacts = now->pair_count;
    report->contacts_dropped = now->pairs_dropped;
    report->contacts_put_off = now->waited;
    const piola_contact_work faces = report->work;
    report->work = now->work;
    report->work.face_looks = faces.face_looks;
    report->work.face_pushes = faces.face_pushes;
    report->contact_events = (uint32_t)world->dim[DIM_contact_events].used;
    report->contact_events_dropped = now->events_dropped;
}

const struct family family_surface = {
    .name = "surface",
    .together = true,
    .acts = surface_any,
    .list = surface_list,
    .at = {[FIND] = find, [LIMIT] = look},
    .among = {[START] = start,
              [MEET] = meet,
              [BEGIN] = begin,
              [REFRESH] = refresh,
              [HOLD] = hold,
              [CLOSE] = close,
              [CONFINE] = confine,
              [MOMENTUM] = keep_momentum},
    .link = surface_link,
    .before = before,
    .tell = contact_events_update,
    .after = after,
    .report = report,
    .recount = surface_settings_recount,
    .set = set,
    .moved = surface_grip_moved,
};
