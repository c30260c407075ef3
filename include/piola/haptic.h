/* haptic.h - forces for a hand at 1 to 10 kHz, beside a world that steps at its own rate. Included
 * by piola.h: include that.
 *
 * After each step the world's thread publishes what a tool is like around its device's pose: a
 * local model. The device's thread asks for the force at its own rate, from the newest model. The
 * two never wait for each other, whatever either does. Frames, units and safety:
 * docs/guide/haptics.md.
 */
#ifndef PIOLA_PIOLA_HAPTIC_H
#define PIOLA_PIOLA_HAPTIC_H

#include "piola/tool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Forces and torques are on the hand, torques about the proxy's origin. Matrices are symmetric: xx
 * yy zz yz xz xy. */
typedef struct piola_tool_model {
    double time;   /* s, of a clock that the device's thread has too: when the step ended */
    double period; /* s: after that long the next model is expected */
    float position[3], rotation[4]; /* of the device, where the following holds */
    float force[3], torque[3];      /* N, N m: there */
    float stiffness[6];             /* N/m: by how much the force falls as the device goes on */
    float turn_stiffness[6];        /* N m/rad, likewise as it turns */
    float normal[3]; /* unit, from what is touched to the tool, or 0: the force never pulls against
                        it, and is 0 where it would */
    float damping;   /* N s/m: of the device's velocity along the normal, in contact */
} piola_tool_model;

/* What of a tool is known after a step, for a device's thread; `time` goes into the model. Between
 * steps only. */
PIOLA_API piola_status piola_tool_model_of(const piola_world *world, piola_tool tool, double time,
                                           piola_tool_model *model);

typedef struct piola_haptic_desc {
    uint32_t cookie_;
    float max_force;     /* N, 0 to 1e6: never more is exerted */
    float max_torque;    /* N m, likewise */
    float max_stiffness; /* N/m, 0 to 1e9: of a model between world's steps. A device of damping b
                            (N s/m) asked every T s holds less than 2 b / T */
    float max_rise;      /* N/s, above 0 to 1e12: how fast the force may grow */
    bool passive;        /* what the force gives the hand beyond what the hand gave is taken back by
                            damping */
    float max_damping;   /* N s/m, 0 to 1e6: at most, of that */
    float reserve;       /* J, 0 to 1e9: of what the hand gave, so much is remembered */
    float fade_after;    /* s, 0 to 1e6: a model that is older than this after its time ... */
    float fade_time;     /* s, 0 to 1e6: ... falls to nothing within this */
} piola_haptic_desc;

/* At most 10 N, 0.5 N m, 2,000 N/m, 2,000 N/s; passive, with at most 20 N s/m, 0.05 J; fades after
 * 50 ms, within 100 ms. */
PIOLA_API piola_haptic_desc piola_haptic_desc_default(void);

typedef struct piola_haptic piola_haptic;

/* Bytes of the block that piola_haptic_create needs, aligned as all blocks: PIOLA_ALIGNMENT. */
PIOLA_API size_t piola_haptic_size(void);
/* One for each device. It lives in the block, until the caller frees that, and holds no pointers:
 * the block may be shared between processes. */
PIOLA_API piola_status piola_haptic_create(const piola_haptic_desc *desc, void *memory,
                                           size_t bytes, piola_haptic **haptic, piola_error *error);
/* Hands a model to the device's thread: wait-free, one thread at a time. Numbers must be finite. */
PIOLA_API piola_status piola_haptic_publish(piola_haptic *haptic, const piola_tool_model *model);
/* The same with piola_tool_model_of. */
PIOLA_API piola_status piola_tool_publish(const piola_world *world, piola_tool tool, double time,
                                          piola_haptic *haptic);

/* By the device's thread, at its own rate: force (N) and torque (N m, or null) on the hand for the
 * device's pose (rotation may be null: as the model's) at a time (s). Wait-free, without
 * allocation, about a microsecond. Between models the force is continuous: it goes over to a new
 * one within one and a half periods of the world. 0 before the first model, and where numbers are
 * not finite. */
PIOLA_API void piola_tool_force(piola_haptic *haptic, const float position[3],
                                const float rotation[4], double time, float force[3],
                                float torque[3]);

typedef struct piola_haptic_info {
    uint64_t calls, models; /* forces that were asked for, models that were taken */
    double age;             /* s, of the model, when last asked */
    double energy;          /* J: what the hand gave and did not get back, up to the reserve */
    double taken;           /* J: what the damping of `passive` took, in all */
    float damping;          /* N s/m: of it, now */
    bool capped, faded; /* the last force was cut to max_force or max_rise; was of a stale model */
} piola_haptic_info;

/* By the device's thread. */
PIOLA_API void piola_haptic_inspect(const piola_haptic *haptic, piola_haptic_info *info);

#ifdef __cplusplus
}
#endif

#endif
