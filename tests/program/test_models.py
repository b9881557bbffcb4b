#!/usr/bin/env python3
"""Who walks by velocity obstacles changes sides again and again; with reciprocal ones and half-planes nobody does. The
numbers are those of the README.

usage: test_models.py PROGRAM SCENE README
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from throng_run import run_scene  # noqa: E402

TURN = 0.05  # m/s: the least change of velocity across the way, from a step to the next, that is a turn
TWO, STREAMS = range(0, 2), range(2, 14)
faults = []


def check(condition, what):
    if not condition:
        faults.append(what)
        print(f"FAILED {what}")


def changes(frames, agent):
    """How often the agent turns to the other side than before."""
    across = [frame.agents[agent][3] for frame in frames]
    turns = [later - now for now, later in zip(across, across[1:]) if abs(later - now) > TURN]
    return sum(a * b < 0 for a, b in zip(turns, turns[1:]))


def main():
    program, scene, readme = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).read_text(encoding="utf-8")
    found = {}
    for model in ("vo", "rvo", "orca"):
        run = run_scene(program, scene, "--set", f"solver.model={model}")
        check(run.status == 0, f"{model}: exit status {run.status}: {run.stderr.strip()[:300]}")
        if run.status != 0:
            continue
        most = [max(changes(run.frames, agent) for agent in group) for group in (TWO, STREAMS)]
        found[model] = most
        check(run.summary["max_overlap"] < 0.01, f"{model}: overlap {run.summary['max_overlap']} m")
        row = re.search(rf"^\| `{model}` \|.*\| (\d+) \| (\d+) \|$", readme, flags=re.M)
        check(row and [int(row.group(1)), int(row.group(2))] == most,
              f"{model}: changes of side {most}, README {row.groups() if row else 'has no row'}")
    trap = {"throng": 1, "time_step": 0.1, "duration": 0.3, "profiles": {"default": {"max_acceleration": 1}}, "agents": [
        {"position": [0, 0], "velocity": [1.2, 0], "preferred_velocity": [1.2, 0]},
        {"position": [0.7, 0], "yield": 0}, {"position": [9, 0]}]}
    run = run_scene(program, trap)
    counts = run.summary.get("infeasible_by_agent", {})
    check(set(counts) == {"0"} and sum(counts.values()) == run.summary["infeasible"] > 0,
          f"infeasible by agent {counts} of {run.summary.get('infeasible')}")
    if len(found) == 3:
        for group, name in enumerate(("two", "streams")):
            vo, rvo, orca = (found[model][group] for model in ("vo", "rvo", "orca"))
            check(vo >= 15, f"{name}: vo changes sides {vo} times only")
            check(rvo <= 6 and orca <= 2, f"{name}: rvo changes sides {rvo} times, orca {orca}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
