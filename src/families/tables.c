/* tables.c - the tables that know every family: arrays with the sizes of their elements,
 * capacities, and the families themselves.
 */
#include "families/families.h"

#include "base/gaps.h"
#include "base/marks.h"
#include "base/size.h"
#include "compile/part.h"
#include "world/names.h"

const struct field_info world_fields[FIELD_COUNT] = {
#define VALID_STATE(valid)    valid
#define VALID_IDENTITY(valid) NULL
#define VALID_NAMES(valid)    NULL
#define VALID_SETTING(valid)  NULL
#define VALID_SCRATCH(valid)  NULL
#define FIELD(name, type, dimension, kind, valid)                                                  \
    {#name, sizeof(type), DIM_##dimension, kind, VALID_##kind(valid)},
#include "families/families.def"
};

const struct generation world_generations[GENERATIONS] = {
#define GENERATION(field, type, member) {FIELD_##field, offsetof(type, member)},
#include "families/families.def"
};
#define GENERATION(field, type, member)                                                            \
    _Static_assert(sizeof(type) <= NAMED_BYTES, "names.h has a bound for it");
#include "families/families.def"

const struct section_info asset_sections[SECTION_COUNT] = {
#define SECTION(name, type, count)                                                                 \
    {#name " " #type " " #count, sizeof(type), offsetof(struct section_counts, count)},
#include "families/families.def"
};

const struct asset_part *const asset_parts[PART_COUNT] = {
#define PART(name) &part_##name,
#include "families/families.def"
};

const struct family *const families[FAMILY_COUNT] = {
#define FAMILY(name) &family_##name,
#include "families/families.def"
};

void world_set_capacities(piola_world *world)
{
    const piola_world_desc *d = &world->desc;
    const uint64_t particles = d->max_particles;
    const bool SURFACES = d->max_contacts > 0;
    const uint64_t SOLIDS = (uint64_t)d->max_colliders + d->max_rigids; /* they share slots */
#define OF(name)                  (world->dim[DIM_##name].capacity)
#define DIMENSION(name, capacity) world->dim[DIM_##name] = (struct extent){(capacity), 0, 0, 0};
#include "families/families.def"
#undef OF
}
