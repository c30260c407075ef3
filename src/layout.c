/* layout.c - how a world's block is sized, laid out and fenced; descriptions are checked here.
 *
 * One function adds the arrays up, for the size that the caller asks and for the offsets that are
 * used, so the two cannot differ. Between any two arrays lie FENCE unused bytes, which the address
 * sanitizer watches in its builds; the layout is the same in all builds.
 */
#include "contact.h"
#include "cookies.h"
#include "crowd.h"
#include "size.h"
#include "wind.h"
#include "world.h"

#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define FENCED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FENCED 1
#endif
#endif
#ifndef FENCED
#define FENCED 0
#endif

#if FENCED
#include <sanitizer/asan_interface.h>
#define POISON(at, bytes)   __asan_poison_memory_region(at, bytes)
#define UNPOISON(at, bytes) __asan_unpoison_memory_region(at, bytes)
#else
#define POISON(at, bytes)   ((void)(at), (void)(bytes))
#define UNPOISON(at, bytes) ((void)(at), (void)(bytes))
#endif

#define FENCE PIOLA_ALIGNMENT

const struct field_info world_fields[FIELD_COUNT] = {
#define X(name, type, dimension, kind) {#name, sizeof(type), DIM_##dimension, kind},
    WORLD_FIELDS(X)
#undef X
};

piola_world_desc piola_world_desc_default(void)
{
    return (piola_world_desc){
        .cookie_ = COOKIE_WORLD,
        .max_bodies = 64,
        .max_assets = 16,
        .max_particles = 65536,
        .max_commands = 1024,
        .max_attachments = 256,
        .max_shapes = 16,
        .dt = 0.005f,
        .substeps = 1,
        .iterations = 5,
        .solver = PIOLA_SOLVER_DESCENT,
        .integrator = PIOLA_INTEGRATOR_EULER,
        .isa = PIOLA_ISA_AUTO,
        .gravity = {0, -9.81f, 0},
        .relaxation = 1,
        .contact_thickness = 1e-3f,
        .contact_friction = 0.5f,
        .keep_momentum = true,
        .couplings = true,
    };
}

static piola_status fail(piola_error *error, piola_status status, const char *field)
{
    if (error)
        *error = (piola_error){.status = status, .field = field};
    return status;
}

static bool finite(float value)
{
    return value - value == 0;
}

