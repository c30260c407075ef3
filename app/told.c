/* told.c - see told.h: the table of warnings, one row each, and their sentences. */
#include "told_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MOST 700

typedef void told_say(const struct told *told, const struct note *note, char *text);

__attribute__((format(printf, 2, 3))) static void add(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + used, TEXT_MOST - used, format, list);
    va_end(list);
}

/* ---- sentences ---- */

static void say_skin(const struct told *told, const struct note *note, char *text)
{
    (void)told;
    add(text,
        "the mesh of the body \"%s\" encloses nothing as large as an element, so the body is a "
        "skin about %.2g m thick: close the surface, ask for more \"tetrahedra\" in its \"fill\", "
        "or, if it is cloth, write a scene without \"fill\"",
        note->who, note->value);
}

static void say_crossed_at_start(const struct told *told, const struct note *note, char *text)
{
    (void)told;
    if (note->other)
        add(text, "the bodies \"%s\" and \"%s\" begin inside each other", note->who, note->other);
    else
        add(text, "the surface of the body \"%s\" begins going through itself", note->who);
    if (note->times > 1)
        add(text, " (%" PRIu64 " such pairs in all)", note->times);
    add(text,
        ", and contact holds them so: %s, or set \"contacts\" to 0 in \"world\" if nothing is to "
        "meet",
        note->other ? "move them apart, or say by \"group\" and \"collides_with\" that they do not "
                      "meet"
                    : "mend its mesh or its \"start\", or set its \"self_contact\" to false");
}

static void say_inside_at_start(const struct told *told, const struct note *note, char *text)
{
    (void)told;
    add(text, "the body \"%s\" begins inside ", note->who);
    if (note->other)
        add(text, "the collider \"%s\"", note->other);
    else
        add(text, "a collider");
    add(text, ", %.0f of its vertices by up to %.2g m", note->more, note->value);
    if (note->times > 1)
        add(text, " (%" PRIu64 " such pairs in all)", note->times);
    add(text,
        ", which lets it out at 1 m/s: move it, or say by \"group\" and \"collides_with\" that "
        "they do not meet");
}

static void say_passed_through(const struct told *told, const struct note *note, char *text)
{
    const bool zero = told->stage->scene->world->contacts == 0;
    const uint64_t most = sizeof told->pairs / sizeof *told->pairs;
    if (note->other)
        add(text, "the bodies \"%s\" and \"%s\" went into each other at %.3g s", note->who,
            note->other, note->time);
    else
        add(text, "the surface of the body \"%s\" goes through itself at the end, %.3g s",
            note->who, note->time);
    if (note->times > 1)
        add(text, " (%s%" PRIu64 " such pairs in all)", note->times >= most ? "at least " : "",
            note->times);
    add(text, ", because %s: ",
        zero ? "\"contacts\" is 0 in the scene's \"world\""
             : "the scene has no \"contacts\" in its \"world\", and of itself makes room for none "
               "here");
    add(text, "%s; if it is meant so, %s",
        zero ? "leave \"contacts\" away, or give a number" : "give a number, say 20000",
        note->other ? "say by \"group\" and \"collides_with\" that they do not meet"
                    : "set its \"self_contact\" to false");
}

/* Two digits, upwards. */
static double round_up(double value)
{
    const double power = pow(10, fmax(floor(log10(value)) - 1, 0));
    return ceil(value / power) * power;
}

static void say_contacts_full(const struct told *told, const struct note *note, char *text)
{
    const double room = (double)told->stage->desc.max_contacts;
    add(text,
        "there was no room for all pairs of surface parts near each other in %" PRIu64
        " of %" PRIu64 " steps, first at %.3g s: up to %.0f found none beside the %.0f that did, "
        "and vertices near "
        "them moved less than they should: set \"contacts\" in the scene's \"world\" to %.0f",
        note->times, told->steps, note->time, note->value, room,
        round_up(1.5 * (room + note->value)));
}

