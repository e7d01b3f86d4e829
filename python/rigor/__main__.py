"""python -m rigor COMMAND ...: the command `rigor`, for example `python -m rigor view robot.xml`."""

import os
import shutil
import sys


def main() -> int:
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "rigor")
    command = own if os.path.exists(own) else shutil.which("rigor")
    if not command:
        print("rigor: the command is neither in the package nor on the path", file=sys.stderr)
        return 2
    os.execv(command, [command, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
