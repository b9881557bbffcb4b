"""Runs the program on a scene and reads back what it left. For the tests that look at whole scenes."""
import csv
import json
import math
import pathlib
import subprocess
import tempfile
from dataclasses import dataclass, field


@dataclass
class Frame:
    time: float
    agents: dict  # id -> (x, y, vx, vy)

    def place(self, agent):
        return self.agents[agent][:2]

    def speed(self, agent):
        return math.hypot(*self.agents[agent][2:])


@dataclass
class Run:
    status: int
    stderr: str
    frames: list = field(default_factory=list)
    summary: dict = field(default_factory=dict)
    left_behind: list = field(default_factory=list)


def read_frames(path):
    frames = {}
    with open(path, newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            frame = frames.setdefault(int(row["step"]), Frame(float(row["time"]), {}))
            frame.agents[int(row["id"])] = tuple(float(row[key]) for key in ("x", "y", "vx", "vy"))
    return [frames[step] for step in sorted(frames)]


def run_scene(program, scene, *options, trajectory=True, timeout=900, environment=None):
    """`scene`: a dict, the text of a scene file, or the path of one."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        inputs, outputs = folder / "in", folder / "out"
        inputs.mkdir()
        outputs.mkdir()
        path = scene
        if not isinstance(scene, pathlib.Path):
            path = inputs / "scene.json"
            path.write_text(scene if isinstance(scene, str) else json.dumps(scene), encoding="utf-8")
        table, summary = outputs / "run.csv", outputs / "run.json"
        command = [program, "run", str(path), "--summary", str(summary), "--quiet", *options]
        if trajectory:
            command += ["--out", str(table)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=environment)
        run = Run(done.returncode, done.stderr, left_behind=sorted(p.name for p in outputs.iterdir()))
        if done.returncode == 0:
            run.frames = read_frames(table) if trajectory else []
            run.summary = json.loads(summary.read_text(encoding="utf-8"))
        return run
