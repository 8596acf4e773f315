#!/usr/bin/env bash
# Runs the installed services under a systemd of their own: ready, alive, limited, restarted; wrong settings; upgrade, remove, purge.
# Usage: deploy/test-services.sh ROOT   (with all packages installed, and later ones in /root/*-later.deb)
set -euo pipefail
root=$(realpath "$1")
cd "$(dirname "$0")"
. ./roots.sh
trap 'halt "$root"' EXIT

step() { echo "services: $* ($SECONDS s)"; }
fail() {
    echo "services: FAILED: $*" >&2
    booted "$root" journalctl --no-pager -q -u 'tutti*' 2>/dev/null | tail -40 >&2 || true
    exit 1
}
house() { booted "$root" "$@"; }
# Tries for as many seconds as the first argument says.
eventually() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.1
    done
}
active() { [ "$(house systemctl is-active "$1")" = active ]; }
property() { house systemctl show --value -p "$2" "$1"; }
another() { [ "$(property tutti-speaker MainPID)" != "$1" ] && active tutti-speaker; }
settings() { cat >"$root/etc/tutti/$1.yaml"; }

settings speaker <<'YAML'
name: kitchen
device: null
YAML
sed 's/kitchen/bath/; $a port: 7701' "$root/etc/tutti/speaker.yaml" >"$root/etc/tutti/speaker-bath.yaml"

step "units"
boot "$root" || fail "systemd does not start"
house systemd-analyze verify --man=no tutti.service tutti-speaker.service tutti-speaker@bath.service 2>"$root.verify" ||
    fail "$(cat "$root.verify")"
! grep tutti "$root.verify" || fail "systemd-analyze verify"

step "both run, and say how they are"
eventually 10 active tutti-speaker || fail "the speaker is not active"
eventually 10 active tutti || fail "the sender is not active"
[ "$(property tutti StatusText)" = "nothing plays" ] || fail "the sender says $(property tutti StatusText)"
[ "$(property tutti-speaker StatusText)" = idle ] || fail "the speaker says $(property tutti-speaker StatusText)"
[ "$(property tutti-speaker UID)" = "$(house id -u tutti-speaker)" ] || fail "the speaker runs as $(property tutti-speaker UID)"
if prlimit --rtprio=70:70 --memlock=unlimited:unlimited true 2>/dev/null; then
    limits=$(house cat "/proc/$(property tutti-speaker MainPID)/limits")
    grep -q "Max realtime priority  *70 " <<<"$limits" || fail "no limit for real-time scheduling"
    grep -q "Max locked memory  *unlimited" <<<"$limits" || fail "a limit for locked memory"
    house journalctl -q -u tutti-speaker | grep -q "real-time: directly" || fail "no real-time scheduling"
else
    echo "skipped: limits of the services: this machine's cannot be raised"
fi

step "a second card"
house systemctl start tutti-speaker@bath
active tutti-speaker@bath || fail "it does not run"

step "music through the service, for root and for a member of the group tutti"
cp "$root/song.wav" "$root/srv/song.wav"
house useradd --create-home --groups tutti otto
# The speaker of this name that the sender has met is another one.
house tutti pair kitchen@127.0.0.1 >/dev/null || fail "the speaker cannot be paired"
house tutti play /srv/song.wav --room kitchen@127.0.0.1 --room bath@127.0.0.1:7701 --detach
house setpriv --reuid otto --regid otto --init-groups env HOME=/home/otto tutti status | grep -q kitchen ||
    fail "a member of the group does not reach the service"
[ "$(property tutti-speaker StatusText)" != "" ] || fail "no status"
[ "$(house stat -c %U:%G:%a /run/tutti/control.sock)" = tutti:tutti:660 ] || fail "the control socket's permissions"

step "others cannot control it, even where the socket lets them in"
house useradd --create-home anton
anton() { house setpriv --reuid anton --regid anton --init-groups env HOME=/home/anton "$@"; }
! anton tutti pause >/dev/null 2>&1 || fail "somebody controls the service"
house chmod 0755 /run/tutti
house chmod 0666 /run/tutti/control.sock
said=$(anton tutti pause 2>&1) && fail "somebody controls the service through an open socket"
grep -q "may not control" <<<"$said" || fail "somebody who may not control it is told: $said"
house chmod 0660 /run/tutti/control.sock
house chmod 0750 /run/tutti

step "rooms belong to the service's household, and root may see and keep it"
house tutti rooms --trust --json >"$root.log"
[ "$(grep -c '"trust":"household"' "$root.log")" = 2 ] || fail "the rooms are not of this household: $(cat "$root.log")"
[ "$(house stat -c %U:%a /var/lib/tutti/trust)" = tutti:700 ] || fail "the folder of the household's keys"
[ "$(house stat -c %U:%a /var/lib/tutti-speaker/claim.json)" = tutti-speaker:600 ] || fail "the speaker's claim"
echo passphrase | house tutti household export /root/household.json || fail "the household is not exported"
echo passphrase | house tutti household import /root/household.json >/dev/null || fail "the household is not imported"
others=$(house find /var/lib/tutti -not -user tutti)
[ -z "$others" ] || fail "root has left files that the service cannot read: $others"

