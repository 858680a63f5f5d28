// Which Python runs the cells: the one that the user named, else the environment that is active, else
// one of those that may be used, else the system's. An environment is a program: which ones beside the
// code may be used is for the caller to say.

import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { programOnPath } from "../process/program-on-path.ts";

export interface PythonQuery {
  /** Directories of virtual environments that may be used, the first one that has a Python. */
  environments?: readonly string[];
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

const PROGRAM_NAMES = ["python3", "python"];
const BIN = process.platform === "win32" ? "Scripts" : "bin";

/** Undefined where there is none. A choice of the user's is never replaced by another. */
export function findPython(query: PythonQuery): FoundPython | undefined {
  const { env, interpreter } = query;
  if (interpreter) {
    const isPath = interpreter.includes("/");
    const chosen = isPath ? interpreter : programOnPath(interpreter, env.PATH);
    if (chosen === undefined || !existsSync(chosen)) return undefined;
    return { path: chosen };
  }
  for (const directory of usable(query)) {
    const found = PROGRAM_NAMES.map((name) => join(directory, BIN, name)).find((program) =>
      existsSync(program),
    );
    if (found !== undefined) return { path: found, virtualEnv: directory };
  }
  for (const name of PROGRAM_NAMES) {
    const found = programOnPath(name, env.PATH);
    if (found !== undefined) return { path: found };
  }
  return undefined;
}

function usable({ environments = [], env, managed }: PythonQuery): string[] {
  // A relative one leads into whatever directory this is.
  const active = env.VIRTUAL_ENV && isAbsolute(env.VIRTUAL_ENV) ? [env.VIRTUAL_ENV] : [];
  return [...active, ...environments, ...(managed === undefined ? [] : [managed])];
}
