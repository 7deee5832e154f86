"""A headless Chromium, driven over its debugging pipe; needs Python's library and nothing else."""

import base64
import fcntl
import json
import os
import re
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
]


def above_9(descriptor):
    copy = fcntl.fcntl(descriptor, fcntl.F_DUPFD, 10)
    os.close(descriptor)
    return copy


class Browser:
    """One browser process with a profile of its own. Commands are those of the DevTools protocol."""

    def __init__(self):
        program = shutil.which("chromium")
        if program is None:
            raise SystemExit("chromium is not installed: scripts/install.sh does that")
        self.profile = tempfile.mkdtemp(prefix="poolproof-browser-")
        to_read, self.to_browser = os.pipe()
        self.from_browser, to_write = os.pipe()
        # The browser reads commands from descriptor 3 and writes answers to 4; with the pipes above 9
        # neither overwrites the other.
        to_read, to_write = above_9(to_read), above_9(to_write)
        shell = f'exec 3<&{to_read} 4>&{to_write}; exec "$0" "$@"'
        self.process = subprocess.Popen(
            ["bash", "-c", shell, program, *FLAGS, f"--user-data-dir={self.profile}"],
            pass_fds=(to_read, to_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.events = b"", 0, []

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def _message(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.from_browser], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            data = os.read(self.from_browser, 1 << 20)
            if not data:
                raise RuntimeError("the browser has ended")
            self.buffer += data
        text, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(text)

    def send(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message(180)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, session, method):
        """Waits for an event of a page; events that came before the call count."""
        while True:
            for event in self.events:
                if event.get("method") == method and event.get("sessionId") == session:
                    return
            self.events.append(self._message(180))


class Page:
    """One page, with what it logged and which addresses it asked for."""

    def __init__(self, browser, path, scripts=True, width=1280, height=900, dark=False):
        self.browser = browser
        target = browser.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.target = target
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(domain + ".enable")
        self.send("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        self.send(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}],
        )
        browser.events.clear()
        self.send("Page.navigate", url="file://" + path)
        browser.wait(self.session, "Page.loadEventFired")

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def run(self, expression):
        """The value of a JavaScript expression, which may be a promise."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression[:200]}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def complaints(self):
        """What the console said, and requests for anything but the page itself."""
        said = []
        for event in self.browser.events:
            parameters = event.get("params", {})
            if event.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
                said.append(json.dumps(parameters)[:500])
            if event.get("method") == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                if not url.startswith(("file:", "data:")):
                    said.append("asked for " + url)
        return said

    def screenshot(self, path, height):
        clip = {"x": 0, "y": 0, "width": self.run("innerWidth"), "height": height, "scale": 1}
        data = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def printed_pages(self):
        """How many sheets the page takes on paper."""
        pdf = base64.b64decode(self.send("Page.printToPDF")["data"])
        return len(re.findall(rb"/Type\s*/Page\b", pdf))

    def close(self):
        self.browser.send("Target.closeTarget", targetId=self.target)
