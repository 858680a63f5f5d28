// The engine for machines without ripgrep: reads files and tries every line with a
// JavaScript regular expression. The same results, slower, and for texts that fit in
// memory only.

import { open, stat, type FileHandle } from "node:fs/promises";
import { systemCode } from "../storage-error.ts";
import { onDisk, pathBytes } from "../walk/byte-path.ts";
import { walkTree } from "../walk/walk-tree.ts";
import type {
  CountSink,
  LineEngine,
  MatchJob,
  PatternOptions,
  PreparedPattern,
  RunBounds,
  ScanReport,
  TreeScope,
} from "./line-engine.ts";
import { isUtf16 } from "./named-files.ts";
import { compilePlainPattern, type PlainPattern } from "./plain-pattern.ts";
import { countIn, collectFrom } from "./plain-scan.ts";

/** Larger files are left out and counted as unreadable. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

export function createPlainEngine(): LineEngine {
  return {
    name: "plain",
    prepare: (options) => Promise.resolve(new PlainSearch(options)),
  };
}

class PlainSearch implements PreparedPattern {
  readonly #pattern: PlainPattern;
  readonly #options: PatternOptions;

  constructor(options: PatternOptions) {
    this.#options = options;
    this.#pattern = compilePlainPattern(options.pattern, options.ignoreCase);
  }

  get hasLiteralGroups(): boolean {
    return this.#pattern.hasLiteralGroups;
  }

  async countTree(scope: TreeScope, sink: CountSink, bounds: RunBounds): Promise<ScanReport> {
    sink.begin();
    let unreadable = 0;
    const report = await walkTree({
      ...scope,
      signal: bounds.signal,
      deadline: bounds.deadline,
      onEntries: async (entries) => {
        for (const { path, kind, location } of entries) {
          if (kind !== "file") continue;
          if (isOver(bounds)) return false;
          const text = await readText(location);
          if (text === "unreadable") unreadable += 1;
          else if (text !== "binary") {
            const matches = countIn(text.text, this.#pattern);
            const raw = typeof location === "string" ? undefined : rawBelow(location, scope.root);
            if (matches > 0) sink.file(path, matches, raw);
          }
        }
        return true;
      },
    });
    bounds.signal?.throwIfAborted();
    const end = report.end === "complete" ? "complete" : "timeout";
    return { end, unreadable: unreadable + report.unreadable };
  }

  async countFiles(
    paths: readonly string[],
    sink: CountSink,
    bounds: RunBounds,
  ): Promise<ScanReport> {
    sink.begin();
    let unreadable = 0;
    for (const path of paths) {
      if (isOver(bounds)) return { end: "timeout", unreadable };
      const text = await readText(path);
      if (text === "unreadable") unreadable += 1;
      else if (text !== "binary") {
        const matches = countIn(text.text, this.#pattern);
        if (matches > 0) sink.file(path, matches);
      }
    }
    return { end: "complete", unreadable };
  }

  async readMatches(jobs: readonly MatchJob[], bounds: RunBounds): Promise<ScanReport> {
    let unreadable = 0;
    for (const { source, collector } of jobs) {
      if (isOver(bounds)) return { end: "timeout", unreadable };
      const text = source.kind === "text" ? source : await readText(source.raw ?? source.path);
      if (text === "unreadable") unreadable += 1;
      else if (text === "binary") collector.binary = true;
      else collectFrom(text.text, this.#pattern, this.#options, collector);
    }
    return { end: "complete", unreadable };
  }
}

function rawBelow(location: Buffer, root: string): Buffer {
  return location.subarray(pathBytes(root).length + (root === "/" ? 0 : 1));
}

function isOver({ signal, deadline }: RunBounds): boolean {
  signal?.throwIfAborted();
  return performance.now() > deadline;
}

async function readText(
  given: string | Buffer,
): Promise<{ text: string } | "binary" | "unreadable"> {
  const path = typeof given === "string" ? onDisk(given) : given;
  try {
    const status = await stat(path);
    if (!status.isFile() || status.size > MAX_FILE_BYTES) return "unreadable";
    await using file = await open(path, "r");
    return decodeText(await readWhole(file, status.size));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return "unreadable";
  }
}

/** No more than was there when it was measured: a file that grows has an end. */
async function readWhole(file: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let at = 0;
  while (at < size) {
    const { bytesRead } = await file.read(bytes, at, size - at, at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return bytes.subarray(0, at);
}

function decodeText(bytes: Buffer): { text: string } | "binary" {
  if (isUtf16(bytes)) {
    return { text: new TextDecoder(bytes[0] === 0xff ? "utf-16le" : "utf-16be").decode(bytes) };
  }
  return bytes.includes(0) ? "binary" : { text: new TextDecoder().decode(bytes) };
}
