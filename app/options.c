/* options.c - see options.h. */
#include "options.h"

#include "io/base/words.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int find(const struct command *command, const char *name, size_t letters)
{
    for (uint32_t i = 0; i < command->option_count; ++i)
        if (strlen(command->options[i].name) == letters &&
            strncmp(command->options[i].name, name, letters) == 0)
            return (int)i;
    return -1;
}

static bool unknown(const struct command *command, const char *text, struct problem *problem)
{
    const char *names[OPTIONS_MAX] = {NULL};
    for (uint32_t i = 0; i < command->option_count; ++i)
        names[i] = command->options[i].name;
    const int closest = words_closest(text + strspn(text, "-"), names, command->option_count);
    if (closest >= 0)
        return problem_set(problem, EXIT_USAGE, "piola %s has no option %s; did you mean --%s?",
                           command->name, text, names[closest]);
    return problem_set(problem, EXIT_USAGE, "piola %s has no option %s; `piola help %s` lists them",
                       command->name, text, command->name);
}

/* One option, "--name value" or "--name=value"; moves `at` on to its last text. */
static bool take(const struct command *command, int count, char **argv, int *at,
                 struct arguments *arguments, struct problem *problem)
{
    const char *text = argv[*at];
    const char *name = text + 2;
    const size_t letters = text[1] == '-' ? strcspn(name, "=") : 0;
    const int i = letters ? find(command, name, letters) : -1;
    if (i < 0)
        return unknown(command, text, problem);
    const struct option *option = &command->options[i];
    const bool joined = name[letters] == '=';
    if (arguments->value[i])
        return problem_set(problem, EXIT_USAGE, "--%s is there twice", option->name);
    if (!option->argument && joined)
        return problem_set(problem, EXIT_USAGE, "--%s takes no value", option->name);
    arguments->value[i] = "";
    if (!option->argument)
        return true;
    if (!joined && *at + 1 >= count)
        return problem_set(problem, EXIT_USAGE, "--%s needs a value: %s", option->name,
                           option->argument);
    arguments->value[i] = joined ? name + letters + 1 : argv[++*at];
    return true;
}

bool arguments_read(const struct command *command, int count, char **argv,
                    struct arguments *arguments, struct problem *problem)
{
    bool only_operands = false;
    memset(arguments, 0, sizeof *arguments);
    arguments->operands = argv;
    for (int at = 0; at < count; ++at) {
        char *text = argv[at];
        if (!only_operands && strcmp(text, "--") == 0) {
            only_operands = true;
        } else if (only_operands || text[0] != '-' || text[1] == 0) {
            argv[arguments->operand_count++] = text;
        } else if (!take(command, count, argv, &at, arguments, problem)) {
            return false;
        }
    }
    if (arguments->operand_count < command->least)
        return problem_set(problem, EXIT_USAGE, "piola %s needs %s; `piola help %s` tells more",
                           command->name, command->operands, command->name);
    if (arguments->operand_count > command->most)
        return problem_set(problem, EXIT_USAGE, "piola %s: \"%s\" is one too many", command->name,
                           argv[command->most]);
    return true;
}

const char *argument(const struct command *command, const struct arguments *arguments,
                     const char *name)
{
    const int i = find(command, name, strlen(name));
    return i < 0 ? NULL : arguments->value[i];
}

bool argument_number(const struct command *command, const struct arguments *arguments,
                     const char *name, double least, double most, double *value,
                     struct problem *problem)
{
    const char *text = argument(command, arguments, name);
    if (!text)
        return true;
    char *stop;
    const double number = strtod(text, &stop);
    if (stop == text || *stop || !isfinite(number) || number < least || number > most)
        return problem_set(problem, EXIT_USAGE, "--%s: \"%s\" is not a number from %g to %g", name,
                           text, least, most);
    *value = number;
    return true;
}

bool argument_count(const struct command *command, const struct arguments *arguments,
                    const char *name, int64_t least, int64_t most, int64_t *value,
                    struct problem *problem)
{
    const char *text = argument(command, arguments, name);
    if (!text)
        return true;
    char *stop;
    errno = 0;
    const long long number = strtoll(text, &stop, 10);
    if (stop == text || *stop || errno || number < least || number > most)
        return problem_set(problem, EXIT_USAGE,
                           "--%s: \"%s\" is not a whole number from %lld to %lld", name, text,
                           (long long)least, (long long)most);
    *value = number;
    return true;
}

bool argument_choice(const struct command *command, const struct arguments *arguments,
                     const char *name, const char *const *choices, uint32_t count, int *value,
                     struct problem *problem)
{
    const char *text = argument(command, arguments, name);
    for (uint32_t i = 0; text && i < count; ++i)
        if (strcmp(text, choices[i]) == 0) {
            *value = (int)i;
            return true;
        }
    char known[200];
    return !text || problem_set(problem, EXIT_USAGE, "--%s: \"%s\" is not known; it can be %s",
                                name, text, words_join(known, sizeof known, choices, count, ""));
}

void command_help(const struct command *command, FILE *file)
{
    fprintf(file, "usage: piola %s%s%s%s\n\n%s\n", command->name, command->operands[0] ? " " : "",
            command->operands, command->option_count ? " [OPTION ...]" : "", command->what);
    if (command->option_count)
        fputc('\n', file);
    for (uint32_t i = 0; i < command->option_count; ++i) {
        const struct option *option = &command->options[i];
        char head[60];
        snprintf(head, sizeof head, "--%s%s%s", option->name, option->argument ? " " : "",
                 option->argument ? option->argument : "");
        fprintf(file, "  %-20s  %s\n", head, option->what);
    }
    if (command->more)
        command->more(file);
}

int problem_report(const struct problem *problem)
{
    fflush(stdout);
    fprintf(stderr, "piola: %s\n", problem->text);
    return (int)problem->exit;
}
