/* bench_frames.c - the bench `frames`: what has turns, by steps of 5 ms on one thread.
 *
 * `slinky`: a helix of 1,000 segments, 50 iterations, that falls from its held top end and bounces.
 * `millipede`: 261 rigid bodies, 340 joints, 240 motors: a back of 21 boxes, and 40 legs of six
 * hinged bars with a servo each, that walk on a floor; two springs a leg close loops.
 * `chain50`: 50 links by ball joints that swing down from level, the last one 1,000 times as heavy,
 * 20 iterations. Each is measured over the same steps again and again, from the state in which they
 * begin.
 */
#include "bench_scene.h"

#include <math.h>
#include <string.h>

#define DT 5e-3f /* s */

enum { BACK = 21, LEGS = 40, BARS = 6, LINKS = 50, STEPS = 200, SERVOS = LEGS * BARS };

struct stand {
    piola_world *world;
    void *memory, *snapshot;
    size_t snapshot_bytes;
    piola_joint servos[SERVOS];
    struct bench_labels labels;
    struct bench_asset asset; /* of the slinky */
    bool walks;
};

/* ---- what is measured ---- */

static void open_world(struct bench *bench, piola_world_desc *desc, struct stand *stand)
{
    size_t bytes;
    desc->dt = DT;
    desc->substeps = 1;
    desc->isa = bench_widest_isa(bench);
    bench_check(bench, "room", piola_world_size(desc, &bytes, NULL), NULL);
    stand->memory = bench_memory(bench, bytes);
    bench_check(bench, "world", piola_world_create(desc, stand->memory, bytes, &stand->world, NULL),
                NULL);
    stand->labels.threads = 1;
    stand->labels.isa = piola_isa_name(desc->isa);
}

static void open_slinky(struct bench *bench, struct stand *stand)
{
    enum { SEGMENTS = 1000 };
    struct meshgen mesh;
    piola_body body;
    piola_rod rod = piola_rod_default();
    piola_world_desc world = piola_world_desc_default();
    piola_body_desc desc = piola_body_desc_default();
    piola_mesh_desc described = piola_mesh_desc_default();
    if (!meshgen_helix(&mesh, 0.034, 0.141, 83, 0.0008, SEGMENTS))
        bench_fail(bench, "a helix cannot be made");
    rod.radius = (float)mesh.radius;
    rod.young = 2e11f;
    rod.poisson = 0.29f;
    rod.density = 7800;
    described.vertices = mesh.vertices;
    described.vertex_count = mesh.vertex_count;
    described.segments = mesh.links;
    described.segment_count = mesh.link_count;
    described.rods = &rod;
    described.rod_count = 1;
    described.compile_for = PIOLA_COMPILE_FOR_DESCENT;
    bench_asset_compile(bench, &described, &stand->asset);
    bench_check(bench, "room", piola_world_desc_fit(&world, &stand->asset.asset, NULL, 1, NULL),
                NULL);
    world.iterations = 50;
    open_world(bench, &world, stand);
    desc.asset = stand->asset.asset;
    bench_check(bench, "body", piola_body_create(stand->world, &desc, &body, NULL), NULL);
    const double *top = mesh.vertices + 3 * (size_t)SEGMENTS;
    bench_check(bench, "pin",
                piola_body_pin(stand->world, body, SEGMENTS,
                               (const float[]){(float)top[0], (float)top[1], (float)top[2]}),
                NULL);
    bench_check(bench, "clamp",
                piola_body_clamp(stand->world, body, SEGMENTS, (const float[]){0, 0, 0, 1}), NULL);
    stand->labels.bodies = 1;
    stand->labels.particles = stand->asset.stats.particles;
    stand->labels.elements = stand->asset.stats.segments;
    stand->labels.solver = "descent";
    meshgen_free(&mesh);
}

/* ---- rigid bodies ---- */

static piola_rigid add_rigid(struct bench *bench, const struct stand *stand, piola_shape shape,
                             const float at[3], const float rotation[4], float mass)
{
    piola_rigid_desc desc = piola_rigid_desc_default();
    piola_rigid rigid;
    desc.shape = shape;
    memcpy(desc.rotation, rotation, sizeof desc.rotation);
    desc.mass = mass;
    desc.friction_static = desc.friction_kinetic = 0.8f;
    desc.mask = 2; /* floors, not each other */
    memcpy(desc.position, at, sizeof desc.position);
    bench_check(bench, "rigid body", piola_rigid_create(stand->world, &desc, &rigid, NULL), NULL);
    return rigid;
}

