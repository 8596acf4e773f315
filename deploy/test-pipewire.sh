#!/usr/bin/env bash
# Has real clients play through the sinks of a real service on a PipeWire of their own, without a sound card: pw-play, wpctl and pw-cli.
# With a folder of programs as its argument.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=${1:-$(swift build -c release --show-bin-path)}
deploy/setup.sh pipewire || {
    echo "pipewire: SKIPPED, PipeWire cannot be installed"
    exit 0
}
. deploy/lone-house.sh

step() { echo "pipewire: $* ($SECONDS s)"; }
fail() {
    { wpctl status | grep Tutti; tutti volume; tutti volume --group downstairs; } >&2 || true
    tail -n 20 "$work"/{pipewire,wireplumber,serve,sinks,live}.log >&2
    echo "pipewire: FAILED: $*" >&2
    exit 1
}

tutti() { "$programs/tutti" "$@"; }
# is WHAT COMMAND…: whether it prints exactly that.
is() { [ "$("${@:2}" 2>/dev/null)" = "$1" ]; }
# sink NAME: its number on the graph; fails if there is none.
sink() {
    pw-dump | python3 -c '
import json, sys
found = [node["id"] for node in json.load(sys.stdin) if node["type"].endswith(":Node")
         and node["info"]["props"].get("node.name") == sys.argv[1] and node["info"]["props"].get("media.class") == "Audio/Sink"]
print(*found)
sys.exit(len(found) != 1)' "$1"
}
# shows PATTERN COMMAND…: whether that is in what it prints.
shows() { "${@:2}" >"$work/shown" 2>&1 && grep -q -- "$1" "$work/shown"; }
no_sink() { ! sink "$1" >/dev/null; }
level() { wpctl get-volume "$(sink "$1")"; }
# levels: how loud the rooms of the group are, by their names. Where nothing plays, speakers are asked, who do not let this host ask as
# often as it likes.
levels() {
    sleep 0.5
    tutti volume --group downstairs | sort | tr '\n' ' '
}
begin_service() {
    "$programs/tutti-player" serve --no-http >>"$work/serve.log" 2>&1 &
    service=$!
    pids+=("$service")
}
begin_sinks() {
    "$programs/tutti-pipewire" --idle 3s "$@" >>"$work/sinks.log" 2>&1 &
    sinks=$!
    pids+=("$sinks")
}
begin_pipewire() {
    pipewire >>"$work/pipewire.log" 2>&1 &
    server=$!
    pids+=("$server")
    eventually [ -S "$XDG_RUNTIME_DIR/pipewire-0" ]
    wireplumber >>"$work/wireplumber.log" 2>&1 &
    pids+=($!)
    eventually shows WirePlumber pw-cli ls Client
}
# processor PROCESS: what it has used, in hundredths of a second.
processor() { python3 -c 'import sys; fields = open(f"/proc/{sys.argv[1]}/stat").read().rsplit(")", 1)[1].split(); print(int(fields[11]) + int(fields[12]))' "$1"; }
touch "$work"/{pipewire,wireplumber,serve,sinks,live}.log

step "without PipeWire it says so"
status=0
"$programs/tutti-pipewire" >"$work/without.log" 2>&1 || status=$?
[ "$status" = 1 ] && [ "$(wc -l <"$work/without.log")" = 1 ] && grep -q "PipeWire does not answer" "$work/without.log" ||
    fail "status $status, $(cat "$work/without.log")"

status=0
"$programs/tutti-pipewire" --latency 1ms >"$work/wrong.log" 2>&1 || status=$?
[ "$status" = 2 ] && grep -q "50ms to 10s" "$work/wrong.log" || fail "status $status, $(cat "$work/wrong.log")"

export DBUS_SESSION_BUS_ADDRESS=unix:path=$work/bus
dbus-daemon --session --nofork --address="$DBUS_SESSION_BUS_ADDRESS" >"$work/bus.log" 2>&1 &
pids+=($!)
eventually [ -S "$work/bus" ]
begin_pipewire
begin_sinks
start_speaker kitchen
start_speaker bath
begin_service

