#!/usr/bin/env python3
"""Builds wheel and archive for a machine type, of which nothing but a C library of 2018 has to be there.

    scripts/install.sh package
    scripts/wheel.py --arch x86_64 --arch aarch64 --out dist

The compiler is clang with the headers of that C library, which comes as a package of PyPI. The libraries that poolproof
is made of are built from the distribution's sources as archives, or are headers. Exit status: 0 built and checked, 1
not, 2 wrong usage.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "fuzz"))
from sealed_root import package_sources

WORK = ROOT / "build/wheel"
GLIBC = (2, 28)
ARCHITECTURES = ("x86_64", "aarch64")
MAX_BYTES = 15_000_000
BUILT = ("highway", "fmtlib", "pugixml", "libseccomp", "libzstd")
# Packages of headers alone; these are copied, since the folder that they are in has those of the C library as well.
COPIED = ("nlohmann-json3-dev", "libcli11-dev", "libkainjow-mustache-dev", "libxxhash-dev")

TOOLCHAIN = """set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR {arch})
set(CMAKE_C_COMPILER {bin}/cc)
set(CMAKE_CXX_COMPILER {bin}/c++)
# The program exports what backends need, and nothing of the libraries in it.
set(CMAKE_C_FLAGS_INIT "-g0 -fvisibility=hidden")
set(CMAKE_CXX_FLAGS_INIT "-g0 -fvisibility=hidden")
set(CMAKE_AR {bin}/ar)
set(CMAKE_RANLIB {bin}/ranlib)
set(CMAKE_C_STANDARD_INCLUDE_DIRECTORIES {static}/include)
set(CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES {static}/include)
add_link_options(-s -L{static}/lib)
set(CMAKE_FIND_ROOT_PATH {static})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
"""


def run(*command, **more):
    subprocess.run([str(word) for word in command], check=True, **more)


def output(*command, **more):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **more).stdout


def tools():
    """The folder of the programs that PyPI has, installed once."""
    folder = WORK / "tools"
    if not (folder / "bin/python").exists():
        run("/usr/bin/python3", "-m", "venv", folder)
    run(
        folder / "bin/pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--requirement",
        ROOT / "scripts/package/requirements.txt",
    )
    return folder / "bin"


def fetch_sources():
    """The unpacked sources of BUILT, from where this machine has its packages."""
    folder = WORK / "sources"
    if (folder / "complete").exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "lists/partial").mkdir(parents=True)
    address, suite, component = package_sources()[0]
    key = "/usr/share/keyrings/debian-archive-keyring.gpg"
    (folder / "deb-src.sources").write_text(
        f"Types: deb-src\nURIs: {address}\nSuites: {suite}\nComponents: {component}\nSigned-By: {key}\n"
    )
    apt = [
        "apt-get",
        "-qq",
        "-o",
        "Dir::Etc::SourceList=/dev/null",
        "-o",
        f"Dir::Etc::SourceParts={folder}",
        "-o",
        f"Dir::State::Lists={folder}/lists",
        "-o",
        "APT::Sandbox::User=root",
        "-o",
        "Dir::Cache::pkgcache=",
        "-o",
        "Dir::Cache::srcpkgcache=",
    ]
    run(*apt, "update", cwd=folder)
    run(*apt, "source", *BUILT, cwd=folder, stdout=subprocess.DEVNULL)
    (folder / "complete").touch()
    return folder


def write_compiler(folder, arch, zig):
    """The programs that CMake and configure call, and the file that tells CMake of them."""
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    target = f"-target {arch}-linux-gnu.{GLIBC[0]}.{GLIBC[1]}"
    for name in ("cc", "c++", "ar", "ranlib"):
        script = folder / "bin" / name
        script.write_text(f'#!/bin/sh\nexec "{zig}" {name} {target if name.startswith("c") else ""} "$@"\n')
        script.chmod(0o755)
    toolchain = folder / "toolchain.cmake"
    toolchain.write_text(TOOLCHAIN.format(arch=arch, bin=folder / "bin", static=folder / "static"))
    return toolchain


def copy_headers(static):
    for path in output("dpkg-query", "--listfiles", *COPIED).split():
        kept = re.match(r"/usr/(include/.*|share/cmake/.*|lib/cmake/.*)", path)
        if kept and os.path.isfile(path):
            (static / kept[1]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, static / kept[1])


def build_libraries(folder, sources, toolchain, arch):
    """Everything that poolproof links and includes, in folder/static."""
    if (folder / "static/complete").exists():
        return
    copy_headers(folder / "static")
    environment = {
        **os.environ,
        "SRC": str(sources),
        "WORK": str(folder),
        "CMAKE_TOOLCHAIN_FILE": str(toolchain),
        "STATIC_BUILD_TYPE": "Release",
    }
    run(
        "bash",
        "-euc",
        f'source "{ROOT}/scripts/package/libraries.sh"; static_libraries',
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    (source,) = sources.glob("libzstd-*/build/cmake")
    # Its headers make what they declare visible, unless they are told how.
    hidden = "-DCMAKE_C_FLAGS=-g0 -fvisibility=hidden -DZSTDLIB_VISIBLE= -DZSTDERRORLIB_VISIBLE="
    options = ("-DZSTD_BUILD_SHARED=OFF", "-DZSTD_BUILD_PROGRAMS=OFF", "-DZSTD_BUILD_TESTS=OFF", hidden)
    place = ("-S", source, "-B", folder / "libzstd", f"-DCMAKE_INSTALL_PREFIX={folder}/static")
    quiet = {"stdout": subprocess.DEVNULL}
    run("cmake", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *place, *options, env=environment, **quiet)
    run("cmake", "--build", folder / "libzstd", "--target", "install", **quiet)
    build = folder / "libseccomp"
    build.mkdir(exist_ok=True)
    compilers = {"CC": str(folder / "bin/cc"), "AR": str(folder / "bin/ar"), "RANLIB": str(folder / "bin/ranlib")}
    (source,) = sources.glob("libseccomp-*/configure")
    run(
        source,
        f"--host={arch}-linux-gnu",
        f"--prefix={folder}/static",
        "--disable-shared",
        "--enable-static",
        "--quiet",
        cwd=build,
        env={**os.environ, **compilers, "CFLAGS": "-O2 -fPIC -fvisibility=hidden"},
    )
    run("make", "--silent", "-C", "include", "install", cwd=build)
    run("make", "--silent", "-C", "src", "install", cwd=build)
    (folder / "static/complete").touch()


def build_wheel(folder, programs, toolchain, arch):
    """The wheel, in an otherwise empty folder."""
    out = folder / "wheel"
    shutil.rmtree(out, ignore_errors=True)
    tag = f"py3-none-manylinux_{GLIBC[0]}_{GLIBC[1]}_{arch}"
    settings = {
        "build-dir": folder / "tree",
        "wheel.tags": tag,
        "wheel.reproducible": "true",
        "cmake.toolchain-file": toolchain,
        "cmake.define.POOLPROOF_CCACHE": "",
        "install.strip": "false",
    }
    run(
        programs / "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--disable-pip-version-check",
        "--wheel-dir",
        out,
        *(f"--config-settings={key}={value}" for key, value in settings.items()),
        ROOT,
    )
    (wheel,) = out.iterdir()
    return wheel


def check_wheel(programs, wheel):
    """Raises SystemExit unless the wheel is small and runs on every system that its name promises."""
    size = wheel.stat().st_size
    if size > MAX_BYTES:
        raise SystemExit(f"{wheel.name} has {size} bytes, more than {MAX_BYTES}")
    text = output(programs / "auditwheel", "show", wheel)
    found = re.search(r'platform tag:\s+"manylinux_(\d+)_(\d+)_', text)
    if not found or (int(found[1]), int(found[2])) > GLIBC:
        raise SystemExit(f"{wheel.name} does not keep to its name: {text}")
    print(f"{wheel.name}: {size} bytes; {' '.join(text.split())}")


def build(arch, out):
    programs = tools()
    folder = WORK / arch
    zig = output(programs / "python", "-c", "import ziglang; print(*ziglang.__path__)").strip() + "/zig"
    toolchain = write_compiler(folder, arch, zig)
    build_libraries(folder, fetch_sources(), toolchain, arch)
    wheel = build_wheel(folder, programs, toolchain, arch)
    check_wheel(programs, wheel)
    shutil.copy(wheel, out)
    # It leaves what it has packed beside the archive.
    packed = folder / "archive"
    run("cpack", "-G", "TGZ", "--config", folder / "tree/CPackConfig.cmake", "-B", packed, stdout=subprocess.DEVNULL)
    for archive in packed.glob("*.tar.gz"):
        shutil.copy(archive, out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arch", action="append", choices=ARCHITECTURES, help="default: this machine's")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "dist", help="where wheel and archive are put")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for arch in options.arch or [os.uname().machine]:
        build(arch, options.out.resolve())


if __name__ == "__main__":
    main()
