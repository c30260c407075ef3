/* coarse_hold.c - what holds the particles of a body is to its coarse level: blocks of the matrix,
 * loads of the gradient, a part of the slope.
 *
 * Pins, guides, attachments, contacts of surfaces and stretched tethers are blocks alone. Planes of
 * colliders are one-sided: which of them press is found anew with each solution.
 */
#include "base/symmetric3.h"
#include "compile/coarse_plan.h"
#include "motion/coarse_level.h"
#include "world/guides.h"

#include <math.h>
#include <string.h>

/* How hard the cage is held where a particle is, in its own stiffness. */
#define HOLD 1.0
/* The same of a sheet's pins: all of it hangs on them. */
#define PIN_HOLD 100.0
/* Of a tether's length: from here on it may pull. */
#define TAUT 0.9999

/* What holds a particle: xx yy zz yz xz xy, N/m. */
struct hold {
    double k[6];
};

static void hold_all(struct hold *h, double k)
{
    for (unsigned i = 0; i < 3; i++)
        h->k[i] += k;
}

static void hold_along(struct hold *h, double k, const double n[3])
{
    const double x = n[0], y = n[1], z = n[2];
    const double add[6] = {x * x, y * y, z * z, y * z, x * z, x * y};
    for (unsigned i = 0; i < 6; i++)
        h->k[i] += k * add[i];
}

static double stiffness_of(const struct level *l, uint32_t particle)
{
    const bool known = l->asset->at.coarse_heads.count > 0;
    return (double)(known ? asset_coarse_stiffness(l->asset)[particle] : l->pulls[particle]) +
           (double)l->solve.inertia * (double)asset_mass(l->asset)[particle];
}

/* What a plane pressed a particle with in the last sweep. Before the sweeps have settled its parts
 * may not fit each other: no more friction than its pressure allows, and never so much that it
 * moves a particle back farther than to where it would stick. */
struct press {
    double force[3]; /* N */
    double normal[3];
    double along, across; /* N/m, against moves along the normal, and others */
    double gap;           /* m, for planes that are met anew: they press when it is closed */
};

/* What the last solution found of a particle's planes, in move.w: bit p, plane p is met though it
 * did not press; bit PK_TOUCHES + p, it presses no more. */
static uint32_t found_of(const struct level *l, uint32_t particle)
{
    return (uint32_t)l->move[particle].w;
}

static double gap_of(const struct level *l, uint32_t particle, const struct pk_plane *plane)
{
    const struct pk_quad *x = &l->x[particle];
    return (double)plane->normal[0] * (double)x->x + (double)plane->normal[1] * (double)x->y +
           (double)plane->normal[2] * (double)x->z - (double)plane->offset;
}

static bool press_of(const struct level *l, uint32_t particle, uint32_t which, struct press *out)
{
    const struct pk_plane *plane = &l->solve.touches[particle].plane[which];
    const uint32_t found = found_of(l, particle);
    if (!(l->x[particle].w > 0) || found >> (PK_TOUCHES + which) & 1)
        return false;
    if (!(plane->stiffness > 0)) {
        *out = (struct press){.along = HOLD * stiffness_of(l, particle)};
        for (unsigned k = 0; k < 3; k++)
            out->normal[k] = (double)plane->normal[k];
        out->gap = gap_of(l, particle, plane);
        return (found >> which & 1) != 0;
    }
    double press = 0, square = 0, side[3];
    for (unsigned k = 0; k < 3; k++)
        press += (double)plane->normal[k] * (double)plane->force[k];
    for (unsigned k = 0; k < 3; k++) {
        side[k] = (double)plane->force[k] - press * (double)plane->normal[k];
        square += side[k] * side[k];
    }
    const double most = (double)(plane->sticks ? plane->friction_static : plane->friction_kinetic) *
                        (press > 0 ? press : 0);
    const double share = square > most * most ? most / sqrt(square) : 1;
    const float at[3] = {l->x[particle].x, l->x[particle].y, l->x[particle].z};
    double slip = 0, up = 0;
    for (unsigned k = 0; k < 3; k++) {
        const double gone = (double)(at[k] - plane->anchor[k]);
        out->normal[k] = (double)plane->normal[k];
        out->force[k] = press * out->normal[k] + share * side[k];
        slip += gone * gone;
        up += gone * out->normal[k];
    }
    slip = slip > up * up ? sqrt(slip - up * up) : 0;
    out->gap = 0;
    out->along = HOLD * stiffness_of(l, particle);
    const double drag = share * sqrt(square);
    out->across = plane->sticks || drag >= out->along * slip ? out->along : drag / slip;
    return true;
}

