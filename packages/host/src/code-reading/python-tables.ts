// Which names Python knows by itself, and the other names of what its libraries have.

import type { LanguageTables } from "./code-language.ts";
import { DATA, HIDDEN, known, list, text, type Value } from "./code-value.ts";
import { PYTHON_HANDLERS } from "./python-handlers.ts";
import { rememberNames } from "./remember-names.ts";
import {
  PYTHON_HARMLESS,
  PYTHON_POWERFUL,
  PYTHON_REMOTE,
  PYTHON_ROWS,
  PYTHON_WEB,
} from "./python-rows.ts";

const BUILTINS = new Set(
  `abs all any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict dir
  divmod enumerate eval exec execfile exit filter float format frozenset getattr globals hasattr hash help hex id input int isinstance
  issubclass iter len list locals map max memoryview min next object oct open ord pow print property quit range repr reversed
  round set setattr slice sorted staticmethod str sum super tuple type vars zip __import__ get_ipython True_`.split(
    /\s+/,
  ),
);
/** The helpers that every cell finds. */
const HELPERS = new Set("read write append env diff".split(" "));
const QUIET_HELPERS = new Set(
  "tree sort uniq counter output tool completion agent parallel pipeline display".split(" "),
);
/** What everybody calls them, should nobody have said so. */
const USUAL: Readonly<Record<string, string>> = {
  pd: "pandas",
  np: "numpy",
  plt: "matplotlib.pyplot",
  pl: "polars",
  Path: "pathlib.Path",
  sp: "subprocess",
};
const MODULES = new Set(
  "os sys shutil subprocess pathlib json re glob io requests socket ctypes importlib tempfile sqlite3 asyncio pickle builtins urllib base64".split(
    " ",
  ),
);
const ALIASES: readonly (readonly [RegExp, string])[] = [
  // `shutil.os.remove`: modules have the modules that they import.
  [/^.*\._?(os|sys|shutil|subprocess|builtins|posix|importlib|ctypes|socket|pty)(?=\.|$)/, "$1"],
  [/^(?:posix|nt|_posixsubprocess)(?=\.)/, "os"],
  [/^(?:sys\.modules\.)?__main__(?=\.|$)/, "globals"],
  [/^(?:posixpath|ntpath|genericpath)(?=\.|$)/, "os.path"],
  [/^(?:io|_io|_pyio)\.open$/, "builtins.open"],
  [/^(?:io|_io)\.open_code$/, "builtins.open"],
  [/^(?:__builtins__|__builtin__)(?=\.|$)/, "builtins"],
  [
    /^pathlib\.(?:PosixPath|WindowsPath|PurePath|PurePosixPath|PureWindowsPath)(?=\.|$)/,
    "pathlib.Path",
  ],
  [/^builtins\.(bytes|bytearray|str)\.(?=\w)/, "$1."],
  [/^os\.(?:popen[234])$/, "os.popen"],
  [/^os\.environb$/, "os.environ"],
  [/^(?:pylab|matplotlib\.pylab)(?=\.)/, "matplotlib.pyplot"],
  [/^_pickle(?=\.)|^cPickle(?=\.)/, "pickle"],
  [/^importlib\._bootstrap.*$/, "importlib.hidden"],
  [/^sqlite3\.dbapi2\./, "sqlite3."],
  [/^sqlite3\.Connection$/, "sqlite3.connect"],
  [/^ctypes\.(?:cdll|windll|oledll|pydll|pythonapi)\..*$/, "ctypes.CDLL"],
  [/^(?:sh|plumbum\.cmd)\.(?!Command$)\w+$/, "sh.rm"],
  [/^(?:distutils|setuptools\._distutils)\.spawn\.spawn$/, "subprocess.run"],
  [/^(?:urllib2|six\.moves\.urllib\.request)\./, "urllib.request."],
  [/^http\.client\./, "socket."],
  [/^xmlrpc\.client\./, "socket."],
  [/^multiprocessing\.(?:context\.)?\w*Process$/, "multiprocessing.Process"],
];

function canonical(name: string): string {
  let found = name;
  for (const [pattern, replacement] of ALIASES) found = found.replace(pattern, replacement);
  return found;
}

const MEMBERS: Readonly<Record<string, Value>> = {
  "sys.executable": text("python3"),
  "os.sep": text("/"),
  "os.pathsep": text(":"),
  "os.linesep": text("\n"),
  "os.devnull": text("/dev/null"),
  "os.curdir": text("."),
  "os.pardir": text(".."),
  "os.name": text("posix"),
  "os.path.sep": text("/"),
  "sys.platform": DATA,
  "sys.argv": list([HIDDEN], true),
  "sys.stdin": DATA,
  "sys.stdout": { kind: "made", by: "sys.stdout" },
  "sys.stderr": { kind: "made", by: "sys.stderr" },
  "string.ascii_letters": text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
  "string.ascii_lowercase": text("abcdefghijklmnopqrstuvwxyz"),
  "string.punctuation": text("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
};

export const PYTHON_TABLES: LanguageTables = {
  builtin(name, hasHelpers) {
    if (hasHelpers && HELPERS.has(name)) return known(`cell.${name}`);
    if (hasHelpers && QUIET_HELPERS.has(name)) return known(`display.${name}`);
    if (BUILTINS.has(name)) return known(`builtins.${name}`);
    if (name === "__builtins__") return known("builtins");
    if (/^(?:None|False)$/.test(name)) return known(name);
    if (name === "True") return known("True");
    if (name === "__file__") return known("__file__");
    if (name === "__name__") return text("__main__");
    if (MODULES.has(name)) return known(name);
    return Object.hasOwn(USUAL, name) ? known(USUAL[name]!) : undefined;
  },
  canonical: rememberNames(canonical),
  rows: PYTHON_ROWS,
  handlers: PYTHON_HANDLERS,
  harmless: PYTHON_HARMLESS,
  powerful: PYTHON_POWERFUL,
  web: PYTHON_WEB,
  remote: PYTHON_REMOTE,
  environment: "os.environ",
  isHoisting: false,
  member(name, { argv, script }) {
    if (name === "__file__") return text(script ?? "./cell.py");
    if (name === "sys.argv" && argv) return list([...argv]);
    return Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined;
  },
};
