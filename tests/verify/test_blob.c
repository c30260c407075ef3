/* test_blob.c - opening stored assets: intact ones, truncated ones at every length, and ones
 * changed at random behind a correct checksum. What opens must keep every promise that kernels rely
 * on.
 *
 * covers: src/verify/
 */
#define _POSIX_C_SOURCE 200112L /* posix_memalign */

#include "any_mesh.h"
#include "asset/asset.h"
#include "asset_check.h"
#include "base/hash.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *blob; /* the stored asset that a test changes */
static size_t blob_bytes;

void setUp(void)
{
    any_mesh_begin();
}

void tearDown(void)
{
    any_mesh_end();
    fixture_clean();
}

static struct piola_asset *header(void)
{
    return (struct piola_asset *)(void *)blob;
}

/* A changed block with a checksum that is right again. */
static void seal(unsigned char *memory, size_t bytes)
{
    struct piola_asset *asset = (struct piola_asset *)(void *)memory;
    const size_t skip = offsetof(struct piola_asset, checksum) + sizeof asset->checksum;
    if (bytes >= sizeof *asset) {
        asset->checksum = hash_bytes(memory + skip, bytes - skip, ASSET_VERSION);
    }
}

static void store(const piola_mesh_desc *desc)
{
    const piola_asset *asset = fixture_compile(desc);
    blob_bytes = piola_asset_bytes(asset);
    blob = fixture_memory(blob_bytes);
    memcpy(blob, asset, blob_bytes);
}

static void store_box(void)
{
    any_mesh_box();
    const piola_mesh_desc desc = any_mesh_describe();
    store(&desc);
}

/* Several clusters of both kinds. */
static void store_clusters(void)
{
    TEST_ASSERT_TRUE(
        meshgen_box(&any_mesh, (const double[3]){4, 1, 1}, (const uint32_t[3]){16, 4, 4}));
    piola_mesh_desc desc = any_mesh_describe();
    desc.cluster_limit = 0;
    desc.cluster_size = 64;
    store(&desc);
}

static piola_status open_blob(piola_error *error)
{
    const piola_asset *asset = NULL;
    const piola_status status = piola_asset_open(blob, blob_bytes, &asset, error);
    TEST_ASSERT_EQUAL(status == PIOLA_OK, asset == (const void *)blob);
    return status;
}

/* The blob, sealed again after a change, is refused as corrupt in this part. */
static void corrupt(const char *part)
{
    piola_error error = {0};
    seal(blob, blob_bytes);
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_BLOB_CORRUPT, open_blob(&error));
    TEST_ASSERT_EQUAL_STRING(part, error.field);
}

static void intact_assets_open(void)
{
    uint64_t seed = fixture_seed();
    for (int n = fixture_count(20, 3); n > 0; n--) {
        any_mesh_begin();
        any_mesh_random(&seed);
        piola_mesh_desc desc = any_mesh_describe();
        any_mesh_setup(&seed, &desc);
        store(&desc);
        piola_error error = {0};
        fixture_ok(open_blob(&error), &error);
        TEST_ASSERT_EQUAL(blob_bytes, piola_asset_bytes((const piola_asset *)(void *)blob));
        any_mesh_end();
        fixture_clean();
    }
}

/* True when one of the first `count` triangles has the corners of this one. */
static bool known(const uint32_t *triangles, uint32_t count, const uint32_t *t)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *v = triangles + 3 * (size_t)i;
        if (v[0] + v[1] + v[2] == t[0] + t[1] + t[2] &&
            (v[0] == t[0] || v[0] == t[1] || v[0] == t[2]) &&
            (v[1] == t[0] || v[1] == t[1] || v[1] == t[2])) {
            return true;
        }
    }
    return false;
}

/* Tetrahedra of one material beside triangles of another: many vertices have elements of one kind
 * only, and lanes without any must not name constants that no element uses. */