static void say_faces_full(const struct told *told, const struct note *note, char *text)
{
    const double room = (double)told->stage->desc.max_face_contacts;
    add(text,
        "there was no room for all contacts of edges and faces with colliders in %" PRIu64
        " of %" PRIu64 " steps, first at %.3g s: up to %.0f found none beside the %.0f that did; "
        "these do not pass, but push nobody: set \"face_contacts\" in the scene's \"world\" to "
        "%.0f",
        note->times, told->steps, note->time, note->value, room,
        round_up(1.5 * (room + note->value)));
}

static void say_fell_out(const struct told *told, const struct note *note, char *text)
{
    add(text,
        "\"%s\" fell out of the scene: at %.3g s it was %.3g m below everything that was there "
        "at the start",
        note->who, note->time, note->value);
    if (note->times > 1)
        add(text, ", and %" PRIu64 " more did", note->times - 1);
    add(text, ": put a floor under it (a collider of the shape \"plane\")%s, or pin or attach it",
        told->stage->collider_count ? " or make its collider larger" : "");
}

static void say_frozen(const struct told *told, const struct note *note, char *text)
{
    const double dt = 1e3 * (double)told->stage->desc.dt;
    add(text, "the body \"%s\" was frozen at %.3g s, for a number in it became infinite", note->who,
        note->time);
    if (note->times > 1)
        add(text, " (%" PRIu64 " bodies are frozen at the end)", note->times);
    add(text,
        ": take more \"substeps\" (now %u of %.3g ms), or the solver \"compliant\" where something "
        "heavy hangs on something light",
        told->stage->desc.substeps, dt / told->stage->desc.substeps);
}

static void say_held_up(const struct told *told, const struct note *note, char *text)
{
    if (note->other)
        add(text, "the collider \"%s\" was", note->other);
    else
        add(text, "pins of the body \"%s\" were", note->who);
    add(text,
        " held up by surfaces in the way in %" PRIu64 " of %" PRIu64 " steps, first at %.3g s, and "
        "was up to %.2g m behind its \"motion\": leave more room on its way, or lead it more "
        "slowly",
        note->times, told->steps, note->time, note->value);
}

static void say_pulled_apart(const struct told *told, const struct note *note, char *text)
{
    (void)told;
    if (note->more > 0)
        add(text, "links of the body \"%s\" are up to %.3g times as long as they may be", note->who,
            note->more);
    else
        add(text, "attachments of the body \"%s\" are open by up to %.2g m", note->who,
            note->value);
    add(text,
        " at the end, %.3g s, so they do not carry their load: take more \"iterations\" or "
        "\"substeps\", or loads that are less far from the body's mass",
        note->time);
}

static void say_inverted(const struct told *told, const struct note *note, char *text)
{
    (void)told;
    add(text, "%.0f elements of the body \"%s\" are inside out at the end, %.3g s", note->value,
        note->who, note->time);
    if (note->times > 1)
        add(text, " (%.0f of %" PRIu64 " bodies in all)", note->more, note->times);
    add(text, ": where it is hit or squeezed take more \"substeps\", where it is stiff more "
              "\"iterations\"");
}

/* What else helps than iterations. */
static void add_cure(const struct told *told, const struct note *note, char *text)
{
    const struct stage *stage = told->stage;
    const piola_world_desc *desc = &stage->desc;
    uint32_t i = 0;
    while (i + 1 < stage->body_count && stage->bodies[i].name != note->who)
        ++i;
    const bool solid = stage->bodies[i].asset->stats.tetrahedra > 0;
    if (desc->solver == PIOLA_SOLVER_DESCENT && !desc->coarse_level && desc->chebyshev == 0)
        add(text, ", or where it is stiff try \"coarse_level\": true");
    else if (desc->solver == PIOLA_SOLVER_DESCENT && !solid)
        add(text, ", or for cloth that swings or folds more \"substeps\"");
}

