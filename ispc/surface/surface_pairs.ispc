// surface_pairs.ispc - pairs of a vertex and a triangle, and of two edges: may they meet, how do they push, are they
// free to go.
//
// Lives here: 16 pairs of one kind at a time. What becomes of the answers: surface_find.c, surface_force.c,
// surface_limit.c.
#include "base/closest_points.isph"
#include "surface/sweep.isph"

#define ROUNDED 1e-6f

static inline struct nearest near_of(struct vec3 x0, struct vec3 x1, struct vec3 x2, struct vec3 x3,
                                     uniform pk_u32 kind)
{
    if (kind == 0)
        return near_face(x0, x1, x2, x3);
    else
        return near_edges(x0, x1, x2, x3);
}

static inline uniform pk_u32 meet(const uniform struct pk_contact *uniform contact,
                                  uniform struct pk_pair_pack *uniform pairs, uniform pk_u32 kind, uniform int search)
{
    uniform pk_u32 mask = 0;
    for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
        struct way a = load_way(contact, &pairs->particle[0][lane], search), b = load_way(contact, &pairs->particle[1][lane], search);
        struct way c = load_way(contact, &pairs->particle[2][lane], search), d = load_way(contact, &pairs->particle[3][lane], search);
        const struct vec3 origin = a.from;
        a = way_from(a, origin);
        b = way_from(b, origin);
        c = way_from(c, origin);
        d = way_from(d, origin);
        const struct nearest n = near_of(a.from, b.from, c.from, d.from, kind);
        const float rounded =
            ROUNDED * (larger(size_of_way(a), size_of_way(b)) + larger(size_of_way(c), size_of_way(d)));
        const float size = sqrt(inner(n.normal, n.normal));
        const struct extents ea = extents_of(a, n.normal, size, search), eb = extents_of(b, n.normal, size, search);
        const struct extents ec = extents_of(c, n.normal, size, search), ed = extents_of(d, n.normal, size, search);
        struct extents one = ea, two = both(ec, ed);
        if (kind == 0)
            two = both(two, eb);
        else
            one = both(one, eb);
        const bool away = parted(one, two, size * (contact->thickness + contact->margin) + rounded);
        const float proven = (one.low0 - two.high0) - rounded;
        // Where the normal is poor the plane proves too little: C finds these in double.
        pairs->distance[lane + programIndex] = proven > 0.9f * n.distance && size > 0.5f ? proven : 0.0f;
        mask |= (uniform pk_u32)packmask(!away) << lane;
    }
    return mask;
}

PK_EXPORT uniform pk_u32 PK(pk_surface_meet)(const uniform struct pk_contact *uniform contact,
                                             uniform struct pk_pair_pack *uniform pairs, uniform pk_u32 kind)
{
    const uniform int search = search_of(contact);
    if (search == NONE_STRAYED)
        return meet(contact, pairs, kind, NONE_STRAYED);
    if (search == STRAYED)
        return meet(contact, pairs, kind, STRAYED);
    return meet(contact, pairs, kind, CARRIED);
}

static inline struct vec3 place_of(struct point p)
{
    return vector(p.x, p.y, p.z);
}

// A pair's particles when the substep began, and now.
struct moved {
    struct point s0, s1, s2, s3, x0, x1, x2, x3;
};

static inline struct moved load_moved(const uniform struct pk_contact *uniform contact,
                                      const uniform struct pk_pair_pack *uniform pairs, uniform int lane)
{
    struct moved m;
    m.s0 = load_points(contact->start, &pairs->particle[0][lane]);
    m.s1 = load_points(contact->start, &pairs->particle[1][lane]);
    m.s2 = load_points(contact->start, &pairs->particle[2][lane]);
    m.s3 = load_points(contact->start, &pairs->particle[3][lane]);
    m.x0 = load_points(contact->x, &pairs->particle[0][lane]);
    m.x1 = load_points(contact->x, &pairs->particle[1][lane]);
    m.x2 = load_points(contact->x, &pairs->particle[2][lane]);
    m.x3 = load_points(contact->x, &pairs->particle[3][lane]);
    return m;
}

// Weighted ways since the substep began.
static inline struct vec3 gone_by(struct moved m, struct nearest n)
{
    return (n.w0 * edge(m.x0, m.s0) + n.w1 * edge(m.x1, m.s1)) + (n.w2 * edge(m.x2, m.s2) + n.w3 * edge(m.x3, m.s3));
}

// The three ways from a pair's first particle to the others.
struct spread {
    struct vec3 b, c, d;
};

