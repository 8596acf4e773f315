#!/bin/bash
# Many groups under one service: what they cost it, how long commands take, how far two rooms of one of them are apart. Needs root, `ip`, `flac`.
# See docs/scale.md.
#
#   Tests/Lab/groups.sh [GROUPS [ROOMS_A_GROUP [FOLDER_OF_THE_PROGRAMS]]]
#
# The rooms are `tutti-lab crowd`: they take packets, grant credit, say how they are and share clocks as speakers do, and render nothing. Two more,
# a group of their own, are speakers with virtual cards of +80 and -60 ppm. All runs in a network namespace of its own, which goes with it.
set -euo pipefail
groups=${1:-100} each=${2:-2} binaries=$(realpath "${3:-.build/release}")
seconds=${SECONDS_OF_SONG:-180} settled=${SECONDS_TO_SETTLE:-45} measured=${SECONDS_MEASURED:-20}
script=groups
. "$(dirname "$0")/place.sh"
milliseconds() { echo $(($(date +%s%N) / 1000000)); }
ticks() { sed 's/.*) //' "/proc/$1/stat" | awk '{ print $12 + $13 }'; }
tutti() { ip netns exec "$net" "$binaries/tutti" "$@"; }

"$binaries/tutti-lab" compose -o "$folder/song.wav" --seconds "$seconds" --rate 44100
flac -s -o "$folder/song.flac" "$folder/song.wav"
ip netns exec "$net" "$binaries/tutti-lab" crowd --count $((groups * each)) --first-port 20001 --state-dir "$folder/crowd" \
    2>"$folder/crowd.log" &
own+=($!)
make -s -C "$(dirname "$0")/card" OUT="$folder"
for card in "left 80 7701" "right -60 7702"; do
    read -r name ppm port <<<"$card"
    cat >"$folder/$name.conf" <<END
pcm_type.tutti_lab { lib "$folder/libasound_module_pcm_tutti_lab.so" }
pcm.default { type tutti_lab  name "$name"  directory "$folder"  ppm $ppm  kind "exact"  rate 48000 }
ctl.default { type hw card 0 }
END
    ALSA_CONFIG_PATH=$folder/$name.conf ip netns exec "$net" "$binaries/tutti-speaker" --name "$name" --port "$port" --no-mdns \
        --state-dir "$folder/$name" 2>"$folder/$name.log.txt" &
    own+=($!)
done
ip netns exec "$net" "$binaries/tutti" serve 2>"$folder/serve.log" &
service=$!
own+=("$service")
until tutti schedules >/dev/null 2>&1 || tutti group list >/dev/null 2>&1; do sleep 0.1; done
until ip netns exec "$net" ss -Htln | grep -q ":$((20000 + groups * each)) "; do sleep 0.1; done
base=$(awk '/VmRSS/ { print $2 }' "/proc/$service/status")

# To play: until the service says that all rooms of the group play.
for group in $(seq "$groups"); do
    rooms=()
    for room in $(seq $(((group - 1) * each + 1)) $((group * each))); do
        rooms+=(--room "c$room@127.0.0.1:$((20000 + room))")
    done
    begin=$(milliseconds)
    tutti play "$folder/song.flac" --detach "${rooms[@]}" >/dev/null
    echo $(($(milliseconds) - begin)) >>"$folder/starts"
done
tutti play "$folder/song.flac" --detach --room left@127.0.0.1:7701 --room right@127.0.0.1:7702 >/dev/null
sleep "$settled"
first=$(ticks "$service") begin=$(milliseconds)
sleep "$measured"
last=$(ticks "$service") end=$(milliseconds)
begin_status=$(milliseconds)
tutti status --json >"$folder/status.json"
end_status=$(milliseconds)
tutti status --json --group "$(seq -s + -f c%.0f "$each")" >/dev/null
end_one=$(milliseconds)
tutti pause --all >/dev/null
end_pause=$(milliseconds)

rooms=$((groups * each))
sort -n "$folder/starts" | awk '{ all[NR] = $1 } END { printf "ms to play: median %d, longest %d\n", all[int((NR + 1) / 2)], all[NR] }'
awk -v t=$((last - first)) -v ms=$((end - begin)) -v hz="$(getconf CLK_TCK)" -v rooms="$rooms" 'BEGIN {
    share = 100 * t / hz / (ms / 1000); printf "service: %.1f %% of a core, %.3f %% a room\n", share, share / rooms }'
awk -v base="$base" -v rooms="$rooms" -v groups="$groups" -v audio="$(stat -c %s "$folder/song.flac")" '
    /VmRSS/ { mb = ($2 - base) * 1024 / 1e6; kept = groups * audio / 1e6
        printf "memory: %.0f MB before, %.0f MB more, %.0f of that audio, %.2f MB a room besides\n", base * 1024 / 1e6, mb, kept, (mb - kept) / rooms }
    /Threads/ { printf "threads: %d\n", $2 }' "/proc/$service/status"
echo "open files: $(ls "/proc/$service/fd" | wc -l)"
echo "rooms that play: $(grep -o '"state":"playing"' "$folder/status.json" | wc -l) (each group counts, too) of $((rooms + groups))"
echo "ms: status of all $((end_status - begin_status)), of one $((end_one - end_status)), pause --all $((end_pause - end_one))"
echo "log lines of the service: $(wc -l <"$folder/serve.log")"
sleep 1
# The same piece at the rate of the cards.
"$binaries/tutti-lab" compose -o "$folder/source.wav" --seconds "$seconds" --rate 48000
"$binaries/tutti-lab" compare --source "$folder/source.wav" --card "$folder/left.log" --card "$folder/right.log"
