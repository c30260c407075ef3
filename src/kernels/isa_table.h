/* isa_table.h - the kernels of one instruction set, given as ISA: their prototypes and the table
 * KERNELS_OF(ISA). Included once for each, hence no guard. */
#define PASTE_(a, b, c)          a##b##c
#define PASTE(a, b, c)           PASTE_(a, b, c)
#define NAMED(name)              PASTE(pk_##name, _, ISA)
#define KERNELS_OF(isa)          PASTE(kernels, _, isa)

#define X(type, name, arguments) extern type NAMED(name) arguments;
KERNELS(X)
#undef X
#define KERNEL(name, job) extern void NAMED(name)(const struct job *);
#include "families/families.def"

static const struct kernels KERNELS_OF(ISA) = {
#define X(type, name, arguments) .name = NAMED(name),
    KERNELS(X)
#undef X
#define KERNEL(name, job) .name = NAMED(name),
#include "families/families.def"
};
#undef PASTE_
#undef PASTE
#undef NAMED
#undef KERNELS_OF
#undef ISA
