/* record.h - records: what each step consumed, to play it again. Included by piola.h: include that.
 */
#ifndef PIOLA_PIOLA_RECORD_H
#define PIOLA_PIOLA_RECORD_H

#include "piola/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Records what each step consumes and the state's hash after it: commands, and what was done
 * between steps: what came and went (bodies, colliders, rigid bodies, attachments, tractions),
 * positions and velocities set, winds, compaction. Assets and shapes must be known to the world
 * before (piola_world_add_asset, piola_world_add_shape); nothing can be restored, moved, added or
 * dropped meanwhile (PIOLA_ERROR_RECORDING). `memory` must stay alive until recording ends. A full
 * record stops growing and says so at piola_record_end; the simulation goes on. */
PIOLA_API piola_status piola_record_begin(piola_world *world, void *memory, size_t bytes);
/* Between steps: moves what there is of whole steps, at most `bytes`, to `to`, and makes room for
 * as much; `moved` is how much. What all calls give, one after the other, and then what is left in
 * the memory at piola_record_end, is the record. PIOLA_ERROR_RECORD_FORMAT: none was begun. */
PIOLA_API piola_status piola_record_drain(piola_world *world, void *to, size_t bytes,
                                          size_t *moved);
/* How many bytes of the memory hold the record, or what was not drained. PIOLA_ERROR_RECORD_FULL:
 * they end early; PIOLA_ERROR_RECORD_FORMAT: none was begun. */
PIOLA_API piola_status piola_record_end(piola_world *world, size_t *bytes_used);

/* A record that is played. */
typedef struct piola_replay {
    uint64_t steps; /* whole steps that the record has */
    uint64_t step;  /* how many have been played */
    uint64_t hash;  /* of the state, as recorded: after that many */
    size_t whole;   /* bytes up to the end of the last whole step; what follows is of none */
    const unsigned char *memory_; /* the rest is the engine's */
    size_t at_;
    uint64_t seal_;
} piola_replay;

/* Looks through a record before anything of it is played. It may be cut at any byte: what is behind
 * the last whole step is left out. What was changed is refused: PIOLA_ERROR_RECORD_DAMAGED, and the
 * item of the error is the step, counted from 1, with 0 for what stands before the first.
 * PIOLA_ERROR_RECORD_FORMAT; PIOLA_ERROR_SNAPSHOT_WORLD when the world is not in the state that the
 * record begins with, or other handles are good in it. `memory` must stay as long as it is played.
 */
PIOLA_API piola_status piola_replay_begin(piola_replay *replay, const piola_world *world,
                                          const void *memory, size_t bytes, piola_error *error);
/* Plays the next step; compare piola_world_hash with replay->hash then. `report` may be null.
 * PIOLA_ERROR_RANGE after the last. PIOLA_ERROR_RECORD_DAMAGED: what the step asks cannot be done
 * in this world, which is then as the inputs before left it; the item of the error is the step. */
PIOLA_API piola_status piola_replay_step(piola_replay *replay, piola_world *world,
                                         const piola_tasks *tasks, piola_report *report,
                                         piola_error *error);
/* Both, through all of a record. Stops at the first step whose hash differs and tells its number
 * (counted from 1), or 0 when all agree. */
PIOLA_API piola_status piola_record_play(piola_world *world, const piola_tasks *tasks,
                                         const void *memory, size_t bytes,
                                         uint64_t *first_difference, piola_error *error);

#ifdef __cplusplus
}
#endif

#endif
