#!/bin/bash
# One monitor, one store and the object gateway of Ceph in one container, for a service that has no bucket elsewhere. One copy of everything on
# one volume (/data): no replacement for a real one. Makes the key of DIARY_S3_ACCESS_KEY and its bucket at each start, where they are missing.
set -euo pipefail
dir=/data port=7480 access=${DIARY_S3_ACCESS_KEY:-diary}
bucket=${DIARY_OBJECTS#s3://} bucket=${bucket%%/*}
secret=$(cat /run/secrets/s3-secret-key)
mkdir -p "$dir"/{mon,osd,rgw}
[ -s "$dir/fsid" ] || cat /proc/sys/kernel/random/uuid >"$dir/fsid"
monitor=v2:127.0.0.2:3300
cat >/tmp/conf <<END
[global]
fsid = $(cat "$dir/fsid")
mon_host = $monitor
mon_initial_members = a
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
ms_mon_client_mode = crc
public_network = 127.0.0.0/8
run_dir = /tmp
admin_socket =
pid_file =
crash_dir = /tmp
keyring = /tmp/none
log_to_file = false
log_to_stderr = true
mon_cluster_log_to_file = false
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_data = $dir/mon
[osd]
osd_data = $dir/osd
osd_objectstore = bluestore
# A sparse file: what the disk has, not what is written here, is the limit.
bluestore_block_size = 1099511627776
osd_memory_target = 1073741824
public_addr = 127.0.0.3
cluster_addr = 127.0.0.3
[client]
rgw_data = $dir/rgw
END
ceph="ceph -c /tmp/conf --connect-timeout 30"
[ -d "$dir/mon/store.db" ] || ceph-mon -c /tmp/conf --mkfs -i a --public-addr "$monitor"
ceph-mon -c /tmp/conf -i a -f --public-addr "$monitor" &
if [ ! -s "$dir/osd/ready" ]; then
    id=$(cat /proc/sys/kernel/random/uuid)
    rm -rf "${dir:?}/osd"/*
    number=$($ceph osd new "$id")
    [ "$number" = 0 ] || { echo "the store of $dir is incomplete: begin with an empty volume" >&2; exit 1; }
    ceph-osd -c /tmp/conf -i 0 --mkfs --osd-uuid "$id"
    echo "$id" >"$dir/osd/ready"
fi
ceph-osd -c /tmp/conf -i 0 -f &
admin() { timeout 120 radosgw-admin -c /tmp/conf "$@"; }
admin user info --uid=diary >/dev/null 2>&1 ||
    admin user create --uid=diary --display-name=diary --access-key="$access" --secret-key="$secret" >/dev/null
radosgw -c /tmp/conf -n client.rgw -f --rgw-frontends="beast port=$port" &
# Any of them that ends, ends the container, and it is started again.
until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do sleep 0.2; done
# The key stands in no argument; the gateway wants the header signed.
made() {
    printf 'user = "%s:%s"\n' "$access" "$secret" |
        curl -sS --fail -K - --aws-sigv4 aws:amz:us-east-1:s3 -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' -X PUT "http://127.0.0.1:$port/$bucket"
}
for try in 1 2 3 4 5 6; do
    ! made || break
    [ "$try" != 6 ] || exit 1
    sleep 5
done
echo "the bucket $bucket is there"
wait -n
exit 1
