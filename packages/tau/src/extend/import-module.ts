// Brings a module's code into the process. What it imports of Tau, of the family's packages or of the
// schema libraries is answered by Tau itself; a module that was loaded before is loaded anew, with all
// that it has brought along from its own directory.

import { TookTooLong, withinLimit } from "../base/within-limit.ts";
import type { ExtensionSource } from "./extension-source.ts";
import { ModuleFailure } from "./module-failure.ts";
import { installShims } from "./shims/install-shims.ts";
import { checkEntry, forgetCommon, serveVouched } from "./vouched-modules.ts";

/** A module that has not been evaluated by then waits for something that a start must not wait for. */
const IMPORT_LIMIT_MS = 10_000;

export type ModuleExports = Readonly<Record<string, unknown>>;

/** Modules that never came to an end: the runtime would wait for the same one again. */
const hung = new Map<string, number>();

export async function importModule({
  path,
  vouched,
}: Pick<ExtensionSource, "path" | "vouched">): Promise<ModuleExports> {
  installShims();
  if (vouched) {
    serveVouched(vouched);
    checkEntry(vouched, path);
  }
  const times = hung.get(path) ?? 0;
  const address = times === 0 ? path : `${path}?again=${times}`;
  try {
    return await withinLimit(import(address) as Promise<ModuleExports>, IMPORT_LIMIT_MS);
  } catch (error) {
    if (error instanceof TookTooLong) hung.set(path, times + 1);
    if (error instanceof ModuleFailure) throw error;
    throw new ModuleFailure(await explain(error, path), { cause: error });
  }
}

/**
 * Has everything below a directory loaded anew the next time. What a package has installed stays: it
 * does not change while somebody works on the package.
 */
export function forgetModules(directory: string): void {
  const prefix = directory.endsWith("/") ? directory : `${directory}/`;
  for (const path of Object.keys(require.cache)) {
    if (path.startsWith(prefix) && !path.slice(prefix.length).includes("node_modules/")) {
      delete require.cache[path];
    }
  }
  forgetCommon(prefix);
}

async function explain(error: unknown, path: string): Promise<string> {
  const { explainImport } = await import("./explain-import.ts");
  return explainImport(error, path);
}
