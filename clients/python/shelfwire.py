"""A mirror of a Shelfwire catalog that loses nothing and proves that it is equal; webhooks, verified.

One file that needs only the standard library of Python 3.9 or newer: install it, or copy it. README.md beside it is the introduction.

    client = Client("https://catalog.example", token)
    target = SqliteTarget("mirror.db")
    Sync(client, target, [store["slug"] for store in client.stores()]).once()

A product is kept as the text in which it was served. Serialized again, a number or a string could look different (1e21, U+2028), and so
would its digest.
"""
from __future__ import annotations

import argparse
import base64
import hashlib
import hmac
import http.client
import json
import os
import random
import re
import signal
import sqlite3
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
import zlib
from typing import Any, Callable, Generator, Iterator, Mapping, NamedTuple, Optional, Sequence

__version__ = "0.2.0"
BATCH = 200  # products of a request, and of a transaction
BLOCK = 1024  # product ids of a digest
LAST_ID = 2**53 - 1


class ShelfwireError(Exception):
    """An error answer of the service, or the lack of an answer. Decide by `code`: a code of the service (/docs/problems lists them), `no-answer`
    (there was no answer, or it was cut off) or `not-shelfwire` (a proxy's page, or the wrong address). `status` is 0 without an answer;
    `retry_after` is in seconds, or None."""

    def __init__(self, code: str, status: int, detail: str, request_id: Optional[str] = None, retry_after: Optional[float] = None):
        super().__init__(f"{code}: {detail}" + (f" (request {request_id})" if request_id else ""))
        self.code, self.status, self.request_id, self.retry_after = code, status, request_id, retry_after

    @property
    def is_passing(self) -> bool:
        """Whether the same request may succeed later."""
        if self.code == "no-answer" or self.status in (429, 502, 503, 504):
            return True
        # a page of a proxy: some have statuses of their own, such as 520 to 530, for a service that is down
        return self.code == "not-shelfwire" and (self.status == 408 or self.status >= 500)


class MirrorError(Exception):
    """A mirror that cannot be used as it is. `code`: position-damaged, not-filled, cursor-ahead, no-mirror, not-a-mirror, other-service,
    other-store."""

    def __init__(self, code: str, message: str):
        super().__init__(message)
        self.code = code


class Product(NamedTuple):
    """A product as it was served."""

    id: int
    text: str

    @property
    def data(self) -> dict:
        return json.loads(self.text)


class Answer(NamedTuple):
    """The answer to `get`. `data` is None with status 304: nothing has changed since the answer with that `etag`."""

    status: int
    etag: Optional[str]
    data: Any


class Batch(NamedTuple):
    """What one step of a mirror writes: products that replace the target's versions, ids that have left the store, and the new position. It is
    written only where the target's position is still `expected`. `changes` are the feed's changes; empty while a store is filled."""

    store: str
    expected: Optional[str]
    position: str
    products: Sequence[Product]
    removed: Sequence[int]
    changes: Sequence[dict]


# Requests


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """The token is for one address: a redirect is an error."""


