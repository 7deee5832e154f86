"""XNNPACK, as LiteRT brings it: what NaN becomes in pooling.

    python xnnpack_nan.py

Each model is one operator of one window over two elements, run by XNNPACK, to which LiteRT gives every
pooling operator by default. Exits with 1 if NaN makes an answer less than an element of its window.
"""

import importlib.metadata

import flatbuffers
import numpy as np
from ai_edge_litert import interpreter
from ai_edge_litert import schema_py_generated as schema
from verdict import case, end

NAN = float("nan")


def model(operator):
    def tensor(name, shape, buffer):
        return schema.TensorT(name=name, shape=shape, buffer=buffer, type=schema.TensorType.FLOAT32)

    options = schema.Pool2DOptionsT(padding=schema.Padding.VALID, strideH=1, strideW=1, filterHeight=1, filterWidth=2)
    node = schema.OperatorT(
        opcodeIndex=0,
        inputs=[0],
        outputs=[1],
        builtinOptions=options,
        builtinOptionsType=schema.BuiltinOptions.Pool2DOptions,
    )
    graph = schema.SubGraphT(
        inputs=[0],
        outputs=[1],
        operators=[node],
        name="pool",
        tensors=[tensor("x", [1, 1, 2, 1], 1), tensor("y", [1, 1, 1, 1], 2)],
    )
    code = schema.OperatorCodeT(builtinCode=operator, deprecatedBuiltinCode=operator, version=1)
    whole = schema.ModelT(
        version=3, operatorCodes=[code], subgraphs=[graph], description="", buffers=[schema.BufferT() for _ in range(3)]
    )
    builder = flatbuffers.Builder(1024)
    builder.Finish(whole.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def pool(operator, values):
    runner = interpreter.Interpreter(model_content=model(operator))
    runner.allocate_tensors()
    runner.set_tensor(0, np.array(values, np.float32).reshape(1, 1, 2, 1))
    runner.invoke()
    return runner.get_tensor(runner.get_output_details()[0]["index"]).item()


print("LiteRT", importlib.metadata.version("ai-edge-litert"))
MAXIMUM, MEAN = schema.BuiltinOperator.MAX_POOL_2D, schema.BuiltinOperator.AVERAGE_POOL_2D
for name, operator, values, expected in (
    ("maximum", MAXIMUM, [1, NAN], (1, NAN)),
    ("maximum", MAXIMUM, [NAN, 1], (1, NAN)),
    ("maximum", MAXIMUM, [NAN, NAN], (NAN,)),
    ("mean", MEAN, [NAN, 1], (NAN,)),
):
    case(
        f"{name} of {values}",
        " or ".join(map(str, expected)),
        lambda o=operator, v=values: pool(o, v),
        lambda _, got, e=expected: any(np.array_equal(got, one, equal_nan=True) for one in e),
    )
end()
