// Where plugins are installed, and the one way in which that changes: the files of a plugin come as a new
// directory, and the lockfile is replaced. Whoever is killed in between leaves what was there before.

import { lstat, mkdir, readdir, realpath, rename, rm, rmdir, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { LockTimeout, withFileLock } from "@tau/host/lock/file-lock";
import { removeAfterwards } from "@tau/host/process/reaper";
import { isTemporaryName } from "@tau/host/replace-file";
import { createDiskStorage, SHARED_DIRECTORY_MODE, SHARED_FILE_MODE } from "@tau/host/storage";
import { StorageError, systemCode } from "@tau/host/storage-error";
import { isBelow } from "../../base/is-below.ts";
import { agentDirectory, homeOf } from "../../config/places.ts";
import type { ItemLevel } from "../../discovery/item.ts";
import {
  lockText,
  readPluginLock,
  type LockedPlugin,
} from "../../discovery/plugins/plugin-lock.ts";
import { directoryNameOf } from "../../discovery/plugins/plugin-name.ts";
import {
  lockFileOf,
  pluginPlaces,
  type PluginPlace,
} from "../../discovery/plugins/plugin-places.ts";
import { searchPlaces } from "../../discovery/search-places.ts";
import { UserError } from "../../user-error.ts";

const STAGING = ".staging-";
/** An installation takes minutes at most; what is older was left by one that was killed. */
const STALE_MS = 60 * 60 * 1000;
const DIRECTORY_ID_BYTES = 8;

export class PluginStore {
  readonly place: PluginPlace;

  constructor(place: PluginPlace) {
    this.place = place;
  }

  /** Throws with the reason if the lockfile cannot be understood: it would be lost. */
  async plugins(): Promise<readonly LockedPlugin[]> {
    const { plugins, problem } = await readPluginLock(this.place);
    if (problem === undefined) return plugins;
    throw new UserError(`${lockFileOf(this.place)} ${problem}; repair or remove it`);
  }

  /** To look at only. A project's lockfile is a stranger's: broken, it is a notice and hides nothing else. */
  async look(): Promise<{ plugins: readonly LockedPlugin[]; notice?: string }> {
    if (this.place.level === "user") return { plugins: await this.plugins() };
    const { plugins, problem } = await readPluginLock(this.place);
    if (problem === undefined) return { plugins };
    return { plugins, notice: `${lockFileOf(this.place)} ${problem}` };
  }

  async find(name: string): Promise<LockedPlugin | undefined> {
    return (await this.plugins()).find((one) => one.name === name);
  }

  /** Gone when it is disposed of, and also if this process is killed. */
  async stage(): Promise<{ path: string } & AsyncDisposable> {
    const { directory } = this.place;
    const path = join(
      directory,
      `${STAGING}${thisMachine()}-${process.pid}-${crypto.randomUUID()}`,
    );
    let first = path;
    await this.#written(async () => {
      first = (await mkdir(path, { recursive: true })) ?? path;
      if (first !== path) return;
      // What others left when they were killed.
      await withFileLock(lockFileOf(this.place), async () => this.#prune(await this.plugins()));
    });
    removeAfterwards(path);
    return {
      path,
      [Symbol.asyncDispose]: async () => {
        await rm(path, { recursive: true, force: true });
        await removeEmpty(directory, first);
      },
    };
  }

  /** Puts the files at `staged` in their place, and the plugin into the lockfile. */
  async put(plugin: LockedPlugin, staged?: string): Promise<LockedPlugin> {
    const directory = staged === undefined ? undefined : newDirectory(plugin);
    const made = { ...plugin, directory };
    await this.change(
      (before) => [...before.filter(({ name }) => name !== plugin.name), made],
      async () => {
        if (staged === undefined) return;
        await rename(staged, join(this.place.directory, directory!));
      },
    );
    return made;
  }

  /** The files of one that the lockfile names already. */
  async putBack({ name, directory }: LockedPlugin, staged: string): Promise<void> {
    await this.#written(() =>
      withFileLock(lockFileOf(this.place), async () => {
        const now = (await this.plugins()).find((one) => one.name === name);
        if (directory === undefined || now?.directory !== directory) {
          throw new UserError(`${name} was changed meanwhile; nothing was installed`);
        }
        const target = join(this.place.directory, directory);
        await rm(target, { recursive: true, force: true });
        await rename(staged, target);
      }),
    );
  }

  /** All or nothing, one process at a time; then what nothing names any more is removed. */
  async change(
    change: (before: readonly LockedPlugin[]) => readonly LockedPlugin[],
    prepare: () => Promise<void> = async () => {},
  ): Promise<void> {
    const file = lockFileOf(this.place);
    const storage = createDiskStorage();
    const isShared = this.place.level === "project";
    await this.#written(async () => {
      const mode = isShared ? SHARED_DIRECTORY_MODE : undefined;
      await storage.makeDirectory(this.place.directory, { point: "plugins.directory", mode });
      await withFileLock(file, async () => {
        const after = change(await this.plugins());
        await prepare();
        await storage.replace(file, Buffer.from(lockText(after)), {
          point: "plugins.lock",
          mode: isShared ? SHARED_FILE_MODE : undefined,
        });
        await this.#prune(after);
      });
    });
  }

  /** Directories that no plugin has, and what is left of lockfiles that were never finished. */
  async leftovers(plugins: readonly LockedPlugin[]): Promise<string[]> {
    const used = new Set(plugins.map(({ directory }) => directory));
    const lockFile = lockFileOf(this.place);
    const names = await readdir(this.place.directory).catch(() => []);
    const found: string[] = [];
    for (const name of names) {
      const isStaging = name.startsWith(STAGING);
      const isTorn = isTemporaryName(name) && name.startsWith(`.${basename(lockFile)}.`);
      const isPlugin = /@[0-9a-f]{16}$/.test(name) && !name.startsWith("marketplace+");
      if (!isStaging && !isTorn && (used.has(name) || !isPlugin)) continue;
      const path = join(this.place.directory, name);
      if (isStaging && !(await isStale(path))) continue;
      found.push(path);
    }
    return found;
  }

  async #prune(plugins: readonly LockedPlugin[]): Promise<void> {
    for (const path of await this.leftovers(plugins)) {
      await rm(path, { recursive: true, force: true });
    }
  }

  /** A clone may have a link in the place of a directory: then files would be written elsewhere. */
  async #assertOwn(): Promise<void> {
    const { level, directory } = this.place;
    if (level !== "project") return;
    const above = dirname(directory);
    const root = await realpath(dirname(above));
    for (const path of [above, directory]) {
      if (!(await lstat(path).catch(() => undefined))) return;
      const real = await realpath(path).catch(() => undefined);
      if (real !== undefined && isBelow(real, root)) continue;
      throw new UserError(`${path} leads out of the project; nothing was changed`);
    }
  }

  async #written<T>(work: () => Promise<T>): Promise<T> {
    try {
      await this.#assertOwn();
      return await work();
    } catch (error) {
      if (error instanceof LockTimeout) throw new UserError(error.message);
      const code = error instanceof StorageError ? error.code : (error as { code?: string }).code;
      if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
      throw new UserError(`${this.place.directory} cannot be written (${code})`);
    }
  }
}

