#!/bin/sh
# Makes walk.m4a from walk.txt: one line is one sentence, followed by 0.7 s of silence; an empty line is a pause of 2.5 s.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

: > "$work/list"
number=0
while IFS= read -r line; do
    number=$((number + 1))
    part="$work/$number.wav"
    if [ -z "$line" ]; then
        ffmpeg -v error -f lavfi -t 1.8 -i anullsrc=r=16000:cl=mono -c:a pcm_s16le -bitexact "$part" < /dev/null
    else
        flite -voice rms -t "$line" -o "$work/speech.wav"
        ffmpeg -v error -i "$work/speech.wav" -af apad=pad_dur=0.7 -ar 16000 -ac 1 -c:a pcm_s16le -bitexact "$part" < /dev/null
    fi
    echo "file '$part'" >> "$work/list"
done < "$here/walk.txt"

ffmpeg -v error -y -f concat -safe 0 -i "$work/list" -ac 1 -c:a aac -b:a 40k -map_metadata -1 \
    -fflags +bitexact -flags:a +bitexact -movflags +faststart "$here/walk.m4a"
