/* refuse.h - fills a caller's optional piola_error and returns its status, in one line.
 * Nothing else lives here. `field` must be static text. */
#ifndef PIOLA_REFUSE_H
#define PIOLA_REFUSE_H

#include "piola/piola.h"

static inline piola_status refuse(piola_error *error, piola_status status, const char *field)
{
    if (error != NULL) {
        *error = (piola_error){status, field, 0, false};
    }
    return status;
}

static inline piola_status refuse_item(piola_error *error, piola_status status, const char *field,
                                       uint64_t item)
{
    if (error != NULL) {
        *error = (piola_error){status, field, item, true};
    }
    return status;
}

#endif
