#!/usr/bin/env python3
"""The JSON Schema of scenes and `throng check` agree: on every scene of the project, and on one with each value spoilt.

usage: test_schema.py PROGRAM SCHEMA FOLDER_OF_SCENES FOLDER_OF_CASES
"""
import copy
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, SCHEMA, SCENES, CASES = sys.argv[1:]
ROOT = json.loads(pathlib.Path(SCHEMA).read_text(encoding="utf-8"))
TYPES = {
    "object": lambda v: isinstance(v, dict), "array": lambda v: isinstance(v, list), "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool), "null": lambda v: v is None,
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "integer": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool) and v == int(v),
}


def same(a, b):
    return type(a) is type(b) and a == b if isinstance(a, bool) or isinstance(b, bool) else a == b


def refer(reference):
    node = ROOT
    for step in reference.removeprefix("#/").split("/"):
        node = node[step]
    return node


def holds(schema, value):
    """Whether a value meets a schema. Only what scene.schema.json uses; another word is an error."""
    number, members = TYPES["number"](value), value if isinstance(value, dict) else {}
    items = value if isinstance(value, list) else []
    known = schema.get("properties", {})
    for word, rule in schema.items():
        if word in ("$schema", "$defs", "title", "description", "default"):
            continue
        good = {
            "$ref": lambda: holds(refer(rule), value),
            "type": lambda: TYPES[rule](value),
            "const": lambda: same(rule, value),
            "enum": lambda: value in rule,
            "minimum": lambda: not number or value >= rule,
            "maximum": lambda: not number or value <= rule,
            "exclusiveMinimum": lambda: not number or value > rule,
            "minItems": lambda: not isinstance(value, list) or len(items) >= rule,
            "maxItems": lambda: len(items) <= rule,
            "items": lambda: all(holds(rule, item) for item in items),
            "required": lambda: not isinstance(value, dict) or all(key in members for key in rule),
            "properties": lambda: all(holds(rule[key], members[key]) for key in rule if key in members),
            "additionalProperties": lambda: all(rule is not False and holds(rule, members[key])
                                                for key in members if key not in known),
            "allOf": lambda: all(holds(one, value) for one in rule),
            "anyOf": lambda: any(holds(one, value) for one in rule),
            "oneOf": lambda: sum(holds(one, value) for one in rule) == 1,
            "not": lambda: not holds(rule, value),
        }[word]()
        if not good:
            return False
    return True


# What no schema says: names that must exist, and two numbers together.
BEYOND = ("there is no profile", "9e15 time steps", "can't be read", "is no file", "with low < high", "each point of the route",
          "there is no support", "another support has", "must be later than")


def check_all(folder, scenes):
    """The messages of each scene; none: it is good."""
    paths = [folder / f"{i}.json" for i in range(len(scenes))]
    for path, scene in zip(paths, scenes):
        path.write_text(json.dumps(scene), encoding="utf-8")
    for raster in pathlib.Path(SCENES).glob("*.asc"):
        shutil.copy(raster, folder)
    done = subprocess.run([PROGRAM, "check", *map(str, paths)], capture_output=True, text=True, timeout=600)
    if done.returncode != 2:
        sys.exit(f"exit status {done.returncode}: {done.stderr[-1000:]}")
    told = {path: [] for path in paths}
    for match in re.finditer(r"^throng: (?!warning: )([^,:\n]*)[,:].*$", done.stderr, re.M):
        told[pathlib.Path(match.group(1))].append(match.group())
    return [told[path] for path in paths]


RICH = {
    "throng": 1, "name": "n", "description": "d", "time_step": 0.1, "duration": 60, "stop_early": True, "seed": 3,
    "inside_walls": "move",
    "profiles": {"default": {
        "radius": 0.25, "margin": 0, "max_speed": 1.6, "preferred_speed": 1.3, "max_acceleration": 2, "time_horizon": 2,
        "obstacle_horizon": 1, "neighbor_range": 5, "max_neighbors": 10, "yield": 1, "layer": 1, "mask": 1,
        "goal_radius": 0.25, "gradient": [0.5, 0], "speed_limit": 3, "heights": [0, 2], "view_angle": 200,
        "view_range": 30, "line_of_sight": True}, "other": {}},
    "regions": [{"polygon": [[30, 0], [34, 0], [34, 4]], "speed_factor": 0.5, "gradient": [0, 1], "heights": [0, 9]}],
    "height_grid": "hill.asc",
    "walls": [{"polygon": [[10, 0], [14, 0], [14, 4]], "enclosure": False, "layer": 1, "heights": [0, 9]}, {"line": [[20, 0], [25, 0]]}],
    "doors": [{"line": [[14, 0], [20, 0]], "depth": 0.5, "capacity": 2}],
    "agents": [{"profile": "other", "position": [0, 0], "velocity": [0, 0], "goal": [5, 5], "leave": True, "radius": 1},
               {"position": [0, 3], "route": [[4, 4], [5, 4]], "speed_limits": [1, None], "leave": False},
               {"position": [0, 6], "preferred_velocity": [1, 0]}],
}
SPOILS = [None, True, "x", -1, 0, 1.5, 256, 4294967296, 1e40, [], [1], [1, 2, 3], [1, "y"], [[1, 2]], {}, {"z": 1}]


def paths(value, path=()):
    yield path
    for key, member in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from paths(member, (*path, key))


def changed(path, value=None, remove=False):
    scene = copy.deepcopy(RICH)
    at = scene
    for key in path[:-1]:
        at = at[key]
    if remove:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return scene


def samples():
    for file in sorted(pathlib.Path(SCENES).glob("*.json")):
        yield file.name, json.loads(file.read_text(encoding="utf-8"))
    for file in sorted(pathlib.Path(CASES).glob("*.json")):
        case = json.loads(file.read_text(encoding="utf-8"))
        if "scene" in case:
            yield file.name, case["scene"]
    yield "rich", RICH
    for path in paths(RICH):
        if not path:
            continue
        yield f"without {path}", changed(path, remove=True)
        for spoil in SPOILS:
            yield f"{path} = {spoil}", changed(path, spoil)
    for extra in ("goal", "route", "preferred_velocity", "line", "polygon", "unheard"):
        value = {"goal": [1, 1], "preferred_velocity": [1, 1]}.get(extra, [[1, 1], [2, 2], [3, 1]])
        for path in (("agents", 0), ("agents", 1), ("agents", 2), ("walls", 0), ("walls", 1), ("profiles", "other")):
            yield f"{path} with {extra}", changed((*path, extra), value)


def main():
    faults, counts = [], {True: 0, False: 0}
    names, scenes = zip(*samples())
    with tempfile.TemporaryDirectory() as folder:
        all_told = check_all(pathlib.Path(folder), scenes)
    for name, scene, told in zip(names, scenes, all_told):
        if any(word in line for word in BEYOND for line in told):
            continue
        good = not told
        if good != holds(ROOT, scene):
            faults.append(f"{name}: the schema says {not good}, throng check {told}"[:400])
        counts[good] += 1
    if counts[True] < 100 or counts[False] < 500:
        faults.append(f"too few samples: {counts}")
    print("\n".join(faults) or f"{counts[True]} good and {counts[False]} wrong scenes judged alike")
    sys.exit(bool(faults))


main()
