/* collider_life.c - the life of colliders and rigid bodies, which share slots.
 *
 * Where they stand in a step: collider_motion.c. Shapes: primitive_distance.c. What they do to
 * particles: collide.c.
 */
#include "families/rigid/rigid_contact.h"
#include "world/asked.h"

#include "base/cookies.h"
#include "base/exact_rotation.h"
#include "base/float_mode.h"
#include "base/ranges.h"
#include "base/refuse.h"
#include "shapes/shapes.h"
#include "world/commands.h"
#include "world/names.h"
#include "world/record.h"
#include "world/rest.h"

struct collider *collider_in_slot(const piola_world *world, uint32_t index, uint32_t generation,
                                  bool rigid)
{
    if (index == 0 || index > world->dim[DIM_colliders].capacity)
        return NULL;
    struct collider *c = &world_colliders(world)[index - 1];
    const bool alive = (c->flags & COLLIDER_ALIVE) && c->generation == generation;
    return alive && (world_rigids(world)[index - 1].mass > 0) == rigid ? c : NULL;
}

struct collider *collider_find(const piola_world *world, piola_collider handle)
{
    return collider_in_slot(world, handle.index, handle.generation, false);
}

bool piola_collider_alive(const piola_world *world, piola_collider collider)
{
    return world_check(world) == PIOLA_OK && collider_find(world, collider) != NULL;
}

void colliders_recount(piola_world *world)
{
    const uint32_t count = (uint32_t)world->dim[DIM_colliders].capacity;
    const bool any = rigid_any(world);
    uint32_t slots = 0, live = 0, rigids = 0, filters = 0, number[2] = {0, 0};
    world->unchanged = false;
    for (uint32_t i = 0; i < count; ++i) {
        const struct collider *c = &world_colliders(world)[i];
        live = c->flags & COLLIDER_ALIVE ? i + 1 : live;
        /* An empty slot's generation counts too: the next collider there must not be the old one.
         */
        slots = c->generation ? i + 1 : slots;
        filters = filter_plain(world_solid_filters(world)[i]) ? filters : i + 1;
        rigids = world_rigids(world)[i].mass > 0 ? i + 1 : rigids;
        number[world_rigids(world)[i].mass > 0] += (c->flags & COLLIDER_ALIVE) != 0;
    }
    *world_collider_slots(world) = live;
    dimension_use(world, DIM_live_colliders, number[0]);
    dimension_use(world, DIM_live_rigids, number[1]);
    dimension_use(world, DIM_rigids, rigids);
    dimension_use(world, DIM_solid_filters, filters);
    collider_lags_recount(world);
    if (any != rigid_any(world))
        world->scheduled = false;
    if (count == 0)
        return;
    const uint64_t particles = world->dim[DIM_particles].used;
    dimension_use(world, DIM_colliders, slots);
    dimension_use(world, DIM_rigid_islands, rigids ? (uint64_t)rigids + world->desc.max_bodies : 0);
    dimension_use(world, DIM_poses, (uint64_t)live * (world->desc.substeps + 1));
    dimension_use(world, DIM_touches, live ? particles : 0);
    dimension_use(world, DIM_touched, live ? world->desc.max_bodies : 0);
}

piola_collider_desc piola_collider_desc_default(void)
{
    return (piola_collider_desc){
        .cookie_ = COOKIE_COLLIDER,
        .rotation = {0, 0, 0, 1},
        .friction_static = -1,
        .friction_kinetic = -1,
        .category = FILTER_CATEGORY,
        .mask = UINT64_MAX,
    };
}

static piola_status check_numbers(const struct collider_spec *d, piola_error *error)
{
    const struct range_row rows[] = {
        {d->as.shape.size, 3, 0, 1e6f, SPEC_FIELD(d, "shape.size")},
        {&d->as.shape.radius, 1, 0, 1e6f, SPEC_FIELD(d, "shape.radius")},
        {d->as.position, 3, -1e9f, 1e9f, SPEC_FIELD(d, "position")},
        {d->as.rotation, 4, -1.01f, 1.01f, SPEC_FIELD(d, "rotation")},
        {d->as.velocity, 3, -1e9f, 1e9f, SPEC_FIELD(d, "velocity")},
        {d->as.angular_velocity, 3, -1e6f, 1e6f, SPEC_FIELD(d, "angular_velocity")},
        {&d->as.margin, 1, 0, 1e6f, SPEC_FIELD(d, "margin")},
        {&d->as.restitution, 1, 0, 1, SPEC_FIELD(d, "restitution")},
    };
    int wrong;
    const piola_status rubs = friction_check(d->as.friction_static, d->as.friction_kinetic, &wrong);
    if (rubs != PIOLA_OK)
        return refuse(error, rubs,
                      wrong ? SPEC_FIELD(d, "friction_kinetic") : SPEC_FIELD(d, "friction_static"));
    return ranges_refuse(rows, sizeof rows / sizeof *rows, error);
}

