# SPDX-License-Identifier: Apache-2.0
"""atemi view --live: a page that follows a job, for this machine and whoever knows its address alone.
The requests are written out here, byte by byte; what a browser makes of the page is claimed in
viewer/test/features.mjs."""

import json
import os
import re
import signal
import socket
import subprocess
import time

import pytest

from conftest import COMMAND, PATIENCE, ROOT

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/")
PAGE = re.compile(rb'<script type="application/json" id="atemi-report">(.*?)</script>', re.S)
QUICK = ROOT / "scenarios/slide.yaml"
LONG = ROOT / "scenarios/yield.yaml"  # seconds of an idle machine

pytestmark = pytest.mark.usefixtures("has_page")


def hear_hang_ups():
    """Also where these tests run under nohup."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Live:
    """The command, and what its server answers."""

    def __init__(self, *arguments):
        environment = {**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": ""}
        self.process = subprocess.Popen([COMMAND, "view", "--live", *map(str, arguments)],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=environment, preexec_fn=hear_hang_ups)
        self.address = self.process.stdout.readline().strip()
        self.port, self.token = ADDRESS.fullmatch(self.address).groups()

    def ask(self, path, method="GET", host=None, headers=""):
        """(status, head, body) of one request."""
        with socket.create_connection(("127.0.0.1", int(self.port)), timeout=PATIENCE) as one:
            host = f"127.0.0.1:{self.port}" if host is None else host
            one.sendall(f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n".encode())
            answer = b"".join(iter(lambda: one.recv(1 << 16), b""))
        head, _, body = answer.partition(b"\r\n\r\n")
        return int(head.split()[1]), head.decode(), body

    def state(self):
        status, _, body = self.ask(f"/{self.token}/state")
        assert status == 200
        return json.loads(body)

    def wait(self, is_enough):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            state = self.state()
            if is_enough(state):
                return state
            time.sleep(0.02)
        raise TimeoutError(self.state())

    def page(self):
        status, head, body = self.ask(f"/{self.token}/")
        assert status == 200
        return head, body, json.loads(PAGE.search(body)[1])

    def end(self):
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


@pytest.fixture
def live():
    """Live(), ended with the test."""
    begun = []
    yield lambda *arguments: begun.append(Live(*arguments)) or begun[-1]
    for one in begun:
        one.process.terminate()
        one.process.communicate(timeout=PATIENCE)


@pytest.fixture
def ended(live):
    """A job that has ended, and waits for its browser."""
    one = live(QUICK)
    one.wait(lambda state: state["ended"])
    return one


def test_the_page_is_that_of_the_ended_job(ended, atemi, tmp_path):
    _, body, report = ended.page()
    code, out, err = ended.end()
    verdict = report["summary"]["verdict"]
    assert (code, out) == (0, f"{verdict}\n")
    assert err == "warning: no browser is found here; open this page in one, on this machine\n"
    page = tmp_path / "same.html"
    atemi("simulate", QUICK, "--report", page)
    assert body == page.read_bytes()


def test_the_page_follows_the_job(live, tmp_path):
    kept = tmp_path / "kept"
    one = live(LONG, "--out", kept)
    first = one.wait(lambda state: state["rows"] > 0)
    assert not first["ended"]
    _, body, report = one.page()
    assert f'<meta name="atemi-live" content="{report["summary"]["rows"]}">'.encode() in body
    assert b"connect-src 'self'" in body
    assert report["summary"]["outcome"] == "under way"
    assert report["summary"]["rows"] >= first["rows"]
    assert any("commanded" in plot["title"] for plot in report["plots"])  # the job's own
    second = one.wait(lambda state: state["rows"] > report["summary"]["rows"])
    assert first["done"] <= second["done"]
    one.wait(lambda state: state["ended"])
    _, body, last = one.page()
    assert b"atemi-live" not in body.split(b"<script", 1)[0] and one.end()[0] == 0
    rows = (kept / "recording.csv").read_text().count("\n") - 1
    assert last["summary"]["rows"] == rows > second["rows"]


@pytest.mark.parametrize("path", ["/", "/state", "/{other}/", "/{other}/state", "/{token}",
                                  "/{token}/else", "/{token}/../state", "//{token}/"])
def test_who_does_not_know_the_token_is_refused(ended, path):
    other = ended.token[:-1] + ("0" if ended.token[-1] != "0" else "1")
    assert ended.ask(path.format(other=other, token=ended.token))[0] == 404
    assert ended.state()["ended"]  # still there


@pytest.mark.parametrize("host", ["example.org", "example.org:{port}", "127.0.0.1", "127.0.0.1:1",
                                  "127.0.0.1:{port}.example.org", ""])
def test_a_name_that_was_pointed_here_is_refused(ended, host):
    for path in f"/{ended.token}/", f"/{ended.token}/state":
        assert ended.ask(path, host=host.format(port=ended.port))[0] == 403
    assert ended.ask(f"/{ended.token}/state", host=f"localhost:{ended.port}")[0] == 200


@pytest.mark.parametrize("origin", ["http://example.org", "null", "https://127.0.0.1:{port}",
                                    "http://127.0.0.1", "http://127.0.0.1:{port}.example.org"])
def test_another_origin_is_refused(ended, origin):
    header = f"Origin: {origin.format(port=ended.port)}\r\n"
    assert ended.ask(f"/{ended.token}/state", headers=header)[0] == 403
    own = f"Origin: http://127.0.0.1:{ended.port}\r\n"
    status, head, _ = ended.ask(f"/{ended.token}/state", headers=own)
    assert status == 200 and "Access-Control" not in head
    for line in "X-Frame-Options: DENY", "Cache-Control: no-store", "Referrer-Policy: no-referrer":
        assert line in head


@pytest.mark.parametrize("method", ["POST", "PUT", "OPTIONS", "HEAD", "get"])
def test_only_get_is_answered(ended, method):
    assert ended.ask(f"/{ended.token}/state", method=method)[0] == 405


def test_requests_of_any_size_are_survived(ended):
    for text in "X" * 9000, "GET /" + "A" * 20000, "\r\n\r\n", "\0\r\n\r\n":
        with socket.create_connection(("127.0.0.1", int(ended.port)), timeout=PATIENCE) as one:
            try:
                one.sendall(text.encode())
                one.shutdown(socket.SHUT_WR)
                one.recv(1 << 16)
            except OSError:
                pass  # it is hung up on
    assert ended.state()["ended"]


def test_who_says_nothing_does_not_hold_the_job_up(live):
    one = live(QUICK)
    silent = [socket.create_connection(("127.0.0.1", int(one.port))) for _ in range(3)]
    one.wait(lambda state: state["ended"])
    for connection in silent:
        connection.close()


def test_it_listens_on_the_loopback_address_alone(ended):
    # The kernel's table has addresses as hexadecimal numbers of this machine's byte order.
    wanted = f":{int(ended.port):04X}"
    with open("/proc/net/tcp") as table:
        listening = [line.split()[1] for line in table if line.split()[3] == "0A"]
    assert [at for at in listening if at.endswith(wanted)] == [f"0100007F{wanted}"]
    with open("/proc/net/tcp6") as table:
        assert not [line for line in table if line.split()[1].endswith(wanted)]


def test_the_address_is_new_each_time(live):
    assert len({live(QUICK).token for _ in range(3)}) == 3


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_ends_it_and_leaves_nothing(live, tmp_path, monkeypatch, stop):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    one = live(QUICK)
    one.wait(lambda state: state["ended"])
    assert list(tmp_path.iterdir())
    one.process.send_signal(stop)
    assert one.end()[0] == 128 + stop
    assert not list(tmp_path.iterdir())


def test_a_job_without_rows_at_first_says_that_it_is_under_way(live):
    one = live(ROOT / "scenarios/strike.yaml")
    status, _, body = one.ask(f"/{one.token}/")
    assert status == 200 and b"under way" in body and b"atemi-report" not in body


def test_what_makes_no_sense_is_refused(refused, tmp_path):
    assert "leave --json out" in refused("view", "--live", QUICK, "--json")
    assert "--live" in refused("view", tmp_path, "--out", tmp_path / "more")
    assert "bad.yaml" in refused("view", "--live", tmp_path / "bad.yaml")
