/* file.h - files read whole and files written whole or not at all.
 *
 * Lives here: reading with a limit, and drafts: a file under a temporary name in the same folder
 * that takes its real name only when it is complete. What must not live here: any format.
 */
#ifndef APP_FILE_H
#define APP_FILE_H

#include "io/base/pool.h"

#include <stdio.h>

/* The whole file and a final 0 that `bytes` does not count. Null when it cannot be read or is
 * larger than `limit`. */
char *file_read(const char *path, size_t limit, struct pool *pool, size_t *bytes,
                struct problem *problem);

/* That a scene names a file that is not there is the scene's fault: `exit` says whose it is. */
bool file_can_open(const char *path, enum exit_code exit, struct problem *problem);

struct draft {
    FILE *file;
    char path[4096];
    char temporary[4096 + 16];
};

bool draft_open(struct draft *draft, const char *path, struct problem *problem);
/* Closes and renames; on failure the draft is removed and the old file, if any, is untouched. */
bool draft_commit(struct draft *draft, struct problem *problem);
/* Closes and removes; nothing when not open. */
void draft_drop(struct draft *draft);

/* Makes a folder unless it is there; its parent must be. */
bool folder_make(const char *path, struct problem *problem);

/* The part of a path behind its last '.', "" when there is none. */
const char *path_extension(const char *path);
/* Writes the file's own name without folder and extension. Returns text. */
const char *path_stem(const char *path, char *text, size_t bytes);
/* Writes `name` as seen from the folder of `beside`: unchanged when absolute. False when it does
 * not fit. */
bool path_beside(const char *beside, const char *name, char *text, size_t bytes);

#endif
