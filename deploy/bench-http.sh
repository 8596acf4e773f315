#!/usr/bin/env bash
# Measures the HTTP interface of real programs on this host, with music playing in two rooms: how long commands take, how soon a second
# client hears of them, what 200 listeners cost, and how the page loads and moves, where the tests of the page have been set up. With a
# folder of programs as its argument. Quiet machines only.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=${1:-$(swift build -c release --show-bin-path)}
. deploy/lone-house.sh

start_speaker kitchen
start_speaker bath
start_service
write_silence 600
python3 - "$http" "$service" "$work/music.wav" "${rooms[@]}" <<'EOF'
import http.client, json, os, random, re, socket, statistics, subprocess, sys, threading, time

port, service, music, rooms = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]
base = "/api/v1"

def ask(connection, method, path, body=None):
    connection.request(method, base + path, json.dumps(body) if body is not None else None, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    data = answer.read()
    assert answer.status < 300, (answer.status, data)
    return json.loads(data) if data else None

def connect():
    for _ in range(100):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.connect()
            connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return connection
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the service does not answer")

def listen(take):
    """Calls take(name, data, time) for each event, on a thread of its own."""
    stream = socket.create_connection(("127.0.0.1", port))
    stream.sendall(f"GET {base}/events HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())
    def run():
        pending = b""
        while True:
            part = stream.recv(1 << 16)
            if not part: return
            pending += part
            *whole, pending = pending.split(b"\n")
            for line in whole:
                if line.startswith(b"data: "): take(line[6:], time.monotonic())
    threading.Thread(target=run, daemon=True).start()
    return stream

def show(name, times):
    times = sorted(1000 * t for t in times)
    print(f"{name}: median {statistics.median(times):.1f}, p99 {times[int(0.99 * (len(times) - 1))]:.1f}, most {times[-1]:.1f} ms of {len(times)}")

one = connect()
time.sleep(1)
ask(one, "PUT", "/groups/downstairs", {"rooms": rooms})
ask(one, "POST", "/groups/downstairs/play", {"inputs": [{"uri": music}]})
time.sleep(5)

heard = {}
def take(data, at):
    event = json.loads(data)
    if event.get("event") != "progress": return
    for room in event["status"]["rooms"]:
        if room["name"] == "kitchen" and room.get("volume") is not None: heard.setdefault(round(room["volume"], 3), at)
listen(take)
time.sleep(1)

acknowledged, seen = [], []
for number in range(400):
    volume = 10 + number * 0.2
    began = time.monotonic()
    ask(one, "PATCH", "/rooms/kitchen", {"volume": volume})
    acknowledged.append(time.monotonic() - began)
    while round(volume, 3) not in heard and time.monotonic() - began < 5: time.sleep(0.001)
    seen.append(heard.get(round(volume, 3), began + 5) - began)
    time.sleep(random.uniform(0.01, 0.05))
show("a volume is acknowledged", acknowledged)
show("a second client hears of it", seen)

jumps = []
for number in range(100):
    began = time.monotonic()
    ask(one, "POST", f"/groups/downstairs/{'pause' if number % 2 == 0 else 'resume'}")
    jumps.append(time.monotonic() - began)
    time.sleep(0.1)
show("pause and resume are acknowledged", jumps)

def used(process):
    fields = open(f"/proc/{process}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

web = subprocess.run(["pgrep", "-P", service, "tutti-web"], capture_output=True, text=True).stdout.split()[0]
def share(seconds=20):
    before = used(web), used(service)
    time.sleep(seconds)
    return [100 * (after - b) / seconds for after, b in zip((used(web), used(service)), before)]
alone = share()
streams = [socket.create_connection(("127.0.0.1", port)) for _ in range(200)]
for stream in streams: stream.sendall(f"GET {base}/events HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())
stop = threading.Event()
def drain():
    import select
    while not stop.is_set():
        for ready in select.select(streams, [], [], 0.5)[0]: ready.recv(1 << 16)
threading.Thread(target=drain, daemon=True).start()
time.sleep(3)
many = share()
stop.set()
print(f"processor, tutti-web / service: {alone[0]:.2f} / {alone[1]:.2f} % of a core with one listener, {many[0]:.2f} / {many[1]:.2f} % with 201")
EOF

venv=.build/selenium
if [ -x "$venv/bin/python" ]; then DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent "$venv/bin/python" Tests/Page/speed.py "$programs"; fi
