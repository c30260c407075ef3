/* scene_details.c - the keys of fine surfaces that bodies wear. */
#include "io/scene/key_rows.h"
#include "io/scene/scene.h"

static const struct key detail_keys[] = {
    {KEY(scene_detail, mesh, KEY_TEXT, "name of a finer mesh, whose surface it is")},
    {KEY(scene_detail, subdivide, KEY_COUNT,
         "instead: the body's own surface, smoothed and each triangle cut into four so many times"),
     RANGE(1, 8)},
    {KEY(scene_detail, relief, KEY_DOUBLE, "height of bumps on it, m"), RANGE(0, FAR)},
    {KEY(scene_detail, wave, KEY_DOUBLE, "distance of the bumps, m"), ABOVE(0, FAR)},
    {KEY(scene_detail, embed, KEY_FLAG,
         "it follows the tetrahedra that it lies in, not the surface; of solids")},
};

static void detail_defaults(void *item)
{
    ((struct scene_detail *)item)->wave = 0.05;
}

const struct table scene_detail_table = {
    TABLE("a detail mesh", scene_detail, detail_keys,
          "A fine surface that follows the body's: it is bound to it once and moves with it."),
    .defaults = detail_defaults,
    .one_of = 2,
};
