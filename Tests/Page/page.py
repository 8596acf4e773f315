"""Tries the page as people use it: a real service, two speakers without a card, a real browser.

Usage: page.py FOLDER-OF-PROGRAMS [FOLDER-FOR-SCREENSHOTS]
"""
import contextlib
import functools
import http.server
import json
import math
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import wave
import zlib

from axe_selenium_python import Axe
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PROGRAMS = pathlib.Path(sys.argv[1])
SHOTS = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    PORT = free.getsockname()[1]
PAGE = f"http://127.0.0.1:{PORT}/"


def soon(what, seconds=20):
    """Waits until `what()` is true; other things have the processors too."""
    end = time.monotonic() + seconds
    while True:
        with contextlib.suppress(Exception):
            if value := what():
                return value
        assert time.monotonic() < end, f"not within {seconds} s: {what.__doc__ or what}"
        time.sleep(0.05)


def tone(path, hertz, seconds=300):
    """A quiet tone to play."""
    second = b"".join(
        struct.pack("<hh", *[int(2000 * math.sin(2 * math.pi * hertz * frame / 48000))] * 2) for frame in range(48000))
    with wave.open(path, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(48000)
        for _ in range(seconds):
            file.writeframes(second)
    return path


def cover(path, side=600):
    """A picture, as PNG."""
    rows = b"".join(
        b"\0" + b"".join(bytes((60 + x * 150 // side, 40 + y * 90 // side, 130 - x * 60 // side)) for x in range(side))
        for y in range(side))
    part = lambda name, data: struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)))
        file.write(part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b""))


def tag(path, **tags):
    """Adds tags to a WAV file: INAM is its title, IART its artist, IPRD its album."""
    parts = b"".join(
        name.encode() + struct.pack("<I", len(value.encode()) + 1) + value.encode() + b"\0" * (1 + (len(value.encode()) + 1) % 2)
        for name, value in tags.items())
    with open(path, "r+b") as file:
        file.seek(0, os.SEEK_END)
        file.write(b"LIST" + struct.pack("<I", len(parts) + 4) + b"INFO" + parts)
        size = file.tell() - 8
        file.seek(4)
        file.write(struct.pack("<I", size))
    return path


class House:
    """A service and two speakers, in a folder of their own."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.environment = dict(
            os.environ, XDG_RUNTIME_DIR=folder, XDG_STATE_HOME=f"{folder}/state", XDG_CONFIG_HOME=f"{folder}/config")
        self.programs = []
        self.rooms = [self.speaker(name) for name in ("kitchen", "bath")]
        self.songs = []
        cover(f"{folder}/cover.png")
        for index in range(4):
            self.songs.append(tone(f"{folder}/song {index}.wav", 220 * (index + 1)))
        self.serve()

    def start(self, name, *arguments):
        log = open(self.folder / f"{name}.log", "a")
        program = subprocess.Popen(arguments, stderr=log, stdout=log, env=self.environment)
        self.programs.append(program)
        return program

    def speaker(self, name):
        self.start(
            name, PROGRAMS / "tutti-speaker", "--name", name, "--device", "null", "--port", "0", "--no-mdns",
            "--state-dir", self.folder / name)
        found = soon(lambda: re.search(r"port=(\d+).*speaker ready", (self.folder / f"{name}.log").read_text()))
        return f"{name}@127.0.0.1:{found.group(1)}"

    def serve(self):
        self.service = self.start("service", PROGRAMS / "tutti", "serve", "--http", f"127.0.0.1:{PORT}")
        soon(lambda: self.run("group", "list").returncode == 0)

    def run(self, *arguments):
        return subprocess.run(
            [PROGRAMS / "tutti", *arguments], env=self.environment, capture_output=True, text=True, timeout=30)

    def child(self):
        """The process that serves the page."""
        found = subprocess.run(
            ["pgrep", "-P", str(self.service.pid), "-f", "tutti-web"], capture_output=True, text=True)
        return int(found.stdout.split()[0])

    def end(self):
        for program in reversed(self.programs):
            program.terminate()
        for program in self.programs:
            with contextlib.suppress(subprocess.TimeoutExpired):
                program.wait(10)
            program.kill()


def browser(width=1200, height=900, dark=False, page=PAGE):
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--hide-scrollbars", f"--window-size={width},{height}",
                     "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
                     "--ignore-certificate-errors"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    metrics = dict(width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    if dark:
        scheme = [dict(name="prefers-color-scheme", value="dark")]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", dict(features=scheme))
    driver.get(page)
    return driver


def text(driver, selector):
    return driver.find_element(By.CSS_SELECTOR, selector).text


def titles(driver):
    return [entry.text.split("\n")[0] for entry in driver.find_elements(By.CSS_SELECTOR, "#queue .entry")]


def shoot(driver, name):
    if SHOTS:
        driver.save_screenshot(str(SHOTS / f"{name}.png"))


def expect_accessible(driver):
    """axe finds nothing on the page with its queue. The policy lets no script in but the page's own."""
    driver.execute_cdp_cmd("Page.setBypassCSP", dict(enabled=True))
    driver.refresh()
    soon(lambda: titles(driver))
    axe = Axe(driver)
    axe.inject()
    found = axe.run()["violations"]
    assert not found, axe.report(found)


