// A session whose first line is damaged: the header is made anew from the file's name and from where it
// lies, and the entries are copied behind it. The damaged file stays beside it under another name.

import { basename } from "node:path";
import { StorageError } from "@tau/host/storage-error";
import { SESSION_VERSION, type SessionHeader } from "../entry.ts";
import { pathSource } from "../log/byte-source.ts";
import { createSessionId } from "../log/entry-id.ts";
import { lockSession } from "../log/open-session.ts";
import { readHeader } from "../log/read-header.ts";
import { linesForward } from "../log/read-lines.ts";
import type { SessionSurroundings } from "../log/session-surroundings.ts";
import { decodeEntry } from "../log/stored-entry.ts";
import { readBeheaded } from "../log/stored-session.ts";
import { writeSessionFile } from "../log/write-session.ts";
import { NotASession, type LogRepair } from "../session-log.ts";
import { OperationRefused } from "./operation-error.ts";

const REPAIR = { point: "session.repair" };
/** Siblings tried before giving up; each would be what an earlier repair left. */
const MAX_ASIDE = 100;

export interface RepairedSession {
  path: string;
  id: string;
  /** Where the damaged file is now. */
  aside: string;
  entries: number;
  /** What else was wrong with it. */
  repairs: readonly LogRepair[];
}

/** `cwd`: the directory that it belongs to, which only the header knew. */
export async function repairSession(
  path: string,
  cwd: string,
  surroundings: SessionSurroundings,
): Promise<RepairedSession> {
  const { storage, blobs, now = Date.now } = surroundings;
  await refuseIfWhole(path, surroundings);
  const lock = await lockSession(path, surroundings);
  try {
    const dataStart = await firstEntry(path, surroundings);
    const header = headerFor(path, cwd, now);
    const aside = await moveAside(path, surroundings);
    try {
      const stored = await readBeheaded(aside, { header, dataStart }, surroundings);
      let entries = 0;
      const counted = async function* () {
        for await (const entry of stored.entries()) {
          entries += 1;
          yield entry;
        }
      };
      await writeSessionFile({ storage, path, header, entries: counted(), blobs });
      return { path, id: header.id, aside, entries, repairs: stored.repairs };
    } catch (error) {
      // As it was before.
      await storage.rename(aside, path, REPAIR);
      throw error;
    }
  } finally {
    await lock.release();
  }
}

async function refuseIfWhole(path: string, { storage }: SessionSurroundings): Promise<void> {
  try {
    await readHeader(storage, path);
  } catch (error) {
    if (error instanceof NotASession) return;
    throw error;
  }
  throw new OperationRefused(
    `${path} begins as a session should; there is nothing to repair. Damaged lines further on are passed over when it is opened.`,
  );
}

/** Where the first entry begins that its checksum vouches for. */
async function firstEntry(path: string, { storage }: SessionSurroundings): Promise<number> {
  const size = (await storage.stat(path))?.size ?? 0;
  for await (const raw of linesForward(pathSource(storage, path), 0, size)) {
    if (decodeEntry(raw.bytes, raw.start)) return raw.start;
  }
  throw new OperationRefused(`${path} holds no entry of a session; there is nothing to save.`);
}

const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z_([\w-]+)\.jsonl$/;

function headerFor(path: string, cwd: string, now: () => number): SessionHeader {
  const [, day, hour, minute, second, fraction, named] = NAME.exec(basename(path)) ?? [];
  const timestamp =
    day === undefined
      ? new Date(now()).toISOString()
      : `${day}T${hour}:${minute}:${second}.${fraction}Z`;
  const id = named ?? createSessionId();
  return { type: "session", version: SESSION_VERSION, id, timestamp, cwd };
}

async function moveAside(path: string, { storage }: SessionSurroundings): Promise<string> {
  for (let at = 1; at <= MAX_ASIDE; at += 1) {
    const aside = at === 1 ? `${path}.damaged` : `${path}.damaged-${at}`;
    if (await storage.stat(aside)) continue;
    await storage.rename(path, aside, REPAIR);
    return aside;
  }
  throw new StorageError({ code: "EEXIST", path: `${path}.damaged`, operation: "rename" });
}
