/* tool_force.c - forces for a hand, between a world's steps: docs/method/tools.md.
 *
 * All of it is the device's thread's, but for the models, which come through a triple buffer. A
 * model is a force and its slope at a pose. When a new one comes, what it differs from the old one
 * by, at the device's pose, is led to nothing within some time: the force itself never jumps.
 */
#include "base/cookies.h"
#include "base/exact_rotation.h"
#include "base/float_mode.h"
#include "base/ranges.h"
#include "base/refuse.h"
#include "base/spatial6.h"
#include "base/symmetric3.h"
#include "base/triple_buffer.h"

#define MODELS 3u
/* Periods of the world in which the force goes over to a new model. */
#define BLEND 1.5

struct piola_haptic {
    struct triple_buffer buffer;
    piola_tool_model models[MODELS];
    /* The device's thread's own, from here on. */
    _Alignas(PIOLA_ALIGNMENT) uint64_t sequence;
    piola_haptic_desc desc;
    piola_tool_model model; /* in use; none while `sequence` is 0 */
    double from[6];         /* N, N m: what the force was more than the model's when that came */
    double since;           /* s: when it came */
    /* The last call: time, pose, force. */
    double time, position[3], rotation[4], force[6];
    piola_haptic_info info;
};

piola_haptic_desc piola_haptic_desc_default(void)
{
    return (piola_haptic_desc){
        .cookie_ = COOKIE_HAPTIC,
        .max_force = 10,
        .max_torque = 0.5f,
        .max_stiffness = 2000,
        .max_rise = 2000,
        .passive = true,
        .max_damping = 20,
        .reserve = 0.05f,
        .fade_after = 0.05f,
        .fade_time = 0.1f,
    };
}

size_t piola_haptic_size(void)
{
    return sizeof(struct piola_haptic);
}

static piola_status check(const piola_haptic_desc *d, piola_error *error)
{
    const struct range_row rows[] = {
        {&d->max_force, 1, 0, 1e6f, "piola_haptic_desc.max_force"},
        {&d->max_torque, 1, 0, 1e6f, "piola_haptic_desc.max_torque"},
        {&d->max_stiffness, 1, 0, 1e9f, "piola_haptic_desc.max_stiffness"},
        {&d->max_rise, 1, 1e-9f, 1e12f, "piola_haptic_desc.max_rise"},
        {&d->max_damping, 1, 0, 1e6f, "piola_haptic_desc.max_damping"},
        {&d->reserve, 1, 0, 1e9f, "piola_haptic_desc.reserve"},
        {&d->fade_after, 1, 0, 1e6f, "piola_haptic_desc.fade_after"},
        {&d->fade_time, 1, 0, 1e6f, "piola_haptic_desc.fade_time"},
    };
    return ranges_refuse(rows, sizeof rows / sizeof *rows, error);
}

piola_status piola_haptic_create(const piola_haptic_desc *desc, void *memory, size_t bytes,
                                 piola_haptic **haptic, piola_error *error)
{
    if (!desc || !memory || !haptic)
        return refuse(error, PIOLA_ERROR_NULL,
                      !desc     ? "piola_haptic_desc"
                      : !memory ? "memory"
                                : "haptic");
    if (desc->cookie_ != COOKIE_HAPTIC)
        return refuse(error, PIOLA_ERROR_COOKIE, "piola_haptic_desc");
    const piola_status status = check(desc, error);
    if (status != PIOLA_OK)
        return status;
    if ((uintptr_t)memory % PIOLA_ALIGNMENT != 0)
        return refuse(error, PIOLA_ERROR_ALIGNMENT, "memory");
    if (bytes < sizeof(struct piola_haptic))
        return refuse(error, PIOLA_ERROR_MEMORY, "memory");
    struct piola_haptic *h = memory;
    memset(h, 0, sizeof *h);
    triple_init(&h->buffer, 1, 0);
    h->desc = *desc;
    *haptic = h;
    return PIOLA_OK;
}

static bool finite(const float *values, int count)
{
    bool good = true;
    for (int k = 0; k < count; ++k)
        good = good && values[k] - values[k] == 0;
    return good;
}

piola_status piola_haptic_publish(piola_haptic *haptic, const piola_tool_model *model)
{
    if (!haptic || !model)
        return PIOLA_ERROR_NULL;
    if (!(model->time - model->time == 0 && model->period - model->period == 0) ||
        !finite(model->position, 3) || !finite(model->rotation, 4) || !finite(model->force, 3) ||
        !finite(model->torque, 3) || !finite(model->stiffness, 6) ||
        !finite(model->turn_stiffness, 6) || !finite(model->normal, 3) ||
        !finite(&model->damping, 1))
        return PIOLA_ERROR_NOT_FINITE;
    haptic->models[triple_write(&haptic->buffer)] = *model;
    triple_publish(&haptic->buffer);
    return PIOLA_OK;
}

