#!/usr/bin/env bash
# How far pictures are from their sound at many rates, and what that costs: tutti-screen with and without a refresh to wait for, and
# beside it mpv, where that is installed: alone (its own sound on the same virtual card), and muted, following a room by a script.
# Everything on this machine; nothing else should run on it. Lines of a table; see docs/lab.md.
#
#   Tests/Lab/screen/series.sh [FOLDER_OF_THE_PROGRAMS]
#
# RATES="24 60", SYSTEMS="screen refresh mpv follow" choose. SECONDS_EACH is how long each is measured, beginning 8 s after its
# start, before it is given commands. FILM="--sync 10 --noise 12" has further options of film.py. KEEP names a folder for what was seen and heard.
set -euo pipefail
cd "$(dirname "$0")/../../.."

programs=$(realpath "${1:-${PROGRAMS:-.build/release}}")
rates=${RATES:-24 25 30 50 60} seconds=${SECONDS_EACH:-18}
systems=${SYSTEMS:-screen refresh mpv follow}
. deploy/lone-house.sh
. Tests/Lab/screen/theatre.sh
build_lab
command -v mpv >/dev/null || systems=$(tr ' ' '\n' <<<"$systems" | grep -v 'mpv\|follow' | paste -sd ' ')

# Processor time of a process in ms, and its memory in MB.
spent() { awk -v tick="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print int(1000 * ($12 + $13) / tick) }' "/proc/$1/stat"; }
resident() { awk '/^VmRSS/ { printf "%.0f", $2 * 1024 / 1e6 }' "/proc/$1/status"; }
tutti() { "$programs/tutti" "$@"; }
# begin_mpv OPTION…: process $mpv, its socket in $work/mpv.
begin_mpv() {
    rm -f "$work/mpv"
    ALSA_CONFIG_PATH=$work/$name.conf mpv --no-config --vo=x11 --fullscreen --geometry=1280x720+0+0 --osd-level=0 --no-osc --really-quiet \
        --input-ipc-server="$work/mpv" "$@" "$work/$rate.mkv" >"$work/mpv.log" 2>&1 &
    mpv=$!
    pids+=("$mpv")
    while [ ! -S "$work/mpv" ]; do sleep 0.05; done
}
control_mpv() {
    python3 - "$work/mpv" "$@" <<'PYTHON'
import json, socket, sys
link = socket.socket(socket.AF_UNIX)
link.connect(sys.argv[1])
words = [json.loads(word) if word in ("true", "false") or word[0].isdigit() else word for word in sys.argv[2:]]
link.sendall(json.dumps({"command": words}).encode() + b"\n")
link.recv(1000)
PYTHON
}
play_in() {
    local options=() place
    for place in "$@"; do options+=(--room "$place"); done
    "$programs/tutti-player" play "$work/$rate.mkv" "${options[@]}" >"$work/play.log" 2>&1 &
    player=$!
    pids+=("$player")
    disown "$player"
}
stop() {
    local process
    for process in "$@"; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
}

# begin SYSTEM: plays; process $shown is who shows the pictures.
begin() {
    case $1 in
    screen | refresh)
        refresh=
        [ "$1" = screen ] || refresh=$work/tutti_lab_vsync.so
        start_room "$name"
        start_screen "tv-$name"
        sleep 1
        shown=$screen own=("$screen" "$speaker")
        play_in "$tv" "$room"
        ;;
    mpv)
        card_of "$name"
        begin_mpv --ao=alsa --audio-device=alsa/default
        shown=$mpv own=("$mpv") player=
        ;;
    follow)
        start_room "$name"
        sleep 1
        play_in "$room"
        while ! grep -q "$name: playing" "$work/play.log"; do sleep 0.05; done
        begin_mpv --no-audio
        python3 Tests/Lab/screen/follow.py "$work/mpv" "$programs/tutti" >"$work/follow.log" 2>&1 &
        pids+=($!)
        shown=$mpv own=("$!" "$mpv" "$speaker")
        ;;
    esac
}
# command SYSTEM WORD [VALUE]
command_to() {
    local system=$1
    shift
    mark "$@"
    case $system:$1 in
    mpv:seek) control_mpv seek "$2" absolute+exact ;;
    mpv:pause) control_mpv set_property pause true ;;
    mpv:resume) control_mpv set_property pause false ;;
    *) tutti "$@" ;;
    esac
}

export TUTTI_LAB_SCREEN_RATE=59.94
start_display 1280x720
echo "ms; processor: % of one core, of the program that shows the pictures; memory in MB"
python3 Tests/Lab/screen/table.py
for rate in $rates; do
    write_film "$rate.mkv" --rate "$rate" --seconds $((seconds + 60)) ${FILM:-}
    for system in $systems; do
        name=$system$rate
        rm -f "$work/marks"
        start_witness 600
        begin "$system"
        # Whoever begins wrong may have found its place by then.
        sleep 8
        mark settled
        before=$(spent "$shown") from=$(date +%s%N)
        sleep "$seconds"
        # % of a core, in tenths.
        cost=$((1000000000 * ($(spent "$shown") - before) / ($(date +%s%N) - from)))
        memory=$(resident "$shown")
        command_to "$system" seek $((seconds + 30)).3
        sleep 6
        command_to "$system" pause
        sleep 2.5
        command_to "$system" resume
        sleep 5
        mark over
        [ -z "${player:-}" ] || kill "$player" 2>/dev/null || true
        stop "${own[@]}" "$witness"
        python3 Tests/Lab/screen/measure.py --seen "$work/seen" --card "$shared/$name.log" --rate "$rate" --marks "$work/marks" --json |
            python3 Tests/Lab/screen/table.py "$system" "$rate" "$((cost / 10)).$((cost % 10))" "$memory"
        [ -z "${KEEP:-}" ] || cp "$work/seen" "$KEEP/$name.seen"
        [ -z "${KEEP:-}" ] || cp "$work/marks" "$KEEP/$name.marks"
        [ -z "${KEEP:-}" ] || cp "$shared/$name".{log,wav} "$KEEP"
        rm -f "$shared/$name".{log,wav}
    done
done
