"""Measures how soon the page paints, whether it moves while it loads, and how evenly frames come while its live plot runs.

Usage: speed.py FOLDER-OF-PROGRAMS
"""
import shutil
import statistics
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

import page

LOADS, SECONDS = 10, 20
OBSERVE = """
window.shift = 0;
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


def chromium():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--window-size=1200,900"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", dict(source=OBSERVE))
    return driver


def load(driver):
    """Loads the page as for the first time: milliseconds to the first paint, and how far things moved meanwhile."""
    driver.execute_cdp_cmd("Network.clearBrowserCache", {})
    driver.get(page.PAGE)
    page.soon(lambda: driver.find_element(By.CSS_SELECTOR, "img.art").get_property("naturalWidth") > 0)
    time.sleep(1.5)
    paint = driver.execute_script(
        "return performance.getEntriesByName('first-contentful-paint').map(entry => entry.startTime)[0]")
    return paint, driver.execute_script("return window.shift")


def plot(driver):
    """Opens a room's plot: milliseconds from one frame to the next."""
    page.soon(lambda: "µs" in page.text(driver, ".health"), 60)
    driver.find_element(By.CSS_SELECTOR, ".health").click()
    time.sleep(2)
    return driver.execute_async_script("""
        const [seconds, done] = arguments, times = [];
        const step = now => {
          times.push(now);
          if (now - times[0] < seconds * 1000) return requestAnimationFrame(step);
          done(times.slice(1).map((time, index) => time - times[index]));
        };
        requestAnimationFrame(step);""", SECONDS)


with tempfile.TemporaryDirectory() as folder:
    house = page.House(folder)
    try:
        house.run("play", *house.songs, *[word for room in house.rooms for word in ("--room", room)], "--detach")
        time.sleep(3)
        driver = chromium()
        driver.set_script_timeout(SECONDS + 30)
        loads = [load(driver) for _ in range(LOADS)]
        paints = sorted(paint for paint, _ in loads)
        print(f"first contentful paint: median {statistics.median(paints):.0f}, at worst {paints[-1]:.0f} ms of {LOADS} loads")
        print(f"layout shift: at worst {max(shift for _, shift in loads):.4f}")
        gaps = sorted(plot(driver))
        print(f"with the plot: {1000 * len(gaps) / sum(gaps):.1f} frames a second in {SECONDS} s, from one to the next p99 "
              f"{gaps[int(0.99 * len(gaps))]:.1f} ms")
        driver.quit()
    finally:
        house.end()
