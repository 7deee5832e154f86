"""OpenVINO, told not to report its use, for which it reads and writes in the home folder."""

import os

os.environ["CI"] = "true"

import openvino

__all__ = ["openvino"]
