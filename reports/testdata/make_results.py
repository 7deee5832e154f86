#!/usr/bin/env python3
"""Writes a results file (FORMAT.md) for tests of the reports; the same bytes for the same arguments.

  make_results.py OUT [--cases N] [--hostile] [--fixed] [--conforms] [--causes N] [--backend NAME]

The cases are made up, their form is not. --hostile puts markup, quotes, control characters, bytes that
are no UTF-8 and very long names into every field that is text. --fixed lets cases pass that fail
without it, and the other way round, as a newer version of the backend would.
"""

import argparse
import json
import sys

TYPES = ["f64", "f32", "f16", "bf16", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"]
HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>&amp;\x00\x07\x1b[31m\u202e]]>{{x}}"
ATTRIBUTES = [
    {"name": "kernel", "key": "k"},
    {"name": "strides", "key": "s"},
    {"name": "dilations", "key": "d"},
    {"name": "rounding_type", "key": "rounding", "words": ["floor", "ceil", "ceil_torch"]},
    {"name": "auto_pad", "key": "auto_pad", "words": ["explicit", "same_upper", "same_lower", "valid"]},
]
DOCUMENT = "https://docs.openvino.ai/"


def reading(name, statement, *followed_by):
    return {"name": name, "statement": statement, "followed_by": list(followed_by)}


LEDGER = [
    {
        "id": "ties",
        "kind": "silence",
        "title": "Equal maxima in a window",
        "evidence": "No document says which of several equal maxima the index names.",
        "clauses": ["maxpool-8/output-2"],
        "selected": "first",
        "effect": "Unpooling puts values elsewhere.",
        "readings": [
            reading("first", "The first in row-major order.", "OpenVINO", "PyTorch"),
            reading("last", "The last one."),
        ],
    },
    {
        "id": "same-stride",
        "kind": "divergence",
        "title": "same_upper with a stride above 1",
        "evidence": "The formula keeps the size of the input whatever the stride.",
        "clauses": ["maxpool-8/same"],
        "selected": "input-size",
        "effect": "Outputs differ in size by the stride.",
        "readings": [
            reading("input-size", "The output has the size of the input."),
            reading("ceil-div", "The size is divided by the stride.", "OpenVINO 2024"),
        ],
    },
    {
        "id": "ceil-torch-once",
        "kind": "contradiction",
        "title": "How often ceil_torch drops a window",
        "evidence": "One sentence forbids windows that start in the padding, another one says by 1.",
        "clauses": ["maxpool-8/rounding"],
        "selected": "once",
        "effect": "One element more or less.",
        "readings": [
            reading("once", "At most one window is dropped.", "PyTorch"),
            reading("until-inside", "As many as start in the padding."),
        ],
    },
    {
        "id": "example-commas",
        "kind": "erratum",
        "title": "Commas between rows are missing",
        "evidence": "Examples 3 and 4.",
        "clauses": [],
        "selected": "separated",
        "effect": "None.",
        "readings": [reading("separated", "They are meant.")],
    },
]


def header(backend, version):
    operators = [
        {"name": name, "document": "maxpool-8", "types": TYPES, "attributes": ATTRIBUTES}
        for name in ("MaxPool-8", "MaxPool-14")
    ]
    operators.append(
        {
            "name": "pool_chw",
            "document": "maxpool-8",
            "types": ["fx8", "fx16"],
            "attributes": [{"name": "width", "key": "w"}],
        }
    )
    return {
        "poolproof_results": 2,
        "tool": {"name": "poolproof", "version": "0.1.0"},
        "backend": {
            "name": backend,
            "version": version,
            "path": "build/lib/libsample.so",
            "options": ["threads=1"],
            "isolated": True,
        },
        "profile": "documented",
        "readings": {},
        "level": "gate",
        "seed": 1,
        "shard": {"index": 1, "count": 1},
        "filter": "",
        "jobs": 2,
        "machine": {"cpu": "Sample CPU", "os": "Linux 6.1", "cores": 2},
        "started": "2026-01-31T12:00:00Z",
        "specs": {"digest": "0123456789abcdef", "operators": operators},
        "documents": [{"id": "maxpool-8", "title": "MaxPool-8", "version": "8", "link": DOCUMENT}],
        "ledger": LEDGER,
    }


