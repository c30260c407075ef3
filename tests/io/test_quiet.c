/* A step makes no system call, fetches no page, allocates nothing and takes no lock, whatever
 * family is at work: scenes of each are stepped in a process of their own whose every system call
 * kills it, with an allocator that ends it, and with its page faults counted. Which families were
 * at work is read from the worlds, so that none is forgotten. (That the engine cannot even name an
 * allocator or a lock is shown by tests/build/test_build.c.) Helping threads are the platform's
 * affair.
 *
 * covers: src/step/step.c
 */
#define _GNU_SOURCE
#include "piola/io.h"
#include "unity.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__) && defined(__x86_64__) && defined(__GLIBC__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define CAN_TRAP 1
#endif

#define LIMITS_MAX 64u

void setUp(void)
{
}

void tearDown(void)
{
}

/* What a child found out, in memory that both see. */
static struct found {
    char name[LIMITS_MAX][40]; /* of limits of piola_world_desc */
    uint64_t used[LIMITS_MAX];
    uint32_t limits, faults;
    bool locked;
} * found;

#ifdef CAN_TRAP
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

enum { STEPS = 6 };

static volatile bool trapped; /* allocating ends the process */

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void __libc_free(void *memory);

static void trap(void)
{
    if (trapped)
        abort(); /* kill() is a system call: SIGSYS where these are forbidden */
}

void *malloc(size_t bytes)
{
    trap();
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    trap();
    return __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
    trap();
    return __libc_realloc(old, bytes);
}

void free(void *memory)
{
    trap();
    __libc_free(memory);
}

/* From now on any system call but the end of the process kills it. */
static bool forbid_system_calls(void)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    const struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static long page_faults(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_minflt + usage.ru_majflt : -1;
}

static void note_limits(const piola_world *world)
{
    piola_capacity c;
    for (uint32_t i = 0; i < LIMITS_MAX && piola_world_capacity(world, i, &c) == PIOLA_OK; ++i) {
        snprintf(found->name[i], sizeof found->name[i], "%s", c.name);
        found->used[i] += c.used;
        found->limits = i + 1;
    }
}

/* What no scene that is shipped has: constraints, planes and lines that hold vertices, tractions.
 */
static const char rare[] =
    "{\"description\": \"d\", \"world\": {},"
    "\"materials\": {\"m\": {\"model\": \"stvk\", \"young\": 1e5, \"poisson\": 0.3, "
    "\"plastic_yield\": 0.01, \"plastic_creep\": 5, \"plastic_max\": 0.5}, "
    "\"r\": {\"young\": 1e6, \"density\": 0.5}},"
    "\"meshes\": {\"b\": {\"box\": {\"size\": [0.3, 0.2, 0.2], \"cells\": [3, 2, 2]}}, "
    "\"c\": {\"chain\": {\"length\": 0.7, \"links\": 24, \"radius\": 0.008}}},"
    "\"bodies\": [{\"name\": \"b\", \"mesh\": \"b\", \"material\": \"m\", "
    "\"position\": [0, 0.001, 0], \"constraints\": [{\"kind\": \"volume\", \"box\": "
    "{\"min\": [-1, -1, -1], \"max\": [1, 1, 1]}}], \"pins\": ["
    "{\"box\": {\"min\": [-1, -1, -1], \"max\": [0.01, 1, 1]}, \"axes\": \"x\"}]}, {\"name\": "
    "\"c\", "
    "\"mesh\": \"c\", \"material\": \"r\", \"position\": [0, 1, 0]}],"
    "\"colliders\": [{\"shape\": \"plane\"}, {\"shape\": \"sphere\", \"radius\": 0.05, "
    "\"mass\": 0.5, \"position\": [0.1, 0.26, 0.1]}],"
    "\"sensors\": [{\"name\": \"c\", \"kind\": \"contacts\", \"body\": \"b\"}]}";

/* A world of one body, with tractions on its surface, which scenes make of forces. */
static piola_world *pressed_world(const piola_asset *asset)
{
    piola_world_desc d = piola_world_desc_default();
    piola_body_desc b = piola_body_desc_default();
    piola_traction_desc t = piola_traction_desc_default();
    piola_world *world = NULL;
    piola_traction traction;
    size_t bytes = 0;
    d.max_tractions = 1;
    d.max_traction_triangles = 1000;
    b.asset = asset;
    t.pressure = 500;
    if (piola_world_desc_fit(&d, &asset, NULL, 1, NULL) != PIOLA_OK ||
        piola_world_size(&d, &bytes, NULL) != PIOLA_OK ||
        piola_world_create(&d, aligned_alloc(PIOLA_ALIGNMENT, bytes), bytes, &world, NULL) !=
            PIOLA_OK ||
        piola_body_create(world, &b, &t.body, NULL) != PIOLA_OK ||
        piola_traction_create(world, &t, &traction, NULL) != PIOLA_OK ||
        piola_world_step(world, NULL, NULL) != PIOLA_OK)
        _exit(7);
    note_limits(world);
    return world;
}