/** The directories from `last` up to `first`, as far as nothing is in them: they were made for nothing. */
async function removeEmpty(last: string, first: string): Promise<void> {
  try {
    for (let one = last; one.length >= first.length; one = dirname(one)) await rmdir(one);
  } catch (error) {
    // Something was installed, or somebody else is about to.
    if (systemCode(error) === undefined) throw error;
  }
}

/** Tells homes apart that several machines have in common. */
function thisMachine(): string {
  return Bun.hash(hostname()).toString(36);
}

/** Its process is gone, or it is too old for any. */
async function isStale(path: string): Promise<boolean> {
  const [, machine, pid] = /\.staging-(\w+)-(\d+)-[^/]*$/.exec(path) ?? [];
  if (machine === thisMachine() && !isAlive(Number(pid))) return true;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS;
}

/** Never one that is there: what is installed stays untouched until the lockfile names another. */
function newDirectory({ name }: LockedPlugin): string {
  const id = crypto.getRandomValues(new Uint8Array(DIRECTORY_ID_BYTES)).toHex();
  return `${directoryNameOf(name)}@${id}`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== "ESRCH";
  }
}

/** The project's, then the user's. */
export async function pluginStores(given: {
  cwd: string;
  env: Environment;
}): Promise<PluginStore[]> {
  const { cwd, env } = given;
  const home = homeOf(env);
  const { root } = await searchPlaces({ cwd, home });
  const places = pluginPlaces({ home, agentDirectory: agentDirectory(env), root });
  return places.map((place) => new PluginStore(place));
}

export async function storeFor(
  level: ItemLevel,
  given: { cwd: string; env: Environment },
): Promise<PluginStore> {
  const stores = await pluginStores(given);
  return stores.find(({ place }) => place.level === level) ?? stores.at(-1)!;
}
