"""How long after its capture live sound leaves each room's card, and how far rooms are apart, from the recordings.

The capture card's log says when which frame of the file was captured, the rooms' logs say when which frame of their recordings left. Each
half second a window of each recording is found in the file. Prints a JSON object; with --limits, says what is over them and ends with 1.
"""

import argparse
import json
import sys
import wave

import numpy

WINDOW = 0.1  # seconds of sound that are found in the file
STEP = 0.5  # between two windows
REACH = 0.05  # how far from where it is expected a window is looked for at first; what is not there is looked for everywhere
FINE = 32  # points between two samples of a correlation


def lines(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


def samples(path):
    """The left channel of a WAV file of 16, 24 or 32-bit samples, as 16-bit ones."""
    with wave.open(str(path)) as file:
        width, data = file.getsampwidth(), file.readframes(file.getnframes())
        bytes_ = numpy.frombuffer(data, dtype=numpy.uint8).reshape(-1, file.getnchannels(), width)[:, 0, -2:]
        return numpy.ascontiguousarray(bytes_).view("<i2")[:, 0].astype(float), file.getframerate()


class Capture:
    """What was captured when."""

    def __init__(self, log, song):
        self.song, _ = samples(song)
        entries = lines(log)
        self.runs = []
        for number, entry in enumerate(entries):
            if entry["event"] != "run":
                continue
            end = entries[number + 1]["first_frame"] if number + 1 < len(entries) else len(self.song)
            self.runs.append((entry["raw_ns"] * 1e-9, entry["rate"] * (1 + entry["ppm"] * 1e-6), entry["first_frame"], end))

    def frame(self, time):
        for start, rate, first, end in reversed(self.runs):
            if time >= start:
                return min(first + (time - start) * rate, end)
        return 0

    def time(self, frame):
        for start, rate, first, end in reversed(self.runs):
            if frame >= first:
                return start + (frame - first) / rate
        return None


def place(window, song, begin):
    """Where a window lies in the song, by frames from `begin` on, and how well it fits there; not before it, and nowhere else."""
    size = 1 << (len(song) + len(window) - 1).bit_length()
    spectrum = numpy.conj(numpy.fft.rfft(window, size)) * numpy.fft.rfft(song, size)
    coarse = numpy.fft.irfft(spectrum, size)[: max(1, len(song) - len(window))]
    best = int(numpy.argmax(coarse))
    # The transform of the correlation's surroundings, drawn between the samples.
    around = numpy.arange(best - 64, best + 64)
    values = numpy.fft.irfft(spectrum, size)[around % size] * numpy.hanning(128)
    fine = numpy.fft.irfft(numpy.fft.rfft(values), 128 * FINE) * FINE
    middle = 64 * FINE
    top = middle - FINE + int(numpy.argmax(fine[middle - FINE : middle + FINE]))
    left, centre, right = fine[top - 1], fine[top], fine[top + 1]
    curve = left - 2 * centre + right
    shift = (left - right) / (2 * curve) if curve else 0
    energy = numpy.sqrt(numpy.sum(window**2) * numpy.sum(song[best : best + len(window)] ** 2))
    return begin + best - 64 + (top + shift) / FINE, coarse[best] / energy if energy else 0


class Room:
    """What left a room's card when."""

    def __init__(self, log):
        self.folder = str(log).rsplit("/", 1)[0]
        self.runs = [entry for entry in lines(log) if "run" in entry and "t0_raw_ns" in entry]
        self.events = [entry["event"] for entry in lines(log) if "event" in entry]
        self.sound = {run["file"]: samples(f"{self.folder}/{run['file']}")[0] for run in self.runs}

    def window(self, time):
        """A window that begins at an instant, and when exactly."""
        for run in self.runs:
            start, rate = run["t0_raw_ns"] * 1e-9, run["rate"] * (1 + run["ppm"] * 1e-6)
            frame = int(numpy.ceil((time - start) * rate))
            length = int(WINDOW * run["rate"])
            if 0 <= frame and frame + length <= run["frames"]:
                first = run["first_frame"] + frame
                return self.sound[run["file"]][first : first + length], start + frame / rate
        return None, None

    def span(self):
        first, last = self.runs[0], self.runs[-1]
        return first["t0_raw_ns"] * 1e-9, last["t0_raw_ns"] * 1e-9 + last["frames"] / last["rate"]

    def gaps(self, begin, end):
        """Milliseconds of silence, each of one at least, between two instants."""
        total = 0
        for run in self.runs:
            start, rate = run["t0_raw_ns"] * 1e-9, run["rate"]
            first = max(0, int((begin - start) * rate))
            last = min(run["frames"], int((end - start) * rate))
            if last <= first:
                continue
            sound = self.sound[run["file"]][run["first_frame"] + first : run["first_frame"] + last]
            blocks = numpy.abs(sound[: len(sound) // 48 * 48].reshape(-1, 48)).max(axis=1)
            total += int(numpy.sum(blocks <= 1))
        return total


def latencies(room, capture, expected, skip):
    begin, end = room.span()
    found = {}
    number = int(numpy.ceil(begin / STEP))
    while number * STEP < end - WINDOW:
        window, time = room.window(number * STEP)
        number += 1
        if window is None or numpy.abs(window).max() < 200:
            continue
        length = int(WINDOW * 48_000)
        guess = int(capture.frame(time - expected))
        reach = int(REACH * 48_000)
        first = max(0, guess - reach)
        frame, fit = place(window, capture.song[first : guess + length + reach], first)
        if fit < 0.9:
            frame, fit = place(window, capture.song, 0)
        if fit < 0.9:
            continue
        captured = capture.time(frame)
        if captured is not None:
            found[number] = (time, time - captured)
    if not found:
        return {}
    start = min(time for time, _ in found.values())
    return {number: value for number, value in found.items() if value[0] >= start + skip}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--line", required=True, help="the capture card's log")
    parser.add_argument("--song", required=True)
    parser.add_argument("--card", action="append", required=True, help="a room's log")
    parser.add_argument("--latency", type=float, required=True, help="seconds that were asked for")
    parser.add_argument("--skip", type=float, default=0, help="seconds after the first sound that do not count")
    parser.add_argument("--series", help="a file for the latencies over time")
    parser.add_argument("--limits", default="", help="error=MS,apart=US,gaps=MS,windows=COUNT")
    arguments = parser.parse_args()
    capture = Capture(arguments.line, arguments.song)
    rooms = [Room(path) for path in arguments.card]
    series = [latencies(room, capture, arguments.latency, arguments.skip) for room in rooms]
    figures = {"rooms": [], "events": [event for room in rooms for event in room.events]}
    for room, found in zip(rooms, series):
        values = numpy.array([value for _, value in found.values()])
        if not len(values):
            figures["rooms"].append({"windows": 0})
            continue
        times = [time for time, _ in found.values()]
        error = (values - arguments.latency) * 1e3
        figures["rooms"].append({
            "windows": len(values),
            "error_ms": round(float(numpy.median(error)), 3),
            "error_worst_ms": round(float(error[numpy.argmax(numpy.abs(error))]), 3),
            "first_ms": round(float(error[0]), 3),
            "gaps_ms": room.gaps(min(times), max(times)),
        })
    apart = [
        abs(series[0][number][1] - other[number][1]) * 1e6
        for other in series[1:]
        for number in set(series[0]) & set(other)
    ]
    if apart:
        figures["apart_us"] = {"p50": round(float(numpy.median(apart)), 2), "p99": round(float(numpy.percentile(apart, 99)), 2)}
    if arguments.series:
        with open(arguments.series, "w") as file:
            json.dump([sorted(found.values()) for found in series], file)
    print(json.dumps(figures))
    limits = dict(part.split("=") for part in arguments.limits.split(",") if part)
    over = []
    for room in figures["rooms"]:
        if room["windows"] < int(limits.get("windows", 1)):
            over.append(f"only {room['windows']} windows")
        elif abs(room["error_ms"]) > float(limits.get("error", "inf")):
            over.append(f"{room['error_ms']} ms off the stated latency")
        elif room["gaps_ms"] > float(limits.get("gaps", "inf")):
            over.append(f"{room['gaps_ms']} ms of gaps")
    if apart and figures["apart_us"]["p99"] > float(limits.get("apart", "inf")):
        over.append(f"rooms {figures['apart_us']['p99']} µs apart")
    if over:
        print("; ".join(over), file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
