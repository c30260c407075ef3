/* test_build.c - reads the build itself: flags, symbols, the installed tree, use as a subproject.
 *
 * Lives here: what can only be seen from outside, by the tools a user has (nm, pkg-config, Meson,
 * the compilers). Meson says by environment variables where things are. Nothing here runs the
 * engine beyond a first call.
 *
 * covers: meson.build
 */
#define _POSIX_C_SOURCE 200809L
#include "unity.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MOST (4u << 20) /* bytes of output or file that are looked at */

static char text[TEXT_MOST]; /* what the last command printed, or the last file read */

static const char consumer[] = "#include <piola/piola.h>\\n#include <stdio.h>\\n"
                               "int main(void) { return puts(piola_version()) < 0; }\\n";

void setUp(void)
{
}

void tearDown(void)
{
}

static const char *setting(const char *name)
{
    const char *value = getenv(name);
    TEST_ASSERT_NOT_NULL_MESSAGE(value, name);
    return value;
}

/* Runs a shell command line in a scratch folder of the build; its output is left in text[]. */
static int run(const char *format, ...)
{
    char line[8192];
    int used = snprintf(line, sizeof line, "cd \"$PIOLA_BUILD_DIR/scratch\" && { ");
    va_list list;
    va_start(list, format);
    used += vsnprintf(line + used, sizeof line - (size_t)used, format, list);
    va_end(list);
    TEST_ASSERT_LESS_THAN((int)sizeof line - 32, used);
    strcat(line, "; } 2>&1");

    FILE *pipe = popen(line, "r");
    TEST_ASSERT_NOT_NULL(pipe);
    size_t length = fread(text, 1, TEXT_MOST - 1, pipe);
    text[length] = '\0';
    return pclose(pipe);
}

static void must(int status)
{
    if (status != 0) {
        puts(text);
    }
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, status, "the command failed; its output is above");
}

static bool begins(const char *string, const char *start)
{
    return strncmp(string, start, strlen(start)) == 0;
}

/* ---- flags ----------------------------------------------------------------------------------- */

static const char *const loose_math[] = {
    "-ffast-math",       "-Ofast",          "-funsafe-math",     "-fassociative-math",
    "-freciprocal-math", "-ffinite-math",   "-fno-signed-zeros", "-ffp-contract=fast",
    "-ffp-contract=on",  "-ffp-model=fast", "-mrecip",           "--opt=fast-math",
    "--math-lib=fast",   "--math-lib=svml", "--math-lib=system",
};

static void no_loose_math(const char *line)
{
    for (size_t i = 0; i < sizeof loose_math / sizeof *loose_math; i++) {
        TEST_ASSERT_NULL_MESSAGE(strstr(line, loose_math[i]), line);
    }
}

/* Goes over the build's compile commands, C and ISPC; counts those that `wanted` names. */
static int compile_commands(const char *wanted, const char *flag)
{
    must(run("ninja -C .. -t commands | grep -v subprojects/unity"));
    int count = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        no_loose_math(line);
        if (strstr(line, wanted) != NULL) {
            TEST_ASSERT_NOT_NULL_MESSAGE(strstr(line, flag), line);
            count++;
        }
    }
    return count;
}

static void test_c_is_compiled_without_contraction(void)
{
    TEST_ASSERT_GREATER_THAN(3, compile_commands(".c.o -c ", " -ffp-contract=off "));
}

static void test_kernels_are_compiled_without_fma(void)
{
    TEST_ASSERT_GREATER_THAN(2, compile_commands(".ispc -o ", " --opt=disable-fma "));
    TEST_ASSERT_GREATER_THAN(2, compile_commands(".ispc -o ", " --werror "));
}

static void test_fast_math_is_refused(void)
{
    static const char *const flags[] = {"-ffast-math", "-Ofast", "-ffp-contract=fast"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        int status = run("rm -rf refused; meson setup refused \"$PIOLA_SOURCE_DIR\" "
                         "--native-file native.ini -Dc_args=%s",
                         flags[i]);
        TEST_ASSERT_NOT_EQUAL(0, status);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "the same bits on every machine"), text);
    }
}

