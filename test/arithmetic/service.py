"""A client of the account's API over one connection, with JSON bodies and exact amounts."""

import http.client
import json
import time
from urllib.parse import urlsplit


class Refused(RuntimeError):
    """The service refused the whole request; the message has the reason."""


class Service:
    def __init__(self, url, token):
        self.address = urlsplit(url)
        self.token = token
        self.connection = None

    def request(self, method, path, body=None):
        """Sends a request. @returns the body; numbers with a fraction are kept as text, so that none is rounded to a float."""
        headers = {"authorization": f"Bearer {self.token}", "prefer": "wait=25"}
        data = None
        if body is not None:
            headers["content-type"] = "application/json"
            data = json.dumps(body).encode()
        for attempt in range(5):
            if self.connection is None:
                self.connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=120)
            self.connection.request(method, path, data, headers)
            answer = self.connection.getresponse()
            text = answer.read().decode()
            if answer.status in (429, 503):
                time.sleep(float(answer.headers.get("retry-after", "1")))
                continue
            if answer.status == 422:
                raise Refused(f"{method} {path}: {text[:2000]}")
            if answer.status >= 300:
                raise RuntimeError(f"{method} {path}: {answer.status} {text[:2000]}")
            return json.loads(text, parse_float=str) if text else None
        raise RuntimeError(f"{method} {path}: refused five times")

    def close(self):
        if self.connection is not None:
            self.connection.close()

    def pages(self, path):
        """All entries of a list below /v1/account."""
        after = None
        while True:
            joint = "&" if "?" in path else "?"
            page = self.request("GET", path if after is None else f"{path}{joint}after={after}")
            yield from page["data"]
            after = page["meta"]["next_after"]
            if after is None:
                return

    def operation(self, answer):
        """Waits until the operation of a bulk or a write has ended."""
        while answer["data"].get("status") in ("queued", "running", "accepted"):
            time.sleep(0.2)
            answer = self.request("GET", f"/v1/account/operations/{answer['data']['id']}")
        return answer
