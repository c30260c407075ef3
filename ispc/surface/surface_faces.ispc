// surface_faces.ispc - which faces may meet in a substep: stars, boxes, and planes between faces.
//
// Lives here: tests that never leave out faces that meet, 16 at a time. What becomes of those that may:
// surface_pairs.ispc.
#include "base/closest_points.isph"
#include "surface/stars.isph"

PK_EXPORT uniform pk_u32 PK(pk_surface_stars)(const uniform struct pk_contact *uniform contact,
                                              const uniform struct pk_ring_pack packs[], uniform pk_u32 count,
                                              uniform pk_u32 star[], uniform pk_u32 proof)
{
    uniform struct waiting leaning;
    uniform pk_u32 lost = 0;
    leaning.count = 0;
    if (proof != 0)
        lost = judge_doubtful(contact, packs, count, leaning, star);
    for (uniform pk_u32 p = 0; p < count && proof == 0; p++)
        (void)judge(contact, packs[p], leaning, star, 0);
    return leaning.count > 0 ? lost + judge_upright(contact, leaning, star, proof) : lost;
}

// 1 where the star of a corner is vouched for.
static inline pk_u32 star_of(const uniform struct pk_contact *uniform contact, pk_u32 particle)
{
#pragma ignore warning(perf)
    return contact->star[particle] == PK_STAR_SAFE ? 1 : 0;
}

// The boxes of programCount faces along an axis, as somebody sees them who goes along with the body: wherever they are
// when the substep begins and, less the body's way, when it ends; and all that is rounded, here and in what is
// compared.
static inline void box_along(uniform struct pk_box_pack *uniform box, uniform int k, int at, struct extents e,
                             uniform float drift, uniform float half, bool used)
{
    const float low = smaller(e.low0, e.low1 - drift), high = larger(e.high0, e.high1 - drift);
    const float pad = half + 0.5f * ROUNDED * (abs(low) + abs(high) + abs(drift));
    box->low[k][at] = used ? low - pad : 1e30f;
    box->high[k][at] = used ? high + pad : -1e30f;
}

// Half of the thickness and what is rounded of places, slack and box: boxes that do not touch prove more than the
// thickness, however far from the origin.
static inline void boxes_of(const uniform struct pk_contact *uniform contact, const uniform struct pk_face_pack packs[],
                            uniform pk_u32 count, uniform struct pk_face_boxes boxes[],
                            uniform struct pk_swept_box around[], uniform int search)
{
    const uniform float half = 0.5001f * contact->thickness;
    for (uniform pk_u32 p = 0; p < count; p++) {
        uniform struct pk_face_boxes *uniform box = &boxes[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int at = lane + programIndex;
            const bool used = at < (int)packs[p].lanes;
            const struct way a = load_way(contact, &packs[p].corner[0][lane], search);
            const struct way b = load_way(contact, &packs[p].corner[1][lane], search);
            const struct way c = load_way(contact, &packs[p].corner[2][lane], search);
#define AXIS(k, N)                                                                                             \
    box_along(&box->box, k, at,                                                                                \
              both(both(extents_of(a, N, 1, search), extents_of(b, N, 1, search)), extents_of(c, N, 1, search)), \
              contact->drift[k], half, used);
            AXIS(0, vector(1, 0, 0))
            AXIS(1, vector(0, 1, 0))
            AXIS(2, vector(0, 0, 1))
#undef AXIS
            box->safe[at] = star_of(contact, packs[p].corner[0][at]) | star_of(contact, packs[p].corner[1][at]) << 1 |
                            star_of(contact, packs[p].corner[2][at]) << 2;
        }
        for (uniform int k = 0; k < 3; k++) {
            float low = 1e30f, high = -1e30f;
            for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
                low = smaller(low, box->box.low[k][lane + programIndex]);
                high = larger(high, box->box.high[k][lane + programIndex]);
            }
            around[p].low[k] = reduce_min(low);
            around[p].high[k] = reduce_max(high);
        }
    }
}

PK_EXPORT void PK(pk_surface_boxes)(const uniform struct pk_contact *uniform contact,
                                    const uniform struct pk_face_pack packs[], uniform pk_u32 count,
                                    uniform struct pk_face_boxes boxes[], uniform struct pk_swept_box around[])
{
    const uniform int search = search_of(contact);
    if (search == NONE_STRAYED)
        boxes_of(contact, packs, count, boxes, around, NONE_STRAYED);
    else
        boxes_of(contact, packs, count, boxes, around, CARRIED);
}

