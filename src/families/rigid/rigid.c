/* rigid.c - mass of colliders: descriptions, commands, state between steps.
 *
 * What happens in a substep: rigid_move.c. How it turns: rigid_spin.c.
 */
#include "families/rigid/rigid.h"
#include "base/ranges.h"
#include "base/refuse.h"
#include "world/rest.h"

#include "base/exact_rotation.h"

#define PI       3.14159265358979323846
#define FARTHEST 1e9

/* Shapes that are bounded and whose middle is their origin. */
static bool has_own_inertia(piola_shape_kind shape)
{
    return shape == PIOLA_SHAPE_SPHERE || shape == PIOLA_SHAPE_CAPSULE || shape == PIOLA_SHAPE_BOX;
}

/* Of a solid of even density; a box counts as if its edges were sharp. */
static void inertia_of_shape(const struct collider_spec *d, double out[3])
{
    const double m = (double)d->as.mass, r = (double)d->as.shape.radius;
    const double *s = (const double[3]){(double)d->as.shape.size[0], (double)d->as.shape.size[1],
                                        (double)d->as.shape.size[2]};
    if (d->as.shape.kind == PIOLA_SHAPE_BOX) {
        for (int k = 0; k < 3; ++k) {
            const double a = s[(k + 1) % 3], b = s[(k + 2) % 3];
            out[k] = m * (a * a + b * b) / 3;
        }
        return;
    }
    out[0] = out[1] = out[2] = 0.4 * m * r * r;
    if (d->as.shape.kind != PIOLA_SHAPE_CAPSULE || !(r > 0))
        return;
    /* Two halves of a ball, whose centres are 3/8 of the radius beyond the ends, and a rod. */
    const double h = s[1], ball = 4.0 / 3 * PI * r * r * r, rod = 2 * PI * r * r * h;
    const double mb = m * ball / (ball + rod), mr = m - mb;
    out[1] = 0.4 * mb * r * r + 0.5 * mr * r * r;
    out[0] = out[2] = mb * (0.4 * r * r + h * h + 0.75 * h * r) + mr * (h * h / 3 + r * r / 4);
}

static void inertia_of(const struct collider_spec *d, double out[3])
{
    inertia_of_shape(d, out);
    for (int k = 0; k < 3; ++k)
        out[k] = d->as.inertia[k] > 0 ? (double)d->as.inertia[k] : out[k];
}

/* What is accepted here a snapshot must accept too: both ask about the same doubles. */
static piola_status check_inertia(const struct collider_spec *d, piola_error *error)
{
    uint32_t item = 0;
    double inertia[3];
    inertia_of(d, inertia);
    if (rigid_inertia_sound((double)d->as.mass, inertia, &item))
        return PIOLA_OK;
    return refuse_item(error, PIOLA_ERROR_RANGE, SPEC_FIELD(d, "inertia"), item);
}

piola_status rigid_check(const struct collider_spec *d, piola_error *error)
{
    const struct range_row rows[] = {
        {&d->as.mass, 1, 0, 1e9f, SPEC_FIELD(d, "mass")},
        {d->as.inertia, 3, 0, 1e12f, SPEC_FIELD(d, "inertia")},
        {&d->as.gravity_scale, 1, -1e6f, 1e6f, SPEC_FIELD(d, "gravity_scale")},
        {&d->as.damping, 1, 0, 1e6f, SPEC_FIELD(d, "damping")},
    };
    const piola_status numbers = ranges_refuse(rows, sizeof rows / sizeof *rows, error);
    if (numbers != PIOLA_OK)
        return numbers;
    const bool given = d->as.inertia[0] > 0 && d->as.inertia[1] > 0 && d->as.inertia[2] > 0;
    const bool none = d->as.inertia[0] == 0 && d->as.inertia[1] == 0 && d->as.inertia[2] == 0;
    const bool open = d->as.shape.kind == PIOLA_SHAPE_PLANE ||
                      d->as.shape.kind == PIOLA_SHAPE_WALL ||
                      d->as.shape.kind == PIOLA_SHAPE_HEIGHTS;
    if (d->as.mass < 1e-9f)
        return refuse(error, PIOLA_ERROR_RANGE, SPEC_FIELD(d, "mass"));
    if (open)
        return refuse(error, PIOLA_ERROR_RANGE, SPEC_FIELD(d, "shape.kind"));
    if (!given && !(none && has_own_inertia(d->as.shape.kind)))
        return refuse(error, PIOLA_ERROR_RANGE, SPEC_FIELD(d, "inertia"));
    return check_inertia(d, error);
}

struct rigid rigid_made(const struct collider_spec *d)
{
    struct rigid r = {0};
    double rotation[4], spin[3], inertia[3][3], norm = 0;
    r.mass = (double)d->as.mass;
    inertia_of(d, r.inertia);
    for (int k = 0; k < 4; ++k) {
        rotation[k] = (double)d->as.rotation[k];
        norm += rotation[k] * rotation[k];
    }
    for (int k = 0; k < 4; ++k)
        r.rotation[k] = rotation[k] / sqrt(norm);
    for (int k = 0; k < 3; ++k) {
        r.position[k] = (double)d->as.position[k];
        r.velocity[k] = (double)d->as.velocity[k];
        spin[k] = (double)d->as.angular_velocity[k];
    }
    rigid_inertia(&r, r.rotation, inertia);
    for (int k = 0; k < 3; ++k)
        r.momentum[k] = dot3(inertia[k], spin);
    r.gravity_scale = d->as.gravity_scale;
    r.damping = d->as.damping;
    rigid_bound(&r);
    return r;
}

