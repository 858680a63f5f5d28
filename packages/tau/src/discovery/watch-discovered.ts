// Says that something of a kind has changed, once things have come to rest. It does not say what:
// whoever cares looks again.

import { watch, type FSWatcher } from "node:fs";
import { systemCode } from "@tau/host/storage-error";
import type { DiscoverOptions } from "./discover.ts";
import type { KindId } from "./kinds.ts";
import { watchPlan, type WatchedDirectory } from "./watch-plan.ts";

/** An editor writes a file in several steps, git a hundred files at once. */
const QUIET_MS = 150;
/** Something that never comes to rest is told all the same. */
const LONGEST_WAIT_MS = 2000;

export interface WatchOptions extends DiscoverOptions {
  quietMs?: number;
  onChange: (kinds: ReadonlySet<KindId>) => void;
}

export interface DiscoveryWatch extends AsyncDisposable {
  /** Some directories could not be watched: changes there are noticed at the next start. */
  readonly isPartial: boolean;
}

export async function watchDiscovered(options: WatchOptions): Promise<DiscoveryWatch> {
  const watching = new Watching(options);
  await watching.plan();
  return watching;
}

class Watching implements DiscoveryWatch {
  readonly #options: WatchOptions;
  readonly #watchers = new Map<string, { watcher: FSWatcher; about: WatchedDirectory }>();
  readonly #changed = new Set<KindId>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firstAt: number | undefined;
  #isPlanPartial = false;
  #hasFailed = false;
  #isClosed = false;
  #planning: Promise<void> = Promise.resolve();

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  get isPartial(): boolean {
    return this.#isPlanPartial || this.#hasFailed;
  }

  /** Directories come and go; what is watched follows. */
  plan(): Promise<void> {
    this.#planning = this.#planning.then(() => this.#plan());
    return this.#planning;
  }

  async #plan(): Promise<void> {
    if (this.#isClosed) return;
    const { directories, isCut } = await watchPlan(this.#options);
    if (this.#isClosed) return;
    this.#isPlanPartial = isCut;
    this.#hasFailed = false;
    for (const path of this.#watchers.keys()) if (!directories.has(path)) this.#drop(path);
    for (const [path, about] of directories) {
      const known = this.#watchers.get(path);
      if (known) known.about = about;
      else this.#watch(path, about);
    }
  }

  #watch(path: string, about: WatchedDirectory): void {
    try {
      // It must not keep a program alive that has nothing else to do.
      const watcher = watch(path, { persistent: false }, (event, name) =>
        this.#notice(path, event, name ?? undefined),
      );
      watcher.on("error", () => this.#lose(path));
      this.#watchers.set(path, { watcher, about });
    } catch (error) {
      // Gone meanwhile, or the system has no handles left.
      if (systemCode(error) === undefined) throw error;
      this.#hasFailed = true;
    }
  }

  #notice(path: string, event: string, name: string | undefined): void {
    const known = this.#watchers.get(path);
    if (!known || this.#isClosed) return;
    const kinds = known.about.kinds(name);
    for (const kind of kinds) this.#changed.add(kind);
    if (event === "rename" && kinds.length === 0 && path.endsWith(`/${name}`)) {
      // The directory itself went away; its place may be taken by another.
      this.#lose(path);
      return;
    }
    if (kinds.length > 0) this.#rest();
  }

  #lose(path: string): void {
    const known = this.#watchers.get(path);
    if (!known) return;
    for (const kind of known.about.kinds(undefined)) this.#changed.add(kind);
    this.#drop(path);
    this.#rest();
  }

  #drop(path: string): void {
    this.#watchers.get(path)?.watcher.close();
    this.#watchers.delete(path);
  }

  #rest(): void {
    if (this.#isClosed) return;
    const now = performance.now();
    this.#firstAt ??= now;
    const { quietMs = QUIET_MS } = this.#options;
    clearTimeout(this.#timer);
    const wait = Math.min(quietMs, Math.max(0, this.#firstAt + LONGEST_WAIT_MS - now));
    this.#timer = setTimeout(() => void this.#tell(), wait);
    this.#timer.unref();
  }

  async #tell(): Promise<void> {
    this.#firstAt = undefined;
    // A directory that is new is watched before anybody looks into it.
    await this.plan();
    const kinds = new Set(this.#changed);
    this.#changed.clear();
    if (!this.#isClosed && kinds.size > 0) this.#options.onChange(kinds);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const path of this.#watchers.keys()) this.#drop(path);
    await this.#planning;
  }
}
