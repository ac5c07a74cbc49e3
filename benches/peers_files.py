"""The command `truecal` beside what people write in Python: files in, numbers out."""

import functools
import importlib
import json
import statistics
import subprocess
import sys
import time

from peers_common import DATA, data_sets, note, numpy_step_ce, optional, table, timed


def measured(command, path, *options):
    """stepCE of a file by the command, or whatever comes first."""
    done = subprocess.run(
        [command, "measure", str(path), "--json", *options], stdout=subprocess.PIPE, text=True
    )
    if done.returncode:
        raise RuntimeError(f"exit code {done.returncode}")
    return next(iter(json.loads(done.stdout)["measures"].values()))["value"]


READERS = {
    "polars": lambda polars, path: polars.read_csv(path),
    "pandas": lambda pandas, path: pandas.read_csv(path, engine="c"),
}


def read_and_measure(package, path):
    """stepCE of a CSV file as people write it: what a process of its own is started for, as one is
    for `truecal`. Prints the seconds that this takes after all imports."""
    module = importlib.import_module(package)
    importlib.import_module("numpy")
    start = time.perf_counter()
    frame = READERS[package](module, path)
    numpy_step_ce(frame["y"].to_numpy(), frame["p"].to_numpy())
    print(time.perf_counter() - start)


def alone(package, path):
    done = subprocess.run(
        [sys.executable, __file__, package, str(path)], stdout=subprocess.PIPE, check=True
    )
    return float(done.stdout)


def csv_table(command, size, runs):
    """A file in, stepCE out, each by a process of its own."""
    packages = {name: optional(name) for name in READERS}
    if not any(packages.values()):
        return "### CSV\n\nneither pandas nor polars is installed"
    rows = []
    path = DATA / "forecasts.csv"
    DATA.mkdir(parents=True, exist_ok=True)
    for name, (y, p) in data_sets(size).items():
        frame = {"y": y, "p": p}
        if packages["polars"]:
            packages["polars"].DataFrame(frame).write_csv(path)
        else:
            packages["pandas"].DataFrame(frame).to_csv(path, index=False)

        def ours(jobs):
            return measured(command, path, "--only", "stepce", "--jobs", jobs)

        note(f"CSV, {name}")
        works = {
            package: functools.partial(alone, package, path)
            for package, module in packages.items()
            if module
        }
        works |= {"one": lambda: ours("1"), "two": lambda: ours("2")}
        found = timed_in_turn(works, runs)
        own, both = found["one"][0], found["two"][0]

        def seconds(package):
            if package not in found:
                return "not installed"
            whole, inner = found[package]
            return f"{whole:.2f} ({statistics.median(inner):.2f})"

        def ratio(package):
            return f"{found[package][0] / own:.1f}" if package in found else "-"

        cells = [*map(seconds, READERS), f"{own:.3f}", *map(ratio, READERS), f"{own / both:.2f}"]
        rows.append([f"{name} ({path.stat().st_size / 1e6:.0f} MB)", *cells])
    path.unlink()
    head = [
        "data",
        "polars and numpy, s",
        "pandas (C reader) and numpy, s",
        "`truecal measure`, s",
        "polars / truecal",
        "pandas / truecal",
        "truecal on one thread / on two",
    ]
    title = f"### A CSV of {size} rows in, stepCE out, one thread, by processes of their own"
    inner = "In brackets: without the start of Python and its imports."
    return f"{title}\n\n" + table(head, rows) + f"\n\n{inner}"


def timed_in_turn(works, runs):
    """For each work the median of its times, all in turn, so that what else the machine does meets
    them alike; and its results."""
    times = {name: [] for name in works}
    results = {name: [] for name in works}
    for _ in range(runs):
        for name, work in works.items():
            start = time.perf_counter()
            results[name].append(work())
            times[name].append(time.perf_counter() - start)
    return {name: (statistics.median(times[name]), results[name]) for name in works}


def whole_table(command, size, runs):
    """All defaults beside stepCE alone, on the same file."""
    numpy = optional("numpy")
    path = DATA / "forecasts.npy"
    DATA.mkdir(parents=True, exist_ok=True)
    rows = []
    for name, (y, p) in data_sets(size).items():
        note(f"all defaults, {name}")
        numpy.save(path, numpy.column_stack([y, p]))
        whole = timed(lambda: measured(command, path), runs)[0]
        step = timed(lambda: measured(command, path, "--only", "stepce"), runs)[0]
        largest = f"{peak(command, path) / 2**20:.0f}"
        rows.append([name, f"{whole:.2f}", f"{step:.2f}", f"{whole / step:.1f}", largest])
    path.unlink()
    head = [
        "data",
        "all measures, s",
        "stepCE alone, s",
        "all measures / stepCE",
        "MiB of all measures",
    ]
    title = f"### `truecal measure FILE.npy`, {size} rows, all defaults, one thread"
    return f"{title}\n\n" + table(head, rows)


def peak(command, path):
    """The most memory that the command takes, in bytes."""
    code = (
        "import resource, subprocess, sys; "
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
        "print(1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, command, "measure", str(path)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return int(done.stdout)


def null_table(command, runs):
    """Replicates of a truthful forecaster, stepCE and intervalCE of each."""
    numpy = optional("numpy")
    path = DATA / "forecasts.npy"
    DATA.mkdir(parents=True, exist_ok=True)
    size, replicates = 100_000, 1000
    rows = []
    for name, (y, p) in data_sets(size).items():
        note(f"null, {name}")
        numpy.save(path, numpy.column_stack([y, p]))

        def plain():
            random = numpy.random.default_rng(1)
            order = numpy.sort(p)
            for _ in range(replicates):
                walk = numpy.cumsum((random.random(size) < order) - order)
                numpy.abs(walk).max(), max(walk.max(), 0) - min(walk.min(), 0)

        def ours(measures, jobs="1"):
            options = ["--only", measures, "--null", str(replicates), "--jobs", jobs]
            return timed(lambda: measured(command, path, *options), runs)[0]

        baseline = timed(plain, runs)[0]
        both, all_threads = ours("stepce,intervalce"), ours("stepce,intervalce", "2")
        cells = [f"{baseline:.2f}", f"{both:.3f}", f"{baseline / both:.0f}"]
        cells += [f"{baseline / all_threads:.0f}"]
        cells += [f"{ours(measure) / ours('stepce'):.1f}" for measure in ["vcal", "ucal"]]
        rows.append([name, *cells])
    path.unlink()
    head = [
        "data",
        "numpy, s",
        "`truecal measure --null`, s",
        "numpy / truecal",
        "the same, two threads",
        "VCal / stepCE",
        "UCal / stepCE",
    ]
    title = f"### {replicates} null replicates of {size} rounds, stepCE and intervalCE, one thread"
    return f"{title}\n\n" + table(head, rows)


if __name__ == "__main__":
    read_and_measure(*sys.argv[1:])
