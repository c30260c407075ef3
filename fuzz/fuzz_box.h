/* fuzz_box.h - what fuzz targets that step worlds begin with: memory, and a small compiled mesh. */
#ifndef PIOLA_FUZZ_BOX_H
#define PIOLA_FUZZ_BOX_H

#include <piola/piola.h>

/* Zeroed, aligned. Never null. */
void *fuzz_block(size_t bytes);
/* Ends the program when that is not so. */
void fuzz_must(piola_status status);
/* A small plastic box for both families of solvers, so that every section is there; in a block of
 * its own, of so many bytes. */
void *fuzz_box(size_t *bytes);

#endif
