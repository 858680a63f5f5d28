// PDF: the text of its pages in the order in which it was put on them.

import { TextCollector, type ConvertedDocument } from "./converted.ts";
import { corruptDocument, DocumentError } from "./document-error.ts";

/** The largest manuals; a page takes some milliseconds. */
const MAX_PAGES = 2000;

export async function convertPdf(name: string, bytes: Uint8Array): Promise<ConvertedDocument> {
  const { getDocumentProxy } = await import("unpdf");
  const collector = new TextCollector();
  let pages = 0;
  let hasText = false;
  try {
    const pdf = await getDocumentProxy(bytes, { verbosity: 0 });
    pages = pdf.numPages;
    for (let number = 1; number <= Math.min(pages, MAX_PAGES); number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const text = pageText(items as TextItem[]);
      hasText ||= text !== "";
      collector.add(`## Page ${number}\n\n${text}`);
      page.cleanup();
      if (collector.isFull) break;
    }
  } catch (error) {
    if (error instanceof Error && error.name === "PasswordException") {
      throw new DocumentError(
        "encrypted",
        `${name} requires a password: save it without one first.`,
      );
    }
    throw corruptDocument(name, error);
  }
  if (pages > MAX_PAGES) collector.notes.push(`It has ${pages} pages; ${MAX_PAGES} were read.`);
  if (!hasText) {
    collector.notes.push("It contains only images, no text: use text recognition (OCR) first.");
  }
  return collector.result();
}

interface TextItem {
  /** Missing in items that only mark a place. */
  str?: string;
  hasEOL?: boolean;
  /** The last two are where it stands. */
  transform?: number[];
  height?: number;
}

/** Lines as they are; a gap of more than a line begins a new paragraph. */
function pageText(items: readonly TextItem[]): string {
  let text = "";
  let lastY: number | undefined;
  for (const { str, hasEOL, transform, height } of items) {
    if (str === undefined) continue;
    const y = transform?.[5];
    const lineHeight = height || 12;
    if (str.trim() !== "" && y !== undefined) {
      const isApart = lastY !== undefined && Math.abs(lastY - y) > 1.8 * lineHeight;
      if (isApart && text.endsWith("\n") && !text.endsWith("\n\n")) text += "\n";
      lastY = y;
    }
    text += str + (hasEOL ? "\n" : "");
  }
  return text.replace(/[ \t]+$/gm, "").trim();
}
