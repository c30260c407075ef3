/* frames.h - pictures of the bodies in time, written to a folder: a table of formats.
 *
 * Lives here: gathering the bodies' state, and the table: adding a format is one file with three
 * functions and one row in frames.c. What must not live here: any format.
 */
#ifndef APP_FRAMES_H
#define APP_FRAMES_H

#include "io/base/file.h"
#include "io/scene/stage.h"

/* All bodies at one moment, in the order of stage.bodies. */
struct frame {
    const struct stage *stage;
    uint64_t number; /* from 0 */
    double time;     /* s */
    const char *folder, *name;
    float *positions, *velocities; /* 3 per vertex, m and m/s */
    float *stretch, *ratio;        /* one per element */
    float *fine, *fine_normals;    /* of all details, 3 per vertex, in the order of the bodies */
};

struct frame_format {
    const char *name;
    const char *what;
    /* Writes one frame. */
    bool (*write)(const struct frame *frame, struct problem *problem);
    /* Ends a series of `count` frames, whose times are given; may be null. */
    bool (*finish)(const struct frame *last, const double *times, uint64_t count,
                   struct problem *problem);
};

extern const struct frame_format frame_formats[];
extern const uint32_t frame_format_count;

struct frames {
    struct pool pool;
    struct frame frame;
    const struct frame_format *formats[8];
    uint32_t format_count;
    double *times;
    uint64_t count, room;
    char name[256];
};

/* `formats`: names with commas between. Makes the folder. Call frames_close on failure too. */
bool frames_open(struct frames *frames, const struct stage *stage, const char *folder,
                 const char *formats, struct problem *problem);
bool frames_write(struct frames *frames, double time, struct problem *problem);
bool frames_finish(struct frames *frames, struct problem *problem);
void frames_close(struct frames *frames);

/* "FOLDER/NAME_000012.vtu"; false when it does not fit. */
bool frame_path(const struct frame *frame, const char *extension, char *path, size_t bytes,
                struct problem *problem);

bool vtu_frame(const struct frame *frame, struct problem *problem);
bool vtu_series(const struct frame *last, const double *times, uint64_t count,
                struct problem *problem);
bool obj_frame(const struct frame *frame, struct problem *problem);

#endif
