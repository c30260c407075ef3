/* movie_pipe.c - see movie_pipe.h. */
#define _POSIX_C_SOURCE 200809L
#include "movie_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool movie_possible(struct problem *problem)
{
    char file[4200];
    const char *path = getenv("PATH");
    for (const char *p = path != NULL ? path : ""; *p != 0;) {
        size_t letters = strcspn(p, ":");
        if (letters > 0 && letters < 4096) {
            snprintf(file, sizeof file, "%.*s/ffmpeg", (int)letters, p);
            if (access(file, X_OK) == 0) {
                return true;
            }
        }
        p += letters;
        p += *p == ':';
    }
    return problem_set(problem, EXIT_RUNTIME,
                       "films need the program ffmpeg, which is not installed (on Debian: apt-get "
                       "install ffmpeg)");
}

/* In the new process. Its own group, so that Ctrl-C reaches piola alone, which then ends the film
 * in order. */
static void become_ffmpeg(const struct movie *movie, int input, const char *size, const char *rate)
{
    setpgid(0, 0);
    if (dup2(input, STDIN_FILENO) >= 0) {
        execlp("ffmpeg", "ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt",
               "rgb24", "-video_size", size, "-framerate", rate, "-i", "-", "-an", "-vf",
               "pad=ceil(iw/2)*2:ceil(ih/2)*2:0:0:gray", "-c:v", "libx264", "-crf", "20",
               "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4", movie->temporary,
               (char *)NULL);
    }
    _exit(127);
}

static bool start(struct movie *movie, double rate, struct problem *problem)
{
    char size[40];
    char speed[40];
    int ends[2];
    snprintf(size, sizeof size, "%ux%u", movie->width, movie->height);
    snprintf(speed, sizeof speed, "%.4f", rate);
    if (pipe(ends) != 0) {
        return problem_errno(problem, "ffmpeg", "started");
    }
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t process = fork();
    if (process == 0) {
        become_ffmpeg(movie, ends[0], size, speed);
    }
    close(ends[0]);
    if (process < 0) {
        close(ends[1]);
        return problem_errno(problem, "ffmpeg", "started");
    }
    movie->old_pipe_handler = signal(SIGPIPE, SIG_IGN);
    movie->process = process;
    movie->pipe = ends[1];
    return true;
}

bool movie_open(struct movie *movie, const char *path, uint32_t width, uint32_t height,
                double pictures_per_second, struct problem *problem)
{
    *movie = (struct movie){.width = width, .height = height};
    if (!movie_possible(problem)) {
        return false;
    }
    if (!(pictures_per_second > 0.1 && pictures_per_second <= 1000.0)) {
        return problem_set(problem, EXIT_USAGE, "a film of %g pictures a second: 0.1 to 1000",
                           pictures_per_second);
    }
    int letters = snprintf(movie->path, sizeof movie->path, "%s", path);
    /* A dash at the front would be an option to ffmpeg, and a word with a colon a protocol. */
    snprintf(movie->temporary, sizeof movie->temporary, "%s%s.partial", path[0] == '/' ? "" : "./",
             path);
    if (letters <= 0 || (size_t)letters >= sizeof movie->path) {
        return problem_set(problem, EXIT_USAGE, "%.60s...: the path is too long", path);
    }
    return start(movie, pictures_per_second, problem);
}

bool movie_add(struct movie *movie, const struct picture *picture, struct problem *problem)
{
    if (picture->width != movie->width || picture->height != movie->height) {
        return problem_set(problem, EXIT_RUNTIME, "%s: the pictures differ in size", movie->path);
    }
    size_t left = (size_t)picture->width * picture->height * 3;
    const uint8_t *from = picture->rgb;
    while (left > 0) {
        ssize_t done = write(movie->pipe, from, left);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return problem_set(problem, EXIT_RUNTIME, "%s: ffmpeg has ended before the film",
                               movie->path);
        }
        from += done;
        left -= (size_t)done;
    }
    return true;
}

/* Closes the pipe and waits; returns ffmpeg's exit code. */
static int finish(struct movie *movie)
{
    int status = 0;
    close(movie->pipe);
    while (waitpid(movie->process, &status, 0) < 0 && errno == EINTR) {
    }
    signal(SIGPIPE, movie->old_pipe_handler);
    movie->process = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool movie_commit(struct movie *movie, struct problem *problem)
{
    int code = finish(movie);
    if (code != 0) {
        remove(movie->temporary);
        return problem_set(problem, EXIT_RUNTIME,
                           "%s: ffmpeg failed with code %d; its message is above", movie->path,
                           code);
    }
    if (rename(movie->temporary, movie->path) != 0) {
        problem_errno(problem, movie->path, "written");
        remove(movie->temporary);
        return false;
    }
    return true;
}

void movie_drop(struct movie *movie)
{
    if (movie->process > 0) {
        finish(movie);
        remove(movie->temporary);
    }
}
