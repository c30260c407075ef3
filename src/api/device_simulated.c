/* device_simulated.c - a haptic device that is computed: a mass on each axis with a damper,
 * Coulomb's friction, an encoder, a delay, and a hand that holds it by a spring and damper.
 *
 * It goes on when it is read or written, in steps of its own, between which the motors' force is
 * held: what it is to the loop, a real one is.
 */
#include "base/cookies.h"
#include "base/float_mode.h"
#include "base/ranges.h"
#include "base/refuse.h"

#include <math.h>
#include <string.h>

/* Forces that have been written and do not act yet. */
#define WAITING 256u
/* Steps of one call: a call that comes later than these last finds the device there. */
#define MOST_STEPS 1000000u

struct simulated {
    piola_simulated_desc desc;
    double time, position[3], velocity[3], force[3];
    double target[3], push[3];
    double waits[WAITING][4]; /* a ring: time at which it acts, force */
    uint32_t first, waiting;
    double work, given;
};

piola_simulated_desc piola_simulated_desc_default(void)
{
    return (piola_simulated_desc){
        .cookie_ = COOKIE_SIMULATED,
        .mass = 0.2f,
        .damping = 1,
        .hand_stiffness = 300,
        .hand_damping = 5,
        .rotation = {0, 0, 0, 1},
        .step = 2e-5,
    };
}

size_t piola_simulated_size(void)
{
    return sizeof(struct simulated);
}

/* Where the hand aims at a time. */
static void aim_at(const struct simulated *s, double time, double target[3])
{
    const piola_simulated_desc *d = &s->desc;
    memcpy(target, s->target, sizeof s->target);
    if (!d->trajectory)
        return;
    const double last = (double)(d->samples - 1), at = time / d->interval;
    const double inside = at < 0 ? 0 : at > last ? last : at;
    const uint32_t i = (uint32_t)inside, next = i + 1 < d->samples ? i + 1 : i;
    const double share = inside - (double)i;
    for (int k = 0; k < 3; ++k)
        target[k] = (1 - share) * (double)d->trajectory[3 * (size_t)i + (size_t)k] +
                    share * (double)d->trajectory[3 * (size_t)next + (size_t)k];
}

static double rubbed(double speed, double most)
{
    return speed > most ? speed - most : speed < -most ? speed + most : 0;
}

/* Symplectic Euler: a spring gets no damping by it. Dampers implicitly. */
static void advance(struct simulated *s, double h)
{
    const piola_simulated_desc *d = &s->desc;
    const double stiffness = (double)d->hand_stiffness, damping = (double)d->hand_damping;
    const double mass = (double)d->mass;
    double from[3], to[3];
    aim_at(s, s->time, from);
    aim_at(s, s->time + h, to);
    for (int k = 0; k < 3; ++k) {
        const double x = s->position[k], pace = (to[k] - from[k]) / h;
        const double pull = s->push[k] + stiffness * (from[k] - x) + damping * pace;
        double v = (mass * s->velocity[k] + h * (pull + s->force[k])) /
                   (mass + h * (damping + (double)d->damping));
        v = rubbed(v, h * (double)d->friction / mass);
        s->work += h * v * (pull - damping * v);
        s->given += h * v * s->force[k];
        s->velocity[k] = v;
        s->position[k] += h * v;
    }
    s->time += h;
}

/* Forces whose time has come act. */
static void apply(struct simulated *s)
{
    while (s->waiting > 0 && s->waits[s->first][0] <= s->time) {
        memcpy(s->force, s->waits[s->first] + 1, sizeof s->force);
        s->first = (s->first + 1) % WAITING;
        --s->waiting;
    }
}

static void go_on(struct simulated *s, double time)
{
    /* What is left at the end that is shorter than rounding takes is no step. */
    const double least = 1e-6 * s->desc.step;
    uint32_t steps = 0;
    apply(s);
    while (time - s->time > least && steps++ < MOST_STEPS) {
        double h = time - s->time;
        h = h < s->desc.step ? h : s->desc.step;
        if (s->waiting > 0 && s->waits[s->first][0] - s->time < h)
            h = s->waits[s->first][0] - s->time;
        advance(s, h > least ? h : least);
        apply(s);
    }
}

static piola_status read_simulated(void *context, double time, float position[3], float rotation[4])
{
    IN_PLAIN_MODE;
    struct simulated *s = context;
    go_on(s, time);
    for (int k = 0; k < 3; ++k) {
        const double unit = (double)s->desc.resolution, x = s->position[k];
        double at = x;
        if (unit > 0 && fabs(x / unit) < 1e15)
            at = unit * (double)(int64_t)(x / unit + (x < 0 ? -0.5 : 0.5));
        position[k] = (float)at;
    }
    if (rotation)
        memcpy(rotation, s->desc.rotation, sizeof s->desc.rotation);
    return PIOLA_OK;
}

static piola_status write_simulated(void *context, double time, const float force[3],
                                    const float torque[3])
{
    IN_PLAIN_MODE;
    struct simulated *s = context;
    (void)torque;
    go_on(s, time);
    if (s->waiting == WAITING)
        return PIOLA_ERROR_RANGE;
    double *wait = s->waits[(s->first + s->waiting++) % WAITING];
    wait[0] = time + (double)s->desc.delay;
    for (int k = 0; k < 3; ++k)
        wait[1 + k] = (double)force[k];
    apply(s);
    return PIOLA_OK;
}

