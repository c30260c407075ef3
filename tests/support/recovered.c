/* recovered.c - see recovered.h. */
#include "recovered.h"

#include <stdio.h>
#include <stdlib.h>

static int by_time(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void print_recovered(const char *name, double *times, int count, int tries)
{
    qsort(times, (size_t)count, sizeof *times, by_time);
    printf("%-9s %5d seeds, %6.2f %% recovered, after %.2f s (median), %.2f s (longest)\n", name,
           tries, tries ? 100.0 * count / tries : 0, count ? times[count / 2] : 0,
           count ? times[count - 1] : 0);
}
