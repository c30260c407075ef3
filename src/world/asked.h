/* asked.h - what calls ask of a world and of a description before they read either. In a header, so
 * that analyzers see that a description is not null behind it. */
#ifndef PIOLA_ASKED_H
#define PIOLA_ASKED_H

#include "base/refuse.h"
#include "world/world.h"

/* What every call with a description and a place for its result asks first. `cookie` is the
 * description's first member, or null; `name` and `result` are what the user calls both. */
static inline piola_status world_asked(const piola_world *world, const uint32_t *cookie,
                                       uint32_t expected, const char *name, const void *out,
                                       const char *result, piola_error *error)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return refuse(error, status, "world");
    if (!cookie)
        return refuse(error, PIOLA_ERROR_NULL, name);
    if (*cookie != expected)
        return refuse(error, PIOLA_ERROR_COOKIE, name);
    return out ? PIOLA_OK : refuse(error, PIOLA_ERROR_NULL, result);
}

#endif
