#!/usr/bin/env bash
# Tries MQTT with real programs: Debian's broker with passwords and TLS, its clients, and Home Assistant's own schemas for what it is
# told. With a folder of programs as its argument.
# In the environment:
#   HOME_ASSISTANT  a Python that has the package homeassistant; `install` installs it (some minutes; Python 3.11).
#                   Without it, the configurations are not held against the schemas, unless it has been installed before.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=${1:-$(swift build -c release --show-bin-path)}
deploy/setup.sh mqtt || {
    echo "mqtt: SKIPPED, Mosquitto cannot be installed"
    exit 0
}
venv=$PWD/.build/home-assistant
case ${HOME_ASSISTANT:-} in
install)
    if [ ! -x "$venv/bin/hass" ]; then
        # The last version for Debian's Python, whose schemas later ones have kept.
        { python3 -m venv "$venv" && "$venv/bin/pip" install -q homeassistant==2024.3.3 'paho-mqtt<2'; } >.build/home-assistant.log 2>&1 || {
            rm -rf "$venv"
            echo "mqtt: SKIPPED, Home Assistant's schemas: it cannot be installed: $(tail -1 .build/home-assistant.log)"
        }
    fi
    ;;
?*) venv=${HOME_ASSISTANT%/bin/*} ;;
esac
HOME_ASSISTANT=$venv/bin/python
[ -x "$HOME_ASSISTANT" ] || HOME_ASSISTANT=
export HOME_ASSISTANT
. deploy/lone-house.sh

start_speaker kitchen
start_speaker bath
start_speaker study
write_silence 600

# The broker's certificate, by an authority that nobody else knows.
cd "$work"
openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj /CN=house -days 2 2>/dev/null
openssl req -newkey rsa:2048 -nodes -keyout broker.key -out broker.csr -subj /CN=127.0.0.1 2>/dev/null
printf 'subjectAltName=IP:127.0.0.1\n' >san.txt
openssl x509 -req -in broker.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out broker.pem -days 2 -extfile san.txt 2>/dev/null
printf 'tutti:correct horse\nhome:assistant\n' >passwords
mosquitto_passwd -U passwords 2>/dev/null
chmod 644 passwords broker.key
printf 'correct horse\n' >secret
cd - >/dev/null

PROGRAMS=$(cd "$programs" && pwd) WORK=$work python3 Tests/Home/mqtt.py "${rooms[@]}"
