/* coarse.c - one correction of a body by its coarse level.
 *
 * With the gradient g of the objective G at x and the body's cage P, solves A u = -P^T g and moves
 * x by P u, or by the share of it at which the slope of G along P u is nearest to zero. A is
 * Galerkin's: the rest stiffness of groups of elements, turned as they are, mass over dt^2, and a
 * block for each particle that something holds: a pin, an attachment or a contact (couple.h), a
 * collider. Pinned particles do not move with the cage; what presses on a plane must not move along
 * its normal, and the force that it pressed with in the last sweep is a load. What is guided moves
 * only where its guide leaves it.
 */
#include "motion/coarse.h"

#include "compile/coarse_plan.h"
#include "motion/external.h"
#include "motion/solve.h"
#include "world/guides.h"

#include <math.h>
#include <string.h>

/* Sweeps from one correction to the next. */
#define PERIOD 3u
/* How hard the cage is held where a particle is, in its own stiffness. */
#define HOLD 1.0
/* Looks along a correction, the slope that is left at a share that will do, and the largest share.
 */
#define LOOKS 3
#define STEEP 0.5
#define MOST  1.5
/* Times that a correction is solved for anew, with planes that it met or left. */
#define ROUNDS 2
/* Shares that show a matrix to be right. */
#define TRUST_LEAST 0.8
#define TRUST_MOST  1.25
/* The most that F of a group may be off the turn that the matrix has. */
#define FITS 0.1F

struct level {
    const struct step *step;
    const struct body *body;
    const piola_asset *asset;
    const struct pk_coarse *head;
    const struct pk_coarse_node *nodes;
    struct pk_quad *x, *move; /* move: forces (N), then the way (m) */
    struct pk_solve solve;
    const struct pk_quad *external, *guides;
    double *matrix, *share, *right, *u, *inverse;
    struct pk_coarse_turns *turns;
};

bool coarse_acts(const piola_world *world, const struct body *body)
{
    return world->dim[DIM_coarse].capacity > 0 && world->desc.iterations > 0 &&
           body_asset(world, body)->at.coarse_heads.count > 0 && !untangles(body);
}

/* Surfaces that meet have put their particles where these may go: surface_carry.c. */
static bool carried(const piola_world *world, const struct body *body)
{
    return world->desc.max_contacts > 0 && world_paired(world)[body - world_bodies(world)] != 0;
}

void coarse_begin(const struct step *step, const struct body *body, uint32_t first, uint32_t count)
{
    const piola_world *w = step->world;
    if (!coarse_acts(w, body) || carried(w, body))
        return;
    step->kernels->coarse_begin(world_position(w) + first, world_start(w) + first,
                                world_velocity(w) + first, count, step->dt);
}

/* The body's streams of couple.h, or null where nothing acts: then they change no bit. */
static const struct pk_quad *acting(const piola_world *world, const struct body *body)
{
    const struct pk_quad *extra = external_of(world, body);
    for (uint32_t i = 0; extra && i < 3 * body->count; i++)
        if (extra[i].x != 0 || extra[i].y != 0 || extra[i].z != 0)
            return extra;
    return NULL;
}

static struct level level_of(const struct step *step, const struct body *body)
{
    const piola_world *world = step->world;
    const piola_asset *asset = body_asset(world, body);
    const struct pk_coarse *head = asset_coarse_heads(asset);
    const size_t rows = (3 * (size_t)head->nodes + 15) / 16 * 16;
    double *at = world_coarse(world)[body->first].value;
    struct level l = {
        .step = step,
        .body = body,
        .asset = asset,
        .head = head,
        .nodes = asset_coarse_nodes(asset),
        .x = world_position(world) + body->first,
        .move = world_coarse_step(world) + body->first,
        .solve = solve_parameters(step, body),
        .external = acting(world, body),
        .guides = guides_ways(world, body),
        .matrix = at,
        .share = at + head->matrix,
    };
    l.right = l.share + PK_LANES;
    l.u = l.right + rows;
    l.inverse = l.u + rows;
    l.turns = (struct pk_coarse_turns *)(void *)(l.inverse + rows);
    return l;
}

