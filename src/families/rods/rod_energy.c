/* rod_energy.c - what rods hold, and the equations of one correction.
 *
 * A segment from a to b with the turn R has the strain G = R^T (b - a) / l - e3 and holds
 * l / 2 G^T S G, with S = kappa G A, kappa G A, E A. A joint between the axes A and B has u = 2
 * Im(A^-1 B), for small angles the angle, and holds u^T K u / 2, with K = E I / l', E I / l', G J /
 * l'. Clamped ends are joints to what stands still, with half a segment's length; inertia of turns
 * is one to where their spins would lead.
 *
 * The system is Newton's, but for one thing: the stiffness that tensions give is taken of tensions
 * as the last correction foresaw them, not of those that rods have where they are now. On the way
 * to balance these are far too large, of stiff rods by orders of magnitude: corrections then would
 * creep along a curved valley. With foreseen ones few corrections suffice, whatever the stiffness.
 */
#include "families/rods/rod_turn.h"
#include "families/rods/rods.h"

#include "motion/external.h"

/* ---- strains ---- */

struct stretch_strain {
    double r[3][3], c[3], strain[3]; /* c: (b - a) / l, in the segment's axes */
};

static void stretch_of(const struct rod_segment *s, const double a[3], const double b[3],
                       const double q[4], struct stretch_strain *out)
{
    double d[3];
    turn_matrix(q, out->r);
    for (unsigned k = 0; k < 3; k++)
        d[k] = (b[k] - a[k]) / (double)s->length;
    back3((const double(*)[3])out->r, d, out->c);
    memcpy(out->strain, out->c, sizeof out->strain);
    out->strain[2] -= 1;
}

static double stretch_energy(const struct rod_segment *s, const double a[3], const double b[3],
                             const double q[4])
{
    struct stretch_strain g;
    double sum = 0;
    stretch_of(s, a, b, q, &g);
    for (unsigned k = 0; k < 3; k++)
        sum += (double)s->stretch[k] * g.strain[k] * g.strain[k];
    return sum * (double)s->length / 2;
}

/* Axes of a joint, seen from one of its segments. */
static void joint_axes(const struct rod_joint *j, unsigned side, const double q[4], double axes[4])
{
    double frame[4];
    turn_load(j->frame[side], frame);
    rotation_join(q, frame, axes);
}

static double bend_energy(const double stiffness[3], const double a[4], const double b[4])
{
    double p[4], sum = 0;
    turn_between(a, b, p);
    for (unsigned k = 0; k < 3; k++)
        sum += stiffness[k] * 4 * p[k] * p[k];
    return sum / 2;
}

static void joint_stiffness(const struct rod_joint *j, double stiffness[3])
{
    for (unsigned k = 0; k < 3; k++)
        stiffness[k] = (double)j->stiffness[k];
}

/* The axes that a clamped end would have its segment take, and how stiff it is. */
static void clamp_axes(const struct rods *r, uint32_t segment, unsigned end, double axes[4],
                       double stiffness[3])
{
    const struct rod_segment *s = &r->segment[segment];
    double rest[4], held[4];
    turn_load(s->rest, rest);
    turn_load(r->clamp[segment].at[end], held);
    rotation_join(held, rest, axes);
    rotation_unit(axes);
    for (unsigned k = 0; k < 3; k++)
        stiffness[k] = 2 * (double)s->bend[k] / (double)s->length;
}

static double clamps_energy(const struct rods *r, uint32_t segment, const double q[4])
{
    double sum = 0;
    for (unsigned end = 0; end < 2; end++) {
        double axes[4], stiffness[3];
        if (!rod_clamped(&r->clamp[segment], end))
            continue;
        clamp_axes(r, segment, end, axes, stiffness);
        sum += bend_energy(stiffness, axes, q);
    }
    return sum;
}

/* ---- the system ---- */

