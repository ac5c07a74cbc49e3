#!/usr/bin/env python3
"""truecal beside its peers: the same arrays, the same machine, one thread, one run.

    python3 benches/peers.py                                        10^6 rounds, a few minutes
    python3 benches/peers.py --size 1e7 --write benches/README.md   the tables of that file, anew

Prints Markdown: times as ratios to three lines of numpy, and the values, all as totals over the
rounds. Makes its own virtual environment in the build folder (target/peers-venv) and installs the
versions below from the package index; what cannot be installed is shown as such. Needs Python 3.11
or newer with venv, and cargo.
"""

import argparse
import datetime
import importlib
import importlib.metadata
import json
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys

from peers_common import BUILD, DATA, ROOT, data_sets, note, numpy_step_ce, optional, table, timed
from peers_files import csv_table, null_table, whole_table

VENV = BUILD / "peers-venv"

# Name, version, further arguments to pip. MCGrad asks for torch with CUDA, gigabytes of it, which
# its metrics do not use: without dependencies it needs psutil only.
PACKAGES = [
    ("numpy", "2.4.6", []),
    ("scipy", "1.17.1", []),
    ("pandas", "3.1.1", []),
    ("polars", "2.1.0", []),
    ("pyarrow", "26.0.1", []),
    ("mapie", "1.6.0", []),
    ("probcal", "0.4.0", []),
    ("relplot", "1.0.3", []),
    ("psutil", "7.2.2", []),
    ("mcgrad", "0.1.5", ["--no-deps"]),
]
ONE_THREAD = {
    name: "1"
    for name in [
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "NUMEXPR_NUM_THREADS",
        "POLARS_MAX_THREADS",
        "RAYON_NUM_THREADS",
        "ARROW_NUM_THREADS",
    ]
}


def main():
    arguments = parse()
    if sys.version_info < (3, 11):
        sys.exit(f"error: this is Python {platform.python_version()}; 3.11 or newer is needed")
    if shutil.which("cargo") is None:
        sys.exit("error: cargo is not on the path; install a stable Rust toolchain")
    if arguments.inside:
        print_and_write(arguments)
        return
    python = environment()
    command = [str(python), str(pathlib.Path(__file__).resolve()), "--inside", *sys.argv[1:]]
    sys.exit(subprocess.run(command, env={**os.environ, **ONE_THREAD}).returncode)


def parse():
    def count(text):
        number = float(text)
        if not 1000 <= number <= 1e9 or number != int(number):
            raise argparse.ArgumentTypeError("a whole number from 1000 to 1e9, such as 1e6")
        return int(number)

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=count, default=10**6, help="rounds in each data set [1e6]")
    parser.add_argument(
        "--runs", type=int, default=5, help="runs of each, of which the median counts [5]"
    )
    parser.add_argument(
        "--write", metavar="FILE", help="put the tables between the markers in this file"
    )
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def environment():
    """The interpreter of the virtual environment, which is made if need be."""
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = VENV / "installed.json"
    wanted = [[name, version] for name, version, _ in PACKAGES]
    if stamp.exists() and json.loads(stamp.read_text())["wanted"] == wanted:
        return python
    note(f"making {VENV}")
    made = subprocess.run(
        [sys.executable, "-m", "venv", "--clear", str(VENV)], capture_output=True, text=True
    )
    if made.returncode:
        said = f"{made.stdout}{made.stderr}"
        sys.exit(f"error: python -m venv failed; is the venv module installed?\n{said}")
    failed = {}
    for name, version, extra in PACKAGES:
        note(f"installing {name} {version}")
        pip = [
            str(python),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            *extra,
            f"{name}=={version}",
        ]
        done = subprocess.run(pip, capture_output=True, text=True)
        if done.returncode:
            failed[name] = (done.stderr.strip().splitlines() or ["pip failed"])[-1]
            note(f"  not installed: {failed[name]}")
    if "numpy" in failed:
        sys.exit("error: numpy, the baseline, could not be installed; is there a package index?")
    if not failed:  # otherwise the next run tries again
        stamp.write_text(json.dumps({"wanted": wanted}))
    return python


