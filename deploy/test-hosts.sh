#!/usr/bin/env bash
# Has Ansible make a speaker of a clean root with systemd and sshd, twice; the second time nothing changes.
# Usage: deploy/test-hosts.sh ROOT PACKAGES   (a root with systemd, openssh-server and python3-apt that does not run)
set -euo pipefail
root=$(realpath "$1")
packages=$(realpath "$2")
cd "$(dirname "$0")"
. ./roots.sh
keys=$root.keys
# Sockets want short paths.
place=$(mktemp -d)
trap 'halt "$root"; rm -rf "$place"' EXIT

step() { echo "hosts: $* ($SECONDS s)"; }
fail() {
    echo "hosts: FAILED: $*" >&2
    exit 1
}
house() { booted "$root" "$@"; }

rm -rf "$keys"
mkdir -p "$keys"
ssh-keygen -q -t ed25519 -N '' -f "$keys/key"
install -d -m 0700 "$root/root/.ssh"
cp "$keys/key.pub" "$root/root/.ssh/authorized_keys"
cat >"$keys/hosts.yml" <<YAML
speakers:
  hosts:
    kitchen:
      ansible_host: 127.0.0.1
      tutti_speaker: {device: "null", mdns: "off"}
      tutti_cards:
        bath: {device: "null", port: 7701, mdns: "off"}
  vars:
    ansible_user: root
    ansible_ssh_private_key_file: $keys/key
    # One connection for everything: most of the time would go into making them.
    ansible_pipelining: true
    ansible_ssh_common_args: >-
      -o StrictHostKeyChecking=no -o UserKnownHostsFile=$keys/known
      -o ControlMaster=auto -o ControlPath=$place/ssh -o ControlPersist=60
    tutti_packages: $packages
    # It has no sound card, and perhaps no more than that.
    tutti_accepts_problems: true
YAML
play() {
    nsenter --target "$(cat "$root.pid")" --net \
        env ANSIBLE_NOCOWS=1 ANSIBLE_HOME="$keys/ansible" ansible-playbook -i "$keys/hosts.yml" hosts/speakers.yml "$@"
}

step "Ansible installs and configures speakers over ssh"
boot "$root" || fail "systemd does not start"
play >"$keys/first.log" || fail "$(cat "$keys/first.log")"
grep -q "real-time scheduling" "$keys/first.log" || fail "the doctor has not looked: $(cat "$keys/first.log")"
for unit in tutti-speaker tutti-speaker@bath; do
    [ "$(house systemctl is-active "$unit")" = active ] || fail "$unit is not active"
done
[ "$(house systemctl is-active tutti)" != active ] || fail "the sender's service runs on a room's host"
grep -q "name: kitchen" "$root/etc/tutti/speaker.yaml" || fail "the settings are not written"

step "a second time nothing changes"
play >"$keys/second.log" || fail "$(cat "$keys/second.log")"
grep -Eq "ok=[0-9]+ +changed=0 " "$keys/second.log" || fail "$(cat "$keys/second.log")"

step "another setting, and the speaker is started anew with it"
before=$(house systemctl show --value -p MainPID tutti-speaker)
play -e '{"tutti_speaker": {"device": "null", "mdns": "off", "buffer": "1m"}}' >"$keys/third.log" || fail "$(cat "$keys/third.log")"
[ "$(house systemctl show --value -p MainPID tutti-speaker)" != "$before" ] || fail "it still runs as it was"
grep -q "buffer: 1m" "$root/etc/tutti/speaker.yaml" || fail "the settings are not written"
