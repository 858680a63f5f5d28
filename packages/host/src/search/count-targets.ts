// The first half of a search: which files and texts match, and how often. It holds the
// names up to the end of the wanted page and numbers for the rest, so that neither the
// size of the trees nor the number of matches matters.

import { stat } from "node:fs/promises";
import { systemCode } from "../storage-error.ts";
import { bytePath, isByteName, onDisk, pathBytes } from "../walk/byte-path.ts";
import { BoundedBest } from "../walk/bounded-best.ts";
import { compileGlob } from "../walk/glob.ts";
import { SeenPaths } from "../walk/seen-paths.ts";
import type {
  CountSink,
  MatchJob,
  PreparedPattern,
  RunBounds,
  RunEnd,
  ScanReport,
} from "./line-engine.ts";
import type { MatchCollector } from "./match-collector.ts";
import { lookAtFile } from "./named-files.ts";
import type {
  LineRange,
  SearchFile,
  SearchQuery,
  SearchTarget,
  SkippedTarget,
} from "./search-query.ts";

/** A file or text that matches. */
export interface Hit {
  kind: SearchFile["kind"];
  name: string;
  /** Of a file whose name is no UTF-8. */
  raw?: Buffer;
  matches: number;
  /** Place among the targets, by which texts are ordered. */
  position: number;
  /** Read already, because its lines are confined or it is a text. */
  collector?: MatchCollector;
}

export interface CountOptions {
  query: SearchQuery;
  prepared: PreparedPattern;
  bounds: RunBounds;
  /** Names that are kept. */
  limit: number;
  createCollector(ranges: readonly LineRange[] | undefined): MatchCollector;
}

/** Files by name, then texts as they were given. */
function byName(a: Hit, b: Hit): number {
  if (a.kind !== b.kind) return a.kind === "file" ? -1 : 1;
  if (a.kind === "text") return a.position - b.position;
  return a.name < b.name ? -1 : Number(a.name > b.name);
}

export class TargetCount {
  readonly hits: BoundedBest<Hit>;
  readonly skipped: SkippedTarget[] = [];
  matches = 0;
  unreadable = 0;
  end: RunEnd = "complete";

  readonly #options: CountOptions;
  readonly #seen: SeenPaths;

  constructor(options: CountOptions) {
    this.#options = options;
    this.hits = new BoundedBest(options.limit, byName);
    const paths = options.query.targets.flatMap((target) =>
      target.kind === "text" ? [] : [target.path],
    );
    this.#seen = new SeenPaths(paths);
  }

  async run(): Promise<void> {
    const { targets } = this.#options.query;
    await this.#countNamed(targets);
    for (const target of targets) {
      if (target.kind === "directory") await this.#countTree(target);
    }
  }

  /** Whole files are counted; texts and confined files are read at once. */
  async #countNamed(targets: readonly SearchTarget[]): Promise<void> {
    const { prepared, bounds, createCollector } = this.#options;
    const whole: string[] = [];
    const jobs: (MatchJob & { hit: Hit })[] = [];
    for (const [position, target] of targets.entries()) {
      if (target.kind === "directory") continue;
      const source = await this.#sourceOf(target);
      if (source === undefined) continue;
      if (target.kind === "file" && target.lines === undefined) {
        whole.push(target.path);
        continue;
      }
      const name = target.kind === "file" ? target.path : target.name;
      const collector = createCollector(target.lines);
      const hit = { kind: target.kind, name, position, collector, matches: 0 };
      jobs.push({ source, collector, hit });
    }
    if (jobs.length > 0) this.#note(await prepared.readMatches(jobs, bounds));
    for (const { collector, hit } of jobs) {
      if (collector.matches > 0 && !collector.binary) {
        this.#offer({ ...hit, matches: collector.matches });
      }
    }
    if (whole.length === 0) return;
    const found: Hit[] = [];
    const sink: CountSink = {
      begin: () => found.splice(0),
      file: (name, matches) => {
        const raw = isByteName(name) ? pathBytes(name) : undefined;
        found.push({ kind: "file", name, raw, matches, position: 0 });
      },
    };
    this.#note(await prepared.countFiles(whole, sink, bounds));
    for (const hit of found) this.#offer(hit);
  }

  async #sourceOf(
    target: Exclude<SearchTarget, { kind: "directory" }>,
  ): Promise<MatchJob["source"] | undefined> {
    if (target.kind === "text") return target;
    const file = await lookAtFile(target.path);
    if (file.kind === "skipped") {
      this.skipped.push({ path: target.path, reason: file.reason });
      return undefined;
    }
    if (!this.#seen.isNew(target.path) || !this.#accepts(target.path)) return undefined;
    const raw = isByteName(target.path) ? pathBytes(target.path) : undefined;
    return { kind: "file", path: target.path, raw, sizeBytes: file.sizeBytes };
  }

  async #countTree(target: Extract<SearchTarget, { kind: "directory" }>): Promise<void> {
    const { query, prepared, bounds, limit } = this.#options;
    const root = target.path === "/" ? target.path : target.path.replace(/\/+$/, "");
    if (!(await this.#isDirectory(root))) return;
    const prefix = root === "/" ? root : `${root}/`;
    const glob = compileGlob(target.glob ?? "**/*");
    // Kept apart until the engine has come to its end, since it may begin again.
    const best = new BoundedBest<Hit>(limit, byName);
    let added: string[] = [];
    let matches = 0;
    const sink: CountSink = {
      begin: () => {
        best.clear();
        added = [];
        matches = 0;
      },
      file: (path, count, raw) => {
        const bytes = raw && Buffer.concat([pathBytes(prefix), raw]);
        const name = bytes ? bytePath(bytes) : `${prefix}${path}`;
        if (!glob.matches(path) || this.#seen.has(name) || !this.#accepts(name)) return;
        if (this.#seen.isNeeded) added.push(name);
        matches += count;
        const hit: Hit = { kind: "file", name, matches: count, position: 0 };
        best.offer(bytes ? { ...hit, raw: bytes } : hit);
      },
    };
    const scope = {
      root,
      gitignore: query.gitignore !== false,
      hidden: query.hidden !== false,
      nameGlob: glob.nameGlob,
    };
    this.#note(await prepared.countTree(scope, sink, bounds));
    this.hits.absorb(best);
    this.matches += matches;
    for (const name of added) this.#seen.add(name);
  }

  #accepts(path: string): boolean {
    return this.#options.query.accepts?.(path) ?? true;
  }

  async #isDirectory(path: string): Promise<boolean> {
    try {
      if ((await stat(onDisk(path))).isDirectory()) return true;
      this.skipped.push({ path, reason: "special" });
    } catch (error) {
      const code = systemCode(error);
      if (code === undefined) throw error;
      const isMissing = code === "ENOENT" || code === "ENOTDIR";
      this.skipped.push({ path, reason: isMissing ? "missing" : "unreadable" });
    }
    return false;
  }

  #offer(hit: Hit): void {
    this.hits.offer(hit);
    this.matches += hit.matches;
  }

  #note({ end, unreadable }: ScanReport): void {
    this.unreadable += unreadable;
    if (end !== "complete") this.end = end;
  }
}
