#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_html.py DIR: every *.html under DIR is well-formed, runs no script, fetches nothing, has no id
twice, and uses none that is not there. Planted faults must be seen. Standard library only."""
import pathlib
import re
import sys
import xml.etree.ElementTree as tree

XLINK = "{http://www.w3.org/1999/xlink}href"


def complaints(text):
    """What is wrong with a page, as sentences."""
    if not text.startswith("<!DOCTYPE html>\n"):
        return ["no doctype"]
    try:
        root = tree.fromstring(text.split("\n", 1)[1])
    except tree.ParseError as error:
        return [f"not well-formed: {error}"]
    found, ids, used = [], [], []
    for node in root.iter():
        tag = node.tag.rsplit("}", 1)[-1].lower()
        if tag in ("script", "iframe", "object", "embed", "link", "img", "foreignobject"):
            found.append(f"element {tag}")
        for key, value in node.attrib.items():
            name = key.rsplit("}", 1)[-1].lower()
            if name.startswith("on"):
                found.append(f"attribute {name}")
            if name == "id":
                ids.append(value)
            if key in (XLINK, "href", "src"):
                if value.startswith("#"):
                    used.append(value[1:])
                else:
                    found.append(f"points outside: {value}")
            used += re.findall(r"url\(#([^)]*)\)", value)
    found += [f"id twice: {i}" for i in sorted(set(ids)) if ids.count(i) > 1]
    found += [f"id missing: {i}" for i in sorted(set(used) - set(ids))]
    style = "".join(node.text or "" for node in root.iter("style"))
    if re.search(r"@import|url\(", style):
        found.append("style fetches something")
    for part in ("viewport", "prefers-color-scheme", "@media print"):
        if part not in text:
            found.append(f"lacks {part}")
    return found


pages = sorted(pathlib.Path(sys.argv[1]).rglob("*.html"))
assert len(pages) > 50, "too few pages to check"
bad = 0
for page in pages:
    for sentence in complaints(page.read_text(encoding="utf-8")):
        print(f"{page}: {sentence}")
        bad += 1

good = pages[0].read_text(encoding="utf-8")
for fault in ("<script>1</script>", "<p>", '<a href="http://x">x</a>', '<b id="a"/><b id="a"/>', '<i onclick="x">y</i>', "a & b"):
    if not complaints(good.replace("</body>", fault + "</body>")):
        print(f"planted fault not seen: {fault}")
        bad += 1
print(f"{len(pages)} pages, {bad} complaints")
sys.exit(1 if bad else 0)
