"""The command `truecal` beside what people write in Python: files in, numbers out."""

import json
import subprocess
import sys

from peers_common import DATA, data_sets, note, numpy_step_ce, optional, table, timed


def measured(command, path, *options):
    """stepCE of a file by the command, or whatever comes first."""
    done = subprocess.run(
        [command, "measure", str(path), "--json", *options], stdout=subprocess.PIPE, text=True
    )
    if done.returncode:
        raise RuntimeError(f"exit code {done.returncode}")
    return next(iter(json.loads(done.stdout)["measures"].values()))["value"]


def csv_table(command, size, runs):
    """A file in, stepCE out."""
    pandas, polars = optional("pandas"), optional("polars")
    if not pandas and not polars:
        return "### CSV\n\nneither pandas nor polars is installed"
    rows = []
    path = DATA / "forecasts.csv"
    DATA.mkdir(parents=True, exist_ok=True)
    for name, (y, p) in data_sets(size).items():
        frame = {"y": y, "p": p}
        (
            polars.DataFrame(frame).write_csv(path)
            if polars
            else pandas.DataFrame(frame).to_csv(path, index=False)
        )

        def columns(frame):
            return numpy_step_ce(frame["y"].to_numpy(), frame["p"].to_numpy())

        def ours(jobs):
            return measured(command, path, "--only", "stepce", "--jobs", jobs)

        note(f"CSV, {name}")
        readers = [
            (polars and (lambda: columns(polars.read_csv(path)))),
            (pandas and (lambda: columns(pandas.read_csv(path, engine="c")))),
            lambda: ours("1"),
            lambda: ours("2"),
        ]
        results = [timed(work, runs) if work else (None, "not installed") for work in readers]
        own, both = results[-2][0], results[-1][0]
        cells = [f"{seconds:.2f}" if seconds else why for seconds, why in results[:-1]]
        cells += [f"{seconds / own:.1f}" if seconds and own else "-" for seconds, _ in results[:2]]
        cells.append(f"{own / both:.2f}" if own and both else "-")
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
    return f"### A CSV of {size} rows in, stepCE out, one thread\n\n" + table(head, rows)


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
