// Goes over many files for a structural search or rewrite: reads each, tells its language,
// and stops at a limit, a deadline or an abort, saying which.

import { detectLanguage, findLanguage } from "./detect-language.ts";
import { readSourceFile } from "./source-file.ts";
import type { SyntaxFailure } from "./syntax-failure.ts";

/** Files that are parsed in one run. */
const DEFAULT_MAX_FILES = 1000;
const DEFAULT_DEADLINE_MS = 60_000;

export type StopReason = "files" | "matches" | "deadline" | "aborted";

export interface FileRunOptions {
  /** Takes every file as this language; without it, files of no known one are passed over. */
  language?: string;
  maxFiles?: number;
  deadlineMs?: number;
  signal?: AbortSignal;
}

export interface OpenedFile {
  path: string;
  language: string;
  text: string;
}

export interface FileFailure {
  path: string;
  failure: SyntaxFailure;
}

export class FileRun {
  /** Ends questions that are under way when the run has to stop. */
  readonly signal: AbortSignal;
  /** Files that were read and parsed. */
  files = 0;
  stopped: StopReason | undefined;
  readonly #options: FileRunOptions;

  constructor(options: FileRunOptions) {
    this.#options = options;
    const deadline = AbortSignal.timeout(options.deadlineMs ?? DEFAULT_DEADLINE_MS);
    this.signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  }

  /** True once the run has to stop; remembers why. */
  get over(): boolean {
    if (this.signal.aborted)
      this.stopped ??= this.#options.signal?.aborted ? "aborted" : "deadline";
    return this.stopped !== undefined;
  }

  async *open(
    paths: Iterable<string> | AsyncIterable<string>,
  ): AsyncGenerator<OpenedFile | FileFailure, void> {
    const forced = this.#options.language;
    for await (const path of paths) {
      if (this.over) return;
      const byName = forced === undefined ? detectLanguage(path) : findLanguage(forced);
      const hasExtension = /\.[^./\\]+$/.test(path);
      if (!byName && forced === undefined && hasExtension) continue;
      if (this.files >= (this.#options.maxFiles ?? DEFAULT_MAX_FILES)) {
        this.stopped = "files";
        return;
      }
      const read = await readSourceFile(path);
      if (!read.ok) {
        // Without an extension it is only a guess that it is source at all.
        if (byName) yield { path, failure: read.failure };
        continue;
      }
      const text = read.value;
      const language = byName ?? detectLanguage(path, text.slice(0, text.indexOf("\n") + 1 || 200));
      if (!language && forced === undefined) continue;
      this.files++;
      yield { path, language: language?.name ?? forced!, text };
    }
  }
}
