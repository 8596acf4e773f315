#!/usr/bin/env bash
# Tries the HTTP interface of real programs with schemathesis: whatever is sent, no answer is a failure of the server, each is as the
# OpenAPI document says, and the service lives on. With a folder of programs as its argument; EXAMPLES says how much is tried of each operation.
set -euo pipefail
trap 'echo "http: line $LINENO failed: $BASH_COMMAND" >&2' ERR
cd "$(dirname "$0")/.."

programs=${1:-$(swift build -c release --show-bin-path)}
venv=.build/schemathesis
if [ ! -x "$venv/bin/schemathesis" ]; then
    { python3 -m venv "$venv" && "$venv/bin/pip" install -q 'schemathesis>=4,<5'; } >.build/schemathesis.log 2>&1 || {
        rm -rf "$venv"
        echo "http: SKIPPED, schemathesis cannot be installed: $(tail -1 .build/schemathesis.log)"
        exit 0
    }
fi
. deploy/lone-house.sh
fail() {
    echo "http: FAILED: $*" >&2
    exit 1
}

start_speaker kitchen
start_speaker bath
start_service
api=http://127.0.0.1:$http/api/v1
write_silence 600

# ask METHOD PATH [BODY]: a request that must succeed.
ask() {
    python3 - "$1" "$api$2" "${3:-}" <<'EOF'
import sys, time, urllib.request
method, address, body = sys.argv[1:]
request = urllib.request.Request(address, body.encode() or None, {"Content-Type": "application/json"}, method=method)
for attempt in range(100):
    try:
        print(urllib.request.urlopen(request).read().decode())
        break
    except OSError as error:
        if attempt == 99 or getattr(error, "code", 503) != 503:
            sys.exit(f"http: {method} {address}: {error}: {error.read().decode() if hasattr(error, 'read') else ''}")
        time.sleep(0.1)
EOF
}

ask GET /status >/dev/null
ask PUT /groups/downstairs "{\"rooms\":[\"${rooms[0]}\",\"${rooms[1]}\"]}" >/dev/null
ask POST /groups/downstairs/play "{\"inputs\":[{\"uri\":\"$work/music.wav\"},{\"uri\":\"$work/music.wav\"}]}" >/dev/null

# The picture beside the music: as JPEG, once for those who keep it, never for a size that is none.
ffmpeg -v error -f lavfi -i testsrc=size=800x400:rate=1 -frames:v 1 "$work/cover.png"
python3 - "$api/groups/downstairs/artwork" <<'EOF'
import sys, urllib.error, urllib.request

def get(query="", **headers):
    try:
        answer = urllib.request.urlopen(urllib.request.Request(sys.argv[1] + query, headers=headers))
        return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()

status, headers, small = get("?size=80")
assert status == 200 and headers["Content-Type"] == "image/jpeg" and small.startswith(b"\xff\xd8"), (status, small[:200])
assert len(get()[2]) > len(small), "640 is more than 80"
assert get("?size=80", **{"If-None-Match": headers["ETag"]})[0] == 304
for query in ("?size=0", "?size=x", "?size=80&size=80"): assert get(query)[0] == 422, query
EOF
echo "http: the picture of what plays is served"

# Files that are sent to be played: kept under a safe name and played; whatever goes wrong is a problem, and leaves nothing. A disk that is
# nearly full takes nothing.
small=
if unshare -m true 2>/dev/null; then
    small=$(port)
    mkdir "$work/small"
    unshare -m sh -c 'mount -t tmpfs -o size=8m none "$1" && exec "$2/tutti-web" --listen "127.0.0.1:$3" --socket "$4" --state-dir "$1"' \
        sh "$work/small" "$programs" "$small" "$XDG_RUNTIME_DIR/tutti/control.sock" >"$work/small.log" 2>&1 &
    pids+=($!)
fi
python3 - "$api" "$work" "$XDG_STATE_HOME/tutti/uploads" "$small" <<'EOF'
import glob, http.client, json, os, socket, sys, time, urllib.parse

api, (work, folder, small) = urllib.parse.urlsplit(sys.argv[1]), sys.argv[2:]
music = open(work + "/music.wav", "rb").read(2_000_000)

