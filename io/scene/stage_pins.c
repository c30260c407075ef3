/* stage_pins.c - which vertices are held, and where they are led.
 *
 * What a step is told depends on its number alone, not on the steps before it, so that a second
 * world can be put through the same step.
 */
#include "io/scene/stage.h"

#include <math.h>
#include <string.h>

#define PINS_MAX (1u << 20) /* commands of a step */

/* ---- which ---- */

static bool selects(const struct scene_pin *pin, const double point[3])
{
    if (pin->box) {
        for (int k = 0; k < 3; ++k)
            if (point[k] < pin->box->min[k] || point[k] > pin->box->max[k])
                return false;
        return true;
    }
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        const double d = point[k] - pin->sphere->centre[k];
        square += d * d;
    }
    return square <= pin->sphere->radius * pin->sphere->radius;
}

/* Writes the numbers when `vertices` is not null. */
static uint32_t select_places(const struct scene_pin *pin, const struct meshgen *mesh,
                              uint32_t *vertices)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        if (!selects(pin, mesh->vertices + 3 * (size_t)v))
            continue;
        if (vertices)
            vertices[count] = v;
        ++count;
    }
    return count;
}

uint32_t stage_pin_select(const struct scene_pin *pin, const struct meshgen *mesh,
                          uint32_t *vertices)
{
    if (pin->box || pin->sphere)
        return select_places(pin, mesh, vertices);
    if (vertices)
        memcpy(vertices, pin->vertices.items, pin->vertices.count * sizeof *vertices);
    return pin->vertices.count;
}

static bool refuse(const struct stage *stage, const struct stage_pin *pin, uint32_t index,
                   const char *why, uint32_t vertex, struct problem *problem)
{
    const struct stage_body *body = &stage->bodies[pin->body];
    double low[3] = {(double)INFINITY, (double)INFINITY, (double)INFINITY};
    double high[3] = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY};
    const struct meshgen *mesh = body->asset->mesh;
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; ++i) {
        low[i % 3] = fmin(low[i % 3], mesh->vertices[i]);
        high[i % 3] = fmax(high[i % 3], mesh->vertices[i]);
    }
    char which[32] = "";
    if (vertex != UINT32_MAX)
        snprintf(which, sizeof which, " %u", vertex);
    return problem_set(problem, EXIT_SCENE,
                       "%s: the body \"%s\": %s[%u] %s%s; the mesh \"%s\" has %u vertices from "
                       "(%g, %g, %g) to (%g, %g, %g)",
                       stage->path, body->name, pin->list, index, why, which, body->scene->mesh,
                       mesh->vertex_count, low[0], low[1], low[2], high[0], high[1], high[2]);
}

static bool find_vertices(struct stage *stage, struct stage_pin *pin, uint32_t index,
                          struct problem *problem)
{
    const struct meshgen *mesh = stage->bodies[pin->body].asset->mesh;
    const struct scene_pin *scene = pin->scene;
    pin->count = stage_pin_select(scene, mesh, NULL);
    if (pin->count == 0)
        return refuse(stage, pin, index, "holds no vertex", UINT32_MAX, problem);
    pin->vertices =
        pool_take(&stage->pool, pin->count, sizeof *pin->vertices, "pinned vertices", problem);
    pin->home = pool_take(&stage->pool, pin->count, 3 * sizeof *pin->home, "pins", problem);
    if (!pin->vertices || !pin->home)
        return false;
    stage_pin_select(scene, mesh, pin->vertices);
    for (uint32_t i = 0; i < pin->count; ++i)
        if (pin->vertices[i] >= mesh->vertex_count)
            return refuse(stage, pin, index, "names the vertex", pin->vertices[i], problem);
    return true;
}

/* Where the vertices are held at first, and the point a turn goes about. */
static void find_homes(const struct stage *stage, struct stage_pin *pin)
{
    const struct stage_body *body = &stage->bodies[pin->body];
    double low[3] = {(double)INFINITY, (double)INFINITY, (double)INFINITY};
    double high[3] = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY};
    for (uint32_t i = 0; i < pin->count; ++i) {
        double *home = pin->home + 3 * (size_t)i;
        stage_place(&body->desc, body->asset->mesh->vertices + 3 * (size_t)pin->vertices[i], home);
        for (int k = 0; k < 3; ++k) {
            low[k] = fmin(low[k], home[k]);
            high[k] = fmax(high[k], home[k]);
        }
    }
    const struct scene_motion *motion = pin->scene->motion;
    const bool given = motion && keys_given(&scene_motion_table, motion, "about");
    for (int k = 0; k < 3; ++k)
        pin->about[k] = given ? motion->about[k] : (low[k] + high[k]) / 2;
}

