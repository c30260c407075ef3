/* arrays.h - makes the functions world_NAME of the arrays of one .def file, given as ARRAYS_OF.
 * Included once by each header that owns such arrays, hence no guard. */
#define FAMILY(name)
#define DIMENSION(name, capacity)
#define STAGE(NAME, name, over)
#define STAGE_OWN(NAME, name, count)
#define FIELD(name, type, dimension, kind)                                                         \
    static inline type *world_##name(const piola_world *world)                                     \
    {                                                                                              \
        return (type *)(void *)((char *)(uintptr_t)world + world->offset[FIELD_##name]);           \
    }
#include ARRAYS_OF
#undef ARRAYS_OF
#undef FAMILY
#undef DIMENSION
#undef STAGE
#undef STAGE_OWN
#undef FIELD
