// What startup files came to, kept from one start of Tau to the next. A file for each content of
// theirs; what cannot be read counts as absent, and a disk that takes nothing costs only time.

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createDiskStorage } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";
import type { RcOutcome } from "@tau/host/shell/take-rc-snapshot";

const DIRECTORY = "shell-rc";
/** For the startup files of a few machines and environments that share a home. */
const MAX_FILES = 8;

export interface CachedRc {
  outcome: RcOutcome;
  ageMs: number;
}

export function readCachedRc(agentDirectory: string, key: string): CachedRc | undefined {
  const path = fileOf(agentDirectory, key);
  try {
    const outcome: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!isOutcome(outcome)) return undefined;
    return { outcome, ageMs: Date.now() - statSync(path).mtimeMs };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (typeof (error as { code?: unknown }).code === "string") return undefined;
    throw error;
  }
}

export async function writeCachedRc(
  agentDirectory: string,
  key: string,
  outcome: RcOutcome,
): Promise<void> {
  try {
    mkdirSync(join(agentDirectory, DIRECTORY), { recursive: true, mode: 0o700 });
    const bytes = Buffer.from(JSON.stringify(outcome));
    await createDiskStorage().replace(fileOf(agentDirectory, key), bytes, {
      point: "shell-rc.write",
    });
    removeOldest(join(agentDirectory, DIRECTORY));
  } catch (error) {
    if (error instanceof StorageError) return;
    if (typeof (error as { code?: unknown }).code !== "string") throw error;
  }
}

function removeOldest(directory: string): void {
  const files = readdirSync(directory)
    .map((name) => join(directory, name))
    .map((path) => ({ path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.at - a.at);
  for (const { path } of files.slice(MAX_FILES)) rmSync(path, { force: true });
}

function fileOf(agentDirectory: string, key: string): string {
  return join(agentDirectory, DIRECTORY, `${key}.json`);
}

function isOutcome(value: unknown): value is RcOutcome {
  const { ok, why, snapshot } = (value ?? {}) as Record<string, unknown>;
  if (ok === false) return typeof why === "string";
  const parts = (snapshot ?? {}) as Record<string, unknown>;
  return (
    ok === true &&
    [parts.aliases, parts.functions, parts.variables].every(isTexts) &&
    [parts.options, parts.pathEntries].every((list) => Array.isArray(list) && list.every(isText))
  );
}

function isTexts(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.values(value).every(isText);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
