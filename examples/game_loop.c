/* A game's loop: frames of any length, steps on the game's own task system, pictures between two
 * steps, and rollback: what another player did arrives some steps late, so the game goes back and
 * steps again. In the end it must be where a machine is that knew everything in time. */
#include <piola/piola.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 120, LATE = 6, RING = 8, BODIES = 4 };

/* ---- the game's task system: here one thread that waits for work ---- */

static struct {
    sem_t call, done;
    piola_work *work;
    void *argument;
} task;

static void *run_tasks(void *nothing)
{
    for (;;) {
        sem_wait(&task.call);
        if (task.work == NULL)
            return nothing;
        task.work(task.argument, 1);
        sem_post(&task.done);
    }
}

static void tasks_start(void *context, piola_work *work, void *argument)
{
    (void)context;
    task.work = work;
    task.argument = argument;
    sem_post(&task.call);
}

/* Returns when the work that was begun is over; here it always is begun. */
static void tasks_finish(void *context)
{
    (void)context;
    sem_wait(&task.done);
}

static const piola_tasks tasks = {.helpers = 1, .start = tasks_start, .finish = tasks_finish};

/* ---- the world ---- */

struct game {
    piola_world *world;
    piola_body body[BODIES];
    void *past[RING]; /* the state before step n is in past[n % RING] */
    size_t room;
};

static void *block(size_t bytes)
{
    void *memory = aligned_alloc(PIOLA_ALIGNMENT,
                                 (bytes + PIOLA_ALIGNMENT - 1) / PIOLA_ALIGNMENT * PIOLA_ALIGNMENT);
    if (memory == NULL)
        exit(EXIT_FAILURE);
    return memory;
}

static void must(piola_status status)
{
    if (status != PIOLA_OK) {
        fprintf(stderr, "game_loop: %s\n", piola_status_text(status));
        exit(EXIT_FAILURE);
    }
}

static const piola_asset *jelly(void)
{
    static const double vertices[] = {0, 0, 0,  .1, 0, 0,  0, .1, 0,  .1, .1, 0,
                                      0, 0, .1, .1, 0, .1, 0, .1, .1, .1, .1, .1};
    static const uint32_t tets[] = {1, 0, 2, 4, 3, 1, 2, 7, 1, 5, 4, 7, 6, 2, 4, 7, 2, 1, 4, 7};
    const piola_material rubber = piola_material_default();
    piola_mesh_desc mesh = piola_mesh_desc_default();
    size_t plan_bytes, asset_bytes;
    piola_plan *plan;
    const piola_asset *asset;
    mesh.vertices = vertices, mesh.vertex_count = 8;
    mesh.tetrahedra = tets, mesh.tetrahedron_count = 5;
    mesh.materials = &rubber, mesh.material_count = 1;
    must(piola_plan_size(&mesh, &plan_bytes, NULL));
    must(piola_asset_plan(&mesh, block(plan_bytes), plan_bytes, &plan, NULL));
    asset_bytes = piola_plan_asset_size(plan);
    must(piola_asset_build(plan, &mesh, block(asset_bytes), asset_bytes, &asset, NULL));
    return asset;
}

static struct game game_make(const piola_asset *asset)
{
    piola_world_desc desc = piola_world_desc_default();
    piola_body_desc body = piola_body_desc_default();
    piola_collider_desc floor = piola_collider_desc_default();
    piola_collider collider;
    struct game game;
    size_t bytes;
    desc.max_colliders = 1;
    desc.max_contacts = 4096;
    desc.max_contact_faces = 12 * BODIES;
    must(piola_world_size(&desc, &bytes, NULL));
    must(piola_world_create(&desc, block(bytes), bytes, &game.world, NULL));
    must(piola_collider_create(game.world, &floor, &collider, NULL));
    body.asset = asset;
    for (int i = 0; i < BODIES; ++i) {
        body.position[1] = 0.05f + 0.15f * (float)i;
        must(piola_body_create(game.world, &body, &game.body[i], NULL));
    }
    game.room = 2 * piola_snapshot_size(game.world); /* it grows with what touches */
    for (int i = 0; i < RING; ++i)
        game.past[i] = block(game.room);
    return game;
}

/* ---- steps ---- */

/* What a player does in a step: now and then a kick. */
static void push_input(struct game *game, int player, int step)
{
    const float kick[3] = {player == 0 ? 0.4f : -0.3f, 1.5f, 0.1f * (float)(step % 5)};
    if (step % 17 == 3 + player)
        must(piola_body_set_velocities(game->world, game->body[(step + player) % BODIES], 0, 1,
                                       kick, NULL));
}

/* One step; `known`: what the other player did in it is here already. */
static void step(struct game *game, int n, bool known)
{
    must(piola_rollback_save(game->world, game->past[n % RING], game->room));
    push_input(game, 0, n);
    if (known)
        push_input(game, 1, n);
    must(piola_world_step(game->world, &tasks, NULL));
}

/* The other player's input of step n - LATE is here: back to before it, and again up to now. */
static void correct(struct game *game, int n)
{
    const int from = n - LATE;
    must(piola_rollback_restore(game->world, game->past[from % RING], game->room));
    step(game, from, true);
    for (int i = from + 1; i <= n; ++i)
        step(game, i, false);
}

/* Frames of any length; the world goes in steps of its own. */
static void play(struct game *game, piola_outputs *outputs)
{
    piola_pacer pacer = piola_pacer_default(0.005f, 4);
    piola_frame frame, before;
    float corner[3];
    for (int n = 1, frames = 0; n <= STEPS; ++frames) {
        uint32_t steps = piola_pacer_frame(&pacer, 0.004 + 0.003 * (frames % 5));
        for (; steps > 0 && n <= STEPS; --steps, ++n) {
            step(game, n, false);
            if (n > LATE)
                correct(game, n);
            must(piola_outputs_publish(outputs, game->world, NULL, 0.005 * n));
        }
        if (n < 3)
            continue;
        /* The thread that draws may be another one. */
        must(piola_outputs_acquire(outputs, 0, &frame, &before));
        must(piola_frame_positions(&frame, &before, frame.time - 0.005 + pacer.ahead, game->body[0],
                                   7, 1, corner, NULL));
        if (frames % 20 == 19)
            printf("drawn: %.3f %.3f %.3f m\n", (double)corner[0], (double)corner[1],
                   (double)corner[2]);
    }
    for (int n = STEPS + 1; n <= STEPS + LATE; ++n) { /* the last inputs arrive */
        step(game, n, false);
        correct(game, n);
    }
}

int main(void)
{
    pthread_t thread;
    piola_outputs_desc desc = piola_outputs_desc_default();
    piola_outputs *outputs;
    size_t bytes;
    sem_init(&task.call, 0, 0);
    sem_init(&task.done, 0, 0);
    if (pthread_create(&thread, NULL, run_tasks, NULL) != 0)
        return EXIT_FAILURE;
    must(piola_outputs_size(&desc, &bytes, NULL));
    must(piola_outputs_create(&desc, block(bytes), bytes, &outputs, NULL));
    const piola_asset *asset = jelly();
    struct game late = game_make(asset), knowing = game_make(asset);
    play(&late, outputs);
    for (int n = 1; n <= STEPS + LATE; ++n)
        step(&knowing, n, n <= STEPS);
    const bool same = piola_world_hash(late.world) == piola_world_hash(knowing.world);
    printf("rolled back %d times: %s\n", STEPS, same ? "the same state" : "ANOTHER STATE");
    task.work = NULL;
    sem_post(&task.call);
    pthread_join(thread, NULL);
    return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
