/* machine.c - see machine.h. */
#define _POSIX_C_SOURCE 200809L
#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Copies what follows a line's key, blanks and separator, without quotes; false when the line has
 * another key. */
static int read_line(const char *line, const char *key, char *text, size_t bytes)
{
    const size_t letters = strlen(key);
    if (strncmp(line, key, letters) != 0)
        return 0;
    const char *value = line + letters + strspn(line + letters, " \t:=\"");
    snprintf(text, bytes, "%.*s", (int)strcspn(value, "\"\n"), value);
    return text[0] != 0;
}

/* The first line of a file with one of two keys. */
static void find_line(const char *path, const char *key, const char *other, char *text,
                      size_t bytes)
{
    char line[512];
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    while (fgets(line, sizeof line, file))
        if (read_line(line, key, text, bytes) || read_line(line, other, text, bytes))
            break;
    fclose(file);
}

void machine_find(struct machine *machine)
{
    struct utsname names;
    char distribution[100] = "";
    memset(machine, 0, sizeof *machine);
    snprintf(machine->cpu, sizeof machine->cpu, "unknown");
    /* The second is what Linux calls it on boards with ARM processors. */
    find_line("/proc/cpuinfo", "model name", "Model", machine->cpu, sizeof machine->cpu);
    find_line("/etc/os-release", "PRETTY_NAME", "PRETTY_NAME", distribution, sizeof distribution);
    if (uname(&names) == 0) {
        snprintf(machine->system, sizeof machine->system, "%s%s%.40s %.50s", distribution,
                 distribution[0] ? ", " : "", names.sysname, names.release);
        snprintf(machine->architecture, sizeof machine->architecture, "%.70s", names.machine);
    }
    machine->cores = sysconf(_SC_NPROCESSORS_ONLN);
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0)
        machine->memory = (uint64_t)pages * (uint64_t)page;
}