static bool within(const double *values, int count, double low, double high)
{
    bool fit = true;
    for (int k = 0; k < count; ++k)
        fit = fit && values[k] >= low && values[k] <= high;
    return fit;
}

static bool possible(const struct rigid *r, const struct collider *c)
{
    const unsigned char *bytes = (const unsigned char *)r;
    bool none = true;
    for (size_t i = 0; i < sizeof *r; ++i)
        none = none && bytes[i] == 0;
    if (none)
        return true;
    uint32_t item;
    const double *q = r->rotation;
    const double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    bool finite = r->gravity_scale - r->gravity_scale == 0 && r->damping >= 0 && r->damping <= 1e6f;
    for (int k = 0; k < 3; ++k)
        finite = finite && r->force[k] - r->force[k] == 0;
    return (c->flags & COLLIDER_ALIVE) && c->shape.kind != PIOLA_SHAPE_PLANE && finite &&
           within(&r->mass, 1, 1e-10, 1e10) && within(r->inertia, 3, 0, 1e30) &&
           rigid_inertia_sound(r->mass, r->inertia, &item) &&
           within(r->position, 3, -FARTHEST, FARTHEST) && norm > 0.99 && norm < 1.01 &&
           within(r->velocity, 3, -1e18, 1e18) && within(r->momentum, 3, -1e60, 1e60);
}

bool rigids_valid(const struct stored *stored, enum field field)
{
    bool sane = true;
    (void)field;
    for (uint64_t i = 0; sane && i < stored->dim[DIM_rigids].used; ++i) {
        const struct rigid r = stored_rigids(stored, i);
        struct collider c = {0};
        if (i < stored->dim[DIM_colliders].used)
            c = stored_colliders(stored, i);
        sane = possible(&r, &c);
    }
    return sane;
}

static void set_spin(struct rigid *r, const double spin[3])
{
    double inertia[3][3];
    rigid_inertia(r, r->rotation, inertia);
    for (int k = 0; k < 3; ++k)
        r->momentum[k] = dot3(inertia[k], spin);
}

void rigid_apply_command(const piola_world *world, uint32_t slot, const piola_command *command)
{
    struct rigid *r = &world_rigids(world)[slot];
    const float *value = command->as.rigid_move.position;
    const double v[3] = {(double)value[0], (double)value[1], (double)value[2]};
    for (int k = 0; k < 3; ++k)
        switch (command->kind) {
        case PIOLA_COMMAND_RIGID_VELOCITY:
            r->velocity[k] = v[k];
            break;
        case PIOLA_COMMAND_RIGID_IMPULSE:
            r->velocity[k] += v[k] / r->mass;
            break;
        case PIOLA_COMMAND_RIGID_TWIST:
            r->momentum[k] += v[k];
            break;
        case PIOLA_COMMAND_RIGID_FORCE:
            r->force[k] = value[k];
            break;
        default:
            break;
        }
    if (command->kind == PIOLA_COMMAND_RIGID_SPIN)
        set_spin(r, v);
    rigid_bound(r);
}

/* Carried by a command: what its way says of its motion, so that it flies on when let go. */
static void follow(const struct collider *c, struct rigid *r, double dt)
{
    double q[4], spin[3];
    for (int k = 0; k < 3; ++k) {
        r->velocity[k] = ((double)c->goal[k] - r->position[k]) / dt;
        r->position[k] = (double)c->goal[k];
    }
    for (int k = 0; k < 4; ++k)
        q[k] = (double)c->heading[k];
    rotation_unit(q);
    rotation_between(q, r->rotation, spin);
    /* Only told where to go, it turned with its spin, and maybe round and round. */
    for (int k = 0; k < 3; ++k)
        spin[k] = c->flags & COLLIDER_TURNS ? spin[k] / dt : (double)c->spin[k];
    memcpy(r->rotation, q, sizeof r->rotation);
    set_spin(r, spin);
    rigid_bound(r);
}

/* Rounded, the fastest could be above what a snapshot takes. */
static float told(double speed)
{
    return (float)(speed > FARTHEST ? FARTHEST : speed < -FARTHEST ? -FARTHEST : speed);
}

void rigid_arrive(const piola_world *world)
{
    for (uint32_t i = 0; i < rigid_end(world); ++i) {
        struct rigid *r = &world_rigids(world)[i];
        struct collider *c = &world_colliders(world)[i];
        double spin[3];
        if (!rigid_is(world, i) || solid_asleep(world, i))
            continue;
        if (world_rigid_now(world)[i].held)
            follow(c, r, (double)world->desc.dt);
        rigid_spin(r, r->rotation, r->momentum, spin);
        for (int k = 0; k < 3; ++k) {
            c->goal[k] = (float)r->position[k];
            c->velocity[k] = told(r->velocity[k]);
            c->spin[k] = told(spin[k]);
        }
        for (int k = 0; k < 4; ++k)
            c->heading[k] = (float)r->rotation[k];
    }
}
