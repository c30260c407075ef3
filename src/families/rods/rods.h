/* rods.h - what a world keeps of rods, and the equations of a body of rods while they are solved.
 *
 * rods.c says what happens when in a substep, rod_solve.c how the equations are solved,
 * rod_energy.c what they are, rod_calls.c what is asked of rods between steps.
 */
#ifndef PIOLA_RODS_H
#define PIOLA_RODS_H

#include "families/rods/rod_assets.h"
#include "motion/coarse_level.h"
#include "world/family.h"

/* The ends of a segment that are clamped: unit quaternions, from the mesh to the world, now and at
 * the end of the step; w and all others 0 where none is. */
struct rod_clamp {
    float at[2][4], to[2][4];
};

/* A point or a turn: m, or a quaternion. */
struct rod_node {
    double at[4], start[4], goal[4]; /* now, when the substep began, where inertia leads */
    double best[4];                  /* where the objective was least */
    double on[6], give[6]; /* xx yy zz yz xz xy: block of the system; inverse of the factor's */
    double left[3],
        way[3]; /* what is not balanced; the solution: m, or rad in the segment's axes */
};
_Static_assert(sizeof(struct rod_node) % 8 == 0, "nodes follow each other without padding");

struct rod_block {
    double value[3][3];
};

/* What acts on a point from outside: N/m (xx yy zz yz xz xy) and N. */
struct rod_load {
    double held[6];
    float pull[3], reserved;
};

struct rods {
    struct level level; /* what holds its points: motion/coarse_level.h */
    struct rod_node *node;
    struct rod_block *block;
    const struct rod_place *place;
    const uint32_t *later;
    const struct rod_segment *segment;
    const struct rod_joint *joint;
    const struct rod_clamp *clamp;
    struct pk_quad *turn, *spin, *force;
    struct rod_load *load;
    double inertia, turning; /* 1/s^2, of points and of turns */
    uint32_t points, segments, joints;
};

static inline bool body_is_rods(const piola_world *world, const struct body *body)
{
    return (body->flags & BODY_ALIVE) && body_asset(world, body)->stats.segments > 0;
}

static inline struct rod_node *rod_turn(const struct rods *r, uint32_t segment)
{
    return &r->node[r->points + segment];
}

static inline bool rod_clamped(const struct rod_clamp *clamp, unsigned end)
{
    const float *q = clamp->at[end];
    return q[0] != 0 || q[1] != 0 || q[2] != 0 || q[3] != 0;
}

/* rods.c */
void rods_tie(piola_world *world, uint32_t index);
struct rods rods_of(const struct step *step, const struct body *body);

/* rod_energy.c: the system where the nodes are; with the stiffness that tensions give, or without,
 * which is always positive. */
void rods_make(const struct rods *r, bool tensions);
/* N: what acts on points from outside, where they are in the world: into level.move. */
void rods_find_pulls(const struct rods *r);
/* What acts on a point where it is, as these were found. */
void rods_load_of(const struct rods *r, uint32_t point, struct rod_load *load);
/* J: what nodes hold at their places, or, `best`, where the objective was least, with inertia and
 * what acts on points from outside. */
double rods_objective(const struct rods *r, bool best);
/* J: what the body holds as the world has it. */
double rods_energy(const struct rods *r);
/* Forces of segments after a share of the way. */
void rods_pull_on(const struct rods *r, double share);
/* N m, as the world has turns: of a joint in its own axes, of a clamped end in its segment's. */
void rods_joint_moment(const struct rods *r, uint32_t joint, double moment[3]);
void rods_clamp_moment(const struct rods *r, uint32_t segment, unsigned end, double moment[3]);

/* rod_momentum.c: the entries of struct family. */
void rods_turns(const struct step *step, uint32_t body, struct sums *sum);
void rods_turn_along(const struct step *step, uint32_t body, const float turn[3]);
/* A segment's, about its middle (kg m^2/s), and its energy (J). */
double rods_segment_momentum(const struct rods *r, uint32_t segment, double moment[3]);

/* rod_solve.c: one correction of all nodes. True when that, and any further one, changes nothing
 * that a world keeps, as long as rods_alike. */
bool rods_solve(const struct rods *r, uint32_t iteration, uint32_t iterations);
/* Points are where the last correction put them, and what acts on them is what it was. */
bool rods_alike(const struct rods *r);

#define ARRAYS_OF "families/rods/rods.def"
#include "world/arrays.h"

#endif
