#!/usr/bin/env bash
# Installs the packages in clean roots of Debian, plays from one to the other, runs the services under systemd, and upgrades,
# removes and purges them. Usage: deploy/test-packages.sh [FOLDER]   (where the packages are; default: dist)
# What a machine cannot do is skipped by name. PROGRAMS is the folder with the laboratory's program, if not where it is built here.
set -euo pipefail
cd "$(dirname "$0")/.."
. deploy/roots.sh

packages=$(cd "${1:-dist}" && pwd)
work=$PWD/.build/packages
lab=${PROGRAMS:-$(swift build -c release --show-bin-path)}/tutti-lab
network=tutti-packages

why=$(roots_are_possible) || {
    echo "packages: SKIPPED, they were not tried in clean roots: $why"
    exit 0
}
deploy/setup.sh packages-test
end() {
    [ -z "${speaker:-}" ] || kill "$speaker" 2>/dev/null || true
    ip netns delete "$network" 2>/dev/null || true
}
trap end EXIT

# A folder for temporary files that whoever calls this has chosen is not there inside the roots.
unset TMPDIR

step() { echo "packages: $* ($SECONDS s)"; }
fail() {
    echo "packages: FAILED: $*" >&2
    exit 1
}

# The packages once more, as a later version.
later() {
    for package in tutti tutti-speaker tutti-screen; do
        rm -rf "$work/$package"
        dpkg-deb -R "$packages/$package"_*.deb "$work/$package"
        sed -i 's/^Version: .*/&+1/' "$work/$package/DEBIAN/control"
        dpkg-deb -Zgzip -z1 -b "$work/$package" "$1/$package-later.deb" >/dev/null
    done
}