def half_right():
    """1/2 predicted and right half of the time, in three orders of the rows, and a single round."""
    import numpy as np

    half = np.full(10_000, 0.5)
    first = np.repeat(np.array([1, 0], np.uint8), 5_000)
    return {
        "1/2, ones first": (first, half),
        "1/2, alternating": (np.tile(np.array([1, 0], np.uint8), 5_000), half),
        "1/2, shuffled": (np.random.default_rng(0).permutation(first), half),
        "one round": (np.ones(1, np.uint8), half[:1]),
    }


# The peers: functions of outcomes and predictions -------------------------------------------------


def gupta_style_ks(y, p):
    """Two cumulative sums, read at every row."""
    import numpy as np

    order = np.argsort(p, kind="stable")
    return np.abs(np.cumsum(p[order]) / len(p) - np.cumsum(y[order]) / len(p)).max()


def peers():
    """(measure, name, function or None, what makes its result a total): those to be compared,
    then those of other quantities."""
    mapie, probcal = optional("mapie.metrics.calibration"), optional("probcal.metrics")
    mcgrad, relplot = optional("mcgrad.metrics"), optional("relplot")

    def mean(p):
        return len(p)

    def standardised(p):
        return mapie.length_scale(p) * len(p)

    return [
        ("stepCE", "numpy, three lines", numpy_step_ce, lambda p: 1),
        ("stepCE", "two sums at every row (as Gupta et al.)", gupta_style_ks, mean),
        (
            "stepCE",
            "MAPIE `kolmogorov_smirnov_statistic`",
            mapie and mapie.kolmogorov_smirnov_statistic,
            standardised,
        ),
        (
            "stepCE",
            "probcal `ecce`, maximum",
            probcal and (lambda y, p: probcal.ecce(y, p).stat_max),
            mean,
        ),
        ("intervalCE", "MAPIE `kuiper_statistic`", mapie and mapie.kuiper_statistic, standardised),
        ("intervalCE", "MCGrad `ecce`", mcgrad and mcgrad.ecce, mean),
        (
            "smECE (another quantity)",
            "relplot `smECE`",
            relplot and (lambda y, p: relplot.smECE(p, y)),
            mean,
        ),
    ]


def run_peer(peer, y, p, runs):
    """The median time of the peer itself, and its result as a total; or (None, why not)."""
    *_, work, total = peer
    if not work:
        return None, "not installed"
    seconds, result = timed(lambda: work(y, p), runs)
    return (seconds, float(result) * total(p)) if seconds is not None else (None, result)


def linear_programme(y, p):
    """smCE: values of f at the levels, differences of neighbours at most their distance."""
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import diags, vstack

    levels, place = np.unique(p, return_inverse=True)
    bias = np.bincount(place, weights=y - p)
    m = len(levels)
    differences = diags([-np.ones(m - 1), np.ones(m - 1)], [0, 1], shape=(m - 1, m))
    gaps = np.diff(levels)
    solved = linprog(
        -bias,
        A_ub=vstack([differences, -differences]),
        b_ub=np.concatenate([gaps, gaps]),
        bounds=(-1, 1),
        method="highs",
    )
    return -solved.fun


# Running ------------------------------------------------------------------------------------------


