# Runs one cell's code in the namespace that all cells share: awaits at the top level, shows the
# value of a last expression, and tells of an error only what happened in the cell.
import __future__
import ast
import asyncio
import inspect
import linecache
import traceback

import tau_display

# Sources kept for tracebacks through functions of earlier cells.
KEPT_SOURCES = 200
# Of one traceback: where it began and where it broke.
FIRST_FRAMES = 8
LAST_FRAMES = 24
MAX_TRACEBACK = 16000

_loop = None
_known = []


def compile_cell(source, filename):
    """Steps to run, and whether the last of them has a value to show."""
    tree = ast.parse(source, filename)
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | _future_flags(tree)
    body, last = tree.body, None
    if body and isinstance(body[-1], ast.Expr):
        body, last = body[:-1], body[-1].value
    steps = []
    if body:
        module = ast.Module(body=body, type_ignores=[])
        steps.append(compile(module, filename, "exec", flags, dont_inherit=True))
    if last is not None:
        expression = ast.Expression(body=last)
        steps.append(compile(expression, filename, "eval", flags, dont_inherit=True))
    is_shown = last is not None and not source.rstrip().endswith(";")
    return steps, is_shown


def _future_flags(tree):
    flags = 0
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            for alias in node.names:
                feature = getattr(__future__, alias.name, None)
                flags |= getattr(feature, "compiler_flag", 0)
    return flags


def remember_source(source, filename):
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    _known.append(filename)
    while len(_known) > KEPT_SOURCES:
        linecache.cache.pop(_known.pop(0), None)


def run_steps(steps, namespace):
    value = None
    for code in steps:
        value = eval(code, namespace)
        if code.co_flags & inspect.CO_COROUTINE:
            value = run_async(value)
    return value


def run_async(coroutine):
    global _loop
    if _loop is None or _loop.is_closed():
        _loop = asyncio.new_event_loop()
    asyncio.set_event_loop(_loop)
    task = _loop.create_task(coroutine)
    try:
        return _loop.run_until_complete(task)
    except KeyboardInterrupt:
        if not task.done():
            task.cancel()
            _loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
        raise


def failure(error):
    """Name, message and a traceback of the cells' own frames."""
    shown = traceback.TracebackException(type(error), error, _from_cell(error.__traceback__))
    _only_cells(shown, set())
    text = "".join(shown.format() if shown.stack else shown.format_exception_only())
    if len(text) > MAX_TRACEBACK:
        half = MAX_TRACEBACK // 2
        text = "%s\n[…]\n%s" % (text[:half], text[-half:])
    name = type(error).__name__
    message = tau_display.describe(error)
    prefix = name + ": "
    return {
        "name": name,
        "message": message[len(prefix):][:2000] if message.startswith(prefix) else "",
        "traceback": text.rstrip(),
    }


def _from_cell(trace):
    """Without the frames that led to the cell; nothing where it never got there."""
    while trace is not None and trace.tb_frame.f_code.co_filename[:5] != "<cell":
        trace = trace.tb_next
    return trace


def place_of(error):
    """Where in the cells it happened, or None."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename[:5] == "<cell"]
    return "%s, line %s" % (frames[-1].filename, frames[-1].lineno) if frames else None


def _only_cells(shown, seen):
    if shown is None or id(shown) in seen:
        return
    seen.add(id(shown))
    frames = [frame for frame in shown.stack if not _is_own(frame.filename)]
    left_out = len(frames) - FIRST_FRAMES - LAST_FRAMES
    if left_out > 0:
        gap = traceback.FrameSummary("[%d calls left out]" % left_out, 0, "…", line="")
        frames = [*frames[:FIRST_FRAMES], gap, *frames[-LAST_FRAMES:]]
    shown.stack[:] = frames
    _only_cells(shown.__cause__, seen)
    _only_cells(shown.__context__, seen)
    for one in getattr(shown, "exceptions", None) or ():
        _only_cells(one, seen)


def _is_own(filename):
    return filename.startswith("<tau_") or filename == "<string>" or filename == "<frozen runpy>"
