#!/bin/sh
# Installs the libraries that come from PyPI, in the versions that the survey names, into BUILD/pypi.
#   scripts/setup_pypi_backends.sh [BUILD]    "build" by default, to be configured again for the OpenVINO adapter
set -eu
pypi=${1:-build}/pypi
[ -x "$pypi/bin/python" ] || python3 -m venv "$pypi"
"$pypi/bin/pip" install --quiet --disable-pip-version-check \
  --requirement "$(dirname "$0")/../conformance/backends/python/requirements.txt"
"$pypi/bin/pip" list --disable-pip-version-check
