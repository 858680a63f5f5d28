// Documents, notebooks and pictures on disk: what is no plain text, made into what a model can
// read. With `:raw` a file is what it is.

import { open, readFile } from "node:fs/promises";
import { ToolError } from "@tau/agent/tool";
import { documentKind, type DocumentKind } from "@tau/host/document/document-kind";
import { sniffImage } from "@tau/host/image/image-type";
import type { ConfineReader } from "@tau/host/sandbox/confine-reader";
import { onDisk } from "@tau/host/walk/byte-path";
import { helper, type Helper } from "./database-kind.ts";
import type { LocalPlace } from "./local-kind.ts";
import { refuseByteName, resolvePath, shownPath } from "./local-path.ts";
import type { Resource, ResourceKind, TextResource } from "./resource.ts";
import { statIfThere } from "./stat-if-there.ts";

const NOTEBOOK = /\.ipynb$/i;
/** The longest signature, with room. */
const SNIFF_BYTES = 64;
/** Conversions that are kept, so that the next page of one costs nothing. */
const KEPT = 8;

export function createDocumentKind(
  place: LocalPlace,
  confineReader?: () => ConfineReader | undefined,
): ResourceKind {
  const converted = new Map<string, TextResource>();
  return {
    name: "document",
    async open({ path, selector, signal }) {
      if (selector.isRaw || selector.isConflicts) return undefined;
      const absolute = resolvePath(path, place);
      const found = await statIfThere(absolute);
      if (!found?.isFile()) return undefined;
      const shown = shownPath(absolute, place.cwd);
      if (NOTEBOOK.test(absolute)) return openNotebook(absolute, shown);
      const kind = documentKind(absolute);
      if (kind) {
        refuseByteName(absolute, place);
        const key = `${absolute}\0${found.size}\0${found.mtimeMs}`;
        const text =
          converted.get(key) ??
          (await convert(absolute, shown, kind, { signal, ...helper(confineReader) }));
        converted.set(key, text);
        if (converted.size > KEPT) converted.delete(converted.keys().next().value!);
        return text;
      }
      return (await isPicture(absolute)) ? openPicture(absolute, shown) : undefined;
    },
  };
}

async function openNotebook(path: string, shown: string): Promise<Resource | undefined> {
  const { notebookText } = await import("@tau/host/document/notebook");
  try {
    const source = await readFile(onDisk(path), "utf8");
    const text = notebookText(source);
    const notes = /"output_type"\s*:/.test(source)
      ? [`[outputs are left out; ${shown}:raw has them]`]
      : [];
    return { type: "text", shown, text, editable: { path }, notes };
  } catch (error) {
    // A file of that name that is no notebook is a file.
    if (error instanceof Error && error.name === "DocumentError") return undefined;
    throw error;
  }
}

async function convert(
  path: string,
  shown: string,
  kind: DocumentKind,
  options: Helper & { signal: AbortSignal },
): Promise<TextResource> {
  const { convertDocument } = await import("@tau/host/document/document");
  try {
    const source = { name: shown, kind, source: { path } };
    const { text, notes } = await convertDocument(source, options);
    return { type: "text", shown, text, notes: notes.map((note) => `[${note}]`) };
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof Error && error.name === "DocumentError") {
      throw new ToolError(`${shown} cannot be read: ${error.message}`);
    }
    throw error;
  }
}

async function isPicture(path: string): Promise<boolean> {
  try {
    await using file = await open(onDisk(path), "r");
    const head = Buffer.alloc(SNIFF_BYTES);
    const { bytesRead } = await file.read(head, 0, SNIFF_BYTES, 0);
    const type = sniffImage(head.subarray(0, bytesRead));
    // A drawing in XML is text, and of more use as text.
    return type !== undefined && type !== "svg";
  } catch (error) {
    // Whoever opens it next says why it cannot be opened.
    if (typeof (error as { code?: unknown }).code === "string") return false;
    throw error;
  }
}

async function openPicture(path: string, shown: string): Promise<Resource> {
  return pictureResource(await readFile(onDisk(path)), shown);
}

/** Also for a picture from elsewhere. */
export async function pictureResource(bytes: Uint8Array, shown: string): Promise<Resource> {
  const { imageForModel } = await import("@tau/host/image/model-image");
  try {
    const image = await imageForModel(bytes);
    const { original, notes } = image;
    const size = `${original.width}×${original.height}, ${original.bytes} bytes`;
    const changed = notes.length === 0 ? "" : `; ${notes.join("; ")}`;
    return {
      type: "image",
      shown,
      note: `[${shown}: ${original.mimeType}, ${size}${changed}]`,
      image: {
        type: "image",
        mimeType: image.mimeType,
        data: Buffer.from(image.bytes).toString("base64"),
      },
      notes: [],
    };
  } catch (error) {
    if (error instanceof Error && error.name === "ImageError") {
      throw new ToolError(`${shown} cannot be shown: ${error.message}`);
    }
    throw error;
  }
}
