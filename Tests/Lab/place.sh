# Sourced by the scripts beside it, which name themselves in `script`: a network namespace and a folder for what they measure. Both go when
# the script ends, with the processes in `own`; KEEP=1 leaves the folder.
net=tutti-$script-$$
folder=$(mktemp -d "/dev/shm/tutti-$script-XXXXXX")
own=()
finish() {
    for process in "${own[@]}"; do kill "$process" 2>/dev/null || true; done
    wait 2>/dev/null || true
    ip netns del "$net"
    [ -n "${KEEP:-}" ] || rm -rf "$folder"
}
ip netns add "$net"
trap finish EXIT
ip -n "$net" link set lo up mtu 1500
export HOME=$folder XDG_RUNTIME_DIR=$folder/run XDG_STATE_HOME=$folder/state XDG_CONFIG_HOME=$folder/config
mkdir -m 700 "$folder/run"
