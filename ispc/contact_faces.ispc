// contact_faces.ispc - which faces may meet in a substep: stars, boxes, and planes between faces.
//
// Lives here: tests that never leave out faces that meet, 16 at a time. What becomes of those that may:
// contact_pairs.ispc.
//
// Stars: the faces around a corner cannot cross each other while, seen along some direction, all keep turning the
// same way and go round once: then the star is a graph over the plane. A star that is not closed is closed by a
// direction that none of its faces reaches.
#include "near.isph"
#include "sweep.isph"

// Rounding of what is computed from coordinates relative to a nearby point.
#define ROUNDED 1e-6f

struct straight {
    struct vec3 from, gone;
};

static inline struct straight load_straight(const uniform struct pk_contact *uniform c, const uniform pk_u32 index[])
{
    const struct point s = load_points(c->start, index), t = load_points(c->to, index);
    struct straight w;
    w.from = vector(s.x, s.y, s.z);
    w.gone = edge(t, s);
    if (c->share != NULL) {
#pragma ignore warning(perf)
        const float share = c->share[index[programIndex]];
        const struct point b = load_points(c->base, index);
        w.gone = share * edge(t, b) + edge(b, s);
    }
    return w;
}

// Neighbours in turn, seen along a direction; how far each may be from there.
struct fan {
    float x[PK_RING + 1], y[PK_RING + 1], reach[PK_RING + 1];
};

// True when the fan, closed, turns one way and goes round once, wherever its points are within their reach.
static inline bool turns_once(struct fan &f, int corners, uniform int most)
{
    bool safe = true;
    int turns = 0;
    for (uniform int j = 0; j <= most; j++) {
        const bool ends = j + 1 >= corners;
        const float ax = f.x[j], ay = f.y[j], ar = f.reach[j];
        float bx = f.x[0], by = f.y[0], br = f.reach[0];
        if (j < most) {
            bx = ends ? bx : f.x[j + 1];
            by = ends ? by : f.y[j + 1];
            br = ends ? br : f.reach[j + 1];
        }
        const float as = sqrt(ax * ax + ay * ay), bs = sqrt(bx * bx + by * by);
        const float turn = ax * by - ay * bx, doubt = as * br + bs * ar + ar * br + ROUNDED * as * bs;
        const bool counts = j < corners;
        safe = safe && (!counts || turn > doubt);
        turns += counts && ay < 0 && by >= 0 ? 1 : 0;
    }
    return safe && turns == 1;
}

// Two directions across a normal of any length, 0 where it has none.
static inline void across(struct vec3 normal, struct vec3 &t1, struct vec3 &t2)
{
    const float size = sqrt(inner(normal, normal));
    const struct vec3 n = (size > 0 ? 1 / size : 0.0f) * normal;
    const bool x = abs(n.x) <= abs(n.y) && abs(n.x) <= abs(n.z);
    const bool y = !x && abs(n.y) <= abs(n.z);
    const struct vec3 t = cross(n, vector(x ? 1.0f : 0.0f, y ? 1.0f : 0.0f, x || y ? 0.0f : 1.0f));
    const float span = sqrt(inner(t, t));
    t1 = (span > 0 ? 1 / span : 0.0f) * t;
    t2 = cross(n, t1);
}

