// Has the modules of a session's extensions read from disk again when they are next wanted.

import { dirname } from "node:path";
import type { ExtensionBook } from "../extend/extension-book.ts";
import { forgetModules } from "../extend/import-module.ts";

/** The next time, what is on disk then counts. */
export function forgetExtensions(book: ExtensionBook | undefined): void {
  const sources = [...(book?.loaded ?? []), ...(book?.failures ?? [])];
  for (const { source } of sources) forgetModules(source.packageRoot ?? dirname(source.path));
}
