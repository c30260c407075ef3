/* bare.c - a program with no operating system beneath the engine: no libc, no start-up code, the
 * room `bare`. tests/build/test_build.c links it with -nostdlib, runs it, and compares the hash it
 * prints with that of the same program (HOSTED) in the ordinary room.
 *
 * Lives here: a hanging cube, and the five functions a compiler may call on its own. The two system
 * calls are the test's own, to print and to end; the engine makes none.
 */
#include "piola/piola.h"

#define SCRATCH_BYTES (1u << 20)
#define WORLD_BYTES   (8u << 20)
#define STEPS         100

static _Alignas(PIOLA_ALIGNMENT) char scratch[SCRATCH_BYTES], memory[SCRATCH_BYTES];
static _Alignas(PIOLA_ALIGNMENT) char block[WORLD_BYTES], crew[SCRATCH_BYTES];

static const double vertices[] = {0, 0, 0,  .1, 0, 0,  0, .1, 0,  .1, .1, 0,
                                  0, 0, .1, .1, 0, .1, 0, .1, .1, .1, .1, .1};
static const uint32_t tets[] = {1, 0, 2, 4, 3, 1, 2, 7, 1, 5, 4, 7, 6, 2, 4, 7, 2, 1, 4, 7};

static const piola_asset *compile(const piola_material *material)
{
    piola_mesh_desc mesh = piola_mesh_desc_default();
    piola_plan *plan;
    const piola_asset *asset;
    mesh.vertices = vertices;
    mesh.vertex_count = 8;
    mesh.tetrahedra = tets;
    mesh.tetrahedron_count = 5;
    mesh.materials = material;
    mesh.material_count = 1;
    if (piola_asset_plan(&mesh, scratch, sizeof scratch, &plan, NULL) != PIOLA_OK ||
        piola_asset_build(plan, &mesh, memory, sizeof memory, &asset, NULL) != PIOLA_OK) {
        return NULL;
    }
    return asset;
}

/* The workers of one thread: the only ones that every room has. */
static const piola_tasks *alone(void)
{
    piola_workers_desc desc = piola_workers_desc_default();
    piola_workers *workers;
    desc.threads = 1;
    if (piola_workers_create(&desc, crew, sizeof crew, &workers, NULL) != PIOLA_OK) {
        return NULL;
    }
    return piola_workers_tasks(workers);
}

/* The world's hash after the steps; 0 when anything was refused. */
static uint64_t simulate(void)
{
    const piola_material material = piola_material_default();
    const piola_tasks *tasks = alone();
    piola_world_desc desc = piola_world_desc_default();
    piola_body_desc cube = piola_body_desc_default();
    piola_world *world;
    piola_body body;
    desc.max_particles = 1024;
    desc.isa = PIOLA_ISA_AUTO;
    cube.asset = compile(&material);
    if (tasks == NULL || cube.asset == NULL ||
        piola_world_create(&desc, block, sizeof block, &world, NULL) != PIOLA_OK ||
        piola_body_create(world, &cube, &body, NULL) != PIOLA_OK) {
        return 0;
    }
    const float origin[3] = {0, 0, 0};
    if (piola_body_pin(world, body, 0, origin) != PIOLA_OK) {
        return 0;
    }
    for (int i = 0; i < STEPS; i++) {
        if (piola_world_step(world, tasks, NULL) != PIOLA_OK) {
            return 0;
        }
    }
    return piola_world_hash(world);
}

/* 16 hexadecimal digits and a new line. */
static void write_hash(char text[17], uint64_t hash)
{
    for (int i = 0; i < 16; i++) {
        text[i] = "0123456789abcdef"[hash >> (60 - 4 * i) & 15];
    }
    text[16] = '\n';
}

#ifdef HOSTED

#include <stdio.h>

int main(void)
{
    char text[17];
    write_hash(text, simulate());
    return fwrite(text, sizeof text, 1, stdout) != 1;
}

#else

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
size_t strlen(const char *text);
void start(void);

/* Volatile, or the compiler would see what each loop does and call the very function it is in. */
void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    return memmove(to, from, bytes);
}

void *memmove(void *to, const void *from, size_t bytes)
{
    volatile char *t = to;
    const volatile char *f = from;
    for (size_t i = 0; i < bytes; i++) {
        const size_t at = (uintptr_t)to <= (uintptr_t)from ? i : bytes - 1 - i;
        t[at] = f[at];
    }
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    volatile char *t = to;
    for (size_t i = 0; i < bytes; i++) {
        t[i] = (char)value;
    }
    return to;
}

int memcmp(const void *a, const void *b, size_t bytes)
{
    const unsigned char *p = a, *q = b;
    for (size_t i = 0; i < bytes; i++) {
        if (p[i] != q[i]) {
            return p[i] < q[i] ? -1 : 1;
        }
    }
    return 0;
}

size_t strlen(const char *text)
{
    const volatile char *t = text;
    size_t length = 0;
    while (t[length] != '\0') {
        length++;
    }
    return length;
}

static long call(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
}

/* Nothing aligns the stack for the program's first function but this attribute. */
__attribute__((force_align_arg_pointer, noreturn)) void start(void)
{
    char text[17];
    write_hash(text, simulate());
    const long written = call(1, 1, (long)(intptr_t)text, sizeof text);
    for (;;) {
        call(60, written != sizeof text, 0, 0);
    }
}

#endif
