"""Shows a house to a real broker, and controls it from there, while everything around it fails. deploy/test-mqtt.sh starts the speakers
and says where everything is."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time

import programs
from programs import ENVIRONMENT, PROGRAMS, WORK, free_port, log, start

ROOMS = sys.argv[1:]
MUSIC = f"{WORK}/music.wav"


def say(text):
    print(f"mqtt: {text}", flush=True)


def wait(what, done, seconds=30):
    """As the others do, with time for clients that come back only after a while."""
    return programs.wait(what, done, seconds)


class Broker:
    """Mosquitto, with a listener in the clear and one with TLS, both with passwords. It keeps nothing when it ends."""

    def __init__(self):
        self.port, self.tls = free_port(), free_port()
        with open(f"{WORK}/broker.conf", "w") as file:
            file.write(f"""per_listener_settings false
allow_anonymous false
user root
password_file {WORK}/passwords
listener {self.port} 127.0.0.1
listener {self.tls} 127.0.0.1
certfile {WORK}/broker.pem
keyfile {WORK}/broker.key
""")
        self.start()

    def start(self):
        self.process = start("broker", ["/usr/sbin/mosquitto", "-c", f"{WORK}/broker.conf"])
        wait("the broker", self.listens)

    def listens(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def stop(self):
        self.process.kill()
        self.process.wait()

    def client(self, program):
        return [program, "-h", "127.0.0.1", "-p", str(self.tls), "--cafile", f"{WORK}/ca.pem", "-u", "home", "-P", "assistant"]

    def publish(self, topic, payload, *options):
        arguments = ["-n"] if payload is None else ["-s"]
        subprocess.run(self.client("mosquitto_pub") + ["-t", topic, *arguments, *options], check=True, timeout=20,
                       input=payload if isinstance(payload, bytes) else (payload or "").encode())


class Listener:
    """What mosquitto_sub sees, as it comes."""

    def __init__(self, broker):
        self.values, self.times, self.count = {}, {}, 0
        self.process = subprocess.Popen(broker.client("mosquitto_sub") + ["-t", "#", "-F", "%t\t%p"], stdout=subprocess.PIPE)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            topic, _, payload = line.decode(errors="replace").rstrip("\n").partition("\t")
            self.values[topic], self.times[topic] = payload, time.monotonic()
            self.count += 1

    def stop(self):
        self.process.kill()
        self.process.wait()


class SilentBroker:
    """Lets in whoever comes, and says nothing. With `old`, it answers as one that knows MQTT 3.1.1 and nothing later."""

    def __init__(self, old=False):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port, self.old, self.versions = self.socket.getsockname()[1], old, []
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        kept = []
        while True:
            connection, _ = self.socket.accept()
            kept.append(connection)
            if not self.old:
                continue
            version = connection.recv(4096)[8]
            self.versions.append(version)
            connection.sendall(bytes([0x20, 2, 0, 1 if version > 4 else 0]))
            if version > 4:
                connection.close()


class House:
    def __init__(self, broker):
        self.broker = broker
        os.makedirs(f"{WORK}/config/tutti", exist_ok=True)
        with open(f"{WORK}/config/tutti/tutti.yaml", "w") as file:
            file.write(f"""mqtt:
  host: 127.0.0.1
  port: {broker.tls}
  tls: on
  ca-file: {WORK}/ca.pem
  username: tutti
  password-file: {WORK}/secret