static piola_rigid add_box(struct bench *bench, const struct stand *stand, const float at[3],
                           const float half[3], float mass)
{
    return add_rigid(bench, stand, piola_shape_box(half, 0), at, (const float[]){0, 0, 0, 1}, mass);
}

/* A round bar between two places in a plane across x. */
static piola_rigid add_bar(struct bench *bench, const struct stand *stand, float x,
                           const float from[2], const float to[2], float mass)
{
    const float half[2] = {0.5f * (to[0] - from[0]), 0.5f * (to[1] - from[1])};
    const float at[3] = {x, from[0] + half[0], from[1] + half[1]};
    const float angle = 0.5f * atan2f(half[1], half[0]);
    return add_rigid(bench, stand, piola_shape_capsule(hypotf(half[0], half[1]), 0.015f), at,
                     (const float[]){sinf(angle), 0, 0, cosf(angle)}, mass);
}

static piola_joint add_joint(struct bench *bench, const struct stand *stand, piola_joint_desc desc,
                             const piola_rigid *base, piola_rigid moved, const float point[3],
                             const float axis[3])
{
    piola_joint joint;
    if (base)
        desc.base.rigid = *base;
    desc.moved.rigid = moved;
    bench_check(bench, "place", piola_joint_place(stand->world, &desc, point, axis, NULL), NULL);
    bench_check(bench, "joint", piola_joint_create(stand->world, &desc, &joint, NULL), NULL);
    return joint;
}

static void open_rigid_world(struct bench *bench, uint32_t rigids, uint32_t joints,
                             uint32_t iterations, struct stand *stand)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.max_bodies = 1;
    desc.max_rigids = rigids;
    desc.max_joints = joints;
    desc.max_colliders = 1;
    desc.max_commands = 1024;
    desc.iterations = iterations;
    open_world(bench, &desc, stand);
    stand->labels.bodies = rigids;
    stand->labels.elements = joints;
}

static void open_chain(struct bench *bench, struct stand *stand)
{
    const float axis[3] = {1, 0, 0}, half[3] = {0.045f, 0.02f, 0.02f};
    piola_rigid last = {0};
    open_rigid_world(bench, LINKS, LINKS, 20, stand);
    for (int i = 0; i < LINKS; i++) {
        const float at[3] = {0.1f * (float)i + 0.05f, 10, 0};
        const float point[3] = {0.1f * (float)i, 10, 0};
        const piola_rigid link = add_box(bench, stand, at, half, i + 1 < LINKS ? 0.1f : 100);
        add_joint(bench, stand, piola_joint_ball(), i > 0 ? &last : NULL, link, point, axis);
        last = link;
    }
}

/* Bars go out and down: the first turns about y, the others about the back's direction. */
static void add_leg(struct bench *bench, struct stand *stand, uint32_t leg, const piola_rigid *back)
{
    static const float out[BARS + 1] = {0.10f, 0.15f, 0.22f, 0.28f, 0.32f, 0.34f, 0.35f};
    static const float high[BARS + 1] = {0.30f, 0.30f, 0.34f, 0.30f, 0.20f, 0.10f, 0.02f};
    const float side = leg % 2 ? 1 : -1;
    const uint32_t pair = leg / 2;
    const float along = 0.25f * (float)pair;
    piola_rigid bar[BARS + 1];
    bar[0] = *back;
    for (uint32_t i = 0; i < BARS; i++) {
        const float point[3] = {along, high[i], side * out[i]};
        const float to[2] = {high[i + 1], side * out[i + 1]};
        const float axis[3] = {i == 0 ? 0 : 1, i == 0 ? 1 : 0, 0};
        piola_joint_desc hinge = piola_joint_hinge();
        hinge.axis[3].mode = PIOLA_AXIS_SERVO;
        hinge.axis[3].max_force = 60;
        bar[i + 1] =
            add_bar(bench, stand, along, (const float[]){high[i], side * out[i]}, to, 0.1f);
        stand->servos[leg * BARS + i] =
            add_joint(bench, stand, hinge, &bar[i], bar[i + 1], point, axis);
    }
    for (uint32_t i = 0; i < 2; i++) {
        piola_joint_desc spring = piola_joint_desc_default();
        for (int k = 0; k < 3; k++)
            spring.axis[k] = (piola_joint_axis){
                .mode = PIOLA_AXIS_SPRING, .stiffness = 200, .damping = 2, .max_force = 1e9f};
        const float point[3] = {along, high[2 * i + 1], side * out[2 * i + 1]};
        add_joint(bench, stand, spring, &bar[2 * i], bar[2 * i + 3], point,
                  (const float[3]){1, 0, 0});
    }
}