static void add_on(const struct rods *r, uint32_t node, const double m[3][3])
{
    double *on = r->node[node].on;
    for (unsigned k = 0; k < 3; k++) {
        const unsigned i = (k + 1) % 3, j = (k + 2) % 3;
        on[k] += m[k][k];
        on[3 + k] += (m[i][j] + m[j][i]) / 2;
    }
}

/* Rows of a, columns of b. */
static void add_block(const struct rods *r, uint32_t a, uint32_t b, const double m[3][3],
                      double sign)
{
    const uint32_t p = r->place[a].place, q = r->place[b].place;
    const uint32_t low = p < q ? p : q, high = p < q ? q : p;
    uint32_t at = r->place[low].first;
    while (at < r->place[low + 1].first && r->later[at] != high)
        at++;
    for (unsigned i = 0; i < 3 && at < r->place[low + 1].first; i++)
        for (unsigned k = 0; k < 3; k++)
            r->block[at].value[i][k] += sign * (p < q ? m[i][k] : m[k][i]);
}

static void take_left(const struct rods *r, uint32_t node, const double gradient[3], double sign)
{
    for (unsigned k = 0; k < 3; k++)
        r->node[node].left[k] -= sign * gradient[k];
}

/* How stiff what touches a point finds it: it bends away, and is pulled straight. */
static void hold_points(const struct rods *r, const struct rod_segment *s, double tension)
{
    const double l = (double)s->length;
    const double k = 24 * (double)s->bend[0] / (l * l * l) + (tension > 0 ? 2 * tension / l : 0);
    for (unsigned end = 0; end < 2; end++) {
        const uint32_t i = s->end[end];
        const bool guided = r->level.guides && r->level.guides[i].w != 0;
        r->level.pulls[i] += (float)(guided ? 1e4 * (double)s->stretch[2] / l : k);
    }
}

static void add_segment(const struct rods *r, uint32_t i, bool tensions)
{
    const struct rod_segment *s = &r->segment[i];
    const uint32_t a = s->end[0], b = s->end[1], q = r->points + i;
    const double l = (double)s->length,
                 t[3] = {(double)r->force[i].x, (double)r->force[i].y, (double)r->force[i].z};
    struct stretch_strain g;
    double n[3], f[3], turned[3], c[3][3], sc[3][3], rs[3][3], m[3][3];
    stretch_of(s, r->node[a].at, r->node[b].at, r->node[q].at, &g);
    cross_matrix(g.c, c);
    for (unsigned k = 0; k < 3; k++) {
        n[k] = (double)s->stretch[k] * g.strain[k];
        for (unsigned j = 0; j < 3; j++) {
            sc[k][j] = (double)s->stretch[k] * c[k][j];
            rs[j][k] = g.r[j][k] * (double)s->stretch[k] / l;
        }
    }
    times3((const double(*)[3])g.r, n, f);
    cross3(n, g.c, turned);
    take_left(r, b, f, 1);
    take_left(r, a, f, -1);
    take_left(r, q, turned, l);
    product3_back((const double(*)[3])rs, (const double(*)[3])g.r, m);
    add_on(r, a, (const double(*)[3])m);
    add_on(r, b, (const double(*)[3])m);
    add_block(r, a, b, (const double(*)[3])m, -1);
    double inner[3][3], tc = dot3(t, g.c), cross[3][3];
    for (unsigned k = 0; k < 3; k++)
        for (unsigned j = 0; j < 3; j++) {
            inner[k][j] = 0;
            for (unsigned e = 0; e < 3; e++)
                inner[k][j] += l * c[e][k] * sc[e][j];
            if (tensions)
                inner[k][j] += l * ((t[k] * g.c[j] + g.c[k] * t[j]) / 2 - (k == j ? tc : 0));
        }
    add_on(r, q, (const double(*)[3])inner);
    cross_matrix(t, cross);
    for (unsigned k = 0; k < 3; k++)
        for (unsigned j = 0; j < 3; j++)
            sc[k][j] -= tensions ? cross[k][j] : 0;
    product3((const double(*)[3])g.r, (const double(*)[3])sc, m);
    add_block(r, b, q, (const double(*)[3])m, 1);
    add_block(r, a, q, (const double(*)[3])m, -1);
    hold_points(r, s, t[2]);
}

