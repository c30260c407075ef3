/* view_keys.c - see view_keys.h. */
#include "io/scene/view_keys.h"

#include "io/scene/key_rows.h"

const char *const view_colour_names[VIEW_COLOUR_COUNT] = {"body",  "material", "strain", "stress",
                                                          "speed", "cluster",  "colour", "contact"};

const struct scene_view scene_view_default = {
    .field = 30.0f, .yaw = 25.0f, .pitch = 18.0f, .colour = VIEW_COLOUR_BODY};

static const struct key paint_keys[] = {
    {KEY(view_paint, name, KEY_TEXT, "of a body or a material"), .required = true},
    {KEY(view_paint, rgb, KEY_COUNTS, "red, green, blue, each 0 to 255, as screens show them"),
     RANGE(0, 255), .length = 3, .required = true},
};

static const struct table paint_table = {
    TABLE("a colour", view_paint, paint_keys, "Colour of a body, or of all bodies of a material."),
};

static const struct key moment_keys[] = {
    {KEY(view_moment, time, KEY_DOUBLE, "simulated time, s"), RANGE(0, 1e9), .required = true},
    {KEY(view_moment, caption, KEY_TEXT, "written below the picture")},
};

static const struct table moment_table = {
    TABLE("a moment", view_moment, moment_keys, "One picture of a contact sheet."),
};

static const struct key view_keys[] = {
    {KEY(scene_view, from, KEY_FLOATS,
         "where the camera stands, m; without it the camera is fitted"),
     VECTOR(3)},
    {KEY(scene_view, at, KEY_FLOATS, "what it looks at, m"), VECTOR(3)},
    {KEY(scene_view, field, KEY_FLOAT, "vertical opening angle, degrees"), RANGE(1, 120)},
    {KEY(scene_view, yaw, KEY_FLOAT, "of a fitted camera: about y from +z, degrees"),
     RANGE(-360, 360)},
    {KEY(scene_view, pitch, KEY_FLOAT, "of a fitted camera: above the horizon, degrees"),
     RANGE(-89, 89)},
    {NAMED(
         "min", scene_view, least, KEY_FLOATS,
         "corner of the box a fitted camera shows, m; without it the bodies at the first picture"),
     VECTOR(3)},
    {NAMED("max", scene_view, most, KEY_FLOATS, "the other corner, m"), VECTOR(3)},
    {KEY(scene_view, ground, KEY_FLOAT, "height of the ground drawn, m; without it there is none"),
     RANGE(-FAR, FAR)},
    {KEY(scene_view, grid, KEY_FLOAT, "distance of lines on the ground, m; 0: none"),
     RANGE(0, FAR)},
    {KEY(scene_view, wire, KEY_FLOAT, "darkness of the triangles' edges"), RANGE(0, 1)},
    {KEY(scene_view, colour, KEY_CHOICE, "what surfaces are coloured by"),
     CHOICES(view_colour_names)},
    {KEY(scene_view, range, KEY_FLOAT,
         "value that has the last colour: strain, Pa, m/s; without it 0.5, 0.3 of Young's modulus, "
         "2 m/s"),
     ABOVE(0, 1e15)},
    {KEY(scene_view, flat, KEY_FLAG, "show the triangles instead of smooth surfaces")},
    {KEY(scene_view, paint, KEY_LIST, "colours"), .table = &paint_table, .length = 1000},
    {KEY(scene_view, moments, KEY_LIST, "pictures that `piola render` puts on one sheet"),
     .table = &moment_table, .length = 36},
};

static void view_defaults(void *item)
{
    *(struct scene_view *)item = scene_view_default;
}

static bool view_check(const void *item, const struct trail *trail, struct problem *problem)
{
    const struct scene_view *view = item;
    bool same = true;
    for (int i = 0; i < 3; i++) {
        same = same && view->from[i] == view->at[i];
        if (keys_given(&scene_view_table, view, "min") && !(view->least[i] < view->most[i])) {
            return trail_problem(trail, problem, "\"min\" must be below \"max\"");
        }
    }
    if (keys_given(&scene_view_table, view, "from") && same) {
        return trail_problem(trail, problem, "\"from\" and \"at\" are one point");
    }
    if (keys_given(&scene_view_table, view, "min") != keys_given(&scene_view_table, view, "max")) {
        return trail_problem(trail, problem, "\"min\" and \"max\" go together");
    }
    for (uint32_t i = 1; i < view->moments.count; i++) {
        const struct view_moment *moments = view->moments.items;
        if (moments[i].time < moments[i - 1].time) {
            return trail_problem(trail, problem, "moments must be in the order of time");
        }
    }
    return true;
}

const struct table scene_view_table = {
    TABLE("a view", scene_view, view_keys, "How pictures of the scene are taken."),
    .defaults = view_defaults,
    .check = view_check,
};
