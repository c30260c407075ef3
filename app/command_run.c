/* command_run.c - `piola run` and `piola check`: options in, a table or one JSON object out. */
#include "command.h"
#include "run_loop.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))
#define STEPS_MAX    INT64_C(100000000)

const char *const isa_names[] = {"auto", "sse4", "avx2", "avx512", "neon"};
const char *const solver_names[] = {"descent", "energy", "compliant", "explicit"};

static const struct option run_options[] = {
    {"steps", "N", "run so many steps"},
    {"seconds", "S", "run for so much simulated time (default: as the scene says)"},
    {"threads", "T", "working threads, 1 to 64 (default: as the scene says)"},
    {"isa", "NAME", "instruction set: auto, sse4, avx2, avx512, neon; all give the same bits"},
    {"solver", "NAME", "descent, energy, compliant, explicit (default: as the scene says)"},
    {"iterations", "N", "iterations of the solver in a substep (default: as the scene says)"},
    {"substeps", "N", "substeps of a step (default: as the scene says)"},
    {"times", NULL, "print what the phases of a step take"},
    {"json", NULL, "print one JSON object instead of the table"},
    {"hash", NULL, "print the last state's hash and nothing else"},
    {"strict", NULL, "end with the code 4 when there are warnings"},
    {"sensors", "FILE", "write the scene's sensors, as .csv or .jsonl"},
    {"out", "DIR", "write the bodies to this folder, as they move"},
    {"every", "N", "steps between two files there (default: 30 files a simulated second)"},
    {"format", "LIST", "what they are, with commas between: vtu, obj, png, mp4 (default: vtu)"},
    {"sheet", "FILE", "draw the scene's moments on one .png sheet"},
    {"film", "FILE", "draw an .mp4 film (by the program ffmpeg)"},
    {"fps", "N", "pictures a second of the film (default 25)"},
    {"record", "FILE", "write what each step consumes, for `piola replay`"},
};

static bool read_stage_options(const struct command *command, const struct arguments *a,
                               struct stage_options *options, struct problem *problem)
{
    *options = STAGE_OPTIONS_NONE;
    options->clock = argument(command, a, "times") ? piola_platform_seconds : NULL;
    return argument_count(command, a, "threads", 1, 64, &options->threads, problem) &&
           argument_count(command, a, "iterations", 0, 1000, &options->iterations, problem) &&
           argument_count(command, a, "substeps", 1, 1000, &options->substeps, problem) &&
           argument_choice(command, a, "isa", isa_names, PIOLA_ISA_COUNT, &options->isa, problem) &&
           argument_choice(command, a, "solver", solver_names, PIOLA_SOLVER_COUNT, &options->solver,
                           problem);
}

static bool ends_in(const char *option, const char *path, const char *extension,
                    struct problem *problem)
{
    return !path || strcmp(path_extension(path), extension) == 0 ||
           problem_set(problem, EXIT_USAGE, "--%s: \"%s\" does not end in .%s", option, path,
                       extension);
}

/* A sheet and a film, drawn on the way. */
static bool read_shots(const struct command *command, const struct arguments *a,
                       struct run_plan *plan, struct problem *problem)
{
    struct shots_plan *shots = &plan->shots;
    shots->sheet = argument(command, a, "sheet");
    shots->film = argument(command, a, "film");
    shots->fps = 25;
    if (!ends_in("sheet", shots->sheet, "png", problem) ||
        !ends_in("film", shots->film, "mp4", problem) ||
        !argument_number(command, a, "fps", 1, 240, &shots->fps, problem))
        return false;
    if (argument(command, a, "fps") && !shots->film)
        return problem_set(problem, EXIT_USAGE, "--fps is for films, and needs --film FILE");
    const bool draws =
        plan->formats && (strstr(plan->formats, "png") || strstr(plan->formats, "mp4"));
    return !draws || (!shots->sheet && !shots->film) ||
           problem_set(problem, EXIT_USAGE,
                       "--sheet and --film cannot be drawn beside --format png or mp4");
}