step "killed, it is back; stuck, too"
before=$(property tutti-speaker MainPID)
house kill -9 "$before"
eventually 5 another "$before" || fail "it is not started again"
mkdir -p "$root/etc/systemd/system/tutti-speaker.service.d"
printf '[Service]\nWatchdogSec=2\n' >"$root/etc/systemd/system/tutti-speaker.service.d/watch.conf"
house systemctl daemon-reload
house systemctl restart tutti-speaker
before=$(property tutti-speaker MainPID)
sleep 3
[ "$(property tutti-speaker MainPID)" = "$before" ] || fail "it is killed though it is alive"
house kill -STOP "$before"
eventually 10 another "$before" || fail "the watchdog does not see that it is stuck"
rm -r "$root/etc/systemd/system/tutti-speaker.service.d"
house systemctl daemon-reload

step "wrong settings stop it once, with a line"
echo "port: 77000" >>"$root/etc/tutti/speaker.yaml"
! house systemctl restart tutti-speaker 2>/dev/null || fail "it starts"
[ "$(property tutti-speaker ExecMainStatus):$(property tutti-speaker NRestarts)" = 2:0 ] || fail "it is tried again"
line=$(house journalctl -q -o cat -u tutti-speaker | grep -c "speaker.yaml:3: port: 77000 is not a number from 0 to 65535")
[ "$line" = 1 ] || fail "$line lines say what is wrong"
sed -i '$d' "$root/etc/tutti/speaker.yaml"

step "a taken port, no card: said, and no harm to others"
sed -i 's/7701/7700/' "$root/etc/tutti/speaker-bath.yaml"
house systemctl start tutti-speaker
house systemctl restart tutti-speaker@bath 2>/dev/null || true
house journalctl -q -o cat -u tutti-speaker@bath | grep -q "port 7700 is in use" || fail "a taken port is not said"
active tutti-speaker || fail "the other speaker has ended"
house systemctl stop tutti-speaker@bath
sed -i 's/7700/7701/; s/^device: .*/device: hw:31,0/' "$root/etc/tutti/speaker-bath.yaml"
house systemctl start tutti-speaker@bath
before=$(property tutti-speaker@bath MainPID)
sleep 2
[ "$(property tutti-speaker@bath MainPID)" = "$before" ] || fail "it does not wait for its card"
said=$(house journalctl -q -o cat "_PID=$before" | grep -c "no sound: the output device is missing")
[ "$said" = 1 ] || fail "$said lines say that there is no card"
! house tutti-speaker check --port 7701 2>/dev/null || fail "it counts as healthy without a card"
house systemctl stop tutti-speaker@bath
sed -i 's/^device: .*/device: null/' "$root/etc/tutti/speaker-bath.yaml"

step "a line-in: the service may open cards once it is let"
[ "$(property tutti PrivateDevices)" = yes ] || fail "it may as it is"
house install -D -m 644 /usr/share/doc/tutti/examples/line-in.conf /etc/systemd/system/tutti.service.d/line-in.conf
house systemctl daemon-reload
house systemctl restart tutti
active tutti || fail "it does not run"
[ "$(property tutti PrivateDevices)" = no ] || fail "it is not let"
rm -r "$root/etc/systemd/system/tutti.service.d"
house systemctl daemon-reload
house systemctl restart tutti

step "the commands of docs/operations.md"
./test-operations.sh "$root"

step "upgrade: settings and state are kept, the services restarted"
id=$(grep -o '"id" *: *"[^"]*"' "$root/var/lib/tutti-speaker/speaker.json")
house systemctl reset-failed
house systemctl start tutti-speaker@bath
before=$(property tutti-speaker MainPID)
second=$(property tutti-speaker@bath MainPID)
house dpkg -i /root/tutti-later.deb /root/tutti-speaker-later.deb /root/tutti-screen-later.deb >"$root.log" 2>&1 || fail "$(cat "$root.log")"
eventually 5 another "$before" || fail "it still runs as it was"
eventually 5 active tutti-speaker@bath || fail "the second one does not run"
[ "$(property tutti-speaker@bath MainPID)" != "$second" ] || fail "the second one still runs as it was"
grep -q "name: kitchen" "$root/etc/tutti/speaker.yaml" || fail "the settings are gone"
grep -qF "$id" "$root/var/lib/tutti-speaker/speaker.json" || fail "another id"

step "remove leaves settings and state, purge nothing"
house systemctl disable --now --quiet tutti-speaker@bath
rm "$root/etc/tutti/speaker-bath.yaml"
house dpkg --remove tutti tutti-speaker tutti-screen >"$root.log" 2>&1 || fail "$(cat "$root.log")"
[ -e "$root/etc/tutti/speaker.yaml" ] && [ -e "$root/var/lib/tutti/tutti.sqlite" ] || fail "remove takes too much"
! active tutti-speaker || fail "it still runs"
house dpkg --purge tutti tutti-speaker tutti-screen >"$root.log" 2>&1 || fail "$(cat "$root.log")"
left=$(cd "$root" && find etc usr var/lib lib/systemd -name '*tutti*' -not -name 'tutti-try' -not -path '*/dpkg/*')
[ -z "$left" ] || fail "left: $left"
