/* sensors.h - what a scene measures while it runs: a table of kinds, and their file.
 *
 * Lives here: the kinds (adding one is one row and one function), CSV and JSON lines. What must not
 * live here: how anything moves.
 */
#ifndef APP_SENSORS_H
#define APP_SENSORS_H

#include "file.h"
#include "shape.h"
#include "stage.h"

enum { SENSOR_KIND_COUNT = 27 };

extern const char *const sensor_kind_names[SENSOR_KIND_COUNT];

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

/* Of a vertex; of a point; of a body or all of them; of one body; of an attachment; of a collider;
 * or of the world alone, which needs report_physics. */
enum sensor_scope {
    SENSOR_OF_VERTEX,
    SENSOR_OF_POINT,
    SENSOR_OF_BODY,
    SENSOR_OF_ONE_BODY,
    SENSOR_OF_ATTACHMENT,
    SENSOR_OF_COLLIDER,
    SENSOR_OF_WORLD
};

enum sensor_scope sensor_scope(uint32_t kind);

/* True when a sensor of the scene asks for what piola_report tells with report_physics only. */
bool sensors_need_report(const struct scene *scene);

/* True when a sensor asks for what the engine tells with room for contact events only. */
bool sensors_need_events(const struct scene *scene);

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
/* Prints such an object, a line each. */
void sensors_print(json_t *sensors, FILE *file);

#endif
