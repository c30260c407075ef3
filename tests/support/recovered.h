/* recovered.h - the table that the torture tests print: how many bodies came back, and when. */
#ifndef PIOLA_TEST_RECOVERED_H
#define PIOLA_TEST_RECOVERED_H

/* One line: of so many tries `count` came back, after the `times` (s), which are sorted here. */
void print_recovered(const char *name, double *times, int count, int tries);

#endif
