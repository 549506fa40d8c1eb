"""Runs models and their rewritten forms in the real runtimes and compares.

Reads jobs from standard input, one JSON object a line:
    {"original": path, "written": path}
and answers each with one line:
    {"original": ..., "tflm": {"heads": [old, new], "equal": bool} | {"error": text},
     "tflite": {"equal": bool} | {"error": text}}
"unstable" is added where outputs differ because the original reads bytes that are not its own.
An error is what the runtime says to the original model; the written one must do what the original does.
Each job runs in a process of its own, so a crash of a runtime is an error of that job only.
"""

import json
import os
import re
import sys
import tempfile

import numpy as np
from ai_edge_litert import interpreter as litert
from tflite_micro.python.tflite_micro import runtime as tflm

RUNS = 3
ARENA_BYTES = 96 * 1024 * 1024


def inputs(details, seed):
    """The same numbers for the same seed: any bytes for narrow integers, small ones where they may be indices."""
    rng = np.random.default_rng(seed)
    values = []
    for shape, dtype in details:
        if dtype == np.bool_:
            values.append(rng.integers(0, 2, shape).astype(dtype))
        elif np.issubdtype(dtype, np.floating):
            values.append(rng.uniform(-1, 1, shape).astype(dtype))
        elif np.dtype(dtype).itemsize <= 2:
            limits = np.iinfo(dtype)
            values.append(rng.integers(limits.min, limits.max + 1, shape).astype(dtype))
        else:
            values.append(rng.integers(0, 2, shape).astype(dtype))
    return values


def captured(function):
    """What `function` makes the C library print."""
    sys.stdout.flush()
    sys.stderr.flush()
    with tempfile.TemporaryFile() as file:
        old = [os.dup(1), os.dup(2)]
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        try:
            function()
        finally:
            os.dup2(old[0], 1)
            os.dup2(old[1], 2)
        file.seek(0)
        return file.read().decode(errors="replace")


def run_tflm(path, config=tflm.InterpreterConfig.kAllocationRecording):
    """Head bytes (where they are recorded), and the outputs of all runs."""
    interpreter = tflm.Interpreter.from_file(path, arena_size=ARENA_BYTES, intrepreter_config=config)
    head = None
    if config == tflm.InterpreterConfig.kAllocationRecording:
        text = captured(interpreter.print_allocations)
        head = int(re.search(r"Arena allocation head (\d+) bytes", text).group(1))
    details = list(each_tflm(interpreter.get_input_details))
    count = len(list(each_tflm(interpreter.get_output_details)))
    outputs = []
    for run in range(RUNS):
        values = inputs([(d["shape"], d["dtype"]) for d in details], run)
        for index, value in enumerate(values):
            interpreter.set_input(value, index)
        interpreter.invoke()
        outputs += [interpreter.get_output(index).tobytes() for index in range(count)]
    return head, outputs


def each_tflm(getter):
    index = 0
    while True:
        try:
            yield getter(index)
        except Exception:  # the wheel raises its own kind behind the last index
            return
        index += 1


def run_tflite(path):
    """The outputs of all runs."""
    interpreter = litert.Interpreter(
        model_path=path,
        num_threads=1,
        experimental_op_resolver_type=litert.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
    )
    interpreter.allocate_tensors()
    details = interpreter.get_input_details()
    outputs = []
    for run in range(RUNS):
        values = inputs([(d["shape"], d["dtype"]) for d in details], run)
        for detail, value in zip(details, values):
            interpreter.set_tensor(detail["index"], value)
        interpreter.invoke()
        outputs += [interpreter.get_tensor(d["index"]).tobytes() for d in interpreter.get_output_details()]
    return outputs


def compare_tflm(job):
    try:
        old_head, old = run_tflm(job["original"])
    except Exception as error:
        return {"error": str(error)}
    new_head, new = run_tflm(job["written"])
    result = {"heads": [old_head, new_head], "equal": old == new}
    if not result["equal"]:
        # A kernel that reads behind its tensors gives what happens to lie there: then the original itself gives other
        # results with another placement.
        apart_result = run_tflm(job["original"], tflm.InterpreterConfig.kPreserveAllTensors)
        result["unstable"] = apart_result[1] != old
    return result


def compare_tflite(job):
    try:
        old = run_tflite(job["original"])
    except Exception as error:
        return {"error": str(error)}
    return {"equal": old == run_tflite(job["written"])}


def apart(function, job):
    """`function(job)`, computed in a child process."""
    with tempfile.TemporaryFile(mode="w+") as file:
        child = os.fork()
        if child == 0:
            try:
                result = function(job)
            except BaseException as error:
                result = {"failed": f"{type(error).__name__}: {error}"}
            file.write(json.dumps(result))
            file.flush()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        file.seek(0)
        text = file.read()
    return json.loads(text) if text else {"crashed": os.waitstatus_to_exitcode(status)}


def main():
    for line in sys.stdin:
        job = json.loads(line)
        result = {"original": job["original"], "written": job["written"]}
        for name, function in [("tflm", compare_tflm), ("tflite", compare_tflite)]:
            result[name] = apart(function, job) if name in job["runtimes"] else None
        print(json.dumps(result), flush=True)


main()
