/* view_frames.c - see view_frames.h. */
#include "view_frames.h"

#include <math.h>
#include <string.h>

#define ARC      24    /* lines of a bound */
#define SECTIONS 48u   /* of a rod that are shown */
#define PART     0.05f /* of the distance to the eye: how long axes are */

struct lines {
    struct frame_line *list;
    uint32_t count;
};

static void add(struct lines *lines, const float a[3], const float b[3], enum frame_ink ink)
{
    if (lines->count == FRAME_LINES) {
        return;
    }
    struct frame_line *line = &lines->list[lines->count++];
    memcpy(line->ends[0], a, sizeof line->ends[0]);
    memcpy(line->ends[1], b, sizeof line->ends[1]);
    line->ink = ink;
}

/* origin + size (the rotation's turn of v) */
static void reach(const piola_body_desc *frame, float size, const double v[3], float at[3])
{
    const double scaled[3] = {(double)size * v[0], (double)size * v[1], (double)size * v[2]};
    double placed[3];
    stage_place(frame, scaled, placed);
    for (int k = 0; k < 3; k++) {
        at[k] = (float)placed[k];
    }
}

static void add_axes(struct lines *lines, const piola_body_desc *frame, float size)
{
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; k++) {
        float at[3];
        reach(frame, size, unit[k], at);
        add(lines, frame->position, at, (enum frame_ink)k);
    }
}

/* Where the base's bound of an axis is at a share of it, in units of the axes' length. */
static void bound_at(const piola_joint_axis *axes, unsigned axis, double share, double v[3])
{
    const double low = (double)axes[axis].low, high = (double)axes[axis].high;
    const double angle = low + share * (high - low);
    memset(v, 0, 3 * sizeof *v);
    if (axis == 3) { /* of the moved y axis about x */
        v[1] = cos(angle);
        v[2] = sin(angle);
    } else { /* of the moved x axis about y or z */
        v[0] = cos(angle);
        v[axis == 4 ? 2 : 1] = axis == 4 ? -sin(angle) : sin(angle);
    }
}

static void add_turn_bound(struct lines *lines, const piola_body_desc *base,
                           const piola_joint_axis *axes, unsigned axis, float size)
{
    float last[3];
    memcpy(last, base->position, sizeof last);
    for (int i = 0; i <= ARC + 1; i++) {
        double v[3];
        float at[3];
        bound_at(axes, axis, fmin((double)i / ARC, 1), v);
        reach(base, i <= ARC ? size : 0.0f, v, at);
        add(lines, last, at, FRAME_LIMIT);
        memcpy(last, at, sizeof last);
    }
}

static void add_slide_bound(struct lines *lines, const piola_body_desc *base,
                            const piola_joint_axis *axis, unsigned k)
{
    double v[3] = {0, 0, 0};
    float ends[2][3];
    v[k] = (double)axis->low;
    reach(base, 1.0f, v, ends[0]);
    v[k] = (double)axis->high;
    reach(base, 1.0f, v, ends[1]);
    add(lines, ends[0], ends[1], FRAME_LIMIT);
}

static void add_cone(struct lines *lines, const piola_body_desc *base, double cone, float size)
{
    float last[3];
    for (int i = 0; i <= ARC; i++) {
        const double angle = 6.283185307 * i / ARC;
        const double v[3] = {cos(cone), sin(cone) * cos(angle), sin(cone) * sin(angle)};
        float at[3];
        reach(base, size, v, at);
        if (i > 0) {
            add(lines, last, at, FRAME_LIMIT);
        }
        if (i % (ARC / 4) == 0) {
            add(lines, base->position, at, FRAME_LIMIT);
        }
        memcpy(last, at, sizeof last);
    }
}

static void add_joint(struct lines *lines, const struct figure *figure,
                      const struct stage_joint *joint, const float from[3])
{
    const struct stage *stage = figure->stage;
    piola_joint_info info;
    piola_body_desc base = {0};
    piola_body_desc moved = {0};
    if (piola_joint_inspect(stage->world, joint->handle, &info) != PIOLA_OK ||
        !stage_joint_frame(stage, &joint->base, &base) ||
        !stage_joint_frame(stage, &joint->moved, &moved)) {
        return;
    }
    const float away[3] = {from[0] - moved.position[0], from[1] - moved.position[1],
                           from[2] - moved.position[2]};
    const float size = PART * vec_length(away);
    add_axes(lines, &moved, size);
    for (unsigned k = 0; k < PIOLA_JOINT_AXES; k++) {
        if (info.axis[k].mode == PIOLA_AXIS_LOCKED || info.axis[k].low >= info.axis[k].high) {
            continue;
        }
        if (k < 3) {
            add_slide_bound(lines, &base, &info.axis[k], k);
        } else {
            add_turn_bound(lines, &base, info.axis, k, 1.15f * size);
        }
    }
    if (joint->scene->kind == JOINT_CONE_TWIST) {
        add_cone(lines, &base, (double)joint->scene->cone * 0.017453293, 1.15f * size);
    }
}

/* Both axes of some of its sections, three radii long. */
static void add_rod(struct lines *lines, const struct figure *figure, uint32_t body,
                    const float *xyz)
{
    static const double unit[2][3] = {{1, 0, 0}, {0, 1, 0}};
    const struct stage *stage = figure->stage;
    const struct meshgen *mesh = stage->bodies[body].asset->mesh;
    const uint32_t stride = 1 + mesh->link_count / SECTIONS;
    for (uint32_t s = 0; mesh->rod && s < mesh->link_count; s += stride) {
        const uint32_t *v = mesh->links + 2 * (size_t)s;
        piola_body_desc frame = {0};
        if (piola_body_turns(stage->world, stage->bodies[body].handle, s, 1, frame.rotation) !=
            PIOLA_OK) {
            return;
        }
        for (size_t k = 0; k < 3; k++) {
            frame.position[k] = 0.5f * (xyz[3 * (size_t)v[0] + k] + xyz[3 * (size_t)v[1] + k]);
        }
        for (int k = 0; k < 2; k++) {
            float at[3];
            reach(&frame, 3.0f * stage_rod_radius(stage, stage->bodies[body].asset, s), unit[k],
                  at);
            add(lines, frame.position, at, (enum frame_ink)k);
        }
    }
}

uint32_t view_frames_find(const struct figure *figure, const float from[3], struct frame_line *list)
{
    const struct stage *stage = figure->stage;
    struct lines lines = {list, 0};
    const float *xyz = figure->positions;
    for (uint32_t i = 0; i < stage->joint_count; i++) {
        add_joint(&lines, figure, &stage->joints[i], from);
    }
    for (uint32_t b = 0; b < stage->body_count; b++) {
        add_rod(&lines, figure, b, xyz);
        xyz += 3 * (size_t)stage->bodies[b].asset->stats.vertices;
    }
    return lines.count;
}
