// A session in a scratch directory, for tests of one behaviour each.

import { createDiskStorage, type Storage } from "@tau/host/storage";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import type { SessionLog } from "../../session-log.ts";
import { createBlobStore, type BlobStore } from "../blob-store.ts";
import {
  createSessionLog,
  openSession,
  type CreateSessionOptions,
  type OpenSessionOptions,
} from "../open-session.ts";
import { mortalProcess } from "./support.ts";

export interface TemporarySession extends AsyncDisposable {
  dir: ScratchDirectory;
  path: string;
  blobs: BlobStore;
  create(options?: Partial<CreateSessionOptions>): Promise<SessionLog>;
  open(mode: "read" | "write", options?: Partial<OpenSessionOptions>): Promise<SessionLog>;
  /** The file's lines, without line ends. */
  lines(): Promise<string[]>;
}

export async function temporarySession(
  storage: Storage = createDiskStorage(),
): Promise<TemporarySession> {
  const dir = await createScratchDirectory();
  const path = dir.path("s.jsonl");
  const blobs = createBlobStore(storage, dir.path("blobs"));
  return {
    dir,
    path,
    blobs,
    create: (options = {}) =>
      createSessionLog({
        storage,
        blobs,
        processes: mortalProcess(),
        place: { path },
        cwd: "/work",
        ...options,
      }),
    open: (mode, options = {}) =>
      openSession(path, { storage, blobs, processes: mortalProcess(), mode, ...options }),
    lines: async () => (await dir.read("s.jsonl")).split("\n").slice(0, -1),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}
