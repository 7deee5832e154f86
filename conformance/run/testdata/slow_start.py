"""A program that takes long to start, and whose answers are wrong once it has been asked for five different things, or,
with hangs=1, that never answers more."""

import sys
import time

import example_backend
import poolproof


class SlowStart(example_backend.ExampleBackend):
    def __init__(self, options):
        print("started", file=sys.stderr, flush=True)
        time.sleep(float(options.pop("seconds")))
        self._hangs = options.pop("hangs", "0") == "1"
        self._asked = set()
        super().__init__(options)

    def run(self, call):
        source = call.inputs[0]
        self._asked.add(f"{call.attributes} {source.type} {source.shape}")
        outputs = super().run(call)
        if len(self._asked) > 5 and self._hangs:
            time.sleep(3600)
        if len(self._asked) > 5:
            outputs[0] = outputs[0] + 1
        return outputs


if __name__ == "__main__":
    poolproof.serve(SlowStart)
