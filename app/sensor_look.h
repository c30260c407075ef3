/* sensor_look.h - what a kind of sensor may look at, and the kinds that sensors.c finds in
 * sensors_contact.c. For those two files alone. */
#ifndef APP_SENSOR_LOOK_H
#define APP_SENSOR_LOOK_H

#include "sensors.h"

struct sensor_state {
    const struct scene_sensor *scene;
    uint32_t first, last; /* bodies of the stage: one, or all */
    uint32_t vertex;
};

struct look {
    const struct stage *stage;
    const struct sensor_state *sensor;
    const piola_report *report;
    float *xyz; /* room for the vertices of any body */
};

/* Adds to `values`, which begin as 0. */
typedef bool measure(const struct look *look, double *values);

measure sensor_attachment_force, sensor_contact_force, sensor_touches, sensor_collider_position,
    sensor_collider_velocity, sensor_body_contact_force, sensor_vertex_contact_force,
    sensor_contacts;

#endif