def case(n, fixed):
    """Case n: mostly passes; every 97th fails, every 101st deviates, every 53rd is unsupported."""
    op = ("MaxPool-8", "MaxPool-14", "pool_chw_k2x2")[n % 3]
    kind = TYPES[n % 12] if n % 3 < 2 else ("fx8", "fx16")[n % 2]
    line = (
        f"{op} {kind} in=1x{n % 7 + 1}x{n % 11 + 3}x{n % 13 + 3} k={n % 4 + 1}x{n % 3 + 1} "
        f"s={n % 3 + 1} d=1 rounding={('floor', 'ceil')[n % 2]} fill=distinct seed={n}"
    )
    value = {"n": n, "id": line, "section": ("boundaries", "random")[n % 2], "verdict": "pass"}
    if n < 40:
        value["id"], value["line"] = f"{op}/example-{n}", line
        value["section"] = ("examples", "invalid")[n % 2]
    if n % 97 == (5 if fixed else 3):
        value.update(verdict="fail", group=1, message="Output values at [0,0,0,3]: expected 3, got -6.")
    elif n % 101 == 7:
        value.update(
            verdict="deviates",
            deviates={"same-stride": "ceil-div"},
            group=2,
            message="The output has the size that same-stride=ceil-div gives.",
        )
        if n % 202 == 7:
            value["baseline"] = {"expected": "deviates", "reason": "known since 2.0", "status": "as expected"}
    elif n % 53 == 11:
        value.update(verdict="unsupported", message="no kernel for this element type")
    elif n % 5 == 0:
        value["readings"] = {"ties": "first"}
    return value


DETAIL_VALUES = {
    "input": {"type": "f32", "shape": [1, 1, 3, 3], "values": ["-1", "2", "3", "4", "5", "-6", "-7", "8", "9"]},
    "kernel": [2, 2],
    "stride": [1, 1],
    "dilation": [1, 1],
    "pad_begin": [1, 1],
    "pad_end": [1, 1],
    "expected": [
        {
            "name": "values",
            "type": "f32",
            "shape": [1, 1, 4, 4],
            "values": ["-1", "2", "3", "3", "4", "5", "5", "3", "4", "8", "9", "9", "-7", "8", "9", "9"],
        },
        {
            "name": "indices",
            "type": "i64",
            "shape": [1, 1, 4, 4],
            "values": ["0", "1", "2", "2", "3", "4", "4", "2", "3", "7", "8", "8", "6", "7", "8", "8"],
        },
    ],
    "got": [
        {
            "name": "values",
            "type": "f32",
            "shape": [1, 1, 4, 4],
            "values": ["-1", "2", "3", "3", "4", "5", "5", "-6", "4", "8", "9", "9", "-7", "8", "9", "9"],
        },
        {
            "name": "indices",
            "type": "i64",
            "shape": [1, 1, 4, 4],
            "values": ["0", "1", "2", "2", "3", "4", "4", "5", "3", "7", "8", "8", "6", "7", "8", "8"],
        },
    ],
    "expected_status": "OK",
    "got_status": "OK",
    "wrong": [[7], [7]],
    "spatial": [2, 3],
    "first": {"output": 0, "name": "values", "position": [0, 0, 1, 3], "expected": "3", "got": "-6"},
    "window": {"begin": [0, 2], "step": [1, 1], "taps": [2, 2], "offsets": [2, 5]},
}

DETAIL_SHAPE = {
    "input": {"type": "f32", "shape": [1, 1, 5], "values": ["1", "2", "3", "4", "5"]},
    "kernel": [2],
    "stride": [2],
    "dilation": [1],
    "pad_begin": [1],
    "pad_end": [1],
    "expected": [{"name": "values", "type": "f32", "shape": [1, 1, 3], "values": ["1", "3", "5"]}],
    "got": [{"name": "values", "type": "f32", "shape": [1, 1, 4]}],
    "expected_status": "OK",
    "got_status": "OK",
    "spatial": [2],
    "window": {"begin": [-1], "step": [1], "taps": [2], "offsets": [0]},
}