bool stage_pin_open(struct stage *stage, struct stage_pin *pin, uint32_t index,
                    struct problem *problem)
{
    if (!find_vertices(stage, pin, index, problem))
        return false;
    find_homes(stage, pin);
    return true;
}

static bool too_many(const struct stage *stage, uint64_t vertices, struct problem *problem)
{
    return problem_set(problem, EXIT_SCENE,
                       "%s: %llu vertices are pinned, more than the engine takes in a step "
                       "(1048576)",
                       stage->path, (unsigned long long)vertices);
}

bool stage_pins_make(struct stage *stage, struct problem *problem)
{
    uint64_t count = 0;
    for (uint32_t b = 0; b < stage->body_count; ++b)
        count += stage->bodies[b].scene->pins.count;
    if (count > PINS_MAX) /* each holds a vertex at least */
        return too_many(stage, count, problem);
    stage->pins = pool_take(&stage->pool, count, sizeof *stage->pins, "pins", problem);
    if (!stage->pins)
        return false;
    uint64_t vertices = 0;
    for (uint32_t b = 0; b < stage->body_count; ++b) {
        const struct list *list = &stage->bodies[b].scene->pins;
        for (uint32_t i = 0; i < list->count; ++i) {
            struct stage_pin *pin = &stage->pins[stage->pin_count++];
            pin->scene = (const struct scene_pin *)list->items + i;
            pin->body = b;
            pin->list = "pins";
            if (!stage_pin_open(stage, pin, i, problem))
                return false;
            if (pin->scene->clamp && !stage->bodies[b].asset->mesh->rod)
                return refuse(stage, pin, i, "has a \"clamp\", which is of rods", UINT32_MAX,
                              problem);
            vertices += pin->count * (pin->scene->clamp ? 2u : 1u);
            if (vertices > PINS_MAX)
                return too_many(stage, vertices, problem);
        }
    }
    stage->pinned_vertices = vertices;
    return stage_guides_make(stage, problem);
}

void stage_pins_mark(const struct stage *stage, uint32_t body, bool *pinned)
{
    for (uint32_t i = 0; i < stage->pin_count; ++i)
        if (stage->pins[i].body == body && stage->pins[i].scene->release > 0)
            for (uint32_t j = 0; j < stage->pins[i].count; ++j)
                pinned[stage->pins[i].vertices[j]] = true;
}

/* ---- where ---- */

struct pin_pose stage_pose_at(const struct scene_motion *motion, double time)
{
    const struct scene_frame *frame = motion->frames.items;
    uint32_t after = 0;
    while (after < motion->frames.count && frame[after].time <= time)
        ++after;
    const struct scene_frame *a = &frame[after > 0 ? after - 1 : 0];
    const struct scene_frame *b = &frame[after < motion->frames.count ? after : after - 1];
    const double share = a == b ? 0 : (time - a->time) / (b->time - a->time);
    struct pin_pose pose = {.degrees = a->degrees + share * (b->degrees - a->degrees)};
    for (int k = 0; k < 3; ++k)
        pose.move[k] = a->move[k] + share * (b->move[k] - a->move[k]);
    return pose;
}

static bool same_pose(const struct pin_pose *a, const struct pin_pose *b)
{
    return a->move[0] == b->move[0] && a->move[1] == b->move[1] && a->move[2] == b->move[2] &&
           a->degrees == b->degrees;
}

/* Rodrigues' formula. */
static void turn(const struct scene_motion *motion, double degrees, const double r[3],
                 double turned[3])
{
    const double *n = motion->axis;
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const double angle = degrees * (3.14159265358979323846 / 180);
    const double c = cos(angle), s = sin(angle);
    double axis[3], along = 0;
    for (int k = 0; k < 3; ++k) {
        axis[k] = n[k] / length;
        along += axis[k] * r[k];
    }
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double cross = axis[i] * r[j] - axis[j] * r[i];
        turned[k] = c * r[k] + s * cross + (1 - c) * along * axis[k];
    }
}

/* A turn about pin->about, then the shift. */
static void pose_apply(const struct stage_pin *pin, const struct pin_pose *pose,
                       const double home[3], float target[3])
{
    double r[3], turned[3];
    for (int k = 0; k < 3; ++k)
        r[k] = home[k] - pin->about[k];
    turn(pin->scene->motion, pose->degrees, r, turned);
    for (int k = 0; k < 3; ++k)
        target[k] = (float)(pin->about[k] + turned[k] + pose->move[k]);
}