static void say_not_converged(const struct told *told, const struct note *note, char *text)
{
    const piola_world_desc *desc = &told->stage->desc;
    add(text,
        "the body \"%s\" is not converged: in %.0f of the %u steps that were looked at, first at "
        "%.3g s, its forces were out of balance by more than a fifth of what acts on it (in the "
        "last one by %.2g times that), so it may sag, swing or flutter wrongly",
        note->who, note->more, told->measured, note->time, note->value);
    if (note->times > 1)
        add(text, "; %" PRIu64 " bodies are so", note->times);
    add(text, "; %u \"iterations\" are too few", desc->iterations);
    if (told->never)
        add(text,
            ", and %u times as many would not have balanced such a step either: take shorter "
            "steps too (\"dt\", \"substeps\")",
            TOLD_TRIES);
    else if (told->needed > 0)
        add(text,
            ": to balance such a step about %u would be needed, and fewer where only the rest "
            "at the end counts",
            told->needed);
    else
        add(text, ": raise them");
    add_cure(told, note, text);
}

static void say_too_far(const struct told *told, const struct note *note, char *text)
{
    (void)told;
    add(text,
        "the body \"%s\" is too far from the origin, up to %.3g m, for how stiff and fine it is: "
        "positions have 7 digits, and what rounding them does to its forces is more than all that "
        "acts on it: move the scene to the origin, or make its mesh coarser",
        note->who, note->value);
}

static void say_late(const struct told *told, const struct note *note, char *text)
{
    (void)note;
    add(text,
        "this machine was slower than real time in %" PRIu64 " of %" PRIu64
        " steps: they took %.3g ms for %.3g ms; if it is to keep up, take fewer elements, "
        "\"iterations\" or \"substeps\", or more threads (now %u); results are the same however "
        "long a step takes",
        told->late, told->steps, 1e3 * told->spent / (double)told->late,
        1e3 * (double)told->stage->desc.dt, told->stage->threads);
}

/* ---- looks of a line or two ---- */

static void skin_at_start(struct told *told, const struct told_step *step, struct note *note)
{
    (void)step;
    for (uint32_t i = 0; i < told->stage->body_count; ++i) {
        const struct stage_body *body = &told->stage->bodies[i];
        if (!(body->asset->mesh->skin > 0))
            continue;
        note_come(told, note, 0, body->name);
        note->is_body = true;
        note->value = body->asset->mesh->skin;
    }
}

static void count_dropped(struct told *told, const struct told_step *step, struct note *note,
                          uint32_t dropped)
{
    if (dropped == 0)
        return;
    note_come(told, note, step->time, NULL);
    note->value = fmax(note->value, dropped);
}

static void full_at_step(struct told *told, const struct told_step *step, struct note *note)
{
    count_dropped(told, step, note, step->report->contacts_dropped);
}

static void faces_full_at_step(struct told *told, const struct told_step *step, struct note *note)
{
    if (told->stage->desc.max_face_contacts > 0)
        count_dropped(told, step, note, step->report->face_contacts_dropped);
}

static void late_at_step(struct told *told, const struct told_step *step, struct note *note)
{
    (void)note;
    if (step->seconds > (double)told->stage->desc.dt) {
        ++told->late;
        told->spent += step->seconds;
    }
}

/* The first steps of a run take longer: pages of memory are touched for the first time. */
static void late_at_end(struct told *told, const struct told_step *step, struct note *note)
{
    (void)step;
    if (told->steps >= 10 && 2 * told->late > told->steps)
        note_come(told, note, told->time, NULL);
}

/* ---- the table ---- */