class Client:
    """Reads the catalog of one account. Requests are repeated where they may succeed later, never sooner than Retry-After says; where that is
    longer than `pause_max` seconds, the request fails at once. `timeout`: how many seconds the service may send nothing."""

    def __init__(self, url: str, token: str, *, attempts: int = 6, pause_max: float = 30.0, timeout: float = 60.0):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            raise ValueError("the address begins with https:// or http:// and has no user: https://catalog.example")
        if not re.fullmatch(r"[\x21-\x7e]+", token):
            raise ValueError("the token has characters that no token has: was it copied whole?")
        self.url = re.sub(r"/v1$", "", f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}")
        self._token, self._attempts, self._pause_max, self._timeout = token, attempts, pause_max, timeout
        self._opener = urllib.request.build_opener(_NoRedirects)

    def get(self, path: str, query: Optional[Mapping[str, Any]] = None, *, etag: Optional[str] = None) -> Answer:
        """Reads any address below /v1, and parses its JSON. With the `etag` of an earlier answer the status may be 304, without data."""
        headers = {"If-None-Match": etag} if etag else {}
        return self._repeat(lambda: self._read(path, query, headers, json.loads))

    def stores(self) -> list[dict]:
        """The active stores, the default one first."""
        return self.get("/stores").data["data"]

    def products(self, store: str, *, ids: Optional[Sequence[int]] = None, after_id: int = 0) -> tuple[dict, list[Product]]:
        """The products with these ids, at most 200, or the page after an id. Returns the answer's other members, too: `meta` has `next_after_id`."""
        of = {"after_id": after_id} if ids is None else {"ids": ",".join(map(str, ids))}
        return self._products("/products", {"store": store, "per_page": BATCH, **of}, "data")

    def walk(self, store: str, after_id: int = 0) -> Iterator[Product]:
        """All products with an id above `after_id`, by id ascending."""
        after: Optional[int] = after_id
        while after is not None:
            answer, products = self.products(store, after_id=after)
            yield from products
            after = _onward(after, answer)

    def changes(self, store: str, cursor: tuple[str, int], *, wait: int = 0, limit: int = BATCH) -> tuple[dict, list[Product]]:
        """One window of the feed after a cursor, with the products that changed. A changed product that is not among them has left the store."""
        query = {"store": store, "since": cursor[0], "since_id": cursor[1], "limit": limit, "expand": "products"}
        answer, products = self._products("/changes", {**query, **({"wait": wait} if wait else {})}, "products")
        return _with_cursor(answer), products

    def export(self, store: str) -> tuple[tuple[str, int], Generator[Product, None, None]]:
        """The cursor from which the feed continues, and all products as they arrive; a transfer that breaks off is not repeated. A regular end
        does not prove that it was complete, because a proxy may end one that was cut off as if it were. `Sync` therefore walks the products
        after the last one. `close()` ends a transfer that is not read to its end."""
        response = self._repeat(lambda: self._open("/export", {"store": store}, {"Accept": "application/x-ndjson"}))
        since, number = response.headers.get("Shelfwire-Next-Since"), response.headers.get("Shelfwire-Next-Id") or ""
        if since is None or not number.isdigit():
            response.close()
            raise ShelfwireError("not-shelfwire", response.status, "an export without a cursor")
        products = self._lines(response)
        # the generator is started, so that closing it closes the response
        next(products)
        return (since, int(number)), products

    def _lines(self, response: Any) -> Generator[Any, None, None]:
        pieces: list[bytes] = []
        with response:
            yield None
            for block in _blocks(response):
                # split only at line feeds: a text may contain U+2028 and the like, at which `splitlines` splits, too
                *ends, rest = block.split(b"\n")
                for end in ends:
                    yield _product(b"".join([*pieces, end]), response)
                    pieces = []
                pieces.append(rest)
        if any(pieces):
            raise ShelfwireError("no-answer", 0, "the export ended within a product")

    def _products(self, path: str, query: Mapping[str, Any], name: str) -> tuple[dict, list[Product]]:
        return self._repeat(lambda: self._read(path, query, {}, lambda text: _members(text, name))).data

    def _read(self, path: str, query: Optional[Mapping[str, Any]], headers: dict, parse: Callable[[str], Any]) -> Answer:
        response = self._open(path, query, headers)
        with response:
            if response.status == 304:
                return Answer(304, response.headers.get("ETag"), None)
            body = b"".join(_blocks(response))
        try:
            return Answer(response.status, response.headers.get("ETag"), parse(body.decode()))
        except (ValueError, LookupError, TypeError) as error:
            if "json" in response.headers.get("Content-Type", "") and not _is_json(body):
                raise ShelfwireError("no-answer", 0, f"the transfer was cut off: {body[-200:]!r}") from error
            raise ShelfwireError("not-shelfwire", response.status, f"not what the API answers: {body[:200]!r}") from error

    def _open(self, path: str, query: Optional[Mapping[str, Any]], headers: dict) -> Any:
        address = f"{self.url}/v1{path}" + (f"?{urllib.parse.urlencode(query)}" if query else "")
        request = urllib.request.Request(address, headers={"Accept": "application/json", "Accept-Encoding": "gzip", **headers})
        request.add_unredirected_header("Authorization", f"Bearer {self._token}")
        try:
            return self._opener.open(request, timeout=self._timeout)
        except urllib.error.HTTPError as error:
            if error.code == 304:
                return error
            raise _refusal(error) from None
        except (OSError, http.client.HTTPException) as error:
            raise ShelfwireError("no-answer", 0, f"{self.url} does not answer: {getattr(error, 'reason', error)}") from error

    def _repeat(self, read: Callable[[], Any]) -> Any:
        for attempt in range(1, self._attempts + 1):
            try:
                return read()
            except ShelfwireError as error:
                asked = error.retry_after
                if attempt == self._attempts or not error.is_passing or (asked or 0) > self._pause_max:
                    raise
                # never sooner than the service asks for, with jitter so that clients do not all return at the same moment
                backoff = min(self._pause_max, 0.25 * 2 ** (attempt - 1)) * random.uniform(0.5, 1)
                time.sleep(backoff if asked is None else asked * random.uniform(1, 1.2))
        raise AssertionError("the last attempt returns or raises")


def _blocks(response: Any) -> Iterator[bytes]:
    """A body as it arrives, unpacked. Checks that it is complete, because `read1` does not: it ends a body that was cut off like a complete one."""
    unpack = zlib.decompressobj(31) if response.headers.get("Content-Encoding") == "gzip" else None
    length = response.headers.get("Content-Length")
    count = 0
    try:
        while block := response.read1(1 << 16):
            count += len(block)
            yield unpack.decompress(block) if unpack else block
    except (OSError, http.client.HTTPException, zlib.error) as error:
        raise ShelfwireError("no-answer", 0, f"the transfer was cut off: {error!r}") from error
    if (length is not None and count != int(length)) or (unpack is not None and not unpack.eof):
        raise ShelfwireError("no-answer", 0, "the transfer was cut off")


def _onward(after: int, page: dict) -> Optional[int]:
    """The id after which the next page begins; None after the last page, the only one whose answer says null."""
    meta = page.get("meta")
    following = meta.get("next_after_id", False) if isinstance(meta, dict) else False
    if following is not None and (type(following) is not int or following <= after):
        raise ShelfwireError("not-shelfwire", 200, f"the page after {after} does not say which one follows")
    return following


def _with_cursor(answer: dict) -> dict:
    is_feed = (isinstance(answer, dict) and isinstance(answer.get("changes"), list) and isinstance(answer.get("next_since"), str)
               and type(answer.get("next_id")) is int and type(answer.get("has_more")) is bool)
    if not is_feed:
        raise ShelfwireError("not-shelfwire", 200, "changes without a cursor")
    return answer


def _cursor_after(cursor: tuple[str, int], answer: dict) -> tuple[str, int]:
    """The cursor from which the feed continues. Fails where the feed says that there is more but its cursor has not moved: reading on at once would
    never end."""
    after = (answer["next_since"], answer["next_id"])
    if answer["has_more"] and after == cursor:
        raise ShelfwireError("no-answer", 0, f"the feed has more, and no cursor after {cursor[1]}")
    return after


def _is_json(body: bytes) -> bool:
    try:
        json.loads(body)
        return True
    except ValueError:
        return False


