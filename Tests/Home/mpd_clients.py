"""Controls a house with real clients of MPD. deploy/test-mpd.sh starts the speakers and says where everything is."""

import os
import re
import signal
import socket
import subprocess
import sys
import time

import mpd

from mpd_library import database, playlists, priorities, sheets, single, stickers
from mpd_tools import ALBUM, GUARDED, PORT, ROOMS, Listener, client, mpc, raw, refused, say, serve, tutti
from programs import ENVIRONMENT, PROGRAMS, WORK, log, start, wait


def transport(remote):
    kitchen, bath = ROOMS
    tutti("group", "set", "downstairs", kitchen, bath)
    wait("the group", lambda: {"partition": "downstairs"} in remote.listpartitions())
    mpc("clear")
    mpc("add", *ALBUM)
    assert mpc("playlist", "-f", "%file%").split() == ALBUM
    mpc("play", "2")
    wait("the music", lambda: remote.status()["state"] == "play" and float(remote.status().get("elapsed", 0)) > 0.3)
    status = remote.status()
    assert status["song"] == "1" and status["playlistlength"] == "3" and "audio" in status, status
    wait("the tags", lambda: remote.currentsong().get("title") == "Track 2")
    assert "[playing] #2/3" in mpc("status"), mpc("status")
    mpc("next")
    wait("the next track", lambda: remote.currentsong()["pos"] == "2")
    mpc("prev")
    wait("the one before", lambda: remote.currentsong()["pos"] == "1")
    mpc("seek", "0:30")
    wait("the place", lambda: 30 <= float(remote.status()["elapsed"]) < 34)
    mpc("seek", "+10")
    wait("the place", lambda: 40 <= float(remote.status()["elapsed"]) < 46)
    mpc("pause")
    assert remote.status()["state"] == "pause"
    mpc("toggle")
    wait("the music", lambda: remote.status()["state"] == "play")
    mpc("stop")
    assert remote.status()["state"] == "stop" and remote.status()["playlistlength"] == "3"
    remote.playid(remote.playlistinfo()[0]["id"])
    wait("the first track", lambda: remote.status()["state"] == "play" and remote.status()["song"] == "0")
    mpc("volume", "40")
    assert remote.status()["volume"] == "40" and raw("getvol") == ["volume: 40"]
    mpc("volume", "+10")
    assert remote.status()["volume"] == "50"
    say("transport: play, pause, stop, next, prev, seek and volume with mpc")


def options(remote):
    for option, on in (("repeat", "1"), ("single", "1"), ("consume", "1"), ("random", "1")):
        mpc(option, "on")
        assert remote.status()[option] == on, (option, remote.status())
    for option in ("random", "consume", "single", "repeat"):
        mpc(option, "off")
        assert remote.status()[option] == "0", (option, remote.status())
    mpc("crossfade", "4")
    assert remote.status()["xfade"] == "4"
    mpc("crossfade", "0")
    mpc("replaygain", "track")
    assert remote.replay_gain_status() == "track" or remote.replay_gain_status()["replay_gain_mode"] == "track"
    mpc("replaygain", "off")
    mpc("single", "on")
    assert remote.status()["repeat"] == "0" and '"repeat":"single"' in tutti("queue", "--group", "downstairs", "--json")
    mpc("single", "off")
    refused(lambda: remote.consume("oneshot"), 2)
    say("options: repeat, single, consume, random, crossfade, replay gain")


