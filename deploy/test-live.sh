#!/usr/bin/env bash
# Plays live sources in three rooms on virtual cards, and measures from outside how long after its capture sound leaves them: a line-in
# with a crystal of its own, that is unplugged and overrun; a named pipe whose writers come and go; an input of the settings that
# interrupts an album and gives way to it; a service that is killed. With a folder of programs as its argument.
# KEEP names a folder for what was heard, where it fails.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=${1:-${PROGRAMS:-$(swift build -c release --show-bin-path)}}
deploy/setup.sh live || {
    echo "live: SKIPPED, what it needs cannot be installed"
    exit 0
}
# Debian's own, which has Debian's numpy.
python=/usr/bin/python3
. deploy/lone-house.sh
shared=$(mktemp -d /dev/shm/tutti-live-XXXXXX)
trap 'kill "${pids[@]}" 2>/dev/null || true; wait; rm -rf "$work" "$shared"' EXIT

step() { echo "live: $* ($SECONDS s)"; }
fail() {
    [ -z "${KEEP:-}" ] || { mkdir -p "$KEEP" && cp -r "$work" "$shared" "$KEEP"; }
    tail -n 20 "$work"/*.log >&2
    echo "live: FAILED: $*" >&2
    exit 1
}
tutti() { "$programs/tutti" "$@" || fail "tutti $*"; }
notes() { tee -a "${TUTTI_TEST_NOTES:-/dev/null}"; }

# house LATENCY_OF_RECORDINGS…: a new folder $shared/$scene with three rooms on virtual cards, and a line-in that a song is played to.
scene=0
house() {
    scene=$((scene + 1))
    here=$shared/$scene
    mkdir -p "$here"
    {
        echo "pcm_type.tutti_lab { lib \"$work/libasound_module_pcm_tutti_lab.so\" }"
        echo "pcm_type.tutti_lab_in { lib \"$work/libasound_module_pcm_tutti_lab_in.so\" }"
        echo "pcm.line { type tutti_lab_in  name \"line\"  directory \"$here\"  source \"$shared/song.wav\"  ppm ${1:-200} }"
        echo "ctl.default { type hw card 0 }"
    } >"$here/alsa.conf"
    speakers=()
    rooms=()
    local number ppm=80
    for room in kitchen bath study; do
        number=$(port)
        {
            cat "$here/alsa.conf"
            echo "pcm.default { type tutti_lab  name \"$room\"  directory \"$here\"  ppm $ppm  kind \"exact\"  format \"S16_LE\" }"
        } >"$here/$room.conf"
        : >"$work/$room.log"
        ALSA_CONFIG_PATH=$here/$room.conf "$programs/tutti-speaker" --name "$room" --port "$number" --no-mdns \
            --state-dir "$work/$room" >"$work/$room.log" 2>&1 &
        speakers+=($!)
        pids+=($!)
        rooms+=(--room "$room@127.0.0.1:$number")
        ppm=$((ppm - 70))
    done
    for room in kitchen bath study; do eventually grep -q "speaker ready" "$work/$room.log"; done
    export ALSA_CONFIG_PATH=$here/alsa.conf
}
# play INPUT…: begins it without a service: process $player.
play() {
    : >"$work/play.log"
    "$programs/tutti-player" play --standalone "$@" "${rooms[@]}" >"$work/play.log" 2>&1 &
    player=$!
    pids+=("$player")
    disown "$player"
    eventually grep -q "kitchen: playing" "$work/play.log"
}
# close_house: ends it, so that all that was heard is written.
close_house() {
    kill "$player" 2>/dev/null || true
    kill "${speakers[@]}"
    wait "${speakers[@]}" 2>/dev/null || true
}
# heard LATENCY LIMITS [OPTION…]: measures the line-in against the rooms.
heard() {
    local status=0
    $python Tests/Lab/live/measure.py --line "$here/line.log" --song "$shared/song.wav" --card "$here/kitchen.log" \
        --card "$here/bath.log" --card "$here/study.log" --latency "$1" --limits "$2" "${@:3}" >"$work/figures" 2>"$work/over" || status=$?
    sed 's/^/    /' "$work/figures"
    return "$status"
}
# scene NAME LATENCY LIMITS: plays a scene and judges it, up to three times: machines stand still now and then. A scene whose
# latency changes says in $stated what it came to.
scene() {
    local attempt stated
    for attempt in 1 2 3; do
        stated=$2
        "$1"
        close_house
        ! heard "$stated" "${@:3}" || return 0
        echo "live: $1, attempt $attempt: $(cut -c -400 "$work/over")" | notes
    done
    fail "$1: $(cut -c -400 "$work/over")"
}

step "cards and a song are made"
make -s -C Tests/Lab/card OUT="$work"
"$programs/tutti-lab" compose -o "$shared/song.wav" --seconds 60 >/dev/null

step "a line-in 200 ppm fast, 200 ms later"
fast() { house 200 && play "alsa:line" --latency 200ms && sleep 12; }
scene fast 0.2 error=0.5,apart=200,windows=15

step "a line-in 150 ppm slow, 60 ms later"
slow() { house -150 && play "alsa:line?latency=60ms" && sleep 10; }
scene slow 0.06 error=0.5,apart=200,windows=12

step "it is overrun, and unplugged for two seconds: it goes on as late as before"
unplugged() {
    house 100
    play "alsa:line?latency=250ms"
    sleep 4
    echo overrun >"$here/line.control"
    sleep 3
    echo "unplug 2" >"$here/line.control"
    sleep 8
    grep -q "it is waited for" "$work/play.log" || fail "nobody says that the line-in is gone: $(tail -3 "$work/play.log")"
    grep -q "it is back" "$work/play.log" || fail "nobody says that the line-in is back: $(tail -3 "$work/play.log")"
}
scene unplugged 0.25 error=0.5,apart=300,windows=12

step "paused and resumed it plays what was missed, and a jump to its beginning leads back to what is live"
paused() {
    house 50
    play "alsa:line?latency=200ms"
    sleep 3
    tutti pause >/dev/null
    sleep 2
    tutti resume >/dev/null
    sleep 3
    tutti status --json | $python -c '
import json, sys
live = json.load(sys.stdin)["live"]
assert 1.5 < live["latency"] < 3.5 and live["wanted"] == 0.2, live' || fail "the status of a paused line-in: $(tutti status --json)"
    tutti previous >/dev/null
    sleep 6
}
scene paused 0.2 error=0.5,windows=4 --skip 9

step "a latency that may rise: it does when a room stood still, and is kept from then on"
rising() {
    house 120
    play "alsa:line" --latency auto
    sleep 4
    kill -STOP "${speakers[1]}"
    sleep 0.5
    kill -CONT "${speakers[1]}"
    sleep 9
    grep -q "the latency rises from 100 to 150 ms" "$work/play.log" || fail "the latency has not risen: $(tail -3 "$work/play.log")"
    stated=$("$programs/tutti" status --json | $python -c 'import json, sys; print(json.load(sys.stdin)["live"]["latency"])')
}
scene rising 0.15 error=0.5,windows=4 --skip 8

step "a pipe: writers come, go in the middle of a frame, and write faster than it sounds"
house
fifo=$work/music.fifo
play "pipe:$fifo?format=48000:16:2&latency=400ms"
[ -p "$fifo" ] || fail "no pipe was made"
piece() { $python -c 'import sys; file = open(sys.argv[1], "rb"); file.seek(int(sys.argv[2])); sys.stdout.buffer.write(file.read(int(sys.argv[3])))' "$shared/song.wav" "$1" "$2" >"$fifo"; }
piece 44 576003
sleep 5
piece 44 384000
sleep 4
kill -0 "$player" || fail "the player has ended: $(tail -3 "$work/play.log")"
close_house
$python - "$here/kitchen.wav" "$shared/song.wav" <<'END' || fail "what came through the pipe is not the song"
import sys, wave, numpy
def read(path):
    with wave.open(path) as file: return numpy.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, 2)[:, 0].astype(float)
heard, song = read(sys.argv[1]), read(sys.argv[2])
size = 1 << (len(heard) + 96000).bit_length()
piece = song[24000:72000]
found = numpy.fft.irfft(numpy.conj(numpy.fft.rfft(piece, size)) * numpy.fft.rfft(heard, size), size)[: len(heard)]
first = int(numpy.argmax(found))
found[max(0, first - 48000) : first + 48000] = 0
second = int(numpy.argmax(found))
peaks = [numpy.corrcoef(piece, heard[place : place + len(piece)])[0, 1] for place in (first, second)]
print("    heard twice, alike to", [round(float(peak), 4) for peak in peaks])
sys.exit(int(min(peaks) < 0.9))
END

step "an input of the settings: it begins when something sounds, interrupts an album, and gives way to it"
house 30
fifo=$work/phono.fifo
mkdir -p "$XDG_CONFIG_HOME/tutti"
cat >"$XDG_CONFIG_HOME/tutti/tutti.yaml" <<END
inputs:
  phono:
    source: pipe:$fifo?format=48000:16:2
    latency: 300ms
    plays-on: house
    silence: 3
END
begin_service() {
    : >"$work/serve.log"
    "$programs/tutti-player" serve --no-http >"$work/serve.log" 2>&1 &
    service=$!
    pids+=("$service")
    eventually grep -q " ready" "$work/serve.log"
}
begin_service
tutti group add house "${rooms[1]}" "${rooms[3]}" "${rooms[5]}" >/dev/null
plays() { "$programs/tutti" status --group house --json | $python -c "
import json, sys
status = json.load(sys.stdin)
sys.exit(not (status['state'] == 'playing' and '$1' in status['item']['uri']))"; }
sound() { piece $((44 + $1 * 192000)) $(($2 * 192000)); }
tutti play "$shared/song.wav" --group house --detach >/dev/null
eventually plays song.wav
tutti stop --group house >/dev/null
sound 10 4
eventually plays phono.fifo
step "  it began by itself"
rests() { "$programs/tutti" status --group house --json | $python -c "
import json, sys
status = json.load(sys.stdin)
sys.exit(not (status['state'] == 'stopped' and 'song.wav' in status['item']['uri']))"; }
eventually rests
step "  the queue that was stopped there is as it was"
tutti play "$shared/song.wav" --group house --detach >/dev/null
eventually plays song.wav
sleep 3
before=$("$programs/tutti" status --group house --json | $python -c 'import json, sys; print(json.load(sys.stdin)["position"])')
sleep 4
sound 20 5
eventually plays phono.fifo
step "  it has interrupted the song"
sleep 2
status=0
"$programs/tutti" play "exec:cat /dev/zero" --group house >"$work/exec.out" 2>&1 || status=$?
[ "$status" = 3 ] && grep -q "runs no programs" "$work/exec.out" || fail "a service that runs programs: $status, $(cat "$work/exec.out")"
status=0
"$programs/tutti" play input:tape --group house >"$work/tape.out" 2>&1 || status=$?
[ "$status" = 3 ] && grep -q "there are phono" "$work/tape.out" || fail "an input that there is not: $status, $(cat "$work/tape.out")"
plays phono.fifo || fail "a command that failed has touched what plays"
for _ in $(seq 200); do
    ! plays song.wav || break
    sleep 0.1
done
plays song.wav || fail "the song does not go on: $(tail -3 "$work/serve.log")"
after=$("$programs/tutti" status --group house --json | $python -c 'import json, sys; print(json.load(sys.stdin)["position"])')
$python -c "import sys; sys.exit(not $before < $after < $before + 12)" || fail "the song goes on at $after s, after $before s"
tutti queue --group house --json | grep -q phono && fail "the input is still in the queue"
step "  the song goes on where it was"

step "a room that comes later, and a service that is killed while a line-in plays: the new one goes on with it"
tutti group remove house study >/dev/null
tutti play "alsa:line?latency=250ms" --group house --detach >/dev/null
eventually plays alsa:line
sleep 2
tutti group add house "${rooms[5]}" >/dev/null
sleep 4
disown "$service"
kill -KILL "$service"
sleep 1
begin_service
eventually plays alsa:line
sleep 5
tutti stop --group house >/dev/null
kill "$service"
player=$service
close_house
heard 0.25 error=0.8,windows=10 || fail "after the service was killed: $(cat "$work/over")"

step "all passed"