static void intact_mixed_assets_open(void)
{
    uint64_t seed = fixture_seed();
    for (uint32_t n = 0; n < (uint32_t)fixture_count(20, 4); n++) {
        any_mesh_begin();
        TEST_ASSERT_TRUE(
            meshgen_box(&any_mesh, (const double[3]){1, 1, 1}, (const uint32_t[3]){4, 4, 4}));
        any_mesh_disturb(&seed, 1e-3);
        piola_mesh_desc desc = any_mesh_describe();
        const uint32_t count = desc.tetrahedron_count;
        uint32_t *triangles = fixture_memory(12 * (size_t)count * sizeof *triangles);
        uint32_t *body = fixture_memory(count * sizeof *body);
        uint32_t *sheet = fixture_memory(4 * (size_t)count * sizeof *sheet);
        /* Few triangles on a solid, or few tetrahedra, and the faces of the others. */
        const bool solid = n / 2 % 2 != 0;
        const uint32_t few = 1 + (uint32_t)(fixture_random(&seed) % 8);
        desc.tetrahedron_count = solid ? count : few;
        for (uint32_t i = solid ? 0 : 4 * few; i < (solid ? few : 4 * count); i++) {
            const uint32_t *v = any_mesh.tetrahedra + i / 4 * 4;
            const uint32_t face[3] = {v[(i + 1) % 4], v[(i + 2) % 4], v[(i + 3) % 4]};
            if (!known(triangles, desc.triangle_count, face)) {
                memcpy(triangles + 3 * (size_t)desc.triangle_count++, face, sizeof face);
            }
        }
        for (uint32_t i = 0; i < 4 * count; i++) {
            sheet[i] = n % 2;
            body[i / 4] = !(n % 2);
        }
        desc.triangles = triangles;
        desc.triangle_materials = sheet;
        desc.tetrahedron_materials = body;
        desc.material_count = 2;
        any_materials[0].model = any_materials[1].model = PIOLA_MODEL_STVK;
        store(&desc);
        piola_error error = {0};
        fixture_ok(open_blob(&error), &error);
        any_mesh_end();
        fixture_clean();
    }
}

static void calls_are_checked(void)
{
    store_box();
    piola_error error = {0};
    const piola_asset *asset = NULL;
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_NULL, piola_asset_open(NULL, blob_bytes, &asset, &error));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_NULL, piola_asset_open(blob, blob_bytes, NULL, &error));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_ALIGNMENT,
                          piola_asset_open(blob + 8, blob_bytes - 8, &asset, &error));
    /* Trailing bytes are somebody else's. */
    unsigned char *longer = fixture_memory(blob_bytes + 640);
    memcpy(longer, blob, blob_bytes);
    fixture_ok(piola_asset_open(longer, blob_bytes + 640, &asset, &error), &error);
}

static void wrong_headers_are_told_apart(void)
{
    store_box();
    piola_error error = {0};
    const struct piola_asset kept = *header();
    header()->magic ^= 1;
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_BLOB_MAGIC, open_blob(&error));
    header()->magic = __builtin_bswap64(kept.magic);
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_BLOB_VERSION, open_blob(&error));
    header()->magic = kept.magic;
    header()->version++;
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_BLOB_VERSION, open_blob(&error));
    header()->version = kept.version;
    header()->layout ^= 0x10000;
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_BLOB_VERSION, open_blob(&error));
    header()->layout = kept.layout;
    header()->bytes += 64;
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_BLOB_TRUNCATED, open_blob(&error));
    header()->bytes = UINT64_MAX;
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_BLOB_TRUNCATED, open_blob(&error));
    header()->bytes = 100;
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_BLOB_CORRUPT, open_blob(&error));
    header()->bytes = kept.bytes;
    fixture_ok(open_blob(&error), &error);
}

static void every_bit_counts(void)
{
    store_box();
    uint64_t seed = fixture_seed();
    piola_error error = {0};
    for (int n = fixture_count(2000, 100); n > 0; n--) {
        const size_t at = 32 + fixture_random(&seed) % (blob_bytes - 32);
        const unsigned char bit = (unsigned char)(1u << fixture_random(&seed) % 8);
        blob[at] ^= bit;
        TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_BLOB_CHECKSUM, open_blob(&error));
        blob[at] ^= bit;
    }
    fixture_ok(open_blob(&error), &error);
}

