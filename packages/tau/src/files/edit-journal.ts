// The note that says which moves are about to be made, so that a process that starts after this
// one died can put things right. It is written before the first helper file exists, renamed when
// the last move is made (from then on the change counts), and removed when nothing is left over.
// It holds paths and prints of contents, never contents.

import { basename, join } from "node:path";
import { isTemporaryName } from "@tau/host/replace-file";
import type { Storage } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";
import { array, literal, number, object, optional, safeParse, string, variant } from "valibot";
import type { EditStep } from "./edit-step.ts";

const VERSION = 1;
const DIRECTORY = "edits";
const OPEN_SUFFIX = ".json";
const DONE_SUFFIX = ".done";
/** Paths and prints of the largest change, several times over. */
const MAX_JOURNAL_BYTES = 16 * 1024 * 1024;

const POINT = { begin: "edit.journal", done: "edit.done", end: "edit.forget" } as const;

const print = object({ size: number(), sha256: string() });
const journal = object({
  version: literal(VERSION),
  steps: array(
    variant("kind", [
      object({
        kind: literal("replace"),
        target: string(),
        temporary: string(),
        backup: optional(string()),
        before: optional(print),
        after: print,
      }),
      object({ kind: literal("create"), target: string(), temporary: string(), after: print }),
      object({
        kind: literal("remove"),
        target: string(),
        backup: optional(string()),
        before: optional(print),
      }),
    ]),
  ),
});

export function editsDirectory(agentDirectory: string): string {
  return join(agentDirectory, DIRECTORY);
}

export class EditJournal {
  readonly steps: readonly EditStep[];
  readonly #storage: Storage;
  readonly #path: string;

  private constructor(storage: Storage, path: string, steps: readonly EditStep[]) {
    this.#storage = storage;
    this.#path = path;
    this.steps = steps;
  }

  static async begin(
    storage: Storage,
    directory: string,
    steps: readonly EditStep[],
  ): Promise<EditJournal> {
    const path = join(directory, crypto.randomUUID());
    const text = `${JSON.stringify({ version: VERSION, steps })}\n`;
    await storage.replace(path + OPEN_SUFFIX, Buffer.from(text), { point: POINT.begin });
    return new EditJournal(storage, path, steps);
  }

  get id(): string {
    return basename(this.#path);
  }

  /** From here on the change counts. False where it could not be said, and does not count. */
  async markDone(): Promise<boolean> {
    try {
      await this.#storage.rename(this.#path + OPEN_SUFFIX, this.#path + DONE_SUFFIX, {
        point: POINT.done,
      });
      return true;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      // A rename may have happened and only its last flush have failed.
      return await this.isDone();
    }
  }

  async isDone(): Promise<boolean> {
    return (await this.#storage.stat(this.#path + DONE_SUFFIX)) !== undefined;
  }

  async remove(): Promise<void> {
    await this.#storage.remove(this.#path + OPEN_SUFFIX, { point: POINT.end });
    await this.#storage.remove(this.#path + DONE_SUFFIX, { point: POINT.end });
  }

  /** Without a lock: also those of processes that are at work. */
  static async areThere(storage: Storage, directory: string): Promise<boolean> {
    const names = await listNames(storage, directory);
    return names.some((name) => suffixOf(name) !== undefined || isTemporaryName(name));
  }

  /** What dead processes left; to be called with the lock held. */
  static async leftovers(storage: Storage, directory: string): Promise<Leftovers> {
    const found: Leftovers = { journals: [], unreadable: [] };
    for (const name of await listNames(storage, directory)) {
      const path = join(directory, name);
      // A note that was never finished: nothing had begun.
      if (isTemporaryName(name)) await storage.remove(path, { point: POINT.end });
      const suffix = suffixOf(name);
      if (suffix === undefined) continue;
      const steps = parseSteps(await storage.read(path, { length: MAX_JOURNAL_BYTES }));
      if (!steps) found.unreadable.push(path);
      else found.journals.push(new EditJournal(storage, path.slice(0, -suffix.length), steps));
    }
    return found;
  }
}

export interface Leftovers {
  journals: EditJournal[];
  /** Of another version, or damaged: not ours to judge. */
  unreadable: string[];
}

function suffixOf(name: string): string | undefined {
  if (isTemporaryName(name)) return undefined;
  return [OPEN_SUFFIX, DONE_SUFFIX].find((suffix) => name.endsWith(suffix));
}

async function listNames(storage: Storage, directory: string): Promise<string[]> {
  try {
    return (await storage.list(directory)).map(({ name }) => name);
  } catch (error) {
    if (error instanceof StorageError && error.code === "ENOENT") return [];
    throw error;
  }
}

function parseSteps(bytes: Uint8Array): readonly EditStep[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const parsed = safeParse(journal, value);
  return parsed.success ? (parsed.output.steps as EditStep[]) : undefined;
}
