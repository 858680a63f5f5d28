// The search engine proper: ripgrep, one short process for each question. Trees are
// counted first, so that nothing but names and numbers is ever held for files that are not
// on the page; then only the files of the page are read.

import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { startReaper } from "../process/reaper.ts";
import { systemCode } from "../storage-error.ts";
import { isByteName } from "../walk/byte-path.ts";
import { CountParser } from "./rg-counts.ts";
import { runEngine, type EngineCall, type EngineOutcome } from "./engine-process.ts";
import { JsonRecords } from "./json-records.ts";
import type {
  CountSink,
  LineEngine,
  MatchJob,
  PatternOptions,
  PreparedPattern,
  RunBounds,
  RunEnd,
  ScanReport,
  TreeScope,
} from "./line-engine.ts";
import { canWatchMemory } from "./memory-watch.ts";
import { usableDialect, type Dialect } from "./rg-dialect.ts";
import { MatchReader } from "./rg-matches.ts";
import { ignoreArguments } from "./rg-ignore.ts";

/** Larger files are mapped and read one at a time: ripgrep holds a whole line and its output. */
const LARGE_FILE_BYTES = 1024 * 1024;
/** Well below what any system takes for a command line. */
const ARGUMENT_BYTES = 24 * 1024;
/** Texts are searched one process each; more at once only wait for the cores. */
const TEXTS_AT_ONCE = 4;

export function createRipgrepEngine(program: string): LineEngine {
  return {
    name: "ripgrep",
    async prepare(options, bounds) {
      return new RipgrepPattern(program, options, await usableDialect(program, options, bounds));
    },
  };
}

class RipgrepPattern implements PreparedPattern {
  readonly #program: string;
  readonly #options: PatternOptions;
  readonly #dialect: Dialect;

  constructor(program: string, options: PatternOptions, dialect: Dialect) {
    this.#program = program;
    this.#options = options;
    this.#dialect = dialect;
  }

  get hasLiteralGroups(): boolean {
    return this.#dialect.hasLiteralGroups;
  }

  async countTree(scope: TreeScope, sink: CountSink, bounds: RunBounds): Promise<ScanReport> {
    if (isByteName(scope.root)) return this.#countPlainly(scope, sink, bounds);
    const ignoring = await ignoreArguments(scope);
    const names =
      scope.nameGlob === undefined
        ? []
        : ["--type-add", `scope:${scope.nameGlob}`, "--type", "scope"];
    const shared = { ignoring: [...ignoring, ...names], sink, cwd: scope.root, paths: ["."] };
    const strip: CountSink = {
      begin: () => sink.begin(),
      file: (path, count, raw) => sink.file(path.slice(2), count, raw?.subarray(2)),
    };
    const stuck = watchForBlock(scope, bounds);
    try {
      return await this.#count({ ...shared, sink: strip }, { ...bounds, signal: stuck.signal });
    } catch (error) {
      if (bounds.signal?.aborted || !stuck.signal.aborted) throw error;
      return this.#countPlainly(scope, sink, bounds);
    } finally {
      stuck.stop();
    }
  }

  /** By the engine that passes over what ripgrep would wait for, and takes names of bytes. */
  async #countPlainly(scope: TreeScope, sink: CountSink, bounds: RunBounds): Promise<ScanReport> {
    return (await this.#plain(bounds)).countTree(scope, sink, bounds);
  }

  async #plain(bounds: RunBounds): Promise<PreparedPattern> {
    const { createPlainEngine } = await import("./plain-engine.ts");
    return createPlainEngine().prepare(this.#options, bounds);
  }

