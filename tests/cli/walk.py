#!/usr/bin/env python3
"""walk.py PAGE --rigor FILE [--python FILE] [--update]: does what a tutorial tells a reader to do.

A page is walked in a new, empty folder, from its top to its end:

- a block of code behind a paragraph that ends with "`NAME`:" is a file, which is written;
- in a block of the language `console`, a line that begins with "$ " is a command (lines that end with a
  backslash go on), and what follows it, up to the next command, is all that it prints, on stdout and stderr;
  "(exit code N)" stands for the code where it is not 0;
- blocks of the language `sh` are for the reader's machine (builds, windows) and are left alone.

What is printed must be what the page says, byte by byte. Only numbers that the clock decides may
differ: those of the lines in CLOCK and of the column CPU_COLUMN, in which each number is a placeholder,
and the advice SLOW.

--update writes into the page what the commands print now. Closes with "N passed, N failed".
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

# Lines whose numbers are times of this machine, or follow from them; with their units.
CLOCK = re.compile(r"^ *(CPU time|speed) ")
NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?( (us|ms|s|min|times|%))?")
CPU_COLUMN = re.compile(r" +\d+(\.\d+)? (us|ms)$")  # the last one of `rigor solve`
SLOW = "Slower than the clock: "  # begins the advice that a slow machine gets, which ends with its paragraph
LIMIT = 120  # [s] for one command


def blind(text: str) -> str:
    """The text with placeholders for what the clock decides."""
    lines, advice = [], False
    for line in text.splitlines():
        advice = line.startswith(SLOW) or (advice and line != "")
        if advice:
            continue
        line = CPU_COLUMN.sub(" #", line.rstrip())
        lines.append(NUMBER.sub("#", line) if CLOCK.match(line) else line)
    return "\n".join(lines)


def blocks(lines: list[str]):
    """(language, first line, line behind the last, line of the last text before) of each fenced block."""
    at, before = 0, ""
    while at < len(lines):
        fence = re.match(r"^```(\w*)$", lines[at])
        if fence:
            end = next(i for i in range(at + 1, len(lines)) if lines[i] == "```")
            yield fence[1], at + 1, end, before
            at, before = end, ""
        elif lines[at].strip():
            before = lines[at]
        at += 1


def commands(lines: list[str]):
    """(command, what it shall print) of a console block."""
    found: list[tuple[str, list[str]]] = []
    at = 0
    while at < len(lines):
        if lines[at].startswith("$ "):
            text = lines[at][2:]
            while text.endswith("\\") and at + 1 < len(lines):
                at += 1
                text += "\n" + lines[at]
            found.append((text, []))
        elif found:
            found[-1][1].append(lines[at])
        at += 1
    return found


class Walk:
    def __init__(self, arguments):
        self.failed = self.passed = 0
        self.update = arguments.update
        self.folder = tempfile.mkdtemp()
        bin_folder = os.path.join(self.folder, ".bin")
        os.mkdir(bin_folder)
        os.symlink(os.path.abspath(arguments.rigor), os.path.join(bin_folder, "rigor"))
        self.work = os.path.join(self.folder, "work")
        os.mkdir(self.work)
        path = bin_folder
        if arguments.python:
            path += ":" + os.path.dirname(os.path.abspath(arguments.python))  # of its virtual environment
        self.env = dict(os.environ, PATH=path + ":" + os.environ["PATH"], HOME=self.folder, COLUMNS="100", LC_ALL="C.UTF-8")
        for name in ("NO_COLOR", "RIGOR_SHARED"):
            self.env.pop(name, None)

    def run(self, command: str) -> str:
        done = subprocess.run(["bash", "-c", command], cwd=self.work, env=self.env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT)
        text = done.stdout.decode("utf-8", "replace")
        if text and not text.endswith("\n"):
            text += "\n"
        return text + (f"(exit code {done.returncode})\n" if done.returncode else "")

    def console(self, lines: list[str]) -> list[str]:
        """Runs the commands of a block, compares, and gives the block with what was printed."""
        new: list[str] = []
        for command, said in commands(lines):
            try:
                printed = self.run(command)
            except subprocess.TimeoutExpired:
                printed = f"(no end within {LIMIT} s)\n"
            wanted = "\n".join(said).strip("\n")
            if blind(printed.strip("\n")) == blind(wanted):
                self.passed += 1
                kept = said
            else:
                kept = printed.strip("\n").splitlines()
                if self.update:
                    self.passed += 1
                else:
                    self.failed += 1
                    print(f"FAIL: $ {command}")
                    for name, text in (("the page says", wanted), ("printed is", printed.rstrip())):
                        print(f"    {name}:")
                        print("".join(f"    | {line}\n" for line in text.splitlines()), end="")
            new += [f"$ {command}"] + kept
        return "\n".join(new).splitlines()

    def page(self, name: str) -> None:
        with open(name, encoding="utf-8") as file:
            lines = file.read().splitlines()
        new, copied = [], 0
        for language, first, end, before in blocks(lines):
            named = re.search(r"`([\w.-]+\.\w+)`:$", before)
            if language == "console":
                new += lines[copied:first] + self.console(lines[first:end])
                copied = end
            elif named:
                with open(os.path.join(self.work, named[1]), "w", encoding="utf-8") as file:
                    file.write("\n".join(lines[first:end]) + "\n")
        new += lines[copied:]
        if self.update and new != lines:
            with open(name, "w", encoding="utf-8") as file:
                file.write("\n".join(new) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--rigor", required=True)
    parser.add_argument("--python")
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    walk = Walk(arguments)
    try:
        walk.page(arguments.page)
    finally:
        shutil.rmtree(walk.folder)
    if walk.passed + walk.failed == 0:
        print("FAIL: the page has no command")
        walk.failed = 1
    print(f"{walk.passed} passed, {walk.failed} failed")
    return 1 if walk.failed else 0


sys.exit(main())
