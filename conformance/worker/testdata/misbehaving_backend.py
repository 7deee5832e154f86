"""Copies input 1 to output 1, and positions to output 2; the word "fault" makes it go wrong."""

import os
import signal
import time

import numpy as np
import poolproof

STDOUT = os.dup(1)  # the protocol's, before serve() takes it away


def wrong_reply(text):
    os.write(STDOUT, text.encode() + b"\n")


FAULTS = {
    "exit": lambda: os._exit(3),
    "kill": lambda: os.kill(os.getpid(), signal.SIGABRT),
    "hang": lambda: time.sleep(1000),
    "print": lambda: print("noise"),
    "garbage": lambda: wrong_reply("hello world"),
    "other-id": lambda: wrong_reply('{"id":0,"status":"OK"}'),
    "no-status": lambda: wrong_reply('{"id":%d}' % Copy.request),
    "bad-status": lambda: wrong_reply('{"id":%d,"status":"FINE"}' % Copy.request),
    "endless-line": lambda: os.write(STDOUT, b"x" * (2 << 20)),
    "close-stdout": lambda: (os.closerange(1, 100), time.sleep(1000)),
    "printed-before": lambda: os.write(STDOUT, b"noise "),
    "text-for-number": lambda: wrong_reply(
        '{"id":%d,"status":"OK","outputs":[{"type":"f32","shape":[2,5],"bytes":"40"}]}' % Copy.request
    ),
    "unended-error": lambda: wrong_reply(
        r'{"id":%d,"status":"INTERNAL_ERROR","error":"died at line 79.\n"}' % Copy.request
    ),
    "no-line-break": lambda: (os.write(STDOUT, b'{"id":%d,"status":' % Copy.request), time.sleep(1000)),
    "data-too-short": lambda: (
        wrong_reply('{"id":%d,"status":"OK","outputs":[{"type":"f32","shape":[2,5],"bytes":40}]}\nab' % Copy.request),
        time.sleep(1000),
    ),
    "short-data": lambda: (
        wrong_reply('{"id":%d,"status":"OK","outputs":[{"type":"f32","shape":[2,5],"bytes":40}]}\nabc' % Copy.request),
        os._exit(0),
    ),
    "other-shape": lambda: wrong_reply(
        '{"id":%d,"status":"OK","outputs":[{"type":"f32","shape":[10],"bytes":40}]}' % Copy.request
    ),
    "raise": lambda: 1 / 0,
}


class Copy(poolproof.Backend):
    name, version = "python-misbehaving", "0.2"
    request = 0  # id of the request being answered: every call is two requests

    def __init__(self, options):
        if "suffix" in options:
            self.name += options.pop("suffix")
        super().__init__(options)

    def infer_shapes(self, call):
        Copy.request += 1
        source = call.inputs[0]
        if call.attributes.get("fault") == "rank-9":
            return [poolproof.Tensor("f32", (1,) * 9)]
        if call.attributes.get("fault") == "unsupported":
            raise poolproof.Unsupported("not this one")
        outputs = [poolproof.Tensor(source.type, source.shape, source.frac_bits), poolproof.Tensor("i32", source.shape)]
        return outputs[: call.output_count]

    def run(self, call):
        Copy.request += 1
        FAULTS.get(call.attributes.get("fault"), lambda: None)()
        source = call.inputs[0].data
        positions = np.arange(source.size, dtype=np.int32).reshape(source.shape)
        return [source, positions][: call.output_count]


if __name__ == "__main__":
    poolproof.serve(Copy)