// Lanes that, so much wider, overlap one box.
static inline uniform pk_u32 reach(const uniform struct pk_box_pack *uniform a,
                                   const uniform struct pk_swept_box *uniform b, const uniform float wider_low[],
                                   const uniform float wider_high[])
{
    uniform pk_u32 near = 0;
    uniform float low[3], high[3];
    for (uniform int k = 0; k < 3; k++) {
        low[k] = b->low[k] - wider_high[k];
        high[k] = b->high[k] + wider_low[k];
    }
    for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
        const int at = lane + programIndex;
        const bool apart = (a->low[0][at] > high[0]) | (a->high[0][at] < low[0]) | (a->low[1][at] > high[1]) |
                           (a->high[1][at] < low[1]) | (a->low[2][at] > high[2]) | (a->high[2][at] < low[2]);
        near |= (uniform pk_u32)packmask(!apart) << lane;
    }
    return near;
}

PK_EXPORT uniform pk_u32 PK(pk_surface_reach)(const uniform struct pk_box_pack *uniform boxes,
                                              const uniform struct pk_swept_box *uniform box,
                                              const uniform struct pk_widen *uniform widen)
{
    return reach(boxes, box, widen->low, widen->high);
}

// Lanes that share a corner with a row, and in `safe` those whose common corner is vouched for.
static inline uniform pk_u32 sharing(const uniform struct pk_face_boxes *uniform a,
                                     const uniform struct pk_face_pack *uniform faces_a, uniform int row, pk_u32 c0,
                                     pk_u32 c1, pk_u32 c2, uniform pk_u32 &safe)
{
    uniform pk_u32 shares = 0;
    safe = 0;
    for (uniform int k = 0; k < 3; k++) {
        const uniform pk_u32 corner = faces_a->corner[k][row];
        const uniform pk_u32 with = (uniform pk_u32)packmask((c0 == corner) | (c1 == corner) | (c2 == corner));
        shares |= with;
        safe |= (a->safe[row] >> k & 1) != 0 ? with : 0;
    }
    return shares;
}

// For each of some rows of a the lanes of b, of some, that overlap it when so much wider, and share no star.
static inline void match(const uniform struct pk_face_boxes *uniform a, uniform pk_u32 rows,
                         const uniform struct pk_face_boxes *uniform b, uniform pk_u32 lanes,
                         const uniform float wider_low[], const uniform float wider_high[],
                         const uniform struct pk_face_pack *uniform faces_a,
                         const uniform struct pk_face_pack *uniform faces_b, uniform pk_u32 masks[],
                         uniform pk_u32 common[])
{
    for (uniform int row = 0; row < PK_LANES; row++)
        masks[row] = common[row] = 0;
    for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
        const int at = lane + programIndex;
        const float lx = b->box.low[0][at] - wider_low[0], hx = b->box.high[0][at] + wider_high[0];
        const float ly = b->box.low[1][at] - wider_low[1], hy = b->box.high[1][at] + wider_high[1];
        const float lz = b->box.low[2][at] - wider_low[2], hz = b->box.high[2][at] + wider_high[2];
        pk_u32 c0 = 0, c1 = 0, c2 = 0;
        if (faces_b != NULL) {
            c0 = faces_b->corner[0][at];
            c1 = faces_b->corner[1][at];
            c2 = faces_b->corner[2][at];
        }
        for (uniform pk_u32 left = rows; left != 0; left &= left - 1) {
            const uniform int row = count_trailing_zeros((uniform int)left);
            const bool apart = (lx > a->box.high[0][row]) | (hx < a->box.low[0][row]) |
                               (ly > a->box.high[1][row]) | (hy < a->box.low[1][row]) |
                               (lz > a->box.high[2][row]) | (hz < a->box.low[2][row]);
            uniform pk_u32 meet = (uniform pk_u32)packmask(!apart) & lanes >> lane;
            if (meet == 0)
                continue;
            if (faces_b != NULL) {
                uniform pk_u32 safe;
                const uniform pk_u32 shares = sharing(a, faces_a, row, c0, c1, c2, safe);
                meet &= ~safe;
                common[row] |= (shares & meet) << lane;
            }
            masks[row] |= meet << lane;
        }
    }
}

