/* shape_values.c - shapes as values: a kind with its lengths, or with compiled data. */
#include "shapes/shapes.h"

piola_shape piola_shape_plane(void)
{
    return (piola_shape){.kind = PIOLA_SHAPE_PLANE};
}

piola_shape piola_shape_sphere(float radius)
{
    return (piola_shape){.kind = PIOLA_SHAPE_SPHERE, .radius = radius};
}

piola_shape piola_shape_capsule(float half_length, float radius)
{
    return (piola_shape){
        .kind = PIOLA_SHAPE_CAPSULE, .size = {0, half_length, 0}, .radius = radius};
}

piola_shape piola_shape_box(const float half[3], float radius)
{
    if (!half)
        return piola_shape_plane();
    return (piola_shape){
        .kind = PIOLA_SHAPE_BOX, .size = {half[0], half[1], half[2]}, .radius = radius};
}

piola_shape piola_shape_of(const piola_shape_data *data)
{
    if (shape_registry_check(data) != PIOLA_OK)
        return piola_shape_plane();
    return (piola_shape){.kind = data->stats.kind, .data = data};
}
