# The helpers that every cell finds: showing values, files and text, and the way to the session's
# tools, models and agents.
import concurrent.futures
import difflib
import os

import tau_display

# Of a listing; a larger one is a question for the find tool.
MAX_TREE_ENTRIES = 1000
# Where the host names no width for calls side by side.
DEFAULT_WIDTH = 32
# Where it names none at all ("all at once"): threads are not free.
MAX_WIDTH = 256

_channel = None


def install(namespace, channel):
    global _channel
    _channel = channel
    namespace.update(
        __name__="__main__",
        display=display,
        read=read,
        write=write,
        append=append,
        sort=sort,
        uniq=uniq,
        counter=counter,
        diff=diff,
        tree=tree,
        env=env,
        output=output,
        tool=Tools(),
        completion=completion,
        agent=agent,
        parallel=parallel,
        pipeline=pipeline,
    )


def show(channel, value):
    channel.display(tau_display.bundle_of(value))
    if tau_display.is_figure(value):
        tau_display.close_figure(value)


def display(*values, raw=False):
    """Shows values: pictures, Markdown, JSON or text. raw=True takes {MIME type: content}."""
    for value in values:
        if raw and isinstance(value, dict):
            _channel.display(tau_display.normal(value, value))
        elif _is_image(value):
            _channel.display(tau_display.normal({value["mimeType"]: value["data"], "text/plain": ""}))
        elif isinstance(value, str):
            _channel.display({"text/plain": tau_display.bound(value)})
        else:
            _channel.display(tau_display.bundle_of(value, as_json=True))
            if tau_display.is_figure(value):
                tau_display.close_figure(value)


def _is_image(value):
    return isinstance(value, dict) and value.get("type") == "image" and "mimeType" in value


def _path(path):
    path = os.fspath(path)
    if "://" in path:
        raise ValueError("%s is an address and no file: use tool.read(path=...)" % path)
    return os.path.expanduser(path)


def read(path, offset=1, limit=None):
    """A file's text; lines from `offset` (1 is the first), at most `limit` of them."""
    place = _path(path)
    if os.path.isdir(place):
        raise IsADirectoryError("%s is a directory: use tree(path)" % path)
    with open(place, encoding="utf-8", errors="replace", newline="") as file:
        text = file.read()
    if offset > 1 or limit is not None:
        lines = text.splitlines(keepends=True)[max(0, offset - 1):]
        text = "".join(lines if limit is None else lines[:limit])
    _channel.status("read", path=str(path), characters=len(text))
    return text


def write(path, content):
    """Writes a file, with its directories; returns its path."""
    return _put(path, content, "w", "write")


def append(path, content):
    return _put(path, content, "a", "append")


def _put(path, content, mode, op):
    place = _path(path)
    if _channel.is_owner:
        _channel.call("touch", {"path": os.path.abspath(place)})
    directory = os.path.dirname(place)
    if directory:
        os.makedirs(directory, exist_ok=True)
    with open(place, mode, encoding="utf-8", newline="") as file:
        file.write(content)
    _channel.status(op, path=str(path), characters=len(content))
    return place


def sort(text, reverse=False, unique=False):
    lines = text.splitlines()
    return "\n".join(sorted(set(lines) if unique else lines, reverse=reverse))


def uniq(text, count=False):
    """Equal neighbours become one line, as in uniq(1)."""
    runs = []
    for line in text.splitlines():
        if runs and runs[-1][1] == line:
            runs[-1][0] += 1
        else:
            runs.append([1, line])
    return "\n".join("%d %s" % (n, line) if count else line for n, line in runs)


def counter(items, limit=None, reverse=False):
    """[(item, count)], the most frequent first; of a text, its lines."""
    counts = {}
    for item in items.splitlines() if isinstance(items, str) else items:
        counts[item] = counts.get(item, 0) + 1
    ordered = sorted(counts.items(), key=lambda pair: pair[1], reverse=not reverse)
    return ordered if limit is None else ordered[:limit]


