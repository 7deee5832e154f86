"""Claims whose cases are all true, and whose form is not: what no reader would see."""

import re

from claim_parts import Parts
from claim_test import Claims
from harness import main


class Form(Claims):
    def test_what_is_no_part_of_a_claim(self):
        self.claim["extra.json"] = b"{}"
        self.refused("extra.json is no part of a claim")

    def test_bytes_that_do_not_show(self):
        self.claim["statement.json"] = b"\xef\xbb\xbf" + self.claim["statement.json"]
        self.refused("statement.json:1: begins with a byte order mark", renew=False)
        for name in ("baseline.txt", "results-1.jsonl"):
            self.claim = Parts(Claims.parts)
            self.claim[name] = self.claim[name].replace(b"\n", b"\r\n", 1)
            self.refused(f"{name}:1: has a carriage return")

    def test_day_that_is_in_no_calendar(self):
        for day in (b"9999-99-99", b"2027-02-29"):
            self.claim = Parts(Claims.parts)
            self.claim["baseline.txt"] = re.sub(
                b"(# reason: .*)", b"\\1\n# expires: " + day, self.claim["baseline.txt"], count=1
            )
            self.refused("baseline.txt:", f'"expires" is "{day.decode()}", not a date')

    def test_line_of_an_example(self):
        lines = self.claim.lines()
        at = next(i for i, line in enumerate(lines) if '"section":"examples"' in line and '"line":"' in line)
        lines[at] = lines[at].replace(
            '"line":"', '"line":"AvgPool-1 f32 in=1x1x1x1 k=1 s=1 pb=0 pe=0 exclude_pad=true was='
        )
        self.claim.put_lines(lines)
        self.refused("results-1.jsonl:", "of the plan is the problem", "was=")

    def test_another_tool(self):
        for shard in (1, 2):
            self.claim.edit_header(shard, lambda header: header["tool"].update(name="otherproof"))
        self.claim.edit("statement.json", lambda statement: statement["tool"].update(name="otherproof"))
        self.refused("results-1.jsonl", 'was made by "otherproof", not by poolproof')


if __name__ == "__main__":
    main()