static void close_simulated(void *context)
{
    struct simulated *s = context;
    s->waiting = 0;
    memset(s->force, 0, sizeof s->force);
}

static piola_status check(const piola_simulated_desc *d, piola_error *error)
{
    const struct range_row rows[] = {
        {&d->mass, 1, 1e-6f, 1e3f, "piola_simulated_desc.mass"},
        {&d->damping, 1, 0, 1e6f, "piola_simulated_desc.damping"},
        {&d->friction, 1, 0, 1e6f, "piola_simulated_desc.friction"},
        {&d->resolution, 1, 0, 1, "piola_simulated_desc.resolution"},
        {&d->delay, 1, 0, 1, "piola_simulated_desc.delay"},
        {&d->hand_stiffness, 1, 0, 1e9f, "piola_simulated_desc.hand_stiffness"},
        {&d->hand_damping, 1, 0, 1e6f, "piola_simulated_desc.hand_damping"},
        {d->position, 3, -1e9f, 1e9f, "piola_simulated_desc.position"},
        {d->rotation, 4, -1.01f, 1.01f, "piola_simulated_desc.rotation"},
    };
    const piola_status status = ranges_refuse(rows, sizeof rows / sizeof *rows, error);
    if (status != PIOLA_OK)
        return status;
    /* Longer steps would not follow the swing of the handle in the hand. */
    if (!(d->step >= 1e-7 && d->step <= 1e-2) ||
        d->step * d->step * (double)d->hand_stiffness > (double)d->mass)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_simulated_desc.step");
    if (d->trajectory && (d->samples == 0 || !(d->interval >= 1e-6 && d->interval <= 1e6)))
        return refuse(error, PIOLA_ERROR_RANGE,
                      d->samples == 0 ? "piola_simulated_desc.samples"
                                      : "piola_simulated_desc.interval");
    for (uint32_t i = 0; d->trajectory && i < d->samples; ++i)
        if (range_check(d->trajectory + 3 * (size_t)i, 3, -1e9f, 1e9f) != PIOLA_OK)
            return refuse_item(error, PIOLA_ERROR_RANGE, "piola_simulated_desc.trajectory", i);
    return PIOLA_OK;
}

piola_status piola_simulated_create(const piola_simulated_desc *desc, void *memory, size_t bytes,
                                    piola_device *device, piola_error *error)
{
    if (!desc || !memory || !device)
        return refuse(error, PIOLA_ERROR_NULL,
                      !desc     ? "piola_simulated_desc"
                      : !memory ? "memory"
                                : "device");
    if (desc->cookie_ != COOKIE_SIMULATED)
        return refuse(error, PIOLA_ERROR_COOKIE, "piola_simulated_desc");
    const piola_status status = check(desc, error);
    if (status != PIOLA_OK)
        return status;
    if ((uintptr_t)memory % PIOLA_ALIGNMENT != 0)
        return refuse(error, PIOLA_ERROR_ALIGNMENT, "memory");
    if (bytes < sizeof(struct simulated))
        return refuse(error, PIOLA_ERROR_MEMORY, "memory");
    struct simulated *s = memory;
    memset(s, 0, sizeof *s);
    s->desc = *desc;
    for (int k = 0; k < 3; ++k)
        s->target[k] = (double)desc->position[k];
    memcpy(s->position, s->target, sizeof s->position);
    *device = (piola_device){s, read_simulated, write_simulated, close_simulated};
    return PIOLA_OK;
}

static struct simulated *simulated_of(const piola_device *device)
{
    return device && device->read == read_simulated ? device->context : NULL;
}

piola_status piola_simulated_aim(const piola_device *device, const float target[3],
                                 const float push[3])
{
    struct simulated *s = simulated_of(device);
    if (!s || !target)
        return PIOLA_ERROR_NULL;
    piola_status status = range_check(target, 3, -1e9f, 1e9f);
    if (status == PIOLA_OK && push)
        status = range_check(push, 3, -1e9f, 1e9f);
    for (int k = 0; k < 3 && status == PIOLA_OK; ++k) {
        s->target[k] = (double)target[k];
        s->push[k] = push ? (double)push[k] : 0;
    }
    return status;
}

piola_status piola_simulated_inspect(const piola_device *device, piola_simulated_info *info)
{
    const struct simulated *s = simulated_of(device);
    if (!s || !info)
        return PIOLA_ERROR_NULL;
    *info = (piola_simulated_info){.work = s->work, .given = s->given};
    memcpy(info->position, s->position, sizeof info->position);
    memcpy(info->velocity, s->velocity, sizeof info->velocity);
    return PIOLA_OK;
}

piola_status piola_device_tick(const piola_device *device, piola_haptic *haptic, double time)
{
    static const float none[3] = {0, 0, 0};
    float position[3], rotation[4] = {0, 0, 0, 1}, force[3], torque[3];
    if (!device || !haptic || !device->read || !device->write)
        return PIOLA_ERROR_NULL;
    const piola_status status = device->read(device->context, time, position, rotation);
    if (status != PIOLA_OK) {
        (void)device->write(device->context, time, none, none);
        return status;
    }
    piola_tool_force(haptic, position, rotation, time, force, torque);
    return device->write(device->context, time, force, torque);
}
