#!/usr/bin/env python3
"""The man pages say what the program does: the example scene is good, every option and key is there with its default.

usage: test_manual.py PROGRAM MANUAL_FOLDER SCHEMA
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

faults = []


def check(condition, what):
    if not condition:
        faults.append(what)
        print(f"FAILED {what}")


def plain(text):
    """roff to words."""
    text = re.sub(r"\\f[BIR]", "", text).replace("\\-", "-").replace("\\(dq", '"')
    return re.sub(r"^\.[A-Z]+ ", "", text, flags=re.M)


def main():
    program, folder, schema = sys.argv[1], pathlib.Path(sys.argv[2]), json.loads(pathlib.Path(sys.argv[3]).read_text())
    sections = {number: (folder / f"throng.{number}").read_text() for number in (1, 7)}
    words = {number: plain(text) for number, text in sections.items()}

    commands = subprocess.run([program, "--help"], capture_output=True, text=True).stdout
    names = re.findall(r"^  (\w+) +\w", commands.split("commands:")[1], flags=re.M)
    check(len(names) >= 5, f"throng --help lists {names}")
    for name in names:
        check(f"\n.SS {name}\n" in sections[1], f"throng.1 has no section {name}")
        told = subprocess.run([program, name, "--help"], capture_output=True, text=True).stdout
        for option in set(re.findall(r"--[a-z]+", told)):
            check(option in words[1], f"throng.1 lacks {option} of throng {name}")
            check(option in told.splitlines()[0], f"the usage line of throng {name} lacks {option}")

    example = plain(re.search(r"^\.nf\n(.*?)^\.fi$", sections[7], flags=re.M | re.S).group(1))
    with tempfile.TemporaryDirectory() as where:
        path = pathlib.Path(where) / "example.json"
        path.write_text(example)
        run = subprocess.run([program, "check", path], capture_output=True, text=True)
        check(run.returncode == 0, f"the example of throng.7: {run.stderr}")

    def keys_of(node):
        """Every property name in the schema, with its default where it has one."""
        if isinstance(node, dict):
            for name, value in node.get("properties", {}).items():
                yield name, value.get("default") if isinstance(value, dict) else None
            for value in node.values():
                yield from keys_of(value)
        elif isinstance(node, list):
            for value in node:
                yield from keys_of(value)

    found = {}
    for name, default in keys_of(schema):
        if found.get(name) is None:
            found[name] = default
    compared = []
    check(len(found) > 25, f"only {len(found)} keys in the schema")
    for name, default in found.items():
        check(re.search(rf"\b{name}\b", words[7]), f"throng.7 lacks the key {name}")
        row = re.search(rf"^{name}\t(\S+)\t", words[7], flags=re.M)
        if row and default is not None:
            check(json.loads(row.group(1)) == default, f"throng.7: {name} is {row.group(1)}, the schema has {default}")
            compared.append(name)
    check(len(compared) >= 10, f"throng.7 gives the defaults of {compared} only")
    for example_key in json.loads(example):
        check(example_key in found, f"the example's {example_key} is not in the schema")
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