void stage_pin_place(const struct stage_pin *pin, double time, uint32_t i, float target[3])
{
    const double *home = pin->home + 3 * (size_t)i;
    for (int k = 0; k < 3; ++k)
        target[k] = (float)home[k];
    if (pin->scene->motion) {
        const struct pin_pose pose = stage_pose_at(pin->scene->motion, time);
        pose_apply(pin, &pose, home, target);
    }
}

enum pin_due stage_pin_due(const struct stage_pin *pin, double dt, uint64_t step)
{
    const struct scene_motion *motion = pin->scene->motion;
    const double begin = (double)(step - 1) * dt, end = (double)step * dt;
    const double release = pin->scene->release;
    if (begin >= release)
        return begin - dt < release && release > 0 ? PIN_LET_GO : PIN_NOTHING;
    if (step == 1)
        return PIN_HOLD;
    if (!motion)
        return PIN_NOTHING;
    /* Once more after the last move, which mends what rounding left. */
    const struct pin_pose before = stage_pose_at(motion, begin - dt),
                          pose = stage_pose_at(motion, end);
    return same_pose(&before, &pose) ? PIN_NOTHING : PIN_HOLD;
}

/* How a clamped rod stands, from its mesh. */
static void stand(const struct stage *stage, const struct stage_pin *pin, double time, float q[4])
{
    const float *first = stage->bodies[pin->body].desc.rotation;
    const struct scene_motion *motion = pin->scene->motion;
    memcpy(q, first, 4 * sizeof *q);
    if (!motion)
        return;
    const double *n = motion->axis;
    const double half = stage_pose_at(motion, time).degrees * (3.14159265358979323846 / 360);
    const double s = sin(half) / sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), c = cos(half);
    const double a[4] = {(double)first[0], (double)first[1], (double)first[2], (double)first[3]};
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        q[k] = (float)(c * a[k] + s * (n[k] * a[3] + n[i] * a[j] - n[j] * a[i]));
    }
    q[3] = (float)(c * a[3] - s * (n[0] * a[0] + n[1] * a[1] + n[2] * a[2]));
}

/* What a pin does to a vertex from the end of a step on. */
static piola_status hold(const struct stage_pin *pin, piola_world *world, piola_body body,
                         double time, uint32_t i)
{
    const struct stage_guide *guide = pin->guides ? &pin->guides[i] : NULL;
    const struct scene_motion *motion = pin->scene->motion;
    float place[3], way[3];
    stage_pin_place(pin, time, i, place);
    if (!guide || guide->held == 3)
        return piola_body_pin(world, body, pin->vertices[i], place);
    double now[3] = {guide->way[0], guide->way[1], guide->way[2]};
    if (motion)
        turn(motion, stage_pose_at(motion, time).degrees, guide->way, now);
    for (int k = 0; k < 3; ++k)
        way[k] = (float)now[k];
    return guide->held == 2 ? piola_body_pin_line(world, body, pin->vertices[i], place, way)
                            : piola_body_pin_plane(world, body, pin->vertices[i], place, way);
}

static piola_status clamp(const struct stage *stage, const struct stage_pin *pin,
                          piola_world *world, enum pin_due due, double time, uint32_t i)
{
    const piola_body body = stage->bodies[pin->body].handle;
    float q[4];
    if (!pin->scene->clamp)
        return PIOLA_OK;
    if (due != PIN_HOLD)
        return piola_body_unclamp(world, body, pin->vertices[i]);
    stand(stage, pin, time, q);
    return piola_body_clamp(world, body, pin->vertices[i], q);
}

static bool push_pin(const struct stage *stage, const struct stage_pin *pin, piola_world *world,
                     enum pin_due due, double time, struct problem *problem)
{
    for (uint32_t i = 0; i < pin->count; ++i) {
        const piola_body body = stage->bodies[pin->body].handle;
        piola_status status = due == PIN_HOLD ? hold(pin, world, body, time, i)
                                              : piola_body_unpin(world, body, pin->vertices[i]);
        if (status == PIOLA_OK)
            status = clamp(stage, pin, world, due, time, i);
        if (status != PIOLA_OK)
            return problem_engine(problem, EXIT_RUNTIME, "a pin", status, NULL);
    }
    return true;
}

bool stage_pins_push(const struct stage *stage, piola_world *world, uint64_t step,
                     struct problem *problem)
{
    const double dt = (double)stage->desc.dt;
    for (uint32_t i = 0; i < stage->pin_count; ++i) {
        const enum pin_due due = stage_pin_due(&stage->pins[i], dt, step);
        if (due != PIN_NOTHING &&
            !push_pin(stage, &stage->pins[i], world, due, (double)step * dt, problem))
            return false;
    }
    return true;
}