def diff(a, b):
    """A unified diff of two files."""
    lines = [read(path).splitlines(keepends=True) for path in (a, b)]
    text = "".join(difflib.unified_diff(lines[0], lines[1], str(a), str(b)))
    _channel.status("diff", a=str(a), b=str(b), same=not text)
    return text


def tree(path=".", max_depth=3, hidden=False):
    """The entries below a directory, indented."""
    lines = []

    def walk(directory, depth):
        with os.scandir(directory) as found:
            entries = sorted(found, key=lambda entry: entry.name)
        for entry in entries:
            if entry.name.startswith(".") and not hidden:
                continue
            if len(lines) >= MAX_TREE_ENTRIES:
                return
            is_directory = entry.is_dir(follow_symlinks=False)
            lines.append("%s%s%s" % ("  " * depth, entry.name, "/" if is_directory else ""))
            if is_directory and depth + 1 < max_depth:
                try:
                    walk(entry.path, depth + 1)
                except PermissionError:
                    lines.append("  " * (depth + 1) + "[may not be read]")

    walk(_path(path), 0)
    if len(lines) >= MAX_TREE_ENTRIES:
        lines.append("[only the first %d entries]" % MAX_TREE_ENTRIES)
    _channel.status("tree", path=str(path), entries=len(lines))
    return "\n".join(lines)


def env(key=None, value=None):
    """All variables, one of them, or a new value for it."""
    if key is None:
        return dict(sorted(os.environ.items()))
    if value is not None:
        os.environ[key] = str(value)
    return os.environ.get(key)


def output(*ids):
    """What an agent or a tool put out: the text of agent://ID or artifact://ID."""
    texts = [_channel.call("output", {"id": str(one)}) for one in ids]
    return texts[0] if len(texts) == 1 else texts


class Tools:
    """tool.NAME(argument=...) calls a tool of the session and returns its text."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name):
        def call(args=None, **more):
            if args is not None and not isinstance(args, dict):
                raise TypeError("tool.%s takes keywords or one dict" % name)
            return _channel.call("tool", {"name": name, "args": dict(args or {}, **more)})

        call.__name__ = name
        return call

    def __repr__(self):
        return "<tools of the session: tool.NAME(argument=...)>"


def _given(**options):
    return {key: value for key, value in options.items() if value is not None}


def completion(prompt, *, model="default", system=None, schema=None):
    """One answer of a model: a text, or what fits `schema`."""
    options = _given(model=model, system=system, schema=schema)
    return _channel.call("completion", {"prompt": prompt, "options": options})


def agent(prompt, *, agent_type=None, model=None, label=None, schema=None):
    """Has an agent do a piece of work: its last words, or what fits `schema`."""
    options = _given(agentType=agent_type, model=model, label=label, schema=schema)
    return _channel.call("agent", {"prompt": prompt, "options": options})


def parallel(thunks):
    """Calls functions side by side; their results in order. The first error is raised."""
    thunks = list(thunks)
    if not thunks:
        return []
    width = _channel.call("concurrency", {})
    width = DEFAULT_WIDTH if width is None else int(width)
    width = min(len(thunks), MAX_WIDTH, width if width > 0 else len(thunks))
    pool = concurrent.futures.ThreadPoolExecutor(max_workers=width)
    futures = [pool.submit(thunk) for thunk in thunks]
    try:
        done, _ = concurrent.futures.wait(
            futures, return_when=concurrent.futures.FIRST_EXCEPTION
        )
        for future in futures:
            if future in done:
                future.result()
        return [future.result() for future in futures]
    finally:
        for future in futures:
            future.cancel()
        pool.shutdown(wait=False)


def pipeline(items, *stages):
    """Sends each item through all stages, items side by side; results in order."""

    def through(item):
        for stage in stages:
            item = stage(item)
        return item

    return parallel([lambda item=item: through(item) for item in items])
