/* example.h - bodies that are pulled by an acceleration of their own. Included by piola.h: include
 * that. */
#ifndef PIOLA_PIOLA_EXAMPLE_H
#define PIOLA_PIOLA_EXAMPLE_H

#include "piola/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Between steps only. Pulls a body with an acceleration (m/s^2, within 1e9) until it is destroyed.
 * PIOLA_ERROR_RANGE for a body that is pulled already, PIOLA_ERROR_EXAMPLES_FULL. */
PIOLA_API piola_status piola_body_add_example(piola_world *world, piola_body body,
                                              const float pull[3], piola_error *error);
/* Queues another acceleration for a body that is pulled: see piola/command.h. */
PIOLA_API piola_status piola_body_change_example(piola_world *world, piola_body body,
                                                 const float pull[3]);

#ifdef __cplusplus
}
#endif

#endif
