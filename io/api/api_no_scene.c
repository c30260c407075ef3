/* api_no_scene.c - the scenes of the public interface in a build without jansson: refused. */
#include "io/api/api.h"

static piola_io_status absent(piola_io_error *error)
{
    return api_refuse(error, PIOLA_IO_ERROR_ABSENT, "%s",
                      piola_io_status_text(PIOLA_IO_ERROR_ABSENT));
}

piola_io_scene_desc piola_io_scene_desc_default(void)
{
    return (piola_io_scene_desc){.cookie_ = COOKIE_IO_SCENE, .iterations = -1, .solver = -1};
}

piola_io_status piola_io_scene_open(const char *path, const piola_io_scene_desc *desc,
                                    piola_io_scene **scene, piola_io_error *error)
{
    (void)path, (void)desc, (void)scene;
    return absent(error);
}

piola_io_status piola_io_scene_parse(const char *text, size_t bytes, const char *path,
                                     const piola_io_scene_desc *desc, piola_io_scene **scene,
                                     piola_io_error *error)
{
    (void)text, (void)bytes, (void)path, (void)desc, (void)scene;
    return absent(error);
}

void piola_io_scene_close(piola_io_scene *scene)
{
    (void)scene;
}

piola_io_scene_facts piola_io_scene_inspect(const piola_io_scene *scene)
{
    (void)scene;
    return (piola_io_scene_facts){0};
}

bool piola_io_scene_body_at(const piola_io_scene *scene, uint32_t index, piola_io_scene_body *body)
{
    (void)scene, (void)index, (void)body;
    return false;
}

bool piola_io_scene_body_named(const piola_io_scene *scene, const char *name, uint32_t copy,
                               piola_io_scene_body *body)
{
    (void)scene, (void)name, (void)copy, (void)body;
    return false;
}

bool piola_io_scene_collider_at(const piola_io_scene *scene, uint32_t index,
                                piola_io_scene_collider *collider)
{
    (void)scene, (void)index, (void)collider;
    return false;
}

bool piola_io_scene_joint_at(const piola_io_scene *scene, uint32_t index,
                             piola_io_scene_joint *joint)
{
    (void)scene, (void)index, (void)joint;
    return false;
}

piola_io_status piola_io_scene_push(const piola_io_scene *scene, uint64_t step,
                                    piola_io_error *error)
{
    (void)scene, (void)step;
    return absent(error);
}

piola_io_status piola_io_scene_step(piola_io_scene *scene, uint64_t step, piola_report *report,
                                    piola_io_error *error)
{
    (void)scene, (void)step, (void)report;
    return absent(error);
}
