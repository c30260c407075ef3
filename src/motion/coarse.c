/* coarse.c - one correction of a body by its coarse level.
 *
 * With the gradient g of the objective G at x and the body's cage P, solves A u = -P^T g and moves
 * x by P u, or by the share of it at which the slope of G along P u is nearest to zero. A is
 * Galerkin's: the rest stiffness of groups of elements, turned as they are, mass over dt^2, and a
 * block for each particle that something holds: a pin, an attachment or a contact (external.h), a
 * collider. Pinned particles do not move with the cage; what presses on a plane must not move along
 * its normal, and the force that it pressed with in the last sweep is a load. What is guided moves
 * only where its guide leaves it.
 */
#include "motion/coarse_level.h"

#include "compile/coarse_plan.h"
#include "motion/external.h"
#include "motion/solve.h"
#include "world/guides.h"

#include <math.h>
#include <string.h>

/* Sweeps from one correction to the next. */
#define PERIOD 3u
/* Numbers of a symmetric 3 x 3 block. */
#define ENTRIES 6u
/* Looks along a correction, the slope that is left at a share that will do, and the largest share.
 */
#define LOOKS 3
#define STEEP 0.5
/* The same of sheets, which stiffen along the way: between two looks of different sign is less. */
#define STEEP_SHEET 2.0
#define MOST        1.5
/* Times that a correction is solved for anew, with planes that it met or left. */
#define ROUNDS 2
/* Shares that show a matrix to be right. */
#define TRUST_LEAST 0.8
#define TRUST_MOST  1.25
/* The most that F of a group may be off the turn that the matrix has. */
#define FITS 0.1F

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

/* The body's streams of external.h, or null where nothing acts: then they change no bit. */
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
    l.turns = (struct pk_coarse_turns *)(void *)(l.inverse + 2 * rows);
    if (asset->at.tet_packs.count == 0) {
        l.resists = l.inverse + rows;
        l.turns = (struct pk_coarse_turns *)(void *)(l.resists + 2 * rows);
        l.pulls = (float *)(void *)(l.turns + asset->at.coarse_frames.count);
    }
    return l;
}
/* ---- gradient and slope ---- */

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
    k->coarse_assemble(&(struct pk_assemble_job){.pairs = asset_coarse_pairs(asset),
                                                 .blocks = asset_coarse_blocks(asset),
                                                 .turns = l->turns,
                                                 .nodes = l->nodes,
                                                 .resists = l->resists,
                                                 .matrix = l->matrix,
                                                 .count = (uint32_t)asset->at.coarse_pairs.count,
                                                 .node_count = l->head->nodes,
                                                 .scale = stiffening_of(l),
                                                 .inertia = l->solve.inertia});
    coarse_hold(l);
    k->coarse_factor(l->matrix, l->nodes, l->head->nodes, l->inverse);
}

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
        struct pk_element_job job = solve_job(&w, KIND_TET, at, end);
        job.force = l->move;
        k->coarse_forces(&job);
        at += job.count;
    }
    k->coarse_balance(
        &(struct pk_balance_job){.x = l->x,
                                 .target = world_target(l->step->world) + l->body->first,
                                 .external = l->external,
                                 .force = l->move,
                                 .solve = &l->solve,
                                 .count = l->body->count,
                                 .stride = l->body->count});
}

/* What the vertices around each node resist in the mean. */
static void find_resistance(const struct level *l)
{
    const struct piola_asset *asset = l->asset;
    const uint32_t nodes = l->head->nodes;
    memset(l->resists, 0, ENTRIES * nodes * sizeof *l->resists);
    for (uint32_t k = 0; k < ENTRIES; k++) {
        double *of = l->resists + k * nodes;
        l->step->kernels->coarse_gather(l->pulls + k * l->body->count, asset_cage_packs(asset),
                                        (uint32_t)asset->at.cage_packs.count, of);
        for (uint32_t i = 0; i < nodes; i++)
            of[i] = l->nodes[i].strings > 0 ? of[i] / (double)l->nodes[i].strings : 0;
    }
}

static void pull_of_sheets(const struct level *l)
{
    const struct work w = work_of(l);
    struct pk_descent_job job = job_of(&w);
    job.gradient = l->move;
    job.resists = l->pulls;
    solve_vertices(&w, &job);
    find_resistance(l);
}

static void find_gradient(const struct level *l)
{
    if (l->resists)
        pull_of_sheets(l);
    else
        pull_of_tets(l);
    coarse_add_presses(l);
    guides_confine(l->step->world, l->body, l->move);
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
    return total(lanes) + coarse_slope_of_presses(l, share);
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
    return asset->at.visits_snh.count > 0 && !l->guides && !carried(l->step->world, l->body) &&
           l->step->kernels->coarse_strain(l->x, asset_coarse_frames(asset),
                                           (uint32_t)asset->at.coarse_frames.count,
                                           l->turns) < FITS;
}

/* A group has turned since the matrix was made: solved for with it, the body would be stretched. */
static bool turned(const struct level *l)
{
    return !(l->step->kernels->coarse_turned(l->x, asset_coarse_frames(l->asset),
                                             (uint32_t)l->asset->at.coarse_frames.count,
                                             l->turns) < FITS);
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
    return *l->share > TRUST_LEAST && *l->share < TRUST_MOST && !turned(l);
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
        if (slope <= (l->resists ? -STEEP_SHEET : -STEEP) * first)
            return;
    }
    *l->share = 0;
    move_by(l, -at);
}

/* Of a sheet sweeps and corrections take turns: what sweeps have left is smooth enough for its
 * cage, and what a correction folds needs one. Where colliders are near, the last correction comes
 * before the last sweep: what presses on planes must be known to it, and what it leaves inside must
 * be led out. */
static bool due(const piola_world *world, const struct level *l, uint32_t iteration)
{
    const uint32_t iterations = world->desc.iterations;
    if (l->resists)
        return iteration % 2 == 1 || iterations == 1;
    if (!l->solve.touching)
        return iteration % PERIOD == 0;
    return iteration > 0 && (iterations - 1 - iteration) % PERIOD == 0;
}

/* Finds u; returns the slope of the objective along it, N m. */
static double solve_level(const struct level *l)
{
    const struct kernels *k = l->step->kernels;
    const size_t rows = 3 * (size_t)l->head->nodes, padded = (rows + 15) / 16 * 16;
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

/* m: how far the fastest vertex goes in a substep, as it came. */
static double way_of(const struct level *l)
{
    const struct pk_quad *v = world_velocity(l->step->world) + l->body->first;
    double most = 0;
    for (uint32_t i = 0; i < l->body->count; i++) {
        double u[3];
        quad_load(&v[i], u);
        const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        most = square > most ? square : most;
    }
    return sqrt(most) * (double)l->step->dt;
}

/* m: how far a node may go. Not farther than the body is long; and where surfaces meet, not farther
 * than they feel each other, and sheets as they went: beyond that the matrix does not know whom it
 * would run into. */
static double farthest(const struct level *l)
{
    const double size = size_of(l);
    if (!carried(l->step->world, l->body))
        return size;
    const double gone = l->resists ? way_of(l) : 0;
    const double felt = (double)l->step->world->desc.contact_thickness + gone;
    return felt < size ? felt : size;
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
    find_gradient(&l);
    if (iteration < PERIOD || l.external || l.solve.touching || turned(&l))
        make_matrix(&l);
    double slope = solve_level(&l);
    for (int round = 0; round < ROUNDS && l.solve.touching && coarse_find_planes(&l); round++) {
        find_gradient(&l);
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
