#!/usr/bin/env python3
"""Writes manual pages from what a program says of itself: PROGRAM --experimental-dump-help | manual.py FOLDER VERSION.

A page for the program and one for each subcommand, as git(1) has them. A line in capitals in a program's own words
begins a section, and indented lines are set as they are."""
import json
import os
import re
import sys


def text(words):
    """Words as roff takes them, as plain text of one line."""
    words = words.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + words if words[:1] in (".", "'") else words


def paragraphs(words):
    """A program's own words in several lines."""
    lines, quoted = [], False
    for line in words.split("\n"):
        indented = line.startswith("  ")
        if quoted != indented and line:
            lines.append(".nf\n.RS 4" if indented else ".RE\n.fi")
            quoted = indented
        if not line:
            if not quoted:
                lines.append(".PP")
        elif re.fullmatch(r"[A-Z ]{4,}", line):
            lines.append(f".SH {line}")
        else:
            lines.append(text(line.strip()))
    if quoted:
        lines.append(".RE\n.fi")
    return lines


def synopsis(argument):
    """How an argument is written on the command line."""
    value = argument.get("valueName", "value")
    if argument["kind"] == "positional":
        shown = f"\\fI{text(value)}\\fR" + (" ..." if argument["isRepeating"] else "")
    else:
        name = argument["preferredName"]
        shown = f"\\fB{text(('--' if name['kind'] == 'long' else '-') + name['name'])}\\fR"
        if argument["kind"] == "option":
            shown += f" \\fI{text(value)}\\fR"
    return f"[{shown}]" if argument["isOptional"] else shown


def described(argument):
    """An argument with its names and what it means."""
    if argument["kind"] == "positional":
        names = f"\\fI{text(argument['valueName'])}\\fR"
    else:
        names = ", ".join(
            f"\\fB{text(('--' if name['kind'] == 'long' else '-') + name['name'])}\\fR" for name in argument["names"])
        if argument["kind"] == "option":
            names += f" \\fI{text(argument['valueName'])}\\fR"
    words = [argument.get("abstract", ""), argument.get("discussion", "")]
    default = argument.get("defaultValue")
    if default and "(default" not in words[0]:
        words.append(f"(default: {default})")
    return [".TP", names] + [text(line) for line in " ".join(filter(None, words)).split("\n") if line]


def long(name, value=None, words=""):
    """An option that a command reads from its words on its own."""
    return {
        "kind": "option" if value else "flag", "isOptional": True, "isRepeating": False, "valueName": value or "",
        "names": [{"kind": "long", "name": name}], "preferredName": {"kind": "long", "name": name}, "abstract": words}


# What commands take that hand words on to others: their own options, whose options they take, and which of these not.
PASSING = {
    "at": (
        [long("cancel", "n", "Cancel the schedules of these numbers."),
         long("json", None, "List as lines of JSON; see docs/json.md.")],
        "play", {"here", "device", "standalone", "open", "detach", "json", "help"}),
}


def shown_arguments(command):
    """The arguments that a manual tells of."""
    return [
        argument for argument in command.get("arguments", [])
        if argument.get("shouldDisplay", True)
        and not any(each["name"] == "version" for each in argument.get("names") or [])]


def all_arguments(command, siblings):
    """The arguments of a command, and those that it hands on."""
    arguments = shown_arguments(command)
    own, other, without = PASSING.get(command["commandName"], ([], None, set()))
    taken = [
        argument for sibling in siblings if sibling["commandName"] == other for argument in shown_arguments(sibling)
        if argument["kind"] != "positional" and not any(each["name"] in without for each in argument["names"])]
    return own + taken + arguments if other else arguments


def page(command, path, version, siblings=()):
    """The page of a command, whose path is the names that lead to it."""
    name = "-".join(path)
    arguments = all_arguments(command, siblings)
    children = [child for child in command.get("subcommands", []) if child["commandName"] != "help"]
    abstract = command.get("abstract", "").rstrip(".")
    lines = [f".TH {text(name).upper()} 1 \"\" \"Tutti {version}\" \"Tutti\"", ".SH NAME",
             f"{text(name)} \\- {text(abstract[:1].lower() + abstract[1:])}", ".SH SYNOPSIS"]
    shown = [synopsis(argument) for argument in arguments if argument.get("preferredName", {}).get("name") != "help"]
    lines.append(" ".join([f"\\fB{text(' '.join(path))}\\fR"] + shown))
    if children:
        lines += [".br", f"\\fB{text(' '.join(path))}\\fR \\fIcommand\\fR ..."]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION"] + paragraphs(command["discussion"])
    if arguments:
        lines.append(".SH OPTIONS")
        for argument in arguments:
            lines += described(argument)
    if children:
        lines.append(".SH COMMANDS")
        for child in children:
            lines += [".TP", f"\\fB{text(name + '-' + child['commandName'])}\\fR(1)", text(child.get("abstract", ""))]
    if len(path) > 1:
        lines += [".SH SEE ALSO", f"\\fB{text(path[0])}\\fR(1)"]
    return "\n".join(lines) + "\n"


def write(command, path, folder, version, siblings=()):
    with open(os.path.join(folder, "-".join(path) + ".1"), "w", encoding="utf-8") as file:
        file.write(page(command, path, version, siblings))
    children = command.get("subcommands", [])
    for child in children:
        if child["commandName"] != "help":
            write(child, path + [child["commandName"]], folder, version, children)


def main():
    folder, version = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    command = json.load(sys.stdin)["command"]
    write(command, [command["commandName"]], folder, version)


main()
