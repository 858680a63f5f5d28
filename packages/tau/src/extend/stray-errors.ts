// Errors of extensions that nobody caught: a promise that was forgotten, a timer that throws. They are told
// by the name of the extension whose code they come from, and end nothing. Whatever is Tau's own ends Tau, as
// it would without extensions.

import { dirname, sep } from "node:path";
import { claimStrays } from "@tau/tui/terminal/exit-guard";
import { exitProcess } from "@tau/tui/terminal/own-exit";
import type { ExtensionSource } from "./extension-source.ts";

import { ExitRefused } from "./refuse-exit.ts";

export type TellStray = (extension: string, error: unknown) => void;

/** Who wrote what has no trace of where it came from cannot be known; Tau itself throws nothing of the kind. */
const SOMEBODY = "an extension";
/** Told when there is somebody to tell; an extension that throws without end is told of so often. */
const MAX_KEPT = 20;

export class StrayWatch implements Disposable {
  readonly #sources: readonly ExtensionSource[];
  readonly #told = new WeakSet<object>();
  #early: { extension: string; error: unknown }[] = [];
  #tell: TellStray | undefined;
  readonly #stopClaiming: () => void;

  /** From before their modules are loaded: many fail while that is done. */
  constructor(sources: readonly ExtensionSource[]) {
    this.#sources = sources;
    this.#stopClaiming = claimStrays(this.#claim);
    process.on("unhandledRejection", this.#onStray);
    process.on("uncaughtException", this.#onStray);
  }

  /** What came before is told now. */
  tellTo(tell: TellStray): void {
    this.#tell = tell;
    for (const { extension, error } of this.#early) tell(extension, error);
    this.#early = [];
  }

  [Symbol.dispose](): void {
    this.#stopClaiming();
    process.off("unhandledRejection", this.#onStray);
    process.off("uncaughtException", this.#onStray);
  }

  readonly #claim = (error: unknown): boolean => {
    const extension = this.#ownerOf(error);
    if (extension === undefined) return false;
    // The runtime tells several listeners of one error.
    if (typeof error === "object" && error !== null) {
      if (this.#told.has(error)) return true;
      this.#told.add(error);
    }
    if (this.#tell) this.#tell(extension, error);
    else if (this.#early.length < MAX_KEPT) this.#early.push({ extension, error });
    return true;
  };

  readonly #onStray = (error: unknown): void => {
    if (this.#claim(error)) return;
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`${words}\n`);
    exitProcess(1);
  };

  /** The first frame of a stack that is somebody's counts: it is where the error was made. */
  #ownerOf(error: unknown): string | undefined {
    if (error instanceof ExitRefused) return error.extension;
    const [only, ...others] = this.#sources;
    const anybody = only && others.length === 0 ? only.name : SOMEBODY;
    if (!(error instanceof Error) || error.stack === undefined) return anybody;
    for (const frame of error.stack.split("\n").slice(1)) {
      // Several may stand in one directory: the file itself says more.
      const owner =
        this.#sources.find(({ path }) => frame.includes(path)) ??
        this.#sources.find((source) => frame.includes(placeOf(source)));
      if (owner) return owner.name;
      // A frame of Tau's own: whoever called it is not to blame.
      if (frame.includes("/$bunfs/") || frame.includes(`${sep}packages${sep}tau${sep}src${sep}`)) {
        return undefined;
      }
    }
    // The runtime's own errors (a connection that was refused) say nothing of who asked.
    return anybody;
  }
}

function placeOf({ packageRoot, path, origin }: ExtensionSource): string {
  if (packageRoot !== undefined) return packageRoot + sep;
  // A file that somebody names may stand among others that are not its own.
  return origin === "flag" || origin === "setting" ? path : dirname(path) + sep;
}