def _refusal(error: urllib.error.HTTPError) -> ShelfwireError:
    with error:
        try:
            text = b"".join(_blocks(error)).decode(errors="replace")
        except (ShelfwireError, AttributeError):
            text = ""
    after = error.headers.get("Retry-After") or ""
    try:
        problem = json.loads(text)
        code, detail = str(problem["code"]), str(problem.get("detail", ""))
    except (ValueError, LookupError, TypeError, AttributeError):
        code, detail = "not-shelfwire", f"status {error.code} without a problem of the API: {text[:200]}"
    return ShelfwireError(code, error.code, detail, error.headers.get("X-Request-Id"), float(after) if after.isdigit() else None)


_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"[ \t\n\r]*")


def _members(text: str, raw: str) -> tuple[dict, list[Product]]:
    """The members of an answer, and, with the text of each, the products of the list named `raw`."""
    at, products, members = 0, [], {}

    def take(marks: str) -> str:
        nonlocal at
        at = _BLANKS.match(text, at).end()
        mark = text[at]
        if mark not in marks:
            raise ValueError(f"no {marks} at {at}")
        at = _BLANKS.match(text, at + 1).end()
        return mark

    def value() -> Any:
        nonlocal at
        one, at = _DECODER.raw_decode(text, at)
        return one

    mark = take("{")
    while mark != "}":
        name = value()
        take(":")
        if name == raw and text[at] == "[":
            mark = take("[")
            while text[at] != "]" and mark != "]":
                start, product = at, value()
                products.append(Product(int(product["id"]), text[start:at]))
                mark = take(",]")
            if mark != "]":
                take("]")
        else:
            members[name] = value()
        mark = take(",}")
    return members, products


def _product(line: bytes, response: Any) -> Product:
    try:
        text = line.decode()
        return Product(int(json.loads(text)["id"]), text)
    except (ValueError, LookupError, TypeError) as error:
        raise ShelfwireError("not-shelfwire", response.status, f"a line of the export is no product: {line[:200]!r}") from error


# The mirror


def _position(store: str, text: str) -> dict:
    try:
        position = json.loads(text)
        if position["kind"] in ("following", "filling") and isinstance(position["since"], str):
            return {**position, "since_id": int(position["since_id"]), "after": int(position.get("after", 0))}
    except (ValueError, LookupError, TypeError):
        pass
    raise MirrorError("position-damaged", f"the position of the mirror of {store} is damaged ({text[:100]!r}): remove it, and it is filled again")


def _saved(kind: str, since: str, since_id: int, **more: Any) -> str:
    return json.dumps({"kind": kind, "since": since, "since_id": since_id, **more}, separators=(",", ":"))


