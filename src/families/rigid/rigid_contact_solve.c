/* rigid_contact_solve.c - the impulses that keep rigid bodies apart, with Coulomb's friction.
 *
 * Each contact's places are visited in turn (projected Gauss-Seidel), forwards and backwards, from
 * the impulses of the substep before. Sweeps alone carry a weight through a stack of n in n^2 of
 * them. So after each two of them those impulses that are at no bound are found together, by
 * conjugate gradients, which need n; what then is beyond a bound is put there, and all is taken
 * back if that has brought nothing. Bodies that soft ones press on weigh what Newton's step says
 * (rigid_move.c), so both are balanced together. What one body gets the other loses, at the same
 * place: momentum stays, whatever is left open.
 */
#include "families/rigid/rigid_contact.h"

#define ROUNDS_FIRST 5 /* of two sweeps and what follows them, of a substep */
#define GRADIENTS    8
#define CALM         1e-9  /* m/s: a sweep that changes less is the last */
#define FLAT         1e-20 /* of the first residual's square */

static struct rigid_stack *stack_of(const piola_world *w, uint32_t slot)
{
    return &world_rigid_stacks(w)[slot];
}

double *rigid_contact_speed(const piola_world *w, uint32_t slot)
{
    return slot < RIGID_GROUND ? stack_of(w, slot)->v : world_rigid_contacts_now(w)->nobody;
}

static double *way_of(const piola_world *w, uint32_t slot)
{
    return slot < RIGID_GROUND ? stack_of(w, slot)->way : world_rigid_contacts_now(w)->nobody;
}

/* ---- weights ---- */

void rigid_contact_take(const piola_world *w, uint32_t slot, const double mass[6][6],
                        const double pull[6])
{
    struct rigid_stack *stack = stack_of(w, slot);
    double base[6];
    if (!same_bytes(stack->whole, mass, sizeof stack->whole)) {
        memcpy(stack->whole, mass, sizeof stack->whole);
        memcpy(stack->factored, mass, sizeof stack->factored);
        memset(stack->inverse, 0, sizeof stack->inverse);
        stack->fresh = 1;
        if (!spatial_factor(stack->factored)) /* as if it was too heavy to be moved */
            for (int i = 0; i < 6; ++i)
                for (int j = 0; j < 6; ++j)
                    stack->factored[i][j] = i == j ? 1e300 : 0;
        for (int i = 0; i < 6; ++i) {
            stack->inverse[i][i] = 1;
            spatial_back((const double(*)[6])stack->factored, stack->inverse[i]);
        }
    }
    memcpy(base, pull, sizeof base);
    spatial_back((const double(*)[6])stack->factored, base);
    if (stack->fresh || !same_bytes(base, stack->base, sizeof base))
        world_rigid_contacts_now(w)->fresh = 1;
    memcpy(stack->base, base, sizeof base);
}

static void prepare_side(const piola_world *w, uint32_t slot, struct rigid_contact_point *p,
                         int side)
{
    const double sign = side ? -1 : 1;
    memset(p->gained[side], 0, sizeof p->gained[side]);
    for (int d = 0; d < 3 && slot < RIGID_GROUND && rigid_moves(w, slot); ++d) {
        double push[6];
        for (int k = 0; k < 3; ++k)
            push[k] = sign * p->direction[d][k];
        cross3(p->arm[side], push, push + 3);
        spatial_times((const double(*)[6])stack_of(w, slot)->inverse, push, p->gained[side][d]);
        p->give[d] += spatial_dot(push, p->gained[side][d]);
    }
}

static void prepare(const piola_world *w)
{
    for (uint32_t i = 0; i < rigid_contacts_count(w); ++i) {
        struct rigid_contact *c = rigid_contact_at(w, i);
        if (!stack_of(w, c->one)->fresh && (c->two >= RIGID_GROUND || !stack_of(w, c->two)->fresh))
            continue;
        for (uint32_t p = 0; p < c->count; ++p) {
            memset(c->point[p].give, 0, sizeof c->point[p].give);
            prepare_side(w, c->one, &c->point[p], 0);
            prepare_side(w, c->two, &c->point[p], 1);
        }
    }
    for (uint32_t s = 0; s < rigid_end(w); ++s)
        stack_of(w, s)->fresh = 0;
}

/* ---- sweeps ---- */

