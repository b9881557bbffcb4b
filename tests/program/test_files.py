#!/usr/bin/env python3
"""What `throng make`, `info` and `draw` do with files: good ones, missing ones, broken ones, full disks.

usage: test_files.py PROGRAM SCENES
"""
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

faults = []


def check(condition, what):
    if not condition:
        faults.append(what)
        print(f"FAILED {what}")


class Program:
    def __init__(self, path):
        self.path = path

    def __call__(self, *arguments, stdout=subprocess.PIPE):
        return subprocess.run([self.path, *map(str, arguments)], stdout=stdout, stderr=subprocess.PIPE, text=True,
                              timeout=600)

    def expect(self, status, pattern, *arguments):
        """Runs it; the exit status and a pattern that its error output must show ("": none at all)."""
        run = self(*arguments)
        shown = " ".join(map(str, arguments))
        check(run.returncode == status, f"{shown}: exit status {run.returncode}, not {status}: {run.stderr[:200]}")
        if pattern:
            check(re.search(pattern, run.stderr), f"{shown}: said {run.stderr[:200]!r}, not /{pattern}/")
        else:
            check(run.stderr == "", f"{shown}: said {run.stderr[:200]!r}")
        return run.stdout


def test_make(throng, folder):
    text = throng.expect(0, "", "make", "crossing", "n=3")
    check(len(json.loads(text)["agents"]) == 6, "make crossing n=3 has not 6 agents")
    throng.expect(0, "", "make", "crossing", "n=3", "--out", folder / "crossing.json")
    check((folder / "crossing.json").read_text() == text, "make --out wrote another text than make")
    throng.expect(0, "", "check", folder / "crossing.json")
    check("ring-siege" in throng.expect(0, "", "make", "--help"), "make --help does not list ring-siege")
    throng.expect(2, "a name is needed", "make")
    throng.expect(2, "no scene 'cross'; there are .*crossing", "make", "cross")
    throng.expect(2, "'m' is no parameter of crossing; there are n, lanes, seed", "make", "crossing", "m=3")
    throng.expect(2, "n: must be from 1 to", "make", "crossing", "n=0")
    throng.expect(2, "one --out", "make", "crossing", "--out", "a", "--out", "b")
    throng.expect(2, "no option", "make", "crossing", "--nonsense")
    throng.expect(1, "nowhere", "make", "crossing", "--out", folder / "nowhere" / "a.json")
    if os.path.exists("/dev/full"):
        throng.expect(1, "/dev/full.*No space", "make", "crossing", "--out", "/dev/full")
        with open("/dev/full", "w") as full:
            run = throng("make", "crossing", stdout=full)
        check(run.returncode == 1 and "No space" in run.stderr, f"make > /dev/full: {run.returncode} {run.stderr!r}")


def database(path, frames, metadata):
    with sqlite3.connect(path) as connection:
        connection.executescript("""
            CREATE TABLE trajectory_data(frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL,
                pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);
            CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
            CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);
            CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
            INSERT INTO geometry VALUES(1, 'GEOMETRYCOLLECTION (POLYGON ((0 0, 9 0, 9 5, 0 5, 0 0), (1 1, 1 2, 2 1, 1 1)))');
        """)
        connection.executemany("INSERT INTO metadata VALUES(?, ?)", metadata.items())
        connection.executemany("INSERT INTO trajectory_data VALUES(?, ?, ?, ?, 1, 0)", frames)
        connection.executemany("INSERT INTO frame_data VALUES(?, 1)", [(n,) for n in range(4)])
    connection.close()


def test_foreign_database(throng, folder):
    """A database as others write it: ids with gaps, people who come later and leave, a last frame with nobody."""
    path = folder / "foreign.sqlite"
    frames = [(0, 77, 1.0, 3.0), (1, 77, 1.5, 3.0), (1, 12, 5.0, 4.0), (2, 12, 5.0, 3.0)]
    database(path, frames, {"version": "2", "fps": "10.0"})
    said = throng.expect(0, "", "info", path)
    check("2, at most 2 at once, 0 at the end" in said, f"info of a foreign database: {said}")
    check("4, from 0 to 0.3 s" in said, f"info of a foreign database: {said}")
    check("44.5 square metres, 1 polygon, 1 hole" in said, f"info of a foreign database: {said}")
    check("highest 10 m/s" in said, f"info of a foreign database: {said}")
    for options in (("--at", "0.1"), ("--at", "99"), ("--trails",), (), ("--trails", "--color", "speed")):
        throng.expect(0, "", "draw", path, "--out", folder / "foreign.png", *options)
        check((folder / "foreign.png").read_bytes()[:4] == b"\x89PNG", f"draw {options}: no PNG")
    for version in ("1", "3"):
        database(folder / f"v{version}.sqlite", frames, {"version": version, "fps": "10"})
        throng.expect(1, f"v{version}.sqlite: version {version}", "info", folder / f"v{version}.sqlite")


