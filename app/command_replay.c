/* command_replay.c - `piola replay` and `piola diff`: records played, and two of them compared. */
#include "command.h"
#include "recording.h"
#include "world/names.h"
#include "world/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))

/* A record, and the scene that it is of, from the start. */
struct player {
    struct pool pool;
    struct recorded_run run;
    struct scene scene;
    struct stage stage;
    piola_replay replay;
};

static bool player_open(struct player *p, const char *path, const char *scene, int64_t threads,
                        int isa, struct problem *problem)
{
    piola_error error = {0};
    memset(p, 0, sizeof *p);
    if (!recording_read(path, &p->run, &p->pool, problem))
        return false;
    const char *from = scene ? scene : p->run.scene;
    p->run.options.threads = threads;
    p->run.options.isa = isa;
    if (!scene_read(from, &p->scene, &p->pool, problem) ||
        !stage_open(&p->stage, &p->scene, from, &p->run.options, problem))
        return false;
    const piola_status status =
        piola_replay_begin(&p->replay, p->stage.world, p->run.record, p->run.bytes, &error);
    if (status == PIOLA_ERROR_SNAPSHOT_WORLD)
        return problem_set(problem, EXIT_SCENE,
                           "%s: the scene %s, or one of its meshes, is not what was recorded", path,
                           from);
    if (status == PIOLA_ERROR_RECORD_DAMAGED)
        return problem_set(problem, EXIT_SCENE, "%s: step %" PRIu64 " was changed", path,
                           error.item);
    return status == PIOLA_OK || problem_engine(problem, EXIT_SCENE, path, status, &error);
}

static void player_close(struct player *p)
{
    stage_close(&p->stage);
    pool_free(&p->pool);
}

static bool player_step(struct player *p, struct problem *problem)
{
    piola_error error = {0};
    const piola_tasks *tasks = p->stage.workers ? piola_workers_tasks(p->stage.workers) : NULL;
    const piola_status status = piola_replay_step(&p->replay, p->stage.world, tasks, NULL, &error);
    return status == PIOLA_OK || problem_engine(problem, EXIT_RUNTIME, "a step", status, &error);
}

/* ---- replay ---- */

static const struct option replay_options[] = {
    {"verify", NULL, "compare the state after each step with the record's"},
    {"steps", "N", "play so many steps (default: all)"},
    {"scene", "FILE", "the scene, where it is not where it was"},
    {"threads", "T", "working threads, 1 to 64 (default: as the scene says)"},
    {"isa", "NAME", "instruction set: auto, sse4, avx2, avx512, neon"},
    {"hash", NULL, "print the last state's hash and nothing else"},
};

static bool play(struct player *p, uint64_t steps, bool verify, struct problem *problem)
{
    const size_t left = p->run.bytes - p->replay.whole;
    while (p->replay.step < steps) {
        if (!player_step(p, problem))
            return false;
        if (verify && piola_world_hash(p->stage.world) != p->replay.hash)
            return problem_set(problem, EXIT_RUNTIME,
                               "step %" PRIu64 " comes to %016" PRIx64 ", where %016" PRIx64
                               " was recorded",
                               p->replay.step, piola_world_hash(p->stage.world), p->replay.hash);
    }
    if (left > 0)
        fprintf(stderr, "piola: the record ends within step %" PRIu64 ": %zu bytes are left out\n",
                p->replay.steps + 1, left);
    return true;
}

static int replay(const struct command *command, const struct arguments *a)
{
    struct problem problem = {0};
    struct player p = {.replay = {0}};
    int64_t steps = -1, threads = -1;
    int isa = -1;
    const bool verify = argument(command, a, "verify") != NULL;
    bool good =
        argument_count(command, a, "steps", 1, INT64_MAX, &steps, &problem) &&
        argument_count(command, a, "threads", 1, 64, &threads, &problem) &&
        argument_choice(command, a, "isa", isa_names, PIOLA_ISA_COUNT, &isa, &problem) &&
        player_open(&p, a->operands[0], argument(command, a, "scene"), threads, isa, &problem);
    const uint64_t all = p.replay.steps;
    good = good &&
           play(&p, steps < 0 || (uint64_t)steps > all ? all : (uint64_t)steps, verify, &problem);
    if (good && argument(command, a, "hash"))
        printf("%016" PRIx64 "\n", piola_world_hash(p.stage.world));
    else if (good)
        printf("%s: %" PRIu64 " of %" PRIu64 " steps, %zu bytes%s\n  hash               %016" PRIx64
               "\n",
               a->operands[0], p.replay.step, all, p.run.bytes,
               verify ? ", each to the state that was recorded" : "",
               piola_world_hash(p.stage.world));
    player_close(&p);
    return problem.text[0] ? problem_report(&problem) : EXIT_DONE;
}