static inline struct spread spread_at(struct spread from, struct spread to, float part)
{
    struct spread s;
    s.b = from.b + part * (to.b - from.b);
    s.c = from.c + part * (to.c - from.c);
    s.d = from.d + part * (to.d - from.d);
    return s;
}

// On which side of each other the two are: 0 while all four are in a plane.
static inline float side_of(struct spread s)
{
    return inner(s.b, cross(s.c, s.d));
}

// True when sides that go straight meet where they come into one plane; what slides around an edge, or passes over
// another edge, comes into one plane with it too.
static inline bool meets_on_way(struct moved m, uniform pk_u32 kind, uniform float thickness)
{
    const uniform int rounds = 12;
    const struct spread from = {edge(m.s1, m.s0), edge(m.s2, m.s0), edge(m.s3, m.s0)};
    const struct spread to = {edge(m.x1, m.x0), edge(m.x2, m.x0), edge(m.x3, m.x0)};
    const bool begin = side_of(from) > 0, end = side_of(to) > 0;
    float low = 0, high = 1;
    for (uniform int i = 0; i < rounds; i++) {
        const float middle = 0.5f * (low + high);
        const bool same = (side_of(spread_at(from, to, middle)) > 0) == begin;
        low = same ? middle : low;
        high = same ? high : middle;
    }
    const struct spread at = spread_at(from, to, low);
    const struct vec3 origin = {0, 0, 0};
    const struct nearest n = near_of(origin, at.b, at.c, at.d, kind);
    return begin != end && n.distance < 0.1f * thickness;
}

// True when on their way to this guess the sides went through each other: their nearest points are inside of both, and
// these were the other way round when the substep began.
static inline bool crossed(struct moved m, struct nearest n, struct vec3 gone, uniform pk_u32 kind,
                           uniform float thickness)
{
    const float least = 1e-3f;
    const bool inside = abs(n.w0) > least && abs(n.w1) > least && abs(n.w2) > least && abs(n.w3) > least;
    const bool turned = inside && inner(gone, n.normal) > n.distance;
    if (!any(turned))
        return false;
    return turned && meets_on_way(m, kind, thickness);
}

// The mass that a pair's stiffness is made of, kg: twice what both sides have together when they swing against each
// other. With the heavier one's, the pair would be so stiff that in an iteration the heavier side could hardly go along
// with the lighter one. What is pinned shows no mass; a side that is pinned weighs as much as the other.
static inline float pair_mass(float m0, float m1, float m2, float m3, uniform pk_u32 kind)
{
    const float first = kind == 0 ? m0 : 0.5f * (m0 + m1);
    const float second = kind == 0 ? 0.33333333f * (m1 + m2 + m3) : 0.5f * (m2 + m3);
    const float one = first > 0 ? first : second, two = second > 0 ? second : first;
    return one + two > 0 ? 2 * one * two / (one + two) : 0.0f;
}

// No more than a fifth of what it was, so that those that are nearest may still give way.
static inline float kept_by_push(float distance, uniform float thickness)
{
    return 0.2f * smaller(distance, thickness);
}

// The force of a pair and how it grows (N, N/m): quadratic from the thickness down to half of it, below as 1 / (d -
// keep), so that few loads close the gap to less than the limit leaves (surface_limit.c): what it took then would be
// missing in the energy. The last seventh of the way to there, and on to a gap of 0, it goes on as a straight line, for
// what is stiffer still is not brought to rest by few iterations; sides that are through each other are pushed as
// those without a gap.
struct wall {
    float force, slope;
};

static inline struct wall wall_of(float distance, float keep, float stiffness, uniform float thickness)
{
    const uniform float half = 0.5f * thickness, straight = 0.14f;
    const float d = larger(distance, 0.0f), wide = half - keep;
    const float rest = larger(d - keep, straight * wide);
    const float near_force = stiffness * half * wide / rest;
    const float near_slope = near_force / rest;
    struct wall b;
    b.force = d < half ? near_force + near_slope * (rest - (d - keep)) : stiffness * (thickness - d);
    b.slope = d < half ? near_slope : stiffness;
    return b;
}

// How stiff a pair should be next, times what its masses make it, so that it bears its load nearer to half of the
// thickness than to where the limit holds it; `most` is what it bears there now. It grows only while its gap stays
// small, for what comes on or leaves is an impact, to which inertia is the answer; and it falls slowly, for a pair that
// grows with each swing and falls with the next one would feed it.
static inline float stiff_after(float force, float most, float stiff, float before, float distance,
                                uniform float thickness)
{
    const uniform float deep = 4.0f, flat = 0.0625f;
    const bool stays = before < 0.5f * thickness && distance < before + 0.1f * thickness;
    const float more = smaller(2 * stiff, PK_PAIR_STIFFEST), less = larger(0.98f * stiff, 1.0f);
    return force > deep * most && stays ? more : (force < flat * most ? less : stiff);
}