static void push(const struct rigid_contact_point *p, int d, double impulse, double one[6],
                 double two[6])
{
    for (int i = 0; i < 6; ++i) {
        one[i] += impulse * p->gained[0][d][i];
        two[i] += impulse * p->gained[1][d][i];
    }
}

void rigid_contact_slip(const struct rigid_contact_point *p, const double one[6],
                        const double two[6], double slip[3])
{
    double a[3], b[3];
    spatial_at(one, p->arm[0], a);
    spatial_at(two, p->arm[1], b);
    for (int k = 0; k < 3; ++k)
        slip[k] = a[k] - b[k];
}

static void slip_of(const struct rigid_contact_point *p, const double one[6], const double two[6],
                    double slip[3])
{
    rigid_contact_slip(p, one, two, slip);
    for (int k = 0; k < 3; ++k)
        slip[k] -= p->carried[k];
}

/* Friction within Coulomb's cone: the share of a tangential impulse that it may have. */
static double cone_share(const double wanted[3], const double friction[2], double normal)
{
    const double size = sqrt(wanted[1] * wanted[1] + wanted[2] * wanted[2]);
    return size <= friction[0] * normal ? 1 : size > 0 ? friction[1] * normal / size : 0;
}

/* One visit of one place: its normal impulse, then friction. Returns how much faster or slower that
 * made it, m/s. */
static double visit(struct rigid_contact_point *p, const double friction[2], double least,
                    double one[6], double two[6])
{
    double slip[3], wanted[3] = {0, 0, 0};
    slip_of(p, one, two, slip);
    double normal = p->impulse[0] + (least - dot3(p->direction[0], slip)) / p->give[0];
    normal = normal > 0 ? normal : 0;
    double change = fabs(normal - p->impulse[0]) * p->give[0];
    p->open = normal > 0 ? 1 : 0;
    if (normal == 0 && p->impulse[0] == 0 && p->impulse[1] == 0 && p->impulse[2] == 0)
        return 0;
    push(p, 0, normal - p->impulse[0], one, two);
    p->impulse[0] = normal;
    slip_of(p, one, two, slip);
    for (int d = 1; d < 3; ++d)
        wanted[d] = p->impulse[d] - dot3(p->direction[d], slip) / p->give[d];
    const double share = cone_share(wanted, friction, normal);
    p->open |= share == 1 && normal > 0 ? 6 : 0;
    for (int d = 1; d < 3; ++d) {
        change += fabs(share * wanted[d] - p->impulse[d]) * p->give[d];
        push(p, d, share * wanted[d] - p->impulse[d], one, two);
        p->impulse[d] = share * wanted[d];
    }
    return change;
}

/* m/s, along the normal. */
static double goal_of(const struct rigid_contact_point *p, bool relax)
{
    return relax && p->gap < 0 && !(p->rebound > p->least) ? 0 : p->rebound;
}

static double sweep(const piola_world *w, bool back, bool relax)
{
    const uint32_t count = rigid_contacts_count(w);
    double change = 0;
    for (uint32_t i = 0; i < count; ++i) {
        struct rigid_contact *c = rigid_contact_at(w, back ? count - 1 - i : i);
        double *one = rigid_contact_speed(w, c->one), *two = rigid_contact_speed(w, c->two);
        for (uint32_t p = 0; p < c->count; ++p) {
            struct rigid_contact_point *at = &c->point[p];
            const double most = visit(at, c->friction, goal_of(at, relax), one, two);
            change = most > change ? most : change;
        }
    }
    return change;
}

/* All velocities from the impulses, as they are now. */
static void begin(const piola_world *w)
{
    memset(world_rigid_contacts_now(w)->nobody, 0, sizeof world_rigid_contacts_now(w)->nobody);
    for (uint32_t s = 0; s < rigid_end(w); ++s)
        if (stack_of(w, s)->contacts > 0 && rigid_moves(w, s))
            memcpy(stack_of(w, s)->v, stack_of(w, s)->base, sizeof stack_of(w, s)->base);
    for (uint32_t i = 0; i < rigid_contacts_count(w); ++i) {
        const struct rigid_contact *c = rigid_contact_at(w, i);
        for (uint32_t p = 0; p < c->count; ++p)
            for (int d = 0; d < 3; ++d)
                if (c->point[p].impulse[d] != 0)
                    push(&c->point[p], d, c->point[p].impulse[d], rigid_contact_speed(w, c->one),
                         rigid_contact_speed(w, c->two));
    }
}