/* Memory that ends where the block ends, for sanitizers to see a read behind it. */
static unsigned char *exact_block(size_t bytes)
{
    void *block = NULL;
    TEST_ASSERT_EQUAL_INT(0, posix_memalign(&block, PIOLA_ALIGNMENT, bytes > 0 ? bytes : 1));
    return block;
}

/* In blocks of exactly that many bytes, as they are, and with a header that claims the shorter
 * length and a checksum that agrees. */
static void truncation_is_seen_at_every_length(void)
{
    const double x[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const uint32_t tet[4] = {0, 1, 2, 3};
    piola_mesh_desc desc = any_mesh_describe();
    desc.vertices = x;
    desc.vertex_count = 4;
    desc.tetrahedra = tet;
    desc.tetrahedron_count = 1;
    store(&desc);
    for (size_t bytes = 0; bytes < blob_bytes; bytes++) {
        unsigned char *exact = exact_block(bytes);
        const piola_asset *asset = NULL;
        memcpy(exact, blob, bytes);
        TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_BLOB_TRUNCATED,
                              piola_asset_open(exact, bytes, &asset, NULL));
        if (bytes >= sizeof(struct piola_asset)) {
            ((struct piola_asset *)(void *)exact)->bytes = bytes;
            seal(exact, bytes);
            TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_BLOB_CORRUPT,
                                  piola_asset_open(exact, bytes, &asset, NULL));
        }
        free(exact);
    }
}

/* A number that is likely to upset a check. */
static uint32_t upsetting(uint64_t *seed)
{
    const uint32_t numbers[] = {0,          1,          2,          15,
                                16,         17,         0x7fffffff, 0x80000000,
                                UINT32_MAX, 0x7f800000, 0xff800000, 0x7fc00000,
                                0x3f800000, 0x00000001, 0xfffffff0, 0x10000000};
    return numbers[fixture_random(seed) % 16];
}

/* Changes one to four words, most often in the header or at the start of a section. */
static void damage(uint64_t *seed, unsigned char *memory)
{
    const struct piola_asset *asset = header();
    for (uint64_t n = fixture_random(seed) % 4 + 1; n > 0; n--) {
        size_t at = 0;
        switch (fixture_random(seed) % 4) {
        case 0:
            at = 32 + fixture_random(seed) % (sizeof *asset - 32);
            break;
        case 1:
            at = asset->sections[fixture_random(seed) % SECTION_COUNT].offset +
                 fixture_random(seed) % 512;
            break;
        default:
            at = 32 + fixture_random(seed) % (blob_bytes - 32);
        }
        at = (at < blob_bytes - 4 ? at : blob_bytes - 4) / 4 * 4;
        uint32_t word;
        memcpy(&word, memory + at, sizeof word);
        switch (fixture_random(seed) % 3) {
        case 0:
            word ^= 1u << fixture_random(seed) % 32;
            break;
        case 1:
            word = upsetting(seed);
            break;
        default:
            word += (uint32_t)(fixture_random(seed) % 33) - 16;
        }
        memcpy(memory + at, &word, sizeof word);
    }
}

static void fuzz(uint64_t *seed, int rounds, int *opened)
{
    unsigned char *exact = exact_block(blob_bytes);
    for (; rounds > 0; rounds--) {
        const piola_asset *asset = NULL;
        memcpy(exact, blob, blob_bytes);
        damage(seed, exact);
        seal(exact, blob_bytes);
        if (piola_asset_open(exact, blob_bytes, &asset, NULL) == PIOLA_OK) {
            const char *broken = asset_check(asset);
            TEST_ASSERT_NULL_MESSAGE(broken, broken);
            ++*opened;
        }
    }
    free(exact);
}

