#!/usr/bin/env python3
"""Fails when an exported function has no test of wrong arguments.

usage: test_arguments_tested.py NM SHARED_LIBRARY PROGRAM...      (PROGRAM --list prints the functions tested)
"""
import re
import subprocess
import sys

nm, library, *programs = sys.argv[1:]


def lines(*call):
    return subprocess.run(call, check=True, capture_output=True, text=True).stdout.splitlines()


exported = {m.group(1) for line in lines(nm, "-D", "--defined-only", library)
            if (m := re.match(r"[0-9a-f]+ T (throng_\w+)", line))}
tested = {name for program in programs for name in lines(program, "--list")}
faults = [f"{name} has no test of wrong arguments" for name in sorted(exported - tested)]
faults += [f"{name} is tested and not exported" for name in sorted(tested - exported)]
if len(exported) < 3:
    faults.append(f"{library}: only {len(exported)} functions")
print("\n".join(faults) or f"{len(exported)} functions")
sys.exit(bool(faults))
