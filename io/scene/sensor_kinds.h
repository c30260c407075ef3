/* sensor_kinds.h - what a scene may ask to be measured: names, and of what each kind is.
 *
 * Lives here: what reading and checking a scene needs to know of its sensors. What must not live
 * here: measuring, which is the program's that runs the scene.
 */
#ifndef PIOLA_IO_SENSOR_KINDS_H
#define PIOLA_IO_SENSOR_KINDS_H

#include "io/scene/scene.h"

enum { SENSOR_KIND_COUNT = 43 };

extern const char *const sensor_kind_names[SENSOR_KIND_COUNT];

/* Of a vertex; of a vertex of rods; of a point; of a body or all of them; of one body; of an
 * attachment; of a collider; of a tool; of a joint; or of the world alone, which needs
 * report_physics. */
enum sensor_scope {
    SENSOR_OF_VERTEX,
    SENSOR_OF_ROD,
    SENSOR_OF_POINT,
    SENSOR_OF_BODY,
    SENSOR_OF_ONE_BODY,
    SENSOR_OF_ATTACHMENT,
    SENSOR_OF_COLLIDER,
    SENSOR_OF_TOOL,
    SENSOR_OF_JOINT,
    SENSOR_OF_WORLD
};

enum sensor_scope sensor_scope(uint32_t kind);
/* "m/s"; "" of counts and ratios. */
const char *sensor_unit(uint32_t kind);

/* True when a sensor of the scene asks for what piola_report tells with report_physics only. */
bool sensors_need_report(const struct scene *scene);

/* True when a sensor asks for what the engine tells with room for contact events only. */
bool sensors_need_events(const struct scene *scene);

#endif
