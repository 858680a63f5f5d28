# The first lines a Python kernel runs, given on the command line: it receives the rest over the
# protocol's own descriptor. Older interpreters must be able to parse it, to say that they are old.
import sys

# The directory of the session is untrusted: nothing of the kernel itself is imported from it.
sys.path[:] = [path for path in sys.path if path not in ("", ".")]
if sys.version_info < (3, 8):
    sys.exit("Python 3.8 or later is needed; this is " + sys.version.split()[0])
import json
import os
import types

channel = int(os.environ.pop("NODE_CHANNEL_FD"))
os.environ.pop("NODE_CHANNEL_SERIALIZATION_MODE", None)
received = b""
while b"\n" not in received:
    part = os.read(channel, 65536)
    if not part:
        os._exit(0)
    received += part
line, rest = received.split(b"\n", 1)
boot = json.loads(line.decode("utf-8"))
for name, text in boot["modules"]:
    module = types.ModuleType(name)
    module.__file__ = "<" + name + ">"
    sys.modules[name] = module
    exec(compile(text, module.__file__, "exec"), module.__dict__)
sys.modules["tau_runner"].main(channel, rest, boot)
