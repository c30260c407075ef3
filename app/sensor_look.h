/* sensor_look.h - what a kind of sensor may look at, and the kinds that sensors.c finds in
 * sensors_contact.c, sensors_frames.c and sensors_point.c. For those files alone. */
#ifndef APP_SENSOR_LOOK_H
#define APP_SENSOR_LOOK_H

#include "sensors.h"

struct sensor_state {
    const struct scene_sensor *scene;
    uint32_t first, last; /* bodies of the stage: one, or all */
    uint32_t vertex;
    uint32_t corner[4]; /* of a point: vertices, and their weights */
    double weight[4];
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
    sensor_contacts, sensor_point, sensor_tool_force, sensor_tool_torque, sensor_tool_position,
    sensor_tool_held, sensor_tension, sensor_bending_moment, sensor_torque, sensor_joint_force,
    sensor_joint_torque, sensor_joint_position, sensor_joint_angles, sensor_joint_push,
    sensor_joint_turn, sensor_joint_gap, sensor_joint_holds;

/* The material point at this place of a solid's rest shape, or the nearest one of cloth
 * or of a chain. False when
 * the place is outside of a solid, or the mesh has no elements. */
bool sensor_point_find(const struct meshgen *mesh, const double point[3],
                       struct sensor_state *sensor);

#endif
