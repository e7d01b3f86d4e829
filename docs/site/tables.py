"""tables.py RIGOR FOLDER: pages of the site that come from the tables of the command: reference/tables.md has the families and
the options, reference/help.md the help of every command."""

import json
import os
import re
import subprocess
import sys

TABLES = ("options", "presets", "solvers", "steppers", "stabilizers", "cones", "shapes", "joints", "forces", "sensors", "faults",
          "quantities", "formats", "records", "scenes", "experiments")
CODE = {"name", "default", "scene", "options", "free axes"}  # columns that hold words of the program


def ask(rigor: str, *words: str) -> str:
    return subprocess.run([rigor, *words], check=True, capture_output=True, text=True).stdout


def cell(text: str, code: bool) -> str:
    text = text.replace("|", "\\|").replace("\n", " ")
    if code and text:
        return f"`{text}`"
    return re.sub(r"([*_<>\[])", r"\\\1", text)


def table(rigor: str, name: str, about: str) -> str:
    rows = json.loads(ask(rigor, "list", name, "--json"))
    keys = [key for key in rows[0] if any(row[key] for row in rows)]
    lines = [f"## {name.capitalize()}", "", f"{about[0].upper()}{about[1:]}. `rigor list {name}` prints this table.", "",
             "| " + " | ".join(keys) + " |", "|" + " --- |" * len(keys)]
    lines += ["| " + " | ".join(cell(str(row[key]), key in CODE) for key in keys) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def main() -> None:
    rigor, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    about = dict(re.findall(r"^(\w+)  +(.*)$", ask(rigor, "list"), re.M))
    with open(os.path.join(folder, "tables.md"), "w", encoding="utf-8") as file:
        file.write("# Tables of the program\n\nThese tables are the program's own: what it reads, checks and completes by.\n\n")
        file.write("\n".join(table(rigor, name, about[name]) for name in TABLES))
    with open(os.path.join(folder, "help.md"), "w", encoding="utf-8") as file:
        file.write("# Help of every command\n\nWhat `rigor COMMAND --help` prints. [The command](../command.md) explains more.\n")
        for command in re.findall(r"^  ([a-z]+) ", ask(rigor), re.M):
            file.write(f"\n## rigor {command}\n\n```text\n{ask(rigor, command, '--help')}```\n")


main()
