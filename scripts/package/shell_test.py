"""What needs a program that not every machine has: completion in a zsh at a terminal, and the manual page in man."""

import os
import pty
import re
import select
import subprocess
import time

from install_test import Tree, main, run


class Zsh(Tree):
    """A zsh that somebody types into."""

    def setUp(self):
        pid, self.terminal = pty.fork()
        if pid == 0:
            os.environ.update(
                PATH=f"{self.prefix}/bin:{os.environ['PATH']}", TERM="dumb", HOME=self.folder, COLUMNS="200"
            )
            os.execlp("zsh", "zsh", "-f", "-i")
        self.addCleanup(os.close, self.terminal)
        self.addCleanup(os.kill, pid, 9)
        self.type_in(
            f"fpath=({self.prefix}/share/zsh/site-functions $fpath); autoload -U compinit; compinit -u -D; "
            "PS1=; setopt NO_list_beep; echo rea''dy\n",
            "ready\r\n",
        )

    def type_in(self, text, wanted):
        """Types and waits until the screen shows what is wanted; returns the screen."""
        os.write(self.terminal, text.encode())
        screen, end = "", time.monotonic() + 20
        while not re.search(wanted, screen):
            self.assertLess(time.monotonic(), end, f"{text!r}: no {wanted!r} in {screen!r}")
            if select.select([self.terminal], [], [], 0.1)[0]:
                screen += os.read(self.terminal, 65536).decode(errors="replace")
        return screen

    def test_a_command(self):
        self.type_in("poolproof repr\t", "poolproof reproduce ")

    def test_commands_with_what_they_do(self):
        self.type_in("poolproof re\t\t", r"report +-- Make HTML")

    def test_an_option(self):
        self.type_in("poolproof --isol\t", "poolproof --isolation")

    def test_an_option_of_a_command(self):
        self.type_in("poolproof probe --wr\t", "poolproof probe --write")

    def test_a_value(self):
        self.type_in("poolproof --isolation=f\t", "poolproof --isolation=full")

    def test_a_file(self):
        with open(os.path.join(self.folder, "a-baseline.txt"), "w", encoding="utf-8"):
            pass
        self.type_in(f"cd {self.folder}; echo the''re\n", "there\r\n")
        self.type_in("poolproof --baseline=a-b\t", r"--baseline=a-baseline\.txt")


class Manual(Tree):
    def test_man_has_no_complaint(self):
        environment = {**os.environ, "MANPATH": self.path("share", "man"), "MANWIDTH": "80", "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            ["man", "--warnings", "poolproof"], env=environment, capture_output=True, text=True, check=False
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"(?s)NAME\n +poolproof - decide .*EXIT CODES.*machine-mutants")
        self.assertNotIn("\\", done.stdout)
        self.assertIn("poolproof", run("man", "-w", "poolproof", env=environment))


if __name__ == "__main__":
    main()