step "groups are outputs, as they come and go; without any, there is one for all rooms"
eventually tutti group set downstairs "${rooms[0]}" "${rooms[1]}"
tutti group set "Küche 2" "${rooms[1]}" >/dev/null
eventually sink tutti.downstairs
eventually sink tutti.kuche_2
no_sink tutti || fail "there is a sink for all rooms beside those of groups"
shows "Tutti Küche 2" wpctl status || fail "wpctl does not show it: $(wpctl status)"
tutti group delete "Küche 2" >/dev/null
eventually no_sink tutti.kuche_2
socket=$XDG_RUNTIME_DIR/tutti/pipewire-downstairs.sock
[ "$(stat -c '%F %a' "$socket")" = "socket 600" ] || fail "$(stat -c '%F %a' "$socket")"
[ ! -e "$XDG_RUNTIME_DIR/tutti/pipewire-kuche_2.sock" ] || fail "a socket is left"

step "a video player knows when it is heard"
shows '"minNs": 200000000' pw-dump "$(sink tutti.downstairs)" || fail "no latency is told: $(pw-dump "$(sink tutti.downstairs)")"

step "its volume is the group's, and the group's is its"
# Where nothing plays, a speaker lets in one asker at a time.
eventually tutti volume "${rooms[0]}" 65
eventually tutti volume "${rooms[1]}" 40
eventually is "Volume: 0.65" level tutti.downstairs
# What a session manager remembers of a new sink is nobody's wish, for two seconds.
sleep 2
wpctl set-volume "$(sink tutti.downstairs)" 0.6
eventually is "bath 35 kitchen 60 " levels
# The same where music plays, which nobody has to ask speakers for.
write_silence 600
tutti play "$work/music.wav" --group downstairs --detach >/dev/null
eventually tutti volume kitchen 70 --group downstairs
eventually is "Volume: 0.70" level tutti.downstairs
wpctl set-volume "$(sink tutti.downstairs)" 0.5
eventually is "bath 15 kitchen 50 " levels
wpctl set-mute "$(sink tutti.downstairs)" 1
eventually is "bath muted kitchen muted " levels
tutti mute off --group downstairs >/dev/null
eventually is "Volume: 0.50" level tutti.downstairs
# As a slider that is drawn does: the last place counts, for both.
for percent in $(seq 100 -2 20); do wpctl set-volume "$(sink tutti.downstairs)" "$percent%"; done
eventually is "bath 0 kitchen 20 " levels
sleep 1
is "Volume: 0.20" level tutti.downstairs || fail "the sink is at $(level tutti.downstairs)"
# More than there is.
wpctl set-volume "$(sink tutti.downstairs)" 1.5
eventually is "Volume: 1.00" level tutti.downstairs
wpctl set-volume "$(sink tutti.downstairs)" 0.3
eventually is "Volume: 0.30" level tutti.downstairs
tutti stop --group downstairs >/dev/null

step "what a program plays comes bit for bit, whatever the volume is"
python3 - "$work" <<'END'
import array, random, sys, wave
samples = array.array("h", (random.randint(-32768, 32767) for _ in range(2 * 48000 * 4)))
samples[0] = 1
for name, sound in ("noise", samples.tobytes() + bytes(4 * 4800)), ("silence", bytes(4 * 48000 * 3)):
    with wave.open(f"{sys.argv[1]}/{name}.wav", "wb") as file:
        file.setnchannels(2), file.setsampwidth(2), file.setframerate(48000), file.writeframes(sound)
END
cat >"$work/reader.py" <<'END'
# Reads until the end, and compares with what was played: after it there is only silence.
import array, socket, sys, time, wave
path, song, pause = sys.argv[1], sys.argv[2], float(sys.argv[3])
reader = socket.socket(socket.AF_UNIX)
reader.connect(path)
reader.settimeout(30)
got = bytearray()
while data := reader.recv(1 << 16):
    got += data
    time.sleep(pause)
samples = array.array("f", bytes(got))
with wave.open(song) as file:
    expected = array.array("h", file.readframes(file.getnframes()))
