#!/bin/bash
# The root of one machine of scripts/apart: what is installed, read-only; everything that can be written in memory of its own. Started in mount,
# process, IPC and UTS namespaces of its own; the machine ends with the command.
#     apart_machine.sh NAME USER FILES [SOURCE=PLACE]… -- COMMAND…      FILES is copied into the root, SOURCE is bound read-only
set -euo pipefail
name=$1 user=$2 files=$3
shift 3
hostname "$name"
root=/mnt
mount -t tmpfs -o mode=755 "$name" "$root"
mkdir -p "$root"/{usr,etc,proc,dev/shm,run,srv,tmp,var/tmp,outside}
for link in bin sbin lib lib32 lib64; do
    if [ -L "/$link" ]; then cp -P "/$link" "$root/$link"
    elif [ -d "/$link" ]; then mkdir "$root/$link" && mount --bind -o ro "/$link" "$root/$link"; fi
done
mount --bind -o ro /usr "$root/usr"
mount --bind -o ro /etc "$root/etc"
while [ "$1" != -- ]; do
    source=${1%%=*} place=$root${1#*=}
    if [ -d "$source" ]; then mkdir -p "$place"; else mkdir -p "${place%/*}" && : >"$place"; fi
    mount --bind -o ro "$source" "$place"
    shift
done
shift
cp -a "$files/." "$root/srv/"
chown "$user" "$root/srv"
chmod 1777 "$root/tmp" "$root/var/tmp" "$root/dev/shm"
for node in null:3 zero:5 full:7 random:8 urandom:9; do mknod -m 666 "$root/dev/${node%:*}" c 1 "${node#*:}"; done
mknod -m 666 "$root/dev/tty" c 5 0
ln -s /proc/self/fd "$root/dev/fd"
mount -t proc proc "$root/proc"
cd "$root"
pivot_root . outside
umount -l /outside
rmdir /outside
cd /srv
# This shell stays the first process, so that the command gets its signals' defaults, and takes in orphans.
setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups --no-new-privs -- "$@" <&0 &
wait $!
