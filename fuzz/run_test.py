"""Asks of every harness in $OUT what the run test of OSS-Fuzz asks, in a root folder without our packages."""

import re
import shutil
import subprocess

# Another folder than where the build put it, to find paths that were compiled in.
PLACE = "/moved/out"
ARGUMENTS = ["-rss_limit_mb=2560", "-timeout=25"]
OPTIONS = {
    "ASAN_OPTIONS": "alloc_dealloc_mismatch=0:allocator_may_return_null=1:check_malloc_usable_size=0:"
    "detect_container_overflow=1:detect_odr_violation=0:detect_leaks=1:"
    "detect_stack_use_after_return=1:fast_unwind_on_fatal=0:handle_abort=1:handle_segv=1:"
    "handle_sigill=1:quarantine_size_mb=10:strict_memcmp=1:symbolize=0:use_sigaltstack=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:print_summary=1:silence_unsigned_overflow=1:symbolize=0",
}
# Libraries that belong to the C library; everything else is a package that a runner need not have.
C_LIBRARY = re.compile(r"^(linux-vdso|ld-linux-x86-64|libc|libm|libpthread|libdl|librt|libresolv)\.so\.\d+$")
# Calls into a sanitizer's runtime, counted as their check does: at least in a build with it, at most in one without.
CALLS = {"address": {"asan": (1000, None), "ubsan": (0, 200)}, "undefined": {"asan": (0, 0), "ubsan": (168, None)}}
EDGES = 100


class Target:
    def __init__(self, root, name):
        self.root = root
        self.name = name

    def run(self, *command):
        done = self.root.run(list(command), OPTIONS, PLACE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout.decode(errors="replace")

    def start(self, *arguments):
        return self.run(f"./{self.name}", *arguments)

    def options(self):
        """The .options file, read as their runner does: each line with = is an argument."""
        lines = (self.root.folder / PLACE[1:] / f"{self.name}.options").read_text().splitlines()
        return ["-" + "=".join(part.strip() for part in line.split("=")) for line in lines if "=" in line]

    def libraries(self):
        _, text = self.run("ldd", f"./{self.name}")
        names = [line.split()[0].rsplit("/", 1)[-1] for line in text.splitlines() if line.strip()]
        return [name for name in names if not C_LIBRARY.match(name)]

    def starts(self):
        """A few executions from nothing, and enough of it visible to the fuzzer."""
        code, text = self.start("-seed=1337", "-runs=4", *ARGUMENTS)
        if code != 0 or "Done 4 runs" not in text:
            return f"does not start:\n{text[-2000:]}"
        edges = re.findall(
            r"Loaded \d+ modules?.*?\((?:inline 8-bit counters|guards)\): (\d+)|"
            r"Loaded \d+ modules?\s+\((\d+) ",
            text,
        )
        count = max((int(number) for found in edges for number in found if number), default=0)
        return "" if count >= EDGES else f"has {count} counters, fewer than {EDGES}"

    def runs_its_seeds(self):
        """All seeds, then some executions from them, with options and dictionary."""
        seeds = f"/tmp/{self.name}_seeds"
        code, text = self.run("unzip", "-q", "-o", "-d", seeds, f"{self.name}_seed_corpus.zip")
        if code != 0:
            return f"has no seed corpus: {text.strip()}"
        for runs in ("-runs=0", "-runs=2000"):
            arguments = [runs, *ARGUMENTS, *self.options(), f"-dict={self.name}.dict", seeds]
            code, text = self.start("-seed=1337", *arguments)
            if code != 0 or "WARNING: unrecognized flag" in text:
                return f"fails with {' '.join(arguments)}:\n{text[-2000:]}"
        return ""

    def instrumented(self, sanitizer):
        _, text = self.run(
            "sh",
            "-c",
            f"objdump -d --no-show-raw-insn ./{self.name} | "
            "grep -E 'callq? +[0-9a-f]+ <__' | grep -oE '<__(asan|ubsan)' | sort | uniq -c",
        )
        counts = {name: int(count) for count, name in re.findall(r"(\d+) <__(\w+)", text)}
        for name, (least, most) in CALLS[sanitizer].items():
            count = counts.get(name, 0)
            if count < least or (most is not None and count > most):
                return f"has {count} calls to {name} in a build with {sanitizer}"
        return ""


def place(root, out):
    target = root.folder / PLACE[1:]
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(out, target)


def run_test(root, out, sanitizer, expected):
    """Returns what is wrong with the harnesses of a build, one text each; prints a line for each harness."""
    place(root, out)
    found = sorted(p.name for p in (root.folder / PLACE[1:]).iterdir() if p.is_file() and "." not in p.name)
    failures = [f"{sanitizer}: {name} was not built" for name in expected if name not in found]
    for name in found:
        target = Target(root, name)
        foreign = target.libraries()
        problems = [f"loads {', '.join(foreign)}"] if foreign else []
        problems += filter(None, (target.starts(), target.runs_its_seeds(), target.instrumented(sanitizer)))
        print(f"{sanitizer}: {name}: {'passes' if not problems else 'fails'}", flush=True)
        failures += [f"{sanitizer}: {name} {problem}" for problem in problems]
    return failures
