// Finds the line of an extension's own code that an error comes from: its author looks there first.

import { realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { noteErrorPlace } from "../session/projection/error-place.ts";
import type { ExtensionSource } from "./extension-source.ts";

/** The file and the line of a frame, whatever stands around them. */
const FRAME = /(?:\(|at |@)(?:file:\/\/)?([^()]+?):(\d+)(?::\d+)?\)?$/;

/** The first frame in the extension's directory counts; packages that it installed are not its own code. */
export function locateError(
  error: unknown,
  { path, packageRoot }: Pick<ExtensionSource, "path" | "packageRoot">,
): void {
  if (!(error instanceof Error) || typeof error.stack !== "string") return;
  const given = packageRoot ?? dirname(path);
  const roots = [given, realOf(given)];
  for (const line of error.stack.split("\n")) {
    const [, file, row] = FRAME.exec(line.trim()) ?? [];
    const root = file && roots.find((one) => file.startsWith(one + sep));
    if (!root || relative(root, file).includes(join("node_modules", sep))) continue;
    return noteErrorPlace(error, `${relative(root, file)}:${row}`);
  }
}

/** A stack names files as they really are. */
function realOf(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    // It is gone meanwhile: the name that it had is all there is.
    return directory;
  }
}
