/* api.h - what the files of the public interface share: refusals, cookies, the caller's allocator.
 *
 * Lives here: how a struct problem becomes a piola_io_error. What must not live here: any work.
 */
#ifndef PIOLA_IO_API_H
#define PIOLA_IO_API_H

#include "io/base/memory.h"
#include "io/base/problem.h"

#define COOKIE_IO_MESH_OPTIONS 0x50490001u
#define COOKIE_IO_BOX          0x50490002u
#define COOKIE_IO_BALL         0x50490003u
#define COOKIE_IO_CAPSULE      0x50490004u
#define COOKIE_IO_SHEET        0x50490005u
#define COOKIE_IO_SCENE        0x50490006u
#define COOKIE_IO_FILL         0x50490007u
#define COOKIE_IO_ROD          0x50490008u

/* Makes nothing of `error` but PIOLA_IO_OK. */
piola_io_status api_good(piola_io_error *error);
/* A refusal before any work: "`what` ...". Returns the status. */
piola_io_status api_refuse(piola_io_error *error, piola_io_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A required pointer is null; a description is none. `what` is its name. */
piola_io_status api_null(piola_io_error *error, const char *what);
piola_io_status api_cookie(piola_io_error *error, const char *what);
/* What a reader or maker said; `path` is the file, when it said none itself; may be null. */
piola_io_status api_tell(const struct problem *problem, const char *path, piola_io_error *error);
/* Both functions or none. */
bool api_allocator_good(const piola_io_allocator *allocator);
/* low < value <= high; false of NaN too. */
bool api_above(double low, double value, double high);

#endif
