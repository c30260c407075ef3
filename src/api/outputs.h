/* outputs.h - how frames lie in the block of outputs. Shared by outputs.c, which fills them, and
 * frame.c, which reads them. */
#ifndef PIOLA_OUTPUTS_INTERNAL_H
#define PIOLA_OUTPUTS_INTERNAL_H

#include "base/triple_buffer.h"
#include "piola/piola.h"

#define OUTPUTS_MAGIC UINT64_C(0x31535455504f4c50) /* "PLOPUTS1", little-endian */

enum output_part {
    OUTPUT_BODIES,
    OUTPUT_RIGIDS,
    OUTPUT_POSITIONS,
    OUTPUT_FORCES,
    OUTPUT_EVENTS,
    OUTPUT_POINTS,
    OUTPUT_PARTS
};

/* A slot begins with this. */
struct output_head {
    double time;
    piola_report report;
    uint32_t count[OUTPUT_PARTS], dropped[OUTPUT_PARTS];
};

struct piola_outputs {
    uint64_t magic;
    piola_outputs_desc desc;
    uint64_t first, stride;    /* bytes: of slot 0 from here, and from slot to slot */
    uint64_t at[OUTPUT_PARTS]; /* bytes from a slot's head */
    struct triple_buffer buffer;
};

static inline struct output_head *outputs_slot(const piola_outputs *outputs, uint32_t slot)
{
    return (struct output_head *)(void *)((char *)(uintptr_t)outputs + outputs->first +
                                          slot * outputs->stride);
}

static inline void *outputs_part(const piola_outputs *outputs, const struct output_head *head,
                                 enum output_part part)
{
    return (char *)(uintptr_t)head + outputs->at[part];
}

#endif