void solid_set_friction(const piola_world *world, struct collider *collider, float at_rest,
                        float sliding)
{
    const struct friction own = friction_made(at_rest, sliding);
    const float worlds = world->desc.contact_friction;
    collider->flags =
        (collider->flags & ~(uint32_t)COLLIDER_RUBS) | (own.given ? COLLIDER_RUBS : 0);
    collider->shape.friction_static = own.given ? own.value[0] : worlds;
    collider->shape.friction_kinetic = own.given ? own.value[1] : worlds;
}

static bool friction_possible(const piola_world *world, const struct collider *c)
{
    struct collider other = *c;
    const struct friction own = solid_friction(c);
    float at_rest, sliding;
    friction_tell(own, &at_rest, &sliding);
    solid_set_friction(world, &other, at_rest, sliding);
    return friction_valid(own) && same_bytes(c, &other, sizeof other);
}

static bool within(const float *values, uint32_t count, float low, float high)
{
    return range_check(values, count, low, high) == PIOLA_OK;
}

/* Has it a compiled shape of its kind, or none where it needs none? */
static bool form_valid(const piola_world *world, const struct collider *c)
{
    if (c->shape.kind < PIOLA_SHAPE_HULL)
        return c->compiled == 0;
    if (c->compiled == 0 || c->compiled > world->dim[DIM_shapes].capacity)
        return false;
    const piola_shape_data *known = world_shapes(world)[c->compiled - 1];
    return known && (uint32_t)known->stats.kind == c->shape.kind &&
           c->shape.margin >= known->stats.least_margin &&
           (known->stats.kind != PIOLA_SHAPE_DISTANCES || c->shape.margin < known->rim);
}

/* An empty slot has nothing but a generation. */
static bool possible(const piola_world *world, const struct collider *c)
{
    static const struct collider none;
    struct collider empty = none;
    empty.generation = c->generation;
    if (!(c->flags & COLLIDER_ALIVE))
        return same_bytes(c, &empty, sizeof empty);
    const struct collider_shape *s = &c->shape;
    const uint32_t flags =
        COLLIDER_ALIVE | COLLIDER_GOES | COLLIDER_TURNS | COLLIDER_SENSOR | COLLIDER_RUBS;
    return (c->flags & ~flags) == 0 && c->ones == UINT32_MAX && c->generation > 0 &&
           s->kind < PIOLA_SHAPE_KIND_COUNT && form_valid(world, c) &&
           within(s->size, 3, 0, 1e6f) && within(&s->radius, 1, 0, 1e6f) &&
           within(&s->margin, 1, 0, 1e6f) && friction_possible(world, c) &&
           within(&s->restitution, 1, 0, 1) &&
           within(c->position, 3, -COLLIDER_FARTHEST, COLLIDER_FARTHEST) &&
           quaternion_unit(c->rotation) &&
           within(c->velocity, 3, -COLLIDER_FARTHEST, COLLIDER_FARTHEST) &&
           within(c->spin, 3, -COLLIDER_FARTHEST, COLLIDER_FARTHEST) &&
           within(c->goal, 3, -COLLIDER_FARTHEST, COLLIDER_FARTHEST) &&
           (quaternion_unit(c->heading) || !(c->flags & COLLIDER_TURNS));
}

bool colliders_valid(const struct stored *stored, enum field field)
{
    bool sane = true;
    (void)field;
    for (uint64_t i = 0; sane && i < stored->dim[DIM_colliders].used; ++i) {
        const struct collider c = stored_colliders(stored, i);
        sane = possible(stored->world, &c);
    }
    return sane;
}

