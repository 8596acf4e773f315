#!/usr/bin/env python3
"""How far the pictures of a film were from its sound: compares what witness.c saw with what the virtual card recorded.

    measure.py --seen seen.txt [--card kitchen.log] --rate 30 [--variable] [--marks marks.txt] [--limits p50=15,p99=60,…] [--json]

The film is one of film.py's. A positive error says that the picture came after its sound. Marks are lines "NS KIND [VALUE]", in
CLOCK_MONOTONIC_RAW, written just before a command was given: seek SECONDS, pause, resume, rate FACTOR; any other kind only begins
another part. Limits, of each part: p50, p95, p99 (of |error|, ms), dropped (% of the part's pictures), back (how often an older
picture came), change (ms: |error| in the middle of
the first ten pictures after a command), seen and heard (ms after a command), pictures and
clicks (at least), lines (how often the sound may begin anew). What is over a limit is told, and the exit status is 1.
"""

import argparse
import array
import bisect
import json
import math
import os
import statistics
import sys

from film import CLICK_LEVEL, CLICK_SECONDS, TONE_LEVEL, TONES, is_kept

# Two clicks belong to the same line if the rate between them is that of their neighbours, within this share.
RATE_TOLERANCE = 0.02
# Silence shorter than this is a quiet place in a stretched tone.
LEAST_SILENCE = 0.015
# A card that has run empty plays again within this, in seconds.
UNDERRUN = 0.3
# The machine stood still before a picture that came so soon after a pause of the witness, in seconds.
STANDING = 0.01
# So near to where one line ends and another begins, a picture belongs to the one that it fits better, in seconds.
EDGE = 0.05
# What came to the screen so long before the sound began is of the film before, in seconds.
BEFORE = 0.1
# Of fewer pictures than this, one that is dropped is no share.
LEAST = 50
# How far beside a target a picture may be to be what a seek was for, in seconds.
NEAR = 1.5


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


# The sound: what the card recorded.


