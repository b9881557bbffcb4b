#!/usr/bin/env python3
"""Compiles every public header alone, as each language that it promises, with warnings as errors.

usage: test_headers.py CC CXX INCLUDE_FOLDER...      (an empty CXX: C only)
"""
import pathlib
import subprocess
import sys

cc, cxx, *folders = sys.argv[1:]
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wundef", "-Werror", "-fsyntax-only"]
LANGUAGES = [(cc, "c", "c11", ["-Wstrict-prototypes"]), (cc, "c", "c17", ["-Wstrict-prototypes"])]
if cxx:
    LANGUAGES.append((cxx, "c++", "c++17", ["-Wold-style-cast"]))

faults, count = [], 0
for folder in map(pathlib.Path, folders):
    for header in sorted(folder.rglob("*.h")):
        name = header.relative_to(folder)
        source = f"#include <{name}>\n" * 2 + "int main(int, char **);\n"  # twice: an include guard may lack
        for compiler, language, standard, extra in LANGUAGES:
            command = [compiler, "-x", language, f"-std={standard}", *STRICT, *extra, *(f"-I{f}" for f in folders), "-"]
            done = subprocess.run(command, input=source, capture_output=True, text=True)
            count += 1
            if done.returncode != 0:
                faults.append(f"<{name}> as {standard}:\n{done.stderr}")
if count == 0:
    faults.append(f"no header in {folders}")
print("\n".join(faults) or f"{count} compilations")
sys.exit(bool(faults))
