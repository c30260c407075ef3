/* rigid_point.c - rigid bodies at other colliders: a sphere's middle, the ends of a capsule, the
 * corners of a box, each with a radius, and the corners of a hull or mesh, kept out of colliders
 * that have no mass.
 *
 * Each point's way in the substep is followed to where it would enter (collide_trace.c); there lies
 * a plane. The planes are kept by impulses with Coulomb's friction (projected Gauss-Seidel). Edges
 * of boxes against edges, and rigid bodies against each other, are not seen.
 */
#include "families/collide/collide_block.h"
#include "families/rigid/rigid.h"
#include "shapes/shapes.h"

#define ROUNDS 20
/* As for particles: an approach slower than this many substeps of gravity is no impact. */
#define RESTING 2.0

/* How many points a collider has: those of its shape, or the corners of a compiled one. */
static uint32_t points_of(const struct form *form)
{
    const uint32_t kind = form->shape->kind;
    if (form->compiled)
        return kind == PIOLA_SHAPE_HULL || kind == PIOLA_SHAPE_MESH ? form->compiled->stats.vertices
                                                                    : 0;
    return kind == PIOLA_SHAPE_SPHERE    ? 1
           : kind == PIOLA_SHAPE_CAPSULE ? 2
           : kind == PIOLA_SHAPE_BOX     ? 8
                                         : 0;
}

/* In its own frame. */
static void point_of(const struct form *form, uint32_t i, float out[3])
{
    const float *size = form->shape->size;
    memset(out, 0, 3 * sizeof *out);
    if (form->compiled)
        memcpy(out, shape_points(form->compiled)[i].at, 3 * sizeof *out);
    else if (form->shape->kind == PIOLA_SHAPE_CAPSULE)
        out[1] = i ? -size[1] : size[1];
    else if (form->shape->kind == PIOLA_SHAPE_BOX)
        for (uint32_t k = 0; k < 3; ++k)
            out[k] = i >> k & 1 ? size[k] : -size[k];
}

static void turned(const double q[4], const float local[3], double out[3])
{
    double r[9];
    const double at[3] = {(double)local[0], (double)local[1], (double)local[2]};
    rigid_rotation(q, r);
    for (int k = 0; k < 3; ++k)
        out[k] = dot3(r + 3 * (size_t)k, at);
}