  async countFiles(
    paths: readonly string[],
    sink: CountSink,
    bounds: RunBounds,
  ): Promise<ScanReport> {
    sink.begin();
    const report: ScanReport = { end: "complete", unreadable: 0 };
    const byBytes = paths.filter(isByteName);
    if (byBytes.length > 0) {
      const plain = await this.#plain(bounds);
      const { end, unreadable } = await plain.countFiles(byBytes, sink, bounds);
      report.unreadable += unreadable;
      if (end !== "complete") return { ...report, end };
    }
    for (const batch of batches(paths.filter((path) => !isByteName(path)))) {
      const found: [string, number, Buffer | undefined][] = [];
      // A batch may start over; what came of the batches before it stays.
      const held: CountSink = {
        begin: () => found.splice(0),
        file: (...file) => found.push([file[0], file[1], file[2]]),
      };
      const call = {
        ignoring: ["--with-filename"],
        sink: held,
        cwd: dirname(this.#program),
        paths: batch,
      };
      const { end, unreadable } = await this.#count(call, bounds);
      for (const file of found) sink.file(...file);
      report.unreadable += unreadable;
      if (end !== "complete") return { ...report, end };
    }
    return report;
  }

  async readMatches(jobs: readonly MatchJob[], bounds: RunBounds): Promise<ScanReport> {
    const report: ScanReport = { end: "complete", unreadable: 0 };
    const isSmall = ({ source }: MatchJob): boolean =>
      source.kind === "file" && source.raw === undefined && source.sizeBytes <= LARGE_FILE_BYTES;
    // Confined lines may end a run early, which must not end that of other files.
    const together = jobs.filter(
      (job) => isSmall(job) && job.collector.stopAfterMatches !== undefined,
    );
    const runs: (() => Promise<ScanReport>)[] = [
      ...groupByLimit(together).map((group) => () => this.#readFiles(group, bounds, "read")),
      ...jobs
        .filter((job) => !together.includes(job))
        .map((job) => () => this.#readOne(job, bounds)),
    ];
    await Promise.all(
      Array.from({ length: Math.min(TEXTS_AT_ONCE, runs.length) }, async () => {
        for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
          const { end, unreadable } = await run();
          report.unreadable += unreadable;
          if (end !== "complete") report.end = end;
        }
      }),
    );
    return report;
  }

  async #count(
    call: { ignoring: readonly string[]; sink: CountSink; cwd: string; paths: readonly string[] },
    bounds: RunBounds,
  ): Promise<ScanReport> {
    const attempt = async (access: Access): Promise<EngineOutcome> => {
      call.sink.begin();
      const parser = new CountParser(call.sink);
      const outcome = await this.#run(
        {
          arguments: [
            "--count",
            "--null",
            ...call.ignoring,
            ...this.#pattern(access),
            ...call.paths,
          ],
          cwd: call.cwd,
          onOutput: (chunk) => parser.push(chunk),
          mapsFiles: access === "map",
        },
        bounds,
      );
      // Refused from the start, without a word about any file: look whether it is the pattern.
      if (outcome.exitCode === 2 && !parser.sawOutput) await this.#dialect.verify(bounds);
      return outcome;
    };
    // Reading is faster for many small files; mapping needs no memory for a huge line.
    const first = await attempt(canWatchMemory ? "read" : "map");
    const outcome = first.end === "memory" ? await attempt("map") : first;
    return { end: endOf(outcome), unreadable: outcome.complaints };
  }