def send(path, body, port=None, method="POST", **headers):
    connection = http.client.HTTPConnection(api.hostname, port or api.port, timeout=60)
    headers = {"Content-Type": "application/octet-stream", **{name.replace("_", "-"): value for name, value in headers.items()}}
    connection.request(method, api.path + path, body, headers)
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read() or "null")

def kept():
    return sorted(glob.glob(folder + "/*/*") + glob.glob(folder + "/.*"))

status, answer = send("/uploads?name=..%2F..%2FA%20song.wav", music, Content_Type="audio/wav")
assert status == 201 and answer["bytes"] == len(music) and answer["uri"].endswith("/A song.wav"), (status, answer)
assert kept() == [answer["uri"]] and os.stat(answer["uri"]).st_mode & 0o777 == 0o600
body = json.dumps({"inputs": [{"uri": answer["uri"]}]})
status, queue = send("/groups/downstairs/queue", body, Content_Type="application/json")
assert status == 200 and queue["entries"][-1]["uri"] == answer["uri"], queue
status, answer = send("/uploads?name=chunked.wav", (music[at:at + 65_536] for at in range(0, len(music), 65_536)))
assert status == 201, answer
before = kept()
for path, body, media, expected, word in (
    ("?name=a.txt", b"no music", "audio/x", 422, "unplayable"), ("?name=a.flac", b"", "audio/flac", 422, "unplayable"),
    ("?name=a.m3u", b"#EXTM3U\n/etc/passwd\n", "audio/x-mpegurl", 422, "unplayable"), ("", music, "audio/wav", 422, "invalid"),
    ("?name=", music, "audio/wav", 422, "invalid"), ("?name=a&name=b", music, "audio/wav", 422, "invalid"),
    ("?name=a.wav", music, "text/html", 415, "media-type"),
):
    status, answer = send("/uploads" + path, body, Content_Type=media)
    assert status == expected and answer["type"] == "urn:tutti:problem:" + word, (path, status, answer)
    assert work not in answer["detail"], answer

# A file for a room's sound is read by the service, whatever it is, and gone after that.
for name, body, expected, word in (
    ("a%20chain.txt", b"limit -2\n", 200, "limit -2"), ("a.yaml", b"chain:\n  - limit 7\n", 422, "a.yaml: line 2: "),
    ("letter.md", b"Dear room,\n", 422, "letter.md: "), ("a.png", b"\x89PNG\r\n\x1a\n\0", 422, "a.png: "),
    ("silent.wav", music, 422, "silent.wav: "), ("ir.yaml", b"chain: [convolve hall.wav]\n", 422, "hall.wav: "),
    ("large.wav", bytes(33 << 20), 413, "32 MiB"),
):
    try:
        status, answer = send("/rooms/kitchen/effects/file?name=" + name, body, method="PUT")
    except ConnectionError:
        assert expected == 413
        continue
    said = answer["chain"][0] if expected == 200 else answer["detail"]
    assert status == expected and word in said and work not in said, (name, status, answer)
status, answer = send("/rooms/kitchen/effects", json.dumps({"edit": "chain", "setting": "off"}), method="PUT", Content_Type="application/json")
assert status == 200 and answer["chain"] == [] and kept() == before, answer

def begin(length):
    peer = socket.create_connection((api.hostname, api.port), timeout=60)
    peer.sendall(f"POST {api.path}/uploads?name=x.wav HTTP/1.1\r\nHost: localhost\r\nContent-Type: audio/wav\r\n"
                 f"Content-Length: {length}\r\n\r\n".encode())
    return peer

assert b" 413 " in begin(2 << 30).recv(4096).split(b"\r\n")[0], "more than a file may have"
half = begin(len(music))
half.sendall(music[:500_000])
time.sleep(0.5)
half.close()
slow = begin(len(music))
slow.sendall(music[:100])
assert b" 408 " in slow.recv(4096).split(b"\r\n")[0], "a body that comes too slowly"
for attempt in range(100):
    if kept() == before: break
    time.sleep(0.1)
assert kept() == before, "what failed has left something"
if small:
    for attempt in range(100):
        try:
            status, answer = send("/uploads?name=a.wav", music, port=int(small))
            break
        except ConnectionError:
            time.sleep(0.1)
    assert status == 507 and answer["type"] == "urn:tutti:problem:no-space", answer
