"""OpenVINO: attributes of a pooling layer in an IR that break a rule of its document.

Each of these models has to be rejected; those that are read are listed. Exits with 1 if there are any.
"""

import sys

import openvino

IR = """<net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1">
  <data element_type="f32" shape="1,1,5,5"/><output><port id="0" precision="FP32"/></output></layer>
<layer id="1" name="p" type="{kind}" version="opset8">
  <data {attributes}/><input><port id="0"/></input>
  <output><port id="1" precision="FP32"/>{port}</output></layer>
<layer id="2" name="v" type="Result" version="opset1"><input><port id="0"/></input></layer>
</layers><edges>
<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
<edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
</edges></net>"""
GOOD = {"kernel": "2,2", "strides": "1,1", "pads_begin": "0,0", "pads_end": "0,0",
        "dilations": "1,1"}
CASES = {
    "pads_begin missing": {"pads_begin": None},
    "pads_end missing": {"pads_end": None},
    "rounding_type in capitals": {"rounding_type": "CEIL"},
    "index_element_type f32": {"index_element_type": "f32"},
}

accepted = []
for name, change in CASES.items():
    attributes = {k: v for k, v in (GOOD | change).items() if v is not None}
    text = " ".join(f'{key}="{value}"' for key, value in attributes.items())
    ir = IR.format(kind="MaxPool", attributes=text, port='<port id="2" precision="I64"/>')
    try:
        model = openvino.Core().read_model(ir.encode())
        accepted.append(name)
        print(f"{name}: read, output {model.output(0).partial_shape}")
    except RuntimeError as error:
        print(f"{name}: rejected, {' '.join(str(error).split())[-120:]}")
sys.exit(1 if accepted else 0)
