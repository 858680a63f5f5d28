// From what is wanted of a file to the moves that do it, and the check that the disk still is
// what the change was made for. Nothing is written here.

import { temporaryPathFor } from "@tau/host/replace-file";
import type { Storage } from "@tau/host/storage";
import { printOf, type EditStep } from "./edit-step.ts";
import { haveSameMark, type FileChange, type FileMark } from "./file-change.ts";
import {
  entryAt,
  findFile,
  realTarget,
  refuseBelowFile,
  refuseReadOnly,
  type ExistingFile,
} from "./file-kind.ts";
import { FileProblem, type ShowPath } from "./file-problem.ts";
import { MAX_TEXT_BYTES } from "./read-text-file.ts";
import { executableMode, type OwnerAndMode } from "./stage-file.ts";

export interface PreparedStep {
  step: EditStep;
  /** What must be there: these bytes, the file of this mark, or nothing. */
  expected: Uint8Array | FileMark | undefined;
  /** The new content; undefined for a removal. */
  content: Uint8Array | undefined;
  /** Whose owner and mode a new content takes over, and what a backup is of. */
  like: OwnerAndMode | undefined;
  isExecutable: boolean;
}

export interface PreparedChange {
  change: FileChange;
  /** The file that has the new text, or had the old one. */
  target: string;
  /** Its permissions change from not executable to executable. */
  madeExecutable: boolean;
  /** None where everything is already as wanted. */
  steps: PreparedStep[];
}

export async function prepareChange(change: FileChange, show: ShowPath): Promise<PreparedChange> {
  const content = encode(change, show);
  const file = await findFile(change.path, show);
  refuseOther(change, file, show);
  if (file) await refuseReadOnly(file.real, file.stats, show);
  const source = file?.real ?? (await newTarget(change.path, show));
  const expected =
    typeof change.before === "string" ? bytesOf(change.before, change) : change.before;
  const isExecutable = change.isExecutable === true && content !== undefined;
  const base = { expected, content, like: file?.stats, isExecutable };
  const madeExecutable =
    isExecutable && (!file || executableMode(file.stats.mode) !== file.stats.mode);

  if (change.moveTo !== undefined && content) {
    const target = await freePlace(change.moveTo, show);
    return {
      change,
      target,
      madeExecutable,
      steps: [
        { ...base, step: create(target, content), expected: undefined },
        { ...base, step: remove(source, expected), content: undefined },
      ],
    };
  }
  const isSame =
    expected instanceof Uint8Array && content && Buffer.compare(expected, content) === 0;
  if (isSame && !madeExecutable) return { change, target: source, madeExecutable, steps: [] };
  const step = !content
    ? remove(source, expected)
    : file
      ? replace(source, expected, content)
      : create(source, content);
  return { change, target: source, madeExecutable, steps: [{ ...base, step }] };
}

function bytesOf(text: string, { isBytes }: FileChange): Uint8Array {
  return Buffer.from(text, isBytes === true ? "latin1" : "utf8");
}

function encode(change: FileChange, show: ShowPath): Uint8Array | undefined {
  const { path, after } = change;
  if (after === undefined) return undefined;
  if (!after.isWellFormed()) {
    throw new FileProblem(
      "half_character",
      path,
      `The new text of ${show(path)} has half of a surrogate pair, which no file can hold. Write the whole character.`,
    );
  }
  const bytes = bytesOf(after, change);
  if (bytes.length <= MAX_TEXT_BYTES) return bytes;
  throw new FileProblem(
    "too_large",
    path,
    `${show(path)} would have ${bytes.length} bytes, more than the ${MAX_TEXT_BYTES / 1024 / 1024} MiB that can be edited. Make it with a command.`,
  );
}

function refuseOther(change: FileChange, file: ExistingFile | undefined, show: ShowPath): void {
  const { path, before, after, moveTo } = change;
  if (file && before === undefined) throw existing(path, show);
  if (!file && before !== undefined) throw changed(path, show);
  if (!file?.isLink || (after !== undefined && moveTo === undefined)) return;
  throw new FileProblem(
    "link",
    path,
    `${show(path)} is a link to ${show(file.real)}. To remove or move the file, name it by that path.`,
  );
}

async function freePlace(path: string, show: ShowPath): Promise<string> {
  if (await entryAt(path)) throw existing(path, show);
  return newTarget(path, show);
}

async function newTarget(path: string, show: ShowPath): Promise<string> {
  const target = await realTarget(path);
  await refuseBelowFile(target, show);
  return target;
}

/** Throws a `FileProblem` where the disk is not what the change was made for. */
export async function verify(
  storage: Storage,
  { step: { target }, expected }: PreparedStep,
  show: ShowPath,
): Promise<void> {
  const entry = await entryAt(target);
  if (expected === undefined) {
    if (entry) throw existing(target, show);
    return;
  }
  if (!entry?.isFile()) throw changed(target, show);
  if (!(expected instanceof Uint8Array)) {
    const mark = await storage.stat(target);
    if (!mark || !haveSameMark(mark, expected)) throw changed(target, show);
    return;
  }
  if (entry.size !== expected.length) throw changed(target, show);
  const found = await storage.read(target, { length: expected.length + 1 });
  if (Buffer.compare(found, expected) !== 0) throw changed(target, show);
}

function changed(path: string, show: ShowPath): FileProblem {
  return new FileProblem(
    "changed",
    path,
    `${show(path)} was changed by somebody else in the meantime, so nothing was written. Read it again, then repeat the change.`,
  );
}

function existing(path: string, show: ShowPath): FileProblem {
  return new FileProblem(
    "exists",
    path,
    `${show(path)} exists already, so nothing was written. Change that file, or choose another path.`,
  );
}

function create(target: string, content: Uint8Array): EditStep {
  return { kind: "create", target, temporary: temporaryPathFor(target), after: printOf(content) };
}

function replace(
  target: string,
  expected: PreparedStep["expected"],
  content: Uint8Array,
): EditStep {
  const backup = temporaryPathFor(target);
  const temporary = temporaryPathFor(target);
  return {
    kind: "replace",
    target,
    temporary,
    backup,
    ...before(expected),
    after: printOf(content),
  };
}

function remove(target: string, expected: PreparedStep["expected"]): EditStep {
  return { kind: "remove", target, backup: temporaryPathFor(target), ...before(expected) };
}

function before(expected: PreparedStep["expected"]) {
  return expected instanceof Uint8Array ? { before: printOf(expected) } : {};
}
