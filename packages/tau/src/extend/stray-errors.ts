// Errors of extensions that nobody caught: a promise that was forgotten, a timer that throws. They are told
// by the name of the extension whose code they come from, and end nothing. Whatever is Tau's own ends Tau, as
// it would without extensions.

import { dirname, sep } from "node:path";
import { claimStrays } from "@tau/tui/terminal/exit-guard";
import type { ExtensionSource } from "./extension-source.ts";

export type TellStray = (extension: string, error: unknown) => void;

/** Who wrote what has no trace of where it came from cannot be known; Tau itself throws nothing of the kind. */
const SOMEBODY = "an extension";

/** Returns the way to stop. */
export function watchStrays(sources: readonly ExtensionSource[], tell: TellStray): () => void {
  const told = new WeakSet<object>();
  const claim = (error: unknown): boolean => {
    const name = ownerOf(error, sources);
    if (name === undefined) return false;
    // The runtime tells several listeners of one error.
    const isNew = typeof error !== "object" || error === null || !told.has(error);
    if (typeof error === "object" && error !== null) told.add(error);
    if (isNew) tell(name, error);
    return true;
  };
  const onStray = (error: unknown): void => {
    if (claim(error)) return;
    process.stderr.write(
      `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exit(1);
  };
  const stopClaiming = claimStrays(claim);
  process.on("unhandledRejection", onStray);
  process.on("uncaughtException", onStray);
  return () => {
    stopClaiming();
    process.off("unhandledRejection", onStray);
    process.off("uncaughtException", onStray);
  };
}

/** The first frame of a stack that is somebody's counts: it is where the error was made. */
function ownerOf(error: unknown, sources: readonly ExtensionSource[]): string | undefined {
  if (!(error instanceof Error) || error.stack === undefined) return SOMEBODY;
  for (const frame of error.stack.split("\n").slice(1)) {
    // Neighbours in one directory: the file itself says more than the place.
    const owner =
      sources.find(({ path }) => frame.includes(path)) ??
      sources.find((source) => frame.includes(placeOf(source)));
    if (owner) return owner.name;
    // A frame of Tau's own: whoever called it is not to blame.
    if (frame.includes("/$bunfs/") || frame.includes(`${sep}packages${sep}tau${sep}src${sep}`))
      break;
  }
  return undefined;
}

function placeOf({ packageRoot, path, origin }: ExtensionSource): string {
  if (packageRoot !== undefined) return packageRoot + sep;
  // A file that somebody names may stand among others that are not its own.
  return origin === "flag" || origin === "setting" ? path : dirname(path) + sep;
}
