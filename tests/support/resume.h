/* resume.h - the state goes on in a fresh world whose scratch memory is filled with garbage:
 * whatever reads scratch before it writes it gives other numbers, or falls.
 *
 * Not here: what must come out the same (its test).
 */
#ifndef PIOLA_TEST_RESUME_H
#define PIOLA_TEST_RESUME_H

#include <piola/piola.h>

/* Saves the world's state and brings it to a new world of the same description, assets and shapes,
 * of whose arrays of kind SCRATCH each byte was `garbage` before it was restored. The world's block
 * then holds the new one; commands that wait are kept, capacities' high-water marks are not. */
void resume(piola_world *world, unsigned char garbage);
/* The bytes to try: not a number, or an index far outside; and numbers, and small indices. */
#define RESUME_GARBAGE 3
extern const unsigned char resume_garbage[RESUME_GARBAGE];

#endif