PK_EXPORT uniform pk_u32 PK(pk_surface_push)(const uniform struct pk_contact *uniform contact,
                                             const uniform struct pk_pair_pack *uniform pairs, uniform pk_u32 kind,
                                             uniform struct pk_pair_push *uniform push)
{
    uniform pk_u32 mask = 0;
    for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
        const int at = lane + programIndex;
        const struct moved m = load_moved(contact, pairs, lane);
        const struct nearest n = near_of(place_of(m.x0), place_of(m.x1), place_of(m.x2), place_of(m.x3), kind);
        const struct vec3 gone = gone_by(m, n);
        const bool past = crossed(m, n, gone, kind, contact->thickness);
        const bool acts = past || (n.distance < contact->thickness && n.distance > 0);
        const uniform pk_u32 lanes = (uniform pk_u32)packmask(acts);
        mask |= lanes << lane;
        if (lanes == 0)
            continue;
        const struct vec3 hold = vector(push->hold[0][at], push->hold[1][at], push->hold[2][at]);
        const struct vec3 drawn = hold + gone;
        const struct vec3 slide = drawn - inner(drawn, n.normal) * n.normal;
        const struct point m0 = load_points(contact->to, &pairs->particle[0][lane]);
        const struct point m1 = load_points(contact->to, &pairs->particle[1][lane]);
        const struct point m2 = load_points(contact->to, &pairs->particle[2][lane]);
        const struct point m3 = load_points(contact->to, &pairs->particle[3][lane]);
        const float stiff = push->stiff[at];
        const float stiffness = stiff * contact->inertia * pair_mass(m0.w, m1.w, m2.w, m3.w, kind);
        const float side = past ? -1.0f : 1.0f;
        const float keep = kept_by_push(pairs->distance[at], contact->thickness);
        const struct wall pushed = wall_of(side * n.distance, keep, stiffness, contact->thickness);
        const float force = pushed.force;
        // A spring that slips when it pulls with more than the friction, and then pulls with that of sliding.
        const float holds = contact->mixed != 0 ? push->friction[0][at] : contact->friction;
        const float slips = contact->mixed != 0 ? push->friction[1][at] : contact->friction;
        const float length = sqrt(inner(slide, slide)), most = slips * force;
        const float grip = holds > 0 ? stiffness : 0;
        const float drag = length * grip > holds * force ? most / length : grip;
        push->weight[0][at] = n.w0;
        push->weight[1][at] = n.w1;
        push->weight[2][at] = n.w2;
        push->weight[3][at] = n.w3;
        push->normal[0][at] = side * n.normal.x;
        push->normal[1][at] = side * n.normal.y;
        push->normal[2][at] = side * n.normal.z;
        push->slide[0][at] = slide.x;
        push->slide[1][at] = slide.y;
        push->slide[2][at] = slide.z;
        push->push[at] = force;
        push->slope[at] = pushed.slope;
        push->drag[at] = drag;
        push->gripped[at] = grip > 0 ? drag / grip : 0;
        push->wanted[at] = past ? stiff
                                : stiff_after(force, stiffness * 0.5f * contact->thickness, stiff, pairs->distance[at],
                                              n.distance, contact->thickness);
    }
    return mask;
}

// What must remain of a distance: surface_keep of surface.h.
static inline float kept(float distance, uniform float thickness, float grain)
{
    const uniform float share = 0.02f * thickness, most = 0.2f * thickness;
    const float part = 0.2f * distance, least = larger(share, 4 * grain);
    const float wanted = larger(part < most ? part : most, least);
    return distance <= 0.5f * least ? distance : (0.9f * distance <= least ? 0.9f * distance : wanted);
}

// A particle of a pair while the first one's place stands still: where it begins, how far it goes.
struct going {
    struct vec3 from, gone;
};

static inline struct going load_going(const uniform struct pk_contact *uniform contact, const uniform pk_u32 index[],
                                      float share)
{
    const struct point s = load_points(contact->start, index), x = load_points(contact->x, index);
    struct point b = s;
    if (contact->base != contact->start)
        b = load_points(contact->base, index);
    struct going g;
    g.from = vector(s.x, s.y, s.z);
    g.gone = end_of(b, x, share) - g.from;
    return g;
}

