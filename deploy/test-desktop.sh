#!/usr/bin/env bash
# Has real clients control a real service through its players on a session bus of their own: playerctl, busctl, gdbus and a daemon for
# media keys. With a folder of programs as its argument.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=${1:-$(swift build -c release --show-bin-path)}
for tool in playerctl playerctld busctl gdbus dbus-daemon dbus-send ffmpeg; do
    command -v "$tool" >/dev/null || {
        echo "desktop: SKIPPED, $tool is not installed"
        exit 0
    }
done
. deploy/lone-house.sh

step() { echo "desktop: $* ($SECONDS s)"; }
fail() {
    tail -n 20 "$work"/{serve,desktop}.log >&2
    echo "desktop: FAILED: $*" >&2
    exit 1
}

prefix=org.mpris.MediaPlayer2.tutti
object=/org/mpris/MediaPlayer2
player=org.mpris.MediaPlayer2.Player
tutti() { "$programs/tutti" "$@"; }
control() { playerctl --player tutti.downstairs "$@"; }
bus() { busctl --user --address="$DBUS_SESSION_BUS_ADDRESS" "$@"; }
# is WHAT COMMAND…: whether it prints exactly that.
is() { [ "$("${@:2}" 2>/dev/null)" = "$1" ]; }
# near NUMBER COMMAND…: whether it prints that number, or one up to 2 more.
near() { python3 -c 'import sys; sys.exit(not 0 <= float(sys.argv[2]) - float(sys.argv[1]) <= 2)' "$1" "$("${@:2}" 2>/dev/null)"; }
listed() { playerctl --list-all 2>/dev/null | grep -qx "$1"; }
unlisted() { ! listed "$1"; }
begin_service() {
    "$programs/tutti-player" serve --no-http >>"$work/serve.log" 2>&1 &
    service=$!
    pids+=("$service")
}
begin_desktop() {
    "$programs/tutti-desktop" >>"$work/desktop.log" 2>&1 &
    desktop=$!
    pids+=("$desktop")
}

step "without a session bus it says so"
status=0
env -u DBUS_SESSION_BUS_ADDRESS "$programs/tutti-desktop" >"$work/without.log" 2>&1 || status=$?
[ "$status" = 1 ] && [ "$(wc -l <"$work/without.log")" = 1 ] && grep -q "no session bus" "$work/without.log" ||
    fail "status $status, $(cat "$work/without.log")"

export DBUS_SESSION_BUS_ADDRESS=unix:path=$work/bus
dbus-daemon --session --nofork --address="$DBUS_SESSION_BUS_ADDRESS" >"$work/bus.log" 2>&1 &
bus=$!
pids+=("$bus")
eventually [ -S "$work/bus" ]
begin_desktop
start_speaker kitchen
start_speaker bath
begin_service
write_silence 120
mkdir "$work/A & B"
for song in one two three; do
    ffmpeg -v error -i "$work/music.wav" -metadata title="Song $song" -metadata artist=Somebody -metadata album="A & B" \
        "$work/A & B/$song.flac"
done
ffmpeg -v error -f lavfi -i testsrc=size=800x400:rate=1 -frames:v 1 "$work/A & B/cover.png"

step "groups come and go with what they play"
eventually tutti group set downstairs "${rooms[0]}" "${rooms[1]}"
tutti group set "Küche 2" "${rooms[1]}" >/dev/null
tutti play "$work/A & B/one.flac" --group "Küche 2" --detach >/dev/null
eventually listed tutti.kuche_2
tutti stop --group "Küche 2" >/dev/null
eventually is Stopped playerctl --player tutti.kuche_2 status
tutti remove 1 --group "Küche 2" >/dev/null
eventually unlisted tutti.kuche_2
unlisted tutti.downstairs || fail "a group without anything to play is a player"

step "what plays is shown"
tutti play "$work/A & B/"{one,two,three}.flac --group downstairs --detach >/dev/null
eventually listed tutti.downstairs
eventually is Playing control status
eventually is "Song one/Somebody/A & B/120000000" control metadata --format '{{title}}/{{artist}}/{{album}}/{{mpris:length}}'
eventually grep -q '^file:///' <(control metadata mpris:artUrl)
art=$(control metadata mpris:artUrl)
file "${art#file://}" 2>/dev/null | grep -q JPEG || head -c 2 "${art#file://}" | cmp -s - <(printf '\xff\xd8') || fail "no picture at $art"
is "file://$(python3 -c 'import sys, urllib.parse; print(urllib.parse.quote(sys.argv[1], safe="/&"))' "$work/A & B/one.flac")" \
    control metadata xesam:url || fail "the address is $(control metadata xesam:url)"