EOF
ask GET /status >/dev/null
echo "http: files are taken in, checked, and nothing is left of those that fail"

config=()
# Events never end, nor do those that /control carries, so nobody waits for them here; the tests look at them.
try() {
    "$venv/bin/schemathesis" "${config[@]}" run "http://127.0.0.1:$http/api/v1/openapi.json" --exclude-path /api/v1/events --exclude-path /api/v1/control \
        --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,negative_data_rejection,unsupported_method \
        --suppress-health-check all --request-timeout 30 --no-color "$@" >"$work/schemathesis.log" 2>&1 || {
        cat "$work/schemathesis.log"
        echo "http: schemathesis found something (above)" >&2
        exit 1
    }
    tail -4 "$work/schemathesis.log"
}
try --phases examples,coverage,fuzzing --max-examples "${EXAMPLES:-15}" --seed 1
# Then with names of what there is, so that things are changed, and deleted.
cat >"$work/names.toml" <<'EOF'
[parameters]
"path.group" = "downstairs"
"path.room" = "kitchen"
"path.entry" = 0
"path.number" = 1
EOF
config=(--config-file "$work/names.toml")
try --phases fuzzing --max-examples "${EXAMPLES:-15}" --seed 2

# The same service as others on the network see it: HTTPS, tokens, their scopes, and who guesses has to wait. And a body that comes
# too slowly.
https=$(port)
"$programs/tutti-web" --listen "0.0.0.0:$https" --socket "$XDG_RUNTIME_DIR/tutti/control.sock" >"$work/https.log" 2>&1 &
pids+=($!)
listener=$("$programs/tutti" token new listener --scope listen)
controller=$("$programs/tutti" token new controller)
# Whatever the calls before have left of them: the others may have other names.
start_speaker loft
eventually grep -q "speaker ready" "$work/loft.log"
ask PUT /groups/attic "{\"rooms\":[\"${rooms[-1]}\"]}" >/dev/null
ask PUT /groups/downstairs "{\"rooms\":[\"${rooms[-1]}\"]}" >/dev/null
ask POST /groups/downstairs/play "{\"inputs\":[{\"uri\":\"$work/music.wav\"}]}" >/dev/null
guest=$("$programs/tutti" token new guest --group Attic --for 1h)
short=$("$programs/tutti" token new short --for 1s)
python3 - "$https" "$listener" "$controller" "$http" "$guest" "$short" <<'EOF' || { cat "$work/https.log"; exit 1; }
import http.client, json, socket, ssl, sys, time

port, listener, controller, plain = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
guest, short = sys.argv[5:]
context = ssl.create_default_context()
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE

def ask(method, path, token=None, body=None, **headers):
    connection = http.client.HTTPSConnection("127.0.0.1", port, context=context, timeout=20)
    if token: headers["Authorization"] = "Bearer " + token
    if body is not None: headers["Content-Type"] = "application/json"
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    answer.text = answer.read().decode(errors="replace")
    return answer

def expect(status, method, path, token=None, **headers):
    answer = ask(method, path, token, **headers)
    assert answer.status == status, f"{method} {path}: {answer.status} and not {status}"
    return answer

for attempt in range(100):
    try:
        ask("GET", "/")
        break
    except OSError:
        if attempt == 99: raise
        time.sleep(0.1)
status, pause = "/api/v1/status", "/api/v1/pause"
expect(200, "GET", "/")
assert expect(401, "GET", status).getheader("WWW-Authenticate").startswith("Bearer")
expect(200, "GET", status, listener)
expect(403, "POST", pause, listener)
expect(403, "POST", "/api/v1/uploads?name=a.wav", listener)
expect(401, "GET", "/metrics")
expect(200, "GET", "/metrics", listener)
expect(405, "POST", "/metrics", listener)
assert ask("POST", pause, controller).status in (200, 409)
expect(403, "POST", pause, controller, Origin="https://evil.example")
# Guests: one group, until their time is over.
groups = json.loads(expect(200, "GET", "/api/v1/groups", guest).text)["groups"]
assert [group["name"] for group in groups] == ["attic"], groups
# A room that many have just asked may let the next one wait for a moment.
for attempt in range(50):
    rooms = json.loads(expect(200, "GET", "/api/v1/rooms", guest).text)["rooms"]
    if rooms: break
    time.sleep(0.2)
