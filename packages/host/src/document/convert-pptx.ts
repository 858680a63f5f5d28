// Presentations: the slides in their order, with titles, lists, tables and notes.

import { TextCollector, type ConvertedDocument } from "./converted.ts";
import { corruptDocument } from "./document-error.ts";
import { markdownTable } from "./markdown-table.ts";
import { localName, xmlEvents } from "./xml.ts";
import { openZipParts, relationsOf, type ZipParts } from "./zip-parts.ts";

const MAIN_PART = "ppt/presentation.xml";
const MAX_SLIDES = 1000;

export async function convertPptx(name: string, bytes: Uint8Array): Promise<ConvertedDocument> {
  const parts = await openZipParts(name, bytes);
  const slides = await slideNames(parts);
  if (!slides) throw corruptDocument(name);
  const collector = new TextCollector();
  for (const [index, part] of slides.slice(0, MAX_SLIDES).entries()) {
    const xml = await parts.text(part);
    if (xml === undefined) continue;
    const { title, blocks } = readSlide(xml);
    collector.add(
      [`## Slide ${index + 1}${title === "" ? "" : `: ${title}`}`, ...blocks].join("\n\n"),
    );
    const notes = await notesOf(parts, part);
    if (notes !== "") collector.add(`Notes: ${notes}`);
    if (collector.isFull) break;
  }
  if (slides.length > MAX_SLIDES) {
    collector.notes.push(`It has ${slides.length} slides; ${MAX_SLIDES} are here.`);
  }
  return collector.result();
}

/** In the order of the presentation, which is not that of their names. */
async function slideNames(parts: ZipParts): Promise<string[] | undefined> {
  const xml = await parts.text(MAIN_PART);
  if (xml === undefined) return undefined;
  const targets = await relationsOf(parts, MAIN_PART);
  const slides: string[] = [];
  for (const event of xmlEvents(xml)) {
    if (event.type !== "open" || localName(event.name) !== "sldId") continue;
    // Two attributes are called id; only that of the relation leads anywhere.
    const target = [...event.attributes.values()].map((id) => targets.get(id)).find(Boolean);
    if (target !== undefined) slides.push(target);
  }
  return slides;
}

async function notesOf(parts: ZipParts, slide: string): Promise<string> {
  const targets = await relationsOf(parts, slide);
  const part = [...targets.values()].find((name) => name.includes("/notesSlides/"));
  const xml = part === undefined ? undefined : await parts.text(part);
  if (xml === undefined) return "";
  return readSlide(xml).blocks.join("\n\n");
}

interface Slide {
  title: string;
  blocks: string[];
}

/** Shapes of these kinds say the same on every slide. */
const REPEATED: ReadonlySet<string> = new Set(["sldNum", "dt", "ftr", "hdr", "sldImg"]);

function readSlide(xml: string): Slide {
  const slide: Slide = { title: "", blocks: [] };
  let kind = "";
  let paragraphs: string[] = [];
  let paragraph = "";
  let isText = false;
  let rows: string[][] | undefined;
  const endShape = (): void => {
    const text = paragraphs.join("\n");
    paragraphs = [];
    if (text === "" || REPEATED.has(kind)) return;
    if (/^(?:title|ctrTitle)$/.test(kind) && slide.title === "") {
      slide.title = text.replace(/\s+/g, " ");
    } else slide.blocks.push(text);
  };
  for (const event of xmlEvents(xml)) {
    if (event.type === "text") {
      if (isText) paragraph += event.text;
      continue;
    }
    const name = localName(event.name);
    const isOpen = event.type === "open";
    if (name === "t") isText = isOpen;
    else if (name === "sp" && isOpen) kind = "";
    else if (name === "ph" && isOpen) kind = event.attributes.get("type") ?? "body";
    else if (name === "br" && isOpen) paragraph += "\n";
    else if (name === "pPr" && isOpen) {
      const level = Number(event.attributes.get("lvl") ?? 0);
      paragraph += "  ".repeat(Math.min(8, Math.max(0, level)));
    } else if (name === "p" && !isOpen) {
      if (paragraph.trim() !== "") paragraphs.push(paragraph.trimEnd());
      paragraph = "";
    } else if (name === "tbl" && isOpen) rows = [];
    else if (name === "tr" && isOpen) rows?.push([]);
    else if (name === "tc" && !isOpen && rows) {
      rows.at(-1)?.push(paragraphs.join("\n"));
      paragraphs = [];
    } else if (name === "tbl" && rows) {
      slide.blocks.push(markdownTable(rows));
      rows = undefined;
    } else if (name === "sp" && !isOpen) endShape();
  }
  return slide;
}
