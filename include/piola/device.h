/* device.h - haptic devices as the engine sees them, and one that is simulated. Included by
 * piola.h: include that.
 *
 * A driver fills a piola_device with its own functions. The simulated one has mass, damper,
 * friction, an encoder, a delay and a hand that holds it, so that everything runs and is tested
 * without hardware.
 */
#ifndef PIOLA_PIOLA_DEVICE_H
#define PIOLA_PIOLA_DEVICE_H

#include "piola/haptic.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A device, in the world's frame: docs/guide/haptics.md. Called by one thread at a time. */
typedef struct piola_device {
    void *context; /* the driver's, given to each call */
    /* Where it is at a time (s): m, unit quaternion x, y, z, w. */
    piola_status (*read)(void *context, double time, float position[3], float rotation[4]);
    /* The force (N) and torque (N m) on the hand, from this time (s) on. */
    piola_status (*write)(void *context, double time, const float force[3], const float torque[3]);
    void (*close)(void *context); /* exerts nothing any more; may be null */
} piola_device;

/* One round of a device's loop: read, piola_tool_force, write. What read or write refuse ends it,
 * without force where that is still possible. */
PIOLA_API piola_status piola_device_tick(const piola_device *device, piola_haptic *haptic,
                                         double time);

typedef struct piola_simulated_desc {
    uint32_t cookie_;
    float mass;           /* kg, 1e-6 to 1e3, of the handle along each axis */
    float damping;        /* N s/m, 0 to 1e6 */
    float friction;       /* N, 0 to 1e6: Coulomb's, along each axis */
    float resolution;     /* m, 0 (exact) to 1: of the encoder, along each axis */
    float delay;          /* s, 0 to 1: until a force that was written acts */
    float hand_stiffness; /* N/m, 0 to 1e9: the hand holds the handle where it aims */
    float hand_damping;   /* N s/m, 0 to 1e6 */
    float position[3];    /* m: where it is, and the hand aims, at first */
    float rotation[4];    /* unit quaternion: it does not turn */
    double
        step; /* s, 1e-7 to 1e-2, and at most sqrt(mass / hand_stiffness): of its own integration */
    /* Where the hand aims in the course of time, 3 floats (m) each `interval` s from time 0 on, in
     * the caller's memory: goes evenly between them and stays at the last; null (default): where
     * piola_simulated_aim says. */
    const float *trajectory;
    uint32_t samples;
    double interval;
} piola_simulated_desc;

/* 0.2 kg, 1 N s/m, no friction, exact, no delay, a hand of 300 N/m and 5 N s/m, 20 us. */
PIOLA_API piola_simulated_desc piola_simulated_desc_default(void);
/* Bytes of the block that piola_simulated_create needs. */
PIOLA_API size_t piola_simulated_size(void);
/* Fills `device` with a simulated one, which lives in the block until the caller frees that. It
 * begins at time 0. */
PIOLA_API piola_status piola_simulated_create(const piola_simulated_desc *desc, void *memory,
                                              size_t bytes, piola_device *device,
                                              piola_error *error);
/* Where the hand aims from now on (m), and what it pushes with besides (N; or null). */
PIOLA_API piola_status piola_simulated_aim(const piola_device *device, const float target[3],
                                           const float push[3]);

typedef struct piola_simulated_info {
    double position[3], velocity[3]; /* m, m/s: as they are, not as the encoder has them */
    double work;                     /* J: of the hand on the handle */
    double given;                    /* J: of the device's motors on the handle */
} piola_simulated_info;

/* Of a device that piola_simulated_create filled. */
PIOLA_API piola_status piola_simulated_inspect(const piola_device *device,
                                               piola_simulated_info *info);

#ifdef __cplusplus
}
#endif

#endif
