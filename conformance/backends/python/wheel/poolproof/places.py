"""Where the files of the package were put, which only the installer knows."""

import importlib.metadata
import os
import pathlib


def _installed(end):
    """The path of the installed file whose path ends so."""
    # A build folder has no record of what was installed: there the prefix is named.
    prefix = os.environ.get("POOLPROOF_PREFIX")
    if prefix:
        return pathlib.Path(prefix, end)
    for file in importlib.metadata.files("poolproof") or ():
        # The record may name it from where modules lie, "../../poolproof/..." without the folder "lib" above both.
        path = os.path.normpath(file.locate())
        if path.endswith("/" + end):
            return pathlib.Path(path).resolve()
    raise FileNotFoundError(f"the installed package poolproof has no file {end}")


def program():
    """The program, `poolproof`."""
    return str(_installed("bin/poolproof"))


def optimized_backend():
    """A backend that conforms, to try the gate with."""
    return str(_installed("lib/poolproof/libpoolproof_optimized_backend.so"))


def include():
    """The folder for the compiler's -I."""
    return str(_installed("include/poolproof/conformance/backend.h").parents[1])


def cmake_prefix():
    """What CMAKE_PREFIX_PATH has to hold for find_package(poolproof)."""
    return str(_installed("bin/poolproof").parents[1])