static void open_millipede(struct bench *bench, struct stand *stand)
{
    const float half[3] = {0.11f, 0.05f, 0.1f}, axis[3] = {1, 0, 0};
    piola_collider_desc floor = piola_collider_desc_default();
    piola_collider made;
    piola_rigid back[BACK];
    open_rigid_world(bench, BACK + LEGS * BARS, BACK - 1 + LEGS * (BARS + 2), 5, stand);
    floor.category = 2;
    floor.friction_static = floor.friction_kinetic = 0.8f;
    bench_check(bench, "floor", piola_collider_create(stand->world, &floor, &made, NULL), NULL);
    for (int i = 0; i < BACK; i++) {
        const float at[3] = {0.25f * (float)i, 0.3f, 0};
        const float point[3] = {at[0] - 0.125f, 0.3f, 0};
        back[i] = add_box(bench, stand, at, half, 2);
        if (i > 0)
            add_joint(bench, stand, piola_joint_cone_twist(0.4f, 0.2f), &back[i - 1], back[i],
                      point, axis);
    }
    for (uint32_t leg = 0; leg < LEGS; leg++)
        add_leg(bench, stand, leg, &back[leg / 2]);
    stand->walks = true;
}

/* Legs swing to and fro in waves; those that swing forward are lifted. */
static void walk(struct bench *bench, const struct stand *stand, double time)
{
    for (uint32_t leg = 0; leg < LEGS; leg++) {
        const double side = leg % 2 ? 1 : -1;
        const uint32_t pair = leg / 2;
        const double phase = 6.28 * time + 0.8 * pair + (leg % 2 ? 3.14 : 0);
        for (uint32_t i = 0; i < BARS; i++) {
            const double lift = i == 1 ? 0.25 * fmax(0, cos(phase)) : 0;
            const double target = i == 0 ? side * 0.3 * sin(phase) : -side * lift;
            bench_check(bench, "servo",
                        piola_joint_set_target(stand->world, stand->servos[leg * BARS + i], 3,
                                               (float)target),
                        NULL);
        }
    }
}

/* ---- measuring ---- */

static void measure(struct bench *bench, struct stand *stand, const char *name)
{
    const size_t runs = bench_quick(bench) ? 1 : 10;
    double *samples = bench_memory(bench, runs * STEPS * sizeof *samples);
    struct bench_stats stats;
    stand->labels.case_name = name;
    stand->snapshot_bytes = piola_snapshot_size(stand->world);
    stand->snapshot = bench_memory(bench, stand->snapshot_bytes);
    bench_check(bench, "step", piola_world_step(stand->world, NULL, NULL), NULL);
    bench_check(bench, "snapshot",
                piola_snapshot_save(stand->world, stand->snapshot, stand->snapshot_bytes), NULL);
    for (size_t i = 0; i < runs * STEPS; i++) {
        if (i % STEPS == 0)
            bench_check(
                bench, "snapshot",
                piola_snapshot_restore(stand->world, stand->snapshot, stand->snapshot_bytes), NULL);
        if (stand->walks)
            walk(bench, stand, (double)DT * (double)(i % STEPS));
        const double begin = bench_now();
        bench_check(bench, "step", piola_world_step(stand->world, NULL, NULL), NULL);
        samples[i] = bench_now() - begin;
    }
    bench_stats_of(samples, runs * STEPS, &stats);
    bench_stats_rows(bench, &stand->labels, "step", &stats, 1e3, "ms");
    bench_release(samples);
    bench_release(stand->snapshot);
    bench_release(stand->memory);
    if (stand->asset.asset)
        bench_asset_release(&stand->asset);
}

static void run(struct bench *bench)
{
    static const struct {
        const char *name;
        void (*open)(struct bench *, struct stand *);
    } cases[] = {{"slinky", open_slinky}, {"millipede", open_millipede}, {"chain50", open_chain}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stand stand = {0};
        if (!bench_wants_case(bench, cases[i].name) || bench_is_late(bench, cases[i].name))
            continue;
        cases[i].open(bench, &stand);
        measure(bench, &stand, cases[i].name);
    }
    if (bench_wants_case(bench, "boxes2000") && !bench_is_late(bench, "boxes2000"))
        bench_boxes(bench);
}

static const char *const case_names[] = {"slinky", "millipede", "chain50", "boxes2000", NULL};

const struct bench_entry bench_frames_entry = {
    .name = "frames",
    .what = "rods, joints, rigid bodies: a slinky, a millipede, a chain of 50 at 1 : 1,000, 2,000 "
            "boxes",
    .cases = case_names,
    .run = run,
};
