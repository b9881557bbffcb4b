#!/usr/bin/env python3
"""The commands run and check as a user meets them: messages, exit statuses, files left and not left.

usage: test_program.py PROGRAM [unittest options]
"""
import csv
import json
import os
import pathlib
import pty
import random
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
WALKERS = {
    "throng": 1, "name": "two \"walkers\"", "time_step": 0.1, "duration": 4, "stop_early": False,
    "agents": [{"position": [0, 0], "goal": [3, 0]}, {"position": [6, 0.5], "goal": [2, 0.5]}],
}
FOREVER = {
    "throng": 1, "time_step": 0.1, "duration": 1e9, "stop_early": False,
    "agents": [{"position": [i, 0], "goal": [i, 1e6]} for i in range(20)],
}


def full_disk(size=4096):
    """In the child: no file may grow beyond `size` bytes."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class ProgramTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.out = self.folder / "out"
        self.out.mkdir()

    def scene(self, content=WALKERS, **changes):
        path = self.folder / "scene.json"
        if isinstance(content, dict):
            content = json.dumps({**content, **changes}, indent=1)
        path.write_text(content, encoding="utf-8")
        return path

    def throng(self, *arguments, **options):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)

    def assert_told(self, done, status, *words):
        self.assertEqual(done.returncode, status, f"stderr: {done.stderr}")
        for word in words:
            self.assertIn(word, done.stderr)

    def assert_left(self, *names):
        self.assertEqual(sorted(p.name for p in self.out.iterdir()), sorted(names))

    def rows(self, name):
        with open(self.out / name, newline="", encoding="utf-8") as lines:
            return list(csv.DictReader(lines))


class Calls(ProgramTest):
    def test_help_and_version(self):
        for arguments, word in ((["--help"], "throng run SCENE"), (["--version"], "throng "),
                                (["run", "--help"], "--summary"), (["check", "--help"], "--set"),
                                (["run", "x.json", "-h"], "--every")):
            done = self.throng(*arguments)
            self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
            self.assertIn(word, done.stdout)
        listed = self.throng("--help").stdout
        for command in ("run", "check", "make", "info", "draw"):
            self.assertIn(f"throng {command}", listed)
            self.assertEqual(self.throng(command, "--help").returncode, 0, command)

    def test_wrong_calls(self):
        scene = self.scene()
        for arguments, word in (
                ([], "a command is needed"), (["walk"], "no command 'walk'"), (["run"], "one scene is needed"),
                (["check"], "a scene is needed"), (["run", scene, scene], "one scene is needed"),
                (["run", scene, "--fast"], "--fast"), (["run", scene, "--out"], "--out needs a value"),
                (["run", scene, "--every", "0"], "--every must be"), (["run", scene, "--every", "1.5"], "--every must be"),
                (["run", scene, "--every", "-1"], "--every must be"), (["run", scene, "--threads", "0"], "--threads must be"),
                (["run", scene, "--threads", "two"], "--threads must be"),
                (["run", scene, "--threads", "99999999999999999999"], "--threads must be"),
                (["run", scene, "--duration", "-1"], "--duration must be"),
                (["run", scene, "--duration", "nan"], "--duration must be"),
                (["run", scene, "--duration", "1s"], "--duration must be"),
                (["run", scene, "--summary", self.out / "a.json", "--summary", self.out / "b.json"], "given twice"),
                (["run", scene, "--set", "durtion=3"], "durtion: unknown key; did you mean \"duration\"?"),
                (["run", scene, "--out", self.out / "a.xyz"], ".csv"), (["run", scene, "--out", self.out / "csv"], ".csv"),
                (["run", self.out / "none.json"], "none.json: can't be read: No such file"),
                (["run", self.out], "can't be read: Is a directory"), (["check", self.out / "none.json"], "none.json")):
            with self.subTest(arguments=[str(a) for a in arguments]):
                self.assert_told(self.throng(*arguments), 2, word)
                self.assert_left()

    def test_a_closed_standard_output(self):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([PROGRAM, "--help"], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60)
        os.close(writer)
        self.assert_told(done, 1, "standard output: Broken pipe")

    def test_progress_on_a_terminal_only(self):
        scene = self.scene(FOREVER)
        for quiet in ([], ["--quiet"]):
            terminal, end = pty.openpty()
            run = subprocess.Popen([PROGRAM, "run", scene, *quiet], stdout=subprocess.DEVNULL, stderr=end)
            os.close(end)
            told = b""
            if quiet:
                time.sleep(1)
                run.send_signal(signal.SIGINT)
            try:
                while part := os.read(terminal, 4096):
                    told += part
                    if b"x real time" in told:
                        run.send_signal(signal.SIGINT)
            except OSError:  # the program's end is closed
                pass
            os.close(terminal)
            self.assertEqual(run.wait(60), 0)
            self.assertEqual(b"x real time" in told and b"20 agents" in told, not quiet, told)
            self.assertIn(b"interrupted", told)
        self.assertEqual(self.throng("run", self.scene()).stderr, "")

    def test_quiet(self):
        scene = self.scene()
        self.assertEqual(self.throng("run", scene, "--quiet").stdout, "")
        self.assertIn("2 agents, 40 steps", self.throng("run", scene).stdout)


class Scenes(ProgramTest):
    def test_every_problem_is_told(self):
        scene = self.scene(WALKERS, time_step=0, wals=[], agents=[{"position": [1, 2, 3]}, {"position": [0, 0], "raduis": 1}])
        for command in ("run", "check"):
            done = self.throng(command, scene)
            self.assert_told(done, 2, "time_step: must be > 0, is 0", "wals: unknown key; did you mean \"walls\"?",
                             "agents[0].position: must be [x, y], has 3", "agents[1].raduis", "line ", "scene.json")
            self.assertEqual(len(done.stderr.splitlines()), 4, done.stderr)

    def test_a_device_without_end(self):
        self.assert_told(self.throng("check", "/dev/zero"), 2, "/dev/zero: is no UTF-8 text: it holds a zero byte")

    def test_check_of_a_good_scene(self):
        done = self.throng("check", self.scene())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("2 agents", done.stdout)

    def test_check_of_several_scenes(self):
        bad, good = self.out / "bad.json", self.scene()
        bad.write_text("{}", encoding="utf-8")
        done = self.throng("check", bad, good)
        self.assert_told(done, 2, "bad.json: the key \"throng\" is missing")
        self.assertIn("scene.json: good", done.stdout)

    def test_a_goal_inside_a_solid_is_a_warning(self):
        box = {"polygon": [[2, -1], [4, -1], [4, 1], [2, 1]]}
        for command in (["check"], ["run", "--quiet"]):
            done = self.throng(*command, self.scene(WALKERS, walls=[box]))
            self.assert_told(done, 0, "warning: ", "scene.json, line 13: agents[0].goal: the goal lies inside a solid")
            self.assertNotIn("position", done.stderr)
        routes = [{"position": [0, 0], "route": [[3, 0], [9, 0], [2.5, 0]]}, {"position": [0, 9], "goal": [3, 0], "leave": True}]
        done = self.throng("check", self.scene(WALKERS, walls=[box], agents=routes))
        self.assert_told(done, 0, "agents[0].route[0]: the waypoint lies", "agents[0]: the goal lies", "agents[1]: the goal lies")

    def test_an_agent_inside_a_wall(self):
        walls = [{"line": [[-1, 0.1], [1, 0.1]]}, {"polygon": [[5, 0], [7, 0], [7, 1], [5, 1]]}]
        scene = self.scene(WALKERS, walls=walls)
        done = self.throng("run", scene, "--quiet")
        self.assert_told(done, 0, "warning: ", "agents[0].position: the agent starts within a wall", "agents[1].position")
        for command in ("run", "check"):
            done = self.throng(command, scene, "--set", "inside_walls=refuse")
            self.assert_told(done, 2, "agents[0].position: the agent starts within a wall", "agents[1].position")

    def test_many_warnings_are_counted(self):
        agents = [{"position": [i, 0]} for i in range(50)]
        scene = self.scene(WALKERS, walls=[{"line": [[-1, 0], [60, 0]]}], agents=agents)
        self.assertEqual(len(self.throng("run", scene, "--quiet", "--duration", "0.1").stderr.splitlines()), 21)
        self.assertIn("30 more", self.throng("run", scene, "--quiet", "--duration", "0.1").stderr)
        self.assertEqual(len(self.throng("check", scene).stderr.splitlines()), 50)


class Runs(ProgramTest):
    def run_to(self, scene, *options):
        done = self.throng("run", scene, "--out", self.out / "a.csv", "--summary", self.out / "a.json", "--quiet", *options)
        self.assert_told(done, 0)
        return json.loads((self.out / "a.json").read_text(encoding="utf-8"))

    def test_frames_and_summary(self):
        told = self.run_to(self.scene())
        self.assert_left("a.csv", "a.json")
        rows = self.rows("a.csv")
        self.assertEqual([(int(r["step"]), int(r["id"])) for r in rows], [(s, i) for s in range(41) for i in (0, 1)])
        self.assertEqual([float(rows[0][k]) for k in ("time", "x", "y", "vx", "vy")], [0, 0, 0, 0, 0])
        self.assertEqual((float(rows[1]["x"]), float(rows[1]["y"])), (6, 0.5))
        for row in rows:
            self.assertEqual(float(row["time"]), int(row["step"]) * 0.1)
        for key in ("agents", "steps", "time", "arrived", "arrival_times", "stuck", "outside", "max_overlap",
                    "max_wall_overlap", "infeasible", "truncated", "state_hash", "wall_seconds", "ns_per_agent_step",
                    "threads", "kernel", "version"):
            self.assertIn(key, told)
        self.assertEqual((told["name"], told["agents"], told["steps"], told["time"]), ("two \"walkers\"", 2, 40, 4))
        self.assertRegex(told["state_hash"], "^[0-9a-f]{16}$")
        self.assertIs(told["interrupted"], False)
        # The arrival is the first recorded moment within the goal radius of 0.25 m.
        self.assertEqual((told["arrived"], sorted(told["arrival_times"])), (2, ["0", "1"]))
        goals = {0: (3, 0), 1: (2, 0.5)}
        for number, goal in goals.items():
            near = [float(r["time"]) for r in rows if int(r["id"]) == number
                    and (float(r["x"]) - goal[0]) ** 2 + (float(r["y"]) - goal[1]) ** 2 <= 0.25 ** 2]
            self.assertEqual(told["arrival_times"][str(number)], near[0])

    def test_every_duration_and_set(self):
        self.run_to(self.scene(), "--every", "7", "--duration", "2.96", "--set", "agents[1].position=[6,-1]")
        rows = self.rows("a.csv")
        self.assertEqual(sorted({int(r["step"]) for r in rows}), [0, 7, 14, 21, 28])
        self.assertEqual(rows[1]["y"], "-1")
        self.assertEqual(json.loads((self.out / "a.json").read_text())["steps"], 30)

    def test_stop_early(self):
        told = self.run_to(self.scene(WALKERS, stop_early=True, duration=1000))
        self.assertLess(told["steps"], 200)
        self.assertGreaterEqual(told["time"], max(told["arrival_times"].values()))
        for row in self.rows("a.csv")[-2:]:
            self.assertLessEqual(float(row["vx"]) ** 2 + float(row["vy"]) ** 2, 1.0001e-6)
        nobody = self.run_to(self.scene(WALKERS, stop_early=True, agents=[{"position": [0, 0]}]))
        self.assertEqual(nobody["steps"], 0)
        wish = [{"position": [0, 0], "preferred_velocity": [1, 0]}]
        self.assertEqual(self.run_to(self.scene(WALKERS, stop_early=True, agents=wish))["steps"], 40)
        no_wish = [{"position": [0, 0], "preferred_velocity": [0, 0]}]
        self.assertEqual(self.run_to(self.scene(WALKERS, stop_early=True, agents=no_wish))["steps"], 0)

    def test_arrivals_at_the_start(self):
        agents = [{"position": [0, 0], "goal": [0.2, 0]}, {"position": [3, 0], "route": [[3, 0]], "leave": True},
                  {"position": [6, 0], "goal": [6.3, 0]}, {"position": [9, 0], "route": [[9, 1], [9, 0]]}]
        told = self.run_to(self.scene(WALKERS, agents=agents))
        times = told["arrival_times"]
        self.assertEqual((times["0"], times["1"], sorted(times)), (0, 0, ["0", "1", "2", "3"]))
        self.assertTrue(0 < times["2"] <= 0.2 and times["3"] > 1, times)
        told = self.run_to(self.scene(WALKERS, agents=agents[:1], stop_early=True))
        self.assertEqual((told["steps"], told["arrived"]), (0, 1))

    def test_routes_and_leaving(self):
        """Waypoints do not count as arrivals; who leaves is in no frame from then on, and numbers stay."""
        agents = [{"position": [0, 0], "route": [[2, 0], [2, 2]], "leave": True}, {"position": [50, 0]},
                  {"position": [0, 9], "route": [[1, 9], [3, 9]]}]
        told = self.run_to(self.scene(WALKERS, agents=agents, duration=8))
        rows = self.rows("a.csv")
        seen = [float(r["time"]) for r in rows if r["id"] == "0"]
        self.assertEqual(sorted(told["arrival_times"]), ["0", "2"])
        self.assertAlmostEqual(told["arrival_times"]["0"], seen[-1] + 0.1, places=9)
        self.assertGreater(seen[-1], (2 + 2 - 3 * 0.25) / 1.6 / 2)
        self.assertEqual({r["id"] for r in rows if r["step"] == "80"}, {"1", "2"})
        last = [r for r in rows if r["id"] == "2"][-1]
        self.assertLess(abs(float(last["x"]) - 3) + abs(float(last["y"]) - 9), 0.25)

    def test_a_turn_back(self):
        """The bisector of opposite legs is none: the waypoint must be reached."""
        agents = [{"position": [0, 0], "route": [[3, 0], [0.5, 0]]}]
        told = self.run_to(self.scene(WALKERS, agents=agents, duration=10))
        self.assertGreater(max(float(r["x"]) for r in self.rows("a.csv")), 2.74)
        self.assertEqual(list(told["arrival_times"]), ["0"])

    def test_empty_scene(self):
        told = self.run_to(self.scene(WALKERS, agents=[]))
        self.assertEqual((told["steps"], told["agents"], told["ns_per_agent_step"]), (40, 0, 0))
        self.assertEqual(self.rows("a.csv"), [])


class Outputs(ProgramTest):
    def test_one_file_named_twice(self):
        scene = self.scene()
        a = self.out / "a.csv"
        inside = self.folder / "in"
        inside.mkdir()
        (self.folder / "link").symlink_to(self.out)
        for first, second in (("--out", a), ("--out", self.out / "." / "a.csv"), ("--out", inside / ".." / "out" / "a.csv"),
                              ("--out", self.folder / "link" / "a.csv"), ("--summary", a)):
            self.assert_told(self.throng("run", scene, "--out", a, first, second), 2, "named twice")
            self.assert_left()
        a.write_text("old")
        (self.out / "b.csv").hardlink_to(a)
        self.assert_told(self.throng("run", scene, "--out", a, "--out", self.out / "b.csv"), 2, "named twice")
        self.assert_told(self.throng("run", scene, "--summary", scene), 2, "is the scene")
        self.assertEqual(a.read_text(), "old")

    def test_a_folder_that_does_not_take_files(self):
        scene = self.scene(FOREVER)  # would not end by itself: it is found before the run
        for option, name in (("--out", "a.csv"), ("--summary", "a.json")):
            done = self.throng("run", scene, option, self.out / "missing" / name)
            self.assert_told(done, 1, name, "No such file or directory")
            (self.out / name).mkdir()
            self.assert_told(self.throng("run", scene, option, self.out / name), 1, "is a folder")
            (self.out / name).rmdir()
        done = self.throng("run", scene, "--out", self.out / "a.csv", "--out", "/proc/a.csv")
        self.assert_told(done, 1, "/proc/a.csv")
        self.assert_left()

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_without_permission(self):
        self.out.chmod(0o500)
        self.assert_told(self.throng("run", self.scene(FOREVER), "--out", self.out / "a.csv"), 1, "Permission denied")
        self.out.chmod(0o700)
        self.assert_left()

    def test_a_full_device(self):
        (self.out / "full.csv").symlink_to("/dev/full")
        (self.out / "full.json").symlink_to("/dev/full")
        done = self.throng("run", self.scene(), "--out", self.out / "full.csv", "--summary", self.out / "a.json")
        self.assert_told(done, 1, "No space left on device")
        done = self.throng("run", self.scene(), "--out", self.out / "a.csv", "--summary", self.out / "full.json")
        self.assert_told(done, 1, "full", "No space left on device")
        self.assert_left("full.csv", "full.json")

    def test_a_full_disk(self):
        """The old file stays as it was; the message names what the user named."""
        (self.out / "a.csv").write_text("old")
        for size in (2000, 5000, 300000):  # LLVM's OpenMP writes a kilobyte of its own and needs room for it
            done = self.throng("run", self.scene(WALKERS, duration=2000), "--out", self.out / "a.csv", "--summary",
                               self.out / "a.json", preexec_fn=full_disk(size))
            self.assert_told(done, 1, str(self.out / "a.csv") + ": writing failed: File too large")
            self.assert_left("a.csv")
            self.assertEqual((self.out / "a.csv").read_text(), "old")

    @unittest.skipIf(os.geteuid() != 0, "only root can mount")
    def test_a_full_tmpfs(self):
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", self.out], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("no tmpfs can be mounted here")
        self.addCleanup(subprocess.run, ["umount", self.out], check=True)
        for ending in ("csv", "sqlite"):
            done = self.throng("run", self.scene(WALKERS, duration=4000), "--out", self.out / f"a.{ending}")
            if ending == "sqlite" and done.returncode == 2:
                continue  # a build without SQLite
            self.assert_told(done, 1, f"a.{ending}")
            self.assertRegex(done.stderr, "No space left on device|full")
            self.assert_left()

    def test_a_closed_pipe(self):
        pipe = self.out / "pipe.csv"
        os.mkfifo(pipe)

        def read_a_little():
            with open(pipe, "rb") as end:
                end.read(100)

        reader = threading.Thread(target=read_a_little)
        reader.start()
        done = self.throng("run", self.scene(FOREVER), "--out", pipe)
        reader.join()
        self.assert_told(done, 1, "pipe.csv: writing failed: Broken pipe")
        self.assert_left("pipe.csv")
        self.assertTrue(stat.S_ISFIFO(pipe.stat().st_mode))

    def test_a_pipe_read_to_the_end(self):
        pipe = self.out / "pipe.csv"
        os.mkfifo(pipe)
        lines = []
        reader = threading.Thread(target=lambda: lines.extend(pipe.read_text().splitlines()))
        reader.start()
        self.assert_told(self.throng("run", self.scene(), "--out", pipe), 0)
        reader.join()
        self.assertEqual(len(lines), 1 + 41 * 2)

    def test_standard_output(self):
        """A summary or a table may go to standard output, a pipe or a file, with nothing else in it."""
        done = self.throng("run", self.scene(), "--summary", "/dev/stdout")
        self.assert_told(done, 0)
        self.assertEqual(json.loads(done.stdout)["agents"], 2)
        (self.folder / "out.csv").symlink_to("/dev/stdout")
        done = self.throng("run", self.scene(), "--out", self.folder / "out.csv")
        self.assertEqual(len(done.stdout.splitlines()), 1 + 41 * 2)
        both = self.folder / "both.txt"
        with open(both, "w", encoding="utf-8") as file:
            file.write("before\n")
            file.flush()
            subprocess.run([PROGRAM, "run", self.scene(), "--summary", "/dev/stdout"], stdout=file, timeout=120, check=True)
        self.assertEqual(json.loads(both.read_text().removeprefix("before\n"))["agents"], 2)
        self.assert_left()

    def test_a_link_stays_a_link(self):
        real = self.folder / "real.csv"
        real.write_text("old")
        real.chmod(0o640)
        (self.out / "a.csv").symlink_to(real)
        self.assert_told(self.throng("run", self.scene(), "--out", self.out / "a.csv"), 0)
        self.assertTrue((self.out / "a.csv").is_symlink())
        self.assertTrue(real.read_text().startswith("step,"))
        self.assertEqual(stat.S_IMODE(real.stat().st_mode), 0o640)

    def test_the_mode_of_a_new_file(self):
        self.assert_told(self.throng("run", self.scene(), "--out", self.out / "a.csv", umask=0o027), 0)
        self.assertEqual(stat.S_IMODE((self.out / "a.csv").stat().st_mode), 0o640)

    def test_a_signal_ends_the_run_whole(self):
        scene = self.scene(FOREVER)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            run = subprocess.Popen([PROGRAM, "run", scene, "--out", self.out / "a.csv", "--summary", self.out / "a.json"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            while run.poll() is None and len(list(self.out.iterdir())) < 2:  # both temporary files are there
                time.sleep(0.005)
            time.sleep(random.random() * 0.3)
            run.send_signal(number)
            _, told = run.communicate(timeout=60)
            self.assertEqual(run.returncode, 0, told)
            self.assertIn("interrupted", told)
            self.assert_left("a.csv", "a.json")
            summary = json.loads((self.out / "a.json").read_text())
            rows = self.rows("a.csv")
            self.assertIs(summary["interrupted"], True)
            self.assertEqual(len(rows), 20 * (summary["steps"] + 1))
            self.assertEqual(int(rows[-1]["step"]), summary["steps"])
            for path in self.out.iterdir():
                path.unlink()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
