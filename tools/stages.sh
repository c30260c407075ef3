# shellcheck shell=sh
# The stages of ./dev test, one a build or a tool, and their sum. Sourced by ./dev after tools/configure.sh.
#
# Every number comes from the summary lines that Unity printed, collected by tools/count-tests. A stage that could
# not run, and a test that died without a summary, count as failed.

results=''
total_passed=0
total_failed=0

# stage TITLE COMMAND...: runs it, and notes what it left in $passed, $failed and $ignored.
stage()
{
    title=$1
    shift
    begun=$(date +%s)
    passed=0 failed=0 ignored=0
    "$@" || [ "$failed" -gt 0 ] || failed=1
    seconds=$(($(date +%s) - begun))
    results="$results$(printf '%-34s %7d %7d %8d %8d' "$title" "$passed" "$failed" "$ignored" "$seconds")
"
    total_passed=$((total_passed + passed))
    total_failed=$((total_failed + failed))
    say "$title: $passed passed, $failed failed, $seconds s"
}

# unit_tests NAME COMPILER SCALE SUITE MESON_ARGUMENT...: builds build-NAME, and runs a suite of it.
# SCALE shortens what would be slow under a sanitizer or an emulator; a golden hash never depends on it.
unit_tests()
{
    name=$1 compiler=$2 scale=$3 suite=$4
    shift 4
    configure "$name" "$compiler" "$@" || return 1
    # For a part of the tests Meson itself builds just what they need.
    rebuild=''
    [ "$suite" != all ] || [ "$name" = aarch64 ] || { compile "$name" && rebuild=--no-rebuild; } || return 1
    build=$PIOLA_ROOT/build-$name
    skip='' patience=1 run=''
    [ "$name" = release ] || skip='--no-suite native'
    # Another compiler or processor gives the same bits, which the golden hashes prove: physics at length is the same.
    case $name in
    asan | tsan) patience=10 ;;
    clang) skip="$skip --no-suite host" ;;
    aarch64) patience=20 skip="$skip --no-suite host" ;;
    esac
    # The thread sanitizer's map of the address space collides with full randomisation on newer kernels.
    [ "$name" != tsan ] || ! setarch "$(uname -m)" -R true 2>/dev/null || run="setarch $(uname -m) -R"
    rm -f "$build/meson-logs/testlog.json"
    # shellcheck disable=SC2086
    PIOLA_TEST_SCALE=$scale \
        ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1 \
        UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
        TSAN_OPTIONS=halt_on_error=1 \
        $run meson test -C "$build" $rebuild --suite "$suite" $skip --timeout-multiplier "$patience" \
        >"$build/test.log" 2>&1 8>&- || :
    counts=$("$PIOLA_ROOT/tools/count-tests" "$build/meson-logs/testlog.json") || {
        tail -n 100 "$build/test.log" >&2
        return 1
    }
    # shellcheck disable=SC2086
    set -- $counts
    passed=$1 failed=$2 ignored=$3
}

native_tests()
{
    unit_tests "$@"
}

cross_tests()
{
    unit_tests aarch64 aarch64-linux-gnu-gcc 0.02 all -Dbuildtype=release \
        --cross-file "$PIOLA_ROOT/tools/aarch64.ini"
}

# The package of the release build, by pytest, whose last line has the sums.
python_tests()
{
    log=$PIOLA_ROOT/build-release/pytest.log
    "$PIOLA_ROOT/tools/python-package" "$PIOLA_ROOT/build-release" || return 1
    PYTHONPATH=$PIOLA_ROOT/build-release/python PYTHONDONTWRITEBYTECODE=1 \
        "$PYTHON" -m pytest -q -p no:cacheprovider "$PIOLA_ROOT/bindings/python/tests" >"$log" 2>&1 8>&- || tail -n 100 "$log" >&2
    passed=$(sed -n 's/.*\b\([0-9][0-9]*\) passed.*/\1/p' "$log" | tail -n 1)
    failed=$(sed -n 's/.*\b\([0-9][0-9]*\) \(failed\|errors*\).*/\1/p' "$log" | tail -n 1)
    passed=${passed:-0} failed=${failed:-0}
    [ "$passed" -gt 0 ]
}

# The model checker has no Unity summary: it adds nothing to the sum unless it fails.
models()
{
    mkdir -p "$PIOLA_ROOT/build-models"
    quiet "$PIOLA_ROOT/build-models/check.log" "$PIOLA_ROOT/models/check" "$PIOLA_ROOT/build-models"
}

# A second for each reader, so that the targets cannot rot; ./dev fuzz is the real search. Like the model
# checker it adds nothing to the sum unless it fails.
fuzz_smoke()
{
    fuzz_all 1
}

# fresh_seeds ROUNDS: what chance can still break. Each failure is told with its seed, which PIOLA_SEED repeats.
fresh_seeds()
{
    configure release "${CC:-gcc}" -Dbuildtype=release
    compile release
    log=$PIOLA_ROOT/build-release/seeds.log
    say "$1 rounds of all unit tests; the log is $log"
    if meson test -C "$PIOLA_ROOT/build-release" --no-rebuild --repeat "$1" --print-errorlogs >"$log" 2>&1; then
        say "no test failed"
        return 0
    fi
    grep -aE '^PIOLA_SEED=|:FAIL' "$log" | grep -a -B 1 ':FAIL' >&2 || tail -n 40 "$log" >&2
    die "a test failed" "repeat it: PIOLA_SEED=... build-release/tests/test_NAME"
}

run_all_stages()
{
    # Lines of calls are all that a finding shows: less of debugging information compiles and links faster.
    san='-Dbuildtype=debugoptimized -Dc_args=-g1 -Db_lundef=false -Dbench=disabled -Dexamples=disabled'
    # Kernels without optimisation: of the one instruction set that every machine of a kind has.
    least=sse4
    [ "$(uname -m)" = x86_64 ] || least=neon
    small="-Dbench=disabled -Dexamples=disabled -Disas=$least"
    begun_all=$(date +%s)
    stage 'gcc -O3' native_tests release "${CC:-gcc}" 1 all -Dbuildtype=release
    stage 'clang -O3' native_tests clang clang 0.2 all -Dbuildtype=release
    # shellcheck disable=SC2086
    {
        stage 'gcc -O0 (golden hashes)' native_tests gcc-O0 gcc 1 golden -Dbuildtype=debug $small
        stage 'clang -O0 (golden hashes)' native_tests clang-O0 clang 1 golden -Dbuildtype=debug $small
        stage 'address, undefined sanitizers' native_tests asan gcc 0.09 all -Db_sanitize=address,undefined $san
        stage 'thread sanitizer (jobs)' native_tests tsan gcc 0.3 jobs -Db_sanitize=thread $san
    }
    stage 'AArch64 under qemu' cross_tests
    stage 'Python' python_tests
    stage 'models (spin)' models
    stage 'fuzz (smoke)' fuzz_smoke
    stage 'check' check_code
    printf '\n%-34s %7s %7s %8s %8s\n' stage passed failed ignored seconds
    printf '%s' "$results"
    printf '%-34s %7d %7d %8s %8d\n\n' all "$total_passed" "$total_failed" '' $(($(date +%s) - begun_all))
    printf '%d passed, %d failed\n' "$total_passed" "$total_failed"
    [ "$total_failed" -eq 0 ] && [ "$total_passed" -gt 0 ]
}
