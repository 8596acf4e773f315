"""As much of a Lyrion Music Server as squeezelite needs to play one file: SlimProto at port 3483, the file at port 9000.

python3 slim.py FILE ADDRESS: plays a WAV of 44.1 kHz, 16 bit and two channels once somebody connects; ends when it is over.
"""

import http.server
import socket
import struct
import sys
import threading
import time
import wave

path, address = sys.argv[1:3]
with wave.open(path) as file:
    assert (file.getframerate(), file.getsampwidth(), file.getnchannels()) == (44100, 2, 2)
    sound = file.readframes(file.getnframes())


class Sound(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(sound)))
        self.end_headers()
        self.wfile.write(sound)

    def log_message(self, *_):
        pass


web = http.server.ThreadingHTTPServer((address, 9000), Sound)
threading.Thread(target=web.serve_forever, daemon=True).start()


def exactly(connection, count):
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            sys.exit("squeezelite has gone")
        data += more
    return data


def send(connection, operation, data):
    connection.sendall(struct.pack(">H4s", 4 + len(data), operation) + data)


listener = socket.create_server((address, 3483))
print("listening", flush=True)
connection, _ = listener.accept()
while True:
    operation, size = struct.unpack(">4sI", exactly(connection, 8))
    data = exactly(connection, size)
    if operation == b"HELO":
        send(connection, b"aude", bytes([1, 1]))
        # As loud as it is: the old kind of gain, digital volume, preamplification, and the new kind for both channels.
        send(connection, b"audg", struct.pack(">IIBBII", 128, 128, 1, 255, 1 << 16, 1 << 16))
        # Start by itself; PCM, 16 bit, 44.1 kHz, two channels, little-endian; what it has buffered before it begins, in KiB.
        start = b"s1p1321" + bytes([64, 0, 0]) + b"0" + bytes([0, 0, 0]) + struct.pack(">IHI", 0, 9000, 0)
        send(connection, b"strm", start + b"GET /song HTTP/1.0\r\n\r\n")
    elif operation == b"STAT":
        print(data[:4].decode("latin-1"), flush=True)
        if data[:4] == b"STMu":  # it has run out: all is played
            time.sleep(2)
            break
