"""Asks the installed ai-edge-litert where it puts every tensor.

usage: litert.py FOLDER [RESIZES]

Prints one JSON object a line for each .tflite file below FOLDER, in order of names:
  file, sha256, and either error or, for both modes (`tensors` plain, `preserve_all`), a list of
  [index, bytes, address]; tensors of other subgraphs than the main one follow as [[subgraph, index], bytes, address].
An address counts from that of the first tensor that has one; "f" stands for a place in the model file; null for what the
interpreter does not tell (no data, scalars, handles). RESIZES is a JSON file: {file: [{tensor: dims}, ...]}; then `resized`
holds for each entry what the plain mode gives with these dims.

Builtin resolver without default delegates, one thread, a fresh allocate_tensors in a process of its own.
"""
import hashlib
import json
import os
import sys

import numpy
from ai_edge_litert import interpreter as litert


def allocated(path, preserve_all, resize=None):
    interpreter = litert.Interpreter(
        model_path=path,
        num_threads=1,
        experimental_op_resolver_type=litert.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
        experimental_preserve_all_tensors=preserve_all,
    )
    for tensor, dims in (resize or {}).items():
        interpreter.resize_tensor_input(int(tensor), dims)
    interpreter.allocate_tensors()
    return interpreter


def mappings(path):
    real = os.path.realpath(path)
    found = []
    with open("/proc/self/maps") as maps:
        for line in maps:
            if line.rstrip().endswith(real):
                start, end = line.split()[0].split("-")
                found.append((int(start, 16), int(end, 16)))
    return found


def rows_of(interpreter, subgraph, in_file):
    wrapper = interpreter._interpreter
    rows = []
    for index in range(wrapper.NumTensors(subgraph)):
        key = index if subgraph == 0 else [subgraph, index]
        try:
            details = interpreter._get_tensor_details(index, subgraph)
        except ValueError:
            continue  # A kernel's tensor that has no type: it was added and is not used.
        if details["dtype"] in (numpy.object_, numpy.bytes_):
            rows.append([key, None, None])  # Looking at handles through numpy can end the process.
            continue
        try:
            array = wrapper.tensor(wrapper, index, subgraph)
        except (ValueError, RuntimeError, TypeError):
            rows.append([key, None, None])
            continue
        if getattr(array, "ndim", 0) == 0:
            rows.append([key, getattr(array, "nbytes", None), None])
            continue
        address = array.__array_interface__["data"][0]
        held = any(start <= address < end for start, end in in_file)
        rows.append([key, array.nbytes, "f" if held else address])
    return rows


def tensors(path, preserve_all, resize=None):
    interpreter = allocated(path, preserve_all, resize)
    in_file = mappings(path)
    rows = rows_of(interpreter, 0, in_file)
    for subgraph in range(1, interpreter._interpreter.NumSubgraphs()):
        # Subgraphs that nothing has allocated yet can end the process: ask in a copy of it.
        rows += in_child(lambda: rows_of(interpreter, subgraph, in_file)) or []
    base = next((row[2] for row in rows if isinstance(row[2], int)), 0)
    return [[key, size, at - base if isinstance(at, int) else at] for key, size, at in rows]


def facts(path, resizes):
    try:
        answer = {"tensors": tensors(path, False), "preserve_all": tensors(path, True)}
        if resizes:
            answer["resized"] = []
            for resize in resizes:
                try:
                    answer["resized"].append({"resize": resize, "tensors": tensors(path, False, resize)})
                except (ValueError, RuntimeError) as error:
                    answer["resized"].append({"resize": resize, "error": str(error)})
        return answer
    except (ValueError, RuntimeError) as error:
        return {"error": str(error)}


def in_child(work):
    """What `work` gives, from a process of its own; None when that process ends early."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with os.fdopen(writer, "w") as out:
            json.dump(work(), out)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else None


def main():
    folder = sys.argv[1]
    resizes = json.load(open(sys.argv[2])) if len(sys.argv) > 2 else {}
    files = []
    for parent, _, names in os.walk(folder):
        files += [os.path.join(parent, name) for name in names if name.endswith((".tflite", ".lite"))]
    for path in sorted(files):
        name = os.path.relpath(path, folder)
        with open(path, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        answer = in_child(lambda: facts(path, resizes.get(name))) or {"error": "the process ended early"}
        print(json.dumps({"file": name, "sha256": digest, **answer}, separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