def queue(remote):
    version = remote.status()["playlist"]
    tutti("add", ALBUM[0], "--group", "downstairs")
    wait("what tutti has added", lambda: mpc("playlist", "-f", "%file%").split() == ALBUM + ALBUM[:1])
    changed = remote.plchanges(version)
    assert [song["pos"] for song in changed] == ["3"], changed
    version = remote.status()["playlist"]
    mpc("move", "4", "3")
    assert tutti("queue", "--group", "downstairs", "--json").count(ALBUM[0]) == 2
    assert [song["cpos"] for song in remote.plchangesposid(version)] == ["2", "3"]
    mpc("del", "3")
    assert mpc("playlist", "-f", "%file%").split() == ALBUM
    identity = int(remote.addid(ALBUM[2], 1))
    assert remote.playlistid(identity)[0]["pos"] == "1"
    remote.swap(1, 2)
    assert remote.playlistid(identity)[0]["pos"] == "2"
    remote.deleteid(identity)
    listing = tutti("queue", "--group", "downstairs", "--json")
    assert [listing.index(track) for track in ALBUM] == sorted(listing.index(track) for track in ALBUM)
    assert remote.playlistfind("title", "Track 1")[0]["file"] == ALBUM[0]
    refused(lambda: remote.add("/none.flac"), 50)
    refused(lambda: remote.add("/etc"), 50)
    refused(lambda: remote.delete(99), 2)
    # A whole folder.
    remote.add(f"{WORK}/album")
    assert remote.status()["playlistlength"] == "7"
    picture = wait("the picture", lambda: remote.readpicture(f"{WORK}/album/4.flac"))
    assert picture["binary"][:2] == b"\xff\xd8" and len(picture["binary"]) == int(picture["size"] if "size" in picture else len(picture["binary"]))
    assert remote.albumart(f"{WORK}/album/4.flac")["binary"] == picture["binary"]
    remote.delete((3, 7))
    # Many at once, as clients add an album.
    began = time.monotonic()
    remote.command_list_ok_begin()
    for number in range(500):
        remote.add(ALBUM[number % 3])
    remote.command_list_end()
    took = (time.monotonic() - began) * 1000
    assert remote.status()["playlistlength"] == "503"
    remote.delete((3, 503))
    say(f"queue: edits are seen on both sides, 500 tracks in a list took {took:.0f} ms, a picture of {len(picture['binary'])} bytes")


def changes(remote):
    listener = Listener()
    time.sleep(0.3)
    took = {
        "mixer": listener.hears("mixer", lambda: remote.setvol(30)),
        "options": listener.hears("options", lambda: remote.repeat(1)),
        "playlist": listener.hears("playlist", lambda: remote.add(ALBUM[0])),
        "player": listener.hears("player", lambda: remote.pause(1)),
    }
    took["player of tutti"] = listener.hears("player", lambda: tutti("resume", "--group", "downstairs"))
    took["playlist of tutti"] = listener.hears("playlist", lambda: tutti("remove", "4", "--group", "downstairs"))
    took["mixer of tutti"] = listener.hears("mixer", lambda: tutti("volume", "--group", "downstairs", "45"))
    took["options of tutti"] = listener.hears("options", lambda: tutti("repeat", "off", "--group", "downstairs"))
    assert remote.status()["volume"] == "45"
    # Nothing is told while nothing happens.
    time.sleep(1)
    listener.heard.clear()
    time.sleep(5)
    assert not listener.heard, listener.heard
    loop = subprocess.Popen(["mpc", "-h", "127.0.0.1", "-p", str(PORT), "idleloop"], stdout=subprocess.PIPE, text=True)
    time.sleep(0.3)
    remote.setvol(50)
    assert loop.stdout.readline().strip() == "mixer"
    loop.kill()
    # Messages between clients.
    other = client()
    other.subscribe("hello")
    remote.sendmessage("hello", "world")
    assert other.readmessages() == [{"channel": "hello", "message": "world"}]
    say("idle hears, in ms: " + ", ".join(f"{what} {ms:.0f}" for what, ms in took.items()))