def check_player(house, one, two):
    """Buttons do at the speaker what they say, and the other browser shows it."""
    play = one.find_element(By.CSS_SELECTOR, ".big")
    assert play.get_attribute("title") == "Pause"
    play.click()
    soon(lambda: two.find_element(By.CSS_SELECTOR, ".big").get_attribute("title") == "Play")
    soon(lambda: '"state":"paused"' in house.run("status", "--json").stdout)
    two.find_element(By.CSS_SELECTOR, ".big").click()
    soon(lambda: '"state":"playing"' in house.run("status", "--json").stdout)
    seek = one.find_element(By.CSS_SELECTOR, ".timeline input")
    seek.send_keys(Keys.PAGE_UP * 2)
    soon(lambda: text(one, ".times span") >= "0:45")
    assert one.find_elements(By.CSS_SELECTOR, ".loaded i"), "what the rooms hold is shown"
    soon(lambda: one.find_element(By.CSS_SELECTOR, "img.art").get_property("naturalWidth") == 600)


def check_rooms(house, one, two):
    """A room's volume and mute, set by the keyboard, are seen by the other browser."""
    kitchen = one.find_element(By.CSS_SELECTOR, '#rooms input[aria-label="Volume of kitchen"]')
    kitchen.send_keys(Keys.HOME)
    kitchen.send_keys(Keys.ARROW_RIGHT * 7)
    there = '#rooms input[aria-label="Volume of kitchen"]'
    soon(lambda: two.find_element(By.CSS_SELECTOR, there).get_property("value") == "7")
    one.find_element(By.CSS_SELECTOR, 'button[aria-label="Mute bath"]').send_keys(Keys.SPACE)
    soon(lambda: two.find_element(By.CSS_SELECTOR, 'button[aria-label="Unmute bath"]'))
    one.find_element(By.CSS_SELECTOR, 'button[aria-label="Unmute bath"]').click()
    soon(lambda: "µs" in text(one, ".health"), 60)
    one.find_element(By.CSS_SELECTOR, ".health").click()
    soon(lambda: "In step" in text(one, "dialog .answer"), 60)
    time.sleep(5)
    shoot(one, "health")
    one.find_element(By.CSS_SELECTOR, "dialog button").click()


def check_queue(house, one, two):
    """The queue is ordered by dragging and by keys, and both browsers show the same."""
    address = one.find_element(By.NAME, "uri")
    for song in house.songs[1:]:
        address.send_keys(song, Keys.ENTER)
        soon(lambda: address.get_property("value") == "")
    soon(lambda: len(titles(one)) == 4 and titles(one) == titles(two))
    before = titles(one)
    entry = one.find_elements(By.CSS_SELECTOR, "#queue .entry")[1]
    one.execute_script("arguments[0].focus()", entry)
    ActionChains(one).key_down(Keys.ALT).send_keys(Keys.ARROW_DOWN).key_up(Keys.ALT).perform()
    moved = [before[0], before[2], before[1], before[3]]
    soon(lambda: titles(one) == moved and titles(two) == moved)
    rows = two.find_elements(By.CSS_SELECTOR, "#queue li")
    ActionChains(two).drag_and_drop(rows[3], rows[1]).perform()
    dragged = [moved[0], moved[3], moved[1], moved[2]]
    soon(lambda: titles(one) == dragged and titles(two) == dragged)
    one.find_elements(By.CSS_SELECTOR, "#queue .track-row .icon")[3].click()
    soon(lambda: titles(two) == dragged[:3])
    address.send_keys("/nowhere/at all.flac")
    one.find_element(By.CSS_SELECTOR, '#queue button[value="now"]').click()
    soon(lambda: "at all.flac" in text(one, "#messages"))
    assert titles(one) == dragged[:3], "what fails changes nothing"
    assert '"state":"playing"' in house.run("status", "--json").stdout


