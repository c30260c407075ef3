/* fit.c - what a description must hold for bodies that are planned, and what of it a world uses. */
#include "base/cookies.h"
#include "base/refuse.h"
#include "world/world.h"

#include <string.h>

struct sum {
    const char *field;
    uint64_t value, most;
    uint32_t *member;
};

/* What a body takes of each limit, as room_find (body_room.c) asks for it. */
static void add(struct sum sums[8], const piola_world_desc *desc, const piola_asset *asset,
                uint64_t bodies)
{
    const bool compliant = desc->solver == PIOLA_SOLVER_COMPLIANT;
    sums[0].value += bodies;
    sums[1].value += bodies * asset->stats.particles;
    sums[2].value += compliant ? bodies * asset->stats.packs : 0;
    sums[3].value += bodies * asset->plastic_cells;
    sums[4].value += bodies * asset->stats.link_packs;
    sums[6].value += bodies * asset->stats.constraint_packs;
    sums[7].value += bodies * asset_strains(asset).packs;
    sums[5].value += desc->max_contacts > 0 ? bodies * asset->stats.surface_triangles : 0;
}

/* Contacts of edges and faces: some for each triangle, and some for few. */
#define FACES_A_TRIANGLE 2u
#define FACES_LEAST      256u
#define FACES_MOST       (1u << 24)

static uint32_t face_room(const piola_asset *const *assets, const uint32_t *counts, uint32_t n)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; ++i)
        sum += (counts ? counts[i] : UINT64_C(1)) * assets[i]->stats.surface_triangles;
    if (sum == 0)
        return 0;
    sum = FACES_LEAST + FACES_A_TRIANGLE * sum;
    return sum < FACES_MOST ? (uint32_t)sum : FACES_MOST;
}

/* Assets of equal content count as one. */
static bool first_of_its_kind(const piola_asset *const *assets, uint32_t i)
{
    uint32_t k = 0;
    while (k < i && piola_asset_hash(assets[k]) != piola_asset_hash(assets[i]))
        ++k;
    return k == i;
}

piola_status piola_world_desc_fit(piola_world_desc *desc, const piola_asset *const *assets,
                                  const uint32_t *counts, uint32_t n, piola_error *error)
{
    if (!desc || (n > 0 && !assets))
        return refuse(error, PIOLA_ERROR_NULL, desc ? "assets" : "piola_world_desc");
    if (desc->cookie_ != COOKIE_WORLD)
        return refuse(error, PIOLA_ERROR_COOKIE, "piola_world_desc");
    piola_world_desc fit = *desc;
    struct sum sums[] = {
        {"piola_world_desc.max_bodies", 0, 65535, &fit.max_bodies},
        {"piola_world_desc.max_particles", 0, 1u << 28, &fit.max_particles},
        {"piola_world_desc.max_packs", 0, 1u << 28, &fit.max_packs},
        {"piola_world_desc.max_plastic_packs", 0, 1u << 28, &fit.max_plastic_packs},
        {"piola_world_desc.max_link_packs", 0, 1u << 28, &fit.max_link_packs},
        {"piola_world_desc.max_contact_faces", 0, 1u << 28, &fit.max_contact_faces},
        {"piola_world_desc.max_constraint_packs", 0, 1u << 28, &fit.max_constraint_packs},
        {"piola_world_desc.max_strain_packs", 0, 1u << 28, &fit.max_strain_packs},
    };
    const size_t limits = sizeof sums / sizeof *sums;
    fit.max_assets = 0;
    fit.rods = false;
    for (uint32_t i = 0; i < n; ++i) {
        const piola_status status = asset_sound(assets[i]);
        if (status != PIOLA_OK)
            return refuse_item(error, status, "assets", i);
        fit.rods = fit.rods || assets[i]->stats.segments > 0;
        fit.max_assets += first_of_its_kind(assets, i);
        add(sums, desc, assets[i], counts ? counts[i] : 1);
        for (size_t s = 0; s < limits; ++s)
            if (sums[s].value > sums[s].most)
                return refuse_item(error, PIOLA_ERROR_TOO_LARGE, sums[s].field, i);
    }
    for (size_t s = 0; s < limits; ++s)
        *sums[s].member = (uint32_t)sums[s].value;
    fit.max_face_contacts = face_room(assets, counts, n);
    /* A world needs some of these, also for no bodies. */
    fit.max_bodies += fit.max_bodies == 0;
    fit.max_assets += fit.max_assets == 0;
    fit.max_particles += fit.max_particles == 0;
    *desc = fit;
    return PIOLA_OK;
}

static const struct {
    const char *name;
    enum dimension dimension;
} rows[] = {
#define CAPACITY(member, dimension, low, high) {#member, DIM_##dimension},
#include "families/families.def"
};

/* Nothing of the C library but strlen and memcmp: the engine runs where there is no other. */
void world_count_dropped(piola_world *world, const char *field)
{
    static const char owner[] = "piola_world_desc.";
    const size_t before = sizeof owner - 1, letters = strlen(field);
    const bool ours = letters > before && same_bytes(field, owner, before);
    for (size_t i = 0; ours && i < sizeof rows / sizeof *rows; ++i)
        world->dim[rows[i].dimension].dropped +=
            strlen(rows[i].name) == letters - before &&
            same_bytes(field + before, rows[i].name, letters - before);
}

piola_status piola_world_capacity(const piola_world *world, uint32_t index,
                                  piola_capacity *capacity)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK || !capacity)
        return capacity ? status : PIOLA_ERROR_NULL;
    if (index >= sizeof rows / sizeof *rows)
        return PIOLA_ERROR_RANGE;
    const struct extent *extent = &world->dim[rows[index].dimension];
    *capacity = (piola_capacity){
        .name = rows[index].name,
        .capacity = extent->capacity,
        .used = extent->used,
        .most = extent->most,
        .dropped = extent->dropped,
    };
    if (rows[index].dimension == DIM_commands) {
        capacity->used = atomic_load_explicit(&world->commands_pushed, memory_order_relaxed) -
                         world->commands_taken;
        capacity->dropped = atomic_load_explicit(&world->commands_dropped, memory_order_relaxed);
        capacity->most = capacity->used > capacity->most ? capacity->used : capacity->most;
    }
    return PIOLA_OK;
}
