// Which Python runs the cells: the one that the user named, else the environment that is active or
// lies beside the code, else the system's.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

export interface PythonQuery {
  /** From here upwards, to `root` at most, virtual environments are looked for. */
  cwd: string;
  root: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The user's own choice: a path, or a name on the PATH. */
  interpreter?: string;
  /** An environment that is used where the code has none. */
  managed?: string;
}

export interface FoundPython {
  path: string;
  /** The environment's directory, where it is one. */
  virtualEnv?: string;
}

const ENVIRONMENT_NAMES = [".venv", "venv"];
const PROGRAM_NAMES = ["python3", "python"];
const BIN = process.platform === "win32" ? "Scripts" : "bin";

/** Undefined where there is none. A choice of the user's is never replaced by another. */
export function findPython(query: PythonQuery): FoundPython | undefined {
  const { env, interpreter } = query;
  const path = env.PATH ?? "";
  if (interpreter) {
    const chosen = interpreter.includes("/") ? interpreter : Bun.which(interpreter, { PATH: path });
    if (chosen === null || !existsSync(chosen)) return undefined;
    return { path: chosen };
  }
  for (const directory of environments(query)) {
    const found = PROGRAM_NAMES.map((name) => join(directory, BIN, name)).find((program) =>
      existsSync(program),
    );
    if (found !== undefined) return { path: found, virtualEnv: directory };
  }
  for (const name of PROGRAM_NAMES) {
    const found = Bun.which(name, { PATH: path });
    if (found !== null) return { path: found };
  }
  return undefined;
}

function environments({ cwd, root, env, managed }: PythonQuery): string[] {
  const found = env.VIRTUAL_ENV ? [env.VIRTUAL_ENV] : [];
  for (let directory = cwd; ; directory = dirname(directory)) {
    found.push(...ENVIRONMENT_NAMES.map((name) => join(directory, name)));
    if (directory === root || directory === dirname(directory)) break;
  }
  return managed === undefined ? found : [...found, managed];
}