static bool step_all(piola_world *world, piola_world *pressed)
{
    piola_report report;
    bool good = true;
    for (int i = 0; i < STEPS; ++i)
        good = good && piola_world_step(world, NULL, &report) == PIOLA_OK &&
               (!pressed || piola_world_step(pressed, NULL, &report) == PIOLA_OK);
    return good;
}

/* Steps until things are under way, then some with all traps set. Never returns. */
static _Noreturn void step_quietly(const char *path)
{
    piola_io_error error;
    piola_io_scene_desc desc = piola_io_scene_desc_default();
    piola_io_scene *scene = NULL;
    uint64_t step = 0;
    desc.threads = 1;
    const piola_io_status status =
        path ? piola_io_scene_open(path, &desc, &scene, &error)
             : piola_io_scene_parse(rare, sizeof rare - 1, "rare.json", &desc, &scene, &error);
    if (status != PIOLA_IO_OK) {
        fprintf(stderr, "%s\n", error.text);
        _exit(3);
    }
    const piola_io_scene_facts facts = piola_io_scene_inspect(scene);
    const uint64_t begin = (uint64_t)(0.6 * facts.seconds / (double)facts.dt);
    while (step < begin && step < 20)
        if (piola_io_scene_step(scene, ++step, NULL, &error) != PIOLA_IO_OK)
            _exit(4);
    note_limits(facts.world);
    if (piola_io_scene_push(scene, ++step, &error) != PIOLA_IO_OK)
        _exit(4);
    piola_io_scene_body body;
    piola_world *pressed =
        !path && piola_io_scene_body_at(scene, 0, &body) ? pressed_world(body.asset) : NULL;
    /* Pages that nobody has touched yet, code's too, are there from now on. */
    found->locked = piola_platform_lock_process() != 0;
    trapped = true;
    const long before = page_faults();
    bool good = step_all(facts.world, pressed);
    found->faults += (uint32_t)(page_faults() - before);
    if (!forbid_system_calls())
        _exit(5);
    good = step_all(facts.world, pressed) && good;
    _exit(good ? 0 : 6);
}

static int ending_of(const char *path, void (*instead)(void))
{
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (instead)
            instead();
        step_quietly(path);
    }
    TEST_ASSERT_TRUE(child > 0);
    TEST_ASSERT_EQUAL_INT(child, waitpid(child, &status, 0));
    return status;
}

/* The traps themselves. */
static void call_the_system(void)
{
    if (!forbid_system_calls())
        _exit(5);
    (void)syscall(SYS_getppid);
    _exit(0);
}

static void allocate(void)
{
    trapped = true;
    free(malloc(10));
    _exit(0);
}

static void test_the_traps_work(void)
{
    const int called = ending_of(NULL, call_the_system), allocated = ending_of(NULL, allocate);
    TEST_ASSERT_TRUE(WIFSIGNALED(called) && WTERMSIG(called) == SIGSYS);
    TEST_ASSERT_TRUE(WIFSIGNALED(allocated) && WTERMSIG(allocated) == SIGABRT);
}

/* Between them something of every family: what they use is looked at below. */
static const char *const scenes[] = {"balloon", "banner", "spikes", "gusts",
                                     "pile",    "rope",   "tool",   NULL};

static void test_steps_are_quiet_whatever_is_at_work(void)
{
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        char path[4096], text[200];
        const char *name = scenes[i] ? scenes[i] : "rare";
        snprintf(path, sizeof path, "%s/scenes/%s.json", getenv("PIOLA_SOURCE_DIR"), name);
        const int status = ending_of(scenes[i] ? path : NULL, NULL);
        snprintf(text, sizeof text, "%s: signal %d, code %d", name,
                 WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                 WIFEXITED(status) ? WEXITSTATUS(status) : 0);
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, status, text);
        TEST_ASSERT_EQUAL_UINT32_MESSAGE(0, found->locked ? found->faults : 0, name);
    }
    if (!found->locked)
        puts("memory may not be locked here: page faults were not looked at");
    static const char *const wanted[] = {
        "max_attachments",      "max_guides",        "max_tractions",  "max_link_packs",
        "max_constraint_packs", "max_plastic_packs", "max_contacts",   "max_colliders",
        "max_face_contacts",    "max_rigids",        "max_wind_nodes", "max_contact_events"};
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; ++w) {
        uint64_t used = 0;
        for (uint32_t i = 0; i < found->limits; ++i)
            used += strcmp(found->name[i], wanted[w]) == 0 ? found->used[i] : 0;
        TEST_ASSERT_GREATER_THAN_UINT64_MESSAGE(0, used, wanted[w]);
    }
}
#endif

int main(void)
{
    found = mmap(NULL, sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    UNITY_BEGIN();
#ifdef CAN_TRAP
    RUN_TEST(test_the_traps_work);
    RUN_TEST(test_steps_are_quiet_whatever_is_at_work);
#endif
    return UNITY_END();
}
