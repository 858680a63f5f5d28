// Web pages, as text: fetched once, then paged from what was fetched.

import { ToolError } from "@tau/agent/tool";
import type { ConfineReader } from "@tau/host/sandbox/confine-reader";
import { helper, type Helper } from "./database-kind.ts";
import { pictureResource } from "./document-kind.ts";
import type { Resource, ResourceKind } from "./resource.ts";
import { splitSelector, WHOLE, type SelectedPath } from "./selector.ts";

const WEB = /^(?:https?:\/\/|www\.)/i;
/** Lines that are shown of a page where none are named. */
const SHOWN_LINES = 300;
/** Pages that are kept for the next look. */
const KEPT = 20;

export interface WebPlace {
  env: Readonly<Record<string, string | undefined>>;
  userAgent: string;
  /** Keeps a page that is longer than what is shown of it. */
  keep?: (text: string) => Promise<string | undefined>;
  /** Confines the program that reads documents, if anything does. */
  confineReader?: () => ConfineReader | undefined;
}

export function createWebKind(place: WebPlace): ResourceKind {
  const pages = new Map<string, Resource>();
  return {
    name: "web",
    async open({ input, signal }) {
      if (!WEB.test(input)) return undefined;
      const { path: url, selector } = splitWebSelector(input);
      const key = `${selector.isRaw ? "raw" : "text"} ${url}`;
      let page = pages.get(key);
      // Without a range somebody wants to see it as it is now.
      if (!page || !selector.ranges) {
        page = await fetchPage(url, selector.isRaw, place, signal);
        pages.delete(key);
        pages.set(key, page);
        if (pages.size > KEPT) pages.delete(pages.keys().next().value!);
      }
      return { ...page, selector: { ...selector, isRaw: false } };
    },
  };
}

/** A number right behind the host is a port: `http://host:80/:5-9` has a slash before its lines. */
export function splitWebSelector(input: string): SelectedPath {
  const split = splitSelector(input);
  const hasPath = /^(?:https?:\/\/)?[^/?#]+[/?#]/i.test(split.path);
  return hasPath || split.selector.isRaw ? split : { path: input, selector: WHOLE };
}

async function fetchPage(
  url: string,
  isRaw: boolean,
  place: WebPlace,
  signal: AbortSignal,
): Promise<Resource> {
  const { readPage } = await import("@tau/host/web/read-page");
  const { env, userAgent } = place;
  const page = await readPage(url, { isRaw, signal, env, userAgent }).catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof Error && error.name === "WebError") throw new ToolError(error.message);
    throw error;
  });
  const { finalUrl, contentType, status, method, title, notes } = page;
  if (page.bytes) {
    const options = { signal, ...helper(place.confineReader) };
    const converted = await convertBytes(page.bytes, contentType, finalUrl, options);
    if (converted.type !== "text") return converted;
    return {
      ...converted,
      header: headerOf({ finalUrl, contentType, status, method, title, notes }),
    };
  }
  const text = page.text ?? "";
  const id =
    text.split("\n", SHOWN_LINES + 1).length > SHOWN_LINES ? await place.keep?.(text) : undefined;
  const all = id === undefined ? notes : [...notes, `the whole page: artifact://${id}`];
  return {
    type: "text",
    shown: finalUrl,
    text,
    header: headerOf({ finalUrl, contentType, status, method, title, notes: all }),
    lines: SHOWN_LINES,
    notes: [],
    details: { url: page.url, finalUrl, contentType, status, method, notes },
  };
}

function headerOf(page: {
  finalUrl: string;
  contentType: string;
  status: number;
  method: string;
  title: string | undefined;
  notes: readonly string[];
}): string {
  const rows = [
    `URL: ${page.finalUrl}`,
    `Content-Type: ${page.contentType}`,
    `Method: ${page.method}`,
  ];
  if (page.method === "failed") rows.push(`Status: ${page.status}`);
  if (page.title) rows.push(`Title: ${page.title}`);
  for (const note of page.notes) rows.push(`Note: ${note}`);
  return [...rows, "", "---"].join("\n");
}

async function convertBytes(
  bytes: Uint8Array,
  contentType: string,
  shown: string,
  options: Helper & { signal: AbortSignal },
): Promise<Resource> {
  const [{ documentKindOfType, documentKind }, { sniffImage }] = await Promise.all([
    import("@tau/host/document/document-kind"),
    import("@tau/host/image/image-type"),
  ]);
  if (sniffImage(bytes)) return pictureResource(bytes, shown);
  const kind = documentKindOfType(contentType) ?? documentKind(new URL(shown).pathname);
  if (!kind) {
    const text = `[${shown} is not text (${contentType}, ${bytes.length} bytes)]`;
    return { type: "text", shown, text, notes: [] };
  }
  const { convertDocument } = await import("@tau/host/document/document");
  try {
    const source = { name: shown, kind, source: { bytes } };
    const { text, notes } = await convertDocument(source, options);
    return {
      type: "text",
      shown,
      text,
      lines: SHOWN_LINES,
      notes: notes.map((note) => `[${note}]`),
    };
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof Error && error.name === "DocumentError") {
      throw new ToolError(`${shown} cannot be read: ${error.message}`);
    }
    throw error;
  }
}
