#!/usr/bin/env python3
"""corpus.py PROGRAMS: makes Tests/Fuzz/corpus anew, from real files and from what the real programs say.

PROGRAMS is the folder of tutti and tutti-speaker. Needs ffmpeg, the Python package `cryptography`, and the right to
listen to the loopback interface (root). Households and keys are made for this and used nowhere else.
"""
import base64, json, os, select, shutil, socket, struct, subprocess, sys, tempfile, threading, time

programs = os.path.abspath(sys.argv[1])
here = os.path.dirname(os.path.abspath(__file__))
corpus = os.path.join(here, "corpus")
deploy = os.path.join(here, "../../deploy")
scratch = tempfile.mkdtemp(prefix="corpus-")
LONGEST = 8192  # as run.sh has it


def keep(target, name, data):
    """Writes a seed, unless it is too long to be of use."""
    data = data.encode() if isinstance(data, str) else bytes(data)
    if 0 < len(data) <= LONGEST:
        os.makedirs(f"{corpus}/{target}", exist_ok=True)
        with open(f"{corpus}/{target}/{name}", "wb") as file:
            file.write(data)


def step(operation, body):
    return bytes([operation]) + struct.pack(">H", len(body) & 0xFFFF) + body


def environment(name, **more):
    folder = f"{scratch}/{name}"
    os.makedirs(folder + "/run", exist_ok=True, mode=0o700)
    os.chmod(folder + "/run", 0o700)
    return dict(
        os.environ, HOME=folder, XDG_RUNTIME_DIR=folder + "/run", XDG_STATE_HOME=folder + "/state",
        XDG_CONFIG_HOME=folder + "/config", **more)


def tutti(arguments, env, **more):
    return subprocess.run(
        [f"{programs}/tutti", *arguments], env=env, capture_output=True, text=True, timeout=60, **more)


# Files of every kind, a moment of a tone each.
KINDS = {
    "flac": ("tone.flac", ["-c:a", "flac"]), "mp3": ("tone.mp3", ["-c:a", "libmp3lame", "-b:a", "32k"]),
    "aac": ("tone.m4a", ["-c:a", "aac", "-b:a", "32k"]), "adts": ("tone.aac", ["-c:a", "aac", "-b:a", "32k"]),
    "alac": ("tone-alac.m4a", ["-c:a", "alac"]), "vorbis": ("tone.ogg", ["-c:a", "libvorbis"]),
    "opus": ("tone.opus", ["-c:a", "libopus", "-b:a", "16k"]), "wav": ("tone.wav", ["-ar", "8000"]),
    "aiff": ("tone.aiff", ["-ar", "8000"]), "matroska": ("tone.mka", ["-c:a", "libopus", "-b:a", "16k"]),
    "wavpack": ("tone.wv", ["-c:a", "wavpack"]),
}


def files():
    made = {}
    for kind, (name, options) in KINDS.items():
        path = f"{scratch}/{name}"
        rate = ["-ar", "48000"] if kind in ("opus", "matroska") else ["-ar", "44100"]
        tags = ["-metadata", "title=A tone", "-metadata", "artist=Nobody", "-metadata", "REPLAYGAIN_TRACK_GAIN=-6 dB"]
        done = subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=440:duration=0.12", "-ac", "1"]
            + rate + tags + options + [path])
        if done.returncode == 0:
            made[kind] = path
            with open(path, "rb") as file:
                data = file.read()
            keep("asset", name, data)
            keep("headers", name, data[:600])
            if kind == "wav":
                keep("wave", name, data[:400])
    return made


class Proxy:
    """Takes down what two programs say to one another."""

    def __init__(self, port):
        self.port, self.streams = port, []
        self.server = socket.create_server(("127.0.0.1", 0))
        self.own = self.server.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            client, _ = self.server.accept()
            pair = [bytearray(), bytearray()]
            self.streams.append(pair)
            threading.Thread(target=self.pump, args=(client, pair), daemon=True).start()

    def pump(self, client, pair):
        speaker = socket.create_connection(("127.0.0.1", self.port))
        ends = {client: (speaker, 0), speaker: (client, 1)}
        while ends:
            for end in select.select(list(ends), [], [])[0]:
                other, side = ends[end]
                data = end.recv(65536)
                if not data:
                    for each in (client, speaker):
                        each.close()
                    return
                pair[side] += data
                other.sendall(data)


class Datagrams:
    """Takes down the datagrams of the clock on loopback, by their lengths: with a signature and without."""

    def __init__(self, length):
        self.length, self.seen = length, []
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
        self.socket.bind(("lo", 0))
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            packet = self.socket.recv(4096)
            if packet[0] >> 4 == 4 and packet[9] == 17:
                udp = packet[(packet[0] & 15) * 4:]
            elif packet[0] >> 4 == 6 and packet[6] == 17:
                udp = packet[40:]
            else:
                continue
            if len(udp) == 8 + self.length and udp[8:] not in self.seen:
                self.seen.append(udp[8:])


