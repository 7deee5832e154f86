"""The files of a claim, and what a forger does to them."""

import io
import json
import tarfile

from harness import digest


class Parts(dict):
    """The files of a claim by name, and ways to change them."""

    @classmethod
    def read(cls, path):
        with tarfile.open(path) as tar:
            return cls({member.name: tar.extractfile(member).read() for member in tar})

    def write(self, path, names=None):
        with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as tar:
            for name in names or self:
                member = tarfile.TarInfo(name)
                member.size = len(self[name])
                tar.addfile(member, io.BytesIO(self[name]))

    def edit(self, name, change):
        """Changes a JSON file by a function."""
        value = json.loads(self[name])
        change(value)
        self[name] = (json.dumps(value, indent=1) + "\n").encode()

    def lines(self, shard=1):
        return self[f"results-{shard}.jsonl"].decode().splitlines(keepends=True)

    def put_lines(self, lines, shard=1):
        self[f"results-{shard}.jsonl"] = "".join(lines).encode()

    def edit_header(self, shard, change):
        """Changes the header of a shard's results by a function."""
        header, *rest = self.lines(shard)
        value = json.loads(header)
        change(value)
        self.put_lines([json.dumps(value) + "\n", *rest], shard)

    def renew(self):
        """What a forger does who knows the format: all digests are those of the files as they are now."""

        def change(statement):
            statement["files"] = {name: digest(data) for name, data in self.items() if name != "statement.json"}

        self.edit("statement.json", change)
        return self


def passed(line):
    """The line of a case as if it had passed."""
    case = json.loads(line)
    kept = {key: case[key] for key in ("n", "id", "line", "section") if key in case} | {"verdict": "pass"}
    return json.dumps(kept, separators=(",", ":")) + "\n"


def count(footer, verdict, more):
    counts = footer["footer"]["counts"]
    counts[verdict] = counts.get(verdict, 0) + more
    if not counts[verdict]:
        del counts[verdict]
