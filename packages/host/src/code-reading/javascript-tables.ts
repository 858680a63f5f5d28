// Which names JavaScript knows by itself, and the other names of what its libraries have.

import { IMPORT_META } from "../kernel/javascript/cell-code.ts";
import type { LanguageTables } from "./code-language.ts";
import { DATA, HIDDEN, HIDDEN_CODE, known, list, text, type Value } from "./code-value.ts";
import { JAVASCRIPT_HANDLERS } from "./javascript-handlers.ts";
import { JAVASCRIPT_REACHING } from "./reaching-handlers.ts";
import {
  JAVASCRIPT_HARMLESS,
  JAVASCRIPT_POWERFUL,
  JAVASCRIPT_REMOTE,
  JAVASCRIPT_ROWS,
  JAVASCRIPT_WEB,
} from "./javascript-rows.ts";

const GLOBALS = new Set(
  `require import eval Function fetch XMLHttpRequest WebSocket EventSource Worker process Bun Deno module globalThis setTimeout
  setInterval setImmediate queueMicrotask atob btoa unescape decodeURIComponent Object Array Reflect Promise Proxy JSON Math String
  Number Boolean Date RegExp Map Set Symbol Buffer URL console structuredClone TextDecoder TextEncoder navigator crypto performance
  Error WeakMap WeakSet BigInt Intl parseInt parseFloat encodeURIComponent Blob File FormData Headers Request Response Uint8Array
  Int32Array Float64Array ArrayBuffer DataView AbortController AbortSignal WebAssembly`.split(
    /\s+/,
  ),
);
const HELPERS = new Set("read write append env diff".split(" "));
const QUIET_HELPERS = new Set(
  "tree sort uniq counter output tool completion agent parallel pipeline display print".split(" "),
);
/** `node -e` and the kernel have them without a word. */
const MODULES = new Set(
  "fs path os child_process http https net dns util url crypto zlib vm module events stream assert worker_threads readline".split(
    " ",
  ),
);

function canonical(name: string): string {
  return name
    .replace(/^(?:node|bun):/, "")
    .replace(/^global(?=\.|$)|^window(?=\.|$)|^self(?=\.|$)/, "globalThis")
    .replace(/^globalThis\.(?=.)/, "")
    .replace(/^bun(?=\.|$)/, "Bun")
    .replace(/^([\w@/.-]+?)(?=\.[A-Za-z_$#]|$)/, (module) => module.replaceAll("-", "_"))
    .replace(/\.default(?=\.|$)/g, "")
    .replace(/^(?:fs\/promises|fs_extra|graceful_fs|memfs|fs\.promises|original_fs)(?=\.|$)/, "fs")
    .replace(/^(dns|stream|timers|readline|util)\/(?:promises|types|web)(?=\.|$)/, "$1")
    .replace(/^path\/(?:posix|win32)(?=\.|$)|^path\.(?:posix|win32)(?=\.|$)/, "path")
    .replace(/^(fs|child_process|Bun|Deno)((?:\.\w+)*\.\w+?)Sync$/, "$1$2")
    .replace(
      /^(?:sqlite3|better_sqlite3|libsql)\.(?:Database|cached\.Database)$/,
      "sqlite.Database",
    )
    .replace(/^process\.env$|^Bun\.env$|^import\.meta\.env$|^process\.process\.env$/, "process.env")
    .replace(/^Bun\.(?:sql|SQL)\..*$/, "Bun.sql")
    .replace(/^Bun\.ffi(?=\.)/, "ffi")
    .replace(/^process\.mainModule$/, "module")
    .replace(/^Object\.constructor$|^Array\.constructor$/, "Function")
    .replace(/^(?:Function|eval)\.prototype$/, "Function");
}

const MEMBERS: Readonly<Record<string, Value>> = {
  "process.argv": list([HIDDEN], true),
  "Bun.argv": list([HIDDEN], true),
  "Bun.main": text("./cell.js"),
  "process.execPath": text("node"),
  "process.platform": DATA,
  "process.versions": DATA,
  "path.sep": text("/"),
  "import.meta.dir": text("."),
  "import.meta.dirname": text("."),
  "import.meta.url": text("./cell.js"),
  "import.meta.path": text("./cell.js"),
  "import.meta.filename": text("./cell.js"),
  "import.meta.require": known("require"),
  "process.mainModule": known("module"),
  "module.exports": { kind: "record", entries: new Map(), isOpen: true },
  "process.stdout": { kind: "made", by: "process.stdout" },
  "process.stderr": { kind: "made", by: "process.stderr" },
  "Bun.stdout": { kind: "made", by: "process.stdout" },
  "Bun.stderr": { kind: "made", by: "process.stderr" },
  "module._load": known("require"),
  "require.cache": HIDDEN_CODE,
};

export const JAVASCRIPT_TABLES: LanguageTables = {
  builtin(name, hasHelpers) {
    if (hasHelpers && HELPERS.has(name)) return known(`cell.${name}`);
    if (hasHelpers && QUIET_HELPERS.has(name)) return known(`display.${name}`);
    if (name === "$") return known("Bun.$");
    if (/^(?:global|window|self|this)$/.test(name)) return known("globalThis");
    if (name === IMPORT_META) return known("import.meta");
    if (/^(?:null|undefined|true|false|NaN|Infinity)$/.test(name)) return known(name);
    if (name === "__dirname") return text(".");
    if (name === "__filename") return text("./cell.js");
    return GLOBALS.has(name) || MODULES.has(name) ? known(name) : undefined;
  },
  canonical,
  rows: JAVASCRIPT_ROWS,
  handlers: new Map([...JAVASCRIPT_HANDLERS, ...JAVASCRIPT_REACHING]),
  harmless: JAVASCRIPT_HARMLESS,
  powerful: JAVASCRIPT_POWERFUL,
  web: JAVASCRIPT_WEB,
  remote: JAVASCRIPT_REMOTE,
  environment: "process.env",
  isHoisting: true,
  member: (name) => (Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined),
};