assert [room["name"] for room in rooms] == ["loft"], rooms
access = json.loads(expect(200, "GET", "/api/v1/access", guest).text)
assert access["group"] == "Attic" and 3000 < access["until"] - time.time() <= 3600, access
for method, path in (("GET", "/api/v1/schedules"), ("GET", "/metrics"), ("POST", pause), ("POST", "/api/v1/groups/downstairs/pause")):
    expect(403, method, path, guest)
assert ask("POST", "/api/v1/control", guest, '{"command":"status"}').status == 403
stream = http.client.HTTPSConnection("127.0.0.1", port, context=context, timeout=20)
stream.request("GET", "/api/v1/events", headers={"Authorization": "Bearer " + guest})
events = stream.getresponse()
assert ask("PUT", "/api/v1/groups/downstairs/volume", controller, '{"volume":33}').status == 200
time.sleep(2)
heard = events.read1(1 << 20).decode() + events.read1(1 << 20).decode()
assert "reset" in heard and "downstairs" not in heard, heard
stream.close()

# What the command line asks from afar.
def control(token, command, **fields):
    return ask("POST", "/api/v1/control", token, json.dumps(dict(command=command, **fields)))
lines = control(listener, "status").text.splitlines()
assert len(lines) == 1 and json.loads(lines[0])["ok"], lines
assert control(listener, "next").status == 403 and control(controller, "nonsense").status == 422
assert control(controller, "seek").status == 422
assert control(controller, "effects", room="attic", file="/etc/hostname").status == 403
refused = json.loads(control(controller, "jump", entries=[10 ** 6], group="downstairs").text)
assert not refused["ok"] and refused["exitCode"] == 3, refused
stream = http.client.HTTPSConnection("127.0.0.1", port, context=context, timeout=20)
stream.request("POST", "/api/v1/control", '{"command":"watch","all":true}', {"Authorization": "Bearer " + listener, "Content-Type": "application/json"})
events = stream.getresponse()
assert json.loads(events.readline())["ok"] and "event" in json.loads(events.readline())
stream.close()

for _ in range(10): expect(401, "GET", status, "nonsense")
wait = int(expect(429, "GET", status, "nonsense").getheader("Retry-After"))
time.sleep(wait + 1)
expect(200, "GET", status, listener)
expect(401, "GET", status, short)

