#!/usr/bin/env python3
"""Installs a build into a folder, moves that folder, and builds and runs a client against it by CMake and pkg-config.

usage: test_install.py CMAKE CC BUILD_FOLDER
"""
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

cmake, cc, build = sys.argv[1:]
CLIENT = pathlib.Path(__file__).resolve().parent / "client"


def run(*command, **options):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        print(f"failed: {shlex.join(map(str, command))}\n{done.stdout}{done.stderr}")
        sys.exit(1)
    return done.stdout


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        run(cmake, "--install", build, "--prefix", folder / "first")
        prefix = folder / "moved"  # nothing installed may remember where it was put
        (folder / "first").rename(prefix)

        work = folder / "by-cmake"
        run(cmake, "-S", CLIENT, "-B", work, f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_C_COMPILER={cc}",
            "-DCMAKE_BUILD_TYPE=Release")
        run(cmake, "--build", work)
        for kind in ("static", "shared"):
            print(f"find_package, {kind}: {run(work / f'client_{kind}')}", end="")

        found = list(prefix.rglob("throng.pc"))
        if len(found) != 1:
            sys.exit(f"throng.pc installed {len(found)} times")
        environment = {**os.environ, "PKG_CONFIG_PATH": str(found[0].parent)}
        libraries = found[0].parent.parent
        for kind, options in (("shared", []), ("static", ["--static"])):
            if kind == "static":
                for library in libraries.glob("*.so*"):
                    library.unlink()
            flags = shlex.split(run("pkg-config", "--cflags", "--libs", *options, "throng", env=environment))
            client = folder / f"client_{kind}"
            run(cc, CLIENT / "client.c", "-o", client, *flags)
            shown = run(client, env={**os.environ, "LD_LIBRARY_PATH": str(libraries)})
            print(f"pkg-config, {kind}: {shown}", end="")

        scenes = list((prefix / "share" / "throng" / "scenes").glob("*.json"))
        program = prefix / "bin" / "throng"
        if program.exists():
            print(run(program, "--version"), end="")
            if not scenes:
                sys.exit("no scenes installed")


main()
