// The single moves that a change of several files is made of, and how one tells from the disk
// alone whether a move has been made. A file that moves is created in one place and removed in
// the other.

import type { Storage } from "@tau/host/storage";
import { entryAt } from "./file-kind.ts";

/** Of a content: equal prints are equal contents. */
export interface ContentPrint {
  size: number;
  sha256: string;
}

export type EditStep = ReplaceStep | CreateStep | RemoveStep;

export interface ReplaceStep {
  kind: "replace";
  /** Without links. */
  target: string;
  /** Holds the new content until it takes the target's place. */
  temporary: string;
  /** Where the old file stays until all moves are made; a single move needs none. */
  backup?: string;
  /** Absent where the old content was never read. */
  before?: ContentPrint;
  after: ContentPrint;
}

export interface CreateStep {
  kind: "create";
  target: string;
  temporary: string;
  after: ContentPrint;
}

export interface RemoveStep {
  kind: "remove";
  target: string;
  backup?: string;
  before?: ContentPrint;
}

/** `other`: somebody has been there since. */
export type StepState = "before" | "after" | "other";

export function printOf(bytes: Uint8Array): ContentPrint {
  return { size: bytes.length, sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex") };
}

export async function stateOf(storage: Storage, step: EditStep): Promise<StepState> {
  const entry = await entryAt(step.target);
  if (!entry) {
    if (step.kind === "replace") return "other";
    return step.kind === "create" ? "before" : "after";
  }
  if (!entry.isFile()) return "other";
  // The new content first: where both are equal, a finished move needs nothing more.
  if (step.kind !== "remove" && (await hasPrint(storage, step.target, entry.size, step.after))) {
    return "after";
  }
  if (step.kind === "create" || step.before === undefined) return "other";
  return (await hasPrint(storage, step.target, entry.size, step.before)) ? "before" : "other";
}

/** The size decides first: nobody reads a huge file to learn that it is another one. */
async function hasPrint(
  storage: Storage,
  path: string,
  size: number,
  print: ContentPrint,
): Promise<boolean> {
  if (size !== print.size) return false;
  const bytes = await storage.read(path, { length: print.size + 1 });
  return printOf(bytes).sha256 === print.sha256 && bytes.length === print.size;
}

/** What the moves need beside the files; nothing of it may stay. */
export function helpersOf(step: EditStep): string[] {
  const helpers: (string | undefined)[] = [
    "temporary" in step ? step.temporary : undefined,
    "backup" in step ? step.backup : undefined,
  ];
  return helpers.filter((path) => path !== undefined);
}
