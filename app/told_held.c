/* told_held.c - what is led and does not arrive: pins and colliders that surfaces hold up, and
 * attachments and links that are open at the end. */
#include "told_state.h"

#include <math.h>

#define OPEN    0.01 /* of a body's size: an attachment that holds is nearer */
#define TOO_FAR 1.05 /* of a link's length */

static double distance(const float a[3], const float b[3])
{
    double square = 0;
    for (int k = 0; k < 3; ++k)
        square += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
    return sqrt(square);
}

static double largest(const float a[3])
{
    return fmax(fabs((double)a[0]), fmax(fabs((double)a[1]), fabs((double)a[2])));
}

/* Rollers hold some directions alone: where they are along the others is theirs. */
static bool holds_all(const struct scene_pin *pin)
{
    for (int k = 0; k < 3; ++k)
        if (pin->normal[k] != 0 || pin->direction[k] != 0)
            return false;
    return !pin->axes;
}

/* How far the pin's vertices are from where they were to be by now, m; 0 when it was not led. */
static double pin_lag(const struct told *told, const struct stage_pin *pin)
{
    const struct stage *stage = told->stage;
    double most = 0;
    if (!pin->scene->motion || !holds_all(pin->scene) || !(told->time < pin->scene->release))
        return 0;
    for (uint32_t i = 0; i < pin->count; ++i) {
        float target[3], now[3];
        stage_pin_place(pin, told->time, i, target);
        if (piola_body_positions(stage->world, stage->bodies[pin->body].handle, pin->vertices[i], 1,
                                 now) == PIOLA_OK)
            most = fmax(most, distance(now, target) - 1e-5 * largest(target));
    }
    return most;
}

static double collider_lag(const struct told *told, uint32_t index)
{
    const struct stage_collider *collider = &told->stage->colliders[index];
    float position[3], rotation[4];
    piola_collider_info info;
    if (!collider->scene->motion || collider->rigid.index != 0 ||
        !stage_collider_info(told->stage, collider, &info))
        return 0;
    stage_collider_place(collider, told->time, position, rotation);
    return distance(info.position, position) - 1e-5 * largest(position);
}

/* Only surfaces that meet hold anything up. */
void hold_at_step(struct told *told, const struct told_step *step, struct note *note)
{
    const struct stage *stage = told->stage;
    const double least = 0.5 * (double)stage->desc.contact_thickness;
    double most = 0;
    const char *who = NULL, *what = NULL;
    if (stage->desc.max_contacts == 0)
        return;
    for (uint32_t i = 0; i < stage->pin_count; ++i) {
        const double lag = pin_lag(told, &stage->pins[i]);
        if (lag > fmax(least, most)) {
            most = lag;
            who = stage->bodies[stage->pins[i].body].name;
        }
    }
    for (uint32_t i = 0; i < stage->collider_count; ++i) {
        const double lag = collider_lag(told, i);
        if (lag > fmax(least, most)) {
            most = lag;
            who = stage->colliders[i].scene->name;
            what = who ? who : "without a name";
        }
    }
    if (!(most > 0))
        return;
    if (!note->came) {
        note->other = what;
        note->is_body = !what;
    }
    note_come(told, note, step->time, who);
    note->value = fmax(note->value, most);
}

/* ---- at the end ---- */

/* m: how much wider it is open than its compliance lets it be. */
static double gap_of(const struct told *told, piola_attachment handle, float compliance)
{
    static const float none[3] = {0, 0, 0};
    piola_attachment_info info;
    if (!piola_attachment_alive(told->stage->world, handle) ||
        piola_attachment_inspect(told->stage->world, handle, &info) != PIOLA_OK)
        return 0;
    return distance(info.gap, none) - (double)compliance * distance(info.force, none);
}

static double size_of(const struct told_box *box)
{
    double square = 0;
    for (int k = 0; k < 3; ++k)
        square += (box->high[k] - box->low[k]) * (box->high[k] - box->low[k]);
    return sqrt(square);
}

/* The most that a link of the body may be longer than at rest; infinite when they give way. */
static double longest_link(const struct scene_body *body)
{
    const struct scene_links *links = body->links.items;
    double most = 1;
    for (uint32_t i = 0; i < body->links.count; ++i) {
        if (links[i].compliance > 0 || links[i].length > 0)
            return (double)INFINITY;
        most = fmax(most, (double)links[i].longest);
    }
    return most;
}

static void look_at_links(struct told *told, struct note *note)
{
    const struct stage *stage = told->stage;
    for (uint32_t i = 0; i < stage->body_count; ++i) {
        const struct stage_body *body = &stage->bodies[i];
        struct shape_facts facts = {0};
        if (body->asset->mesh->link_count == 0 || body->asset->mesh->rod || told_frozen(told, i) ||
            !told_positions(told, i, 0))
            continue;
        shape_measure(body->asset->mesh, told->xyz[0], &facts, NULL, NULL);
        const double factor = facts.max_stretch / longest_link(body->scene);
        if (factor > TOO_FAR) {
            note_come(told, note, told->time, body->name);
            note->is_body = true;
            note->more = fmax(note->more, factor);
        }
    }
}

void part_at_end(struct told *told, const struct told_step *step, struct note *note)
{
    const struct stage *stage = told->stage;
    (void)step;
    look_at_links(told, note);
    told_boxes(told);
    for (uint32_t a = 0; a < stage->attachment_count; ++a) {
        const struct stage_attachment *attachment = &stage->attachments[a];
        const struct stage_body *body = &stage->bodies[attachment->pin.body];
        double most = 0;
        if (told_frozen(told, attachment->pin.body))
            continue;
        for (uint32_t i = 0; i < attachment->pin.count; ++i)
            most = fmax(most, gap_of(told, attachment->handles[i], attachment->scene->compliance));
        if (!(most > OPEN * size_of(&told->boxes[attachment->pin.body])))
            continue;
        note_come(told, note, told->time, body->name);
        note->is_body = true;
        note->value = fmax(note->value, most);
    }
}
