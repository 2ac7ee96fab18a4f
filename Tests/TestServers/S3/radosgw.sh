#!/bin/bash
# Ceph's object gateway on ADDRESS:PORT, 127.0.0.1 when not given, over one monitor and one store that keeps its data in memory. Ends, and
# removes DIR, when its standard input closes.    radosgw.sh DIR PORT [ADDRESS]
# Debian: radosgw ceph-mon ceph-osd ceph-common. DIARY_TEST_CEPH names another root of those packages.
set -u
dir=$1 port=$2 address=${3:-127.0.0.1} root=${DIARY_TEST_CEPH:-}
if [ -n "$root" ]; then
    export PATH=$root/usr/bin:$PATH PYTHONPATH=$root/usr/lib/python3/dist-packages
    export LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu:$root/usr/lib/x86_64-linux-gnu/ceph:$root/usr/lib:$root/lib/x86_64-linux-gnu
fi
lib=$root/usr/lib/x86_64-linux-gnu
mkdir "$dir"/{run,log,mon,osd,rgw}
# The monitor has the same port on another loopback address, the store chooses ports on a third one.
monitor=v2:127.0.0.2:$port
cat >"$dir/conf" <<EOF
[global]
fsid = $(cat /proc/sys/kernel/random/uuid)
mon_host = $monitor
mon_initial_members = a
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
ms_mon_client_mode = crc
public_network = 127.0.0.0/8
run_dir = $dir/run
admin_socket =
pid_file =
crash_dir = $dir/log
keyring = $dir/none
log_file = $dir/log/\$name.log
mon_cluster_log_file = $dir/log/cluster.log
plugin_dir = $lib/ceph
erasure_code_dir = $lib/ceph/erasure-code
osd_class_dir = $lib/rados-classes
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
# A fresh store makes about ten pools; each step waits for the monitor's vote.
paxos_propose_interval = 0.05
paxos_min_wait = 0.01
mon_data = $dir/mon
mon_data_avail_crit = 1
mon_data_avail_warn = 2
[osd]
osd_data = $dir/osd
osd_objectstore = memstore
memstore_device_bytes = 4294967296
public_addr = 127.0.0.3
cluster_addr = 127.0.0.3
[client]
rgw_data = $dir/rgw
rgw_dns_name = localhost
rgw_override_bucket_index_max_shards = 1
# What is deleted is freed after two hours otherwise.
rgw_gc_obj_min_wait = 10
rgw_gc_processor_period = 10
EOF
pids=()
end() {
    kill -9 "${pids[@]}" 2>/dev/null
    wait
    rm -rf "$dir"
}
trap end EXIT
exec 2>>"$dir/log/start"
id=$(cat /proc/sys/kernel/random/uuid)
ceph-mon -c "$dir/conf" --mkfs -i a --public-addr "$monitor" >&2 || exit 1
ceph-mon -c "$dir/conf" -i a -f --public-addr "$monitor" </dev/null >"$dir/log/mon" 2>&1 &
pids+=($!)
timeout 30 ceph -c "$dir/conf" --connect-timeout 20 osd new "$id" </dev/null >&2 || exit 1
ceph-osd -c "$dir/conf" -i 0 --mkfs --osd-uuid "$id" </dev/null >&2 || exit 1
ceph-osd -c "$dir/conf" -i 0 -f </dev/null >"$dir/log/osd" 2>&1 &
pids+=($!)
timeout 60 radosgw-admin -c "$dir/conf" user create --uid=test --display-name=test --access-key=testaccesskey --secret-key=testsecretkey \
    </dev/null >&2 || exit 1
# Without tcp_nodelay the body of each answer waits 40 ms for the acknowledgement of its head.
radosgw -c "$dir/conf" -n client.rgw -f --rgw-frontends="beast endpoint=$address:$port tcp_nodelay=1" </dev/null >"$dir/log/rgw" 2>&1 &
pids+=($!)
echo started
cat >/dev/null
