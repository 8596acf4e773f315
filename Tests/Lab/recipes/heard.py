"""How what rooms played agrees with a song, from the recordings of virtual cards.

python3 heard.py SONG CARD_LOG… [--seconds N] [--alike R] [--steady MS] [--apart US]: each quarter of a second a window of the first
recording is found in the song. `alike` is the least correlation of those, `steady` by how much the song ran early or late between the
first and the last, `apart` how far the rooms are from each other. Says what is over the limits, and ends with 1.
"""

import argparse
import json
import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "live"))
from measure import Room, place, samples

WINDOW, STEP = 0.2, 0.25

parser = argparse.ArgumentParser()
parser.add_argument("song")
parser.add_argument("cards", nargs="+")
parser.add_argument("--seconds", type=float, default=5)
parser.add_argument("--alike", type=float, default=0.99)
parser.add_argument("--steady", type=float, default=3)
parser.add_argument("--apart", type=float, default=300)
options = parser.parse_args()

song, rate = samples(options.song)
rooms = [Room(card) for card in options.cards]


def windows(room):
    """Of each window that sounds: when it left the card, and when the song's beginning would have."""
    for run in room.runs:
        start, speed = run["t0_raw_ns"] * 1e-9, run["rate"] * (1 + run["ppm"] * 1e-6)
        sound = room.sound[run["file"]][run["first_frame"] : run["first_frame"] + run["frames"]]
        length = int(WINDOW * run["rate"])
        for first in range(0, len(sound) - length, int(STEP * run["rate"])):
            window = sound[first : first + length]
            if run["rate"] != rate or numpy.abs(window).mean() < 100:
                continue
            where, fit = place(window, song, 0)
            left = start + first / speed
            yield left, left - where / rate, fit


def line(found):
    return numpy.array([time for time, _, _ in found]), numpy.array([begin for _, begin, _ in found])


heard = [list(windows(room)) for room in rooms]
if any(len(found) < 4 for found in heard):
    sys.exit(f"the song is not found in what was heard: {[len(found) for found in heard]} windows")
# The first and the last windows are heard in part.
heard = [found[1:-2] for found in heard]
first, begins = line(heard[0])
figures = {"seconds": round(float(first[-1] - first[0]), 2), "alike": round(min(fit for found in heard for _, _, fit in found), 4)}
figures["steady_ms"] = round(float(numpy.ptp(begins)) * 1000, 3)
apart = [abs(numpy.interp(times, first, begins) - others).max() for times, others in map(line, heard[1:])]
figures["apart_us"] = round(float(max(apart, default=0)) * 1e6, 1)
# By CLOCK_MONOTONIC_RAW.
figures["began"] = round(float(numpy.median(begins)), 4)
print(json.dumps(figures))
over = [
    f"{name} {figures[name]} instead of {limit}"
    for name, limit, is_over in [
        ("seconds", options.seconds, figures["seconds"] < options.seconds),
        ("alike", options.alike, figures["alike"] < options.alike),
        ("steady_ms", options.steady, figures["steady_ms"] > options.steady),
        ("apart_us", options.apart, figures["apart_us"] > options.apart),
    ]
    if is_over
]
if over:
    sys.exit("; ".join(over))
