// What writing to a path means for whoever gives consent: inside the project, a temporary directory
// or the session's own files it is what the agent is for. Replacing what is there outside of them is
// for a person to decide, and so is any change of a guarded place, wherever that is. A path is
// judged by where it really leads, in each way that the tools may read it.

import { existsSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { ToolError, type CallAssessment } from "@tau/agent/tool";
import { resolvePath, shownPath, tidyPath } from "../resources/local-path.ts";
import { parseAddress } from "../resources/schemes.ts";
import { guardContext, type GuardContext } from "./guard-context.ts";
import type { Workspace } from "./workspace.ts";

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;
/** What comes after one may be a member of an archive, a row of a database or some lines. */
const PART_SIGN = /[:?]/g;
/** Nobody writes more; each costs a look at the disk. */
const MAX_PARTS = 64;
/** More than a person reads; how many were left out is said. */
const MAX_REASONS = 8;

/** `scheme://…`, as opposed to a path. */
export function isAddress(path: string): boolean {
  return ADDRESS.test(path);
}

export async function assessPaths(
  workspace: Workspace,
  paths: readonly string[],
): Promise<CallAssessment> {
  const guard = await guardContext(workspace);
  const subjects: string[] = [];
  const spellings: string[][] = [];
  const reasons = new Set<string>();
  for (const path of paths) {
    const files = await filesOf(path, workspace, guard);
    const [main] = files;
    const own = main === undefined || isAddress(tidyPath(path)) ? tidyPath(path) : main.shown;
    subjects.push(own);
    const others = [tidyPath(path), ...files.map(({ shown }) => shown), ...wholes(path, workspace)];
    spellings.push([...new Set(others)].filter((spelling) => spelling !== own));
    for (const file of files) {
      const reason = reasonAgainst(file, workspace, guard);
      if (reason !== undefined) reasons.add(reason);
    }
  }
  return { tier: "write", subjects, spellings, guard: atMost([...reasons]) };
}

function atMost(reasons: readonly string[]): string | undefined {
  if (reasons.length === 0) return undefined;
  const more = reasons.length - MAX_REASONS;
  const shown = reasons.slice(0, MAX_REASONS).join("; ");
  return more > 0 ? `${shown}; ${more} more` : shown;
}

interface NamedFile {
  /** Absolute, as it is named and as it really is. */
  path: string;
  real: string;
  shown: string;
}

/** The file that is most likely meant first, then all others that it may be. */
async function filesOf(
  given: string,
  workspace: Workspace,
  guard: GuardContext,
): Promise<NamedFile[]> {
  const { files } = workspace;
  const text = tidyPath(given);
  const whole = new Set([...resolved(given, workspace), ...conflictFiles(text, workspace)]);
  const before = partSigns(text).flatMap((at) => resolved(text.slice(0, at), workspace));
  const inside = before.filter((path) => isFile(path) || guard.guards(path) !== undefined);
  const isThere = [...whole].some((path) => existsSync(path));
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
function wholes(path: string, { files }: Workspace): string[] {
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
    return existsSync(path) && statSync(path).isFile();
  } catch (error) {
    // Gone or forbidden since: it cannot be written either.
    if (typeof (error as { code?: unknown }).code === "string") return false;
    throw error;
  }
}

function reasonAgainst(
  { path, real }: NamedFile,
  workspace: Workspace,
  guard: GuardContext,
): string | undefined {
  const isThere = existsSync(real);
  const place = guard.guards(real) ?? guard.guards(path);
  const named = atHome(real, workspace.files.home);
  if (place !== undefined) return `${isThere ? "overwrites" : "creates"} ${named}, ${place}`;
  if (!isThere || isOurs(real, workspace, guard)) return undefined;
  return hasInside(workspace, guard)
    ? `overwrites ${named}, outside the project`
    : `overwrites ${named}, in a project that covers your home directory`;
}

function isOurs(real: string, workspace: Workspace, guard: GuardContext): boolean {
  const own = [...guard.temporary, workspace.files.localRoot];
  if (hasInside(workspace, guard)) own.push(workspace.cwd);
  return own.some((directory) => isWithin(real, guard.real(directory)));
}

/** Whoever starts at home or above works on none of it in particular. */
function hasInside({ cwd, files }: Workspace, { real }: GuardContext): boolean {
  return !isWithin(real(files.home), real(cwd));
}

function isWithin(path: string, directory: string): boolean {
  return !isAbsolute(shownPath(path, directory));
}

function atHome(path: string, home: string): string {
  const inside = shownPath(path, home);
  return isAbsolute(inside) ? path : `~/${inside}`;
}
