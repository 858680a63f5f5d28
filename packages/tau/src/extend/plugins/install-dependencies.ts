// The packages that a plugin needs, from the registry, into its own directory. Bun's installer does it, in a
// process of its own and in a directory where nothing of the plugin's lies: what a plugin says about
// installing is not heard. Scripts are never run, peers are Tau's own to give.

import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { ownedEnvironment } from "@tau/host/process/reaper";
import { systemCode } from "@tau/host/storage-error";
import { hidePasswords } from "../../base/hide-passwords.ts";
import { UserError } from "../../user-error.ts";
import { DEPENDENCIES_MS } from "./limits.ts";

const FLAGS = [
  // Bun runs none that nobody trusts; this also holds where a configuration of the user's trusts some.
  "--ignore-scripts",
  "--omit=peer",
  "--omit=dev",
  "--no-progress",
  "--no-summary",
  "--linker=hoisted",
];
/** Ranges, tags and aliases of the registry's; nothing that leads elsewhere. */
const OF_REGISTRY = /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?[\w.\s^~<>=|*+-]*$/;
const MAX_WORDS = 300;

interface Place {
  /** Of the caller's, and to be removed by the caller. */
  staging: string;
  env: Environment;
  signal: AbortSignal;
}

export async function installDependencies(root: string, place: Place): Promise<void> {
  const wanted = await dependenciesOf(root);
  const names = Object.keys(wanted.dependencies).concat(Object.keys(wanted.optionalDependencies));
  if (names.length === 0) return;
  const directory = join(place.staging, "packages");
  await mkdir(directory);
  const manifest = { name: "plugin-packages", private: true, ...wanted };
  await writeFile(join(directory, "package.json"), JSON.stringify(manifest));
  await runInstaller(directory, place);
  try {
    await rm(join(root, "node_modules"), { recursive: true, force: true });
    await rename(join(directory, "node_modules"), join(root, "node_modules"));
  } catch (error) {
    // All of them are optional, and for another system.
    if (systemCode(error) !== "ENOENT") throw error;
  }
}

async function dependenciesOf(root: string) {
  let manifest: Record<string, unknown>;
  try {
    manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  } catch (error) {
    if (systemCode(error) === undefined && !(error instanceof SyntaxError)) throw error;
    manifest = {};
  }
  const { dependencies, optionalDependencies, bundleDependencies, bundledDependencies } = manifest;
  const bundled = new Set([bundleDependencies, bundledDependencies].flat());
  const take = (given: unknown): Record<string, string> => {
    const entries = Object.entries(typeof given === "object" && given !== null ? given : {});
    for (const [name, range] of entries) {
      if (typeof range === "string" && OF_REGISTRY.test(range)) continue;
      const shown = JSON.stringify(range);
      throw new UserError(
        `it needs ${name} from ${shown}, which is not a registry; nothing was installed`,
      );
    }
    return Object.fromEntries(entries.filter(([name]) => !bundled.has(name)));
  };
  return { dependencies: take(dependencies), optionalDependencies: take(optionalDependencies) };
}

async function runInstaller(directory: string, { env, signal }: Place): Promise<void> {
  const cache = join(directory, ".cache");
  const child = Bun.spawn([process.execPath, "install", ...FLAGS, `--cache-dir=${cache}`], {
    cwd: directory,
    env: ownedEnvironment({
      ...env,
      BUN_BE_BUN: "1",
      BUN_INSTALL: cache,
      BUN_INSTALL_CACHE_DIR: cache,
    }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    signal,
    timeout: DEPENDENCIES_MS,
    killSignal: "SIGKILL",
  });
  const [said, complaints] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) === 0) return;
  signal.throwIfAborted();
  const lines = `${said}\n${complaints}`.trim().split("\n");
  const why = (lines.find((line) => /error/i.test(line)) ?? lines.at(-1)!).slice(0, MAX_WORDS);
  throw new UserError(
    `the packages that it needs cannot be installed: ${hidePasswords(Bun.stripANSI(why))}`,
  );
}
