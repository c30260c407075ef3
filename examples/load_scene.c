/* A scene file of the piola command, run inside of another program: load_scene FILE [SECONDS]. */
#include <inttypes.h>
#include <piola/io.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **texts)
{
    piola_io_scene *scene = NULL;
    piola_io_error error;
    if (count < 2) {
        fputs("usage: load_scene FILE [SECONDS]\n", stderr);
        return 2;
    }
    if (piola_io_scene_open(texts[1], NULL, &scene, &error)) {
        fprintf(stderr, "load_scene: %s\n", error.text);
        return EXIT_FAILURE;
    }
    const piola_io_scene_facts facts = piola_io_scene_inspect(scene);
    const double seconds = count > 2 ? strtod(texts[2], NULL) : facts.seconds;
    const uint64_t steps = (uint64_t)(seconds / (double)facts.dt + 0.5);
    for (uint64_t step = 1; step <= steps; ++step)
        if (piola_io_scene_step(scene, step, NULL, &error)) {
            fprintf(stderr, "load_scene: %s\n", error.text);
            piola_io_scene_close(scene);
            return EXIT_FAILURE;
        }
    piola_io_scene_body body;
    for (uint32_t i = 0; i < 8 && piola_io_scene_body_at(scene, i, &body); ++i) {
        piola_body_info info;
        if (piola_body_inspect(facts.world, body.handle, &info) == PIOLA_OK)
            printf("%s: centre %.3f %.3f %.3f m\n", body.name, info.centre[0], info.centre[1],
                   info.centre[2]);
    }
    printf("%" PRIu32 " bodies, %" PRIu64 " steps, hash %016" PRIx64 "\n", facts.body_count, steps,
           piola_world_hash(facts.world));
    piola_io_scene_close(scene);
    return EXIT_SUCCESS;
}