static bool read_plan(const struct command *command, const struct arguments *a,
                      const struct scene *scene, struct run_plan *plan, struct problem *problem)
{
    const double dt = (double)scene->world->dt;
    double seconds = scene->seconds;
    int64_t steps = 0, every = 0;
    plan->sensors_path = argument(command, a, "sensors");
    plan->folder = argument(command, a, "out");
    plan->formats = argument(command, a, "format");
    plan->record = argument(command, a, "record");
    plan->progress = true;
    if (!argument_number(command, a, "seconds", 1e-6, 1e9, &seconds, problem) ||
        !argument_count(command, a, "steps", 1, STEPS_MAX, &steps, problem) ||
        !argument_count(command, a, "every", 1, STEPS_MAX, &every, problem) ||
        !read_shots(command, a, plan, problem))
        return false;
    if (steps && argument(command, a, "seconds"))
        return problem_set(problem, EXIT_USAGE, "--steps and --seconds contradict each other");
    if (!plan->folder && (every || plan->formats))
        return problem_set(problem, EXIT_USAGE, "--%s is for pictures, and needs --out DIR",
                           every ? "every" : "format");
    /* A step's length is a float, so 5 s of 0.005 are 1000.00002 of them: not one more. */
    const double needed = fmax(1, ceil(seconds / dt - 1e-3));
    if (!steps && needed > (double)STEPS_MAX)
        return problem_set(problem, EXIT_USAGE, "%g s are more than %" PRId64 " steps of %g s",
                           seconds, STEPS_MAX, dt);
    plan->steps = steps ? (uint64_t)steps : (uint64_t)needed;
    plan->every = every ? (uint64_t)every : (uint64_t)fmax(1, floor(1 / (30 * dt) + 0.5));
    if (plan->folder && !plan->formats)
        plan->formats = "vtu";
    return true;
}

const char *human_bytes(double bytes, char *text, size_t size)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    int unit = 0;
    for (; bytes >= 1000 && unit < 4; ++unit)
        bytes /= 1000;
    snprintf(text, size, "%.*f %s", unit ? 2 : 0, bytes, units[unit]);
    return text;
}

/* A step's phases and its stages, in the mean of all steps. */
static void print_times(const struct run_facts *facts)
{
    const double steps = (double)facts->steps;
    double all = 0;
    for (int phase = 0; phase < PIOLA_PHASE_COUNT; ++phase)
        all += facts->phase_seconds[phase];
    for (int phase = 0; phase < PIOLA_PHASE_COUNT; ++phase)
        printf("  %-18s %.4f ms, %.0f %%\n", piola_phase_name((piola_phase)phase),
               1e3 * facts->phase_seconds[phase] / steps,
               all > 0 ? 100 * facts->phase_seconds[phase] / all : 0);
    for (const piola_stage *s = facts->stages; s < facts->stages + STAGES_MOST && s->name; ++s)
        if (s->runs > 0)
            printf("    %-22s %.4f ms, %.3g runs\n", s->name, 1e3 * s->seconds / steps,
                   s->runs / steps);
}

static void print_table(const struct stage *stage, const struct run_plan *plan,
                        const struct run_facts *facts)
{
    char bytes[32];
    const char *isa = piola_isa_name(piola_world_isa(stage->world));
    printf("%s\n", stage->scene->description);
    printf("  steps              %" PRIu64 " of %g s%s\n", facts->steps, (double)stage->desc.dt,
           facts->interrupted ? " (interrupted)" : "");
    printf("  bodies             %u\n", stage->body_count);
    printf("  elements           %" PRIu64 " (%" PRIu64 " vertices)\n", stage->elements,
           stage->vertices);
    printf("  ms per step        p50 %.3f, p99 %.3f, max %.3f\n", facts->ms_p50, facts->ms_p99,
           facts->ms_max);
    printf("  real-time factor   %.2f s simulated a second (%s, %u thread%s)\n", facts->factor, isa,
           stage->threads, stage->threads == 1 ? "" : "s");
    printf("  memory             %s\n",
           human_bytes((double)(stage->world_bytes + stage->asset_bytes), bytes, sizeof bytes));
    printf("  residual           %.3g N, %.2g of what acts (%s, %u iterations)\n", facts->residual,
           facts->relative_residual, solver_names[stage->desc.solver], stage->desc.iterations);
    printf("  largest stretch    %.3f, %u inverted element%s\n", facts->max_stretch,
           facts->inverted, facts->inverted == 1 ? "" : "s");
    if (facts->energy_taken > 0)
        printf("  energy taken       %.3g J, which came from nothing\n", facts->energy_taken);
    if (stage->desc.clock)
        print_times(facts);
    if (facts->frozen)
        printf("  frozen bodies      %" PRIu64 "\n", facts->frozen);
    if (stage->desc.sleep)
        printf("  asleep             %" PRIu64 " at the end, woken %" PRIu64 " times\n",
               facts->asleep, facts->woken);
    printf("  hash               %016" PRIx64 "\n", facts->hash);
    if (plan->folder)
        printf("  written            %" PRIu64 " frames to %s\n", facts->frames, plan->folder);
    sensors_print(stage->scene, facts->sensors, stdout);
}

