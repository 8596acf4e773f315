#!/usr/bin/env python3
"""Has mpv follow a room as people do it who have no screen: asks `tutti status` twice a second and corrects mpv over its socket.

    follow.py SOCKET TUTTI

Far off, mpv seeks to the very place; near, it plays up to 5 % faster or slower. It pauses with the room.
"""

import json
import socket
import subprocess
import sys
import time

INTERVAL = 0.5
# From here on it seeks, in seconds; and how much faster it plays for each second that it is behind.
FAR, GAIN, MOST = 0.4, 0.5, 0.05


class Player:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.lines = self.socket.makefile("r")

    def ask(self, *command):
        self.socket.sendall(json.dumps({"command": command}).encode() + b"\n")
        for line in self.lines:
            answer = json.loads(line)
            if "error" in answer:
                return answer.get("data")
        sys.exit(0)


def follow(player, tutti):
    while True:
        status = subprocess.run([tutti, "status", "--json"], capture_output=True, text=True)
        # What takes time is the start of the command: the position is that of its end, within 10 ms.
        asked = time.monotonic()
        if status.returncode == 0:
            room = json.loads(status.stdout)
            is_playing = room["state"] == "playing"
            before = time.monotonic()
            place = player.ask("get_property", "time-pos")
            now = (before + time.monotonic()) / 2
            if is_playing and place is not None and room.get("position") is not None:
                behind = room["position"] + room["rate"] * (now - asked) - place
                if abs(behind) > FAR:
                    player.ask("seek", place + behind, "absolute+exact")
                speed = 1 + max(-MOST, min(MOST, GAIN * behind)) if abs(behind) <= FAR else 1
                player.ask("set_property", "speed", room["rate"] * speed)
            player.ask("set_property", "pause", not is_playing)
        time.sleep(max(0, INTERVAL - (time.monotonic() - asked)))


try:
    follow(Player(sys.argv[1]), sys.argv[2])
except (BrokenPipeError, ConnectionError):
    pass