  /** Files that stop at the same number of matches, in as few processes as fit. */
  async #readFiles(
    jobs: readonly MatchJob[],
    bounds: RunBounds,
    access: Access,
  ): Promise<ScanReport> {
    const byPath = new Map(
      jobs.flatMap(({ source, collector }) =>
        source.kind === "file" ? [[source.path, collector] as const] : [],
      ),
    );
    const report: ScanReport = { end: "complete", unreadable: 0 };
    for (const paths of batches([...byPath.keys()])) {
      const outcome = await this.#read(
        { paths, access, limit: jobs[0]?.collector.stopAfterMatches },
        (path) => byPath.get(path),
        bounds,
      );
      report.unreadable += outcome.complaints;
      if (endOf(outcome) !== "complete") return { ...report, end: endOf(outcome) };
    }
    return report;
  }

  async #readOne(job: MatchJob, bounds: RunBounds): Promise<ScanReport> {
    const { source, collector } = job;
    const limit = collector.stopAfterMatches;
    if (source.kind === "text") {
      // All matches are counted, since nothing counted them before.
      const call = { stdin: Buffer.from(source.text), access: "text" } as const;
      const outcome = await this.#read(call, () => collector, bounds);
      return { end: endOf(outcome), unreadable: 0 };
    }
    if (source.raw === undefined) return this.#readFiles([job], bounds, "map");
    // A name that is no UTF-8 cannot be an argument, but the open file can be the input.
    const stdin = openedOrNone(source.raw);
    if (stdin === undefined) return { end: "complete", unreadable: 1 };
    try {
      const outcome = await this.#read({ stdin, access: "read", limit }, () => collector, bounds);
      return { end: endOf(outcome), unreadable: outcome.complaints };
    } finally {
      closeSync(stdin);
    }
  }

  async #read(
    call: {
      paths?: readonly string[];
      stdin?: number | Uint8Array;
      access: Access;
      limit?: number | undefined;
    },
    collectorOf: (path: string) => MatchCollectorOrNone,
    bounds: RunBounds,
  ): Promise<EngineOutcome> {
    const { contextBefore, contextAfter } = this.#options;
    const reader = new MatchReader(collectorOf);
    const records = new JsonRecords((record) => reader.record(record));
    const outcome = await this.#run(
      {
        arguments: [
          "--json",
          `--before-context=${contextBefore}`,
          `--after-context=${contextAfter}`,
          ...(call.limit === undefined ? [] : [`--max-count=${call.limit}`]),
          ...this.#pattern(call.access),
          ...(call.paths ?? ["-"]),
        ],
        // Paths are absolute; any directory that is there will do.
        cwd: dirname(this.#program),
        onOutput: (chunk) => records.push(chunk),
        mapsFiles: call.access === "map",
        stdin: call.stdin,
      },
      bounds,
    );
    if (outcome.exitCode === 2) await this.#dialect.verify(bounds);
    return outcome;
  }

  #pattern(access: Access): string[] {
    return [...ACCESS_ARGUMENTS[access], ...this.#dialect.arguments, "--"];
  }

  #run(call: Omit<EngineCall, "program">, bounds: RunBounds): Promise<EngineOutcome> {
    return runEngine({ program: this.#program, ...call }, bounds);
  }
}

/** A search that takes longer may be waiting for something that never comes. */
const LOOK_FOR_BLOCK_MS = 1_000;

/** Aborts when ripgrep has taken long and the tree has an ignore file that cannot be read. */
function watchForBlock(
  { root, gitignore }: TreeScope,
  { signal, deadline }: RunBounds,
): { signal: AbortSignal; stop(): void } {
  const stuck = new AbortController();
  const over = new AbortController();
  const look = async (): Promise<void> => {
    const { hasBlockingIgnoreFile } = await import("../walk/blocking-ignore-file.ts");
    if (await hasBlockingIgnoreFile(root, { signal: over.signal, deadline })) stuck.abort();
  };
  const timer = setTimeout(() => {
    // Should Tau be killed now, this one must not stay behind.
    startReaper();
    if (!gitignore) return;
    look().catch((error: unknown) => {
      if (!over.signal.aborted) throw error;
    });
  }, LOOK_FOR_BLOCK_MS);
  return {
    signal: signal ? AbortSignal.any([signal, stuck.signal]) : stuck.signal,
    stop() {
      clearTimeout(timer);
      over.abort();
    },
  };
}

type MatchCollectorOrNone = MatchJob["collector"] | undefined;

/** Mapped files one at a time: only then output goes out without being gathered first. */
type Access = "read" | "map" | "text";
const ACCESS_ARGUMENTS: Record<Access, readonly string[]> = {
  read: ["--no-mmap"],
  map: ["--mmap", "--threads=1"],
  text: ["--text"],
};

function openedOrNone(path: Buffer): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

function endOf(outcome: EngineOutcome): RunEnd {
  return outcome.end === "timeout" || outcome.end === "memory" ? outcome.end : "complete";
}

function groupByLimit(jobs: readonly MatchJob[]): MatchJob[][] {
  return [...Map.groupBy(jobs, ({ collector }) => collector.stopAfterMatches).values()];
}

function* batches(paths: readonly string[]): Generator<string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const path of paths) {
    const size = Buffer.byteLength(path) + 1;
    if (bytes + size > ARGUMENT_BYTES && batch.length > 0) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(path);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
