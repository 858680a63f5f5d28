// From modules to features: each is loaded, asked what it brings, and made a feature of one session. One
// that cannot be loaded is told of by name, and the others are there all the same.

import { BUILT_IN } from "../features/built-in.ts";
import type { ExtensionSource } from "./extension-source.ts";
import { importModule, type ModuleExports } from "./import-module.ts";
import { ExitRefused, refuseExits } from "./refuse-exit.ts";
import type { ExtensionPlace, LoadedExtension } from "./loaded-extension.ts";
import { ModuleFailure } from "./module-failure.ts";

export interface LoadResult {
  readonly loaded: readonly LoadedExtension[];
  readonly failures: readonly LoadFailure[];
  /** What those have in common that were loaded together. */
  readonly group: object;
}

export interface LoadFailure {
  readonly source: ExtensionSource;
  /** Why, without a full stop. */
  readonly message: string;
}

type Place = Pick<ExtensionPlace, "cwd" | "flags">;

export async function loadExtensions(
  sources: readonly ExtensionSource[],
  place: Place,
): Promise<LoadResult> {
  const loaded: LoadedExtension[] = [];
  const failures: LoadFailure[] = [];
  const group = {};
  refuseExits(sources);
  // The disk is asked for all of them at once; they register in their order.
  const imports = sources.map((source) => importModule(source));
  for (const one of imports) one.catch(() => {});
  for (const [at, given] of sources.entries()) {
    const source = { ...given, name: freeName(given.name, loaded) };
    try {
      loaded.push(await takeModule(await imports[at]!, { ...place, group, source }));
    } catch (error) {
      failures.push({ source, message: words(error) });
    }
  }
  return { loaded, failures, group };
}

async function takeModule(exports: ModuleExports, place: ExtensionPlace): Promise<LoadedExtension> {
  const given = exports.default ?? exports;
  if (typeof given === "function") {
    const { takeFamilyModule } = await import("./family/take-family-module.ts");
    return takeFamilyModule(given as (api: unknown) => unknown, place);
  }
  if (typeof given === "object" && given !== null && "name" in given) {
    const { takeOwnModule } = await import("./take-own-module.ts");
    return takeOwnModule(given, place);
  }
  throw new ModuleFailure(
    "it has no default export that is an extension; export defineExtension({ … }) or a function",
  );
}

/** Nobody reads two names for one; a number tells them apart. */
function freeName(name: string, loaded: readonly LoadedExtension[]): string {
  const isTaken = (one: string): boolean =>
    BUILT_IN.some((feature) => feature.name === one) ||
    loaded.some(({ feature }) => feature.name === one);
  if (!isTaken(name)) return name;
  let count = 2;
  while (isTaken(`${name}-${count}`)) count++;
  return `${name}-${count}`;
}

function words(error: unknown): string {
  if (error instanceof ExitRefused) return error.what;
  return error instanceof Error ? error.message : String(error);
}
