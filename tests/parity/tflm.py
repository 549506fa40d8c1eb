"""Asks the installed tflite-micro wheel what each model takes of its arena.

usage: tflm.py FOLDER

Prints one JSON object a line for each .tflite file below FOLDER, in order of names: file, sha256, and either error or
  head, tail   what the wheel's recording allocator prints in a large arena,
  minimum      the smallest multiple of 16 bytes with which the interpreter is made,
  kinds        the recorder's kinds of allocations: {name: bytes asked for}.

The wheel is a 64-bit build of the reference kernels with support for compression. Each try runs in a process of its own:
an arena that is much too small ends it.
"""
import hashlib
import json
import os
import re
import sys

# The wheel's runtime module must be imported before forking, or each try would pay for it.
from tflite_micro.python.tflite_micro import runtime

LARGE = 256 << 20


def attempt(path, arena_bytes):
    """What an interpreter with such an arena prints, or None with what it printed when there is none."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(writer, 1)
        os.dup2(writer, 2)
        try:
            runtime.Interpreter.from_file(path, arena_size=arena_bytes).print_allocations()
            os._exit(0)
        except BaseException as error:  # The process ends here whatever it is.
            os.write(2, str(error).encode())
            os._exit(1)
    os.close(writer)
    text = b""
    while chunk := os.read(reader, 65536):
        text += chunk
    os.close(reader)
    _, status = os.waitpid(child, 0)
    text = text.decode(errors="replace")
    return (text, None) if status == 0 else (None, text or f"ended with status {status}")


def smallest(path, upper):
    """The smallest multiple of 16 that works, by halving; `upper` works."""
    low, high = 0, upper // 16
    while high - low > 1:
        middle = (low + high) // 2
        works = attempt(path, middle * 16)[0] is not None
        low, high = (low, middle) if works else (middle, high)
    return high * 16


def facts(path):
    with open(path, "rb") as file:
        data = file.read()
    text, error = attempt(path, LARGE)
    answer = {"file": None, "sha256": hashlib.sha256(data).hexdigest()}
    if text is None:
        return answer | {"error": " ".join(error.split())[:200]}
    figure = lambda word: int(re.search(f"allocation {word} (\\d+) bytes", text).group(1))
    head, tail = figure("head"), figure("tail")
    kinds = dict(re.findall(r"'([^']+)' used \d+ bytes with alignment overhead \(requested (\d+) bytes", text))
    # The tables while planning can need more than everything at the end: 40 bytes and more for each tensor.
    upper = (head + 4 * tail + 65536 + 15) // 16 * 16
    return answer | {
        "head": head,
        "tail": tail,
        "minimum": smallest(path, upper),
        "kinds": {name: int(bytes_) for name, bytes_ in kinds.items()},
    }


def main(folder):
    paths = []
    for root, _, names in os.walk(folder):
        paths += [os.path.join(root, name) for name in names if name.endswith(".tflite")]
    for path in sorted(paths):
        answer = facts(path)
        answer["file"] = os.path.relpath(path, folder).replace(os.sep, "/")
        print(json.dumps(answer, separators=(",", ":")), flush=True)


main(sys.argv[1])
