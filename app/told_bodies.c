/* told_bodies.c - bodies that fall out of the scene, freeze, or end inside out. */
#include "told_state.h"

#include <math.h>
#include <string.h>

#define LOOKS_A_SECOND 30.0 /* of simulated time */
/* Sizes of the scene below its bottom: out of it. Where nothing could have held a body, falling may
 * be what is to be seen. */
#define OUT_OF_SCENE   10.0
#define OUT_OF_NOWHERE 100.0

/* ---- begin inside ---- */

/* By pins, which come with the first step: what they hold is meant to be where it is. */
static bool is_held(const struct told *told, uint32_t body)
{
    const struct stage *stage = told->stage;
    for (uint32_t i = 0; i < stage->pin_count; ++i)
        if (stage->pins[i].body == body && told->time < stage->pins[i].scene->release)
            return true;
    return false;
}

/* Of the body's size: what only touches is not inside. */
#define INSIDE 1e-3

static double size_of(const struct told_box *box)
{
    double square = 0;
    for (int k = 0; k < 3; ++k)
        square += (box->high[k] - box->low[k]) * (box->high[k] - box->low[k]);
    return sqrt(square);
}

/* True when a vertex of the body is plainly inside: how many are, how deep (m). */
static bool is_inside(const struct told *told, const struct stage_collider *collider, uint32_t body,
                      uint32_t *vertices, float *depth)
{
    const struct stage *stage = told->stage;
    const piola_body handle = stage->bodies[body].handle;
    const double least =
        fmax((double)stage->desc.contact_thickness, INSIDE * size_of(&told->boxes[body]));
    const piola_status status =
        collider->rigid.index
            ? piola_rigid_inside(stage->world, collider->rigid, handle, vertices, depth)
            : piola_collider_inside(stage->world, collider->handle, handle, vertices, depth);
    return status == PIOLA_OK && (double)*depth > least;
}

void inside_at_start(struct told *told, const struct told_step *step, struct note *note)
{
    (void)step;
    for (uint32_t c = 0; c < told->stage->collider_count; ++c) {
        const struct stage_collider *collider = &told->stage->colliders[c];
        for (uint32_t b = 0; b < told->stage->body_count && !collider->scene->sensor; ++b) {
            uint32_t vertices = 0;
            float depth = 0;
            if (is_held(told, b) || !is_inside(told, collider, b, &vertices, &depth))
                continue;
            const bool first = !note->came;
            note_come(told, note, 0, told->stage->bodies[b].name);
            if (!first)
                continue;
            note->is_body = true;
            note->other = collider->scene->name;
            note->value = (double)depth;
            note->more = vertices;
        }
    }
}

/* ---- fall ---- */

static void join(struct told_box *box, const struct told_box *other)
{
    for (int k = 0; k < 3; ++k) {
        box->low[k] = fmin(box->low[k], other->low[k]);
        box->high[k] = fmax(box->high[k], other->high[k]);
    }
}

/* Of gravity; false when there is none. */
static bool find_down(const struct told *told, double down[3])
{
    const float *g = told->stage->desc.gravity;
    double square = 0;
    for (int k = 0; k < 3; ++k)
        square += (double)g[k] * (double)g[k];
    for (int k = 0; k < 3; ++k)
        down[k] = square > 0 ? (double)g[k] / sqrt(square) : 0;
    return square > 0;
}

/* How far down the box goes at most (side 1), or at least (side -1). */
static double depth(const struct told_box *box, const double down[3], double side)
{
    double sum = 0;
    for (int k = 0; k < 3; ++k)
        sum += down[k] * (side * down[k] > 0 ? box->high[k] : box->low[k]);
    return sum;
}

/* A ball around where it is; false for what has no end. */
static bool collider_box(const struct told *told, uint32_t index, struct told_box *box)
{
    const struct stage_collider *collider = &told->stage->colliders[index];
    const struct meshgen *mesh = &collider->mesh;
    piola_collider_info info;
    double most = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        const double *p = mesh->vertices + 3 * (size_t)v;
        most = fmax(most, p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    }
    if (mesh->vertex_count == 0 || !stage_collider_info(told->stage, collider, &info))
        return false;
    for (int k = 0; k < 3; ++k) {
        box->low[k] = (double)info.position[k] - sqrt(most);
        box->high[k] = (double)info.position[k] + sqrt(most);
    }
    return true;
}

