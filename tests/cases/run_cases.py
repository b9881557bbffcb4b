#!/usr/bin/env python3
"""Runs scenes through the program and holds what they show against what each case expects.

usage: run_cases.py PROGRAM PREFIX        every PREFIX*.json beside this file

A case holds a "scene" (or "scene_text", the raw text of a file) and "expect". Places, speeds and overlaps are measured
here from the trajectory. What each expectation means is written at its function.
"""
import json
import math
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "support"))
from geometry import Walls, deepest_pair  # noqa: E402
from throng_run import run_scene  # noqa: E402

BUILT_IN = {"radius": 0.25, "max_speed": 1.6}
CHECKS = {}


def expectation(check):
    CHECKS[check.__name__] = check
    return check


class Case:
    def __init__(self, program, name):
        self.program, self.name = program, name
        content = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
        self.expect = content["expect"]
        self.scene = content.get("scene", content.get("scene_text"))
        self.run = run_scene(program, self.scene)
        if not isinstance(self.scene, dict):
            return
        profiles = self.scene.get("profiles", {})
        default = {**BUILT_IN, **profiles.get("default", {})}
        self.agents = [{**default, **profiles.get(a.get("profile"), {}), **a} for a in self.scene.get("agents", [])]
        self.radius = [a["radius"] for a in self.agents]
        self.frames = self.run.frames
        self.settled = [f for f in self.frames if f.time >= self.expect.get("settle", 0)]

    def farthest(self, agent):
        start = self.frames[0].place(agent)
        return max(math.dist(f.place(agent), start) for f in self.frames if agent in f.agents)

    def faults(self):
        if "error" in self.expect:
            return list(refused(self, self.expect["error"]))
        if self.run.status != 0:
            return [f"exit status {self.run.status}: {self.run.stderr.strip()[:300]}"]
        found = list(sound(self))
        for name, value in self.expect.items():
            found += CHECKS[name](self, value) if name in CHECKS else [f"unknown expectation '{name}'"]
        return found


def refused(case, words):
    """Status 2, a message that holds (one of) the words, no output."""
    run = case.run
    if run.status != 2:
        yield f"exit status {run.status}, 2 was due"
    if not any(word.lower() in run.stderr.lower() for word in ([words] if isinstance(words, str) else words)):
        yield f"the message names no {words}: {run.stderr.strip()[:200]!r}"
    if run.left_behind:
        yield f"left behind: {run.left_behind}"


def sound(case):
    """What holds for every run: finite numbers, and as many steps and frames as asked for."""
    for frame in case.frames:
        for agent, numbers in frame.agents.items():
            if not all(map(math.isfinite, numbers)):
                yield f"agent {agent} at {frame.time} s: {numbers}"
                return
    if case.scene.get("stop_early") is False:
        steps = round(case.scene["duration"] / case.scene["time_step"])
        if case.run.summary["steps"] != steps:
            yield f"{case.run.summary['steps']} steps made, {steps} were due"
        if case.agents and not any(a.get("leave") for a in case.agents) and len(case.frames) != steps + 1:
            yield f"{len(case.frames)} frames recorded, {steps + 1} were due"
    needed = max(case.expect.get("settle", 0), case.expect.get("mean_speed_below", {}).get("after", 0))
    if case.frames and case.frames[-1].time < needed:
        yield f"the run ended at {case.frames[-1].time} s, before {needed} s"


@expectation
def settle(case, seconds):
    """Overlaps count from this time on."""
    return ()


@expectation
def warns_nothing(case, wanted):
    if wanted and case.run.stderr.strip():
        yield f"on standard error: {case.run.stderr.strip()[:200]!r}"


@expectation
def warns(case, word):
    if word.lower() not in case.run.stderr.lower():
        yield f"no warning names '{word}': {case.run.stderr.strip()[:200]!r}"


@expectation
def all_arrive_by(case, seconds):
    """Everybody with a goal or a route has arrived in time."""
    times = case.run.summary["arrival_times"]
    late = [i for i, a in enumerate(case.agents)
            if ("goal" in a or "route" in a) and times.get(str(i), math.inf) > seconds]
    if late:
        yield f"{len(late)} of {len(case.agents)} not arrived by {seconds} s; agent {late[0]}: {times.get(str(late[0]))}"


@expectation
def arrived_at_least(case, count):
    if len(case.run.summary["arrival_times"]) < count:
        yield f"{len(case.run.summary['arrival_times'])} arrived, {count} were due"


@expectation
def stuck(case, agents):
    if sorted(case.run.summary["stuck"]) != sorted(agents):
        yield f"stuck: {case.run.summary['stuck']}, expected {agents}"


@expectation
def max_overlap(case, limit):
    """m, between any two bodies."""
    for frame in case.settled:
        overlap, one, other = deepest_pair(frame, case.radius)
        if overlap > limit:
            yield f"agents {one} and {other} overlap by {overlap:.4f} m at {frame.time} s"
            return


@expectation
def max_wall_overlap(case, limit):
    """m, of a body into a wall; and nobody passes through one."""
    walls = Walls(case.scene)
    for before, after in zip(case.settled[:1] + case.settled, case.settled):
        for agent in after.agents:
            depth = walls.reach_into(after.place(agent), case.radius[agent])
            if depth > limit:
                yield f"agent {agent} reaches {depth:.4f} m into a wall at {after.time} s"
                return
            if agent in before.agents and walls.passed_through(before.place(agent), after.place(agent),
                                                               case.radius[agent]):
                yield f"agent {agent} passes through a wall before {after.time} s"
                return


