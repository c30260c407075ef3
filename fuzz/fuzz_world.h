/* fuzz_world.h - a small world with a bit of everything, for targets that change its state.
 *
 * A soft box with a pin and an attachment, above a floor that it touches, and a second one on it.
 */
#ifndef PIOLA_FUZZ_WORLD_H
#define PIOLA_FUZZ_WORLD_H

#include "fuzz_box.h"

/* Made at the first call; the same one ever after, in whatever state. */
piola_world *fuzz_world(void);

#endif