def check_files(house, one, two):
    """Files are sent from the browser: chosen or dropped, several at once, into the queue; what is no music is named."""
    before = titles(one)
    chosen = [tone(str(house.folder / f"sent {number}.wav"), 300, 20) for number in (10, 2)]
    one.find_element(By.CSS_SELECTOR, "#queue input[type=file]").send_keys("\n".join(chosen))
    soon(lambda: titles(one) == before + ["sent 2.wav", "sent 10.wav"] and titles(two) == titles(one))
    drop = """
        const data = new DataTransfer();
        for (const name of ["noise.wav", "text.mp3"]) {
            const samples = new Uint8Array(96_000).map((_, index) => index * 37);
            const head = new DataView(new ArrayBuffer(44));
            [0x52494646, 0, 0x57415645, 0x666d7420].forEach((word, index) => head.setUint32(index * 4, word));
            [36 + 96_000, , , 16].forEach((word, index) => word && head.setUint32(4 + index * 4, word, true));
            head.setUint16(20, 1, true), head.setUint16(22, 1, true), head.setUint32(24, 48_000, true);
            head.setUint32(28, 96_000, true), head.setUint16(32, 2, true), head.setUint16(34, 16, true);
            head.setUint32(36, 0x64617461), head.setUint32(40, 96_000, true);
            data.items.add(new File(name === "noise.wav" ? [head.buffer, samples] : ["no music"], name));
        }
        for (const kind of ["dragover", "drop"]) {
            arguments[0].dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
        }"""
    two.execute_script(drop, two.find_element(By.CSS_SELECTOR, "#queue .list"))
    soon(lambda: "text.mp3: not an audio file" in text(two, "#messages"))
    soon(lambda: titles(one) == before + ["sent 2.wav", "sent 10.wav", "noise.wav"])
    kept = [path.name for path in house.folder.glob("state/tutti/uploads/*/*")]
    assert sorted(kept) == ["noise.wav", "sent 10.wav", "sent 2.wav"], kept
    assert not one.find_element(By.CSS_SELECTOR, "#queue .files").is_displayed(), "nothing is on its way any more"
    for left in (2, 1, 0):
        one.find_elements(By.CSS_SELECTOR, "#queue .track-row .icon")[-1].click()
        soon(lambda: len(titles(one)) == len(before) + left)
    soon(lambda: titles(one) == before)
    assert '"state":"playing"' in house.run("status", "--json").stdout


def impulse(path):
    """An impulse response: half as loud, and an echo."""
    frames = [0] * 2400
    frames[0], frames[2000] = 1 << 14, 1 << 12
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(48000)
        file.writeframes(struct.pack(f"<{len(frames)}h", *frames))
    return path


