/* status.c - the words for every status, and the formatting of an error. No allocation, no stdio.
 */
#include "piola/piola.h"

static const char *const texts[PIOLA_STATUS_COUNT] = {
    [PIOLA_OK] = "all is well",
    [PIOLA_ERROR_NULL] = "a required pointer is null",
    [PIOLA_ERROR_COOKIE] =
        "not initialised: start every description from its piola_..._default() function",
    [PIOLA_ERROR_RANGE] = "a value is outside the range that piola.h documents for it",
    [PIOLA_ERROR_NOT_FINITE] = "a value is NaN or infinite",
    [PIOLA_ERROR_TOO_LARGE] = "the counts ask for more than can be addressed: lower them",
    [PIOLA_ERROR_ALIGNMENT] = "a memory block must start at a multiple of PIOLA_ALIGNMENT bytes",
    [PIOLA_ERROR_MEMORY] = "a memory block is smaller than its size function asked for",
    [PIOLA_ERROR_STALE] = "the handle's body was destroyed or never existed",
    [PIOLA_ERROR_ISA] = "not in this build or not on this processor: try PIOLA_ISA_AUTO",
    [PIOLA_ERROR_ARITHMETIC] =
        "arithmetic differs from what every build must compute: build Piola without fast-math",
    [PIOLA_ERROR_BODIES_FULL] = "no room for another body: raise piola_world_desc.max_bodies",
    [PIOLA_ERROR_PARTICLES_FULL] =
        "no run of free particles is long enough: raise piola_world_desc.max_particles",
    [PIOLA_ERROR_PACKS_FULL] =
        "no room for packs: raise piola_world_desc.max_plastic_packs, max_packs or max_link_packs",
    [PIOLA_ERROR_ASSETS_FULL] = "no room for another asset: raise piola_world_desc.max_assets",
    [PIOLA_ERROR_ATTACHMENTS_FULL] =
        "no room for another attachment: raise piola_world_desc.max_attachments",
    [PIOLA_ERROR_CONTACTS_FULL] =
        "no room for the body's surface: raise piola_world_desc.max_contact_faces",
    [PIOLA_ERROR_COLLIDERS_FULL] =
        "no room for another collider: raise piola_world_desc.max_colliders",
    [PIOLA_ERROR_RIGIDS_FULL] = "no room for another rigid body: raise piola_world_desc.max_rigids",
    [PIOLA_ERROR_SHAPES_FULL] = "no room for another shape: raise piola_world_desc.max_shapes",
    [PIOLA_ERROR_WIND_FULL] =
        "no room for so many nodes of wind: raise piola_world_desc.max_wind_nodes",
    [PIOLA_ERROR_COMMANDS_FULL] =
        "the command queue is full: raise piola_world_desc.max_commands or push less per step",
    [PIOLA_ERROR_FAMILY] =
        "the asset lacks what the world's solver or report needs: add piola_mesh_desc.families",
    [PIOLA_ERROR_COLOURS] =
        "too many clusters meet at one vertex: raise piola_mesh_desc.cluster_size",
    [PIOLA_ERROR_ASSET_IN_USE] = "bodies still use the asset: destroy them first",
    [PIOLA_ERROR_SHAPE_IN_USE] = "colliders still use the shape: destroy them first",
    [PIOLA_ERROR_RECORDING] = "not possible while inputs are recorded: call piola_record_end first",
    [PIOLA_ERROR_THREADS] = "the platform could not start that many threads: ask for fewer",
    [PIOLA_ERROR_MESH_EMPTY] = "the mesh has no vertices or no elements",
    [PIOLA_ERROR_MESH_INDEX] = "the element names a vertex that does not exist",
    [PIOLA_ERROR_MESH_REPEATED] = "the element names one vertex twice",
    [PIOLA_ERROR_MESH_DEGENERATE] = "the element has (nearly) no volume or area at rest",
    [PIOLA_ERROR_MESH_INVERTED] =
        "the tetrahedron has negative volume at rest: swap two of its vertices",
    [PIOLA_ERROR_MESH_DUPLICATE] = "another element has the same vertices",
    [PIOLA_ERROR_MESH_ISOLATED] = "the vertex belongs to no element: remove it",
    [PIOLA_ERROR_MESH_MATERIAL] = "the element names a material that does not exist",
    [PIOLA_ERROR_MESH_FRAME] = "the fibre directions are zero, parallel or not finite",
    [PIOLA_ERROR_MESH_OPEN] =
        "pressure and solids need triangles that leave no edge open and all face outwards",
    [PIOLA_ERROR_MATERIAL] = "the material constant is outside its documented range",
    [PIOLA_ERROR_DETAIL_FAR] =
        "no triangle of the surface has a normal that leads to this vertex: it is too far away",
    [PIOLA_ERROR_BLOB_TRUNCATED] = "the stored asset is cut short",
    [PIOLA_ERROR_BLOB_MAGIC] = "this is not a compiled asset",
    [PIOLA_ERROR_BLOB_VERSION] =
        "the asset was compiled by another version of the engine: compile the mesh again",
    [PIOLA_ERROR_BLOB_CHECKSUM] = "the stored asset was damaged: its checksum does not match",
    [PIOLA_ERROR_BLOB_CORRUPT] = "the stored asset's content is impossible: compile the mesh again",
    [PIOLA_ERROR_SNAPSHOT_FORMAT] = "this is not a snapshot of this version of the engine",
    [PIOLA_ERROR_SNAPSHOT_WORLD] =
        "the snapshot belongs to a world with other limits, settings or assets",
    [PIOLA_ERROR_RECORD_FULL] =
        "the record's memory is used up: give piola_record_begin a larger block",
    [PIOLA_ERROR_RECORD_FORMAT] = "this is not a whole record of this version of the engine",
};

const char *piola_status_text(piola_status status)
{
    const unsigned index = (unsigned)status;
    if (index >= PIOLA_STATUS_COUNT || !texts[index])
        return "unknown status";
    return texts[index];
}

#define TEXT(number)                     #number
#define VERSION_TEXT(major, minor, rest) TEXT(major) "." TEXT(minor) "." TEXT(rest)

const char *piola_version(void)
{
    return VERSION_TEXT(PIOLA_VERSION_MAJOR, PIOLA_VERSION_MINOR, PIOLA_VERSION_PATCH);
}

/* A growing text of which only the first bytes - 1 characters are kept. */
struct writer {
    char *text;
    size_t bytes;
    size_t length;
};

static void put(struct writer *w, const char *s)
{
    for (; *s; ++s, ++w->length)
        if (w->length + 1 < w->bytes)
            w->text[w->length] = *s;
}

static void put_number(struct writer *w, uint64_t n)
{
    char digits[21];
    size_t at = sizeof digits - 1;
    digits[at] = 0;
    do
        digits[--at] = (char)('0' + n % 10);
    while ((n /= 10) != 0);
    put(w, digits + at);
}

size_t piola_error_format(const piola_error *error, char *text, size_t bytes)
{
    struct writer w = {text, text ? bytes : 0, 0};
    if (error) {
        if (error->field)
            put(&w, error->field);
        if (error->has_item) {
            put(&w, "[");
            put_number(&w, error->item);
            put(&w, "]");
        }
        if (error->field || error->has_item)
            put(&w, ": ");
        put(&w, piola_status_text(error->status));
    }
    if (w.bytes)
        w.text[w.length < w.bytes ? w.length : w.bytes - 1] = 0;
    return w.length;
}
