# `%name`, `%%name` and `!command` in cells: rewritten to plain calls, line for line, so that the
# numbers in tracebacks stay true.
import ast
import contextlib
import importlib
import importlib.metadata
import io
import os
import re
import runpy
import shlex
import subprocess
import sys
import time
import timeit

import tau_prelude

_LINE = re.compile(r"^(\s*)((?:[A-Za-z_][\w.\[\]\"', ]*?\s*=(?!=)\s*)?)([%!])(?=[^\s=])(.*)$", re.DOTALL)
_CELL = re.compile(r"^%%(\w+)[ \t]*(.*)$")

_namespace = None
_channel = None
_original = frozenset()


def install(namespace, channel):
    global _namespace, _channel, _original
    _namespace, _channel = namespace, channel
    namespace["__tau_magic__"] = line_magic
    namespace["__tau_cell__"] = cell_magic
    namespace["__tau_shell__"] = shell
    _original = frozenset(namespace)


def transform(source):
    """Plain Python; what has no magics is given back as it is."""
    stripped = source.lstrip("\n\r\t ")
    if stripped.startswith("%%"):
        head, _, body = stripped.partition("\n")
        found = _CELL.match(head)
        if found:
            return "__tau_cell__(%r, %r, %r)" % (found[1], found[2].strip(), body)
    if ("%" not in source and "!" not in source) or _is_python(source):
        return source
    return "".join(_rewrite(line) for line in logical_lines(source))


def _is_python(source):
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return True


def _rewrite(line):
    found = _LINE.match(line)
    if not found:
        return line
    indent, target, sign, rest = found.groups()
    text = rest.rstrip("\r\n")
    # A command over several lines keeps their number.
    breaks = rest.count("\n")
    text = re.sub(r"\\\r?\n", " ", text)
    if sign == "!":
        call = "__tau_shell__(%r, %r)" % (text.strip(), bool(target.strip()))
    else:
        name, _, args = text.partition(" ")
        call = "__tau_magic__(%r, %r)" % (name, args.strip())
    return indent + target + call + "\n" * breaks


def logical_lines(source):
    """Pieces that begin where a statement may begin: not in a string, not in brackets."""
    pieces = source.splitlines(keepends=True)
    at = 0
    while at < len(pieces):
        whole = pieces[at]
        at += 1
        if _LINE.match(whole):
            while whole.rstrip("\r\n").endswith("\\") and at < len(pieces):
                whole += pieces[at]
                at += 1
        else:
            state = _scan(whole, None)
            while state is not None and at < len(pieces):
                state = _scan(pieces[at], state)
                whole += pieces[at]
                at += 1
        yield whole


def _scan(line, state):
    """What is open at the end of the line: (quote, depth), or None."""
    quote, depth = state or (None, 0)
    at = 0
    text = line.rstrip("\r\n")
    while at < len(text):
        here = text[at]
        if quote is not None:
            if here == "\\":
                at += 1
            elif text.startswith(quote, at):
                at += len(quote) - 1
                quote = None
        elif here == "#":
            break
        elif here in "\"'":
            quote = here * 3 if text.startswith(here * 3, at) else here
            at += len(quote) - 1
        elif here in "([{":
            depth += 1
        elif here in ")]}":
            depth = max(0, depth - 1)
        elif here == "\\" and at == len(text) - 1:
            return (None, depth)
        at += 1
    if quote is not None and len(quote) == 1:
        # A string of one line ends with it, unless the line goes on.
        quote = quote if text.endswith("\\") else None
    return (quote, depth) if quote is not None or depth > 0 else None


class Lines(list):
    """What a command printed, by lines; `.s` is one text, `.n` has line ends, `.code` how it ended."""

    code = 0

    @property
    def s(self):
        return " ".join(self)

    @property
    def n(self):
        return "\n".join(self)


