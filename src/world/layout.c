/* layout.c - how a world's block is sized, laid out and fenced; descriptions are checked here.
 *
 * One function adds the arrays up, for the size that the caller asks and for the offsets that are
 * used, so the two cannot differ. Between any two arrays lie FENCE unused bytes, which the address
 * sanitizer watches in its builds; the layout is the same in all builds.
 */
#include "base/cookies.h"
#include "base/marks.h"
#include "base/ranges.h"
#include "base/refuse.h"
#include "base/size.h"
#include "world/body_room.h"
#include "world/family.h"

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

piola_world_desc piola_world_desc_default(void)
{
    return (piola_world_desc){
        .cookie_ = COOKIE_WORLD,
        .max_bodies = 64,
        .max_assets = 16,
        .max_particles = 65536,
        .max_commands = 1024,
        .max_strain_packs = 4096,
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
        .catch_up_speed = 1,
        .sleep_speed = 0.02f,
        .sleep_time = 0.5f,
        .contact_searches = 16,
        .contact_rounds = 480,
        .contact_tests = 1024,
        .keep_momentum = true,
        .guard_energy = true,
        .couplings = true,
        .coarse_level = true,
        .vertex_forces = true,
    };
}

static bool counts_in_range(const piola_world_desc *d, const char **field)
{
    const struct {
        uint32_t value, low, high;
        const char *field;
    } rows[] = {
#define CAPACITY(member, dimension, low, high) {d->member, low, high, "piola_world_desc." #member},
#include "families/families.def"
        {d->substeps, 1, 1000, "piola_world_desc.substeps"},
        {d->iterations, 0, 1000, "piola_world_desc.iterations"},
        {d->max_substeps, d->max_substeps ? d->substeps : 0, 1000, "piola_world_desc.max_substeps"},
        {d->max_iterations, d->max_iterations ? d->iterations : 0, 1000,
         "piola_world_desc.max_iterations"},
        {d->contact_searches, 0, 16, "piola_world_desc.contact_searches"},
        {d->contact_rounds, 0, 10000, "piola_world_desc.contact_rounds"},
        {d->contact_tests, 1, 1u << 20, "piola_world_desc.contact_tests"},
        {(uint32_t)d->solver, 0, PIOLA_SOLVER_COUNT - 1, "piola_world_desc.solver"},
        {(uint32_t)d->integrator, 0, PIOLA_INTEGRATOR_COUNT - 1, "piola_world_desc.integrator"},
        {(uint32_t)d->isa, 0, PIOLA_ISA_COUNT - 1, "piola_world_desc.isa"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        *field = rows[i].field;
        if (rows[i].value < rows[i].low || rows[i].value > rows[i].high)
            return false;
    }
    *field = "piola_world_desc.max_rigids";
    if (d->max_colliders + d->max_rigids > 65535)
        return false;
    *field = "piola_world_desc.max_commands";
    return (d->max_commands & (d->max_commands - 1)) == 0;
}

static piola_status check(const piola_world_desc *d, piola_error *error)
{
    if (!d)
        return refuse(error, PIOLA_ERROR_NULL, "piola_world_desc");
    if (d->cookie_ != COOKIE_WORLD)
        return refuse(error, PIOLA_ERROR_COOKIE, "piola_world_desc");
    const char *field = NULL;
    if (!counts_in_range(d, &field))
        return refuse(error, PIOLA_ERROR_RANGE, field);
    const struct range_row rows[] = {
        {&d->dt, 1, 1e-6f, 1, "piola_world_desc.dt"},
        {d->gravity, 3, -1e6f, 1e6f, "piola_world_desc.gravity"},
        {d->wind, 3, -1e4f, 1e4f, "piola_world_desc.wind"},
        {&d->air_density, 1, 0, 1e4f, "piola_world_desc.air_density"},
        {&d->relaxation, 1, 0.1f, 1.9f, "piola_world_desc.relaxation"},
        {&d->contact_thickness, 1, 1e-6f, 1, "piola_world_desc.contact_thickness"},
        {&d->contact_friction, 1, 0, 10, "piola_world_desc.contact_friction"},
        {&d->catch_up_speed, 1, 1e-6f, 1e6f, "piola_world_desc.catch_up_speed"},
        {&d->sleep_speed, 1, 0, 1e9f, "piola_world_desc.sleep_speed"},
        {&d->sleep_time, 1, 0, 1e6f, "piola_world_desc.sleep_time"},
        {&d->chebyshev, 1, 0, 0.999f, "piola_world_desc.chebyshev"},
    };
    const piola_status numbers = ranges_refuse(rows, sizeof rows / sizeof *rows, error);
    if (numbers != PIOLA_OK)
        return numbers;
    if (!piola_isa_available(d->isa))
        return refuse(error, PIOLA_ERROR_ISA, "piola_world_desc.isa");
    return PIOLA_OK;
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

piola_status layout_plan(const piola_world_desc *desc, piola_world *world, piola_error *error)
{
    const piola_status status = check(desc, error);
    if (status != PIOLA_OK)
        return status;
    memset(world, 0, sizeof *world);
    world->desc = *desc;
    world->helped_from = HELPED_FROM;
    world->described.dt = desc->dt;
    world->described.substeps = desc->substeps;
    world->described.iterations = desc->iterations;
    if (desc->max_substeps == 0)
        world->desc.max_substeps = desc->substeps;
    if (desc->max_iterations == 0)
        world->desc.max_iterations = desc->iterations;
    world->desc.isa = isa_resolve(desc->isa);
    world_set_capacities(world);
    if (!lay_out(world))
        return refuse(error, PIOLA_ERROR_TOO_LARGE, "piola_world_desc");
    return PIOLA_OK;
}

piola_status piola_world_size(const piola_world_desc *desc, size_t *bytes, piola_error *error)
{
    if (!bytes)
        return refuse(error, PIOLA_ERROR_NULL, "bytes");
    piola_world world;
    const piola_status status = layout_plan(desc, &world, error);
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
        return refuse(error, PIOLA_ERROR_NULL, memory ? "world" : "memory");
    const piola_status status = layout_plan(desc, &head, error);
    if (status != PIOLA_OK)
        return status;
    if (!aligned(memory))
        return refuse(error, PIOLA_ERROR_ALIGNMENT, "memory");
    if (bytes < head.bytes)
        return refuse(error, PIOLA_ERROR_MEMORY, "bytes");
    if (!arithmetic_exact(kernels_for(head.desc.isa)))
        return refuse(error, PIOLA_ERROR_ARITHMETIC, "piola_world_desc.isa");
    layout_unfence(memory, head.bytes);
    memset(memory, 0, head.bytes);
    piola_world *made = memory;
    *made = head;
    made->magic = WORLD_MAGIC;
    made->number = world_number(made);
    memcpy(world_clock(made)->gravity, desc->gravity, sizeof desc->gravity);
    families_begin(made);
    dimension_use(made, DIM_rests, made->dim[DIM_rests].capacity);
    room_clear(made);
    struct command_slot *slots = world_commands(made);
    for (uint32_t i = 0; i < desc->max_commands; ++i)
        atomic_store_explicit(&slots[i].sequence, i, memory_order_relaxed);
    made->dim[DIM_one].used = made->dim[DIM_one].most = 1;
    dimension_use(made, DIM_allowances, made->dim[DIM_allowances].capacity);
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

static bool all_zero(const char *at, size_t size)
{
    return at[0] == 0 && same_bytes(at, at + 1, size - 1);
}

static void mark(piola_world *world, enum field field, enum field marks, uint64_t index)
{
    const size_t size = world_fields[field].element;
    const char *at = (const char *)world + world->offset[field] + (size_t)index * size;
    marks_set((uint64_t *)(void *)((char *)world + world->offset[marks]),
              world->dim[world_fields[field].dimension].capacity, index, !all_zero(at, size));
}

static void use_marked(piola_world *world, enum field field, enum field marks)
{
    const enum dimension dimension = world_fields[field].dimension;
    const uint64_t *words = (const uint64_t *)(void *)((char *)world + world->offset[marks]);
    dimension_use(world, dimension, marks_end(words, world->dim[dimension].capacity));
}

void array_recount(piola_world *world, enum field field, enum field marks)
{
    const uint64_t count = world->dim[world_fields[field].dimension].capacity;
    for (uint64_t i = 0; i < count; ++i)
        mark(world, field, marks, i);
    if (count > 0)
        use_marked(world, field, marks);
}

void array_changed(piola_world *world, enum field field, enum field marks, uint32_t index)
{
    mark(world, field, marks, index);
    use_marked(world, field, marks);
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
