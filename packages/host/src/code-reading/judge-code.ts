// What a piece of Python or JavaScript would do, by reading its syntax: the one judge for
// `python -c`, `node -e`, scripts in here documents, and cells.

import { noCodeEffects, type CodeEffects } from "./code-effects.ts";
import type { CodeMemory } from "./code-memory.ts";

export interface CodeWorld {
  home: string;
  /** What earlier code of the same kernel has defined; it is changed by what this code defines. */
  memory?: CodeMemory;
  /** Whether the helpers of cells (`read`, `write`, `tool`) are there. */
  hasHelpers?: boolean;
}

/** Never throws; what cannot be read is `unknown`. */
export function judgePython(text: string, world: CodeWorld): CodeEffects {
  void text;
  void world;
  return noCodeEffects();
}

export function judgeJavaScript(text: string, world: CodeWorld): CodeEffects {
  void text;
  void world;
  return noCodeEffects();
}
