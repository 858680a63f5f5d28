// Unpacks what was fetched, within the limits of a plugin; what is wrong with it is said in one sentence.

import { ArchiveError } from "@tau/host/archive/archive-error";
import { unpackTar, type Unpacked } from "@tau/host/archive/unpack-tar";
import { StorageError } from "@tau/host/storage-error";
import { hidePasswords } from "../../base/hide-passwords.ts";
import { UserError } from "../../user-error.ts";
import { MAX_PLUGIN_BYTES, MAX_PLUGIN_FILES } from "./limits.ts";

export interface UnpackWish {
  signal: AbortSignal;
  strip?: number;
  /** What is unpacked, for the sentence. */
  what: string;
  maxBytes?: number;
  maxFiles?: number;
}

/** Rejects with `UserError`. */
export async function unpackPackage(
  archive: string,
  root: string,
  { what: given, ...wish }: UnpackWish,
): Promise<Unpacked> {
  const what = hidePasswords(given);
  const { maxBytes = MAX_PLUGIN_BYTES, maxFiles = MAX_PLUGIN_FILES } = wish;
  try {
    return await unpackTar(archive, root, { ...wish, maxBytes, maxFiles });
  } catch (error) {
    if (error instanceof ArchiveError) {
      const megabytes = Math.round(maxBytes / 1024 / 1024);
      const tooLarge = `it unpacks to more than ${megabytes} MB`;
      const why = error.code === "too_large" ? tooLarge : error.message;
      throw new UserError(`${what} cannot be unpacked: ${why}; nothing was installed`);
    }
    if (error instanceof StorageError) throw new UserError(`${what}: ${error.message}`);
    throw error;
  }
}
