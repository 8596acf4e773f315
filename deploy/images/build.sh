#!/usr/bin/env bash
# What the images are made of, in the folder that is named first: packages/*.deb, and lab/ with the laboratory's program and card.
# A second folder has the packages where they are made already, and PROGRAMS the programs.
set -euo pipefail
cd "$(dirname "$0")/../.."

out=$1
rm -rf "$out"
mkdir -p "$out/packages" "$out/lab/bin" "$out/lab/lib/tutti"
if [ -n "${2:-}" ]; then
    cp "$2"/*.deb "$out/packages/"
else
    deploy/setup.sh package
    OUTPUT="$out/packages" deploy/package.sh
fi
programs=${PROGRAMS:-}
if [ -z "$programs" ]; then
    build=(swift build -c release --disable-local-rpath)
    TUTTI_LINK=static "${build[@]}" --product tutti-lab
    programs=$("${build[@]}" --show-bin-path)
fi
strip -o "$out/lab/bin/tutti-lab" "$programs/tutti-lab"
make -s -C Tests/Lab/card
cp Tests/Lab/card/libasound_module_pcm_tutti_lab.so "$out/lab/lib/tutti/"
