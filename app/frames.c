/* frames.c - see frames.h. */
#include "frames.h"

#include "io/base/words.h"
#include "io/mesh/shape.h"
#include "render_frames.h"

#include <stdlib.h>
#include <string.h>

const struct frame_format frame_formats[] = {
    {"vtu", "VTK unstructured grid and a .pvd series, for ParaView", vtu_frame, vtu_series},
    {"obj", "Wavefront surfaces, one file a frame", obj_frame, NULL},
    {"png", "pictures, as `piola render` draws them", png_frame, NULL},
    {"mp4", "one film, by the ffmpeg program", mp4_frame, mp4_series},
};
const uint32_t frame_format_count = sizeof frame_formats / sizeof frame_formats[0];

bool frame_path(const struct frame *frame, const char *extension, char *path, size_t bytes,
                struct problem *problem)
{
    const int n = snprintf(path, bytes, "%s/%s_%06llu.%s", frame->folder, frame->name,
                           (unsigned long long)frame->number, extension);
    return (n > 0 && (size_t)n < bytes) ||
           problem_set(problem, EXIT_RUNTIME, "%s: the path is too long", frame->folder);
}

static bool choose(struct frames *frames, const char *list, struct problem *problem)
{
    const char *names[8];
    char known[100];
    for (uint32_t i = 0; i < frame_format_count; ++i)
        names[i] = frame_formats[i].name;
    words_join(known, sizeof known, names, frame_format_count, "");
    while (*list) {
        const size_t letters = strcspn(list, ",");
        uint32_t i = 0;
        while (i < frame_format_count &&
               (strlen(names[i]) != letters || strncmp(names[i], list, letters) != 0))
            ++i;
        if (i == frame_format_count)
            return problem_set(problem, EXIT_USAGE, "--format: \"%.*s\" is not known; it can be %s",
                               (int)(letters < 40 ? letters : 40), list, known);
        for (uint32_t j = 0; j < frames->format_count; ++j)
            if (frames->formats[j] == &frame_formats[i])
                return problem_set(problem, EXIT_USAGE, "--format: \"%s\" is there twice",
                                   names[i]);
        frames->formats[frames->format_count++] = &frame_formats[i];
        list += letters;
        list += *list == ',';
    }
    return frames->format_count > 0 ||
           problem_set(problem, EXIT_USAGE, "--format: needs a format: %s", known);
}

bool frames_open(struct frames *frames, const struct stage *stage, const char *folder,
                 const char *formats, struct problem *problem)
{
    memset(frames, 0, sizeof *frames);
    struct frame *frame = &frames->frame;
    frame->stage = stage;
    frame->folder = folder;
    frame->name = path_stem(stage->path, frames->name, sizeof frames->name);
    frame->positions = pool_take(&frames->pool, stage->vertices, 12, "positions", problem);
    frame->velocities = pool_take(&frames->pool, stage->vertices, 12, "velocities", problem);
    frame->stretch = pool_take(&frames->pool, stage->elements, 4, "stretches", problem);
    frame->ratio = pool_take(&frames->pool, stage->elements, 4, "volumes", problem);
    if (!frame->positions || !frame->velocities || !frame->stretch || !frame->ratio)
        return false;
    frame->fine = pool_take(&frames->pool, stage->detail_vertices, 12, "details", problem);
    frame->fine_normals = pool_take(&frames->pool, stage->detail_vertices, 12, "details", problem);
    if (!frame->fine || !frame->fine_normals)
        return false;
    return choose(frames, formats, problem) && folder_make(folder, problem);
}

static bool gather(struct frames *frames, struct problem *problem)
{
    const struct frame *frame = &frames->frame;
    const struct stage *stage = frame->stage;
    size_t vertex = 0, element = 0, fine = 0;
    for (uint32_t b = 0; b < stage->body_count; ++b) {
        const struct stage_body *body = &stage->bodies[b];
        const uint32_t count = body->asset->stats.vertices;
        float *positions = frame->positions + 3 * vertex;
        float *velocities = frame->velocities + 3 * vertex;
        piola_status status = piola_body_positions(stage->world, body->handle, 0, count, positions);
        if (status == PIOLA_OK)
            status = piola_body_velocities(stage->world, body->handle, 0, count, velocities);
        if (status != PIOLA_OK)
            return problem_engine(problem, EXIT_RUNTIME, body->name, status, NULL);
        struct shape_facts facts;
        shape_measure(body->asset->mesh, positions, &facts, frame->stretch + element,
                      frame->ratio + element);
        if (body->detail && !stage_detail_take(stage, body, frame->fine + 3 * fine,
                                               frame->fine_normals + 3 * fine, problem))
            return false;
        vertex += count;
        element += mesh_elements(body->asset->mesh);
        fine += body->detail ? body->detail->vertex_count : 0;
    }
    return true;
}

static bool remember_time(struct frames *frames, double time, struct problem *problem)
{
    if (frames->count == frames->room) {
        const uint64_t room = frames->room ? 2 * frames->room : 256;
        double *times = realloc(frames->times, (size_t)room * sizeof *times);
        if (!times)
            return problem_memory(problem, "the frames' times", (size_t)room * sizeof *times);
        frames->times = times;
        frames->room = room;
    }
    frames->times[frames->count++] = time;
    return true;
}

bool frames_write(struct frames *frames, double time, struct problem *problem)
{
    frames->frame.number = frames->count;
    frames->frame.time = time;
    if (!gather(frames, problem))
        return false;
    for (uint32_t i = 0; i < frames->format_count; ++i)
        if (!frames->formats[i]->write(&frames->frame, problem))
            return false;
    return remember_time(frames, time, problem);
}

bool frames_finish(struct frames *frames, struct problem *problem)
{
    for (uint32_t i = 0; i < frames->format_count; ++i)
        if (frames->formats[i]->finish &&
            !frames->formats[i]->finish(&frames->frame, frames->times, frames->count, problem))
            return false;
    return true;
}

void frames_close(struct frames *frames)
{
    render_frames_close();
    free(frames->times);
    pool_free(&frames->pool);
    memset(frames, 0, sizeof *frames);
}