def built(name, *command):
    """The executable of this name that cargo builds."""
    note(f"cargo {' '.join(command)}")
    done = subprocess.run(
        ["cargo", *command, "--message-format=json"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    if done.returncode:
        sys.exit(f"error: cargo {' '.join(command)} failed")
    messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return next(
        message["executable"]
        for message in messages
        if message.get("executable") and message["target"]["name"] == name
    )


def truecal(bench, y, p, runs, only=None):
    """What benches/float.rs says of these arrays."""
    DATA.mkdir(parents=True, exist_ok=True)
    files = DATA / "predictions.f64", DATA / "outcomes.u8"
    p.astype("<f8").tofile(files[0])
    y.astype("u1").tofile(files[1])
    command = [bench, "--files", *map(str, files), "--runs", str(runs)] + (
        ["--only", only] if only else []
    )
    # All threads means all: the environment of the peers has one.
    threads = {name: value for name, value in os.environ.items() if name != "RAYON_NUM_THREADS"}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=threads)
    for path in files:
        path.unlink()
    if done.returncode:
        sys.exit("error: the bench `float` failed")
    return json.loads(done.stdout)


def median(entry):
    return statistics.median(entry["seconds"])


# Tables -------------------------------------------------------------------------------------------


def ratio(seconds, baseline):
    return f"{seconds / baseline:.3f}" if seconds < 0.1 * baseline else f"{seconds / baseline:.2f}"


def arrays_tables(bench, size, runs):
    """Times and values on the same arrays."""
    sets, found, ours = data_sets(size), {}, {}
    every = peers()
    for name, (y, p) in sets.items():
        note(f"{name}: truecal")
        ours[name] = truecal(
            bench, y, p, runs, "stepce,signce,intervalce,ece,vcal,ucal"
        )  # smCE has its own table
        for peer in every:
            note(f"{name}: {peer[1]}")
            found[peer[1], name] = run_peer(peer, y, p, runs)
    baseline = {name: found[every[0][1], name][0] for name in sets}

    def cell(peer, name):
        seconds, result = found[peer, name]
        return ratio(seconds, baseline[name]) if seconds else result

    keys = [
        ("stepce", "stepCE"),
        ("signce", "signCE"),
        ("intervalce", "intervalCE"),
        ("ece", "ECE"),
        ("vcal", "VCal"),
        ("ucal", "UCal"),
    ]
    times = [
        [
            f"`truecal::float` {title}",
            *(ratio(median(ours[name]["one thread"][key]), baseline[name]) for name in sets),
        ]
        for key, title in keys
    ]
    times += [
        [
            f"`truecal::float` {title}, all threads",
            *(ratio(median(ours[name]["all threads"][key]), baseline[name]) for name in sets),
        ]
        for key, title in keys
    ]
    times += [
        [f"{measure}: {peer}", *(cell(peer, name) for name in sets)] for measure, peer, *_ in every
    ]
    times += [
        [
            "Rust `sort_unstable` of the keys",
            *(
                ratio(median(ours[name]["one thread"]["sort_unstable"]), baseline[name])
                for name in sets
            ),
        ]
    ]
    times += [["seconds of numpy", *(f"{baseline[name]:.3f}" for name in sets)]]

    def mebibytes(name):
        memory = ours[name]["memory"]
        return "unknown" if memory is None else f"{memory / 2**20:.1f}"

    times += [["MiB of `truecal::float` stepCE beyond the arrays", *map(mebibytes, sets)]]

    # Where rows are tied the order decides for some; so these are shown too, though they are small.
    for name, (y, p) in half_right().items():
        sets[name] = (y, p)
        ours[name] = truecal(bench, y, p, 1, "stepce,intervalce")
        for peer in every:
            found[peer[1], name] = run_peer(peer, y, p, 1)

    def value(peer, name):
        seconds, result = found[peer, name]
        return f"{result:.6f}" if seconds is not None else result

    values = []
    for measure, key in [
        ("stepCE", "stepce"),
        ("intervalCE", "intervalce"),
        ("smECE (another quantity)", None),
    ]:
        if key:
            values.append(
                [
                    f"**{measure}: `truecal::float`**",
                    *(f"**{ours[name]['one thread'][key]['value']:.6f}**" for name in sets),
                ]
            )
        values += [
            [f"{kind}: {peer}", *(value(peer, name) for name in sets)]
            for kind, peer, *_ in every
            if kind == measure
        ]
    uniform, plain = ours["uniform"]["one thread"], baseline["uniform"]
    step = median(uniform["stepce"])
    mapie = found[every[2][1], "uniform"][0]
    summary = [f"numpy / stepCE of `truecal::float` = {plain / step:.1f}"]
    summary += [f"MAPIE / stepCE of `truecal::float` = {mapie / step:.1f}"] if mapie else []
    summary += [
        f"{title} / stepCE = {median(uniform[key]) / step:.2f}"
        for key, title in keys
        if key in ("vcal", "ucal")
    ]
    summary += [
        f"ECE / `sort_unstable` = {median(uniform['ece']) / median(uniform['sort_unstable']):.2f}"
    ]
    head = [*data_sets(1000)]
    return (
        f"### Times: {size} rounds, one thread, over that of the numpy version\n\n"
        + table(["what", *head], times)
        + "\n\nUniform: "
        + "; ".join(summary)
        + ".\n\n"
        + "### Values: totals over the rounds\n\n"
        + table(["what", *sets], values)
    )


def smooth_table(bench, runs):
    """smCE by a linear programme, where that is possible, and by truecal."""
    import numpy as np

    scipy, rows = optional("scipy.optimize"), []
    for size in [500, 1000, 2000, 4000, 10**5, 10**6]:
        random = np.random.default_rng(size)
        p = random.random(size)
        y = (random.random(size) < p).astype(np.uint8)
        note(f"smCE: {size}")
        answer = truecal(bench, y, p, runs, "smce")
        ours = answer["one thread"]["smce"]
        if not scipy:
            seconds, value = None, "not installed"
        elif size > 4000:
            seconds, value = None, "not run"
        else:
            seconds, value = timed(lambda: linear_programme(y, p), runs)
        rows.append(
            [
                str(size),
                f"{seconds / median(ours):.0f}" if seconds else "-",
                f"{value:.12g}" if seconds else value,
                f"{ours['value']:.12g}",
                f"{median(ours):.4f}",
            ]
        )
    head = [
        "distinct predictions",
        "HiGHS / `truecal::float`: time",
        "HiGHS: value",
        "`truecal::float`: value",
        "`truecal::float`: seconds",
    ]
    return "### smCE by scipy's HiGHS, as a linear programme\n\n" + table(head, rows)


def about():
    versions = []
    for name, version, _ in PACKAGES:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"{name} (not installed)")
    model = platform.machine()
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    if cpuinfo.exists() and (found := re.search(r"model name\s*:\s*(.+)", cpuinfo.read_text())):
        model += ", " + found[1]
    load = f", load {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    rust = subprocess.run(["rustc", "--version"], capture_output=True, text=True).stdout.split()
    rust = f"rustc {rust[1]}" if len(rust) > 1 else "rustc (version unknown)"
    return (
        f"{datetime.date.today()}, {os.cpu_count()} cores ({model}){load}, {platform.system()}, "
        f"Python {platform.python_version()}, {rust}; "
        + ", ".join(versions)
        + ". Medians; ratios are within one run."
    )


