#!/usr/bin/env bash
# Runs the commands of docs/operations.md, block by block, in a root whose systemd runs; those that want hardware are only looked at.
# Usage: deploy/test-operations.sh ROOT
set -euo pipefail
root=$(realpath "$1")
cd "$(dirname "$0")"
. ./roots.sh

run() { # KIND BLOCK
    if [ -n "$1" ]; then
        echo "operations: looked at, for want of $1: $(head -1 <<<"$2")"
        bash -n <<<"$2"
        booted "$root" bash -c "command -v $(awk '{ print $1; exit }' <<<"$2")" >/dev/null
        return
    fi
    booted "$root" env HOME=/root bash -euo pipefail -c "cd /root; $2" >"$root.log" 2>&1 </dev/null
}

count=0 block='' inside=no kind=
while IFS= read -r line; do
    text=${line#"${line%%[![:space:]]*}"}
    case $inside:$text in
    no:'```sh'*) inside=yes block='' kind=${text#'```sh'} ;;
    yes:'```')
        inside=no count=$((count + 1))
        run "${kind# }" "$block" || {
            printf 'operations: FAILED: %s\n%s\n' "$block" "$(cat "$root.log")" >&2
            exit 1
        }
        ;;
    yes:*) block+=$text$'\n' ;;
    esac
done <../docs/operations.md
[ "$count" -gt 5 ] || {
    echo "operations: FAILED: only $count blocks were found" >&2
    exit 1
}
echo "operations: $count blocks of commands"
