/* compile.h - a mesh description compiled in memory of this library's own. */
#ifndef PIOLA_IO_COMPILE_H
#define PIOLA_IO_COMPILE_H

#include "io/base/problem.h"

/* Plans and builds. `what` begins the engine's message. Give the asset back with compile_free. */
bool compile_asset(const piola_mesh_desc *desc, const char *what, const piola_asset **asset,
                   struct problem *problem);
/* Null is nothing. */
void compile_free(const piola_asset *asset);

#endif
