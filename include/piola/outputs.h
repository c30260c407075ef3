/* outputs.h - what a world did, for threads that do not step it: drawing, sound, network, devices.
 * Included by piola.h: include that.
 *
 * The thread that steps publishes frames; readers take the newest, at any moment, also while the
 * next step runs. Neither side ever waits for the other, and no frame is torn:
 * docs/method/outputs.md. All memory is the caller's; it holds no pointer, so it may be shared by
 * processes.
 */
#ifndef PIOLA_PIOLA_OUTPUTS_H
#define PIOLA_PIOLA_OUTPUTS_H

#include "piola/contact.h"
#include "piola/detail.h"
#include "piola/rigid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What fits into a frame. Room for 2 readers + 3 frames is taken. */
typedef struct piola_outputs_desc {
    uint32_t cookie_;
    uint32_t readers;            /* 1 to 8 */
    uint32_t max_bodies;         /* 0 to 65535; default 64 */
    uint32_t max_vertices;       /* sum over them, 0 to 2^26; default 65536 */
    uint32_t max_rigids;         /* 0 (default) to 65535 */
    uint32_t max_contact_events; /* 0 (default) to 2^20 */
    uint32_t max_contact_points; /* 0 (default) to 2^20 */
    bool contact_forces;         /* of contact on each vertex; default false */
} piola_outputs_desc;

/* One reader, positions alone. */
PIOLA_API piola_outputs_desc piola_outputs_desc_default(void);

typedef struct piola_outputs piola_outputs;

/* Bytes of the block that piola_outputs_create needs. PIOLA_ERROR_TOO_LARGE. */
PIOLA_API piola_status piola_outputs_size(const piola_outputs_desc *desc, size_t *bytes,
                                          piola_error *error);
/* Makes outputs without a frame in `memory`, which must live as long as they are used. */
PIOLA_API piola_status piola_outputs_create(const piola_outputs_desc *desc, void *memory,
                                            size_t bytes, piola_outputs **outputs,
                                            piola_error *error);

/* Between steps, by the thread that steps: copies what the world is now into a frame that no reader
 * holds and makes it the newest. `report` (may be null) is that of the last step. `time` (s) says
 * of which moment the frame is, in whatever clock readers ask in: it must not fall from frame to
 * frame. What finds no room is left out and counted in the frame. Takes the time of copying what
 * fits, and of piola_world_contact_points and piola_body_contact_forces where these are asked for,
 * whatever readers do; no allocation, lock or system call. */
PIOLA_API piola_status piola_outputs_publish(piola_outputs *outputs, const piola_world *world,
                                             const piola_report *report, double time);

/* A body in a frame: its vertices, in the description's order, are first .. first+vertices-1 of the
 * frame's arrays. */
typedef struct piola_output_body {
    piola_body body;
    uint32_t first, vertices;
    bool frozen, asleep;
} piola_output_body;

/* A rigid body in a frame. */
typedef struct piola_output_rigid {
    piola_rigid rigid;
    float position[3], rotation[4]; /* m, unit quaternion */
    double force[3];                /* N, as of piola_rigid_info */
} piola_output_rigid;

/* A frame as a reader has it; the pointers are into the outputs. */
typedef struct piola_frame {
    uint64_t sequence; /* of the publishing, from 1; 0: there is no such frame */
    double time;       /* s, as published */
    const piola_report *report;
    const piola_output_body *bodies; /* by rising index */
    const piola_output_rigid *rigids;
    const float *positions;      /* m, 3 a vertex */
    const float *contact_forces; /* N, 3 a vertex; null unless asked for */
    const piola_contact_event *contact_events;
    const piola_contact_point *contact_points;
    uint32_t body_count, rigid_count, contact_event_count, contact_point_count;
    uint32_t bodies_dropped; /* for which there was no room: raise max_bodies or max_vertices */
    uint32_t rigids_dropped; /* likewise, and so on */
    uint32_t contact_events_dropped, contact_points_dropped;
} piola_frame;

/* The newest frame, and in `previous` (may be null) the one published before it. Both stay as they
 * are until this reader's next call; before anything is published both have the sequence 0. At any
 * moment, by any thread, but each reader (from 0) one thread at a time. A few atomic accesses,
 * whatever the other side does. */
PIOLA_API piola_status piola_outputs_acquire(piola_outputs *outputs, uint32_t reader,
                                             piola_frame *frame, piola_frame *previous);

/* s: motion is extrapolated so far behind the newest frame, and then held. */
#define PIOLA_FRAME_AHEAD 0.05

/* How a value of another moment than a frame's was found. */
typedef enum piola_frame_moment {
    PIOLA_FRAME_INTERPOLATED = 0, /* between the two frames, ends included */
    PIOLA_FRAME_EXTRAPOLATED,     /* the motion between them goes on: a guess */
    PIOLA_FRAME_HELD, /* no motion is known at that time: too late, too early, or one frame alone
                         has it. The value nearest to it */
    PIOLA_FRAME_MOMENT_COUNT
} piola_frame_moment;

/* Positions (m) of vertices first .. first+count-1 of a body at `time`, on a straight line through
 * the two frames: for displays at a rate of their own. `moment` (may be null) says what they are.
 * For a display that never guesses ask for a time one step back. PIOLA_ERROR_STALE: the newest
 * frame has no such body. */
PIOLA_API piola_status piola_frame_positions(const piola_frame *frame, const piola_frame *previous,
                                             double time, piola_body body, uint32_t first,
                                             uint32_t count, float *xyz,
                                             piola_frame_moment *moment);
/* The same of a rigid body's position (m) and rotation (unit quaternion). */
PIOLA_API piola_status piola_frame_rigid(const piola_frame *frame, const piola_frame *previous,
                                         double time, piola_rigid rigid, float position[3],
                                         float rotation[4], piola_frame_moment *moment);

/* Unit normals of all vertices of a body whose vertices are at `xyz` (m), both 3 floats a vertex
 * in the description's order: the mean of its surface triangles', weighted by area; 0 inside. By
 * any thread. */
PIOLA_API piola_status piola_asset_normals(const piola_asset *asset, const float *xyz,
                                           float *normals);
/* piola_detail_pose_take of a body whose vertices are at `xyz` (m), of all of them in the
 * description's order: a fine mesh at any moment, by any thread, without its world. */
PIOLA_API piola_status piola_detail_pose_at(const piola_detail *detail, const piola_asset *asset,
                                            const float *xyz, void *memory, size_t bytes,
                                            const piola_detail_pose **pose);

#ifdef __cplusplus
}
#endif

#endif
