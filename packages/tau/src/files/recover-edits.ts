// Puts right what a process left that died while it changed files. If all its moves were made,
// the change stands; otherwise they are taken back, since nobody was told that they had been
// made. A file that has another content by now is somebody's work and is left alone.

import { createDiskStorage, type Storage } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";
import { EditJournal, editsDirectory } from "./edit-journal.ts";
import { withEditLock } from "./edit-lock.ts";
import { stateOf, type StepState } from "./edit-step.ts";
import { FileProblem } from "./file-problem.ts";
import { clearHelpers, takeBack } from "./make-moves.ts";

/**
 * `finished`: the change stands. `undone`: it was taken back, or had not begun. `partly`: taken
 * back but for files that have changed since. `failed`: to be tried again at the next start.
 */
export type RecoveryOutcome = "finished" | "undone" | "partly" | "failed";

export interface RecoveredEdit {
  outcome: RecoveryOutcome;
  /** All files of the change. */
  paths: string[];
  /** Those that have changed since and were left alone. */
  leftAlone: string[];
  /** For the user. */
  message: string;
}

export interface RecoverOptions {
  storage?: Storage;
  signal?: AbortSignal;
}

/** Nobody waits longer than this for a session because of another process; the next change mends too. */
const MAX_WAIT_MS = 2000;

/**
 * At the start of a session. Costs one directory listing where there is nothing to do. What
 * cannot be done is told, never thrown: a session must begin all the same.
 */
export async function recoverEdits(
  agentDirectory: string,
  { storage = createDiskStorage(), signal }: RecoverOptions = {},
): Promise<RecoveredEdit[]> {
  const directory = editsDirectory(agentDirectory);
  try {
    if (!(await EditJournal.areThere(storage, directory))) return [];
    return await withEditLock(directory, { signal, waitMs: MAX_WAIT_MS }, () =>
      recoverLeftovers(storage, directory),
    );
  } catch (error) {
    if (!(error instanceof StorageError || error instanceof FileProblem)) throw error;
    const message = `Tau could not check for interrupted edits. ${error.message}`;
    return [{ outcome: "failed", paths: [], leftAlone: [], message }];
  }
}

/** With the lock held: whatever is noted then is of a process that is no more. */
export async function recoverLeftovers(
  storage: Storage,
  directory: string,
): Promise<RecoveredEdit[]> {
  const { journals, unreadable } = await EditJournal.leftovers(storage, directory);
  const recovered: RecoveredEdit[] = unreadable.map((path) => ({
    outcome: "failed",
    paths: [],
    leftAlone: [],
    message: `${path} records an interrupted edit but cannot be parsed, and was not changed. Remove it once your files are in order.`,
  }));
  for (const journal of journals) recovered.push(await recover(storage, journal));
  return recovered;
}

async function recover(storage: Storage, journal: EditJournal): Promise<RecoveredEdit> {
  const { steps } = journal;
  const paths = [...new Set(steps.map(({ target }) => target))];
  try {
    const left = (await isMade(storage, journal)) ? undefined : await takeAllBack(storage, journal);
    if (await clearHelpers(storage, steps)) await journal.remove();
    return left === undefined
      ? report("finished", paths, [])
      : report(left.length > 0 ? "partly" : "undone", paths, left);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return { ...report("failed", paths, []), message: `${describe(paths)} ${error.message}` };
  }
}

async function isMade(storage: Storage, journal: EditJournal): Promise<boolean> {
  if (await journal.isDone()) return true;
  for (const step of journal.steps) {
    if ((await stateOf(storage, step)) !== "after") return false;
  }
  return true;
}

/** The files that are somebody's work by now. */
async function takeAllBack(storage: Storage, { steps }: EditJournal): Promise<string[]> {
  const left: string[] = [];
  for (const step of steps.toReversed()) {
    const state: StepState = await takeBack(storage, step);
    // A single move is made or not: what is there otherwise was there before.
    if (state === "other" && steps.length > 1) left.unshift(step.target);
  }
  return left;
}

function report(outcome: RecoveryOutcome, paths: string[], leftAlone: string[]): RecoveredEdit {
  const what = describe(paths);
  const message = {
    finished: `${what} It had been written completely, so it was kept.`,
    undone: `${what} It was rolled back: these files are unchanged.`,
    partly: `${what} It was rolled back except in ${leftAlone.join(", ")}, which changed since: check these files.`,
    failed: what,
  }[outcome];
  return { outcome, paths, leftAlone, message };
}

function describe(paths: readonly string[]): string {
  return `An edit of ${paths.join(", ")} was interrupted.`;
}