static const struct row {
    const char *code, *title;
    told_look *at_start, *at_step, *at_end;
    told_say *say;
} rows[] = {
    [TOLD_SKIN] = {"skin", "made a skin", skin_at_start, NULL, NULL, say_skin},
    [TOLD_CROSSED_AT_START] = {"crossed_at_start", "bodies begin inside each other", cross_at_start,
                               NULL, NULL, say_crossed_at_start},
    [TOLD_INSIDE_AT_START] = {"inside_at_start", "a body begins inside a collider", inside_at_start,
                              NULL, NULL, say_inside_at_start},
    [TOLD_PASSED_THROUGH] = {"passed_through", "bodies pass through each other", NULL,
                             cross_at_step, cross_at_end, say_passed_through},
    [TOLD_CONTACTS_FULL] = {"contacts_full", "no room for all contacts", NULL, full_at_step, NULL,
                            say_contacts_full},
    [TOLD_FACES_FULL] = {"face_contacts_full", "no room for all contacts with colliders", NULL,
                         faces_full_at_step, NULL, say_faces_full},
    [TOLD_FELL_OUT] = {"fell_out", "something fell out of the scene", NULL, fall_at_step, NULL,
                       say_fell_out},
    [TOLD_FROZEN] = {"frozen", "a body is frozen", NULL, freeze_at_step, NULL, say_frozen},
    [TOLD_HELD_UP] = {"held_up", "something is held up", NULL, hold_at_step, NULL, say_held_up},
    [TOLD_PULLED_APART] = {"pulled_apart", "pulled apart", NULL, NULL, part_at_end,
                           say_pulled_apart},
    [TOLD_INVERTED] = {"inverted", "elements are inside out", NULL, NULL, invert_at_end,
                       say_inverted},
    [TOLD_NOT_CONVERGED] = {"not_converged", "not converged", NULL, converge_at_step,
                            converge_at_end, say_not_converged},
    [TOLD_TOO_FAR] = {"too_far", "too far from the origin", NULL, NULL, round_at_end, say_too_far},
    [TOLD_LATE] = {"late", "slower than real time", NULL, late_at_step, late_at_end, say_late},
};
_Static_assert(sizeof rows / sizeof rows[0] == TOLD_COUNT, "one row a warning");

/* ---- what looks share ---- */

void note_come(struct told *told, struct note *note, double time, const char *who)
{
    ++note->times;
    if (note->came)
        return;
    note->came = true;
    note->time = time;
    note->who = who;
    told->last = (uint32_t)(note - told->notes);
}

bool told_positions(struct told *told, uint32_t index, unsigned room)
{
    const struct stage_body *body = &told->stage->bodies[index];
    return piola_body_positions(told->stage->world, body->handle, 0, body->asset->stats.vertices,
                                told->xyz[room]) == PIOLA_OK;
}

void told_boxes(struct told *told)
{
    for (uint32_t i = 0; i < told->stage->body_count; ++i) {
        struct told_box *box = &told->boxes[i];
        const uint32_t count = told->stage->bodies[i].asset->stats.vertices;
        if (!told_positions(told, i, 0))
            continue;
        for (int k = 0; k < 3; ++k) {
            box->low[k] = (double)INFINITY;
            box->high[k] = -(double)INFINITY;
        }
        for (size_t j = 0; j < 3 * (size_t)count; ++j) {
            const double x = (double)told->xyz[0][j];
            box->low[j % 3] = x < box->low[j % 3] ? x : box->low[j % 3];
            box->high[j % 3] = x > box->high[j % 3] ? x : box->high[j % 3];
        }
    }
}

bool told_frozen(const struct told *told, uint32_t body)
{
    piola_body_info info;
    const struct piola_report *report = told->step.report;
    return report && report->frozen > 0 &&
           piola_body_inspect(told->stage->world, told->stage->bodies[body].handle, &info) ==
               PIOLA_OK &&
           info.frozen;
}