class Run:
    """Samples, and when they left."""

    def __init__(self, log, line):
        path = os.path.join(os.path.dirname(log), line["file"])
        data = open(path, "rb").read()
        kind = {"S16_LE": "h", "S32_LE": "i"}.get(line["format"])
        if kind is None:
            sys.exit(f"{path}: {line['format']} is not read here; give the card S16_LE or S32_LE")
        channels = line["channels"]
        samples = array.array(kind)
        width = samples.itemsize * channels
        begin = data.index(b"data") + 8 + line["first_frame"] * width
        end = begin + line["frames"] * width if line.get("frames") else len(data)
        data = data[begin:min(end, len(data))]
        samples.frombytes(data[:len(data) // width * width])
        self.samples = samples[::channels]
        self.full = 1 << 8 * samples.itemsize - 1
        self.begin = line["t0_raw_ns"] / 1e9
        self.rate = line["rate"] * (1 + line["ppm"] * 1e-6)
        # The greatest of each millisecond.
        self.block = line["rate"] // 1000
        self.levels = [
            max(max(part), -min(part)) for part in (
                self.samples[place:place + self.block]
                for place in range(0, len(self.samples) - self.block + 1, self.block))]

    def time(self, frame):
        return self.begin + frame / self.rate

    def tone(self, begin, end):
        """The tone between two frames, as an index of TONES, or None."""
        part = self.samples[max(0, begin):end]
        limit = TONE_LEVEL * self.volume * self.full / 4
        # Rising passages of zero, each from well below to well above it.
        first = last = None
        count, was_below = 0, False
        for frame, sample in enumerate(part):
            if sample < -limit:
                was_below = True
            elif sample > limit and was_below:
                was_below = False
                if first is None:
                    first = frame
                else:
                    count += 1
                last = frame
        if not count:
            return None
        frequency = count * self.rate / (last - first)
        index = round((frequency - TONES[0]) / (TONES[1] - TONES[0]))
        return index if 0 <= index < len(TONES) and abs(frequency - TONES[index]) < 20 else None


class Click:
    def __init__(self, run, frame, tone):
        self.run, self.frame, self.tone, self.time = run, frame, tone, run.time(frame)


class Line:
    """Clicks that follow each other at one rate, over any underruns: instants and seconds of the film."""

    def __init__(self, click, rate):
        self.first = self.last = click
        self.times, self.seconds = [click.time], [click.tone]
        self.usual_rate = rate
        self.begin = self.end = None

    @property
    def rate(self):
        """Seconds of the film in a second; where one click says nothing, that of the line before."""
        if len(self.times) < 2:
            return self.usual_rate
        return (self.seconds[-1] - self.seconds[0]) / (self.times[-1] - self.times[0])

    def take(self, click):
        """Whether it is the line's next click, which it then takes."""
        passed = click.time - self.times[-1]
        steps = round(passed * self.rate)
        if len(self.times) < 2 and passed < 2.2:
            # At whatever rate.
            steps = 1
        rate = steps / passed
        is_next = abs(rate / self.rate - 1) < RATE_TOLERANCE if len(self.times) > 1 or steps > 1 else 0.4 < rate < 2.2
        if not is_next or steps > 4 or (self.seconds[-1] + steps) % len(TONES) != click.tone:
            return False
        self.times.append(click.time)
        self.seconds.append(self.seconds[-1] + steps)
        self.last = click
        return True

    def position(self, time):
        index = bisect.bisect(self.times, time)
        if 0 < index < len(self.times):
            share = (time - self.times[index - 1]) / (self.times[index] - self.times[index - 1])
            return self.seconds[index - 1] + share * (self.seconds[index] - self.seconds[index - 1])
        index = 0 if index == 0 else -1
        return self.seconds[index] + (time - self.times[index]) * self.rate


class Sound:
    """What a card recorded; with no log, nothing."""

    def __init__(self, log):
        self.lines, self.runs = [], []
        if log:
            self.read(log)

    def read(self, log):
        lines = [json.loads(line) for line in open(log) if '"run"' in line and "t0_raw_ns" in line]
        runs = [Run(log, line) for line in lines]
        self.runs = [run for run in runs if run.levels]
        loudest = max((max(run.levels) / run.full for run in self.runs), default=0)
        for run in self.runs:
            run.volume, run.has_clicks = loudest / CLICK_LEVEL, False
        if loudest > 0.001:
            for run in self.runs:
                self.find_clicks(run)
            self.find_edges()

    def find_clicks(self, run):
        limit = run.volume * CLICK_LEVEL * 0.3 * run.full
        last = -run.rate
        for number, level in enumerate(run.levels):
            place = number * run.block
            if level < limit or place - last < 0.05 * run.rate:
                continue
            last = next(frame for frame in range(place, place + run.block) if abs(run.samples[frame]) >= limit)
            begin = last + int(2 * CLICK_SECONDS * run.rate)
            tone = run.tone(begin, begin + int(0.1 * run.rate))
            if tone is None:
                continue
            run.has_clicks = True
            click = Click(run, last, tone)
            # The tone knows the second up to a multiple of their number; the line says which, or later a picture.
            if not self.lines or not self.lines[-1].take(click):
                self.lines.append(Line(click, self.lines[-1].rate if self.lines else 1))

    def find_edges(self):
        """From when until when each line plays."""
        for line in self.lines:
            line.begin, line.end = self.edge(line.first, -1), self.edge(line.last, 1)
        for a, b in zip(self.lines, self.lines[1:]):
            is_one_run = a.last.run is b.first.run
            if is_one_run and a.end < b.begin or not is_one_run and b.begin > b.first.run.begin:
                # Silence lies between.
                continue
            edge = self.crossing(a, b) or self.change_of_tone(a, b)
            if edge:
                a.end, b.begin = edge
            elif is_one_run:
                a.end, b.begin = a.times[-1], b.times[0]

    def edge(self, click, step):
        """Where the sound around a click ends: backwards or forwards, with the first silence or with the run.

        Over an underrun it goes on where the next run is too short for a click of its own.
        """
        index, least = self.runs.index(click.run), int(LEAST_SILENCE * 1000)
        run, block, quiet = click.run, click.frame // click.run.block + step, 0
        while True:
            limit = TONE_LEVEL * run.volume * run.full / 4
            while 0 <= block < len(run.levels):
                quiet = quiet + 1 if run.levels[block] < limit else 0
                if quiet == least:
                    return run.time((block - step * (least - 1) + (step < 0)) * run.block)
                block += step
            edge = run.begin if step < 0 else run.time(len(run.samples))
            index += step
            if not 0 <= index < len(self.runs) or self.runs[index].has_clicks:
                return edge
            run, quiet = self.runs[index], 0
            if abs((run.time(len(run.samples)) if step < 0 else run.begin) - edge) > UNDERRUN:
                return edge
            block = len(run.levels) - 1 if step < 0 else 0

    def crossing(self, a, b):
        """Where the film went on at another rate, its lines cross."""
        if len(a.times) < 2 or len(b.times) < 2 or abs(a.rate / b.rate - 1) < 2 * RATE_TOLERANCE:
            return None
        offset = (b.seconds[0] - a.seconds[-1]) % len(TONES)
        time = a.times[-1] + (offset - b.rate * (b.times[0] - a.times[-1])) / (a.rate - b.rate)
        return (time, time) if a.times[-1] - 0.1 < time < b.times[0] + 0.1 else None

    def change_of_tone(self, a, b):
        """A jump without a gap: the last place with the tone of the second before, the first with that of the second after."""
        run, window = b.first.run, int(0.015 * b.first.run.rate)
        old, new = a.seconds[-1] % len(TONES), (b.seconds[0] - 1) % len(TONES)
        # After an underrun it may still be the old one.
        begin = a.last.frame + int(CLICK_SECONDS * run.rate) if run is a.last.run else 0
        end = b.first.frame
        last_old, first_new = begin, None
        for frame in range(begin, end - window, run.block):
            tone = run.tone(frame, frame + window)
            if tone == old and first_new is None:
                last_old = frame + window
            elif tone == new and old != new:
                first_new = first_new or frame
        if first_new is None:
            return None
        return run.time(last_old), run.time(max(last_old, first_new))


# The pictures: what the witness saw.


class Picture:
    def __init__(self, time, number, is_sure):
        self.time, self.number, self.is_sure = time, number, is_sure
        self.error = self.line = None


def read_pictures(path):
    """The pictures, and the pauses of the witness. A picture that comes with the end of one has no sure time."""
    pictures, pauses = [], []
    for line in open(path):
        words = line.split()
        if line.startswith("#") and len(words) == 3:
            pauses.append((int(words[1]) / 1e9, int(words[2]) / 1e9))
        elif len(words) == 2 and int(words[1]) >= 0:
            time = int(words[0]) / 1e9
            is_sure = not pauses or time - pauses[-1][1] > STANDING
            pictures.append(Picture(time, int(words[1]), is_sure))
    return pictures, pauses


def place(pictures, sound, rate):
    """Gives each picture its error, and the lines of the sound the seconds that their tones leave open."""
    cycle = len(TONES)
    for line in sound.lines:
        offsets = [
            round((picture.number / rate - line.position(picture.time)) / cycle)
            for picture in pictures if line.begin <= picture.time < line.end]
        if offsets:
            offset = cycle * statistics.mode(offsets)
            line.seconds = [second + offset for second in line.seconds]
    for picture in pictures:
        lines = [line for line in sound.lines if line.begin - EDGE <= picture.time < line.end + EDGE]
        if lines:
            errors = [1000 * (line.position(picture.time) - picture.number / rate) / line.rate for line in lines]
            picture.error = min(errors, key=abs)
            picture.line = lines[errors.index(picture.error)]


def place_alone(pictures, rate):
    """Gives each picture its error against what is usual among them, for a film without sound."""
    offset = statistics.median(picture.time - picture.number / rate for picture in pictures) if pictures else 0
    for picture in pictures:
        picture.error = 1000 * (picture.time - picture.number / rate - offset)


# What came of it, part by part.


class Part:
    def __init__(self, mark, end):
        self.time, self.kind, self.value = mark
        self.end = end


def measure_part(part, pictures, pauses, sound, options):
    shown = [picture for picture in pictures if part.time <= picture.time < part.end]
    result = {"part": " ".join([part.kind] + ([f"{part.value:g}"] if part.value is not None else []))}
    if part.kind in ("seek", "pause", "resume", "rate"):
        shown = measure_change(part, pictures, shown, sound, options, result)
    # Around a command nobody knows what is right: errors of changes are told apart.
    judged = [picture.error for picture in shown if picture.error is not None and picture.is_sure]
    result["pictures"] = len(shown)
    if judged:
        result["error_ms"] = {
            "p1": percentile(judged, 0.01), "p50": percentile(judged, 0.5), "p99": percentile(judged, 0.99),
            "max": max(judged, key=abs)}
        sizes = [abs(error) for error in judged]
        result["error_ms"].update(p95_of_size=percentile(sizes, 0.95), p99_of_size=percentile(sizes, 0.99))
    dropped, hidden, back = 0, 0, []
    for a, b in zip(shown, shown[1:]):
        missing = sum(is_kept(number, options.rate, options.variable) for number in range(a.number + 1, b.number))
        if b.number < a.number:
            back.append((a.number, b.number))
        elif missing:
            # As many as the witness may have missed: it stood still for as long as they last.
            still = sum(min(end, b.time) - max(begin, a.time) for begin, end in pauses if begin < b.time and end > a.time)
            unseen = min(missing, math.ceil(still * missing / (b.time - a.time)))
            hidden += unseen
            dropped += missing - unseen
    result.update(dropped=dropped, not_seen=hidden, back=back[:10])
    clicks = [
        [time for time in line.times if part.time <= time < part.end] for line in sound.lines]
    result["clicks"], result["lines"] = sum(map(len, clicks)), sum(map(bool, clicks))
    still = [end - begin for begin, end in pauses if part.time <= begin < part.end]
    result["witness_stood_still"] = {"times": len(still), "longest_ms": 1000 * max(still, default=0)}
    return result


def measure_change(part, pictures, shown, sound, options, result):
    """How long a command took until it was seen and heard, and what the first picture after it was; gives the pictures after it."""
    before = [picture for picture in pictures if picture.time < part.time]
    if part.kind == "pause":
        line = next((line for line in reversed(sound.lines) if line.begin <= part.time), None)
        last = shown[-1] if shown else (before[-1] if before else None)
        if last and line:
            end = line.end
            result["heard_ms"] = 1000 * max(0, end - part.time)
            result["seen_ms"] = 1000 * max(0, last.time - part.time)
            # How many pictures what stands there is from what the sound stopped at.
            result["stands_off_by"] = last.number - line.position(end) * options.rate
        return shown
    if part.kind == "seek":
        first = next(
            (index for index, picture in enumerate(shown) if abs(picture.number / options.rate - part.value) < NEAR), len(shown))
        after = shown[first:]
        lines = [line for line in sound.lines if line.end > part.time
                 and abs(line.position(max(line.begin, part.time)) - part.value) < NEAR and line.begin > part.time - 0.01]
    elif part.kind == "resume":
        after = shown
        lines = [line for line in sound.lines if line.begin > part.time]
    else:
        lines = [line for line in sound.lines if line.begin > part.time and abs(line.rate / part.value - 1) < RATE_TOLERANCE]
        # No single picture shows when pictures began to come faster.
        after = [picture for picture in shown if lines and picture.time >= lines[0].begin]
    sure = [picture for picture in after if picture.is_sure]
    if lines:
        result["heard_ms"] = 1000 * (lines[0].begin - part.time)
    if sure:
        if part.kind != "rate":
            result["seen_ms"] = 1000 * (after[0].time - part.time)
        # Pictures may come some ms before the sound's first sample.
        line = lines[0] if lines else sure[0].line
        if line:
            errors = [1000 * (line.position(picture.time) - picture.number / options.rate) / line.rate for picture in sure[:10]]
            result["first_error_ms"], result["first_ten_worst_ms"] = errors[0], max(errors, key=abs)
            result["first_ten_p50_ms"] = statistics.median(errors)
    return after


def check(result, limits):
    """What is over its limit."""
    error = result.get("error_ms", {})
    found = {
        "p50": abs(error.get("p50", 0)), "p95": error.get("p95_of_size", 0), "p99": error.get("p99_of_size", 0),
        "dropped": 100 * result["dropped"] / max(LEAST, result["pictures"] + result["dropped"]),
        "back": len(result["back"]), "change": abs(result.get("first_ten_p50_ms", 0)),
        "seen": result.get("seen_ms", 0), "heard": result.get("heard_ms", 0), "lines": result["lines"]}
    over = [
        f"{name} is {found[name]:.1f}, more than {limits[name]:g}" for name in found
        if name in limits and found[name] > limits[name]]
    if "pictures" in limits and result["part"] != "pause" and result["pictures"] < limits["pictures"]:
        over.append(f"{result['pictures']} pictures were seen, less than {limits['pictures']:g}")
    if result["clicks"] < limits.get("clicks", 0):
        over.append(f"{result['clicks']} clicks were heard, less than {limits['clicks']:g}")
    if "change" in limits and result["part"].split()[0] in ("seek", "resume", "rate") and "first_error_ms" not in result:
        over.append("nobody saw and heard that it was done")
    if "change" in limits and result["part"] == "pause" and not abs(result.get("stands_off_by", 99)) <= limits.get("stands", 3):
        over.append(f"the picture that stands is {result.get('stands_off_by', float('nan')):.1f} from where the sound stopped")
    return [f"{result['part']}: {what}" for what in over]


def text(result):
    words = [f"{result['part']}:"]
    error = result.get("error_ms")
    if "seen_ms" in result or "heard_ms" in result:
        words.append(", ".join(
            f"{name} after {result[key]:.0f} ms" for name, key in (("seen", "seen_ms"), ("heard", "heard_ms")) if key in result))
    if "first_error_ms" in result:
        words.append(
            f"then {result['first_error_ms']:+.1f} ms, the first ten p50 {result['first_ten_p50_ms']:+.1f}, "
            f"max {result['first_ten_worst_ms']:+.1f} ms;")
    if "stands_off_by" in result:
        words.append(f"stands {result['stands_off_by']:+.1f} pictures from the sound;")
    if error:
        words.append(
            f"picture - sound p1 {error['p1']:+.1f}, p50 {error['p50']:+.1f}, p99 {error['p99']:+.1f}, "
            f"max {error['max']:+.1f} ms, of {result['pictures']} pictures;")
    else:
        words.append(f"{result['pictures']} pictures;")
    words.append(f"dropped {result['dropped']}")
    words[-1] += f"; {result['clicks']} clicks" if not error else ""
    still = result["witness_stood_still"]
    if still["longest_ms"] > 20:
        words.append(f"(the machine stood still for up to {still['longest_ms']:.0f} ms, and {result['not_seen']} pictures more)")
    if result["back"]:
        words.append(f"older ones {result['back']}")
    return " ".join(words)


def main():
    parser = argparse.ArgumentParser(description="Compares what a witness saw with what a card recorded.")
    parser.add_argument("--seen", required=True, help="the witness's lines")
    parser.add_argument("--card", help="the card's log; without one, pictures are compared with each other")
    parser.add_argument("--rate", type=float, default=30, help="pictures a second of the film")
    parser.add_argument("--variable", action="store_true", help="the film is one of variable rate")
    parser.add_argument("--marks", help="a file with the instants of commands")
    parser.add_argument("--limits", default="", help="NAME=NUMBER, and so on")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each part")
    options = parser.parse_args()
    options.rate = int(options.rate) if options.rate == int(options.rate) else options.rate
    limits = {name: float(value) for name, value in (item.split("=") for item in options.limits.split(",") if item)}

    sound = Sound(options.card)
    pictures, pauses = read_pictures(options.seen)
    if options.card:
        begin = min((line.begin for line in sound.lines), default=0) - BEFORE
        pictures = [picture for picture in pictures if picture.time >= begin]
        place(pictures, sound, options.rate)
    else:
        place_alone(pictures, options.rate)
    marks = [(0.0, "play", None)]
    for line in open(options.marks) if options.marks else ():
        words = line.split()
        marks.append((int(words[0]) / 1e9, words[1], float(words[2]) if len(words) > 2 else None))
    ends = [mark[0] for mark in marks[1:]] + [float("inf")]
    over = []
    for mark, end in zip(marks, ends):
        result = measure_part(Part(mark, end), pictures, pauses, sound, options)
        print(json.dumps(result) if options.json else text(result))
        over += check(result, limits)
    if options.card and not sound.lines:
        over.append("no sound was recorded")
    for what in over:
        print(what, file=sys.stderr)
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()
