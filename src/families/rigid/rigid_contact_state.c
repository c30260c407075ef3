/* rigid_contact_state.c - what rigid bodies pressed on each other with, kept from one substep to
 * the next, in which the iterations begin with it: a stack knows its weight.
 */
#include "families/rigid/rigid_contact.h"

/* The frame in which a body's places are kept: when the substep begins. */
static void frame_of(const piola_world *w, uint32_t slot, double turn[9])
{
    const struct rigid_now *now = &world_rigid_now(w)[slot];
    rigid_rotation(now->held ? world_rigids(w)[slot].rotation : now->turned, turn);
}

static void into(const double turn[9], const double world[3], float local[3])
{
    for (int k = 0; k < 3; ++k)
        local[k] = (float)(turn[k] * world[0] + turn[3 + k] * world[1] + turn[6 + k] * world[2]);
}

static void impulse_of(const struct rigid_contact_point *p, double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = p->impulse[0] * p->direction[0][k] + p->impulse[1] * p->direction[1][k] +
                 p->impulse[2] * p->direction[2][k];
}

static bool finite3(const float v[3])
{
    return v[0] - v[0] == 0 && v[1] - v[1] == 0 && v[2] - v[2] == 0;
}

static void keep(piola_world *w, uint64_t count)
{
    const uint64_t before = w->dim[DIM_rigid_presses].used;
    if (before > count)
        memset(world_rigid_presses(w) + count, 0, (before - count) * sizeof(struct rigid_press));
    dimension_use(w, DIM_rigid_presses, count);
}

void rigid_presses_keep(piola_world *w)
{
    uint64_t kept = 0;
    for (uint32_t i = 0; i < rigid_contacts_count(w); ++i) {
        const struct rigid_contact *c = rigid_contact_at(w, i);
        struct rigid_press press = {.one = c->one, .two = c->two};
        double turn[9], impulse[3];
        frame_of(w, c->one, turn);
        for (uint32_t p = 0; p < c->count; ++p) {
            if (!(c->point[p].impulse[0] > 0))
                continue;
            impulse_of(&c->point[p], impulse);
            into(turn, c->point[p].arm[0], press.place[press.count]);
            for (int k = 0; k < 3; ++k)
                press.impulse[press.count][k] = (float)impulse[k];
            press.count += finite3(press.impulse[press.count]) && finite3(press.place[press.count]);
        }
        for (uint32_t p = press.count; p < RIGID_CONTACT_POINTS; ++p) {
            memset(press.place[p], 0, sizeof press.place[p]);
            memset(press.impulse[p], 0, sizeof press.impulse[p]);
        }
        if (press.count > 0)
            world_rigid_presses(w)[kept++] = press;
    }
    keep(w, kept);
}

static void begin_with(struct rigid_contact_point *p, const float impulse[3])
{
    const double was[3] = {(double)impulse[0], (double)impulse[1], (double)impulse[2]};
    for (int d = 0; d < 3; ++d)
        p->impulse[d] = dot3(p->direction[d], was);
    p->impulse[0] = p->impulse[0] > 0 ? p->impulse[0] : 0;
}

/* Each place begins with what was nearest to it, which no other has taken. */
static void recall(const piola_world *w, struct rigid_contact *c, const struct rigid_press *press,
                   double near)
{
    double turn[9];
    uint32_t taken = 0;
    frame_of(w, c->one, turn);
    for (uint32_t p = 0; p < c->count; ++p) {
        float place[3], least = (float)(near * near);
        uint32_t best = press->count;
        into(turn, c->point[p].arm[0], place);
        for (uint32_t i = 0; i < press->count; ++i) {
            const float *q = press->place[i];
            const float square = (place[0] - q[0]) * (place[0] - q[0]) +
                                 (place[1] - q[1]) * (place[1] - q[1]) +
                                 (place[2] - q[2]) * (place[2] - q[2]);
            if (!(taken >> i & 1) && square < least)
                least = square, best = i;
        }
        if (best == press->count)
            continue;
        taken |= 1u << best;
        begin_with(&c->point[p], press->impulse[best]);
    }
}

void rigid_presses_recall(const piola_world *w, struct rigid_contact *c, double near,
                          uint32_t *from)
{
    const struct rigid_press *presses = world_rigid_presses(w);
    const uint64_t count = w->dim[DIM_rigid_presses].used;
    while (*from < count && (presses[*from].one < c->one ||
                             (presses[*from].one == c->one && presses[*from].two < c->two)))
        ++*from;
    if (*from < count && presses[*from].one == c->one && presses[*from].two == c->two)
        recall(w, c, &presses[*from], near);
}

void rigid_presses_forget(piola_world *w, uint32_t slot)
{
    struct rigid_press *presses = world_rigid_presses(w);
    uint64_t kept = 0;
    for (uint64_t i = 0; i < w->dim[DIM_rigid_presses].used; ++i)
        if (presses[i].one != slot && presses[i].two != slot)
            presses[kept++] = presses[i];
    keep(w, kept);
}

/* Both are rigid bodies, in the order in which they are sought. */
static bool possible(const struct stored *stored, const struct rigid_press *p, uint64_t after)
{
    const uint64_t rigids = stored->dim[DIM_rigids].used;
    const bool ground = p->two >= RIGID_GROUND;
    bool sane = p->one < p->two && p->one < rigids && (ground || p->two < rigids) && p->count > 0 &&
                p->count <= RIGID_CONTACT_POINTS && p->reserved == 0 &&
                ((uint64_t)p->one << 32 | p->two) >= after;
    for (uint32_t i = 0; sane && i < RIGID_CONTACT_POINTS; ++i)
        sane = finite3(p->place[i]) && finite3(p->impulse[i]);
    return sane && stored_rigids(stored, p->one).mass > 0 &&
           (ground || stored_rigids(stored, p->two).mass > 0);
}

bool rigid_presses_valid(const struct stored *stored, enum field field)
{
    uint64_t after = 0;
    bool sane = true;
    (void)field;
    for (uint64_t i = 0; sane && i < stored->dim[DIM_rigid_presses].used; ++i) {
        const struct rigid_press p = stored_rigid_presses(stored, i);
        sane = possible(stored, &p, after);
        after = ((uint64_t)p.one << 32 | p.two) + 1;
    }
    return sane;
}
