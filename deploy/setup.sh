#!/usr/bin/env bash
# Installs what building, testing and running Tutti needs from Debian's packages, and only what is missing.
# Usage: deploy/setup.sh [build|package|test|packages-test|containers|page|screen|metrics|mqtt|mpd|live|pipewire|tags|recipes]   (default: test)
set -euo pipefail

build=(pkg-config libasound2-dev libavahi-client-dev libdbus-1-dev libopus-dev libflac-dev libsonic-dev libyaml-dev libebur128-dev
    libqrencode-dev libmosquitto-dev libsqlite3-dev libavformat-dev libavcodec-dev libswresample-dev
    libswscale-dev libavutil-dev libsdl2-dev libass-dev libpipewire-0.3-dev)
lab=(gcc make libc6-dev iproute2 ethtool procps mount alsa-utils libasound2-plugins
    ffmpeg flac lame opus-tools vorbis-tools avahi-daemon avahi-utils dbus zbar-tools
    playerctl libglib2.0-bin)
pack=(build-essential debhelper dpkg-dev python3)
# To install the packages in clean roots, to look at them, and to have them installed by Ansible.
try=(mmdebstrap lintian ansible-core openssh-client)

# For containers of the tests' own, where no Docker runs.
containers=(docker.io iptables mmdebstrap python3-venv)

# To try the page as people use it.
page=(chromium chromium-driver python3-venv procps)

# A display without a monitor, films to show on it, and a virtual card beside it.
screen=(xvfb xdotool ffmpeg python3 gcc make libc6-dev pkg-config libasound2-dev libsdl2-dev procps)

# A real broker, and its clients.
mqtt=(mosquitto mosquitto-clients libmosquitto1 ffmpeg openssl procps python3 python3-venv)

# Clients of MPD.
mpd=(mpc ncmpcpp tmux ffmpeg procps python3 python3-venv)

# Virtual cards, and Debian's Python with numpy to listen.
live=(gcc make libc6-dev pkg-config libasound2-dev python3 python3-numpy procps)

# A session's PipeWire without a sound card, and its clients.
pipewire=(pipewire pipewire-bin wireplumber dbus libglib2.0-bin procps python3)

# What tells a live input what plays.
tags=("${live[@]}" playerctl dbus python3-dbus python3-gi iproute2 ffmpeg)

# Programs that live inputs are fed by, and what feeds those.
recipes=("${tags[@]}" shairport-sync avahi-daemon avahi-utils squeezelite gmediarender gstreamer1.0-plugins-base
    gstreamer1.0-plugins-good mopidy)

# A real Prometheus to read the figures.
metrics=(prometheus python3)

wanted=("${build[@]}")
case ${1:-test} in
build) ;;
package) wanted+=("${pack[@]}") ;;
packages-test) wanted+=("${lab[@]}" "${pack[@]}" "${try[@]}") ;;
containers) wanted=("${containers[@]}") ;;
page) wanted=("${page[@]}") ;;
screen) wanted=("${screen[@]}") ;;
metrics) wanted=("${metrics[@]}") ;;
mqtt) wanted=("${mqtt[@]}") ;;
mpd) wanted=("${mpd[@]}") ;;
live) wanted=("${live[@]}") ;;
pipewire) wanted=("${pipewire[@]}") ;;
recipes) wanted=("${recipes[@]}") ;;
tags) wanted=("${tags[@]}") ;;
*) wanted+=("${lab[@]}") ;;
esac

missing=()
for package in "${wanted[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
    echo "setup: these Debian packages are missing and there is no apt-get here: ${missing[*]}" >&2
    exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup: run this as root first: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

echo "setup: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
# The daemons among these packages are only run by hand: nothing is started by installing them.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
    "${as_root[@]}" chmod +x "$policy"
    trap '"${as_root[@]}" rm -f "$policy"' EXIT
fi
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