/* ---- all that is at no bound, together ---- */

typedef double use_point(const piola_world *w, const struct rigid_contact *c,
                         struct rigid_contact_point *p, double number);

static double each_point(const piola_world *w, use_point *use, double number)
{
    double sum = 0;
    for (uint32_t i = 0; i < rigid_contacts_count(w); ++i) {
        struct rigid_contact *c = rigid_contact_at(w, i);
        for (uint32_t p = 0; p < c->count; ++p)
            if (c->point[p].open || number < 0)
                sum += use(w, c, &c->point[p], number);
    }
    return sum;
}
/* For each_point: also those that are closed. */
#define ALL (-1.0)

/* J: what the impulses bring down, with velocities as they are. */
static double objective_at(const piola_world *w, const struct rigid_contact *c,
                           struct rigid_contact_point *p, double number)
{
    double now[3], was[3], sum = 0;
    (void)number;
    slip_of(p, rigid_contact_speed(w, c->one), rigid_contact_speed(w, c->two), now);
    slip_of(p, rigid_contact_base(w, c->one), rigid_contact_base(w, c->two), was);
    for (int d = 0; d < 3; ++d)
        sum += p->impulse[d] * 0.5 * (dot3(p->direction[d], now) + dot3(p->direction[d], was));
    return sum - p->impulse[0] *
                     (world_rigid_contacts_now(w)->relaxes ? goal_of(p, true) : goal_of(p, false));
}

/* What is left of an open impulse's equation, over its own weight: the first direction of search.
 */
static double begin_at(const piola_world *w, const struct rigid_contact *c,
                       struct rigid_contact_point *p, double number)
{
    double slip[3], sum = 0;
    (void)number;
    slip_of(p, rigid_contact_speed(w, c->one), rigid_contact_speed(w, c->two), slip);
    memcpy(p->before, p->impulse, sizeof p->before);
    for (int d = 0; d < 3; ++d) {
        const double goal = d ? 0 : goal_of(p, world_rigid_contacts_now(w)->relaxes != 0);
        p->left[d] = p->open >> d & 1 ? goal - dot3(p->direction[d], slip) : 0;
        p->search[d] = p->open >> d & 1 ? p->left[d] / p->give[d] : 0;
        sum += p->left[d] * p->search[d];
    }
    return sum;
}

static double push_ways(const piola_world *w, const struct rigid_contact *c,
                        struct rigid_contact_point *p, double number)
{
    (void)number;
    for (int d = 0; d < 3; ++d)
        if (p->open >> d & 1)
            push(p, d, p->search[d], way_of(w, c->one), way_of(w, c->two));
    return 0;
}

static double curve_at(const piola_world *w, const struct rigid_contact *c,
                       struct rigid_contact_point *p, double number)
{
    double slip[3], sum = 0;
    (void)number;
    rigid_contact_slip(p, way_of(w, c->one), way_of(w, c->two), slip);
    for (int d = 0; d < 3; ++d)
        sum += p->open >> d & 1 ? p->search[d] * dot3(p->direction[d], slip) : 0;
    return sum;
}

/* A step; the new residual's size. */
static double step_at(const piola_world *w, const struct rigid_contact *c,
                      struct rigid_contact_point *p, double step)
{
    double slip[3], sum = 0;
    rigid_contact_slip(p, way_of(w, c->one), way_of(w, c->two), slip);
    for (int d = 0; d < 3; ++d) {
        if (!(p->open >> d & 1))
            continue;
        p->impulse[d] += step * p->search[d];
        p->left[d] -= step * dot3(p->direction[d], slip);
        sum += p->left[d] * p->left[d] / p->give[d];
    }
    return sum;
}

static double turn_at(const piola_world *w, const struct rigid_contact *c,
                      struct rigid_contact_point *p, double share)
{
    (void)w;
    (void)c;
    for (int d = 0; d < 3; ++d)
        if (p->open >> d & 1)
            p->search[d] = p->left[d] / p->give[d] + share * p->search[d];
    return 0;
}