/* Flags that reach the engine past Meson's check, from a parent project or a toolchain file. */
static void test_no_file_compiles_with_loose_arithmetic(void)
{
    static const char *const flags[] = {"-ffast-math", "-ffinite-math-only", "-Ofast"};
    must(run("ninja -C .. -t commands | grep -v strict_math.h | "
             "grep -E 'lib/?piola_(engine|platform)\\.a\\.p.* -c ' || true"));
    TEST_ASSERT_EQUAL_STRING("", text);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        TEST_ASSERT_NOT_EQUAL(0, run("cd \"$PIOLA_SOURCE_DIR\" && $PIOLA_CC -std=c11 -Iinclude "
                                     "-Isrc -include base/strict_math.h -O2 %s -fsyntax-only "
                                     "src/base/sort.c",
                                     flags[i]));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "the same bits on every machine"), text);
    }
    must(run("cd \"$PIOLA_SOURCE_DIR\" && $PIOLA_CC -std=c11 -Iinclude -Isrc "
             "-include base/strict_math.h -O2 -fsyntax-only src/base/sort.c"));
}

/* What no macro tells: the program that a world runs at its creation gives another number. */
static void test_loose_arithmetic_is_noticed_at_run_time(void)
{
    static const char *const flags[] = {"", "-ffast-math",
                                        "-fassociative-math -fno-signed-zeros -fno-trapping-math",
                                        "-freciprocal-math"};
    must(run("printf '#include \"kernels/arithmetic.h\"\\n#include <stdio.h>\\n"
             "int main(void) { return !printf(\"%%%%llx\\\\n\", "
             "(unsigned long long)arithmetic_of_c()); }\\n' >number.c"));
    char strict[64] = "";
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        must(run("$PIOLA_CC -std=c11 -O2 -ffp-contract=off -I \"$PIOLA_SOURCE_DIR/include\" "
                 "-I \"$PIOLA_SOURCE_DIR/src\" %s number.c "
                 "\"$PIOLA_SOURCE_DIR/src/kernels/arithmetic.c\" -lm -o number && ./number",
                 flags[i]));
        if (i == 0) {
            strcpy(strict, text);
        } else {
            TEST_ASSERT_TRUE_MESSAGE(strcmp(strict, text) != 0, flags[i]);
        }
    }
}

/* ---- symbols --------------------------------------------------------------------------------- */

/* All the engine may ask of its surroundings. The last row is the compilers' own: what processor
 * this is (libgcc and its kin, a few instructions, no system call), position-independent code, and
 * the stack protector where a distribution turns it on. */
static const char *const allowed[] = {
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "strlen",
    "sqrt",
    "sqrtf",
    "__cpu_indicator_init",
    "__cpu_model",
    "__cpu_features2",
    "_GLOBAL_OFFSET_TABLE_",
    "__stack_chk_fail",
};

