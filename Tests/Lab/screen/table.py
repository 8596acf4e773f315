"""A row of series.sh's table, of measure.py's lines of JSON; without arguments, its head."""

import json
import sys

COLUMNS = [
    "system", "pictures/s", "p50", "p99 of size", "dropped", "not seen", "still", "seek: seen, heard, then",
    "resume: seen, heard, then", "stands off by", "processor", "memory"]


def change(part):
    values = (part.get("seen_ms"), part.get("heard_ms"), part.get("first_ten_p50_ms"))
    return ", ".join("?" if value is None else f"{value:.0f}" for value in values)


def row(arguments, parts):
    system, rate, processor, memory = arguments
    part = {part["part"].split()[0]: part for part in parts}
    error = part["settled"].get("error_ms", {})
    number = lambda value: "?" if value is None else f"{value:.1f}"
    return [
        system, rate, number(error.get("p50")), number(error.get("p99_of_size")), part["settled"]["dropped"],
        part["settled"]["not_seen"], f"{part['settled']['witness_stood_still']['longest_ms']:.0f}", change(part["seek"]),
        change(part["resume"]), number(part["pause"].get("stands_off_by")), processor, memory]


cells = row(sys.argv[1:], [json.loads(line) for line in sys.stdin]) if len(sys.argv) > 1 else COLUMNS
print("|", " | ".join(map(str, cells)), "|", flush=True)
if len(sys.argv) == 1:
    print("|" + "---|" * len(COLUMNS), flush=True)
