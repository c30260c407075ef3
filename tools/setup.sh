# shellcheck shell=sh
# Installs what a purpose needs: packages by apt, ISPC, Unity. Sourced by ./dev.
#
# A thing that is already there, however it came, is never installed again: so the second run is quick, needs
# neither network nor root, and another distribution works when its owner has installed the tools.

# PACKAGE PROBE: the probe is a command on PATH, a file that the package brings, or runtime:NAME, a library of clang's.
NEEDS_BUILD='
gcc gcc
libc6-dev /usr/include/stdlib.h
binutils ld
meson meson
ninja-build ninja
pkg-config pkg-config
python3 python3
xz-utils xz
libjansson-dev /usr/include/jansson.h
libepoxy-dev /usr/include/epoxy/egl.h
libegl-dev /usr/include/EGL/egl.h
libpng-dev /usr/include/png.h
zlib1g-dev /usr/include/zlib.h
libglfw3-dev /usr/include/GLFW/glfw3.h
'
# For drawing without a screen or a graphics card.
NEEDS_DEMO='
libegl1 /usr/lib/x86_64-linux-gnu/libEGL.so.1
libgl1-mesa-dri /usr/lib/x86_64-linux-gnu/dri/swrast_dri.so
'
NEEDS_CHECK='
clang clang
clang-format clang-format
clang-tidy clang-tidy
cppcheck cppcheck
shellcheck shellcheck
git git
'
NEEDS_FUZZ='
clang clang
libclang-rt-dev runtime:fuzzer
'
# What Debian's own Python takes.
# shellcheck disable=SC2034
PYTHON=/usr/bin/python3
NEEDS_PYTHON='
python3-cffi /usr/lib/python3/dist-packages/cffi
python3-numpy /usr/lib/python3/dist-packages/numpy
python3-pytest /usr/lib/python3/dist-packages/pytest
'
NEEDS_TEST='
g++ g++
cmake cmake
make make
gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc
libc6-dev-arm64-cross /usr/aarch64-linux-gnu/include/stdlib.h
qemu-user qemu-aarch64
spin spin
xvfb Xvfb
xdotool xdotool
tetgen tetgen
'

# Prints the packages of the list $1 whose probe fails.
missing_packages()
{
    printf '%s' "$1" | while read -r package probe; do
        case $probe in
        '') ;;
        # Its folder is named after the system or after the target; -print-runtime-dir may name the wrong one.
        runtime:*)
            ls "$(clang -print-resource-dir 2>/dev/null)"/lib/*/"libclang_rt.${probe#*:}"*.a >/dev/null 2>&1 ||
                printf '%s ' "$package"
            ;;
        /*) [ -e "$probe" ] || printf '%s ' "$package" ;;
        *) have "$probe" || printf '%s ' "$package" ;;
        esac
    done
}

# Prints nothing when this process may install packages itself, "sudo -n" when it may through sudo.
as_root()
{
    if [ "$(id -u)" -eq 0 ]; then
        return 0
    elif have sudo && sudo -n true 2>/dev/null; then
        echo 'sudo -n'
    else
        return 1
    fi
}

install_packages()
{
    packages=$1
    have apt-get || die "these are missing, and there is no apt-get here to install them: $packages" \
        "install them your system's way (the names are Debian's), then run again"
    case $(os_release ID):$(os_release VERSION_ID) in
    debian:12 | debian:13) ;;
    *) say "warning: this is $(os_release PRETTY_NAME); only Debian 12 and 13 are tested" ;;
    esac
    root_prefix=$(as_root) || die "these packages are missing, and this user may not install any: $packages" \
        "as root: apt-get install $packages"
    read_index
    # shellcheck disable=SC2086
    size=$(LC_ALL=C apt-get -o Debug::NoLocking=1 --assume-no --no-install-recommends install $packages 2>/dev/null |
        sed -n 's/^Need to get \([^(]*\) of archives.*/\1/p' | sed 's,.*/,,') || :
    say "installing ${size:+($size to fetch) }$packages"
    # shellcheck disable=SC2086
    apt_run --yes --no-install-recommends install $packages >"$log" 2>&1 || apt_failed "apt cannot install $packages"
    rm -f "$log"
}

