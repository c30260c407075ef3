/* golden.h - files of golden hashes, a line a scene: its name, its hash after all of its steps, and
 * after the first few, which is as far as an emulator goes.
 */
#ifndef PIOLA_TEST_GOLDEN_H
#define PIOLA_TEST_GOLDEN_H

#include <piola/piola.h>

#include <stdbool.h>
#include <stdint.h>

struct golden {
    uint64_t whole, early;
};

/* Plays a scene, its first steps alone when `briefly`. */
typedef struct golden golden_play(size_t scene, piola_isa isa, uint32_t threads, bool briefly);

struct golden_suite {
    const char *file; /* in tests/golden */
    size_t scenes;
    size_t counts; /* of threads to try, at most 4 */
    const char *(*name)(size_t scene);
    golden_play *play;
};

/* Plays a scene on every instruction set and with several numbers of threads. */
void golden_check(const struct golden_suite *suite, size_t scene);
/* A step of a scene that is played, on workers or alone (null). */
void golden_step(piola_world *world, piola_workers *workers, piola_report *report);
/* All scenes have the same hashes when each goes on from a snapshot in a fresh world of garbage
 * (resume.h) before every so many steps; of their first steps alone when `briefly`. */
void golden_resumed(const struct golden_suite *suite, uint32_t every, bool briefly);
/* No two scenes have the same hash: each must do something. */
void golden_differ(const struct golden_suite *suite);
/* Writes the file anew when PIOLA_GOLDEN_WRITE is in the environment. */
void golden_write(const struct golden_suite *suite);
/* Workers for so many threads; null for one. */
piola_workers *golden_workers(uint32_t threads);

#endif
