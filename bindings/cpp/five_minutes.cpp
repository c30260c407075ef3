/* A jelly on a floor, a cape on two pins, and a rollback, in C++17. */
#include <piola/io.h>
#include <piola/piola.hpp>

#include <algorithm>
#include <cstdio>

static piola::Asset compiled(piola_io_mesh *mesh, const piola_material &material)
{
    piola_mesh_desc desc = piola_io_mesh_describe(mesh);
    desc.materials = &material;
    desc.material_count = 1;
    piola::Asset asset(desc);
    piola_io_mesh_free(mesh);
    return asset;
}

int main()
try {
    piola_io_mesh *mesh = nullptr;
    piola_io_ball_desc round = piola_io_ball_desc_default(); /* 2,000 tetrahedra */
    round.radius = 0.2;
    if (piola_io_make_ball(&round, nullptr, &mesh, nullptr) != PIOLA_IO_OK)
        return 1;
    piola_material rubber = piola_material_default();
    rubber.young = 2e4f;
    const piola::Asset ball = compiled(mesh, rubber);

    piola_io_sheet_desc flat = piola_io_sheet_desc_default();
    flat.cells[0] = flat.cells[1] = 40;
    if (piola_io_make_sheet(&flat, nullptr, &mesh, nullptr) != PIOLA_IO_OK)
        return 1;
    piola_material cotton = piola_material_default();
    cotton.young = 5e5f, cotton.poisson = 0.3f, cotton.density = 200, cotton.thickness = 1e-3f;
    const piola::Asset cape = compiled(mesh, cotton);

    piola_world_desc desc = piola_world_desc_default();
    const piola_asset *assets[] = {ball.get(), cape.get()};
    desc.max_colliders = 1;
    piola::check(piola_world_desc_fit(&desc, assets, nullptr, 2, nullptr), "fit");
    piola::World world(desc);

    piola_collider_desc floor = piola_collider_desc_default();
    floor.friction_kinetic = 0.5f;
    world.collider(floor);
    piola_body_desc one = piola_body_desc_default();
    one.asset = ball.get();
    one.position[1] = 0.5f;
    piola::Body jelly = world.body(one);
    one.asset = cape.get();
    one.position[0] = 1, one.position[1] = 1.5f;
    piola::Body cloth = world.body(one);
    cloth.pin(0, {1, 1.5f, 0});
    cloth.pin(40, {2, 1.5f, 0});

    std::vector<float> xyz(3 * jelly.inspect().vertices);
    for (int second = 1; second <= 3; ++second) {
        for (int i = 0; i < 200; ++i)
            world.step();
        jelly.positions(xyz);
        const auto [low, high] = jelly.bounds();
        std::printf("after %d s the jelly is %.3f m high\n", second, static_cast<double>(high[1] - low[1]));
    }

    const piola::Snapshot before = world.snapshot();
    for (int i = 0; i < 8; ++i)
        world.step();
    const uint64_t straight = world.hash();
    world.restore(before);
    jelly.impulse(0, {0, 5, 0});
    for (int i = 0; i < 8; ++i)
        world.step();
    const bool differs = world.hash() != straight;
    world.restore(before);
    for (int i = 0; i < 8; ++i)
        world.step();
    std::printf("the same inputs give the same bits: %s; another input gives others: %s\n",
                world.hash() == straight ? "yes" : "no", differs ? "yes" : "no");
    return world.hash() == straight && differs ? 0 : 1;
} catch (const piola::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
