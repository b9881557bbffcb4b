#!/usr/bin/env python3
"""Fails when a source file includes what its layer must not see, or does what only some rooms may do.

usage: test_layers.py ROOT
"""
import pathlib
import re
import sys

# room of engine/ -> rooms whose headers it may include, besides its own
ROOMS = {
    "base": set(),
    "kernels": {"base"},
    "state": {"base", "kernels"},
    "step": {"base", "state", "kernels"},
    "api": {"base", "state", "kernels", "step"},
    "plan": {"base"},
    "scene": set(),
    "record": set(),
    "program": {"scene", "record"},
}
LIBRARY = {"base", "state", "kernels", "step", "api", "plan"}
SEES_TREE = {"state", "step", "api"}
STAGES = ["ingest", "neighbors", "sense", "constraints", "solve", "integrate", "contacts", "index", "publish"]

STANDARD = {f"{name}.h" for name in """assert ctype errno fenv float inttypes iso646 limits locale math setjmp signal
    stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string time""".split()}
BASE_ALSO = {"omp.h", "pthread.h", "unistd.h"}
INTRINSICS = re.compile(r"^(\w*intrin|arm_neon|cpuid)\.h$|^sys/auxv\.h$")
PROGRAM_ONLY = {"jansson.h": {"scene", "record", "program"}, "sqlite3.h": {"record"}, "cairo": {"record"}}

INSIDERS = {("tests", room) for room in ("unit", "support", "fuzz")}  # may reach into a room's own header
CPLUSPLUS = {"bench/shim.cpp"}
INCLUDE = re.compile(r"^\s*#\s*include\s*([<\"])([^>\"]+)[>\"]", re.M)


class Source:
    def __init__(self, root, path):
        self.path = path.relative_to(root)
        self.area = self.path.parts[0]
        self.room = self.path.parts[1] if self.area == "engine" else self.area
        self.text = path.read_text(encoding="utf-8")
        blank = lambda m: re.sub(r"[^\n]", " ", m.group())
        self.code = re.sub(r"//[^\n]*|/\*.*?\*/", blank, self.text, flags=re.S)
        self.faults = []

    def fault(self, offset, why):
        self.faults.append(f"{self.path}:{self.text.count(chr(10), 0, offset) + 1}: {why}")


def stage_of(name):
    return next((s for s in STAGES if re.match(rf"{s}(_|\.|$)", name)), None)


def check_room_header(source, at, header):
    room, target = source.room, header.split("/")[0]
    if target not in ROOMS or "/" not in header:
        source.fault(at, f'"{header}" is not named from engine/ (write "room/file.h")')
    elif target != room and target not in ROOMS[room]:
        source.fault(at, f"{room}/ must not include {target}/ ({header})")
    elif room == target == "step":
        own, other = stage_of(source.path.name), stage_of(header.split("/")[-1])
        if own and other and own != other:
            source.fault(at, f"stage {own} includes stage {other}")


def check_system_header(source, at, header):
    room = source.room
    if header.startswith("throng/"):
        if header == "throng/plan.h" and room in LIBRARY - {"plan"}:
            source.fault(at, f"{room}/ must not include <{header}>, which is built on it")
    elif header == "kdtree.h":
        if room not in SEES_TREE:
            source.fault(at, f"{room}/ must not include <kdtree.h>; {sorted(SEES_TREE)} may")
    elif INTRINSICS.match(header):
        if room not in ("kernels", "base"):
            source.fault(at, f"<{header}> belongs to kernels/ and base/")
    elif word := next((w for w in PROGRAM_ONLY if header.startswith(w)), None):
        if room not in PROGRAM_ONLY[word]:
            source.fault(at, f"<{header}> belongs to {sorted(PROGRAM_ONLY[word])}")
    elif room in LIBRARY and header not in STANDARD and not (room == "base" and header in BASE_ALSO):
        source.fault(at, f"libthrong needs libc, libm and OpenMP only; {room}/ includes <{header}>")


def check_includes(source):
    for match in INCLUDE.finditer(source.code):
        quoted, header, at = match.group(1) == '"', match.group(2), match.start(1)
        if source.room == "include":
            if quoted or not (header in STANDARD or header.startswith("throng/")):
                source.fault(at, f"a public header includes {header}")
            elif header == "throng/plan.h":
                source.fault(at, "the first public header must not include the second")
        elif source.area == "engine":
            (check_room_header if quoted else check_system_header)(source, at, header)
        elif source.area == "spatial":
            if header.split("/")[0] in (*ROOMS, "throng") or not (quoted or header in STANDARD or header == "kdtree.h"):
                source.fault(at, f"spatial/ needs libc only and knows nothing of crowds ({header})")
        elif source.path.parts[:2] not in INSIDERS and quoted and header.split("/")[0] in ROOMS:
            if source.area == "bench" and header == "kernels/kernels.h":
                continue  # a kernel is measured alone
            source.fault(at, f"{source.area}/ sees public headers only, not {header}")


def check_constructs(source):
    """What belongs to few rooms, or to none."""
    room = source.room

    def forbid(pattern, why):
        for match in re.finditer(pattern, source.code):
            source.fault(match.start(), why.format(*match.groups()))

    if room != "base":
        forbid(r"#\s*pragma\s+omp|_Pragma\s*\(\s*\"omp", "OpenMP belongs to base/")
    if source.area == "engine" and room not in ("kernels", "base", "include"):
        forbid(r"\b(__attribute__|__builtin_\w+|__asm__|__typeof__)", "the extension {0} belongs to kernels/ and base/")
    if room in LIBRARY:
        forbid(r"\b(printf|puts|putchar|perror|exit|abort)\s*\(", "the library never prints, exits or aborts: {0}()")
    if room in LIBRARY or room == "spatial":
        forbid(r"\b(f?printf)\s*\(\s*std(?:out|err)", "the library never prints: {0}()")
        forbid(r"\b(alloca|rand|srand|random|drand48|qsort|bsearch)\s*\(", "{0}() has no place in a step")
        forbid(r"\b(getenv)\s*\(", "{0}() belongs to api/") if room != "api" else None
    forbid(r"\b(gets|sprintf|strcpy|strcat|strtok)\s*\(", "{0}() is not used here")


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    faults, count, omp = [], 0, []
    for area in ("engine", "spatial", "bench", "tests"):
        for path in sorted((root / area).rglob("*")):
            if path.suffix not in (".c", ".h", ".inl", ".cc", ".cpp"):
                continue
            source = Source(root, path)
            if area == "engine" and source.room not in ROOMS and source.room != "include":
                faults.append(f"{source.path}: engine/ has no room {source.room}/")
                continue
            check_includes(source)
            if area != "tests":
                check_constructs(source)
            if path.suffix == ".cpp" and str(source.path) not in CPLUSPLUS and path.parent.name != "yardsticks":
                faults.append(f"{source.path}: C++ is for the benchmark shim and the rivals' adaptors only")
            if area == "engine" and "<omp.h>" in source.code:
                omp.append(str(source.path))
            faults += source.faults
            count += 1
    if len(omp) > 1:
        faults.append(f"omp.h is included by more than one file: {omp}")
    if count < 10:
        faults.append(f"only {count} source files under {root}")
    print("\n".join(faults) or f"{count} files keep their layers")
    sys.exit(bool(faults))


main()
