// The packages that a plugin needs, into its own directory: all of them from the registry, each checked against
// what the registry vouches for, all of them together within the limits of a plugin's tree. What was installed
// is given back for the lockfile; given from there, exactly that is installed again. Scripts are never run,
// peers are Tau's own to give.

import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { systemCode } from "@tau/host/storage-error";
import type { LockedPackages } from "../../discovery/plugins/locked-packages.ts";
import { UserError } from "../../user-error.ts";
import { bundledIn, dependencyTree, needsOf, type PlacedPackage } from "./dependency-tree.ts";
import {
  DEPENDENCIES_MS,
  MAX_PLUGIN_BYTES,
  MAX_PLUGIN_FILES,
  MAX_TREE_BYTES,
  MAX_TREE_FILES,
} from "./limits.ts";
import { Registry } from "./registry.ts";
import { unpackPackage } from "./unpack-package.ts";

export interface DependencyPlace {
  /** Of the caller's, and to be removed by the caller. */
  staging: string;
  env: Environment;
  signal: AbortSignal;
  /** Exactly these, as a lockfile has them. */
  locked?: LockedPackages;
  maxBytes?: number;
  maxFiles?: number;
}

/** So many tarballs are in memory at a time. */
const AT_ONCE = 4;
const PACKAGES = "node_modules";

/** Rejects with `UserError`. */
export async function installDependencies(
  root: string,
  place: DependencyPlace,
): Promise<LockedPackages> {
  const manifest = await manifestOf(root);
  // Also what will not be fetched may not be from elsewhere.
  const needed = needsOf(manifest, "");
  if (needed.length === 0) return {};
  const late = AbortSignal.timeout(DEPENDENCIES_MS);
  const own = { ...place, signal: AbortSignal.any([place.signal, late]) };
  try {
    const registry = new Registry(own);
    const placed = place.locked
      ? await asLocked(place.locked, registry)
      : await dependencyTree(manifest, registry);
    const directory = join(place.staging, "packages");
    await mkdir(directory);
    await unpackAll(placed, directory, { ...own, registry });
    await takeBundled(root, directory, bundledIn(manifest));
    await rm(join(root, PACKAGES), { recursive: true, force: true });
    if (placed.length > 0) await rename(directory, join(root, PACKAGES));
    return Object.fromEntries(
      placed
        .toSorted((a, b) => (a.path < b.path ? -1 : 1))
        .map(({ path, package: { name, version, integrity } }) => [
          path,
          { name, version, integrity },
        ]),
    );
  } catch (error) {
    if (!late.aborted || place.signal.aborted) throw error;
    throw new UserError(
      `the packages that it needs took longer than ${DEPENDENCIES_MS / 60_000} minutes`,
    );
  }
}

async function manifestOf(root: string): Promise<Record<string, unknown>> {
  try {
    const data: unknown = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    return typeof data === "object" && data !== null ? { ...data } : {};
  } catch (error) {
    if (systemCode(error) === undefined && !(error instanceof SyntaxError)) throw error;
    return {};
  }
}

async function asLocked(locked: LockedPackages, registry: Registry): Promise<PlacedPackage[]> {
  return Promise.all(
    Object.entries(locked).map(async ([path, { name, version, integrity }]) => {
      const found = await registry.find({ name, range: version });
      if (found.version === version && found.integrity === integrity) {
        return { path, package: found };
      }
      throw new UserError(
        `its package ${name}@${version} is not what the lockfile has; nothing was installed`,
      );
    }),
  );
}

async function unpackAll(
  placed: readonly PlacedPackage[],
  directory: string,
  place: DependencyPlace & { registry: Registry },
): Promise<void> {
  const { staging, signal, registry, maxBytes = MAX_TREE_BYTES, maxFiles = MAX_TREE_FILES } = place;
  let bytes = 0;
  let files = 0;
  for (let at = 0; at < placed.length; at += AT_ONCE) {
    const some = placed.slice(at, at + AT_ONCE);
    const fetched = await Promise.all(some.map((one) => registry.fetch(one.package)));
    for (const [index, { path, package: own }] of some.entries()) {
      const archive = join(staging, "needed.tgz");
      await writeFile(archive, fetched[index]!);
      const target = join(directory, path);
      // A package above it may have brought something of this name.
      await rm(target, { recursive: true, force: true });
      await mkdir(target, { recursive: true });
      const unpacked = await unpackPackage(archive, target, {
        signal,
        strip: 1,
        what: `its package ${own.name}@${own.version}`,
        maxBytes: MAX_PLUGIN_BYTES,
        maxFiles: MAX_PLUGIN_FILES,
      });
      bytes += unpacked.bytes;
      files += unpacked.files;
      if (bytes > maxBytes || files > maxFiles) {
        const megabytes = Math.round(maxBytes / 1024 / 1024);
        throw new UserError(
          `its packages unpack to more than ${megabytes} MB or ${maxFiles} files; nothing was installed`,
        );
      }
      if (!path.includes(`/${PACKAGES}/`)) await linkPrograms(directory, path, own.manifest.bin);
    }
  }
}

/** What servers and hooks of a plugin start by its name, as npm has it. */
async function linkPrograms(directory: string, path: string, bin: unknown): Promise<void> {
  const short = path.split("/").at(-1)!;
  const given = typeof bin === "string" ? { [short]: bin } : bin;
  if (typeof given !== "object" || given === null) return;
  for (const [name, target] of Object.entries(given)) {
    const file = typeof target === "string" ? normalize(target) : "..";
    if (!/^[\w.-]*\w$/.test(name) || name.startsWith(".") || file.split("/").includes(".."))
      continue;
    const found = await lstat(join(directory, path, file)).catch(() => undefined);
    const link = join(directory, ".bin", name);
    if (!found?.isFile() || (await lstat(link).catch(() => undefined))) continue;
    await mkdir(dirname(link), { recursive: true });
    await chmod(join(directory, path, file), 0o755);
    await symlink(join("..", path, file), link);
  }
}

/** What it has with it stays; what else lies in its `node_modules` is not known to anybody. */
async function takeBundled(
  root: string,
  directory: string,
  bundled: ReadonlySet<unknown>,
): Promise<void> {
  const own = join(root, PACKAGES);
  const entries = await readdir(own).catch(() => []);
  const names = await Promise.all(
    entries.map(async (name) => {
      if (!name.startsWith("@")) return [name];
      return (await readdir(join(own, name)).catch(() => [])).map((one) => `${name}/${one}`);
    }),
  );
  for (const name of names.flat()) {
    if (!bundled.has(name) || (await lstat(join(directory, name)).catch(() => undefined))) continue;
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await rename(join(own, name), join(directory, name));
  }
}
