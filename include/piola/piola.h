/* piola.h - the whole public interface of Piola, a real-time engine for deformable solids and
 * cloth. The other headers in this folder are its chapters; include this one.
 *
 * Units: SI throughout: metres, kilograms, seconds, newtons, pascals, radians.
 *
 * Memory: the engine never allocates. Ask for a size, give one block, keep it alive while it is
 * used.
 *
 * Errors: every call that can fail returns a piola_status; on failure nothing has changed. Calls
 * that check much input also fill an optional piola_error that names the field and the item. What
 * any call refuses, and what is not repeated below: a required pointer that is null
 * (PIOLA_ERROR_NULL); a description, asset or world that is none (_COOKIE; of assets _BLOB_MAGIC,
 * _BLOB_VERSION); numbers that are not finite or out of range (_NOT_FINITE, _RANGE); a block that
 * is too small or not aligned (_MEMORY, _ALIGNMENT); a handle of what is gone (_STALE); while
 * inputs are recorded, what a record cannot hold (_RECORDING). Every other status stands at its
 * function. Functions that return no status take null, or what is gone, for "none": 0, false, null.
 *
 * Threads: a world belongs to one thread at a time, except the commands (piola/command.h), which
 * any thread may give at any moment, during a step too. Between steps any number of threads may
 * read it, through functions that take a const world. Assets, shapes, details and poses are
 * immutable and may be shared by all threads. Outputs (piola/outputs.h) tell other threads what a
 * world did, while it steps. All other functions may be called from any thread.
 *
 * Handles: {index, generation} by value, a type for each kind (piola/handle.h). All-zero is "none".
 * A handle of what was destroyed is refused with PIOLA_ERROR_STALE.
 *
 * Names: piola_noun_verb. piola_noun_thing reads a thing, piola_noun_set_thing writes it;
 * piola_noun_inspect tells all there is to tell of one.
 *
 * Language: C11, also usable from C++17.
 */
#ifndef PIOLA_H
#define PIOLA_H

#include "piola/asset.h"
#include "piola/attach.h"
#include "piola/base.h"
#include "piola/command.h"
#include "piola/contact.h"
#include "piola/detail.h"
#include "piola/device.h"
#include "piola/element.h"
#include "piola/handle.h"
#include "piola/haptic.h"
#include "piola/joint.h"
#include "piola/outputs.h"
#include "piola/query.h"
#include "piola/record.h"
#include "piola/rigid.h"
#include "piola/rod.h"
#include "piola/runner.h"
#include "piola/shape.h"
#include "piola/status.h"
#include "piola/tool.h"
#include "piola/traction.h"
#include "piola/wind.h"
#include "piola/workers.h"
#include "piola/world.h"

#endif