class Speaker:
    def __init__(self, name, *options):
        self.state = f"{scratch}/speaker-{name}"
        self.log = f"{scratch}/{name}.log"
        self.process = subprocess.Popen(
            [f"{programs}/tutti-speaker", "--name", name, "--device", "null", "--port", "0", "--no-mdns",
             "--state-dir", self.state, *options],
            env=environment("host-" + name), stdout=open(self.log, "w"), stderr=subprocess.STDOUT)
        while "speaker ready" not in open(self.log).read():
            time.sleep(0.05)
        self.port = int(open(self.log).read().split("port=")[1].split()[0])

    def end(self):
        self.process.terminate()
        self.process.wait()


def frames(data):
    found = []
    while len(data) >= 5:
        length, kind = struct.unpack(">IB", data[:5])
        found.append((kind, bytes(data[5:5 + length])))
        data = data[5 + length:]
    return found


def wire(made):
    speaker = Speaker("kitchen", "--claim", "open")
    proxy, datagrams = Proxy(speaker.port), Datagrams(64)
    env = environment("sender", TUTTI_OPEN="true")
    for kind, path in made.items():
        proxy.streams.clear()
        tutti(["play", "--standalone", "--codec", "original", "--room", f"kitchen@127.0.0.1:{proxy.own}", path], env)
        take_down(kind, list(proxy.streams))
    speaker.end()
    for index, datagram in enumerate(datagrams.seen[:8]):
        keep("timing", f"said-{index}", datagram)
        keep("timing-seal", f"said-{index}", datagram)
    for index in range(0, min(len(datagrams.seen), 12), 4):
        keep("clock-member", f"said-{index}", b"".join(step(0, each) for each in datagrams.seen[index:index + 4]))


def take_down(kind, streams):
    said, heard, packets = [], [], []
    for to_speaker, to_sender in streams:
        said += [body for type, body in frames(to_speaker) if type == 0]
        packets += [body for type, body in frames(to_speaker) if type == 1]
        heard += [body for type, body in frames(to_sender) if type == 0]
        keep("frames", f"{kind}-{len(said)}", bytes(to_speaker[:1200]))
    if kind == "flac":
        for index, body in enumerate(said + heard):
            keep("control", f"{json.loads(body)['type']}-{index}", body)
        keep("sender-session", "tone", b"".join(step(0, body) for body in heard))
    hellos = [body for body in said if json.loads(body)["type"] == "hello"]
    others = [body for body in said if json.loads(body)["type"] != "hello"]
    if kind in ("flac", "opus") and len(hellos) > 1:
        control = next(body for body in hellos if json.loads(body)["role"] == "control")
        media = next((body for body in hellos if json.loads(body)["role"] == "media"), control)
        # The session is the one that the target draws.
        media = json.dumps(dict(json.loads(media), session="0000000000000007")).encode()
        script = step(0, control) + step(16, media) + b"".join(step(0, body) for body in others[:8])
        for target in ("speaker-session", "speaker-session-clear"):
            keep(target, f"{kind}-tone", script + b"".join(step(21, body[:900]) for body in packets[:2]))
    if packets:
        keep("media", f"{kind}-0", packets[0][:1500])
    formats = [json.loads(body) for body in said if json.loads(body)["type"] == "format"]
    for format in formats:
        cookie = base64.b64decode(format.get("magicCookie", ""))
        depth = {8: 0, 16: 1, 24: 2, 32: 3}.get(format["bits"], 1)
        head = (format["channels"] - 1) | depth << 3 | (0x40 if format["sampleRate"] == 44100 else 0)
        seed = bytes([head]) + struct.pack(">H", len(cookie)) + cookie
        for body in [body for body in packets if struct.unpack(">H", body[8:10])[0] == format["id"]][:4]:
            count = struct.unpack(">I", body[24:28])[0]
            seed += struct.pack(">HH", len(body) - 36, count & 0xFFFF) + body[36:]
        keep(format["codec"], f"{kind}-tone", seed[:LONGEST])