/* ---- the matrix ---- */

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
    return (double)asset_coarse_stiffness(l->asset)[particle] +
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

/* False when nothing holds it. */
static bool held(const struct level *l, uint32_t particle, struct hold *h)
{
    bool any = false;
    memset(h, 0, sizeof *h);
    if (!(l->x[particle].w > 0)) {
        hold_all(h, HOLD * stiffness_of(l, particle));
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

/* w_i w_j times the block, in the upper half of the matrix. */
static void add_hold(const struct level *l, const struct pk_cage_pack *pack, unsigned lane,
                     const struct hold *h)
{
    static const unsigned char entry[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
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
                    to[b] += w * h->k[entry[a][b]];
        }
    }
}

/* By how much damping and relaxation stiffen the elements in this substep. */
static float stiffening_of(const struct level *l)
{
    return 1 + l->head->damping / l->step->dt + (float)viscoelastic_rate(l->asset, l->step->dt);
}

static void make_matrix(const struct level *l)
{
    const struct kernels *k = l->step->kernels;
    const piola_asset *asset = l->asset;
    const uint32_t frames = (uint32_t)asset->at.coarse_frames.count;
    k->coarse_turn(l->x, asset_coarse_frames(asset), frames, l->turns);
    k->coarse_assemble(asset_coarse_pairs(asset), (uint32_t)asset->at.coarse_pairs.count,
                       asset_coarse_blocks(asset), l->turns, l->nodes, l->head->nodes,
                       stiffening_of(l), l->solve.inertia, l->matrix);
    const bool any = l->body->pins > 0 || l->external || l->guides || l->solve.touching;
    const struct pk_cage_pack *packs = asset_cage_packs(asset);
    for (uint64_t p = 0; any && p < asset->at.cage_packs.count; p++)
        for (unsigned lane = 0; lane < packs[p].count; lane++) {
            struct hold h;
            if (held(l, packs[p].index[lane], &h))
                add_hold(l, &packs[p], lane, &h);
        }
    k->coarse_factor(l->matrix, l->nodes, l->head->nodes, l->inverse);
}

/* ---- gradient and slope ---- */

/* All vertices of the body. */
static struct work work_of(const struct level *l)
{
    const piola_world *world = l->step->world;
    return (struct work){
        .step = l->step,
        .body = l->body,
        .asset = l->asset,
        .x = l->x,
        .start = world_start(world) + l->body->first,
        .plastic = world_plastic(world) + l->body->plastic_first,
        .solve = l->solve,
    };
}

static struct pk_descent_job job_of(const struct work *w)
{
    return solve_vertex_job(w, (struct pk_run){0, (uint32_t)w->asset->at.vertex_packs.count});
}

/* These forces are loads. */
static void add_presses(const struct level *l)
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

/* Notes which planes the solution u meets or leaves. True when that is new. */
static bool find_planes(const struct level *l)
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

/* Of tetrahedra element by element, for what one pushes its corners with must add up to nothing:
 * what each vertex finds for itself does not, to rounding, and that moves stiff bodies. */
static void pull_of_tets(const struct level *l)
{
    const struct kernels *k = l->step->kernels;
    const struct work w = work_of(l);
    const uint32_t end = (uint32_t)l->asset->at.tet_packs.count;
    for (uint32_t i = 0; i < l->body->count; i++)
        l->move[i].x = l->move[i].y = l->move[i].z = 0;
    for (uint32_t at = 0; at < end;) {
        const struct pk_element_job job = solve_job(&w, KIND_TET, at, end);
        k->coarse_forces(l->x, job.start, job.tets, job.cells, job.plastic, job.count, job.material,
                         &l->solve, l->move);
        at += job.count;
    }
    k->coarse_balance(l->x, world_target(l->step->world) + l->body->first, l->external,
                      l->body->count, l->body->count, &l->solve, l->move);
}

static void find_gradient(const struct level *l)
{
    pull_of_tets(l);
    add_presses(l);
    guides_confine(l->step->world, l->body, l->move);
}

static double slope_of_presses(const struct level *l, double share)
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

static double total(double lanes[PK_LANES])
{
    for (unsigned half = PK_LANES / 2; half > 0; half /= 2)
        for (unsigned i = 0; i < half; i++)
            lanes[i] += lanes[i + half];
    return lanes[0];
}

/* N m: the derivative of the objective along the way, where the body is at this share of it. */
static double find_slope(const struct level *l, double share)
{
    const struct work w = work_of(l);
    struct pk_descent_job job = job_of(&w);
    double lanes[PK_LANES] = {0};
    job.way = l->move;
    job.slopes = lanes;
    solve_vertices(&w, &job);
    return total(lanes) + slope_of_presses(l, share);
}

/* ---- the correction ---- */

static void move_by(const struct level *l, double share)
{
    if (share != 0)
        l->step->kernels->coarse_move(l->x, l->move, l->body->count, (float)share);
}

/* Plain bodies need no look where their groups, after the whole way, are still nearly as the matrix
 * has them: it is their elements' own. Nothing that holds them may have changed it. */
static bool fits(const struct level *l)
{
    const piola_asset *asset = l->asset;
    return asset->at.visits_snh.count > 0 && !l->guides &&
           l->step->kernels->coarse_strain(l->x, asset_coarse_frames(asset),
                                           (uint32_t)asset->at.coarse_frames.count,
                                           l->turns) < FITS;
}

/* The matrix is near enough to the elements' own where one look found nearly the whole way best:
 * then the substep's later corrections go without while they get less, but where contacts may have
 * changed it. */
static bool trusted(const struct level *l, uint32_t iteration, double slope)
{
    const bool first = iteration < PERIOD;
    const bool less = first || slope > 0.5 * l->share[1];
    l->share[1] = less ? slope : l->share[1];
    if (!less || l->external || l->solve.touching)
        return false;
    if (first)
        *l->share = fits(l) ? 1 : 0;
    return *l->share > TRUST_LEAST && *l->share < TRUST_MOST;
}

/* From the whole way, which is made, to the share where the slope that was `first` has become
 * small. */
static void search(const struct level *l, double first)
{
    double at = 1;
    l->share[1] = first;
    for (int look = 0; look < LOOKS; look++) {
        const double slope = find_slope(l, at);
        double next = slope > first ? at * first / (first - slope) : MOST * at;
        next = next < MOST * at ? next : MOST * at;
        if (!(slope - slope == 0))
            next = 0.1 * at;
        move_by(l, next - at);
        at = next;
        *l->share = look == 0 ? at : 0;
        if (slope <= -STEEP * first)
            return;
    }
    *l->share = 0;
    move_by(l, -at);
}

/* Where colliders are near, the last correction comes before the last sweep: what presses on planes
 * must be known to it, and what it leaves inside must be led out. */
static bool due(const piola_world *world, const struct level *l, uint32_t iteration)
{
    const uint32_t iterations = world->desc.iterations;
    if (!l->solve.touching)
        return iteration % PERIOD == 0;
    return iteration > 0 && (iterations - 1 - iteration) % PERIOD == 0;
}

/* Finds u; returns the slope of the objective along it, N m. */
static double solve_level(const struct level *l)
{
    const struct kernels *k = l->step->kernels;
    const size_t rows = 3 * (size_t)l->head->nodes, padded = (rows + 15) / 16 * 16;
    find_gradient(l);
    memset(l->right, 0, padded * sizeof *l->right);
    k->coarse_restrict(l->move, asset_cage_packs(l->asset), (uint32_t)l->asset->at.cage_packs.count,
                       l->right);
    for (size_t i = 0; i < padded; i++)
        l->u[i] = -l->right[i];
    k->coarse_solve(l->matrix, l->inverse, l->nodes, l->head->nodes, l->u);
    double slope = 0;
    for (size_t i = 0; i < rows; i++)
        slope += l->right[i] * l->u[i];
    return slope;
}

/* m: across the rest shape, as its groups' frames show it. */
static double size_of(const struct level *l)
{
    const struct pk_quad *rest = asset_rest(l->asset);
    const struct pk_tet_pack *frames = asset_coarse_frames(l->asset);
    const struct pk_quad *from = &rest[frames[0].index[0][0]];
    double size = 0;
    for (uint64_t f = 0; f < l->asset->at.coarse_frames.count; f++)
        for (unsigned i = 0; i < 4; i++)
            for (unsigned lane = 0; lane < PK_LANES; lane++) {
                const struct pk_quad *to = &rest[frames[f].index[i][lane]];
                const double off[3] = {fabs((double)to->x - (double)from->x),
                                       fabs((double)to->y - (double)from->y),
                                       fabs((double)to->z - (double)from->z)};
                for (unsigned k = 0; k < 3; k++)
                    size = off[k] > size ? off[k] : size;
            }
    return size;
}

/* m: how far a node may go. Not farther than the body is long; and where surfaces meet, not farther
 * than they feel each other: beyond that the matrix does not know whom the body would run into. */
static double farthest(const struct level *l)
{
    const double size = size_of(l), felt = (double)l->step->world->desc.contact_thickness;
    return carried(l->step->world, l->body) && felt < size ? felt : size;
}

/* Shortens u, and returns the share that is left of it, 0 when it is not finite. */
static double bound(const struct level *l)
{
    const size_t rows = 3 * (size_t)l->head->nodes;
    double most = 0;
    for (size_t i = 0; i < rows; i++) {
        if (!(l->u[i] - l->u[i] == 0))
            return 0;
        most = fabs(l->u[i]) > most ? fabs(l->u[i]) : most;
    }
    const double size = farthest(l), share = most > size ? size / most : 1;
    for (size_t i = 0; i < rows && share < 1; i++)
        l->u[i] *= share;
    return share;
}

bool coarse_replaces(const struct step *step, const struct body *body, uint32_t iteration)
{
    const piola_world *world = step->world;
    if (iteration == 0 || iteration + 1 >= world->desc.iterations || !coarse_acts(world, body))
        return false;
    const struct level l = level_of(step, body);
    return due(world, &l, iteration);
}

void coarse_correct(const struct step *step, uint32_t index, uint32_t iteration)
{
    const piola_world *world = step->world;
    const struct body *body = &world_bodies(world)[index];
    if (!coarse_acts(world, body))
        return;
    const struct level l = level_of(step, body);
    if (!due(world, &l, iteration))
        return;
    for (uint32_t i = 0; i < body->count; i++)
        l.move[i].w = 0;
    if (iteration < PERIOD)
        l.share[0] = l.share[1] =
            0; /* the first of a substep: what is left of another is not read */
    if (iteration < PERIOD || l.external || l.solve.touching)
        make_matrix(&l);
    double slope = solve_level(&l);
    for (int round = 0; round < ROUNDS && l.solve.touching && find_planes(&l); round++) {
        make_matrix(&l);
        slope = solve_level(&l);
    }
    const double share = bound(&l);
    if (!(slope * share < 0))
        return;
    step->kernels->coarse_prolong(l.x, l.move, asset_cage_packs(l.asset),
                                  (uint32_t)l.asset->at.cage_packs.count, l.u);
    guides_confine(world, body, l.move);
    guides_place(world, body);
    if (!trusted(&l, iteration, slope * share))
        search(&l, slope * share);
}
