#!/usr/bin/env python3
"""The example of the README compiles without a warning, runs, and does what it says.

usage: test_readme.py SOURCE_FOLDER CC LIBRARY...
"""
import pathlib
import re
import subprocess
import sys
import tempfile

source, compiler, *libraries = sys.argv[1:]
text = (pathlib.Path(source) / "README.md").read_text()
blocks = re.findall(r"```c\n(.*?)```", text, re.S)
if len(blocks) != 1:
    sys.exit(f"README.md: one C example expected, {len(blocks)} found")

with tempfile.TemporaryDirectory() as folder:
    program = pathlib.Path(folder) / "example"
    example = program.with_suffix(".c")
    example.write_text(blocks[0])
    subprocess.run([compiler, "-std=c17", "-Wall", "-Wextra", "-Werror", f"-I{source}/engine/include", str(example),
                    *libraries, "-o", str(program)], check=True)
    shown = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout

places = sorted(tuple(map(float, line.split())) for line in shown.splitlines())
wanted = [(-6.0, 2.0), (6.0, 2.0)]
if len(places) != 2 or any(abs(a - b) > 0.02 for p, w in zip(places, wanted) for a, b in zip(p, w)):
    sys.exit(f"README.md: the walkers of the example end at {places}, {wanted} expected")
print("the README's example runs: 1 passed, 0 failed")