static json_t *facts_json(const struct stage *stage, const struct run_facts *facts)
{
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, facts->hash);
    return json_pack(
        "{s:s, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:I, s:I, s:I, s:I, s:I, "
        "s:f, s:f, s:f, s:f, s:I, "
        "s:s, s:s, s:I, s:I, s:b, s:s, s:O, s:o}",
        "scene", stage->path, "steps", (json_int_t)facts->steps, "dt", (double)stage->desc.dt,
        "seconds", facts->seconds, "ms_p50", facts->ms_p50, "ms_p99", facts->ms_p99, "ms_max",
        facts->ms_max, "real_time_factor", facts->factor, "bodies", (json_int_t)stage->body_count,
        "vertices", (json_int_t)stage->vertices, "elements", (json_int_t)stage->elements,
        "inverted", (json_int_t)facts->inverted, "frozen", (json_int_t)facts->frozen, "asleep",
        (json_int_t)facts->asleep, "woken", (json_int_t)facts->woken, "max_stretch",
        facts->max_stretch, "residual", facts->residual, "relative_residual",
        facts->relative_residual, "energy_taken", facts->energy_taken, "bytes",
        (json_int_t)stage->world_bytes + (json_int_t)stage->asset_bytes, "isa",
        piola_isa_name(piola_world_isa(stage->world)), "solver", solver_names[stage->desc.solver],
        "threads", (json_int_t)stage->threads, "frames", (json_int_t)facts->frames, "interrupted",
        (int)facts->interrupted, "hash", hash, "sensors", facts->sensors, "warnings",
        told_json(facts->told));
}

/* Mean milliseconds of a step by the names of its phases, and of its stages. */
static bool add_times(json_t *object, const struct run_facts *facts)
{
    json_t *times = json_object(), *stages = json_object();
    for (const piola_stage *s = facts->stages; s < facts->stages + STAGES_MOST && s->name; ++s)
        if (s->runs > 0)
            json_object_set_new(stages, s->name,
                                json_real(1e3 * s->seconds / (double)facts->steps));
    for (int phase = 0; phase < PIOLA_PHASE_COUNT; ++phase)
        json_object_set_new(times, piola_phase_name((piola_phase)phase),
                            json_real(1e3 * facts->phase_seconds[phase] / (double)facts->steps));
    return json_object_set_new(object, "ms_phases", times) == 0 &&
           json_object_set_new(object, "ms_stages", stages) == 0;
}

static bool print_json(const struct stage *stage, const struct run_facts *facts,
                       struct problem *problem)
{
    json_t *object = facts_json(stage, facts);
    const bool whole = object && json_object_set(object, "work", facts->work) == 0 &&
                       (!stage->desc.clock || add_times(object, facts));
    char *text = whole ? json_dumps(object, JSON_REAL_PRECISION(9)) : NULL;
    if (text)
        puts(text);
    free(text);
    json_decref(object);
    return text || problem_set(problem, EXIT_RUNTIME,
                               "the results cannot be written as JSON (a number is not finite, or "
                               "the scene's path is not UTF-8)");
}

/* After what was printed, for people to see it last. */
static bool warn(const struct told *told, struct problem *problem)
{
    if (fflush(stdout) != 0)
        return problem_errno(problem, "standard output", "written");
    told_print(told, stderr);
    return true;
}

static bool print_facts(const struct command *command, const struct arguments *a,
                        const struct stage *stage, const struct run_plan *plan,
                        const struct run_facts *facts, struct problem *problem)
{
    if (argument(command, a, "json"))
        return print_json(stage, facts, problem);
    if (argument(command, a, "hash")) {
        printf("%016" PRIx64 "\n", facts->hash);
        return true;
    }
    print_table(stage, plan, facts);
    return warn(facts->told, problem);
}