bool told_attached(const struct told *told, uint32_t a, uint32_t b)
{
    const struct stage *stage = told->stage;
    for (uint32_t i = 0; i < stage->attachment_count; ++i) {
        const struct scene_attachment *scene = stage->attachments[i].scene;
        const uint32_t from = stage->attachments[i].pin.body;
        if (!scene->to || (from != a && from != b))
            continue;
        const struct stage_body *to = stage_body_named(stage, scene->to, scene->to_copy);
        if (to == &stage->bodies[from == a ? b : a])
            return true;
    }
    return false;
}

/* ---- life ---- */

static bool open(struct told *told, struct problem *problem)
{
    const struct stage *stage = told->stage;
    size_t most = 1;
    for (uint32_t i = 0; i < stage->body_count; ++i) {
        const size_t vertices = stage->bodies[i].asset->stats.vertices;
        most = vertices > most ? vertices : most;
    }
    const char *what = "a look at bodies";
    told->xyz[0] = pool_take(&told->pool, 3 * most, sizeof(float), what, problem);
    told->xyz[1] = pool_take(&told->pool, 3 * most, sizeof(float), what, problem);
    told->boxes = pool_take(&told->pool, stage->body_count, sizeof *told->boxes, what, problem);
    told->order = pool_take(&told->pool, stage->body_count, sizeof *told->order, what, problem);
    if (!told->xyz[0] || !told->xyz[1] || !told->boxes || !told->order)
        return false;
    for (uint32_t i = 0; i < stage->body_count; ++i)
        told->order[i] = i;
    told_boxes(told);
    told_bodies_open(told);
    return told_cross_open(told, problem) && told_balance_open(told, problem);
}

struct told *told_open(const struct stage *stage, struct problem *problem)
{
    struct told *told = calloc(1, sizeof *told);
    if (!told) {
        problem_memory(problem, "warnings", sizeof *told);
        return NULL;
    }
    told->stage = stage;
    told->last = TOLD_COUNT;
    if (!open(told, problem)) {
        told_close(told);
        return NULL;
    }
    for (uint32_t i = 0; i < TOLD_COUNT; ++i)
        if (rows[i].at_start)
            rows[i].at_start(told, NULL, &told->notes[i]);
    return told;
}

void told_step(struct told *told, const struct told_step *step)
{
    ++told->steps;
    told->time = step->time;
    told->step = *step;
    for (uint32_t i = 0; i < TOLD_COUNT; ++i)
        if (rows[i].at_step)
            rows[i].at_step(told, step, &told->notes[i]);
}

void told_end(struct told *told)
{
    told_boxes(told);
    for (uint32_t i = 0; i < TOLD_COUNT && told->steps > 0; ++i)
        if (rows[i].at_end)
            rows[i].at_end(told, &told->step, &told->notes[i]);
}

void told_close(struct told *told)
{
    if (!told)
        return;
    pool_free(&told->pool);
    free(told);
}

/* ---- telling ---- */

uint32_t told_count(const struct told *told)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < TOLD_COUNT; ++i)
        count += told->notes[i].came;
    return count;
}

const char *told_title(const struct told *told)
{
    return told->last < TOLD_COUNT ? rows[told->last].title : NULL;
}

void told_print(const struct told *told, FILE *file)
{
    for (uint32_t i = 0; i < TOLD_COUNT; ++i) {
        char text[TEXT_MOST] = "";
        if (!told->notes[i].came)
            continue;
        rows[i].say(told, &told->notes[i], text);
        fprintf(file, "piola: warning: %s (%s)\n", text, rows[i].code);
    }
}

json_t *told_json(const struct told *told)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < TOLD_COUNT; ++i) {
        const struct note *note = &told->notes[i];
        char text[TEXT_MOST] = "";
        if (!note->came)
            continue;
        rows[i].say(told, note, text);
        (void)json_array_append_new(list, json_pack("{s:s, s:s?, s:f, s:s}", "code", rows[i].code,
                                                    "body", note->is_body ? note->who : NULL,
                                                    "time", note->time, "text", text));
    }
    return list;
}
