"""
Line protocol of the comparisons: one JSON object a line. The first line in is the problem; the first line out says what computes
here. Every later line in asks for one step, and is answered by what the step returned, with its times in seconds.
"""

import base64
import ctypes
import json
import os
import re
import sys
import time

try:
    import numpy as np
    import torch
except ImportError as error:
    print(json.dumps({"missing": str(error)}), flush=True)
    sys.exit(0)

PRODUCT = 1024
"""Rows, columns and inner length of the product whose rate is this side's ceiling."""


def timed(run):
    """Result of run(), and its wall and processor time, seconds."""
    wall, processor = time.perf_counter(), time.process_time()
    result = run()
    return result, {"wall": time.perf_counter() - wall, "processor": time.process_time() - processor}


def product_rate():
    """Highest rate of a few products, flops per second of processor time."""
    a, b = torch.randn(PRODUCT, PRODUCT), torch.randn(PRODUCT, PRODUCT)
    best = min(timed(lambda: torch.mm(a, b))[1]["processor"] for _ in range(5))
    return 2 * PRODUCT**3 / best


def libraries():
    """Libraries that multiply matrices here, OpenBLAS with the processor it takes this one for; empty where Linux does not tell."""
    try:
        with open("/proc/self/maps") as maps:
            paths = {line.split()[-1] for line in maps if re.search(r"/[^/]*(blas|mkl_rt|mkl_core)[^/]*\.so", line)}
    except OSError:
        return []
    return sorted(os.path.basename(path) + core_of(path) for path in paths)


def core_of(path):
    name = getattr(ctypes.CDLL(path), "openblas_get_corename", None)
    if name is None or "openblas" not in os.path.basename(path):
        return ""
    name.restype = ctypes.c_char_p
    return f" for {name().decode()}"


def decode(array):
    return np.frombuffer(base64.b64decode(array["base64"]), dtype=array["type"])


def encode(array):
    return {"type": str(array.dtype), "base64": base64.b64encode(array.tobytes()).decode()}


def serve(prepare):
    """Answers lines until stdin ends. prepare(problem, arrays) → step(request) → dict."""
    torch.set_num_threads(1)
    problem = json.loads(sys.stdin.readline())
    step = prepare(problem, {name: decode(array) for name, array in problem["arrays"].items()})
    hello = {"torch": torch.__version__, "blas": libraries(), "product": product_rate()}
    print(json.dumps(hello), flush=True)
    for line in sys.stdin:
        answer, times = timed(lambda: step(json.loads(line)))
        print(json.dumps({**answer, **times}), flush=True)
