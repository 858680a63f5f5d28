// What kind of machine a host is, as far as commands depend on it. Asked once; the answer is kept
// on disk, because it hardly ever changes and tools are described with it.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { StorageError } from "../storage-error.ts";
import type { WindowsShell } from "./windows-command.ts";

export interface PosixFacts {
  system: "posix";
  /** As `uname` says: `Linux`, `Darwin`. */
  os: string;
  arch: string;
  /** The login shell's name, such as `bash`. */
  shell: string;
}

export interface WindowsFacts {
  system: "windows";
  shell: WindowsShell;
  /** A POSIX shell that was found there. */
  compat?: "bash" | "sh";
}

export type RemoteFacts = PosixFacts | WindowsFacts;

const PROBE_MARK = "tau-probe";
export const POSIX_PROBE = `exec sh -c 'echo ${PROBE_MARK}; uname -s; uname -m; echo "$SHELL"'`;
/** Each of the two shells fills in one of the two. */
export const WINDOWS_PROBE = "echo %OS% $env:OS";
export const compatProbe = (shell: "bash" | "sh"): string => `${shell} -c "echo ${PROBE_MARK}"`;

/** Startup files may print before the answer. */
export function readPosixProbe(output: string): PosixFacts | undefined {
  const lines = output.split(/\r?\n/);
  const at = lines.lastIndexOf(PROBE_MARK);
  const [os, arch, shell] = at < 0 ? [] : lines.slice(at + 1);
  if (!os || !arch || shell === undefined) return undefined;
  return { system: "posix", os, arch, shell: shell.split("/").at(-1) || "sh" };
}

export function readWindowsProbe(output: string): WindowsShell | undefined {
  if (/Windows_NT \$env:OS/.test(output)) return "cmd";
  return /%OS%\s+Windows_NT/.test(output) ? "powershell" : undefined;
}

export function hasProbeMark(output: string): boolean {
  return output.split(/\r?\n/).includes(PROBE_MARK);
}

/** For people and models: `Linux x86_64, bash`. */
export function describeFacts(facts: RemoteFacts): string {
  if (facts.system === "posix") return `${facts.os} ${facts.arch}, ${facts.shell}`;
  return `Windows, ${facts.compat ?? facts.shell}`;
}

/** Files of another shape are asked for again. */
const FACTS_VERSION = 1;

/** A file a host; `identity` is what `ssh` connects to, so that a name that moved is asked anew. */
export class FactsCache {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** `identity` left out: whatever was last known under the name. */
  read(name: string, identity?: string): RemoteFacts | undefined {
    let kept: unknown;
    try {
      kept = JSON.parse(readFileSync(this.#path(name), "utf8"));
    } catch (error) {
      // Not there, torn, or not ours to read: asking again costs a moment.
      if (error instanceof SyntaxError) return undefined;
      if (typeof (error as { code?: unknown }).code === "string") return undefined;
      throw error;
    }
    const { version, identity: known, facts } = (kept ?? {}) as Record<string, unknown>;
    if (version !== FACTS_VERSION || (identity !== undefined && known !== identity))
      return undefined;
    return isFacts(facts) ? facts : undefined;
  }

  /** A cache that cannot be written is none. */
  async write(name: string, identity: string, facts: RemoteFacts): Promise<void> {
    const { createDiskStorage } = await import("../storage.ts");
    const storage = createDiskStorage();
    const text = JSON.stringify({ version: FACTS_VERSION, identity, facts });
    try {
      await storage.makeDirectory(this.#directory, { point: "ssh-facts.directory" });
      const bytes = Buffer.from(`${text}\n`);
      await storage.replace(this.#path(name), bytes, { point: "ssh-facts.write" });
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
    }
  }

  #path(name: string): string {
    return join(
      this.#directory,
      `${createHash("sha256").update(name).digest("hex").slice(0, 16)}.json`,
    );
  }
}

function isFacts(value: unknown): value is RemoteFacts {
  if (typeof value !== "object" || value === null) return false;
  const { system, shell } = value as Record<string, unknown>;
  return (system === "posix" || system === "windows") && typeof shell === "string";
}
