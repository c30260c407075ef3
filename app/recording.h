/* recording.h - a run's record as a file: which scene it is of, then the engine's record, written
 * as the run goes on.
 *
 * The first line has a magic, a version, a seal and the line's rest, which is JSON; the record
 * begins where that line ends. A file that was cut is whole up to its last whole step. What must
 * not live here: what a record holds (piola/record.h).
 */
#ifndef APP_RECORDING_H
#define APP_RECORDING_H

#include "io/scene/stage.h"

struct recording;

/* Begins to record the stage's world; null when that cannot be. */
struct recording *recording_open(struct stage *stage, const char *path,
                                 const struct stage_options *options, struct problem *problem);
/* Writes what the last step has added. */
bool recording_step(struct recording *recording, struct problem *problem);
/* Ends it, with all that is left in the file; null is fine. */
bool recording_close(struct recording *recording, struct problem *problem);

/* A file that was read. */
struct recorded_run {
    char scene[4096];             /* absolute path */
    struct stage_options options; /* those that change results */
    const unsigned char *record;
    size_t bytes;
};
bool recording_read(const char *path, struct recorded_run *run, struct pool *pool,
                    struct problem *problem);

#endif
