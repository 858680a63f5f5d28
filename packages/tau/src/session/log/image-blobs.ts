// Moves the data of large images out of an entry and back in: the line then stays small and
// the same screenshot is stored once. What cannot be brought back becomes a note in words,
// because a reference sent to a model as base64 would poison the conversation.

import { StorageError } from "@tau/host/storage-error";
import { hashOf, type Blob, type BlobStore } from "./blob-store.ts";
import { isRecord } from "./line.ts";

/** Base64 characters; below this a reference and a file cost more than they save. */
const MIN_EXTERNAL_CHARACTERS = 1024;

export const BLOB_REF_PREFIX = "blob:sha256:";
const BLOB_REF = /^blob:sha256:([0-9a-f]{64})$/;

type Image = Record<string, unknown> & { type: "image"; data: string };

function isImage(value: Record<string, unknown>): value is Image {
  return value.type === "image" && typeof value.data === "string";
}

/** A copy in which `change` has replaced images; the same object where nothing changed. */
function mapImages(value: unknown, change: (image: Image) => unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => mapImages(item, change));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isRecord(value)) return value;
  if (isImage(value)) return change(value);
  let copy: Record<string, unknown> | undefined;
  for (const [key, item] of Object.entries(value)) {
    const changed = mapImages(item, change);
    if (changed === item) continue;
    copy ??= { ...value };
    copy[key] = changed;
  }
  return copy ?? value;
}

export interface Externalised<T> {
  value: T;
  /** To be stored before the value is written. */
  blobs: Blob[];
}

export function externaliseImages<T extends object>(entry: T): Externalised<T> {
  const blobs: Blob[] = [];
  const value = mapImages(entry, (image) => {
    if (image.data.length < MIN_EXTERNAL_CHARACTERS) return image;
    const bytes = Buffer.from(image.data, "base64");
    // Not base64 as we would write it: bringing it back would give other characters.
    if (bytes.toString("base64") !== image.data) return image;
    const hash = hashOf(bytes);
    blobs.push({ hash, bytes });
    return { ...image, data: BLOB_REF_PREFIX + hash };
  });
  return { value: value as T, blobs };
}

export interface MissingBlob {
  hash: string;
  /** Why, where it is there but cannot be read. */
  reason?: string;
}

/** What cannot be brought back becomes a note; "keep" leaves the reference for a copy. */
export type MissingImages = "note" | "keep";

export async function rehydrateImages<T extends object>(
  entry: T,
  blobs: BlobStore | undefined,
  onMissing: (missing: MissingBlob) => void,
  missing: MissingImages = "note",
): Promise<T> {
  const found = new Map<string, string | undefined>();
  mapImages(entry, (image) => {
    const hash = BLOB_REF.exec(image.data)?.[1];
    if (hash !== undefined) found.set(hash, undefined);
    return image;
  });
  if (found.size === 0) return entry;
  for (const hash of found.keys()) {
    try {
      const bytes = await blobs?.get(hash);
      if (bytes === undefined) onMissing({ hash });
      else found.set(hash, Buffer.from(bytes).toString("base64"));
    } catch (error) {
      // One unreadable image must not make the conversation unreadable.
      if (!(error instanceof StorageError)) throw error;
      onMissing({ hash, reason: error.message });
    }
  }
  const value = mapImages(entry, (image) => {
    const hash = BLOB_REF.exec(image.data)?.[1];
    if (hash === undefined) return image;
    const data = found.get(hash);
    if (data !== undefined) return { ...image, data };
    return missing === "keep" ? image : missingNote(hash);
  });
  return value as T;
}

function missingNote(hash: string): { type: "text"; text: string } {
  return { type: "text", text: `[An image was here; its data (${hash}) is missing.]` };
}