static bool is_allowed(const char *symbol)
{
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        if (strcmp(symbol, allowed[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void test_engine_needs_no_operating_system(void)
{
    /* nm -P prints "name kind value size" a line; what one member lacks another may have. */
    must(
        run("\"$PIOLA_NM\" -P ../libpiola_engine.a | awk 'NF >= 2 && $2 == \"U\" { lacks[$1] = 1 } "
            "NF >= 3 && $2 != \"U\" { has[$1] = 1 } "
            "END { for (name in lacks) if (!(name in has)) print name }'"));
    for (char *symbol = strtok(text, "\n"); symbol != NULL; symbol = strtok(NULL, "\n")) {
        TEST_ASSERT_TRUE_MESSAGE(is_allowed(symbol), symbol);
    }
    must(run("\"$PIOLA_NM\" -P ../libpiola_engine.a"));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\npiola_version T"), "the engine is not in there");
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\npk_"), "the kernels are not in there");
}

/* No libc, no start-up code, only the room `bare`; and the same bits as in the ordinary room. */
static void test_engine_runs_without_an_operating_system(void)
{
#ifdef __x86_64__
    must(run("cp \"$PIOLA_SOURCE_DIR/tests/bare/bare.c\" . && "
             "$PIOLA_CC -std=c11 -O2 -ffreestanding -fno-stack-protector -ffp-contract=off "
             "-nostdlib -static -no-pie -Wl,-e,start -I \"$PIOLA_SOURCE_DIR/include\" bare.c "
             "../libpiola_engine.a ../libpiola_room_bare.a -lgcc -o bare && "
             "$PIOLA_CC -std=c11 -O2 -DHOSTED -I \"$PIOLA_SOURCE_DIR/include\" bare.c "
             "../libpiola.a -pthread -lm -o hosted && ./bare >bare.txt && ./hosted >hosted.txt"));
    must(run("cmp bare.txt hosted.txt && if grep '^0*$' bare.txt; then false; fi"));
#else
    TEST_IGNORE_MESSAGE("the program's two system calls are written for x86-64");
#endif
}

static void check_exports(const char *command)
{
    must(run("%s", command));
    int count = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char *space = strchr(line, ' ');
        if (space == NULL || space[1] == 'A' || isspace((unsigned char)space[1])) {
            continue; /* a member's title, or the version's own name */
        }
        TEST_ASSERT_TRUE_MESSAGE(begins(line, "piola_"), line);
        count++;
    }
    TEST_ASSERT_GREATER_THAN(10, count);
}

static void test_shared_library_shows_only_the_interface(void)
{
    check_exports("\"$PIOLA_NM\" -P -D --defined-only ../libpiola.so");
    check_exports("\"$PIOLA_NM\" -P -D --defined-only ../io/libpiola_io.so");
}

static void test_static_library_shows_only_the_interface(void)
{
    check_exports("\"$PIOLA_NM\" -P -g --defined-only ../libpiola.a");
    check_exports("\"$PIOLA_NM\" -P -g --defined-only ../io/libpiola_io.a");
}

/* ---- use ------------------------------------------------------------------------------------- */

/* Compiles the header alone; returns whether that compiler is here. */
static bool header_compiles(const char *compiler, const char *language, const char *standard)
{
    if (run("command -v %s", compiler) != 0) {
        return false;
    }
    must(run("printf '#include <piola/io.h>\\n#include <piola/piola.h>\\n' | %s -x %s -std=%s "
             "-Wall -Wextra -Wpedantic -Werror "
             "-I \"$PIOLA_SOURCE_DIR/include\" -fsyntax-only -",
             compiler, language, standard));
    return true;
}

static void test_header_is_c11_and_cpp17(void)
{
    int c = header_compiles("gcc", "c", "c11") + header_compiles("clang", "c", "c11");
    int cpp = header_compiles("g++", "c++", "c++17") + header_compiles("clang++", "c++", "c++17");
    TEST_ASSERT_GREATER_THAN(0, c);
    TEST_ASSERT_GREATER_THAN(0, cpp);
}

/* clang compiles for Windows without its headers: those of the compiler are enough. */
static void test_windows_programs_import_what_the_library_exports(void)
{
    static const char *const rows[][2] = {{"", "__declspec(dllimport)"},
                                          {"-DPIOLA_BUILD", "__declspec(dllexport)"},
                                          {"-DPIOLA_STATIC", "PIOLA_API"}};
    if (run("command -v clang") != 0) {
        TEST_IGNORE_MESSAGE("no clang");
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        must(run("echo '#include <piola/piola.h>' | clang --target=x86_64-pc-windows-msvc "
                 "-ffreestanding -nostdlibinc -x c -std=c11 -Wall -Wextra -Werror "
                 "-I \"$PIOLA_SOURCE_DIR/include\" %s -fsyntax-only -",
                 rows[i][0]));
        must(run("printf '#include <piola/base.h>\\nPIOLA_API here\\n' | clang -E "
                 "--target=x86_64-pc-windows-msvc -ffreestanding -nostdlibinc -x c "
                 "-I \"$PIOLA_SOURCE_DIR/include\" %s -",
                 rows[i][0]));
        TEST_ASSERT_TRUE_MESSAGE((strstr(text, rows[i][1]) != NULL) == (i < 2), text);
        TEST_ASSERT_NULL_MESSAGE(strstr(text, "PIOLA_API"), text);
    }
}

/* What no comment stands above has no units, owner, thread rule and errors written down. */
static void test_every_function_is_documented(void)
{
    must(run(
        "awk '/^PIOLA_API/ && before !~ /\\*\\/$/ { print FILENAME \": \" $0 } { before = $0 }' "
        "\"$PIOLA_SOURCE_DIR\"/include/piola/*.h"));
    TEST_ASSERT_EQUAL_STRING("", text);
    must(run("cat \"$PIOLA_SOURCE_DIR\"/include/piola/*.h | grep -c '^PIOLA_API'"));
    TEST_ASSERT_GREATER_THAN(80, atoi(text));
}

static void test_installed_tree_works(void)
{
    must(run("rm -rf tree && "
             "meson install -C .. --no-rebuild --destdir \"$PWD/tree\" >install.log"));
    must(run("find tree -name piola.pc -printf '%%h\\n'"));
    text[strcspn(text, "\n")] = '\0';
    char pc[1024];
    TEST_ASSERT_LESS_THAN((int)sizeof pc, snprintf(pc, sizeof pc, "%s", text));

    /* Relative paths all through, because $(pkg-config) would break names at a space. */
    must(run("printf '%s' >consumer.c", consumer));
    must(run("export PKG_CONFIG_SYSROOT_DIR=tree PKG_CONFIG_LIBDIR='%s' && "
             "$PIOLA_CC -Werror consumer.c $(pkg-config --cflags --libs piola) -o shared && "
             "LD_LIBRARY_PATH='%s/..' ./shared",
             pc, pc));
    must(run("export PKG_CONFIG_SYSROOT_DIR=tree PKG_CONFIG_LIBDIR='%s' && "
             "$PIOLA_CC -Werror consumer.c $(pkg-config --cflags --libs piola_static) -o static && "
             "./static && if ldd static | grep libpiola; then false; fi",
             pc));
    must(run("test -s tree/*/*/share/doc/piola/LICENSE -o -s tree/*/share/doc/piola/LICENSE"));
    must(run("PKG_CONFIG_LIBDIR='%s' pkg-config --modversion piola && ./static", pc));
    char *second = strchr(text, '\n');
    TEST_ASSERT_NOT_NULL(second);
    TEST_ASSERT_EQUAL_STRING_LEN(text, second + 1, (size_t)(second - text + 1));
}

/* The second library, shared and static, by its own pkg-config file. */
static void test_installed_io_works(void)
{
    must(run("find tree -name piola_io.pc -printf '%%h\\n'"));
    text[strcspn(text, "\n")] = '\0';
    char pc[1024];
    TEST_ASSERT_LESS_THAN((int)sizeof pc, snprintf(pc, sizeof pc, "%s", text));
    must(run(
        "export PKG_CONFIG_SYSROOT_DIR=tree PKG_CONFIG_LIBDIR=\"%s:$(pkg-config --variable "
        "pc_path pkg-config)\" && cp \"$PIOLA_SOURCE_DIR/examples/own_mesh.c\" . && "
        "$PIOLA_CC -Werror own_mesh.c $(pkg-config --cflags --libs piola_io piola) -o io_shared && "
        "LD_LIBRARY_PATH='%s/..' ./io_shared >io.txt && "
        "$PIOLA_CC -Werror own_mesh.c $(pkg-config --cflags --libs piola_io_static) -o io_static "
        "&& "
        "./io_static | cmp - io.txt && if ldd io_static | grep libpiola; then false; fi",
        pc, pc));
}

/* The C++ header, with every warning, and its example; without exceptions too. */
static void test_installed_cpp_works(void)
{
    must(run("find tree -name piola_io.pc -printf '%%h\\n'"));
    text[strcspn(text, "\n")] = '\0';
    char pc[1024];
    TEST_ASSERT_LESS_THAN((int)sizeof pc, snprintf(pc, sizeof pc, "%s", text));
    for (int i = 0; i < 2; i++)
        must(run(
            "export PKG_CONFIG_SYSROOT_DIR=tree PKG_CONFIG_LIBDIR=\"%s:$(pkg-config --variable "
            "pc_path pkg-config)\" && cp \"$(find tree -name five_minutes.cpp)\" . && "
            "printf '#include <piola/piola.hpp>\\nint main() { piola::Body b; return b.world != "
            "nullptr; }\\n' >none.cpp && %s -std=c++17 -Wall -Wextra -Wpedantic -Wconversion "
            "-Wshadow -Werror five_minutes.cpp $(pkg-config --cflags --libs piola_io piola) -o "
            "cpp && LD_LIBRARY_PATH='%s/..' ./cpp && %s -std=c++17 -fno-exceptions -Werror "
            "-fsyntax-only none.cpp $(pkg-config --cflags piola)",
            pc, i ? "clang++" : "g++", pc, i ? "clang++" : "g++"));
    TEST_ASSERT_NOT_NULL_MESSAGE(
        strstr(text, "the same bits: yes; another input gives others: yes"), text);
}

/* The installed examples, by the build files beside them. */
static void test_installed_examples_build_with_cmake(void)
{
    if (run("command -v cmake") != 0) {
        TEST_IGNORE_MESSAGE("no cmake");
    }
    must(run(
        "dir=$(dirname \"$(find \"$PWD/tree\" -name piola-config.cmake)\") && rm -rf with_cmake && "
        "cp -r \"$(find tree -path '*/doc/piola/examples')\" with_cmake && "
        "CC=\"$PIOLA_CC\" cmake -S with_cmake -B with_cmake/build -Dpiola_DIR=\"$dir\" && "
        "cmake --build with_cmake/build && cd with_cmake/build && ./hello >hello.txt && "
        "./hello_static | cmp - hello.txt && ./own_mesh >mesh.txt && "
        "./own_mesh_static | cmp - mesh.txt && test -s hello.txt && ldd hello | grep libpiola && "
        "if ldd hello_static own_mesh_static | grep libpiola; then false; fi"));
    /* Another minor version is another interface. */
    TEST_ASSERT_NOT_EQUAL(
        0, run("dir=$(dirname \"$(find \"$PWD/tree\" -name piola-config.cmake)\") && "
               "sed 's/piola 0.2/piola 0.1/' with_cmake/CMakeLists.txt >old.txt && mkdir -p old && "
               "cp with_cmake/*.c old/ && mv old.txt old/CMakeLists.txt && "
               "cmake -S old -B old/build -Dpiola_DIR=\"$dir\""));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "0.2.0"), text);
}

static void test_installed_examples_build_with_make(void)
{
    if (run("command -v make") != 0) {
        TEST_IGNORE_MESSAGE("no make");
    }
    must(run(
        "rm -rf with_make && cp -r \"$(find tree -path '*/doc/piola/examples')\" with_make && "
        "pc=$(dirname \"$(find tree -name piola.pc)\") && cd with_make && "
        "export PKG_CONFIG_SYSROOT_DIR=../tree && "
        "export PKG_CONFIG_LIBDIR=\"../$pc:$(pkg-config --variable pc_path pkg-config)\" && "
        "make CC=\"$PIOLA_CC\" && export LD_LIBRARY_PATH=\"../$pc/..\" && ./hello >hello.txt && "
        "./hello_static | cmp - hello.txt && ./own_mesh >mesh.txt && "
        "./own_mesh_static | cmp - mesh.txt && test -s mesh.txt"));
}

static void test_the_list_of_the_interface_is_that_of_the_headers(void)
{
    must(run("CC=\"$PIOLA_CC\" python3 \"$PIOLA_SOURCE_DIR/tools/interface-list\""));
    must(run("cmp \"$PIOLA_SOURCE_DIR/include/piola/api.json\" "
             "\"$(find tree -name api.json)\""));
    /* Every function of the libraries is in it. */
    must(run("cat \"$PIOLA_SOURCE_DIR/include/piola/api.json\" >api.json && "
             "{ \"$PIOLA_NM\" -P -D --defined-only ../libpiola.so; "
             "\"$PIOLA_NM\" -P -D --defined-only ../io/libpiola_io.so; } | "
             "awk '$2 == \"T\" { sub(/@.*/, \"\", $1); print $1 }' | while read -r name; do "
             "grep -q \"\\\"name\\\": \\\"$name\\\"\" api.json || echo \"$name\"; done"));
    TEST_ASSERT_EQUAL_STRING("", text);
}

/* `piola bench` finds the measuring program where it is installed. */
static void test_installed_command_finds_its_benches(void)
{
    must(run("$(find tree -name piola -path '*/bin/piola' -type f) bench --list"));
    TEST_ASSERT_NOT_NULL(strstr(text, "convergence"));
    must(run("find tree -name piola-bench"));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "/libexec/piola/piola-bench"), text);
}

