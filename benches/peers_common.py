"""What the parts of `peers.py` share: data, plain numpy, clocks and tables."""

import importlib
import os
import pathlib
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
DATA = BUILD / "peers-data"


def note(text):
    print(text, file=sys.stderr, flush=True)


def optional(name):
    """A module, or None if it cannot be imported."""
    try:
        return importlib.import_module(name)
    except Exception as error:  # a peer may fail in any way
        note(f"{name} cannot be used: {error}")
        return None



def data_sets(size):
    """Calibrated forecasts: name -> (outcomes as bytes, predictions)."""
    import numpy as np

    def heavy_at_the_ends(part):
        thirds = 3 * part
        near = np.where(thirds < 2.5, (thirds - 2) ** 8, 1 - (3 - thirds) ** 8)
        return np.select([thirds < 1, thirds < 2], [0.0, 1.0], near)

    shapes = {
        "uniform": lambda part: part,
        "one decimal": lambda part: np.round(part, 1),
        "heavy at 0 and 1": heavy_at_the_ends,
        "single precision": lambda part: part.astype(np.float32).astype(np.float64),
    }
    sets = {}
    for seed, (name, shape) in enumerate(shapes.items()):
        random = np.random.default_rng(seed)
        predictions = shape(random.random(size))
        sets[name] = ((random.random(size) < predictions).astype(np.uint8), predictions)
    return sets


def numpy_step_ce(y, p):
    import numpy as np

    order = np.argsort(p)
    sums, sorted_p = np.cumsum(y[order] - p[order]), p[order]
    return np.abs(sums[np.append(sorted_p[1:] != sorted_p[:-1], True)]).max()


def timed(work, runs, seconds=20):
    """The median of several runs (fewer if they take long), and the result. Or (None, why not)."""
    times, result = [], None
    try:
        while len(times) < runs and (not times or sum(times) < seconds):
            start = time.perf_counter()
            result = work()
            times.append(time.perf_counter() - start)
    except Exception as error:
        return None, f"{type(error).__name__}: {error}".splitlines()[0][:60]
    return statistics.median(times), result


def table(head, rows):
    line = "|" + "---|" + "---:|" * (len(head) - 1)
    return "\n".join(
        ["| " + " | ".join(row) + " |" for row in [head]]
        + [line]
        + ["| " + " | ".join(row) + " |" for row in rows]
    )