def check_sound(house, one):
    """The sound of a room: sides, tone, an equaliser, files, a stereo pair; what is wrong is said beside it and changes nothing."""
    address = {room.split("@")[0]: room for room in house.rooms}

    def lines(room="kitchen"):
        """What the speaker itself says. It lets a host in ten times a second, and the page is that host too."""
        for _ in range(10):
            answer = house.run("room", address[room], "chain", "show", "--json")
            if answer.returncode == 0:
                return json.loads(answer.stdout)["chain"]
            time.sleep(0.5)
        raise AssertionError(answer.stderr)

    sound = lambda selector: one.find_element(By.CSS_SELECTOR, f"dialog .sound {selector}")
    part = lambda name: sound(f'.part[aria-label="{name}"]')
    button = lambda words: sound("").find_element(By.XPATH, f".//button[text()='{words}']")
    shown = lambda: sound(".chain").get_property("textContent").split("\n")

    def expect(*chain):
        """The page shows these effects, and the speaker has them."""
        soon(lambda: shown() == list(chain))
        assert lines() == list(chain), lines()

    fault = lambda name: part(name).find_element(By.CSS_SELECTOR, ".fault").text
    slider = lambda place: one.find_elements(By.CSS_SELECTOR, "dialog .tone input")[place]

    one.find_element(By.CSS_SELECTOR, "#rooms .health[aria-label^=kitchen]").click()
    sound("summary").click()
    soon(lambda: sound("select").get_property("value") == "stereo")
    sound("select").send_keys("the left")
    expect("channels left")
    slider(0).send_keys(Keys.ARROW_RIGHT * 3)
    slider(1).send_keys(Keys.ARROW_LEFT * 2)
    tones = "lowshelf 100 3; highshelf 8000 -2"
    expect("channels left", f"eq {tones}")
    assert [value.text for value in one.find_elements(By.CSS_SELECTOR, "dialog .tone output")] == ["+3 dB", "−2 dB"]
    shoot(one, "sound")

    sound("details summary").click()
    filters = sound("form input")
    soon(lambda: filters.get_property("value") == tones)
    filters.clear()
    filters.send_keys("peak loud", Keys.ENTER)
    soon(lambda: "must be a number" in fault("Equaliser as text"))
    assert filters.get_property("value") == "peak loud" and lines()[1] == f"eq {tones}"
    filters.clear()
    filters.send_keys("peak 62 -5 4", Keys.ENTER)
    expect("channels left", "eq peak 62 -5 4")
    assert not fault("Equaliser as text")
    assert not slider(0).is_enabled() and "set by text" in part("Tone").text

    chosen = sound("input[type=file]")
    chosen.send_keys(impulse(str(house.folder / "kitchen window.wav")))
    soon(lambda: "Uses kitchen window.wav" in part("Room correction").text)
    kept = lines()
    assert len(kept) == 3 and re.fullmatch(r'convolve [0-9a-f]{64} name="kitchen window.wav"', kept[2]), kept
    wrong = house.folder / "wrong.yaml"
    wrong.write_text("chain:\n  - limit -1\n  - limit 7\n")
    chosen.send_keys(str(wrong))
    soon(lambda: fault("Room correction").startswith("wrong.yaml: line 3: "))
    chosen.send_keys(tone(str(house.folder / "no impulse.wav"), 440, 20))
    soon(lambda: re.match("no impulse.wav: .*cut it shorter", fault("Room correction")))
    chosen.send_keys(house.songs[0])
    soon(lambda: fault("Room correction") == "song 0.wav is larger than 32 MiB")
    assert lines() == kept, "what is wrong changes nothing"
    assert not list(house.folder.glob("state/tutti/uploads/*/kitchen*")), "a file is gone when it has been read"
    wizard = house.folder / "filters.txt"
    wizard.write_text("Filter Settings file\nFilter  1: ON  PK  Fc 50.0 Hz  Gain -10.0 dB  Q 2.50\n")
    chosen.send_keys(str(wizard))
    expect("eq peak 50 -10 2.5")

    time.sleep(2)
    button("This room is right").click()
    expect("channels right", "eq peak 50 -10 2.5")
    assert lines("bath") == ["channels left"] and sound("select").get_property("value") == "right"
    # Both rooms are asked several times; what came before has used up what their speakers allow one host.
    time.sleep(2)
    said = house.run("stereo", "kitchen", "bath")
    assert said.stdout == "kitchen: plays the left side\nbath: plays the right side\n", said
    time.sleep(2)
    button("No pair").click()
    expect("eq peak 50 -10 2.5")
    assert lines("bath") == []
    button("Turn everything off").click()
    soon(lambda: shown() == ["No effects"])
    assert lines() == []
    assert slider(0).is_enabled()
    one.find_element(By.CSS_SELECTOR, "dialog button").click()