def groups(counts, causes):
    deviating = counts.get("deviates", 0)
    clause = {
        "id": "maxpool-8/output-1",
        "title": "Outputs, 1",
        "document": "maxpool-8",
        "statement": "The maximum over the taps inside the input.",
        "link": DOCUMENT,
    }
    first, second = [
        {
            "group": 1,
            "verdict": "fail",
            "cases": counts.get("fail", 0),
            "operators": ["MaxPool-8"],
            "types": ["f32"],
            "clause": clause,
            "first": ["MaxPool-8 f32 in=1x1x3x3"],
            "message": "Output values at [0,0,1,3]: expected 3, got -6.",
            "cause": {
                "id": "last-row",
                "title": "The first row of a window is skipped",
                "effect": "Maxima in the first row of a window are lost.",
                "link": "https://github.com/onnx/onnx",
            },
            "layers": {"matching": 42, "run": 30, "failing": 12, "all": 640, "networks": 17, "first": "ResNet-50"},
            "smallest": {
                "line": "MaxPool-8 f32 in=1x1x3x3 k=2 s=1 pb=1 pe=1 data=-1,2,3,4,5,-6,-7,8,9",
                "c": "int main(void) { return 0; }\n",
                "vector": {"op": "MaxPool-8"},
                "detail": DETAIL_VALUES,
            },
        },
        {
            "group": 2,
            "verdict": "deviates",
            "cases": deviating,
            "operators": ["MaxPool-14"],
            "types": ["f16", "f32"],
            "cause": None,
            "clause": None,
            "first": ["MaxPool-14 f32 in=1x1x5"],
            "message": "Another size.",
            "smallest": {
                "line": "MaxPool-14 f32 in=1x1x5 k=2 s=2 pb=1 pe=1",
                "c": "",
                "vector": {},
                "detail": DETAIL_SHAPE,
            },
        },
    ]
    shares = [len(range(n, deviating, causes - 1)) for n in range(causes - 1)]
    return [first, *({**second, "group": 2 + n, "cases": cases} for n, cases in enumerate(shares))]


def footer(counts, conforms):
    ties = {
        "first": {"cases": counts.get("pass", 0) // 5, "example": "MaxPool-8 f32 in=1x1x3x3"},
        "first|last": {"cases": 9, "example": "MaxPool-8 f32 in=1x1x1x1"},
    }
    return {
        "footer": {
            "planned": sum(counts.values()),
            "counts": counts,
            "readings": {"ties": ties},
            "ulp": {},
            "baseline": {
                "file": "baseline.txt",
                "varying": [],
                "changes": [] if conforms else [{"kind": "unmatched", "count": 1, "ids": ["MaxPool-1/*"]}],
            },
            "profile_hint": {
                "profile": "openvino",
                "deviations": counts.get("deviates", 0),
                "explained": counts.get("deviates", 0),
            },
            "duration_seconds": 12.5,
            "problems_per_second": 40000,
            "stdout_bytes": 0,
            "conforms": conforms,
        }
    }


def poison(value, key=""):
    """Hostile text in every string that is not the grammar of the format itself."""
    if isinstance(value, dict):
        return {k: v if k in ("verdict", "key", "counts", "status") else poison(v, k) for k, v in value.items()}
    if isinstance(value, list):
        return [poison(v, key) for v in value]
    if not isinstance(value, str):
        return value
    if key in ("link",):
        return "javascript:alert(1)//" + HOSTILE
    return value + HOSTILE + ("x" * 9000 if key in ("name", "title") else "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--hostile", action="store_true")
    parser.add_argument("--fixed", action="store_true")
    parser.add_argument("--conforms", action="store_true")
    parser.add_argument("--causes", type=int, default=2, help="those that deviate are shared out")
    parser.add_argument("--backend", default="sample")
    args = parser.parse_args()
    counts = {}
    with open(args.out, "wb") as out:

        def write(value):
            if args.hostile:
                value = poison(value)
            text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
            # Three bytes that are no UTF-8 where a backend's message begins.
            text = text.replace(b'"message":"', b'"message":"\xff\xc0\xaf') if args.hostile else text
            out.write(text + b"\n")

        write(header(args.backend, "2.1" if args.fixed else "2.0"))
        for n in range(args.cases):
            value = case(n, args.fixed)
            if args.conforms and value["verdict"] != "unsupported":
                value = {k: value[k] for k in ("n", "id", "line", "section") if k in value}
                value["verdict"] = "pass"
            if value.get("group") == 2:
                value["group"] += counts.get("deviates", 0) % (args.causes - 1)
            counts[value["verdict"]] = counts.get(value["verdict"], 0) + 1
            write(value)
        for group in [] if args.conforms else groups(counts, args.causes):
            write(group)
        write(footer(counts, args.conforms))


if __name__ == "__main__":
    sys.exit(main())