static float least_half(const struct collider_spec *d)
{
    const float low =
        d->as.shape.size[0] < d->as.shape.size[1] ? d->as.shape.size[0] : d->as.shape.size[1];
    return d->as.shape.size[2] < low ? d->as.shape.size[2] : low;
}

static piola_status check_compiled(const struct collider_spec *d, piola_error *error)
{
    const piola_shape_data *shape = d->as.shape.data;
    if (d->as.shape.kind < PIOLA_SHAPE_HULL)
        return shape ? refuse(error, PIOLA_ERROR_RANGE, SPEC_FIELD(d, "shape.data")) : PIOLA_OK;
    const piola_status status = shape_registry_check(shape);
    if (status != PIOLA_OK)
        return refuse(error, status, SPEC_FIELD(d, "shape.data"));
    if (shape->stats.kind != d->as.shape.kind)
        return refuse(error, PIOLA_ERROR_RANGE, SPEC_FIELD(d, "shape.data"));
    /* Grown by its margin it must stay in its grid. */
    if (shape->stats.kind == PIOLA_SHAPE_DISTANCES && !(d->as.margin < shape->rim))
        return refuse(error, PIOLA_ERROR_RANGE, SPEC_FIELD(d, "margin"));
    return PIOLA_OK;
}

static piola_status check(const struct collider_spec *d, piola_error *error)
{
    if ((unsigned)d->as.shape.kind >= PIOLA_SHAPE_KIND_COUNT)
        return refuse(error, PIOLA_ERROR_RANGE, SPEC_FIELD(d, "shape.kind"));
    const piola_status status = check_numbers(d, error);
    if (status != PIOLA_OK)
        return status;
    if (!quaternion_unit(d->as.rotation))
        return refuse(error, PIOLA_ERROR_RANGE, SPEC_FIELD(d, "rotation"));
    if (d->as.shape.kind == PIOLA_SHAPE_BOX && d->as.shape.radius > least_half(d))
        return refuse(error, PIOLA_ERROR_RANGE, SPEC_FIELD(d, "shape.radius"));
    const piola_status compiled = check_compiled(d, error);
    return compiled == PIOLA_OK && d->rigid ? rigid_check(d, error) : compiled;
}

static struct collider made_from(const struct collider_spec *d)
{
    const piola_shape *shape = &d->as.shape;
    struct collider c = {
        .flags = COLLIDER_ALIVE | (d->sensor ? COLLIDER_SENSOR : 0u),
        .ones = UINT32_MAX,
        .shape = {.kind = (uint32_t)shape->kind,
                  .radius = shape->radius,
                  .margin = d->as.margin,
                  .restitution = d->as.restitution},
    };
    for (int k = 0; k < 3; ++k) {
        c.shape.size[k] =
            shape->kind == PIOLA_SHAPE_BOX ? shape->size[k] - shape->radius : shape->size[k];
        c.position[k] = d->as.position[k];
        c.velocity[k] = d->as.velocity[k];
        c.spin[k] = d->as.angular_velocity[k];
    }
    if (shape->data && c.shape.margin < shape->data->stats.least_margin)
        c.shape.margin = shape->data->stats.least_margin;
    memcpy(c.rotation, d->as.rotation, sizeof c.rotation);
    collider_normalise(c.rotation);
    return c;
}

/* How many there are of a kind, and the first empty slot. */
static uint32_t count_kind(const piola_world *world, bool rigid, uint32_t *empty)
{
    const uint32_t slots = (uint32_t)world->dim[DIM_colliders].capacity;
    uint32_t count = 0;
    *empty = slots;
    for (uint32_t i = slots; i-- > 0;) {
        const bool alive = world_colliders(world)[i].flags & COLLIDER_ALIVE;
        count += alive && (world_rigids(world)[i].mass > 0) == rigid;
        *empty = alive ? *empty : i;
    }
    return count;
}