// What lanes of a pack are safe.
static inline bool star_safe(const uniform struct pk_contact *uniform contact,
                             const uniform struct pk_ring_pack &pack, uniform int lane)
{
    const pk_u32 others = pack.count[lane + programIndex];
    const bool closed = pack.closed[lane + programIndex] != 0;
    const uniform int most = reduce_max((int)others);
    const struct straight v = load_straight(contact, &pack.centre[lane]);
    // Where each is halfway, from the centre.
    struct vec3 e[PK_RING], normal = {0, 0, 0}, t1, t2;
    struct fan seen;
    for (uniform int j = 0; j < most; j++) {
        const struct straight u = load_straight(contact, &pack.ring[j][lane]);
        const struct vec3 d = u.gone - v.gone;
        e[j] = (u.from - v.from) + 0.5f * d;
        seen.reach[j] = 0.5f * sqrt(inner(d, d)) + ROUNDED * (abs(e[j].x) + abs(e[j].y) + abs(e[j].z));
        if (j > 0)
            normal = choose(j < others, normal + cross(e[j - 1], e[j]), normal);
    }
    across(normal, t1, t2);
    float sum_x = 0, sum_y = 0;
    for (uniform int j = 0; j < most; j++) {
        seen.x[j] = inner(t1, e[j]);
        seen.y[j] = inner(t2, e[j]);
        sum_x += j < others ? seen.x[j] : 0.0f;
        sum_y += j < others ? seen.y[j] : 0.0f;
    }
    // The direction that closes an open one.
    for (uniform int j = 0; j <= most; j++) {
        const bool last = j >= others;
        seen.x[j] = last ? -sum_x : seen.x[j];
        seen.y[j] = last ? -sum_y : seen.y[j];
        seen.reach[j] = last ? 0.0f : seen.reach[j];
    }
    return turns_once(seen, closed ? (int)others : (int)others + 1, most) && others > 1;
}

PK_EXPORT uniform pk_u32 PK(pk_contact_stars)(const uniform struct pk_contact *uniform contact,
                                              const uniform struct pk_ring_pack packs[], uniform pk_u32 count,
                                              uniform pk_u32 star[], uniform pk_u32 proof)
{
    uniform pk_u32 lost = 0;
    for (uniform pk_u32 p = 0; p < count; p++)
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const bool safe = star_safe(contact, packs[p], lane);
            const pk_u32 centre = packs[p].centre[lane + programIndex];
            const bool known = packs[p].count[lane + programIndex] > 0;
#pragma ignore warning(perf)
            const pk_u32 before = star[centre];
            const bool falls = known && before == PK_STAR_SAFE && !safe;
            pk_u32 now = falls ? PK_STAR_LOST : before;
            if (proof == 0)
                now = safe ? PK_STAR_SAFE : PK_STAR_OPEN;
            else
                lost += popcnt((uniform int)packmask(falls));
            if (known) {
#pragma ignore warning(perf)
                star[centre] = now;
            }
        }
    return lost;
}

static inline void store_range(uniform float low[], uniform float high[], int at, float a, float b, bool used)
{
    low[at] = used ? a : 1e30f;
    high[at] = used ? b : -1e30f;
}

static inline pk_u32 star_of(const uniform struct pk_contact *uniform contact, pk_u32 particle)
{
#pragma ignore warning(perf)
    return contact->star[particle] == PK_STAR_SAFE ? particle : PK_NO_STAR;
}

PK_EXPORT void PK(pk_contact_boxes)(const uniform struct pk_contact *uniform contact,
                                    const uniform struct pk_face_pack packs[], uniform pk_u32 count,
                                    uniform struct pk_face_boxes boxes[], uniform struct pk_swept_box around[])
{
    const uniform float half = 0.5001f * contact->thickness;
    for (uniform pk_u32 p = 0; p < count; p++) {
        uniform struct pk_face_boxes *uniform box = &boxes[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int at = lane + programIndex;
            const bool used = at < (int)packs[p].lanes;
            const struct way a = load_way(contact, &packs[p].corner[0][lane]);
            const struct way b = load_way(contact, &packs[p].corner[1][lane]);
            const struct way c = load_way(contact, &packs[p].corner[2][lane]);
#define AXIS(k, N)                                                                                             \
    {                                                                                                          \
        const struct extents e = both(both(extents_of(a, N, 1), extents_of(b, N, 1)), extents_of(c, N, 1));     \
        store_range(box->box.low[0][k], box->box.high[0][k], at, e.low0 - half, e.high0 + half, used);                 \
        store_range(box->box.low[1][k], box->box.high[1][k], at, e.low1 - half, e.high1 + half, used);                 \
    }
            AXIS(0, vector(1, 0, 0))
            AXIS(1, vector(0, 1, 0))
            AXIS(2, vector(0, 0, 1))
#undef AXIS
            for (uniform int k = 0; k < 3; k++)
                box->star[k][at] = star_of(contact, packs[p].corner[k][at]);
        }
        for (uniform int side = 0; side < 2; side++)
            for (uniform int k = 0; k < 3; k++) {
                float low = 1e30f, high = -1e30f;
                for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
                    low = smaller(low, box->box.low[side][k][lane + programIndex]);
                    high = larger(high, box->box.high[side][k][lane + programIndex]);
                }
                around[p].low[side][k] = reduce_min(low);
                around[p].high[side][k] = reduce_max(high);
            }
    }
}

