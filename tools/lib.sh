# shellcheck shell=sh
# Shared by ./dev and the scripts in tools/: messages, the cache, the lock, and a private apt root.
#
# Sourced, never run. What must not live here: anything about compiling (meson.build) or about which test runs
# where (tools/run-tests).

# The Debian release that carries ISPC and Unity's sources, and the oldest ISPC that knows our kernels' features.
ARCHIVE_SUITE=trixie
ISPC_MINIMUM=1.26
# shellcheck disable=SC2034
MESON_MINIMUM=1.0

say()
{
    printf 'piola: %s\n' "$*" >&2
}

# die "what went wrong" "what to do next"
die()
{
    printf 'piola: error: %s\n' "$1" >&2
    [ $# -lt 2 ] || printf 'piola: next:  %s\n' "$2" >&2
    exit 1
}

have()
{
    command -v "$1" >/dev/null 2>&1
}

# Prints the per-user cache folder, creating it.
cache_dir()
{
    base=${XDG_CACHE_HOME:-}
    if [ -z "$base" ]; then
        [ -n "${HOME:-}" ] || die "neither XDG_CACHE_HOME nor HOME is set, so there is no place for a cache" \
            "run again with XDG_CACHE_HOME=/some/writable/folder"
        base=$HOME/.cache
    fi
    { mkdir -p "$base/piola" && [ -w "$base/piola" ]; } 2>/dev/null ||
        die "the cache folder $base/piola cannot be written" "run again with XDG_CACHE_HOME=/some/writable/folder"
    printf '%s\n' "$base/piola"
}

# version_at_least HAVE WANT: dotted numbers, any length; trailing text such as "-1" or "dev" is ignored.
version_at_least()
{
    awk -v have="$1" -v want="$2" 'BEGIN {
        n = split(want, w, "."); split(have, h, ".")
        for (i = 1; i <= n; i++) {
            a = h[i] + 0; b = w[i] + 0
            if (a > b) exit 0
            if (a < b) exit 1
        }
        exit 0 }'
}

# Takes the lock file's descriptor 9 for the rest of this process, so that two runs never write one cache.
lock_cache()
{
    lock=$(cache_dir)/lock || exit 1
    exec 9>"$lock" || die "the lock $lock cannot be opened" "remove it, or fix its owner, and run again"
    flock -n 9 && return 0
    say "another run holds $lock: waiting for it"
    flock -w 1800 9 || die "another run has held $lock for half an hour" "end that run, then start this one again"
}

unlock_cache()
{
    exec 9>&-
}

# Prints NAME's value from the machine's os-release.
os_release()
{
    sed -n "s/^$1=//p" /etc/os-release 2>/dev/null | tr -d "\"'" | head -n 1
}

# Prints the address of the Debian archive this machine is configured to use. apt itself reads its
# configuration here, so both source formats, private roots (APT_CONFIG) and mirrors are understood.
archive_address()
{
    suite=$(os_release VERSION_CODENAME)
    uris=$(apt-get -o Debug::NoLocking=1 --print-uris update 2>/dev/null | sed -n "s/^'\([^']*\)'.*/\1/p")
    address=$(printf '%s\n' "$uris" | sed -n "s,/dists/$suite/InRelease\$,,p" | head -n 1)
    # A machine that only lists, say, "stable": any Debian main archive serves every suite.
    [ -n "$address" ] ||
        address=$(printf '%s\n' "$uris" | sed -n 's,/debian/dists/[^/]*/InRelease$,/debian,p' | head -n 1)
    [ -n "$address" ] || die "apt is configured with no Debian archive for '$suite'" \
        "add a Debian source to /etc/apt/sources.list, or put ispc $ISPC_MINIMUM or newer on PATH"
    printf '%s\n' "$address"
}

# Whether this machine's Debian keyring has the keys that sign ARCHIVE_SUITE.
knows_archive_keys()
{
    for ring in /usr/share/keyrings/debian-archive-"$ARCHIVE_SUITE"-automatic.*; do
        [ -r "$ring" ] && return 0
    done
    return 1
}

# Prints the path of the keyring that apt is to check ARCHIVE_SUITE with.
archive_keyring()
{
    knows_archive_keys || die "this machine's Debian keyring does not know $ARCHIVE_SUITE's keys" \
        "as root: apt-get install debian-archive-keyring"
    for ring in /usr/share/keyrings/debian-archive-keyring.gpg /usr/share/keyrings/debian-archive-keyring.pgp; do
        [ ! -r "$ring" ] || { printf '%s\n' "$ring"; return 0; }
    done
    die "Debian's keyring is not in /usr/share/keyrings" "as root: apt-get install debian-archive-keyring"
}

# archive_open FOLDER KINDS...: makes an apt root of our own in FOLDER that knows only ARCHIVE_SUITE of the
# machine's archive, and fetches its index. KINDS are "deb" or "deb-src". Sets ARCHIVE_CONF for apt -c.
# Nothing of the machine's own apt state is read or written, and apt checks every signature and checksum.
# The machine's proxies and certificates still apply: its configuration is read first, ours on top.
archive_open()
{
    folder=$1
    shift
    address=$(archive_address) && ring=$(archive_keyring) || exit 1
    mkdir -p "$folder/state/lists/partial" "$folder/cache/archives/partial"
    : >"$folder/status"
    for kind in "$@"; do
        printf '%s [signed-by=%s] %s %s main\n' "$kind" "$ring" "$address" "$ARCHIVE_SUITE"
    done >"$folder/sources.list"
    cat >"$folder/apt.conf" <<END
#clear APT::Update;
#clear APT::Default-Release;
#clear Dir::Etc::preferencesparts;
APT::Sandbox::User "root";
APT::Update::Error-Mode "any";
Acquire::Languages "none";
Acquire::Retries "3";
Acquire::AllowInsecureRepositories "false";
Dir::State "$folder/state";
Dir::State::status "$folder/status";
Dir::Cache "$folder/cache";
Dir::Etc::sourcelist "$folder/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
END
    ARCHIVE_CONF=$folder/apt.conf
    apt-get -q -q -c "$ARCHIVE_CONF" update </dev/null >"$folder/log" 2>&1 || {
        cat "$folder/log" >&2
        die "the index of Debian $ARCHIVE_SUITE cannot be read from $address" \
            "connect to the network (apt's proxy settings are used), then run again"
    }
}
