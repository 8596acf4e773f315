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
tutti() { "$programs/tutti" "$@" || fail "tutti $*"; }
# command WORD [VALUE]: given to the player, and marked.
command_at() {
    mark "$@"
    tutti "$@"
}

# play FILM [OPTION…]: begins it with a room and a witness of its own: process $player. What stands on the screen is of the film before.
showings=0
play() {
    showings=$((showings + 1))
    start_room "kitchen$showings"
    rm -f "$work/marks"
    : >"$work/marks"
    start_witness 120
    eventually grep -q "speaker ready" "$work/kitchen$showings.log"
    "$programs/tutti-player" play "$work/$1" --room "$tv" --room "$room" >"$work/play.log" 2>&1 &
    player=$!
    pids+=("$player")
    # The shell is to say nothing when it is killed.
    disown "$player"
    eventually grep -q "kitchen$showings: playing" "$work/play.log"
}
# close_room: ends it, so that all that was heard is written.
close_room() {
    kill "$player" 2>/dev/null || true
    kill "$speaker" "$witness"
    wait "$speaker" "$witness" 2>/dev/null || true
}
# judge LIMITS [OPTION…]: whether the showing was as good as that; its figures are printed.
judge() {
    local status=0
    close_room
    python3 "$lab/measure.py" --seen "$work/seen" --card "$shared/kitchen$showings.log" --marks "$work/marks" --limits "$@" \
        >"$work/figures" 2>"$work/over" || status=$?
    sed 's/^/    /' "$work/figures"
    return "$status"
}
# showing SCENE LIMITS [OPTION…]: plays a scene and judges it, up to three times: machines stand still now and then.
showing() {
    local attempt
    for attempt in 1 2 3; do
        "$1"
        ! judge "${@:2}" || return 0
        echo "screen: $1, attempt $attempt: $(paste -sd ';' "$work/over" | cut -c -400)" | tee -a "${TUTTI_TEST_NOTES:-/dev/null}"
    done
    fail "$1: $(paste -sd ';' "$work/over" | cut -c -400)"
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
# What a machine that does other things too adds is in it.
usual=p50=15,p95=100,dropped=10,back=0,change=60,seen=1500,heard=1500

step "a film plays; seek, pause, resume, rate; its sender is killed"
commands() {
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
}
showing commands "$usual"
grep -q "^killed: picture" "$work/figures" || fail "no pictures without a sender"
screen_runs

step "of variable rate"
variable() { play variable.mkv && sleep 8; }
showing variable "$usual",pictures=200,clicks=6 --rate 60 --variable
screen_runs

step "without sound: it is refused"
status=0
"$programs/tutti-player" play "$work/silent.mkv" --room "$tv" >"$work/silent.log" 2>&1 || status=$?
[ "$status" = 3 ] && grep -q "contains no audio" "$work/silent.log" || fail "status $status, $(cat "$work/silent.log")"
screen_runs

step "without pictures"
without_pictures() { play sound.mka && sleep 4; }
showing without_pictures clicks=3,lines=1
screen_runs

step "in a coding that no screen takes: the sound plays, and a line says so"
unknown() { play unknown.mkv && sleep 4; }
showing unknown clicks=3,lines=1
line=$(cat "$work/tv.log" "$work/play.log" | tr '\r' '\n' | grep -i -m 1 ffv1) || fail "nobody says that pictures cannot be shown"
echo "    $line"
screen_runs

step "with broken times: the sound plays, and what pictures have a place in it"
broken() { play broken.mkv && sleep 6.5; }
showing broken clicks=5,lines=1,pictures=60,p50=15
grep -q "times of its pictures are wrong" "$work/play.log" || fail "nobody says that times are wrong: $(cat "$work/play.log")"
screen_runs

# room_stays: it plays on, and its sender says what it has lost.
room_stays() {
    sleep 3
    grep -q "tv: lost" "$work/play.log" && kill -0 "$player" || fail "the player says: $(tail -2 "$work/play.log")"
}

step "the window is closed: a line, and the room plays on"
closed() {
    kill -0 "$screen" 2>/dev/null || begin_screen
    play film.mkv
    sleep 3
    mark closed
    python3 "$lab/window.py" "$(xdotool search --name '^tv$')"
    screen_ends 0 "the window was closed"
    room_stays
}
showing closed clicks=2,lines=1

step "the display is gone: a line, and the room plays on"
gone() {
    kill -0 "$display" 2>/dev/null || start_display 1280x720
    begin_screen
    play film.mkv
    sleep 3
    mark gone
    disown "$display"
    kill -KILL "$display"
    # Where libX11 does not leave it to the program, its own line.
    screen_ends 1 'the display is gone\|^X connection to .* broken'
    room_stays
}
showing gone clicks=2,lines=1

step "all passed"