/* What of a joint both its sides share. */
struct bend_strain {
    double w, u[3], m[3];
    double g[2][3][3]; /* u's slopes with turns of both sides, in the joint's axes */
};

static void bend_of(const double stiffness[3], const double a[4], const double b[4],
                    struct bend_strain *out)
{
    double p[4];
    turn_between(a, b, p);
    out->w = p[3];
    for (unsigned k = 0; k < 3; k++) {
        out->u[k] = 2 * p[k];
        out->m[k] = stiffness[k] * out->u[k];
    }
    double half[3][3];
    cross_matrix(p, half);
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 3; k++) {
            out->g[0][i][k] = half[i][k] - (i == k ? out->w : 0);
            out->g[1][i][k] = half[i][k] + (i == k ? out->w : 0);
        }
}

/* g_i^T K g_k, and with it the slope of the slopes. */
static void bend_block(const struct bend_strain *s, const double stiffness[3], unsigned first,
                       unsigned second, bool exact, double m[3][3])
{
    double cross[3][3];
    const double mu = dot3(s->m, s->u);
    cross_matrix(s->m, cross);
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 3; k++) {
            m[i][k] = 0;
            for (unsigned e = 0; e < 3; e++)
                m[i][k] += s->g[first][e][i] * stiffness[e] * s->g[second][e][k];
            if (exact && first == second)
                m[i][k] -= i == k ? mu / 4 : 0;
            else if (exact)
                m[i][k] += (s->w * cross[i][k] +
                            (s->m[i] * s->u[k] + s->u[i] * s->m[k] - (i == k ? mu : 0)) / 2) /
                           2;
        }
}

/* frame m frame^T */
static void turn_block(const double from[3][3], const double to[3][3], double m[3][3])
{
    double half[3][3];
    product3_back((const double(*)[3])m, to, half);
    product3(from, (const double(*)[3])half, m);
}

static void add_joint(const struct rods *r, const struct rod_joint *j, bool exact)
{
    double axes[2][4], frame[2][3][3], stiffness[3], m[3][3], q[4];
    const uint32_t node[2] = {r->points + j->segment[0], r->points + j->segment[1]};
    struct bend_strain s;
    for (unsigned side = 0; side < 2; side++) {
        turn_load(j->frame[side], q);
        turn_matrix(q, frame[side]);
        joint_axes(j, side, r->node[node[side]].at, axes[side]);
    }
    joint_stiffness(j, stiffness);
    bend_of(stiffness, axes[0], axes[1], &s);
    for (unsigned side = 0; side < 2; side++) {
        double slope[3];
        back3((const double(*)[3])s.g[side], s.m, slope);
        times3((const double(*)[3])frame[side], slope, slope);
        take_left(r, node[side], slope, 1);
        bend_block(&s, stiffness, side, side, exact, m);
        turn_block((const double(*)[3])frame[side], (const double(*)[3])frame[side], m);
        add_on(r, node[side], (const double(*)[3])m);
    }
    bend_block(&s, stiffness, 0, 1, exact, m);
    turn_block((const double(*)[3])frame[0], (const double(*)[3])frame[1], m);
    add_block(r, node[0], node[1], (const double(*)[3])m, 1);
}

/* A turn held to axes that stand still. */
static void add_held(const struct rods *r, uint32_t node, const double axes[4],
                     const double stiffness[3], bool exact)
{
    struct bend_strain s;
    double slope[3], m[3][3];
    bend_of(stiffness, axes, r->node[node].at, &s);
    back3((const double(*)[3])s.g[1], s.m, slope);
    take_left(r, node, slope, 1);
    bend_block(&s, stiffness, 1, 1, exact, m);
    add_on(r, node, (const double(*)[3])m);
}

