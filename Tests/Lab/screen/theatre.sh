# Sourced by tests and measurements, after deploy/lone-house.sh: a screen in Xvfb with a witness, and a room on a virtual card.
# Everything begun is in $pids.
lab=Tests/Lab/screen
shared=$(mktemp -d -p /dev/shm)
trap 'kill "${pids[@]}" 2>/dev/null || true; wait; rm -rf "$work" "$shared"' EXIT

# build_lab: the witness, the vertical sync and the card, in $work.
build_lab() {
    make -s -C "$lab" OUT="$work" && make -s -C Tests/Lab/card OUT="$work"
}

# write_film NAME [OPTION…]: as $work/NAME.
write_film() { python3 "$lab/film.py" "$work/$1" "${@:2}"; }

# start_display WIDTHxHEIGHT: process $display, with the name $DISPLAY, its frame buffer in a new folder $buffer.
start_display() {
    buffer=$(mktemp -d -p "$shared")
    # A pipe tells that it is there, and which number it took.
    mkfifo "$buffer/number"
    Xvfb -displayfd 9 -screen 0 "$1x24" -fbdir "$buffer" -nolisten tcp 9>"$buffer/number" >"$work/xvfb.log" 2>&1 &
    display=$!
    pids+=("$display")
    read -r DISPLAY <"$buffer/number"
    export DISPLAY=:$DISPLAY
}

# start_screen NAME [OPTION…]: process $screen, its address in $tv.
start_screen() {
    local name=$1 number
    shift
    number=$(port)
    # What the one before it said is gone before anybody looks for "ready".
    : >"$work/$name.log"
    LD_PRELOAD=${refresh:-} "$programs/tutti-screen" --name "$name" --fullscreen --port "$number" --address 127.0.0.1 --no-mdns \
        --state-dir "$work/$name" "$@" >"$work/$name.log" 2>&1 &
    screen=$!
    pids+=("$screen")
    tv=$name@127.0.0.1:$number
}

# card_of NAME: a configuration of ALSA whose default is a virtual card, which records to $shared/NAME.log.
card_of() {
    cat >"$work/$1.conf" <<CONFIGURATION
pcm_type.tutti_lab { lib "$work/libasound_module_pcm_tutti_lab.so" }
pcm.default { type tutti_lab  name "$1"  directory "$shared"  ppm 60  kind "exact"  format "S16_LE" }
ctl.default { type hw card 0 }
CONFIGURATION
}

# start_room NAME: process $speaker, its address in $room.
start_room() {
    local number
    number=$(port)
    card_of "$1"
    ALSA_CONFIG_PATH=$work/$1.conf "$programs/tutti-speaker" --name "$1" --port "$number" --no-mdns --state-dir "$work/$1" \
        >"$work/$1.log" 2>&1 &
    speaker=$!
    pids+=("$speaker")
    room=$1@127.0.0.1:$number
}

# start_witness SECONDS: process $witness, which writes to $work/seen. Before other programs, where it may: its pauses are the machine's.
start_witness() {
    local first=()
    ! chrt -f 50 true 2>/dev/null || first=(chrt -f 50)
    "${first[@]}" "$work/tutti_lab_screen" "$buffer/Xvfb_screen0" "$1" >"$work/seen" 2>"$work/witness.log" &
    witness=$!
    pids+=("$witness")
}

# mark KIND [VALUE]: the instant of a command, in $work/marks.
mark() {
    python3 -c 'import sys, time; print(time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW), *sys.argv[1:])' "$@" >>"$work/marks"
}
