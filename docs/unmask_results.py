"""A run of Unmask in Python. Curves need nothing else, and are a pandas table where pandas is there; checkpoints need numpy.

    import unmask_results as unmask
    unmask.result("tiny")["arms"][0]["summary"]         # result.json
    unmask.curves("tiny")                               # a row for each arm, seed and update; "curves.csv" too
    unmask.parameters("tiny", "world-model", 0)         # {"head.weight": [in, out], ...}, of the checkpoint
"""

import csv
import json
import math
import os


def _file(place, name):
    return os.path.join(place, name) if os.path.isdir(place) else place


def result(place):
    """The result of a run: a folder, or its result.json."""
    with open(_file(place, "result.json"), encoding="utf-8") as file:
        return json.load(file)


def curves(place):
    """Columns arm, seed, update and every metric that was measured, None where it was not: of a folder, a result.json or a CSV."""
    if str(place).endswith(".csv"):
        with open(place, newline="", encoding="utf-8") as file:
            head, *rows = csv.reader(file)
        columns = {name: [row[i] for row in rows] for i, name in enumerate(head)}
    else:
        members = [(arm["id"], one["seed"], one["curve"]) for arm in result(place)["arms"] for one in arm["seeds"]]
        rows = [(arm, seed, curve, at) for arm, seed, curve in members for at in range(len(curve["successRate"]))]
        columns = {"arm": [arm for arm, *_ in rows], "seed": [seed for _, seed, *_ in rows], "update": [at for *_, at in rows]}
        for name in dict.fromkeys(name for *_, curve in members for name in curve if name != "update"):
            columns[name] = [curve[name][at] if name in curve else None for *_, curve, at in rows]
    kinds = {"arm": str, "seed": int, "update": int}
    table = {name: [None if v in ("", None) else kinds.get(name, float)(v) for v in columns[name]] for name in columns}
    table = {name: values for name, values in table.items() if name in kinds or any(v is not None for v in values)}
    try:
        import pandas
    except ImportError:
        return table
    return pandas.DataFrame(table)


def checkpoint(place):
    """Metadata and tensors of a checkpoint: a folder, or its checkpoint.safetensors. A row of a tensor is a member that trains."""
    import numpy as np

    with open(_file(place, "checkpoint.safetensors"), "rb") as file:
        data = file.read()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    texts = ("checksum", "format", "backend", "curves")
    about = {key: text if key in texts else json.loads(text) for key, text in header.pop("__metadata__").items()}
    tensors = {}
    for name, entry in header.items():
        kind = np.dtype({"F32": "<f4", "F64": "<f8"}[entry["dtype"]])
        first, end = entry["data_offsets"]
        tensors[name] = np.frombuffer(data, kind, (end - first) // kind.itemsize, start + first).reshape(entry["shape"])
    return about, tensors


def parameters(place, arm, seed, of="parameters"):
    """A member's parameters by name; of="reference", "firstMoment", "secondMoment" or "past0" likewise."""
    about, tensors = checkpoint(place)
    if "layout" not in about:
        raise ValueError("The checkpoint is from before its parameters had names: lab run --resume writes them.")
    fixed = [bool(one.get("fixedPolicy")) for one in about["experiment"]["arms"]]
    trained = [(one["arm"], one["seed"]) for one in about["members"] if not fixed[one["armIndex"]]]
    row = tensors[of][trained.index((arm, seed))]
    part = lambda start, shape: row[start : start + math.prod(shape)].reshape(shape)
    return {one["name"]: part(one["offset"], one["shape"]) for one in about["layout"]}
