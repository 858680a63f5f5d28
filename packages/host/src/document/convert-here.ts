// Turns a document into text in the process it runs in: the inside of `serve-confined.ts`,
// where it can be ended.

import { open } from "node:fs/promises";
import { attempt, StorageError } from "../storage-error.ts";
import type { ConvertedDocument } from "./converted.ts";
import { corruptDocument, DocumentError } from "./document-error.ts";
import type { DocumentKind } from "./document-kind.ts";

export interface ConversionTask {
  /** For messages. */
  name: string;
  kind: DocumentKind;
  source: { path: string } | { bytes: Uint8Array };
}

/** Documents of people are smaller; what is larger is a scan. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/** What the old formats of office programs begin with, and encrypted new ones too. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0];

export async function convertHere(task: ConversionTask): Promise<ConvertedDocument> {
  const { name, kind } = task;
  const bytes = "bytes" in task.source ? task.source.bytes : await readAll(name, task.source.path);
  if (bytes.length === 0) throw corruptDocument(name, new Error("it is empty"));
  const isCompound = COMPOUND_FILE.every((byte, at) => bytes[at] === byte);
  switch (kind) {
    case "doc":
    case "xls":
    case "ppt":
      return convertOld(name, kind, bytes);
    case "pdf":
      return (await import("./convert-pdf.ts")).convertPdf(name, bytes);
    case "rtf":
      return (await import("./convert-rtf.ts")).convertRtf(name, bytes);
    case "epub":
      return (await import("./convert-epub.ts")).convertEpub(name, bytes);
  }
  if (isCompound) {
    throw new DocumentError("encrypted", `${name} requires a password: save it without one first.`);
  }
  if (kind === "docx") return (await import("./convert-docx.ts")).convertDocx(name, bytes);
  if (kind === "xlsx") return (await import("./convert-xlsx.ts")).convertXlsx(name, bytes);
  return (await import("./convert-pptx.ts")).convertPptx(name, bytes);
}

/** Many a .doc is Rich Text in truth; the real ones are not read here. */
async function convertOld(
  name: string,
  kind: DocumentKind,
  bytes: Uint8Array,
): Promise<ConvertedDocument> {
  if (new TextDecoder("latin1").decode(bytes.subarray(0, 5)) === "{\\rtf") {
    return (await import("./convert-rtf.ts")).convertRtf(name, bytes);
  }
  throw new DocumentError(
    "unsupported",
    `${name} has the old format of .${kind} files: convert it first, for example with libreoffice --headless --convert-to ${kind}x.`,
  );
}

async function readAll(name: string, path: string): Promise<Uint8Array> {
  return attempt("read", path, async () => {
    await using file = await open(path, "r");
    const { size } = await file.stat();
    if (size <= MAX_DOCUMENT_BYTES) return new Uint8Array(await file.readFile());
    // A system error has a code too, and this one must not be taken for one.
    return undefined;
  }).then(
    (bytes) => {
      if (bytes) return bytes;
      throw new DocumentError(
        "too_large",
        `${name} is larger than ${MAX_DOCUMENT_BYTES} bytes: convert it to text with a command.`,
      );
    },
    (error: unknown) => {
      // Types do not survive the way back; the sentence does.
      if (!(error instanceof StorageError)) throw error;
      throw new DocumentError("unreadable", error.message, { cause: error });
    },
  );
}
