#!/usr/bin/env python3
"""Fails when a library lets out a symbol without its prefix, or when public headers and shared library differ.

usage: test_symbols.py CC NM PREFIX STATIC_LIBRARY SHARED_LIBRARY HEADER_FOLDER
"""
import pathlib
import re
import subprocess
import sys

cc, nm, prefix, static, shared, headers = sys.argv[1:]
TOOLCHAIN = re.compile(r"^(__odr_asan|__asan|__ubsan|__tsan|__start_|__stop_|_init$|_fini$|_edata$|_end$|__bss_start$)")


def symbols(path, *options):
    listing = subprocess.run([nm, "--defined-only", *options, path], check=True, capture_output=True, text=True).stdout
    found = {m.group(1).split("@")[0] for m in re.finditer(r"^[0-9a-f]* +[A-Z] (\S+)$", listing, re.M)}
    return {name for name in found if not TOOLCHAIN.match(name)}


# A symbol that leaves an object file meets the host's symbols in a static link.
inner = symbols(static, "--extern-only")
outer = symbols(shared, "--dynamic")
declared = set()
for header in sorted(pathlib.Path(headers).rglob("*.h")):
    # Preprocessed, since a header may declare by macro. What is public is marked visible.
    text = subprocess.run([cc, "-E", "-P", f"-I{headers}", str(header)], check=True, capture_output=True, text=True).stdout
    public = r'__attribute__\(\(visibility\("default"\)\)\)[^;{(]*?\b(\w+)\s*\('
    declared |= set(re.findall(public, text))

faults = [f"{static}: {name} lacks the prefix {prefix}" for name in sorted(inner) if not name.startswith(prefix)]
faults += [f"{shared}: exports {name}, which no public header declares" for name in sorted(outer - declared)]
faults += [f"{shared}: {name}, declared in a public header, is missing" for name in sorted(declared - outer)]
if len(declared) < 3:
    faults.append(f"{headers}: only {len(declared)} public functions found")

print("\n".join(faults) or f"{len(inner)} symbols inside, {len(outer)} exported, all with {prefix}")
sys.exit(bool(faults))
