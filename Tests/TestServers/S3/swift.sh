#!/bin/bash
# OpenStack Swift with its S3 interface on 127.0.0.1:PORT. Ends, and removes DIR, when its standard input closes.    swift.sh DIR PORT
# Debian: python3-swift memcached. DIARY_TEST_SWIFT names another root of those packages. DIR needs user extended attributes.
set -u
dir=$1 port=$2 root=${DIARY_TEST_SWIFT:-} python=/usr/bin/python3
[ -z "$root" ] || export PATH=$root/usr/bin:$PATH PYTHONPATH=$root/usr/lib/python3/dist-packages LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu:$root/lib/x86_64-linux-gnu
mkdir -p "$dir"/{etc,log,srv/d1}
# The inner servers have the same port on other loopback addresses.
declare -A address=([proxy]=127.0.0.1 [account]=127.0.0.2 [container]=127.0.0.3 [object]=127.0.0.4 [cache]=127.0.0.5)
cat >"$dir/etc/swift.conf" <<EOF
[swift-hash]
swift_hash_path_prefix = tests
swift_hash_path_suffix = tests
[storage-policy:0]
name = default
default = yes
EOF
for kind in account container object; do
    cat >"$dir/etc/$kind.conf" <<EOF
[DEFAULT]
bind_ip = ${address[$kind]}
bind_port = $port
workers = 0
user = $(id -un)
swift_dir = $dir/etc
devices = $dir/srv
mount_check = false
disable_fallocate = true
fallocate_reserve = 0
[pipeline:main]
pipeline = $kind-server
[app:$kind-server]
use = egg:swift#$kind
EOF
done
{
    cat <<EOF
[DEFAULT]
bind_ip = ${address[proxy]}
bind_port = $port
workers = 0
user = $(id -un)
swift_dir = $dir/etc
[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats bulk s3api tempauth copy slo dlo versioned_writes symlink proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
storage_domain = localhost
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:versioned_writes]
use = egg:swift#versioned_writes
allow_versioned_writes = true
allow_object_versioning = true
[filter:cache]
use = egg:swift#memcache
memcache_servers = ${address[cache]}:$port
EOF
    for filter in catch_errors gatekeeper listing_formats bulk copy slo dlo symlink; do
        printf '[filter:%s]\nuse = egg:swift#%s\n' "$filter" "$filter"
    done
} >"$dir/etc/proxy.conf"
cat >"$dir/etc/serve.py" <<'PY'
import importlib, os, sys
from swift.common import utils

kind, conf = sys.argv[1:]
# Instead of /etc/swift.
utils.set_swift_dir(os.path.dirname(conf))
from swift.common.wsgi import run_wsgi

more = {}
if kind == "object":
    more["global_conf_callback"] = importlib.import_module("swift.obj.server").global_conf_callback
sys.exit(run_wsgi(conf, kind + "-server", verbose=True, **more))
PY
pids=()
end() {
    kill -9 "${pids[@]}" 2>/dev/null
    wait
    rm -rf "$dir"
}
trap end EXIT
exec 2>>"$dir/log/start"
"$python" - "$dir/etc" "$port" "${address[account]}" "${address[container]}" "${address[object]}" <<'PY' >&2 || exit 1
import os, sys
from swift.common import utils

etc, port = sys.argv[1], int(sys.argv[2])
utils.set_swift_dir(etc)
from swift.common.ring import RingBuilder

for kind, ip in zip(("account", "container", "object"), sys.argv[3:]):
    ring = RingBuilder(4, 1, 0)
    ring.add_dev({"region": 1, "zone": 1, "ip": ip, "port": port, "replication_ip": ip, "replication_port": port,
                  "device": "d1", "weight": 1, "meta": ""})
    ring.rebalance()
    ring.get_ring().save(os.path.join(etc, kind + ".ring.gz"))
PY
user=()
[ "$(id -u)" != 0 ] || user=(-u "$(id -un)")
memcached -l "${address[cache]}" -p "$port" -U 0 -m 16 -t 1 "${user[@]}" </dev/null >"$dir/log/cache" 2>&1 &
pids+=($!)
for kind in account container object proxy; do
    "$python" "$dir/etc/serve.py" "$kind" "$dir/etc/$kind.conf" </dev/null >"$dir/log/$kind" 2>&1 &
    pids+=($!)
done
echo started
cat >/dev/null
