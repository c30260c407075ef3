/* sensors.h - what a scene measures while it runs: a table of functions, and their file.
 *
 * Lives here: how each kind is measured (adding one is one row here and one in
 * io/scene/sensor_kinds.c), CSV and JSON lines. What must not live here: how anything moves.
 */
#ifndef APP_SENSORS_H
#define APP_SENSORS_H

#include "io/base/file.h"
#include "io/mesh/shape.h"
#include "io/scene/sensor_kinds.h"
#include "io/scene/stage.h"

struct sensors {
    const struct stage *stage;
    struct pool pool;
    struct sensor_state *items;
    double *values; /* of all columns, last taken */
    uint32_t columns;
    float *xyz; /* room for the largest body */
    struct draft draft;
    bool has_file, is_csv;
};

/* `path` ends in .csv or .jsonl; null: nothing is written. Call sensors_drop on failure too. */
bool sensors_open(struct sensors *sensors, const struct stage *stage, const char *path,
                  struct problem *problem);
/* Measures now. `report` is the last step's. */
bool sensors_take(struct sensors *sensors, const piola_report *report, struct problem *problem);
/* Writes what was taken as a line of the file; a field that is not finite is empty, or null. */
void sensors_write(struct sensors *sensors, uint64_t step, double time);
/* Finishes the file. */
bool sensors_commit(struct sensors *sensors, struct problem *problem);
void sensors_drop(struct sensors *sensors);

/* All bodies together, now. */
bool sensors_shape(struct sensors *sensors, struct shape_facts *facts);

/* The last values: {"name": number or [x, y, z]}; null stands for what is not finite. */
json_t *sensors_json(const struct sensors *sensors);
/* Prints such an object, a line each, with units. */
void sensors_print(const struct scene *scene, json_t *sensors, FILE *file);

#endif
