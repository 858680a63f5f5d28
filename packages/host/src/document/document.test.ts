// Documents of every format: what becomes of them, and what is said of those that cannot be
// read.

import { describe, expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import fc from "fast-check";
import { convertHere } from "./convert-here.ts";
import { DocumentError, type DocumentErrorCode } from "./document-error.ts";
import { documentKind, documentKindOfType, type DocumentKind } from "./document-kind.ts";
import { convertDocument } from "./document.ts";
import { makeDocx, makeEpub, makePdf, makePptx, makeXlsx } from "./test/office-files.ts";

async function textOf(kind: DocumentKind, bytes: Uint8Array): Promise<string> {
  return (await convertHere({ name: `a.${kind}`, kind, source: { bytes } })).text;
}

const rtf = (body: string): Uint8Array => Buffer.from(`{\\rtf1\\ansi${body}}`, "latin1");

async function refusal(run: Promise<unknown>): Promise<DocumentErrorCode> {
  const outcome = await run.then(
    (value) => value,
    (error: unknown) => error,
  );
  if (!(outcome instanceof DocumentError)) throw new Error(`no DocumentError: ${String(outcome)}`);
  expect(outcome.message).toMatch(/^[^\n]+[:.] [^\n]+\.$/);
  return outcome.code;
}

const paragraph = (text: string, style = ""): string =>
  `<w:p>${style === "" ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;
const DOCX = makeDocx(
  `${paragraph("Big", "Heading1")}${paragraph("Some &amp; words")}<w:tbl><w:tr><w:tc>${paragraph("a")}</w:tc><w:tc>${paragraph("b")}</w:tc></w:tr><w:tr><w:tc>${paragraph("1")}</w:tc><w:tc>${paragraph("2")}</w:tc></w:tr></w:tbl>`,
);
const XLSX = makeXlsx({
  People: [
    ["name", "age"],
    ["Ada|x", 36],
  ],
  Empty: [],
});
const shape = (kind: string, ...lines: string[]): string =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${kind}"/></p:nvPr></p:nvSpPr><p:txBody>${lines.map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join("")}</p:txBody></p:sp>`;
const TABLE = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>x</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>y</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
const PPTX = makePptx(
  [
    shape("title", "First &lt;slide&gt;") + shape("body", "one", "two") + shape("sldNum", "1"),
    shape("body", "last") + TABLE,
  ],
  "say this",
);
const EPUB = makeEpub({
  "ch 2.xhtml": "<h2>Second</h2><p>end</p>",
  "ch1.xhtml": "<h2>First</h2><p>start</p>",
});
const PDF = makePdf([["Hello (world)", "second line"], ["page two"]]);

describe("text of", () => {
  test("Word", async () => {
    expect(await textOf("docx", DOCX)).toBe(
      "# Big\n\nSome & words\n\n| a | b |\n| --- | --- |\n| 1 | 2 |",
    );
  });

  test("Excel", async () => {
    expect(await textOf("xlsx", XLSX)).toBe(
      "## People\n\n| name | age |\n| --- | --- |\n| Ada\\|x | 36 |\n\n## Empty\n\n(empty sheet)",
    );
  });

  test("PowerPoint", async () => {
    expect(await textOf("pptx", PPTX)).toBe(
      "## Slide 1: First <slide>\n\none\ntwo\n\nNotes: say this\n\n## Slide 2\n\nlast\n\n| x | y |\n| --- | --- |",
    );
  });

  test("a book", async () => {
    expect(await textOf("epub", EPUB)).toBe(
      "# A & B\n\nAda\n\n## First\n\nstart\n\n## Second\n\nend",
    );
  });

  test("PDF", async () => {
    expect(await textOf("pdf", PDF.slice())).toBe(
      "## Page 1\n\nHello (world)\nsecond line\n\n## Page 2\n\npage two",
    );
    const { notes } = await convertHere({
      name: "a.pdf",
      kind: "pdf",
      source: { bytes: makePdf([[]]) },
    });
    expect(notes.join()).toContain("OCR");
  });

  test("Rich Text", async () => {
    const body =
      "{\\fonttbl{\\f0 Arial;}}{\\*\\generator x;}\\b Bold\\b0  and \\i slanted\\i0.\\par caf\\'e9 \\u8364?5 \\{x\\}\\par\\trowd a\\cell b\\cell\\row{\\field{\\*\\fldinst HYPERLINK}{\\fldrslt shown}}";
    expect(await textOf("rtf", rtf(body))).toBe(
      "Bold and slanted.\n\ncafé €5 {x}\n\n| a | b |\n| --- | --- |\n\nshown",
    );
    expect(await textOf("rtf", rtf("\\ansicpg1251 \\'cf\\'f0\\'e8"))).toBe("При");
    expect(await textOf("rtf", rtf("\\ansicpg932 \\'93\\'fa"))).toBe("日");
    expect(await textOf("rtf", rtf("\\u55357?\\u56832?"))).toBe("😀");
    // Many a .doc is nothing else.
    const table = String.raw` Before\par\trowd\cellx1\cellx2\pard\intbl Name\cell Price\cell\row\trowd\cellx1\cellx2\pard\intbl Tea\par green\cell 3|5\cell\row\pard After\par\trowd\pard\intbl x\cell\row`;
    expect(await textOf("rtf", rtf(table))).toBe(
      "Before\n\n| Name | Price |\n| --- | --- |\n| Tea<br><br>green | 3\\|5 |\n\nAfter\n\n| x |\n| --- |",
    );
    expect(await textOf("doc", rtf(" hello"))).toBe("hello");
  });
});

describe("refusals", () => {
  test("name what is wrong", async () => {
    for (const kind of ["pdf", "docx", "xlsx", "pptx", "epub", "rtf"] as const) {
      const name = `a.${kind}`;
      for (const bytes of [Buffer.from("no document"), new Uint8Array(), new Uint8Array(4000)]) {
        expect([kind, await refusal(convertHere({ name, kind, source: { bytes } }))]).toEqual([
          kind,
          "corrupt",
        ]);
      }
      const gone = convertHere({ name, kind, source: { path: "/nowhere/at/all" } });
      expect(await refusal(gone)).toBe("unreadable");
    }
    const old = Buffer.from("d0cf11e0a1b11ae100", "hex");
    for (const kind of ["doc", "xls", "ppt"] as const) {
      const run = convertHere({ name: `a.${kind}`, kind, source: { bytes: old } });
      await expect(run).rejects.toThrow(`--convert-to ${kind}x`);
      expect(await refusal(run)).toBe("unsupported");
    }
    const locked = convertHere({ name: "a.docx", kind: "docx", source: { bytes: old } });
    expect(await refusal(locked)).toBe("encrypted");
    // One kind of office document is not another.
    expect(
      await refusal(convertHere({ name: "a.pptx", kind: "pptx", source: { bytes: DOCX } })),
    ).toBe("corrupt");
    expect(
      await refusal(convertHere({ name: "a.epub", kind: "epub", source: { bytes: DOCX } })),
    ).toBe("corrupt");
    expect(
      await refusal(convertHere({ name: "a.xlsx", kind: "xlsx", source: { bytes: PPTX } })),
    ).toBe("corrupt");
  });

  test("are all that comes of a damaged document", async () => {
    const wholes: [DocumentKind, Uint8Array][] = [
      ["docx", DOCX],
      ["xlsx", XLSX],
      ["pptx", PPTX],
      ["epub", EPUB],
      ["rtf", rtf("{\\u8364? \\'e9}\\par x")],
    ];
    const damaged = fc
      .record({
        whole: fc.constantFrom(...wholes),
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        change: fc.uint8Array({ minLength: 1, maxLength: 30 }),
      })
      .map(({ whole: [kind, bytes], at, change }) => {
        const changed = new Uint8Array(bytes);
        const start = Math.floor(at * changed.length);
        changed.set(change.subarray(0, changed.length - start), start);
        return { kind, bytes: changed };
      });
    await fc.assert(
      fc.asyncProperty(damaged, async ({ kind, bytes }) => {
        try {
          expect(await textOf(kind, bytes)).toBeString();
        } catch (error) {
          expect(error).toBeInstanceOf(DocumentError);
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe("in a process of its own", () => {
  test("a file and bytes become text, and failures keep their type", async () => {
    await using dir = await createScratchDirectory();
    const path = await dir.write("a.pdf", PDF);
    const fromFile = await convertDocument({ name: "a.pdf", kind: "pdf", source: { path } });
    expect(fromFile.text).toContain("Hello (world)");
    const fromBytes = await convertDocument({
      name: "a.docx",
      kind: "docx",
      source: { bytes: DOCX },
    });
    expect(fromBytes.text).toContain("# Big");
    const bad = convertDocument({
      name: "a.pdf",
      kind: "pdf",
      source: { bytes: Buffer.from("x") },
    });
    expect(await refusal(bad)).toBe("corrupt");
  });

  test("it ends with its deadline, with its signal, and by itself", async () => {
    const task = { name: "a.docx", kind: "docx", source: { bytes: DOCX } } as const;
    expect(await refusal(convertDocument(task, { deadlineMs: 1 }))).toBe("too_slow");
    expect(await refusal(convertDocument(task, { helper: ["sleep", "60"], deadlineMs: 200 }))).toBe(
      "too_slow",
    );
    expect(await refusal(convertDocument(task, { helper: ["false"] }))).toBe("crashed");
    expect(await refusal(convertDocument(task, { helper: ["/no/such/program"] }))).toBe("crashed");
    const signal = AbortSignal.abort();
    await expect(convertDocument(task, { signal })).rejects.toThrow("abort");
  });
});

test.each<[string, DocumentKind | undefined]>([
  ["a.PDF", "pdf"],
  ["dir/a.docx", "docx"],
  ["a.doc", "doc"],
  ["a.txt", undefined],
  ["pdf", undefined],
  ["a.docx.bak", undefined],
])("%s is a %p", (name, kind) => {
  expect(documentKind(name)).toBe(kind as never);
});

test("what a server says is a kind too", () => {
  expect(documentKindOfType("application/pdf; charset=x")).toBe("pdf");
  expect(documentKindOfType("text/html")).toBeUndefined();
});
