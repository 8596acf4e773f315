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

step "senders share the household of the first"
# Two senders on one host, each with its own state.
for sender in desk study; do
    printf '#!/bin/sh\nXDG_STATE_HOME=/root/%s exec /usr/bin/python3 "$@"\n' "$sender" >"$root/root/python-$sender"
    chmod +x "$root/root/python-$sender"
done
cat >"$keys/household.yml" <<YAML
- hosts: senders
  gather_facts: false
  handlers:
    - {name: Restart the sender, ansible.builtin.command: touch /root/restarted}
  tasks:
    - ansible.builtin.include_tasks: $PWD/hosts/household.yml
      vars: {tutti_first: desk, tutti_household_passphrase: a secret}
YAML
cat >"$keys/senders.yml" <<YAML
senders:
  hosts:
    desk: {ansible_python_interpreter: /root/python-desk}
    study: {ansible_python_interpreter: /root/python-study}
  vars:
$(sed -n '/^    ansible_user/,/ControlPersist/p; s/^\( *\)ansible_user.*/\1ansible_host: 127.0.0.1/p' "$keys/hosts.yml")
YAML
share() {
    nsenter --target "$(cat "$root.pid")" --net \
        env ANSIBLE_NOCOWS=1 ANSIBLE_HOME="$keys/ansible" ansible-playbook -i "$keys/senders.yml" "$keys/household.yml"
}
share >"$keys/share.log" || fail "$(cat "$keys/share.log")"
household() { house env XDG_STATE_HOME="/root/$1" tutti household list --json | grep -o '"household":"[^"]*"'; }
[ "$(household desk)" = "$(household study)" ] || fail "two households: $(household desk), $(household study)"
house test -e /root/restarted || fail "the sender goes on as what it was"
[ -z "$(house find /root -name '.tutti-household*')" ] || fail "the exported household is left behind"
share >"$keys/share.log" || fail "$(cat "$keys/share.log")"
[ "$(grep -Ec 'ok=[0-9]+ +changed=0 ' "$keys/share.log")" = 2 ] || fail "$(cat "$keys/share.log")"

step "another setting, and the speaker is started anew with it"
before=$(house systemctl show --value -p MainPID tutti-speaker)
play -e '{"tutti_speaker": {"device": "null", "mdns": "off", "buffer": "1m"}}' >"$keys/third.log" || fail "$(cat "$keys/third.log")"
[ "$(house systemctl show --value -p MainPID tutti-speaker)" != "$before" ] || fail "it still runs as it was"
grep -q "buffer: 1m" "$root/etc/tutti/speaker.yaml" || fail "the settings are not written"
