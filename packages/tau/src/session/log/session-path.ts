// Where a session's file lives: one directory per working directory, one file per session.
// The directory's name is for people and for finding sessions of one place; it need not be
// unique, because the header says exactly where a session took place.

import { join } from "node:path";

/** Of 255 bytes that common file systems take, some are left for suffixes. */
const MAX_NAME_BYTES = 200;
const HASH_DIGITS = 12;

const WINDOWS_PATH = /^(?:[A-Za-z]:(?:[\\/]|$)|\\\\)/;

interface PlainPath {
  /** With slashes only and none at the end; empty for the root. */
  text: string;
  /** What decides equality: Windows does not tell `C:\Users` from `c:\users`. */
  key: string;
}

function plain(path: string): PlainPath {
  const isWindows = WINDOWS_PATH.test(path);
  const text = (isWindows ? path.replaceAll("\\", "/") : path).replace(/\/+$/, "");
  return { text, key: isWindows ? text.toLowerCase() : text };
}

/** The way from `base` down to `path`; undefined where it is not below. */
function below(path: PlainPath, base: PlainPath): string | undefined {
  if (path.key === base.key) return "";
  return path.key.startsWith(`${base.key}/`) ? path.text.slice(base.text.length + 1) : undefined;
}

function flat(text: string): string {
  return text.replace(/[/\\:]/g, "-");
}

/**
 * `-<relative>` below the home directory, `-tmp-<relative>` below the temporary one,
 * `--<absolute>--` elsewhere. All three paths are absolute and without links.
 */
export function sessionDirectoryName(cwd: string, home: string, tmp: string): string {
  const path = plain(cwd);
  const inHome = home === "" ? undefined : below(path, plain(home));
  if (inHome !== undefined) return bounded(`-${flat(inHome)}`);
  const inTmp = tmp === "" ? undefined : below(path, plain(tmp));
  if (inTmp !== undefined) return bounded(inTmp === "" ? "-tmp" : `-tmp-${flat(inTmp)}`);
  return bounded(`--${flat(path.text.replace(/^\/+/, ""))}--`);
}

/** A name that is too long is cut and told from its like by a hash of the whole. */
function bounded(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const hash = new Bun.CryptoHasher("sha256").update(name).digest("hex").slice(0, HASH_DIGITS);
  const room = MAX_NAME_BYTES - HASH_DIGITS - 1;
  const cut = new TextDecoder().decode(Buffer.from(name).subarray(0, room));
  // Whatever the cut left of a character takes at most as many bytes as it had.
  return `${cut.replace(/\uFFFD+$/, "")}-${hash}`;
}

/** `<timestamp>_<id>.jsonl`, with a timestamp that every file system takes. */
export function sessionFileName(timestamp: string, id: string): string {
  return `${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`;
}

export interface SessionPlace {
  agentDirectory: string;
  cwd: string;
  home: string;
  tmp: string;
}

export function sessionDirectory({ agentDirectory, cwd, home, tmp }: SessionPlace): string {
  return join(agentDirectory, "sessions", sessionDirectoryName(cwd, home, tmp));
}

/** Shared by all sessions: the same image is stored once. */
export function blobDirectory(agentDirectory: string): string {
  return join(agentDirectory, "blobs");
}
