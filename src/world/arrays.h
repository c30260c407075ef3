/* arrays.h - makes the functions world_NAME of the arrays of one .def file, given as ARRAYS_OF.
 * Included once by each header that owns such arrays, hence no guard. */
#define FIELD(name, type, dimension, kind)                                                         \
    static inline type *world_##name(const piola_world *world)                                     \
    {                                                                                              \
        return (type *)(void *)((char *)(uintptr_t)world + world->offset[FIELD_##name]);           \
    }
#include "families/families.def"