static void test_works_as_a_subproject(void)
{
    must(run("rm -rf user && mkdir -p user/subprojects && "
             "ln -s \"$PIOLA_SOURCE_DIR\" user/subprojects/piola && printf '%s' >user/main.c && "
             "printf \"project('user', 'c')\\nexecutable('user', 'main.c', dependencies: "
             "dependency('piola', fallback: ['piola', 'piola_dep']))\\n\" >user/meson.build",
             consumer));
    /* One instruction set is enough to show it, and compiles three times as fast. */
    must(run("meson setup user/build user --native-file native.ini "
             "-Dpiola:isas=sse4 -Dbuildtype=debug && ninja -C user/build && "
             "user/build/user"));
    TEST_ASSERT_NOT_NULL(strstr(text, "\n0."));
}

/* A parent's global arguments reach subprojects behind the back of their own checks. */
static void test_a_fast_parent_is_refused(void)
{
    must(run("rm -rf fast && mkdir -p fast/subprojects && "
             "ln -s \"$PIOLA_SOURCE_DIR\" fast/subprojects/piola && printf '%s' >fast/main.c && "
             "printf \"project('fast', 'c')\\nadd_global_arguments('-ffast-math', language: 'c')\\n"
             "executable('fast', 'main.c', dependencies: "
             "dependency('piola', fallback: ['piola', 'piola_dep']))\\n\" >fast/meson.build",
             consumer));
    must(run("meson setup fast/build fast --native-file native.ini -Dpiola:isas=sse4"));
    /* Any file of the engine refuses; kernels, which a parent's arguments do not reach, need not be
     * made first. */
    must(run(
        "ninja -C fast/build -t targets all | grep -o '^[^:]*libpiola_engine.a.p/[^:]*[.]c[.]o' | "
        "head -n 1 >fast/one"));
    TEST_ASSERT_NOT_EQUAL(0, run("ninja -C fast/build \"$(cat fast/one)\""));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "the same bits on every machine"), text);
}

