/* frame.c - what a reader does with frames: takes them, and finds values between two of them.
 *
 * Runs on any thread beside the step: it reads frames and assets, never a world.
 */
#include "api/outputs.h"

#include "asset/asset.h"

#include <math.h>
#include <string.h>

static void open_frame(const piola_outputs *o, uint32_t slot, piola_frame *frame)
{
    const struct output_head *head = outputs_slot(o, slot);
    *frame = (piola_frame){
        .sequence = o->buffer.slot[slot].sequence,
        .time = head->time,
        .report = &head->report,
        .bodies = outputs_part(o, head, OUTPUT_BODIES),
        .rigids = outputs_part(o, head, OUTPUT_RIGIDS),
        .positions = outputs_part(o, head, OUTPUT_POSITIONS),
        .contact_forces = o->desc.contact_forces ? outputs_part(o, head, OUTPUT_FORCES) : NULL,
        .contact_events = outputs_part(o, head, OUTPUT_EVENTS),
        .contact_points = outputs_part(o, head, OUTPUT_POINTS),
        .body_count = head->count[OUTPUT_BODIES],
        .rigid_count = head->count[OUTPUT_RIGIDS],
        .contact_event_count = head->count[OUTPUT_EVENTS],
        .contact_point_count = head->count[OUTPUT_POINTS],
        .bodies_dropped = head->dropped[OUTPUT_BODIES],
        .rigids_dropped = head->dropped[OUTPUT_RIGIDS],
        .contact_events_dropped = head->dropped[OUTPUT_EVENTS],
        .contact_points_dropped = head->dropped[OUTPUT_POINTS],
    };
}

piola_status piola_outputs_acquire(piola_outputs *outputs, uint32_t reader, piola_frame *frame,
                                   piola_frame *previous)
{
    if (outputs == NULL || frame == NULL)
        return PIOLA_ERROR_NULL;
    if (outputs->magic != OUTPUTS_MAGIC)
        return PIOLA_ERROR_COOKIE;
    if (reader >= outputs->desc.readers)
        return PIOLA_ERROR_RANGE;
    uint32_t slot = 0;
    *frame = (piola_frame){0};
    if (previous != NULL)
        *previous = (piola_frame){0};
    if (!triple_acquire(&outputs->buffer, reader, &slot))
        return PIOLA_OK;
    open_frame(outputs, slot, frame);
    if (previous != NULL && outputs->buffer.slot[slot].has_previous)
        open_frame(outputs, outputs->buffer.slot[slot].previous, previous);
    return PIOLA_OK;
}

/* ---- between two frames ---- */

