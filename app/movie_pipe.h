/* movie_pipe.h - films: raw pictures piped to the ffmpeg program.
 *
 * Lives here: starting, feeding and ending that process. What must not live here: drawing.
 */
#ifndef APP_MOVIE_PIPE_H
#define APP_MOVIE_PIPE_H

#include "png_file.h"

#include <sys/types.h>

struct movie {
    pid_t process; /* 0: not open */
    int pipe;
    uint32_t width, height;
    char path[4096];
    char temporary[4096 + 16];
    void (*old_pipe_handler)(int);
};

/* False with a note when there is no ffmpeg program on PATH. */
bool movie_possible(struct problem *problem);
/* Sides are made even, as the codec needs, by one more row or column of grey. */
bool movie_open(struct movie *movie, const char *path, uint32_t width, uint32_t height,
                double pictures_per_second, struct problem *problem);
bool movie_add(struct movie *movie, const struct picture *picture, struct problem *problem);
/* The file takes its name only when it is complete. */
bool movie_commit(struct movie *movie, struct problem *problem);
/* Ends the process and removes the file; nothing when not open. */
void movie_drop(struct movie *movie);

#endif
