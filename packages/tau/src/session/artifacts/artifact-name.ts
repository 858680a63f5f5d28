// What artifacts are called: `artifact://3` to a model, `3.bash.log` on disk. A tool's name
// comes from anywhere (a server, an extension), so that only harmless characters of it become
// part of a file's name.

import { join } from "node:path";

/** Enough for every session; larger numbers are somebody else's files. */
const ID = /^(?:0|[1-9]\d{0,8})$/;
const FILE = /^(0|[1-9]\d{0,8})\.(.+)\.log$/;
const CLAIM = /^\.(0|[1-9]\d{0,8})\.claim$/;
/** Of the 255 bytes that a name may have, most are left for whatever is put around it. */
const MAX_TOOL_CHARACTERS = 64;
const UNNAMED_TOOL = "tool";

export function isArtifactId(text: string): boolean {
  return ID.test(text);
}

export function artifactFileName(id: number, tool: string): string {
  return `${id}.${plainTool(tool)}.log`;
}

function plainTool(tool: string): string {
  const plain = tool.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "");
  return plain.slice(0, MAX_TOOL_CHARACTERS) || UNNAMED_TOOL;
}

export function parseArtifactFileName(name: string): { id: number; tool: string } | undefined {
  const found = FILE.exec(name);
  return found ? { id: Number(found[1]), tool: found[2]! } : undefined;
}

/** Whoever creates this name first has the number, whatever the tool is called. */
export function claimName(id: number): string {
  return `.${id}.claim`;
}

export function parseClaimName(name: string): number | undefined {
  const found = CLAIM.exec(name);
  return found ? Number(found[1]) : undefined;
}

/** Beside the session's file. */
export function artifactDirectory(sessionPath: string): string {
  const stem = sessionPath.replace(/\.jsonl$/, "");
  return stem === sessionPath ? `${sessionPath}.artifacts` : stem;
}

/**
 * Where else a session's artifacts may be: a file that was written again under another name
 * (a migration's successor, a recovery) still speaks of those that its original had.
 */
export function inheritedDirectories(sessionPath: string, migratedFrom?: string): string[] {
  const recovered = sessionPath.replace(/\.recovered(?:-\d+)?\.jsonl$/, ".jsonl");
  const origins = [recovered, ...(migratedFrom === undefined ? [] : [migratedFrom])];
  const own = artifactDirectory(sessionPath);
  return [...new Set(origins.map((path) => join(artifactDirectory(path))))].filter(
    (directory) => directory !== join(own),
  );
}
