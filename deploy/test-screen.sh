#!/usr/bin/env bash
# Plays films on a screen in Xvfb and in a room on a virtual card, and measures from outside how far pictures are from their sound:
# while it plays, after commands, without its sender, and with films and displays that are not as they should be. The bounds leave
# room for busy machines; the figures are printed. With a folder of programs as its argument.
# KEEP names a folder for what was seen and heard, where it fails.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=${1:-${PROGRAMS:-$(swift build -c release --show-bin-path)}}
if ! deploy/setup.sh screen; then
    echo "screen: SKIPPED, Xvfb cannot be installed"
    exit 0
fi
for tool in Xvfb xdotool ffmpeg gcc make; do
    command -v "$tool" >/dev/null || {
        echo "screen: SKIPPED, $tool is not installed"
        exit 0
    }
done
. deploy/lone-house.sh
. Tests/Lab/screen/theatre.sh

step() { echo "screen: $* ($SECONDS s)"; }
fail() {
    [ -z "${KEEP:-}" ] || cp -r "$work" "$shared" "$KEEP"
    tail -n 20 "$work"/*.log >&2
    echo "screen: FAILED: $*" >&2
    exit 1
}
# eventually COMMAND…: tried until it succeeds, for 10 s.
eventually() {
    for _ in $(seq 200); do
        ! "$@" >/dev/null 2>&1 || return 0
        sleep 0.05
    done
    fail "not within 10 s: $*"
}
tutti() { "$programs/tutti" "$@" || fail "tutti $*"; }
# command WORD [VALUE]: given to the player, and marked.
command_at() {
    mark "$@"
    tutti "$@"
}

# play FILM: begins a showing with a room and a witness of its own: process $player.
showing=0
play() {
    showing=$((showing + 1)) film=$1
    start_room "kitchen$showing"
    rm -f "$work/marks"
    : >"$work/marks"
    start_witness 120
    eventually grep -q "speaker ready" "$work/kitchen$showing.log"
    "$programs/tutti-player" play "$work/$film" --room "$tv" --room "$room" >"$work/play.log" 2>&1 &
    player=$!
    pids+=("$player")
    # The shell is to say nothing when it is killed.
    disown "$player"
    eventually grep -q "kitchen$showing: playing" "$work/play.log"
}
# close_room: ends the showing, so that all that was heard is written.
close_room() {
    kill "$player" 2>/dev/null || true
    kill "$speaker" "$witness"
    wait "$speaker" "$witness" 2>/dev/null || true
}
# judge LIMITS [OPTION…]: what the showing was like.
judge() {
    close_room
    python3 "$lab/measure.py" --seen "$work/seen" --card "$shared/kitchen$showing.log" --marks "$work/marks" --limits "$@" \
        >"$work/figures" 2>"$work/over" || {
        cat "$work/figures" >&2
        fail "$film: $(paste -sd ';' "$work/over" | cut -c -400)"
    }
    sed 's/^/    /' "$work/figures"
}
screen_runs() { kill -0 "$screen" 2>/dev/null || fail "tutti-screen has ended: $(tail -1 "$work/tv.log")"; }
# screen_ends STATUS WORDS: it has ended by itself, with them in its last lines.
screen_ends() {
    local status=0
    for _ in $(seq 100); do
        kill -0 "$screen" 2>/dev/null || break
        sleep 0.05
    done
    ! kill -0 "$screen" 2>/dev/null || fail "tutti-screen still runs after 5 s"
    wait "$screen" || status=$?
    [ "$status" = "$1" ] || fail "tutti-screen ended with $status: $(tail -1 "$work/tv.log")"
    tail -3 "$work/tv.log" | grep -q "$2" || fail "tutti-screen says: $(tail -1 "$work/tv.log")"
}
begin_screen() {
    start_screen tv
    eventually grep -q "speaker ready" "$work/tv.log"
}

step "films are made"
build_lab
size=640x360
write_film film.mkv --seconds 75 --size $size
write_film variable.mkv --rate 60 --seconds 9 --size $size --variable
write_film silent.mkv --seconds 1 --size $size --no-sound
write_film sound.mka --seconds 5 --no-pictures
write_film unknown.mkv --seconds 5 --size $size --coding ffv1
write_film broken.mkv --seconds 7 --size $size --broken

step "without a display it says so"
status=0
env -u DISPLAY -u WAYLAND_DISPLAY "$programs/tutti-screen" --no-mdns --port 0 --state-dir "$work/none" >"$work/without.log" 2>&1 || status=$?
[ "$status" = 1 ] && grep -q "no display to show pictures on" "$work/without.log" ||
    fail "status $status, $(cat "$work/without.log")"

start_display 1280x720
begin_screen
# Noise of a machine that does other things too.
usual=p50=15,p95=60,dropped=8,back=1,change=60,seen=1500,heard=1500

step "a film plays; seek, pause, resume, rate; its sender is killed"
play film.mkv
sleep 6
command_at seek 40.3
sleep 5
command_at pause
sleep 2.5
command_at resume
sleep 4.5
command_at rate 1.5
sleep 5
command_at rate 1
sleep 4.5
mark killed
kill -KILL "$player"
sleep 5
judge "$usual",clicks=0
screen_runs
[ "$(grep -c '^    killed' <(sed 's/^/    /' "$work/figures"))" = 1 ] || fail "nothing was measured without a sender"

step "of variable rate"
play variable.mkv
sleep 8
judge "$usual",pictures=200,clicks=6 --rate 60 --variable
screen_runs

step "without sound: it is refused"
status=0
"$programs/tutti-player" play "$work/silent.mkv" --room "$tv" >"$work/silent.log" 2>&1 || status=$?
[ "$status" = 3 ] && grep -q "contains no audio" "$work/silent.log" || fail "status $status, $(cat "$work/silent.log")"
screen_runs

step "without pictures"
play sound.mka
sleep 4
judge clicks=3,lines=1
screen_runs

step "in a coding that no screen takes: the sound plays, and a line says so"
play unknown.mkv
sleep 4
judge clicks=3,lines=1
grep -qi "ffv1" "$work/tv.log" "$work/play.log" || fail "nobody says that pictures cannot be shown"
screen_runs

step "with broken times: the sound plays, and what pictures have a place in it"
play broken.mkv
sleep 6.5
judge clicks=5,lines=1,pictures=60
screen_runs

step "the window is closed: a line, and the room plays on"
play film.mkv
sleep 3
mark closed
xdotool search --name '^tv$' windowquit
screen_ends 0 "the window was closed"
sleep 3
judge clicks=2,lines=1
begin_screen

step "the display is gone: a line, and the room plays on"
play film.mkv
sleep 3
mark gone
kill -KILL "$display"
screen_ends 1 "the display is gone"
sleep 3
judge clicks=2,lines=1

step "all passed"
