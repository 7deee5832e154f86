"""Attacks by what a program writes in place of its reply to the first run, and by what it does to the pipes."""

import array
import contextlib
import json
import os
import signal
import socket
import time

import poolproof

HUGE = 1 << 62


def sent(header, raws):
    return json.dumps(header).encode() + b"\n" + b"".join(raws)


def edited(change):
    """The reply with its header changed by a function."""

    def attack(header, raws):
        value = json.loads(json.dumps(header))
        change(value)
        return sent(value, raws)

    return attack


def output(key, value):
    return edited(lambda header: header["outputs"][0].update({key: value}))


def error(text):
    """An answer that is none, with this sentence, written as it stands between the quotes."""

    def attack(header, _):
        return b'{"id":%d,"status":"INTERNAL_ERROR","error":"%s"}\n' % (header["id"], text)

    return attack


def in_place(line):
    return lambda header, raws: line


def dripped(size, seconds, end):
    """The reply in parts; or never all of it."""

    def attack(header, raws):
        data = sent(header, raws)
        for begin in range(0, len(data) if end else len(data) - 1, size):
            Replies.stream.write(data[begin : begin + size])
            Replies.stream.flush()
            time.sleep(seconds)
        if not end:
            while True:
                time.sleep(1)
        return b""

    return attack


def after(action):
    """The right reply; then, before the next request is read, something else."""

    def attack(header, raws):
        Replies.stream.write(sent(header, raws))
        Replies.stream.flush()
        action(header)
        return b""

    return attack


def before(action):
    def attack(header, raws):
        action(header)
        return sent(header, raws)

    return attack


def stdin():
    return socket.socket(fileno=os.dup(0))


def talk_back(_):
    """Into the socket through which the requests come; nobody is to read it."""
    with stdin() as channel:
        channel.setblocking(False)
        try:
            while True:
                channel.send(b"x" * 65536)
        except BlockingIOError:
            channel.setblocking(True)


def give_descriptors(_):
    with stdin() as channel:
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [2] * 64))]
        with contextlib.suppress(OSError):  # the system's limit on descriptors that are under way
            for _ in range(20):
                channel.sendmsg([b"x"], rights, socket.MSG_DONTWAIT)


def out_of_band(_):
    with stdin() as channel:
        channel.send(b"x", socket.MSG_OOB)


def leave_a_child(header):
    """The child has all descriptors; its parent says that all is well."""
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(1000)
    os._exit(0)


class Replies:
    """Where replies go: in place of the helper's function that writes them, to the attack for the first result."""

    def __init__(self, name):
        self._attack, self._write = ATTACKS[name], poolproof._write
        poolproof._write = self.write

    def write(self, stream, header, raws):
        if not raws:
            return self._write(stream, header, raws)
        Replies.stream, poolproof._write = stream, self._write
        stream.write(self._attack(header, raws))
        return stream.flush()


ATTACKS = {
    "byte-less": lambda header, raws: sent(header, raws)[:-1],
    "byte-more": lambda header, raws: sent(header, raws) + b"\0",
    "half-header": lambda header, raws: sent(header, [])[:20],
    "no-data": lambda header, raws: sent(header, []),
    "data-first": lambda header, raws: b"".join(raws) + sent(header, []),
    "two-halves": dripped(40, 0.05, True),
    "drip-for-ever": dripped(1, 0.001, False),
    "huge-bytes": output("bytes", HUGE),
    "negative-bytes": output("bytes", -1),
    "number-too-large": in_place(b'{"id":1e999,"status":"OK","outputs":[]}\n'),
    "id-in-words": edited(lambda header: header.update(id=str(header["id"]))),
    "id-of-the-next": edited(lambda header: header.update(id=header["id"] + 1)),
    "key-doubled": lambda header, raws: sent(header, raws).replace(b"{", b'{"status":"OK",', 1),
    "nested-deeply": in_place(b"[" * 900_000 + b"\n"),
    "objects-deeply": in_place(b'{"a":' * 180_000 + b"\n"),
    "many-outputs": edited(lambda header: header.update(outputs=header["outputs"] * 5000)),
    "many-dimensions": output("shape", [1] * 100_000),
    "huge-dimensions": output("shape", [HUGE] * 4),
    "other-shape": output("shape", [1]),
    "unknown-type": output("type", "\x1b[31m" + "x" * 10_000),
    "unknown-status": edited(lambda header: header.update(status="CONFORMS")),
    "long-status": edited(lambda header: header.update(status="x" * 900_000)),
    "error-of-controls": error(b"\\u0000\\u001b[2J\\u202e\\r\\nCONFORMS\\u2028"),
    "error-without-end": error(b"x" * 900_000),
    "error-no-utf8": error(b"\xff\xfe\xc0\x80"),
    "greeting-again": in_place(b'{"poolproof":1,"name":"other","version":"2"}\n'),
    "empty-lines": in_place(b"\n" * 100),
    "twice": lambda header, raws: sent(header, raws) * 2,
    "ahead-of-time": lambda header, raws: sent(header, raws) + sent({**header, "id": header["id"] + 1}, raws),
    "mute": before(lambda header: os.close(Replies.stream.fileno())),
    "into-nowhere": before(lambda header: os.dup2(os.open("/dev/null", os.O_WRONLY), Replies.stream.fileno())),
    "into-stdin": before(lambda header: os.dup2(0, Replies.stream.fileno())),
    "shut-stdin": after(lambda header: stdin().shutdown(socket.SHUT_RDWR)),
    "talk-back": after(talk_back),
    "give-descriptors": after(give_descriptors),
    "out-of-band": after(out_of_band),
    "leave-well": after(lambda header: os._exit(0)),
    "leave-a-child": after(leave_a_child),
    "stop-itself": before(lambda header: os.kill(os.getpid(), signal.SIGSTOP)),
    "alarm": after(lambda header: [signal.setitimer(signal.ITIMER_REAL, 0.001), time.sleep(0.1)]),
}
