"""links.py FOLDER: every link of every page of a site leads to a page and a place that are there, and no page loads anything
from elsewhere. Pages are read from the disk, without a network."""

import os
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, path: str):
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = set()
        with open(path, encoding="utf-8", errors="replace") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for key in ("id", "name"):
            if values.get(key) and (key == "id" or tag == "a"):
                self.places.add(values[key])
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag in ("script", "img", "iframe", "source") and values.get("src"):
            self.loads.append(values["src"])
        if tag == "link" and values.get("href") and values.get("rel") not in ("canonical",):
            self.loads.append(values["href"])


def main() -> int:
    root = os.path.abspath(sys.argv[1])
    pages = {os.path.join(folder, name): None for folder, _, names in os.walk(root) for name in names if name.endswith(".html")}
    for path in pages:
        pages[path] = Page(path)
    bad, count = [], 0
    for path, page in pages.items():
        for link, load in [(x, False) for x in page.links] + [(x, True) for x in page.loads]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if load and parts.scheme not in ("data", "javascript"):
                    bad.append(f"{path}: loads {link} from elsewhere")
                continue
            count += 1
            target = os.path.normpath(os.path.join(os.path.dirname(path), unquote(parts.path))) if parts.path else path
            if os.path.isdir(target):
                target = os.path.join(target, "index.html")
            if not os.path.exists(target):
                bad.append(f"{path}: {link} leads nowhere")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
                bad.append(f"{path}: {link}: there is no such place on that page")
    for line in sorted(set(bad)):
        print(line)
    print(f"{len(pages)} pages, {count} links, {len(set(bad))} wrong")
    return 1 if bad or not pages else 0


sys.exit(main())
