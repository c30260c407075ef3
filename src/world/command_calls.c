/* command_calls.c - the typed calls that queue a command. What a command does: commands.c. */
#include "world/commands.h"

/* Queues a command whose numbers are `values`, which may be null only in error. */
static piola_status queue(piola_world *world, piola_command *command, const float *values)
{
    if (!values)
        return PIOLA_ERROR_NULL;
    command_set_values(command, values);
    return piola_world_push(world, command);
}

piola_status piola_body_pin(piola_world *world, piola_body body, uint32_t vertex,
                            const float position[3])
{
    piola_command c = {.kind = PIOLA_COMMAND_BODY_PIN, .as.pin = {body, vertex, {0}}};
    return queue(world, &c, position);
}

piola_status piola_body_unpin(piola_world *world, piola_body body, uint32_t vertex)
{
    const piola_command c = {.kind = PIOLA_COMMAND_BODY_UNPIN, .as.unpin = {body, vertex}};
    return piola_world_push(world, &c);
}

piola_status piola_body_impulse(piola_world *world, piola_body body, uint32_t vertex,
                                const float impulse[3])
{
    piola_command c = {.kind = PIOLA_COMMAND_BODY_IMPULSE, .as.impulse = {body, vertex, {0}}};
    return queue(world, &c, impulse);
}

piola_status piola_body_set_force(piola_world *world, piola_body body, uint32_t vertex,
                                  const float force[3])
{
    piola_command c = {.kind = PIOLA_COMMAND_BODY_FORCE, .as.body_force = {body, vertex, {0}}};
    return queue(world, &c, force);
}

piola_status piola_body_set_velocity(piola_world *world, piola_body body, const float velocity[3])
{
    piola_command c = {.kind = PIOLA_COMMAND_BODY_VELOCITY, .as.body_velocity = {body, {0}}};
    return queue(world, &c, velocity);
}

piola_status piola_body_set_acceleration(piola_world *world, piola_body body,
                                         const float acceleration[3])
{
    piola_command c = {.kind = PIOLA_COMMAND_BODY_ACCELERATION,
                       .as.body_acceleration = {body, {0}}};
    return queue(world, &c, acceleration);
}

piola_status piola_body_set_pressure(piola_world *world, piola_body body, float pressure)
{
    const piola_command c = {.kind = PIOLA_COMMAND_BODY_PRESSURE,
                             .as.body_pressure = {body, pressure}};
    return piola_world_push(world, &c);
}

piola_status piola_body_thaw(piola_world *world, piola_body body)
{
    const piola_command c = {.kind = PIOLA_COMMAND_BODY_THAW, .as.body_thaw = {body}};
    return piola_world_push(world, &c);
}

piola_status piola_attachment_set_target(piola_world *world, piola_attachment attachment,
                                         const float target[3])
{
    piola_command c = {.kind = PIOLA_COMMAND_ATTACHMENT_TARGET,
                       .as.attachment_target = {attachment, {0}}};
    return queue(world, &c, target);
}

piola_status piola_attachment_detach(piola_world *world, piola_attachment attachment)
{
    const piola_command c = {.kind = PIOLA_COMMAND_ATTACHMENT_DETACH,
                             .as.attachment_detach = {attachment}};
    return piola_world_push(world, &c);
}

piola_status piola_collider_move(piola_world *world, piola_collider collider,
                                 const float position[3])
{
    piola_command c = {.kind = PIOLA_COMMAND_COLLIDER_MOVE, .as.collider_move = {collider, {0}}};
    return queue(world, &c, position);
}

piola_status piola_collider_turn(piola_world *world, piola_collider collider,
                                 const float rotation[4])
{
    piola_command c = {.kind = PIOLA_COMMAND_COLLIDER_TURN, .as.collider_turn = {collider, {0}}};
    return queue(world, &c, rotation);
}

piola_status piola_collider_set_velocity(piola_world *world, piola_collider collider,
                                         const float velocity[3])
{
    piola_command c = {.kind = PIOLA_COMMAND_COLLIDER_VELOCITY,
                       .as.collider_velocity = {collider, {0}}};
    return queue(world, &c, velocity);
}

piola_status piola_collider_set_angular_velocity(piola_world *world, piola_collider collider,
                                                 const float angular_velocity[3])
{
    piola_command c = {.kind = PIOLA_COMMAND_COLLIDER_SPIN, .as.collider_spin = {collider, {0}}};
    return queue(world, &c, angular_velocity);
}

piola_status piola_rigid_move(piola_world *world, piola_rigid rigid, const float position[3])
{
    piola_command c = {.kind = PIOLA_COMMAND_RIGID_MOVE, .as.rigid_move = {rigid, {0}}};
    return queue(world, &c, position);
}

piola_status piola_rigid_turn(piola_world *world, piola_rigid rigid, const float rotation[4])
{
    piola_command c = {.kind = PIOLA_COMMAND_RIGID_TURN, .as.rigid_turn = {rigid, {0}}};
    return queue(world, &c, rotation);
}

piola_status piola_rigid_set_velocity(piola_world *world, piola_rigid rigid,
                                      const float velocity[3])
{
    piola_command c = {.kind = PIOLA_COMMAND_RIGID_VELOCITY, .as.rigid_velocity = {rigid, {0}}};
    return queue(world, &c, velocity);
}

piola_status piola_rigid_set_angular_velocity(piola_world *world, piola_rigid rigid,
                                              const float angular_velocity[3])
{
    piola_command c = {.kind = PIOLA_COMMAND_RIGID_SPIN, .as.rigid_spin = {rigid, {0}}};
    return queue(world, &c, angular_velocity);
}

piola_status piola_rigid_impulse(piola_world *world, piola_rigid rigid, const float impulse[3])
{
    piola_command c = {.kind = PIOLA_COMMAND_RIGID_IMPULSE, .as.rigid_impulse = {rigid, {0}}};
    return queue(world, &c, impulse);
}

piola_status piola_rigid_twist(piola_world *world, piola_rigid rigid, const float twist[3])
{
    piola_command c = {.kind = PIOLA_COMMAND_RIGID_TWIST, .as.rigid_twist = {rigid, {0}}};
    return queue(world, &c, twist);
}

piola_status piola_rigid_set_force(piola_world *world, piola_rigid rigid, const float force[3])
{
    piola_command c = {.kind = PIOLA_COMMAND_RIGID_FORCE, .as.rigid_force = {rigid, {0}}};
    return queue(world, &c, force);
}

piola_status piola_world_set_gravity(piola_world *world, const float gravity[3])
{
    piola_command c = {.kind = PIOLA_COMMAND_WORLD_GRAVITY};
    return queue(world, &c, gravity);
}

piola_status piola_world_set_wind(piola_world *world, const float wind[3])
{
    piola_command c = {.kind = PIOLA_COMMAND_WORLD_WIND};
    return queue(world, &c, wind);
}

piola_status piola_world_set_wind_origin(piola_world *world, const float origin[3])
{
    piola_command c = {.kind = PIOLA_COMMAND_WORLD_WIND_ORIGIN};
    return queue(world, &c, origin);
}

piola_status piola_world_set_wind_strength(piola_world *world, float strength)
{
    const piola_command c = {.kind = PIOLA_COMMAND_WORLD_WIND_STRENGTH,
                             .as.wind_strength = {strength}};
    return piola_world_push(world, &c);
}
