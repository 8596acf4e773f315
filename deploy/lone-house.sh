# Sourced by tests: a household of its own in $work, of the programs in $programs. All processes in $pids end with the script.
work=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; wait; rm -rf "$work"' EXIT

export HOME=$work XDG_RUNTIME_DIR=$work/run XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config
# Nobody of another network is to be found.
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent
mkdir -m 700 "$XDG_RUNTIME_DIR" "$XDG_STATE_HOME" "$XDG_CONFIG_HOME"

# A port that is free.
port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# eventually COMMAND…: tried until it succeeds, for 10 s; then the script's `fail`.
eventually() {
    for _ in $(seq 200); do
        ! "$@" >/dev/null 2>&1 || return 0
        sleep 0.05
    done
    fail "not within 10 s: $*"
}

# start_speaker NAME [OPTION…]: its address, as --room takes it, is added to $rooms.
rooms=()
start_speaker() {
    local name=$1 number
    shift
    number=$(port)
    "$programs/tutti-speaker" --name "$name" --device null --port "$number" --no-mdns --state-dir "$work/$name" "$@" \
        >"$work/$name.log" 2>&1 &
    pids+=($!)
    rooms+=("$name@127.0.0.1:$number")
}

# start_service: process $service, HTTP at port $http.
start_service() {
    http=$(port)
    "$programs/tutti-player" serve --http "127.0.0.1:$http" >"$work/serve.log" 2>&1 &
    service=$!
    pids+=("$service")
}

# write_silence SECONDS: as $work/music.wav.
write_silence() {
    python3 - "$work/music.wav" "$1" <<'END'
import sys, wave
with wave.open(sys.argv[1], "wb") as file:
    file.setnchannels(2), file.setsampwidth(2), file.setframerate(48000)
    for _ in range(int(sys.argv[2])): file.writeframes(bytes(4 * 48000))
END
}