class Sync:
    """Keeps a mirror of stores in a target: filled from the export, then kept up to date by the change feed. However it ends, it continues from the
    position in its target. A target has `position(store)`, `apply(batch)` and `ids(store, after, limit)`, as SqliteTarget does.

    `wait`: seconds for which the service holds a request until there is a change; with 0 the feed is read every `every` seconds, and after a `hint`.
    `on_status` is called after each step with a dict with `store` and `state`: filling, current, following, reset, waiting, unknown-store,
    retrying. Where it raises an error, `run` ends."""

    FINAL = ("missing-token", "invalid-token", "token-without-account", "not-shelfwire")

    def __init__(self, client: Client, target: Any, stores: Sequence[str], *, wait: int = 25, every: float = 60.0,
                 on_status: Callable[[dict], None] = lambda status: None):
        self._client, self._target, self._stores = client, target, list(stores)
        self._wait, self._every, self._tell = wait, every, on_status
        self._by = str(uuid.uuid4())
        self._wake = {store: threading.Event() for store in stores}
        self._ending = threading.Event()
        self._yielded: set[str] = set()
        self._written = dict.fromkeys(stores, 0)

    def once(self) -> None:
        """Reads until every store is current: for a schedule. Raises the first error, after the client's own attempts. That a store is not active
        is raised only when the others are current."""
        unknown: Optional[ShelfwireError] = None
        for store in self._stores:
            try:
                while not self._step(store, 0):
                    pass
            except ShelfwireError as error:
                if error.code != "unknown-store":
                    raise
                self._tell({"store": store, "state": "unknown-store"})
                unknown = unknown or error
        if unknown is not None:
            raise unknown

    def run(self) -> None:
        """Follows until `stop`, with a thread per store. Raises an error where the token, the address or a position is wrong; after all other errors
        it tries again."""
        errors: list[BaseException] = []

        def keep(store: str) -> None:
            try:
                self._keep(store)
            except BaseException as error:
                errors.append(error)
                self.stop()

        threads = [threading.Thread(target=keep, args=(store,), daemon=True) for store in self._stores]
        for thread in threads:
            thread.start()
        try:
            while not errors and any(thread.is_alive() for thread in threads):
                # with a short timeout, because on some systems Ctrl-C does not interrupt a join
                for thread in threads:
                    thread.join(0.2)
        finally:
            self.stop()
        if errors:
            raise errors[0]

    def stop(self) -> None:
        """Ends `run` when its present requests have been answered."""
        self._ending.set()
        self.hint()

    def hint(self) -> None:
        """To be called when a webhook announces a change: with `wait` 0, the feed is read now."""
        for wake in self._wake.values():
            wake.set()

    def _keep(self, store: str) -> None:
        is_current, failures = False, 0
        while not self._ending.is_set():
            self._wake[store].clear()
            written = self._written[store]
            try:
                is_current = self._step(store, self._wait if is_current else 0)
                failures = 0
                if is_current and self._wait == 0:
                    self._wake[store].wait(self._every)
            except MirrorError:
                raise
            except Exception as error:
                if isinstance(error, ShelfwireError) and error.code in self.FINAL and not error.is_passing:
                    raise
                is_current = False
                # only failures without progress in between lengthen the pause: a fill that fails now and then continues
                failures = failures + 1 if self._written[store] == written else 1
                self._retry(store, error, failures)

    def _retry(self, store: str, error: Exception, failures: int) -> None:
        asked = getattr(error, "retry_after", None) or 0
        # a Retry-After of more than an hour was probably not meant for us, and would end the mirror in effect
        pause = max(min(3600, asked), min(30, 0.25 * 2 ** min(failures, 10)) * random.uniform(0.5, 1))
        if getattr(error, "code", None) == "unknown-store":
            pause = 30
            self._tell({"store": store, "state": "unknown-store"})
        else:
            self._tell({"store": store, "state": "retrying", "error": error, "pause": pause})
        self._ending.wait(pause)

    def _step(self, store: str, wait: int) -> bool:
        """Reads one window of the feed, or does a whole fill. Returns whether the store is current."""
        text = self._target.position(store)
        if text is None:
            return self._begin(store, None)
        position = _position(store, text)
        if position["kind"] == "filling":
            return self._go_on(store, text, position)
        cursor = (position["since"], position["since_id"])
        try:
            answer, products = self._client.changes(store, cursor, wait=wait)
        except ShelfwireError as error:
            if error.code != "cursor-ahead":
                raise
            # the service was restored from a backup older than the mirror: it is filled again over its present products, and those that are gone are removed
            self._tell({"store": store, "state": "reset"})
            return self._begin(store, text)
        after = _cursor_after(cursor, answer)
        changes = answer["changes"]
        if changes or after != cursor:
            listed = {product.id for product in products}
            removed = [change["product_id"] for change in changes if change["product_id"] not in listed]
            if not self._apply(Batch(store, text, _saved("following", *after), products, removed, changes)):
                return False
            if changes:
                self._tell({"store": store, "state": "following", "products": len(products), "removed": len(removed)})
        if not answer["has_more"]:
            self._tell({"store": store, "state": "current"})
        return not answer["has_more"]

    def _begin(self, store: str, expected: Optional[str]) -> bool:
        cursor, products = self._client.export(store)
        try:
            text = _saved("filling", *cursor, by=self._by, after=0)
            # the cursor is saved before the first product
            if not self._apply(Batch(store, expected, text, [], [], [])):
                return False
            return self._fill(store, text, cursor, 0, self._to_its_end(store, products))
        finally:
            # an export of which nothing was read would otherwise stay open, and occupy one of the few that an account may run
            products.close()

    def _to_its_end(self, store: str, products: Iterator[Product]) -> Iterator[Product]:
        """An export, followed by the pages after its last product. The service ends an export that is not read for a minute, as when the target writes
        slowly; and a proxy may end one that was cut off as if it were complete. Only an empty page after the last product proves that it was."""
        after = 0
        try:
            for product in products:
                after = product.id
                yield product
        except ShelfwireError as error:
            if not error.is_passing:
                raise
            self._tell({"store": store, "state": "retrying", "error": error, "pause": 0})
        yield from self._client.walk(store, after)

    def _go_on(self, store: str, text: str, position: dict) -> bool:
        if position.get("by") != self._by and self._is_filled_elsewhere(store, text):
            return False
        cursor, after = (position["since"], position["since_id"]), position["after"]
        taken = _saved("filling", *cursor, by=self._by, after=after)
        if taken != text and not self._apply(Batch(store, text, taken, [], [], [])):
            return False
        # an export cannot begin in the middle; pages can
        return self._fill(store, taken, cursor, after, self._client.walk(store, after))

    def _is_filled_elsewhere(self, store: str, text: str) -> bool:
        """Whether another process is filling the store: its position moves within a minute. The first time it is taken for gone without waiting."""
        if store not in self._yielded:
            self._yielded.add(store)
            return False
        self._tell({"store": store, "state": "waiting"})
        for _ in range(60):
            if self._ending.wait(1) or self._target.position(store) != text:
                return True
        return False

    def _fill(self, store: str, text: str, cursor: tuple[str, int], after: int, products: Iterator[Product]) -> bool:
        count, batch = 0, []

        def write(up_to: int, then: Callable[[int], str]) -> bool:
            """Writes the batch, and removes other products of the target up to an id, a page of the target's ids at a time."""
            nonlocal text, after, count, batch
            end = after
            while end != up_to:
                held = self._target.ids(store, after, 1000)
                end = min(up_to, held[-1]) if len(held) == 1000 else up_to
                shown = [product for product in batch if product.id <= end]
                listed = {product.id for product in shown}
                removed = [held_id for held_id in held if held_id <= end and held_id not in listed]
                position = then(end) if end == up_to else filling(end)
                if not self._apply(Batch(store, text, position, shown, removed, [])):
                    return False
                text, after, count, batch = position, end, count + len(shown), batch[len(shown):]
            self._tell({"store": store, "state": "filling", "products": count})
            return True

        def filling(end: int) -> str:
            return _saved("filling", *cursor, by=self._by, after=end)

        for product in products:
            if self._ending.is_set():
                return False
            batch.append(product)
            if len(batch) == BATCH and not write(product.id, filling):
                return False
        write(LAST_ID, lambda _: _saved("following", *cursor))
        # the changes since the beginning of the fill are still to be read
        return False

    def _apply(self, batch: Batch) -> bool:
        is_written = self._target.apply(batch)
        self._written[batch.store] += 1
        return is_written


