// CommonJS modules that are given to the runtime as text: it takes such text for a module without exports,
// so that they are evaluated here, each once and with `require` as they know it.

import { createRequire } from "node:module";
import { dirname, extname } from "node:path";
import { Script } from "node:vm";

type Loader = "js" | "jsx" | "ts" | "tsx";

/** Names that nobody uses in a module of the newer kind. */
const COMMON_NAMES = /\bmodule\.exports\b|\bexports\b|\brequire\s*\(|\b__dirname\b|\b__filename\b/;

/** As the runtime decides it: by the ending, otherwise by what is in the file. */
export function isCommon(path: string, code: string, loader: Loader): boolean {
  const ending = extname(path);
  if (ending === ".cjs" || ending === ".cts") return true;
  if (ending === ".mjs" || ending === ".mts" || !COMMON_NAMES.test(code)) return false;
  if (/\bimport\.meta\b/.test(code)) return false;
  try {
    const { exports, imports } = new Bun.Transpiler({ loader }).scan(code);
    return exports.length === 0 && !imports.some(({ kind }) => kind === "import-statement");
  } catch {
    // It is not code: the runtime says where and why.
    return false;
  }
}

const NAMES = "exports, require, module, __filename, __dirname";

interface CommonModule {
  id: string;
  filename: string;
  exports: unknown;
  loaded: boolean;
}

export class CommonModules {
  readonly #modules = new Map<string, CommonModule>();
  readonly #codeOf: (path: string) => string;

  constructor(codeOf: (path: string) => string) {
    this.#codeOf = codeOf;
  }

  /** What an `import` of it gives, and a `require` of a module of the newer kind. */
  namespace(path: string): Record<string, unknown> {
    const { exports } = this.#load(path);
    const isObject =
      (typeof exports === "object" && exports !== null) || typeof exports === "function";
    const own = isObject ? (exports as Record<string, unknown>) : {};
    const named = Object.keys(own).map((key) => [key, own[key]]);
    const main = own.__esModule === true && "default" in own ? own.default : exports;
    return { ...Object.fromEntries(named), default: main, "module.exports": exports };
  }

  forget(prefix: string): void {
    for (const path of this.#modules.keys()) {
      if (path.startsWith(prefix)) this.#modules.delete(path);
    }
  }

  #load(path: string): CommonModule {
    const known = this.#modules.get(path);
    if (known) return known;
    const module: CommonModule = { id: path, filename: path, exports: {}, loaded: false };
    // Before it runs: in a circle, the other one gets what is there so far.
    this.#modules.set(path, module);
    try {
      this.#run(module, this.#codeOf(path));
      module.loaded = true;
      return module;
    } catch (error) {
      this.#modules.delete(path);
      throw error;
    }
  }

  #run(module: CommonModule, code: string): void {
    const { filename } = module;
    const isTyped = /\.c?tsx?$/.test(filename);
    const text = isTyped ? new Bun.Transpiler({ loader: "ts" }).transformSync(code) : code;
    // On its first line, so that every line has its own number.
    const whole = `(function (${NAMES}) {${text.replace(/^#!.*/, "")}\n})`;
    const run = new Script(whole, { filename }).runInThisContext() as (...given: unknown[]) => void;
    const require = this.#requireFor(filename);
    run.call(module.exports, module.exports, require, module, filename, dirname(filename));
  }

  #requireFor(path: string): NodeJS.Require {
    const require = createRequire(path);
    const own = (name: string): unknown => {
      const found = require.resolve(name);
      const known = this.#modules.get(found);
      // One that is being loaded is only known here.
      return known ? known.exports : require(name);
    };
    return Object.assign(own, require) as NodeJS.Require;
  }
}