class Radio(http.server.BaseHTTPRequestHandler):
    """A station: a song as fast as it sounds, four seconds of it at once."""

    def __init__(self, *arguments, song):
        self.song = song
        super().__init__(*arguments)

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "audio/x-wav")
        self.send_header("icy-name", "Loopback FM")
        self.end_headers()
        begin, second = time.monotonic(), 4 * 48000
        with contextlib.suppress(OSError), open(self.song, "rb") as song:
            self.wfile.write(song.read(44 + 4 * second))
            while chunk := song.read(second // 10):
                self.wfile.write(chunk)
                time.sleep(max(0, song.tell() / second - 4 - (time.monotonic() - begin)))

    def log_message(self, *_):
        pass


def check_stations(house, one):
    """A radio station is kept on one browser, listed on the command line, played by one press, heard later, caught up with, and forgotten."""
    handler = functools.partial(Radio, song=house.folder / "song 0.wav")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/live"
        one.find_element(By.CSS_SELECTOR, "#stations summary").click()
        one.find_element(By.CSS_SELECTOR, "#stations input[name=name]").send_keys("Küche & Jazz / 1")
        one.find_element(By.CSS_SELECTOR, "#stations input[name=uri]").send_keys(address)
        one.find_element(By.CSS_SELECTOR, "#stations form button").click()
        soon(lambda: text(one, "#stations .chip") == "Küche & Jazz / 1")
        assert house.run("station").stdout == f"Küche & Jazz / 1: {address}\n"
        one.execute_script("document.querySelector('#stations').scrollIntoView()")
        shoot(one, "stations")
        one.find_element(By.CSS_SELECTOR, "#stations .chip").click()
        soon(lambda: "Küche & Jazz / 1" in house.run("status").stdout)
        soon(lambda: "Küche & Jazz / 1" in text(one, "#player"))
        one.execute_script("scrollTo(0, 0)")
        live = one.find_element(By.CSS_SELECTOR, ".live")
        soon(lambda: live.text == "Live" and not live.is_enabled())
        assert house.run("pause").returncode == 0
        soon(lambda: live.text >= "0:04 late · back to live")
        assert house.run("resume").returncode == 0
        shoot(one, "live")
        live.click()
        soon(lambda: live.text == "Live" and not live.is_enabled())
        assert json.loads(house.run("status", "--json").stdout)["behind"] < 1
        assert house.run("station", "remove", "kuche & jazz / 1").returncode == 0
        soon(lambda: not one.find_elements(By.CSS_SELECTOR, "#stations .chip"))
        assert "no such station" in house.run("play", "station:jazz", "--room", house.rooms[0]).stderr
        server.shutdown()
    rooms = [word for room in house.rooms for word in ("--room", room)]
    assert house.run("play", "--detach", *rooms, *house.songs[:3]).returncode == 0
    soon(lambda: len(titles(one)) == 3)


def check_library(house, one):
    """Music that somebody adds appears; it is found while one types, opened, queued and played, with keys alone; a queue is kept."""
    music = house.folder / "music"
    for album, (artist, title) in enumerate((("Anna Ö.", "First Light"), ("Bertram", "Second Sight"))):
        folder = music / title
        folder.mkdir(parents=True)
        if album == 0:
            cover(folder / "cover.png", 200)
        for track in (1, 2, 3):
            tag(tone(str(folder / f"{track}.wav"), 200 + 40 * track, 60),
                INAM=f"{title} part {track}", IART=artist, IPRD=title, IPRT=str(track))
    added = house.run("library", "add", str(music))
    assert added.returncode == 0, added.stderr
    library = one.find_element(By.ID, "library")
    soon(lambda: library.is_displayed(), 30)
    found = lambda: [album.text.split("\n")[0] for album in one.find_elements(By.CSS_SELECTOR, "#library .album .what")]
    soon(lambda: found() == ["First Light", "Second Sight"])
    one.execute_script("document.querySelector('#library').scrollIntoView()")
    # One album has a picture, the other one its letter.
    soon(lambda: one.execute_script("return document.querySelectorAll('#library .album img:not([hidden])').length") == 1)
    assert one.find_element(By.CSS_SELECTOR, "#library .album .none:not([hidden])").text == "S"
    shoot(one, "library")
    search = one.find_element(By.CSS_SELECTOR, "#library input[type=search]")
    search.send_keys("anna o par")
    tracks = lambda: [row.text for row in one.find_elements(By.CSS_SELECTOR, "#library .entry > :first-child")]
    soon(lambda: sorted(tracks()) == [f"First Light part {track}" for track in (1, 2, 3)])
    search.send_keys("zzz")
    soon(lambda: text(one, "#library [role=status]") == "Nothing found.")
    search.send_keys(Keys.BACKSPACE * 20)
    soon(lambda: len(found()) == 2)
    # Keys alone.
    album = one.find_elements(By.CSS_SELECTOR, "#library .album")[1]
    one.execute_script("arguments[0].focus()", album)
    album.send_keys(Keys.ENTER)
    soon(lambda: tracks() == [f"{track}. Second Sight part {track}" for track in (1, 2, 3)])
    shoot(one, "album")
    press = lambda how: one.find_element(By.CSS_SELECTOR, f"#library [data-how={how}]").send_keys(Keys.ENTER)
    press("now")
    soon(lambda: titles(one) == [f"Second Sight part {track}" for track in (1, 2, 3)])
    one.find_element(By.CSS_SELECTOR, "#library .heart").send_keys(Keys.ENTER)
    soon(lambda: "Second Sight part 1" in house.run("favourite").stdout)
    one.switch_to.active_element.send_keys(Keys.ESCAPE)
    soon(lambda: len(found()) == 2)
    assert one.switch_to.active_element.find_element(By.CSS_SELECTOR, ".what").text == "Second Sight"
    one.find_elements(By.CSS_SELECTOR, "#library .album")[0].send_keys(Keys.ENTER)
    soon(lambda: tracks() == [f"{track}. First Light part {track}" for track in (1, 2, 3)])
    press("next")
    soon(lambda: titles(one)[1:4] == [f"First Light part {track}" for track in (1, 2, 3)])
    press("end")
    soon(lambda: len(titles(one)) == 9)
    one.switch_to.active_element.send_keys(Keys.ESCAPE)
    # The queue as a playlist.
    one.find_element(By.CSS_SELECTOR, "#playlists summary").send_keys(Keys.ENTER)
    one.find_element(By.CSS_SELECTOR, "#playlists input").send_keys("Dinner / 1" + Keys.ENTER)
    soon(lambda: text(one, "#playlists .chip") == "Dinner / 1")
    assert house.run("playlist").stdout == "Dinner / 1: 9 tracks\n"
    one.find_element(By.XPATH, "//*[@id='queue']//button[text()='Clear']").send_keys(Keys.ENTER)
    soon(lambda: len(titles(one)) == 1)
    one.find_element(By.CSS_SELECTOR, "#playlists .chip").send_keys(Keys.ENTER)
    soon(lambda: len(titles(one)) == 9)
    assert house.run("playlist", "remove", "dinner / 1").returncode == 0
    soon(lambda: not one.find_elements(By.CSS_SELECTOR, "#playlists .chip"))
    rooms = [word for room in house.rooms for word in ("--room", room)]
    assert house.run("play", "--detach", *rooms, *house.songs[:3]).returncode == 0
    soon(lambda: len(titles(one)) == 3)


def check_voice(house, one):
    """An announcement is recorded by the microphone, by keys alone, heard before it goes, and made in the group."""
    def press(words):
        button = one.find_element(By.XPATH, f"//*[@id='later']//button[text()='{words}']")
        one.execute_script("arguments[0].focus()", button)
        button.send_keys(Keys.ENTER)
    press("Record an announcement")
    soon(lambda: "Recording, 0:02" in text(one, ".voice"))
    assert one.switch_to.active_element.text == "Stop recording"
    press("Stop recording")
    soon(lambda: one.find_element(By.CSS_SELECTOR, ".voice audio").is_displayed())
    one.execute_script("document.querySelector('#later').scrollIntoView()")
    shoot(one, "voice")
    press("Announce it")
    soon(lambda: '"announcing":true' in house.run("status", "--json").stdout)
    soon(lambda: "The rooms play the announcement" in text(one, "#messages"))
    soon(lambda: '"announcing":true' not in house.run("status", "--json").stdout)
    press("Record an announcement")
    soon(lambda: "Recording" in text(one, ".voice"))
    press("Stop recording")
    soon(lambda: one.find_element(By.CSS_SELECTOR, ".voice audio").is_displayed())
    press("Discard")
    assert one.switch_to.active_element.text == "Record an announcement"


def check_guest(house):
    """A guest's link opens the page signed in, with one group and its rooms; what is no guest's is not there."""
    assert house.run("group", "set", "party", house.rooms[1]).returncode == 0
    token = house.run("token", "new", "guest", "--group", "party", "--for", "2h").stdout.split()[0]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    house.start("guests", PROGRAMS / "tutti-web", "--listen", f"0.0.0.0:{port}")
    soon(lambda: "serving" in (house.folder / "guests.log").read_text())
    driver = browser(390, 1200, page=f"https://127.0.0.1:{port}/#token={token}")
    try:
        soon(lambda: "You are a guest of party until" in text(driver, "#guest"))
        soon(lambda: [name.text for name in driver.find_elements(By.CSS_SELECTOR, "#rooms .name span:first-child")] == ["bath"])
        assert token not in driver.current_url
        assert [chip.text for chip in driver.find_elements(By.CSS_SELECTOR, "#groups button")] == ["party"]
        assert text(driver, "#later h2") == "Announcements"
        assert not driver.find_element(By.NAME, "when").is_displayed()
        assert not [button for button in driver.find_elements(By.CSS_SELECTOR, "#rooms button[title*='group']") if button.is_displayed()]
        bath = driver.find_element(By.CSS_SELECTOR, '#rooms input[aria-label="Volume of bath"]')
        bath.send_keys(Keys.HOME)
        bath.send_keys(Keys.ARROW_RIGHT * 9)
        soon(lambda: re.search(r'"name":"bath"[^}]*"volume":9\b', house.run("status", "--json").stdout))
        sent = tone(str(house.folder / "of a guest.wav"), 400, 20)
        driver.find_element(By.CSS_SELECTOR, "#queue input[type=file]").send_keys(sent)
        soon(lambda: titles(driver) == ["of a guest.wav"])
        driver.find_element(By.CSS_SELECTOR, "#rooms .health").click()
        assert driver.find_element(By.CSS_SELECTOR, "dialog[open] canvas").is_displayed()
        assert not driver.find_element(By.CSS_SELECTOR, "dialog .sound").is_displayed(), "a room's sound is no guest's"
        driver.find_element(By.CSS_SELECTOR, "dialog[open] button").click()
        shoot(driver, "guest")
        expect_accessible(driver)
        assert house.run("token", "revoke", "guest").returncode == 0
        soon(lambda: driver.find_element(By.CSS_SELECTOR, "dialog[open] input[type=password]"), 60)
    finally:
        driver.quit()


def check_return(house, one):
    """The page comes back by itself: after its server, and after the whole service."""
    os.kill(house.child(), signal.SIGKILL)
    soon(lambda: one.find_element(By.ID, "banner").is_displayed())
    soon(lambda: not one.find_element(By.ID, "banner").is_displayed())
    assert '"state":"playing"' in house.run("status", "--json").stdout, "and nothing was heard of it"
    house.service.kill()
    house.service.wait()
    soon(lambda: one.find_element(By.ID, "banner").is_displayed())
    house.serve()
    soon(lambda: not one.find_element(By.ID, "banner").is_displayed(), 40)
    soon(lambda: len(titles(one)) == 3)


def film(folder):
    """A film with two audio tracks, subtitles and chapters, or None without ffmpeg."""
    if not shutil.which("ffmpeg"):
        return None
    (folder / "words.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nHello\n")
    parts = [(0, "Arrival"), (60, "Dinner"), (120, "Departure")]
    (folder / "chapters.txt").write_text(";FFMETADATA1\n" + "".join(
        f"[CHAPTER]\nTIMEBASE=1/1\nSTART={start}\nEND={start + 60}\ntitle={title}\n" for start, title in parts))
    sines = [part for hertz in (220, 330) for part in ("-f", "lavfi", "-i", f"sine={hertz}:d=180")]
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x36:rate=5:d=180", *sines, "-i", "words.srt",
         "-i", "chapters.txt", "-map", "0", "-map", "1", "-map", "2", "-map", "3", "-map_chapters", "4",
         "-metadata:s:a:0", "language=ger", "-metadata:s:a:1", "language=eng", "-metadata:s:s:0", "language=pt-BR",
         "-disposition:s:0", "0", "-c:v", "mpeg2video", "-c:a", "flac", "-c:s", "copy", "film.mkv"],
        cwd=folder, check=True)
    return str(folder / "film.mkv")