bus introspect "$prefix.downstairs" "$object" >"$work/introspect"
for word in .PlaybackStatus .Metadata .SetPosition .Seeked .Identity .GetAll; do
    grep -q "^$word " "$work/introspect" || fail "busctl introspect lacks $word: $(cat "$work/introspect")"
done
bus tree "$prefix.downstairs" | grep -q "$object" || fail "busctl tree"

step "playerctl controls it, and what others do is seen"
gdbus monitor --session --dest "$prefix.downstairs" >"$work/signals" &
pids+=($!)
control --follow status >"$work/follow" &
pids+=($!)
control pause && is Paused control status || fail "it does not pause: $(control status)"
is paused sh -c "'$programs/tutti' status --json | python3 -c 'import json, sys; print(json.load(sys.stdin)[\"state\"])'" ||
    fail "the service does not say that it is paused"
control play && is Playing control status || fail "it does not play"
control play-pause && is Paused control status || fail "play-pause"
tutti resume >/dev/null
eventually is Playing control status
control next && is "Song two" control metadata title || fail "next: $(control metadata title)"
control position 60 && near 60 control position || fail "position: $(control position)"
control position 20+ && near 80 control position || fail "seek: $(control position)"
# In its first three seconds it goes to the track before.
control previous && near 0 control position || fail "previous: $(control position)"
control previous && is "Song one" control metadata title || fail "previous: $(control metadata title)"
for mode in Track Playlist None; do control loop $mode && is $mode control loop || fail "loop $mode: $(control loop)"; done
control shuffle On && is On control shuffle || fail "shuffle on"
control shuffle Off && is Off control shuffle || fail "shuffle off"
tutti volume kitchen 40 >/dev/null && tutti volume bath 20 >/dev/null
eventually is 0.400000 control volume
control volume 0.6 && is 0.600000 control volume || fail "volume: $(control volume)"
eventually is "60 40" sh -c "'$programs/tutti' status --json | python3 -c '
import json, sys
rooms = {room[\"name\"]: room[\"volume\"] for room in json.load(sys.stdin)[\"rooms\"]}
print(*(round(rooms[name]) for name in (\"kitchen\", \"bath\")))'"
tutti mute on --group downstairs >/dev/null
eventually is 0.000000 control volume
control volume 0.5
eventually is 0.500000 control volume
rate() { bus "$1" "$prefix.downstairs" "$object" "$player" Rate "${@:2}"; }
rate set-property d 1.5
eventually is "d 1.5" rate get-property
rate set-property d 1
eventually is "d 1" rate get-property
grep -q Paused "$work/follow" && grep -q Playing "$work/follow" || fail "playerctl --follow saw $(cat "$work/follow")"

step "jumps are told, playing on is not"
sleep 0.5
seeked() { grep -c 'Player.Seeked' "$work/signals" || true; }
before=$(seeked)
sleep 3
[ "$(seeked)" = "$before" ] || fail "Seeked while it merely plays: $(grep Seeked "$work/signals")"
tutti seek 30 >/dev/null
more() { [ "$(seeked)" -gt "$1" ]; }
eventually more "$before"
! grep -q "'Position'" "$work/signals" || fail "Position is told among the properties"

step "addresses are opened"
control open "file://$work/A%20%26%20B/three.flac"
eventually is "Song three" control metadata title

step "wrong calls are answered, and do nothing"
# refused ERROR COMMAND…
refused() {
    local answer
    ! answer=$("${@:2}" 2>&1) || fail "$*: answered by $answer"
    [[ $answer == *"org.freedesktop.DBus.Error.$1"* ]] || fail "$*: answered by $answer"
}
# gdbus looks at the introspection first and sends nothing of a wrong type; dbus-send sends what it is told.
ask() { gdbus call --session --dest "$prefix.downstairs" --object-path "$object" --method "$@"; }
send() { dbus-send --session --print-reply --dest="$prefix.downstairs" "$object" "$@"; }
properties=org.freedesktop.DBus.Properties
refused UnknownMethod send "$player.Explode"
refused InvalidArgs send "$player.Seek" string:5
refused InvalidArgs send "$player.Seek" int32:5
refused InvalidArgs send "$player.Next" int64:5
refused InvalidArgs send "$player.SetPosition" string:/org/tutti/entry/1 int64:5
refused InvalidArgs send "$player.OpenUri" array:string:a,b
refused InvalidArgs send "$properties.Set" string:"$player" string:Volume double:0.5
refused UnknownInterface send org.example.Nothing.Next
refused UnknownProperty ask "$properties.Get" "$player" Nothing
refused PropertyReadOnly ask "$properties.Set" "$player" Position '<int64 5>'
refused InvalidArgs ask "$properties.Set" "$player" Volume "<'loud'>"
refused InvalidArgs ask "$properties.Set" "$player" Volume '<@d nan>'
refused InvalidArgs ask "$properties.Set" "$player" Rate '<@d inf>'
refused InvalidArgs ask "$properties.Set" "$player" Rate '<@d 17.0>'
refused InvalidArgs ask "$properties.Set" "$player" LoopStatus "<'Often'>"
refused NotSupported ask "$player.OpenUri" gopher://old/file
refused InvalidArgs ask "$player.OpenUri" file://elsewhere/file
refused Failed ask "$player.OpenUri" file:///nowhere.flac
call() { ask "$@" >/dev/null || fail "$*"; }
title=$(control metadata title)
call "$player.SetPosition" /org/nowhere/1 5
call "$player.SetPosition" "$(control metadata mpris:trackid | tr -d "'")" -- -5
call "$player.SetPosition" "$(control metadata mpris:trackid | tr -d "'")" 9223372036854775807
call "$player.Seek" -- -9223372036854775808
call "$properties.Set" "$player" Volume '<@d -7.0>'
call "$properties.Set" "$player" Volume '<0.5>'
call org.freedesktop.DBus.Peer.Ping
call org.freedesktop.DBus.Peer.GetMachineId
is "$title" control metadata title || fail "another track plays: $(control metadata title)"
kill -0 "$desktop" || fail "tutti-desktop has ended"

step "a hundred commands at once"
control play
commands=()
for number in $(seq 100); do
    ask "$player.PlayPause" >/dev/null &
    commands+=($!)
done
for process in "${commands[@]}"; do wait "$process" || fail "one of a hundred commands failed"; done
eventually is Playing control status

step "media keys, by playerctld"
playerctld daemon >"$work/playerctld.log" 2>&1 || fail "playerctld: $(cat "$work/playerctld.log")"
eventually is "tutti.downstairs" sh -c 'playerctl --player playerctld metadata --format "{{playerName}}" >/dev/null && playerctl --list-all | grep "^tutti"'
playerctl --player playerctld play-pause
eventually is Paused control status
playerctl --player playerctld play
eventually is Playing control status

step "another one ends by itself"
status=0
"$programs/tutti-desktop" >"$work/another.log" 2>&1 || status=$?
[ "$status" = 3 ] && grep -q "another tutti-desktop runs" "$work/another.log" || fail "status $status, $(cat "$work/another.log")"

step "the service goes, and comes back"
kill -KILL "$service"
wait "$service" 2>/dev/null || true
eventually unlisted tutti.downstairs
begin_service
eventually listed tutti.downstairs
eventually is Playing control status
control stop
eventually is Stopped control status
control play
eventually is Playing control status

step "it ends when it is told to, and when the bus goes"
[ -n "$(ls "$XDG_RUNTIME_DIR/tutti-desktop")" ] || fail "there are no pictures"
kill "$desktop"
wait "$desktop" || fail "it ended with $?"
[ ! -e "$XDG_RUNTIME_DIR/tutti-desktop" ] || fail "its pictures are still there"
begin_desktop
eventually listed tutti.downstairs
# Without the service, the player of this user.
kill "$service"
wait "$service" 2>/dev/null || true
eventually unlisted tutti.downstairs
"$programs/tutti-player" play "$work/A & B/one.flac" --room "${rooms[0]}" >"$work/play.log" 2>&1 &
pids+=($!)
eventually listed tutti
playerctl --player tutti pause
eventually is Paused playerctl --player tutti status
playerctl --player tutti stop
eventually unlisted tutti
kill "$bus"
wait "$bus" 2>/dev/null || true
status=0
wait "$desktop" || status=$?
[ "$status" = 1 ] && tail -1 "$work/desktop.log" | grep -q "the session bus is gone" || fail "it ended with $status"
step "all passed"
