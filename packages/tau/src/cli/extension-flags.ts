// The flags that extensions bring. They are loaded to be asked, which only a flag that Tau itself does
// not have is a reason for.

import { resolve } from "node:path";
import { currentDirectory } from "../base/working-directory.ts";
import { loadExtensions } from "../extend/load-extensions.ts";
import { findExtensions, type ExtensionWish } from "../extend/find-extensions.ts";
import type { FlagRow } from "../feature-api/subcommand.ts";
import { Project } from "../project/project.ts";

/** As far as the words can be told apart without knowing every flag. */
export async function extensionFlags(argv: readonly string[]): Promise<readonly FlagRow[]> {
  return flagsOf(argv, { discover: !argv.includes("--no-extensions"), paths: pathsIn(argv) });
}

/** Only of those that the line itself names: help does not run what merely lies around. */
export async function namedExtensionFlags(argv: readonly string[]): Promise<readonly FlagRow[]> {
  const paths = pathsIn(argv);
  return paths.length === 0 ? [] : flagsOf(argv, { discover: false, paths });
}

function pathsIn(argv: readonly string[]): string[] {
  return valuesOf(argv, ["--extension", "-e", "--hook"]);
}

async function flagsOf(argv: readonly string[], wish: ExtensionWish): Promise<readonly FlagRow[]> {
  const env = process.env;
  const cwd = resolve(valuesOf(argv, ["--cwd", "-C"]).at(-1) ?? currentDirectory());
  const overlays = valuesOf(argv, ["--config"]);
  const table = async () => (await import("../features/settings-table.ts")).SETTINGS_TABLE;
  await using project = await Project.open({ cwd, env, overlays, table });
  const { sources } = await findExtensions(wish, { cwd, env, settings: project.settings });
  const { loaded } = await loadExtensions(sources, { cwd, flags: {} });
  return loaded.flatMap(({ feature }) => feature.flags ?? []);
}

/** `--name value` and `--name=value`. */
function valuesOf(argv: readonly string[], names: readonly string[]): string[] {
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  return words.flatMap((word, at) => {
    const equals = word.indexOf("=");
    if (equals > 0 && names.includes(word.slice(0, equals))) return [word.slice(equals + 1)];
    const next = words[at + 1];
    return names.includes(word) && next !== undefined ? [next] : [];
  });
}