/* Rows begin with their handle, which all look alike, and stand by rising index. */
static const void *find(const void *rows, size_t row, uint32_t count, piola_body handle)
{
    uint32_t low = 0, high = count;
    piola_body at = {0, 0};
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        memcpy(&at, (const char *)rows + middle * row, sizeof at);
        if (at.index == handle.index)
            return at.generation == handle.generation ? (const char *)rows + middle * row : NULL;
        if (at.index < handle.index)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static const piola_output_body *find_body(const piola_frame *frame, piola_body body)
{
    return find(frame->bodies, sizeof *frame->bodies, frame->body_count, body);
}

static const piola_output_rigid *find_rigid(const piola_frame *frame, piola_rigid rigid)
{
    return find(frame->rigids, sizeof *frame->rigids, frame->rigid_count,
                (piola_body){rigid.index, rigid.generation});
}

/* The share of the way from `previous` to `frame` at that time; 1 where there is none. */
static double share_at(const piola_frame *frame, const piola_frame *previous, double time,
                       bool both, piola_frame_moment *moment)
{
    const double apart = both ? frame->time - previous->time : 0;
    const double ahead = time - frame->time;
    const double most = ahead < PIOLA_FRAME_AHEAD ? ahead : PIOLA_FRAME_AHEAD;
    const double back = -most < apart ? -most : apart;
    piola_frame_moment is = PIOLA_FRAME_HELD;
    if (ahead <= 0 && -ahead <= apart)
        is = PIOLA_FRAME_INTERPOLATED;
    else if (apart > 0 && ahead > 0 && ahead <= PIOLA_FRAME_AHEAD)
        is = PIOLA_FRAME_EXTRAPOLATED;
    if (moment != NULL)
        *moment = is;
    return apart > 0 ? 1 - back / apart : 1;
}

static piola_status check_frames(const piola_frame *frame, const piola_frame *previous, double time,
                                 const void *out)
{
    if (frame == NULL || previous == NULL || out == NULL)
        return PIOLA_ERROR_NULL;
    if (frame->sequence == 0)
        return PIOLA_ERROR_STALE;
    return time - time == 0 ? PIOLA_OK : PIOLA_ERROR_NOT_FINITE;
}

piola_status piola_frame_positions(const piola_frame *frame, const piola_frame *previous,
                                   double time, piola_body body, uint32_t first, uint32_t count,
                                   float *xyz, piola_frame_moment *moment)
{
    const piola_status status = check_frames(frame, previous, time, xyz);
    if (status != PIOLA_OK)
        return status;
    const piola_output_body *now = find_body(frame, body);
    if (now == NULL)
        return PIOLA_ERROR_STALE;
    if (first > now->vertices || count > now->vertices - first)
        return PIOLA_ERROR_RANGE;
    const piola_output_body *then = previous->sequence > 0 ? find_body(previous, body) : NULL;
    const double share = share_at(frame, previous, time, then != NULL, moment);
    const size_t values = 3 * (size_t)count;
    const float *b = frame->positions + 3 * ((size_t)now->first + first);
    if (then == NULL || !(share < 1 || share > 1)) {
        memcpy(xyz, b, values * sizeof *xyz);
        return PIOLA_OK;
    }
    const float *a = previous->positions + 3 * ((size_t)then->first + first);
    const float from_b = (float)(share - 1);
    for (size_t i = 0; i < values; ++i)
        xyz[i] = b[i] + from_b * (b[i] - a[i]);
    return PIOLA_OK;
}

/* The rotation on the straight way between two, at unit length; the way is short. */
static void mix_rotation(const float a[4], const float b[4], double share, float out[4])
{
    double dot = 0, square = 0, q[4];
    for (int k = 0; k < 4; ++k)
        dot += (double)a[k] * (double)b[k];
    for (int k = 0; k < 4; ++k) {
        const double near = dot < 0 ? -(double)a[k] : (double)a[k];
        q[k] = (double)b[k] + (share - 1) * ((double)b[k] - near);
        square += q[k] * q[k];
    }
    const double length = sqrt(square);
    for (int k = 0; k < 4; ++k)
        out[k] = length > 1e-6 ? (float)(q[k] / length) : b[k];
}

piola_status piola_frame_rigid(const piola_frame *frame, const piola_frame *previous, double time,
                               piola_rigid rigid, float position[3], float rotation[4],
                               piola_frame_moment *moment)
{
    const piola_status status = check_frames(frame, previous, time, position);
    if (status != PIOLA_OK || rotation == NULL)
        return status != PIOLA_OK ? status : PIOLA_ERROR_NULL;
    const piola_output_rigid *now = find_rigid(frame, rigid);
    if (now == NULL)
        return PIOLA_ERROR_STALE;
    const piola_output_rigid *then = previous->sequence > 0 ? find_rigid(previous, rigid) : NULL;
    const double share = share_at(frame, previous, time, then != NULL, moment);
    const piola_output_rigid *from = then != NULL ? then : now;
    for (int k = 0; k < 3; ++k)
        position[k] =
            now->position[k] + (float)(share - 1) * (now->position[k] - from->position[k]);
    mix_rotation(from->rotation, now->rotation, share, rotation);
    return PIOLA_OK;
}

/* ---- what follows from positions ---- */

static void add_area(const uint32_t v[3], const float *xyz, float *normals)
{
    double e[2][3];
    for (int k = 0; k < 3; ++k) {
        const double from = (double)xyz[3 * (size_t)v[0] + (size_t)k];
        e[0][k] = (double)xyz[3 * (size_t)v[1] + (size_t)k] - from;
        e[1][k] = (double)xyz[3 * (size_t)v[2] + (size_t)k] - from;
    }
    for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        const float area = (float)(e[0][l] * e[1][m] - e[0][m] * e[1][l]);
        for (int c = 0; c < 3; ++c)
            normals[3 * (size_t)v[c] + (size_t)k] += area;
    }
}

piola_status piola_asset_normals(const piola_asset *asset, const float *xyz, float *normals)
{
    if (asset == NULL || xyz == NULL || normals == NULL)
        return PIOLA_ERROR_NULL;
    if (asset->magic != ASSET_MAGIC)
        return PIOLA_ERROR_BLOB_MAGIC;
    uint32_t triangles = 0;
    const uint32_t *surface = piola_asset_surface(asset, &triangles);
    const uint32_t vertices = asset->stats.vertices;
    memset(normals, 0, 3 * sizeof *normals * (size_t)vertices);
    for (uint32_t t = 0; t < triangles; ++t)
        add_area(surface + 3 * (size_t)t, xyz, normals);
    for (uint32_t v = 0; v < vertices; ++v) {
        float *n = normals + 3 * (size_t)v;
        double square = 0;
        for (int k = 0; k < 3; ++k)
            square += (double)n[k] * (double)n[k];
        const double length = sqrt(square);
        for (int k = 0; k < 3; ++k)
            n[k] = length > 0 ? (float)((double)n[k] / length) : 0;
    }
    return PIOLA_OK;
}
