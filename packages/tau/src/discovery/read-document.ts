// The contents of a settings file that was found; undefined where it cannot be read or understood,
// which whoever shows the sources says with its place.

import { systemCode } from "@tau/host/storage-error";
import { parseDocument } from "./document.ts";
import { MAX_DOCUMENT_BYTES } from "./limits.ts";
import { NotAFile, readBounded } from "./read-bounded.ts";

export async function readDocument(realPath: string): Promise<Record<string, unknown> | undefined> {
  try {
    const { text, isCut } = await readBounded(realPath, MAX_DOCUMENT_BYTES);
    if (isCut) return undefined;
    const parsed = await parseDocument(realPath, text);
    return parsed.ok ? parsed.data : undefined;
  } catch (error) {
    if (systemCode(error) === undefined && !(error instanceof NotAFile)) throw error;
    return undefined;
  }
}
