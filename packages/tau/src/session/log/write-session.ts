// Writes a whole session into a new file: for migration, and for forks and branches, whose
// entries keep their ids. The file appears under its name complete and durable, or not.

import type { AppendFile } from "@tau/host/append-file";
import { publishFile } from "@tau/host/publish-file";
import { removeIfPossible } from "@tau/host/remove-if-possible";
import { temporaryPathFor } from "@tau/host/replace-file";
import type { Storage } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";
import type { SessionEntry, SessionHeader } from "../entry.ts";
import { movesLeaf } from "../entry-kinds.ts";
import type { BlobStore } from "./blob-store.ts";
import { flagged } from "./flag-aside.ts";
import { encodeLine } from "./line.ts";
import {
  ABOVE_ROOTS,
  advance,
  ownPlace,
  placeOf,
  UNKNOWN_PLACE,
  type EntryPlace,
  type Position,
} from "./position.ts";
import { encodeEntry } from "./stage-entries.ts";
import { NO_MAIL } from "./waiting-mail.ts";

const CREATE = { point: "session.create" };
const WRITE_CHUNK_BYTES = 1024 * 1024;

export type SomeEntries = Iterable<SessionEntry> | AsyncIterable<SessionEntry>;

export interface NewSessionFile {
  storage: Storage;
  path: string;
  header: SessionHeader;
  entries?: SomeEntries | undefined;
  blobs: BlobStore | undefined;
}

/** Rejects with EEXIST where the name is taken. */
export async function writeSessionFile(file: NewSessionFile): Promise<void> {
  const { storage, path, header, entries } = file;
  if (!entries) return storage.createExclusive(path, encodeLine(header), CREATE);
  const temporary = temporaryPathFor(path);
  try {
    const output = await storage.open(temporary, { create: true, ...CREATE });
    try {
      await writeLines(file, output, entries);
      await output.sync(CREATE);
    } finally {
      await output.close();
    }
    if (!(await publishFile(storage, temporary, path, CREATE))) {
      throw new StorageError({ code: "EEXIST", path, operation: "create" });
    }
  } finally {
    await removeIfPossible(storage, temporary, CREATE);
  }
}

async function writeLines(
  { header, blobs }: NewSessionFile,
  output: AppendFile,
  entries: SomeEntries,
): Promise<void> {
  const first = encodeLine(header);
  let position: Position = { ...EMPTY, size: first.length };
  const places = new Map<string, EntryPlace>();
  const waiting: Uint8Array[] = [first];
  let held = first.length;
  const flush = async (): Promise<void> => {
    await output.append(Buffer.concat(waiting), CREATE);
    waiting.length = 0;
    held = 0;
  };
  for await (const given of entries) {
    const entry = flagged(given);
    const targetId = entry.type === "leaf" ? entry.leafId : entry.parentId;
    const target = targetId === null ? ABOVE_ROOTS : (places.get(targetId) ?? UNKNOWN_PLACE);
    const line = encodeEntry(entry, placeOf(position, target), blobs ? "outside" : "inline");
    for (const blob of line.blobs) await blobs?.put(blob);
    if (movesLeaf(entry)) {
      places.set(entry.id, ownPlace(entry, position.size, target));
    }
    position = advance(position, entry, line.bytes.length, target);
    waiting.push(line.bytes);
    held += line.bytes.length;
    if (held >= WRITE_CHUNK_BYTES) await flush();
  }
  await flush();
}

const EMPTY: Position = {
  leafId: null,
  leaf: ABOVE_ROOTS,
  title: undefined,
  titleOffset: undefined,
  mail: NO_MAIL,
  size: 0,
  lines: 1,
};