def rooms(remote):
    outputs = {output["outputname"]: output for output in remote.outputs()}
    assert outputs["kitchen"]["outputenabled"] == outputs["bath"]["outputenabled"] == "1", outputs
    mpc("disable", "bath")
    wait("the room's leaving", lambda: [o["outputenabled"] for o in remote.outputs() if o["outputname"] == "bath"] == ["0"])
    assert remote.status()["state"] == "play"
    assert "bath" not in [line.split()[0] for line in tutti("group").splitlines() if "downstairs" in line]
    mpc("enable", "bath")
    wait("the room's coming", lambda: [o["outputenabled"] for o in remote.outputs() if o["outputname"] == "bath"] == ["1"])
    wait("the room", lambda: not mpc("outputset", "bath", "volume=20", check=False))
    wait("its volume", lambda: '"volume":20' in tutti("status", "--group", "downstairs", "--json"))
    remote.newpartition("garden")
    other = client()
    other.partition("garden")
    refused(lambda: other.add(ALBUM[0]), 52)
    other.moveoutput("bath")
    other.add(ALBUM[0])
    other.play()
    wait("the other group", lambda: other.status()["state"] == "play" and other.status()["partition"] == "garden")
    wait("the first group", lambda: remote.status()["state"] == "play" and [
        o["outputname"] for o in remote.outputs() if o["outputenabled"] == "1"] == ["kitchen"])
    assert "garden" in tutti("group")
    other.stop()
    other.partition("default")
    remote.delpartition("garden")
    wait("its end", lambda: "garden" not in tutti("group") and {"partition": "garden"} not in remote.listpartitions())
    mpc("disable", "bath")
    mpc("enable", "bath")
    say("rooms: outputs join and leave, a partition is made, plays and is deleted")


def ncmpcpp():
    """It shows what plays, and its keys do what they say. A terminal of tmux's is its screen."""
    session = ["tmux", "-L", f"tutti-{os.getpid()}"]
    home = f"{WORK}/ncmpcpp"
    os.makedirs(home, exist_ok=True)
    with open(f"{home}/config", "w") as file:
        file.write(f"mpd_host = 127.0.0.1\nmpd_port = {PORT}\nncmpcpp_directory = {home}\nlyrics_directory = {home}\n")
    subprocess.run(session + ["new-session", "-d", "-x", "120", "-y", "30", f"LANG=C.UTF-8 ncmpcpp -c {home}/config"], check=True, env=ENVIRONMENT)
    screen = lambda: subprocess.run(session + ["capture-pane", "-p"], capture_output=True, text=True).stdout
    keys = lambda *keys: subprocess.run(session + ["send-keys", *keys], check=True)
    remote = client()
    try:
        wait("its list", lambda: all(f"Track {number}" in screen() for number in (1, 2, 3)))
        wait("what it says of playing", lambda: "Playing" in screen() or "playing" in screen().lower())
        keys("p")
        wait("its pause", lambda: remote.status()["state"] == "pause")
        keys("p")
        wait("its resume", lambda: remote.status()["state"] == "play")
        song = remote.status()["song"]
        keys(">")
        wait("its next", lambda: remote.status()["song"] != song)
        keys("r")
        wait("its repeat", lambda: remote.status()["repeat"] == "1")
        # It has to hear of it, too.
        time.sleep(1.5)
        keys("r")
        wait("its repeat", lambda: remote.status()["repeat"] == "0")
        remote.setvol(33)
        wait("the volume that it shows", lambda: "33%" in screen())
        keys("7")
        wait("its list of outputs", lambda: "kitchen" in screen())
        keys("2")
        wait("the folders that it shows", lambda: "album" in screen())
        keys("4")
        wait("the artists that it shows", lambda: "Nobody" in screen() and "Nothing" in screen())
        say("ncmpcpp: list, pause, next, repeat, volume, outputs, folders, artists and albums")
    except BaseException:
        print(screen(), file=sys.stderr)
        raise
    finally:
        subprocess.run(session + ["kill-server"])


