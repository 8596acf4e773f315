"""Reads messages as `mosquitto_sub -v` prints them, and holds each configuration for Home Assistant against the schema that Home
Assistant itself has for it. Run by a Python that has the package homeassistant; deploy/test-mqtt.sh says which."""

import importlib
import json
import sys

from homeassistant.components.mqtt.discovery import TOPIC_MATCHER

# Platforms that are younger than the version at hand, which skips them with a line in its log.
YOUNGER = {"notify"}


def main():
    checked, skipped, names = 0, set(), {}
    for line in sys.stdin:
        topic, _, payload = line.rstrip("\n").partition(" ")
        if not topic.endswith("/config"):
            continue
        match = TOPIC_MATCHER.match(topic.partition("/")[2])
        assert match, f"{topic}: Home Assistant does not take this for a configuration"
        config = json.loads(payload)
        unique = config["unique_id"]
        assert names.setdefault(unique, topic) == topic, f"{topic}: {unique} is {names[unique]} too"
        component = match["component"]
        try:
            schema = importlib.import_module(f"homeassistant.components.mqtt.{component}").DISCOVERY_SCHEMA
        except ModuleNotFoundError:
            assert component in YOUNGER, f"{topic}: Home Assistant has no {component} over MQTT"
            assert set(config) <= {"name", "unique_id", "device", "origin", "availability", "availability_mode", "icon",
                                   "command_topic"}, f"{topic}: {sorted(config)}"
            skipped.add(component)
            continue
        try:
            taken = schema({**config, "platform": "mqtt"})
        except Exception as error:
            raise SystemExit(f"{topic}: {error}\n{payload}")
        # A field that is not known is left out there, so it must not be needed; options of sensors are younger than 2024.3.
        unknown = set(config) - set(taken) - ({"options"} if component == "sensor" else set())
        assert not unknown, f"{topic}: Home Assistant does not know {sorted(unknown)}"
        checked += 1
    assert checked, "there are no configurations"
    print(f"mqtt: Home Assistant takes {checked} configurations" + (f"; not checked: {sorted(skipped)}" if skipped else ""))


main()
