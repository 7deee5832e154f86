#!/usr/bin/env python3
"""Measures what a large run costs: makes a results file of 200,000 cases (or --cases N) and says how long
its reports take to make, how large the page is, and how fast a browser loads, filters, sorts and unfolds
it. Fails where the page is 20 MB or more; times depend on the machine and fail nothing.

    POOLPROOF_BUILD=build/test reports/measure_large.py
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time

import browser

BUILD = os.path.abspath(os.environ.get("POOLPROOF_BUILD", os.getcwd()))
HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 20_000_000  # bytes

# Each runs in the page and includes the layout that it causes. What is timed is synchronous.
STEPS = {
    "filter by words": "const i = document.querySelector('#cases .tools input'); i.value = 'fail f32'; "
    "i.dispatchEvent(new Event('input'))",
    "filter back": "const i = document.querySelector('#cases .tools input'); i.value = ''; "
    "i.dispatchEvent(new Event('input'))",
    "sort a table": "document.querySelector('#cases table.sortable thead button').click()",
    "unfold all": "document.querySelectorAll('details').forEach((d) => { d.open = true; })",
}


def measure_page(path):
    chromium = browser.Browser()
    try:
        page = browser.Page(chromium, path)
        load = page.run("performance.getEntriesByType('navigation')[0].loadEventEnd")
        print(f"{'load':16} {load:8.0f} ms, {page.run('document.querySelectorAll(`*`).length'):,} elements")
        for name, step in STEPS.items():
            took = page.run(
                f"(() => {{ const t = performance.now(); {step}; "
                "document.body.getBoundingClientRect(); return performance.now() - t; })()"
            )
            print(f"{name:16} {took:8.0f} ms")
        page.close()
    finally:
        chromium.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cases", type=int, default=200_000)
    cases = parser.parse_args().cases
    with tempfile.TemporaryDirectory() as folder:
        results, page = os.path.join(folder, "results.jsonl"), os.path.join(folder, "report.html")
        subprocess.run(
            [sys.executable, os.path.join(HERE, "testdata", "make_results.py"), results, "--cases", str(cases)],
            check=True,
        )
        started = time.monotonic()
        subprocess.run(
            [os.path.join(BUILD, "bin", "conformance"), "report", results, f"--out={folder}"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        seconds, size = time.monotonic() - started, os.path.getsize(page)
        print(
            f"{cases:,} cases, results file {os.path.getsize(results) / 1e6:.1f} MB: reports in "
            f"{seconds:.1f} s, page {size / 1e6:.2f} MB"
        )
        measure_page(page)
    if size >= LIMIT:
        sys.exit(f"the page has {size:,} bytes, the limit is {LIMIT:,}")


if __name__ == "__main__":
    main()