static void turn_inertia(const struct rods *r, uint32_t segment, double stiffness[3])
{
    for (unsigned k = 0; k < 3; k++)
        stiffness[k] = r->turning * (double)r->segment[segment].inertia[k];
}

static void add_turn(const struct rods *r, uint32_t segment, bool exact)
{
    const uint32_t node = r->points + segment;
    double stiffness[3], axes[4];
    turn_inertia(r, segment, stiffness);
    add_held(r, node, r->node[node].goal, stiffness, false);
    for (unsigned end = 0; end < 2; end++) {
        if (!rod_clamped(&r->clamp[segment], end))
            continue;
        clamp_axes(r, segment, end, axes, stiffness);
        add_held(r, node, axes, stiffness, exact);
    }
}

void rods_load_of(const struct rods *r, uint32_t point, struct rod_load *load)
{
    const struct pk_quad *pull = &r->level.move[point];
    const bool acted_on = r->level.external || r->level.guides || r->level.solve.touching;
    *load = (struct rod_load){.pull = {pull->x, pull->y, pull->z}};
    if (acted_on && r->level.x[point].w > 0)
        (void)coarse_held(&r->level, point, load->held);
}

/* Inertia, and what acts from outside. */
static void add_point(const struct rods *r, uint32_t i)
{
    struct rod_node *p = &r->node[i];
    const double mass = r->inertia * (double)asset_mass(r->level.asset)[i];
    struct rod_load *load = &r->load[i];
    rods_load_of(r, i, load);
    for (unsigned k = 0; k < 3; k++) {
        p->left[k] -= mass * (p->at[k] - p->goal[k]) + (double)load->pull[k];
        p->on[k] += mass + load->held[k];
        p->on[3 + k] += load->held[3 + k];
    }
}

void rods_find_pulls(const struct rods *r)
{
    for (uint32_t i = 0; i < r->points; i++) {
        float pull[3];
        external_pull(r->level.step->world, r->level.body, i, pull);
        r->level.move[i] = (struct pk_quad){pull[0], pull[1], pull[2], 0};
    }
    coarse_add_presses(&r->level);
}

void rods_make(const struct rods *r, bool tensions)
{
    const uint32_t nodes = r->points + r->segments;
    memset(r->block, 0, r->place[nodes].first * sizeof *r->block);
    memset(r->level.pulls, 0, r->points * sizeof *r->level.pulls);
    for (uint32_t i = 0; i < nodes; i++) {
        memset(r->node[i].on, 0, sizeof r->node[i].on);
        memset(r->node[i].left, 0, sizeof r->node[i].left);
    }
    for (uint32_t i = 0; i < r->segments; i++)
        add_segment(r, i, tensions);
    for (uint32_t i = 0; i < r->joints; i++)
        add_joint(r, &r->joint[i], tensions);
    for (uint32_t i = 0; i < r->segments; i++)
        add_turn(r, i, tensions);
    rods_find_pulls(r);
    for (uint32_t i = 0; i < r->points; i++)
        add_point(r, i);
}

/* ---- energies ---- */

/* Of points with inertia, where an outer pull and what holds the point are those of its place in
 * the world. */
static double point_energy(const struct rods *r, uint32_t i, const double at[3])
{
    const double mass = r->inertia * (double)asset_mass(r->level.asset)[i];
    const double *held = r->load[i].held;
    double base[3], sum = 0, d[3];
    quad_load(&r->level.x[i], base);
    for (unsigned k = 0; k < 3; k++) {
        const double off = at[k] - r->node[i].goal[k];
        d[k] = at[k] - base[k];
        sum += mass * off * off / 2 + ((double)r->load[i].pull[k] + held[k] * d[k] / 2) * d[k];
    }
    return sum + held[3] * d[1] * d[2] + held[4] * d[0] * d[2] + held[5] * d[0] * d[1];
}

