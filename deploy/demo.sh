#!/usr/bin/env bash
# Three speakers and a song on this machine, nothing to configure: installs what is missing, builds, plays, measures.
# Where there is a sound card the first room plays on it; rooms without one write WAV files, each paced by a clock
# of its own that is wrong by some parts per million, as real cards are.
set -euo pipefail
cd "$(dirname "$0")/.."

rooms=(kitchen bath study)
ppm=(0 80 -60)
seconds=${TUTTI_DEMO_SECONDS:-20}
out=$PWD/demo-output

deploy/setup.sh build
echo "demo: building (the first time takes some minutes)"
swift build -c release --product tutti-speaker
swift build -c release --product tutti
swift build -c release --product tutti-player
swift build -c release --product tutti-lab
bin=$(swift build -c release --show-bin-path)

rm -rf "$out"
mkdir -p "$out"
export XDG_RUNTIME_DIR=$out/run XDG_STATE_HOME=$out/state
mkdir -p -m 0700 "$XDG_RUNTIME_DIR" "$XDG_STATE_HOME"

pids=()
stop() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
}
trap stop EXIT

"$bin/tutti-lab" compose --seconds "$seconds" -o "$out/song.wav"

has_card=no
grep -qs '^ *[0-9]' /proc/asound/cards && has_card=yes

arguments=()
compared=()
for i in 0 1 2; do
    room=${rooms[$i]}
    if [ "$i" = 0 ] && [ "$has_card" = yes ]; then
        device=default
        echo "demo: $room plays on the sound card"
    else
        device="file:$out/$room.wav?ppm=${ppm[$i]}"
        compared+=(--card "$out/$room.wav.timing.json")
        echo "demo: $room has no card: it records to $out/$room.wav, with a clock ${ppm[$i]} ppm off"
    fi
    "$bin/tutti-speaker" --name "$room" --device "$device" --port 0 --no-mdns --state-dir "$out/$room" \
        2>"$out/$room.log" &
    pids+=($!)
done
for i in 0 1 2; do
    room=${rooms[$i]}
    for _ in $(seq 100); do
        port=$(sed -n 's/.*port=\([0-9]*\).*speaker ready.*/\1/p' "$out/$room.log")
        [ -n "$port" ] && break
        sleep 0.1
    done
    if [ -z "$port" ]; then
        echo "demo: the speaker $room did not start:" >&2
        cat "$out/$room.log" >&2
        exit 1
    fi
    arguments+=(--room "$room@127.0.0.1:$port")
done

echo
(
    sleep 6
    "$bin/tutti" status >"$out/status.txt" 2>/dev/null || true
) &
pids+=($!)
"$bin/tutti" play "$out/song.wav" "${arguments[@]}" --standalone
stop
trap - EXIT

echo
echo "demo: halfway through, the rooms reported:"
tail -n +3 "$out/status.txt"
echo
echo "demo: and the recordings show:"
"$bin/tutti-lab" compare --source "$out/song.wav" "${compared[@]}"
echo "demo: recordings and logs are in $out"
