"""A run of Unmask in Python, with numpy alone; curves are a pandas table where pandas is there.

    import unmask_results as unmask
    unmask.result("tiny")["arms"][0]["summary"]         # result.json
    unmask.curves("tiny")                               # a row for each arm, seed and update; "curves.csv" too
    unmask.parameters("tiny", "world-model", 0)         # {"head.weight": [in, out], ...}, of the checkpoint
"""

import csv
import json
import os
import struct

import numpy as np


def _file(place, name):
    return os.path.join(place, name) if os.path.isdir(place) else place


def result(place):
    """The result of a run: a folder, or its result.json."""
    with open(_file(place, "result.json"), encoding="utf-8") as file:
        return json.load(file)


def curves(place):
    """Columns arm, seed, update and every metric that was measured, NaN where it was not: of a folder, a result.json or a CSV."""
    if str(place).endswith(".csv"):
        with open(place, newline="", encoding="utf-8") as file:
            head, *rows = csv.reader(file)
    else:
        members = [(arm["id"], one["seed"], one["curve"]) for arm in result(place)["arms"] for one in arm["seeds"]]
        head = ["arm", "seed", *dict.fromkeys(name for *_, curve in members for name in curve)]
        rows = [
            [arm, seed, *((curve[name][update] if name in curve else None) for name in head[2:])]
            for arm, seed, curve in members
            for update in range(len(curve["update"]))
        ]
    columns = dict(zip(head, zip(*rows))) if rows else {name: () for name in head}
    numbers = {name: np.array([float("nan") if v in ("", None) else v for v in columns[name]], float) for name in head[1:]}
    measured = {name: values for name, values in numbers.items() if name == "update" or not np.isnan(values).all()}
    whole = {name: measured.pop(name).astype(int) for name in ("seed", "update") if name in measured}
    table = {"arm": np.array(columns["arm"], str), **whole, **measured}
    try:
        import pandas
    except ImportError:
        return table
    return pandas.DataFrame(table)


def checkpoint(place):
    """Metadata and tensors of a checkpoint: a folder, or its checkpoint.safetensors. A row of a tensor is a member that trains."""
    with open(_file(place, "checkpoint.safetensors"), "rb") as file:
        data = file.read()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    texts = ("checksum", "format", "backend", "curves")
    about = {key: text if key in texts else json.loads(text) for key, text in header.pop("__metadata__").items()}
    tensors = {}
    for name, entry in header.items():
        start, end = entry["data_offsets"]
        kind = np.dtype({"F32": "<f4", "F64": "<f8"}[entry["dtype"]])
        values = np.frombuffer(data, kind, (end - start) // kind.itemsize, 8 + length + start)
        tensors[name] = values.reshape(entry["shape"])
    return about, tensors


def parameters(place, arm, seed, of="parameters"):
    """A member's parameters by name; of="reference", "firstMoment", "secondMoment" or "past0" likewise."""
    about, tensors = checkpoint(place)
    if "layout" not in about:
        raise ValueError("The checkpoint is from before its parameters had names: lab run --resume writes them.")
    fixed = [bool(one.get("fixedPolicy")) for one in about["experiment"]["arms"]]
    trained = [(one["arm"], one["seed"]) for one in about["members"] if not fixed[one["armIndex"]]]
    row = tensors[of][trained.index((arm, seed))]
    sizes = [int(np.prod(one["shape"])) for one in about["layout"]]
    return {
        one["name"]: row[one["offset"] : one["offset"] + size].reshape(one["shape"])
        for one, size in zip(about["layout"], sizes)
    }
