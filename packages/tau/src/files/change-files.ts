// Changes files all together or not at all. Under one lock: everything is compared with the
// disk, a journal is written, the new contents are prepared beside their places, everything is
// compared again, and only then do the files change, each by one atomic move. If anything goes
// wrong the moves are taken back; if the process dies, the next one does that.

import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { createDiskStorage, SHARED_DIRECTORY_MODE, type Storage } from "@tau/host/storage";
import { attempt, StorageError } from "@tau/host/storage-error";
import { EditJournal, editsDirectory } from "./edit-journal.ts";
import { withEditLock } from "./edit-lock.ts";
import { stateOf, type EditStep } from "./edit-step.ts";
import type { FileChange } from "./file-change.ts";
import { FileProblem, type ShowPath } from "./file-problem.ts";
import { clearHelpers, makeMove, takeBack } from "./make-moves.ts";
import { prepareChange, verify, type PreparedChange, type PreparedStep } from "./prepare-change.ts";
import { recoverLeftovers, type RecoveredEdit } from "./recover-edits.ts";
import { keepBackup, stageContent } from "./stage-file.ts";

/** More files than a model names in one patch; each is held in memory. */
export const MAX_CHANGED_FILES = 1000;

/** Where Tau cannot keep a journal: a home that may not be written to, or none. */
const NO_PLACE: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "ENOENT"]);

export interface ChangeOptions {
  /** Where the journal and the lock are. */
  agentDirectory: string;
  storage?: Storage;
  /** Until the first file is changed. */
  signal?: AbortSignal;
  show?: ShowPath;
  lockWaitMs?: number;
}

export interface ChangedFile {
  /** As the change named it. */
  path: string;
  /** The file that really changed: links followed, and where it moved to. */
  target: string;
  madeExecutable: boolean;
}

export interface ChangeReport {
  /** In the order of the changes. */
  files: ChangedFile[];
  /** What had to be put right first. */
  recovered: RecoveredEdit[];
}

/** The disk failed and failed again while the change was taken back. */
export class UnfinishedChange extends Error {
  override readonly name = "UnfinishedChange";
  readonly paths: string[];

  constructor(paths: string[], cause: Error) {
    super(
      `The change of ${paths.join(", ")} failed and could not be rolled back; the next start of Tau tries again. Check these files before you continue. ${cause.message}`,
      { cause },
    );
    this.paths = paths;
  }
}

interface Work {
  storage: Storage;
  show: ShowPath;
  signal: AbortSignal | undefined;
}

/**
 * Rejects with a `FileProblem` or a `StorageError` where nothing was changed, and with
 * `UnfinishedChange` where that is not certain.
 */
export async function changeFiles(
  changes: readonly FileChange[],
  options: ChangeOptions,
): Promise<ChangeReport> {
  const { storage = createDiskStorage(), show = (path) => path, signal, lockWaitMs } = options;
  const work = { storage, show, signal };
  signal?.throwIfAborted();
  const directory = await journalDirectory(storage, options.agentDirectory);
  if (directory === undefined) return { files: await changeAll(changes, work), recovered: [] };
  return withEditLock(directory, { signal, waitMs: lockWaitMs }, async () => {
    const recovered = await recoverLeftovers(storage, directory);
    return { files: await changeAll(changes, work, directory), recovered };
  });
}

async function journalDirectory(
  storage: Storage,
  agentDirectory: string,
): Promise<string | undefined> {
  const directory = editsDirectory(agentDirectory);
  try {
    await storage.makeDirectory(directory, { point: "edit.place" });
    await attempt("open", directory, () => access(directory, constants.W_OK));
    return directory;
  } catch (error) {
    if (error instanceof StorageError && NO_PLACE.has(error.code)) return undefined;
    throw error;
  }
}