def print_and_write(arguments):
    bench = built("float", "bench", "--bench", "float", "--no-run")
    command = built("truecal", "build", "--release", "--bin", "truecal")
    parts = [
        about(),
        arrays_tables(bench, arguments.size, arguments.runs),
        smooth_table(bench, min(arguments.runs, 3)),
        csv_table(command, arguments.size, 2 * arguments.runs - 1),
        whole_table(command, arguments.size, min(arguments.runs, 3)),
        null_table(command, min(arguments.runs, 3)),
    ]
    blocks = {"peers": "\n\n".join(parts)}
    print(blocks["peers"])
    if arguments.write:
        for name in ["naive", "float", "measures", "null", "growth"]:
            note(f"the bench `{name}`")
            executable = built(name, "bench", "--bench", name, "--no-run")
            # smCE of so many rounds takes longer than all else.
            plain = "stepce,signce,intervalce,ece,vcal,ucal"
            options = ["--size", str(int(arguments.size)), "--only", plain]
            command = [executable, *(options if name == "float" else [])]
            blocks[name] = subprocess.run(
                [executable, *(options if name == "float" else [])],
                stdout=subprocess.PIPE,
                text=True,
                check=True,
                env={name: value for name, value in os.environ.items() if name not in ONE_THREAD},
            ).stdout.strip()
        write(pathlib.Path(arguments.write), blocks)


def write(path, blocks):
    """Replaces what stands between the markers."""
    text = path.read_text()
    for name, block in blocks.items():
        pattern = re.compile(rf"(<!-- {name}: begin -->\n).*?(\n<!-- {name}: end -->)", re.DOTALL)
        text, count = pattern.subn(lambda match: match[1] + block + match[2], text)
        if count != 1:
            found = f"{path} has {count} pairs of markers for {name}, not one"
            sys.exit(f"error: {found}; the tables are printed above")
    path.write_text(text)
    note(f"{path} has the new tables")


if __name__ == "__main__":
    main()
