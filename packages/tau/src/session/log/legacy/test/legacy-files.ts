// Files as versions 1 to 3 left them, and the two ways to open them.

import { expect } from "bun:test";
import { createDiskStorage } from "@tau/host/storage";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { readdir, readFile } from "node:fs/promises";
import { createBlobStore } from "../../blob-store.ts";
import { SessionReadOnly } from "../../log-error.ts";
import { openSession } from "../../open-session.ts";
import {
  allEntries,
  expectConsistent,
  mortalProcess,
  rejection,
  user,
} from "../../test/support.ts";

export const TIME = "2026-02-16T10:20:30.000Z";
export const STARTED = { type: "session", id: "s1", timestamp: TIME, cwd: "/home/me/pi" };
export const PICTURE = Buffer.alloc(2000, "p");
export const USAGE = {
  input: 100,
  output: 20,
  cacheRead: 3,
  cacheWrite: 4,
  totalTokens: 127,
  cost: { total: 0.5 },
};

export function lines(...values: (object | string)[]): string {
  return values
    .map((value) => `${typeof value === "string" ? value : JSON.stringify(value)}\n`)
    .join("");
}

export function entry(id: string, parentId: string | null, rest: object): object {
  return { id, parentId, timestamp: TIME, ...rest };
}

export function message(id: string, parentId: string | null, content: object): object {
  return entry(id, parentId, { type: "message", message: content });
}

export function assistant(content: unknown, rest: object = {}): object {
  return {
    role: "assistant",
    content,
    provider: "anthropic",
    model: "claude-1",
    api: "anthropic-messages",
    usage: USAGE,
    stopReason: "stop",
    timestamp: 5,
    ...rest,
  };
}

export async function placed(dir: ScratchDirectory, text: string): Promise<string> {
  return dir.write("agent/sessions/-pi/old.jsonl", text);
}

export function open(dir: ScratchDirectory, path: string, mode: "read" | "write") {
  const storage = createDiskStorage();
  const blobs = createBlobStore(storage, dir.path("tau/blobs"));
  return openSession(path, { storage, blobs, mode, processes: mortalProcess() });
}

/** Reading as it is and going on in a successor give the same entries. */
export async function migrate(text: string): Promise<Record<string, unknown>[]> {
  await using dir = await createScratchDirectory();
  const path = await placed(dir, text);
  await using view = await open(dir, path, "read");
  const viewed = await allEntries(view);
  expect(await rejection(view.append(user("x")))).toBeInstanceOf(SessionReadOnly);
  expect(await readdir(dir.path("agent/sessions/-pi"))).toEqual(["old.jsonl"]);
  await using log = await open(dir, path, "write");
  expect(await allEntries(log)).toEqual(viewed);
  expect(log).toMatchObject({ leafId: view.leafId, title: view.title });
  await expectConsistent(log);
  expect(log.path).toBe(dir.path("agent/sessions/-pi/old.v4.jsonl"));
  expect(await readFile(path, "utf8")).toBe(text);
  return viewed as unknown as Record<string, unknown>[];
}