""")
        self.start()

    def start(self):
        self.service = start("serve", [f"{PROGRAMS}/tutti-player", "serve", "--no-http"])
        wait("the service", lambda: self.tutti("group", "list", check=False).returncode == 0)

    def tutti(self, *words, check=True):
        done = subprocess.run([f"{PROGRAMS}/tutti-player", *words], capture_output=True, text=True, env=ENVIRONMENT)
        assert not check or done.returncode == 0, f"tutti {words}: {done.returncode} {done.stderr}"
        return done

    def program(self):
        """The process of tutti-mqtt."""
        found = subprocess.run(["pgrep", "-P", str(self.service.pid), "-f", "tutti-mqtt"], capture_output=True, text=True)
        return int(found.stdout.split()[0]) if found.stdout else None

    def status(self, group):
        return json.loads(self.tutti("status", "--group", group, "--json").stdout)

    def plays(self, group="downstairs"):
        return self.status(group)["state"] == "playing"


def lone(name, port, *options):
    """A program of its own, without a service: it only tries to connect."""
    return start(name, [f"{PROGRAMS}/tutti-mqtt", "--host", "127.0.0.1", "--port", str(port), "--node", name,
                        "--socket", f"{WORK}/nowhere.sock", *options])


def figures(process):
    with open(f"/proc/{process}/status") as file:
        kib = int(re.search(r"VmRSS:\s+(\d+)", file.read())[1])
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return kib / 1024, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def check_discovery(listener, root):
    """What Home Assistant needs, looked at without it; then by its own schemas, where it is."""
    configs = {topic: json.loads(payload) for topic, payload in listener.values.items()
               if topic.startswith("homeassistant/") and topic.endswith("/config") and payload}
    assert len({config["unique_id"] for config in configs.values()}) == len(configs)
    for topic, config in configs.items():
        assert re.fullmatch(r"homeassistant/\w+/[\w-]+/[\w-]+/config", topic), topic
        assert config["device"]["identifiers"] and config["name"], topic
        for field in ("state_topic", "command_topic"):
            assert config.get(field, root).startswith(root), (topic, field)
    kinds = {topic.split("/")[1] for topic in configs}
    assert kinds == {"binary_sensor", "button", "notify", "number", "select", "sensor", "switch", "text"}, kinds
    python = os.environ.get("HOME_ASSISTANT")
    if python:
        lines = "".join(f"{topic} {json.dumps(config)}\n" for topic, config in configs.items())
        subprocess.run([python, "Tests/Home/schemas.py"], input=lines, text=True, check=True, timeout=60)
    else:
        say("SKIPPED, Home Assistant's own schemas: it is not installed (HOME_ASSISTANT=install)")
    size = sum(len(json.dumps(config)) for config in configs.values())
    say(f"{len(configs)} entities, {size // 1024} KiB of configurations")


def main():
    broker = Broker()
    silent, old = SilentBroker(), SilentBroker(old=True)
    hung, aged = lone("hung", silent.port), lone("aged", old.port)
    with open(f"{WORK}/wrong", "w") as file:
        file.write("wrong\n")
    wrong = lone("wrong", broker.port, "--username", "tutti", "--password-file", f"{WORK}/wrong")
    stranger = lone("stranger", broker.tls, "--tls", "on", "--username", "tutti", "--password-file", f"{WORK}/secret")
    for room in ("kitchen", "bath", "study"):
        wait(room, lambda: "speaker ready" in log(room))
    house = House(broker)
    listener = Listener(broker)
    processes = [hung, aged, wrong, stranger]
    try:
        trial(broker, house, listener)
        for attempt in ("wrong", "stranger", "hung"):
            wait(f"the log of {attempt}", lambda: "no connection to the broker" in log(attempt), 60)
        assert "refuses: " in log("wrong"), log("wrong")
        assert "certificate verify failed" in log("stranger"), log("stranger")
        assert "lets in and does not answer" in log("hung"), log("hung")
        # One line, however often it is tried.
        for attempt in ("wrong", "stranger", "hung"):
            assert log(attempt).count("no connection to the broker") == 1, log(attempt)
        assert old.versions[:2] == [5, 4], old.versions
        assert "connected to the broker" in log("aged"), log("aged")
        # The right password is all that it needs, and no restart.
        os.replace(f"{WORK}/secret", f"{WORK}/wrong")
        wait("the right password", lambda: "connected to the broker" in log("wrong"), 65)
        say("a wrong password, an unknown authority, a silent broker and an old one are met in one line each")
        assert house.plays(), house.status("downstairs")
        say(f"green, {time.monotonic() - BEGIN:.0f} s")
    except BaseException:
        for name in ("serve", "kitchen", "bath", "study", "broker", "wrong", "stranger", "hung", "aged"):
            print(f"--- {name}\n{log(name)[-4000:]}", file=sys.stderr)
        raise
    finally:
        for process in processes + [house.service, listener.process, broker.process]:
            process.kill()


def trial(broker, house, listener):
    kitchen, bath, study = ROOMS
    status = wait("the service on the broker", lambda: next(
        (topic for topic, value in listener.values.items() if re.fullmatch(r"tutti/[0-9a-f]+/status", topic) and value == "online"), None))
    root = status.removesuffix("/status")
    house.tutti("group", "set", "Unten & Oben", study)
    house.tutti("group", "set", "downstairs", kitchen, bath)
    for group in ("downstairs", "Unten & Oben"):
        house.tutti("play", MUSIC, MUSIC, "--group", group, "--detach")
    group = f"{root}/group/downstairs"
    value = lambda name: listener.values.get(f"{group}/{name}")
    wait("the music", lambda: value("state") == "playing" and value("volume"))
    assert json.loads(value("track"))["title"] == "music.wav"
    other = wait("the other group", lambda: next((topic for topic in listener.values if re.search(r"/group/unten.*/state$", topic)), None))
    wait("the other group's music", lambda: listener.values[other] == "playing")
    rooms = {}
    for name, address in (("kitchen", kitchen), ("bath", bath), ("study", study)):
        area = wait(name, lambda: next((topic for topic, payload in listener.values.items() if f'"suggested_area":"{name}"' in payload), None))
        rooms[name] = f"{root}/room/" + re.search(r"room_(.*)_[^_]*/config", area)[1]
    wait("the rooms", lambda: all(listener.values.get(f"{room}/availability") == "online" for room in rooms.values()))
    say(f"two groups and three rooms are on the broker ({status})")
    time.sleep(1)
    check_discovery(listener, root)

    # Commands, and how long they take until mosquitto_sub has seen what they did.
    send = lambda word, payload: broker.publish(f"{group}/set/{word}", payload)
    times = []
    for _ in range(5):
        for word, state in (("pause", "paused"), ("resume", "playing")):
            send(word, "PRESS")
            wait(word, lambda: value("state") == state)
            times.append((listener.times[f"{group}/state"] - listener.times[f"{group}/set/{word}"]) * 1000)
            time.sleep(0.3)
    times.sort()
    say(f"from a command to the state that it leads to, as mosquitto_sub sees both: {times[len(times) // 2]:.1f} ms (median; at most {times[-1]:.1f} ms)")

    broker.publish(f"{rooms['kitchen']}/set/volume", "40")
    broker.publish(f"{rooms['bath']}/set/volume", "60")
    wait("volumes", lambda: value("volume") == "60" and listener.values.get(f"{rooms['kitchen']}/volume") == "40")
    send("volume", "50")
    wait("the balance", lambda: value("volume") == "50" and listener.values[f"{rooms['kitchen']}/volume"] == "30")
    send("mute", "ON")
    wait("mute", lambda: value("mute") == "ON")
    send("mute", "OFF")
    wait("sound", lambda: value("mute") == "OFF")
    for word, payload in (("repeat", "all"), ("shuffle", "ON"), ("sleep", "30")):
        send(word, payload)
        wait(word, lambda: value(word) == payload)
    send("sleep", "0")
    wait("no timer", lambda: value("sleep") == "0")
    send("shuffle", "OFF")
    index = json.loads(value("track"))["index"]
    send("next", "PRESS")
    wait("the next track", lambda: json.loads(value("track"))["index"] != index)
    wait("the music after it", lambda: value("state") == "playing")
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=duration=2", f"{WORK}/gong.wav"], check=True)
    send("say", f"{WORK}/gong.wav")
    wait("the announcement", lambda: all(room.get("announcing") for room in house.status("downstairs")["rooms"]))
    wait("its end", lambda: not any(room.get("announcing") for room in house.status("downstairs")["rooms"]))
    send("stop", "PRESS")
    wait("the end", lambda: value("state") == "idle")
    send("play", MUSIC)
    wait("the beginning", lambda: value("state") == "playing")
    broker.publish(f"{root}/set/pause", "PRESS")
    wait("silence", lambda: value("state") == "paused" and listener.values[other] == "paused")
    broker.publish(f"{root}/set/resume", "PRESS")
    wait("music", lambda: value("state") == "playing" and listener.values[other] == "playing")
    say("commands: transport, volume with its balance, mute, modes, sleep, play, say, all groups")

    # How much is said while nothing happens.
    time.sleep(2)
    program = house.program()
    count, (_, busy), began = listener.count, figures(program), time.monotonic()
    time.sleep(10)
    seconds = time.monotonic() - began
    size, after = figures(program)
    rate = (listener.count - count) * 60 / seconds
    say(f"while two groups play: {rate:.0f} messages a minute, {size:.1f} MiB, {(after - busy) / seconds * 100:.2f} % of a processor")
    assert rate < 120, rate

    # What is wrong changes nothing.
    for word, payload in (("volume", "nan"), ("volume", "101"), ("volume", "1e400"), ("mute", "maybe"), ("sleep", "-1"), ("dance", "x"),
                          ("play", "song.flac"), ("play", "{"), ("play", '{"inputs":[]}'), ("play", "/none.flac"), ("say", b"\xff\xfe"),
                          ("seek", "never"), ("play", "x" * 100_000), ("play", "x" * 2_000_000), ("volume", "9" * 1000)):
        send(word, payload)
    broker.publish(f"{root}/group/nobody/set/pause", "PRESS")
    broker.publish(f"{root}/room/nobody/set/volume", "100")
    broker.publish(f"{group}/set/stop", "PRESS", "-r")
    wait("the music", lambda: value("state") in ("idle", "playing"))
    # It was carried out when it came; it is not again at the next connection.
    wait("the end", lambda: value("state") == "idle")
    send("resume", "PRESS")
    wait("the music", lambda: value("state") == "playing")
    size, _ = figures(house.program())
    assert house.program() == program and size < 100, size
    assert "a message was ignored" in log("serve") and "a command was refused" in log("serve")
    say(f"wrong messages change nothing ({size:.1f} MiB)")

    # The broker comes back with nothing.
    broker.stop()
    listener.stop()
    wait("the log", lambda: "no connection to the broker" in log("serve"))
    assert house.plays()
    broker.start()
    listener.process = None
    listener.__init__(broker)
    wait("everything again", lambda: listener.values.get(status) == "online" and value("state") == "playing"
         and listener.values.get(f"homeassistant/number/{root.split('/')[1]}/group_downstairs_volume/config"), 60)
    say("after a restart of the broker everything is there again")
    broker.publish(f"{group}/set/stop", "PRESS", "-r")
    wait("the end", lambda: value("state") == "idle")
    send("resume", "PRESS")
    wait("the music", lambda: value("state") == "playing")

    # The program is killed: the broker says so, and the service starts another one. It ignores what is retained.
    broker.publish("homeassistant/status", "online")
    killed = house.program()
    os.kill(killed, signal.SIGKILL)
    wait("the last will", lambda: listener.values.get(status) == "offline", 20)
    wait("the next one", lambda: listener.values.get(status) == "online")
    wait("the log", lambda: "a retained message is no command" in log("serve"))
    broker.publish(f"{group}/set/stop", None, "-r")
    time.sleep(1)
    assert value("state") == "playing" and house.plays()
    say("killed, its last will is published, another one is started, and retained commands are ignored")

    # The service restarts, then is killed.
    for signal_ in (signal.SIGTERM, signal.SIGKILL):
        house.service.send_signal(signal_)
        house.service.wait()
        wait("offline", lambda: listener.values.get(status) == "offline")
        house.start()
        wait("online", lambda: listener.values.get(status) == "online" and value("state") == "playing")
    say("the service goes and comes back, ended and killed")

    house.tutti("stop", "--group", "Unten & Oben")
    house.tutti("group", "delete", "Unten & Oben")
    house.tutti("play", MUSIC, "--room", study, "--detach")
    wait("the deleted group", lambda: listener.values.get(other) == "" and not any(
        payload for topic, payload in listener.values.items() if "group_unten" in topic))
    say("a deleted group is gone from the broker")


BEGIN = time.monotonic()
main()
