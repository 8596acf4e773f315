#!/usr/bin/env bash
# Tries the page in Chromium, with a real service and real speakers; axe looks for what a screen reader would miss.
# Usage: deploy/test-page.sh [FOLDER-OF-PROGRAMS [FOLDER-FOR-SCREENSHOTS]]
set -euo pipefail
cd "$(dirname "$0")/.."

programs=${1:-$(swift build -c release --show-bin-path)}
if ! deploy/setup.sh page; then
    echo "page: SKIPPED, Chromium cannot be installed"
    exit 0
fi
venv=.build/selenium
if ! "$venv/bin/python" -c 'import selenium, axe_selenium_python' 2>/dev/null; then
    { python3 -m venv --clear "$venv" && "$venv/bin/pip" install -q 'selenium>=4,<5' axe-selenium-python; } >.build/selenium.log 2>&1 || {
        echo "page: SKIPPED, selenium cannot be installed: $(tail -1 .build/selenium.log)"
        exit 0
    }
fi
# Nobody of another network is to be found.
DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent "$venv/bin/python" Tests/Page/page.py "$programs" ${2:+"$2"}