def test_run_and_draw(throng, folder, scenes):
    scene = scenes / "doorway.json"
    recordings = folder / "a.csv", folder / "a.sqlite"
    throng.expect(0, "", "run", scene, "--duration", "5", "--every", "5", "--quiet", "--out", recordings[0], "--out",
                  recordings[1])
    told = [throng.expect(0, "", "info", path) for path in recordings]
    for line in ("agents:      80,", "frames:      11, from 0 to 5 s"):
        check(all(line in text for text in told), f"info lacks '{line}': {told}")
    check("ground:" not in told[0] and "1 polygon" in told[1], "only SQLite holds the ground")
    told = throng.expect(0, "", "info", scene)
    check("80 leave" in told.replace("80 with a route, ", "") and "doorway" in told, f"info of a scene: {told}")
    pictures = {}
    for path in recordings:
        for options in (("--at", "2"), ("--trails",)):
            out = folder / f"{path.suffix[1:]}{options[0]}.svg"
            throng.expect(0, "", "draw", path, "--scene", scene, "--out", out, *options)
            pictures[path.suffix, options[0]] = out.read_text()
    check(pictures[".csv", "--trails"] == pictures[".sqlite", "--trails"], "CSV and SQLite draw different trails")
    throng.expect(0, "", "draw", recordings[1], "--at", "5", "--size", "300", "--color", "goal", "--out",
                  folder / "small.png")
    wrong = (
        (2, "ending", "--out", folder / "x.gif"),
        (2, "--out is needed",),
        (2, "not both", "--out", folder / "x.png", "--at", "1", "--trails"),
        (2, "--at: seconds", "--out", folder / "x.png", "--at", "-1"),
        (2, "--at: seconds", "--out", folder / "x.png", "--at", "x"),
        (2, "--color: speed or goal", "--out", folder / "x.png", "--color", "red"),
        (2, "--size: pixels", "--out", folder / "x.png", "--size", "7"),
        (2, "none.json", "--out", folder / "x.png", "--scene", folder / "none.json"),
        (1, "nowhere", "--out", folder / "nowhere" / "x.png"),
    )
    for status, pattern, *options in wrong:
        throng.expect(status, pattern, "draw", recordings[0], *options)
    throng.expect(2, "one recording", "draw", "--out", folder / "x.png")
    check(not (folder / "x.png").exists(), "a failed draw left x.png")


def test_broken(throng, folder):
    (folder / "empty").write_text("")
    (folder / "short.csv").write_text("step,time,id,x,y,vx,vy\n0,0,0,1\n")
    (folder / "broken.json").write_text('{"throng": 1, "agents": [')
    throng.expect(1, "empty: not a recording", "info", folder / "empty")
    throng.expect(1, "short.csv: line 2, field 4", "info", folder / "short.csv")
    throng.expect(1, "No such file", "info", folder / "missing")
    throng.expect(2, "broken.json", "info", folder / "broken.json")
    throng.expect(1, "short.csv: line 2", "draw", folder / "short.csv", "--out", folder / "x.png")
    throng.expect(2, "one file is needed", "info")
    whole = folder / "a.sqlite"
    data = whole.read_bytes()
    (folder / "cut.sqlite").write_bytes(data[:len(data) // 2])
    run = throng("info", folder / "cut.sqlite")
    check(run.returncode == 1 and "cut.sqlite" in run.stderr, f"a database cut in half: {run.returncode} {run.stderr!r}")


def main():
    throng, scenes = Program(sys.argv[1]), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        test_make(throng, folder)
        test_foreign_database(throng, folder)
        test_run_and_draw(throng, folder, scenes)
        test_broken(throng, folder)
        left = [path.name for path in folder.iterdir() if path.name.startswith(".") or "tmp" in path.name]
        check(not left, f"left behind: {left}")
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
