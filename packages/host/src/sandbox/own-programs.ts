// Programs of Tau's own that a sandbox needs: the one that gives up rights and becomes another, and the
// one that tries from inside what must not work.

import { dirname, join } from "node:path";
import { ownPlace } from "../engines/own-place.ts";

export interface OwnPrograms {
  /** Calls `runConfined` with the words that follow. */
  runConfined: readonly string[];
  /** Calls `trySandbox`. */
  trySandbox: readonly string[];
}

const ROOT = join(import.meta.dir, "..", "..", "..", "..");

/** For running from source: the directory that it is started in has no say in it. */
export function sourcePrograms(): OwnPrograms {
  const start = [
    process.execPath,
    "--no-env-file",
    `--config=${join(ROOT, "bunfig.toml")}`,
    `--tsconfig-override=${join(ROOT, "tsconfig.json")}`,
  ];
  return {
    runConfined: [...start, join(import.meta.dir, "landlock", "run-confined.ts")],
    trySandbox: [...start, join(import.meta.dir, "try-sandbox.ts")],
  };
}

/** What Tau's own programs have to read to start. */
export function ownCode(): string[] {
  if (!Bun.isStandaloneExecutable) return [process.execPath, ROOT];
  const place = ownPlace();
  // A checkout's executable finds packages beside it.
  return place === undefined ? [process.execPath] : [process.execPath, dirname(dirname(place))];
}
