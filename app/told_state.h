/* told_state.h - what the table of warnings and its looks share. For told*.c only. */
#ifndef APP_TOLD_STATE_H
#define APP_TOLD_STATE_H

#include "told.h"

enum told_code {
    TOLD_SKIN,
    TOLD_CROSSED_AT_START,
    TOLD_INSIDE_AT_START,
    TOLD_PASSED_THROUGH,
    TOLD_CONTACTS_FULL,
    TOLD_FACES_FULL,
    TOLD_FELL_OUT,
    TOLD_FROZEN,
    TOLD_HELD_UP,
    TOLD_PULLED_APART,
    TOLD_INVERTED,
    TOLD_NOT_CONVERGED,
    TOLD_TOO_FAR,
    TOLD_LATE,
    TOLD_COUNT
};

/* What is known of one warning. */
struct note {
    bool came;
    uint64_t times;          /* what its sentence counts: steps, bodies, pairs */
    double time;             /* s, when it came first */
    const char *who, *other; /* bodies, or who else it is about */
    bool is_body;            /* of who */
    double value, more;      /* for its sentence */
};

struct told_box {
    double low[3], high[3];
};

/* Of a body, in the steps that were measured. */
struct told_balance {
    uint32_t bad;     /* steps in which it was not balanced */
    uint32_t lately;  /* bit i: so i steps before the last */
    uint32_t rounded; /* steps in which rounding alone was more than what acts */
    double stiffness; /* N/m, of its stiffest element */
    double relative;  /* residual over what acts, in the last one */
    double peak;      /* N, the most that acted in any */
    double time;      /* s, of the first bad one */
};

struct told {
    const struct stage *stage;
    struct pool pool;
    struct note notes[TOLD_COUNT];
    uint32_t last; /* code that came last, TOLD_COUNT: none */
    uint64_t steps;
    double time;            /* s, of the last step */
    double crossed, fallen; /* s, when these were last looked at */
    float *xyz[2];          /* room for the largest body, twice */
    struct told_box *boxes; /* of bodies */
    uint32_t *order;        /* bodies by their boxes */
    void *faces;            /* told_cross.c */
    uint64_t pairs[64];     /* of bodies that met, low << 32 | high */
    double bottom, size;    /* m, of the first state: how far down it goes, how large it is */
    struct told_balance *balances;
    uint32_t measured; /* steps */
    uint32_t needed;   /* iterations; 0: nobody tried */
    bool never;        /* more than could be tried */
    struct told_step step;
    uint64_t late; /* steps that took longer than they are */
    double spent;  /* s, these took */
};

typedef void told_look(struct told *told, const struct told_step *step, struct note *note);

/* The first time keeps who, when. */
void note_come(struct told *told, struct note *note, double time, const char *who);

/* Positions of a body into the room; false when it is gone. */
bool told_positions(struct told *told, uint32_t body, unsigned room);
/* Of all bodies now. */
void told_boxes(struct told *told);
/* What stands frozen is told as that alone. */
bool told_frozen(const struct told *told, uint32_t body);
/* Bodies that hold on to each other need not be apart. */
bool told_attached(const struct told *told, uint32_t a, uint32_t b);

/* told_cross.c */
bool told_cross_open(struct told *told, struct problem *problem);
told_look cross_at_start, cross_at_step, cross_at_end;
/* told_bodies.c */
void told_bodies_open(struct told *told);
told_look inside_at_start, fall_at_step, freeze_at_step, invert_at_end;
/* told_balance.c */
bool told_balance_open(struct told *told, struct problem *problem);
told_look converge_at_step, converge_at_end, round_at_end;
/* told_held.c */
told_look hold_at_step, part_at_end;

#endif
