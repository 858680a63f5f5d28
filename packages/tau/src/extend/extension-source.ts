// A module that is to be loaded: where it is, how it is called, and who wants it there.

import { basename, dirname, extname } from "node:path";
import type { VouchedFiles } from "../trust/vouched-files.ts";

/** `tool`: its function gives tools back. `hook`: it registers handlers, in the older way. */
export type ModuleKind = "extension" | "tool" | "hook";

/** Who wants it: the project or the user's own directory, a plugin, the command line, a setting. */
export type ModuleOrigin = "project" | "user" | "plugin" | "flag" | "setting";

export interface ExtensionSource {
  /** Of the file, absolute. */
  readonly path: string;
  readonly name: string;
  readonly kind: ModuleKind;
  readonly origin: ModuleOrigin;
  /** The directory of the package that it is part of, if any. */
  readonly packageRoot?: string;
  /** Of a project: the only files of it that may be loaded. */
  readonly vouched?: VouchedFiles;
}

/** Of a module of a package: the package's name, and the file's if there are several. */
export function moduleNameIn(
  path: string,
  { packageName, count }: { packageName: string | undefined; count: number },
): string {
  if (packageName === undefined) return moduleName(path);
  return count === 1 ? packageName : `${packageName}/${moduleName(path)}`;
}

/** The file's name without its ending; of an `index`, the directory's. */
export function moduleName(path: string): string {
  const stem = basename(path, extname(path));
  return stem === "index" ? basename(dirname(path)) : stem;
}