// Extents of programCount boxes along an axis, when they begin and end.
struct ranges {
    float low0, low1, high0, high1;
};

static inline struct ranges ranges_of(const uniform struct pk_box_pack *uniform boxes, int at, uniform int k)
{
    struct ranges r = {boxes->low[0][k][at], boxes->low[1][k][at], boxes->high[0][k][at], boxes->high[1][k][at]};
    return r;
}

// How far they are from one box, when they begin and end, on the same side; below 0 if not.
static inline float apart_on(struct ranges r, uniform float low0, uniform float low1, uniform float high0,
                             uniform float high1)
{
    return larger(smaller(r.low0 - high0, r.low1 - high1), smaller(low0 - r.high0, low1 - r.high1));
}

static inline float apart_from_box(const uniform struct pk_box_pack *uniform a, int at,
                                   const uniform struct pk_swept_box *uniform b, uniform int k)
{
    return apart_on(ranges_of(a, at, k), b->low[0][k], b->low[1][k], b->high[0][k], b->high[1][k]);
}

// Lanes that are not more than the margin away from a box.
static inline uniform pk_u32 reach(const uniform struct pk_box_pack *uniform a,
                                   const uniform struct pk_swept_box *uniform b, uniform float margin)
{
    uniform pk_u32 near = 0;
    for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
        const int at = lane + programIndex;
        const float apart =
            larger(larger(apart_from_box(a, at, b, 0), apart_from_box(a, at, b, 1)), apart_from_box(a, at, b, 2));
        near |= (uniform pk_u32)packmask(!(apart > margin)) << lane;
    }
    return near;
}

PK_EXPORT uniform pk_u32 PK(pk_contact_reach)(const uniform struct pk_box_pack *uniform boxes,
                                              const uniform struct pk_swept_box *uniform box, uniform float margin)
{
    return reach(boxes, box, margin);
}

// True where one of a's rows is apart from lanes along an axis, when they begin and end, on the same side.
static inline bool apart_from_row(struct ranges r, const uniform struct pk_box_pack *uniform a, uniform int k,
                                  uniform int row)
{
    return (r.low0 > a->high[0][k][row] & r.low1 > a->high[1][k][row]) |
           (r.high0 < a->low[0][k][row] & r.high1 < a->low[1][k][row]);
}

static inline struct ranges wider(struct ranges r, uniform float margin)
{
    struct ranges w = {r.low0 - margin, r.low1 - margin, r.high0 + margin, r.high1 + margin};
    return w;
}