def requests():
    """What `tutti` asks the service, by a service that only listens."""
    env = environment("asker")
    folder = env["XDG_RUNTIME_DIR"] + "/tutti"
    os.makedirs(folder, mode=0o700)
    server = socket.socket(socket.AF_UNIX)
    server.bind(folder + "/control.sock")
    os.chmod(folder + "/control.sock", 0o600)
    server.listen()
    server.settimeout(2)
    commands = [
        "pause", "resume", "stop", "next", "status", "volume 40", "volume kitchen +5", "mute kitchen", "seek +10",
        "rate 1.5", "queue", "move 2 1", "remove 3", "shuffle", "repeat one", "crossfade 5", "normalise album",
        "sleep 20m",
        "group down kitchen bath", "clear", "jump 2", "insert /tmp/a.flac", "consume on", "reference kitchen",
    ]
    for command in commands:
        asker = subprocess.Popen([f"{programs}/tutti", *command.split()], env=env, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        try:
            peer, _ = server.accept()
            peer.settimeout(2)
            keep("request", command.replace(" ", "-").replace("/", ""), peer.recv(65536).split(b"\n")[0])
            peer.close()
        except OSError:
            pass
        asker.terminate()
        asker.wait()


def texts():
    keep("playlist", "list.m3u8", "#EXTM3U\n#EXTINF:12,Nobody - A tone\nfolder/a tone.flac\nfile:///m/a%20b.mp3\n"
         "https://radio.example/stream?x=1#y\n../c.opus\nC:\\music\\d.wav\n")
    keep("playlist", "list.pls", "[playlist]\nFile1=https://radio.example/a.mp3\nTitle1=A\nLength1=-1\n"
         "File2=b.flac\nNumberOfEntries=2\nVersion=2\n")
    keep("cue", "album.cue", "\ufeffREM GENRE None\nREM DATE 1999\nPERFORMER \"Nobody\"\nTITLE \"Tones\"\n"
         "FILE \"tones.flac\" WAVE\n" + "".join(
             f"  TRACK {n:02} AUDIO\n    TITLE \"Tone {n}\"\n    PERFORMER \"Nobody\"\n    ISRC XX0000000{n:03}\n"
             f"    INDEX 00 {n:02}:01:73\n    INDEX 01 {n:02}:02:00\n" for n in range(1, 9)))
    for name in os.listdir(f"{deploy}/config"):
        with open(f"{deploy}/config/{name}", "rb") as file:
            content = file.read()
        keep("settings", name, content)
        keep("settings", "all-" + name, content.replace(b"\n#", b"\n"))


def trust(tone):
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import Encoding

    speaker = Speaker("bath", "--claim", "token")
    token = subprocess.run([f"{programs}/tutti-speaker", "token", "--state-dir", speaker.state], capture_output=True,
                           text=True).stdout.strip()
    keep("token", "bath", token)
    env = environment("desk")
    room = f"bath@127.0.0.1:{speaker.port}"
    datagrams = Datagrams(84)
    tutti(["pair", room, token], env)
    tutti(["play", "--standalone", "--room", room, tone], env)
    tutti(["household", "revoke", "a" * 32], env)
    tutti(["play", "--standalone", "--room", room, tone], env)
    for index, datagram in enumerate(datagrams.seen[:4]):
        keep("timing-seal", f"signed-{index}", datagram)
    tutti(["household", "export", f"{scratch}/export"], env, input="passphrase\n")
    folder = f"{scratch}/desk/state/tutti/trust"
    with open(f"{scratch}/export", "rb") as file:
        keep("archive", "export", file.read())
    with open(folder + "/household.json") as file:
        content = file.read()
    with open(folder + "/household-key.pem") as file:
        key = file.read()
    keep("household", "household", content)
    keep("store-import", "household", json.dumps({"householdKey": key, "content": json.loads(content)}))
    with open(speaker.state + "/claim.json") as file:
        keep("household", "claim", file.read())
    listed = json.loads(content)["revocations"]
    parts = [listed["serial"], base64.b64encode(bytes(listed["signature"])).decode(), listed["key"]["epoch"],
             listed["key"]["fingerprint"], *listed["nodes"]]
    keep("revocations", "one", " ".join(str(part) for part in parts))
    with open(folder + "/household.pem", "rb") as file:
        chain = [each.public_bytes(Encoding.DER) for each in x509.load_pem_x509_certificates(file.read())]
    keep("certificate", "household", chain[1])
    keep("certificate", "chain", struct.pack(">H", len(chain[0])) + chain[0] + chain[1])
    inviting = subprocess.Popen([f"{programs}/tutti", "household", "invite", "--address", "127.0.0.1"], env=env,
                                stdout=subprocess.PIPE, text=True)
    for line in inviting.stdout:
        if "household join" in line:
            keep("invitation", "printed", line.split()[-1])
            break
    inviting.terminate()
    inviting.wait()
    speaker.end()


shutil.rmtree(corpus, ignore_errors=True)
made = files()
wire(made)
requests()
texts()
trust(made["wav"])
shutil.rmtree(scratch)
size = sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(corpus) for name in names)
print(f"{size} bytes in {corpus}")
