#!/usr/bin/env python3
"""Opens reports in headless Chromium: with and without scripts, light, dark, narrow and printed.

Checks that nothing is logged and nothing is asked for over a network, that filter, sorting and folding
work, that the page says everything without scripts, and that axe-core finds no violation. axe-core
comes from npm and goes into the build folder. Screenshots stay in <build>/report-screenshots.
"""

import json
import os
import subprocess
import sys
import unittest

import browser

BUILD = os.path.abspath(os.environ.get("POOLPROOF_BUILD", os.getcwd()))
HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(BUILD, "report-screenshots")
AXE = os.path.join(BUILD, "axe", "node_modules", "axe-core", "axe.min.js")
PERFORMANCE = {
    "cpu": "some processor",
    "threads": 1,
    "workloads": [
        {
            "workload": "max 1x64x112x112 k3 s2 p1",
            "ours_us": 131,
            "memcpy_us": 133,
            "plain_us": 2900,
            "peers": {"oneDNN": 364, "PyTorch": 10682},
            "any_layout": {"oneDNN blocked": 142},
        },
        {
            "workload": "max u8 1x256x56x56 k2 s2",
            "ours_us": 25,
            "memcpy_us": 10,
            "plain_us": 0,
            "peers": {"PyTorch": 692},
        },
        {"workload": "avg 1x64x112x112 k3 s2 p1", "ours_us": 140, "memcpy_us": 133},
    ],
}


def make(name, *arguments):
    path = os.path.join(FOLDER, name + ".jsonl")
    subprocess.run([sys.executable, os.path.join(HERE, "testdata", "make_results.py"), path, *arguments], check=True)
    return path


def report(name, *files, options=()):
    program, out = os.path.join(BUILD, "bin", "conformance"), os.path.join(FOLDER, name)
    subprocess.run([program, "report", *files, *options, f"--out={out}"], check=True, stdout=subprocess.DEVNULL)
    return os.path.join(out, "report.html")


