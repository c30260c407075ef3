/* machine.h - what machine this is, for people who read or compare figures.
 *
 * What must not live here: what the machine allows (piola_platform_features).
 */
#ifndef APP_MACHINE_H
#define APP_MACHINE_H

#include <stdint.h>

struct machine {
    char cpu[128];         /* model name; "unknown" when the system does not tell */
    char system[200];      /* "Debian GNU/Linux 12 (bookworm), Linux 6.1.0" */
    char architecture[80]; /* "x86_64" */
    long cores;            /* that are on */
    uint64_t memory;       /* bytes; 0: unknown */
};

void machine_find(struct machine *machine);

#endif
