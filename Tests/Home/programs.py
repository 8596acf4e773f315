"""What the tests with real clients share: programs with their logs in a folder, and waiting for what they do."""

import os
import socket
import subprocess
import time

WORK, PROGRAMS = os.environ["WORK"], os.environ["PROGRAMS"]
ENVIRONMENT = {**os.environ, "TUTTI_STATE_DIR": ""}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait(what, done, seconds=20):
    """Waits until `done()` is true, and gives what it is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = done()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"{what} did not happen within {seconds} s")


def log(name):
    with open(f"{WORK}/{name}.log", errors="replace") as file:
        return file.read()


def start(name, command, **options):
    with open(f"{WORK}/{name}.log", "ab") as file:
        return subprocess.Popen(command, stdout=file, stderr=file, env=ENVIRONMENT, **options)
