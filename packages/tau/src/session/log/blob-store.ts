// Large binary content, named by its SHA-256 and stored once for all sessions. A blob is
// durable before the entry that names it is written, and a name never means other bytes:
// what does not hash to its name counts as missing.

import { join } from "node:path";
import type { Storage } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";

export interface Blob {
  /** SHA-256, 64 hexadecimal digits. */
  hash: string;
  bytes: Uint8Array;
}

export interface BlobStore {
  readonly directory: string;
  /** Durable when it resolves. Storing the same bytes again is free, in any process. */
  put(blob: Blob): Promise<void>;
  /** Undefined where it is missing or damaged. */
  get(hash: string): Promise<Uint8Array | undefined>;
}

const WRITE = { point: "blob.write" };
const DIRECTORY = { point: "blob.directory" };

export function hashOf(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

export function createBlobStore(storage: Storage, directory: string): BlobStore {
  // What this process has written or seen whole: a repetition then needs no reading, only
  // a look whether somebody removed it meanwhile.
  const known = new Set<string>();
  const isStill = async ({ hash, bytes }: Blob): Promise<boolean> =>
    known.has(hash) && (await storage.stat(join(directory, hash)))?.size === bytes.length;
  const get = async (hash: string): Promise<Uint8Array | undefined> => {
    let bytes: Uint8Array;
    try {
      bytes = await storage.read(join(directory, hash));
    } catch (error) {
      if (error instanceof StorageError && error.code === "ENOENT") return undefined;
      throw error;
    }
    return hashOf(bytes) === hash ? bytes : undefined;
  };
  return {
    directory,
    get,
    async put(blob) {
      if (await isStill(blob)) return;
      const { hash, bytes } = blob;
      if ((await get(hash)) === undefined) {
        await storage.makeDirectory(directory, DIRECTORY);
        // Atomic, so that another process sees nothing or all of it; should both write, the
        // bytes are the same.
        await storage.replace(join(directory, hash), bytes, WRITE);
      }
      known.add(hash);
    },
  };
}
