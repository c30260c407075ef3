/* link_system.h - the equations of a body of links while they are solved: link_system.c makes and
 * solves them, link_level.c says what becomes of that. */
#ifndef PIOLA_LINK_SYSTEM_H
#define PIOLA_LINK_SYSTEM_H

#include "families/limits/limits.h"
#include "motion/coarse_level.h"

struct link_point {
    float y[3];     /* m, the inertial target */
    double on[6];   /* xx yy zz yz xz xy: block of the system, then of its factor, N/m */
    double give[6]; /* m/N, the inverse of that */
    double left[3], way[3], step[3]; /* N, not balanced yet; m */
};
_Static_assert(sizeof(struct link_point) < sizeof(struct coarse_line),
               "the scratch of a level has room for points, and for what holds them");

/* A body while its links are solved. */
struct links {
    struct level level;
    struct link_point *point; /* by particle */
    const struct link_node *node;
    const struct link_edge *edge;
    const struct pk_link_pack *pack;
    struct link_now *now;
    float *multiplier; /* kg m: of limits.ispc, force by inertia, negative when it pulls */
    uint32_t count;    /* vertices */
};

static inline bool link_free(const struct links *l, uint32_t particle)
{
    return l->level.x[particle].w > 0;
}

struct links link_system_of(const struct step *step, const struct body *body);
/* m: from the later end of a link to the earlier one; and how far that is. */
double link_way(const struct links *l, uint32_t from, uint32_t to, double d[3]);
/* The direction of a link as the system has it; 0 where it does nothing. */
void link_normal(const struct links *l, uint32_t lane, double n[3]);
/* N, of what is laid down for each particle: into `move`. */
void link_system_pulls(const struct links *l);
/* Links as they are now, what is not balanced of each particle, and the blocks of the diagonal. Of
 * links that pull alone, or of all. */
void link_system_make(const struct links *l, bool taut);
void link_system_factor(const struct links *l);
/* Leaves the solution in `step`; what was not balanced is lost. */
void link_system_solve(const struct links *l);
/* In place of the solution: the system is reduced to each particle, whose stiffness is left in `on`
 * and what pulls at it in `way`. */
void link_system_reduce(const struct links *l);

#endif