step "lintian, and a clean root"
make_base "$work/base.tar" &
base=$!
lintian --allow-root --fail-on error,warning "$packages"/*.deb
wait "$base"
unpack "$work/base.tar" "$work/room"
unpack "$work/base.tar" "$work/house"
cp "$packages"/*.deb "$work/house/root/"
cp "$packages"/tutti-speaker_*.deb "$work/room/root/"
later "$work/house/root"

step "installing"
# A room has what its package asks for and no more; the other one is a whole Debian with systemd.
install_in "$work/room" systemd-standalone-sysusers "/root/$(basename "$packages"/tutti-speaker_*.deb)"
install_in "$work/house" systemd systemd-sysv dbus avahi-daemon adduser iw sqlite3 openssh-server python3-apt \
    "/root/$(basename "$packages"/tutti_*.deb)" "/root/$(basename "$packages"/tutti-speaker_*.deb)" \
    "/root/$(basename "$packages"/tutti-screen_*.deb)"
for file in usr/bin/tutti-speaker etc/tutti/speaker.yaml usr/share/man/man1/tutti-speaker.1.gz; do
    [ -e "$work/room/$file" ] || fail "$file is not there"
done
for program in tutti tutti-player tutti-simulate tutti-web tutti-desktop tutti-mqtt tutti-mpd tutti-pipewire tutti-screen; do
    [ -x "$work/house/usr/bin/$program" ] || fail "$program is not there"
done
for unit in tutti-desktop tutti-pipewire; do
    [ -e "$work/house/usr/lib/systemd/user/$unit.service" ] || fail "no unit $unit for a user's session"
    [ ! -e "$work/house/etc/systemd/user/default.target.wants/$unit.service" ] || fail "$unit starts in every session"
done
[ -e "$work/house/usr/lib/tmpfiles.d/tutti.conf" ] || fail "nobody makes the folder for a desktop's sound"
[ -e "$work/house/usr/share/man/man1/tutti-pipewire.1.gz" ] || fail "no manual page of tutti-pipewire"
[ -e "$work/house/usr/lib/systemd/user/tutti-screen.service" ] || fail "no unit for a screen"
status=0
inside "$work/house" tutti-screen --no-mdns >"$work/screen.log" 2>&1 || status=$?
[ "$status" = 1 ] && grep -q "no display to show pictures on" "$work/screen.log" ||
    fail "a screen without a display: $status, $(cat "$work/screen.log")"
for unit in tutti.service tutti-speaker.service tutti-speaker@.service; do
    inside "$work/house" systemd-analyze security --offline=yes --no-pager --threshold=20 "$unit" >"$work/security" 2>&1 ||
        fail "$unit is exposed: $(tail -1 "$work/security")"
    tail -1 "$work/security"
done
inside "$work/house" tutti simulate --help >/dev/null || fail "tutti simulate does not run"
[ "$(stat -c %U:%a "$work/room/var/lib/tutti-speaker")" ] || fail "no folder for the speaker's state"
inside "$work/room" id -nG tutti-speaker | grep -qw audio || fail "the speaker's user is not in the group audio"

step "playing from one root to the other, the speaker run as its unit says"
"$lab" compose --seconds 6 -o "$work/house/song.wav"
cat >"$work/room/etc/tutti/speaker.yaml" <<'YAML'
name: kitchen
device: file:/var/lib/tutti-speaker/room.wav?ppm=40
mdns: off
YAML
ip netns add "$network"
ip -n "$network" link set lo up
read -ra command <<<"$(sed -n 's/^ExecStart=//p' "$work/room/lib/systemd/system/tutti-speaker.service")"
limits=()
if prlimit --rtprio=70:70 --memlock=unlimited:unlimited true 2>/dev/null; then
    limits=(prlimit --rtprio=70:70 --memlock=unlimited:unlimited)
else
    echo "skipped: limits for real-time scheduling: this machine's cannot be raised"
    # So that a busy machine makes no gaps.
    ! chrt --fifo 10 true 2>/dev/null || limits=(chrt --fifo 10)
fi
# as_user ROOT USER COMMAND…: in place of this shell, with the rights that the units give.
as_user() {
    exec ip netns exec "$network" "${limits[@]}" unshare --mount bash -c '
        mount -t proc proc "$0/proc"
        exec chroot "$0" setpriv --reuid "$1" --regid "$1" --init-groups --no-new-privs \
            env -i PATH=/usr/bin:/bin HOME="/var/lib/$1" STATE_DIRECTORY="/var/lib/$1" "${@:2}"' "$@"
}
as_user "$work/room" tutti-speaker "${command[@]}" 2>"$work/room.log" &
speaker=$!
for _ in $(seq 50); do
    ! grep -q "speaker ready" "$work/room.log" || break
    sleep 0.1
done
(as_user "$work/house" tutti tutti play /song.wav --room kitchen@127.0.0.1) >"$work/play.log" 2>&1 ||
    fail "it does not play: $(cat "$work/play.log" "$work/room.log")"
sleep 0.5
kill "$speaker"
wait "$speaker" || fail "the speaker ended with $?: $(cat "$work/room.log")"
speaker=
"$lab" compare --source "$work/house/song.wav" --card "$work/room/var/lib/tutti-speaker/room.wav.timing.json" \
    >"$work/compare.log" || fail "the recording: $(cat "$work/compare.log")"
[ "${limits[0]:-}" != prlimit ] || grep -q "real-time: directly" "$work/room.log" || fail "no real-time scheduling: $(cat "$work/room.log")"
awk '$1 == "room" && $4 >= 99 { whole = 1 } END { exit !whole }' "$work/compare.log" ||
    fail "the recording: $(cat "$work/compare.log")"

step "the room belongs to the household that has played there, and to no other"
[ "$(stat -c %a "$work/house/var/lib/tutti/trust")" = 700 ] || fail "the folder of the household's keys is open to others"
[ -s "$work/room/var/lib/tutti-speaker/claim.json" ] || fail "the speaker was not claimed"
as_user "$work/room" tutti-speaker "${command[@]}" 2>"$work/room.log" &
speaker=$!
for _ in $(seq 50); do
    ! grep -q "speaker ready" "$work/room.log" || break
    sleep 0.1
done
mv "$work/house/var/lib/tutti" "$work/house/var/lib/tutti.ours"
install -d -o "$(stat -c %u "$work/house/var/lib/tutti.ours")" -g "$(stat -c %g "$work/house/var/lib/tutti.ours")" \
    -m 0750 "$work/house/var/lib/tutti"
status=0
(as_user "$work/house" tutti tutti play /song.wav --room kitchen@127.0.0.1) >"$work/play.log" 2>&1 || status=$?
[ "$status" = 4 ] && grep -q "belongs to another household" "$work/play.log" ||
    fail "another household's sender: $status, $(cat "$work/play.log")"
rm -r "$work/house/var/lib/tutti"
mv "$work/house/var/lib/tutti.ours" "$work/house/var/lib/tutti"
# Whoever resets it there makes it nobody's again.
(as_user "$work/room" tutti-speaker tutti-speaker reset) || fail "the speaker cannot be reset"
[ ! -e "$work/room/var/lib/tutti-speaker/claim.json" ] || fail "the speaker still belongs to a household"
kill "$speaker"
wait "$speaker" || fail "the speaker ended with $?: $(cat "$work/room.log")"
speaker=

step "a wrong setting"
echo 'prot: 7700' >>"$work/room/etc/tutti/speaker.yaml"
status=0
(as_user "$work/room" tutti-speaker "${command[@]}") 2>"$work/room.log" || status=$?
[ "$status" = 2 ] || fail "a wrong key ends with $status"
grep -qx "tutti-speaker: /etc/tutti/speaker.yaml:4: no such setting: prot; .*" "$work/room.log" || fail "$(cat "$work/room.log")"
[ "$(wc -l <"$work/room.log")" = 1 ] || fail "more than one line: $(cat "$work/room.log")"

why=$(systemd_is_possible) || {
    echo "packages: SKIPPED, services under systemd were not tried: $why"
    exit 0
}
deploy/test-services.sh "$work/house"
if command -v ansible-playbook >/dev/null; then
    deploy/test-hosts.sh "$work/house" "$packages"
else
    echo "packages: SKIPPED, hosts by Ansible were not tried: ansible-playbook is not installed"
fi
step "all passed"