/* Every kind of asset, damaged and sealed again, either is refused or is safe to run. */
static void damage_is_refused_or_harmless(void)
{
    uint64_t seed = fixture_seed();
    int opened = 0, rounds = fixture_count(1500, 100);
    for (int kind = 0; kind < 6; kind++) {
        any_mesh_begin();
        if (kind == 0) {
            store_box();
        } else if (kind == 1) {
            store_clusters();
        } else {
            do {
                any_mesh_random(&seed);
            } while (any_mesh.tetrahedron_count + any_mesh.triangle_count > 1500);
            piola_mesh_desc desc = any_mesh_describe();
            any_mesh_setup(&seed, &desc);
            store(&desc);
        }
        fuzz(&seed, rounds, &opened);
        any_mesh_end();
        fixture_clean();
    }
    printf("%d damaged assets, of which %d had harmless damage\n", 6 * rounds, opened);
    TEST_ASSERT_TRUE(opened > 0 && opened < 6 * rounds * 9 / 10);
}

/* ---- one defect each ---- */

#define SECTION(name, type) ((type *)(void *)(blob + header()->at.name.offset))

static void broken_tables_are_corrupt(void)
{
    store_box();
    const struct piola_asset kept = *header();
    header()->at.visits_snh.offset += 64;
    corrupt("sections");
    *header() = kept;
    header()->at.tet_packs.count = UINT64_MAX / 8;
    corrupt("sections");
    *header() = kept;
    header()->at.mass.count--;
    corrupt("sections");
    *header() = kept;
    header()->stats.tetrahedra++;
    corrupt("packs");
    *header() = kept;
    header()->stats.vertices--;
    corrupt("counts");
    *header() = kept;
    header()->compile_for = PIOLA_COMPILE_FOR_PROJECTION;
    corrupt("counts");
    *header() = kept;
    header()->stats.enclosed = 1e300; /* no volume of single precision */
    corrupt("counts");
    *header() = kept;
    header()->stats.mass = (double)NAN;
    corrupt("stats");
    *header() = kept;
    header()->stats.fill_elements = 1.5f;
    corrupt("stats");
}

static void broken_particles_are_corrupt(void)
{
    store_box();
    uint32_t *vertex = SECTION(vertex_of_particle, uint32_t), kept = vertex[3];
    vertex[3] = vertex[4];
    corrupt("particles");
    vertex[3] = kept;
    struct pk_quad *rest = SECTION(rest, struct pk_quad), whole = rest[5];
    rest[5].y = NAN;
    corrupt("particles");
    rest[5] = whole;
    rest[5].x = -1e30f; /* finite, but its square is not */
    corrupt("particles");
    rest[5] = whole;
    rest[5].w *= 2;
    corrupt("particles");
    rest[5] = whole;
    rest[header()->stats.particles - 1].w = 1; /* a dummy that would move */
    corrupt("particles");
    rest[header()->stats.particles - 1].w = 0;
    struct pk_material *material = SECTION(materials, struct pk_material);
    material->mu = -1;
    corrupt("materials");
    material->mu = INFINITY;
    corrupt("materials");
}

/* A rope has no triangles, so no constants for them: a number of one leads behind the block, to
 * bytes that are somebody else's and look like a material. */
static void constants_of_no_element_are_corrupt(void)
{
    const double x[6] = {0, 0, 0, 1, 0, 0};
    const uint32_t link[2] = {0, 1};
    piola_mesh_desc desc = piola_mesh_desc_default();
    piola_material *many = fixture_memory(200 * sizeof *many);
    for (int i = 0; i < 200; i++) {
        many[i] = piola_material_default();
    }
    desc.vertices = x;
    desc.vertex_count = 2;
    desc.links = link;
    desc.link_count = 1;
    desc.materials = many;
    desc.material_count = 200;
    store(&desc);
    const size_t at = header()->at.materials.offset + 399 * sizeof(struct pk_material);
    TEST_ASSERT_TRUE(at >= blob_bytes);
    unsigned char *longer = fixture_memory(at + sizeof(struct pk_material));
    memcpy(longer, blob, blob_bytes);
    blob = longer;
    struct pk_material *material = (struct pk_material *)(void *)(blob + at);
    material->model = PIOLA_MODEL_STVK;
    material->mu = 1;
    header()->sheet_material = 399;
    corrupt("visits");
}

