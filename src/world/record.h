/* record.h - keeping what each step consumed, so that it can be played again: the format, and the
 * writer.
 *
 * A record is a header and steps one after the other. A step is its head, its inputs in the order
 * in which they were applied, and the hash of the state after it. Each head is sealed by itself, so
 * that a length that was changed is not taken for a record that was cut; each step with all before
 * it, so that steps can be neither changed, nor swapped, nor left out. src/api/replay.c plays it.
 */
#ifndef PIOLA_RECORD_H
#define PIOLA_RECORD_H

#include "world/commands.h"
#include "world/world.h"

#define RECORD_MAGIC   UINT64_C(0x3144434552414c50) /* "PLARECD1", little-endian */
#define RECORD_VERSION 5u

struct record_header {
    uint64_t magic;
    uint32_t version;
    uint32_t sizes; /* record_sizes(): what descriptions look like here */
    uint64_t start; /* hash of the state it begins from */
    uint64_t names; /* names_hash of the handles that its inputs hold */
    uint64_t seal;  /* of all before */
};

struct record_head {
    uint32_t bytes;     /* of inputs and the hash */
    uint32_t head_seal; /* of `bytes` and the step before */
    uint64_t seal;      /* of the inputs, the hash, and the step before */
};

/* Kinds of inputs: those of commands, and calls between steps. A command is its kind and the bytes
 * of the union that it uses. A call is a struct record_call, a description without its pointers,
 * and then what they pointed to. */
enum recorded {
    RECORDED_CALLS = 1024,
    RECORDED_BODY_CREATE, /* piola_body_desc; the asset's hash */
    RECORDED_BODY_DESTROY,
    RECORDED_BODY_POSITIONS, /* struct recorded_vertices; 3 floats a vertex */
    RECORDED_BODY_VELOCITIES,
    RECORDED_COMPACT,
    RECORDED_TRACTION_CREATE, /* piola_traction_desc; triangles */
    RECORDED_TRACTION_DESTROY,
    RECORDED_WIND_GRID, /* piola_wind_grid_desc; 3 floats a node */
    RECORDED_WIND_GRID_DROP,
    RECORDED_ATTACHMENT_CREATE, /* piola_attachment_desc */
    RECORDED_ATTACHMENT_DESTROY,
    RECORDED_COLLIDER_CREATE, /* piola_collider_desc; the shape's hash, 0 if none */
    RECORDED_COLLIDER_DESTROY,
    RECORDED_RIGID_CREATE, /* piola_rigid_desc; likewise */
    RECORDED_RIGID_DESTROY,
    RECORDED_TOOL_CREATE, /* piola_tool_desc */
    RECORDED_TOOL_DESTROY,
    RECORDED_JOINT_CREATE, /* piola_joint_desc */
    RECORDED_JOINT_DESTROY,
    RECORDED_END
};

struct record_call {
    uint32_t kind; /* enum recorded */
    uint32_t desc_bytes;
    uint64_t list_bytes;
    uint32_t index, generation; /* the handle that the call gave or was given; 0 if none */
};

struct recorded_vertices {
    uint32_t first, count;
};

/* Of the descriptions of each kind of call; all of them in one number. */
uint32_t record_desc_bytes(enum recorded kind);
uint32_t record_sizes(void);
/* The number of the inputs and the hash of a step, after those before. */
uint64_t record_seal(const void *inputs, size_t bytes, uint64_t before);
uint32_t record_head_seal(uint32_t bytes, uint64_t before);
uint64_t record_header_seal(const struct record_header *header);

/* These do nothing unless a record is running. The parts of a call may be null when they are empty.
 */
void record_command(piola_world *world, const piola_command *command);
void record_call(piola_world *world, const struct record_call *call, const void *desc,
                 const void *list);
void record_step(piola_world *world);

/* A call that only names something. */
static inline void record_named(piola_world *world, enum recorded kind, uint32_t index,
                                uint32_t generation)
{
    const struct record_call call = {.kind = kind, .index = index, .generation = generation};
    record_call(world, &call, NULL, NULL);
}

/* step.c: a step whose commands have been applied already, and the watch that runs (or null). */
struct stopwatch;
void step_with(piola_world *world, const piola_tasks *tasks, struct command_count commands,
               struct stopwatch *watch, piola_report *report);

#endif
