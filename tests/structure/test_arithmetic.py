#!/usr/bin/env python3
"""Looks at the machine code of what decides state: no libm call but sqrt, no fused multiply-add, no estimates.

usage: test_arithmetic.py NM OBJDUMP STATIC_LIBRARY
"""
import re
import subprocess
import sys

nm, objdump, library = sys.argv[1:]
LIBM = re.compile(r"""^_*(a?(sin|cos|tan)h?|exp(2|m1|10)?|log(2|10|1p|b)?|pow|cbrt|hypot|atan2|fma|fmod|remainder|erfc?
    |[tl]gamma|sincos)[fl]?(_finite)?$""", re.X)
# x86: vfmadd, vfnmsub ..., rcp, rsqrt; AArch64: fmadd, fnmsub, fmla, fmls, frecpe, frsqrte ...
INEXACT = re.compile(r"\t(vfn?m(?:add|sub)\w*|fn?m(?:add|sub)|fml[as]l?2?|v?r(?:cp|sqrt)\w+|fr(?:ecp|sqrt)\w+)\b")
MEMBER = re.compile(r"^(\S+\.o):")

faults, members = {}, set()


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def fault(text):
    faults[text] = faults.get(text, 0) + 1


member = library
for line in run(nm, "-u", library):
    if match := MEMBER.match(line):
        member = match.group(1)
        members.add(member)
    elif (words := line.split()) and LIBM.match(words[-1].split("@")[0]):
        fault(f"{member}: calls {words[-1]}")
for line in run(objdump, "-d", "--no-show-raw-insn", library):
    if match := MEMBER.match(line):
        member = match.group(1)
    elif match := INEXACT.search(line):
        fault(f"{member}: {match.group(1)}")
if not members:
    fault(f"no objects in {library}")

print("\n".join(f"{text} ({times} times)" for text, times in sorted(faults.items())) or f"{len(members)} objects")
sys.exit(bool(faults))