static void broken_packs_are_corrupt(void)
{
    store_box();
    struct pk_tet_pack *pack = SECTION(tet_packs, struct pk_tet_pack), whole = *pack;
    pack->index[2][1] = pack->index[0][0]; /* two lanes on one particle */
    corrupt("packs");
    *pack = whole;
    pack->index[0][0] = header()->stats.particles;
    corrupt("packs");
    pack->index[0][0] = header()->stats.vertices; /* one corner only on a dummy */
    corrupt("packs");
    *pack = whole;
    pack->dm_inverse[4][7] = INFINITY;
    corrupt("packs");
    *pack = whole;
    SECTION(tet_pack_materials, uint32_t)[0] = 1;
    corrupt("packs");
    SECTION(tet_pack_materials, uint32_t)[0] = 0;
    SECTION(clusters, struct asset_cluster)[0].packs[KIND_TET].count--;
    corrupt("packs");
    SECTION(clusters, struct asset_cluster)[0].packs[KIND_TET].count++;
    SECTION(surface, uint32_t)[8] = header()->stats.vertices;
    corrupt("surface");
}

static void broken_visits_are_corrupt(void)
{
    store_box();
    struct pk_vertex_pack *pack = SECTION(vertex_packs, struct pk_vertex_pack), whole = *pack;
    struct pk_visit_snh *visit = SECTION(visits_snh, struct pk_visit_snh), kept = *visit;
    pack->self[1] = pack->self[0];
    corrupt("visits");
    *pack = whole;
    pack->visits[PK_VISIT_TET].count++;
    corrupt("visits");
    *pack = whole;
    pack->visits[PK_VISIT_TET].first = UINT32_MAX;
    corrupt("visits");
    *pack = whole;
    struct pk_vertex_pack *last = pack + header()->at.vertex_packs.count - 1;
    const uint32_t slots = last->visits[PK_VISIT_TET].count;
    last->visits[PK_VISIT_TET].count =
        UINT32_MAX; /* past the end of the section, and of the block */
    corrupt("visits");
    last->visits[PK_VISIT_TET].count =
        UINT32_MAX - last->visits[PK_VISIT_TET].first + 1; /* the sum wraps to 0 */
    corrupt("visits");
    last->visits[PK_VISIT_TET].count = slots;
    visit->other[1][0] = pack->self[1]; /* a lane looks at what another moves */
    corrupt("visits");
    *visit = kept;
    visit->other[1][0] = UINT32_MAX;
    corrupt("visits");
    *visit = kept;
    visit->alpha[3] = NAN;
    corrupt("visits");
    *visit = kept;
    /* Vertex packs that move one vertex twice and another never. */
    struct pk_vertex_pack *other = pack + 1;
    for (unsigned lane = 0; lane < PK_LANES; lane++) {
        other->self[lane] = pack->self[lane];
    }
    seal(blob, blob_bytes);
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_BLOB_CORRUPT, open_blob(NULL));
}

/* Clusters that share particles are given one colour. */
static void false_colours_are_corrupt(void)
{
    store_clusters();
    piola_error error = {0};
    fixture_ok(open_blob(&error), &error);
    TEST_ASSERT_TRUE(header()->stats.cluster_colours > 2);
    uint32_t *first = SECTION(cluster_colours, uint32_t);
    const uint32_t kept = first[1];
    first[1]++;
    corrupt("colours");
    first[1] = kept;
    first = SECTION(vertex_cluster_colours, uint32_t);
    first[1]++;
    corrupt("colours");
    first[1] = 0;
    corrupt("visits");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(intact_assets_open);
    RUN_TEST(intact_mixed_assets_open);
    RUN_TEST(calls_are_checked);
    RUN_TEST(wrong_headers_are_told_apart);
    RUN_TEST(every_bit_counts);
    RUN_TEST(truncation_is_seen_at_every_length);
    RUN_TEST(damage_is_refused_or_harmless);
    RUN_TEST(broken_tables_are_corrupt);
    RUN_TEST(broken_particles_are_corrupt);
    RUN_TEST(constants_of_no_element_are_corrupt);
    RUN_TEST(broken_packs_are_corrupt);
    RUN_TEST(broken_visits_are_corrupt);
    RUN_TEST(false_colours_are_corrupt);
    return UNITY_END();
}