/* What went beyond a bound goes there. */
static double bound_at(const piola_world *w, const struct rigid_contact *c,
                       struct rigid_contact_point *p, double number)
{
    (void)w;
    (void)number;
    p->impulse[0] = p->impulse[0] > 0 ? p->impulse[0] : 0;
    const double share = cone_share(p->impulse, c->friction, p->impulse[0]);
    p->impulse[1] *= share;
    p->impulse[2] *= share;
    return 0;
}

static double undo_at(const piola_world *w, const struct rigid_contact *c,
                      struct rigid_contact_point *p, double number)
{
    (void)w;
    (void)c;
    (void)number;
    memcpy(p->impulse, p->before, sizeof p->impulse);
    return 0;
}

static void clear_ways(const piola_world *w)
{
    for (uint32_t s = 0; s < rigid_end(w); ++s)
        memset(stack_of(w, s)->way, 0, sizeof stack_of(w, s)->way);
}

static void together(const piola_world *w)
{
    const double objective = each_point(w, objective_at, ALL);
    double size = each_point(w, begin_at, ALL);
    const double first = size;
    for (int i = 0; i < GRADIENTS && size > FLAT * first && size > 0; ++i) {
        clear_ways(w);
        (void)each_point(w, push_ways, 0);
        const double curve = each_point(w, curve_at, 0);
        if (!(curve > 0))
            break;
        const double left = each_point(w, step_at, size / curve);
        (void)each_point(w, turn_at, left / size);
        size = left;
    }
    (void)each_point(w, bound_at, ALL);
    begin(w);
    if (each_point(w, objective_at, ALL) <= objective)
        return;
    (void)each_point(w, undo_at, ALL);
    begin(w);
}

void rigid_contacts_round(const piola_world *w, int rounds, bool relax)
{
    world_rigid_contacts_now(w)->relaxes = relax;
    begin(w);
    for (int i = 0; i < rounds; ++i) {
        const double there = sweep(w, false, relax), back = sweep(w, true, relax);
        if (there < CALM && back < CALM)
            break;
        together(w);
    }
    (void)sweep(w, false, relax);
}

/* ---- what bodies get ---- */

/* Who presses on others: of these not only soft bodies decide how they go on. */
static void mark(const piola_world *w)
{
    for (uint32_t i = 0; i < rigid_contacts_count(w); ++i) {
        const struct rigid_contact *c = rigid_contact_at(w, i);
        bool presses = false;
        for (uint32_t p = 0; p < c->count; ++p)
            presses = presses || c->point[p].impulse[0] > 0;
        if (!presses)
            continue;
        stack_of(w, c->one)->presses = 1;
        if (c->two < RIGID_GROUND)
            stack_of(w, c->two)->presses = 1;
    }
}

/* What colliders did is also told as that of a body that is near no other. */
static void tell_points(const piola_world *w)
{
    for (uint32_t i = 0; i < rigid_contacts_count(w); ++i) {
        const struct rigid_contact *c = rigid_contact_at(w, i);
        struct rigid_now *now = &world_rigid_now(w)[c->one];
        for (uint32_t p = 0; c->two >= RIGID_GROUND && p < c->count; ++p) {
            const struct rigid_contact_point *at = &c->point[p];
            now->stopped |= at->impulse[0] > 0;
            for (int k = 0; k < 3; ++k)
                now->point[at->from].impulse[k] = at->impulse[0] * at->direction[0][k] +
                                                  at->impulse[1] * at->direction[1][k] +
                                                  at->impulse[2] * at->direction[2][k];
        }
    }
}

void rigid_contacts_give(const piola_world *w, bool all)
{
    mark(w);
    tell_points(w);
    for (uint32_t s = 0; s < rigid_end(w); ++s)
        if (stack_of(w, s)->contacts > 0 && rigid_moves(w, s) && (all || stack_of(w, s)->presses))
            memcpy(world_rigid_now(w)[s].velocity, stack_of(w, s)->v, 6 * sizeof(double));
}

void rigid_contacts_solve(const struct step *step, bool first)
{
    const piola_world *w = step->world;
    if (rigid_contacts_count(w) == 0)
        return;
    /* Nothing presses on any of them but each other: they have been solved. */
    if (first || world_rigid_contacts_now(w)->fresh) {
        prepare(w);
        rigid_contacts_round(w, first ? ROUNDS_FIRST : 1, false);
    }
    world_rigid_contacts_now(w)->fresh = 0;
    rigid_contacts_give(w, true);
}
