"""The examples of docs/python.md, which are marked to be run, run; prints them as one typed file with --code."""

import os
import re
import sys
import textwrap

ROOT = os.environ["RIGOR_ROOT"]


def blocks():
    with open(os.path.join(ROOT, "docs", "python.md"), encoding="utf-8") as file:
        found = re.findall(r"^<!-- run -->\n((?:    .*\n|\n)+)", file.read(), re.M)
    return [textwrap.dedent(block) for block in found]


def main():
    if sys.argv[1:]:  # a folder: a file for each, for mypy
        for i, block in enumerate(blocks()):
            with open(os.path.join(sys.argv[1], f"docs_{i}.py"), "w", encoding="utf-8") as file:
                file.write(block)
        return
    os.chdir(ROOT)
    for block in blocks():
        exec(compile(block, "docs/python.md", "exec"), {})
    assert len(blocks()) >= 4, "the examples are not found"


main()
