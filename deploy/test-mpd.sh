#!/usr/bin/env bash
# Tries MPD's protocol with real clients: mpc and ncmpcpp of Debian, and python-mpd2 of PyPI. With a folder of programs as its argument.
# In the environment:
#   MPD_PYTHON  a Python that has the package python-mpd2; without it, a virtual environment is made in .build.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=${1:-$(swift build -c release --show-bin-path)}
deploy/setup.sh mpd || {
    echo "mpd: SKIPPED, its clients cannot be installed"
    exit 0
}
python=${MPD_PYTHON:-$PWD/.build/mpd/bin/python}
if [ ! -x "$python" ]; then
    { python3 -m venv .build/mpd && .build/mpd/bin/pip install -q python-mpd2; } >.build/mpd.log 2>&1 || {
        rm -rf .build/mpd
        echo "mpd: SKIPPED, python-mpd2 cannot be installed: $(tail -n 1 .build/mpd.log)"
        exit 0
    }
fi
. deploy/lone-house.sh

start_speaker kitchen
start_speaker bath
write_silence 600
mkdir "$work/album"
for track in 1 2 3; do
    ffmpeg -v error -f lavfi -i "sine=frequency=$((track * 200)):duration=120" -metadata title="Track $track" \
        -metadata artist=Nobody -metadata album=Nothing "$work/album/$track.flac"
done
# With a picture.
ffmpeg -v error -f lavfi -i color=red:size=600x600:duration=0.1 -frames:v 1 "$work/cover.png"
ffmpeg -v error -i "$work/album/1.flac" -i "$work/cover.png" -map 0 -map 1 -c copy -disposition:v attached_pic \
    "$work/album/4.flac"
printf 'correct horse\nguest@read\n' >"$work/passwords"

PROGRAMS=$(cd "$programs" && pwd) WORK=$work "$python" Tests/Home/mpd_clients.py "${rooms[@]}"
