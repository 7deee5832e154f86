"""OpenVINO: MaxPool-8 read from an IR without the attribute dilations, which is optional.

The document: "If not present, the dilation defaults to 1". OpenVINO reads the model, and then infers
garbage or ends with a segmentation fault, since nothing fills the list. The child process is there
because of the latter. Exits with 1 where OpenVINO differs from the document.
"""

import subprocess
import sys

IR = """<net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1">
  <data element_type="f32" shape="1,1,3,3"/><output><port id="0" precision="FP32"/></output></layer>
<layer id="1" name="p" type="MaxPool" version="opset8">
  <data strides="1,1" pads_begin="1,1" pads_end="1,1" kernel="2,2" {dilations}/>
  <input><port id="0"/></input>
  <output><port id="1" precision="FP32"/><port id="2" precision="I64"/></output></layer>
<layer id="2" name="v" type="Result" version="opset1"><input><port id="0"/></input></layer>
<layer id="3" name="i" type="Result" version="opset1"><input><port id="0"/></input></layer>
</layers><edges>
<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
<edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="2" to-layer="3" to-port="0"/>
</edges></net>"""
EXPECTED = ([-1, 2, 3, 3, 4, 5, 5, 3, 4, 8, 9, 9, -7, 8, 9, 9],
            [0, 1, 2, 2, 3, 4, 4, 2, 3, 7, 8, 8, 6, 7, 8, 8])


def infer(dilations):
    import numpy as np
    import openvino

    core = openvino.Core()
    model = core.compile_model(core.read_model(IR.format(dilations=dilations).encode()), "CPU")
    source = np.array([[[[-1, 2, 3], [4, 5, -6], [-7, 8, 9]]]], np.float32)
    for _ in range(3):
        results = [v.ravel().tolist() for v in model([source]).values()]
        print(results)
    return results


def child(dilations):
    """True if a process of its own infers what the document says."""
    done = subprocess.run([sys.executable, __file__, dilations], check=False)
    print(f"dilations {dilations or 'omitted'}: exit status {done.returncode}")
    return done.returncode == 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(0 if tuple(infer(sys.argv[1])) == EXPECTED else 1)
    written, omitted = child('dilations="1,1"'), child("")
    print("OpenVINO", "follows" if written and omitted else "differs from", "the document")
    sys.exit(0 if written and omitted else 1)