class SqliteTarget:
    """A mirror in a SQLite file, with the tables shelfwire_product (store, id, product as JSON) and shelfwire_position of @shelfwire/client, so that
    either can continue the other's mirror. Several processes may share the file, and several threads the target. Needs SQLite 3.24 (2018) or newer.
    A new product table has row ids, and large pages: without row ids, a row of more than a quarter of a page gets pages of its own. Files of older
    versions have such tables and keep them; the same statements read and write both."""

    def __init__(self, file: str):
        self._lock = threading.RLock()
        self.db = sqlite3.connect(file, timeout=10, isolation_level=None, check_same_thread=False)
        # takes effect only in a new file
        self.db.execute("pragma page_size = 16384")
        self.db.execute("pragma journal_mode = wal")
        self.db.execute("pragma synchronous = normal")
        self.db.execute("create table if not exists shelfwire_product (store text not null, id integer not null, product text not null,"
                        " primary key (store, id))")
        self.db.execute("create table if not exists shelfwire_position (store text not null primary key, position text not null)")

    def _all(self, statement: str, *values: Any) -> list[tuple]:
        with self._lock:
            return self.db.execute(statement, values).fetchall()

    def position(self, store: str) -> Optional[str]:
        rows = self._all("select position from shelfwire_position where store = ?", store)
        return rows[0][0] if rows else None

    def apply(self, batch: Batch) -> bool:
        """Writes a batch and its position in one transaction. False, and nothing is written, where the position is not `batch.expected`."""
        store = batch.store
        with self._lock:
            self.db.execute("begin immediate")
            try:
                is_expected = self.position(store) == batch.expected
                if is_expected:
                    rows = [(store, product.id, product.text) for product in batch.products]
                    # a product that is replaced keeps its row id, and so its place in the file
                    self.db.executemany("insert into shelfwire_product values (?, ?, ?)"
                                        " on conflict (store, id) do update set product = excluded.product", rows)
                    gone = [(store, product_id) for product_id in batch.removed]
                    self.db.executemany("delete from shelfwire_product where store = ? and id = ?", gone)
                    self.db.execute("insert or replace into shelfwire_position values (?, ?)", (store, batch.position))
                self.db.execute("commit")
                return is_expected
            except BaseException:
                if self.db.in_transaction:
                    self.db.execute("rollback")
                raise

    def ids(self, store: str, after: int, limit: int) -> list[int]:
        rows = self._all("select id from shelfwire_product where store = ? and id > ? order by id limit ?", store, after, limit)
        return [row[0] for row in rows]

    def held(self, store: str) -> Iterator[Product]:
        """The products by id ascending. Products that are written meanwhile may be among them or not."""
        statement = "select id, product from shelfwire_product where store = ? and id > ? order by id limit 500"
        rows = self._all(statement, store, -1)
        while rows:
            yield from (Product(*row) for row in rows)
            rows = self._all(statement, store, rows[-1][0])

    def stores(self) -> list[str]:
        return [row[0] for row in self._all("select store from shelfwire_position order by store")]

    def close(self) -> None:
        with self._lock:
            self.db.close()


# The proof


class Finding(NamedTuple):
    """A product that is not equal. `kind`: missing, superfluous or different; a different one has [(member, the mirror's value, the service's value)]."""

    id: int
    kind: str
    differences: list[tuple[str, Any, Any]]


class Comparison(NamedTuple):
    """The result of comparing a store. `products`: how many the service has. `changed`: how many have changed since the mirror's position, and are not
    compared. `as_of`: the time of that position."""

    store: str
    products: int
    findings: list[Finding]
    changed: int
    as_of: str


NONE = object()  # represents a member that one side lacks


def halves(text: str) -> tuple[bytes, bytes]:
    """The content half and the price half, without braces. `,"prices":[` is the member, because quotes within texts are escaped."""
    content, comma, prices = text.partition(',"prices":[')
    if not comma or text[0] != "{" or text[-1] != "}":
        return b"", b""
    return content[1:].encode(errors="replace"), f'"prices":[{prices[:-1]}'.encode(errors="replace")


def tags(text: str) -> tuple[str, str]:
    """The tags of both halves. They equal the service's where the text is exactly what it serves."""
    content, price = (base64.urlsafe_b64encode(hashlib.sha512(half).digest()[:12]).decode() for half in halves(text))
    return content, price


def element(product_id: int, tag: str) -> int:
    """The number that a half adds to the digest of its block, by xor."""
    return int.from_bytes(hashlib.sha512(f"{product_id}:{tag}".encode()).digest()[:16], "big")


def differences(mirror: Any, service: Any, member: str = "") -> list[tuple[str, Any, Any]]:
    """Compares member by member. The same value in another JSON notation is no difference."""
    if isinstance(mirror, list) and isinstance(service, list):
        mirror, service = dict(enumerate(mirror)), dict(enumerate(service))
    if isinstance(mirror, dict) and isinstance(service, dict):
        found = []
        for name in dict.fromkeys([*mirror, *service]):
            path = f"{member}.{name}" if member else str(name)
            found += differences(mirror.get(name, NONE), service.get(name, NONE), path)
        return found
    # in Python True equals 1
    is_equal = mirror == service and isinstance(mirror, bool) == isinstance(service, bool)
    return [] if is_equal else [(member, mirror, service)]


