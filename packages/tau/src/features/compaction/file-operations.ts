// Which files the summarised part of a conversation read and changed, from the calls it made.
// The list is carried from compaction to compaction: a model that has forgotten what was in a
// file must still know that there is one.

import { toolCallsOf, type ToolCallBlock } from "@tau/ai/message";
import type { SessionEntry } from "../../session/entry.ts";

/** A longer list is no longer read; newer and changed files come first. */
const MAX_LISTED_FILES = 20;
/** What is carried along in a compaction's details, so that a long session stays bounded. */
const MAX_REMEMBERED_FILES = 500;

export interface FileDetails {
  /** Read and not changed. */
  readFiles: string[];
  modifiedFiles: string[];
  /** Those of `modifiedFiles` that were also read. */
  readAndModifiedFiles: string[];
}

type Access = "Read" | "Write" | "RW";

export class FileOperations {
  /** In the order of the last touch. */
  readonly #access = new Map<string, Access>();

  isEmpty(): boolean {
    return this.#access.size === 0;
  }

  /** What an earlier summary of ours listed; anything else in `details` is not ours. */
  addDetails(details: unknown): void {
    for (const path of pathsIn(details, "readFiles")) this.#touch(path, "Read");
    for (const path of pathsIn(details, "modifiedFiles")) this.#touch(path, "Write");
    for (const path of pathsIn(details, "readAndModifiedFiles")) this.#touch(path, "RW");
  }

  addEntries(entries: readonly SessionEntry[]): void {
    for (const entry of entries) {
      if (entry.type === "branch_summary" && !entry.fromExtension) this.addDetails(entry.details);
      if (entry.type !== "message" || entry.message.role !== "assistant") continue;
      for (const call of toolCallsOf(entry.message)) this.#addCall(call);
    }
  }

  details(): FileDetails {
    const by = (...kinds: Access[]): string[] =>
      [...this.#access]
        .filter(([, access]) => kinds.includes(access))
        .map(([path]) => path)
        .slice(-MAX_REMEMBERED_FILES);
    return {
      readFiles: by("Read"),
      modifiedFiles: by("Write", "RW"),
      readAndModifiedFiles: by("RW"),
    };
  }

  /** One heading a directory, its files with what was done to them; empty without files. */
  render(): string {
    if (this.isEmpty()) return "";
    const newestFirst = [...this.#access].toReversed();
    const listed = [
      ...newestFirst.filter(([, access]) => access !== "Read"),
      ...newestFirst.filter(([, access]) => access === "Read"),
    ].slice(0, MAX_LISTED_FILES);
    const byDirectory = Map.groupBy(
      listed.toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ([path]) => directoryOf(path),
    );
    const lines: string[] = [];
    for (const [directory, files] of byDirectory) {
      lines.push(`# ${directory === "" ? "./" : directory}`);
      for (const [path, access] of files) lines.push(`${path.slice(directory.length)} (${access})`);
    }
    const omitted = this.#access.size - listed.length;
    if (omitted > 0) lines.push(`… (${omitted} more files omitted)`);
    return `<files>\n${lines.join("\n")}\n</files>`;
  }

  #addCall(call: ToolCallBlock): void {
    if (call.malformed !== undefined) return;
    if (call.name === "read") for (const path of namedPaths(call)) this.#touch(path, "Read");
    if (call.name === "write" || call.name === "edit") {
      for (const path of [...namedPaths(call), ...patchedPaths(call)]) this.#touch(path, "Write");
    }
  }

  #touch(path: string, access: Access): void {
    const before = this.#access.get(path);
    this.#access.delete(path);
    this.#access.set(path, before === undefined || before === access ? access : "RW");
  }
}

function namedPaths(call: ToolCallBlock): string[] {
  const { path } = call.arguments;
  return typeof path === "string" && isFilePath(path) ? [path] : [];
}

/** `¶PATH#TAG` heads every section of a patch. */
function patchedPaths(call: ToolCallBlock): string[] {
  const { input } = call.arguments;
  if (typeof input !== "string") return [];
  return [...input.matchAll(/^¶\s*(.+?)(?:#[0-9A-Fa-f]{4})?\s*$/gm)].map((match) => match[1]!);
}

/** Not a URL or another kind of resource, and one line. */
function isFilePath(path: string): boolean {
  return path.trim() !== "" && !/[\r\n]/.test(path) && !/^[a-z][a-z0-9+.-]+:\/\//i.test(path);
}

/** With its separator at the end; empty for a bare name. */
function directoryOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

function pathsIn(details: unknown, key: keyof FileDetails): string[] {
  if (typeof details !== "object" || details === null) return [];
  const list = (details as Partial<Record<string, unknown>>)[key];
  return Array.isArray(list) ? list.filter((path) => typeof path === "string") : [];
}
