# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Headless Chromium, driven by WebDriver (https://www.w3.org/TR/webdriver2/)
through Debian's chromium-driver; the standard library does."""

import base64
import json
import os
import re
import shutil
import subprocess
import urllib.request


def is_available():
    return bool(shutil.which("chromedriver") and shutil.which("chromium"))


class Browser:
    """A session with one window; use it in a `with`."""

    def __enter__(self):
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        for line in self.driver.stdout:
            if found := re.search(r"started successfully on port (\d+)", line):
                break
        else:
            raise RuntimeError("chromedriver does not start")
        self.url = f"http://127.0.0.1:{found[1]}"
        arguments = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")  # Chromium refuses root else
        wanted = {
            "browserName": "chrome",
            "goog:chromeOptions": {"binary": shutil.which("chromium"), "args": arguments},
            "goog:loggingPrefs": {"browser": "ALL"},
        }
        session = self.call("POST", "/session",
                            {"capabilities": {"alwaysMatch": wanted}})
        self.url += f"/session/{session['sessionId']}"
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.communicate()

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            self.url + path, method=method,
            data=None if method == "DELETE" else json.dumps(body or {}).encode(),
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def open(self, path):
        self.call("POST", "/url", {"url": path.as_uri()})

    def run(self, script, *arguments):
        """What the body of a JavaScript function returns."""
        return self.call("POST", "/execute/sync", {"script": script, "args": arguments})

    def type(self, keys):
        """Presses keys one after the other; see WebDriver for special ones."""
        presses = [{"type": kind, "value": key} for key in keys
                   for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions",
                  {"actions": [{"type": "key", "id": "keyboard", "actions": presses}]})

    def console(self):
        """Messages since the last call."""
        return self.call("POST", "/se/log", {"type": "browser"})

    def devtools(self, command, **parameters):
        return self.call("POST", "/goog/cdp/execute",
                         {"cmd": command, "params": parameters})

    def set_width(self, pixels):
        self.devtools("Emulation.setDeviceMetricsOverride", width=pixels, height=900,
                      deviceScaleFactor=1, mobile=False)

    def set_scheme(self, scheme):
        """light or dark"""
        self.devtools("Emulation.setEmulatedMedia",
                      features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self):
        """The whole page as PNG."""
        shot = self.devtools("Page.captureScreenshot", captureBeyondViewport=True)
        return base64.b64decode(shot["data"])
