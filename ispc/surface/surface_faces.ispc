// surface_faces.ispc - which faces may meet in a substep: stars, boxes, and planes between faces.
//
// Lives here: tests that never leave out faces that meet, 16 at a time. What becomes of those that may:
// surface_pairs.ispc.
//
// Stars: the faces around a corner cannot cross each other while, seen along some direction, all keep turning the
// same way and go round once: then the star is a graph over the plane. A star that is not closed is closed by a
// direction that none of its faces reaches.
#include "base/closest_points.isph"
#include "surface/sweep.isph"

// Rounding of what is computed from coordinates relative to a nearby point.
#define ROUNDED 1e-6f

struct straight {
    struct vec3 from, gone;
};

static inline struct straight load_straight(const uniform struct pk_contact *uniform c, const uniform pk_u32 index[])
{
    const struct point s = load_points(c->start, index), t = load_points(c->to, index);
    struct straight w;
    struct point base = s;
    float share = 1;
    if (c->share != NULL) {
#pragma ignore warning(perf)
        share = c->share[index[programIndex]];
        if (c->base != c->start)
            base = load_points(c->base, index);
    }
    w.from = vector(s.x, s.y, s.z);
    w.gone = end_of(base, t, share) - w.from;
    return w;
}

// Neighbours in turn, seen along a direction; how far each may be from there.
struct fan {
    float x[PK_RING + 1], y[PK_RING + 1], reach[PK_RING + 1];
};

