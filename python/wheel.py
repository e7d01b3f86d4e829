#!/usr/bin/env python3
"""wheel.py BUILD OUT: makes the wheel of the package rigor from python/rigor and what BUILD holds.

A wheel is a zip file of the package with three more files about it (PEP 427): METADATA, WHEEL, and RECORD with
a hash of each. Equal inputs give equal bytes.
"""

import base64
import hashlib
import os
import re
import sys
import sysconfig
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def version() -> str:
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"^ *VERSION ([0-9.]+)", file.read(), re.M).group(1)


def contents(build: str) -> dict[str, str]:
    """Names in the wheel and the files that they are of."""
    package = os.path.join(ROOT, "python", "rigor")
    files = {
        f"rigor/{name}": os.path.join(package, name)
        for name in sorted(os.listdir(package))
        if name.endswith((".py", ".pyi", ".typed"))
    }
    files["rigor/_core.abi3.so"] = os.path.join(build, "package", "_core.abi3.so")
    files["rigor/bin/rigor"] = os.path.join(build, "rigor")
    page = os.path.join(ROOT, "build", "page.html")  # 'make page' makes it
    if os.path.exists(page):
        files["rigor/share/rigor/page.html"] = page
    return files


def main() -> None:
    build, out = sys.argv[1:]
    number = version()
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"cp311-abi3-{platform}"
    about = f"rigor-{number}.dist-info"
    with open(os.path.join(ROOT, "python", "README.md"), encoding="utf-8") as file:
        readme = file.read()
    metadata = (
        f"Metadata-Version: 2.1\nName: rigor\nVersion: {number}\n"
        "Summary: Rigid bodies in contact, every step certified\n"
        "Requires-Python: >=3.11\nRequires-Dist: numpy>=1.22\n"
        f"Description-Content-Type: text/markdown\n\n{readme}"
    )
    wheel = f"Wheel-Version: 1.0\nGenerator: rigor\nRoot-Is-Purelib: false\nTag: {tag}\n"
    texts = {f"{about}/METADATA": metadata.encode(), f"{about}/WHEEL": wheel.encode()}
    for name, path in contents(build).items():
        with open(path, "rb") as file:
            texts[name] = file.read()
    path = os.path.join(out, f"rigor-{number}-{tag}.whl")
    record = ""
    os.makedirs(out, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in texts.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(data)}\n"
        texts[f"{about}/RECORD"] = (record + f"{about}/RECORD,,\n").encode()
        for name, data in texts.items():
            info = zipfile.ZipInfo(name)  # of 1980: no clock in it
            info.compress_type = zipfile.ZIP_DEFLATED
            executable = name.endswith("/bin/rigor") or name.endswith(".so")
            info.external_attr = (0o100755 if executable else 0o100644) << 16
            archive.writestr(info, data)
    print(path)


if __name__ == "__main__":
    main()
