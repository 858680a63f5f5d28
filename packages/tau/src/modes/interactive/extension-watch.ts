// Loads a session's extensions anew when one of their files was saved: once things have come to rest and
// nobody is in the middle of something. What is watched is where the loaded ones are; nothing is polled.

import { watch, type Dirent, type FSWatcher } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { systemCode } from "@tau/host/storage-error";
import { EXTENSIONS, type ExtensionBook } from "../../extend/extension-book.ts";
import type { ExtensionSource } from "../../extend/extension-source.ts";
import { absenceWords, reloadOutcome } from "../reload-outcome.ts";
import type { AppContext } from "./app-context.ts";

/** An editor writes a file in several steps, a build many files. */
const QUIET_MS = 250;
/** How soon it is looked again whether somebody is still in the middle of something. */
const AGAIN_MS = 1_000;
/** Each costs the system a handle; a package with more is reloaded by hand. */
const MAX_DIRECTORIES = 64;
/** Below a package's root. */
const MAX_DEPTH = 6;

/** What can be imported. Data that an extension writes beside itself must not load it anew, and again. */
const MODULE_FILE = /(?:\.[cm]?[jt]sx?|^package\.json)$/;

/** A directory, and whose it is. */
interface Watched {
  readonly source: ExtensionSource;
  /** The only file there that counts; any module if absent. */
  readonly file?: string;
}

export class ExtensionWatch implements Disposable {
  readonly #app: AppContext;
  readonly #failed: (error: unknown) => void;
  #watchers: FSWatcher[] = [];
  /** By path: what was there the last time that somebody looked. */
  readonly #contents = new Map<string, unknown>();
  readonly #changed = new Set<string>();
  /** Of these, what may be the model's work: its code runs in Tau only if a person says so. */
  readonly #doubtful = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #told: string | undefined;
  #planned = 0;

  constructor(app: AppContext, failed: (error: unknown) => void) {
    this.#app = app;
    this.#failed = failed;
  }

  /** From now on the extensions of the current session count. */
  async follow(): Promise<void> {
    const plan = ++this.#planned;
    const watched = await watchedBy(this.#app.active.part(EXTENSIONS));
    if (plan !== this.#planned) return;
    this.#stop();
    // Whoever has loaded them anew has seen to these.
    this.#changed.clear();
    this.#doubtful.clear();
    this.#told = undefined;
    for (const [directory, owners] of watched) this.#watch(directory, owners);
    for (const owners of watched.values()) {
      for (const { source } of owners) await this.#isNew(source.path);
    }
  }

  [Symbol.dispose](): void {
    this.#planned++;
    clearTimeout(this.#timer);
    this.#stop();
  }

  #stop(): void {
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = [];
  }

  #watch(directory: string, owners: readonly Watched[]): void {
    try {
      // It must not keep a program alive that has nothing else to do.
      const watcher = watch(directory, { persistent: false }, (_event, name) => {
        const about = owners.filter(({ file }) => counts(name, file));
        if (about.length > 0) void this.#notice(directory, name, about).catch(this.#failed);
      });
      // The directory is gone: what was loaded stays until somebody loads it anew.
      watcher.on("error", () => watcher.close());
      this.#watchers.push(watcher);
    } catch (error) {
      // No handles left, or no such directory any more: /reload does it by hand.
      if (systemCode(error) === undefined) throw error;
    }
  }

  async #notice(directory: string, name: string | null, about: readonly Watched[]): Promise<void> {
    const path = name === null ? undefined : join(directory, name);
    if (path !== undefined && !(await this.#isNew(path))) return;
    const isDoubtful = this.#mayBeTheModels(path);
    const own = about.filter(({ source }) => name === null || basename(source.path) === name);
    for (const { source } of own.length > 0 ? own : about) {
      this.#changed.add(source.name);
      if (isDoubtful) this.#doubtful.add(source.name);
    }
    this.#later(QUIET_MS);
  }

  /** While it works, a command of its own may change anything; later, what it has written is known. */
  #mayBeTheModels(path: string | undefined): boolean {
    const { session, workspace } = this.#app.active;
    if (session.isBusy || workspace.jobs.running > 0) return true;
    return path === undefined || workspace.written.has(path);
  }

  /** Somebody may have saved it without changing it. */
  async #isNew(path: string): Promise<boolean> {
    const before = this.#contents.get(path);
    const now = await contentOf(path);
    this.#contents.set(path, now);
    return before !== now;
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#reload().catch(this.#failed), ms);
    this.#timer.unref();
  }

