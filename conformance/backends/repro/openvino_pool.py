"""OpenVINO: where it differs from the documents of its pooling operators, on the CPU.

    python openvino_pool.py

Every line is one case: what was done, what the document asks for, what came. Exits with 1 if one of
them differs. Cases that may die of a segmentation fault run in processes of their own.
"""

import ctypes
import mmap
import re
import subprocess
import sys

import numpy as np
import openvino
from openvino import opset1, opset8, opset14
from verdict import case, end

IR = """<net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data element_type="f32" shape="1,1,3,{width}"/>
  <output><port id="0" precision="FP32"/></output></layer>
<layer id="1" name="p" type="MaxPool" version="opset8"><data {attributes}/><input><port id="0"/></input>
  <output><port id="1" precision="FP32"/><port id="2" precision="I64"/></output></layer>
<layer id="2" name="v" type="Result" version="opset1"><input><port id="0"/></input></layer>
<layer id="3" name="i" type="Result" version="opset1"><input><port id="0"/></input></layer>
</layers><edges>
<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
<edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="2" to-layer="3" to-port="0"/></edges></net>"""
GOOD = {"kernel": "2,2", "strides": "1,1", "pads_begin": "0,0", "pads_end": "0,0", "dilations": "1,1"}
CORE = openvino.Core()


def rejected(name, compute):
    """A case that has to be an error."""
    case(name, "error", lambda: compute() and "no error", lambda _, got: str(got).startswith("error"))


def read(width=3, **change):
    attributes = {k: v for k, v in (GOOD | change).items() if v is not None}
    text = " ".join(f'{key}="{value}"' for key, value in attributes.items())
    return CORE.read_model(IR.format(width=width, attributes=text).encode())


def infer(model, data, **config):
    return [v.tolist() for v in CORE.compile_model(model, "CPU", config)([data]).values()]


def both(values, make):
    """Values and indices of what `make` builds over a Parameter of one row of `values`."""
    values = np.array([[values]])
    data = opset8.parameter(values.shape, values.dtype)
    pool = make(data)
    return infer(openvino.Model([pool.output(0), pool.output(1)], [data], "m"), values)


def mean_behind(elements):
    """The mean of a window without input, which ceil lets start behind an input of 2."""
    data = opset14.parameter([1, 1, 2], np.float32)
    pool = opset14.avg_pool(data, [2 + elements], [0], [0], [1], True, rounding_type="ceil")
    return infer(openvino.Model([pool.output(0)], [data], "m"), np.array([[[5, -7]]], np.float32))[0][0][0][1]


def adaptive(data, index_type="i32"):
    return opset8.adaptive_max_pool(data, opset8.constant(np.array([1], np.int64)), index_type)


def fails(threads, count):
    """Infers `count` models without dilations; each is destroyed before the next is compiled."""
    for width in range(3, 3 + count):
        try:
            infer(read(width, dilations=None), np.zeros((1, 1, 3, width), np.float32), INFERENCE_NUM_THREADS=threads)
            print("no error")
        except RuntimeError:
            print("error")
        sys.stdout.flush()


def edge(shape, guarded):
    """A tensor of u8; `guarded`: right behind a page that nobody may read or write."""
    size = int(np.prod(shape))
    pages = np.frombuffer(mmap.mmap(-1, 2 * mmap.PAGESIZE), np.uint8)
    if guarded:
        ctypes.CDLL(None).mprotect(ctypes.c_void_p(pages.ctypes.data), ctypes.c_size_t(mmap.PAGESIZE), 0)
    return openvino.Tensor(pages[mmap.PAGESIZE : mmap.PAGESIZE + size].reshape(shape), shared_memory=True)


def border(width, guarded):
    """A MaxPool-1 of 33 images of `width` u8, kernel `width`, whose input or output is guarded."""
    data = opset1.parameter([33, 1, width], openvino.Type.u8)
    model = openvino.Model([opset1.max_pool(data, [1], [0], [0], [width])], [data], "m")
    request = CORE.compile_model(model, "CPU").create_infer_request()
    request.set_input_tensor(edge([33, 1, width], guarded == "input"))
    request.set_output_tensor(edge([33, 1, 1], guarded == "output"))
    request.infer()


def mean_without_dilations():
    """Prints the means of windows of 2 x 2 by AvgPool-16, whose IR has no dilations."""
    attributes = " ".join(f'{key}="{value}"' for key, value in GOOD.items() if key != "dilations")
    text = IR.format(width=3, attributes=attributes + ' exclude-pad="true"')
    text = text.replace('type="MaxPool" version="opset8"', 'type="AvgPool" version="opset16"')
    text = re.sub(r'<port id="2".*?/>|<layer id="3".*?</layer>|<edge from-layer="1" from-port="2".*?/>', "", text)
    print(infer(CORE.read_model(text.encode()), np.arange(9, dtype=np.float32).reshape(1, 1, 3, 3))[0])


