# Clean roots of Debian to try packages in, for the scripts that source this. As root.

# Why there can be none, as an exit status and a reason.
roots_are_possible() {
    [ "$(id -u)" = 0 ] || { echo "it takes root" && return 1; }
    command -v apt-get >/dev/null || { echo "it takes Debian's apt-get" && return 1; }
    unshare --mount true 2>/dev/null || { echo "no namespaces can be made here" && return 1; }
}

# The same for systemd in one.
systemd_is_possible() {
    local groups
    groups=$(control_groups)
    [ -n "$groups" ] || { echo "there is no cgroup2 here" && return 1; }
    mkdir "$groups/tutti-try" 2>/dev/null || { echo "no control group can be made here" && return 1; }
    rmdir "$groups/tutti-try"
}

control_groups() { awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts; }

# make_base FILE: a minimal Debian, if it is not there yet.
make_base() {
    [ ! -e "$1" ] || return 0
    mkdir -p "$(dirname "$1")"
    rm -rf "$1.part"
    mmdebstrap --quiet --variant=apt --format=tar bookworm "$1.part" >/dev/null
    mv "$1.part" "$1"
}

# unpack FILE ROOT
unpack() {
    rm -rf "$2"
    mkdir -p "$2"
    tar -xf "$1" -C "$2"
    [ ! -e /etc/resolv.conf ] || cp -L /etc/resolv.conf "$2/etc/"
    # What is tried here need not outlive a power cut.
    echo force-unsafe-io >"$2/etc/dpkg/dpkg.cfg.d/tutti-try"
}

# inside ROOT COMMAND…
inside() {
    unshare --mount bash -c '
        root=$0
        mount -t proc proc "$root/proc"
        mount --bind /var/cache/apt/archives "$root/var/cache/apt/archives"
        exec chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"' "$@"
}

# install_in ROOT PACKAGE…: with what they depend on, and nothing that they only recommend.
install_in() {
    local root=$1
    shift
    {
        inside "$root" apt-get update -qq &&
            inside "$root" apt-get install -y -qq --no-install-recommends -o APT::Keep-Downloaded-Packages=true "$@"
    } >"$root.log" 2>&1 || {
        cat "$root.log" >&2
        return 1
    }
}

# boot ROOT: starts its systemd in namespaces of its own; the number of its process, as seen from here, goes to ROOT.pid.
boot() {
    local root=$1 group
    group=$(control_groups)/tutti-try
    mkdir -p "$group"
    (
        echo "$BASHPID" >"$group/cgroup.procs"
        exec unshare --mount --pid --fork --uts --ipc --net --cgroup --kill-child bash -c '
            set -e
            root=$0
            mount --bind "$root" "$root"
            mount -t proc proc "$root/proc"
            mount -t sysfs -o ro sysfs "$root/sys"
            for folder in run tmp dev; do mount -t tmpfs tmpfs "$root/$folder"; done
            for device in null zero full random urandom tty; do
                touch "$root/dev/$device"
                mount --bind "/dev/$device" "$root/dev/$device"
            done
            mkdir "$root/dev/shm" "$root/dev/pts"
            mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
            ln -s pts/ptmx "$root/dev/ptmx"
            mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
            ip link set lo up
            # A network of its own, for mDNS.
            ip link add room0 type dummy && ip addr add 10.77.0.1/24 dev room0 && ip link set room0 multicast on up || true
            mkdir -p "$root/old"
            cd "$root"
            pivot_root . old
            umount -l old
            exec env -i container=tutti PATH=/usr/sbin:/usr/bin:/sbin:/bin \
                /lib/systemd/systemd --system --log-target=journal --show-status=no --unit=multi-user.target' "$root" \
            </dev/null >/dev/null 2>&1
    ) &
    local keeper=$!
    disown
    for _ in $(seq 100); do
        sleep 0.1
        if pgrep -P "$keeper" >"$root.pid" && booted "$root" systemctl list-jobs 2>/dev/null | grep -q "No jobs"; then
            echo "$keeper" >"$root.keeper"
            return 0
        fi
    done
    kill -9 "$keeper"
    return 1
}

# booted ROOT COMMAND…: in a root whose systemd runs.
booted() {
    local init
    init=$(cat "$1.pid")
    shift
    nsenter --target "$init" --mount --pid --uts --ipc --net --cgroup --root --wd \
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

# halt ROOT: ends everything in it.
halt() {
    kill -9 "$(cat "$1.keeper")" 2>/dev/null || true
    sleep 0.5
    find "$(control_groups)/tutti-try" -depth -type d -exec rmdir {} + 2>/dev/null || true
}
