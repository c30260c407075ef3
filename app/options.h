/* options.h - the command line: a table of options for each command, which reading it, its help and
 * the tests of its documents share. */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include "io/base/problem.h"

#include <stdint.h>
#include <stdio.h>

struct option {
    const char *name;     /* without the dashes */
    const char *argument; /* what it needs, for help; null: nothing */
    const char *what;
};

#define OPTIONS_MAX 32

struct arguments;

struct command {
    const char *name; /* "run", "mesh make" */
    const char *operands;
    const char *what;
    const struct option *options;
    uint32_t option_count;
    uint32_t least, most; /* operands */
    int (*run)(const struct command *command, const struct arguments *arguments);
    void (*more)(FILE *file); /* ends its help; null: nothing */
};

/* What was given. Texts are those of argv. */
struct arguments {
    const char *value[OPTIONS_MAX]; /* of option i: "" when it needs none, null when not given */
    char **operands;
    uint32_t operand_count;
};

/* Options may stand before and behind operands; "--" ends them. Operands are moved to the front of
 * argv. */
bool arguments_read(const struct command *command, int count, char **argv,
                    struct arguments *arguments, struct problem *problem);

/* Value of an option; null when it was not given. */
const char *argument(const struct command *command, const struct arguments *arguments,
                     const char *name);

/* Numbers: unchanged when the option was not given; whole texts only. */
bool argument_count(const struct command *command, const struct arguments *arguments,
                    const char *name, int64_t least, int64_t most, int64_t *value,
                    struct problem *problem);
bool argument_number(const struct command *command, const struct arguments *arguments,
                     const char *name, double least, double most, double *value,
                     struct problem *problem);
/* Index of one of the names. */
bool argument_choice(const struct command *command, const struct arguments *arguments,
                     const char *name, const char *const *choices, uint32_t count, int *value,
                     struct problem *problem);

void command_help(const struct command *command, FILE *file);

/* Prints "piola: text" and returns the exit code. */
int problem_report(const struct problem *problem);

#endif