def compare(client: Client, target: Any, store: str) -> Comparison:
    """Compares a mirror with the service as of the mirror's own position: by digests, without reading the products that are equal. The target must also
    have `held(store)`. Raises MirrorError where the mirror is not filled yet, or the service was restored from an older backup."""
    text = target.position(store)
    position = {} if text is None else _position(store, text)
    if position.get("kind") != "following":
        raise MirrorError("not-filled", f"{store}: the mirror is not filled yet: run `mirror` until it says that it is up to date")
    cursor, changed = (position["since"], position["since_id"]), set()

    def read_on() -> None:
        nonlocal cursor
        has_more = True
        while has_more:
            query = {"store": store, "since": cursor[0], "since_id": cursor[1]}
            try:
                answer = _with_cursor(client.get("/changes", query).data)
            except ShelfwireError as error:
                if error.code != "cursor-ahead":
                    raise
                raise MirrorError("cursor-ahead", f"{store}: the service was restored from a backup older than this mirror: run `mirror`,"
                                  " which fills it again") from error
            changed.update(change["product_id"] for change in answer["changes"])
            cursor, has_more = _cursor_after(cursor, answer), answer["has_more"]

    # before the comparison, so that products known to have changed are not compared; and after it, for changes that were made meanwhile
    read_on()
    theirs: dict[int, dict] = {}
    after: Optional[int] = -1
    while after is not None:
        page = client.get("/digest", {"store": store, "limit": 5000, **({"after_block": after} if after >= 0 else {})}).data
        theirs.update((block["block"], block) for block in page["data"])
        after = page["meta"]["next_after_block"]
    findings: list[Finding] = []
    unseen = set(theirs)
    for block, held, sums in _blocks_of(target.held(store)):
        unseen.discard(block)
        their = theirs.get(block, {})
        if [int(their.get(half, "0"), 16) for half in ("content", "price")] != sums:
            findings += _compare_block(client, store, block, held, changed)
    for block in unseen:
        findings += _compare_block(client, store, block, {}, changed)
    read_on()
    findings = sorted((finding for finding in findings if finding.id not in changed), key=lambda finding: finding.id)
    return Comparison(store, sum(block["products"] for block in theirs.values()), findings, len(changed), position["since"])


def _blocks_of(products: Iterator[Product]) -> Iterator[tuple[int, dict[int, str], list[int]]]:
    block, held, sums = -1, {}, [0, 0]
    for product in products:
        if product.id // BLOCK != block:
            if held:
                yield block, held, sums
            block, held, sums = product.id // BLOCK, {}, [0, 0]
        held[product.id] = product.text
        for half, tag in enumerate(tags(product.text)):
            sums[half] ^= element(product.id, tag)
    if held:
        yield block, held, sums


def _compare_block(client: Client, store: str, block: int, held: dict[int, str], changed: set[int]) -> Iterator[Finding]:
    """Compares a block by the tags of its products, and products whose tags differ by their content."""
    query = {"store": store, "limit": BLOCK, "after_id": max(0, block * BLOCK - 1)}
    their = {one["id"]: (one["content"], one["price"]) for one in client.get("/digest/products", query).data["data"]}
    ours = {product_id: tags(text) for product_id, text in held.items()}
    suspects = sorted(one for one in {*their, *ours} if one // BLOCK == block and one not in changed and their.get(one) != ours.get(one))
    for at in range(0, len(suspects), BATCH):
        ids = suspects[at : at + BATCH]
        served = {product.id: product for product in client.products(store, ids=ids)[1]}
        for product_id in ids:
            text, product = held.get(product_id), served.get(product_id)
            if product is None and text is not None:
                yield Finding(product_id, "superfluous", [])
            elif product is not None and text is None:
                yield Finding(product_id, "missing", [])
            elif product is not None and (found := differences(_parsed(text), product.data)):
                yield Finding(product_id, "different", found)


def _parsed(text: Optional[str]) -> Any:
    try:
        return json.loads(text or "")
    except ValueError:
        return text


def repair(client: Client, target: Any, comparison: Comparison) -> tuple[int, int]:
    """Reads missing or different products again, and removes those that the service does not have. The position stays; where a mirror moves it
    meanwhile, the batch is read again. Returns how many products were written and removed."""
    ids, written, gone = [finding.id for finding in comparison.findings], 0, 0
    while ids:
        position = target.position(comparison.store)
        products = client.products(comparison.store, ids=ids[:BATCH])[1]
        listed = {product.id for product in products}
        removed = [product_id for product_id in ids[:BATCH] if product_id not in listed]
        if target.apply(Batch(comparison.store, position, position, products, removed, [])):
            ids, written, gone = ids[BATCH:], written + len(products), gone + len(removed)
    return written, gone


# Webhooks


class WebhookRefused(Exception):
    """A delivery that must not be trusted: answer 401."""


def verify_webhook(body: bytes, headers: Mapping[str, str], secrets: Sequence[str], *, now: Optional[float] = None, tolerance: float = 300) -> dict:
    """The members of a delivery that was signed with one of the secrets (two while one is being replaced), at a time close to now. `body` must be as it
    arrived, before any parsing. Adds `delivery`, the same in every retry, and `is_test`. Raises WebhookRefused; ValueError without a secret, and where
    a signed body is not JSON."""
    if not secrets or not all(secrets):
        raise ValueError("verify_webhook needs a secret")
    given = {name.lower(): value for name, value in headers.items()}
    timestamp = given.get("x-service-timestamp") or ""
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        raise WebhookRefused("X-Service-Timestamp is missing or malformed")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise WebhookRefused(f"signed at {timestamp}, more than {tolerance:g} seconds from this clock")
    names = ("x-service-signature", "x-service-signature-next", "x-service-signature-previous")
    # as bytes, because compare_digest takes only ASCII texts
    signatures = [(given.get(name) or "").encode(errors="replace") for name in names]
    signed = timestamp.encode() + b"." + body
    digests = [hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest() for secret in secrets]
    if not any([hmac.compare_digest(f"sha256={digest}".encode(), one) for digest in digests for one in signatures]):
        raise WebhookRefused("no signature of this delivery is valid")
    return {**json.loads(body), "delivery": given.get("x-service-delivery"), "is_test": given.get("x-service-test") == "1"}


# The command line


DONE, UNEQUAL, USAGE, UNAVAILABLE, REFUSED, MIRROR, UNEXPECTED, INTERRUPTED = 0, 1, 2, 3, 4, 5, 70, 130
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]")
_SOURCE = "create table if not exists shelfwire_source (store text not null primary key, url text not null, store_id integer not null)"


class _Failure(Exception):
    def __init__(self, exit_code: int, code: str, message: str):
        super().__init__(message)
        self.exit, self.code = exit_code, code