piola_status piola_tool_publish(const piola_world *world, piola_tool tool, double time,
                                piola_haptic *haptic)
{
    piola_tool_model model;
    const piola_status status = piola_tool_model_of(world, tool, time, &model);
    return status == PIOLA_OK ? piola_haptic_publish(haptic, &model) : status;
}

/* ---- a model at a pose -------------------------------------------------------------------------
 */

/* out -= factor m v. */
static void take_product(const float m[6], double factor, const double v[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            out[i] -= factor * (double)m[symmetric3_place[i][j]] * v[j];
}

/* No stiffer than may be, whichever way it is pushed: its rows' sums bound it. */
static double softened(const float m[6], double most)
{
    double greatest = 0;
    for (int i = 0; i < 3; ++i) {
        double sum = 0;
        for (int j = 0; j < 3; ++j)
            sum += fabs((double)m[symmetric3_place[i][j]]);
        greatest = sum > greatest ? sum : greatest;
    }
    return greatest > most ? most / greatest : 1;
}

/* What touches only pushes: where it would pull, nothing is touched; and what is across ends with
 * what is along. */
static void push_only(const piola_tool_model *m, double f[6])
{
    double n[3], across = 0, rest = 0, first = 0, along;
    for (int k = 0; k < 3; ++k) {
        n[k] = (double)m->normal[k];
        first += n[k] * (double)m->force[k];
    }
    if (n[0] == 0 && n[1] == 0 && n[2] == 0)
        return;
    along = dot3(f, n);
    if (!(along > 0)) {
        memset(f, 0, 6 * sizeof *f);
        return;
    }
    for (int k = 0; k < 3; ++k) {
        const double was = (double)m->force[k] - first * n[k], now = f[k] - along * n[k];
        rest += was * was;
        across += now * now;
    }
    const double grip = first > 0 ? sqrt(rest) / first + 1 : 1, size = sqrt(across);
    const double keep = size > grip * along ? grip * along / size : 1;
    for (int k = 0; k < 3; ++k) {
        f[k] = along * n[k] + keep * (f[k] - along * n[k]);
        f[3 + k] *= first > along ? along / first : 1;
    }
}

struct pose {
    double position[3], rotation[4], velocity[6];
};

static void force_of(const struct piola_haptic *h, const struct pose *at, double f[6])
{
    const piola_tool_model *m = &h->model;
    const double soft = softened(m->stiffness, (double)h->desc.max_stiffness);
    double way[3], turn[3], q[4], n[3];
    for (int k = 0; k < 4; ++k)
        q[k] = (double)m->rotation[k];
    rotation_between(at->rotation, q, turn);
    for (int k = 0; k < 3; ++k) {
        n[k] = (double)m->normal[k];
        way[k] = at->position[k] - (double)m->position[k];
        f[k] = (double)m->force[k];
        f[3 + k] = (double)m->torque[k];
    }
    const double damp = (double)m->damping * dot3(n, at->velocity);
    take_product(m->stiffness, soft, way, f);
    take_product(m->turn_stiffness, soft, turn, f + 3);
    if (dot3(f, n) > 0)
        for (int k = 0; k < 3; ++k)
            f[k] -= damp * n[k];
    push_only(m, f);
}

/* ---- a call -------------------------------------------------------------------------------------
 */

/* With what is left of the model before, and less of one that is stale. */
static void blended(struct piola_haptic *h, const struct pose *at, double time, double f[6])
{
    const piola_haptic_desc *d = &h->desc;
    const double late = time - h->model.time - (double)d->fade_after;
    const double span = BLEND * h->model.period;
    double fresh = 1, left = 0;
    force_of(h, at, f);
    if (late > 0)
        fresh = late < (double)d->fade_time ? 1 - late / (double)d->fade_time : 0;
    if (span > 0 && time < h->since + span)
        left = 1 - (time - h->since) / span;
    for (int i = 0; i < 6; ++i)
        f[i] = fresh * (f[i] + left * h->from[i]);
    h->info.faded = late > 0;
    h->info.age = time - h->model.time;
}

/* Takes the newest model, and remembers what the force was more than it says. */
static void take_model(struct piola_haptic *h, const struct pose *at, double time)
{
    uint32_t slot;
    double was[6] = {0}, now[6];
    if (!triple_acquire(&h->buffer, 0, &slot) || h->buffer.slot[slot].sequence == h->sequence)
        return;
    if (h->sequence > 0)
        blended(h, at, time, was);
    h->sequence = h->buffer.slot[slot].sequence;
    h->model = h->models[slot];
    h->since = time;
    ++h->info.models;
    force_of(h, at, now);
    for (int i = 0; i < 6; ++i)
        h->from[i] = was[i] - now[i];
}

/* What the hand gave since the last call: the force was held meanwhile. */
static void observe(struct piola_haptic *h, const struct pose *at, double time)
{
    const double held = time - h->time;
    for (int i = 0; i < 6; ++i)
        h->info.energy -= held * h->force[i] * at->velocity[i];
    if (h->info.energy > (double)h->desc.reserve)
        h->info.energy = (double)h->desc.reserve;
}

/* What the hand got and did not give is taken back in the time to the next call, by a damper. */
static void control(struct piola_haptic *h, const struct pose *at, double held, double f[6])
{
    const double square = dot3(at->velocity, at->velocity);
    double damping = 0;
    if (h->desc.passive && h->info.energy < 0 && square > 0)
        damping = -h->info.energy / (held * square);
    if (damping > (double)h->desc.max_damping)
        damping = (double)h->desc.max_damping;
    h->info.damping = (float)damping;
    h->info.taken += held * damping * square;
    for (int k = 0; k < 3; ++k)
        f[k] -= damping * at->velocity[k];
}

static double size_of(const double v[3])
{
    return sqrt(dot3(v, v));
}

static bool shorten(double v[3], double most)
{
    const double size = size_of(v);
    for (int k = 0; k < 3 && size > most; ++k)
        v[k] *= most / size;
    return size > most;
}

static void cap(struct piola_haptic *h, double held, double f[6])
{
    const double before = size_of(h->force);
    const bool fast = shorten(f, before + held * (double)h->desc.max_rise);
    h->info.capped = shorten(f, (double)h->desc.max_force) || fast;
    shorten(f + 3, (double)h->desc.max_torque);
}

static bool read_pose(const struct piola_haptic *h, const float position[3],
                      const float rotation[4], double time, struct pose *at)
{
    const double held = time - h->time;
    const bool moved = h->info.calls > 0 && held > 0;
    double turn[3];
    bool good =
        position && finite(position, 3) && (!rotation || finite(rotation, 4)) && time - time == 0;
    for (int k = 0; k < 3 && good; ++k) {
        at->position[k] = (double)position[k];
        at->velocity[k] = moved ? (at->position[k] - h->position[k]) / held : 0;
    }
    for (int k = 0; k < 4 && good; ++k)
        at->rotation[k] = rotation          ? (double)rotation[k]
                          : h->sequence > 0 ? (double)h->model.rotation[k]
                                            : (double)(k == 3);
    if (!good || !(at->rotation[0] != 0 || at->rotation[1] != 0 || at->rotation[2] != 0 ||
                   at->rotation[3] != 0))
        return false;
    rotation_unit(at->rotation);
    if (moved)
        rotation_between(at->rotation, h->rotation, turn);
    for (int k = 0; k < 3; ++k)
        at->velocity[3 + k] = moved && rotation ? turn[k] / held : 0;
    return true;
}

void piola_tool_force(piola_haptic *h, const float position[3], const float rotation[4],
                      double time, float force[3], float torque[3])
{
    IN_PLAIN_MODE;
    struct pose at = {0};
    double f[6] = {0};
    if (!h || !force)
        return;
    const bool good = read_pose(h, position, rotation, time, &at);
    const double held = time - h->time;
    if (good && h->info.calls > 0)
        observe(h, &at, time);
    if (good)
        take_model(h, &at, time);
    if (good && h->sequence > 0) {
        blended(h, &at, time, f);
        if (h->info.calls > 0 && held > 0)
            control(h, &at, held, f);
        cap(h, h->info.calls > 0 && held > 0 ? held : 0, f);
    }
    for (int k = 0; k < 3; ++k) {
        force[k] = (float)f[k];
        if (torque)
            torque[k] = (float)f[3 + k];
    }
    memcpy(h->force, f, sizeof h->force);
    if (!good)
        return;
    memcpy(h->position, at.position, sizeof h->position);
    memcpy(h->rotation, at.rotation, sizeof h->rotation);
    h->time = time;
    ++h->info.calls;
}

void piola_haptic_inspect(const piola_haptic *haptic, piola_haptic_info *info)
{
    if (haptic && info)
        *info = haptic->info;
}
