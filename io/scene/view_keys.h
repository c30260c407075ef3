/* view_keys.h - the part of a scene that says how it is looked at.
 *
 * Lives here: the struct behind the key "view" and its table. What must not live here: drawing.
 */
#ifndef APP_VIEW_KEYS_H
#define APP_VIEW_KEYS_H

#include "io/scene/keys.h"

#include <stdbool.h>

/* What surfaces are coloured by. */
enum view_colour {
    VIEW_COLOUR_BODY = 0,
    VIEW_COLOUR_MATERIAL,
    VIEW_COLOUR_STRAIN,  /* Frobenius norm of Green strain */
    VIEW_COLOUR_STRESS,  /* von Mises, Pa */
    VIEW_COLOUR_SPEED,   /* m/s */
    VIEW_COLOUR_CLUSTER, /* of the asset's clusters of vertices or elements */
    VIEW_COLOUR_COLOUR,  /* what is moved at the same time: see render_values_turn */
    VIEW_COLOUR_CONTACT, /* 1 where another surface or a collider touches */
    VIEW_COLOUR_COUNT
};

extern const char *const view_colour_names[VIEW_COLOUR_COUNT];

struct view_paint {
    uint64_t given;
    const char *name; /* of a body or material */
    uint32_t rgb[3];
};

struct view_moment {
    uint64_t given;
    double time; /* s */
    const char *caption;
};

struct scene_view {
    uint64_t given;
    float from[3], at[3]; /* m */
    float field;          /* degrees, vertical */
    float yaw, pitch;     /* degrees, when the camera is fitted */
    float least[3], most[3];
    float ground; /* m */
    float grid;   /* m */
    float wire;
    float range; /* value of the last colour */
    uint32_t colour;
    bool flat;
    struct list paint;   /* struct view_paint */
    struct list moments; /* struct view_moment */
};

extern const struct table scene_view_table;

/* What a scene without a view gets. */
extern const struct scene_view scene_view_default;

#endif
