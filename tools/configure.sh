# shellcheck shell=sh
# Makes Meson's build folders, build-NAME in the root, and builds them. Sourced by ./dev after tools/setup.sh.

# Two runs in one clone take turns.
take_lock()
{
    exec 8>"$PIOLA_ROOT/build.lock" || die "$PIOLA_ROOT cannot be written" "run in a clone of your own"
    flock -n 8 && return 0
    say "another ./dev runs in this folder: waiting for it"
    flock 8
}

free_lock()
{
    exec 8>&-
}

quiet()
{
    log=$1
    shift
    "$@" >"$log" 2>&1 8>&- && return 0
    tail -n 200 "$log" >&2
    return 1
}

# configure NAME CC MESON_ARGUMENT...: does nothing when the folder was made with just these.
configure()
{
    name=$1
    compiler=$2
    shift 2
    build=$PIOLA_ROOT/build-$name
    wanted="$PIOLA_ROOT|$ISPC|$compiler $("$compiler" -dumpfullversion 2>/dev/null || "$compiler" --version)|$*"
    if [ -f "$build/build.ninja" ] && [ "$wanted" = "$(cat "$build/piola-configured" 2>/dev/null)" ]; then
        return 0
    fi
    rm -rf "$build"
    mkdir -p "$build"
    # shellcheck disable=SC2016
    printf '#!/bin/sh\nexec '\''%s'\'' '\''%s'\'' '\''%s'\'' "$@"\n' "$PIOLA_ROOT/tools/ispc-cached" "$ISPC" "$PIOLA_ROOT/build-kernels" \
        >"$build/ispc-cached"
    chmod +x "$build/ispc-cached"
    printf "[binaries]\nispc = '%s'\n" "$build/ispc-cached" >"$build/native.ini"
    CC=$compiler quiet "$build/setup.log" meson setup "$build" "$PIOLA_ROOT" --native-file "$build/native.ini" "$@" ||
        { say "the build folder build-$name cannot be configured"; return 1; }
    printf '%s\n' "$wanted" >"$build/piola-configured"
}

# compile NAME [TARGET...]: quiet unless it fails.
compile()
{
    name=$1
    shift
    say "building build-$name"
    quiet "$PIOLA_ROOT/build-$name/build.log" ninja -k 0 -C "$PIOLA_ROOT/build-$name" "$@" ||
        { say "build-$name does not build: the whole log is build-$name/build.log"; return 1; }
}

# clang's compile commands say how each file is to be read, and generated headers must be there to be read.
check_code()
{
    configure clang clang -Dbuildtype=release || return 1
    quiet "$PIOLA_ROOT/build-clang/build.log" ninja -C "$PIOLA_ROOT/build-clang" bench/revision.h || return 1
    "$PIOLA_ROOT/tools/check-code" "$PIOLA_ROOT/build-clang"
}
