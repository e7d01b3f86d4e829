#!/usr/bin/env python3
"""header.py FILE: a public header as Doxygen wants it, on stdout. The headers use plain // comments: about the file in its
first lines, before a declaration, or behind it on the same line. What a header says of itself becomes the text of its group."""

import os
import re
import sys

# Header: title of its group, and the group that this belongs to.
GROUPS = {
    "world": ("World: bodies, materials, steps", "simulate"), "shape": ("Shapes", "simulate"), "joint": ("Joints", "simulate"),
    "sensor": ("Sensors", "simulate"), "query": ("Queries: rays, distances, overlaps", "simulate"),
    "load": ("Loads: forces of the last step", "simulate"), "view": ("Views: everything at once", "simulate"),
    "bulk": ("Arrays and rollouts", "simulate"), "accuracy": ("Runs to a given accuracy", "simulate"),
    "diagnose": ("Diagnosis", "simulate"),
    "problem": ("Contact problems and certificates", "solve"), "solver": ("Solvers", "solve"),
    "mcp": ("Complementarity problems", "solve"),
    "scene": ("Scenes and models of robots", "files"), "trajectory": ("Trajectories", "files"), "part": ("Parts", "files"),
    "ensemble": ("Ensembles", "files"),
    "inverse": ("Inverse dynamics", "figures"), "figure": ("Clips and figures", "figures"), "character": ("Characters", "figures"),
    "base": ("Status, messages, version", "basics"), "vec": ("Vectors, quaternions, poses", "basics"),
    "vec_math": ("Operations on vectors", "basics"), "util": ("Files and texts", "basics"),
}


def comment(line: str) -> str:
    code, mark, text = line.partition("//")
    if not mark or text[:1] not in ("", " "):
        return line
    text = re.sub(r" \.\.$", " ...", text)  # two dots at the end of a line would end a list
    text = re.sub(r"<(?=[a-z])", r"\\<", re.sub(r"^ >", r" \\>", text))
    return f"{code.rstrip()} ///<{text}" if code.strip() else f"{code}///{text}"


def main() -> None:
    name = os.path.splitext(os.path.basename(sys.argv[1]))[0]
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = file.read().splitlines()
    head = []
    while lines and lines[0].startswith("//"):
        head.append(lines.pop(0)[2:].removeprefix(" "))
    brief = re.sub(r"^\w+\.h - ", "", head[0]) if head else ""
    out = ["/// @file", f"/// {brief}"]
    if name in GROUPS:
        title, parent = GROUPS[name]
        out += ["", f"/// @defgroup {name} {title}", f"/// @ingroup {parent}", f"/// {brief}"]
    else:
        out += ["///"]
    out += [f"/// {line}".rstrip() for line in head[1:]]
    body = [comment(line) for line in lines]
    if name in GROUPS:
        # Inside of the guard and behind the includes, so that declarations belong to the group.
        at = max([i for i, line in enumerate(body) if line.startswith(("#include", "#define RIGOR_"))]) + 1
        while not body[at] or body[at] in ("#ifdef __cplusplus", 'extern "C" {', "#endif"):
            at += 1
        body[at:at] = [f"/** @addtogroup {name}", "@{ */", ""]
        end = max(i for i, line in enumerate(body) if line.startswith("#endif"))
        body[end:end] = ["", "/** @} */"]
    print("\n".join(out + body))


main()