double rods_objective(const struct rods *r, bool best)
{
    double sum = 0;
#define AT(i) (best ? r->node[i].best : r->node[i].at)
    for (uint32_t i = 0; i < r->points; i++)
        sum += r->level.x[i].w > 0 ? point_energy(r, i, AT(i)) : 0;
    for (uint32_t i = 0; i < r->segments; i++) {
        const struct rod_segment *s = &r->segment[i];
        const uint32_t q = r->points + i;
        double stiffness[3];
        turn_inertia(r, i, stiffness);
        sum += stretch_energy(s, AT(s->end[0]), AT(s->end[1]), AT(q)) + clamps_energy(r, i, AT(q)) +
               bend_energy(stiffness, r->node[q].goal, AT(q));
    }
    for (uint32_t i = 0; i < r->joints; i++) {
        const struct rod_joint *j = &r->joint[i];
        double a[4], b[4], stiffness[3];
        joint_stiffness(j, stiffness);
        joint_axes(j, 0, AT(r->points + j->segment[0]), a);
        joint_axes(j, 1, AT(r->points + j->segment[1]), b);
        sum += bend_energy(stiffness, a, b);
    }
#undef AT
    return sum;
}

/* The axes of a joint as the world has them. */
static void world_axes(const struct rods *r, const struct rod_joint *j, double a[4], double b[4])
{
    double q[4];
    turn_of(&r->turn[j->segment[0]], q);
    joint_axes(j, 0, q, a);
    turn_of(&r->turn[j->segment[1]], q);
    joint_axes(j, 1, q, b);
}

double rods_energy(const struct rods *r)
{
    double sum = 0;
    for (uint32_t i = 0; i < r->segments; i++) {
        const struct rod_segment *s = &r->segment[i];
        double a[3], b[3], q[4];
        quad_load(&r->level.x[s->end[0]], a);
        quad_load(&r->level.x[s->end[1]], b);
        turn_of(&r->turn[i], q);
        sum += stretch_energy(s, a, b, q) + clamps_energy(r, i, q);
    }
    for (uint32_t i = 0; i < r->joints; i++) {
        double a[4], b[4], stiffness[3];
        joint_stiffness(&r->joint[i], stiffness);
        world_axes(r, &r->joint[i], a, b);
        sum += bend_energy(stiffness, a, b);
    }
    return sum;
}

void rods_joint_moment(const struct rods *r, uint32_t joint, double moment[3])
{
    double a[4], b[4], stiffness[3];
    struct bend_strain s;
    joint_stiffness(&r->joint[joint], stiffness);
    world_axes(r, &r->joint[joint], a, b);
    bend_of(stiffness, a, b, &s);
    back3((const double(*)[3])s.g[1], s.m, moment);
}

void rods_clamp_moment(const struct rods *r, uint32_t segment, unsigned end, double moment[3])
{
    double axes[4], stiffness[3], q[4];
    struct bend_strain s;
    turn_of(&r->turn[segment], q);
    clamp_axes(r, segment, end, axes, stiffness);
    bend_of(stiffness, axes, q, &s);
    back3((const double(*)[3])s.g[1], s.m, moment);
}

void rods_pull_on(const struct rods *r, double share)
{
    for (uint32_t i = 0; i < r->segments; i++) {
        const struct rod_segment *s = &r->segment[i];
        const struct rod_node *a = &r->node[s->end[0]], *b = &r->node[s->end[1]],
                              *q = rod_turn(r, i);
        struct stretch_strain g;
        double d[3], beside[3], by[3];
        stretch_of(s, a->at, b->at, q->at, &g);
        for (unsigned k = 0; k < 3; k++)
            d[k] = (b->way[k] - a->way[k]) / (double)s->length;
        back3((const double(*)[3])g.r, d, by);
        cross3(g.c, q->way, beside);
        for (unsigned k = 0; k < 3; k++)
            by[k] = (double)s->stretch[k] * (g.strain[k] + share * (by[k] + beside[k]));
        r->force[i] = (struct pk_quad){(float)by[0], (float)by[1], (float)by[2], 0};
    }
}