void told_bodies_open(struct told *told)
{
    const struct stage *stage = told->stage;
    struct told_box all = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}}, box;
    double down[3], square = 0;
    for (uint32_t i = 0; i < stage->body_count; ++i)
        join(&all, &told->boxes[i]);
    for (uint32_t i = 0; i < stage->collider_count; ++i)
        if (collider_box(told, i, &box))
            join(&all, &box);
    if (!(all.low[0] <= all.high[0])) /* planes alone */
        all = (struct told_box){{0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < 3; ++k)
        square += (all.high[k] - all.low[k]) * (all.high[k] - all.low[k]);
    told->size = sqrt(square);
    told->bottom = find_down(told, down) ? depth(&all, down, 1) : (double)INFINITY;
}

/* A plane that it is above goes on under it, however far down it slides. */
static bool has_ground(const struct told *told, const struct told_box *box, const double down[3])
{
    const struct stage *stage = told->stage;
    for (uint32_t i = 0; i < stage->collider_count; ++i) {
        const struct stage_collider *collider = &stage->colliders[i];
        piola_collider_info info;
        if (collider->scene->shape != PIOLA_SHAPE_PLANE || collider->scene->sensor ||
            collider->scene->mesh || !stage_collider_info(stage, collider, &info))
            continue;
        const double x = (double)info.rotation[0], y = (double)info.rotation[1],
                     z = (double)info.rotation[2], w = (double)info.rotation[3];
        const double normal[3] = {2 * (x * y - w * z), 1 - 2 * (x * x + z * z),
                                  2 * (y * z + w * x)};
        double along = 0, above = 0;
        for (int k = 0; k < 3; ++k) {
            along += normal[k] * down[k];
            above += normal[k] * ((box->low[k] + box->high[k]) / 2 - (double)info.position[k]);
        }
        if (along < -0.01 && above > 0)
            return true;
    }
    return false;
}

/* Rigid bodies fall as well. */
static void fall_of_rigids(struct told *told, const double down[3], double out, struct note *note)
{
    const struct stage *stage = told->stage;
    for (uint32_t i = 0; i < stage->collider_count; ++i) {
        struct told_box box;
        if (stage->colliders[i].rigid.index == 0 || !collider_box(told, i, &box))
            continue;
        const double below = depth(&box, down, -1) - told->bottom;
        if (below > out && !has_ground(told, &box, down)) {
            const char *name = stage->colliders[i].scene->name;
            note_come(told, note, told->time, name ? name : "a rigid body");
            note->value = fmax(note->value, below);
        }
    }
}

void fall_at_step(struct told *told, const struct told_step *step, struct note *note)
{
    const struct stage *stage = told->stage;
    double down[3];
    const bool holds = stage->collider_count + stage->pin_count + stage->attachment_count > 0;
    const double out = told->size * (holds ? OUT_OF_SCENE : OUT_OF_NOWHERE);
    if (note->came || !find_down(told, down) || step->time < told->fallen + 1 / LOOKS_A_SECOND)
        return;
    told->fallen = step->time;
    told_boxes(told);
    for (uint32_t i = 0; i < stage->body_count; ++i) {
        const double below = depth(&told->boxes[i], down, -1) - told->bottom;
        if (below > out && !is_held(told, i) && !has_ground(told, &told->boxes[i], down)) {
            note_come(told, note, told->time, stage->bodies[i].name);
            note->is_body = true;
            note->value = fmax(note->value, below);
        }
    }
    fall_of_rigids(told, down, out, note);
}

/* ---- freeze, invert ---- */

void freeze_at_step(struct told *told, const struct told_step *step, struct note *note)
{
    const struct stage *stage = told->stage;
    if (step->report->new_frozen == 0)
        return;
    for (uint32_t i = 0; i < stage->body_count && !note->came; ++i)
        if (told_frozen(told, i))
            note_come(told, note, step->time, stage->bodies[i].name);
    note->is_body = true;
    note->times = step->report->frozen;
}

void invert_at_end(struct told *told, const struct told_step *step, struct note *note)
{
    const struct stage *stage = told->stage;
    double most = 0;
    (void)step;
    for (uint32_t i = 0; i < stage->body_count; ++i) {
        const struct stage_body *body = &stage->bodies[i];
        struct shape_facts facts = {0};
        if (body->asset->stats.tetrahedra == 0 || told_frozen(told, i) ||
            !told_positions(told, i, 0))
            continue;
        shape_measure(body->asset->mesh, told->xyz[0], &facts, NULL, NULL);
        if (facts.inverted == 0)
            continue;
        note_come(told, note, told->time, body->name);
        note->is_body = true;
        note->more += facts.inverted;
        if (facts.inverted > most) {
            most = facts.inverted;
            note->who = body->name;
        }
    }
    note->value = most;
}