static bool run_stage(const struct command *command, const struct arguments *a, struct stage *stage,
                      const struct run_plan *plan, struct problem *problem)
{
    struct run_facts facts;
    bool good = run_loop(stage, plan, &facts, problem);
    if (good)
        good = print_facts(command, a, stage, plan, &facts, problem);
    json_decref(facts.sensors);
    json_decref(facts.work);
    if (good && facts.frozen)
        good = problem_set(problem, EXIT_RUNTIME,
                           "%" PRIu64 " bodies froze: a number in them became infinite or NaN",
                           facts.frozen);
    if (good && facts.interrupted)
        problem->exit = EXIT_INTERRUPTED;
    else if (good && argument(command, a, "strict") && told_count(facts.told) > 0)
        problem->exit = EXIT_TOLD;
    told_close(facts.told);
    return good;
}

static int run(const struct command *command, const struct arguments *a)
{
    struct problem problem = {0};
    struct pool pool = {0};
    struct scene scene;
    struct stage stage = {0};
    struct stage_options options;
    struct run_plan plan = {.options = &options};
    if ((argument(command, a, "json") || argument(command, a, "times")) &&
        argument(command, a, "hash"))
        problem_set(&problem, EXIT_USAGE, "--%s and --hash contradict each other",
                    argument(command, a, "json") ? "json" : "times");
    const bool good = problem.text[0] == 0 && read_stage_options(command, a, &options, &problem) &&
                      scene_read(a->operands[0], &scene, &pool, &problem) &&
                      read_plan(command, a, &scene, &plan, &problem) &&
                      stage_open(&stage, &scene, a->operands[0], &options, &problem) &&
                      run_stage(command, a, &stage, &plan, &problem);
    stage_close(&stage);
    pool_free(&pool);
    if (good && fflush(stdout) != 0)
        problem_errno(&problem, "standard output", "written");
    return problem.text[0] ? problem_report(&problem) : (int)problem.exit;
}

const struct command run_command = {
    "run",
    "SCENE",
    "Runs a scene, or drops a mesh on a floor, and prints times, sensors and warnings. Ctrl-C ends "
    "it\nafter the step; files are complete.",
    run_options,
    COUNT(run_options),
    1,
    1,
    run,
    NULL,
};

/* ---- check ---- */

static int check(const struct command *command, const struct arguments *a)
{
    struct problem problem = {0};
    struct pool pool = {0};
    struct scene scene;
    struct stage stage = {0};
    struct sensors sensors = {0};
    char bytes[32];
    const bool good = scene_read(a->operands[0], &scene, &pool, &problem) &&
                      stage_open(&stage, &scene, a->operands[0], &STAGE_OPTIONS_NONE, &problem) &&
                      sensors_open(&sensors, &stage, NULL, &problem);
    if (good)
        printf("%s: good: %u bod%s, %" PRIu64 " elements, %" PRIu64 " vertices, room for %u pairs "
               "in contact, %s\n",
               a->operands[0], stage.body_count, stage.body_count == 1 ? "y" : "ies",
               stage.elements, stage.vertices, stage.desc.max_contacts,
               human_bytes((double)(stage.world_bytes + stage.asset_bytes), bytes, sizeof bytes));
    struct told *told = good ? told_open(&stage, &problem) : NULL;
    const bool strict =
        told && warn(told, &problem) && argument(command, a, "strict") && told_count(told) > 0;
    told_close(told);
    sensors_drop(&sensors);
    stage_close(&stage);
    pool_free(&pool);
    return problem.text[0] ? problem_report(&problem) : strict ? EXIT_TOLD : EXIT_DONE;
}

static const struct option check_options[] = {
    {"strict", NULL, "end with the code 4 when there are warnings"},
};

const struct command check_command = {
    "check",
    "SCENE",
    "Says whether a scene is good: reads it and its meshes and builds its world, without a step.",
    check_options,
    COUNT(check_options),
    1,
    1,
    check,
    NULL,
};

/* ---- schema ---- */

static int schema(const struct command *command, const struct arguments *a)
{
    (void)command;
    (void)a;
    json_t *object = keys_schema(&scene_table);
    const int written =
        object ? json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : -1;
    json_decref(object);
    putchar('\n');
    return written == 0 || ferror(stdout) ? EXIT_DONE : EXIT_RUNTIME;
}

const struct command schema_command = {
    "schema", "",   "Prints the JSON Schema of scenes, docs/scene.schema.json.", NULL, 0, 0, 0,
    schema,   NULL,
};