piola_status collider_make(piola_world *world, const struct collider_spec *spec, uint32_t *index,
                           uint32_t *generation, piola_error *error)
{
    const piola_shape_data *data = spec->as.shape.data;
    uint32_t slot_index;
    piola_status status = check(spec, error);
    if (status != PIOLA_OK)
        return status;
    const uint32_t count = count_kind(world, spec->rigid, &slot_index);
    world->dim[DIM_live_rigids].dropped += spec->rigid && count >= world->desc.max_rigids;
    world->dim[DIM_live_colliders].dropped += !spec->rigid && count >= world->desc.max_colliders;
    if (spec->rigid && count >= world->desc.max_rigids)
        return refuse(error, PIOLA_ERROR_RIGIDS_FULL, "piola_world_desc.max_rigids");
    if (!spec->rigid && count >= world->desc.max_colliders)
        return refuse(error, PIOLA_ERROR_COLLIDERS_FULL, "piola_world_desc.max_colliders");
    const uint32_t shape = data ? shape_registry_find(world, data) : 0;
    world->dim[DIM_shapes].dropped += data && shape == world->dim[DIM_shapes].capacity;
    if (data && shape == world->dim[DIM_shapes].capacity)
        return refuse(error, PIOLA_ERROR_SHAPES_FULL, "piola_world_desc.max_shapes");
    if (data && world->record.memory && world_shape_identities(world)[shape] == 0)
        return refuse(error, PIOLA_ERROR_RECORDING, "shape");
    struct collider *slot = &world_colliders(world)[slot_index];
    *generation = names_give(world, FIELD_collider_names, slot_index, slot->generation);
    *index = slot_index + 1;
    *slot = made_from(spec);
    solid_set_friction(world, slot, spec->as.friction_static, spec->as.friction_kinetic);
    slot->generation = *generation;
    slot->compiled = data ? shape + 1 : 0;
    if (data)
        shape_registry_keep(world, shape, data);
    world_solid_filters(world)[slot_index] =
        filter_made(spec->as.category, spec->as.mask, spec->as.user_data);
    world_rigids(world)[slot_index] = spec->rigid ? rigid_made(spec) : (struct rigid){0};
    colliders_recount(world);
    rest_forget_solid(world, slot_index);
    collide_rouse(world, slot_index);
    return PIOLA_OK;
}

static void record_create(piola_world *world, const piola_collider_desc *desc,
                          piola_collider collider)
{
    piola_collider_desc plain = *desc;
    const uint64_t shape = desc->shape.data ? desc->shape.data->checksum : 0;
    const struct record_call call = {.kind = RECORDED_COLLIDER_CREATE,
                                     .list_bytes = sizeof shape,
                                     .index = collider.index,
                                     .generation = collider.generation};
    plain.shape.data = NULL;
    record_call(world, &call, &plain, &shape);
}

piola_status piola_collider_create(piola_world *world, const piola_collider_desc *desc,
                                   piola_collider *handle, piola_error *error)
{
    IN_PLAIN_MODE;
    const piola_status status = world_asked(world, desc ? &desc->cookie_ : NULL, COOKIE_COLLIDER,
                                            "piola_collider_desc", handle, "collider", error);
    if (status != PIOLA_OK)
        return status;
    struct collider_spec spec = {
        .sensor = desc->sensor,
        .as = {.shape = desc->shape,
               .margin = desc->margin,
               .friction_static = desc->friction_static,
               .friction_kinetic = desc->friction_kinetic,
               .restitution = desc->restitution,
               .category = desc->category,
               .mask = desc->mask,
               .user_data = desc->user_data},
    };
    memcpy(spec.as.position, desc->position, sizeof spec.as.position);
    memcpy(spec.as.rotation, desc->rotation, sizeof spec.as.rotation);
    memcpy(spec.as.velocity, desc->velocity, sizeof spec.as.velocity);
    memcpy(spec.as.angular_velocity, desc->angular_velocity, sizeof spec.as.angular_velocity);
    const piola_status made =
        collider_make(world, &spec, &handle->index, &handle->generation, error);
    if (made == PIOLA_OK)
        record_create(world, desc, *handle);
    return made;
}

void collider_remove(piola_world *world, struct collider *collider)
{
    const uint32_t slot = (uint32_t)(collider - world_colliders(world));
    collide_rouse(world, slot);
    rest_forget_solid(world, slot);
    *collider = (struct collider){.generation = collider->generation};
    world_solid_filters(world)[slot] = (struct filter){0, 0, 0};
    if (world->dim[DIM_collider_lags].capacity > 0)
        world_collider_lags(world)[slot] = (struct collider_lag){.late = 0};
    world_rigids(world)[slot] = (struct rigid){0};
    rigid_presses_forget(world, slot);
    colliders_recount(world);
}