def check_tracks(house, one, two):
    """Of a film, audio track, subtitles and chapter are chosen; of music there is nothing to choose."""
    lists = lambda driver: driver.find_elements(By.CSS_SELECTOR, "#player .tracks select")
    assert not one.find_element(By.CSS_SELECTOR, "#player .tracks").is_displayed()
    played = film(house.folder)
    if not played:
        return
    assert house.run("play", "--detach", *[part for room in house.rooms for part in ("--room", room)], played).returncode == 0
    soon(lambda: all(select.is_displayed() for select in lists(one)) and all(select.is_displayed() for select in lists(two)))
    names = lambda place: [option.text for option in lists(one)[place].find_elements(By.TAG_NAME, "option")]
    assert names(0) == ["Sound: as the film suggests", "Sound: German", "Sound: English"], names(0)
    assert names(1) == ["Subtitles: off", "Subtitles: as the film suggests", "Subtitles: Brazilian Portuguese"], names(1)
    assert names(2) == ["0:00 Arrival", "1:00 Dinner", "2:00 Departure"], names(2)
    value = lambda driver, place: lists(driver)[place].get_property("value")
    lists(one)[0].send_keys("Sound: E")
    soon(lambda: value(two, 0) == "2" and "* 2" in house.run("audio").stdout)
    lists(one)[1].send_keys("Subtitles: B")
    soon(lambda: value(two, 1) == "1" and "* 1" in house.run("subtitle").stdout)
    lists(one)[2].send_keys("2:00")
    soon(lambda: value(two, 2) == "3" and text(one, ".times span") >= "2:00")
    house.run("audio", "auto")
    soon(lambda: value(two, 0) == "auto")
    shoot(two, "film")
    for driver in (one, two):
        width = driver.execute_script("return document.documentElement.scrollWidth")
        assert width <= driver.execute_script("return innerWidth"), f"{width} px wide"
    expect_accessible(two)


