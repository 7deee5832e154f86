"""The gate from Python: one run of the program, looked at operator by operator."""

import functools
import pathlib
import re
import subprocess
import xml.etree.ElementTree

from poolproof.places import program

RUN = "run"  # the group of what fails the run though no case does


class GateError(Exception):
    """The gate could not judge: what the program said on standard error."""


class Gate:
    """A backend and the options of the program; the gate is run when a result is first asked for."""

    def __init__(self, backend, *options, out="poolproof-results"):
        self.backend, self.options, self.out = backend, options, pathlib.Path(out)

    def groups(self):
        """The operators that the backend has, each with its specializations, and the run as a whole."""
        names = []
        for line in self._program("probe", *self._options_of_probe(), codes=(0,)).splitlines():
            if re.fullmatch(r"[\w.-]+", line) and not any(line.startswith(f"{name}_") for name in names):
                names.append(line)
        return [*names, RUN]

    def failures(self, group):
        """Why the group does not conform: one text for each part of it that does not; none if it does."""
        texts = []
        for suite in self._suites:
            if suite.get("name") == group or suite.get("name").startswith(f"{group}_"):
                texts += [
                    f"{case.get('name')}: {failure.get('message')}\n{failure.text or ''}".rstrip()
                    for case in suite
                    for failure in case.iter("failure")
                ]
        return texts

    def check(self, group):
        """Raises AssertionError with the failures of the group, if there are any."""
        texts = self.failures(group)
        if texts:
            shown = "\n\n".join(texts[:3])
            more = f"\n\nand {len(texts) - 3} more" if len(texts) > 3 else ""
            raise AssertionError(f"{group} does not conform\n\n{shown}{more}\n\nreport: {self.out / 'report.html'}")

    @functools.cached_property
    def _suites(self):
        """The test suites of junit.xml, which knows what the baseline expects."""
        text = self._program(*self.options, f"--out={self.out}", codes=(0, 1))
        suites = list(xml.etree.ElementTree.parse(self.out / "junit.xml").getroot())
        if "\nDOES NOT CONFORM" in text and not any(suite.get("failures") != "0" for suite in suites):
            raise GateError(text)
        return suites

    def _options_of_probe(self):
        known = re.findall(r"^  (--[a-z-]+)", self._run("probe", "--help").stdout, re.MULTILINE)
        return [option for option in self.options if option.split("=")[0] in known]

    def _program(self, *arguments, codes):
        done = self._run(*arguments, f"--backend={self.backend}")
        if done.returncode not in codes:
            raise GateError(done.stderr.strip() or f"poolproof ended with {done.returncode}")
        return done.stdout

    @staticmethod
    def _run(*arguments):
        return subprocess.run([program(), *arguments], capture_output=True, text=True, check=False)


def gate_test(backend, *options, out="poolproof-results"):
    """A test function for pytest that has one test per operator of the backend, and one for the run as a whole.

    Options are those of the program, each as one word: gate_test("./libmine.so", "--level=quick").
    """
    import pytest

    gate = Gate(backend, *options, out=out)

    @pytest.mark.parametrize("group", gate.groups())
    def test(group):
        gate.check(group)

    return test
