"""What the tests with clients of MPD share: the service, `tutti`, `mpc`, connections, and whoever waits for changes."""

import socket
import subprocess
import sys
import threading
import time

import mpd

from programs import ENVIRONMENT, PROGRAMS, WORK, free_port, start, wait

ROOMS = sys.argv[1:]
ALBUM = [f"{WORK}/album/{track}.flac" for track in (1, 2, 3)]
PORT, GUARDED = free_port(), free_port()


def say(text):
    print(f"mpd: {text}", flush=True)


def serve():
    return start("serve", [f"{PROGRAMS}/tutti-player", "serve", "--no-http", "--mpd", f"127.0.0.1:{PORT}"], stdin=subprocess.PIPE)


def tutti(*words, check=True):
    done = subprocess.run([f"{PROGRAMS}/tutti-player", *words], capture_output=True, text=True, env=ENVIRONMENT, timeout=60)
    assert not check or done.returncode == 0, f"tutti {words}: {done.returncode} {done.stderr}"
    return done.stdout


def mpc(*words, check=True):
    done = subprocess.run(["mpc", "-h", "127.0.0.1", "-p", str(PORT), *words], capture_output=True, text=True, timeout=60)
    assert not check or done.returncode == 0, f"mpc {words}: {done.returncode} {done.stdout} {done.stderr}"
    return done.stdout if check else done.stderr


def client(port=PORT):
    remote = mpd.MPDClient()
    remote.timeout = 30
    remote.connect("127.0.0.1", port)
    return remote


def raw(line):
    """The lines that answer a command."""
    with socket.create_connection(("127.0.0.1", PORT), 10) as connection, connection.makefile("rw") as file:
        file.readline()
        file.write(line + "\n")
        file.flush()
        return [answer.rstrip("\n") for answer in iter(file.readline, "OK\n")]


def refused(call, code):
    try:
        call()
    except mpd.CommandError as error:
        assert str(error).startswith(f"[{code}@"), error
        return
    raise AssertionError("it was not refused")


class Listener:
    """Waits for changes in a loop, as scrobblers do, and keeps what it hears."""

    def __init__(self):
        self.heard = []
        self.remote = client()
        self.remote.timeout = None
        self.remote.idletimeout = None
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        try:
            while True:
                for change in self.remote.idle():
                    self.heard.append((change, time.monotonic()))
        except (mpd.ConnectionError, OSError):
            pass

    def hears(self, change, action):
        """How long it takes from an action to its change, in ms."""
        time.sleep(0.3)
        self.heard.clear()
        began = time.monotonic()
        action()
        wait(f"the change of {change}", lambda: any(name == change for name, _ in self.heard))
        return (next(at for name, at in self.heard if name == change) - began) * 1000