const struct command replay_command = {
    .name = "replay",
    .operands = "FILE",
    .what =
        "Plays a record of `piola run --record`. One that was cut plays to its last whole step.",
    .options = replay_options,
    .option_count = COUNT(replay_options),
    .least = 1,
    .most = 1,
    .run = replay,
};

/* ---- diff ---- */

/* The next step of a record without playing it: its inputs and its hash. */
struct reading {
    const unsigned char *at, *end;
    const unsigned char *inputs;
    size_t bytes;
    uint64_t hash;
};

static bool next(struct reading *r)
{
    struct record_head head;
    if ((size_t)(r->end - r->at) < sizeof head)
        return false;
    memcpy(&head, r->at, sizeof head);
    r->inputs = r->at + sizeof head;
    r->bytes = head.bytes - sizeof r->hash;
    memcpy(&r->hash, r->inputs + r->bytes, sizeof r->hash);
    r->at = r->inputs + head.bytes;
    return true;
}

static struct reading reading_of(const struct player *p)
{
    return (struct reading){.at = p->run.record + sizeof(struct record_header),
                            .end = p->run.record + p->replay.whole};
}

/* The steps, from 1, at which inputs and states first differ, 0 where they do not; and how many
 * steps both have. */
struct found {
    uint64_t inputs, states, steps;
    size_t byte; /* of the inputs */
};

static struct found find(const struct player *a, const struct player *b)
{
    struct reading x = reading_of(a), y = reading_of(b);
    struct found f = {0, 0, 0, 0};
    while (f.states == 0 && next(&x) && next(&y)) {
        ++f.steps;
        const size_t both = x.bytes < y.bytes ? x.bytes : y.bytes;
        if (f.inputs == 0 && (x.bytes != y.bytes || memcmp(x.inputs, y.inputs, both) != 0)) {
            f.inputs = f.steps;
            while (f.byte < both && x.inputs[f.byte] == y.inputs[f.byte])
                ++f.byte;
        }
        f.states = x.hash != y.hash ? f.steps : 0;
    }
    return f;
}

/* The body that has this element of an array. */
static void print_owner(const piola_world *world, enum field field, uint64_t item)
{
    const enum dimension of = world_fields[field].dimension;
    const bool by_particle = world->dim[of].capacity == world->dim[DIM_particles].capacity;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i) {
        const struct body *b = &world_bodies(world)[i];
        if (of == DIM_bodies && item == i)
            printf(", body %u", i + 1);
        if (!by_particle || !(b->flags & BODY_ALIVE) || item < b->first ||
            item >= (uint64_t)b->first + b->count)
            continue;
        const piola_asset *asset = body_asset(world, b);
        printf(", body %u", i + 1);
        for (uint32_t v = 0; v < asset->stats.vertices; ++v)
            if (asset_particle_of_vertex(asset)[v] == item - b->first)
                printf(", vertex %u", v);
    }
}

/* Each word of an element that differs, in hex, as a float and as a number. */
static void print_words(const char *a, const char *b, size_t bytes)
{
    for (size_t at = 0; at + 4 <= bytes; at += 4) {
        uint32_t x, y;
        float f, g;
        memcpy(&x, a + at, sizeof x);
        memcpy(&y, b + at, sizeof y);
        memcpy(&f, a + at, sizeof f);
        memcpy(&g, b + at, sizeof g);
        if (x != y)
            printf("    word %zu: %08" PRIx32 " and %08" PRIx32 " (%.9g and %.9g; %" PRIu32
                   " and %" PRIu32 ")\n",
                   at / 4, x, y, (double)f, (double)g, x, y);
    }
}

