// What a session knows of its extensions, for whoever shows them: which are there, which could not be
// loaded and why, and how long each keeps the others waiting.

import { partKey } from "../base/part.ts";
import type { HookClock } from "./hook-clock.ts";
import type { Watchdog } from "./watchdog/watchdog.ts";
import type { StrayWatch } from "./stray-errors.ts";
import type { locateError } from "./locate-error.ts";
import type { LoadFailure } from "./load-extensions.ts";
import type { LoadedExtension } from "./loaded-extension.ts";

export interface ExtensionBook {
  readonly loaded: readonly LoadedExtension[];
  readonly failures: readonly LoadFailure[];
  /** What they have in common: the same object for those that were loaded together. */
  readonly group: object;
  readonly clock: HookClock;
  readonly strays: StrayWatch;
  /** Tells if one of them blocks Tau; none in a program that embeds it. */
  readonly watchdog?: Watchdog;
  /** The slash commands that each has in the session, by the extension's name: those of its `setup`, too. */
  readonly commands: Map<string, readonly string[]>;
  /** Notes where in an extension's code an error comes from. */
  readonly locate: typeof locateError;
  /** The session is there: what was noted for the case that it never would be is no longer needed. */
  settled(): void;
}

export const EXTENSIONS = partKey<ExtensionBook>("extensions");
