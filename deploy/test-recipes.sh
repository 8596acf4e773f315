#!/usr/bin/env bash
# Tries the recipes of docs/live.md with Debian's programs: shairport-sync (AirPlay), squeezelite, gmediarender, mopidy, playerctl;
# and what live inputs say that they play. Two rooms on virtual cards record what is heard. In namespaces of its own: nothing of it is
# seen on a network. With a folder of programs as its argument; RECIPES names some of airplay, squeezelite, program,
# upnp, mopidy, lines.
# KEEP names a folder for what was heard, where it fails.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=${1:-${PROGRAMS:-$(swift build -c release --show-bin-path)}}
if [ -z "${TUTTI_RECIPES:-}" ]; then
    needs=recipes
    [ "${RECIPES:-}" != lines ] || needs=tags
    deploy/setup.sh $needs || {
        echo "recipes: SKIPPED, what they need cannot be installed"
        exit 0
    }
    root=()
    [ "$(id -u)" = 0 ] || root=(--map-root-user)
    unshare "${root[@]}" --net --mount true 2>/dev/null || {
        echo "recipes: SKIPPED, no namespaces can be made here"
        exit 0
    }
    TUTTI_RECIPES=1 exec unshare "${root[@]}" --net --mount --pid --fork --mount-proc "$0" "$programs"
fi

python=/usr/bin/python3
# A network of two ends: UPnP does without the loopback.
ip link set lo up
ip link add tutti0 type veth peer name tutti1
ip address add 10.99.0.1/24 dev tutti0
ip link set tutti0 up
ip link set tutti1 up
. deploy/lone-house.sh
shared=$(mktemp -d /dev/shm/tutti-recipes-XXXXXX)
trap 'kill "${pids[@]}" 2>/dev/null || true; wait; rm -rf "$work" "$shared"' EXIT

