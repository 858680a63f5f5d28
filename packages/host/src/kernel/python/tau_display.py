# What a value looks like: as text for the model, and as a picture, Markdown or JSON where the
# value has such a form. No value can break a cell by the way it describes itself.
import base64
import html.parser
import io
import json
import pprint
import sys

# Of one value as text. Whoever wants more prints it, and finds it in the output's artifact.
MAX_TEXT = 1000000
# Of one picture, before it is encoded; larger ones are not for looking at.
MAX_IMAGE_BYTES = 20 * 1024 * 1024
# Of one value as JSON; beyond, text alone has to do.
MAX_JSON = 1000000
LINE_WIDTH = 100


def bound(text):
    if len(text) <= MAX_TEXT:
        return text
    half = MAX_TEXT // 2
    left_out = len(text) - 2 * half
    return "%s\n[… %d characters left out …]\n%s" % (text[:half], left_out, text[-half:])


def safe_repr(value):
    try:
        return bound(str(repr(value)))
    except Exception as error:
        return "<%s whose repr raised %s>" % (type(value).__name__, describe(error))


def describe(error):
    try:
        text = str(error)
    except Exception:
        text = "an error without words"
    name = type(error).__name__
    return "%s: %s" % (name, text) if text else name


def bundle_of(value, as_json=False):
    """MIME type to content; text is always there."""
    bundle = {}
    kind = type(value)
    if kind is not type:
        given = _ask(value, "_repr_mimebundle_")
        if isinstance(given, tuple):
            given = given[0]
        if isinstance(given, dict):
            bundle.update((key, form) for key, form in given.items() if isinstance(key, str))
        for mime, method in _METHODS:
            if mime not in bundle:
                form = _ask(value, method)
                if form is not None:
                    bundle[mime] = form
        if is_figure(value):
            bundle.setdefault("image/png", figure_png(value))
    if as_json and isinstance(value, (dict, list, tuple)):
        bundle.setdefault("application/json", value)
    return normal(bundle, value)


_METHODS = (
    ("text/markdown", "_repr_markdown_"),
    ("text/html", "_repr_html_"),
    ("application/json", "_repr_json_"),
    ("image/png", "_repr_png_"),
    ("image/jpeg", "_repr_jpeg_"),
)


def _ask(value, method):
    # By the class: an object that answers to every name has not thereby a picture.
    if getattr(type(value), method, None) is None:
        return None
    try:
        form = getattr(value, method)()
    except Exception:
        # Its plain form is still to come, and may be all there is.
        return None
    return form[0] if isinstance(form, tuple) and method != "_repr_mimebundle_" else form


def normal(bundle, value=None):
    """Only what can be sent: text bounded, pictures encoded, JSON that is JSON."""
    out = {}
    for mime in ("image/png", "image/jpeg"):
        data = bundle.get(mime)
        if isinstance(data, str):
            data = _decoded(data)
        if isinstance(data, (bytes, bytearray)) and data:
            if len(data) <= MAX_IMAGE_BYTES:
                out[mime] = base64.b64encode(bytes(data)).decode()
            else:
                out["text/plain"] = "[a picture of %d bytes: too large to show]" % len(data)
    if "application/json" in bundle:
        try:
            text = json.dumps(bundle["application/json"], allow_nan=False)
            if len(text) <= MAX_JSON:
                out["application/json"] = json.loads(text)
        except (TypeError, ValueError, RecursionError):
            pass  # Not JSON after all; its text says what it is.
    if isinstance(bundle.get("text/markdown"), str):
        out["text/markdown"] = bound(bundle["text/markdown"])
    if isinstance(bundle.get("text/plain"), str):
        out["text/plain"] = bound(bundle["text/plain"])
    elif isinstance(bundle.get("text/html"), str) and type(value).__repr__ is object.__repr__:
        out["text/plain"] = bound(html_text(bundle["text/html"]))
    elif "text/plain" not in out:
        if isinstance(value, (dict, list, tuple)) and "application/json" in out:
            out["text/plain"] = bound(pprint.pformat(value, width=LINE_WIDTH, sort_dicts=False))
        else:
            out["text/plain"] = safe_repr(value)
    return out


def _decoded(text):
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return None


def is_figure(value):
    return any(
        kind.__module__ == "matplotlib.figure" and kind.__name__ == "Figure"
        for kind in type(value).__mro__
    )


def figure_png(figure):
    try:
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", bbox_inches="tight")
        return buffer.getvalue()
    except Exception as error:
        print("[a figure could not be drawn: %s]" % describe(error), file=sys.stderr)
        return None


def show_figures(channel):
    """What a cell has drawn is shown when it ends, without being asked for."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return
    for number in list(pyplot.get_fignums()):
        figure = pyplot.figure(number)
        picture = figure_png(figure)
        if picture:
            channel.display(normal({"image/png": picture, "text/plain": ""}))
        pyplot.close(figure)


def close_figure(figure):
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close(figure)


class _Text(html.parser.HTMLParser):
    BLOCKS = frozenset("p div tr li ul ol table h1 h2 h3 h4 h5 h6 br hr pre section".split())
    SILENT = frozenset(("style", "script", "head", "template"))

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.parts = []
        self.silent = 0

    def handle_starttag(self, tag, attrs):
        if tag in self.SILENT:
            self.silent += 1
        elif tag in self.BLOCKS:
            self.parts.append("\n")
        elif tag in ("td", "th"):
            self.parts.append("\t")

    def handle_endtag(self, tag):
        if tag in self.SILENT:
            self.silent = max(0, self.silent - 1)

    def handle_data(self, data):
        if not self.silent:
            self.parts.append(" ".join(data.split()) if data.strip() else "")


def html_text(source):
    parser = _Text()
    parser.feed(source[: 4 * MAX_TEXT])
    lines = (line.strip("\t ") for line in "".join(parser.parts).split("\n"))
    return "\n".join(line for line in lines if line)
