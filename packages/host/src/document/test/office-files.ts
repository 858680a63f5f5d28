// Small documents with all the parts that the formats ask for, packed by another zip program
// than the one they are read with.

import { strToU8, zipSync } from "fflate";

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";

function pack(parts: Record<string, string>): Uint8Array {
  return zipSync(
    Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])),
  );
}

function relations(targets: readonly [id: string, type: string, target: string][]): string {
  const rows = targets.map(
    ([id, type, target]) =>
      `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${rows.join("")}</Relationships>`;
}

function contentTypes(parts: readonly [part: string, type: string][]): string {
  const rows = parts.map(
    ([part, type]) =>
      `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
  );
  return `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${rows.join("")}</Types>`;
}

export function makeDocx(body: string): Uint8Array {
  const main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
  return pack({
    "[Content_Types].xml": contentTypes([
      ["/word/document.xml", "wordprocessingml.document.main"],
      ["/word/styles.xml", "wordprocessingml.styles"],
    ]),
    "_rels/.rels": relations([["rId1", "officeDocument", "word/document.xml"]]),
    "word/_rels/document.xml.rels": relations([["rId1", "styles", "styles.xml"]]),
    "word/styles.xml": `${XML}<w:styles xmlns:w="${main}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
    "word/document.xml": `${XML}<w:document xmlns:w="${main}"><w:body>${body}</w:body></w:document>`,
  });
}

/** Sheets by name; cells are texts or numbers. */
export function makeXlsx(sheets: Record<string, (string | number)[][]>): Uint8Array {
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const names = Object.keys(sheets);
  const cell = (value: string | number, at: string): string =>
    typeof value === "number"
      ? `<c r="${at}"><v>${value}</v></c>`
      : `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const sheet = (rows: (string | number)[][]): string => {
    const lines = rows.map((row, y) => {
      const cells = row.map((value, x) => cell(value, `${String.fromCharCode(65 + x)}${y + 1}`));
      return `<row r="${y + 1}">${cells.join("")}</row>`;
    });
    return `${XML}<worksheet xmlns="${main}"><sheetData>${lines.join("")}</sheetData></worksheet>`;
  };
  const parts: Record<string, string> = {
    "[Content_Types].xml": contentTypes([
      ["/xl/workbook.xml", "spreadsheetml.sheet.main"],
      ["/xl/styles.xml", "spreadsheetml.styles"],
      ...names.map(
        (_, at) =>
          [`/xl/worksheets/sheet${at + 1}.xml`, "spreadsheetml.worksheet"] as [string, string],
      ),
    ]),
    "_rels/.rels": relations([["rId1", "officeDocument", "xl/workbook.xml"]]),
    "xl/_rels/workbook.xml.rels": relations([
      ...names.map(
        (_, at) =>
          [`rId${at + 1}`, "worksheet", `worksheets/sheet${at + 1}.xml`] as [
            string,
            string,
            string,
          ],
      ),
      [`rId${names.length + 1}`, "styles", "styles.xml"],
    ]),
    "xl/styles.xml": `${XML}<styleSheet xmlns="${main}"><cellXfs count="1"><xf numFmtId="0"/></cellXfs></styleSheet>`,
    "xl/workbook.xml": `${XML}<workbook xmlns="${main}" xmlns:r="${OFFICE}"><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join("")}</sheets></workbook>`,
  };
  for (const [at, name] of names.entries()) {
    parts[`xl/worksheets/sheet${at + 1}.xml`] = sheet(sheets[name]!);
  }
  return pack(parts);
}

/** Slides as the inside of their shape trees; the first file is the last slide. */
export function makePptx(slides: readonly string[], notes: string): Uint8Array {
  const spaces = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${OFFICE}"`;
  const file = (at: number): string => `slide${slides.length - at}.xml`;
  const parts: Record<string, string> = {
    "[Content_Types].xml": contentTypes([
      ["/ppt/presentation.xml", "presentationml.presentation.main"],
    ]),
    "_rels/.rels": relations([["rId1", "officeDocument", "ppt/presentation.xml"]]),
    "ppt/_rels/presentation.xml.rels": relations(
      slides.map((_, at) => [`rId${at + 1}`, "slide", `slides/${file(at)}`]),
    ),
    "ppt/presentation.xml": `${XML}<p:presentation ${spaces}><p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`).join("")}</p:sldIdLst></p:presentation>`,
    [`ppt/slides/_rels/${file(0)}.rels`]: relations([
      ["rId1", "notesSlide", "../notesSlides/notesSlide1.xml"],
    ]),
    "ppt/notesSlides/notesSlide1.xml": `${XML}<p:notes ${spaces}><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>${notes}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:notes>`,
  };
  for (const [at, shapes] of slides.entries()) {
    parts[`ppt/slides/${file(at)}`] =
      `${XML}<p:sld ${spaces}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
  }
  return pack(parts);
}

export function makeEpub(chapters: Record<string, string>): Uint8Array {
  const names = Object.keys(chapters);
  const parts: Record<string, string> = {
    mimetype: "application/epub+zip",
    "META-INF/container.xml": `${XML}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    "OEBPS/book.opf": `${XML}<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>A &amp; B</dc:title><dc:creator>Ada</dc:creator></metadata><manifest>${names.map((name, at) => `<item id="c${at}" href="${name.replaceAll(" ", "%20")}" media-type="application/xhtml+xml"/>`).join("")}</manifest><spine>${names
      .map((_, at) => `<itemref idref="c${at}"/>`)
      .toReversed()
      .join("")}</spine></package>`,
  };
  for (const [name, body] of Object.entries(chapters)) {
    parts[`OEBPS/${name}`] =
      `${XML}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${body}</body></html>`;
  }
  return pack(parts);
}

/** A page for each list of lines, in one of the fonts that every reader has. */
export function makePdf(pages: readonly (readonly string[])[]): Uint8Array {
  const objects: string[] = [];
  const add = (body: string): number => objects.push(body);
  add("<< /Type /Catalog /Pages 2 0 R >>");
  const kids = pages.map((_, at) => `${4 + at * 2} 0 R`).join(" ");
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  for (const lines of pages) {
    const at = objects.length + 1;
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${at + 1} 0 R >>`,
    );
    const text = lines.map((line) => `(${line.replace(/[()\\]/g, "\\$&")}) Tj T*`).join("\n");
    const stream = `BT /F1 12 Tf 14 TL 72 720 Td\n${text}\nET`;
    add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
  }
  let file = "%PDF-1.4\n";
  const offsets = objects.map((body, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const table = file.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  return new TextEncoder().encode(file);
}