step() { echo "recipes: $* ($SECONDS s)"; }
fail() {
    [ -z "${KEEP:-}" ] || { mkdir -p "$KEEP" && cp -r "$work" "$shared" "$KEEP"; }
    tail -n 20 "$work"/*.log >&2
    echo "recipes: FAILED: $*" >&2
    exit 1
}
tutti() { "$programs/tutti" "$@" || fail "tutti $*"; }
begin() { # begin NAME COMMAND…: in the background, with a log; its process is $begun.
    "${@:2}" >"$work/$1.log" 2>&1 &
    begun=$!
    pids+=("$begun")
    disown "$begun"
}
# scene NAME FUNCTION: tries a recipe if it is wanted, up to three times: machines stand still now and then, and shairport-sync makes up for
# that with silence.
scene() {
    wanted "$1" || return 0
    local attempt
    for attempt in 1 2 3; do
        clear_away
        ! "$2" || return 0
        echo "recipes: $1, attempt $attempt: $(cut -c -300 "$work/over")" | tee -a "${TUTTI_TEST_NOTES:-/dev/null}"
    done
    fail "$1: $(cut -c -300 "$work/over")"
}
clear_away() {
    kill "${pids[@]}" 2>/dev/null || true
    for process in "${pids[@]}"; do
        while kill -0 "$process" 2>/dev/null; do sleep 0.05; done
    done
    pids=()
    # A new one, over the one before.
    mount -t tmpfs tmpfs /run
}
wanted() { [[ " ${RECIPES:-airplay squeezelite program upnp mopidy lines} " == *" $1 "* ]]; }

# house: speakers with new recordings, and the service with the settings in $work/tutti.yaml.
house() {
    number_of_house=$((${number_of_house:-0} + 1))
    here=$shared/$number_of_house
    mkdir -p "$here" "$XDG_CONFIG_HOME/tutti"
    rooms=()
    local number ppm=60
    for room in kitchen bath; do
        number=$(port)
        {
            echo "pcm_type.tutti_lab { lib \"$work/libasound_module_pcm_tutti_lab.so\" }"
            echo "pcm.default { type tutti_lab  name \"$room\"  directory \"$here\"  ppm $ppm  kind \"exact\"  format \"S16_LE\" }"
            echo "ctl.default { type hw card 0 }"
        } >"$here/$room.conf"
        ALSA_CONFIG_PATH=$here/$room.conf begin "$room" "$programs/tutti-speaker" --name "$room" --port "$number" --no-mdns \
            --state-dir "$work/$room"
        rooms+=(--room "$room@127.0.0.1:$number")
        ppm=-40
    done
    for room in kitchen bath; do eventually grep -q "speaker ready" "$work/$room.log"; done
    cat >"$XDG_CONFIG_HOME/tutti/tutti.yaml"
    http=$(port) mpd=$(port)
    begin serve "$programs/tutti-player" serve --http "127.0.0.1:$http" --mpd "127.0.0.1:$mpd"
    eventually grep -q " ready" "$work/serve.log"
    tutti group set house "${rooms[1]}" "${rooms[3]}" >/dev/null
}
# close_house [OPTION…]: ends it, and measures what was heard; fails where that is not as it should be.
close_house() {
    tutti stop --group house >/dev/null
    clear_away
    local status=0
    $python Tests/Lab/recipes/heard.py "$shared/card.wav" "$here/kitchen.log" "$here/bath.log" "$@" >"$work/figures" 2>"$work/over" || status=$?
    sed 's/^/    /' "$work/figures"
    [ "$status" != 0 ] || [ -z "${sent:-}" ] || $python -c "
import json
print('    heard', round(json.load(open('$work/figures'))['began'] - $sent, 2), 's after it was sent')"
    sent=
    return "$status"
}
now() { $python -c 'import time; print(time.clock_gettime(time.CLOCK_MONOTONIC_RAW))'; }
# status EXPRESSION: whether that is true of how the group stands.
status() { "$programs/tutti" status --group house --json | $python -c "
import json, sys
status = json.load(sys.stdin)
item, live = status.get('item') or {}, status.get('live') or {}
sys.exit(not ($1))"; }
plays() { eventually status "status['state'] == 'playing' and '$1' in item['uri']"; }
lost() { "$programs/tutti" status --group house --json >"$work/status" && $python -c "
import json, sys
live = json.load(open('$work/status'))['live']
print('    stated latency', live['wanted'], 's; it is', round(live['latency'], 4), 's; missing', live['missing'], 's, late', live['late'], 's')" || fail "it does not play any more: $(cat "$work/status")"; }
# says TITLE ARTIST ALBUM: whether the group shows that.
says() { eventually status "(item['title'], item['artist'], item['album']) == ('$1', '$2', '$3')"; }

make -s -C Tests/Lab/card OUT="$work"
$python - "$shared/song.wav" "$shared/song.raw" <<'END'
import sys, wave, numpy
random, rate = numpy.random.default_rng(7), 44100
time = numpy.arange(20 * rate) / rate
noise = numpy.convolve(random.standard_normal(len(time)), numpy.hanning(24), "same")
left = 0.1 * noise + 0.2 * numpy.sin(2 * numpy.pi * (220 + 20 * time) * time)
sound = (numpy.stack([left, 0.7 * left], 1) * 20000).clip(-32767, 32767).astype("<i2")
with wave.open(sys.argv[1], "wb") as file:
    file.setnchannels(2), file.setsampwidth(2), file.setframerate(rate), file.writeframes(sound.tobytes())
open(sys.argv[2], "wb").write(sound.tobytes())
END
# As the cards have it.
ffmpeg -v error -i "$shared/song.wav" -ar 48000 "$shared/card.wav"
ffmpeg -v error -f lavfi -i "color=c=orange:s=320x320" -frames:v 1 "$shared/cover.jpg"

airplay() {
    step "AirPlay: shairport-sync writes to a pipe, and says what plays"
    mkdir -p /run/dbus /run/avahi-daemon
    cat >"$work/bus.conf" <<'END'
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path=/run/dbus/system_bus_socket</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
END
    export DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/dbus/system_bus_socket
    begin bus dbus-daemon --config-file="$work/bus.conf" --nofork --nopidfile
    eventually [ -S /run/dbus/system_bus_socket ]
    printf '[server]\nhost-name=recipes\nuse-ipv6=no\nallow-interfaces=tutti0\n' >"$work/avahi.conf"
    begin avahi avahi-daemon -f "$work/avahi.conf" --no-chroot --no-drop-root --no-rlimits
    eventually grep -q "startup complete" "$work/avahi.log"
    house <<END
inputs:
  airplay:
    source: pipe:/run/airplay?format=44100:16:2
    metadata: shairport-sync:/run/airplay-metadata
    plays-on: house
    silence: 3
END
    cat >"$work/shairport-sync.conf" <<'END'
general = { name = "Downstairs"; output_backend = "pipe"; };
pipe = { name = "/run/airplay"; };
metadata = { enabled = "yes"; include_cover_art = "yes"; pipe_name = "/run/airplay-metadata"; };
END
    begin shairport shairport-sync -c "$work/shairport-sync.conf"
    eventually avahi-browse -rtp _raop._tcp
    # Not by PulseAudio: it plays the same, but its sink stops now and then at an assertion of its own.
    begin raop $python Tests/Lab/recipes/raop.py 10.99.0.1 5000 "$shared/song.wav" "Blue in Green" "Miles Davis" "Kind of Blue" \
        "$shared/cover.jpg"
    eventually grep -q . "$work/raop.log"
    sent=$(cat "$work/raop.log")
    plays /run/airplay
    says "Blue in Green" "Miles Davis" "Kind of Blue"
    eventually status "item['station'] == 'airplay' and item['artwork']"
    sleep 8
    lost
    close_house --seconds 6
}
scene airplay airplay

squeezelite_pipe() {
    step "a Squeezebox house: squeezelite writes its samples to a pipe"
    house <<END
inputs:
  squeezebox:
    source: pipe:/run/squeezebox?format=44100:16:2
    plays-on: house
    silence: 3
END
    begin slim $python Tests/Lab/recipes/slim.py "$shared/song.wav" 10.99.0.1
    eventually grep -q listening "$work/slim.log"
    begin squeezelite sh -c 'exec squeezelite -s 10.99.0.1 -n Tutti -o - -r 44100 -a 16 >/run/squeezebox'
    plays /run/squeezebox
    sleep 8
    lost
    close_house --seconds 6
}
scene squeezelite squeezelite_pipe

squeezelite_program() {
    step "squeezelite as a command of the settings"
    house <<END
inputs:
  squeezebox:
    source: "exec:squeezelite -s 10.99.0.1 -n Tutti -o - -r 44100 -a 16?format=44100:16:2"
END
    begin slim $python Tests/Lab/recipes/slim.py "$shared/song.wav" 10.99.0.1
    eventually grep -q listening "$work/slim.log"
    tutti play input:squeezebox --group house --detach >/dev/null
    plays squeezelite
    sleep 8
    lost
    close_house --seconds 5
}
scene program squeezelite_program

upnp() {
    step "UPnP: gmediarender writes to a pipe through GStreamer"
    house <<END
inputs:
  upnp:
    source: pipe:/run/upnp?format=44100:16:2
    plays-on: house
    silence: 3
END
    begin files $python -m http.server 8000 --bind 10.99.0.1 --directory "$shared"
    begin gmediarender gmediarender -I tutti0 -p 49494 -f Tutti -u 6d2f8a54-0d51-4a3c-9d2e-7e0a3f6f1b11 --gstout-audiopipe \
        "audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=44100,channels=2 ! filesink location=/run/upnp sync=true buffer-mode=unbuffered"
    sent=$(now)
    $python Tests/Lab/recipes/upnp.py http://10.99.0.1:49494 http://10.99.0.1:8000/song.wav || fail "gmediarender does not play"
    plays /run/upnp
    sleep 8
    lost
    close_house --seconds 6
}
scene upnp upnp

mopidy() {
    step "Mopidy writes to a pipe through GStreamer"
    house <<END
inputs:
  mopidy:
    source: pipe:/run/mopidy?format=44100:16:2
    plays-on: house
    silence: 3
END
    mkdir -p "$work/mopidy"
    cat >"$work/mopidy.conf" <<END
[core]
cache_dir = $work/mopidy
config_dir = $work/mopidy
data_dir = $work/mopidy
[audio]
output = audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=44100,channels=2 ! filesink location=/run/mopidy sync=true buffer-mode=unbuffered
[http]
hostname = 127.0.0.1
zeroconf =
[file]
media_dirs = $shared
[m3u]
enabled = false
END
    begin mopidy /usr/bin/mopidy --config "$work/mopidy.conf"
    rpc() {
        $python -c '
import sys, urllib.request
body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + sys.argv[1] + "\",\"params\":" + sys.argv[2] + "}"
request = urllib.request.Request("http://127.0.0.1:6680/mopidy/rpc", body.encode(), {"Content-Type": "application/json"})
assert "error" not in urllib.request.urlopen(request, timeout=5).read().decode()' "$@"
    }
    eventually rpc core.tracklist.add "{\"uris\":[\"file://$shared/song.wav\"]}"
    sent=$(now)
    rpc core.playback.play '{}' || fail "Mopidy does not play"
    plays /run/mopidy
    sleep 8
    lost
    close_house --seconds 6
}
scene mopidy mopidy

lines() {
    step "what plays, in lines: by a pipe, by a socket, by librespot's hook, by a player of the desktop; and where it is shown"
    house <<END
inputs:
  one:
    source: pipe:/run/one?format=44100:16:2
    metadata: lines:/run/one-tags
  two:
    source: pipe:/run/two?format=44100:16:2
    metadata: lines:/run/two-tags?listen
END
    begin song sh -c 'for _ in 1 2 3 4 5 6; do cat "$1"; done >/run/one' song "$shared/song.raw"
    # Before there is any sound.
    printf 'title=Early\n\n' >/run/one-tags
    tutti play input:one --group house --detach >/dev/null
    plays /run/one
    eventually status "item['title'] == 'Early' and item['station'] == 'one'"
    printf 'title=So What\nartist=Miles Davis\nartist=Bill Evans\nalbum=Kind of Blue\nart=%s\n\n' "$shared/cover.jpg" >/run/one-tags
    says "So What" "Miles Davis, Bill Evans" "Kind of Blue"
    art=$("$programs/tutti" status --group house --json | $python -c 'import json, sys; print(json.load(sys.stdin)["item"]["artwork"])')
    cmp "$art" "$shared/cover.jpg" || fail "the picture is another one"
    "$programs/tutti" artwork "$art" --size 100 >"$work/small.jpg" || fail "no picture is made of $art"
    "$programs/tutti" status --group house | grep -q "So What, Miles Davis, Bill Evans (one)" || fail "$("$programs/tutti" status --group house)"

    step "  over HTTP, to clients of MPD, and on a desktop"
    $python - "$http" "$mpd" "$shared/small.jpg" <<'END' || fail "what plays is not shown"
import json, socket, sys, urllib.request
http, mpd = sys.argv[1:3]
def get(path): return urllib.request.urlopen(f"http://127.0.0.1:{http}/api/v1{path}", timeout=5)
item = json.load(get("/groups/house"))["status"]["item"]
assert (item["title"], item["station"], item["album"]) == ("So What", "one", "Kind of Blue"), item
picture = get("/groups/house/artwork?size=160")
assert picture.headers["Content-Type"] == "image/jpeg" and picture.read()[:2] == b"\xff\xd8"
client = socket.create_connection(("127.0.0.1", int(mpd)), timeout=10).makefile("rwb")
assert client.readline().startswith(b"OK MPD")
def ask(line):
    client.write(line.encode() + b"\n"), client.flush()
    lines = []
    while not (line := client.readline()).startswith((b"OK", b"ACK")): lines.append(line.rstrip())
    assert line == b"OK\n", line
    return lines
song = ask("currentsong")
for line in (b"Title: So What", b"Artist: Miles Davis, Bill Evans", b"Album: Kind of Blue", b"Name: one"): assert line in song, song
file = next(line[6:].decode() for line in song if line.startswith(b"file: "))
assert b"type: image/jpeg" in ask(f'readpicture "{file}" 0')
END
    export DBUS_SESSION_BUS_ADDRESS=unix:path=$work/session
    begin session dbus-daemon --session --nofork --address="$DBUS_SESSION_BUS_ADDRESS"
    eventually [ -S "$work/session" ]
    begin desktop "$programs/tutti-desktop"
    on_desktop() { playerctl --player tutti.house metadata --format '{{title}} {{artist}} {{mpris:artUrl}}' | grep -q "So What Miles.*file://.*jpg"; }
    eventually on_desktop

    step "  librespot's hook, with covers of the web"
    begin covers $python -m http.server 8001 --bind 10.99.0.1 --directory "$shared"
    eventually $python -c 'import socket; socket.create_connection(("10.99.0.1", 8001))'
    TUTTI_TAGS=/run/one-tags PLAYER_EVENT=track_changed NAME="Feeling Good" ARTISTS=$'Nina Simone\nHal Mooney' ALBUM="I Put a Spell on You" \
        COVERS=$'http://10.99.0.1:8001/cover.jpg\nhttp://10.99.0.1:8001/small.jpg' docs/examples/librespot-event.sh
    says "Feeling Good" "Nina Simone, Hal Mooney" "I Put a Spell on You"
    eventually status "item['artwork']"
    TUTTI_TAGS=/run/one-tags PLAYER_EVENT=track_changed NAME=None ARTISTS=Nobody ALBUM= COVERS=http://10.99.0.1:8001/none.jpg \
        docs/examples/librespot-event.sh
    eventually status "item['title'] == 'None' and 'artwork' not in item"
    eventually grep -q "one: http://10.99.0.1:8001/none.jpg: " "$work/serve.log"
    TUTTI_TAGS=/run/one-tags PLAYER_EVENT=session_disconnected docs/examples/librespot-event.sh
    eventually status "(item['title'], item.get('station')) == ('one', None)"

    step "  playerctl, of what a desktop plays"
    begin mpris $python Tests/Lab/recipes/mpris.py "Strange Fruit" "Billie Holiday" "Commodore" "file://$shared/cover.jpg"
    begin playerctl sh -c "exec playerctl --player recipes metadata --follow --format 'title={{title}}
artist={{artist}}
album={{album}}
art={{mpris:artUrl}}
' >/run/one-tags"
    says "Strange Fruit" "Billie Holiday" Commodore
    eventually status "item['artwork']"

    step "  a socket; what is too long or no picture is told"
    tutti play input:two --group house --detach >/dev/null
    eventually [ -S /run/two-tags ]
    $python -c '
import socket
tags = socket.socket(socket.AF_UNIX)
tags.connect("/run/two-tags")
tags.sendall(b"title=A\nart=/etc/passwd\ncomment=" + b"x" * 10000 + b"\nalbum=B\n")'
    begin more sh -c 'cat "$1" >/run/two' more "$shared/song.raw"
    eventually status "(item['title'], item['album'], item['station']) == ('A', 'B', 'two')"
    grep -q "two: /etc/passwd: no JPEG" "$work/serve.log" || fail "nobody says that there is no picture"
    grep -q "two: a line has more than 4096 bytes" "$work/serve.log" || fail "nobody says that a line is too long"
    tutti stop --group house >/dev/null
    clear_away
}
scene lines lines

step "all passed"
