// The contents of a settings file that was found, or why it cannot be read or understood.

import { systemCode } from "@tau/host/storage-error";
import { parseDocument, type ParsedDocument } from "./document.ts";
import { MAX_DOCUMENT_BYTES } from "./limits.ts";
import { NotAFile, readBounded } from "../base/read-bounded.ts";

export async function readDocument(realPath: string): Promise<ParsedDocument> {
  try {
    const { text, isCut } = await readBounded(realPath, MAX_DOCUMENT_BYTES);
    if (!isCut) return await parseDocument(realPath, text);
    const message = `is larger than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MB`;
    return { ok: false, message };
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined && !(error instanceof NotAFile)) throw error;
    return { ok: false, message: `cannot be read (${code ?? "not a file"})` };
  }
}
