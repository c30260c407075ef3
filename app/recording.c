/* recording.c - see recording.h. */
#define _XOPEN_SOURCE 700
#include "recording.h"

#include "base/hash.h"
#include "io/base/file.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC   "piola-record"
#define FORMAT  1
#define HEAD    (sizeof MAGIC + 2 + 17) /* "piola-record 1 SEAL " */
#define LIMIT   ((size_t)1 << 34)       /* bytes of a file */
#define ALIGNED 64u

struct recording {
    piola_world *world;
    FILE *file;
    const char *path;
    void *memory;
    unsigned char piece[1 << 16];
};

static uint64_t seal_of(const char *text)
{
    return hash_bytes(text, strlen(text), FORMAT);
}

/* The first line, with spaces so that the record is aligned behind it. */
static bool write_head(FILE *file, const struct stage *stage, const struct stage_options *options)
{
    char *path = realpath(stage->path, NULL);
    json_t *head = json_pack("{s:s, s:i, s:I, s:I}", "scene", path ? path : stage->path, "solver",
                             options->solver, "iterations", (json_int_t)options->iterations,
                             "substeps", (json_int_t)options->substeps);
    char *text = head ? json_dumps(head, JSON_COMPACT) : NULL;
    const size_t length = text ? strlen(text) : 0;
    const size_t pad = (ALIGNED - (HEAD + length + 1) % ALIGNED) % ALIGNED;
    const bool good = text && fprintf(file, MAGIC " %d %016" PRIx64 " %s%*s\n", FORMAT,
                                      seal_of(text), text, (int)pad, "") > 0;
    free(text);
    free(path);
    json_decref(head);
    return good;
}

struct recording *recording_open(struct stage *stage, const char *path,
                                 const struct stage_options *options, struct problem *problem)
{
    /* Of one step: all commands that the queue can hold. */
    const size_t bytes = 65536 + stage->desc.max_commands * sizeof(piola_command);
    struct recording *r = calloc(1, sizeof *r);
    if (!r || !(r->memory = malloc(bytes))) {
        free(r);
        problem_memory(problem, "the record", bytes);
        return NULL;
    }
    r->path = path;
    r->file = fopen(path, "wb");
    if (!r->file || !write_head(r->file, stage, options)) {
        problem_errno(problem, path, "written");
        recording_close(r, problem);
        return NULL;
    }
    const piola_status status = piola_record_begin(stage->world, r->memory, bytes);
    if (status != PIOLA_OK) {
        problem_engine(problem, EXIT_RUNTIME, "the record", status, NULL);
        recording_close(r, problem);
        return NULL;
    }
    r->world = stage->world;
    return r;
}

bool recording_step(struct recording *r, struct problem *problem)
{
    size_t moved = 0;
    do {
        const piola_status status = piola_record_drain(r->world, r->piece, sizeof r->piece, &moved);
        if (status != PIOLA_OK)
            return problem_engine(problem, EXIT_RUNTIME, "the record", status, NULL);
        if (moved > 0 && fwrite(r->piece, 1, moved, r->file) != moved)
            return problem_errno(problem, r->path, "written");
    } while (moved == sizeof r->piece);
    return true;
}

bool recording_close(struct recording *r, struct problem *problem)
{
    bool good = true;
    if (!r)
        return true;
    if (r->world) {
        good = recording_step(r, problem);
        const piola_status status = piola_record_end(r->world, NULL);
        good = good && (status == PIOLA_OK ||
                        problem_engine(problem, EXIT_RUNTIME, "the record", status, NULL));
    }
    if (r->file && fclose(r->file) != 0 && good)
        good = problem_errno(problem, r->path, "written");
    free(r->memory);
    free(r);
    return good;
}

static bool read_head(const char *path, const char *text, struct recorded_run *run,
                      struct problem *problem)
{
    json_error_t error;
    json_t *head = json_loads(text, 0, &error);
    const char *scene = NULL;
    json_int_t iterations = -1, substeps = -1;
    const bool good = head && json_unpack(head, "{s:s, s:i, s:I, s:I}", "scene", &scene, "solver",
                                          &run->options.solver, "iterations", &iterations,
                                          "substeps", &substeps) == 0;
    if (good)
        snprintf(run->scene, sizeof run->scene, "%s", scene);
    run->options.iterations = iterations;
    run->options.substeps = substeps;
    json_decref(head);
    return good || problem_set(problem, EXIT_SCENE, "%s: this is not a record", path);
}

bool recording_read(const char *path, struct recorded_run *run, struct pool *pool,
                    struct problem *problem)
{
    size_t bytes = 0;
    char *text = file_read(path, LIMIT, pool, &bytes, problem);
    if (!text)
        return false;
    *run = (struct recorded_run){.options = STAGE_OPTIONS_NONE};
    char *end = memchr(text, '\n', bytes), *from = text + HEAD;
    if (strncmp(text, MAGIC " ", sizeof MAGIC) != 0)
        return problem_set(problem, EXIT_SCENE, "%s: this is not a record", path);
    if (!end || end <= from)
        return problem_set(problem, EXIT_SCENE, "%s: the record is cut short in its first line",
                           path);
    char *behind = NULL;
    const unsigned long version = strtoul(text + sizeof MAGIC, &behind, 10);
    const uint64_t seal = strtoull(behind, NULL, 16);
    if (version != FORMAT)
        return problem_set(problem, EXIT_SCENE, "%s: a record of another version", path);
    run->record = (const unsigned char *)end + 1;
    run->bytes = bytes - (size_t)(end + 1 - text);
    while (end > from && end[-1] == ' ')
        --end;
    *end = 0;
    if (seal_of(from) != seal)
        return problem_set(problem, EXIT_SCENE, "%s: the record's first line was changed", path);
    return read_head(path, from, run, problem);
}