async function changeAll(
  changes: readonly FileChange[],
  work: Work,
  directory?: string,
): Promise<ChangedFile[]> {
  const prepared = await prepareAll(changes, work);
  const steps = prepared.flatMap((one) => one.steps);
  if (steps.length > 1 && directory === undefined) {
    throw new FileProblem(
      "no_journal",
      changes[0]!.path,
      "Tau's own directory cannot be written, so several files cannot be changed as one. Change one file at a time.",
    );
  }
  // A single move is atomic by itself: there is nothing to go back to.
  if (steps.length === 1 && "backup" in steps[0]!.step) delete steps[0]!.step.backup;
  if (steps.length > 0) await changeSteps(steps, work, directory);
  return prepared.map(({ change, target, madeExecutable }) => ({
    path: change.path,
    target,
    madeExecutable,
  }));
}

async function prepareAll(changes: readonly FileChange[], { show }: Work) {
  if (changes.length > MAX_CHANGED_FILES) {
    throw new FileProblem(
      "too_many",
      changes[0]!.path,
      `${changes.length} files are too many for one change. Change at most ${MAX_CHANGED_FILES} at a time.`,
    );
  }
  const prepared: PreparedChange[] = [];
  const targets = new Set<string>();
  for (const change of changes) {
    const one = await prepareChange(change, show);
    for (const target of new Set([one.target, ...one.steps.map(({ step }) => step.target)])) {
      if (targets.has(target)) {
        throw new FileProblem(
          "named_twice",
          target,
          `${show(target)} is named twice in one change. Say once what becomes of it.`,
        );
      }
      targets.add(target);
    }
    prepared.push(one);
  }
  return prepared;
}

async function changeSteps(
  prepared: readonly PreparedStep[],
  work: Work,
  directory: string | undefined,
): Promise<void> {
  const { storage } = work;
  const steps = prepared.map(({ step }) => step);
  for (const one of prepared) await verify(storage, one, work.show);
  const journal =
    directory === undefined ? undefined : await EditJournal.begin(storage, directory, steps);
  let isMoving = false;
  try {
    for (const one of prepared) await stage(storage, one);
    work.signal?.throwIfAborted();
    for (const one of prepared) await verify(storage, one, work.show);
    for (const one of prepared) {
      // Once more, as close to the move as can be: nobody else needs to know of our lock.
      await verify(storage, one, work.show);
      isMoving = true;
      await makeMove(storage, one.step);
    }
    if (journal && steps.length > 1 && !(await journal.markDone())) {
      throw new StorageError({ code: "EIO", path: directory!, operation: "rename" });
    }
  } catch (error) {
    const isMade =
      isMoving && error instanceof StorageError && (await isMadeAnyway(storage, steps));
    if (!isMade) {
      await takeAllBack(storage, steps, error);
      await tidy(storage, steps, journal);
      throw error;
    }
  }
  await tidy(storage, steps, journal);
}

async function stage(storage: Storage, prepared: PreparedStep): Promise<void> {
  const { step, content, like, isExecutable } = prepared;
  if ("backup" in step && step.backup !== undefined) {
    await keepBackup(storage, step.target, step.backup, like!);
  }
  if (step.kind === "remove") return;
  const directory = dirname(step.target);
  await storage.makeDirectory(directory, { point: "edit.directory", mode: SHARED_DIRECTORY_MODE });
  await stageContent(storage, step.temporary, content!, { like, isExecutable });
}

/** A single move whose last flush failed was made all the same, and cannot be taken back. */
async function isMadeAnyway(storage: Storage, [step, more]: readonly EditStep[]): Promise<boolean> {
  if (step === undefined || more !== undefined || step.kind === "create") return false;
  if ("temporary" in step && (await storage.stat(step.temporary)) !== undefined) return false;
  return (await stateOf(storage, step)) === "after";
}

async function takeAllBack(
  storage: Storage,
  steps: readonly EditStep[],
  reason: unknown,
): Promise<void> {
  try {
    for (const step of steps.toReversed()) await takeBack(storage, step);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const paths = steps.map(({ target }) => target);
    throw new UnfinishedChange(paths, reason instanceof Error ? reason : error);
  }
}

/** What cannot be cleared away now is cleared away at the next start: the journal stays. */
async function tidy(
  storage: Storage,
  steps: readonly EditStep[],
  journal: EditJournal | undefined,
): Promise<void> {
  try {
    if (await clearHelpers(storage, steps)) await journal?.remove();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
  }
}