def child(*arguments):
    done = subprocess.run([sys.executable, __file__, *map(str, arguments)], check=False, capture_output=True, text=True)
    return done.stdout.split("\n")[:-1] + [f"exit status {done.returncode}"]


def shape(pool):
    return list(pool.output(0).get_shape())


def main():
    print("OpenVINO", openvino.__version__)
    ramp = np.arange(9, dtype=np.float32).reshape(1, 1, 3, 3)
    vector, image = opset8.parameter([1, 1, 7], np.float32), opset8.parameter([1, 3, 32, 32], np.float32)
    twice = ["error", "error", "exit status 0"]
    case(
        "MaxPool-8 without dilations, which default to 1",
        [[[[4.0, 5.0], [7.0, 8.0]]]],
        lambda: infer(read(dilations=None), ramp)[0],
    )
    case("the same twice, 1 inference thread", twice, lambda: child(1, 2))
    case("the same twice, 2 inference threads", twice, lambda: child(2, 2))
    case(
        "AvgPool-16 without dilations, which default to 1",
        ["[[[[2.0, 3.0], [5.0, 6.0]]]]", "exit status 0"],
        lambda: child("mean"),
    )
    case("MaxPool-1 of u8, nothing before the input", ["exit status 0"], lambda: child(1, "input"))
    case("MaxPool-1 of u8, nothing before the output", ["exit status 0"], lambda: child(2, "output"))
    rejected("index_element_type f32, which is neither i32 nor i64", lambda: read(index_element_type="f32"))
    rejected("pads_begin, which is required, left out", lambda: read(pads_begin=None))
    rejected("pads_begin without values, for two axes", lambda: read(pads_begin=""))
    rejected("MaxPool-1 with strides of -1", lambda: opset1.max_pool(vector, [-1], [0], [0], [2]))
    case(
        "AvgPool-14 with exclude-pad and a pad beyond the kernel",
        [1, 1, 9],
        lambda: shape(opset14.avg_pool(vector, [2], [0], [3], [2], True)),
    )
    case(
        "AvgPool-14 with exclude-pad, means of windows that start 0 and 1 elements behind the input",
        "the same twice",
        lambda: [mean_behind(0), mean_behind(1)],
        lambda _, got: repr(got[0]) == repr(got[1]),
    )
    infinite, numbers = np.array([0, -np.inf], np.float16), np.array([np.nan, 1], np.float32)
    case(
        "MaxPool-8 of f16, index of {-inf} at 1",
        [[[0, 1]]],
        lambda: both(infinite, lambda data: opset8.max_pool(data, [1], [1], [0], [0], [1]))[1],
    )
    case("AdaptiveMaxPool-8, NaN first", [[[1.0]]], lambda: both(numbers, adaptive)[0])
    case("AdaptiveMaxPool-8, NaN last", [[[1.0]]], lambda: both(numbers[::-1], adaptive)[0])
    case(
        "AdaptiveMaxPool-8 with i64 indices, the default",
        [[[0]]],
        lambda: both(np.zeros(4, np.float32), lambda data: adaptive(data, "i64"))[1],
    )
    case(
        'same_upper with strides 2: "H_out = H"',
        [1, 3, 32, 32],
        lambda: shape(opset8.max_pool(image, [2, 2], [1, 1], [1, 1], [1, 1], [2, 2], auto_pad="same_upper")),
    )
    for kind, value in (("f64", 1e300), ("i64", -(2**32)), ("u32", 3809749232), ("u64", 2**63)):
        data = opset8.parameter([1, 1, 1], getattr(openvino.Type, kind))
        model = openvino.Model([opset1.max_pool(data, [1], [0], [0], [1])], [data], "m")
        source = np.full((1, 1, 1), value, getattr(openvino.Type, kind).to_dtype())
        case(f"MaxPool-1 of {kind}, one element", [[[[value]]]], lambda m=model, s=source: infer(m, s))
    end()


if __name__ == "__main__":
    if len(sys.argv) == 1:
        main()
    elif sys.argv[1] == "mean":
        mean_without_dilations()
    elif sys.argv[2] in ("input", "output"):
        border(int(sys.argv[1]), sys.argv[2])
    else:
        fails(int(sys.argv[1]), int(sys.argv[2]))
