#!/usr/bin/env bash
# Builds the programs with the Swift runtime linked in and packs them for Debian: tutti, tutti-speaker and tutti-screen, in dist/.
# In the environment:
#   PACKAGES  which ones                                       (default: all)
#   OUTPUT    where the packages go                            (default: dist)
#   VERSION   another version than deploy/debian/changelog says
#   COMPRESSION  for dpkg-deb                                (default: -Zxz -z3)
#   PROGRAMS  a folder with programs that are built already
set -euo pipefail
cd "$(dirname "$0")/.."

read -ra packages <<<"${PACKAGES:-tutti tutti-speaker tutti-screen}"
output=${OUTPUT:-dist}
version=${VERSION:-$(dpkg-parsechangelog -l deploy/debian/changelog -S Version)}

tree=.build/package/tutti-$version
rm -rf .build/package
mkdir -p "$tree"/{programs,config,completions/{bash,zsh,fish}} "$output"
cp -r deploy/debian "$tree/debian"
cp CHANGELOG.md "$tree/config/news.md"
cp docs/examples/{line-in.conf,librespot-event.sh} "$tree/config/"

for package in "${packages[@]}"; do
    case $package in
    tutti) programs=(tutti tutti-player tutti-simulate tutti-web tutti-desktop tutti-mqtt tutti-mpd tutti-pipewire) settings=tutti.yaml ;;
    tutti-speaker) programs=(tutti-speaker) settings=speaker.yaml ;;
    tutti-screen) programs=(tutti-screen) settings= ;;
    *)
        echo "package: $package is none of tutti, tutti-speaker and tutti-screen" >&2
        exit 2
        ;;
    esac
    for program in "${programs[@]}"; do
        from=${PROGRAMS:-}
        if [ -z "$from" ]; then
            # Only the last step differs from a build for the tests: what is compiled already is not compiled again.
            build=(swift build -c release --disable-local-rpath)
            TUTTI_LINK=static "${build[@]}" --product "$program"
            from=$("${build[@]}" --show-bin-path)
        fi
        cp "$from/$program" "$tree/programs/"
    done
    program=$tree/programs/$package
    [ -z "$settings" ] || cp "deploy/config/$settings" "$tree/config/"
    # It is read by a shell that runs, and needs no first line that names one.
    "$program" --generate-completion-script bash | sed '1{/^#!/d}' >"$tree/completions/bash/$package"
    "$program" --generate-completion-script zsh >"$tree/completions/zsh/_$package"
    "$program" --generate-completion-script fish >"$tree/completions/fish/$package.fish"
    "$program" --experimental-dump-help | deploy/manual.py "$tree/manuals/$package" "$version"
    [ "$package" = tutti ] || continue
    for session in tutti-desktop tutti-pipewire; do
        "$tree/programs/$session" --experimental-dump-help | deploy/manual.py "$tree/manuals/tutti" "$version"
    done
done

cd "$tree"
if [ "$version" != "$(dpkg-parsechangelog -S Version)" ]; then
    sed -i "1s/(.*)/($version)/" debian/changelog
fi
for package in "${packages[@]}"; do chosen+=("-p$package"); done
DH_OPTIONS="${chosen[*]}" dpkg-buildpackage --build=binary --no-sign --no-pre-clean >../log 2>&1 || {
    cat ../log >&2
    exit 1
}
cd - >/dev/null
for package in "${packages[@]}"; do
    file=${package}_${version}_$(dpkg --print-architecture).deb
    cp ".build/package/$file" "$output/"
    echo "$output/$file"
done
