#!/usr/bin/env python3
"""Holds the state hash of every scene against data/golden, over threads and kernels.

usage: test_golden.py PROGRAM DATA_FOLDER [--threads LIST] [--kernels LIST] [--update]

data/golden/NAME.json: {"duration": s, "state_hash": hex} for data/scenes/NAME.json. --update writes the hashes found,
after the first run of each scene; a scene without a golden file gets one over its first 20 s.
"""
import argparse
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from throng_run import run_scene  # noqa: E402


def state_hash(program, scene, duration, threads, kernel):
    environment = {**os.environ, **({"THRONG_KERNEL": kernel} if kernel else {})}
    options = ("--duration", str(duration), "--threads", str(threads))
    run = run_scene(program, scene, *options, trajectory=False, environment=environment)
    if run.status != 0:
        return f"exit status {run.status}: {run.stderr.strip()[:300]}"
    if kernel and run.summary["kernel"] != kernel:
        return f"kernel {run.summary['kernel']} instead of {kernel}"
    return run.summary["state_hash"]


def supported(kernel):
    """Whether this machine has the instructions; what the library can't run it must refuse, not emulate."""
    flag = {"sse2": "sse2", "avx2": "avx2", "avx512": "avx512dq", "neon": "asimd"}.get(kernel)
    cpu = pathlib.Path("/proc/cpuinfo")
    return flag is None or (cpu.exists() and flag in cpu.read_text().split())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--threads", default="1,2,3,7")
    parser.add_argument("--kernels", default="")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    # Every thread count with the default kernel, every kernel with two threads.
    settings = [(int(t), None) for t in options.threads.split(",")]
    settings += [(2, k) for k in options.kernels.split(",") if k and supported(k)]
    faults = 0
    scenes = sorted((options.data / "scenes").glob("*.json"))
    for scene in scenes:
        golden = options.data / "golden" / scene.name
        due = json.loads(golden.read_text(encoding="utf-8")) if golden.exists() else {"duration": 20}
        if options.update:
            due["state_hash"] = state_hash(options.program, scene, due["duration"], 1, None)
            golden.parent.mkdir(exist_ok=True)
            golden.write_text(json.dumps(due) + "\n", encoding="utf-8")
        found = {}
        for threads, kernel in settings:
            name = f"{threads} threads, {kernel or 'default'} kernel"
            found.setdefault(state_hash(options.program, scene, due["duration"], threads, kernel), []).append(name)
        if set(found) != {due.get("state_hash")}:
            faults += 1
            print(f"{scene.stem}: golden is {due.get('state_hash')}, but", flush=True)
            for value, names in found.items():
                print(f"    {value}: {'; '.join(names) if len(found) > 1 else 'every setting'}", flush=True)
    print(f"{len(scenes)} scenes x {len(settings)} settings, {faults} differ")
    sys.exit(faults > 0 or not scenes)


main()