PK_EXPORT uniform pk_u32 PK(pk_surface_overlaps)(const uniform struct pk_overlap_job *uniform given)
{
    const uniform struct pk_overlap_job job = *given;
    const uniform struct pk_face_boxes *uniform a = job.a, *uniform b = job.b;
    const uniform float *uniform low = job.widen_b->low, *uniform high = job.widen_b->high;
    uniform pk_u32 *uniform masks = job.masks, *uniform common = job.common, rows = job.rows;
    uniform pk_u32 any_mask = 0, turned[PK_LANES], turned_common[PK_LANES];
    rows &= reach(&a->box, job.around_b, high, low);
    uniform pk_u32 lanes = rows != 0 ? reach(&b->box, job.around_a, low, high) : 0;
    if (lanes == 0)
        return 0;
    // Whose are fewer take turns.
    if (popcnt((uniform int)lanes) >= popcnt((uniform int)rows)) {
        match(a, rows, b, lanes, low, high, job.faces_a, job.faces_b, masks, common);
        for (uniform pk_u32 left = rows; left != 0; left &= left - 1) {
            const uniform int row = count_trailing_zeros((uniform int)left);
            any_mask |= masks[row] != 0 ? (uniform pk_u32)1 << row : 0;
        }
        return any_mask;
    }
    match(b, lanes, a, rows, high, low, job.faces_b, job.faces_a, turned, turned_common);
    for (uniform int row = 0; row < PK_LANES; row++)
        masks[row] = common[row] = 0;
    for (uniform pk_u32 left = lanes; left != 0; left &= left - 1) {
        const uniform int lane = count_trailing_zeros((uniform int)left);
        any_mask |= turned[lane];
        for (uniform pk_u32 meet = turned[lane]; meet != 0; meet &= meet - 1) {
            const uniform int row = count_trailing_zeros((uniform int)meet);
            masks[row] |= (uniform pk_u32)1 << lane;
            common[row] |= (turned_common[lane] >> row & 1) << lane;
        }
    }
    return any_mask;
}

static inline bool apart_along(struct vec3 n, struct way a, struct way b, struct way c, struct way d, struct way e,
                               struct way f, float least, float rounded, uniform int search)
{
    const float size = sqrt(inner(n, n));
    const struct extents one =
        both(both(extents_of(a, n, size, search), extents_of(b, n, size, search)), extents_of(c, n, size, search));
    const struct extents two =
        both(both(extents_of(d, n, size, search), extents_of(e, n, size, search)), extents_of(f, n, size, search));
    // A direction so short that its square is rounded to nothing would count no slack.
    return size > 1e-15f && parted(one, two, size * (least + rounded));
}

static inline uniform pk_u32 apart(const uniform struct pk_contact *uniform contact,
                                   const uniform struct pk_face_pairs *uniform pairs, uniform pk_u32 edges,
                                   uniform int search)
{
    uniform pk_u32 mask = 0;
    for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
        struct way a = load_way(contact, &pairs->corner[0][lane], search), b = load_way(contact, &pairs->corner[1][lane], search);
        struct way c = load_way(contact, &pairs->corner[2][lane], search), d = load_way(contact, &pairs->corner[3][lane], search);
        struct way e = load_way(contact, &pairs->corner[4][lane], search), f = load_way(contact, &pairs->corner[5][lane], search);
        const struct vec3 origin = a.from;
        a = way_from(a, origin);
        b = way_from(b, origin);
        c = way_from(c, origin);
        d = way_from(d, origin);
        e = way_from(e, origin);
        f = way_from(f, origin);
        const float rounded = ROUNDED * (larger(larger(size_of_way(a), size_of_way(b)), size_of_way(c)) +
                                         larger(larger(size_of_way(d), size_of_way(e)), size_of_way(f)));
        const uniform float least = contact->thickness + contact->margin;
        const struct vec3 ab = b.from - a.from, bc = c.from - b.from, ca = a.from - c.from;
        const struct vec3 de = e.from - d.from, ef = f.from - e.from, fd = d.from - f.from;
        const struct vec3 n = cross(ab, bc), m = cross(de, ef);
#define TRY(N) parted = parted || apart_along(N, a, b, c, d, e, f, least, rounded, search)
        bool parted = false;
        if (edges == 0) {
            TRY(n);
            TRY(m);
            TRY((d.from + e.from + f.from) - (a.from + b.from + c.from));
        } else {
            TRY(cross(ab, n));
            TRY(cross(bc, n));
            TRY(cross(ca, n));
            TRY(cross(de, m));
            TRY(cross(ef, m));
            TRY(cross(fd, m));
        }
#undef TRY
        mask |= (uniform pk_u32)packmask(parted) << lane;
    }
    return mask;
}

PK_EXPORT uniform pk_u32 PK(pk_surface_apart)(const uniform struct pk_contact *uniform contact,
                                              const uniform struct pk_face_pairs *uniform pairs,
                                              uniform pk_u32 edges)
{
    const uniform int search = search_of(contact);
    if (search == NONE_STRAYED)
        return apart(contact, pairs, edges, NONE_STRAYED);
    if (search == STRAYED)
        return apart(contact, pairs, edges, STRAYED);
    return apart(contact, pairs, edges, CARRIED);
}