def check_looks(name, **size):
    """No part is wider than the screen, nothing is refused by the policy, and axe finds nothing; nor in a room's dialog."""
    driver = browser(**size)
    try:
        soon(lambda: titles(driver))
        time.sleep(1.5)
        shoot(driver, name)
        width = driver.execute_script("return document.documentElement.scrollWidth")
        assert width <= driver.execute_script("return innerWidth"), f"{name}: {width} px wide"
        faults = [line for line in driver.get_log("browser") if "Content Security Policy" in line["message"]]
        assert not faults, faults
        expect_accessible(driver)
        driver.execute_script("""
            document.querySelector("#rooms .health").click();
            for (const part of document.querySelectorAll("dialog[open] details")) part.open = true;""")
        time.sleep(0.5)
        shoot(driver, f"{name}-room")
        dialog = driver.find_element(By.CSS_SELECTOR, "dialog[open]")
        width = dialog.get_property("scrollWidth")
        assert width <= dialog.get_property("clientWidth"), f"{name}: a room's dialog is {width} px wide"
        found = Axe(driver).run("dialog .sound")["violations"]
        assert not found, Axe(driver).report(found)
    finally:
        driver.quit()


def main():
    with tempfile.TemporaryDirectory() as folder:
        house = House(folder)
        browsers = []
        try:
            rooms = [part for room in house.rooms for part in ("--room", room)]
            played = house.run("play", "--detach", *rooms, house.songs[0])
            assert played.returncode == 0, played.stderr
            browsers += [browser(), browser(320, 800, dark=True)]
            for driver in browsers:
                soon(lambda: driver.find_element(By.CSS_SELECTOR, ".big").get_attribute("title") == "Pause")
            for check in (check_player, check_rooms, check_queue, check_files):
                check(house, *browsers)
                print(f"ok: {check.__doc__}", flush=True)
            check_sound(house, browsers[0])
            print(f"ok: {check_sound.__doc__}", flush=True)
            check_stations(house, browsers[0])
            print(f"ok: {check_stations.__doc__}", flush=True)
            check_library(house, browsers[0])
            print(f"ok: {check_library.__doc__}", flush=True)
            check_voice(house, browsers[0])
            print(f"ok: {check_voice.__doc__}", flush=True)
            check_guest(house)
            print(f"ok: {check_guest.__doc__}", flush=True)
            for name, size in (
                ("wide", {}), ("dark", dict(dark=True)), ("phone", dict(width=320, height=1400)),
                ("phone-dark", dict(width=390, height=844, dark=True)),
            ):
                check_looks(name, **size)
            print(f"ok: {check_looks.__doc__}", flush=True)
            browsers[0].find_element(By.ID, "wall-button").click()
            time.sleep(1)
            shoot(browsers[0], "wall")
            browsers[0].find_element(By.CSS_SELECTOR, "#wall button").click()
            check_return(house, browsers[0])
            print(f"ok: {check_return.__doc__}", flush=True)
            check_tracks(house, *browsers)
            print(f"ok: {check_tracks.__doc__}", flush=True)
        except BaseException:
            for log in sorted(house.folder.glob("*.log")):
                print(f"-- {log.name}\n{log.read_text()[-3000:]}", file=sys.stderr)
            raise
        finally:
            for driver in browsers:
                driver.quit()
            house.end()


if __name__ == "__main__":
    main()
