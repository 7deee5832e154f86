#!/bin/sh
# Installs the libraries that come from PyPI, in the versions that the survey names, into
# BUILD/pypi. Usage: scripts/setup_pypi_backends.sh [BUILD], BUILD being "build" by default.
# Afterwards configure BUILD again, so that the OpenVINO adapter is tested with it.
set -eu

build=${1:-build}
mkdir -p "$build"
if [ ! -x "$build/pypi/bin/python" ]; then
  python3 -m venv "$build/pypi"
fi
"$build/pypi/bin/pip" install --quiet --disable-pip-version-check \
  --requirement "$(dirname "$0")/../conformance/backends/python/requirements.txt"
"$build/pypi/bin/pip" list --disable-pip-version-check
