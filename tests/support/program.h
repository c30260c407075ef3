/* program.h - the built `piola` program, run as people run it, for tests of what it does.
 *
 * With PIOLA_TEST_SCALE below 0.5 (sanitizers) scenes run for a few steps, and their outcomes are
 * not looked at. The file with the tests has setUp and tearDown, and calls program_forget there.
 */
#ifndef PIOLA_TESTS_PROGRAM_H
#define PIOLA_TESTS_PROGRAM_H

#include "unity.h"

#include <jansson.h>
#include <stdbool.h>

#define BELOW(limit, value) TEST_ASSERT_TRUE_MESSAGE((value) < (limit), #value " is too large")
#define ABOVE(limit, value) TEST_ASSERT_TRUE_MESSAGE((value) > (limit), #value " is too small")

extern char output[1 << 20]; /* of the last run, both streams */
extern json_t *result;       /* of the last run_json */

/* Makes a folder of its own; false when that is not possible. */
bool program_open(void);
void program_close(void);
void program_forget(void);

/* Runs a shell line in the repository's root; $P is the program, by a link in the folder $T: the
 * paths of both are without spaces wherever the build is. Returns the line's exit code. */
int run(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The last run ended with this code 0 and printed the text. */
void expect(int code, const char *text);
/* A python that has Debian's package python3-vtk9; null when there is none. */
const char *python_with_vtk(void);
/* Runs a scene with --json. */
void run_json(const char *arguments);
double number(const char *key);
/* Component of a sensor's last value; 0 for single ones. */
double sensor(const char *name, size_t component);
bool quick(void);
/* Runs scenes/NAME.json to its end. True when the outcome may be looked at. */
bool outcome_of(const char *scene);
/* After outcome_of: makes sensor() tell what the sensors were at that time, s. */
void moment(double time);

#endif
