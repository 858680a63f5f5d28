// Why a module could not be loaded, in words for whoever wrote or installed it.

import { TookTooLong } from "../base/within-limit.ts";
import { COMMAND } from "../brand.ts";
import { ExitRefused } from "./refuse-exit.ts";
import { shimNames } from "./shims/install-shims.ts";

/** Bun's own words for what is missing: there is no code that tells a package from an export. */
const MISSING_MODULE = /Cannot find (?:module|package) ['"]([^'"]+)['"]/;
const MISSING_EXPORT = /[Ee]xport named '([^']+)' not found in module '([^']+)'/;

/** Only `tau extension test` answers it. */
const TESTING = "@tau/extension/testing";

/** `path`: the module that was to be loaded; what is wrong may be in one that it imports. */
export function explainImport(error: unknown, path: string): string {
  if (error instanceof ExitRefused) return error.what;
  if (error instanceof TookTooLong) return `loading it took too long: ${error.message}`;
  if (error instanceof ResolveMessage && error.specifier === TESTING) {
    return `it is a test: it imports ${TESTING}; run it with \`${COMMAND} extension test\``;
  }
  if (error instanceof BuildMessage && error.position) {
    const { file, line } = error.position;
    return `${file === path ? "line " : `${file}:`}${line}: ${error.message}`;
  }
  const words = error instanceof Error ? error.message : String(error);
  const [, wanted] = MISSING_MODULE.exec(words) ?? [];
  if (wanted !== undefined) return missingModule(wanted);
  const [, name, module] = MISSING_EXPORT.exec(words) ?? [];
  if (name !== undefined && isShim(module!)) {
    return `it needs ${name} of ${module}, which Tau does not have; look for a newer version of the extension, or ask its author`;
  }
  return words.split("\n", 1)[0] ?? words;
}

function missingModule(wanted: string): string {
  const owner = shimNames().find((name) => wanted.startsWith(`${name}/`));
  if (owner !== undefined) return `it needs ${wanted}, which Tau does not have`;
  if (/^[./]/.test(wanted)) return `it imports ${wanted}, which does not exist`;
  return `it needs the package ${wanted}; install it where the extension is`;
}

function isShim(module: string): boolean {
  return shimNames().some((name) => module === name || module.startsWith(`${name}/`));
}