// For each of some rows of a the lanes of b, of some, that are not more than the margin away and share no star.
static inline void match(const uniform struct pk_face_boxes *uniform a, uniform pk_u32 rows,
                         const uniform struct pk_face_boxes *uniform b, uniform pk_u32 lanes, uniform float margin,
                         uniform pk_u32 masks[])
{
    for (uniform int row = 0; row < PK_LANES; row++)
        masks[row] = 0;
    for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
        const int at = lane + programIndex;
        const struct ranges x = wider(ranges_of(&b->box, at, 0), margin);
        const struct ranges y = wider(ranges_of(&b->box, at, 1), margin);
        const struct ranges z = wider(ranges_of(&b->box, at, 2), margin);
        const pk_u32 s0 = b->star[0][at], s1 = b->star[1][at], s2 = b->star[2][at];
        for (uniform pk_u32 left = rows; left != 0; left &= left - 1) {
            const uniform int row = count_trailing_zeros((uniform int)left);
            const bool apart = apart_from_row(x, &a->box, 0, row) | apart_from_row(y, &a->box, 1, row) |
                               apart_from_row(z, &a->box, 2, row);
            uniform pk_u32 meet = (uniform pk_u32)packmask(!apart) & lanes >> lane;
            if (meet == 0)
                continue;
            bool same = false;
            for (uniform int k = 0; k < 3; k++) {
                const uniform pk_u32 own = a->star[k][row];
                const uniform pk_u32 other = own ^ (own == PK_NO_STAR ? 1 : 0);
                same = same | (s0 == other) | (s1 == other) | (s2 == other);
            }
            meet &= ~(uniform pk_u32)packmask(same);
            masks[row] |= meet << lane;
        }
    }
}

PK_EXPORT uniform pk_u32 PK(pk_contact_overlaps)(const uniform struct pk_face_boxes *uniform a, uniform pk_u32 rows,
                                                 const uniform struct pk_swept_box *uniform around_a,
                                                 const uniform struct pk_face_boxes *uniform b,
                                                 const uniform struct pk_swept_box *uniform around_b,
                                                 uniform float margin, uniform pk_u32 masks[])
{
    uniform pk_u32 any_mask = 0, turned[PK_LANES];
    rows &= reach(&a->box, around_b, margin);
    uniform pk_u32 lanes = rows != 0 ? reach(&b->box, around_a, margin) : 0;
    if (lanes == 0)
        return 0;
    // Whose are fewer take turns.
    if (popcnt((uniform int)lanes) >= popcnt((uniform int)rows)) {
        match(a, rows, b, lanes, margin, masks);
        for (uniform pk_u32 left = rows; left != 0; left &= left - 1) {
            const uniform int row = count_trailing_zeros((uniform int)left);
            any_mask |= masks[row] != 0 ? (uniform pk_u32)1 << row : 0;
        }
        return any_mask;
    }
    match(b, lanes, a, rows, margin, turned);
    for (uniform int row = 0; row < PK_LANES; row++)
        masks[row] = 0;
    for (uniform pk_u32 left = lanes; left != 0; left &= left - 1) {
        const uniform int lane = count_trailing_zeros((uniform int)left);
        any_mask |= turned[lane];
        for (uniform pk_u32 meet = turned[lane]; meet != 0; meet &= meet - 1)
            masks[count_trailing_zeros((uniform int)meet)] |= (uniform pk_u32)1 << lane;
    }
    return any_mask;
}

static inline bool apart_along(struct vec3 n, struct way a, struct way b, struct way c, struct way d, struct way e,
                               struct way f, float least, float rounded)
{
    const float size = sqrt(inner(n, n));
    const struct extents one = both(both(extents_of(a, n, size), extents_of(b, n, size)), extents_of(c, n, size));
    const struct extents two = both(both(extents_of(d, n, size), extents_of(e, n, size)), extents_of(f, n, size));
    return parted(one, two, size * (least + rounded));
}

PK_EXPORT uniform pk_u32 PK(pk_contact_apart)(const uniform struct pk_contact *uniform contact,
                                              const uniform struct pk_face_pairs *uniform pairs,
                                              uniform pk_u32 edges)
{
    uniform pk_u32 mask = 0;
    for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
        struct way a = load_way(contact, &pairs->corner[0][lane]), b = load_way(contact, &pairs->corner[1][lane]);
        struct way c = load_way(contact, &pairs->corner[2][lane]), d = load_way(contact, &pairs->corner[3][lane]);
        struct way e = load_way(contact, &pairs->corner[4][lane]), f = load_way(contact, &pairs->corner[5][lane]);
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
#define TRY(N) parted = parted || apart_along(N, a, b, c, d, e, f, least, rounded)
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