piola_status piola_collider_destroy(piola_world *world, piola_collider handle)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    struct collider *collider = collider_find(world, handle);
    if (!collider)
        return PIOLA_ERROR_STALE;
    record_named(world, RECORDED_COLLIDER_DESTROY, handle.index, handle.generation);
    collider_remove(world, collider);
    return PIOLA_OK;
}

/* Both kinds are told where to go in the same way, and commands of both have the same layout. */
static bool carry(struct collider *c, uint32_t kind, const piola_command *command)
{
    const float *v = command->as.collider_move.position;
    switch (kind) {
    case PIOLA_COMMAND_COLLIDER_MOVE:
        memcpy(c->goal, v, sizeof c->goal);
        c->flags |= COLLIDER_GOES;
        break;
    case PIOLA_COMMAND_COLLIDER_TURN:
        memcpy(c->heading, command->as.collider_turn.rotation, sizeof c->heading);
        collider_normalise(c->heading);
        c->flags |= COLLIDER_TURNS;
        break;
    case PIOLA_COMMAND_COLLIDER_VELOCITY:
        memcpy(c->velocity, v, sizeof c->velocity);
        break;
    case PIOLA_COMMAND_COLLIDER_SPIN:
        memcpy(c->spin, v, sizeof c->spin);
        break;
    default:
        break;
    }
    return true;
}

_Static_assert(PIOLA_COMMAND_RIGID_SPIN - PIOLA_COMMAND_RIGID_MOVE ==
                   PIOLA_COMMAND_COLLIDER_SPIN - PIOLA_COMMAND_COLLIDER_MOVE,
               "rigid bodies are carried by commands in the order of colliders'");

bool collider_apply(piola_world *world, const piola_command *command)
{
    const bool rigid = command->kind >= PIOLA_COMMAND_RIGID_MOVE;
    const piola_collider handle = command->as.collider_move.collider;
    struct collider *c = collider_in_slot(world, handle.index, handle.generation, rigid);
    if (!c)
        return false;
    if (rigid)
        rigid_apply_command(world, handle.index - 1, command);
    return carry(c,
                 rigid ? command->kind - PIOLA_COMMAND_RIGID_MOVE + PIOLA_COMMAND_COLLIDER_MOVE
                       : command->kind,
                 command);
}

static void set_filter(piola_world *world, uint32_t slot, const piola_command *c)
{
    struct filter *filters = world_solid_filters(world);
    uint64_t used = world->dim[DIM_solid_filters].used;
    filters[slot] = filter_made(c->as.collider_filter.category, c->as.collider_filter.mask,
                                filters[slot].user_data);
    used = used > slot ? used : slot + UINT64_C(1);
    while (used > 0 && filter_plain(filters[used - 1]))
        --used;
    dimension_use(world, DIM_solid_filters, used);
}

/* What of a collider or a rigid body may change besides its motion. */
bool solid_apply(piola_world *world, const piola_command *c)
{
    const piola_collider handle = c->as.collider_number.collider;
    const bool rigid = c->kind >= PIOLA_COMMAND_RIGID_MOVE;
    struct collider *solid = collider_in_slot(world, handle.index, handle.generation, rigid);
    if (!solid)
        return false;
    collide_rouse(world, handle.index - 1);
    switch (c->kind) {
    case PIOLA_COMMAND_COLLIDER_FRICTION:
    case PIOLA_COMMAND_RIGID_FRICTION:
        solid_set_friction(world, solid, c->as.collider_pair.value[0],
                           c->as.collider_pair.value[1]);
        return true;
    case PIOLA_COMMAND_COLLIDER_RESTITUTION:
    case PIOLA_COMMAND_RIGID_RESTITUTION:
        solid->shape.restitution = c->as.collider_number.value;
        return true;
    case PIOLA_COMMAND_RIGID_DAMPING:
        world_rigids(world)[handle.index - 1].damping = c->as.rigid_number.value;
        return true;
    case PIOLA_COMMAND_RIGID_GRAVITY_SCALE:
        world_rigids(world)[handle.index - 1].gravity_scale = c->as.rigid_number.value;
        return true;
    default:
        set_filter(world, handle.index - 1, c);
        collide_rouse(world, handle.index - 1);
        return true;
    }
}
