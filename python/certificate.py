#!/usr/bin/env python3
"""certificate.py RIGOR: prints rigor/_certificate.py from the table that 'RIGOR list certificate --json' prints."""

import json
import subprocess
import sys

TYPES = {"real": "float", "int": "int", "bool": "bool"}


def main() -> None:
    table = subprocess.run([sys.argv[1], "list", "certificate", "--json"], capture_output=True, check=True)
    print('"""The certificate of a step, from the table that docs/certificate.md is made of."""\n')
    print("from typing import NamedTuple\n\n")
    print("class Certificate(NamedTuple):")
    print('    """How well a step, or a problem, was solved (docs/certificate.md)."""\n')
    for field in json.loads(table.stdout):
        unit = f"[{field['unit']}] " if field["unit"] else ""
        print(f"    {field['name']}: {TYPES[field['type']]}  #: {unit}{field['summary']}")


if __name__ == "__main__":
    main()
