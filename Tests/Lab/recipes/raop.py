"""An AirPlay sender of the first kind, without encryption: plays a WAV of 44.1 kHz, 16 bit and two channels, and says what it is.

python3 raop.py HOST PORT SONG TITLE ARTIST ALBUM PICTURE
"""

import select
import socket
import struct
import sys
import time
import wave

host, port, song, title, artist, album, picture = sys.argv[1:8]
RATE, FRAMES, LATENCY = 44100, 352, 88200
SSRC, BEGIN = 0x1A2B3C4D, 1_000_000

with wave.open(song) as file:
    assert (file.getframerate(), file.getsampwidth(), file.getnchannels()) == (RATE, 2, 2)
    sound = file.readframes(file.getnframes())


def ntp():
    now = time.time() + 2208988800
    return struct.pack(">II", int(now), int(now % 1 * 2**32))


def alac(frames):
    """A frame of Apple Lossless as it is where nothing is compressed: a pair of channels, its samples, and the end."""
    frames += bytes(FRAMES * 4 - len(frames))
    samples = b"".join(frames[place : place + 2][::-1] for place in range(0, len(frames), 2))
    # Three bits of kind, 16 of nothing, no length of its own, no low bits, not compressed.
    bits = ((1 << 20 | 1) << 8 * len(samples) | int.from_bytes(samples, "big")) << 3 | 7
    count = 23 + 8 * len(samples) + 3
    return (bits << -count % 8).to_bytes((count + 7) // 8, "big")


def item(code, data):
    return code.encode() + struct.pack(">I", len(data)) + data


# shairport-sync 3.3.8 ends at a sender without User-Agent.
class Session:
    def __init__(self):
        self.connection = socket.create_connection((host, int(port)), timeout=10)
        self.here = self.connection.getsockname()[0]
        self.url = f"rtsp://{self.here}/{SSRC}"
        self.number = 0
        self.session = ""

    def ask(self, method, body=b"", **fields):
        self.number += 1
        lines = [f"{method} {self.url} RTSP/1.0", f"CSeq: {self.number}", "User-Agent: Tutti"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
        if self.session:
            lines.append(f"Session: {self.session}")
        if body:
            lines.append(f"Content-Length: {len(body)}")
        self.connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        answer = b""
        while b"\r\n\r\n" not in answer:
            more = self.connection.recv(4096)
            if not more:
                sys.exit(f"{method}: the receiver has gone")
            answer += more
        answer = answer.decode()
        if not answer.startswith("RTSP/1.0 200"):
            sys.exit(f"{method}: {answer}")
        return dict(line.split(": ", 1) for line in answer.split("\r\n")[1:] if ": " in line)


control, timing, audio = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(3))
for each in control, timing, audio:
    each.bind(("", 0))
session = Session()
description = (
    f"v=0\r\no=iTunes {SSRC} 0 IN IP4 {session.here}\r\ns=iTunes\r\nc=IN IP4 {host}\r\nt=0 0\r\nm=audio 0 RTP/AVP 96\r\n"
    f"a=rtpmap:96 AppleLossless\r\na=fmtp:96 {FRAMES} 0 16 40 10 14 2 255 0 0 {RATE}\r\n"
)
session.ask("ANNOUNCE", description.encode(), Content_Type="application/sdp")
ports = f"control_port={control.getsockname()[1]};timing_port={timing.getsockname()[1]}"
answer = session.ask("SETUP", Transport=f"RTP/AVP/UDP;unicast;interleaved=0-1;mode=record;{ports}")
session.session = answer["Session"]
theirs = dict(part.split("=") for part in answer["Transport"].split(";") if "=" in part)
audio.connect((host, int(theirs["server_port"])))
control.connect((host, int(theirs["control_port"])))
session.ask("RECORD", Range="npt=0-", RTP_Info=f"seq=0;rtptime={BEGIN}")
session.ask("SET_PARAMETER", b"volume: 0.000000\r\n", Content_Type="text/parameters")
tags = item("mlit", item("minm", title.encode()) + item("asar", artist.encode()) + item("asal", album.encode()))
session.ask("SET_PARAMETER", tags, Content_Type="application/x-dmap-tagged", RTP_Info=f"rtptime={BEGIN}")
with open(picture, "rb") as file:
    session.ask("SET_PARAMETER", file.read(), Content_Type="image/jpeg", RTP_Info=f"rtptime={BEGIN}")
# By CLOCK_MONOTONIC_RAW, when the first frame is sent.
print(time.clock_gettime(time.CLOCK_MONOTONIC_RAW), flush=True)

start, synced = time.monotonic(), None
for number in range(len(sound) // (FRAMES * 4)):
    due = start + number * FRAMES / RATE
    while True:
        ready, _, _ = select.select([timing], [], [], max(0, due - time.monotonic()))
        if not ready:
            break
        request, sender = timing.recvfrom(128)
        timing.sendto(b"\x80\xd3" + request[2:4] + bytes(4) + request[24:32] + ntp() + ntp(), sender)
    stamp = BEGIN + number * FRAMES
    if synced is None or due - synced >= 1:
        control.send(bytes([0x90 if synced is None else 0x80, 0xD4, 0, 7]) + struct.pack(">I", stamp - LATENCY) + ntp() + struct.pack(">I", stamp))
        synced = due
    head = struct.pack(">BBHII", 0x80, 0xE0 if number == 0 else 0x60, number & 0xFFFF, stamp, SSRC)
    audio.send(head + alac(sound[number * FRAMES * 4 : (number + 1) * FRAMES * 4]))
time.sleep(LATENCY / RATE + 1)
session.ask("TEARDOWN")
