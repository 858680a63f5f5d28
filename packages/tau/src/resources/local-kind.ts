// Files and directories of this machine. What is no plain file is refused before it is opened:
// a pipe would wait for ever, a device would never end.

import { stat, type FileHandle, open } from "node:fs/promises";
import { ToolError } from "@tau/agent/tool";
import { lostName } from "@tau/host/walk/byte-name";
import { onDisk } from "@tau/host/walk/byte-path";
import { lostNameSentence } from "../files/file-kind.ts";
import { resolvePath, shownPath, spelledOnDisk } from "./local-path.ts";
import type { Resource, ResourceKind, ResourceRequest } from "./resource.ts";
import { statIfThere } from "./stat-if-there.ts";

/** As git does: a zero byte early on means that this is no text. */
const SNIFF_BYTES = 8000;

export interface LocalPlace {
  cwd: string;
  home: string;
}

export function createLocalKind(place: LocalPlace): ResourceKind {
  return {
    name: "file",
    async open(request) {
      const found = await locate(request, place);
      const shown = shownPath(found.path, place.cwd);
      const stats = await statIfThere(found.path);
      if (!stats) throw new ToolError(`${shown} is a link that leads nowhere.`);
      if (stats.isDirectory()) {
        return { type: "directory", path: found.path, shown, notes: found.notes };
      }
      if (!stats.isFile()) throw new ToolError(`${shown} is ${kindOf(stats)}, not a file to read.`);
      return { type: "file", path: found.path, shown, notes: found.notes } satisfies Resource;
    },
  };
}

async function locate(
  { path, signal }: ResourceRequest,
  place: LocalPlace,
): Promise<{ path: string; notes: string[] }> {
  const wanted = resolvePath(path, place);
  const problem = await whyNot(wanted);
  if (problem === undefined) return { path: wanted, notes: [] };
  if (problem !== "ENOENT" && problem !== "ENOTDIR") throw unreadable(path, problem);
  const spelled = spelledOnDisk(wanted);
  if (spelled !== undefined) return { path: spelled, notes: [] };
  const lost = await lostName(wanted);
  if (lost !== undefined) {
    throw new ToolError(lostNameSentence(path, shownPath(lost, place.cwd)));
  }
  await refuseTail(path, place);
  const { findBySuffix } = await import("@tau/host/walk/suffix-match");
  const match = await findBySuffix({ root: place.cwd, path, signal });
  signal.throwIfAborted();
  if (match.kind === "unique") {
    const shown = shownPath(match.path, place.cwd);
    return { path: match.path, notes: [`[${path} does not exist; this is ${shown}]`] };
  }
  if (match.kind === "ambiguous") {
    const shown = match.paths.map((one) => shownPath(one, place.cwd)).join(", ");
    throw new ToolError(`${path} does not exist. Which one do you mean: ${shown}?`);
  }
  throw new ToolError(`${path} does not exist. Look with find, or read the directory above it.`);
}

/** `a.ts:-5`: the last lines to some, the first ones to others; neither is guessed. */
async function refuseTail(path: string, place: LocalPlace): Promise<void> {
  const [, file, count] = /^(.+):-(\d+)$/s.exec(path) ?? [];
  if (file === undefined || !(await statIfThere(resolvePath(file, place)))?.isFile()) return;
  throw new ToolError(
    `:-${count} is not a range: lines are counted from 1. The first ${count} are ${file}:1-${count}; for the last, use bash: tail -n ${count}.`,
  );
}

/** The system's code for why it cannot be reached. */
async function whyNot(path: string): Promise<string | undefined> {
  try {
    await stat(onDisk(path));
    return undefined;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code === "string") return code;
    throw error;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "cannot be read: permission denied",
  EPERM: "cannot be read: permission denied",
  ELOOP: "is a link that points to itself",
  ENAMETOOLONG: "is longer than the maximum path length",
};

function unreadable(path: string, code: string): ToolError {
  return new ToolError(`${path} ${REASONS[code] ?? `cannot be read (${code})`}.`);
}

function kindOf(stats: {
  isFIFO(): boolean;
  isSocket(): boolean;
  isCharacterDevice(): boolean;
  isBlockDevice(): boolean;
}): string {
  if (stats.isFIFO()) return "a named pipe";
  if (stats.isSocket()) return "a socket";
  if (stats.isCharacterDevice() || stats.isBlockDevice()) return "a device";
  return "something special";
}

/** Opens a plain file; what the system refuses becomes a sentence. */
export async function openPlain(path: string, shown: string): Promise<FileHandle> {
  try {
    return await open(onDisk(path), "r");
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code === "string") throw unreadable(shown, code);
    throw error;
  }
}

/** Whether the beginning of a file is text. */
export async function isBinary(file: FileHandle): Promise<boolean> {
  const head = Buffer.alloc(SNIFF_BYTES);
  const { bytesRead } = await file.read(head, 0, SNIFF_BYTES, 0);
  return head.subarray(0, bytesRead).includes(0);
}
