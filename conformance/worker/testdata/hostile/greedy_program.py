"""A program whose answers are greedy: it describes outputs of 4 GiB, and starts threads."""

import ctypes
import json
import sys
import time


def reply(value):
    sys.stdout.buffer.write((json.dumps(value) + "\n").encode())
    sys.stdout.buffer.flush()


def start_threads():
    libc = ctypes.CDLL(None)
    small, thread = ctypes.create_string_buffer(256), ctypes.c_ulong()
    libc.pthread_attr_init(small)
    libc.pthread_attr_setstacksize(small, ctypes.c_size_t(64 << 10))
    started = 0
    while started < 20000 and libc.pthread_create(ctypes.byref(thread), small, libc.pause, None) == 0:
        started += 1
    time.sleep(1)
    print("breach" if started == 20000 else "refused", file=sys.stderr, flush=True)


greeting = json.loads(sys.stdin.buffer.readline())
options = dict(option.split("=", 1) for option in greeting["options"])
reply({"poolproof": 1, "name": "greedy", "version": "0"})
for line in sys.stdin.buffer:
    request = json.loads(line)
    for tensor in request["inputs"]:
        sys.stdin.buffer.read(tensor.get("bytes", 0))
    if options["attack"] == "threads":
        start_threads()
    kind = request["inputs"][0]["type"]
    size = {"f64": 8, "f32": 4, "f16": 2, "bf16": 2}.get(kind)
    if size is None or len(request["outputs"]) > 1:
        reply({"id": request["id"], "status": "UNSUPPORTED"})
        continue
    output = {"type": kind, "shape": [1, 1, 1 << 16, (1 << 16) // size], "frac_bits": 0, "bytes": 1 << 32}
    reply({"id": request["id"], "status": "OK", "outputs": [output]})