/* True when a tether of the particle is stretched: then it may not go that way, nor back, for its
 * body's elements pull at it with what the tether has taken. */
static bool hold_by_tethers(const struct level *l, uint32_t particle, struct hold *h)
{
    const uint32_t lane = particle % PK_LANES;
    const uint32_t *first = asset_tether_first(l->asset) + particle / PK_LANES;
    bool any = false;
    for (uint32_t i = first[0]; i < first[1]; i++) {
        const struct pk_tether_pack *pack = &asset_tethers(l->asset)[i];
        const struct pk_quad *x = &l->x[particle], *to = &l->x[pack->anchor[lane]];
        double n[3] = {(double)x->x - (double)to->x, (double)x->y - (double)to->y,
                       (double)x->z - (double)to->z};
        const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        if (to->w > 0 || !(length > TAUT * (double)pack->length[lane]))
            continue;
        for (unsigned k = 0; k < 3; k++)
            n[k] /= length;
        hold_along(h, (l->resists ? PIN_HOLD : HOLD) * stiffness_of(l, particle), n);
        any = true;
    }
    return any;
}

static bool held(const struct level *l, uint32_t particle, struct hold *h)
{
    bool any = false;
    memset(h, 0, sizeof *h);
    if (!(l->x[particle].w > 0)) {
        hold_all(h, (l->head && l->resists ? PIN_HOLD : HOLD) * stiffness_of(l, particle));
        return true;
    }
    if (l->guides && l->guides[particle].w != 0) {
        const struct pk_quad *way = &l->guides[particle];
        const double n[3] = {(double)way->x, (double)way->y, (double)way->z};
        const double k = HOLD * stiffness_of(l, particle);
        any = true;
        hold_all(h, way->w == GUIDE_LINE ? k : 0);
        hold_along(h, way->w == GUIDE_LINE ? -k : k, n);
    }
    if (l->asset->at.tethers.count > 0 && l->body->pins > 0)
        any = hold_by_tethers(l, particle, h) || any;
    if (l->external) {
        const struct pk_quad *on = l->external + l->body->count + particle,
                             *off = on + l->body->count;
        const float add[6] = {on->x, on->y, on->z, off->x, off->y, off->z};
        for (unsigned i = 0; i < 6; i++) {
            h->k[i] += (double)add[i];
            any = any || add[i] != 0;
        }
    }
    const uint32_t planes = l->solve.touching ? l->solve.touching[particle] : 0;
    for (uint32_t p = 0; p < planes && p < PK_TOUCHES; p++) {
        struct press press;
        if (!press_of(l, particle, p, &press))
            continue;
        any = true;
        hold_all(h, press.across);
        hold_along(h, press.along - press.across, press.normal);
    }
    return any;
}

bool coarse_held(const struct level *l, uint32_t particle, double k[6])
{
    struct hold h;
    const bool any = held(l, particle, &h);
    memcpy(k, h.k, sizeof h.k);
    return any;
}

/* w_i w_j times the block, in the upper half of the matrix. */
static void add_hold(const struct level *l, const struct pk_cage_pack *pack, unsigned lane,
                     const struct hold *h)
{
    const float local[3] = {pack->local[0][lane], pack->local[1][lane], pack->local[2][lane]};
    double weight[PK_CORNERS];
    coarse_weights(local, weight);
    for (unsigned i = 0; i < PK_CORNERS; i++) {
        const uint32_t row = pack->node[i];
        const struct pk_coarse_node *node = &l->nodes[row];
        for (unsigned j = 0; j < PK_CORNERS && weight[i] > 0; j++) {
            const double w = weight[i] * weight[j];
            if (!(w > 0) || pack->node[j] < row)
                continue;
            double *to = l->matrix + node->offset + 3 * pack->node[j] - ((3 * row) & ~15u);
            for (unsigned a = 0; a < 3; a++, to += node->width)
                for (unsigned b = 0; b < 3; b++)
                    to[b] += w * h->k[symmetric3_place[a][b]];
        }
    }
}

