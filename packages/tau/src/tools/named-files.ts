// Which files a path may mean: itself, the file before each of its colons (an archive, a database,
// some lines), the file of a conflict, the session's own; each by name and by where it really leads.

import { existsSync, statSync } from "node:fs";
import { ToolError } from "@tau/agent/tool";
import { onDisk } from "@tau/host/walk/byte-path";
import { resolvePath, tidyPath } from "../resources/local-path.ts";
import { parseAddress } from "../resources/schemes.ts";
import type { GuardContext } from "./guard-context.ts";
import type { Workspace } from "./workspace.ts";

/** What comes after one may be a member of an archive, a row of a database or some lines. */
const PART_SIGN = /[:?]/g;
/** Nobody writes more; each costs a look at the disk. */
const MAX_PARTS = 64;

export interface NamedFile {
  /** Absolute, as it is named and as it really is. */
  path: string;
  real: string;
  shown: string;
}

/** The file that is most likely meant first, then all others that it may be. */
export async function namedFiles(
  given: string,
  workspace: Workspace,
  guard: GuardContext,
): Promise<NamedFile[]> {
  const { files } = workspace;
  const text = tidyPath(given);
  const whole = new Set([...resolved(given, workspace), ...conflictFiles(text, workspace)]);
  const before = partSigns(text).flatMap((at) => resolved(text.slice(0, at), workspace));
  const isGuarded = (path: string): boolean =>
    guard.guards(path) !== undefined || guard.guards(guard.real(path)) !== undefined;
  const inside = before.filter((path) => isFile(path) || isGuarded(path));
  const isThere = [...whole].some((path) => existsSync(onDisk(path)));
  const named = new Set(isThere ? [...whole, ...inside] : [...inside.toReversed(), ...whole]);
  const found: NamedFile[] = [];
  for (const path of named) {
    // A link that leads nowhere yet is followed by the one, drives of Windows by the other.
    const identity = await files.identify(path);
    const linked = process.platform === "win32" ? identity : guard.real(path);
    for (const real of new Set([identity, linked]))
      found.push({ path, real, shown: files.shown(real) });
  }
  return found;
}

/** As files of the session and as files of the disk: those who write do not all read it alike. */
function resolved(path: string, { files }: Workspace): string[] {
  const plain = resolvePath(path, files);
  try {
    return [...new Set([files.resolve(path), plain])];
  } catch (error) {
    // It leads out of the session's own directory, and whoever writes it is told so.
    if (error instanceof ToolError) return [plain];
    throw error;
  }
}

function partSigns(text: string): number[] {
  const found = [...text.matchAll(PART_SIGN)].map(({ index }) => index).filter((at) => at > 0);
  return found.slice(0, MAX_PARTS);
}

/** What a rule may call it that is about the file and not about a part of it. */
export function wholes(path: string, { files }: Workspace): string[] {
  const text = tidyPath(path);
  return partSigns(text).map((at) => files.shown(resolvePath(text.slice(0, at), files)));
}

/** `conflict://2`, `conflict://*`: what is written is the file that the conflict is in. */
function conflictFiles(text: string, { files }: Workspace): string[] {
  const address = parseAddress(text);
  if (address?.scheme !== "conflict") return [];
  const [id = ""] = address.path.split("/");
  const { all } = files.conflicts;
  const meant = id === "*" ? all : all.filter((conflict) => conflict.id === id);
  return meant.map(({ path }) => path);
}

function isFile(path: string): boolean {
  try {
    return existsSync(onDisk(path)) && statSync(onDisk(path)).isFile();
  } catch (error) {
    // Gone or forbidden since: it cannot be written either.
    if (typeof (error as { code?: unknown }).code === "string") return false;
    throw error;
  }
}
