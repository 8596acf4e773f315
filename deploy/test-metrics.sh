#!/usr/bin/env bash
# Has a real Prometheus read the figures of a real service and a real speaker, and load the alert rules. With a folder of programs as its argument.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=${1:-$(swift build -c release --show-bin-path)}
deploy/setup.sh metrics || {
    echo "metrics: SKIPPED, Prometheus cannot be installed"
    exit 0
}
. deploy/lone-house.sh

own=$(port)
start_speaker kitchen --metrics "127.0.0.1:$own"
start_service
write_silence 120

# until_done WHAT COMMAND…: within half a minute.
until_done() {
    local what=$1
    shift
    for _ in $(seq 150); do
        ! "$@" >/dev/null 2>&1 || return 0
        sleep 0.2
    done
    echo "metrics: $what did not happen within 30 s" >&2
    cat "$work"/*.log >&2
    return 1
}

# read_figures [PORT]: the service's, or those at a port.
read_figures() { python3 -c 'import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode(), end="")' "http://127.0.0.1:${1:-$http}/metrics"; }
until_done "the first answer" read_figures
"$programs/tutti-player" play "$work/music.wav" --room "${rooms[0]}" --detach >"$work/play.log" 2>&1
playing() { read_figures | grep -q '^tutti_room_playing{.*} 1.0$'; }
until_done "the music" playing
read_figures | promtool check metrics
read_figures | grep -c '^tutti_' | sed 's/^/metrics: figures of Tutti: /'

speaker_plays() { read_figures "$own" | grep -q '^tutti_speaker_playing{.*} 1.0$'; }
until_done "the music, by the speaker's word" speaker_plays
read_figures "$own" | promtool check metrics
read_figures "$own" | grep -c '^tutti_' | sed 's/^/metrics: figures of a speaker: /'

sed -e "s/127.0.0.1:7790/127.0.0.1:$own/" -e "s/127.0.0.1:7780/127.0.0.1:$http/" -e 's/: 15s/: 1s/' deploy/monitoring/prometheus.yml >"$work/prometheus.yml"
cp deploy/monitoring/alerts.yml "$work/"
promtool check config "$work/prometheus.yml" >/dev/null
web=$(port)
prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/data" --web.listen-address="127.0.0.1:$web" \
    >"$work/prometheus.log" 2>&1 &
pids+=($!)

# query EXPRESSION: whether the result has a value.
query() {
    python3 - "$web" "$1" <<'END'
import json, sys, urllib.parse, urllib.request
web, expression = sys.argv[1:]
address = f"http://127.0.0.1:{web}/api/v1/query?" + urllib.parse.urlencode({"query": expression})
sys.exit(not json.load(urllib.request.urlopen(address))["data"]["result"])
END
}
until_done "a figure in Prometheus" query 'tutti_room_buffered_seconds{room="kitchen"} > 10'
query 'tutti_service_up == 1 and tutti_group_playing == 1 or tutti_service_up == 1'
until_done "a speaker's histogram" query 'histogram_quantile(0.99, sum by (le) (rate(tutti_speaker_sync_error_seconds_bucket[10s]))) > 0'
query 'tutti_speaker_received_bytes_total > 10000 and tutti_speaker_decoded_seconds_total > 0'
query 'tutti_group_encoded_seconds_total > 1 and tutti_group_encode_seconds_total > 0 and tutti_group_encode_seconds_total < tutti_group_encoded_seconds_total'
python3 - "$web" <<'END'
import json, sys, urllib.request
groups = json.load(urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/api/v1/rules"))["data"]["groups"]
rules = [rule for group in groups for rule in group["rules"]]
bad = [rule["name"] for rule in rules if rule["health"] == "err"]
assert rules and not bad, bad
print(f"metrics: Prometheus has loaded {len(rules)} alert rules")
END
python3 -c 'import json; d = json.load(open("deploy/monitoring/dashboard.json")); print("metrics: panels on the dashboard:", len(d["panels"]))'
# The expressions of the dashboard are understood.
python3 - "$web" <<'END'
import json, sys, urllib.parse, urllib.request
for panel in json.load(open("deploy/monitoring/dashboard.json"))["panels"]:
    for target in panel["targets"]:
        query = urllib.parse.urlencode({"query": target["expr"].replace("$group", ".*")})
        json.load(urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/api/v1/query?{query}"))
END
echo "metrics: green"
