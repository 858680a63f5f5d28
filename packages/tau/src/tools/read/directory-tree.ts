// A directory as a tree: two levels, the newest first, with sizes and ages, so that one look
// tells what is there and what is being worked on.

import { stat } from "node:fs/promises";
import { ToolError } from "@tau/agent/tool";
import { writtenName } from "@tau/host/walk/byte-name";
import { onDisk } from "@tau/host/walk/byte-path";
import {
  childPath,
  listDirectory,
  type DirectoryPath,
  type ListedEntry,
} from "@tau/host/walk/list-directory";
import { BYTE_NAMES_NOTE, printableName } from "../../resources/printable-name.ts";

const MAX_DEPTH = 2;
/** Of the directory itself; find lists the others. */
const ROOT_SHOWN = 300;
/** Of each directory below the first. */
const CHILDREN_SHOWN = 12;
/** What is in it is for git to tell. */
const GIT_DIRECTORY = ".git";
/** A directory of a million files is listed by find. */
const MAX_ENTRIES = 2000;
/** Asked for at the same time; more only queue in the system. */
const STATS_AT_ONCE = 64;

interface Child {
  /** As it is written. */
  name: string;
  isByteName: boolean;
  location: DirectoryPath;
  isDirectory: boolean;
  size: number;
  mtimeMs: number;
}

export interface DirectoryTree {
  text: string;
  entries: number;
  isCut: boolean;
}

export async function directoryTree(
  path: string,
  options: { shown: string; now?: number },
): Promise<DirectoryTree> {
  const now = options.now ?? Date.now();
  const rows: string[] = [];
  let entries = 0;
  let isCut = false;
  let hasByteNames = false;

  async function visit(directory: DirectoryPath, depth: number): Promise<void> {
    const { children, hidden } = await childrenOf(directory, depth, options.shown);
    const indent = "  ".repeat(depth);
    for (const child of children) {
      entries++;
      hasByteNames ||= child.isByteName;
      const size = child.isDirectory ? "" : `  ${sizeText(child.size)}`;
      const name = child.isDirectory ? `${child.name}/` : child.name;
      rows.push(`${indent}${printableName(name)}${size}  ${ageText(now - child.mtimeMs)}`);
      if (child.isDirectory && depth + 1 < MAX_DEPTH) {
        await visit(child.location, depth + 1);
      }
    }
    if (hidden > 0) {
      isCut = true;
      rows.push(`${indent}… ${hidden} more`);
    }
  }

  await visit(onDisk(path), 0);
  if (hasByteNames) rows.push(BYTE_NAMES_NOTE);
  return { text: rows.length === 0 ? "(empty directory)" : rows.join("\n"), entries, isCut };
}

async function childrenOf(
  directory: DirectoryPath,
  depth: number,
  shown: string,
): Promise<{ children: Child[]; hidden: number }> {
  let listed: ListedEntry[];
  try {
    listed = await listDirectory(directory);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code !== "string") throw error;
    // One that may not be looked into is still one that is there.
    if (depth > 0) return { children: [], hidden: 0 };
    throw new ToolError(`${shown} cannot be listed (${code}).`);
  }
  const entries = listed.filter(({ name }) => name !== GIT_DIRECTORY);
  const looked = entries.slice(0, MAX_ENTRIES);
  const children = await withStats(directory, looked);
  children.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.name < b.name ? -1 : 1));
  const kept = children.slice(0, depth === 0 ? ROOT_SHOWN : CHILDREN_SHOWN);
  return { children: kept, hidden: entries.length - kept.length };
}

async function withStats(
  directory: DirectoryPath,
  listed: readonly ListedEntry[],
): Promise<Child[]> {
  const children: Child[] = [];
  for (let at = 0; at < listed.length; at += STATS_AT_ONCE) {
    const some = listed.slice(at, at + STATS_AT_ONCE);
    children.push(...(await Promise.all(some.map((entry) => childOf(directory, entry)))));
  }
  return children;
}

async function childOf(directory: DirectoryPath, entry: ListedEntry): Promise<Child> {
  const location = childPath(directory, entry);
  // A link to a directory is shown, and not followed: it may lead back here.
  const child = {
    name: writtenName(entry),
    isByteName: entry.rawName !== undefined,
    location,
    isDirectory: entry.kind === "directory",
  };
  try {
    const { size, mtimeMs } = await stat(location);
    return { ...child, size, mtimeMs };
  } catch (error) {
    // Gone meanwhile, or a link that leads nowhere.
    if (typeof (error as { code?: unknown }).code !== "string") throw error;
    return { ...child, size: 0, mtimeMs: 0 };
  }
}

const UNITS = ["B", "KB", "MB", "GB", "TB"];

export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}

const AGES: readonly [limitS: number, unitS: number, letter: string][] = [
  [60, 1, "s"],
  [3600, 60, "min"],
  [86_400, 3600, "h"],
  [30 * 86_400, 86_400, "d"],
  [365 * 86_400, 30 * 86_400, "mo"],
  [Infinity, 365 * 86_400, "y"],
];

export function ageText(ms: number): string {
  const seconds = Math.max(0, ms / 1000);
  const [, unit, letter] = AGES.find(([limit]) => seconds < limit)!;
  return `${Math.floor(seconds / unit)}${letter}`;
}