/* One point against one collider. `depth`: how far it would get behind the plane, m. */
static void find_point(const struct step *step, uint32_t slot, const float local[3],
                       const double heading[4], const struct collide_moving *m,
                       struct rigid_point *point, double *depth)
{
    const piola_world *w = step->world;
    const struct collider_shape *own = &world_colliders(w)[slot].shape;
    const struct rigid_now *now = &world_rigid_now(w)[slot];
    struct collider_shape shape = m->collider->shape;
    const struct form grown = {&shape, m->form.compiled};
    const double dt = (double)step->dt;
    double arm[3], end_arm[3];
    float start[3], goal[3], a[3], b[3], at[3], n[3], normal[3], world[3], distance, surface[3];
    shape.margin += own->radius + own->margin;
    turned(now->turned, local, arm);
    turned(heading, local, end_arm);
    for (int k = 0; k < 3; ++k) {
        start[k] = (float)(now->begin[k] + arm[k]);
        goal[k] = (float)(now->begin[k] + dt * now->sent[k] + end_arm[k]);
    }
    pose_in(m->from, start, a);
    pose_in(m->to, goal, b);
    struct collide_known known = COLLIDE_UNKNOWN;
    (void)collide_trace(&grown, a, b, &known, at, n, &distance);
    pose_turn(m->to, n, normal);
    pose_out(m->to, at, world);
    const double most = (double)TOUCH_LET_OUT * dt;
    const double back = (double)distance < -most ? -most : (double)distance;
    double before = 0, gap = back;
    pose_out(m->to, a, surface);
    for (int k = 0; k < 3; ++k) {
        point->normal[k] = (double)normal[k];
        point->arm[k] = arm[k] - (double)(own->radius + own->margin) * (double)normal[k];
        point->carried[k] = ((double)surface[k] - (double)start[k]) / dt;
        gap += (double)normal[k] * ((double)start[k] - (double)world[k]);
    }
    /* The plane is normal.x = start - gap; the point may not go below it. */
    point->least = point->rebound = -gap / dt;
    *depth = -gap;
    for (int k = 0; k < 3; ++k)
        *depth -= point->normal[k] * ((double)goal[k] - (double)start[k]);
    const struct rigid *r = &world_rigids(w)[slot];
    double v[6], there[3];
    memcpy(v, r->velocity, sizeof r->velocity);
    rigid_spin(r, now->turned, r->momentum, v + 3);
    spatial_at(v, point->arm, there);
    for (int k = 0; k < 3; ++k)
        before += point->normal[k] * (there[k] - point->carried[k]);
    const float e = own->restitution > shape.restitution ? own->restitution : shape.restitution;
    const double rebound = -(double)e * before + dot3(point->normal, point->carried);
    if (e > 0 && *depth > 0 && before < -RESTING * sqrt(dot3(now->pulled, now->pulled)) &&
        rebound > point->least)
        point->rebound = rebound;
    float friction[2];
    friction_between(solid_friction(&world_colliders(w)[slot]), solid_friction(m->collider),
                     w->desc.contact_friction, friction);
    point->friction_static = (double)friction[0];
    point->friction_kinetic = (double)friction[1];
}

/* Keeps the deepest. */
static void keep_point(struct rigid_now *now, double depths[RIGID_POINTS],
                       const struct rigid_point *point, double depth)
{
    uint32_t at = now->points;
    if (at == RIGID_POINTS) {
        at = 0;
        for (uint32_t i = 1; i < RIGID_POINTS; ++i)
            at = depths[i] < depths[at] ? i : at;
        if (!(depth > depths[at]))
            return;
    } else {
        ++now->points;
    }
    now->point[at] = *point;
    depths[at] = depth;
}

void rigid_walls_list(const piola_world *w)
{
    uint32_t *walls = world_rigid_walls(w), count = 0;
    for (uint32_t c = 0; c < collider_end(w); ++c) {
        const struct collider *wall = &world_colliders(w)[c];
        if (!rigid_is(w, c) && (wall->flags & (COLLIDER_ALIVE | COLLIDER_SENSOR)) == COLLIDER_ALIVE)
            walls[++count] = c;
    }
    walls[0] = count;
}

/* So far from one that stands still that no point of it would be kept: a middle tells for all. */
static bool surely_far(const struct step *step, uint32_t slot, const struct form *own,
                       const struct collide_moving *m)
{
    const struct rigid_now *now = &world_rigid_now(step->world)[slot];
    const float ball = collider_ball(own) + own->shape->margin;
    const double dt = (double)step->dt, way = dt * sqrt(dot3(now->sent, now->sent));
    float middle[3], local[3];
    if (!same_bytes(m->from, m->to, sizeof *m->from) || !(ball < INFINITY))
        return false;
    for (int k = 0; k < 3; ++k)
        middle[k] = (float)now->begin[k];
    pose_in(m->from, middle, local);
    /* Points turn about it, and go on. A hundredth is for those that are kept without reason. */
    const double near = 1.01 * ((double)ball + (double)m->collider->shape.margin) + 3 * way + 0.02;
    return (double)shape_distance(&m->form, local, NULL) > near;
}