void coarse_hold(const struct level *l)
{
    const bool any = l->body->pins > 0 || l->external || l->guides || l->solve.touching;
    const struct pk_cage_pack *packs = asset_cage_packs(l->asset);
    for (uint64_t p = 0; any && p < l->asset->at.cage_packs.count; p++)
        for (unsigned lane = 0; lane < packs[p].count; lane++) {
            struct hold h;
            if (held(l, packs[p].index[lane], &h))
                add_hold(l, &packs[p], lane, &h);
        }
}

void coarse_add_presses(const struct level *l)
{
    for (uint32_t i = 0; l->solve.touching && i < l->body->count; i++)
        for (uint32_t p = 0; p < l->solve.touching[i] && p < PK_TOUCHES; p++) {
            struct press press;
            if (!press_of(l, i, p, &press))
                continue;
            const double closed = press.along * press.gap;
            l->move[i].x -= (float)(press.force[0] - closed * press.normal[0]);
            l->move[i].y -= (float)(press.force[1] - closed * press.normal[1]);
            l->move[i].z -= (float)(press.force[2] - closed * press.normal[2]);
        }
}

bool coarse_find_planes(const struct level *l)
{
    const struct pk_cage_pack *packs = asset_cage_packs(l->asset);
    bool changed = false;
    for (uint64_t c = 0; c < l->asset->at.cage_packs.count; c++)
        for (unsigned lane = 0; lane < packs[c].count; lane++) {
            const uint32_t i = packs[c].index[lane];
            const uint32_t planes = l->solve.touching[i], before = found_of(l, i);
            if (planes == 0 || !(l->x[i].w > 0))
                continue;
            const float local[3] = {packs[c].local[0][lane], packs[c].local[1][lane],
                                    packs[c].local[2][lane]};
            double weight[PK_CORNERS], d[3] = {0, 0, 0};
            coarse_weights(local, weight);
            for (unsigned n = 0; n < PK_CORNERS; n++)
                for (unsigned k = 0; k < 3; k++)
                    d[k] += weight[n] * l->u[3 * packs[c].node[n] + k];
            uint32_t found = before;
            for (uint32_t p = 0; p < planes && p < PK_TOUCHES; p++) {
                const struct pk_plane *plane = &l->solve.touches[i].plane[p];
                struct press press;
                const bool held_now = press_of(l, i, p, &press);
                const double up = d[0] * (double)plane->normal[0] +
                                  d[1] * (double)plane->normal[1] + d[2] * (double)plane->normal[2];
                double pressed = 0;
                for (unsigned k = 0; k < 3 && held_now; k++)
                    pressed += press.force[k] * press.normal[k];
                if (!held_now && gap_of(l, i, plane) + up < 0)
                    found |= 1u << p;
                else if (held_now && pressed > 0 && pressed < press.along * up)
                    found |= 1u << (PK_TOUCHES + p);
            }
            l->move[i].w = (float)found;
            changed = changed || found != before;
        }
    return changed;
}

double coarse_slope_of_presses(const struct level *l, double share)
{
    double slope = 0;
    for (uint32_t i = 0; l->solve.touching && i < l->body->count; i++)
        for (uint32_t p = 0; p < l->solve.touching[i] && p < PK_TOUCHES; p++) {
            struct press press;
            if (!press_of(l, i, p, &press))
                continue;
            const double d[3] = {(double)l->move[i].x, (double)l->move[i].y, (double)l->move[i].z};
            double along = 0, square = 0;
            for (unsigned k = 0; k < 3; k++) {
                slope -= press.force[k] * d[k];
                along += press.normal[k] * d[k];
                square += d[k] * d[k];
            }
            const double up = press.gap != 0 ? press.gap : share * along;
            slope += share * press.across * (square - along * along) + press.along * up * along;
        }
    return slope;
}
