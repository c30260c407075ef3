/* family.h - what acts on bodies besides their motion: how a family takes part in a substep.
 *
 * A family is a folder in families/, a line in families.def, and one struct family, which says what
 * it does at which moment. The order of families.def is the order of the arithmetic.
 */
#ifndef PIOLA_FAMILY_H
#define PIOLA_FAMILY_H

#include "world/world.h"

struct step;         /* motion/stage.h */
struct about_centre; /* motion/phases.h */
struct islands;      /* world/islands.h */
struct moves;        /* world/body_room.h */

/* A particle of a body of links (a rope) that something is tied to. */
struct held {
    uint32_t particle;
    double stiff[6]; /* N/m, xx yy zz yz xz xy */
    double pull[3];  /* N */
    double way[3];   /* m */
};

/* What is asked of a body of links, for those who tie others to it. Each begins anew with HELD_MAKE
 * or HELD_MAKE_TAUT. */
enum held_ask {
    HELD_TAKE,      /* it does nothing by itself until the substep ends; 0 when it has no level */
    HELD_MAKE,      /* its equations, where it is */
    HELD_MAKE_TAUT, /* ... of links that pull alone */
    HELD_TIE,       /* adds what a tie does: its stiffness, and how it pulls */
    HELD_PULL,      /* tensions follow a step of Newton, which it does not go */
    HELD_GO,        /* one step of Newton: how far that turns or stretches a link, as a share */
    HELD_WAY,       /* after it: the particle's way */
    HELD_SEE,       /* its equations are reduced to each of its particles */
    HELD_TELL,      /* after that: to this one's stiffness and what pulls at it */
    HELD_AIM,       /* sweeps are told where its particles are balanced */
    HELD_END        /* the same after the last sweep: momenta are of its own masses again */
};

/* The moments of a substep, in their order: see substep_alone() and substep_shared() in
 * step/step.c. */
enum moment {
    START,    /* before any body: what else moves */
    FORCES,   /* what changes velocities before the prediction */
    PREDICT,  /* bodies have been predicted */
    FIND,     /* what a body may meet in this substep, and what of itself */
    MEET,     /* ... and which other bodies: who marks a body so, keeps it from going by itself */
    BEGIN,    /* all is found: what an interaction needs for the iterations */
    REFRESH,  /* before the elements of an iteration: external quadratics and planes, anew */
    FOLLOW,   /* then: ropes follow what they are tied to, and hold it */
    CORRECT,  /* then, after the levels of bodies: others' levels */
    HOLD,     /* after them: constraints within and between bodies */
    KEEP_OUT, /* then: what must stay outside of solids, and solids that give way */
    REACH,    /* last in an iteration: how far from its anchors anything may be */
    CLOSE,    /* after the iterations: what they left open */
    SETTLE,   /* then: what is measured of it */
    LIMIT,    /* then: nothing ends where it must not be */
    CONFINE,  /* ... nor passes what others do */
    VELOCITY, /* before the velocities */
    GIVE,     /* after them: momenta that bodies are given from outside */
    MOMENTUM, /* then: bodies that others pushed keep theirs together */
    FLOW,     /* the substep is over */
    MOMENTS
};

struct family {
    const char *name;
    bool together; /* while it acts, any body may meet others */
    /* True when it has something to do in this step. Null: always. */
    bool (*acts)(const piola_world *world);
    /* Bodies have come or gone, and the schedule's order is new. */
    void (*list)(piola_world *world);
    /* True when its stages walk over the clusters of elements (OVER_PARTS). Null: never. */
    bool (*parts)(const piola_world *world);
    /* What it does in each domain to the domain's bodies; and what it does between bodies, which is
     * in the shared domain only. */
    void (*at[MOMENTS])(struct step *step);
    void (*among[MOMENTS])(struct step *step);
    /* Whom it may make act on whom in this substep: joins them in islands_of(). After MEET. */
    void (*link)(const piola_world *world, struct islands all);
    /* Descent, in iterations, of a body of links: world/family.h; 0 when it is none of the
     * family's. */
    float (*hold)(const struct step *step, uint32_t body, enum held_ask ask, struct held *held);
    /* Rigid bodies that are tied: their velocities, found together from the equation of each. */
    void (*balance)(struct step *step);
    /* The velocity that a body which something touches lacks of its momentum. */
    void (*mend)(const struct step *step, uint32_t body, const struct about_centre *sums);
    /* Of a body whose parts turn about themselves beside its particles: adds their momenta to its
     * sums; turns them all faster (rad/s). */
    void (*turns)(const struct step *step, uint32_t body, struct sums *sum);
    void (*turn_along)(const struct step *step, uint32_t body, const float turn[3]);
    /* J: what elements of its own hold in a body, where its particles are. With forces, the
     * gradient of that (N) is added to world_force. */
    double (*measure)(const struct step *step, uint32_t body, bool forces);

    /* True while something of its own moves, even where there is no body. Null: never. */
    bool (*moves)(const piola_world *world);
    /* Around a step: before it; after a body's last substep, by the worker who led it; what users
     * may ask of its end; after all; what the step's report says of the family. */
    void (*before)(piola_world *world);
    void (*after_body)(const struct step *step, uint32_t body);
    void (*tell)(const struct step *step);
    void (*after)(const struct step *step);
    void (*report)(const piola_world *world, piola_report *report);

    /* Between steps. A new world; what all bodies that there are take of its capacities. */
    void (*begin)(piola_world *world);
    void (*recount)(piola_world *world);
    /* What a body's description says of it: `field` names what is refused. Then the body that came,
     * or goes when the description is null. */
    piola_status (*check)(const piola_world *world, const piola_body_desc *desc,
                          const char **field);
    void (*set)(piola_world *world, uint32_t body, const piola_body_desc *desc);
    /* All bodies were moved: numbers of particles that it keeps are others now. */
    void (*moved)(piola_world *world, const struct moves *moves);
    /* What a snapshot holds besides what each field's own check says of it. */
    bool (*valid)(const struct stored *stored);
    /* Something outside acts on the body; what the body's information says of the family. */
    void (*disturb)(const piola_world *world, struct body *body);
    void (*inform)(const piola_world *world, const struct body *body, piola_body_info *info);
};

/* The same of all families, in their order; the first that refuses. */
void families_begin(piola_world *world);
void families_recount(piola_world *world);
piola_status families_check(const piola_world *world, const piola_body_desc *desc,
                            const char **field);
void families_set(piola_world *world, uint32_t body, const piola_body_desc *desc);
void families_moved(piola_world *world, const struct moves *moves);
bool families_move(const piola_world *world);
void families_before(piola_world *world);
void families_after_body(const struct step *step, uint32_t body);
void families_tell(const struct step *step);
void families_after(const struct step *step);
void families_report(const piola_world *world, piola_report *report);
bool families_valid(const struct stored *stored);
float families_hold(const struct step *step, uint32_t body, enum held_ask ask, struct held *held);
void families_link(const piola_world *world);
void families_balance(struct step *step);
void families_mend(const struct step *step, uint32_t body, const struct about_centre *sums);
void families_turns(const struct step *step, uint32_t body, struct sums *sum);
void families_turn_along(const struct step *step, uint32_t body, const float turn[3]);
double families_measure(const struct step *step, uint32_t body, bool forces);
void families_disturb(const piola_world *world, struct body *body);
void families_inform(const piola_world *world, const struct body *body, piola_body_info *info);

#define FAMILY(name) extern const struct family family_##name;
#include "families/families.def"

/* tables.c: all of them, in that order. */
extern const struct family *const families[FAMILY_COUNT];

#endif
