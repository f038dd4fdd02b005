"""Loads rows with `omnigraph load` and appends the same rows with Lance's own API, in turn.

Usage: append.py PROGRAM DIR NODES ROUNDS. Prints one JSON object per round: seconds of both, and our peak memory in MB.
The rows of the floor are in memory as Arrow, with the columns, types and kinds of ids that are stored: edges have 26
characters that no compression makes shorter. Ours are lines of JSON in a file; the time is that of the whole program.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import time

import lance
import pyarrow as pa

PROGRAM, DIR, NODES, ROUNDS = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
SCHEMA = "node P { k: String @key  age: I32  city: String }\nedge K: P -> P { w: I32 }\n"


def rows():
    """The file, and the same as tables."""
    chance = random.Random(1)
    keys = [f"n{at}" for at in range(NODES)]
    ages = [at % 90 for at in range(NODES)]
    cities = [f"c{at % 1000}" for at in range(NODES)]
    # Scattered, and no edge twice.
    ends = [(keys[at % NODES], keys[(at % NODES * 7919 + at // NODES * 13 + 1) % NODES]) for at in range(2 * NODES)]
    weights = [at % 10 for at in range(2 * NODES)]
    with open(f"{DIR}/rows.jsonl", "w") as file:
        for key, age, city in zip(keys, ages, cities):
            file.write(f'{{"type":"P","data":{{"k":"{key}","age":{age},"city":"{city}"}}}}\n')
        for (src, dst), weight in zip(ends, weights):
            file.write(f'{{"edge":"K","from":"{src}","to":"{dst}","data":{{"w":{weight}}}}}\n')
    number = pa.int32()
    nodes = pa.table({"id": keys, "k": keys, "age": pa.array(ages, number), "city": cities})
    ids = ["".join(chance.choices(DIGITS, k=26)) for _ in ends]
    edges = pa.table({"id": ids, "src": [src for src, _ in ends], "dst": [dst for _, dst in ends],
                      "w": pa.array(weights, number)})
    return nodes, edges


def floor(nodes, edges):
    shutil.rmtree(f"{DIR}/floor", ignore_errors=True)
    os.makedirs(f"{DIR}/floor")
    started = time.perf_counter()
    lance.write_dataset(nodes, f"{DIR}/floor/nodes")
    lance.write_dataset(edges, f"{DIR}/floor/edges")
    return time.perf_counter() - started


def ours():
    shutil.rmtree(f"{DIR}/g.omni", ignore_errors=True)
    with open(f"{DIR}/s.pg", "w") as file:
        file.write(SCHEMA)
    run = dict(check=True, cwd=DIR, stdout=subprocess.DEVNULL)
    subprocess.run([PROGRAM, "init", "--schema", "s.pg", "g.omni"], **run)
    started = time.perf_counter()
    load = [PROGRAM, "load", "--data", "rows.jsonl", "--mode", "overwrite", "g.omni"]
    child = subprocess.Popen(load, cwd=DIR, stdout=subprocess.DEVNULL)
    peak = 0
    while child.poll() is None:
        peak = max(peak, resident(child.pid))
        time.sleep(0.005)
    took = time.perf_counter() - started
    assert child.returncode == 0, child.returncode
    return took, peak


def resident(pid):
    """The most that a process has had, in MB. What waits for children counts the memory of their parent as well."""
    try:
        with open(f"/proc/{pid}/status") as status:
            lines = [line for line in status if line.startswith("VmHWM:")]
    except OSError:
        return 0
    return int(lines[0].split()[1]) // 1024 if lines else 0


os.makedirs(DIR, exist_ok=True)
nodes, edges = rows()
for _ in range(ROUNDS):
    least, (took, peak) = floor(nodes, edges), ours()
    print(json.dumps({"floor": least, "ours": took, "ratio": least / took, "peak": peak}), flush=True)