// True when the fan, closed, turns one way and goes round once, wherever its points are within their reach; and how
// much wider their reach could be. With r more, doubt grows by r (as + ar + bs + br) + r^2, and r is well below the
// bracket.
static inline bool turns_once(struct fan &f, int corners, uniform int most, float &room)
{
    bool safe = true;
    room = 1e30f;
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
        const float spans = 2.1f * ((as + ar) + (bs + br)), left = turn - doubt;
        const float wider = spans > 0 ? left / spans : 0.0f;
        room = counts ? smaller(room, wider) : room;
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

static inline float sum_of(struct vec3 v)
{
    return abs(v.x) + abs(v.y) + abs(v.z);
}

// Where a centre's neighbours are halfway, from the centre, and how far each may be from there.
struct rays {
    struct vec3 e[PK_RING];
    float reach[PK_RING];
    int others;
    bool closed;
};

static inline void load_star(const uniform struct pk_contact *uniform contact, const uniform struct pk_ring_pack &pack,
                             uniform int lane, uniform int most, struct rays &star)
{
    const struct straight v = load_straight(contact, &pack.centre[lane]);
    const uniform float drift = PK_STAR_DRIFT * contact->thickness;
    for (uniform int j = 0; j < most; j++) {
        const struct straight u = load_straight(contact, &pack.ring[j][lane]);
        const struct vec3 d = u.gone - v.gone;
        const struct vec3 e = (u.from - v.from) + 0.5f * d;
        // What is rounded of the ways; and when both are carried on and rounded anew: surface_drift.c.
        const float rounded = ROUNDED * (sum_of(e) + sum_of(u.gone) + sum_of(v.gone));
        const float anew = 2 * GRAIN * larger(largest(u.from) + largest(u.gone), largest(v.from) + largest(v.gone));
        star.e[j] = e;
        star.reach[j] = 0.5f * sqrt(inner(d, d)) + rounded + anew + drift;
    }
}

// Twice the area of a star's face, along its normal; 0 where there is none.
static inline struct vec3 area_of(const struct rays &star, uniform int j, uniform int most)
{
    const bool last = j + 1 >= star.others;
    struct vec3 next = star.e[0];
    if (j + 1 < most)
        next = choose(last, next, star.e[j + 1]);
    const bool is = j < star.others && (!last || star.closed);
    const struct vec3 none = {0, 0, 0};
    return choose(is, cross(star.e[j], next), none);
}

static inline struct vec3 unit(struct vec3 v)
{
    const float size = sqrt(inner(v, v));
    return (size > 0 ? 1 / size : 0.0f) * v;
}

// A direction from which no normal leans far: the mean, led towards the one that leans most a few times. (Of the
// Armadillo's 1,053 stars in their rest shape 42 do not turn once when seen along their whole area, and 5 along this.)
static inline struct vec3 upright(const struct rays &star, uniform int most)
{
    struct vec3 n[PK_RING], up = {0, 0, 0};
    for (uniform int j = 0; j < most; j++) {
        n[j] = unit(area_of(star, j, most));
        up = up + n[j];
    }
    up = unit(up);
    for (uniform int round = 1; round <= 4; round++) {
        struct vec3 worst = {0, 0, 0};
        float least = 2;
        for (uniform int j = 0; j < most; j++) {
            const float along = inner(n[j], up);
            const bool less = inner(n[j], n[j]) > 0 && along < least;
            least = less ? along : least;
            worst = choose(less, n[j], worst);
        }
        up = unit(up + (1.0f / round) * worst);
    }
    return up;
}

// True when the star, seen along a direction, turns one way and goes round once.
static inline bool turns_along(const struct rays &star, struct vec3 normal, uniform int most, float &room)
{
    struct vec3 t1, t2;
    struct fan seen;
    float sum_x = 0, sum_y = 0;
    across(normal, t1, t2);
    for (uniform int j = 0; j < most; j++) {
        seen.x[j] = inner(t1, star.e[j]);
        seen.y[j] = inner(t2, star.e[j]);
        seen.reach[j] = star.reach[j];
        sum_x += j < star.others ? seen.x[j] : 0.0f;
        sum_y += j < star.others ? seen.y[j] : 0.0f;
    }
    // The direction that closes an open one.
    for (uniform int j = 0; j <= most; j++) {
        const bool last = j >= star.others;
        seen.x[j] = last ? -sum_x : seen.x[j];
        seen.y[j] = last ? -sum_y : seen.y[j];
        seen.reach[j] = last ? 0.0f : seen.reach[j];
    }
    return turns_once(seen, star.closed ? star.others : star.others + 1, most, room) && star.others > 1;
}

// What lanes of a pack are safe, and how far astray their particles may go: as seen along their whole areas, or upright.
static inline bool star_safe(const uniform struct pk_contact *uniform contact,
                             const uniform struct pk_ring_pack &pack, uniform int lane, uniform bool is_upright,
                             float &room)
{
    struct rays star;
    struct vec3 along = {0, 0, 0};
    star.others = (int)pack.count[lane + programIndex];
    star.closed = pack.closed[lane + programIndex] != 0;
    const uniform int most = reduce_max(star.others);
    load_star(contact, pack, lane, most, star);
    if (is_upright)
        along = upright(star, most);
    for (uniform int j = 1; j < most && !is_upright; j++)
        along = choose(j < star.others, along + cross(star.e[j - 1], star.e[j]), along);
    return turns_along(star, along, most, room);
}

static inline void copy_star(uniform struct pk_ring_pack &to, uniform int at, const uniform struct pk_ring_pack &from,
                             uniform int lane)
{
    to.centre[at] = from.centre[lane];
    to.count[at] = from.count[lane];
    to.closed[at] = from.closed[lane];
    for (uniform int j = 0; j < PK_RING; j++)
        to.ring[j][at] = from.ring[j][lane];
}

// Stars that wait for a judgement that few need: packs are made of them.
struct waiting {
    struct pk_ring_pack pack;
    int count;
};

// What a search finds of a star, or a proof, which loses some of those that were vouched for. How many it lost.
static inline uniform pk_u32 decide(const uniform struct pk_contact *uniform contact, pk_u32 centre, bool known,
                                    bool safe, float room, uniform pk_u32 star[], uniform pk_u32 proof)
{
#pragma ignore warning(perf)
    const pk_u32 before = star[centre];
    const bool falls = known && before == PK_STAR_SAFE && !safe;
    pk_u32 now = falls ? PK_STAR_LOST : before;
    if (proof == 0)
        now = safe ? PK_STAR_SAFE : PK_STAR_OPEN;
    if (known) {
#pragma ignore warning(perf)
        star[centre] = now;
    }
    if (known && proof == 0) {
#pragma ignore warning(perf)
        contact->room[centre] = room;
    }
    return proof == 0 ? 0 : popcnt((uniform int)packmask(falls));
}

static inline uniform pk_u32 judge_upright(const uniform struct pk_contact *uniform contact,
                                           uniform struct waiting &leaning, uniform pk_u32 star[], uniform pk_u32 proof)
{
    uniform pk_u32 lost = 0;
    for (uniform int i = leaning.count; i < PK_LANES; i++) {
        copy_star(leaning.pack, i, leaning.pack, 0);
        leaning.pack.count[i] = 0;
    }
    for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
        float room;
        const bool safe = star_safe(contact, leaning.pack, lane, true, room);
        lost += decide(contact, leaning.pack.centre[lane + programIndex],
                       leaning.pack.count[lane + programIndex] > 0, safe, room, star, proof);
    }
    leaning.count = 0;
    return lost;
}

// Those that are not safe along their areas are looked at upright later: a few of each pack.
static inline uniform pk_u32 judge(const uniform struct pk_contact *uniform contact,
                                   const uniform struct pk_ring_pack &pack, uniform struct waiting &leaning,
                                   uniform pk_u32 star[], uniform pk_u32 proof)
{
    uniform pk_u32 lost = 0;
    for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
        float room;
        const bool safe = star_safe(contact, pack, lane, false, room);
        const pk_u32 count = pack.count[lane + programIndex];
        const bool leans = !safe && count > 1;
        lost += decide(contact, pack.centre[lane + programIndex], count > 0 && !leans, safe, room, star, proof);
        for (uniform int left = (uniform int)packmask(leans); left != 0; left &= left - 1) {
            copy_star(leaning.pack, leaning.count++, pack, lane + count_trailing_zeros(left));
            if (leaning.count == PK_LANES)
                lost += judge_upright(contact, leaning, star, proof);
        }
    }
    return lost;
}