/* The program in README.md is examples/hello.c to the letter, and runs. */
static void test_readme_example_runs(void)
{
    must(run("../examples/example_hello >hello.txt && test -s hello.txt"));
    must(run("awk '/^```c$/ { inside = 1; next } /^```$/ { if (inside) exit } inside' "
             "\"$PIOLA_SOURCE_DIR/README.md\" >readme.c && "
             "diff readme.c \"$PIOLA_SOURCE_DIR/examples/hello.c\""));
}

/* Loops of clients: each ends with 0 when what it shows holds. */
static void test_loops_of_clients_run(void)
{
    must(run("../examples/example_game_loop >loop.txt && grep -q 'the same state' loop.txt"));
    must(run("../examples/example_vr_rig 0.2 >loop.txt && grep -q 'pictures foretold' loop.txt"));
    must(run("../examples/example_haptic_rig 0.2 >loop.txt && grep -q 'pushed the' loop.txt"));
    must(run("../examples/example_shared_device 1 stop >loop.txt && grep -q 'forces' loop.txt"));
    if (getenv("PIOLA_PROOFS")) /* for a whole second */
        must(run("../examples/example_shared_device 6 stop 1 >loop.txt"));
}

int main(void)
{
    char line[4096];
    snprintf(line, sizeof line,
             "rm -rf '%s/scratch' && mkdir '%s/scratch' && cd '%s/scratch' && "
             "printf \"[binaries]\\nispc = '%%s'\\n\" \"$PIOLA_ISPC\" >native.ini",
             setting("PIOLA_BUILD_DIR"), setting("PIOLA_BUILD_DIR"), setting("PIOLA_BUILD_DIR"));
    if (system(line) != 0) {
        return 1;
    }
    UNITY_BEGIN();
    RUN_TEST(test_c_is_compiled_without_contraction);
    RUN_TEST(test_kernels_are_compiled_without_fma);
    RUN_TEST(test_fast_math_is_refused);
    RUN_TEST(test_no_file_compiles_with_loose_arithmetic);
    RUN_TEST(test_loose_arithmetic_is_noticed_at_run_time);
    RUN_TEST(test_engine_needs_no_operating_system);
    RUN_TEST(test_engine_runs_without_an_operating_system);
    RUN_TEST(test_shared_library_shows_only_the_interface);
    RUN_TEST(test_static_library_shows_only_the_interface);
    RUN_TEST(test_header_is_c11_and_cpp17);
    RUN_TEST(test_windows_programs_import_what_the_library_exports);
    RUN_TEST(test_every_function_is_documented);
    RUN_TEST(test_installed_tree_works);
    RUN_TEST(test_installed_io_works);
    RUN_TEST(test_installed_cpp_works);
    RUN_TEST(test_installed_examples_build_with_cmake);
    RUN_TEST(test_installed_examples_build_with_make);
    RUN_TEST(test_the_list_of_the_interface_is_that_of_the_headers);
    RUN_TEST(test_installed_command_finds_its_benches);
    RUN_TEST(test_readme_example_runs);
    RUN_TEST(test_loops_of_clients_run);
    RUN_TEST(test_a_fast_parent_is_refused);
    RUN_TEST(test_works_as_a_subproject);
    return UNITY_END();
}
