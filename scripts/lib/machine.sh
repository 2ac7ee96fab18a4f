# What this project needs of a machine, and how to get it. Sourced by the scripts.

# Libraries to build with, and the programs the service runs.
diary_packages="libpq-dev libhiredis-dev libjwt-dev libssl-dev libzip-dev libcurl4-openssl-dev libargon2-dev pkg-config
    postgresql redis-server redis-tools ffmpeg bubblewrap util-linux python3-venv"

# A real S3 service for tests, Ceph's gateway, and what copies to it.
bucket_packages="radosgw ceph-mon ceph-osd ceph-common rclone"

say() { printf '%s\n' "$*"; }
# fail MESSAGE [STATUS]
fail() { printf '%s\n' "$1" >&2; exit "${2:-1}"; }

need_swift() {
    local found major minor
    found=$( (swift --version 2>/dev/null || true) | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    major=${found%%.*}; minor=${found#*.}
    if [ -z "$found" ] || [ "$major" -lt 6 ] || { [ "$major" -eq 6 ] && [ "$minor" -lt 2 ]; }; then
        if [ -z "$found" ] && command -v swift >/dev/null; then
            say "$(command -v swift) does not say its version: $(swift --version 2>&1 | tail -n 1)"
        fi
        say "Swift 6.2 or newer is needed${found:+ (found $found)}. Get it for Debian 12:"
        say "    curl -O https://download.swift.org/swiftly/linux/swiftly-\$(uname -m).tar.gz && tar zxf swiftly-\$(uname -m).tar.gz && ./swiftly init"
        say "or see https://www.swift.org/install/linux/"
        exit 4
    fi
}

# need_checkout : a build writes into the checkout, and so does everything after it.
need_checkout() {
    local what
    for what in . .build .venv; do
        { [ ! -e "$what" ] || [ -w "$what" ]; } && continue
        if [ "$(id -u)" -ne 0 ] && [ ! -O "$what" ]; then
            say "$(readlink -f "$what") belongs to $(stat -c %U "$what") and cannot be written by $(id -un). Clone the repository as $(id -un), or run this as $(stat -c %U "$what")." >&2
        else
            say "$(readlink -f "$what") cannot be written: the disk or the folder is read-only." >&2
        fi
        exit 6
    done
}

# need_disk_space FOLDER MEGABYTES
need_disk_space() {
    local free
    free=$(df -Pm -- "$1" 2>/dev/null | awk 'NR == 2 { print $4 }')
    [ -z "$free" ] || [ "$free" -ge "$2" ] || fail "The disk of $1 has $free MB free; at least $2 MB are needed." 6
}

# need_tmpdir : compilers, pip and pytest write there. Asked before the compiler, which without it does not even say its version, and which
# ends with a fault of its own where the name has other letters than ASCII.
need_tmpdir() {
    [ -n "${TMPDIR:-}" ] || unset TMPDIR
    case ${TMPDIR:-/tmp} in
        /*) if [ ! -d "${TMPDIR:-/tmp}" ] || [ ! -w "${TMPDIR:-/tmp}" ] || LC_ALL=C grep -q '[^ -~]' <<<"${TMPDIR:-/tmp}"; then bad_tmpdir; fi ;;
        *) bad_tmpdir ;;
    esac
    [ -d /tmp ] && [ -w /tmp ] || fail "/tmp cannot be written; sockets of Postgres and Redis lie there." 6
}
bad_tmpdir() {
    say "TMPDIR is ${TMPDIR:-/tmp}, which is no folder that a compiler can write into; using /tmp"
    export TMPDIR=/tmp
}

# need_home : SwiftPM and clang keep caches there.
need_home() {
    local home
    home=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
    if [ ! -d "$home" ] || [ ! -w "$home" ]; then
        say "HOME is $home, which is no folder to write into; caches of the build go to .build/home"
        mkdir -p -m 0700 .build/home
        export HOME=$PWD/.build/home
    fi
}

# swiftpm ARGUMENTS… : swift. SwiftPM keeps a lock in TMPDIR that is named after the checkout; one of another user cannot be opened.
swiftpm() {
    local lock
    lock=${TMPDIR:-/tmp}/$(pwd -P | tr / _)_.build.lock
    if [ -e "$lock" ] && [ ! -O "$lock" ]; then
        mkdir -p -m 0700 .build/tmp
        TMPDIR=$PWD/.build/tmp swift "$@"
    else
        swift "$@"
    fi
}

# build ARGUMENTS… : swift build. With BUILD_ONCE=1 the way that takes least processor time for a folder that is built once: whole
# modules, no index for editors, nothing for debuggers, linked by lld. Built again without it, or with it after an edit, everything or the
# whole module is compiled anew.
build() {
    local once=()
    if [ -n "${BUILD_ONCE:-}" ]; then
        once=(--disable-index-store -debug-info-format none -Xswiftc -use-ld=lld)
        once+=(-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2)
    fi
    swiftpm build ${once[@]+"${once[@]}"} "$@"
}

# need_venv [EXTRA] : Python's packages for tests in .venv, made again when Tests/blackbox/requirements.txt is newer. EXTRA names another list
# beside it, requirements-EXTRA.txt, which is added.
need_venv() {
    local folder=Tests/blackbox
    # --clear would empty the folder that a link leads to.
    if [ -L .venv ]; then
        echo ".venv is a symbolic link: remove it, and a folder is made here" >&2
        return 1
    fi
    if [ ! -x .venv/bin/pytest ] || [ ! -e .venv/made ] || [ "$folder/requirements.txt" -nt .venv/made ]; then
        python3 -m venv --clear .venv
        .venv/bin/pip install -q --disable-pip-version-check -r "$folder/requirements.txt"
        touch .venv/made
    fi
    [ -n "${1:-}" ] || return 0
    if [ ! -e ".venv/made-$1" ] || [ "$folder/requirements-$1.txt" -nt ".venv/made-$1" ]; then
        .venv/bin/pip install -q --disable-pip-version-check -r "$folder/requirements-$1.txt"
        touch ".venv/made-$1"
    fi
}

# need_packages PACKAGE… : installs what is missing, or prints the exact line and stops.
need_packages() {
    local missing="" package line log
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing="$missing $package"
    done
    [ -z "$missing" ] && return 0
    line="apt-get install -y --no-install-recommends$missing"
    if [ "$(id -u)" -eq 0 ]; then
        set -- env
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        set -- sudo -n env
    else
        say "These packages are missing, and installing needs an administrator. Run this, then come back:"
        say "    sudo apt-get update && sudo $line"
        exit 3
    fi
    say "installing:$missing"
    log=$(mktemp)
    # What an interrupted installation left is finished first.
    "$@" dpkg --configure -a >>"$log" 2>&1 || true
    "$@" apt-get update -qq >>"$log" 2>&1 || true
    "$@" DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=120 $missing >>"$log" 2>&1 || {
        tail -n 20 "$log" >&2
        rm -f "$log"
        fail "installing failed; the line was: $line" 3
    }
    rm -f "$log"
}

# fetch_speech : the speech server's packages, models and recordings of voices, in the user's cache.
fetch_speech() { "$(dirname "${BASH_SOURCE[0]}")/../speech" --tests; }

# fetch_proxies : nginx and Caddy for the tests of deploy/, unpacked into .build/proxies. Installing their packages would start them.
fetch_proxies() {
    local folder=$PWD/.build/proxies name
    for name in nginx caddy; do
        if command -v "$name" >/dev/null || [ -x "$folder/usr/sbin/$name" ] || [ -x "$folder/usr/bin/$name" ]; then continue; fi
        mkdir -p "$folder/packages"
        if ! { fetch_package "$name" "$folder/packages" && dpkg-deb -x "$folder/packages/$name"_*.deb "$folder"; } >"$folder/$name.log" 2>&1; then
            say "$name is not installed and could not be fetched (.build/proxies/$name.log); tests with it are skipped"
        fi
    done
}

# fetch_postfix : a mail server for the tests of SMTP, unpacked into .build/postfix. Installing its package would start it.
fetch_postfix() {
    local folder=$PWD/.build/postfix
    if [ -x /usr/lib/postfix/sbin/master ] || [ -x "$folder/usr/lib/postfix/sbin/master" ]; then return; fi
    mkdir -p "$folder/packages"
    if ! { fetch_package postfix "$folder/packages" && dpkg-deb -x "$folder/packages/"postfix_*.deb "$folder"; } >"$folder/fetch.log" 2>&1; then
        say "postfix is not installed and could not be fetched (.build/postfix/fetch.log); tests with it are skipped"
    fi
}

# fetch_package NAME FOLDER : apt knows packages only after an update, which needs an administrator.
fetch_package() {
    (cd "$2" && { apt-get download "$1" || { [ "$(id -u)" -eq 0 ] && apt-get update -qq && apt-get download "$1"; }; })
}