// True where some of a star end elsewhere than when it was looked at last: else the answer would be the same.
static inline bool is_fresh(const uniform struct pk_contact *uniform contact, const uniform struct pk_ring_pack &pack,
                            uniform int lane, pk_u32 centre, uniform pk_u32 most)
{
    if (contact->fresh == NULL)
        return true;
#pragma ignore warning(perf)
    pk_u32 any_fresh = contact->fresh[centre];
    for (uniform pk_u32 j = 0; j < most; j++) // unused ones repeat the centre
#pragma ignore warning(perf)
        any_fresh |= contact->fresh[pack.ring[j][lane + programIndex]];
    return any_fresh != 0;
}

// True for a star that is vouched for, and whose particles are further astray than that allows: the way astray that all
// go is no matter. What is rounded is far below the millionth.
static inline bool in_doubt(const uniform struct pk_contact *uniform contact, const uniform struct pk_ring_pack &pack,
                            uniform int lane)
{
    const pk_u32 centre = pack.centre[lane + programIndex], others = pack.count[lane + programIndex];
    const uniform pk_u32 most = reduce_max(others);
#pragma ignore warning(perf)
    const bool vouched = contact->star[centre] == PK_STAR_SAFE && is_fresh(contact, pack, lane, centre, most);
    if (none(vouched))
        return false;
#pragma ignore warning(perf)
    const float room = contact->room[centre], far = contact->astray[centre].w;
    bool near = true;
    for (uniform pk_u32 j = 0; j < most; j++) {
#pragma ignore warning(perf)
        const float other = contact->astray[pack.ring[j][lane + programIndex]].w;
        near = near && (j >= others || far + other <= room);
    }
    bool doubt = vouched && !near;
    if (none(doubt))
        return false;
    const struct point own = load_points(contact->astray, &pack.centre[lane]);
    bool beside = true;
    for (uniform pk_u32 j = 0; j < most; j++) {
        const struct point other = load_points(contact->astray, &pack.ring[j][lane]);
        const struct vec3 d = edge(other, own);
        beside = beside && (j >= others || 1.00001f * sqrt(inner(d, d)) + ROUNDED * (other.w + own.w) <= room);
    }
    return doubt && !beside;
}

// Those in doubt are a few in most packs.
static inline uniform pk_u32 judge_doubtful(const uniform struct pk_contact *uniform contact,
                                            const uniform struct pk_ring_pack packs[], uniform pk_u32 count,
                                            uniform struct waiting &leaning, uniform pk_u32 star[])
{
    uniform struct waiting doubtful;
    uniform pk_u32 lost = 0;
    doubtful.count = 0;
    for (uniform pk_u32 p = 0; p < count; p++)
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const bool doubt = in_doubt(contact, packs[p], lane);
            for (uniform int left = (uniform int)packmask(doubt); left != 0; left &= left - 1) {
                copy_star(doubtful.pack, doubtful.count++, packs[p], lane + count_trailing_zeros(left));
                if (doubtful.count < PK_LANES)
                    continue;
                lost += judge(contact, doubtful.pack, leaning, star, 1);
                doubtful.count = 0;
            }
        }
    if (doubtful.count == 0)
        return lost;
    for (uniform int i = doubtful.count; i < PK_LANES; i++) {
        copy_star(doubtful.pack, i, doubtful.pack, 0);
        doubtful.pack.count[i] = 0;
    }
    return lost + judge(contact, doubtful.pack, leaning, star, 1);
}

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

PK_EXPORT uniform pk_u32 PK(pk_surface_overlaps)(const uniform struct pk_face_boxes *uniform a, uniform pk_u32 rows,
                                                 const uniform struct pk_swept_box *uniform around_a,
                                                 const uniform struct pk_face_boxes *uniform b,
                                                 const uniform struct pk_swept_box *uniform around_b,
                                                 const uniform struct pk_widen *uniform widen_b,
                                                 const uniform struct pk_face_pack *uniform faces_a,
                                                 const uniform struct pk_face_pack *uniform faces_b,
                                                 uniform pk_u32 masks[], uniform pk_u32 common[])
{
    const uniform float *uniform low = widen_b->low, *uniform high = widen_b->high;
    uniform pk_u32 any_mask = 0, turned[PK_LANES], turned_common[PK_LANES];
    rows &= reach(&a->box, around_b, high, low);
    uniform pk_u32 lanes = rows != 0 ? reach(&b->box, around_a, low, high) : 0;
    if (lanes == 0)
        return 0;
    // Whose are fewer take turns.
    if (popcnt((uniform int)lanes) >= popcnt((uniform int)rows)) {
        match(a, rows, b, lanes, low, high, faces_a, faces_b, masks, common);
        for (uniform pk_u32 left = rows; left != 0; left &= left - 1) {
            const uniform int row = count_trailing_zeros((uniform int)left);
            any_mask |= masks[row] != 0 ? (uniform pk_u32)1 << row : 0;
        }
        return any_mask;
    }
    match(b, lanes, a, rows, high, low, faces_b, faces_a, turned, turned_common);
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
