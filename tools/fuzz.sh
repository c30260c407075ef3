# shellcheck shell=sh
# Builds the libFuzzer programs (fuzz/) in build-fuzz, and runs them. Sourced by ./dev and tools/stages.sh.
#
# What must not live here: which readers are fuzzed (fuzz/meson.build).

# Prints the most megabytes that one allocation may have: a reader's memory is bounded by its file's size, but
# the program that steps a whole world takes more at once.
fuzz_limit()
{
    case $1 in
    asset | record | snapshot | mesh_vtu) echo 64 ;;
    mesh_glb) echo 8 ;;
    *) echo 1 ;;
    esac
}

# fuzz_one NAME SECONDS: one target. The inputs it finds are kept in build-fuzz/found/NAME for the next run.
fuzz_one()
{
    folder=$PIOLA_ROOT/build-fuzz
    mkdir -p "$folder/found/$1"
    set -- "$1" "$2" "$folder/found/$1"
    [ ! -d "$PIOLA_ROOT/fuzz/corpus/$1" ] || set -- "$@" "$PIOLA_ROOT/fuzz/corpus/$1"
    name=$1 time=$2
    shift 2
    say "fuzzing $name, $time s"
    UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
        "$folder/fuzz/fuzz_$name" -max_total_time="$time" -max_len=4096 -timeout=5 -print_final_stats=1 \
        -malloc_limit_mb="$(fuzz_limit "$name")" -artifact_prefix="$folder/$name-" "$@" >"$folder/$name.log" 2>&1 8>&- || {
        tail -n 60 "$folder/$name.log" >&2
        say "$name: FAILED; the input is named above, the whole log is build-fuzz/$name.log"
        return 1
    }
    say "$name: good, $(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$name.log") inputs"
}

# fuzz_all SECONDS: every target for that long, two side by side, also when one fails.
fuzz_all()
{
    configure fuzz clang -Dbuildtype=debugoptimized -Dfuzz=enabled -Db_lundef=false \
        -Db_sanitize=address,undefined -Dc_args=-fsanitize=fuzzer-no-link -Dtests=disabled -Dbench=disabled \
        -Dexamples=disabled -Dpictures=disabled -Dwindow=disabled || return 1
    compile fuzz || return 1
    count=0
    rm -f "$PIOLA_ROOT/build-fuzz/failed"
    for program in "$PIOLA_ROOT"/build-fuzz/fuzz/fuzz_*; do
        [ -f "$program" ] || continue
        count=$((count + 1))
        { fuzz_one "${program##*/fuzz_}" "$1" || : >"$PIOLA_ROOT/build-fuzz/failed"; } &
        [ $((count % 2)) -ne 0 ] || wait # two side by side
    done
    wait
    [ "$count" -gt 0 ] || { say "there is nothing to fuzz in build-fuzz"; return 1; }
    [ ! -f "$PIOLA_ROOT/build-fuzz/failed" ]
}
