/* file.c - see file.h. */
#define _POSIX_C_SOURCE 200809L
#include "io/base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Takes what `file` has, which may be more or less than its size says (a pipe, a growing file). */
static char *read_open(FILE *file, const char *path, size_t limit, struct pool *pool, size_t *bytes,
                       struct problem *problem)
{
    size_t room = 1u << 16, used = 0;
    struct stat facts;
    if (fstat(fileno(file), &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size >= 0) {
        if ((uintmax_t)facts.st_size > limit) {
            problem_at(problem, EXIT_RUNTIME, path, 0, "is larger than %zu bytes", limit);
            return NULL;
        }
        room = (size_t)facts.st_size + 2; /* one more than it has, so that its end is seen */
    }
    char *text = pool_take(pool, room, 1, path, problem);
    while (text) {
        used += fread(text + used, 1, room - 1 - used, file);
        if (ferror(file)) {
            problem_errno(problem, path, "read");
            return NULL;
        }
        if (used > limit) {
            problem_at(problem, EXIT_RUNTIME, path, 0, "is larger than %zu bytes", limit);
            return NULL;
        }
        if (feof(file) || used < room - 1)
            break;
        char *larger = pool_take(pool, room * 2, 1, path, problem);
        if (larger)
            memcpy(larger, text, used);
        room *= 2;
        text = larger;
    }
    *bytes = used;
    return text;
}

char *file_read(const char *path, size_t limit, struct pool *pool, size_t *bytes,
                struct problem *problem)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        problem_errno(problem, path, "opened");
        return NULL;
    }
    errno = 0;
    char *text = read_open(file, path, limit, pool, bytes, problem);
    fclose(file);
    return text;
}

bool file_can_open(const char *path, enum exit_code exit, struct problem *problem)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        problem_errno(problem, path, "opened");
        problem->exit = exit;
        return false;
    }
    fclose(file);
    return true;
}

bool draft_open(struct draft *draft, const char *path, struct problem *problem)
{
    draft->file = NULL;
    const size_t letters = strlen(path);
    if (letters >= sizeof draft->path)
        return problem_at(problem, EXIT_RUNTIME, path, 0, "the path is too long");
    memcpy(draft->path, path, letters + 1);
    memcpy(draft->temporary, path, letters);
    memcpy(draft->temporary + letters, ".XXXXXX", 8);
    const int handle = mkstemp(draft->temporary);
    if (handle < 0)
        return problem_errno(problem, path, "written");
    const mode_t mask = umask(0);
    umask(mask);
    if (fchmod(handle, 0666 & ~mask) == 0)
        draft->file = fdopen(handle, "wb");
    if (!draft->file) {
        problem_errno(problem, path, "written");
        close(handle);
        unlink(draft->temporary);
        return false;
    }
    return true;
}

bool draft_commit(struct draft *draft, struct problem *problem)
{
    FILE *file = draft->file;
    draft->file = NULL;
    errno = 0;
    bool good = fflush(file) == 0 && !ferror(file);
    good = fclose(file) == 0 && good;
    good = good && rename(draft->temporary, draft->path) == 0;
    if (good)
        return true;
    problem_errno(problem, draft->path, "written");
    unlink(draft->temporary);
    return false;
}

void draft_drop(struct draft *draft)
{
    if (!draft->file)
        return;
    fclose(draft->file);
    draft->file = NULL;
    unlink(draft->temporary);
}

bool folder_make(const char *path, struct problem *problem)
{
    struct stat facts;
    if (mkdir(path, 0777) == 0)
        return true;
    if (errno != EEXIST)
        return problem_errno(problem, path, "made");
    if (stat(path, &facts) != 0 || !S_ISDIR(facts.st_mode))
        return problem_at(problem, EXIT_RUNTIME, path, 0, "is there, but is not a folder");
    if (access(path, W_OK | X_OK) != 0)
        return problem_errno(problem, path, "written to");
    return true;
}

static const char *own_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *path_extension(const char *path)
{
    const char *dot = strrchr(own_name(path), '.');
    return dot ? dot + 1 : "";
}

const char *path_stem(const char *path, char *text, size_t bytes)
{
    const char *name = own_name(path);
    const char *dot = strrchr(name, '.');
    size_t letters = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    if (letters > bytes - 1)
        letters = bytes - 1;
    memcpy(text, name, letters);
    text[letters] = 0;
    return text;
}

bool path_beside(const char *beside, const char *name, char *text, size_t bytes)
{
    const size_t folder = name[0] == '/' ? 0 : (size_t)(own_name(beside) - beside);
    const size_t letters = strlen(name) + 1;
    if (folder + letters > bytes)
        return false;
    memcpy(text, beside, folder);
    memcpy(text + folder, name, letters);
    return true;
}
