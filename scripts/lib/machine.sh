# What this project needs of a machine, and how to get it. Sourced by scripts/demo and scripts/test.

# Libraries to build with, and the programs the service runs.
diary_packages="libpq-dev libhiredis-dev libjwt-dev libssl-dev libzip-dev libargon2-dev pkg-config
    postgresql redis-server redis-tools ffmpeg pocketsphinx pocketsphinx-en-us bubblewrap util-linux"

say() { printf '%s\n' "$*"; }
# fail MESSAGE [STATUS]
fail() { printf '%s\n' "$1" >&2; exit "${2:-1}"; }

need_swift() {
    local found major minor
    found=$( (swift --version 2>/dev/null || true) | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    major=${found%%.*}; minor=${found#*.}
    if [ -z "$found" ] || [ "$major" -lt 6 ] || { [ "$major" -eq 6 ] && [ "$minor" -lt 2 ]; }; then
        say "Swift 6.2 or newer is needed${found:+ (found $found)}. Get it for Debian 12:"
        say "    curl -O https://download.swift.org/swiftly/linux/swiftly-\$(uname -m).tar.gz && tar zxf swiftly-\$(uname -m).tar.gz && ./swiftly init"
        say "or see https://www.swift.org/install/linux/"
        exit 4
    fi
}

# need_packages PACKAGE… : installs what is missing, or prints the exact line and stops.
need_packages() {
    local missing="" package line
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
    "$@" apt-get update -qq >/dev/null 2>&1 || true
    "$@" DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/tmp/diary-apt.$$ 2>&1 || {
        tail -n 20 /tmp/diary-apt.$$ >&2
        fail "installing failed; the line was: $line" 3
    }
    rm -f /tmp/diary-apt.$$
}