while expected and expected[-1] == 0: expected.pop()
heard = array.array("f", (value / 32768 for value in expected))
print(len(samples) // 2, "frames")
assert samples[: len(heard)] == heard, "not the same samples"
assert not any(samples[len(heard) :]), "sound after the end"
END
python3 "$work/reader.py" "$socket" "$work/noise.wav" 0 >"$work/reader.log" 2>&1 &
reader=$!
eventually grep -q "sink=tutti.downstairs.*playing" "$work/sinks.log"
began=$(processor "$sinks")
pw-play --target tutti.downstairs "$work/noise.wav"
playing=$(($(processor "$sinks") - began))
wait "$reader" || fail "$(cat "$work/reader.log")"

step "a reader that stands still holds up nobody"
python3 "$work/reader.py" "$socket" "$work/noise.wav" 1 >"$work/slow.log" 2>&1 &
slow=$!
pids+=("$slow")
sleep 0.5
timeout 20 pw-play --target tutti.downstairs "$work/noise.wav" || fail "pw-play hangs"
grep -q "reads too slowly" "$work/sinks.log" || fail "nobody says that sound is lost"
[ "$(grep -c "reads too slowly" "$work/sinks.log")" = 1 ] || fail "it is said too often"
kill "$slow"

step "silence asks the service for nothing, sound asks it to play"
sleep 4
pw-play --target tutti.downstairs "$work/silence.wav"
! grep -q "does not play" "$work/sinks.log" || fail "silence plays"
tutti play "$work/music.wav" --group downstairs --detach >/dev/null
tutti seek 100 >/dev/null
pw-play --target tutti.downstairs "$work/noise.wav" &
player=$!
# now WHAT: whether that is what plays downstairs.
now() { tutti status --group downstairs --json | python3 -c 'import json, sys; sys.exit(sys.argv[1] not in json.load(sys.stdin)["item"]["uri"])' "$1"; }
no_track() { ! shows unix: tutti queue --group downstairs; }
if shows unix: tutti help play; then
    eventually now unix:
    wait "$player"
    eventually now music.wav
    eventually no_track
    position=$(tutti status --group downstairs --json | python3 -c 'import json, sys; print(int(json.load(sys.stdin)["position"]))')
    [ "$position" -ge 100 ] && [ "$position" -lt 110 ] || fail "it does not resume where it was: at $position s"
else
    # A service that cannot read there goes back to what it played.
    wait "$player"
    eventually no_track
    eventually now music.wav
fi
[ "$(grep -c "does not play" "$work/sinks.log")" -le 1 ] || fail "it is said too often"

step "a source and what plays at an output are live inputs, which may go and come back"
kill "$sinks"
wait "$sinks" || fail "it ended with $?"
cat >"$work/hall.py" <<'END'
# An output of PipeWire, for as long as this runs.
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, lambda *_: (cli.kill(), sys.exit()))
cli = subprocess.Popen(["pw-cli"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
cli.stdin.write("create-node adapter { factory.name=support.null-audio-sink node.name=%s media.class=Audio/Sink object.linger=false "
                "audio.position=[FL FR] }\n" % sys.argv[1])
cli.stdin.flush()
time.sleep(1000)
END
begin_hall() {
    python3 "$work/hall.py" hall &
    hall=$!
    pids+=("$hall")
    eventually sink hall
}
begin_hall
begin_sinks --input hall --input later=not.there
eventually [ -S "$XDG_RUNTIME_DIR/tutti/input-hall.sock" ]
[ ! -e "$XDG_RUNTIME_DIR/tutti/input-later.sock" ] || fail "an input is offered whose node is not there"
eventually grep -q "input=later.*not there" "$work/sinks.log"
python3 - "$work" <<'END'
import math, array, sys, wave
with wave.open(f"{sys.argv[1]}/tone.wav", "wb") as file:
    file.setnchannels(2), file.setsampwidth(2), file.setframerate(48000)
    file.writeframes(array.array("h", (int(16000 * math.sin(2 * math.pi * 480 * i / 48000)) for i in range(48000 * 60) for _ in (0, 1))).tobytes())
END
pw-play --target hall "$work/tone.wav" &
tone=$!
pids+=("$tone")
# What the service would read: the tone, at the rate at which it plays.
cat >"$work/hears.py" <<'END'
import array, socket, sys, time
reader = socket.socket(socket.AF_UNIX)
reader.connect(sys.argv[1])
reader.settimeout(10)
began, frames, loudest = time.monotonic(), 0, 0.0
while time.monotonic() - began < 3:
    data = reader.recv(1 << 16)
    if not data: sys.exit("it has ended")
    frames += len(data) / 8
    samples = array.array("f", data[: len(data) // 4 * 4])
    loudest = max([loudest] + [abs(sample) for sample in samples])
print(frames, loudest)
sys.exit(not (2.8 * 48000 < frames < 3.3 * 48000 and 0.4 < loudest < 0.6))
END
python3 "$work/hears.py" "$XDG_RUNTIME_DIR/tutti/input-hall.sock" >"$work/hears.log" 2>&1 || fail "$(cat "$work/hears.log")"
tutti play "pipewire:hall?latency=300ms" --group downstairs >"$work/live.log" 2>&1 &
pids+=($!)
eventually now pipewire:hall
# flows: whether nothing of it is missing now.
missing() { tutti status --group downstairs --json | python3 -c 'import json, sys; print(int(json.load(sys.stdin)["live"]["missing"] * 10))'; }
flows() { local before=$(missing) && sleep 1 && [ "$(missing)" = "$before" ]; }
eventually flows
eventually grep -q "input=hall.*captured" "$work/sinks.log"
# Its session would have it play somewhere else.
kill "$tone"
kill "$hall"
eventually grep -q "input=hall.*not there" "$work/sinks.log"
[ ! -e "$XDG_RUNTIME_DIR/tutti/input-hall.sock" ] || fail "its socket is still there"
eventually grep -q "waited for" "$work/live.log"
now pipewire:hall || fail "it plays no more: $(tutti status --group downstairs --json)"
begin_hall
eventually grep -q "it is back" "$work/live.log"
eventually flows
[ "$(grep -c "waited for" "$work/live.log")" = 1 ] || fail "the service says it too often"
[ "$(grep -c "input=hall.*not there" "$work/sinks.log")" = 1 ] || fail "it is said too often"
tutti stop --group downstairs >/dev/null
kill "$hall"
status=0
"$programs/tutti-pipewire" --input "a b" >"$work/wrong.log" 2>&1 || status=$?
[ "$status" = 2 ] && grep -q "NAME=NODE" "$work/wrong.log" || fail "status $status, $(cat "$work/wrong.log")"
kill "$sinks"
wait "$sinks" || fail "it ended with $?"
begin_sinks
eventually sink tutti.downstairs
sleep 2
tutti play "$work/music.wav" --group downstairs --detach >/dev/null

step "another one ends by itself"
status=0
"$programs/tutti-pipewire" >"$work/another.log" 2>&1 || status=$?
[ "$status" = 3 ] && grep -q "another tutti-pipewire" "$work/another.log" || fail "status $status, $(cat "$work/another.log")"

step "the service goes, and comes back"
number=$(sink tutti.downstairs)
found=$(grep -c "service found" "$work/sinks.log")
absent=$(grep -c "no service answers" "$work/sinks.log")
kill -KILL "$service"
wait "$service" 2>/dev/null || true
eventually is $((absent + 1)) grep -c "no service answers" "$work/sinks.log"
begin_service
eventually is $((found + 1)) grep -c "service found" "$work/sinks.log"
is "$number" sink tutti.downstairs || fail "the sink is another one"
wpctl set-volume "$number" 0.4
eventually is "bath 10 kitchen 40 " levels

step "what it costs"
sleep 4
began=$(processor "$sinks")
sleep 10
echo "pipewire: while nothing plays $(($(processor "$sinks") - began)) ms of a processor a second, while it plays $((playing * 10 / 4)) ms; \
$(awk '/^VmRSS/ {print $2}' "/proc/$sinks/status") kB"

step "without groups, all rooms are one output"
tutti stop --group downstairs >/dev/null
tutti group delete downstairs >/dev/null
eventually no_sink tutti.downstairs
eventually sink tutti
sleep 2
wpctl set-volume "$(sink tutti)" 0.25
all() { sleep 0.5 && tutti volume | sort | tr '\n' ' '; }
eventually is "bath 0 kitchen 25 " all
eventually tutti group set downstairs "${rooms[0]}" "${rooms[1]}"
eventually sink tutti.downstairs

step "it ends when it is told to, and when PipeWire goes"
kill "$sinks"
wait "$sinks" || fail "it ended with $?"
[ ! -e "$socket" ] || fail "its socket is still there"
begin_sinks
eventually sink tutti.downstairs
kill "$server"
status=0
wait "$sinks" || status=$?
[ "$status" = 1 ] && tail -1 "$work/sinks.log" | grep -q "PipeWire is gone" || fail "it ended with $status"
step "all passed"