def guarded():
    """A server with passwords, on all addresses; and without one, which refuses."""
    bare = subprocess.run([f"{PROGRAMS}/tutti-mpd", "--listen", f"0.0.0.0:{GUARDED}"], capture_output=True, text=True, timeout=20)
    assert bare.returncode == 2 and "--password-file" in bare.stderr, bare
    for program, words in (("mpd", ["--listen", "nowhere"]), ("mqtt", ["--tls", "perhaps"]), ("desktop", ["--color"])):
        wrong = subprocess.run([f"{PROGRAMS}/tutti-{program}", *words], capture_output=True, text=True, timeout=20, env=ENVIRONMENT)
        assert wrong.returncode == 2, wrong
    bare = subprocess.run([f"{PROGRAMS}/tutti-player", "serve", "--mpd", f"0.0.0.0:{GUARDED}"], capture_output=True, text=True,
                          timeout=20, env={**ENVIRONMENT, "XDG_STATE_HOME": f"{WORK}/other", "XDG_RUNTIME_DIR": f"{WORK}/other"})
    assert bare.returncode == 2 and "password" in bare.stderr, bare
    process = start("guarded", [f"{PROGRAMS}/tutti-mpd", "--listen", f"0.0.0.0:{GUARDED}", "--password-file", f"{WORK}/passwords"],
                    stdin=subprocess.PIPE)
    wait("the guarded server", lambda: "serving MPD's protocol" in log("guarded"))
    remote = client(GUARDED)
    refused(remote.status, 4)
    refused(lambda: remote.password("battery staple"), 3)
    remote.password("guest")
    wait("the service", lambda: remote.status()["state"])
    refused(remote.stop, 4)
    remote.password("correct horse")
    remote.setvol(31)
    assert subprocess.run(["mpc", "-h", "correct horse@127.0.0.1", "-p", str(GUARDED), "status"], capture_output=True).returncode == 0
    say("passwords: read alone, everything, and nothing on open addresses without one")
    return process


def figures(process):
    with open(f"/proc/{process}/status") as file:
        kib = int(re.search(r"VmRSS:\s+(\d+)", file.read())[1])
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return kib / 1024, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def strangers(service, remote):
    """Noise, HTTP, clients that say nothing and too many of them: what plays does not notice."""
    program = int(subprocess.run(["pgrep", "-P", str(service.pid), "-f", "tutti-mpd"], capture_output=True, text=True).stdout.split()[0])
    for data in (b"GET / HTTP/1.1\r\n\r\n", os.urandom(100_000), b"add " + b"a" * 100_000, b"command_list_begin\n" + b"\n" * 500_000):
        with socket.create_connection(("127.0.0.1", PORT), 5) as noise:
            noise.settimeout(5)
            try:
                noise.sendall(data)
                while noise.recv(65536):
                    pass
            except (ConnectionError, TimeoutError) as error:
                assert not isinstance(error, TimeoutError), data[:20]
    crowd = [socket.create_connection(("127.0.0.1", PORT), 5) for _ in range(150)]
    time.sleep(1)
    assert remote.status()["state"] == "play"
    for one in crowd:
        one.close()
    wait("room for others", lambda: mpc("status"))
    # Ten clients that ask once a second for what most ask.
    remotes = [client() for _ in range(10)]
    size, before = figures(program)
    began = time.monotonic()
    for _ in range(10):
        for one in remotes:
            one.status(), one.currentsong()
        time.sleep(1)
    size, after = figures(program)
    busy = (after - before) / (time.monotonic() - began) * 100
    times = []
    for _ in range(200):
        begin = time.monotonic()
        remote.status()
        times.append((time.monotonic() - begin) * 1000)
    times.sort()
    assert size < 150, size
    say(f"strangers: no harm; ten clients: {size:.1f} MiB, {busy:.2f} % of a processor; status takes {times[100]:.2f} ms (median)")
    # Killed, it is started again, and the music plays on.
    os.kill(program, signal.SIGKILL)

    def again():
        try:
            return client().status()["state"] == "play"
        except (OSError, mpd.MPDError, KeyError):
            return False

    wait("the next one", again)
    say("killed, it is started again, and the music plays on")


def main():
    began = time.monotonic()
    for room in ("kitchen", "bath"):
        wait(room, lambda: "speaker ready" in log(room))
    service = serve()
    others = []
    try:
        wait("the server", lambda: "serving MPD's protocol" in log("serve"))
        remote = client()
        wait("the service", lambda: "the service answers" in log("serve"))
        assert remote.mpd_version.startswith("0.23")
        for part in (transport, options, queue, changes, rooms, database, playlists, sheets, stickers, priorities, single):
            part(remote)
        ncmpcpp()
        others.append(guarded())
        strangers(service, remote)
        say(f"green, {time.monotonic() - began:.0f} s")
    except BaseException:
        for name in ("serve", "guarded", "kitchen", "bath"):
            if os.path.exists(f"{WORK}/{name}.log"):
                print(f"--- {name}\n{log(name)[-3000:]}", file=sys.stderr)
        raise
    finally:
        for process in others + [service]:
            process.terminate()


main()
