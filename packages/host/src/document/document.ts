// Documents as text: PDF, Word, Excel, PowerPoint, EPUB and Rich Text, converted in a process
// of their own with a limit on time and memory.

import type { ConfineReader } from "../sandbox/confine-reader.ts";
import { callConfined } from "../confined/confined-call.ts";
import type { ConversionTask } from "./convert-here.ts";
import type { ConvertedDocument } from "./converted.ts";
import { DocumentError, type DocumentErrorCode } from "./document-error.ts";

export interface DocumentOptions {
  signal?: AbortSignal;
  deadlineMs?: number;
  /** See `ConfinedOptions`. */
  helper?: readonly string[];
  confineReader?: ConfineReader;
}

/** A manual of a thousand pages takes ten seconds on a slow machine. */
const DEADLINE_MS = 60_000;
const MEMORY_BYTES = 1024 * 1024 * 1024;

export async function convertDocument(
  task: ConversionTask,
  options: DocumentOptions = {},
): Promise<ConvertedDocument> {
  const { name, source } = task;
  const reads = "path" in source ? [source.path] : [];
  const end = await callConfined(
    { task: "document", input: task },
    { deadlineMs: DEADLINE_MS, memoryBytes: MEMORY_BYTES, reads, ...options },
  );
  switch (end.type) {
    case "done":
      return end.value as ConvertedDocument;
    case "failed":
      throw new DocumentError(end.code as DocumentErrorCode, end.message);
    case "too_slow":
      throw new DocumentError(
        "too_slow",
        `${name} takes too long to convert: split it, or convert it with a command.`,
      );
    case "too_much_memory":
      throw new DocumentError(
        "too_large",
        `${name} takes too much memory to convert: split it, or convert it with a command.`,
      );
    case "unavailable":
      throw new DocumentError(
        "crashed",
        "No process could be started to convert it: close some programs and try again.",
      );
    case "crashed":
      throw new DocumentError(
        "crashed",
        `${name} broke its reader: convert it to text with a command instead.`,
      );
  }
}
