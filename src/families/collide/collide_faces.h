/* collide_faces.h - edges and faces of bodies against colliders: what vertices alone would miss.
 *
 * A triangle of a body's surface and a convex core of a collider's shape are a pair; a shape made
 * of triangles has a core for each that has an edge which could pierce. Where they come together
 * between the triangle's corners, a contact keeps the place of the triangle that is nearest in
 * front of a plane. collide_faces_near.c: which pairs are near, where they meet, and whether a way
 * is free. collide_faces.c: contacts, their forces and what is kept of these.
 * collide_faces_limit.c: nothing passes. Planes have no edges: there vertices suffice.
 */
#ifndef PIOLA_COLLIDE_FACES_H
#define PIOLA_COLLIDE_FACES_H

#include "families/collide/collide_block.h"
#include "shapes/shapes.h"

/* Whether a triangle begins inside of a shape made of triangles, once it was asked. */
struct face_side {
    bool asked, inside;
};

/* A triangle and a collider over a substep, in the collider's frame. */
struct face_pair {
    uint32_t particle[3]; /* of the world */
    uint32_t triangle, collider, facet;
    struct collide_moving moving;
    struct shape_core core;
    struct face_side *side;      /* of shapes made of triangles, else null */
    double from[3][3], to[3][3]; /* m */
    float way;                   /* m, the longest of the three */
    float tolerance;             /* m: collide_tolerance */
};

/* Where a pair meets: along `normal`, in the collider's frame, the place of these weights must be
 * at `offset` or beyond. */
struct face_meeting {
    double weight[3], normal[3], offset;
};

/* Who asks for pairs: `use` is called for each of the body's that may meet in this substep, when
 * its particles go `factor` times as far as from world_start to the places `to`, of all particles
 * of the world. `wants` may be null; else it says which triangles, by their particles, matter. */
struct face_quest {
    const struct pk_quad *to;
    float factor;
    bool (*wants)(void *context, const uint32_t particle[3]);
    void (*use)(void *context, const struct face_pair *pair);
    void *context;
};
/* False when it has taken more looks than it may, and stopped: `use` was not called for all. */
bool faces_each_near(const struct step *step, const struct body *body,
                     const struct face_quest *quest);
/* What begins inside of a shape is its vertices' affair: these are let out. */
bool face_begins_inside(const struct face_pair *pair);
/* A pair as its particles are now; and its core, when it is known by its facet alone. */
void face_pair_at(const struct step *step, const struct pk_quad *to, struct face_pair *pair);
void face_core_of(struct face_pair *pair);
/* True when the triangle's way leads between its corners against the core, or may yet; where it
 * begins nearer than it should be, `give` (m) of that is asked for. */
bool face_meets(const struct face_pair *pair, double give, struct face_meeting *meeting);
/* The part of the way that is free, 1 if it is all; else where it ends. Who begins nearer than it
 * should be may not get nearer; `gains`: must come out by more than rounding takes. */
double face_free(const struct face_pair *pair, bool gains, struct face_meeting *meeting);

/* The part of a force that its multiplier takes over in an iteration. */
#define FACE_FOLLOWS 0.2f

/* How often the limit goes through a body's faces in a substep, at most; and how many looks one
 * such way may take, for 16 faces, times contact_tests. */
#define FACES_ROUNDS 60
#define FACES_LOOKS  64u

/* ---- the stages: collide_faces.c, collide_faces_limit.c ---- */

static inline bool faces_any(const piola_world *world)
{
    return world->dim[DIM_face_contacts].capacity > 0 && world_faces_now(world)->acts;
}

void faces_find(struct step *step);
void faces_refresh(struct step *step);
void faces_keep_out(struct step *step);
void faces_limit(struct step *step);
/* What the body's contacts did to it in all: as collide_sum. */
void faces_sum(const struct step *step, const struct body *body, struct sums *sum);
/* The place of a contact, m, and what its corners' masses give way by there, 1/kg. */
void face_place(const piola_world *world, const struct face_contact *contact, float at[3]);
float face_give(const piola_world *world, const struct face_contact *contact);
static inline bool face_presses(const struct face_contact *c)
{
    return c->plane.force[0] != 0 || c->plane.force[1] != 0 || c->plane.force[2] != 0;
}

/* Its plane with the stiffness (N/m) that ties the corners to the rest of their body. */
static inline struct pk_plane face_tied_plane(const struct face_contact *c)
{
    struct pk_plane plane = c->plane;
    plane.stiffness = face_presses(c) ? c->tied : 0;
    return plane;
}

/* collide_faces_state.c: around a step, when a body goes, and of a snapshot. */
void faces_before(piola_world *world);
void faces_after(const struct step *step);
void faces_forget(piola_world *world, uint32_t body);
/* Which pair, and the order in which pairs are looked at: below 0 when the first comes before the
 * second, 0 when they are the same. */
struct face_key {
    uint32_t triangle, collider, facet;
};
int face_order(struct face_key a, struct face_key b);
static inline struct face_key face_key_of(const struct face_contact *c)
{
    return (struct face_key){c->triangle, c->collider, c->facet};
}

static inline struct face_contact *faces_of(const piola_world *world, uint32_t body)
{
    return world_face_contacts(world) + world_face_rooms(world)[body].first;
}
static inline uint32_t faces_count(const piola_world *world, uint32_t body)
{
    const bool none = world->dim[DIM_face_rooms].capacity == 0;
    return none || (world_bodies(world)[body].flags & BODY_STILL)
               ? 0
               : world_face_rooms(world)[body].count;
}

#endif
