# A Python kernel: takes cells from the host, one after the other, runs them in the main thread
# (where an interrupt can reach them) and says how each one ended.
import builtins
import io
import os
import signal
import sys
import types
import warnings

import tau_channel
import tau_display
import tau_execute
import tau_magics
import tau_prelude


class State:
    # Whether an interrupt is for the code of a cell; between cells it is for nobody.
    running = False
    on_interrupt = None


class _Descriptor(io.FileIO):
    """Writes at once and whole, so that everything is read in the order it was written."""

    def write(self, data):
        view = memoryview(data).cast("B")
        size = len(view)
        while view:
            view = view[super().write(view):]
        return size


def _stream(descriptor):
    raw = _Descriptor(descriptor, "w", closefd=False)
    return io.TextIOWrapper(raw, "utf-8", "backslashreplace", newline="\n", write_through=True)


def _no_input(prompt=""):
    raise EOFError("nobody is there to answer input(): put the value into the code")


def main(descriptor, received, boot):
    os.dup2(1, 2)
    channel = tau_channel.Channel(descriptor, received, boot["token"])
    sys.stdout = sys.__stdout__ = _stream(1)
    sys.stderr = sys.__stderr__ = _stream(2)
    builtins.input = _no_input
    os.environ.setdefault("MPLBACKEND", "Agg")
    # Figures are shown when the cell ends; `show()` need not say that it cannot.
    warnings.filterwarnings("ignore", message=".*non-interactive.*")
    warnings.filterwarnings("ignore", message=".*non-GUI backend.*")
    # The other thread is the channel's, which holds nothing that a forked process needs.
    warnings.filterwarnings("ignore", message=".*multi-threaded, use of fork.*")
    sys.argv = [""]
    sys.path.insert(0, "")

    module = types.ModuleType("__main__")
    module.__builtins__ = builtins
    sys.modules["__main__"] = module
    namespace = module.__dict__
    tau_prelude.install(namespace, channel)
    tau_magics.install(namespace, channel)

    def on_interrupt(signum, frame):
        if not State.running:
            return
        if channel.shielded:
            channel.interrupt_pending = True
        else:
            raise KeyboardInterrupt

    State.on_interrupt = on_interrupt
    signal.signal(signal.SIGINT, on_interrupt)
    channel.listen()
    channel.send({"type": "ready", "version": sys.version.split()[0]})
    while True:
        request = channel.requests.get()
        if request is None:
            sys.exit(0)
        if request.get("type") != "run":
            continue
        outcome = {"outcome": "interrupted"}
        try:
            outcome = run_cell(request, namespace, channel)
        except KeyboardInterrupt:
            pass  # It came while the outcome was being put into words; it stands as it was set.
        State.running = False
        channel.interrupt_pending = False
        channel.mark(" end %d" % request["id"])
        channel.send(dict(outcome, type="done", id=request["id"], cwd=_directory()))


_getcwd = os.getcwd


def _directory():
    try:
        return _getcwd()
    except OSError:
        return None  # It was removed.


def _repair_streams(channel):
    """A cell that closed its output shall not have closed that of the next one."""
    for descriptor in (1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            channel.restore_output(descriptor)
    if getattr(sys.stdout, "closed", False):
        sys.stdout = sys.__stdout__ = _stream(1)
    if getattr(sys.stderr, "closed", False):
        sys.stderr = sys.__stderr__ = _stream(2)


def run_cell(request, namespace, channel):
    filename = "<cell %d>" % request["id"]
    channel.new_cell()
    _repair_streams(channel)
    # A cell may have taken it; the next one must be interruptible again.
    signal.signal(signal.SIGINT, State.on_interrupt)
    try:
        State.running = True
        run_source(request["code"], filename, namespace, channel)
        tau_display.show_figures(channel)
        _leave_if_forked(0)
        State.running = False
        return {"outcome": "ok"}
    except KeyboardInterrupt as error:
        State.running = False
        _leave_if_forked(130)
        return {"outcome": "interrupted", "place": tau_execute.place_of(error)}
    except SystemExit as error:
        State.running = False
        return _exit_outcome(error)
    except BaseException as error:
        State.running = False
        failure = tau_execute.failure(error)
        if not channel.is_owner:
            print(failure["traceback"], file=sys.stderr)
        _leave_if_forked(1)
        return {"outcome": "error", "error": failure}


def run_source(code, filename, namespace, channel):
    source = tau_magics.transform(code)
    tau_execute.remember_source(code, filename)
    steps, is_shown = tau_execute.compile_cell(source, filename)
    value = tau_execute.run_steps(steps, namespace)
    if is_shown and value is not None:
        namespace["_"] = value
        tau_prelude.show(channel, value)


_OWNER = os.getpid()


def _leave_if_forked(code):
    # A process that a cell has forked runs to the end of the cell, and no further.
    if os.getpid() != _OWNER:
        os._exit(code)


def _exit_outcome(error):
    code = error.code
    status = 0 if code is None else code if isinstance(code, int) else 1
    _leave_if_forked(status)
    if status == 0:
        return {"outcome": "ok"}
    message = tau_display.safe_repr(code)
    return {
        "outcome": "error",
        "error": {
            "name": "SystemExit",
            "message": message,
            "traceback": "SystemExit: %s (the kernel goes on)" % message,
        },
    }
