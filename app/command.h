/* command.h - every command of `piola`, one struct each, in the file that runs it. */
#ifndef APP_COMMAND_H
#define APP_COMMAND_H

#include "options.h"

extern const struct command run_command, check_command, mesh_make_command, mesh_inspect_command,
    mesh_tetrahedralise_command, info_command, bench_command, schema_command, replay_command,
    diff_command, latency_command;

/* Names for options, in the order of the enums of piola.h. */
extern const char *const isa_names[], *const solver_names[];

/* Writes a count with its unit, "1.5 MB". Returns text. */
const char *human_bytes(double bytes, char *text, size_t size);

#endif