def _failure(error: BaseException, url: str) -> _Failure:
    """Converts any error to the message and the exit code with which it ends a command."""
    if isinstance(error, _Failure):
        return error
    if isinstance(error, ShelfwireError):
        if error.code in ("missing-token", "invalid-token"):
            text = 'the service does not know this token: it was revoked, has expired, or is of another service. The panel makes tokens on its page "Tokens"'
            return _Failure(REFUSED, error.code, text)
        if error.is_passing:
            return _Failure(UNAVAILABLE, error.code, f"{error}: try again later")
        if error.code == "not-shelfwire":
            text = f"what answers at {url} is not Shelfwire: give the service's address, such as https://catalog.example ({error})"
            return _Failure(REFUSED, error.code, text)
        return _Failure(REFUSED, error.code, str(error))
    if isinstance(error, MirrorError):
        return _Failure(UNEQUAL if error.code in ("not-filled", "cursor-ahead") else MIRROR, error.code, str(error))
    if isinstance(error, sqlite3.Error):
        return _Failure(MIRROR, "sqlite", f"SQLite cannot use the file: {error}")
    return _Failure(UNEXPECTED, "unexpected", repr(error))


class _Output:
    """Lines for people, or one JSON object a line. Texts come from catalogs and servers that may be hostile to a terminal."""

    def __init__(self, is_json: bool):
        self._is_json, self._lock = is_json, threading.Lock()

    def event(self, event: str, fields: dict, *lines: str) -> None:
        told = [json.dumps({"event": event, **fields}, separators=(",", ":"))] if self._is_json else lines
        with self._lock:
            for line in told:
                print(_UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", line), flush=True)

    def failed(self, failure: _Failure) -> None:
        if self._is_json:
            self.event("error", {"code": failure.code, "exit": failure.exit, "message": str(failure)})
        line = _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", str(failure))
        print(f"shelfwire: {line}", file=sys.stderr, flush=True)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        # the message does not repeat the argument, which may be a token
        raise _Failure(USAGE, "usage", f"{message.split(':')[0] if 'unrecognized' in message else message}; see --help")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="shelfwire.py", description="A mirror of a Shelfwire catalog in a SQLite file.", allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True, metavar="mirror|verify|diff")
    about = {
        "mirror": "fill a mirror, then follow what changes until Ctrl-C; after any end, a kill included, it goes on",
        "verify": "compare every product with the service, byte for byte, without reading those that are equal",
        "diff": "show what differs, member by member",
    }
    for name, text in about.items():
        one = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        one.add_argument("--url", default=os.environ.get("SHELFWIRE_URL", ""), help="the service's address, or SHELFWIRE_URL")
        one.add_argument("--token", help="a connector token; better in SHELFWIRE_TOKEN, which stays out of the shell's history")
        one.add_argument("--token-file", help="the token is in a file")
        one.add_argument("--sqlite", required=True, metavar="FILE", help="where the mirror is")
        one.add_argument("--store", action="append", help="of this store; several times for several, all unless it is given")
        one.add_argument("--moved", action="store_true", help="the service has another address than when the mirror was made")
        one.add_argument("--json", action="store_true", help="one JSON object a line on standard output")
        if name == "mirror":
            one.add_argument("--once", action="store_true", help="end when everything is there, instead of following")
        elif name == "verify":
            one.add_argument("--repair", action="store_true", help="read again what is missing or different, remove what is superfluous")
        else:
            one.add_argument("--limit", type=int, default=100, help="show at most so many products of a store; 100 unless it is given")
    return parser


def _token(given: argparse.Namespace) -> str:
    if given.token is not None and given.token_file is not None:
        raise _Failure(USAGE, "usage", "give --token or --token-file, not both")
    token = given.token or os.environ.get("SHELFWIRE_TOKEN", "")
    if given.token_file is not None:
        try:
            with open(given.token_file, encoding="utf-8") as file:
                token = file.read()
        except (OSError, ValueError) as error:
            raise _Failure(USAGE, "usage", f"--token-file cannot be read: {error}") from error
    if not token.strip():
        raise _Failure(USAGE, "usage", "give a token: SHELFWIRE_TOKEN, --token-file FILE or --token TOKEN")
    return token.strip()


def _chosen(given: argparse.Namespace, client: Client, target: SqliteTarget, active: Sequence[dict]) -> list[str]:
    """The slugs of the stores to work on, after checking that the mirror copies these and no others: two accounts, or production and staging, must not be
    mixed in one mirror."""
    target.db.execute(_SOURCE)
    known = {store: (url, store_id) for store, url, store_id in target._all("select store, url, store_id from shelfwire_source")}
    ids = {store["slug"]: store["id"] for store in active}
    stores = given.store or (list(ids) if given.command == "mirror" else target.stores())
    for store in stores:
        if store not in ids:
            raise _Failure(REFUSED, "unknown-store", f'there is no active store "{store}": this token reads {", ".join(ids)}')
        url, store_id = known.get(store, (client.url, ids[store]))
        if url != client.url and not given.moved:
            raise MirrorError("other-service", f"{given.sqlite} is a mirror of {url}, not of {client.url}: give another file, or say --moved"
                              " if the service has moved there")
        if store_id != ids[store]:
            raise MirrorError("other-store", f'{given.sqlite} has "{store}" of another account (store {store_id}, and this token\'s is'
                              f" {ids[store]}): give another file for this account")
        if given.command == "mirror":
            target._all("insert or replace into shelfwire_source values (?, ?, ?)", store, client.url, ids[store])
    return list(dict.fromkeys(stores))


def _found_in(file: str) -> str:
    """What a file is before anything is written to it: nothing, mirror or other."""
    if not os.path.exists(file) or os.path.getsize(file) == 0:
        return "nothing"
    db = sqlite3.connect(file, timeout=10)
    try:
        names = {name for name, in db.execute("select name from sqlite_master where type = 'table'")}
    finally:
        db.close()
    if "shelfwire_position" in names:
        return "mirror"
    # a mirror that another process is just making has no tables yet, or only the first
    return "other" if names and "shelfwire_product" not in names else "nothing"


