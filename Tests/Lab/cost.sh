#!/bin/bash
# What a speaker costs, beside Snapcast's client where that is installed: the same song, at the same time, on virtual cards of the same kind.
# Needs root, `ip`, `flac`. See docs/benchmarks.md.
#
#   Tests/Lab/cost.sh [RATE_OF_THE_SONG [FOLDER_OF_THE_PROGRAMS]]
#
# CARD holds further fields of the cards' descriptions, as `format "S16_LE"`. With a song of 44.1 kHz the cards take 48 kHz only, and Snapcast's
# client resamples; with one of 48 kHz it does not. A speaker always corrects for its card's clock.
set -euo pipefail
rate=${1:-48000} binaries=$(realpath "${2:-.build/release}")
settled=${SECONDS_TO_SETTLE:-30} measured=${SECONDS_MEASURED:-60}
script=cost
. "$(dirname "$0")/place.sh"
# Processor time of all threads of a process, ns.
spent() { cat "/proc/$1"/task/*/schedstat | awk '{ sum += $1 } END { print sum }'; }
resident() { awk '/VmRSS/ { printf "%.1f", $2 * 1024 / 1e6 }' "/proc/$1/status"; }

make -s -C "$(dirname "$0")/card" OUT="$folder"
"$binaries/tutti-lab" compose -o "$folder/song.wav" --seconds $((settled + measured + 5)) --rate "$rate"
flac -s -o "$folder/song.flac" "$folder/song.wav"
card() {
    cat >"$folder/$1.conf" <<END
pcm_type.tutti_lab { lib "$folder/libasound_module_pcm_tutti_lab.so" }
pcm.default { type tutti_lab  name "$1"  directory "$folder"  ppm $2  kind "exact"  rate 48000  keep 0  ${CARD:-} }
ctl.default { type hw card 0 }
END
}
card tutti 40
card snap 40

ALSA_CONFIG_PATH=$folder/tutti.conf ip netns exec "$net" "$binaries/tutti-speaker" --name room --no-mdns --state-dir "$folder/speaker" \
    2>"$folder/speaker.log" &
own+=($!) speaker=$!
server='' client=''
if command -v snapserver >/dev/null && command -v snapclient >/dev/null; then
    : >"$folder/snapserver.conf"
    ip netns exec "$net" snapserver --config "$folder/snapserver.conf" --server.datadir "$folder" --http.enabled false --tcp.enabled false \
        --stream.source "pipe://$folder/pipe?name=lab&mode=create&sampleformat=$rate:16:2&codec=flac" >"$folder/server.log" 2>&1 &
    own+=($!) server=$!
    sleep 1
    format=()
    [ "$rate" = 48000 ] || format=(--sampleformat '48000:16:*')
    ALSA_CONFIG_PATH=$folder/snap.conf ip netns exec "$net" snapclient -h 127.0.0.1 -s default --hostID room "${format[@]}" >"$folder/client.log" 2>&1 &
    own+=($!) client=$!
fi
sleep 2
ip netns exec "$net" "$binaries/tutti" play "$folder/song.flac" --room room@127.0.0.1 >"$folder/play.log" 2>&1 &
own+=($!) sender=$!
if [ -n "$server" ]; then
    tail -c +45 "$folder/song.wav" >"$folder/pipe" &
    own+=($!)
fi
sleep "$settled"
declare -A threads
for thread in "/proc/$speaker"/task/*; do threads[$thread]=$(awk '{ print $1 }' "$thread/schedstat"); done
before=$(spent "$speaker") sent=$(spent "$sender") begin=$(date +%s%N)
[ -z "$client" ] || { heard=$(spent "$client") served=$(spent "$server"); }
sleep "$measured"
share() { awk -v t=$(($(spent "$1") - $2)) -v all=$(($(date +%s%N) - begin)) 'BEGIN { printf "%.2f", 100 * t / all }'; }
audio=$(stat -c %s "$folder/song.flac" | awk '{ printf "%.1f", $1 / 1e6 }')
echo "song of $rate Hz, $audio MB of FLAC, card ${CARD:-without further fields}"
echo "tutti-speaker: $(share "$speaker" "$before") % of a core, $(resident "$speaker") MB"
for thread in "/proc/$speaker"/task/*; do
    share=$(awk -v t="${threads[$thread]:-0}" -v all=$(($(date +%s%N) - begin)) '{ printf "%.2f", 100 * ($1 - t) / all }' "$thread/schedstat")
    [ "$share" = 0.00 ] || echo "  $(cat "$thread/comm"): $share %"
done
echo "tutti play: $(share "$sender" "$sent") % of a core, $(resident "$sender") MB"
[ -z "$client" ] || {
    echo "$(snapclient --version | head -n 1): $(share "$client" "$heard") % of a core, $(resident "$client") MB"
    echo "snapserver: $(share "$server" "$served") % of a core, $(resident "$server") MB"
}
