#!/bin/bash
# LocalStack's S3, an imitation of AWS, on 127.0.0.1:PORT. Ends, and removes DIR, when its standard input closes.    localstack.sh DIR PORT
# DIARY_TEST_LOCALSTACK names a virtual environment with localstack-requirements.txt, by its absolute path. Signatures are checked in URLs
# alone, with the secret `test` whatever the key.
set -u
dir=$1 port=$2 venv=${DIARY_TEST_LOCALSTACK:-}
if [ -z "$venv" ] || [ ! -x "$venv/bin/localstack" ]; then
    echo "DIARY_TEST_LOCALSTACK names no virtual environment with LocalStack: see CONTRIBUTING.md" >&2
    rm -rf "$dir"
    exit 1
fi
# Its catalogue of AWS's services takes ten seconds to build: kept beside the packages.
mkdir -p "$dir"/{log,home,tmp,root/var/lib/localstack} "$venv/catalogue"
ln -s "$venv/catalogue" "$dir/root/var/lib/localstack/cache"
# It has no setting for the folder of parts, which is the same one in /tmp for every server.
cat >"$dir/serve.py" <<PY
import localstack.services.s3.provider as provider
from localstack.runtime.main import main

provider.DEFAULT_S3_TMP_DIR = "$dir/tmp/s3"
main()
PY
pids=()
end() {
    kill -9 "${pids[@]}" 2>/dev/null
    wait
    rm -rf "$dir"
}
trap end EXIT
exec 2>>"$dir/log/start"
cd "$dir" || exit 1
# hypercorn listens on the address that it is given; the usual server takes all of them.
env -i PATH="$PATH" HOME="$dir/home" TMPDIR="$dir/tmp" FILESYSTEM_ROOT="$dir/root" OVERRIDE_IN_DOCKER=0 PERSISTENCE=0 \
    SERVICES=s3 STRICT_SERVICE_LOADING=1 EAGER_SERVICE_LOADING=1 S3_SKIP_SIGNATURE_VALIDATION=0 \
    GATEWAY_SERVER=hypercorn GATEWAY_LISTEN="127.0.0.1:$port" LOCALSTACK_HOST="localhost:$port" \
    DISABLE_EVENTS=1 SKIP_SSL_CERT_DOWNLOAD=1 DNS_ADDRESS=0 ACTIVATE_PRO=0 \
    "$venv/bin/python" "$dir/serve.py" </dev/null >"$dir/log/localstack" 2>&1 &
pids+=($!)
echo started
cat >/dev/null