def _run(given: argparse.Namespace, output: _Output) -> int:
    if not given.url:
        raise _Failure(USAGE, "usage", "give the service's address: --url https://catalog.example, or SHELFWIRE_URL")
    token = _token(given)
    try:
        client = Client(given.url, token)
        # a person waits for this: two attempts are enough
        active = Client(given.url, token, attempts=2).stores()
    except ValueError as error:
        raise _Failure(USAGE, "usage", str(error)) from error
    found = _found_in(given.sqlite)
    if given.command != "mirror" and found != "mirror":
        raise MirrorError("no-mirror", f"{given.sqlite} is no mirror: is the path right? `mirror` makes one")
    if found == "other":
        raise MirrorError("not-a-mirror", f"{given.sqlite} is a database of something else: give another file, which is made where it is not there")
    target = SqliteTarget(given.sqlite)
    try:
        stores = _chosen(given, client, target, active)
        if given.command == "mirror":
            return _mirror(given, client, target, stores, output)
        if getattr(given, "repair", False):
            Sync(client, target, stores).once()
        return max([_judge(given, client, target, store, output) for store in stores], default=DONE)
    finally:
        target.close()


def _mirror(given: argparse.Namespace, client: Client, target: SqliteTarget, stores: Sequence[str], output: _Output) -> int:
    said: dict[str, tuple[str, float]] = {}

    def tell(status: dict) -> None:
        store, state = status["store"], status["state"]
        before, at = said.get(store, ("", 0.0))
        # "current" is reported with every answer without changes, and "filling" with every batch
        is_news = state != before or (state != "current" and (state != "filling" or time.monotonic() - at > 2))
        if is_news:
            said[store] = (state, time.monotonic())
        fields = {"time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "store": store}
        texts = {
            "current": "up to date",
            "reset": "the service was restored from a backup older than this mirror; filling it again",
            "waiting": "another process fills this mirror; waiting for it",
            "unknown-store": "not active now; what the mirror has of it stays, and it is asked for again",
        }
        if state == "retrying":
            error = status["error"]
            failure = _failure(error, client.url)
            is_full = isinstance(error, sqlite3.OperationalError) or isinstance(error, OSError)
            if failure.exit in (MIRROR, UNEXPECTED) and not is_full:
                raise failure
            seconds = round(status["pause"] + 0.5)
            fields.update(code=failure.code, message=str(failure), pause_seconds=seconds)
            texts[state] = f"trying again in {seconds} s: {failure}"
        elif state in ("filling", "following"):
            fields.update((name, status[name]) for name in ("products", "removed") if name in status)
            texts[state] = f"{state}: {status['products']} products written, {status.get('removed', 0)} removed"
        if is_news:
            output.event(state, fields, f"{store}: {texts[state]}")

    sync = Sync(client, target, stores, on_status=tell)
    try:
        sync.once() if given.once else sync.run()
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED if given.once else DONE


def _judge(given: argparse.Namespace, client: Client, target: SqliteTarget, store: str, output: _Output) -> int:
    try:
        found = compare(client, target, store)
    except MirrorError as error:
        # this store cannot be compared; the others are
        output.failed(_failure(error, client.url))
        return UNEQUAL
    if given.command == "diff":
        for one in found.findings[: given.limit]:
            _show(store, one, output)
    fields = {"store": store, "products": found.products, "changed_since": found.changed, "as_of": found.as_of}
    since = f" ({found.changed} changed since, not compared)" if found.changed else ""
    if not found.findings:
        output.event("equal", fields, f"{store}: {found.products} products, equal as of {found.as_of}{since}")
        return DONE
    ids = {kind: [one.id for one in found.findings if one.kind == kind] for kind in ("missing", "superfluous", "different")}
    lines = [f"  {len(some)} {kind}: {', '.join(map(str, some[:20]))}{', …' if len(some) > 20 else ''}" for kind, some in ids.items() if some]
    output.event("unequal", {**fields, **ids, "damaged": []}, f"{store}: {found.products} products, NOT equal as of {found.as_of}{since}", *lines)
    if not getattr(given, "repair", False):
        return UNEQUAL
    written, removed = repair(client, target, found)
    fields = {"store": store, "written": written, "removed": removed}
    output.event("repaired", fields, f"{store}: repaired: {written} products written, {removed} removed")
    return DONE


def _show(store: str, finding: Finding, output: _Output) -> None:
    members, lines = [], [f"{store}: product {finding.id} is {finding.kind}"]
    for member, mirror, service in finding.differences:
        sides = {side: value for side, value in (("mirror", mirror), ("service", service)) if value is not NONE}
        members.append({"member": member, **sides})
        lines += [f"  {member}", *(f"    {side:<8} {json.dumps(value, ensure_ascii=False)[:200]}" for side, value in sides.items())]
    fields = {"store": store, "product_id": finding.id, "kind": finding.kind}
    output.event("difference", {**fields, "members": members} if members else fields, *lines)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs a command. Returns the exit code: 0 done or equal, 1 not equal, 2 the command line is wrong, 3 the service does not answer now, 4 it
    refuses, 5 the file cannot be used, 70 unexpected, 130 interrupted."""
    arguments = sys.argv[1:] if arguments is None else arguments
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    output, url = _Output("--json" in arguments), "the service"
    try:
        # SIGTERM ends the command as Ctrl-C does
        signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
        given = _parser().parse_args(arguments)
        url = given.url
        return _run(given, output)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return INTERRUPTED
    except Exception as error:
        failure = _failure(error, url)
        output.failed(failure)
        return failure.exit


if __name__ == "__main__":
    sys.exit(main())