# Once a run is enough.
index_is_read=no
read_index()
{
    root_prefix=$(as_root) || return 0
    [ "$index_is_read" = no ] || return 0
    log=$(mktemp)
    say "reading the package index"
    # One dead source among several must not stop us; if it was the one that mattered, installing fails.
    apt_run update >"$log" 2>&1 || { grep '^[EW]:' "$log" | head -n 5 >&2 || :; }
    index_is_read=yes
}

apt_run()
{
    # shellcheck disable=SC2086
    $root_prefix env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q -o DPkg::Lock::Timeout=600 \
        -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 -o APT::Update::Error-Mode=any \
        -o DPkg::Options::=--force-confdef -o DPkg::Options::=--force-confold "$@"
}

apt_failed()
{
    tail -n 30 "$log" >&2
    rm -f "$log"
    die "$1" "look at apt's message above; with no network, connect or set apt's proxy, then run again"
}

# The distribution's own ISPC is preferred where it has one that is new enough; needs a fresh index.
distribution_ispc()
{
    candidate=$(LC_ALL=C apt-cache policy ispc 2>/dev/null | sed -n 's/^ *Candidate: //p')
    case $candidate in
    '' | '(none)') ;;
    *) ! version_at_least "$candidate" "$ISPC_MINIMUM" || printf 'ispc ' ;;
    esac
}

# Brings what tools/get-ispc and tools/get-unity need but do not install: the distribution's package of the
# first, and Debian's current signing keys when something is to be fetched from its archive.
prepare_downloads()
{
    ISPC=$("$PIOLA_ROOT/tools/get-ispc" --local) || ISPC=''
    UNITY=$("$PIOLA_ROOT/tools/get-unity" --local) || UNITY=''
    if [ -z "$ISPC" ] && as_root >/dev/null && have apt-get; then
        read_index
        wanted=$(distribution_ispc)
        [ -z "$wanted" ] || install_packages "$wanted"
        ISPC=$("$PIOLA_ROOT/tools/get-ispc" --local) || ISPC=''
    fi
    if { [ -z "$ISPC" ] || [ -z "$UNITY" ]; } && ! knows_archive_keys && as_root >/dev/null && have apt-get; then
        install_packages debian-archive-keyring
    fi
}

# setup_for build|demo|python|check|fuzz|test
setup_for()
{
    case $(uname -s):$(uname -m) in
    Linux:x86_64) ;;
    *) die "./dev works on x86-64 Linux, and this is $(uname -s) on $(uname -m)" \
        "on AArch64 Linux install meson, ninja, gcc and ispc $ISPC_MINIMUM, then: meson setup build" ;;
    esac
    lock_cache
    needs=$NEEDS_BUILD
    case $1 in
    demo) needs=$needs$NEEDS_DEMO ;;
    python) needs=$needs$NEEDS_PYTHON ;;
    check) needs=$needs$NEEDS_CHECK ;;
    fuzz) needs=$needs$NEEDS_FUZZ ;;
    test) needs=$needs$NEEDS_DEMO$NEEDS_CHECK$NEEDS_FUZZ$NEEDS_PYTHON$NEEDS_TEST ;;
    esac
    missing=$(missing_packages "$needs")
    [ -z "$missing" ] || install_packages "$missing"
    still=$(missing_packages "$needs")
    [ -z "$still" ] || die "apt says it installed these, but they cannot be found: $still" "check PATH, then run again"
    version_at_least "$(meson --version)" "$MESON_MINIMUM" ||
        die "meson $(meson --version) is older than $MESON_MINIMUM" "install a newer one"
    prepare_downloads
    [ -n "$ISPC" ] || ISPC=$("$PIOLA_ROOT/tools/get-ispc") || exit 1
    [ -n "$UNITY" ] || UNITY=$("$PIOLA_ROOT/tools/get-unity") || exit 1
    unlock_cache
}
