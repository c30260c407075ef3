/* families.h - the headers of all families, which their .def files name: for the tables of all
 * arrays, and for those who ask about any family between steps.
 */
#ifndef PIOLA_FAMILIES_H
#define PIOLA_FAMILIES_H

/* First all that reads the .def files itself. */
#include "motion/phases.h"
#include "verify/verify.h"
#include "world/commands.h"
#include "world/family.h"

#define HEADERS
#include "families/families.def"
#undef HEADERS

#endif
