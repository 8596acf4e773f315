#!/bin/sh
# Tells Tutti what librespot plays, as lines of `metadata: lines:PATH` in tutti.yaml:
#   librespot --name Tutti --backend pipe --device /run/tutti/spotify --onevent /usr/local/bin/librespot-event.sh
# TUTTI_TAGS names the pipe. docs/live.md describes the lines.
tags=${TUTTI_TAGS:-/run/tutti/spotify-tags}
[ -p "$tags" ] || exit 0

# Open for both directions: without a reader, whoever only writes would wait for one.
exec 1<>"$tags"
case $PLAYER_EVENT in
track_changed)
    # Artists and covers are lines each; the first cover is the largest.
    cover=$(printf '%s\n' "$COVERS" | head -n 1)
    artists=$(printf '%s\n' "$ARTISTS" | sed 's/^/artist=/')
    printf 'title=%s\nalbum=%s\n%s\nart=%s\n\n' "$NAME" "$ALBUM" "$artists" "$cover"
    ;;
stopped | session_disconnected) printf 'title=\n\n' ;;
esac
