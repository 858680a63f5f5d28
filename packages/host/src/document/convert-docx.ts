// Word documents: to HTML by mammoth, which knows their styles, and on to Markdown.

import { htmlToMarkdown } from "../web/html-page.ts";
import { MAX_TEXT_CHARS, type ConvertedDocument } from "./converted.ts";
import { corruptDocument } from "./document-error.ts";

export async function convertDocx(name: string, bytes: Uint8Array): Promise<ConvertedDocument> {
  const { default: mammoth } = await import("mammoth");
  let html: string;
  try {
    const options = {
      // Pictures would be megabytes of text.
      convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
    };
    ({ value: html } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }, options));
  } catch (error) {
    throw corruptDocument(name, error);
  }
  const isCut = html.length > MAX_TEXT_CHARS;
  const notes = isCut ? [`Only the first ${MAX_TEXT_CHARS} characters are here.`] : [];
  return { text: await htmlToMarkdown(html.slice(0, MAX_TEXT_CHARS)), notes };
}