void rigid_points_find(const struct step *step, uint32_t slot)
{
    const piola_world *w = step->world;
    struct rigid_now *now = &world_rigid_now(w)[slot];
    const struct form own = world_form(w, &world_colliders(w)[slot]);
    const uint32_t count = points_of(&own);
    double depths[RIGID_POINTS] = {0}, heading[4];
    rigid_heading(&world_rigids(w)[slot], now, (double)step->dt, heading);
    for (uint32_t wall = 1; wall <= world_rigid_walls(w)[0]; ++wall) {
        const uint32_t c = world_rigid_walls(w)[wall];
        const struct collide_moving m = collide_moving_of(w, c, step->substep);
        if (!filters_meet(solid_filter(w, m.collider),
                          solid_filter(w, &world_colliders(w)[slot])) ||
            (count > 1 && surely_far(step, slot, &own, &m)))
            continue;
        for (uint32_t i = 0; i < count; ++i) {
            struct rigid_point point = {.collider = c};
            double depth;
            float local[3];
            point_of(&own, i, local);
            find_point(step, slot, local, heading, &m, &point, &depth);
            /* Bodies that it meets may push it as far again as it was going by itself. */
            const double way = (double)step->dt * sqrt(dot3(now->sent, now->sent));
            if (depth > -2 * way - 0.01)
                keep_point(now, depths, &point, depth);
        }
    }
}

/* Directions of a point, and how the body answers an impulse along each. */
struct answer {
    double direction[3][3], gained[3][6], give[3];
};

static void prepare(const struct rigid_point *p, const double mass[6][6], struct answer *a)
{
    const double *n = p->normal;
    const int least = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0
                      : fabs(n[1]) <= fabs(n[2])                           ? 1
                                                                           : 2;
    double axis[3] = {0, 0, 0};
    axis[least] = 1;
    memcpy(a->direction[0], n, sizeof a->direction[0]);
    cross3(n, axis, a->direction[1]);
    const double size = sqrt(dot3(a->direction[1], a->direction[1]));
    for (int k = 0; k < 3; ++k)
        a->direction[1][k] /= size;
    cross3(n, a->direction[1], a->direction[2]);
    for (int d = 0; d < 3; ++d) {
        double there[3];
        memcpy(a->gained[d], a->direction[d], sizeof a->direction[d]);
        cross3(p->arm, a->direction[d], a->gained[d] + 3);
        spatial_back(mass, a->gained[d]);
        spatial_at(a->gained[d], p->arm, there);
        a->give[d] = dot3(there, a->direction[d]);
    }
}

static void push(const struct answer *a, int d, double impulse, double v[6])
{
    for (int i = 0; i < 6; ++i)
        v[i] += impulse * a->gained[d][i];
}

/* A velocity, the impulses that led to it, and the work that they did: less than 0 where energy was
 * lost. */
struct outcome {
    double v[6], impulse[RIGID_POINTS][3], work;
};

/* One visit of one point: its normal impulse, then friction within Coulomb's cone. */
static void visit(const struct rigid_point *p, const struct answer *a, double least,
                  struct outcome *o, uint32_t i)
{
    double there[3], wanted[3], slip[3], *v = o->v, *impulse = o->impulse[i];
    spatial_at(v, p->arm, there);
    double normal = impulse[0] + (least - dot3(a->direction[0], there)) / a->give[0];
    normal = normal > 0 ? normal : 0;
    push(a, 0, normal - impulse[0], v);
    impulse[0] = normal;
    spatial_at(v, p->arm, there);
    for (int k = 0; k < 3; ++k)
        slip[k] = there[k] - p->carried[k];
    for (int d = 1; d < 3; ++d)
        wanted[d] = impulse[d] - dot3(a->direction[d], slip) / a->give[d];
    const double size = sqrt(wanted[1] * wanted[1] + wanted[2] * wanted[2]);
    const double share = size <= p->friction_static * normal ? 1
                         : size > 0                          ? p->friction_kinetic * normal / size
                                                             : 0;
    for (int d = 1; d < 3; ++d) {
        push(a, d, share * wanted[d] - impulse[d], v);
        impulse[d] = share * wanted[d];
    }
}