static bool counts_in_range(const piola_world_desc *d, const char **field)
{
    const struct {
        uint32_t value, low, high;
        const char *field;
    } rows[] = {
        {d->max_bodies, 1, 65535, "piola_world_desc.max_bodies"},
        {d->max_assets, 1, 65535, "piola_world_desc.max_assets"},
        {d->max_particles, 1, 1u << 28, "piola_world_desc.max_particles"},
        {d->max_packs, 0, 1u << 28, "piola_world_desc.max_packs"},
        {d->max_plastic_packs, 0, 1u << 28, "piola_world_desc.max_plastic_packs"},
        {d->max_attachments, 0, 1u << 20, "piola_world_desc.max_attachments"},
        {d->max_link_packs, 0, 1u << 28, "piola_world_desc.max_link_packs"},
        {d->max_contacts, 0, 1u << 28, "piola_world_desc.max_contacts"},
        {d->max_contact_faces, 0, 1u << 28, "piola_world_desc.max_contact_faces"},
        {d->max_colliders, 0, 65535, "piola_world_desc.max_colliders"},
        {d->max_contact_events, 0, 1u << 24, "piola_world_desc.max_contact_events"},
        {d->max_wind_nodes, 0, 1u << 26, "piola_world_desc.max_wind_nodes"},
        {d->max_shapes, 0, 65535, "piola_world_desc.max_shapes"},
        {d->max_commands, 2, 1u << 20, "piola_world_desc.max_commands"},
        {d->substeps, 1, 1000, "piola_world_desc.substeps"},
        {d->iterations, 0, 1000, "piola_world_desc.iterations"},
        {(uint32_t)d->solver, 0, PIOLA_SOLVER_COUNT - 1, "piola_world_desc.solver"},
        {(uint32_t)d->integrator, 0, PIOLA_INTEGRATOR_COUNT - 1, "piola_world_desc.integrator"},
        {(uint32_t)d->isa, 0, PIOLA_ISA_COUNT - 1, "piola_world_desc.isa"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        *field = rows[i].field;
        if (rows[i].value < rows[i].low || rows[i].value > rows[i].high)
            return false;
    }
    *field = "piola_world_desc.max_commands";
    return (d->max_commands & (d->max_commands - 1)) == 0;
}

static piola_status check(const piola_world_desc *d, piola_error *error)
{
    if (!d)
        return fail(error, PIOLA_ERROR_NULL, "piola_world_desc");
    if (d->cookie_ != COOKIE_WORLD)
        return fail(error, PIOLA_ERROR_COOKIE, "piola_world_desc");
    const char *field = NULL;
    if (!counts_in_range(d, &field))
        return fail(error, PIOLA_ERROR_RANGE, field);
    const struct {
        float value, low, high;
        const char *field;
    } rows[] = {
        {d->dt, 1e-6f, 1, "piola_world_desc.dt"},
        {d->gravity[0], -1e6f, 1e6f, "piola_world_desc.gravity"},
        {d->gravity[1], -1e6f, 1e6f, "piola_world_desc.gravity"},
        {d->gravity[2], -1e6f, 1e6f, "piola_world_desc.gravity"},
        {d->wind[0], -1e4f, 1e4f, "piola_world_desc.wind"},
        {d->wind[1], -1e4f, 1e4f, "piola_world_desc.wind"},
        {d->wind[2], -1e4f, 1e4f, "piola_world_desc.wind"},
        {d->air_density, 0, 1e4f, "piola_world_desc.air_density"},
        {d->relaxation, 0.1f, 1.9f, "piola_world_desc.relaxation"},
        {d->contact_thickness, 1e-6f, 1, "piola_world_desc.contact_thickness"},
        {d->contact_friction, 0, 10, "piola_world_desc.contact_friction"},
        {d->chebyshev, 0, 0.999f, "piola_world_desc.chebyshev"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        if (!finite(rows[i].value))
            return fail(error, PIOLA_ERROR_NOT_FINITE, rows[i].field);
        if (rows[i].value < rows[i].low || rows[i].value > rows[i].high)
            return fail(error, PIOLA_ERROR_RANGE, rows[i].field);
    }
    if (!piola_isa_available(d->isa))
        return fail(error, PIOLA_ERROR_ISA, "piola_world_desc.isa");
    return PIOLA_OK;
}

/* A body's last pack of faces may be short, its last block too. */
static uint64_t face_packs_of(const piola_world_desc *d)
{
    return d->max_contacts ? d->max_contact_faces / PK_LANES + (uint64_t)d->max_bodies : 0;
}

static uint64_t blocks_of(const piola_world_desc *d)
{
    return d->max_contacts ? face_packs_of(d) / CONTACT_BLOCK + d->max_bodies : 0;
}

/* Descent adds what couples bodies to three streams, surfaces too; projections keep one for
 * pressure alone. */
static uint64_t extras_of(const piola_world_desc *d)
{
    const uint64_t particles = d->max_particles;
    if (!world_descends(d))
        return d->couplings ? particles : 0;
    return d->couplings || d->max_contacts > 0 ? 3 * particles : 0;
}

static uint64_t grips_of(const piola_world_desc *d)
{
    return world_descends(d) ? d->max_contacts : 0;
}

static uint64_t grip_places_of(const piola_world_desc *d)
{
    uint64_t places = PK_LANES;
    while (places < 2 * grips_of(d))
        places *= 2;
    return grips_of(d) ? places : 0;
}

/* Of surfaces that touch each other; without, all are 0. */
static void set_contact_capacities(piola_world *world)
{
    const piola_world_desc *d = &world->desc;
    const uint64_t particles = d->max_particles;
    const struct {
        enum dimension dimension;
        uint64_t capacity;
    } rows[] = {
        {DIM_coats, d->max_bodies},
        {DIM_skins, d->max_bodies},
        {DIM_contact_sums, 2 * (uint64_t)d->max_bodies},
        {DIM_crowd, 2 * (uint64_t)d->max_bodies},
        {DIM_crowd_nodes, crowd_nodes(d->max_bodies)},
        {DIM_leashes, particles},
        {DIM_felt, d->max_contact_events > 0 && !world_descends(d) ? particles : 0},
        {DIM_faces, d->max_contact_faces},
        {DIM_face_packs, face_packs_of(d)},
        {DIM_rings, particles / PK_LANES},
        /* A tree of up to 16 packs is one node, one of n more than these at most n / 8 + 1. */
        {DIM_nodes, d->max_contacts ? face_packs_of(d) / 8 + d->max_bodies : 0},
        {DIM_corners, 3 * (uint64_t)d->max_contact_faces},
        {DIM_blocks, blocks_of(d)},
        {DIM_pages, d->max_contacts / PAGE_PAIRS + blocks_of(d) + 1},
        {DIM_pair_packs, d->max_contacts / PK_LANES + PAIR_RANGES},
        {DIM_buckets, particles / CONTACT_BUCKET + 2},
        {DIM_items, 4 * (uint64_t)d->max_contacts},
        {DIM_grips, grips_of(d)},
        {DIM_grip_places, grip_places_of(d)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        world->dim[rows[i].dimension] = (struct extent){rows[i].capacity, 0, 0};
}

static void set_capacities(piola_world *world)
{
    const piola_world_desc *d = &world->desc;
    const uint64_t particles = d->max_particles;
    const bool objective = world_measures_objective(d);
    const uint64_t capacity[DIMENSION_COUNT] = {
        [DIM_one] = 1,
        [DIM_bodies] = d->max_bodies,
        [DIM_assets] = d->max_assets,
        [DIM_particles] = particles,
        [DIM_history] = d->integrator == PIOLA_INTEGRATOR_BDF2 ? particles : 0,
        [DIM_memory] = world_remembers(d) ? particles : 0,
        [DIM_iterates] = world_accelerates(d) ? particles : 0,
        [DIM_extras] = extras_of(d),
        [DIM_forces] = d->report_physics ? particles : 0,
        [DIM_measures] = objective ? d->max_bodies : 0,
        [DIM_partials] = objective ? particles / 4 + particles / CHUNK + d->max_bodies : 0,
        [DIM_momenta] = d->keep_momentum ? d->max_bodies : 0,
        [DIM_sums] = d->keep_momentum ? particles / CHUNK + d->max_bodies : 0,
        [DIM_packs] = d->solver == PIOLA_SOLVER_COMPLIANT ? d->max_packs : 0,
        [DIM_attachments] = d->couplings ? d->max_attachments : 0,
        [DIM_links] = d->max_link_packs,
        [DIM_balloons] = d->couplings ? d->max_bodies : 0,
        [DIM_enclosed] = d->couplings ? particles / 4 + particles / CHUNK + d->max_bodies : 0,
        [DIM_air] = d->air_density > 0,
        [DIM_flyers] = d->air_density > 0 ? d->max_bodies : 0,
        [DIM_wind_grids] = d->air_density > 0 && d->max_wind_nodes > 0,
        [DIM_wind_nodes] = d->air_density > 0 ? d->max_wind_nodes : 0,
        [DIM_plastic] = d->max_plastic_packs,
        [DIM_colliders] = d->max_colliders,
        [DIM_shapes] = d->max_colliders ? d->max_shapes : 0,
        [DIM_watches] = d->max_bodies,
        [DIM_contact_events] = d->max_contact_events,
        [DIM_rigids] = d->max_colliders,
        [DIM_rigid_islands] = d->max_colliders ? (uint64_t)d->max_colliders + d->max_bodies : 0,
        [DIM_poses] = (uint64_t)d->max_colliders * (d->substeps + 1),
        [DIM_sieves] = ((uint64_t)d->max_colliders + PK_LANES - 1) / PK_LANES,
        [DIM_touches] = d->max_colliders ? particles : 0,
        [DIM_touched] = d->max_colliders ? d->max_bodies : 0,
        [DIM_commands] = d->max_commands,
        /* A body's last chunk may be short, hence one more a body. */
        [DIM_chunks] = particles / CHUNK + d->max_bodies,
        /* Every cluster owns at least four particles, its dummies. */
        [DIM_runs] = particles / 4,
        [DIM_colours] = MAX_COLOURS + 1,
        /* A stage's blocks are bodies, chunks or runs. */
        [DIM_tickets] = particles / 4 + d->max_bodies + blocks_of(d),
    };
    for (int i = 0; i < DIMENSION_COUNT; ++i)
        world->dim[i] = (struct extent){capacity[i], 0, 0};
    if (d->max_contacts > 0)
        set_contact_capacities(world);
}

/* Sets every offset and the block's size; false when that does not fit a size_t. */
static bool lay_out(piola_world *world)
{
    size_t bytes = sizeof *world;
    for (int i = 0; i < FIELD_COUNT; ++i) {
        const struct field_info *field = &world_fields[i];
        if (!size_add(&bytes, FENCE) ||
            !size_array(&bytes, world->dim[field->dimension].capacity, field->element,
                        PIOLA_ALIGNMENT, &world->offset[i]))
            return false;
    }
    if (!size_add(&bytes, FENCE) || !size_align(&bytes, PIOLA_ALIGNMENT))
        return false;
    world->bytes = bytes;
    return true;
}

static piola_status plan(const piola_world_desc *desc, piola_world *world, piola_error *error)
{
    const piola_status status = check(desc, error);
    if (status != PIOLA_OK)
        return status;
    memset(world, 0, sizeof *world);
    world->desc = *desc;
    world->desc.isa = isa_resolve(desc->isa);
    set_capacities(world);
    if (!lay_out(world))
        return fail(error, PIOLA_ERROR_TOO_LARGE, "piola_world_desc");
    return PIOLA_OK;
}

piola_status piola_world_size(const piola_world_desc *desc, size_t *bytes, piola_error *error)
{
    if (!bytes)
        return fail(error, PIOLA_ERROR_NULL, "bytes");
    piola_world world;
    const piola_status status = plan(desc, &world, error);
    if (status == PIOLA_OK)
        *bytes = world.bytes;
    return status;
}

void layout_fence(const piola_world *world)
{
    const char *base = (const char *)world;
    size_t end = sizeof *world;
    for (int i = 0; i < FIELD_COUNT; ++i) {
        const struct field_info *field = &world_fields[i];
        POISON(base + end, world->offset[i] - end);
        end = world->offset[i] + (size_t)world->dim[field->dimension].capacity * field->element;
    }
    POISON(base + end, world->bytes - end);
}

void layout_unfence(const void *memory, size_t bytes)
{
    UNPOISON(memory, bytes);
}

static bool aligned(const void *memory)
{
    return (uintptr_t)memory % PIOLA_ALIGNMENT == 0;
}

piola_status piola_world_create(const piola_world_desc *desc, void *memory, size_t bytes,
                                piola_world **world, piola_error *error)
{
    piola_world head;
    if (!memory || !world)
        return fail(error, PIOLA_ERROR_NULL, memory ? "world" : "memory");
    const piola_status status = plan(desc, &head, error);
    if (status != PIOLA_OK)
        return status;
    if (!aligned(memory))
        return fail(error, PIOLA_ERROR_ALIGNMENT, "memory");
    if (bytes < head.bytes)
        return fail(error, PIOLA_ERROR_MEMORY, "bytes");
    layout_unfence(memory, head.bytes);
    memset(memory, 0, head.bytes);
    piola_world *made = memory;
    *made = head;
    made->magic = WORLD_MAGIC;
    memcpy(world_clock(made)->gravity, desc->gravity, sizeof desc->gravity);
    if (desc->air_density > 0)
        wind_begin(made);
    struct command_slot *slots = world_commands(made);
    for (uint32_t i = 0; i < desc->max_commands; ++i)
        atomic_store_explicit(&slots[i].sequence, i, memory_order_relaxed);
    made->dim[DIM_one].used = made->dim[DIM_one].most = 1;
    layout_fence(made);
    *world = made;
    return PIOLA_OK;
}

piola_status piola_world_move(const piola_world *world, void *memory, size_t bytes,
                              piola_world **moved)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!memory || !moved)
        return PIOLA_ERROR_NULL;
    /* Two worlds would write one record. */
    if (world->record.memory)
        return PIOLA_ERROR_RECORDING;
    if (!aligned(memory))
        return PIOLA_ERROR_ALIGNMENT;
    if (bytes < world->bytes)
        return PIOLA_ERROR_MEMORY;
    layout_unfence(world, world->bytes);
    layout_unfence(memory, world->bytes);
    memmove(memory, world, world->bytes);
    layout_fence(world);
    *moved = memory;
    layout_fence(*moved);
    return PIOLA_OK;
}

piola_status piola_world_destroy(piola_world *world)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    layout_unfence(world, world->bytes);
    world->magic = 0;
    return PIOLA_OK;
}

piola_isa piola_world_isa(const piola_world *world)
{
    return world_check(world) == PIOLA_OK ? world->desc.isa : PIOLA_ISA_AUTO;
}

void dimension_use(piola_world *world, enum dimension dimension, uint64_t used)
{
    struct extent *extent = &world->dim[dimension];
    extent->used = used;
    if (used > extent->most)
        extent->most = used;
}

piola_status piola_world_memory(const piola_world *world, uint32_t index, piola_memory_entry *entry)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!entry)
        return PIOLA_ERROR_NULL;
    if (index >= FIELD_COUNT)
        return PIOLA_ERROR_RANGE;
    const struct field_info *field = &world_fields[index];
    const struct extent *extent = &world->dim[field->dimension];
    *entry = (piola_memory_entry){
        .name = field->name,
        .bytes = (size_t)extent->capacity * field->element,
        .capacity = extent->capacity,
        .used = extent->used,
        .most = extent->most,
        .state = field->kind == STATE,
    };
    return PIOLA_OK;
}
