/* triple_buffer.h - hands the newest of many values from one writer to some readers, wait-free.
 *
 * Lives here: which slot the writer may fill, which slots each reader holds. What is in the slots
 * belongs to the caller: an array of triple_slots() of them, in memory of his own. With one reader
 * and no history they are three, hence the name. What must not: waiting of any kind. A call takes
 * a bounded number of instructions whatever the other threads do, stopped ones and dead ones
 * included. docs/method/outputs.md argues the protocol, models/outputs.pml checks it.
 *
 *     one thread: uint32_t slot = triple_write(&buffer);
 *                 fill(&slots[slot]);
 *                 triple_publish(&buffer);
 *     another:    if (triple_acquire(&buffer, reader, &slot)) use(&slots[slot]);
 *                 triple_release(&buffer, reader);
 *
 * The struct holds no pointer: it may lie in memory that processes share, wherever each maps it.
 */
#ifndef PIOLA_TRIPLE_BUFFER_H
#define PIOLA_TRIPLE_BUFFER_H

#include "piola/piola.h"

#include <stdatomic.h>

#define TRIPLE_MAX_READERS 8u
#define TRIPLE_MAX_HISTORY 1u
#define TRIPLE_MAX_SLOTS   (1u + (1u + TRIPLE_MAX_HISTORY) * (1u + TRIPLE_MAX_READERS))

/* What a slot is known by. Plain: the writer changes it only while nobody else holds the slot. */
struct triple_slot {
    uint64_t sequence; /* 1 is the first value ever published */
    uint32_t previous; /* slot of the value before, while the history still holds it */
    bool has_previous;
};

/* A line of its own for each reader: readers do not slow each other. */
struct triple_reader {
    _Alignas(PIOLA_ALIGNMENT) _Atomic uint32_t slot; /* the slot it holds, or a mark (.c) */
};

struct triple_buffer {
    _Alignas(PIOLA_ALIGNMENT) _Atomic uint32_t latest; /* slot published last, or a mark */
    /* The writer's alone. */
    _Alignas(PIOLA_ALIGNMENT) uint64_t sequence; /* published so far */
    uint32_t readers, history, slots;
    uint32_t writing; /* slot that is being filled, or a mark */
    struct triple_slot slot[TRIPLE_MAX_SLOTS];
    struct triple_reader reader[TRIPLE_MAX_READERS];
};

/* How many slots so many readers need (1 to TRIPLE_MAX_READERS). With `history` 1 a reader that
 * holds a value holds the one published before it too. */
uint32_t triple_slots(uint32_t readers, uint32_t history);

/* Before any other call, by one thread. */
void triple_init(struct triple_buffer *buffer, uint32_t readers, uint32_t history);

/* ---- the writer, one thread at a time ----------------------------------------------------- */

/* The slot to fill; no reader looks at it. The same again until it is published. */
uint32_t triple_write(struct triple_buffer *buffer);
/* Makes it the latest; its sequence number. */
uint64_t triple_publish(struct triple_buffer *buffer);

/* ---- a reader: each index one thread at a time ---------------------------------------------- */

/* The slot of the latest value, at least as new as what was published before the call. It stays as
 * it is until this reader's next call. False: nothing has been published. */
bool triple_acquire(struct triple_buffer *buffer, uint32_t reader, uint32_t *slot);
/* The reader holds nothing. Without it all is right too: a slot stays his. */
void triple_release(struct triple_buffer *buffer, uint32_t reader);

#endif