slow = socket.create_connection(("127.0.0.1", plain))
slow.settimeout(30)
slow.sendall(b"POST /api/v1/groups/downstairs/seek HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
assert b" 408 " in slow.recv(4096).split(b"\r\n")[0]

# What is no HTTP is told so, and a head that comes byte by byte is not waited for; nor is a handshake.
wrong = socket.create_connection(("127.0.0.1", plain), timeout=30)
wrong.sendall(b"this is no HTTP\r\n\r\n")
answer = b""
while part := wrong.recv(4096): answer += part
assert answer.startswith(b"HTTP/1.1 400 ") and b"application/problem+json" in answer, answer
assert json.loads(answer.split(b"\r\n\r\n")[1])["status"] == 400, answer
silent = socket.create_connection(("127.0.0.1", port), timeout=40)
head = socket.create_connection(("127.0.0.1", plain), timeout=40)
head.sendall(b"GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\n")
began = time.monotonic()
try:
    while time.monotonic() - began < 40:
        head.sendall(b"x")
        time.sleep(0.5)
except OSError:
    pass
assert 5 < time.monotonic() - began < 30, time.monotonic() - began
assert silent.recv(1) == b"", "a handshake that never comes"
EOF
echo "http: HTTPS, tokens, scopes, guests and slow peers are as docs/http.md says"

# The command line of another host: of the same household, and of none; the token, the certificate and files that are sent.
far=https://127.0.0.1:$https
# from HOST-FOLDER ARGUMENTS...: as on a host with a home of its own.
from() { XDG_STATE_HOME=$work/$1 XDG_CONFIG_HOME=$work/$1 XDG_RUNTIME_DIR=$work/$1 TUTTI_HOST=$far "$programs/tutti" "${@:2}"; }
# refused STATUS WORD COMMAND...: must end with that status, and say that word.
refused() {
    local code=0
    "${@:3}" >"$work/refused" 2>&1 || code=$?
    [ "$code" = "$1" ] && grep -q "$2" "$work/refused" || {
        cat "$work/refused"
        echo "http: ${*:3} ends with $code and not $1" >&2
        exit 1
    }
}
ask PUT /groups/downstairs "{\"rooms\":[\"${rooms[-1]}\"]}" >/dev/null
ask POST /groups/downstairs/play "{\"inputs\":[{\"uri\":\"$work/music.wav\"}]}" >/dev/null
mkdir -m 700 "$work/other"
head -c 400044 "$work/music.wav" >"$work/other/from afar.wav"
# Into files first: who writes to a `grep -q` that has found its word ends badly.
TUTTI_TOKEN=$listener "$programs/tutti" --host "$far" status --json >"$work/heard" 2>"$work/said"
grep -q '"state"' "$work/heard"
[ ! -s "$work/said" ] || { cat "$work/said"; echo "http: the household's own certificate is not trusted" >&2; exit 1; }
refused 4 'tutti token new' from other status
echo "$controller" | from other host add "$far" 2>"$work/said"
grep -q 'SHA-256' "$work/said" && grep -q 'token is good' "$work/said"
from other status 2>"$work/said" >/dev/null
[ ! -s "$work/said" ] || { cat "$work/said"; echo "http: a host that is known is met again" >&2; exit 1; }
from other add "$work/other/from afar.wav" --group downstairs 2>/dev/null
from other queue --json --group downstairs >"$work/heard"
grep -q '/uploads/[0-9a-f]*/from afar.wav' "$work/heard"
from other volume --group downstairs 37 >/dev/null
eventually eval 'ask GET /groups/downstairs/volume >"$work/heard" && grep -q "\"volume\":37" "$work/heard"'
(XDG_STATE_HOME=$work/other XDG_CONFIG_HOME=$work/other XDG_RUNTIME_DIR=$work/other TUTTI_HOST=$far \
    exec "$programs/tutti" watch --json --group downstairs >"$work/watched") &
watch=$!
pids+=($watch)
for attempt in $(seq 100); do [ "$(wc -l <"$work/watched")" -ge 3 ] && break; sleep 0.1; done
kill "$watch"
wait "$watch" 2>/dev/null || true
grep -q '"event":"progress"' "$work/watched"
[ -z "$(find "$work/other" -name 'tutti-host-*')" ] || { echo "http: a socket's folder is left" >&2; exit 1; }
refused 4 'may only listen' env "TUTTI_TOKEN=$listener" "$programs/tutti" --host "$far" pause --group downstairs
refused 2 'this computer only' "$programs/tutti" --host "$far" doctor
refused 3 'nothing found' env "TUTTI_TOKEN=$listener" "$programs/tutti" --host "$far" search nothing
refused 4 'may only listen' env "TUTTI_TOKEN=$listener" "$programs/tutti" --host "$far" playlist save dinner
env "TUTTI_TOKEN=$controller" "$programs/tutti" --host "$far" playlist add dinner /music/a.flac
# Others may be there that schemathesis has made.
env "TUTTI_TOKEN=$controller" "$programs/tutti" --host "$far" playlist >"$work/heard"
grep -qx 'dinner: 1 track' "$work/heard"
refused 2 'standard input' env "TUTTI_TOKEN=$controller" "$programs/tutti" --host "$far" say - --group downstairs
refused 1 'cannot reach' "$programs/tutti" --host 127.0.0.1:1 status
refused 3 'no such file' env "TUTTI_TOKEN=$controller" "$programs/tutti" --host "$far" add nowhere.flac --group downstairs
sed -i 's/"fingerprint" : "../"fingerprint" : "XX/' "$work/other/tutti/hosts.json"
refused 4 'another certificate' from other status
"$programs/tutti" --host "localhost:$http" pause --group downstairs
ask GET /groups/downstairs/status | grep -q '"state":"paused"'
echo "http: tutti --host works from another host"

kill -0 "$service" || {
    cat "$work/serve.log"
    echo "http: the service has ended" >&2
    exit 1
}
ask GET /status >/dev/null
! grep -q 'started again' "$work/serve.log" || {
    cat "$work/serve.log"
    echo "http: tutti-web has ended meanwhile" >&2
    exit 1
}
echo "http: every answer is as the OpenAPI document says"