/* The first element of the state that differs of two worlds, which may be of different settings. */
static void print_difference(const piola_world *x, const piola_world *y)
{
    uint64_t differ = 0;
    for (int i = 0; i < FIELD_COUNT; ++i) {
        const struct field_info *field = &world_fields[i];
        const struct extent *a = &x->dim[field->dimension], *b = &y->dim[field->dimension];
        const uint64_t both = a->capacity < b->capacity ? a->capacity : b->capacity;
        for (uint64_t k = 0; field->kind == STATE && k < both; ++k) {
            const char *one = (const char *)x + x->offset[i] + k * field->element;
            const char *two = (const char *)y + y->offset[i] + k * field->element;
            if (names_same((enum field)i, one, two) || differ++ > 0)
                continue;
            printf("  array %s, element %" PRIu64, field->name, k);
            print_owner(x, (enum field)i, k);
            putchar('\n');
            print_words(one, two, field->element);
        }
    }
    printf("  %" PRIu64 " elements differ in all\n", differ);
}

/* Both are played to the step whose states differ, here. */
static bool play_both(struct player *a, struct player *b, uint64_t step, struct problem *problem)
{
    while (a->replay.step < step)
        if (!player_step(a, problem) || !player_step(b, problem))
            return false;
    const uint64_t x = piola_world_hash(a->stage.world), y = piola_world_hash(b->stage.world);
    if (x != y) {
        print_difference(a->stage.world, b->stage.world);
        return true;
    }
    printf("  played here, both come to %016" PRIx64
           ", %s: not the inputs differ, but what ran them\n",
           x,
           x == a->replay.hash   ? "as the first says"
           : x == b->replay.hash ? "as the second says"
                                 : "which neither says");
    return true;
}

static bool compare(struct player *a, struct player *b, bool *differ, struct problem *problem)
{
    const struct found f = find(a, b);
    *differ = true;
    if (a->replay.hash != b->replay.hash) {
        printf("before step 1: the states differ\n");
        print_difference(a->stage.world, b->stage.world);
        return true;
    }
    if (f.inputs > 0)
        printf("step %" PRIu64 ", phase begin: the inputs differ, from byte %zu on\n", f.inputs,
               f.byte);
    if (f.states > 0) {
        printf("step %" PRIu64 ": the states differ\n", f.states);
        return play_both(a, b, f.states, problem);
    }
    if (f.inputs > 0) {
        printf("  which changed no state in %" PRIu64 " steps\n", f.steps);
        return true;
    }
    if (a->replay.steps != b->replay.steps) {
        printf("same for %" PRIu64 " steps, then the %s ends\n", f.steps,
               a->replay.steps < b->replay.steps ? "first" : "second");
        return true;
    }
    *differ = false;
    printf("same: %" PRIu64 " steps\n", f.steps);
    return true;
}

static int diff(const struct command *command, const struct arguments *a)
{
    struct problem problem = {0};
    struct player first = {.replay = {0}}, second = {.replay = {0}};
    const char *scene = argument(command, a, "scene");
    bool differ = false;
    const bool good = player_open(&first, a->operands[0], scene, -1, -1, &problem) &&
                      player_open(&second, a->operands[1], scene, -1, -1, &problem) &&
                      compare(&first, &second, &differ, &problem);
    player_close(&first);
    player_close(&second);
    return !good ? problem_report(&problem) : differ ? EXIT_RUNTIME : EXIT_DONE;
}

static const struct option diff_options[] = {
    {"scene", "FILE", "the scene of both, where it is not where it was"},
};

const struct command diff_command = {
    .name = "diff",
    .operands = "FILE FILE",
    .what = "Compares two records, and names the first step, array, body and element that differ.\n"
            "Ends with the code 1 when they differ.",
    .options = diff_options,
    .option_count = COUNT(diff_options),
    .least = 2,
    .most = 2,
    .run = diff,
};
