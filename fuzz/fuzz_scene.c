/* fuzz_scene.c - libFuzzer: any bytes are a scene or are refused with a text; both, never neither.
 */
#include "count.h"
#include "io/scene/scene.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pool pool = {0};
    struct problem problem = {0};
    struct scene scene;
    count_begin();
    const bool good = scene_parse((const char *)data, size, "fuzz", &scene, &pool, &problem);
    /* A body of a few hundred bytes may be written in some twenty. */
    if (good == (problem.text[0] != 0) || pool.bytes > 100 * size + 4096)
        abort();
    /* JSON is a tree first, whose smallest objects have tables of their own. */
    count_end(size, 400, 1 << 16);
    pool_free(&pool);
    return 0;
}
