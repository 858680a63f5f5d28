# The kernel's side of the protocol: JSON lines on a descriptor of its own, so that nothing a cell
# prints can be taken for a message; and markers in the output, so that what is displayed stands
# where it was displayed, between what was printed before and after.
import itertools
import json
import os
import queue
import threading

# Of what one cell may display: more than anybody looks at, less than memory.
MAX_DISPLAY_BYTES = 32 * 1024 * 1024
# Of the notes that helpers leave of what they did.
MAX_STATUS_EVENTS = 200
# Between losing the host and ending without having been able to clean up.
EXIT_GRACE_S = 0.3


class ToolError(RuntimeError):
    """What a tool, a model or an agent refused."""


class Channel:
    def __init__(self, descriptor, received, token):
        self._descriptor = descriptor
        self._received = received
        self._marker = b"\x1e" + token.encode()
        # A copy that a cell cannot close or redirect by accident.
        self._output = os.dup(1)
        self._lock = threading.RLock()
        self._waiting = {}
        self._numbers = itertools.count(1)
        self._owner = os.getpid()
        self._main = threading.main_thread()
        self.requests = queue.SimpleQueue()
        # Signals of the main thread that came while a message was half written.
        self.shielded = 0
        self.interrupt_pending = False
        self.new_cell()
        os.set_inheritable(descriptor, False)
        os.register_at_fork(after_in_child=self._forked)

    def new_cell(self):
        self._displayed = 0
        self._statuses = 0

    @property
    def is_owner(self):
        return os.getpid() == self._owner

    def listen(self):
        threading.Thread(target=self._listen, name="tau-channel", daemon=True).start()

    def send(self, message):
        if self._descriptor < 0:
            return
        line = json.dumps(message, ensure_ascii=True, allow_nan=False).encode() + b"\n"
        with self._shield():
            _write_all(self._descriptor, line)

    def mark(self, fields):
        """Says in the output stream: up to here."""
        with self._shield():
            _write_all(self._output, self._marker + fields.encode() + b"\x1e")

    def restore_output(self, descriptor):
        os.dup2(self._output, descriptor)

    def display(self, bundle):
        if not self.is_owner:
            return
        size = sum(len(value) if isinstance(value, str) else 1000 for value in bundle.values())
        with self._shield():
            self._displayed += size
            if self._displayed > MAX_DISPLAY_BYTES:
                bundle = {"text/plain": "[not shown: this cell has displayed too much already]"}
            number = next(self._numbers)
            self.send({"type": "display", "number": number, "bundle": bundle})
            self.mark(" display %d" % number)

    def status(self, op, **fields):
        self._statuses += 1
        if self._statuses <= MAX_STATUS_EVENTS:
            self.send({"type": "status", "event": dict(fields, op=op)})

    def call(self, kind, args):
        """Asks the host and waits for its answer; the cell's time stands still meanwhile."""
        if not self.is_owner:
            raise ToolError("A forked process cannot ask: make the call in the cell itself.")
        number = next(self._numbers)
        answered = threading.Event()
        entry = [answered, None]
        self._waiting[number] = entry
        try:
            self.send({"type": "call", "id": number, "kind": kind, "args": args})
            answered.wait()
        finally:
            self._waiting.pop(number, None)
        reply = entry[1]
        if reply.get("ok"):
            return reply.get("value")
        raise ToolError(reply.get("error") or "The call failed.")

    def _shield(self):
        return _Shield(self)

    def _listen(self):
        while True:
            while b"\n" in self._received:
                line, self._received = self._received.split(b"\n", 1)
                self._dispatch(json.loads(line.decode("utf-8")))
            part = os.read(self._descriptor, 1 << 20)
            if not part:
                break
            self._received += part
        # The host has closed: clean up if that is quick, and end in any case.
        self.requests.put(None)
        timer = threading.Timer(EXIT_GRACE_S, os._exit, (0,))
        timer.daemon = True
        timer.start()

    def _dispatch(self, message):
        if message.get("type") == "reply":
            entry = self._waiting.get(message.get("id"))
            if entry is not None:
                entry[1] = message
                entry[0].set()
        else:
            self.requests.put(message)

    def _forked(self):
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)
        self._lock = threading.RLock()


class _Shield:
    """Holds an interrupt back until a message is whole, and lets it through then."""

    def __init__(self, channel):
        self._channel = channel

    def __enter__(self):
        channel = self._channel
        self._is_main = threading.current_thread() is channel._main
        if self._is_main:
            channel.shielded += 1
        self._lock = channel._lock
        self._lock.acquire()

    def __exit__(self, *_):
        self._lock.release()
        channel = self._channel
        if not self._is_main:
            return
        channel.shielded -= 1
        if channel.shielded == 0 and channel.interrupt_pending:
            channel.interrupt_pending = False
            raise KeyboardInterrupt


def _write_all(descriptor, data):
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view):]