static inline struct going seen_from(struct going g, struct going first)
{
    g.from = g.from - first.from;
    g.gone = g.gone - first.gone;
    return g;
}

static inline float share_of(const uniform struct pk_contact *uniform contact, const uniform pk_u32 index[])
{
#pragma ignore warning(perf)
    return contact->share[index[programIndex]];
}

// Along a direction, from `done` on: when what is between two particles, `low` less `high`, falls below `least`.
// Before `done` if it does already, 1 if it never does.
static inline float falls_below(struct vec3 n, struct going low, struct going high, float done, float least)
{
    const float begin = inner(n, low.from - high.from), change = inner(n, low.gone - high.gone);
    const float now = begin + done * change, then = begin + change;
    const float lost = now - then;
    const float part = (now - least) / (lost > 0 ? lost : 1.0f);
    const float when = then >= least ? 1.0f : done + (1 - done) * part;
    return now >= least ? when : -1.0f;
}

// The part of their ways that a pair's sides are proven to keep apart on. All go straight, so along the direction of
// their nearest points what is between them changes no faster than evenly: as long as it is enough there, it is free.
// There the direction is looked for again. What a direction proves is right whatever it is, to what is `rounded`, but
// for one that is too long, found from places so near each other that squares are no normal numbers.
static inline float free_part(struct going b, struct going c, struct going d, float least, bool wanted,
                              uniform pk_u32 kind)
{
    const uniform int rounds = 12;
    struct going a = {{0, 0, 0}, {0, 0, 0}};
    float done = 0;
    for (uniform int round = 0; round < rounds && any(wanted); round++) {
        const struct nearest n =
            near_of(a.from, b.from + done * b.gone, c.from + done * c.gone, d.from + done * d.gone, kind);
        float when = smaller(falls_below(n.normal, a, c, done, least), falls_below(n.normal, a, d, done, least));
        if (kind == 0)
            when = smaller(when, falls_below(n.normal, a, b, done, least));
        else
            when = smaller(when, smaller(falls_below(n.normal, b, c, done, least),
                                         falls_below(n.normal, b, d, done, least)));
        const bool on = wanted && when > done && inner(n.normal, n.normal) < 1.00001f;
        wanted = on && when < 1 && when > done + 0.01f;
        done = on ? when : done;
    }
    return done;
}

PK_EXPORT uniform pk_u32 PK(pk_surface_free)(const uniform struct pk_contact *uniform contact,
                                             const uniform struct pk_pair_pack *uniform pairs, uniform pk_u32 kind,
                                             uniform struct pk_pair_push *uniform push)
{
    uniform pk_u32 mask = 0;
    for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
        const int at = lane + programIndex;
        const float as = share_of(contact, &pairs->particle[0][lane]);
        const float bs = share_of(contact, &pairs->particle[1][lane]);
        const float cs = share_of(contact, &pairs->particle[2][lane]);
        const float ds = share_of(contact, &pairs->particle[3][lane]);
        const float distance = pairs->distance[at];
        const bool known = push->weight[0][at] == as && push->weight[1][at] == bs && push->weight[2][at] == cs &&
                           push->weight[3][at] == ds;
        const bool wanted = !known && distance > 0;
        if (!any(wanted))
            continue;
        const struct going a = load_going(contact, &pairs->particle[0][lane], as);
        struct going b = load_going(contact, &pairs->particle[1][lane], bs);
        struct going c = load_going(contact, &pairs->particle[2][lane], cs);
        struct going d = load_going(contact, &pairs->particle[3][lane], ds);
        const float grain =
            GRAIN * larger(larger(largest(a.from), largest(b.from)), larger(largest(c.from), largest(d.from)));
        const float ways = larger(larger(largest(a.gone), largest(b.gone)), larger(largest(c.gone), largest(d.gone)));
        b = seen_from(b, a);
        c = seen_from(c, a);
        d = seen_from(d, a);
        const float size = larger(larger(largest(b.from), largest(c.from)), largest(d.from));
        const float rounded = 2 * ROUNDED * (size + ways), keep = kept(distance, contact->thickness, grain);
        const float part = free_part(b, c, d, keep + rounded, wanted, kind);
        const bool free = !wanted || part >= 1;
        if (wanted) {
            push->weight[0][at] = free ? as : -1.0f;
            push->weight[1][at] = bs;
            push->weight[2][at] = cs;
            push->weight[3][at] = ds;
        }
        mask |= (uniform pk_u32)packmask(!free) << lane;
    }
    return mask;
}