@expectation
def stays_left_of(case, x):
    worst = max(s[0] for f in case.frames for s in f.agents.values())
    if worst > x:
        yield f"somebody reached x = {worst:.4f}, limit {x}"


@expectation
def stays_right_of(case, x):
    worst = min(s[0] for f in case.frames for s in f.agents.values())
    if worst < x:
        yield f"somebody reached x = {worst:.4f}, limit {x}"


@expectation
def max_speed_ratio(case, limit):
    """Speed over max_speed, after the first step."""
    worst = max((f.speed(i) / case.agents[i]["max_speed"], i) for f in case.frames[1:] for i in f.agents)
    if worst[0] > limit:
        yield f"agent {worst[1]} moves at {worst[0]:.7f} of its maximum"


@expectation
def mean_speed_below(case, rule):
    speeds = [f.speed(i) for f in case.frames if f.time >= rule["after"] for i in f.agents]
    mean = sum(speeds) / len(speeds) if speeds else math.inf
    if mean > rule["value"]:
        yield f"mean speed {mean:.4f} m/s after {rule['after']} s"


def spread(case):
    """Distances from the centroid at the end."""
    last = [case.frames[-1].place(i) for i in case.frames[-1].agents]
    center = [sum(axis) / len(last) for axis in zip(*last)]
    return [math.dist(p, center) for p in last]


@expectation
def disc_radius_below(case, limit):
    if (radius := max(spread(case))) > limit:
        yield f"the crowd ends in a disc of {radius:.3f} m"


@expectation
def disc_rms_below(case, limit):
    """sqrt(2) times the root mean square distance from the centroid: the radius of a full disc."""
    distances = spread(case)
    if (radius := math.sqrt(2 * sum(d * d for d in distances) / len(distances))) > limit:
        yield f"the crowd ends as a disc of {radius:.3f} m"


@expectation
def moved_less(case, limits):
    for agent, limit in limits.items():
        if (moved := case.farthest(int(agent))) > limit:
            yield f"agent {agent} moved {moved:.4f} m"


@expectation
def moved_at_least(case, limits):
    for agent, least in limits.items():
        if (moved := case.farthest(int(agent))) < least:
            yield f"agent {agent} moved only {moved:.4f} m"


@expectation
def mean_moved_at_least(case, least):
    moved = [case.farthest(i) for i in case.frames[0].agents]
    if sum(moved) < least * len(moved):
        yield f"the agents moved only {sum(moved) / len(moved):.4f} m in the mean"


@expectation
def final(case, places):
    for agent, (x, y, tolerance) in places.items():
        place = case.frames[-1].place(int(agent))
        if math.dist(place, (x, y)) > tolerance:
            yield f"agent {agent} ends at {place}, expected {(x, y)} within {tolerance} m"


@expectation
def velocities(case, values):
    """After the first step."""
    for agent, (vx, vy, tolerance) in values.items():
        velocity = case.frames[1].agents[int(agent)][2:]
        if math.dist(velocity, (vx, vy)) > tolerance:
            yield f"agent {agent} moves at {velocity}, expected {(vx, vy)}"


@expectation
def turns_at_most(case, limits):
    """Changes of the side of its goal direction to which an agent moves, by more than 1 cm/s."""
    for agent, limit in limits.items():
        gx, gy = case.agents[int(agent)]["goal"]
        sides = []
        for frame in case.frames:
            if int(agent) in frame.agents:
                x, y, vx, vy = frame.agents[int(agent)]
                aside = (vx * (gy - y) - vy * (gx - x)) / (math.hypot(gx - x, gy - y) or 1)
                if abs(aside) > 0.01:
                    sides.append(aside > 0)
        turns = sum(a != b for a, b in zip(sides, sides[1:]))
        if turns > limit:
            yield f"agent {agent} changes side {turns} times"


@expectation
def same_hash_threads(case, counts):
    for threads in counts:
        again = run_scene(case.program, case.scene, "--threads", str(threads), trajectory=False)
        if again.summary.get("state_hash") != case.run.summary["state_hash"]:
            yield f"{threads} threads: hash {again.summary.get('state_hash')}, not {case.run.summary['state_hash']}"


@expectation
def same_hash_as(case, name):
    other = Case(case.program, name).run.summary.get("state_hash")
    if other != case.run.summary["state_hash"]:
        yield f"hash {case.run.summary['state_hash']}, {name} has {other}"


@expectation
def matches(case, rule):
    """The trajectory of another case, shifted."""
    other = Case(case.program, rule["case"]).frames
    shift = rule.get("shift", (0, 0))
    if len(other) != len(case.frames):
        yield f"{len(case.frames)} frames, {rule['case']} has {len(other)}"
    for mine, theirs in zip(case.frames, other):
        if mine.agents.keys() != theirs.agents.keys():
            yield f"other agents than in {rule['case']} at {mine.time} s"
            return
        for i in mine.agents:
            away = math.dist(mine.place(i), [p + s for p, s in zip(theirs.place(i), shift)])
            if away > rule["tolerance"]:
                yield f"agent {i} is {away:.6f} m away from {rule['case']} at {mine.time} s"
                return


def main():
    program, prefix = sys.argv[1:]
    names = sorted(path.stem for path in FOLDER.glob(f"{prefix}*.json"))
    failures = 0
    for name in names:
        try:
            faults = Case(program, name).faults()
        except Exception as error:  # a case that breaks must not hide the others
            faults = [f"{type(error).__name__}: {error}"]
        failures += bool(faults)
        print("\n    ".join([f"{'FAIL' if faults else 'ok'}  {name}", *faults]), flush=True)
    print(f"{len(names) - failures} of {len(names)} cases hold")
    sys.exit(failures > 0 or not names)


main()