def install_axe():
    if os.path.exists(AXE):
        return
    folder = os.path.join(BUILD, "axe")
    os.makedirs(folder, exist_ok=True)
    try:
        subprocess.run(
            ["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "--silent", "axe-core@4"], check=True
        )
    except FileNotFoundError:
        raise SystemExit("npm is not installed: scripts/install.sh does that") from None


class BrowserTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(FOLDER, exist_ok=True)
        install_axe()
        measured = os.path.join(FOLDER, "performance.json")
        with open(measured, "w", encoding="utf-8") as file:
            json.dump(PERFORMANCE, file)
        one, two = make("one"), make("two", "--fixed")
        cls.pages = {
            "many": report("many", make("many", "--causes", "8")),
            "one": report("one", one, options=("--performance", measured)),
            "conforms": report("conforms", make("conforms", "--conforms")),
            "hostile": report("hostile", make("hostile", "--hostile", "--cases", "300")),
            "compared": report("compared", one, two),
        }
        cls.browser = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def open(self, name, **options):
        page = browser.Page(self.browser, self.pages[name], **options)
        self.addCleanup(page.close)
        return page

    def test_says_nothing_to_console_and_asks_for_nothing(self):
        for name in self.pages:
            for scripts in (True, False):
                with self.subTest(page=name, scripts=scripts):
                    self.assertEqual(self.open(name, scripts=scripts).complaints(), [])

    def test_all_is_there_without_scripts(self):
        """The script adds controls and takes nothing away: both pages hold the same words."""
        words = "document.body.cloneNode(true)"
        strip = (
            f"(() => {{ const b = {words}; for (const e of b.querySelectorAll("
            "'script,.tools,[data-copy]+button')) e.remove(); "
            "return b.textContent.replace(/\\s+/g, ' '); })()"
        )
        with_scripts = self.open("one").run(strip)
        page = self.open("one", scripts=False)
        self.assertEqual(page.run("document.querySelectorAll('.tools').length"), 0)
        self.assertEqual(page.run(strip), with_scripts)
        self.assertIn("The first row of a window is skipped", with_scripts)

    def test_folded_parts_open_without_scripts(self):
        page = self.open("one", scripts=False)
        spot = page.run(
            "(() => { const s = document.querySelector('details.entry > summary'); "
            "s.scrollIntoView(); const r = s.getBoundingClientRect(); "
            "return [r.x + 20, r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            page.send("Input.dispatchMouseEvent", type=kind, x=spot[0], y=spot[1], button="left", clickCount=1)
        self.assertTrue(page.run("document.querySelector('details.entry').open"))

    def test_filter_by_words_and_verdict(self):
        page = self.open("one")
        shown = (
            "[...document.querySelector('#cases table.filtered').tBodies[0].rows]"
            ".filter((r) => !r.hidden).map((r) => r.textContent)"
        )
        before = page.run(shown)
        page.run(
            "(() => { const i = document.querySelector('#cases .tools input'); "
            "i.value = 'maxpool-14 F32'; i.dispatchEvent(new Event('input')); })()"
        )
        words = page.run(shown)
        self.assertTrue(0 < len(words) < len(before))
        self.assertTrue(all("MaxPool-14" in row and "f32" in row for row in words))
        page.run(
            "(() => { const i = document.querySelector('#cases .tools input'); i.value = ''; "
            "const s = document.querySelector('#cases .tools select'); s.value = 'fail'; "
            "s.dispatchEvent(new Event('change')); })()"
        )
        failed = page.run(shown)
        self.assertTrue(0 < len(failed) < len(before))
        self.assertTrue(all("fail" in row for row in failed))

    def test_sort_by_number_both_ways(self):
        page = self.open("one")
        numbers = (
            "[...document.querySelector('#cases table.sortable').tBodies[0].rows]"
            ".map((r) => Number(r.cells[3].dataset.value))"
        )
        button = "document.querySelector('#cases table.sortable').tHead.rows[0].cells[3]"
        page.run(button + ".querySelector('button').click()")
        self.assertEqual(page.run(numbers), sorted(page.run(numbers)))
        page.run(button + ".querySelector('button').click()")
        self.assertEqual(page.run(numbers), sorted(page.run(numbers), reverse=True))
        self.assertEqual(page.run(button + ".getAttribute('aria-sort')"), "descending")

    def test_fold_unfold_and_links_into_folded_parts(self):
        page = self.open("one")
        opened = "[...document.querySelectorAll('#documents details')].filter((d) => d.open).length"
        entries = page.run("document.querySelectorAll('#documents details').length")
        click = "[...document.querySelectorAll('#documents button')].find((b) => b.textContent === '%s').click()"
        self.assertEqual(page.run(opened), 0)
        page.run(click % "Unfold all")
        self.assertEqual(page.run(opened), entries)
        page.run(click % "Fold all")
        self.assertEqual(page.run(opened), 0)
        page.run(
            "new Promise((done) => { addEventListener('hashchange', () => setTimeout(done, 50));"
            " location.hash = 'ledger-same-stride'; })"
        )
        self.assertTrue(page.run("document.getElementById('ledger-same-stride').open"))

    def test_hostile_text_runs_nothing_and_makes_no_element(self):
        page = self.open("hostile")
        self.assertEqual(page.run("document.querySelectorAll('img, iframe, script').length"), 1)
        self.assertEqual(
            page.run(
                "[...document.querySelectorAll('a[href]')].filter((a) => "
                "!/^(#|https?:|data:application\\/octet-stream)/"
                ".test(a.getAttribute('href'))).length"
            ),
            0,
        )
        self.assertIn("<script>alert(1)</script>", page.run("document.body.textContent"))

    def test_narrow_page_does_not_scroll_sideways(self):
        for name in self.pages:
            with self.subTest(page=name):
                page = self.open(name, width=380, height=800)
                self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 380)

    def test_print_fits_the_sheet(self):
        for name in self.pages:
            with self.subTest(page=name):
                page = self.open(name, width=760, height=1100)
                page.send("Emulation.setEmulatedMedia", media="print")
                self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 760)

    def test_prints_few_pages(self):
        for name in self.pages:
            with self.subTest(page=name):
                self.assertLessEqual(self.open(name).printed_pages(), 8)

    def test_phone_shows_expected_and_got_without_scrolling(self):
        """The drawing for narrow pages fits, and holds the same grids as the one for wide pages."""
        boxes = (
            "[...document.querySelectorAll('.drawing svg%s')].map((svg) => "
            "{ const b = svg.getBoundingClientRect(); return [b.left, b.right, b.height]; })"
        )
        phone = self.open("one", width=390, height=800)
        tall = phone.run(boxes % ".tall")
        self.assertTrue(tall)
        for left, right, height in tall:
            self.assertTrue(0 <= left < right <= 390 and height > 100, (left, right, height))
        self.assertEqual([box[2] for box in phone.run(boxes % ".wide")], [0] * len(tall))
        self.assertEqual([box[2] for box in self.open("one").run(boxes % ".tall")], [0] * len(tall))
        grids = phone.run(
            "[...document.querySelectorAll('.tall use')].map((u) => "
            "document.querySelector(u.getAttribute('href')).textContent).join(' ')"
        )
        self.assertIn("expected values", grids)
        self.assertIn("got values", grids)

    def test_first_cause_is_on_the_first_screen_of_a_phone(self):
        for name in ("one", "many"):
            with self.subTest(page=name):
                page = self.open(name, width=390, height=844)
                bottom = "document.querySelector('%s').getBoundingClientRect().bottom"
                self.assertLess(page.run(bottom % "ol.contents"), 600)
                self.assertLess(page.run(bottom % "#discrepancies .message"), 844)

    def test_operators_and_types_of_a_cause_lead_into_the_matrix(self):
        page = self.open("one")
        led = page.run(
            "[...document.querySelectorAll('#group-2 .where a[href^=\"#operator\"]')]"
            ".map((a) => [a.textContent, document.querySelector(a.getAttribute('href')).closest('tr')"
            ".cells[0].textContent, document.querySelector(a.getAttribute('href')).tagName])"
        )
        self.assertEqual(led, [["MaxPool-14", "MaxPool-14", "TR"], ["f32", "MaxPool-14", "TD"]])

    def test_axe_finds_no_violation(self):
        with open(AXE, encoding="utf-8") as file:
            axe = file.read()
        for name in self.pages:
            for dark in (False, True):
                with self.subTest(page=name, dark=dark):
                    page = self.open(name, dark=dark)
                    page.run("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
                    page.run(axe + "; 0")
                    found = page.run(
                        "axe.run().then((r) => r.violations.map((v) => v.id + ': ' + "
                        "v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200) + ' ' + "
                        "n.failureSummary).join(' | ')))"
                    )
                    self.assertEqual(found, [])

    def test_screenshots(self):
        """Pictures to look at; that the page has a background of its own is what is checked."""
        for label, options in (("light", {}), ("dark", {"dark": True}), ("narrow", {"width": 390, "height": 800})):
            page = self.open("one", **options)
            page.screenshot(os.path.join(FOLDER, label + ".png"), 5200)
            colour = page.run("getComputedStyle(document.body).backgroundColor")
            self.assertEqual(colour, "rgb(20, 23, 27)" if label == "dark" else "rgb(255, 255, 255)")


if __name__ == "__main__":
    unittest.main()
