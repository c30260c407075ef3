/* arrays.h - makes the functions of the arrays of one .def file, given as ARRAYS_OF: world_NAME,
 * and of state stored_NAME, an element of it in a snapshot, and what its row names to check them
 * all. Included once by each header that owns such arrays, hence no guard. */
#define FIELD(name, type, dimension, kind, valid)                                                  \
    static inline type *world_##name(const piola_world *world)                                     \
    {                                                                                              \
        return (type *)(void *)((char *)(uintptr_t)world + world->offset[FIELD_##name]);           \
    }                                                                                              \
    STORED_##kind(name, type, valid)
#define STORED_IDENTITY(name, type, valid)
#define STORED_NAMES(name, type, valid)
#define STORED_SETTING(name, type, valid)
#define STORED_SCRATCH(name, type, valid)
#define STORED_STATE(name, type, valid)                                                            \
    bool valid(const struct stored *stored, enum field field);                                     \
    static inline type stored_##name(const struct stored *stored, uint64_t i)                      \
    {                                                                                              \
        type element;                                                                              \
        memcpy(&element, stored->at[FIELD_##name] + i * sizeof element, sizeof element);           \
        return element;                                                                            \
    }
#include "families/families.def"
#undef STORED_IDENTITY
#undef STORED_NAMES
#undef STORED_SETTING
#undef STORED_SCRATCH
#undef STORED_STATE
