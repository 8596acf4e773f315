#!/usr/bin/env python3
"""Makes a film that says where it is: a number in each picture, a click at each second, and a quiet tone that tells the seconds apart.

    film.py film.mkv [--rate 30] [--seconds 20] [--size 1280x720] [--coding libx264] [--variable] [--broken]
                     [--no-sound] [--no-pictures]

The number is written as witness.c reads it: 24 blocks along the upper edge. Needs ffmpeg, and nothing of Python but its library.
"""

import argparse
import array
import math
import os
import random
import subprocess
import sys
import tempfile
import wave

BLOCKS = 24
BLOCK_ROWS = 32
CHECK_BITS = 4
DARK, LIGHT = 16, 235

SAMPLE_RATE = 48000
CLICK_LEVEL, CLICK_FREQUENCY, CLICK_SECONDS = 0.9, 1000, 0.005
TONE_LEVEL = 0.05
# Whole numbers of Hz: the tone passes zero, rising, at each second.
TONES = [200 + 50 * index for index in range(16)]


def is_kept(number, rate, variable):
    """Whether a film has this picture: one of variable rate leaves out some, in each second in another manner."""
    return not variable or number % (1 + number // rate % 4) == 0


def number_row(number, width):
    check, rest = 0, number
    while rest:
        check += rest & 15
        rest >>= CHECK_BITS
    bits = number << CHECK_BITS | check & 15
    row = bytearray()
    for block in range(BLOCKS):
        level = LIGHT if bits >> (BLOCKS - 1 - block) & 1 else DARK
        row += bytes([level]) * ((block + 1) * width // BLOCKS - block * width // BLOCKS)
    return bytes(row)


def picture(number, width, height):
    """Of one byte a pixel: the number, and below it a bar that moves over a ramp, for the coder to have work."""
    ramp = bytearray(DARK + (LIGHT - DARK) * x // width for x in range(width))
    still = bytes(ramp)
    bar = width // 20
    left = number * 7 % (width - bar)
    ramp[left:left + bar] = bytes([200]) * bar
    above = min(height, 3 * BLOCK_ROWS)
    return number_row(number, width) * BLOCK_ROWS + still * (above - BLOCK_ROWS) + bytes(ramp) * (height - above)


def second_of_sound(second):
    tone = 2 * math.pi * TONES[second % len(TONES)] / SAMPLE_RATE
    samples = [TONE_LEVEL * math.sin(tone * frame) for frame in range(SAMPLE_RATE)]
    for frame in range(int(CLICK_SECONDS * SAMPLE_RATE)):
        samples[frame] = CLICK_LEVEL * math.sin(2 * math.pi * CLICK_FREQUENCY * frame / SAMPLE_RATE)
    return array.array("h", (round(32767 * sample) for sample in samples)).tobytes()


def write_sound(path, seconds):
    kinds = [second_of_sound(second) for second in range(min(seconds, len(TONES)))]
    with wave.open(path, "wb") as file:
        file.setnchannels(1), file.setsampwidth(2), file.setframerate(SAMPLE_RATE)
        for second in range(seconds):
            file.writeframes(kinds[second % len(TONES)])


def elements(data, begin, end):
    """The EBML elements of Matroska between two places: identifier, begin and end of what they hold."""
    while begin < end:
        length = 9 - data[begin].bit_length()
        identifier = int.from_bytes(data[begin:begin + length], "big")
        begin += length
        length = 9 - data[begin].bit_length()
        size = int.from_bytes(data[begin:begin + length], "big") & (1 << 7 * length) - 1
        begin += length
        yield identifier, begin, begin + size
        begin += size


def break_times(path):
    """Moves each seventh picture's time by up to ten seconds, and every fiftieth by as much as Matroska can say."""
    SEGMENT, CLUSTER, SIMPLE_BLOCK, VIDEO_TRACK = 0x18538067, 0x1F43B675, 0xA3, 0x81
    data = bytearray(open(path, "rb").read())
    dice = random.Random(1)
    count = 0
    for segment in (element for element in elements(data, 0, len(data)) if element[0] == SEGMENT):
        for cluster in (element for element in elements(data, *segment[1:]) if element[0] == CLUSTER):
            for identifier, begin, _ in elements(data, *cluster[1:]):
                if identifier != SIMPLE_BLOCK or data[begin] != VIDEO_TRACK:
                    continue
                count += 1
                time = int.from_bytes(data[begin + 1:begin + 3], "big", signed=True)
                if count % 50 == 0:
                    time = dice.choice((-32768, 32767))
                elif count % 7 == 0:
                    time = max(-32768, min(32767, time + dice.randint(-10000, 10000)))
                data[begin + 1:begin + 3] = time.to_bytes(2, "big", signed=True)
    if not count:
        sys.exit(f"{path}: no pictures whose times could be broken")
    open(path, "wb").write(data)


def make(options):
    width, height = map(int, options.size.split("x"))
    command = ["ffmpeg", "-nostdin", "-v", "error", "-y"]
    with tempfile.TemporaryDirectory() as folder:
        if not options.no_pictures:
            command += ["-f", "rawvideo", "-pix_fmt", "gray", "-s", options.size, "-r", str(options.rate), "-i", "pipe:"]
        if not options.no_sound:
            sound = os.path.join(folder, "sound.wav")
            write_sound(sound, options.seconds)
            command += ["-i", sound, "-c:a", "flac"]
        filters = [f"noise=alls={options.noise}:allf=t"] if options.noise else []
        if options.variable:
            filters.append(f"select=not(mod(n\\,1+mod(floor(n/{options.rate})\\,4)))")
            command += ["-fps_mode", "vfr"]
        if filters:
            command += ["-vf", ",".join(filters)]
        if not options.no_pictures:
            command += ["-pix_fmt", "yuv420p", "-c:v", options.coding, "-g", str(options.sync * options.rate)]
            command += ["-preset", "veryfast"] if options.coding == "libx264" else ["-b:v", "4M"]
        coder = subprocess.Popen(command + [options.film], stdin=subprocess.PIPE)
        if not options.no_pictures:
            for number in range(options.rate * options.seconds):
                coder.stdin.write(picture(number, width, height))
        coder.stdin.close()
        if coder.wait():
            sys.exit(f"{options.film}: ffmpeg failed")
    if options.broken:
        break_times(options.film)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Makes a film that says where it is.")
    parser.add_argument("film")
    parser.add_argument("--rate", type=int, default=30, help="pictures a second")
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--sync", type=int, default=2, help="seconds from one sync picture to the next")
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--coding", default="libx264", help="an encoder of ffmpeg")
    parser.add_argument("--noise", type=int, default=0, help="strength of noise that gives the decoder something to do, up to 100")
    parser.add_argument("--variable", action="store_true", help="leave out pictures, in each second in another manner")
    parser.add_argument("--broken", action="store_true", help="wrong times for some pictures (Matroska)")
    parser.add_argument("--no-sound", action="store_true")
    parser.add_argument("--no-pictures", action="store_true")
    make(parser.parse_args())
