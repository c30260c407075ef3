/* main.c - the `piola` command: finds the command that is named, and runs it. */
#include "command.h"
#include "io/base/words.h"
#include "render_command.h"
#include "view_command.h"

#include <string.h>

static const struct command *const commands[] = {
    &run_command,       &view_command,         &render_command,
    &check_command,     &replay_command,       &diff_command,
    &mesh_make_command, &mesh_inspect_command, &mesh_tetrahedralise_command,
    &info_command,      &latency_command,      &bench_command,
    &schema_command,
};
#define COMMANDS (sizeof commands / sizeof commands[0])

/* Its first sentence. */
static void print_line(const struct command *command, FILE *file)
{
    const char *what = command->what;
    fprintf(file, "  %-19s  ", command->name);
    for (; *what && !(what[0] == '.' && (what[1] == ' ' || what[1] == 0)); ++what)
        fputc(*what == '\n' ? ' ' : *what, file);
    fputc('\n', file);
}

static void usage(FILE *file)
{
    fputs("usage: piola COMMAND ...\n\nSimulates deformable solids, cloth and ropes in real "
          "time.\n\n",
          file);
    for (size_t i = 0; i < COMMANDS; ++i)
        print_line(commands[i], file);
    fputs("  help                 help on a command: piola help COMMAND\n"
          "  --version            the version\n\n"
          "SCENE is a JSON file in SI units, or a mesh. Begin with: piola view scenes/demo.json\n\n"
          "Exit codes: 0 done, 1 something failed while running, 2 the command line was not\n"
          "understood, 3 the scene or a mesh is not valid, 4 done but with --strict there were\n"
          "warnings, 130 interrupted.\n",
          file);
}

/* Finds "run" or "mesh make"; `used` becomes how many texts its name took. */
static const struct command *find(int count, char **texts, int *used)
{
    for (size_t i = 0; i < COMMANDS; ++i) {
        const char *name = commands[i]->name;
        const char *space = strchr(name, ' ');
        const size_t first = space ? (size_t)(space - name) : strlen(name);
        if (strlen(texts[0]) != first || strncmp(texts[0], name, first) != 0)
            continue;
        if (space && (count < 2 || strcmp(texts[1], space + 1) != 0))
            continue;
        *used = space ? 2 : 1;
        return commands[i];
    }
    return NULL;
}

/* Help on all commands whose name begins so: of `piola mesh`. False when there is none. */
static bool help_on_family(const char *first)
{
    const size_t letters = strlen(first);
    bool found = false;
    for (size_t i = 0; i < COMMANDS; ++i) {
        const char *name = commands[i]->name;
        if (strncmp(name, first, letters) != 0 || name[letters] != ' ')
            continue;
        if (found)
            putchar('\n');
        command_help(commands[i], stdout);
        found = true;
    }
    return found;
}

static int unknown(int count, char **texts)
{
    const char *names[COMMANDS];
    struct problem problem = {0};
    char wrong[100];
    const bool mesh = strcmp(texts[0], "mesh") == 0;
    snprintf(wrong, sizeof wrong, "%.40s%s%.40s", texts[0], mesh && count > 1 ? " " : "",
             mesh && count > 1 ? texts[1] : "");
    for (size_t i = 0; i < COMMANDS; ++i)
        names[i] = commands[i]->name;
    const int closest = words_closest(wrong, names, COMMANDS);
    if (closest >= 0)
        problem_set(&problem, EXIT_USAGE, "there is no command \"%s\"; did you mean \"%s\"?", wrong,
                    names[closest]);
    else if (mesh)
        problem_set(&problem, EXIT_USAGE,
                    "mesh needs \"make\", \"tetrahedralise\" or \"inspect\" behind it");
    else
        problem_set(&problem, EXIT_USAGE, "there is no command \"%s\"; `piola help` lists them",
                    wrong);
    return problem_report(&problem);
}

static int help(int count, char **texts)
{
    int used = 0;
    if (count == 0) {
        usage(stdout);
        return EXIT_DONE;
    }
    const struct command *command = find(count, texts, &used);
    if (!command)
        return count == 1 && help_on_family(texts[0]) ? EXIT_DONE : unknown(count, texts);
    command_help(command, stdout);
    return EXIT_DONE;
}

static bool asks_help(const char *text)
{
    return strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0;
}

static int start(const struct command *command, int count, char **texts)
{
    struct problem problem = {0};
    struct arguments arguments = {.operands = texts, .operand_count = (uint32_t)count};
    if (command == &bench_command)
        return command->run(command, &arguments);
    for (int i = 0; i < count && strcmp(texts[i], "--") != 0; ++i)
        if (asks_help(texts[i])) {
            command_help(command, stdout);
            return EXIT_DONE;
        }
    if (!arguments_read(command, count, texts, &arguments, &problem))
        return problem_report(&problem);
    return command->run(command, &arguments);
}

/* What was printed must have arrived, or nothing is done. */
static int finish(int code)
{
    struct problem problem = {0};
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (code != EXIT_DONE)
        return code;
    problem_set(&problem, EXIT_RUNTIME, "standard output: cannot be written");
    return problem_report(&problem);
}

int main(int argc, char **argv)
{
    int used = 0;
    if (argc < 2) {
        usage(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("piola %s\n", piola_version());
        return finish(EXIT_DONE);
    }
    if (strcmp(argv[1], "help") == 0 || asks_help(argv[1]))
        return finish(help(argc - 2, argv + 2));
    const struct command *command = find(argc - 1, argv + 1, &used);
    if (!command && argc > 2 && asks_help(argv[2]) && help_on_family(argv[1]))
        return finish(EXIT_DONE);
    if (!command)
        return unknown(argc - 1, argv + 1);
    return finish(start(command, argc - 1 - used, argv + 1 + used));
}