/* Of impulses that act evenly while the velocity changes; without what gravity has just added to
 * it, for the way down that pays for that is not gone yet. A collider that moves may push as hard
 * as it likes, so only what goes beyond its own way counts. */
static double work_of(const struct rigid_now *now, const struct answer *answers,
                      const double begin[6], const struct outcome *o)
{
    double sum = 0, middle[6];
    for (int i = 0; i < 6; ++i)
        middle[i] = 0.5 * (begin[i] - (i < 3 ? now->pulled[i] : 0) + o->v[i]);
    for (uint32_t i = 0; i < now->points; ++i) {
        double there[3];
        spatial_at(middle, now->point[i].arm, there);
        for (int k = 0; k < 3; ++k)
            there[k] -= now->point[i].carried[k];
        for (int d = 0; d < 3; ++d)
            sum += o->impulse[i][d] * dot3(answers[i].direction[d], there);
    }
    return sum;
}

static void settle(const struct rigid_now *now, const struct answer *answers, bool bounce,
                   const double begin[6], struct outcome *o)
{
    memset(o, 0, sizeof *o);
    memcpy(o->v, begin, sizeof o->v);
    for (int round = 0; round < ROUNDS; ++round)
        for (uint32_t i = 0; i < now->points; ++i)
            visit(&now->point[i], &answers[i], bounce ? now->point[i].rebound : now->point[i].least,
                  o, i);
    o->work = work_of(now, answers, begin, o);
}

static void mix(const struct outcome *dull, const struct outcome *bright, double share,
                struct outcome *out)
{
    for (int i = 0; i < 6; ++i)
        out->v[i] = dull->v[i] + share * (bright->v[i] - dull->v[i]);
    for (uint32_t i = 0; i < RIGID_POINTS; ++i)
        for (int d = 0; d < 3; ++d)
            out->impulse[i][d] =
                dull->impulse[i][d] + share * (bright->impulse[i][d] - dull->impulse[i][d]);
}

/* Points that each leave as fast as they came, with friction or several at a time, may have more
 * energy together than they brought. Without restitution they lose some, and between the two all
 * mixtures keep out and keep to friction: the one that gives none is taken. */
static void restrain(const struct rigid_now *now, const struct answer *answers,
                     const double begin[6], struct outcome *o)
{
    struct outcome dull, half;
    settle(now, answers, false, begin, &dull);
    mix(&dull, o, 0.5, &half);
    /* The work is a quadratic of the share: from its values at 0, 1/2 and 1. */
    const double middle = work_of(now, answers, begin, &half);
    const double c = 2 * (dull.work + o->work - 2 * middle), b = o->work - dull.work - c;
    const double square = b * b - 4 * dull.work * c;
    const double under = b + sqrt(square > 0 ? square : 0);
    double share = dull.work < 0 && under > 0 ? -2 * dull.work / under : 0;
    share = share < 1 ? share : 1;
    mix(&dull, o, share, o);
}

void rigid_points_press(struct rigid_now *now, const double mass[6][6], double v[6])
{
    struct answer answers[RIGID_POINTS] = {0};
    struct outcome o;
    bool bounce = false;
    for (uint32_t i = 0; i < now->points; ++i) {
        prepare(&now->point[i], mass, &answers[i]);
        bounce = bounce || now->point[i].rebound > now->point[i].least;
    }
    settle(now, answers, true, v, &o);
    if (bounce && o.work > 0)
        restrain(now, answers, v, &o);
    memcpy(v, o.v, sizeof o.v);
    for (uint32_t i = 0; i < now->points; ++i) {
        const double(*along)[3] = answers[i].direction, *size = o.impulse[i];
        now->stopped |= size[0] > 0;
        for (int k = 0; k < 3; ++k)
            now->point[i].impulse[k] =
                size[0] * along[0][k] + size[1] * along[1][k] + size[2] * along[2][k];
    }
}
