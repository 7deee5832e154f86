"""A model of one ONNX node, as the reproductions give it to the libraries that run such models."""

from onnx import TensorProto, helper


def model(op, features, outputs=1, **attributes):
    """The model that takes the NumPy array `features`."""
    element, names = helper.np_dtype_to_tensor_dtype(features.dtype), ["y", "i"][:outputs]
    infos = [
        helper.make_tensor_value_info(n, t, [None] * features.ndim) for n, t in zip(names, (element, TensorProto.INT64))
    ]
    node = helper.make_node(op, ["x"], names, **attributes)
    graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("x", element, features.shape)], infos)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10)
