/* rod_verify.c - what stored bytes may say of rods. */
#include "families/rods/rod_assets.h"

#include "base/ranges.h"
#include "verify/verify.h"

static bool within(const float *values, unsigned count, float low, float high)
{
    bool fit = true;
    for (unsigned i = 0; i < count; i++)
        fit = fit && values[i] >= low && values[i] <= high;
    return fit;
}

static bool segment_sound(const struct open *o, const struct rod_segment *s)
{
    return s->end[0] < o->vertices && s->end[1] < o->vertices && s->end[0] != s->end[1] &&
           within(&s->length, 1, 1e-7f, 1e7f) && within(s->stretch, 3, 1e-13f, 1e21f) &&
           within(s->bend, 3, 1e-21f, 1e21f) && within(s->inertia, 3, 1e-36f, 1e30f) &&
           within(s->rest, 4, -2, 2) && quaternion_unit(s->rest);
}

static bool joint_sound(const struct open *o, const struct rod_joint *j)
{
    bool fit = within(j->stiffness, 3, 1e-28f, 1e28f);
    for (unsigned k = 0; k < 2; k++)
        fit = fit && j->segment[k] < o->counts.rod_segments && j->end[k] < 2 &&
              within(j->frame[k], 4, -2, 2) && quaternion_unit(j->frame[k]);
    if (!fit || j->segment[0] == j->segment[1])
        return false;
    const struct rod_segment *s = asset_rod_segments(o->asset);
    return s[j->segment[0]].end[j->end[0]] == s[j->segment[1]].end[j->end[1]];
}

/* True when the later of two nodes is among those that the earlier one's elimination changes. */
static bool joined(const struct open *o, uint32_t a, uint32_t b)
{
    const struct rod_place *places = asset_rod_places(o->asset);
    const uint32_t p = places[a].place, q = places[b].place;
    const uint32_t low = p < q ? p : q, high = p < q ? q : p;
    uint32_t i = places[low].first;
    while (i < places[low + 1].first && asset_rod_later(o->asset)[i] != high)
        i++;
    return i < places[low + 1].first;
}

static bool places_sound(const struct open *o, uint32_t nodes)
{
    const struct rod_place *places = asset_rod_places(o->asset);
    const uint32_t *later = asset_rod_later(o->asset), blocks = (uint32_t)o->counts.rod_later;
    if (places[0].first != 0 || places[nodes].first != blocks ||
        blocks > ROD_BLOCKS * (uint64_t)o->vertices)
        return false;
    for (uint32_t at = 0; at < nodes; at++) {
        if (places[at].node >= nodes || places[places[at].node].place != at ||
            places[at + 1].first < places[at].first || places[at + 1].first > blocks)
            return false;
        for (uint32_t i = places[at].first; i < places[at + 1].first; i++)
            if (later[i] >= nodes || later[i] <= (i > places[at].first ? later[i - 1] : at))
                return false;
    }
    return true;
}

/* Eliminating a node fills no block that there is not. */
static bool closed(const struct open *o, uint32_t nodes)
{
    const struct rod_place *places = asset_rod_places(o->asset);
    const uint32_t *later = asset_rod_later(o->asset);
    for (uint32_t at = 0; at < nodes; at++) {
        /* Those behind the first are behind that too; so it goes on. */
        for (uint32_t i = places[at].first + 1; i < places[at + 1].first; i++)
            if (!joined(o, places[later[places[at].first]].node, places[later[i]].node))
                return false;
    }
    return true;
}

bool rod_verify(const struct open *o)
{
    const piola_asset_stats *s = &o->asset->stats;
    const uint64_t nodes = (uint64_t)s->segments + o->vertices;
    const struct rod_segment *segments = asset_rod_segments(o->asset);
    const struct rod_joint *joints = asset_rod_joints(o->asset);
    if (o->counts.rod_segments != s->segments ||
        o->counts.rod_places1 != (s->segments > 0 ? nodes + 1 : 0))
        return false;
    if (s->segments == 0)
        return o->counts.rod_joints == 0 && o->counts.rod_later == 0;
    if (s->segments > o->vertices || s->tetrahedra + s->triangles + s->bends + s->links > 0 ||
        s->constraints > 0 || s->tethers > 0 || o->counts.rod_joints > 2 * (uint64_t)s->segments ||
        !places_sound(o, (uint32_t)nodes))
        return false;
    for (uint32_t i = 0; i < s->segments; i++)
        if (!segment_sound(o, &segments[i]) || !joined(o, segments[i].end[0], segments[i].end[1]) ||
            !joined(o, segments[i].end[0], o->vertices + i) ||
            !joined(o, segments[i].end[1], o->vertices + i))
            return false;
    for (uint64_t i = 0; i < o->counts.rod_joints; i++)
        if (!joint_sound(o, &joints[i]) ||
            !joined(o, o->vertices + joints[i].segment[0], o->vertices + joints[i].segment[1]))
            return false;
    return closed(o, (uint32_t)nodes);
}