  async #reload(): Promise<void> {
    const { active, surface } = this.#app;
    if (active.session.isBusy || surface.isCovered) return this.#later(AGAIN_MS);
    const names = [...this.#changed];
    const { running } = active.workspace.jobs;
    if (running > 0) {
      // They would end with it.
      const jobs = running === 1 ? "a job that runs" : `${running} jobs that run`;
      const words = `${names.join(", ")} has changed; /reload loads it, and ends ${jobs}.`;
      if (words !== this.#told) surface.note(words);
      this.#told = words;
      return;
    }
    if (names.some((name) => this.#doubtful.has(name))) {
      const words = `${names.join(", ")} was changed while the model worked; /reload loads it.`;
      if (words !== this.#told) surface.note(words);
      this.#told = words;
      return;
    }
    this.#changed.clear();
    this.#told = undefined;
    const before = active.part(EXTENSIONS);
    await active.reload();
    const after = active.part(EXTENSIONS);
    const place = { cwd: active.session.log.header.cwd, env: active.env };
    const outcome = await reloadOutcome({ before, after }, place);
    const loaded = outcome.loaded.filter((name) => names.includes(name));
    if (loaded.length > 0) surface.note(`Loaded anew: ${loaded.join(", ")}.`);
    for (const words of absenceWords(outcome)) surface.note(words);
    const failures = failuresOf(after);
    for (const name of names) {
      const why = failures.get(name);
      // A failure of another kind has been told already.
      if (why !== undefined && why === failuresOf(before).get(name)) {
        surface.note(`The extension ${name} still cannot be loaded: ${why}`, "warning");
      }
    }
  }
}

function counts(name: string | null, file: string | undefined): boolean {
  if (name === null) return true;
  return file === undefined ? MODULE_FILE.test(name) && !name.startsWith(".") : name === file;
}

function failuresOf(book: ExtensionBook | undefined): ReadonlyMap<string, string> {
  return new Map((book?.failures ?? []).map(({ source, message }) => [source.name, message]));
}

async function contentOf(path: string): Promise<unknown> {
  try {
    return Bun.hash(await readFile(path));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    // Removed, or in the middle of being replaced.
    return undefined;
  }
}

/** By directory. What was installed does not change while somebody works. */
async function watchedBy(
  book: ExtensionBook | undefined,
): Promise<ReadonlyMap<string, readonly Watched[]>> {
  const found = new Map<string, Watched[]>();
  for (const { source } of [...(book?.loaded ?? []), ...(book?.failures ?? [])]) {
    const { path, packageRoot, origin } = source;
    if (path.includes(`${sep}node_modules${sep}`)) continue;
    const isAlone = packageRoot === undefined && (origin === "flag" || origin === "setting");
    const file = isAlone ? basename(path) : undefined;
    const directories = packageRoot === undefined ? [dirname(path)] : await below(packageRoot);
    for (const directory of directories) {
      const owners = found.get(directory) ?? [];
      if (found.size >= MAX_DIRECTORIES && owners.length === 0) continue;
      found.set(directory, [...owners, { source, file }]);
    }
  }
  return found;
}

async function below(root: string, depth = 0): Promise<string[]> {
  const directories = [root];
  if (depth >= MAX_DEPTH) return directories;
  for (const entry of await entriesOf(root)) {
    const isOwn =
      entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith(".");
    if (isOwn) directories.push(...(await below(join(root, entry.name), depth + 1)));
    if (directories.length >= MAX_DIRECTORIES) return directories;
  }
  return directories;
}

async function entriesOf(directory: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}