def shell(command, captures):
    if captures:
        done = subprocess.run(
            command, shell=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        lines = Lines(done.stdout.decode("utf-8", "replace").splitlines())
        lines.code = done.returncode
        return lines
    _run(command, shell=True)
    return None


def _run(command, **options):
    sys.stdout.flush()
    code = subprocess.run(command, stdin=subprocess.DEVNULL, **options).returncode
    _namespace["_exit_code"] = code
    if code != 0:
        print("[exit code %d]" % code)
    return code


def line_magic(name, args):
    magic = _LINES.get(name)
    if magic is None:
        known = ", ".join("%" + one for one in sorted(_LINES))
        raise NameError("there is no magic %%%s; there are %s" % (name, known))
    return magic(args)


def cell_magic(name, args, body):
    magic = _CELLS.get(name)
    if magic is None:
        known = ", ".join("%%" + one for one in sorted(_CELLS))
        raise NameError("there is no cell magic %%%%%s; there are %s" % (name, known))
    return magic(args, body)


def _run_source(source, filename):
    import tau_runner

    tau_runner.run_source(source, filename, _namespace, _channel)


def _evaluate(source):
    """Runs a line; its value where it is an expression."""
    try:
        code = compile(source, "<magic>", "eval")
    except SyntaxError:
        exec(compile(source, "<magic>", "exec"), _namespace)
        return None
    return eval(code, _namespace)


def _pip(args):
    before = _versions()
    code = _run([sys.executable, "-m", "pip", *shlex.split(args)])
    importlib.invalidate_caches()
    if code == 0:
        _forget(name for name, version in _versions().items() if before.get(name) != version)


def _versions():
    return {found.metadata["Name"]: found.version for found in importlib.metadata.distributions()}


def _forget(names):
    """The next import takes what has just been installed."""
    for name in names:
        files = importlib.metadata.files(name) or ()
        tops = {file.parts[0][:-3] if len(file.parts) == 1 else file.parts[0] for file in files}
        for module in list(sys.modules):
            if module.partition(".")[0] in tops:
                del sys.modules[module]


def _cd(args):
    os.chdir(os.path.expanduser(args.strip("'\"") or "~"))
    _channel.status("cd", path=os.getcwd())
    print(os.getcwd())


def _env(args):
    key, separator, value = args.partition("=")
    if not args:
        return tau_prelude.env()
    return tau_prelude.env(key.strip(), value.strip() if separator else None)


def _set_env(args):
    key, _, value = args.partition(" ")
    return tau_prelude.env(key, value.strip())


def _time(args):
    begun = time.perf_counter()
    value = _evaluate(args)
    _tell_time("time", time.perf_counter() - begun, "")
    return value


def _tell_time(op, seconds, note):
    _channel.status(op, milliseconds=round(seconds * 1000, 3))
    print("%s%s" % (_seconds(seconds), note))


def _seconds(seconds):
    for unit, factor in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            return "%.3g %s" % (seconds * factor, unit)
    return "%.3g ns" % (seconds * 1e9)


def _timeit(args, body=None):
    timer = timeit.Timer(body or args or "pass", args if body else "pass", globals=_namespace)
    loops, taken = timer.autorange()
    best = min([taken, *timer.repeat(2, loops)]) / loops
    _tell_time("timeit", best, " a loop, best of 3 × %d" % loops)


def _names():
    return sorted(name for name in _namespace if name not in _original and name[0] != "_")


def _whos(_):
    for name in _names():
        value = _namespace[name]
        size = " of %d" % len(value) if hasattr(type(value), "__len__") else ""
        print("%s: %s%s" % (name, type(value).__name__, size))


def _reset(_):
    _namespace.clear()
    tau_prelude.install(_namespace, _channel)
    install(_namespace, _channel)


def _load(args):
    _run_source(tau_prelude.read(args), "<cell %s>" % args)


def _run_file(args):
    words = shlex.split(args)
    before, sys.argv = sys.argv, words
    try:
        made = runpy.run_path(os.path.expanduser(words[0]), run_name="__main__")
    finally:
        sys.argv = before
    _namespace.update((k, v) for k, v in made.items() if not k.startswith("__"))


def _writefile(args, body):
    words = shlex.split(args)
    if words[:1] == ["-a"]:
        print("Appended to %s" % tau_prelude.append(words[1], body))
    else:
        print("Wrote %s" % tau_prelude.write(words[0], body))


class Captured(str):
    """What a cell printed."""

    @property
    def stdout(self):
        return str(self)


def _capture(args, body):
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        _run_source(body, "<cell captured>")
    if args:
        _namespace[args.split()[0]] = Captured(text.getvalue())


_LINES = {
    "pip": _pip,
    "cd": _cd,
    "pwd": lambda args: os.getcwd(),
    "ls": lambda args: sorted(os.listdir(os.path.expanduser(args or "."))),
    "env": _env,
    "set_env": _set_env,
    "time": _time,
    "timeit": _timeit,
    "who": lambda args: print("  ".join(_names())),
    "whos": _whos,
    "reset": _reset,
    "load": _load,
    "run": _run_file,
}

_CELLS = {
    "bash": lambda args, body: _run(["bash", "-c", body, "bash", *shlex.split(args)]) and None,
    "sh": lambda args, body: _run(["sh", "-c", body, "sh", *shlex.split(args)]) and None,
    "capture": _capture,
    "time": lambda args, body: _time_cell(body),
    "timeit": lambda args, body: _timeit(args, body),
    "writefile": _writefile,
}


def _time_cell(body):
    begun = time.perf_counter()
    _run_source(body, "<cell timed>")
    _tell_time("time", time.perf_counter() - begun, "")
