/* triple_buffer.c - the wait-free protocol: announce, take, help.
 *
 * A reader announces that it is about to take the latest slot, reads which one that is, and takes
 * it, unless the writer was faster: after each publishing the writer gives the new slot to all who
 * have announced. So the writer always knows of every slot that is or will be held, and fills
 * another. The protocol is Chen and Burns's (1997), with a history. All its accesses are
 * sequentially consistent: the announcement must be seen before the look at `latest`, and `latest`
 * before the look at announcements.
 */
#include "base/triple_buffer.h"

/* Tests define this to lose random amounts of time at the places where order matters. */
#ifndef PIOLA_TRIPLE_DELAY
#define PIOLA_TRIPLE_DELAY() ((void)0)
#endif

/* Marks, beyond every slot. */
#define NOTHING UINT32_MAX        /* holds nothing; nothing is published or being written */
#define TAKING  (UINT32_MAX - 1u) /* a reader is about to take the latest */

uint32_t triple_slots(uint32_t readers, uint32_t history)
{
    /* What each reader holds, what the next one would take, and what is being written. */
    return 1 + (1 + history) * (1 + readers);
}

void triple_init(struct triple_buffer *buffer, uint32_t readers, uint32_t history)
{
    *buffer = (struct triple_buffer){.readers = readers,
                                     .history = history,
                                     .slots = triple_slots(readers, history),
                                     .writing = NOTHING};
    for (uint32_t i = 0; i < TRIPLE_MAX_READERS; i++)
        atomic_init(&buffer->reader[i].slot, NOTHING);
    atomic_store(&buffer->latest, NOTHING);
}

/* Marks a slot, and the one before it, as not to be written. */
static void keep(const struct triple_buffer *buffer, uint32_t slot, uint32_t *kept)
{
    if (slot >= buffer->slots)
        return;
    *kept |= 1u << slot;
    if (buffer->slot[slot].has_previous)
        *kept |= 1u << buffer->slot[slot].previous;
}

uint32_t triple_write(struct triple_buffer *buffer)
{
    if (buffer->writing != NOTHING)
        return buffer->writing;
    uint32_t kept = 0, slot = 0;
    keep(buffer, atomic_load(&buffer->latest), &kept);
    for (uint32_t i = 0; i < buffer->readers; i++) {
        PIOLA_TRIPLE_DELAY();
        keep(buffer, atomic_load(&buffer->reader[i].slot), &kept);
    }
    while ((kept >> slot & 1u) != 0)
        slot++;
    buffer->writing = slot;
    return slot;
}

uint64_t triple_publish(struct triple_buffer *buffer)
{
    const uint32_t slot = triple_write(buffer), before = atomic_load(&buffer->latest);
    buffer->slot[slot] = (struct triple_slot){.sequence = ++buffer->sequence,
                                              .previous = before,
                                              .has_previous = buffer->history && before != NOTHING};
    buffer->writing = NOTHING;
    PIOLA_TRIPLE_DELAY();
    atomic_store(&buffer->latest, slot);
    for (uint32_t i = 0; i < buffer->readers; i++) {
        uint32_t taking = TAKING;
        PIOLA_TRIPLE_DELAY();
        (void)atomic_compare_exchange_strong(&buffer->reader[i].slot, &taking, slot);
    }
    return buffer->sequence;
}

bool triple_acquire(struct triple_buffer *buffer, uint32_t reader, uint32_t *slot)
{
    _Atomic uint32_t *mine = &buffer->reader[reader].slot;
    uint32_t held = TAKING;
    atomic_store(mine, TAKING);
    PIOLA_TRIPLE_DELAY();
    const uint32_t latest = atomic_load(&buffer->latest);
    PIOLA_TRIPLE_DELAY();
    /* When it fails, the writer has given a newer one: `held` is that. */
    if (atomic_compare_exchange_strong(mine, &held, latest))
        held = latest;
    *slot = held;
    return held != NOTHING;
}

void triple_release(struct triple_buffer *buffer, uint32_t reader)
{
    atomic_store(&buffer->reader[reader].slot, NOTHING);
}
